/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_FORCE_H
#define RCLC_CLOSEST_POINT_MONITOR_FORCE_H

/* From a pair's distance to a force that keeps its links apart: a spring and a damper that push and
 * never pull.
 *
 * With the depth x = engage_distance - distance into the zone around the obstacle, the pair pushes
 *
 *   f = max(0, k x - c(x) d'),   c(x) = b min(1, 4 x / engage_distance),   0 for x <= 0,
 *
 * along its normal at its witness, d' being the rate of the distance: b times the approach speed
 * from a quarter of the zone on, less before, nothing at the zone's edge, so that nothing jumps
 * there however fast it is crossed. Overlapping bodies have a negative distance, and the spring
 * goes on.
 *
 * What the formula asks for still jumps: a pair may become stale, or its normal, its witness or its
 * rate may jump where several places are as near. So a pair's push moves towards what is asked for,
 * straight, by no more than `k engage_distance` (or as much as it is, where that is more) in
 * CLP_FORCE_RAMP, and its torque by no more than that at the tool's farthest point. A push that
 * appears, disappears or turns over thus takes about that time; one that follows the spring at less
 * than engage_distance / CLP_FORCE_RAMP (5 m/s for the usual 0.1 m) is not held up at all. On its
 * way it is a mean, with weights that are not negative, of pushes that have been asked for: no pull
 * comes about. Sharing the force among the features that are near would be smooth without a limit
 * of speed, but then the force of a flat wall would depend on how many faces it is tiled from. */

#include "rclc_closest_point/monitor/report.h"

/* Seconds in which a push of k engage_distance comes or goes. */
#define CLP_FORCE_RAMP 0.02

typedef struct clp_force_law {
  double stiffness, damping, engage_distance;
} clp_force_law;

/* The force of a pair (N, not negative), as above. */
double clp_force_magnitude(clp_force_law law, double distance, double rate);

/* What a pair asks for: the push on A or on B, about `origin`. Nothing where the distance is not
 * certified, that is neither TRACKING nor PENETRATING, and where the push would not be finite: from
 * there the ramp would never come back. */
clp_wrench clp_force_wanted(clp_force_law law, const clp_closest_point *pair, bool on_b,
                            clp_vec3 origin);

/* From one push straight towards another one, within `step` seconds; no point of the tool is
 * farther from the origin than `lever` meters. */
clp_wrench clp_force_towards(clp_force_law law, clp_wrench from, clp_wrench wanted, double step,
                             double lever);

/* ---- Which gains are passive -------------------------------------------------------------- */

/* The largest stiffness for this damping with a cycle of `cycle` seconds and `latency` seconds from
 * measuring a pose to its wrench acting:
 *
 *   k <= b / (2 delay),   delay = cycle / 2 + latency.
 *
 * A force is computed from a pose that is `latency` old and held for a cycle, so on the average it
 * lags by the delay. For motions that are slow against it, x(t - delay) = x - delay x', and the
 * force that opposes entering is k x + (c(x) - k delay) x': the lag of the spring is a negative
 * damper. Pressing from the zone's edge to depth X and letting go again at one speed x' takes in
 *
 *   2 x' (integral of c from 0 to X - k delay X)  =  2 x' (b (X - engage_distance / 8) - k delay X)
 *
 * for X of a quarter of the zone and more (below speeds of k x / b, where the force is not cut off
 * at zero). At the limit that is zero for a quarter and positive for all deeper presses. Lighter
 * ones return up to x' b engage_distance / 16 and may buzz, unless the device takes that in: as c
 * begins with zero, at the very edge its own damping has to be k delay, which is Colgate's and
 * Schenkel's condition for sampled walls; at the limit this is b / 2. The device's damping is not
 * known here and counts as zero.
 *
 * A damper that lags is a mass, and a negative one: m s^2 + (b s + k) exp(-delay s) has its zeros
 * on the imaginary axis, delay w = p, where b delay / m = p sin p and k delay^2 / m = p^2 cos p;
 * with k = b / (2 delay) that is tan p = 2 p, and b delay = 1.07 m. So whatever is moved, the
 * device with the hand at it, should weigh at least b delay. Its mass is not known here, either. */
double clp_force_stiffness_limit(double damping, double cycle, double latency);

#endif
