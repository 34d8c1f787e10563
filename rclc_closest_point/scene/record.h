/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_RECORD_H
#define RCLC_CLOSEST_POINT_SCENE_RECORD_H

#include "rclc_closest_point/record.h"

/* The record is a list of entries. An entry is a word that says what it is and how many words
 * follow, and these words: integers, or doubles as their bits. A word is eight bytes, the lowest
 * first. */

typedef enum clp_entry_kind {
  CLP_ENTRY_SETTINGS = 1, /* limits and options; the first entry */
  CLP_ENTRY_PART,         /* body and pose of a part of the link that is added next */
  CLP_ENTRY_ADD_LINK,     /* the id that it got */
  CLP_ENTRY_REMOVE_LINK,
  CLP_ENTRY_ENABLE_LINK,
  CLP_ENTRY_MOTION,
  CLP_ENTRY_ADD_PAIR, /* the links, and the id that it got */
  CLP_ENTRY_REMOVE_PAIR,
  CLP_ENTRY_RANGE,
  CLP_ENTRY_TOLERANCE,
  CLP_ENTRY_START,
  CLP_ENTRY_STEP, /* time and report */
  CLP_ENTRY_QUERY
} clp_entry_kind;

enum { CLP_ENTRY_MAX = 40 }; /* words after the first */

typedef struct clp_entry {
  clp_entry_kind kind;
  int count;
  uint64_t words[CLP_ENTRY_MAX];
} clp_entry;

/* Begins an entry, and adds to it. */
static inline clp_entry clp_entry_make(clp_entry_kind kind)
{
  return (clp_entry){.kind = kind};
}

void clp_entry_add(clp_entry *entry, uint64_t word);
void clp_entry_add_number(clp_entry *entry, double number);
void clp_entry_add_twist(clp_entry *entry, const clp_twist *twist);
void clp_entry_add_pose(clp_entry *entry, const clp_pose *pose);

/* Settings, a body, what a cycle came to: on replay the words are made again, and compared. */
clp_entry clp_entry_of_settings(const clp_scene_limits *limits, const clp_scene_options *options);
void clp_entry_add_body(clp_entry *entry, const clp_body *body);
void clp_entry_add_report(clp_entry *entry, const clp_scene *scene, const clp_scene_report *report);

/* What has been done with the scene, if it is recorded. */
void clp_record(clp_scene *scene, const clp_entry *entry);

/* The same for what has one id and at most one number. */
void clp_record_id(clp_scene *scene, clp_entry_kind kind, uint32_t index, uint32_t generation);
void clp_record_number(clp_scene *scene, clp_entry_kind kind, double number);

#endif
