/* SPDX-License-Identifier: Apache-2.0 */

/* Two ellipsoids: a part of stride_kernel.h, by whose equations it goes. */

/* The same equations with both bodies side by side, A in the first lane and B in the second, each
 * in its own frame; only what enters both bodies' equations is turned into A's. */
typedef struct ellipsoids {
  clp_twin center, radii;
  clp_twin q;      /* the sites */
  clp_twin t1, t2; /* the tangents of the unit sphere there */
  clp_twin p;      /* the points */
} ellipsoids;

CLP_INLINE clp_twin seconds_of(clp_twin s, clp_twin t)
{
  return (clp_twin){{s.x[1], t.x[1]}, {s.y[1], t.y[1]}, {s.z[1], t.z[1]}};
}

/* H z = T^T d and H w = T^T v, as above. */
CLP_INLINE bool solve_ellipsoids(const clp_cycle *c, const ellipsoids *e, unknowns *xa,
                                 unknowns *xb)
{
  const clp_mat3 *R = &c->couple.X_AB.rotation;
  const clp_two signs = {1, -1};
  clp_twin u = clp_twin_stretch(e->radii, e->t1), v = clp_twin_stretch(e->radii, e->t2);
  clp_twin arm = clp_twin_sub(e->p, e->center);
  clp_twin ta = clp_twin_of(clp_twin_first(u), clp_twin_first(v));
  clp_twin tb = clp_twin_rotate(R, seconds_of(u, v));
  clp_twin turned = clp_twin_rotate(R, seconds_of(arm, e->p));
  clp_vec3 f = clp_twin_first(e->p);
  clp_vec3 h = clp_add(clp_twin_second(turned), c->couple.X_AB.position), d = clp_sub(h, f);
  clp_two bend = signs * clp_twin_dot(clp_twin_of(clp_twin_first(arm), clp_twin_first(turned)), d);
  clp_two u2 = clp_twin_dots(u, u), uv = clp_twin_dots(u, v), v2 = clp_twin_dots(v, v);
  clp_two uu = u2 + bend, vv = v2 + bend;
  block a = {uu[0], uv[0], vv[0], u2[0], v2[0]}, b = {uu[1], uv[1], vv[1], u2[1], v2[1]};
  *xa = project(FORM_ELLIPSOID, ta, clp_twin_of(d, velocity(&c->motion, h)));
  *xb = project(FORM_ELLIPSOID, tb, clp_twin_of(d, velocity(&c->motion, f)));
  return solve_both(FORM_ELLIPSOID, FORM_ELLIPSOID, &a, &b, clp_twin_dot(tb, clp_twin_first(u)),
                    clp_twin_dot(tb, clp_twin_first(v)), xa, xb);
}

/* One of the two right sides' unknowns along the same direction, counted forwards in both. */
CLP_INLINE clp_two side_of(int side, clp_two a, clp_two b)
{
  return (clp_two){a[side], -b[side]};
}

CLP_INLINE clp_twin along_tangents(const ellipsoids *e, int side, const unknowns *xa,
                                   const unknowns *xb)
{
  return clp_twin_add(clp_twin_scale(side_of(side, xa->u, xb->u), e->t1),
                      clp_twin_scale(side_of(side, xa->v, xb->v), e->t2));
}

/* Both sites moved on; false where that is too far for a correction or over a bound. */
CLP_INLINE bool go_on_ellipsoids(ellipsoids *e, const unknowns *xa, const unknowns *xb,
                                 const clp_face *face_a, const clp_face *face_b)
{
  clp_twin q = clp_twin_add(e->q, along_tangents(e, 0, xa, xb));
  clp_two length2 = clp_twin_dots(q, q);
  e->q = clp_twin_scale(1 / clp_two_sqrt(length2), q);
  e->p = clp_twin_add(e->center, clp_twin_stretch(e->radii, e->q));
  return clp_usually(fabs(length2[0] - 1) < CLP_STRIDE_LONG_TURN) &&
         clp_usually(fabs(length2[1] - 1) < CLP_STRIDE_LONG_TURN) &&
         clp_usually(
             clp_walk_inside(&face_a->domain, clp_ellipsoid_site_in(clp_twin_first(e->q)))) &&
         clp_usually(
             clp_walk_inside(&face_b->domain, clp_ellipsoid_site_in(clp_twin_second(e->q))));
}

/* R^-1 q times det(R), made unit. */
CLP_INLINE clp_twin ellipsoids_normals(const ellipsoids *e, clp_two outward)
{
  clp_twin r = e->radii, yzx = {r.y * r.z, r.z * r.x, r.x * r.y};
  clp_twin out = clp_twin_stretch(yzx, e->q);
  return clp_twin_scale(outward / clp_two_sqrt(clp_twin_dots(out, out)), out);
}

static bool ELLIPSOID_ELLIPSOID(const clp_cycle *c, const clp_spots *spots, const clp_twin *rates,
                                clp_stride *s)
{
  const clp_pose *X_AB = &c->couple.X_AB;
  const clp_face *face_a = &c->couple.a->faces[spots->a.id];
  const clp_face *face_b = &c->couple.b->faces[spots->b.id];
  const clp_ellipsoid *a = &face_a->surface.as.ellipsoid, *b = &face_b->surface.as.ellipsoid;
  clp_twin q =
      clp_twin_of(clp_ellipsoid_direction(spots->a.site), clp_ellipsoid_direction(spots->b.site));
  ellipsoids e = {.center = clp_twin_of(a->center, b->center),
                  .radii = clp_twin_of(a->radii, b->radii),
                  .q = clp_twin_unit(clp_twin_add_scaled(q, c->step, *rates))};
  clp_twin_tangents(e.q, &e.t1, &e.t2);
  e.p = clp_twin_add(e.center, clp_twin_stretch(e.radii, e.q));
  unknowns xa, xb;
  if (!solve_ellipsoids(c, &e, &xa, &xb))
    return false;
  const clp_twin from = e.p;
  if (!go_on_ellipsoids(&e, &xa, &xb, face_a, face_b))
    return false;
  s->rates = along_tangents(&e, 1, &xa, &xb);
  s->spots.a = (clp_spot){CLP_FACE, spots->a.id, clp_ellipsoid_site_in(clp_twin_first(e.q))};
  s->spots.b = (clp_spot){CLP_FACE, spots->b.id, clp_ellipsoid_site_in(clp_twin_second(e.q))};
  clp_twin way = clp_twin_sub(e.p, from);
  clp_two way2 = clp_twin_dots(way, way);
  s->way2 = way2[0] + way2[1];
  clp_twin n = ellipsoids_normals(&e, (clp_two){face_a->surface.outward, face_b->surface.outward});
  clp_twin of_b = clp_twin_rotate(&X_AB->rotation, seconds_of(e.p, n));
  s->feet = (clp_feet){.f = clp_twin_first(e.p),
                       .h = clp_add(clp_twin_first(of_b), X_AB->position),
                       .normal_a = clp_twin_first(n),
                       .normal_b = clp_twin_second(of_b)};
  return true;
}
