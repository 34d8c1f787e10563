/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/voices.h"

#include <string.h>

#include "rclc_closest_point/math/quaternion.h"

/* Stamps are no finer than that, whoever makes them (ns). */
#define STAMP_GRAIN INT64_C(100000)

int64_t clp_voices_hold(const clp_voices *voices, clp_dispute dispute, int64_t now,
                        const clp_voice_limits *limits)
{
  int64_t hold = dispute >= CLP_DISPUTE_PARENTS ? limits->stale_after : limits->hold;
  bool comes_back =
      voices->disagreed != CLP_NEVER && now - voices->disagreed <= 2 * CLP_DISPUTE_MEMORY;
  return comes_back && hold < 2 * voices->quiet ? 2 * voices->quiet : hold;
}

void clp_voices_begin_anew(clp_voices *voices, const clp_voice *speaker)
{
  clp_voices fresh = clp_voices_none();
  fresh.speaker = *speaker;
  fresh.disagreed = voices->disagreed;
  fresh.quiet = voices->quiet;
  *voices = fresh;
}

bool clp_voice_is_silent(const clp_voice *voice, int64_t now, int64_t hold)
{
  return voice->heard == CLP_NEVER || now - voice->heard >= hold;
}

/* FNV-1a over the bytes. */
static uint64_t mix(uint64_t h, const void *what, size_t size)
{
  const unsigned char *bytes = what;
  for (size_t k = 0; k < size; ++k)
    h = (h ^ bytes[k]) * 0x100000001b3u;
  return h;
}

uint64_t clp_transform_print(int parent, const clp_tf_transform *X_PC)
{
  const double numbers[] = {X_PC->translation.x,
                            X_PC->translation.y,
                            X_PC->translation.z,
                            X_PC->qx,
                            X_PC->qy,
                            X_PC->qz,
                            X_PC->qw};
  return mix(mix(0xcbf29ce484222325u, &parent, sizeof parent), numbers, sizeof numbers);
}

bool clp_poses_contradict(const clp_tf_transform *X, const clp_tf_transform *Y, int64_t apart,
                          double max_speed)
{
  clp_quaternion from = {X->qx, X->qy, X->qz, X->qw}, to = {Y->qx, Y->qy, Y->qz, Y->qw};
  double way = clp_distance(X->translation, Y->translation) +
               CLP_LEVER * clp_norm(clp_quaternion_turn(from, to));
  int64_t time = (apart < 0 ? -apart : apart) + STAMP_GRAIN;
  return way > max_speed * 1e-9 * (double)time;
}

/* A claim was made a moment before it became a contradiction. */
static void note_quiet(clp_voices *voices, int64_t now)
{
  int64_t quiet = voices->disagreed == CLP_NEVER ? INT64_MAX : now - voices->disagreed;
  if (quiet < 0)
    return;
  if (quiet > CLP_DISPUTE_MEMORY)
    voices->quiet = 0;
  else if (quiet > voices->quiet)
    voices->quiet = quiet;
  voices->disagreed = now;
}

void clp_voices_disagree(clp_voices *voices, clp_dispute dispute, const clp_voice *rival)
{
  note_quiet(voices, rival->heard);
  voices->dispute = dispute;
  voices->rival = *rival;
  voices->claim_since = CLP_NEVER;
}

bool clp_voices_are_open(const clp_voices *voices)
{
  return voices->dispute != CLP_DISPUTE_NONE || voices->claim_since != CLP_NEVER;
}

bool clp_voices_settle(clp_voices *voices, int64_t now, const clp_voice_limits *limits)
{
  if (voices->claim_since != CLP_NEVER && now - voices->claim_since > CLP_CLAIM_GRACE)
    clp_voices_disagree(voices, CLP_DISPUTE_WRITERS, &voices->claim);
  if (voices->dispute == CLP_DISPUTE_NONE || voices->dispute == CLP_DISPUTE_STANDING)
    return false;
  int64_t hold = clp_voices_hold(voices, voices->dispute, now, limits);
  bool over = clp_voice_is_silent(&voices->rival, now, hold);
  bool two = voices->dispute == CLP_DISPUTE_WRITERS || voices->dispute == CLP_DISPUTE_PARENTS;
  bool succeeded = !over && two && clp_voice_is_silent(&voices->speaker, now, hold);
  if (succeeded)
    voices->speaker = voices->rival;
  if (over || succeeded)
    voices->dispute = CLP_DISPUTE_NONE;
  return succeeded;
}
