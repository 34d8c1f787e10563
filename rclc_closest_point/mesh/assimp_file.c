/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/assimp_file.h"

#include <string.h>

bool clp_assimp_knows(const char *ending)
{
  static const char *const known[] = {".obj", ".dae", ".ply", ".gltf", ".glb"};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    size_t c = 0;
    while (known[k][c] && (ending[c] == known[k][c] || (ending[c] | 0x20) == known[k][c]))
      ++c;
    if (!known[k][c] && !ending[c])
      return true;
  }
  return false;
}

#ifndef CLP_ASSIMP

clp_status clp_assimp_read(const char *bytes, size_t length, const char *ending, clp_log *log,
                           clp_arena *arena, clp_triangles *triangles)
{
  (void)bytes;
  (void)length;
  (void)arena;
  (void)triangles;
  clp_log_defect(log, 1,
                 "a mesh of format '%s', which this build cannot read: expected .stl, or a "
                 "build with Assimp",
                 clp_show_string(ending).text);
  return CLP_ERROR_FORMAT;
}

#else

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/mesh/declared.h"

/* Nodes hang in nodes so deep at most. */
#define MOST_DEPTH 100

/* ---- The one file there is ------------------------------------------------------------------- */

/* Of what a mesh names besides (buffers, materials, textures) nothing is opened: who wrote the file
 * could otherwise have any other one read. */
typedef struct only_file {
  const char *name, *bytes;
  size_t length;
} only_file;

typedef struct cursor {
  const only_file *file;
  size_t at;
} cursor;

static cursor *cursor_of(struct aiFile *file)
{
  return (cursor *)file->UserData;
}

static size_t read_some(struct aiFile *file, char *to, size_t size, size_t count)
{
  cursor *c = cursor_of(file);
  size_t left = c->file->length - c->at, most = size > 0 ? left / size : 0;
  size_t n = count < most ? count : most;
  memcpy(to, c->file->bytes + c->at, n * size);
  c->at += n * size;
  return n;
}

static size_t write_nothing(struct aiFile *file, const char *from, size_t size, size_t count)
{
  (void)file, (void)from, (void)size, (void)count;
  return 0;
}

static size_t tell(struct aiFile *file)
{
  return cursor_of(file)->at;
}

static size_t size_of(struct aiFile *file)
{
  return cursor_of(file)->file->length;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
  cursor *c = cursor_of(file);
  size_t base = origin == aiOrigin_CUR ? c->at : origin == aiOrigin_END ? c->file->length : 0;
  if (offset > c->file->length - base) /* backwards, too, as what has wrapped */
    return aiReturn_FAILURE;
  c->at = base + offset;
  return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *file)
{
  (void)file;
}

static struct aiFile *open_only(struct aiFileIO *io, const char *name, const char *mode)
{
  const only_file *only = (const only_file *)io->UserData;
  struct opened {
    struct aiFile file;
    cursor at;
  } *opened = strcmp(name, only->name) == 0 && *mode == 'r' ? malloc(sizeof *opened) : NULL;
  if (!opened)
    return NULL;
  opened->at = (cursor){only, 0};
  opened->file = (struct aiFile){.ReadProc = read_some,
                                 .WriteProc = write_nothing,
                                 .TellProc = tell,
                                 .FileSizeProc = size_of,
                                 .SeekProc = seek,
                                 .FlushProc = flush_nothing,
                                 .UserData = (char *)&opened->at};
  return &opened->file;
}

static void close_only(struct aiFileIO *io, struct aiFile *file)
{
  (void)io;
  free(file);
}

static const struct aiScene *import(const char *bytes, size_t length, const char *ending)
{
  char name[16];
  snprintf(name, sizeof name, "mesh%s", ending);
  only_file only = {name, bytes, length};
  struct aiFileIO io = {.OpenProc = open_only, .CloseProc = close_only, .UserData = (char *)&only};
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  if (!properties)
    return NULL;
  /* Otherwise Collada's z-up files are turned; the links of a URDF are in the file's own axes. */
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  const struct aiScene *scene =
      aiImportFileExWithProperties(name, aiProcess_Triangulate, &io, properties);
  aiReleasePropertyStore(properties);
  return scene;
}

/* ---- What it holds --------------------------------------------------------------------------- */

typedef struct collecting {
  const struct aiScene *scene;
  clp_log *log;
  clp_arena *arena;
  clp_triangles *triangles;
  size_t capacity;
} collecting;

static clp_vec3 corner_of(const struct aiMatrix4x4 *m, const struct aiVector3D *v)
{
  double x = (double)v->x, y = (double)v->y, z = (double)v->z;
  return (clp_vec3){(double)m->a1 * x + (double)m->a2 * y + (double)m->a3 * z + (double)m->a4,
                    (double)m->b1 * x + (double)m->b2 * y + (double)m->b3 * z + (double)m->b4,
                    (double)m->c1 * x + (double)m->c2 * y + (double)m->c3 * z + (double)m->c4};
}

static bool usable(clp_vec3 p)
{
  return fabs(p.x) <= CLP_MESH_LARGEST_COORDINATE && fabs(p.y) <= CLP_MESH_LARGEST_COORDINATE &&
         fabs(p.z) <= CLP_MESH_LARGEST_COORDINATE;
}

static clp_status add_face(collecting *c, const struct aiMesh *mesh, const struct aiFace *face,
                           const struct aiMatrix4x4 *pose)
{
  clp_vec3(*grown)[3] = clp_arena_grow(c->arena, c->triangles->corners, c->triangles->count,
                                       &c->capacity, sizeof *grown);
  if (!grown)
    return CLP_ERROR_MEMORY;
  c->triangles->corners = &grown[0][0];
  if (c->triangles->count == CLP_MESH_MAX_TRIANGLES) {
    clp_log_defect(c->log, 1, "more than %d triangles, which is the limit", CLP_MESH_MAX_TRIANGLES);
    return CLP_ERROR_FORMAT;
  }
  clp_vec3 *corners = grown[c->triangles->count];
  for (int k = 0; k < 3; ++k) {
    if (face->mIndices[k] >= mesh->mNumVertices) {
      clp_log_defect(c->log, 1, "a triangle names vertex %s of %s",
                     clp_number(face->mIndices[k], 10).text,
                     clp_number(mesh->mNumVertices, 10).text);
      return CLP_ERROR_FORMAT;
    }
    corners[k] = corner_of(pose, &mesh->mVertices[face->mIndices[k]]);
    if (!usable(corners[k])) {
      clp_log_defect(c->log, 1,
                     "triangle %d has a corner at %s, expected at most 1e7 of either sign",
                     (int)c->triangles->count, clp_place(corners[k]).text);
      return CLP_ERROR_FORMAT;
    }
  }
  ++c->triangles->count;
  return CLP_OK;
}

static clp_status add_mesh(collecting *c, const struct aiMesh *mesh, const struct aiMatrix4x4 *pose)
{
  clp_status status = CLP_OK;
  for (unsigned f = 0; f < mesh->mNumFaces && status == CLP_OK; ++f)
    if (mesh->mFaces[f].mNumIndices == 3)
      status = add_face(c, mesh, &mesh->mFaces[f], pose);
  return status;
}

/* Each node's own pose comes after its parent's. */
static clp_status add_node(collecting *c, const struct aiNode *node,
                           const struct aiMatrix4x4 *parent, int depth)
{
  struct aiMatrix4x4 pose = *parent;
  aiMultiplyMatrix4(&pose, &node->mTransformation);
  clp_status status = CLP_OK;
  if (depth > MOST_DEPTH) {
    clp_log_defect(c->log, 1, "nodes are nested more than %d deep", MOST_DEPTH);
    return CLP_ERROR_FORMAT;
  }
  for (unsigned k = 0; k < node->mNumMeshes && status == CLP_OK; ++k)
    if (node->mMeshes[k] < c->scene->mNumMeshes)
      status = add_mesh(c, c->scene->mMeshes[node->mMeshes[k]], &pose);
  for (unsigned k = 0; k < node->mNumChildren && status == CLP_OK; ++k)
    status = add_node(c, node->mChildren[k], &pose, depth + 1);
  return status;
}

clp_status clp_assimp_read(const char *bytes, size_t length, const char *ending, clp_log *log,
                           clp_arena *arena, clp_triangles *triangles)
{
  *triangles = (clp_triangles){0};
  clp_declared declared = clp_declared_most(bytes, length, ending);
  if (declared.count > length) {
    clp_log_defect(log, 1, "%s %s in %s bytes, expected no more of them than bytes",
                   clp_number((double)declared.count, 12).text, declared.what,
                   clp_number((double)length, 12).text);
    return CLP_ERROR_FORMAT;
  }
  const struct aiScene *scene = import(bytes, length, ending);
  if (!scene || !scene->mRootNode) {
    clp_log_defect(log, 1, "no mesh can be read from it: %s",
                   clp_show_string(aiGetErrorString()).text);
    if (scene)
      aiReleaseImport(scene);
    return CLP_ERROR_FORMAT;
  }
  collecting c = {.scene = scene, .log = log, .arena = arena, .triangles = triangles};
  struct aiMatrix4x4 identity;
  aiIdentityMatrix4(&identity);
  clp_status status = add_node(&c, scene->mRootNode, &identity, 0);
  aiReleaseImport(scene);
  return status;
}

#endif
