/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_REPORT_FACTS_H
#define RCLC_CLOSEST_POINT_TOOL_REPORT_FACTS_H

/* What a recording tells of a monitor, as the page and the JSON of `closest_point report` say it.
 * Times are those of reception, ns since ROS's epoch. */

#include "rclc_closest_point/bag/bag.h"
#include "rclc_closest_point/tool/frame_tree.h"
#include "rclc_closest_point/tool/report_shapes.h"

enum { CLP_REPORT_ZONES = 4, CLP_REPORT_SILENT = 3 }; /* CLEAR, WARN, STOP; nothing was said */

/* Seconds before and after a STOP that are looked at closely. */
#define CLP_REPORT_ABOUT 1.0

/* Of so many STOPs all is told; of the others when, how long and why. */
#define CLP_REPORT_STOPS 100

/* Those after so many are counted, and nothing else. */
#define CLP_REPORT_STOPS_KEPT 10000

/* Corners of outlines in a page: what would make it too large to be opened is not drawn. */
#define CLP_REPORT_OUTLINES 500000

/* After so long without an answer the monitor was silent (s); ten periods of the slowest that the
 * examples have. */
#define CLP_REPORT_SILENCE 0.1

typedef struct clp_report_pair {
  const char *a, *b;
  double nearest, least_bound; /* NaN: there was no distance */
  int64_t at;
  uint64_t cycles, stale; /* in which it was published, and had no fresh pose */
} clp_report_pair;

/* A frame on /tf. */
typedef struct clp_report_input {
  const char *name;
  uint64_t count;
  int64_t first, last, gap, gap_at; /* the longest one, and when it began */
} clp_report_input;

typedef struct clp_report_sample {
  int64_t time;
  double separation, required;
  uint8_t zone;
} clp_report_sample;

/* Something that was late or missing. */
typedef struct clp_report_late {
  char text[200];
} clp_report_late;

enum { CLP_REPORT_LATE = 12 };

typedef struct clp_report_stop {
  int64_t begin, end;     /* end: the zone was another again, or the recording ended */
  bool ended, from_start; /* it was there before the recording */
  uint64_t cycle;
  uint8_t before; /* the zone */
  double separation, required, approach, approach_before;
  char *a, *b, *reason;
  clp_report_sample *samples;
  size_t sample_count, sample_room;
  clp_report_late late[CLP_REPORT_LATE];
  int late_count;
  bool has_witnesses;
  clp_vec3 witness[2];
  double distance, age;
  clp_pose *poses; /* of the shapes, in the fixed frame; NULL: there is no picture */
  bool *placed;
} clp_report_stop;

typedef struct clp_report_span {
  int64_t begin;
  uint8_t zone;
} clp_report_span;

enum { CLP_REPORT_BINS = 80 };

typedef struct clp_facts {
  const char *file;
  char *monitor, *frame;
  int64_t first, last; /* of the recording */
  uint64_t messages, answers, malformed;
  double zones[CLP_REPORT_ZONES]; /* s */
  uint64_t missed;                /* cycles between those that are there */
  double longest_gap;             /* s between two answers */
  int64_t longest_gap_at;
  double slowest_cycle, latency, least_input_rate;
  double period;                      /* s, of the answers, on average */
  uint64_t bins[CLP_REPORT_BINS + 2]; /* margins: below, from -1 m on in steps of 50 mm, above */
  uint64_t unknown;                   /* answers without a margin */
  clp_report_span *spans;             /* of zones */
  size_t span_count, span_room;
  clp_report_pair *pairs; /* the nearest first */
  size_t pair_count, pair_room;
  clp_report_input *inputs;
  size_t input_count, input_room;
  clp_frame_tree input_names; /* what their names belong to */
  clp_report_stop *stops;
  size_t stop_count, stop_room;
  uint64_t more_stops; /* beyond those that are kept */
  clp_report_shapes shapes;
} clp_facts;

/* Margin that a bin begins with (m). */
double clp_report_bin(int bin);

/* Goes through a recording twice. `monitor`: the node's name; NULL: the first that there is. What
 * is wrong is told. */
clp_status clp_facts_gather(const char *path, const char *monitor, clp_model_sink sink, bool quiet,
                            clp_facts *facts);
void clp_facts_release(clp_facts *facts);

#endif
