/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/attack.h"
#include "support/attack_faults.h"
#include "support/faults.h"

/* Memory that runs out anywhere within the verification: there is no body then, or the very body
 * that there would have been. Nothing is decided otherwise for want of memory. */

WRAPPED(void *, malloc, (size_t size), (size), NULL)
WRAPPED(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAPPED(void *, realloc, (void *memory, size_t size), (memory, size), NULL)

static const char *const calls[] = {"malloc", "calloc", "realloc"};

/* ---- What is made ------------------------------------------------------------------------------
 */

static const struct {
  int solid, layout;
} cases[] = {{0, 0}, {2, 0}, {3, 0}, {4, 0}, {1, 7}, {0, 7}, {3, 7},
             {4, 7}, {7, 7}, {9, 7}, {3, 8}, {0, 9}, {9, 1}, {9, 14}};

enum { CASES = sizeof cases / sizeof *cases };

/* With a dent so deep, in a patch with control points inside. */
static void build_case(attack_body *body, int number, double dent)
{
  attack_body_init(body, (size_t)1 << 21);
  attack_solids[cases[number].solid].build(body, &attack_layouts[cases[number].layout]);
  attack_patch *p = &body->patches[body->count / 2];
  int i = attack_local(p, 0, 1), j = attack_local(p, 1, 1);
  if (dent > 0)
    attack_move(attack_point(p, i, j), -dent, attack_middle(p).normal);
}

/* ---- Making it with failures
 * --------------------------------------------------------------------- */

typedef struct outcome {
  clp_status status;
  clp_body_info info;
  int findings;
} outcome;

static outcome make(const clp_body_def *def, const char *call, int number)
{
  findings f = {0};
  clp_body *body = NULL;
  outcome o = {0};
  plan = (fault){.call = call, .at = number};
  o.status = clp_body_create(def, findings_reporter(&f), &body);
  int failed = plan.failed, seen = plan.seen;
  plan.call = NULL;
  o.findings = f.count;
  if (o.status == CLP_OK) {
    o.info = clp_body_describe(body);
    clp_body_destroy(body);
  }
  plan.failed = failed;
  plan.seen = seen;
  return o;
}

static bool same(const outcome *a, const outcome *b)
{
  const clp_body_info *x = &a->info, *y = &b->info;
  return a->status == b->status && a->findings == b->findings && x->faces == y->faces &&
         x->edges == y->edges && x->vertices == y->vertices && x->closed == y->closed &&
         x->convex == y->convex && x->nice == y->nice && x->slack == y->slack &&
         x->volume == y->volume && x->area == y->area && x->bytes == y->bytes;
}

/* Every n-th call of one kind fails, alone or with all that follow; with very many of them not all
 * are tried. */
static void starve(const clp_body_def *def, const char *call, const outcome *sound, int number)
{
  outcome o = make(def, call, 1 << 30);
  int count = plan.seen, step = amount_thorough() ? 1 : count / (amount_quick() ? 5 : 12) + 1;
  for (int k = 1; k <= count; k += k <= 6 ? 1 : step)
    for (int sign = 1; sign >= -1; sign -= 2) {
      o = make(def, call, sign * k);
      ++figures->instances;
      figures->refused += o.status != CLP_OK;
      figures->accepted += o.status == CLP_OK;
      ck_assert_int_gt(plan.failed, 0);
      bool right = o.status == CLP_ERROR_MEMORY || same(&o, sound);
      figures->fallen += !right;
      ck_assert_msg(right,
                    "case %d: with %s %d of %d failing%s: status %d, slack %.17g; with memory: "
                    "status %d, slack %.17g",
                    number, call, k, count, sign < 0 ? " and all after it" : "", (int)o.status,
                    o.info.slack, (int)sound->status, sound->info.slack);
    }
}

static void starve_all(int number, double dent)
{
  attack_body body;
  build_case(&body, number, dent);
  clp_body_def def = attack_define(&body);
  outcome sound = make(&def, NULL, 1);
  for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k)
    starve(&def, calls[k], &sound, number);
  attack_body_free(&body);
}

ATTACK_SUITE("memory");

TEST_CASE("memory", 120);

LOOP_TEST(starved, 0, CASES)
{
  if (!amount_has(_i))
    return;
  ++figures->families;
  starve_all(_i, 0);
}

static bool passes(int number, double dent)
{
  attack_body body;
  build_case(&body, number, dent);
  clp_body_def def = attack_define(&body);
  outcome o = make(&def, NULL, 1);
  attack_body_free(&body);
  return o.status == CLP_OK;
}

/* About the deepest dent that passes, where what decides with memory and what would without it are
 * likeliest to differ: on either side of it. */
LOOP_TEST(starved_at_the_limit, 4, CASES)
{
  double lo = 1e-13, hi = 0.3;
  if (!amount_has(_i))
    return;
  for (int k = 0; k < 16; ++k) {
    double middle = sqrt(lo * hi);
    if (passes(_i, middle))
      lo = middle;
    else
      hi = middle;
  }
  ++figures->families;
  starve_all(_i, lo);
  starve_all(_i, hi);
  if (!amount_quick())
    starve_all(_i, 1.5 * hi);
}
