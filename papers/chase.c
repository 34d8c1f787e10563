/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/chase.h"

#include <math.h>

#include "rclc_closest_point/math/pose.h"

/* There is no deadline here. */
#define PATIENT_CELLS 100000

clp_chase clp_chase_begin(const clp_body *body, const clp_body *probe, clp_vec3 q, uint32_t face,
                          double u, double v)
{
  clp_chase chase = {.body = body, .probe = probe, .options = clp_default_flow_options()};
  clp_pose X_WA = clp_pose_identity(), X_WQ = X_WA;
  X_WQ.position = q;
  chase.couple = clp_couple_make(body, probe, &X_WA, &X_WQ);
  chase.spots.b = clp_spot_on_vertex(0);
  chase.options.controller = CLP_CONTROLLER_SWITCHING;
  clp_chase_start(&chase, face, u, v);
  return chase;
}

void clp_chase_start(clp_chase *chase, uint32_t face, double u, double v)
{
  const clp_surface *surface = &chase->body->faces[face].surface;
  chase->spots.a = clp_spot_on_face(face, clp_surface_site(surface, u, v));
}

clp_flow_result clp_chase_step(clp_chase *chase, clp_vec3 q)
{
  clp_couple before = chase->couple;
  chase->couple.X_AB.position = q;
  clp_twist motion = {0};
  motion.linear = clp_scale(1 / chase->options.cycle, clp_sub(q, before.X_AB.position));
  return clp_flow_cycle(&chase->options, &chase->couple, &motion, NULL, &chase->spots, NULL);
}

static clp_site site_on_face(const clp_body *body, clp_spot spot, uint32_t face)
{
  if (spot.kind == CLP_EDGE) {
    const clp_edge *edge = &body->edges[spot.id];
    for (int k = 0; k < 2; ++k)
      if (edge->use[k] != CLP_NONE && body->uses[edge->use[k]].face == face)
        return clp_edge_face_site(edge, k, &body->uses[edge->use[k]], &body->faces[face],
                                  clp_spot_curve_site(spot));
  }
  if (spot.kind == CLP_VERTEX) {
    const clp_vertex *vertex = &body->vertices[spot.id];
    for (uint32_t k = 0; k < vertex->corner_count; ++k)
      if (body->corners[vertex->first_corner + k].face == face)
        return body->corners[vertex->first_corner + k].site;
  }
  return spot.site;
}

clp_chase_state clp_chase_measure(const clp_chase *chase, uint32_t face)
{
  clp_chase_state state;
  const clp_face *of = &chase->body->faces[face];
  clp_site site = site_on_face(chase->body, chase->spots.a, face);
  clp_jet jet = clp_surface_jet(&of->surface, site);
  clp_vec3 r = clp_sub(jet.p, chase->couple.X_AB.position);
  clp_surface_parameters(&of->surface, site, &state.u, &state.v);
  state.place = jet.p;
  state.distance = clp_norm(r);
  state.g_u = clp_dot(r, jet.u);
  state.g_v = clp_dot(r, jet.v);
  state.psi_u = state.g_u / (state.distance * clp_norm(jet.u));
  state.psi_v = state.g_v / (state.distance * clp_norm(jet.v));
  return state;
}

const char *clp_chase_feature(const clp_chase *chase)
{
  clp_spot spot = chase->spots.a;
  return clp_body_feature(chase->body, spot.kind, spot.id).name;
}

clp_status clp_chase_ask(const clp_body *body, const clp_body *probe, clp_vec3 q,
                         clp_answer *answer)
{
  clp_pair *pair = NULL;
  clp_pair_options options = clp_default_pair_options();
  options.cells = PATIENT_CELLS;
  clp_status status = clp_pair_create(body, probe, &options, &pair);
  if (status != CLP_OK)
    return status;
  clp_pose X_WA = clp_pose_identity(), X_WQ = X_WA;
  X_WQ.position = q;
  *answer = clp_pair_query(pair, &X_WA, &X_WQ);
  clp_pair_destroy(pair);
  return CLP_OK;
}
