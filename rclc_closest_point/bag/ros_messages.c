/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/schemas.h"

/* Of ROS's types, the fields alone: they are what is on the wire. node/ros_types.idl has the same
 * for DDS. Visualization as it is since Humble. */
const clp_definition clp_ros_definitions[] = {
    {"builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"},
    {"builtin_interfaces/Duration", "int32 sec\nuint32 nanosec\n"},
    {"std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"},
    {"std_msgs/String", "string data\n"},
    {"std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"},
    {"geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"},
    {"geometry_msgs/Pose", "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"},
    {"geometry_msgs/Transform",
     "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"},
    {"geometry_msgs/TransformStamped",
     "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n"},
    {"geometry_msgs/Wrench", "geometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque\n"},
    {"geometry_msgs/WrenchStamped", "std_msgs/Header header\ngeometry_msgs/Wrench wrench\n"},
    {"tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"},
    {"rosgraph_msgs/Clock", "builtin_interfaces/Time clock\n"},
    {"diagnostic_msgs/KeyValue", "string key\nstring value\n"},
    {"diagnostic_msgs/DiagnosticStatus",
     "byte level\nstring name\nstring message\nstring hardware_id\n"
     "diagnostic_msgs/KeyValue[] values\n"},
    {"diagnostic_msgs/DiagnosticArray",
     "std_msgs/Header header\ndiagnostic_msgs/DiagnosticStatus[] status\n"},
    {"sensor_msgs/CompressedImage", "std_msgs/Header header\nstring format\nuint8[] data\n"},
    {"sensor_msgs/JointState",
     "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
     "float64[] effort\n"},
    {"visualization_msgs/UVCoordinate", "float32 u\nfloat32 v\n"},
    {"visualization_msgs/MeshFile", "string filename\nuint8[] data\n"},
    {"visualization_msgs/Marker",
     "std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n"
     "geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\n"
     "builtin_interfaces/Duration lifetime\nbool frame_locked\ngeometry_msgs/Point[] points\n"
     "std_msgs/ColorRGBA[] colors\nstring texture_resource\n"
     "sensor_msgs/CompressedImage texture\n"
     "visualization_msgs/UVCoordinate[] uv_coordinates\nstring text\nstring mesh_resource\n"
     "visualization_msgs/MeshFile mesh_file\nbool mesh_use_embedded_materials\n"},
    {"visualization_msgs/MarkerArray", "visualization_msgs/Marker[] markers\n"},
    {0}};
