/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_FINDINGS_H
#define TEST_SUPPORT_FINDINGS_H

#include <string.h>

#include "rclc_closest_point/closest_point.h"
#include "support/marks.h"

/* Collects what the compiler reports, and looks things up in it. */

enum { FINDINGS_MAX = 64 };

typedef struct findings {
  int count;
  clp_finding list[FINDINGS_MAX];
} findings;

static inline void findings_add(void *user, const clp_finding *finding)
{
  findings *f = user;
  if (f->count < FINDINGS_MAX)
    f->list[f->count++] = *finding;
}

static inline clp_reporter findings_reporter(findings *f)
{
  return (clp_reporter){findings_add, f};
}

/* Everything that was reported, for a failing test's message. */
static inline const char *findings_text(const findings *f)
{
  static char text[FINDINGS_MAX * 330];
  text[0] = '\0';
  for (int k = 0; k < f->count; ++k) {
    strcat(text, "\n  ");
    strcat(text, f->list[k].text);
  }
  return text;
}

/* The first finding of this kind whose text contains `words`, or NULL. */
static inline const clp_finding *findings_find(const findings *f, clp_finding_kind kind,
                                               const char *words)
{
  for (int k = 0; k < f->count; ++k)
    if (f->list[k].kind == kind && strstr(f->list[k].text, words))
      return &f->list[k];
  return NULL;
}

/* A body that must compile. The caller destroys it. */
static inline clp_body *must_create(const clp_body_def *def)
{
  findings f = {0};
  clp_body *body = NULL;
  clp_status status = clp_body_create(def, findings_reporter(&f), &body);
  ck_assert_msg(status == CLP_OK, "refused: %s%s", clp_status_text(status), findings_text(&f));
  return body;
}

/* A definition that must be refused, with a finding of this kind, item and words. */
static inline clp_finding must_refuse(const clp_body_def *def, clp_finding_kind kind, int item,
                                      const char *words)
{
  findings f = {0};
  clp_body *untouched = (clp_body *)&f, *body = untouched;
  ck_assert_int_eq(clp_body_create(def, findings_reporter(&f), &body), CLP_ERROR_SHAPE);
  ck_assert_msg(body == untouched, "the output was written in spite of the failure");
  const clp_finding *found = findings_find(&f, kind, words);
  ck_assert_msg(found, "no finding of kind %d with '%s'; found:%s", (int)kind, words,
                findings_text(&f));
  ck_assert_int_eq(found->severity, CLP_DEFECT);
  ck_assert_msg(found->item == item, "item %d, expected %d: %s", found->item, item, found->text);
  return *found;
}

/* A body of one of the shapes with numbers; those that it does not have are ignored. */
static inline clp_body *make_shape(clp_shape kind, clp_vec3 size, double radius, double length)
{
  clp_body_def def = clp_default_body_def(kind);
  def.size = size;
  def.radius = radius;
  def.length = length;
  return must_create(&def);
}

#endif
