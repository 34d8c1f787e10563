/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_SCENE_H
#define RCLC_CLOSEST_POINT_SCENE_SCENE_H

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/pair/batch.h"
#include "rclc_closest_point/record.h"
#include "rclc_closest_point/scene.h"
#include "rclc_closest_point/scene/bound_heap.h"

/* What a scene is made of: arrays of records that name each other by index, CLP_NOBODY where there
 * is none. */

enum { CLP_NOBODY = -1 };

/* A part where it is. */
typedef struct clp_scene_part {
  clp_part part;
  int link; /* CLP_NOBODY: a hole */
  bool twist_known;
  clp_pose X_WP;
  clp_twist V_WP;
} clp_scene_part;

/* A place on a link, in the link's frame. */
typedef struct clp_link_witness {
  int part;
  clp_feature_kind kind;
  uint32_t feature;
  clp_vec3 place;
} clp_link_witness;

typedef struct clp_scene_link {
  uint32_t generation;
  bool used, enabled;
  clp_pose X_WL; /* at the last step, where its parts are placed */
  int next_free;
  int first, count;     /* of its parts */
  clp_link_witness any; /* some place on it */
} clp_scene_link;

/* ---- Where links stand: by fours, each link in its lane ------------------------------------- */

enum { CLP_LANES = 4, CLP_ALL_LANES = (1 << CLP_LANES) - 1 };

/* The rows of what a stance is: a pose, its rotation's columns first; where in the world the center
 * of the ball is that holds all parts; and the rotation's skew. */
enum {
  CLP_STANCE_POSITION = 9,
  CLP_STANCE_CENTER = 12,
  CLP_STANCE_SKEW = 15,
  CLP_STANCE_ROWS = 16
};

typedef struct clp_four_row {
  double of[CLP_LANES];
} clp_four_row;

typedef struct clp_stances {
  clp_four_row rows[CLP_STANCE_ROWS];
} clp_stances;

/* Four links whose indices follow each other. Sets of lanes are bits. */
typedef struct clp_link_four {
  int first;                  /* of the links */
  clp_link_id ids[CLP_LANES]; /* of those that are in use */

  /* At the last step, at the next one, which are the same where nothing has moved any of the links,
   * and free ones for what may yet be refused. */
  clp_stances stances[3];
  clp_four_row ways[3]; /* to each: no point goes farther than that from the last step's */
  int now, next, spare;

  clp_four_row center[3];    /* of a ball that holds all parts, in the link's frame */
  clp_four_row radius, taxi; /* its radius, and its center's coordinates added up */
  clp_twist V_WL[CLP_LANES];

  int used;        /* lanes that are of a link: ids of others are not anybody's */
  int in_motion;   /* whose motion was set for the last step or the next one; */
  int set;         /* for the next one. Any: it is in clp_scene.moving */
  int twist_known; /* of whom */

  uint64_t list;     /* the list of motions that had any of them last, */
  int listed;        /* which ones, */
  int at[CLP_LANES]; /* and where in the list; of others where any of these is */
  bool in_order;     /* all of them, one after the other: at[0] stands for all */
} clp_link_four;

/* Two parts. A lower bound holds for the moment when their links' ways added up to `since`. */
typedef struct clp_part_pair {
  int pair;    /* of links; CLP_NOBODY: a hole */
  int a, b;    /* parts, counted within their links */
  int part[2]; /* the same in clp_scene.parts */
  int slot;    /* where its state is kept, or CLP_NOBODY */
  double bound, since;
  double apart;      /* at least how far apart in this cycle */
  uint64_t answered; /* the cycle of the last answer */
  clp_pair_aids aids;
  uint64_t memory; /* bytes that these take at most */
} clp_part_pair;

/* The state of a pair of parts that is tracked. */
typedef struct clp_slot {
  clp_pair state;
  clp_answer answer;
  double time; /* of the answer */
} clp_slot;

/* Whose a slot is. Apart from the state, for every cycle goes through all of these in one thread,
 * and would wait for memory with each. */
typedef struct clp_slot_use {
  int owner;        /* part pair, or CLP_NOBODY */
  int newer, older; /* slots in the order in which they were last used */
  int kind;         /* clp_batch_kind of the state, or CLP_BATCH_UNKNOWN */
  uint64_t used;    /* the cycle of the last use */
} clp_slot_use;

/* Two links. It is either far, in the heap, or near, in clp_scene.near, or left out. */
typedef struct clp_scene_pair {
  uint32_t generation;
  bool used;
  int next_free;
  int link[2];
  int first, count;       /* of its part pairs: A's parts, for each of them B's */
  double bound, since;    /* as of a part pair */
  uint64_t waiting;       /* since which cycle it has been due in vain; 0: it has not */
  uint64_t added;         /* after which cycle */
  uint64_t answered;      /* the cycle of the last answer */
  bool complete;          /* all its part pairs are answered for */
  clp_link_answer links;  /* the last answer */
  clp_link_witness on[2]; /* its witnesses, or any places, */
  double found;           /* and its links' way when they were found */

  int nearest; /* which part pair gave it (counted from `first`), or CLP_NOBODY */
  int start;   /* which to begin with, or CLP_NOBODY */

  clp_link_event handover[2]; /* these are the events of the cycle, */
  int handover_count;
  bool handed_over; /* if this is set, else those of the nearest part pair */
} clp_scene_pair;

/* A pair to be stepped; how urgently, where not all of them can be. */
typedef struct clp_due_pair {
  clp_scene_pair *pair;
  uint64_t waiting;
  double bound;
} clp_due_pair;

/* What a scene may take that somebody else has described (replay.c). */
typedef struct clp_scene_bounds {
  uint64_t memory;                   /* bytes */
  double pair_seconds;               /* of what nothing interrupts (pair_cost.h); 0: any */
  bool (*is_late)(const void *user); /* the time is up; NULL: there is time */
  const void *user;
} clp_scene_bounds;

struct clp_scene {
  clp_arena arena;
  clp_scene_bounds bounds;
  uint64_t memory; /* bytes taken, those of the pairs' aids too */
  clp_scene_limits limits, in_use, most;
  clp_recorder recorder; /* write is NULL: none */
  clp_scene_options options;

  clp_scene_link *links;
  clp_link_four *fours; /* of the links */
  double *ways;         /* of each link: how far any point of it may have gone, since sums began */
  bool *placed;         /* of each link: its parts are where its pose says; most are never asked */
  clp_scene_part *parts;
  clp_scene_pair *pairs;
  clp_part_pair *part_pairs;
  clp_slot *slots;
  clp_slot_use *uses;            /* of the slots */
  clp_transition_event *events;  /* of each slot, as many as the options say */
  int free_link, free_pair;      /* first of the unused ones, or CLP_NOBODY */
  int end_links, end_pairs;      /* used ones have smaller indices */
  int end_parts, end_part_pairs; /* the same; there may be holes */
  int newest_slot, oldest_slot;

  clp_link_four **moving; /* some of whom were set in motion for this cycle or the next */
  int moving_count;
  uint64_t lists;         /* how many lists of motions have been looked through */
  clp_link_id *list;      /* the last of them, */
  clp_link_four **listed; /* whom it has, */
  int list_count;         /* and how long it is; CLP_NOBODY: a link has gone, or it had a fault */
  int listed_count;

  clp_bound_heap far; /* keys are the bounds plus `drift` */
  double drift;       /* how much nearer any pair may have come, since sums began */
  double pace;        /* what this cycle has added to it */
  double cutoff;      /* what is farther away need not be stepped */
  int *woken;         /* far pairs that may be within it, for as long as they are looked at */
  uint64_t *near;     /* a bit for each pair */

  clp_due_pair *due; /* near pairs of this cycle, in the order of their indices */
  int due_count;
  clp_due_pair *urgent; /* the same, the most urgent first, where not all of them can be stepped */
  const clp_due_pair *chosen; /* those that are stepped: all that are due, or some of `urgent` */
  int chosen_count;
  clp_part_pair **items; /* part pairs to be stepped, independently of each other */
  int item_count;
  clp_part_pair **ordered; /* the same, like ones one after the other */
  int *kinds;              /* of the items, as in their slots' uses */

  uint64_t cycle;
  double time;
  bool tracks;       /* this cycle goes on from the last one */
  bool near_changed; /* since `due` was listed */
  clp_scene_report report;
};

/* clp_scene_create within bounds: CLP_ERROR_LIMIT beyond them. */
clp_status clp_scene_create_within(const clp_scene_limits *limits, const clp_scene_options *options,
                                   const clp_scene_bounds *bounds, clp_scene **scene);

/* Whether so many bytes may be taken; if so they count as taken. */
static inline bool clp_scene_may_take(clp_scene *scene, uint64_t bytes)
{
  if (bytes > scene->bounds.memory - scene->memory)
    return false;
  scene->memory += bytes;
  return true;
}

static inline bool clp_scene_is_late(const clp_scene *scene)
{
  return scene->bounds.is_late && scene->bounds.is_late(scene->bounds.user);
}

/* The record of an id, or NULL. */
clp_scene_link *clp_scene_find_link(const clp_scene *scene, clp_link_id id);
clp_scene_pair *clp_scene_find_pair(const clp_scene *scene, clp_link_pair_id id);

/* Both links are enabled. */
static inline bool clp_scene_is_active(const clp_scene *scene, const clp_scene_pair *pair)
{
  return scene->links[pair->link[0]].enabled && scene->links[pair->link[1]].enabled;
}

/* A link's four, and its lane there. */
static inline int clp_four_index(int link)
{
  return (int)((unsigned)link / CLP_LANES);
}

static inline clp_link_four *clp_four_of_link(const clp_scene *scene, int link)
{
  return &scene->fours[clp_four_index(link)];
}

static inline int clp_lane_of(int link)
{
  return link & (CLP_LANES - 1);
}

static inline clp_vec3 clp_lane_vector(const clp_four_row *rows, int lane)
{
  return (clp_vec3){rows[0].of[lane], rows[1].of[lane], rows[2].of[lane]};
}

static inline clp_pose clp_lane_pose(const clp_stances *stances, int lane)
{
  const clp_four_row *rows = stances->rows;
  return (clp_pose){{clp_lane_vector(rows, lane), clp_lane_vector(rows + 3, lane),
                     clp_lane_vector(rows + 6, lane)},
                    clp_lane_vector(rows + CLP_STANCE_POSITION, lane)};
}

/* Where a link was at the last step, and will be at the next one. */
static inline clp_pose clp_link_pose(const clp_scene *scene, int link)
{
  const clp_link_four *four = clp_four_of_link(scene, link);
  return clp_lane_pose(&four->stances[four->now], clp_lane_of(link));
}

static inline clp_pose clp_next_pose(const clp_scene *scene, int link)
{
  const clp_link_four *four = clp_four_of_link(scene, link);
  return clp_lane_pose(&four->stances[four->next], clp_lane_of(link));
}

/* The parts of a part pair. */
static inline const clp_scene_part *clp_part_of(const clp_scene *scene, const clp_part_pair *p,
                                                int which)
{
  return &scene->parts[p->part[which]];
}

static inline int clp_index_of_pair(const clp_scene *scene, const clp_scene_pair *pair)
{
  return (int)(pair - scene->pairs);
}

/* Puts a link's parts where its pose says. */
void clp_scene_place_parts(clp_scene *scene, int link);

/* The same of a pair, where that is not done yet: before anybody asks for their parts. */
static inline void clp_scene_place_pair(clp_scene *scene, const clp_scene_pair *pair)
{
  for (int which = 0; which < 2; ++which)
    if (!scene->placed[pair->link[which]])
      clp_scene_place_parts(scene, pair->link[which]);
}

#endif
