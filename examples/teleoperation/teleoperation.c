/* SPDX-License-Identifier: Apache-2.0 */

/* A simulated bilateral teleoperation at 1 kHz; docs/teleoperation.md tells what it shows.
 *
 * usage: teleoperation FOLDER. Writes CSV files there, and one line NAME,VALUE for every number
 * that the documentation states, to summary.csv and to standard output. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "examples/teleoperation/session.h"
#include "rclc_closest_point/math/vec3.h"

/* The gains of everything but the search for the stiffest wall. */
static const clp_force_law usual = {1000, 10, 0.02};

static const int delays[] = {0, 5, 20}; /* cycles, each way */
enum { DELAYS = sizeof delays / sizeof *delays };

typedef struct outputs {
  const char *folder;
  FILE *summary;
  bool failed;
} outputs;

static FILE *open_csv(outputs *out, const char *name, const char *header)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s.csv", out->folder, name);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    out->failed = true;
    return NULL;
  }
  fprintf(file, "%s\n", header);
  return file;
}

static void close_csv(outputs *out, FILE *file)
{
  if (file && (ferror(file) | fclose(file)))
    out->failed = true;
}

static void tell(outputs *out, const char *name, double value)
{
  printf("%s,%.6g\n", name, value);
  fprintf(out->summary, "%s,%.6g\n", name, value);
}

static void tell_for(outputs *out, const char *name, int delay, double value)
{
  char full[96];
  snprintf(full, sizeof full, "%s_%dms", name, delay);
  tell(out, full, value);
}

/* ---- Across seams ------------------------------------------------------------------------- */

enum { SLIDE = 2000 };

/* 2 mm above the ellipsoid, over two seams and close by a corner of four patches. */
static wall_place slide_at(int k)
{
  double s = 2.0 * k / SLIDE - 1;
  wall_place p = wall_above(0.09 * s + 0.01, 0.05 * s - 0.012);
  p.place = clp_add_scaled(p.place, WALL_TIP + 0.002, p.normal);
  return p;
}

typedef struct slide_result {
  double least, most; /* force (N) */
  double step;        /* the largest change in a cycle (N) */
  double turn;        /* the largest turn of the force in a cycle (rad) */
  long switches;
} slide_result;

static slide_result slide(const clp_body *wall, const clp_body *tip, clp_vec3 *forces)
{
  slide_result r = {.least = HUGE_VAL};
  wall_contact contact;
  if (!wall_touch(&contact, wall, tip, usual))
    return (slide_result){.least = (double)NAN};
  (void)wall_push(&contact, slide_at(0).place, 1);
  for (int k = 0; k < SLIDE; ++k) {
    forces[k] = wall_push(&contact, slide_at(k).place, CYCLE);
    double size = clp_norm(forces[k]);
    r.least = fmin(r.least, size);
    r.most = fmax(r.most, size);
    if (k < 2)
      continue;
    r.step = fmax(r.step, clp_distance(forces[k], forces[k - 1]));
    double sine = clp_norm(clp_cross(forces[k], forces[k - 1])) / (size * clp_norm(forces[k - 1]));
    r.turn = fmax(r.turn, asin(fmin(1, sine)));
  }
  r.switches = contact.switches;
  wall_leave(&contact);
  return r;
}

static void show_seams(outputs *out, clp_body *const walls[WALL_KINDS], const clp_body *tip)
{
  static const char *const names[WALL_KINDS] = {"shell", "facets", "rounded", "quadric"};
  static clp_vec3 forces[WALL_KINDS][SLIDE];
  char name[64];
  for (int w = 0; w < WALL_KINDS; ++w) {
    slide_result r = slide(walls[w], tip, forces[w]);
    snprintf(name, sizeof name, "seams_%s_ripple_N", names[w]);
    tell(out, name, r.most - r.least);
    snprintf(name, sizeof name, "seams_%s_step_N", names[w]);
    tell(out, name, r.step);
    snprintf(name, sizeof name, "seams_%s_turn_rad", names[w]);
    tell(out, name, r.turn);
    snprintf(name, sizeof name, "seams_%s_switches", names[w]);
    tell(out, name, (double)r.switches);
  }
  double apart = 0;
  FILE *csv = open_csv(out, "seams", "t,shell,facets,rounded,shell_step,facets_step,rounded_step");
  for (int k = 1; k < SLIDE && csv; ++k) {
    apart = fmax(apart, clp_distance(forces[WALL_SHELL][k], forces[WALL_QUADRIC][k]));
    fprintf(csv, "%.3f", CYCLE * k);
    for (int w = 0; w < WALL_QUADRIC; ++w)
      fprintf(csv, ",%.9g", clp_norm(forces[w][k]));
    for (int w = 0; w < WALL_QUADRIC; ++w)
      fprintf(csv, ",%.9g", clp_distance(forces[w][k], forces[w][k - 1]));
    fputc('\n', csv);
  }
  close_csv(out, csv);
  tell(out, "seams_shell_from_quadric_N", apart);
}

/* ---- A contact ---------------------------------------------------------------------------- */

static double smooth(double t)
{
  t = fmin(1, fmax(0, t));
  return t * t * (3 - 2 * t);
}

/* From above down to 40 mm below the surface, where the hand's spring leaves it, across, a while
 * there, and up. */
static clp_vec3 hand_at(double t)
{
  double across = 2 * smooth((t - 1) / 1.5) - 1, down = smooth(t) - smooth((t - 3.4) / 0.8);
  wall_place p = wall_above(0.07 * across, 0.04 * across);
  return clp_add_scaled(p.place, 0.06 - 0.1 * down, p.normal);
}

typedef struct way_of_working {
  const char *name;
  bool waves, guarded;
  bool at_the_limit; /* with the largest stiffness that the monitor lets through */
} way_of_working;

static void run_contact(outputs *out, const clp_body *wall, const clp_body *tip, way_of_working way,
                        int delay)
{
  session s;
  char name[64];
  double least_energy = 0, most_force = 0, swing = 0;
  clp_force_law law = usual;
  if (way.at_the_limit)
    law.stiffness = clp_force_stiffness_limit(law.damping, CYCLE, 2 * delay * CYCLE);
  snprintf(name, sizeof name, "contact_%s_%dms", way.name, delay);
  FILE *csv = open_csv(out, name, "t,hand,master,slave,force,distance,energy");
  out->failed |= !session_begin(&s, wall, tip, law, way.waves, delay, hand_at(0));
  s.guarded = way.guarded;
  for (int k = 0; k < 4500 && !out->failed; ++k) {
    double t = CYCLE * k;
    session_step(&s, hand_at(t));
    least_energy = fmin(least_energy, s.energy);
    most_force = fmax(most_force, clp_norm(s.force));
    if (t > 3 && t < 3.3) /* the hand is still: what moves is an oscillation */
      swing = fmax(swing, clp_norm(s.master.v));
    fprintf(csv, "%.3f,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", t, hand_at(t).z, s.master.x.z, s.slave.x.z,
            clp_norm(s.force), s.contact.answer.distance, s.energy);
  }
  const struct {
    const char *name;
    double value;
  } told[] = {{"least_energy_J", least_energy},
              {"swing_m_s", swing},
              {"most_force_N", most_force},
              {"controlled_cycles", (double)s.controlled},
              {"withheld_N", s.withheld},
              {"acceleration_m_s2", s.acceleration},
              {"seams_crossed", (double)s.contact.switches}};
  for (size_t k = 0; k < sizeof told / sizeof *told; ++k) {
    snprintf(name, sizeof name, "%s_%s", way.name, told[k].name);
    tell_for(out, name, delay, told[k].value);
  }
  session_end(&s);
  close_csv(out, csv);
}

static void show_contacts(outputs *out, const clp_body *wall, const clp_body *tip)
{
  static const way_of_working ways[] = {{"direct", false, false, false},
                                        {"limited", false, false, true},
                                        {"guarded", false, true, false},
                                        {"waves", true, true, false}};
  for (size_t w = 0; w < sizeof ways / sizeof *ways; ++w)
    for (int d = 0; d < DELAYS; ++d)
      run_contact(out, wall, tip, ways[w], delays[d]);
}

/* ---- The stiffest stable wall ------------------------------------------------------------- */

/* Pressed to this share of the zone, where the damping is the whole. */
#define PRESSED 0.8

/* Whether a small disturbance of a press dies down. Speeds tell: by waves the places may settle
 * elsewhere, for waves say nothing of places. */
static bool is_stable(outputs *out, const clp_body *wall, const clp_body *tip, bool waves,
                      int delay, double stiffness)
{
  session s;
  clp_force_law law = {stiffness, usual.damping, usual.engage_distance};
  wall_place p = wall_above(0.02, 0.015);
  double depth = PRESSED * law.engage_distance;
  clp_vec3 place = clp_add_scaled(p.place, WALL_TIP + law.engage_distance - depth, p.normal);
  clp_vec3 hand = clp_add_scaled(place, -stiffness * depth / HAND_STIFFNESS, p.normal);
  if (!session_begin(&s, wall, tip, law, waves, delay, place)) {
    out->failed = true;
    return false;
  }
  s.on_a_rail = true;
  s.rail = p.normal;
  s.master.v = clp_scale(-1e-4, p.normal);
  double early = 0, late = 0;
  for (int k = 0; k < 3000; ++k) {
    session_step(&s, hand);
    double speed = clp_norm(s.master.v) + clp_norm(s.slave.v);
    early = k >= 500 && k < 1000 ? fmax(early, speed) : early;
    late = k >= 2500 ? fmax(late, speed) : late;
  }
  session_end(&s);
  return late < early && late < 1e-4;
}

/* The first stiffness, going up, that is not stable. */
static double find_stiffest(outputs *out, const clp_body *wall, const clp_body *tip, bool waves,
                            int delay)
{
  double low = 50, high = 55;
  for (; high < 1e5 && is_stable(out, wall, tip, waves, delay, high); high *= 1.1)
    low = high;
  while (high > 1.001 * low) {
    double middle = sqrt(low * high);
    bool stable = is_stable(out, wall, tip, waves, delay, middle);
    low = stable ? middle : low;
    high = stable ? high : middle;
  }
  return low;
}

static void show_stiffest(outputs *out, const clp_body *wall, const clp_body *tip)
{
  FILE *csv = open_csv(out, "stiffest", "delay_ms,direct,predicted,limit,waves,waves_predicted");
  plant master = plant_create(MASTER_MASS, MASTER_DAMPING, HAND_STIFFNESS, CYCLE);
  plant slave = plant_create(SLAVE_MASS, SLAVE_DAMPING, 0, CYCLE);
  /* At high frequencies the coupler's damper in series with the channel's impedance. */
  double coupled = COUPLER_DAMPING * WAVE_IMPEDANCE / (COUPLER_DAMPING + WAVE_IMPEDANCE);
  double alone = plant_stiffness_limit(&slave, usual.damping + coupled, 0, CYCLE);
  for (int delay = 0; delay <= 20 && csv; ++delay) {
    if (delay % 5 != 0 && delay > 4)
      continue;
    double direct = find_stiffest(out, wall, tip, false, delay);
    double waves = find_stiffest(out, wall, tip, true, delay);
    double predicted = plant_stiffness_limit(&master, usual.damping, 2 * delay, CYCLE);
    double limit = clp_force_stiffness_limit(usual.damping, CYCLE, 2 * delay * CYCLE);
    fprintf(csv, "%d,%.6g,%.6g,%.6g,%.6g,%.6g\n", delay, direct, predicted, limit, waves, alone);
    if (delay % 5 != 0 || delay == 10 || delay == 15)
      continue;
    tell_for(out, "stiffest_direct_N_m", delay, direct);
    tell_for(out, "predicted_direct_N_m", delay, predicted);
    tell_for(out, "limit_of_the_monitor_N_m", delay, limit);
    tell_for(out, "stiffest_waves_N_m", delay, waves);
  }
  tell(out, "predicted_slave_alone_N_m", alone);
  close_csv(out, csv);
}

int main(int argc, char **argv)
{
  outputs out = {.folder = argc == 2 ? argv[1] : NULL};
  if (!out.folder) {
    fputs("usage: teleoperation FOLDER\n", stderr);
    return 2;
  }
  out.summary = open_csv(&out, "summary", "name,value");
  clp_body *walls[WALL_KINDS], *tip = wall_create_tip();
  for (int w = 0; w < WALL_KINDS; ++w) {
    walls[w] = wall_create(w);
    out.failed |= !walls[w];
  }
  if (!out.failed && tip) {
    show_seams(&out, walls, tip);
    show_contacts(&out, walls[WALL_SHELL], tip);
    show_stiffest(&out, walls[WALL_SHELL], tip);
  }
  close_csv(&out, out.summary);
  for (int w = 0; w < WALL_KINDS; ++w)
    clp_body_destroy(walls[w]);
  clp_body_destroy(tip);
  return out.failed || !tip;
}
