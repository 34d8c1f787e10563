/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/cell.h"

/* A thousand answers a second about the shipped cell, whose joints are published a thousand times a
 * second, for E2E_SECONDS. How evenly they come and how old the input is by then is written to
 * files and printed; what passes or fails is what has been counted (expect_no_gap). */

typedef struct sample {
  uint64_t cycle;
  int64_t stamp, measured, written, taken;
} sample;

typedef struct record {
  sample *samples;
  int count, room;
} record;

static void add_sample(record *r, const ear *e)
{
  const points_message *m = e->last;
  ck_assert_int_lt(r->count, r->room);
  ck_assert_uint_gt(m->pairs._length, 0);
  r->samples[r->count++] =
      (sample){.cycle = m->cycle,
               .stamp = stamp_of(m),
               .measured = stamp_of(m) - (int64_t)(1e9 * m->pairs._buffer[0].age + 0.5),
               .written = e->written,
               .taken = e->taken};
}

static int compare_numbers(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void print_figures(FILE *to, const char *what, int64_t *values, int count)
{
  ck_assert_int_gt(count, 0);
  qsort(values, (size_t)count, sizeof *values, compare_numbers);
  const double shares[] = {0.5, 0.99, 0.999};
  fprintf(to, "%-44s", what);
  for (int k = 0; k < 3; ++k)
    fprintf(to, " %9.1f", 1e-3 * (double)values[(int)(shares[k] * (count - 1))]);
  fprintf(to, " %9.1f\n", 1e-3 * (double)values[count - 1]);
}

static void print_report(FILE *to, const record *r)
{
  const sample *first = &r->samples[0], *last = &r->samples[r->count - 1];
  int64_t *values = calloc((size_t)r->count, sizeof *values);
  ck_assert_ptr_nonnull(values);
  fprintf(to, "%d answers in %.3f s: %.2f Hz\n", r->count,
          1e-9 * (double)(last->stamp - first->stamp),
          1e9 * (double)(last->cycle - first->cycle) / (double)(last->stamp - first->stamp));
  fprintf(to, "%-44s %9s %9s %9s %9s\n", "microseconds", "50 %", "99 %", "99.9 %", "most");
  for (int k = 1; k < r->count; ++k)
    values[k] = llabs(r->samples[k].stamp - r->samples[k - 1].stamp - MILLISECOND);
  print_figures(to, "from cycle to cycle, off one millisecond", values + 1, r->count - 1);
  for (int k = 0; k < r->count; ++k)
    values[k] = r->samples[k].written - r->samples[k].stamp;
  print_figures(to, "from an answer's stamp to its being written", values, r->count);
  for (int k = 0; k < r->count; ++k)
    values[k] = r->samples[k].taken - r->samples[k].written;
  print_figures(to, "from there to its being taken", values, r->count);
  int fresh = 0;
  for (int k = 1; k < r->count; ++k)
    if (r->samples[k].measured > r->samples[k - 1].measured)
      values[fresh++] = r->samples[k].taken - r->samples[k].measured;
  print_figures(to, "from a transform's stamp to the first answer", values, fresh);
  free(values);
}

static FILE *open_result(const char *ending)
{
  char path[1024];
  const char *base = getenv("E2E_RESULTS");
  snprintf(path, sizeof path, "%s%s", base ? base : "e2e_rate", ending);
  FILE *file = fopen(path, "w");
  ck_assert_msg(file, "%s cannot be written", path);
  return file;
}

static void write_samples(const record *r)
{
  FILE *file = open_result(".csv");
  fputs("cycle,stamp,measured,written,taken\n", file);
  for (int k = 0; k < r->count; ++k) {
    const sample *s = &r->samples[k];
    fprintf(file, "%llu,%lld,%lld,%lld,%lld\n", (unsigned long long)s->cycle, (long long)s->stamp,
            (long long)s->measured, (long long)s->written, (long long)s->taken);
  }
  fclose(file);
}

/* What the monitor has said at its end of cycles that it could not begin in time. */
static long missed_cycles(void)
{
  char text[8192];
  unsigned long long cycles = 0, missed = 0;
  read_whole("err", text, sizeof text);
  const char *at = strstr(text, " cycles, ");
  ck_assert_msg(at, "no summary in: %s", text);
  while (at > text && at[-1] >= '0' && at[-1] <= '9')
    --at;
  ck_assert_int_eq(sscanf(at, "%llu cycles, %llu missed", &cycles, &missed), 2);
  ck_assert_msg(strstr(text, " 0 messages not sent"), "not all is sent: %s", text);
  return (long)missed;
}

SUITE("e2e_rate");

FIXTURE_CASE("rate", 60, enter_world, leave_world);

TEST(a_thousand_times_a_second)
{
  const char *text = getenv("E2E_SECONDS");
  int seconds = text ? atoi(text) : 5;
  record r = {.room = 2000 * (seconds + 1)};
  r.samples = calloc((size_t)r.room, sizeof *r.samples);
  ck_assert_ptr_nonnull(r.samples);
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(CELL "-p rate:=1000.0");
  move_cell(&s, 1000);
  wait_for(&e, has_no_stale, "the whole cell");
  e.missing = 0;
  long heard = e.heard;
  int64_t end = stamp_of(e.last) + seconds * SECOND;
  for (int64_t begin = now(); r.count == 0 || r.samples[r.count - 1].stamp < end;) {
    if (hear(&e))
      add_sample(&r, &e);
    ck_assert_int_lt(now() - begin, seconds * SECOND + PATIENCE);
  }
  end_monitor(monitor);
  wait_for(&e, is_all_stale, "the last report");
  FILE *report = open_result(".txt");
  FILE *both[] = {stdout, report};
  long missed = missed_cycles();
  long drops = udp_drops(getpid());
  for (int k = 0; k < 2; ++k) {
    print_report(both[k], &r);
    fprintf(both[k],
            "%ld heard up to the last, %ld missing, %ld datagrams dropped by the kernel; "
            "%ld cycles not begun in time since the start\n",
            e.heard - heard, e.missing, drops, missed);
  }
  fclose(report);
  write_samples(&r);
  expect_no_gap(&e);
  free(r.samples);
  end_source(&s);
}
