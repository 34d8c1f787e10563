/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_TERMINAL_H
#define RCLC_CLOSEST_POINT_TOOL_TERMINAL_H

/* A terminal's other screen, where pages are shown one after the other; afterwards it is as it was.
 * Whoever includes this defines _POSIX_C_SOURCE first. */

#include <stdbool.h>
#include <termios.h>

#include "rclc_closest_point/tool/page.h"

typedef struct clp_terminal {
  bool keys; /* standard input is a terminal, too: keys are read one by one, and not shown */
  struct termios before;
  int columns, rows; /* what the last page was made for */
} clp_terminal;

/* Whether standard output is a terminal that can move its cursor. */
bool clp_terminal_is_there(void);

/* Whether the locale is UTF-8, and whether colors are welcome (NO_COLOR says no). */
bool clp_terminal_has_utf8(void);
bool clp_terminal_has_color(void);

/* The size of standard output; 80 by 24 where it has none. */
void clp_terminal_size(int *columns, int *rows);

void clp_terminal_enter(clp_terminal *terminal);
void clp_terminal_leave(const clp_terminal *terminal);

void clp_terminal_show(clp_terminal *terminal, const clp_page *page);

/* Waits so many milliseconds; less when a signal comes or the size changes. True: the key q has
 * been pressed, or there is no keyboard any more. */
bool clp_terminal_wait(const clp_terminal *terminal, int milliseconds);

/* Whether SIGHUP or SIGQUIT has come since the terminal was entered. */
bool clp_terminal_is_lost(void);

#endif
