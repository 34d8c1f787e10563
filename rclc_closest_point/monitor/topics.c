/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/topics.h"

#define TYPE(topic, package, type) [topic] = #package "/" #type,
const char *const clp_topic_types[CLP_TOPICS] = {CLP_TOPIC_TYPES(TYPE)};

#define STREAM .quality = {.depth = 100, .reliable = true}
#define LATCHED .quality = {.depth = 100, .reliable = true, .latched = true}

/* Whoever publishes joints does so reliably or not, and the next message is better than the last
 * one again. */
#define JOINTS .quality = {.depth = 100}

/* Of a clock that is faster than the cycles every message is looked at, and the newest counts. */
#define CLOCK .quality = {.depth = 100}

#define NEWEST .depth = 1, .reliable = true
#define PROMISED NEWEST, .deadline = true, .liveliness = true
#define ANSWER .out = true, .alone = true, .quality = {PROMISED}
#define ORDER .out = true, .alone = true, .quality = {PROMISED, .lifespan = true}
#define PICTURE .out = true, .quality = {NEWEST}
#define STATUS .out = true, .quality = {.depth = 10, .reliable = true}

const clp_topic clp_topics[CLP_TOPICS] = {
    [CLP_TOPIC_TF] = {"/tf", "transforms of what moves", STREAM},
    [CLP_TOPIC_TF_STATIC] = {"/tf_static", "transforms that stay as they are", LATCHED},
    [CLP_TOPIC_JOINTS] = {"joint_states",
                          "where joints are, by the name that the parameter `joint_states` has; "
                          "without it, none",
                          JOINTS},
    [CLP_TOPIC_DESCRIPTION] = {"robot_description",
                               "the model, where no file is set; the first one that can be "
                               "used",
                               LATCHED},
    [CLP_TOPIC_CLOCK] = {"/clock", "the time, with `use_sim_time`", CLOCK},
    [CLP_TOPIC_POINTS] = {"~/closest_points",
                          "all pairs within `range`, nearest first, then all stale ones", ANSWER},
    [CLP_TOPIC_MINIMUM] = {"~/minimum",
                           "the nearest pair; where none has a distance a stale one, or "
                           "nobody OUT_OF_RANGE",
                           ANSWER},
    [CLP_TOPIC_SAFETY] = {"~/safety", "zone and speed", ORDER},
    [CLP_TOPIC_WRENCH] = {"~/wrench",
                          "with `wrench_tool`: the force that keeps it away from everything",
                          ORDER},
    [CLP_TOPIC_GRADIENTS] = {"~/joint_gradients",
                             "with `joint_states`: how the distances of the same pairs change "
                             "with each joint",
                             ANSWER},
    [CLP_TOPIC_MARKERS] = {"~/markers",
                           "at `marker_rate`: witness lines, witnesses and normals of all "
                           "pairs with a distance, colored by zone, the smallest distance in "
                           "words, and the bodies",
                           PICTURE},
    [CLP_TOPIC_DIAGNOSTICS] = {"/diagnostics",
                               "once a second: rate, lateness of cycles, ages, coverage, "
                               "refused input",
                               STATUS}};

const clp_quality clp_overhearing = {.depth = 1, .reliable = true};

bool clp_topic_is_used(clp_topic_id topic, const clp_settings *settings)
{
  return topic == CLP_TOPIC_DESCRIPTION ? !*settings->model
         : topic == CLP_TOPIC_JOINTS    ? *settings->joint_states != '\0'
         : topic == CLP_TOPIC_GRADIENTS ? *settings->joint_states != '\0'
         : topic == CLP_TOPIC_CLOCK     ? settings->use_sim_time
         : topic == CLP_TOPIC_WRENCH    ? *settings->wrench_tool != '\0'
                                        : true;
}

const char *clp_topic_name(clp_topic_id topic, const clp_settings *settings)
{
  bool chosen = topic == CLP_TOPIC_JOINTS && *settings->joint_states;
  return chosen ? settings->joint_states : clp_topics[topic].name;
}

static void print_quality(FILE *stream, const clp_topic *topic)
{
  const clp_quality *q = &topic->quality;
  fprintf(stream, "%s, %s%s, the newest", topic->out ? "out" : "in",
          q->reliable ? "reliable" : "best effort", q->latched ? ", latched" : "");
  if (q->depth > 1)
    fprintf(stream, " %d", q->depth);
  fprintf(stream, "%s%s%s", q->deadline ? ", deadline" : "", q->liveliness ? ", liveliness" : "",
          q->lifespan ? ", lifespan" : "");
}

void clp_topics_print_markdown(FILE *stream)
{
  fputs("| topic | type | | |\n|---|---|---|---|\n", stream);
  for (int k = 0; k < CLP_TOPICS; ++k) {
    fprintf(stream, "| `%s` | %s | ", clp_topics[k].name, clp_topic_types[k]);
    print_quality(stream, &clp_topics[k]);
    fprintf(stream, " | %s |\n", clp_topics[k].description);
  }
}
