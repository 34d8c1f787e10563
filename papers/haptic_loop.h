/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_HAPTIC_LOOP_H
#define RCLC_CLOSEST_POINT_PAPERS_HAPTIC_LOOP_H

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/closest_point.h"

/* The papers' haptic rendering as one differential equation:
 *
 *   hand ~ device | coupler | proxy --- shell
 *
 *   device   M x''  = k_h (hand(t) - x) - b_h x' - F
 *   coupler  F      = k_c (x - p) + b_c (x' - p')
 *   proxy    m p''  = F + N k max(0, -s),     s = N.(p - f)
 *   witness  [u v]' = -H^-1 (K g + b),        g = [(f - p).f_u, (f - p).f_v], b = -[p'.f_u, p'.f_v]
 *
 * The hand holds the device by a spring and a damper; E, the device's image, has no shape and meets
 * the proxy in the coupler alone; the proxy is a point with mass. Device, proxy and witness are one
 * vector of 14 states, which one explicit integrator advances; two integrals ride along, the work
 * that the device does on the coupler and what the coupler's damper takes of it. The patch that the
 * witness is on is the discrete state: a step that leads it beyond a side ends with the nearest
 * place of the patch next door. */

/* N, m, s. */
#define CLP_HAPTIC_DEVICE_MASS 0.5
#define CLP_HAPTIC_HAND_STIFFNESS 150.0
#define CLP_HAPTIC_HAND_DAMPING 3.5
#define CLP_HAPTIC_COUPLER_STIFFNESS 1000.0
#define CLP_HAPTIC_COUPLER_DAMPING 8.0
#define CLP_HAPTIC_PROXY_MASS 0.05

/* A plane tangent somewhere else cuts through the shell: of a witness that is on its way the proxy
 * may seem to be inside. So there is no push before the witness has arrived (m). */
#define CLP_HAPTIC_ARRIVED 1e-6

/* Eight rational biquadratic patches, one for each octant, each exactly an eighth of an ellipsoid
 * about the origin. Ellipsoids on both sides of a coordinate plane share the ellipse in it and
 * their normals there, but not their radii across: the seams are smooth, and curvature jumps. */
extern const clp_vec3 clp_haptic_radii[2]; /* towards +x, +y, +z; towards -x, -y, -z */
clp_status clp_haptic_shell(clp_body **shell);
clp_vec3 clp_haptic_radii_at(clp_vec3 p); /* of the octant that p is in */

enum {
  CLP_HAPTIC_DEVICE = 0,
  CLP_HAPTIC_PROXY = 6, /* places; their rates follow three further on */
  CLP_HAPTIC_WITNESS = 12,
  CLP_HAPTIC_WORK = 14, /* done by the device on the coupler (J) */
  CLP_HAPTIC_LOST = 15, /* in the coupler's damper (J) */
  CLP_HAPTIC_STATES = 16
};

typedef struct clp_haptic_loop {
  const clp_body *shell;
  clp_vec3 (*course)(double t); /* of the hand; NULL: it stays at `hand` */
  clp_vec3 hand;
  clp_integrator integrator;
  double step;      /* s */
  double stiffness; /* k of the shell (N/m) */
  double gain;      /* K of the witness (1/s) */
  bool feedforward; /* with b */
  bool trusting;    /* a push from the start, whatever the witness's error */
  bool ready;       /* the witness has arrived: its error was below CLP_HAPTIC_ARRIVED once */
  int steps;        /* done */
  uint32_t patch;
  double y[CLP_HAPTIC_STATES];
  int crossings;       /* from patch to patch */
  double crossing_gap; /* the most that s has changed by one */
} clp_haptic_loop;

/* Device and proxy at rest where the hand is, the witness in the middle of the patch that is
 * nearest; midpoint rule, 1 kHz, K = 1000 / s, with feedforward. */
clp_haptic_loop clp_haptic_begin(const clp_body *shell, clp_vec3 (*course)(double t), clp_vec3 hand,
                                 double stiffness);

/* Pressed along the outward normal at the witness's patch and parameters, at rest: the hand is
 * `depth` below the surface. Hand, coupler and shell are springs in a row, so the force is
 * depth / (1/k_h + 1/k_c + 1/k), which is returned. */
double clp_haptic_press(clp_haptic_loop *loop, uint32_t patch, double u, double v, double depth);

void clp_haptic_step(clp_haptic_loop *loop);

typedef struct clp_haptic_state {
  clp_vec3 hand, device, proxy, witness;
  clp_vec3 normal; /* N */
  clp_vec3 pull;   /* F, which the motor shows to the hand with the other sign */
  double s;        /* signed distance of the proxy */
  double push;     /* k max(0, -s), or 0 before the witness has arrived */
  double error;    /* |g| in unit tangents: how far the witness's normal misses the proxy (m) */
  double stored;   /* in coupler, proxy and shell (J) */
  double created;  /* stored + lost - work: what only the steps can have made (J), from a start
                      with nothing stored */
} clp_haptic_state;

clp_haptic_state clp_haptic_measure(const clp_haptic_loop *loop);

/* The stiffness at which a press along the normal stops being stable. There everything is linear,
 * d/dt [x x' p p'] = A(k) [x x' p p'], and a step multiplies by the integrator's polynomial R(hA):
 * the smallest k at which an eigenvalue of it leaves the unit circle. */
double clp_haptic_predicted_limit(clp_integrator integrator, double step);

#endif
