# SPDX-License-Identifier: Apache-2.0

# What is installed, in the plain and in the ament case. The imported targets are the same in both:
# rclc_closest_point::closest_point and rclc_closest_point::model.

include(CMakePackageConfigHelpers)

install(FILES
  rclc_closest_point/certify.h
  rclc_closest_point/closest_point.h
  rclc_closest_point/derivative.h
  rclc_closest_point/joint_derivative.h
  rclc_closest_point/joint_tree.h
  rclc_closest_point/model.h
  rclc_closest_point/record.h
  rclc_closest_point/scene.h
  rclc_closest_point/status.h
  rclc_closest_point/types.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rclc_closest_point)
install(TARGETS closest_point closest_point_model EXPORT rclc_closest_point_targets)
install(TARGETS closest_point_tool)
install(FILES docs/closest_point.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(share_directory ${CMAKE_INSTALL_DATADIR}/rclc_closest_point)
install(DIRECTORY launch config urdf_patches DESTINATION ${share_directory}
  PATTERN "*.gitkeep" EXCLUDE PATTERN "*.sh" EXCLUDE PATTERN "simulated_cell.py" EXCLUDE)

set(messages msg/ClosestPoint.msg msg/ClosestPointArray.msg msg/SafetyStatus.msg
  msg/JointGradient.msg msg/JointGradients.msg msg/CertifiedPair.msg)
set(service srv/Certify.srv) # rosidl goes by the folder's name, which is below msg/
if(ament_cmake_FOUND AND rosidl_default_generators_FOUND)
  find_package(geometry_msgs REQUIRED)
  find_package(std_msgs REQUIRED)
  find_package(trajectory_msgs REQUIRED)
  enable_language(CXX) # for the generated type support
  rosidl_generate_interfaces(rclc_closest_point ${messages}
    ${CMAKE_CURRENT_SOURCE_DIR}/msg:${service} DEPENDENCIES geometry_msgs std_msgs trajectory_msgs)
  ament_export_dependencies(geometry_msgs rosidl_default_runtime std_msgs trajectory_msgs)
  include(rclc_closest_point/cmake/rclc_node.cmake)
else()
  install(FILES ${messages} DESTINATION ${share_directory}/msg)
  install(FILES msg/${service} DESTINATION ${share_directory}/srv)
endif()

# pkg-config: relative to the file itself, so that the tree can be installed under any prefix.
file(RELATIVE_PATH pc_to_prefix
  "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
foreach(pc rclc_closest_point rclc_closest_point_model)
  configure_file(rclc_closest_point/cmake/${pc}.pc.in ${pc}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${pc}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(ament_cmake_FOUND)
  # `ros2 run` looks below lib/<package>; ament writes the package configuration.
  install(TARGETS closest_point_tool obey_safety DESTINATION lib/rclc_closest_point)
  ament_export_dependencies(LibXml2)
  ament_export_targets(rclc_closest_point_targets HAS_LIBRARY_TARGET)
  ament_package()
else()
  set(config_directory ${CMAKE_INSTALL_LIBDIR}/cmake/rclc_closest_point)
  configure_package_config_file(
    rclc_closest_point/cmake/rclc_closest_point-config.cmake.in rclc_closest_point-config.cmake
    INSTALL_DESTINATION ${config_directory})
  write_basic_package_version_file(rclc_closest_point-config-version.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/rclc_closest_point-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/rclc_closest_point-config-version.cmake
    DESTINATION ${config_directory})
  install(EXPORT rclc_closest_point_targets
    NAMESPACE rclc_closest_point:: DESTINATION ${config_directory})
endif()
