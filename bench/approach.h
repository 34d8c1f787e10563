/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_APPROACH_H
#define BENCH_APPROACH_H

#include <stdint.h>

#include "bench/shapes.h"
#include "bench/truth.h"

/* Poses of two bodies whose distance is known, within less than 2e-13 m.
 *
 * The second body is put somewhere and anyhow beside the first, and the nearest points are asked
 * for. Where the gap between the planes through them that touch the bodies, in long double and by
 * formulas (bench/truth.h), is as large as the distance of these points, which by formulas are on
 * the bodies, it is the distance, whoever found them. It remains so when the second body moves
 * along the planes' normal and turns about it in its nearest point. So it comes from two meters
 * away to a nanometer, turning, and then begins anew elsewhere. */

enum { APPROACH_POSES = 20 }; /* of one approach */

typedef struct approaches {
  int count;         /* of poses: so many times APPROACH_POSES as there was room for */
  clp_pose *poses;   /* of the second body in the first one's frame */
  clp_twist *twists; /* that led there from the pose before within 1 ms; of the first ones none */
  truth *truths;     /* the distances */
  int refused;       /* how many starts had no proof, and are not among them */
  uint64_t random;   /* the state of the generator */
} approaches;

/* Room for so many poses; false where there is none. */
bool approaches_create(int count, uint64_t seed, approaches *set);
void approaches_destroy(approaches *set);

/* Fills it anew. `pair` is of the two bodies. */
void approaches_fill(approaches *set, clp_pair *pair, const clp_body_def *a, const clp_body_def *b);

#endif
