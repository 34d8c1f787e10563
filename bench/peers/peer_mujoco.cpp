/* SPDX-License-Identifier: Apache-2.0 */
/* MuJoCo's collision functions. Versions before 3.1.4 have none for distances, but report contacts
 * at a distance within a margin, which is asked for: pairs of its simplest shapes by formula,
 * others by the portal refinement of libccd between bodies that are swollen by half the margin. It
 * starts anew in every call. */
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/peer.h"

namespace
{

/* Farther than any pair of the benchmark is apart (m). */
constexpr double MARGIN = 3;

std::string number(double x)
{
  char text[32];
  std::snprintf(text, sizeof text, " %.17g", x);
  return text;
}

std::string sizes(std::initializer_list<double> values)
{
  std::string text = " size=\"";
  for (double x : values)
    text += number(x);
  return text + "\"/>";
}

/* An element of the model; empty where MuJoCo has no such shape. */
std::string geom_of(const clp_body_def &def, const char *mesh)
{
  switch (def.shape) {
    case CLP_SHAPE_BOX:
      return "<geom type=\"box\"" + sizes({def.size.x / 2, def.size.y / 2, def.size.z / 2});
    case CLP_SHAPE_SPHERE:
      return "<geom type=\"sphere\"" + sizes({def.radius});
    case CLP_SHAPE_ELLIPSOID:
      return "<geom type=\"ellipsoid\"" + sizes({def.size.x, def.size.y, def.size.z});
    case CLP_SHAPE_CYLINDER:
      return "<geom type=\"cylinder\"" + sizes({def.radius, def.length / 2});
    case CLP_SHAPE_CAPSULE:
      return "<geom type=\"capsule\"" + sizes({def.radius, def.length / 2});
    case CLP_SHAPE_POLYHEDRON:
    case CLP_SHAPE_PATCHES: /* closed ones as the hull of points on them */
      return def.polyhedron.vertex_count == 0
                 ? ""
                 : "<geom type=\"mesh\" mesh=\"" + std::string(mesh) + "\"/>";
    default:
      return "";
  }
}

std::string mesh_of(const clp_body_def &def, const char *name)
{
  if (def.shape != CLP_SHAPE_POLYHEDRON && def.shape != CLP_SHAPE_PATCHES)
    return "";
  std::string text = "<mesh name=\"" + std::string(name) + "\" vertex=\"";
  for (int k = 0; k < 3 * def.polyhedron.vertex_count; ++k)
    text += number(def.polyhedron.vertices[k]);
  return text + "\"/>";
}

/* From text in memory: the reader wants files, of which it takes those of a virtual folder first.
 */
mjModel *model_of(const std::string &text)
{
  char why[1000] = "";
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "pair.xml", int(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  mjModel *model = mj_loadXML("pair.xml", files.get(), why, sizeof why);
  mj_deleteVFS(files.get());
  if (model == nullptr)
    std::fprintf(stderr, "MuJoCo: %s\n", why);
  return model;
}

struct Frame {
  mjtNum rotation[9], position[3];
};

struct Pair {
  mjModel *model = nullptr;
  mjData *data = nullptr;
  mjContact contacts[mjMAXCONPAIR];
  const mjContact *nearest = nullptr;
  int first = 0, second = 1; /* in the order of their types, which its table of functions has */
  Frame in_body;             /* of the second body's geometry */
  std::vector<Frame> poses;
  ~Pair()
  {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
};

/* A mesh's geometry has a frame of its own in the body, in its axes of inertia. */
Frame frame_of(const mjModel *model, int geom)
{
  Frame f;
  mju_quat2Mat(f.rotation, model->geom_quat + 4 * geom);
  mju_copy3(f.position, model->geom_pos + 3 * geom);
  return f;
}

Frame frame_of(const clp_pose &x)
{
  const clp_mat3 &r = x.rotation;
  const clp_vec3 &p = x.position;
  return {{r.x.x, r.y.x, r.z.x, r.x.y, r.y.y, r.z.y, r.x.z, r.y.z, r.z.z}, {p.x, p.y, p.z}};
}

void place(const Pair &p, int geom, const Frame &body, const Frame &in_body)
{
  mjtNum *at = p.data->geom_xpos + 3 * geom;
  mju_mulMatMat(p.data->geom_xmat + 9 * geom, body.rotation, in_body.rotation, 3, 3, 3);
  mju_rotVecMat(at, in_body.position, body.rotation);
  mju_addTo3(at, body.position);
}

/* A tolerance with more digits gets more iterations than the 50 of the default. */
template <int DIGITS>
void *create(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count)
{
  const std::string first = geom_of(*a, "a"), second = geom_of(*b, "b");
  if (first.empty() || second.empty())
    return nullptr;
  auto pair = std::make_unique<Pair>();
  pair->model = model_of("<mujoco><asset>" + mesh_of(*a, "a") + mesh_of(*b, "b") +
                         "</asset><worldbody>" + first + second + "</worldbody></mujoco>");
  if (pair->model == nullptr)
    return nullptr;
  pair->data = mj_makeData(pair->model);
  pair->model->opt.mpr_tolerance = std::pow(10.0, -DIGITS);
  if (DIGITS > 6)
    pair->model->opt.mpr_iterations = 500;
  if (pair->model->geom_type[0] > pair->model->geom_type[1])
    std::swap(pair->first, pair->second);
  place(*pair, 0, {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}}, frame_of(pair->model, 0));
  pair->in_body = frame_of(pair->model, 1);
  for (int k = 0; k < count; ++k)
    pair->poses.push_back(frame_of(poses[k]));
  return pair.release();
}

double distance(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  place(p, 1, p.poses[std::size_t(k)], p.in_body);
  const int *types = p.model->geom_type;
  int count = mjCOLLISIONFUNC[types[p.first]][types[p.second]](p.model, p.data, p.contacts, p.first,
                                                               p.second, MARGIN);
  p.nearest = nullptr;
  for (int i = 0; i < count; ++i)
    if (p.nearest == nullptr || p.contacts[i].dist < p.nearest->dist)
      p.nearest = &p.contacts[i];
  return p.nearest ? p.nearest->dist : std::numeric_limits<double>::quiet_NaN();
}

/* Half the distance either way from the contact. */
peer_witnesses witnesses(const void *handle)
{
  const auto &p = *static_cast<const Pair *>(handle);
  const mjtNum *at = p.nearest->pos, *n = p.nearest->frame;
  const double half = (p.first == 0 ? 0.5 : -0.5) * p.nearest->dist;
  return {{at[0] - half * n[0], at[1] - half * n[1], at[2] - half * n[2]},
          {at[0] + half * n[0], at[1] + half * n[1], at[2] + half * n[2]}};
}

void destroy(void *pair)
{
  delete static_cast<Pair *>(pair);
}

const std::string name = "MuJoCo " + std::string(mj_versionString()) + " contacts";

}  // namespace

extern "C" const peer_pair peer_mujoco_pairs[] = {
    {name.c_str(), "exact shapes, margin 3 m, tolerance 1e-6 (default)", create<6>, distance,
     destroy, witnesses, nullptr, 1e-6, true},
    {name.c_str(), "exact shapes, margin 3 m, tolerance 1e-12", create<12>, distance, destroy,
     witnesses, nullptr, 1e-12, false},
    {},
};
