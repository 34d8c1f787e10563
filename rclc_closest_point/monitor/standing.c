/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/standing.h"

#include <string.h>

#include "rclc_closest_point/monitor/hearing.h"

/* Nanoseconds in which whoever has just been heard is announced as well. */
#define ANNOUNCED INT64_C(1000000000)

/* ---- Claims ------------------------------------------------------------------------------- */

static void drop(clp_input *input, int k)
{
  input->standing[k] = input->standing[--input->standing_count];
}

static int claim_of(const clp_input *input, int frame, uint64_t writer)
{
  for (int k = 0; k < input->standing_count; ++k)
    if (input->standing[k].frame == frame && input->standing[k].voice.writer == writer)
      return k;
  return -1;
}

/* Where all places are taken, that of a frame that nothing hangs on. */
static int new_place(clp_input *input, int frame)
{
  if (input->standing_count < CLP_STANDING_MAX)
    return input->standing_count++;
  for (int k = 0; input->frames.items[frame].needed && k < CLP_STANDING_MAX; ++k)
    if (!input->frames.items[input->standing[k].frame].needed)
      return k;
  return -1;
}

void clp_standing_claim(clp_input *input, int frame, clp_voice voice, const clp_tf_transform *X_PC)
{
  int k = claim_of(input, frame, voice.writer);
  if (k < 0)
    k = new_place(input, frame);
  if (k >= 0)
    input->standing[k] = (clp_standing){frame, voice, *X_PC};
  if (input->frames.items[frame].needed)
    clp_input_disagree(input, &input->frames.items[frame], CLP_DISPUTE_STANDING, &voice);
}

void clp_standing_agree(clp_input *input, int frame, uint64_t writer)
{
  int k = claim_of(input, frame, writer);
  if (k >= 0)
    drop(input, k);
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

static bool is_said(const clp_frame *frame, const clp_standing *claim)
{
  return frame->parent == claim->voice.parent &&
         clp_transform_print(frame->parent, &frame->X_PC) ==
             clp_transform_print(frame->parent, &claim->X_PC);
}

/* The voice has gone: it is the claim's from now on. */
static bool give_way(clp_input *input, const clp_standing *claim)
{
  clp_frame *frame = &input->frames.items[claim->frame];
  if (clp_frames_hangs_on(&input->frames, claim->voice.parent, claim->frame) ||
      clp_input_stand(input, claim->frame, claim->voice.parent, &claim->X_PC) != CLP_FEED_TAKEN)
    return false;
  frame->voices.speaker = claim->voice;
  return true;
}

/* False: the claim is settled. */
static bool stays(clp_input *input, clp_standing *claim, int64_t now, bool *changed)
{
  clp_frame *frame = &input->frames.items[claim->frame];
  if (!frame->is_static)
    return true; /* which is another dispute */
  if (is_said(frame, claim))
    return false;
  if (now < claim->voice.heard)
    claim->voice.heard = now;
  bool announced = now - claim->voice.heard >= ANNOUNCED;
  if (announced && is_gone(input, claim->voice.writer))
    return false;
  if (announced && is_gone(input, frame->voices.speaker.writer) && give_way(input, claim)) {
    *changed = true;
    return false;
  }
  if (frame->needed && frame->voices.dispute == CLP_DISPUTE_NONE)
    clp_input_disagree(input, frame, CLP_DISPUTE_STANDING, &claim->voice);
  return true;
}

static bool is_claimed(const clp_input *input, int frame)
{
  for (int k = 0; k < input->standing_count; ++k)
    if (input->standing[k].frame == frame)
      return true;
  return false;
}

bool clp_standing_settle(clp_input *input, int64_t now)
{
  bool changed = false;
  for (int k = 0; k < input->standing_count;)
    if (stays(input, &input->standing[k], now, &changed))
      ++k;
    else
      drop(input, k);
  for (int k = 0; k < input->open_count; ++k) {
    clp_voices *voices = &input->frames.items[input->open[k]].voices;
    if (voices->dispute == CLP_DISPUTE_STANDING && !is_claimed(input, input->open[k]))
      voices->dispute = CLP_DISPUTE_NONE;
  }
  return changed;
}
