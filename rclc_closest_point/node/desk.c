/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/desk.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "rclc_closest_point/monitor/snapshot.h"
#include "rclc_closest_point/node/background.h"

/* The clerk looks so often whether there is anything to do, and who waits for a cycle (ns). */
#define CLERK_INTERVAL 10000000
#define CYCLE_INTERVAL 1000000

typedef enum stage {
  DESK_FREE,  /* nobody has asked */
  DESK_ASKED, /* the cycles are to see to it */
  DESK_SEEN,  /* there is a snapshot, or a reason why not */
  DESK_DONE   /* there is an answer */
} stage;

struct clp_desk {
  const clp_front *front;
  void *self;
  pthread_t clerk, worker;
  atomic_int stage;
  atomic_bool leaving, closing; /* the monitor goes; all ends */
  clp_service_request *request;
  clp_question_answer answer;
  const clp_monitor *monitor; /* as it was seen to; NULL: there is none, */
  char why[512];              /* because of this */
};

/* ---- The worker --------------------------------------------------------------------------- */

static bool go_on(void *user)
{
  clp_desk *desk = user;
  return !atomic_load(&desk->leaving) && !atomic_load(&desk->closing);
}

static void work(clp_desk *desk)
{
  if (atomic_load(&desk->stage) != DESK_SEEN)
    clp_question_refuse(&desk->answer, CLP_QUESTION_REFUSED, "shutting down");
  else if (!desk->monitor)
    clp_question_refuse(&desk->answer, CLP_QUESTION_REFUSED, "%s", desk->why);
  else
    clp_question_ask(desk->monitor, &desk->request->question, (clp_question_patience){go_on, desk},
                     &desk->answer);
}

static void *run_worker(void *user)
{
  clp_desk *desk = user;
  clp_stand_back();
  while (atomic_load(&desk->stage) == DESK_ASKED && !atomic_load(&desk->closing))
    clp_nap(CYCLE_INTERVAL);
  work(desk);
  atomic_store(&desk->stage, DESK_DONE);
  return NULL;
}

/* ---- The clerk ---------------------------------------------------------------------------- */

static void respond(const clp_desk *desk, clp_service_request *request, clp_question_answer *answer)
{
  desk->front->respond(desk->self, request, answer);
  desk->front->drop_request(desk->self, request);
  clp_question_answer_release(answer);
}

static void refuse(const clp_desk *desk, clp_service_request *request, clp_question_verdict verdict,
                   const char *why)
{
  clp_question_answer answer = {.verdict = verdict};
  clp_question_refuse(&answer, verdict, "%s", why);
  respond(desk, request, &answer);
}

static void receive(clp_desk *desk, clp_service_request *request)
{
  if (atomic_load(&desk->stage) != DESK_FREE) {
    refuse(desk, request, CLP_QUESTION_BUSY, "another request is being worked on");
    return;
  }
  desk->request = request;
  atomic_store(&desk->stage, DESK_ASKED);
  if (clp_begin_background(&desk->worker, run_worker, desk))
    return;
  atomic_store(&desk->stage, DESK_FREE);
  refuse(desk, request, CLP_QUESTION_REFUSED, "there is no thread for it");
}

static void hand_out(clp_desk *desk)
{
  pthread_join(desk->worker, NULL);
  respond(desk, desk->request, &desk->answer);
  atomic_store(&desk->stage, DESK_FREE);
}

static void *run_clerk(void *user)
{
  clp_desk *desk = user;
  clp_stand_back();
  while (!atomic_load(&desk->closing)) {
    if (atomic_load(&desk->stage) == DESK_DONE)
      hand_out(desk);
    clp_service_request *request = desk->front->take_request(desk->self);
    if (request)
      receive(desk, request);
    else
      clp_nap(CLERK_INTERVAL);
  }
  if (atomic_load(&desk->stage) != DESK_FREE)
    hand_out(desk);
  return NULL;
}

/* ---- The thread of the cycles ------------------------------------------------------------- */

clp_desk *clp_desk_open(const clp_front *front, void *self)
{
  clp_desk *desk = calloc(1, sizeof *desk);
  if (!desk)
    return NULL;
  desk->front = front;
  desk->self = self;
  if (clp_begin_background(&desk->clerk, run_clerk, desk))
    return desk;
  free(desk);
  return NULL;
}

void clp_desk_attend(clp_desk *desk, clp_monitor *monitor, const char *why)
{
  if (!desk || atomic_load(&desk->stage) != DESK_ASKED)
    return;
  desk->monitor = monitor;
  if (monitor)
    clp_monitor_take_snapshot(monitor);
  else
    snprintf(desk->why, sizeof desk->why, "%s", why);
  atomic_store(&desk->stage, DESK_SEEN);
}

/* It is this thread that makes questions seen, so that none will be before this returns. */
void clp_desk_leave(clp_desk *desk)
{
  if (!desk)
    return;
  atomic_store(&desk->leaving, true);
  while (atomic_load(&desk->stage) == DESK_SEEN)
    clp_nap(CYCLE_INTERVAL);
  atomic_store(&desk->leaving, false);
}

void clp_desk_close(clp_desk *desk)
{
  if (!desk)
    return;
  atomic_store(&desk->closing, true);
  pthread_join(desk->clerk, NULL);
  free(desk);
}
