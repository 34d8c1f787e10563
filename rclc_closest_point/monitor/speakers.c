/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/speakers.h"

#include <inttypes.h>
#include <stdio.h>

static int index_of(const clp_speakers *speakers, uint64_t id)
{
  for (int k = 0; k < speakers->count; ++k)
    if (speakers->items[k].id == id)
      return k;
  return -1;
}

static int longest_unmet(const clp_speakers *speakers)
{
  int found = 0;
  for (int k = 1; k < speakers->count; ++k)
    if (speakers->items[k].met < speakers->items[found].met)
      found = k;
  return found;
}

clp_speaker *clp_speakers_meet(clp_speakers *speakers, uint64_t id)
{
  int k = index_of(speakers, id);
  if (k < 0) {
    k = speakers->count < CLP_SPEAKERS_MAX ? speakers->count++ : longest_unmet(speakers);
    speakers->items[k] = (clp_speaker){.id = id};
  }
  speakers->items[k].met = ++speakers->meetings;
  return &speakers->items[k];
}

clp_speaker_name clp_speaker_of_number(uint64_t id)
{
  clp_speaker_name name;
  snprintf(name.text, sizeof name.text, "publisher %" PRIx64, id);
  return name;
}

clp_speaker_name clp_speakers_name(const clp_speakers *speakers, uint64_t id)
{
  int k = index_of(speakers, id);
  if (k >= 0 && *speakers->items[k].name.text)
    return speakers->items[k].name;
  return clp_speaker_of_number(id);
}

void clp_say_disagreement(const clp_disagreement *found, const clp_speakers *speakers, char *text,
                          size_t room)
{
  const char *what = found->joint ? "joint" : "frame";
  const char *frame = found->joint ? found->joint : found->frame;
  const char *below = found->parents[0], *other = found->parents[1];
  clp_speaker_name a = clp_speakers_name(speakers, found->writers[0]);
  clp_speaker_name b = clp_speakers_name(speakers, found->writers[1]);
  switch (found->dispute) {
    case CLP_DISPUTE_NONE:
      snprintf(text, room, "frame %.60s is told of in one way", frame);
      return;
    case CLP_DISPUTE_WRITERS:
    case CLP_DISPUTE_STANDING:
      if (found->dispute == CLP_DISPUTE_STANDING && found->joint) {
        snprintf(text, room, "frame %.60s is told of by %s otherwise than by the model",
                 found->frame, b.text);
        return;
      }
      snprintf(text, room, "%s %.60s is told of by two publishers: %s and %s", what, frame, a.text,
               b.text);
      return;
    case CLP_DISPUTE_SELF:
      snprintf(text, room, "%s %.60s is at two places at once, says %s", what, frame, a.text);
      return;
    case CLP_DISPUTE_MOVED:
      snprintf(text, room, "static frame %.60s has been moved, says %s", found->frame, b.text);
      return;
    case CLP_DISPUTE_PARENTS:
      snprintf(text, room, "frame %.60s is told of below %.60s by %s and below %.60s by %s",
               found->frame, below, a.text, other, b.text);
      return;
    case CLP_DISPUTE_STATIC:
      snprintf(text, room,
               "frame %.60s is told of as moving below %.60s by %s and as static below %.60s by %s",
               frame, below, a.text, other, b.text);
      return;
    case CLP_DISPUTE_LOOP:
      snprintf(text, room, "frame %.60s is told of below %.60s by %s, and %.60s below %.60s by %s",
               frame, other, b.text, below, frame, a.text);
      return;
  }
}
