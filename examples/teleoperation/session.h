/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLES_TELEOPERATION_SESSION_H
#define EXAMPLES_TELEOPERATION_SESSION_H

/* A hand on a master device, a channel with a delay each way, and a slave at a wall, cycle by
 * cycle.
 *
 *   hand ~ master = motor | channel ... delay ... | coupler ~ slave | wall
 *
 * The master is a mass that the hand's spring and damper hold, moved exactly while the motor's
 * force is held for a cycle. F is the force with which the motor opposes motion: in a cycle it
 * takes in F.dx, exactly, dx being the way of the device in that cycle, and the sum of these is the
 * *passivity observer* at the motor: how much energy channel, slave and wall have taken in. As long
 * as it is not negative they are passive, and no hand or device that is passive itself can be made
 * unstable by them.
 *
 * *Direct*: places go there, forces come back. The slave is where the master was, the wall's force
 * acts when it arrives: a wall with the latency of both ways.
 *
 * *Waves*: each side sends, instead of v or F, the wave that leaves it,
 *   u = (b v + F) / sqrt(2b) from the master,   w = (b v' - F') / sqrt(2b) from the slave,
 * so that F v = u^2/2 - w^2/2 at either side: power goes in with u and comes back with w. The
 * energy in the channel is then the waves' on their way, never negative, whatever the delay.
 * (Sampled it is so for the samples; the force that is held meanwhile is what the next one looks
 * after.) At the slave a coupler, a spring and a damper at 1 kHz, leads from the place that the
 * waves ask for to the slave's mass.
 *
 * *The passivity controller* keeps the observer from ever becoming negative, not only from staying
 * so: with accelerations below a bound, the next cycle's way differs from the last one's by no more
 * than `bound cycle^2`, so a held F takes in at least |F| (F/|F| . dx - bound cycle^2) during it.
 * If that is negative and more than there is in the observer, F is made smaller until it is not. */

#include "examples/teleoperation/plant.h"
#include "examples/teleoperation/wall.h"

#define CYCLE 0.001

/* N, m, s; the device with the hand at it. The hand's own damper is part of `damping`. */
#define MASTER_MASS 0.5
#define MASTER_DAMPING 3.5
#define HAND_STIFFNESS 150.0
#define SLAVE_MASS 0.5
#define SLAVE_DAMPING 2.0
#define COUPLER_STIFFNESS 1000.0
#define COUPLER_DAMPING 8.0
#define WAVE_IMPEDANCE 8.0
#define ACCELERATION_BOUND 60.0

enum { LINE_MAX = 64 }; /* cycles of delay, both ways, and one */

/* What is on its way. */
typedef struct delay_line {
  clp_vec3 items[LINE_MAX];
  int delay, next;
} delay_line;

typedef struct session {
  bool waves, guarded; /* guarded: by the passivity controller */
  bool on_a_rail;      /* master and slave move along `rail` only */
  clp_vec3 rail;
  plant master_plant, slave_plant;
  plant_state master, slave;
  clp_vec3 asked; /* the place that the waves ask for */
  delay_line there, back;
  wall_contact contact;
  clp_vec3 last_x, last_way;
  clp_vec3 force;      /* F, of the last cycle */
  double energy;       /* the observer (J) */
  long controlled;     /* cycles in which the controller acted */
  double withheld;     /* the most that it has taken off the force (N) */
  double acceleration; /* the largest that there was */
} session;

/* At rest at a place, `delay` cycles away from the slave, which is at the same place; the wall's
 * force there is already known to all. False: no memory. */
bool session_begin(session *s, const clp_body *wall, const clp_body *tip, clp_force_law law,
                   bool waves, int delay, clp_vec3 place);
void session_end(session *s);

/* The hand's spring rests at a place. */
void session_step(session *s, clp_vec3 hand);

#endif
