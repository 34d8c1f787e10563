/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SPLINE_BENDS_H
#define RCLC_CLOSEST_POINT_SURFACE_SPLINE_BENDS_H

/* How a spline bends at a place where its normal n is known, for pair/derivative_plain.c and
 * pair/derivative_wide.c. With p = c + q and the homogeneous polynomial (w q, w) =: (N, w), and as
 * n is square to p_u and p_v,
 *     w p_u = N_u - w_u q,     w n.p_uv = n.N_uv - w_uv n.q = (n, -n.q).(N, w)_uv,
 * so that second derivatives are never evaluated as vectors, and no quotient rule is applied. Where
 * w is 1 its derivatives are 0, and (n, 0) does. */

#include <assert.h>
#include <stdbool.h>

#include "rclc_closest_point/math/quartet.h"
#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/surface/spline_lanes.h"

/* Tangents that are less square to n than this (radians, of both the root of the sum of squares)
 * are those of another place. */
#define CLP_BENDS_FACING 1e-6

/* A parallelogram of tangents flatter than this (its sine) tells no curvature. */
#define NO_AREA 1e-8

/* A normal and two directions, unit and square to each other. The fourth lanes are 0. */
typedef struct clp_normal_frame {
  clp_quartet n, across[2];
} clp_normal_frame;

/* Of all four lanes: the value, and the derivatives as in lanes_jet. */
typedef struct homogeneous {
  clp_quartet p, s, t, ss, st, tt;
} homogeneous;

CLP_INLINE homogeneous homogeneous_at(const double *block, int degree_u, int degree_v,
                                      const double *site)
{
  const double *c = block + CLP_SPAN_HEAD;
  lanes s = lanes_of(site[0] - block[CLP_SPAN_MIDDLE_U]);
  lanes t = lanes_of(site[1] - block[CLP_SPAN_MIDDLE_V]);
#ifdef CLP_WIDE_LANES
  lanes_jet j = lanes_jet_at(c, degree_u, degree_v, s, t);
  return (homogeneous){j.p, j.s, j.t, j.ss, j.st, j.tt};
#else
  lanes_jet xy = lanes_jet_at(c, degree_u, degree_v, s, t);
  lanes_jet zw = lanes_jet_at(c + 2, degree_u, degree_v, s, t);
  return (homogeneous){.p = clp_quartet_joined(xy.p, zw.p),
                       .s = clp_quartet_joined(xy.s, zw.s),
                       .t = clp_quartet_joined(xy.t, zw.t),
                       .ss = clp_quartet_joined(xy.ss, zw.ss),
                       .st = clp_quartet_joined(xy.st, zw.st),
                       .tt = clp_quartet_joined(xy.tt, zw.tt)};
#endif
}

/* What the head of this file says, times w: the tangents, and what stands for n. */
typedef struct bend_terms {
  clp_quartet n, u, v;
  double w;
} bend_terms;

CLP_INLINE bend_terms terms_of(const double *block, const homogeneous *j, clp_quartet n)
{
  if (block[CLP_SPAN_TRUST] > 0)
    return (bend_terms){n, j->s, j->t, 1};
  double w = clp_quartet_second(j->p)[1];
  clp_quartet back = clp_quartet_scale(-1 / w, j->p), products = clp_quartet_mul(n, back);
  clp_quartet sums = clp_quartet_sums(products, products, products, products);
  clp_quartet u = clp_quartet_add(j->s, clp_quartet_scale(clp_quartet_second(j->s)[1], back));
  clp_quartet v = clp_quartet_add(j->t, clp_quartet_scale(clp_quartet_second(j->t)[1], back));
  return (bend_terms){CLP_QUARTET_PICK(n, sums, 0, 1, 2, 7), u, v, w};
}

/* a.u, a.v, b.u, b.v */
CLP_INLINE clp_quartet products_with(clp_quartet a, clp_quartet b, const bend_terms *of)
{
  return clp_quartet_sums(clp_quartet_mul(a, of->u), clp_quartet_mul(a, of->v),
                          clp_quartet_mul(b, of->u), clp_quartet_mul(b, of->v));
}

/* n.uu, n.uv, n.vv: of uu and vv the jet has the halves. */
CLP_INLINE clp_quartet second_form_of(const homogeneous *j, clp_quartet n)
{
  clp_quartet uu = clp_quartet_mul(n, j->ss), uv = clp_quartet_mul(n, j->st),
              vv = clp_quartet_mul(n, j->tt);
  return clp_quartet_mul(clp_quartet_of(2, 1, 2, 2), clp_quartet_sums(uu, uv, vv, vv));
}

/* From P = (e_0.u, e_0.v, e_1.u, e_1.v) and H = (n.uu, n.uv, n.vv): k P^-1 H P^-T det(P)^2, two
 * columns, symmetric to the last bit. */
CLP_INLINE clp_quartet bends_of(clp_quartet P, clp_quartet H, double k)
{
  clp_quartet a = clp_quartet_mul(clp_quartet_of(1, -1, -1, 1), CLP_QUARTET_PICK(P, P, 3, 2, 1, 0));
  clp_quartet m = clp_quartet_add(
      clp_quartet_mul(CLP_QUARTET_PICK(a, a, 0, 0, 2, 2), CLP_QUARTET_PICK(H, H, 0, 1, 0, 1)),
      clp_quartet_mul(CLP_QUARTET_PICK(a, a, 1, 1, 3, 3), CLP_QUARTET_PICK(H, H, 1, 2, 1, 2)));
  clp_quartet own = clp_quartet_mul(m, a);
  clp_quartet both =
      clp_quartet_mul(CLP_QUARTET_PICK(m, m, 0, 1, 0, 1), CLP_QUARTET_PICK(a, a, 2, 3, 2, 3));
  clp_quartet sums = clp_quartet_pairs(own, both);
  return clp_quartet_scale(k, CLP_QUARTET_PICK(sums, sums, 0, 1, 3, 2));
}

CLP_INLINE bool bends_of_degree(const double *block, int degree_u, int degree_v, const double *site,
                                const clp_normal_frame *frame, const clp_pose *X, double side,
                                clp_quartet *bends)
{
  clp_quartet n = clp_quartet_turn_back(X, frame->n),
              e0 = clp_quartet_turn_back(X, frame->across[0]);
  clp_quartet e1 = clp_quartet_turn_back(X, frame->across[1]);
  const homogeneous j = homogeneous_at(block, degree_u, degree_v, site);
  const bend_terms terms = terms_of(block, &j, n);
  clp_quartet P = products_with(e0, e1, &terms), H = second_form_of(&j, terms.n);
  clp_two beside =
      clp_quartet_two_sums(clp_quartet_mul(terms.n, terms.u), clp_quartet_mul(terms.n, terms.v));
  clp_two first = clp_quartet_first(P), second = clp_quartet_second(P);
  clp_two crossed = first * __builtin_shufflevector(second, second, 1, 0);
  clp_two squares = first * first + second * second;
  clp_two turned = __builtin_shufflevector(squares, squares, 1, 0);
  clp_two sines = beside * beside * turned;
  double det = crossed[0] - crossed[1], det2 = det * det, both = squares[0] * turned[0];
  *bends = bends_of(P, H, side * terms.w / det2);
  return clp_usually(det2 > NO_AREA * NO_AREA * both) &&
         clp_usually(sines[0] + sines[1] <= CLP_BENDS_FACING * CLP_BENDS_FACING * both);
}

/* Low degrees get functions of their own, as in spline_kernel.h. */
#define CLP_SPLINE_BENDS(degree_u, degree_v)                                                  \
  static bool bends_##degree_u##_##degree_v(const double *block, const double *site,          \
                                            const clp_normal_frame *frame, const clp_pose *X, \
                                            double side, clp_quartet *bends)                  \
  {                                                                                           \
    return bends_of_degree(block, degree_u, degree_v, site, frame, X, side, bends);           \
  }

/* clang-format off */
CLP_SPLINE_BENDS(1, 1) CLP_SPLINE_BENDS(1, 2) CLP_SPLINE_BENDS(1, 3) CLP_SPLINE_BENDS(1, 4)
CLP_SPLINE_BENDS(2, 1) CLP_SPLINE_BENDS(2, 2) CLP_SPLINE_BENDS(2, 3) CLP_SPLINE_BENDS(2, 4)
CLP_SPLINE_BENDS(3, 1) CLP_SPLINE_BENDS(3, 2) CLP_SPLINE_BENDS(3, 3) CLP_SPLINE_BENDS(3, 4)
CLP_SPLINE_BENDS(4, 1) CLP_SPLINE_BENDS(4, 2) CLP_SPLINE_BENDS(4, 3) CLP_SPLINE_BENDS(4, 4)
enum { BENDS_DEGREES = 4 };

typedef bool bends_at(const double *, const double *, const clp_normal_frame *, const clp_pose *, double,
                      clp_quartet *);

static bends_at *const bends_by_degree[BENDS_DEGREES][BENDS_DEGREES] = {
    {bends_1_1, bends_1_2, bends_1_3, bends_1_4},
    {bends_2_1, bends_2_2, bends_2_3, bends_2_4},
    {bends_3_1, bends_3_2, bends_3_3, bends_3_4},
    {bends_4_1, bends_4_2, bends_4_3, bends_4_4},
};
/* clang-format on */

CLP_APART bool bends_of_any(const clp_nurbs *nurbs, const double *block, const double *site,
                            const clp_normal_frame *frame, const clp_pose *X, double side,
                            clp_quartet *bends)
{
  return bends_of_degree(block, nurbs->degree_u, nurbs->degree_v, site, frame, X, side, bends);
}

CLP_APART const double *block_of_many(const clp_nurbs *nurbs, const double *site)
{
  return block_at(nurbs, nurbs->degree_u, nurbs->degree_v, site[0], site[1]);
}

/* Most faces have one span, or few. */
CLP_INLINE const double *block_of_few(const clp_nurbs *nurbs, const double *site)
{
  enum { FEW = 5 };
  if (clp_usually((nurbs->spans_u | nurbs->spans_v) == 1))
    return nurbs->coefficients;
  return clp_usually(nurbs->spans_u <= FEW && nurbs->spans_v <= FEW)
             ? block_at(nurbs, nurbs->degree_u, nurbs->degree_v, site[0], site[1])
             : block_of_many(nurbs, site);
}

static_assert((BENDS_DEGREES & (BENDS_DEGREES - 1)) == 0, "both are below it where their bits are");

/* The curvatures along the frame's directions, a matrix by its two columns, of a spline in the
 * frame X: positive where it bends towards side times n. False where n is not its normal, or
 * nothing tells. */
CLP_INLINE bool spline_bends(const clp_nurbs *nurbs, const double *site,
                             const clp_normal_frame *frame, const clp_pose *X, double side,
                             clp_quartet *bends)
{
  const double *block = block_of_few(nurbs, site);
  unsigned above_u = (unsigned)nurbs->degree_u - 1, above_v = (unsigned)nurbs->degree_v - 1;
  if (clp_usually((above_u | above_v) < BENDS_DEGREES))
    return bends_by_degree[above_u][above_v](block, site, frame, X, side, bends);
  return bends_of_any(nurbs, block, site, frame, X, side, bends);
}

#endif
