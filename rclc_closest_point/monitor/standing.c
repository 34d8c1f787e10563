/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/standing.h"

#include <string.h>

#include "rclc_closest_point/monitor/hearing.h"

/* Nanoseconds in which whoever has just been heard is announced as well. */
#define ANNOUNCED INT64_C(1000000000)

/* ---- What is said ------------------------------------------------------------------------- */

/* The voice says it, too. */
static bool is_said(const clp_frame *frame, const clp_standing *saying)
{
  return frame->parent == saying->voice.parent &&
         clp_transform_print(frame->parent, &frame->X_PC) ==
             clp_transform_print(frame->parent, &saying->X_PC);
}

/* The first saying that is not the voice's, or NULL. */
static const clp_standing *contradiction(const clp_frame *frame)
{
  for (int k = 0; k < frame->standing_count; ++k)
    if (!is_said(frame, &frame->standing[k]))
      return &frame->standing[k];
  return NULL;
}

bool clp_standing_is_contested(const clp_frame *frame)
{
  return frame->is_static && (frame->crowded || contradiction(frame));
}

void clp_standing_review(clp_input *input, clp_frame *frame)
{
  if (!clp_standing_is_contested(frame) || frame->voices.dispute != CLP_DISPUTE_NONE)
    return;
  const clp_standing *found = contradiction(frame);
  clp_input_disagree(input, frame, CLP_DISPUTE_STANDING,
                     found ? &found->voice : &frame->voices.rival);
}

static void drop(clp_frame *frame, int k)
{
  frame->standing[k] = frame->standing[--frame->standing_count];
}

/* That writer's own; where all places are taken, one of those that say nothing else. */
static int place_of(clp_frame *frame, uint64_t writer)
{
  for (int k = 0; k < frame->standing_count; ++k)
    if (frame->standing[k].voice.writer == writer)
      return k;
  if (frame->standing_count < CLP_STANDING_MAX)
    return frame->standing_count++;
  for (int k = 0; k < CLP_STANDING_MAX; ++k)
    if (is_said(frame, &frame->standing[k]))
      return k;
  return -1;
}

void clp_standing_hear(clp_input *input, clp_frame *frame, const clp_voice *voice,
                       const clp_tf_transform *X_PC)
{
  const clp_standing saying = {*voice, *X_PC};
  int k = place_of(frame, voice->writer);
  if (k >= 0)
    frame->standing[k] = saying;
  else if (!is_said(frame, &saying))
    frame->crowded = true;
  if (frame->needed && !is_said(frame, &saying))
    clp_input_disagree(input, frame, CLP_DISPUTE_STANDING, voice);
}

/* ---- Who is there ------------------------------------------------------------------------- */

static bool is_met(const clp_input *input, uint64_t writer)
{
  for (int k = 0; k < input->writer_count; ++k)
    if (input->writers[k] == writer)
      return true;
  return false;
}

/* Numbers of those that are heard are not everywhere those of the ones that are announced: where
 * none has ever been found among them, nothing is known. */
void clp_standing_meet(clp_input *input, const uint64_t *writers, int count, bool all)
{
  input->writer_count = count < CLP_WRITERS_MAX ? count : CLP_WRITERS_MAX;
  memcpy(input->writers, writers, (size_t)input->writer_count * sizeof *writers);
  input->writers_are_all = all && count <= CLP_WRITERS_MAX;
  input->writers_are_known |= is_met(input, input->writer);
}

static bool is_gone(const clp_input *input, uint64_t writer)
{
  return writer != 0 && input->writers_are_known && input->writers_are_all &&
         !is_met(input, writer);
}

/* ---- What time brings --------------------------------------------------------------------- */

/* The voice has gone: it is this one's from now on. */
static bool give_way(clp_input *input, clp_frame *frame, const clp_standing *saying)
{
  int child = (int)(frame - input->frames.items);
  if (clp_frames_hangs_on(&input->frames, saying->voice.parent, child) ||
      clp_frames_is_too_deep(&input->frames, child, saying->voice.parent) ||
      clp_input_stand(input, child, saying->voice.parent, &saying->X_PC) != CLP_FEED_TAKEN)
    return false;
  frame->voices.speaker = saying->voice;
  return true;
}

/* False: whoever has said it has gone, or is the voice now. */
static bool stays(clp_input *input, clp_frame *frame, clp_standing *saying, int64_t now,
                  bool *changed)
{
  if (now < saying->voice.heard)
    saying->voice.heard = now;
  if (now - saying->voice.heard < ANNOUNCED)
    return true;
  if (is_gone(input, saying->voice.writer))
    return false;
  if (!is_gone(input, frame->voices.speaker.writer))
    return true;
  bool same = is_said(frame, saying);
  if (same)
    frame->voices.speaker = saying->voice;
  else if (!give_way(input, frame, saying))
    return true;
  *changed |= !same;
  return false;
}

bool clp_standing_settle(clp_input *input, clp_frame *frame, int64_t now)
{
  bool changed = false;
  if (!frame->is_static || !frame->needed)
    return false; /* which is another dispute, or none */
  for (int k = 0; k < frame->standing_count;)
    if (stays(input, frame, &frame->standing[k], now, &changed))
      ++k;
    else
      drop(frame, k);
  if (frame->voices.dispute == CLP_DISPUTE_STANDING && !clp_standing_is_contested(frame))
    frame->voices.dispute = CLP_DISPUTE_NONE;
  clp_standing_review(input, frame);
  return changed;
}
