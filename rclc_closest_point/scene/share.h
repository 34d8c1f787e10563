/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_SHARE_H
#define RCLC_CLOSEST_POINT_SCENE_SHARE_H

#include "rclc_closest_point/scene/scene.h"

/* A list that is worked through in chunks, by the workers where there are some. A chunk's results
 * must not depend on the others'. */

/* How many chunks that makes. */
static inline int clp_chunks_of(int length, int chunk)
{
  return (length + chunk - 1) / chunk;
}

/* Where a chunk ends, which begins at chunk * index. */
static inline int clp_chunk_end(int length, int chunk, int index)
{
  int end = chunk * (index + 1);
  return end < length ? end : length;
}

/* Calls job(scene, i) for every chunk i. A single one needs no help. */
static inline void clp_share(clp_scene *scene, void (*job)(void *context, int i), int chunks)
{
  const clp_workers *workers = &scene->options.workers;
  if (workers->run && chunks > 1)
    workers->run(workers->user, job, scene, chunks);
  else
    for (int i = 0; i < chunks; ++i)
      job(scene, i);
}

#endif
