/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/question.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/certify/courses.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/monitor/monitor_state.h"
#include "rclc_closest_point/scene/meeting.h"

/* A question while it is worked on. */
typedef struct work {
  const clp_monitor *m;
  const clp_joint_tree *tree;
  const clp_question *q;
  clp_question_patience patience;
  clp_question_answer *answer;
  clp_trajectory trajectory;
  bool *commanded; /* joints: by the trajectory, themselves or what they follow */
  bool *moved;     /* links: some joint above is commanded */
  double *rest;    /* of joints */
  clp_certify_pair *pairs;
  int pair_count;
  clp_carried_stamps carried;
  const clp_snapshot_place **places; /* of what is carried */
  clp_link *links;
  clp_courses courses;
  clp_certifier *certifier;
  clp_certified *results;
} work;

/* ---- Answers ------------------------------------------------------------------------------ */

void clp_question_answer_release(clp_question_answer *answer)
{
  free(answer->pairs);
  free(answer->names);
  *answer = (clp_question_answer){.verdict = CLP_QUESTION_REFUSED};
}

static void refuse_with(clp_question_answer *answer, clp_question_verdict verdict,
                        const char *format, va_list arguments)
{
  clp_question_answer fresh = {.stamp = answer->stamp, .frame = answer->frame, .verdict = verdict};
  fresh.from = fresh.to = fresh.clearance = fresh.age = (double)NAN;
  vsnprintf(fresh.reason, sizeof fresh.reason, format, arguments);
  clp_flatten(fresh.reason, ' ');
  clp_question_answer_release(answer);
  *answer = fresh;
}

void clp_question_refuse(clp_question_answer *answer, clp_question_verdict verdict,
                         const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  refuse_with(answer, verdict, format, arguments);
  va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static bool refuse(work *w, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  refuse_with(w->answer, CLP_QUESTION_REFUSED, format, arguments);
  va_end(arguments);
  return false;
}

static bool refuse_for_memory(work *w)
{
  return refuse(w, "there is no memory for it");
}

static clp_shown name_of(const work *w, int link)
{
  return clp_show_string(w->tree->links[link]);
}

/* ---- The trajectory ----------------------------------------------------------------------- */

/* The first defect is the reason. */
static void keep_defect(void *user, clp_severity severity, const char *line)
{
  work *w = user;
  if (severity == CLP_DEFECT && !*w->answer->reason)
    refuse(w, "%s", line);
}

static bool read_joints(work *w, clp_trajectory_reading *r)
{
  if (w->q->joint_count > (size_t)w->tree->joint_count)
    return refuse(w, "trajectory: %zu joint_names, expected at most %d", w->q->joint_count,
                  w->tree->joint_count);
  for (size_t k = 0; k < w->q->joint_count; ++k)
    if (!clp_trajectory_add_joint(r, w->q->joint_names[k], (int)k + 1))
      return false;
  return true;
}

static bool read_values(clp_trajectory_reading *r, const clp_question_list *list, const char *what,
                        clp_trajectory_set *set, clp_trajectory_value *values, int line)
{
  if (list->count > 0 && !clp_trajectory_expect_values(r, (int)list->count, what, line))
    return false;
  for (size_t k = 0; k < list->count; ++k) {
    clp_number_text text = clp_number_shortest(list->values[k]);
    if (!clp_trajectory_accepts(r, list->values[k], text.text, what, line))
      return false;
    set(&values[k], list->values[k]);
  }
  return true;
}

static bool read_point(clp_trajectory_reading *r, const clp_question_point *point, int line)
{
  clp_number_text time = clp_number_shortest(point->time);
  if (!clp_trajectory_accepts(r, point->time, time.text, "time_from_start", line))
    return false;
  clp_trajectory_value *values = clp_trajectory_add_point(r, point->time, line);
  if (!values ||
      !read_values(r, &point->positions, "positions", clp_trajectory_set_position, values, line) ||
      !read_values(r, &point->velocities, "velocities", clp_trajectory_set_velocity, values,
                   line) ||
      !read_values(r, &point->accelerations, "accelerations", clp_trajectory_set_acceleration,
                   values, line))
    return false;
  clp_trajectory_lists there = {point->positions.count > 0, point->velocities.count > 0,
                                point->accelerations.count > 0};
  clp_trajectory_end_point(r, there, line);
  return r->log.defects == 0;
}

/* "trajectory:3: ..." is about the third point, or the third joint. */
static bool read_trajectory(work *w)
{
  clp_trajectory_reading r = {
      {.file = "trajectory", .sink = {keep_defect, w}}, w->tree, &w->trajectory, false};
  if (w->q->point_count > CLP_QUESTION_POINTS_MAX)
    return refuse(w, "trajectory: %zu points, expected at most %d", w->q->point_count,
                  CLP_QUESTION_POINTS_MAX);
  bool read = clp_trajectory_begin(&r) && read_joints(w, &r);
  for (size_t k = 0; read && k < w->q->point_count; ++k)
    read = read_point(&r, &w->q->points[k], (int)k + 1);
  if (*w->answer->reason)
    return false;
  clp_status status = clp_trajectory_finish(&r);
  return status == CLP_ERROR_MEMORY ? refuse_for_memory(w) : status == CLP_OK;
}

/* As of the command, a robot stands at the last point when that is over. */
static bool find_window(work *w)
{
  const clp_trajectory *t = &w->trajectory;
  const clp_question *q = w->q;
  double first = t->times[0], from = q->from == 0 ? first : q->from,
         to = q->to == 0 ? t->times[t->count - 1] : q->to;
  clp_number_text a = clp_number_shortest(from), b = clp_number_shortest(to);
  if (!isfinite(from) || !isfinite(to) || to < from)
    return refuse(w, "from %s to %s, expected a time and no end before it", a.text, b.text);
  if (from < first)
    return refuse(w, "from %s, expected no less than %s, where the trajectory begins", a.text,
                  clp_number_shortest(first).text);
  if (!(q->clearance >= 0 && isfinite(q->clearance)))
    return refuse(w, "clearance is %s, expected a number that is not negative",
                  clp_number_shortest(q->clearance).text);
  if (!(q->tolerance > 0 && isfinite(q->tolerance)))
    return refuse(w, "tolerance is %s, expected a positive number",
                  clp_number_shortest(q->tolerance).text);
  w->answer->from = from;
  w->answer->to = to;
  return true;
}

/* ---- What moves --------------------------------------------------------------------------- */

static int leader_of(const work *w, int joint)
{
  int follows = w->tree->joints[joint].follows;
  return follows >= 0 ? follows : joint;
}

static void find_moved(work *w)
{
  for (int k = 0; k < w->trajectory.joint_count; ++k)
    w->commanded[w->trajectory.joints[k]] = true;
  for (int j = 0; j < w->tree->joint_count; ++j)
    w->commanded[j] = w->commanded[leader_of(w, j)];
  for (int k = 0; k < w->tree->joint_count; ++k) {
    int j = w->tree->order[k];
    const clp_joint *joint = &w->tree->joints[j];
    w->moved[joint->child] =
        !clp_is_carrier(w->tree, joint->child) && (w->moved[joint->parent] || w->commanded[j]);
  }
}

static bool choose_pairs(work *w)
{
  size_t parts = 0;
  for (int k = 0; k < w->m->pair_count; ++k) {
    clp_certify_pair pair = {w->m->links[w->m->pairs[k].a].link,
                             w->m->links[w->m->pairs[k].b].link};
    if (!w->moved[pair.a] && !w->moved[pair.b])
      continue;
    for (int which = 0; which < 2; ++which)
      if (clp_link_is_planar(w->links[which == 0 ? pair.a : pair.b]))
        return refuse(w, "link '%s' has a planar part, expected solids, surfaces and points",
                      name_of(w, which == 0 ? pair.a : pair.b).text);
    w->pairs[w->pair_count++] = pair;
    parts += (size_t)w->links[pair.a].count * (size_t)w->links[pair.b].count;
  }
  if (w->pair_count == 0)
    return refuse(w, "the trajectory moves no link of any monitored pair");
  if (parts > CLP_QUESTION_PARTS_MAX)
    return refuse(w, "%zu pairs of parts, expected at most %d", parts, CLP_QUESTION_PARTS_MAX);
  w->answer->pair_count = (uint32_t)w->pair_count;
  return true;
}

/* ---- Where everything is ------------------------------------------------------------------ */

static bool is_young(work *w, double age)
{
  w->answer->age = fmax(w->answer->age, age);
  return age <= w->m->snapshot.stale_after;
}

/* A joint that the trajectory leaves out stands where the joint states tell. */
static bool place_joint(work *w, int j)
{
  int leader = leader_of(w, j);
  const clp_snapshot_joint *joint = &w->m->snapshot.joints[leader];
  clp_shown name = clp_show_string(w->tree->joints[leader].name);
  if (w->commanded[leader] || !clp_joint_is_single(w->tree->joints[j].type))
    return true;
  if (!joint->told)
    return refuse(w, "joint '%s' is neither in the trajectory nor in the joint states", name.text);
  if (!is_young(w, joint->age))
    return refuse(w, "joint '%s' was told of %s s ago, expected at most %s s (stale_after)",
                  name.text, clp_number(joint->age, 3).text,
                  clp_number_shortest(w->m->snapshot.stale_after).text);
  w->rest[leader] = joint->position;
  return true;
}

static bool is_carried(const work *w, int link)
{
  for (int k = 0; k < w->carried.link_count; ++k)
    if (w->carried.links[k] == link)
      return true;
  return false;
}

static bool carry(work *w, int link, const clp_snapshot_place *place)
{
  const clp_link_now *now = &place->now;
  clp_shown name = name_of(w, link);
  if (is_carried(w, link))
    return true;
  if (now->freshness == CLP_LINK_UNKNOWN)
    return refuse(w, "where link '%s' is has not been told", name.text);
  if (!is_young(w, now->age) || now->freshness != CLP_LINK_FRESH)
    return refuse(w, "link '%s' was told of %s s ago, expected at most %s s (stale_after)",
                  name.text, clp_number(now->age, 3).text,
                  clp_number_shortest(w->m->snapshot.stale_after).text);
  for (int k = 0; k < place->hangs_on_count; ++k)
    if (w->moved[place->hangs_on[k]])
      return refuse(w, "link '%s' hangs by transforms on link '%s', which the trajectory moves",
                    name.text, name_of(w, place->hangs_on[k]).text);
  if (w->q->obstacles_move && now->moving && !now->measured)
    return refuse(w, "how link '%s' moves is not known yet", name.text);
  w->places[w->carried.link_count] = place;
  w->carried.links[w->carried.link_count++] = link;
  return true;
}

static int monitored_as(const work *w, int link)
{
  for (int k = 0; k < w->m->link_count; ++k)
    if (w->m->links[k].link == link)
      return k;
  return -1;
}

/* What the trajectory does not move is where transforms say; what it does begins at the nearest
 * such link above. */
static bool place_link(work *w, int link)
{
  for (; w->moved[link]; link = w->tree->joints[w->tree->above[link]].parent)
    if (!place_joint(w, w->tree->above[link]))
      return false;
  for (;;) {
    int monitored = monitored_as(w, link);
    if (monitored >= 0)
      return carry(w, link, &w->m->snapshot.links[monitored]);
    if (clp_is_carrier(w->tree, link))
      return carry(w, link, &w->m->snapshot.carriers[w->m->carriers.of_link[link]]);
    if (!place_joint(w, w->tree->above[link]))
      return false;
    link = w->tree->joints[w->tree->above[link]].parent;
  }
}

static bool place_links(work *w)
{
  for (int k = 0; k < w->pair_count; ++k)
    if (!place_link(w, w->pairs[k].a) || !place_link(w, w->pairs[k].b))
      return false;
  clp_carried_course *courses = clp_carried_add_stamp(&w->carried, w->answer->from);
  int64_t start = w->q->start == 0 ? w->m->snapshot.time : w->q->start;
  double since = w->answer->from + 1e-9 * (double)(start - w->m->snapshot.time);
  for (int k = 0; courses && k < w->carried.link_count; ++k) {
    const clp_snapshot_place *place = w->places[k];
    courses[k] = (clp_carried_course){.X_RL = place->X_told};
    if (w->q->obstacles_move)
      courses[k] =
          clp_carried_after((clp_carried_course){place->now.X_WL, place->now.twist}, since);
  }
  return courses || refuse_for_memory(w);
}

/* ---- The question itself ------------------------------------------------------------------ */

static bool take_memory(work *w)
{
  size_t joints = (size_t)w->tree->joint_count + 1, links = (size_t)w->tree->link_count + 1;
  size_t pairs = (size_t)w->m->pair_count + 1;
  w->commanded = calloc(joints, sizeof *w->commanded);
  w->moved = calloc(links, sizeof *w->moved);
  w->rest = calloc(joints, sizeof *w->rest);
  w->pairs = calloc(pairs, sizeof *w->pairs);
  w->results = calloc(pairs, sizeof *w->results);
  w->carried.links = calloc(links, sizeof *w->carried.links);
  w->places = calloc(links, sizeof *w->places);
  w->links = calloc(links, sizeof *w->links);
  if (!w->commanded || !w->moved || !w->rest || !w->pairs || !w->results || !w->carried.links ||
      !w->places || !w->links)
    return refuse_for_memory(w);
  for (int l = 0; l < w->tree->link_count; ++l)
    w->links[l] = clp_model_link(w->m->model, l);
  return true;
}

static clp_status certify(work *w)
{
  const clp_question *q = w->q;
  clp_certify_options options = {.clearance = q->clearance,
                                 .tolerance = q->tolerance,
                                 .narrow = q->clearance == 0,
                                 .seek = true,
                                 .go_on = w->patience.go_on,
                                 .user = w->patience.user};
  uint32_t steps = q->max_steps == 0 ? CLP_QUESTION_STEPS : q->max_steps;
  options.steps = (long)(steps < CLP_QUESTION_STEPS_MAX ? steps : CLP_QUESTION_STEPS_MAX);
  clp_certify_world world = {.tree = w->tree,
                             .links = w->links,
                             .pairs = w->pairs,
                             .pair_count = w->pair_count,
                             .carried = w->carried.links,
                             .carried_count = w->carried.link_count};
  if (!clp_courses_make(w->tree, &w->trajectory, &w->carried, w->answer->from, w->answer->to,
                        w->rest, &w->courses))
    return CLP_ERROR_MEMORY;
  clp_status status = clp_certifier_create(&world, &w->certifier);
  long spent = 0;
  if (status == CLP_OK)
    status = clp_certify_motion(w->certifier, w->courses.segments, w->courses.count, &options,
                                w->results, &spent);
  w->answer->steps = (uint64_t)spent;
  return status;
}

static bool ask(work *w)
{
  clp_status status = certify(w);
  if (status == CLP_ERROR_MEMORY)
    return refuse_for_memory(w);
  if (status != CLP_OK)
    return refuse(w, "it goes farther, or faster, than can be certified");
  if (w->patience.go_on && !w->patience.go_on(w->patience.user))
    return refuse(w, "the monitor has given it up: its model goes, or it ends");
  return true;
}

/* ---- What is told of it ------------------------------------------------------------------- */

/* The least that is known of a trajectory is what is known of its worst pair; of what is undecided
 * that may be contact. */
static int rank_of(clp_certify_verdict verdict)
{
  static const int ranks[] = {[CLP_CERTIFY_CONTACT] = 0,
                              [CLP_CERTIFY_UNDECIDED] = 1,
                              [CLP_CERTIFY_NEAR] = 2,
                              [CLP_CERTIFY_CLEAR] = 3};
  return ranks[verdict];
}

static int worst_first(const void *a, const void *b)
{
  const clp_certified *x = &((const clp_questioned_pair *)a)->found;
  const clp_certified *y = &((const clp_questioned_pair *)b)->found;
  int order = rank_of(x->verdict) - rank_of(y->verdict);
  return order != 0 ? order : (x->clearance > y->clearance) - (x->clearance < y->clearance);
}

static const char *copy_name(char **at, const char *name)
{
  size_t size = strlen(name) + 1;
  const char *copy = memcpy(*at, name, size);
  *at += size;
  return copy;
}

/* What is told of outlives the monitor, so its names are copied. */
static bool copy_names(work *w)
{
  clp_question_answer *answer = w->answer;
  size_t size = 1;
  for (int k = 0; k < answer->count; ++k) {
    clp_certify_pair pair = w->pairs[answer->pairs[k].pair];
    size += strlen(w->tree->links[pair.a]) + strlen(w->tree->links[pair.b]) + 2;
  }
  char *at = answer->names = malloc(size);
  for (int k = 0; at && k < answer->count; ++k) {
    clp_questioned_pair *told = &answer->pairs[k];
    clp_certify_pair pair = w->pairs[told->pair];
    told->body_a = copy_name(&at, w->tree->links[pair.a]);
    told->body_b = copy_name(&at, w->tree->links[pair.b]);
  }
  return answer->names != NULL;
}

static bool tell(work *w)
{
  clp_question_answer *answer = w->answer;
  uint32_t most = w->q->max_pairs == 0 ? CLP_QUESTION_PAIRS : w->q->max_pairs;
  most = most < CLP_QUESTION_PAIRS_MAX ? most : CLP_QUESTION_PAIRS_MAX;
  answer->pairs = calloc((size_t)w->pair_count, sizeof *answer->pairs);
  if (!answer->pairs)
    return refuse_for_memory(w);
  answer->clearance = HUGE_VAL;
  for (int k = 0; k < w->pair_count; ++k) {
    answer->pairs[k] = (clp_questioned_pair){.pair = k, .found = w->results[k]};
    answer->clearance = fmin(answer->clearance, w->results[k].clearance);
  }
  qsort(answer->pairs, (size_t)w->pair_count, sizeof *answer->pairs, worst_first);
  answer->verdict = (clp_question_verdict)answer->pairs[0].found.verdict;
  answer->count = w->pair_count < (int)most ? w->pair_count : (int)most;
  if (!copy_names(w))
    return refuse_for_memory(w);
  for (int k = 0; k < answer->count; ++k) {
    clp_questioned_pair *told = &answer->pairs[k];
    const double nan = (double)NAN;
    if (clp_certify_places(w->certifier, told->pair, &told->point_a, &told->point_b) != CLP_OK)
      told->point_a = told->point_b = (clp_vec3){nan, nan, nan};
  }
  return true;
}

/* ---- All of it ---------------------------------------------------------------------------- */

static bool is_ready(work *w)
{
  const clp_snapshot *s = &w->m->snapshot;
  if (!w->tree)
    return refuse(w, "the joints of the model cannot be used: %s", w->m->tree_fault);
  w->answer->stamp = s->time;
  w->answer->frame = s->fixed_frame;
  return *s->alarm ? refuse(w, "the monitor stops the robot: %s", s->alarm) : true;
}

static void release(work *w)
{
  clp_certifier_destroy(w->certifier);
  clp_courses_release(&w->courses);
  clp_carried_stamps_release(&w->carried);
  clp_trajectory_release(&w->trajectory);
  free(w->commanded);
  free(w->moved);
  free(w->rest);
  free(w->pairs);
  free(w->results);
  free(w->places);
  free(w->links);
}

void clp_question_ask(const clp_monitor *monitor, const clp_question *question,
                      clp_question_patience patience, clp_question_answer *answer)
{
  work w = {
      .m = monitor, .tree = monitor->tree, .q = question, .patience = patience, .answer = answer};
  *answer = (clp_question_answer){.verdict = CLP_QUESTION_REFUSED};
  if (is_ready(&w) && take_memory(&w) && read_trajectory(&w) && find_window(&w)) {
    find_moved(&w);
    (void)(choose_pairs(&w) && place_links(&w) && ask(&w) && tell(&w));
  }
  release(&w);
}
