/* SPDX-License-Identifier: Apache-2.0 */
/* Open CASCADE's local extrema on exact B-spline surfaces, seeded with the last parameters. */
#include <Adaptor3d_Surface.hxx>
#include <Extrema_GenLocateExtPS.hxx>
#include <Extrema_GenLocateExtSS.hxx>
#include <GeomAdaptor_Surface.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Standard_Failure.hxx>
#include <Standard_Version.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TColStd_Array2OfReal.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <cmath>
#include <gp_Trsf.hxx>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "bench/peers/peer.h"

namespace
{

const double nan = std::numeric_limits<double>::quiet_NaN();

/* ---- Surfaces ----------------------------------------------------------------------------- */

/* Open CASCADE wants every knot once, with its multiplicity. */
std::pair<TColStd_Array1OfReal, TColStd_Array1OfInteger> knots_of(const double *knots, int count)
{
  std::vector<double> values;
  std::vector<int> times;
  for (int k = 0; k < count; ++k) {
    if (k == 0 || knots[k] > values.back()) {
      values.push_back(knots[k]);
      times.push_back(0);
    }
    ++times.back();
  }
  const int size = int(values.size());
  TColStd_Array1OfReal unique(1, size);
  TColStd_Array1OfInteger multiplicities(1, size);
  for (int k = 0; k < size; ++k) {
    unique(k + 1) = values[std::size_t(k)];
    multiplicities(k + 1) = times[std::size_t(k)];
  }
  return {unique, multiplicities};
}

Handle(Geom_BSplineSurface) surface_of(const clp_patch_def &def)
{
  TColgp_Array2OfPnt poles(1, def.size_u, 1, def.size_v);
  TColStd_Array2OfReal weights(1, def.size_u, 1, def.size_v);
  const double *c = def.control_points;
  for (int i = 1; i <= def.size_u; ++i) {
    for (int j = 1; j <= def.size_v; ++j, c += 4) {
      poles(i, j) = gp_Pnt(c[0], c[1], c[2]);
      weights(i, j) = c[3];
    }
  }
  auto u = knots_of(def.knots_u, def.size_u + def.degree_u + 1);
  auto v = knots_of(def.knots_v, def.size_v + def.degree_v + 1);
  return new Geom_BSplineSurface(poles, weights, u.first, v.first, u.second, v.second, def.degree_u,
                                 def.degree_v);
}

/* A surface seen through a pose: what its own adaptor gives, moved. The adaptor keeps its cache of
 * the current span, which transforming the control points would throw away at every pose. */
class MovedSurface : public Adaptor3d_Surface
{
 public:
  explicit MovedSurface(const Handle(Geom_BSplineSurface) & surface) : surface_(surface)
  {
  }
  void set_pose(const gp_Trsf &pose)
  {
    pose_ = pose;
  }
  Standard_Real FirstUParameter() const override
  {
    return surface_.FirstUParameter();
  }
  Standard_Real LastUParameter() const override
  {
    return surface_.LastUParameter();
  }
  Standard_Real FirstVParameter() const override
  {
    return surface_.FirstVParameter();
  }
  Standard_Real LastVParameter() const override
  {
    return surface_.LastVParameter();
  }
  GeomAbs_SurfaceType GetType() const override
  {
    return GeomAbs_BSplineSurface;
  }
  gp_Pnt Value(Standard_Real u, Standard_Real v) const override
  {
    return surface_.Value(u, v).Transformed(pose_);
  }
  void D0(Standard_Real u, Standard_Real v, gp_Pnt &p) const override
  {
    surface_.D0(u, v, p);
    p.Transform(pose_);
  }
  void D1(Standard_Real u, Standard_Real v, gp_Pnt &p, gp_Vec &du, gp_Vec &dv) const override
  {
    surface_.D1(u, v, p, du, dv);
    p.Transform(pose_);
    du.Transform(pose_);
    dv.Transform(pose_);
  }
  void D2(Standard_Real u, Standard_Real v, gp_Pnt &p, gp_Vec &du, gp_Vec &dv, gp_Vec &duu,
          gp_Vec &dvv, gp_Vec &duv) const override
  {
    surface_.D2(u, v, p, du, dv, duu, dvv, duv);
    p.Transform(pose_);
    for (gp_Vec *d : {&du, &dv, &duu, &dvv, &duv})
      d->Transform(pose_);
  }

 private:
  GeomAdaptor_Surface surface_;
  gp_Trsf pose_;
};

gp_Trsf transform_of(const clp_pose &x)
{
  const clp_mat3 &r = x.rotation;
  gp_Trsf t;
  t.SetValues(r.x.x, r.y.x, r.z.x, x.position.x, r.x.y, r.y.y, r.z.y, x.position.y, r.x.z, r.y.z,
              r.z.z, x.position.z);
  return t;
}

/* ---- Pairs -------------------------------------------------------------------------------- */

struct Pair {
  GeomAdaptor_Surface a;
  std::unique_ptr<MovedSurface> b;
  std::unique_ptr<Extrema_GenLocateExtPS> point_extrema;
  std::vector<gp_Trsf> poses;
  std::vector<gp_Pnt> points;
  double tolerance = 0;
  double u = 0.5, v = 0.5, r = 0.5, s = 0.5;
  gp_Pnt on_b;
};

bool single_patch(const clp_body_def &def)
{
  return def.shape == CLP_SHAPE_PATCHES && def.patch_count == 1;
}

/* The tolerance is the parameters'. */
template <int DIGITS>
void *create(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count)
{
  if (!single_patch(*a) || !(single_patch(*b) || b->shape == CLP_SHAPE_POINT))
    return nullptr;
  auto pair = std::make_unique<Pair>();
  pair->a.Load(surface_of(a->patches[0]));
  if (single_patch(*b))
    pair->b = std::make_unique<MovedSurface>(surface_of(b->patches[0]));
  pair->tolerance = std::pow(10.0, -DIGITS);
  pair->point_extrema =
      std::make_unique<Extrema_GenLocateExtPS>(pair->a, pair->tolerance, pair->tolerance);
  for (int k = 0; k < count; ++k) {
    pair->poses.push_back(transform_of(poses[k]));
    pair->points.push_back(gp_Pnt(b->size.x, b->size.y, b->size.z).Transformed(pair->poses.back()));
  }
  return pair.release();
}

void destroy(void *pair)
{
  delete static_cast<Pair *>(pair);
}

double distance_to_point(Pair &p, int k)
{
  Extrema_GenLocateExtPS &extrema = *p.point_extrema;
  extrema.Perform(p.points[std::size_t(k)], p.u, p.v);
  if (!extrema.IsDone())
    return nan;
  extrema.Point().Parameter(p.u, p.v);
  p.on_b = p.points[std::size_t(k)];
  return std::sqrt(extrema.SquareDistance());
}

double distance_to_surface(Pair &p, int k)
{
  p.b->set_pose(p.poses[std::size_t(k)]);
  Extrema_GenLocateExtSS extrema(p.a, *p.b, p.u, p.v, p.r, p.s, p.tolerance, p.tolerance);
  if (!extrema.IsDone())
    return nan;
  extrema.PointOnS1().Parameter(p.u, p.v);
  extrema.PointOnS2().Parameter(p.r, p.s);
  p.on_b = extrema.PointOnS2().Value();
  return std::sqrt(extrema.SquareDistance());
}

double distance(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  try {
    return p.b ? distance_to_surface(p, k) : distance_to_point(p, k);
  } catch (const Standard_Failure &) {
    return nan;
  }
}

peer_witnesses witnesses(const void *handle)
{
  const auto &p = *static_cast<const Pair *>(handle);
  const gp_Pnt a = p.a.Value(p.u, p.v), &b = p.on_b;
  return {{a.X(), a.Y(), a.Z()}, {b.X(), b.Y(), b.Z()}};
}

}  // namespace

#define OCCT "OCCT " OCC_VERSION_COMPLETE " GenLocateExt"

extern "C" const peer_pair peer_occt_pairs[] = {
    {OCCT, "exact, warm, tolerance 1e-9 (default)", create<9>, distance, destroy, witnesses,
     nullptr, 1e-9, true},
    {OCCT, "exact, warm, tolerance 1e-6", create<6>, distance, destroy, witnesses, nullptr, 1e-6,
     false},
    {},
};
