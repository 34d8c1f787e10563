/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ATTACK_H
#define TEST_SUPPORT_ATTACK_H

/* Attacks on the verification of bodies. A *family* is one way to make a body that is almost closed
 * and convex, with a size by which it is not; the size is driven down from a fifth of the body to
 * less than rounding. Whatever is accepted on the way must be what it is accepted as: no point lies
 * farther beyond a supporting plane, and no side farther from its neighbour, than the slack says,
 * and no distance of a ball has a lower bound above the truth.
 *
 * Whoever includes this defines _DEFAULT_SOURCE first. With CLP_AMOUNT=thorough in the environment
 * there are more sizes, more samples and 200 balls at every size that is accepted; with
 * CLP_ATTACK_LIST set every family has its line. */

#include <sys/mman.h>
#include <time.h>

#include "support/amount.h"
#include "support/attack_judge.h"
#include "support/attack_solids.h"
#include "support/findings.h"
#include "support/suite.h"

/* ---- Figures over all families --------------------------------------------------------------- */

/* Every family runs in a process of its own; the figures are in memory that all share. */
typedef struct attack_figures {
  int families, fallen; /* in which something was false */
  int instances, refused, accepted, skipped;
  int undecided;    /* sound bodies that were refused for want of a proof */
  int beyond;       /* accepted with a fault larger than the slack */
  int balls, wrong; /* answers, and false ones among them */
  double worst_ratio, worst_fault, worst_over; /* fault / slack; of the size; m */
  char worst_name[96];
  double creating, judging, asking; /* s */
} attack_figures;

static attack_figures *figures;

static inline void attack_figures_begin(void)
{
  figures = mmap(NULL, sizeof *figures, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (figures == MAP_FAILED)
    abort();
}

static inline void attack_figures_print(const char *suite)
{
  const attack_figures *f = figures;
  printf(
      "attack %s: %d families (%d fell), %d instances: %d refused, %d accepted, %d of them with "
      "a fault beyond the slack; %d balls, %d false, worst by %.3g m; %d sound ones undecided\n",
      suite, f->families, f->fallen, f->instances, f->refused, f->accepted, f->beyond, f->balls,
      f->wrong, f->worst_over, f->undecided);
  printf("attack %s: largest fault that passes %.3g of the slack (%.3g of the size)%s%s\n", suite,
         f->worst_ratio, f->worst_fault, f->worst_name[0] ? ", in " : "", f->worst_name);
  printf(
      "attack %s: %.1f s in the verification, %.1f s in samples and gaps, %.1f s in excess and "
      "balls\n",
      suite, f->creating, f->judging, f->asking);
}

/* A suite that prints its figures. */
#define ATTACK_SUITE(title)            \
  SUITE_WITHOUT_MAIN("attack_" title); \
  int main(void)                       \
  {                                    \
    attack_figures_begin();            \
    int status = suite_run(suite);     \
    attack_figures_print(title);       \
    return status;                     \
  }                                    \
  SUITE_TAKES_A_SEMICOLON

/* ---- One family ------------------------------------------------------------------------------ */

typedef struct attack_run {
  char name[96];
  double size, epsilon; /* of the body; of the fault, of the size */
  int judged;           /* accepted sizes so far */
  int beyond, wrong;
  double ratio, fault, fault_slack, fault_epsilon; /* of the worst that passed */
  const char *kind; /* of that fault: a gap, or a rise beyond a supporting plane */
  double over;
  bool nan_text, odd_status;
  bool undecided; /* the last refusal was for want of a proof */
  bool thin;      /* sides come back past themselves between samples: gaps are not measured */
  bool never;     /* no size of it may be accepted, for it is another surface altogether */
} attack_run;

static inline int attack_size_count(void)
{
  return amount_thorough() ? 20 : amount_quick() ? 2 : 4;
}

/* How many variants of a fault there are among layouts and solids. */
static inline int attack_variants(void)
{
  return amount_thorough() ? 8 : amount_quick() ? 1 : 5;
}

/* From a fifth down to rounding; those between are others in every family, and where there are only
 * two the smaller one is. */
static inline double attack_size(int k, int number)
{
  int last = attack_size_count() - 1, other = number * 5 % 9;
  double shift = k == 0 || k == last ? 0 : (other - 4) / 9.0;
  double step = last == 1 ? k * (9 - other) / 9.0 : k + shift;
  return 0.2 * pow(10, -13.3 * step / last);
}

/* What a refusal says; a sound body's is told whether it is for want of a proof. */
static inline bool attack_refusal(attack_run *run, clp_status status, const findings *f)
{
  bool undecided = false;
  ++figures->refused;
  if (getenv("CLP_ATTACK_LIST")) {
    printf("  %s at %.3g: %s\n", run->name, run->epsilon, f->count > 0 ? f->list[0].text : "?");
    fflush(stdout); /* a test that fails ends its process at once */
  }
  run->odd_status |= status != CLP_ERROR_SHAPE && status != CLP_ERROR_LIMIT;
  for (int k = 0; k < f->count; ++k) {
    const char *text = f->list[k].text;
    run->nan_text |= strstr(text, "nan") || strstr(text, "inf ");
    undecided |= strstr(text, "undecided") || strstr(text, "not proven") || strstr(text, "proof");
  }
  return undecided;
}

/* Slack and a few roundings are allowed. */
static inline void attack_weigh(attack_run *run, double height, double gap, double slack)
{
  double fault = fmax(height, gap);
  double allowed = slack + 1e-14 * run->size;
  double ratio = fault / allowed;
  run->beyond += ratio > 1;
  figures->beyond += ratio > 1;
  if (ratio <= run->ratio)
    return;
  run->ratio = ratio;
  run->kind = gap > height ? "gap" : "rise";
  run->fault = fault;
  run->fault_slack = slack;
  run->fault_epsilon = run->epsilon;
}

static inline void attack_weigh_balls(attack_run *run, const attack_balls *balls)
{
  figures->balls += balls->asked;
  figures->wrong += balls->wrong;
  run->wrong += balls->wrong;
  run->over = fmax(run->over, balls->worst);
}

/* Samples of an accepted body against what it was accepted as. `gap` is negative where none was
 * measured. The first that pass are the worst: they get the balls. */
static inline void attack_judge(attack_run *run, const clp_body *body, const attack_samples *s,
                                clp_vec3 inside, double gap)
{
  double slack = clp_body_describe(body).slack;
  attack_excess excess = attack_excess_of(s, inside, run->size);
  bool suspicious = fmax(excess.height, gap) > slack + 1e-14 * run->size;
  int count = amount_thorough() ? 200 : run->judged == 0 ? 9 : run->judged == 1 ? 3 : 0;
  attack_weigh(run, excess.height, gap, slack);
  if (suspicious && run->wrong == 0 && run->judged > 1)
    count = 9;
  random_state g = {.s = (uint64_t)run->judged + 17};
  attack_balls balls = attack_ask_balls(body, s, &excess, inside, run->size, count, &g);
  attack_weigh_balls(run, &balls);
  ++run->judged;
  ++figures->accepted;
  if (run->never && run->fault_epsilon < run->epsilon)
    run->fault_epsilon = run->epsilon;
}

static inline void attack_run_end(attack_run *run)
{
  bool fell = (run->never && run->judged > 0) || run->beyond || run->wrong || run->nan_text ||
              run->odd_status;
  ++figures->families;
  figures->fallen += fell;
  if (run->ratio > figures->worst_ratio) {
    figures->worst_ratio = run->ratio;
    figures->worst_fault = run->fault / run->size;
    snprintf(figures->worst_name, sizeof figures->worst_name, "%s", run->name);
  }
  figures->worst_over = fmax(figures->worst_over, run->over);
  if (getenv("CLP_ATTACK_LIST")) {
    printf("%s: accepted %d, beyond %d, worst %.3g of the slack at size %.3g, false %d\n",
           run->name, run->judged, run->beyond, run->ratio, run->fault_epsilon, run->wrong);
    fflush(stdout);
  }
  ck_assert_msg(!run->nan_text, "%s: a refusal speaks of nan", run->name);
  ck_assert_msg(!run->odd_status, "%s: refused with another status than CLP_ERROR_SHAPE",
                run->name);
  ck_assert_msg(!run->never || run->judged == 0,
                "%s: accepted in %d sizes, up to %.3g; %d false answers, by %.3g m", run->name,
                run->judged, run->fault_epsilon, run->wrong, run->over);
  ck_assert_msg(!fell,
                "%s: %d sizes pass beyond the slack, worst %.3g of it: a %s of %.3g m at size "
                "%.3g with slack %.3g; %d false answers, by %.3g m",
                run->name, run->beyond, run->ratio, run->kind, run->fault, run->fault_epsilon,
                run->fault_slack, run->wrong, run->over);
}

/* ---- Families of patches --------------------------------------------------------------------- */

/* Where the time goes. */
typedef struct attack_clock {
  clock_t at;
} attack_clock;

static inline attack_clock attack_clock_start(void)
{
  return (attack_clock){clock()};
}

static inline void attack_clock_stop(attack_clock *c, double *sum)
{
  clock_t at = clock();
  *sum += (double)(at - c->at) / CLOCKS_PER_SEC;
  c->at = at;
}

/* One body of patches, with a fault of `epsilon` times its size. */
static inline void attack_instance(attack_run *run, attack_body *body)
{
  clp_body_def def = attack_define(body);
  findings f = {0};
  clp_body *made = NULL;
  ++figures->instances;
  attack_clock clock = attack_clock_start();
  clp_status status = clp_body_create(&def, findings_reporter(&f), &made);
  attack_clock_stop(&clock, &figures->creating);
  if (status != CLP_OK) {
    run->undecided = attack_refusal(run, status, &f);
    return;
  }
  double slack = clp_body_describe(made).slack;
  attack_samples s = attack_sample_body(body, amount_thorough() ? 6000 : 1200);
  double gap = run->thin ? 0 : attack_gap_of(body, slack + 1e-14 * body->size);
  attack_clock_stop(&clock, &figures->judging);
  attack_judge(run, made, &s, body->inside, gap);
  attack_clock_stop(&clock, &figures->asking);
  attack_samples_free(&s);
  clp_body_destroy(made);
}

/* Builds the body of a family's number with a fault of this size (m); false: it has no such. */
typedef bool (*attack_builder)(attack_body *body, int number, double epsilon, char *name);

static inline void attack_family(attack_builder build, int number)
{
  attack_run run = {.size = 1, .kind = ""};
  int built = 0;
  for (int k = 0; k < attack_size_count(); ++k) {
    attack_body body;
    attack_body_init(&body, (size_t)1 << 21);
    run.epsilon = attack_size(k, number);
    /* solids are some two to three meters large */
    bool there = build(&body, number, 2.5 * run.epsilon, run.name);
    run.size = body.size;
    run.never = body.never;
    built += there;
    if (there)
      attack_instance(&run, &body);
    attack_body_free(&body);
  }
  if (built > 0)
    attack_run_end(&run);
  else
    ++figures->skipped;
}

/* ---- Families of other shapes ---------------------------------------------------------------- */

/* A definition, and what is known of its surface. */
typedef struct attack_other {
  clp_body_def def;
  attack_samples samples;
  clp_vec3 inside;
  double size, gap; /* gap: the largest one, where that is known */
  bool never;
} attack_other;

typedef void (*attack_other_builder)(attack_other *other, int number, double epsilon, char *name);

static inline void attack_other_instance(attack_run *run, attack_other *other)
{
  findings f = {0};
  clp_body *made = NULL;
  ++figures->instances;
  clp_status status = clp_body_create(&other->def, findings_reporter(&f), &made);
  /* Of a polyhedron that is mended a note says that it is another one, and how much farther out:
   * test_mend_polyhedron judges those. What is never to pass must not pass so, either. */
  bool mended = findings_find(&f, CLP_FINDING_NOT_CONVEX, "are replaced by") && !run->never;
  if (status == CLP_OK && !mended)
    attack_judge(run, made, &other->samples, other->inside, other->gap);
  else if (status != CLP_OK)
    attack_refusal(run, status, &f);
  clp_body_destroy(made);
}

static inline void attack_other_family(attack_other_builder build, int number)
{
  attack_run run = {.size = 1, .kind = ""};
  for (int k = 0; k < attack_size_count(); ++k) {
    attack_other other = {.samples = attack_samples_make(20000)};
    run.epsilon = attack_size(k, number);
    build(&other, number, 2.5 * run.epsilon, run.name);
    run.size = other.size;
    run.never = other.never;
    attack_other_instance(&run, &other);
    attack_samples_free(&other.samples);
  }
  attack_run_end(&run);
}

#endif
