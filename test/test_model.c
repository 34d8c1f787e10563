/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model.h"
#include "support/lines.h"
#include "support/suite.h"

/* ---- Files with one defect each ----------------------------------------------------------- */

/* test/data/bad/FILE.urdf must be refused with a line that begins "FILE.urdf:LINE: " and has
 * `text` in it. */
typedef struct defect {
  const char *file;
  int line;
  const char *text;
} defect;

/* What the reader finds: these defects and no others. */
static const defect reader_defects[] = {
    {"attribute_twice", 6, "redefined"},
    {"attributes_many", 4, "a tag with more than 64 attributes, which is the limit"},
    {"bytes", 3, "UTF-8"},
    {"collision_ellipsoid", 6, "<ellipsoid> as collision geometry, expected <box>,"},
    {"collision_origin", 5, "<origin> has an unknown attribute 'euler', expected only xyz, rpy"},
    {"collision_word", 5, "'zero' is not a number, expected one such as -1.5e-3"},
    {"comma_attribute", 5, "'1,2,3' is not a number, expected one such as -1.5e-3"},
    {"comma_attribute", 5, "<box> has 1 number in size, expected 3"},
    {"count_attribute", 5, "<box> has 2 numbers in size, expected 3"},
    {"count_radius", 5, "<sphere> has 2 numbers in radius, expected 1"},
    {"curve_count", 5, "<control_points> has 8 numbers, expected 9 (3 times x y"},
    {"curve_not_planar", 5, "<curve> in a <patches> that is not planar, expected"},
    {"curves_same_name", 7, "<curve> name 'C1' is taken since line 5, expected every"},
    {"degree_ten", 13, "<patch> has degree 10, expected 1 to 9"},
    {"degree_word", 13, "'1.5' is not an integer, expected one such as 3"},
    {"degree_zero", 13, "<patch> has degree 0, expected 1 to 9"},
    {"dtd", 2, "a document type definition, expected none: DTDs and"},
    {"dtd_external", 3, "a document type definition, expected none: DTDs and"},
    {"empty", 1, "the file is empty, expected XML with a <robot> element"},
    {"encoding", 2, "encoding 'ISO-8859-1', expected UTF-8"},
    {"entity", 6, "'two' not defined"},
    {"faces_empty", 15, "nothing before this ';', expected vertex numbers"},
    {"faces_word", 15, "'2.0' is not an integer, expected one such as 3"},
    {"flag", 4, "<patches> has convex=\"yes\", expected true or false"},
    {"flag_flip", 13, "<patch> has flip=\"maybe\", expected true or false"},
    {"hexadecimal", 5, "'0x1p3' is not a number, expected one such as -1.5e-3"},
    {"infinite", 5, "'1e999' is not finite, expected a finite number"},
    {"joint_link", 5, "the joint's child is link 'c', which the file does not"},
    {"joint_no_child", 4, "joint 'j' has no child, expected <child link=\"...\"/>"},
    {"joint_no_name", 5, "<joint> has no name, expected name=\"...\""},
    {"knots_count", 14, "<knots_u> has 5 numbers, expected 4 (size 2 + degree 1"},
    {"knots_twice", 15, "a second <knots_u> in <patch>, expected one"},
    {"knots_word", 15, "'zero' is not a number, expected one such as -1.5e-3"},
    {"links_same_name", 5, "<link> name 'a' is taken since line 3, expected every"},
    {"many", 5, "'x' is not a number, expected one such as -1.5e-3"},
    {"many", 5, "<box> has 2 numbers in size, expected 3"},
    {"many", 10, "'inf' is not finite, expected a finite number"},
    {"many", 15, "unknown element <cone> in <patches>, expected <origin>,"},
    {"many", 20, "the sphere's radius is -1, expected a finite number"},
    {"mesh", 6, "mesh 'package://arm/hand.stl' has no exact surface,"},
    {"name_colon", 4, "<patches> is named 'a:b', expected a name without | , :"},
    {"name_empty", 4, "<patches> has an empty name, expected a name"},
    {"name_link", 4, "<link> is named '/c', expected a name without | , : #"},
    {"name_space", 4, "<patches> is named 'a b', expected a name without | , :"},
    {"nested_deep", 66, "elements are nested deeper than 64, which is the limit"},
    {"no_attribute", 5, "<cylinder> has no length, expected length=\"number\""},
    {"no_faces", 5, "<polyhedron> has no <faces>, expected one"},
    {"no_link_name", 4, "<link> has no name, expected a name"},
    {"no_points", 5, "<patch> has no <control_points>, expected one"},
    {"no_shape", 4, "<patches> holds no surface, expected a shape, <patch>"},
    {"not_closed", 4, "Premature end"},
    {"not_finite", 7, "'nan' is not finite, expected a finite number"},
    {"not_xml", 4, "mismatch"},
    {"part_no_name", 5, "<patches> without a name in link 'a', expected a name"},
    {"parts_same_name", 5, "<patches> name 'p' is taken since line 4, expected"},
    {"patch_name", 13, "<patch> is named 'to|p', expected a name without | , :"},
    {"padding_negative", 4, "<patches> has padding=\"-0.01\", expected a length of at least 0 m"},
    {"padding_not_convex", 4, "padding=\"0.01\" and is not convex, expected padding only of what"},
    {"padding_open", 4, "<patches> has padding=\"0.01\" and is not closed, expected padding only"},
    {"padding_word", 5, "'1cm' is not a number, expected one such as -1.5e-3"},
    {"patch_no_name", 13, "<patch> has no name, expected a name"},
    {"patches_same_name", 29, "<patch> name 'top' is taken since line 13, expected"},
    {"planar_box", 5, "<box> in a planar <patches>, expected <curve>"},
    {"points_few", 14, "<control_points> has 12 numbers, expected 16 (4 times x"},
    {"points_many", 14, "<control_points> has 20 numbers, expected 16 (4 times x"},
    {"points_nan", 17, "'NaN' is not finite, expected a finite number"},
    {"points_word", 17, "'one' is not a number, expected one such as -1.5e-3"},
    {"proof_word", 4, "<patches> has proof=\"some\", expected required or sampled"},
    {"revolved_attribute", 7, "<line> has an unknown attribute 'center_r', expected"},
    {"revolved_missing", 7, "<arc> has no center_z, expected center_z=\"number\""},
    {"revolved_no_start", 6, "<revolved> does not begin with <start>, expected <start"},
    {"revolved_second_start", 8, "unexpected <start> in <revolved>, expected <line>,"},
    {"revolved_unknown", 8, "unexpected <spline> in <revolved>, expected <line>,"},
    {"quaternions", 5, "<origin> has rpy and quat_xyzw, expected one"},
    {"quaternions", 9, "quat_xyzw has the norm 1.41421, expected 1"},
    {"root", 3, "the root element is <model>, expected <robot>"},
    {"shape_and_patch", 6, "<patch> beside <box>, expected one shape, or only"},
    {"size_huge", 13, "<patch> has size 1000000000 for degree 1, expected 2"},
    {"size_overflow", 13, "'99999999999' is too large, expected a smaller integer"},
    {"size_small", 13, "<patch> has size 1 for degree 1, expected 2 (degree +"},
    {"size_too_many", 13, "with this <patch> the part has more than 100000 control"},
    {"size_without_knots", 13, "<patch> has size 3 for degree 1 and no <knots_u>,"},
    {"size_without_knots", 14, "<control_points> has 16 numbers, expected 24 (6 times x"},
    {"text", 1, "the file does not begin with '<', expected XML in UTF-8"},
    {"text_in_patches", 5, "text inside <patches>, expected elements only"},
    {"text_in_shape", 6, "text inside <box>, expected none"},
    {"two_origins", 7, "a second <origin> in <patches>, expected one"},
    {"two_shapes", 6, "<sphere> beside <box>, expected one shape, or only"},
    {"two_vertices", 12, "a second <vertices> in <polyhedron>, expected one"},
    {"unknown_attribute", 5, "<box> has an unknown attribute 'color', expected only"},
    {"unknown_in_patch", 6, "unknown element <knots>, expected knots and"},
    {"unknown_in_polyhedron", 12, "unknown element <edges>, expected <vertices> and"},
    {"unknown_in_shape", 6, "unknown element <material>, expected none inside <box>"},
    {"unknown_origin_attribute", 5, "<origin> has an unknown attribute 'quat', expected only"},
    {"unknown_part_attribute", 4, "<patches> has an unknown attribute 'convx', expected"},
    {"unknown_prefix", 5, "unknown element <x:box> in <patches>, expected"},
    {"unknown_shape", 6, "unknown element <torus> in <patches>, expected"},
    {"utf16", 1, "a zero byte, expected XML in UTF-8"},
    {"vertices_count", 6, "<vertices> has 11 numbers, expected a multiple of 3, at"},
    {"vertices_word", 10, "'z' is not a number, expected one such as -1.5e-3"},
    {"word_attribute", 6, "'two' is not a number, expected one such as -1.5e-3"},
    {"xacro_element", 4, "<xacro:arm> is for xacro, expected the URDF that `xacro FILE` prints"},
    {"xacro_value", 5, "<sphere> is for xacro, expected the URDF that `xacro FILE` prints"},
};

/* What the compiler finds in what was read well; there may be more lines for one cause. */
static const defect body_defects[] = {
    {"all_flipped", 4, "inwards"},
    {"collision_radius", 6, "cylinder's radius is -1"},
    {"curve_clockwise", 5, "not convex"},
    {"curve_crossing", 7, "curves 'C1' and 'C3' meet at (1 "},
    {"curve_open", 5, "'C1'"},
    {"curve_open", 7, "'C3'"},
    {"curve_weight", 5, "weight 0"},
    {"faces_index", 15, "vertex 4, expected 0 to 3"},
    {"faces_negative", 15, "vertex -3, expected 0 to 3"},
    {"faces_not_planar", 18, "not planar"},
    {"faces_open", 13, "'f0'"},
    {"faces_open", 14, "'f1'"},
    {"faces_open", 15, "'f2'"},
    {"faces_turned", 15, "'f2' is oriented against"},
    {"faces_two_corners", 15, "2 corners, expected at least 3"},
    {"flipped", 13, "'top' is oriented against"},
    {"knots_decreasing", 16, "knot 3 is 0.5"},
    {"knots_domain", 14, "knot 2 is 0"},
    {"knots_v_decreasing", 17, "knot 3 is 0.5"},
    {"leak", 13, "side u1 of 'top'"},
    {"leak", 29, "side v1 of 'east'"},
    {"leak", 45, "side u1 of 'north'"},
    {"no_area", 5, "no area"},
    {"not_convex", 19, "'f1' and 'f4' is not convex"},
    {"not_convex", 20, "'f2' and 'f3' is not convex"},
    {"not_convex", 21, "'f3' and 'f4' is not convex"},
    {"open", 13, "'west'"},
    {"open", 21, "'east'"},
    {"open", 29, "'south'"},
    {"open", 37, "'north'"},
    {"overlap", 53, "covered twice"},
    {"radius_zero", 5, "radius is 0"},
    {"revolved_arc", 8, "expected one radius"},
    {"revolved_concave", 8, "'s1' is not convex"},
    {"revolved_inside_out", 5, "inwards"},
    {"revolved_negative", 7, "r = -1"},
    {"revolved_no_piece", 5, "0 pieces"},
    {"revolved_open", 5, "expected both ends on the axis"},
    {"saddle", 5, "'S' is not convex"},
    {"size_negative", 5, "size in y is -2"},
    {"undecided", 6, "do not decide whether 'top' is convex"},
    {"weight_negative", 19, "weight -1"},
    {"weight_zero", 17, "weight 0"},
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void check_defects_of(const char *file, const defect *defects, size_t count, bool exact)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/bad/%s.urdf", TEST_DATA_DIR, file);
  lines l = {0};
  clp_model *model = NULL;
  clp_status status = clp_model_load(path, lines_sink(&l), &model);
  ck_assert_msg(status != CLP_OK && !model, "%s is accepted", file);
  int expected = 0;
  for (size_t k = 0; k < count; ++k) {
    if (strcmp(defects[k].file, file) != 0)
      continue;
    ++expected;
    ck_assert_msg(lines_have(&l, path, defects[k].line, defects[k].text),
                  "%s: nothing in line %d about '%s', but\n%s", file, defects[k].line,
                  defects[k].text, l.text);
  }
  ck_assert_msg(!exact || l.defects == expected, "%s: %d defects, expected %d:\n%s", file,
                l.defects, expected, l.text);
}

SUITE("model");

TEST_CASE("defects", 20);

LOOP_TEST(test_reader_defect, 0, (int)COUNT_OF(reader_defects))
{
  check_defects_of(reader_defects[_i].file, reader_defects, COUNT_OF(reader_defects), true);
}

LOOP_TEST(test_body_defect, 0, (int)COUNT_OF(body_defects))
{
  check_defects_of(body_defects[_i].file, body_defects, COUNT_OF(body_defects), false);
}

static bool is_listed(const char *file, const defect *defects, size_t count)
{
  for (size_t k = 0; k < count; ++k)
    if (strcmp(defects[k].file, file) == 0)
      return true;
  return false;
}

TEST(test_every_bad_file_is_listed)
{
  DIR *folder = opendir(TEST_DATA_DIR "/bad");
  ck_assert_ptr_nonnull(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    char name[256];
    snprintf(name, sizeof name, "%s", entry->d_name);
    char *dot = strstr(name, ".urdf");
    if (!dot)
      continue;
    *dot = '\0';
    ck_assert_msg(is_listed(name, reader_defects, COUNT_OF(reader_defects)) ||
                      is_listed(name, body_defects, COUNT_OF(body_defects)),
                  "bad/%s.urdf is in no table", name);
  }
  closedir(folder);
}

/* ---- Good models -------------------------------------------------------------------------- */

static clp_model *parse(const char *text)
{
  lines l = {0};
  clp_model *model = NULL;
  clp_status status = clp_model_parse(text, strlen(text), "f", lines_sink(&l), &model);
  ck_assert_msg(status == CLP_OK && model && l.defects == 0, "%s", l.text);
  return model;
}

static clp_model *load(const char *file)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", TEST_DATA_DIR, file);
  lines l = {0};
  clp_model *model = NULL;
  clp_status status = clp_model_load(path, lines_sink(&l), &model);
  ck_assert_msg(status == CLP_OK && model && l.defects == 0, "%s", l.text);
  return model;
}

/* The only part of the link of that name. */
static clp_part single_part(const clp_model *model, const char *link)
{
  int index = clp_model_find_link(model, link);
  ck_assert_msg(index >= 0, "no link %s", link);
  ck_assert_int_eq(clp_model_part_count(model, index), 1);
  return clp_model_part(model, index, 0);
}

TEST_CASE("good", 30);

TEST(test_every_shape)
{
  const double pi = 3.14159265358979323846;
  const struct {
    const char *link, *part;
    int faces;
    bool convex, closed;
    double volume, area; /* the area is checked where it is not 0 */
  } expected[] = {
      {"box", "body", 6, true, true, 6, 22},
      {"sphere", "", 1, true, true, pi / 6, pi},
      {"ellipsoid", "", 1, true, true, 8 * pi, 0},
      {"cylinder", "", 3, true, true, pi / 2, 2.5 * pi},
      {"capsule", "", 3, true, true, pi / 2 + pi / 6, 3 * pi},
      {"point", "", 0, true, true, 0, 0},
      {"polyhedron", "tetrahedron", 4, true, true, 1.0 / 6, 1.5 + sqrt(0.75)},
      {"revolved", "bowl", 2, false, true, 44 * pi / 3, 0},
      {"ring", "", 4, false, true, 3 * pi, 12 * pi},
      {"patch", "shell", 1, true, false, 0, pi / 2},
      {"planar", "sector", 0, true, true, 0, pi / 4},
  };
  clp_model *model = load("shapes.urdf");
  for (size_t k = 0; k < COUNT_OF(expected); ++k) {
    clp_part part = single_part(model, expected[k].link);
    clp_body_info info = clp_body_describe(part.body);
    const char *link = expected[k].link;
    ck_assert_str_eq(part.name, expected[k].part);
    ck_assert_msg(info.faces == expected[k].faces, "%s: %d faces", link, info.faces);
    ck_assert_msg(info.convex == expected[k].convex, "%s", link);
    ck_assert_msg(info.closed == expected[k].closed, "%s", link);
    ck_assert_msg(fabs(info.volume - expected[k].volume) <= 1e-6 * expected[k].volume,
                  "%s: volume %.17g", link, info.volume);
    if (expected[k].area > 0)
      ck_assert_msg(fabs(info.area - expected[k].area) <= 1e-6 * expected[k].area, "%s: area %.17g",
                    link, info.area);
  }
  clp_model_destroy(model);
}

/* The numbers themselves arrive: knots, flip, positions. */
TEST(test_numbers_arrive)
{
  clp_model *model = load("shapes.urdf");
  clp_face_point middle = clp_body_face_point(single_part(model, "patch").body, 0, 0.5, 0.5);
  const double r = sqrt(0.5);
  ck_assert_double_eq_tol(middle.place.x, r, 1e-15);
  ck_assert_double_eq_tol(middle.place.y, r, 1e-15);
  ck_assert_double_eq_tol(middle.place.z, 0.5, 1e-15);
  ck_assert_double_eq_tol(middle.normal.x, r, 1e-15);
  clp_feature_info point = clp_body_feature(single_part(model, "point").body, CLP_VERTEX, 0);
  ck_assert(point.place.x == 1 && point.place.y == 2 && point.place.z == 3);
  clp_part planar = single_part(model, "planar");
  clp_vec3 up = clp_transform(planar.X_LP, (clp_vec3){0, 1, 0});
  ck_assert_double_eq_tol(up.z, 3, 1e-15);
  ck_assert_double_eq_tol(up.y, 0, 1e-15);
  clp_model_destroy(model);
}

TEST(test_links_and_parts)
{
  clp_model *model = load("shapes.urdf");
  ck_assert_int_eq(clp_model_link_count(model), 13);
  ck_assert_str_eq(clp_model_link_name(model, 0), "box");
  ck_assert_str_eq(clp_model_link_name(model, 12), "nothing");
  ck_assert_int_eq(clp_model_find_link(model, "nothing"), 12);
  ck_assert_int_eq(clp_model_find_link(model, "no"), -1);
  ck_assert_int_eq(clp_model_find_link(model, ""), -1);
  ck_assert_int_eq(clp_model_part_count(model, 12), 0);
  ck_assert_int_eq(clp_model_part_count(model, 11), 2);
  clp_part head = clp_model_part(model, 11, 0), trunk = clp_model_part(model, 11, 1);
  ck_assert_str_eq(head.name, "head");
  ck_assert_str_eq(trunk.name, "trunk");
  ck_assert(head.X_LP.position.z == 1 && trunk.X_LP.position.z == 0);
  clp_link link = clp_model_link(model, 11);
  ck_assert_int_eq(link.count, 2);
  ck_assert(link.parts[0].body == head.body && link.parts[1].body == trunk.body);
  ck_assert_ptr_null(clp_model_link(model, 12).parts);
  clp_model_destroy(model);
}

TEST(test_collision_primitives)
{
  clp_model *model = parse(
      "<robot name='r'>"
      "<link name='a'><visual><geometry><mesh filename='x'/></geometry></visual>"
      " <collision><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
      "  <geometry><cylinder radius='1' length='2'/></geometry></collision>"
      " <collision name='lid'><geometry><box size='1 2 3' other='1'/></geometry>"
      "  <unknown/></collision>"
      " <collision><geometry><sphere radius='2'/></geometry></collision>"
      "</link>"
      "<link name='b'><collision><geometry><sphere radius='1'/></geometry></collision>"
      " <patches><point xyz='0 0 0'/></patches></link>"
      "<link name='c'><visual><geometry><box size='1 1 1'/></geometry></visual></link>"
      "</robot>");
  ck_assert_int_eq(clp_model_part_count(model, 0), 3);
  clp_part tube = clp_model_part(model, 0, 0);
  ck_assert_str_eq(tube.name, "collision_0");
  ck_assert_str_eq(clp_model_part(model, 0, 1).name, "lid");
  ck_assert_str_eq(clp_model_part(model, 0, 2).name, "collision_2");
  ck_assert_int_eq(clp_body_describe(tube.body).faces, 3);
  clp_vec3 x = clp_transform(tube.X_LP, (clp_vec3){1, 0, 0});
  ck_assert_double_eq_tol(x.x, 1, 1e-15);
  ck_assert_double_eq_tol(x.y, 3, 1e-15);
  ck_assert_double_eq_tol(x.z, 3, 1e-15);
  ck_assert_int_eq(clp_model_part_count(model, 1), 1);
  ck_assert_int_eq(clp_body_describe(clp_model_part(model, 1, 0).body).faces, 0);
  ck_assert_int_eq(clp_model_part_count(model, 2), 0);
  clp_model_destroy(model);
}

TEST(test_pairs)
{
  clp_model *model = load("arm.urdf");
  int base = clp_model_find_link(model, "base"), upper = clp_model_find_link(model, "upper");
  int tool = clp_model_find_link(model, "tool"), frame = clp_model_find_link(model, "frame");
  ck_assert(!clp_model_is_pair(model, base, base));
  ck_assert(!clp_model_is_pair(model, base, upper) && !clp_model_is_pair(model, upper, base));
  ck_assert(!clp_model_is_pair(model, upper, tool));
  ck_assert(clp_model_is_pair(model, base, tool) && clp_model_is_pair(model, tool, base));
  ck_assert(!clp_model_is_pair(model, base, frame)); /* it has no parts */
  ck_assert_int_eq(clp_model_fixed_parent(model, upper), -1);
  ck_assert_int_eq(clp_model_fixed_parent(model, tool), upper);
  ck_assert_int_eq(clp_model_fixed_parent(model, frame), tool);
  clp_model_destroy(model);
}

/* An overlay of one link, comments and processing instructions everywhere, in UTF-8. */
TEST(test_small_print)
{
  clp_model *model = parse(
      "\xef\xbb\xbf<?xml version='1.0' encoding='utf-8' standalone='yes'?>\r\n"
      "<!-- <link/> --><?x y?><robot><link name='\xc3\xa4rm'>\r\n"
      "<patches name='k\xc3\xb6rper' convex=\"true\" planar='0'><!-- --><?x?>\r\n"
      "<polyhedron><vertices>0 0 0<!-- 9 --> +1 0. .0 <![CDATA[0 1e0]]>&#32;0 0 0 1 </vertices>\r\n"
      "<faces>0 2 1;0 1 3;0 3<?x?> 2\n;1 2 3</faces></polyhedron></patches></link>\r\n"
      "</robot> <!-- the end -->");
  clp_part part = clp_model_part(model, 0, 0);
  ck_assert_str_eq(part.name, "k\xc3\xb6rper");
  ck_assert_double_eq_tol(clp_body_describe(part.body).volume, 1.0 / 6, 1e-9);
  clp_model_destroy(model);
}

/* What the file says, and what a link is padded by on top of that. */
TEST(test_padding)
{
  clp_model *model = parse(
      "<robot name='r'><link name='a'>"
      "<patches name='x' padding='0.25'><box size='1 2 3'/></patches>"
      "<patches name='y'><point xyz='0 0 1'/></patches></link>"
      "<link name='b'><patches name='x' padding='0'><sphere radius='1'/></patches>"
      "<patches name='y' convex='false'><box size='1 1 1'/></patches></link>"
      "<link name='c'><patches planar='true' padding='0.0'>"
      "<curve name='l' degree='1' size='2'><control_points>0 0 1 1 0 1"
      "</control_points></curve><curve name='a' degree='1' size='2'>"
      "<control_points>1 0 1 0 1 1</control_points></curve>"
      "<curve name='b' degree='1' size='2'><control_points>0 1 1 0 0 1"
      "</control_points></curve></patches></link></robot>");
  clp_body_info box = clp_body_describe(clp_model_part(model, 0, 0).body);
  ck_assert_double_eq(box.padding, 0.25);
  ck_assert_double_eq_tol(box.bounds.max.y, 1.25, 1e-15);
  ck_assert_int_eq(clp_model_pad_link(model, 0, 0.5), CLP_OK);
  ck_assert_double_eq(clp_body_describe(clp_model_part(model, 0, 0).body).padding, 0.75);
  ck_assert_double_eq(clp_body_describe(clp_model_part(model, 0, 1).body).padding, 0.5);
  ck_assert_double_eq_tol(clp_body_describe(clp_model_part(model, 0, 1).body).bounds.min.z, 0.5,
                          1e-15);
  ck_assert_int_eq(clp_model_pad_link(model, 0, -0.5), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_model_pad_link(model, 0, NAN), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_model_pad_link(model, 1, 0.5), CLP_ERROR_SHAPE);
  ck_assert_int_eq(clp_model_pad_link(model, 1, 0), CLP_OK);
  ck_assert_double_eq(clp_body_describe(clp_model_part(model, 1, 0).body).padding, 0);
  ck_assert_int_eq(clp_model_pad_link(model, 2, 0.5), CLP_ERROR_SHAPE);
  clp_model_destroy(model);
}

TEST(test_samples_may_decide)
{
  lines l = {0};
  clp_model *model = NULL;
  const char *path = TEST_DATA_DIR "/sampled.urdf";
  ck_assert_int_eq(clp_model_load(path, lines_sink(&l), &model), CLP_OK);
  ck_assert_msg(lines_have(&l, path, 7, "never TRACKING") && l.notes == 1, "%s", l.text);
  ck_assert(!clp_body_describe(single_part(model, "roof").body).proven);
  ck_assert(clp_body_describe(single_part(model, "arm").body).proven);
  clp_model_destroy(model);
}

TEST(test_no_bodies_is_a_note)
{
  static const char text[] = "<robot name='r'><link name='a'/></robot>";
  lines l = {0};
  clp_model *model = NULL;
  ck_assert_int_eq(clp_model_parse(text, strlen(text), "f", lines_sink(&l), &model), CLP_OK);
  ck_assert(l.notes == 1 && lines_have(&l, "f", 1, "note: "));
  clp_model_destroy(model);
}

/* All the reference cases are good models. */
TEST(test_reference_cases)
{
  DIR *folder = opendir(TEST_DATA_DIR "/cases");
  ck_assert_ptr_nonnull(folder);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.')
      continue;
    char path[1024];
    snprintf(path, sizeof path, "cases/%.200s/model.urdf", entry->d_name);
    clp_model_destroy(load(path));
    ++count;
  }
  closedir(folder);
  ck_assert_int_ge(count, 50);
}

/* ---- Failing ------------------------------------------------------------------------------ */

static void check_failure(clp_status status, clp_status expected, const lines *l,
                          const clp_model *model, const char *file, const char *text)
{
  ck_assert_int_eq(status, expected);
  ck_assert_ptr_null(model);
  ck_assert_msg(lines_have(l, file, 1, text), "%s", l->text);
}

TEST_CASE("failing", 20);

TEST(test_files_that_cannot_be_read)
{
  lines l = {0};
  clp_model *model = NULL;
  const char *path = TEST_DATA_DIR "/there_is_no_such.urdf";
  clp_status status = clp_model_load(path, lines_sink(&l), &model);
  check_failure(status, CLP_ERROR_FILE, &l, model, path, "No such file");
  path = TEST_DATA_DIR;
  l = (lines){0};
  status = clp_model_load(path, lines_sink(&l), &model);
  check_failure(status, CLP_ERROR_FILE, &l, model, path, "directory");
  l = (lines){0};
  status = clp_model_load("/dev/zero", lines_sink(&l), &model);
  check_failure(status, CLP_ERROR_LIMIT, &l, model, "/dev/zero", "larger than 64 MiB");
}

TEST(test_arguments)
{
  clp_model *model = NULL;
  clp_model_sink silent = {NULL, NULL};
  ck_assert_int_eq(clp_model_load(NULL, silent, &model), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_model_load("f", silent, NULL), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_model_parse(NULL, 0, "f", silent, &model), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_model_apply_srdf(NULL, "f", silent), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_model_tile("f", silent, NULL), CLP_ERROR_ARGUMENT);
  clp_model_destroy(NULL);
  /* without anyone to tell, a defect is still a defect */
  ck_assert_int_eq(clp_model_parse("<x/>", 4, "f", silent, &model), CLP_ERROR_FORMAT);
  ck_assert_ptr_null(model);
}

/* A part whose patches cannot all be read is not compiled, but the numbers of the others are still
 * looked at, and so are the other links. */
TEST(test_all_defects_in_one_run)
{
  static const char text[] =
      "<robot name='r'>\n<link name='a'><patches name='p'>\n"
      "<patch name='one' degree='1 1' size='2 2'><control_points>0 0 0</control_points></patch>\n"
      "<patch name='two' degree='1 1' size='2 2'><knots_v>0 0\n1 0</knots_v>\n"
      "<control_points>0 0 0 1 0 1 0 1 1 0 0 1 1 1 0 1</control_points></patch>\n"
      "<patch name='three' degree='1 1' size='2 2'>\n"
      "<control_points>0 0 0 1 0 1 0 1\n1 0 0 -1 1 1 0 1</control_points></patch>\n"
      "</patches></link>\n"
      "<link name='b'><patches><sphere radius='0'/></patches></link>\n"
      "<link name='b'><patches><box size='1 1 x'/></patches></link>\n</robot>";
  lines l = {0};
  clp_model *model = NULL;
  clp_model_parse(text, strlen(text), "f", lines_sink(&l), &model);
  ck_assert_ptr_null(model);
  ck_assert(lines_have(&l, "f", 3, "3 numbers, expected 16"));
  ck_assert(lines_have(&l, "f", 5, "'two': knot 3"));
  ck_assert(lines_have(&l, "f", 9, "'three'"));
  ck_assert(lines_have(&l, "f", 11, "radius"));
  ck_assert(lines_have(&l, "f", 12, "'x'"));
  ck_assert(lines_have(&l, "f", 12, "since line 11"));
  ck_assert_msg(l.defects == 6, "%s", l.text);
}

/* A number's line when the file is long, and its start tag, too. */
TEST(test_line_of_a_number_beyond_65535)
{
  enum { LINES = 70000 };
  static const char head[] = "<robot name='r'><link name='a'><patches><box",
                    tail[] = "size='1 2\n-3.x'/></patches></link></robot>";
  char *text = malloc(sizeof head + LINES + sizeof tail);
  ck_assert_ptr_nonnull(text);
  strcpy(text, head);
  memset(text + strlen(head), '\n', LINES);
  strcpy(text + strlen(head) + LINES, tail);
  lines l = {0};
  clp_model *model = NULL;
  clp_model_parse(text, strlen(text), "f", lines_sink(&l), &model);
  ck_assert_msg(lines_have(&l, "f", LINES + 2, "'-3.x'"), "%s", l.text);
  ck_assert_int_eq(l.defects, 1);
  free(text);
}
