/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_RECORD_H
#define RCLC_CLOSEST_POINT_RECORD_H

/* A scene's run as a stream of bytes, and the same run again, bit for bit: everything that a caller
 * tells the scene is in it, and of every cycle what came out, to compare. Where the bytes are kept
 * is the caller's affair; bodies are not among them. Numbers are stored the same way on every
 * machine. */

#include "rclc_closest_point/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Recording ---------------------------------------------------------------------------- */

/* Takes `count` bytes, at most 512, and returns whether it could. It is called from within the
 * calls that change the scene, and once in every cycle: what it does there is up to the caller. */
typedef struct clp_recorder {
  bool (*write)(void *user, const void *bytes, size_t count);
  void *user;
} clp_recorder;

/* Records a scene from its creation on. CLP_ERROR_ARGUMENT when anything has been done with it yet;
 * CLP_ERROR_FILE when the beginning could not be written. Allocates: no.
 * Thread-safe: for different scenes. */
CLP_API clp_status clp_scene_record(clp_scene *scene, clp_recorder recorder);

/* False before, and from the first time on that a write has failed; the scene goes on all the same.
 * Allocates: no. Thread-safe: yes. */
CLP_API bool clp_scene_is_recorded(const clp_scene *scene);

/* ---- Replaying ---------------------------------------------------------------------------- */

/* A record can come from anywhere, so nothing in it is believed before it has been held against its
 * length: a replay takes at most 64 MB and 1,000 bytes for each byte of the record, and one second
 * and a microsecond for each byte (processor time of the process, without `read` and `body`; a pair
 * of parts that are not convex, asked from scratch, may be late by what that takes). Bodies of
 * which one pair might take longer are refused: supports among some 5,000 faces of revolution,
 * splines of 10,000 spans that are not convex. A record of one's own may need more, such as rest
 * for hours of very many pairs, and gets it when trusted. */
typedef struct clp_replay_source {
  /* Fills in up to `count` bytes and returns how many there were; fewer at the end only. */
  size_t (*read)(void *user, void *bytes, size_t count);
  /* The body of the part that was the `serial`-th (from 0) to be added to the scene. */
  const clp_body *(*body)(void *user, int serial);
  void *user;
  uint64_t length; /* bytes that there are in all; no more are read */
  bool trusted;    /* whoever made the record is known: it takes what it takes */
} clp_replay_source;

typedef struct clp_replay clp_replay;

/* A scene as it was when recording began. CLP_ERROR_FORMAT: this is no record. CLP_ERROR_LIMIT: it
 * asks for more than a record of its length may. Allocates: yes. Thread-safe: yes. */
CLP_API clp_status clp_replay_open(clp_replay_source source, clp_workers workers,
                                   clp_replay **replay);

/* NULL is allowed. Allocates: no. Thread-safe: for different replays. */
CLP_API void clp_replay_close(clp_replay *replay);

/* Goes on to the end of the next cycle. *report is then its report; its cycle is 0 at the end of
 * the record. CLP_ERROR_FORMAT: the record is damaged or breaks off, a body is not the one that was
 * recorded, or the cycle's results differ in any bit. CLP_ERROR_LIMIT: it asks for more than a
 * record of its length may. Nothing can be replayed any more after either; *report is untouched.
 * Allocates: what clp_scene_add_pair does. Thread-safe: for different replays. */
CLP_API clp_status clp_replay_next(clp_replay *replay, clp_scene_report *report);

/* The scene, to ask for answers. Allocates: no. Thread-safe: yes. */
CLP_API const clp_scene *clp_replay_scene(const clp_replay *replay);

#ifdef __cplusplus
}
#endif

#endif
