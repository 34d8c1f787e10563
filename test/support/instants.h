/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_INSTANTS_H
#define TEST_SUPPORT_INSTANTS_H

#include <stdint.h>

/* In ns; stamps have as many digits as in practice. */
#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define BEGIN (1700000000 * SECOND)

#endif
