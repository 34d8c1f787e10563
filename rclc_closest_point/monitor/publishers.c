/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/publishers.h"

#include <stdio.h>
#include <string.h>

int clp_publishers_place(clp_publishers *publishers, clp_topic_id topic)
{
  bool alone = clp_topics[topic].alone;
  if (clp_topics[topic].out && !alone)
    return -1;
  if (publishers->count < CLP_PUBLISHERS_MAX)
    return publishers->count++;
  for (int k = 0; alone && k < publishers->count; ++k)
    if (!clp_topics[publishers->items[k].topic].alone)
      return k;
  return -1;
}

const clp_publisher *clp_publishers_find(const clp_publishers *publishers, uint64_t id)
{
  for (int k = 0; k < publishers->count; ++k)
    if (publishers->items[k].id == id)
      return &publishers->items[k];
  return NULL;
}

clp_speaker_name clp_publisher_of_node(const char *ns, const char *node)
{
  clp_speaker_name name;
  bool ends = *ns && ns[strlen(ns) - 1] == '/';
  snprintf(name.text, sizeof name.text, "%.45s%s%.45s", ns, ends ? "" : "/", node);
  return name;
}

clp_speaker_name clp_publisher_of_guid(const uint8_t *guid)
{
  clp_speaker_name name;
  int used = snprintf(name.text, sizeof name.text, "GUID ");
  for (int k = 0; k < 16; ++k)
    used += snprintf(name.text + used, sizeof name.text - (size_t)used, "%s%02x",
                     k > 0 && k % 4 == 0 ? "." : "", guid[k]);
  return name;
}

/* Why a publisher of what the monitor reads is not heard; false: it is. */
static bool is_unheard(const clp_publisher *publisher, char *text, size_t room)
{
  const clp_topic *topic = &clp_topics[publisher->topic];
  const char *name = publisher->name.text;
  if (*publisher->type)
    snprintf(text, room, "%s publishes %s on %s, expected %s", name, publisher->type, topic->name,
             clp_topic_types[publisher->topic]);
  else if (topic->quality.reliable && !publisher->reliable)
    snprintf(text, room, "%s publishes %s as best effort, expected reliable", name, topic->name);
  else if (topic->quality.latched && !publisher->latched)
    snprintf(text, room, "%s publishes %s as volatile, expected transient local", name,
             topic->name);
  else
    return false;
  return true;
}

static void say_foreign(clp_gathering *found, const char *name, clp_topic_id topic)
{
  snprintf(found->foreign, sizeof found->foreign, "%s publishes %s, too", name,
           clp_topics[topic].name);
}

clp_gathering clp_publishers_judge(const clp_publishers *publishers)
{
  clp_gathering found = {"", ""};
  for (int k = 0; k < publishers->count; ++k) {
    const clp_publisher *publisher = &publishers->items[k];
    const clp_topic *topic = &clp_topics[publisher->topic];
    if (topic->alone && !*found.foreign)
      say_foreign(&found, publisher->name.text, publisher->topic);
    if (!topic->out && !*found.hint)
      (void)is_unheard(publisher, found.hint, sizeof found.hint);
  }
  return found;
}

void clp_publishers_overhear(const clp_publishers *publishers, clp_topic_id topic, uint64_t writer,
                             clp_gathering *found)
{
  const clp_publisher *known = clp_publishers_find(publishers, writer);
  clp_speaker_name name = known ? known->name : clp_speaker_of_number(writer);
  say_foreign(found, name.text, topic);
}

static bool tells_transforms(const clp_publisher *publisher)
{
  return publisher->topic == CLP_TOPIC_TF || publisher->topic == CLP_TOPIC_TF_STATIC ||
         publisher->topic == CLP_TOPIC_JOINTS;
}

void clp_publishers_present(const clp_publishers *publishers, clp_monitor *monitor)
{
  uint64_t writers[CLP_PUBLISHERS_MAX];
  int count = 0;
  for (int k = 0; k < publishers->count; ++k)
    if (tells_transforms(&publishers->items[k]))
      writers[count++] = publishers->items[k].id;
  clp_monitor_meet(monitor, writers, count, publishers->count < CLP_PUBLISHERS_MAX);
}

void clp_publishers_introduce(const clp_publishers *publishers, clp_speakers *speakers)
{
  for (int k = 0; k < publishers->count; ++k) {
    const clp_publisher *publisher = &publishers->items[k];
    clp_speaker *speaker =
        tells_transforms(publisher) ? clp_speakers_meet(speakers, publisher->id) : NULL;
    if (!speaker)
      continue;
    speaker->name = publisher->name;
    speaker->named = true;
  }
}

/* ---- Without a model ---------------------------------------------------------------------- */

static void take_line(void *user, clp_severity severity, const char *line)
{
  clp_waiting *waiting = user;
  if (severity == CLP_DEFECT && !*waiting->refused)
    snprintf(waiting->refused, sizeof waiting->refused, "%s", line);
  if (waiting->sink.message)
    waiting->sink.message(waiting->sink.user, severity, line);
}

clp_model_sink clp_waiting_sink(clp_waiting *waiting)
{
  *waiting->refused = '\0';
  return (clp_model_sink){take_line, waiting};
}

void clp_waiting_refuse(clp_waiting *waiting, clp_status status)
{
  if (!*waiting->refused)
    snprintf(waiting->refused, sizeof waiting->refused, "%s", clp_status_text(status));
}

clp_waiting_reason clp_waiting_why(const clp_waiting *waiting)
{
  clp_waiting_reason why;
  const clp_gathering *found = &waiting->gathering;
  const char *more = *found->foreign ? found->foreign : found->hint;
  if (*waiting->busy)
    snprintf(why.text, sizeof why.text, "%s", waiting->busy);
  else if (*waiting->refused)
    snprintf(why.text, sizeof why.text, "robot_description is refused: %s", waiting->refused);
  else
    snprintf(why.text, sizeof why.text, "there is no robot_description yet%s%s", *more ? "; " : "",
             more);
  return why;
}
