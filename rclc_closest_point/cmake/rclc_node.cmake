# SPDX-License-Identifier: Apache-2.0

# The node of ROS 2, where there is rclc; after the messages have been generated, which it needs.
# Without rclc everything else is built.
if(NOT rclc_FOUND)
  message(STATUS "rclc is not there: the node `ros2 run rclc_closest_point monitor` is not built")
  return()
endif()

set(rclc_packages rcl rclc rcl_interfaces rcl_lifecycle rcutils rosidl_runtime_c
  diagnostic_msgs lifecycle_msgs rosgraph_msgs sensor_msgs tf2_msgs trajectory_msgs visualization_msgs)
foreach(package ${rclc_packages})
  find_package(${package} REQUIRED)
endforeach()

list(TRANSFORM clp_rclc_sources PREPEND rclc_closest_point/)
function(use_rclc target)
  clp_configure_target(${target})
  foreach(package ${rclc_packages})
    target_link_libraries(${target} PRIVATE ${${package}_TARGETS})
    foreach(library ${${package}_TARGETS}) # their headers are not this project's to warn about
      get_target_property(directories ${library} INTERFACE_INCLUDE_DIRECTORIES)
      if(directories)
        target_include_directories(${target} SYSTEM PRIVATE ${directories})
      endif()
    endforeach()
  endforeach()
endfunction()

add_executable(closest_point_rclc ${clp_rclc_sources})
use_rclc(closest_point_rclc)
rosidl_get_typesupport_target(rclc_messages ${PROJECT_NAME} rosidl_typesupport_c)
target_include_directories(closest_point_rclc SYSTEM PRIVATE
  ${CMAKE_CURRENT_BINARY_DIR}/rosidl_generator_c)
target_link_libraries(closest_point_rclc PRIVATE closest_point_front ${rclc_messages} CycloneDDS::ddsc)
add_dependencies(generated_messages ${PROJECT_NAME}__rosidl_generator_c)
set_target_properties(closest_point_rclc PROPERTIES OUTPUT_NAME monitor)
install(TARGETS closest_point_rclc DESTINATION lib/${PROJECT_NAME})
install(PROGRAMS launch/simulated_cell.py DESTINATION lib/${PROJECT_NAME} RENAME simulated_cell)

# A timer of rcl's or a thread of one's own: `cmake --build ... --target bench_cycle`.
add_executable(bench_cycle EXCLUDE_FROM_ALL bench/rclc/bench_cycle.c)
use_rclc(bench_cycle)
target_link_libraries(bench_cycle PRIVATE closest_point_monitor)

if(BUILD_TESTING)
  # Calls to ROS that fail, with a library that is loaded before ROS's own.
  pkg_check_modules(check QUIET IMPORTED_TARGET check)
  if(check_FOUND)
    add_library(rclc_interposer MODULE test/rclc/interposer.c)
    use_rclc(rclc_interposer)
    target_compile_options(rclc_interposer PRIVATE -Wno-pedantic) # functions by dlsym
    target_include_directories(rclc_interposer PRIVATE test)
    target_link_libraries(rclc_interposer PRIVATE ${CMAKE_DL_LIBS})
    add_executable(test_rclc_faults test/rclc/test_rclc_faults.c)
    clp_configure_target(test_rclc_faults)
    target_include_directories(test_rclc_faults PRIVATE test)
    target_compile_definitions(test_rclc_faults PRIVATE TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/test/data")
    target_link_libraries(test_rclc_faults PRIVATE PkgConfig::check)
    add_test(NAME test_rclc_faults COMMAND test_rclc_faults)
    set_tests_properties(test_rclc_faults PROPERTIES TIMEOUT 600 ENVIRONMENT
      "MONITOR=$<TARGET_FILE:closest_point_rclc>;INTERPOSER=$<TARGET_FILE:rclc_interposer>;CK_TIMEOUT_MULTIPLIER=4")
  endif()
  find_package(launch_testing_ament_cmake QUIET)
  if(launch_testing_ament_cmake_FOUND)
    add_launch_test(test/launch/test_monitor_node.py TIMEOUT 120
      ENV MONITOR=$<TARGET_FILE:closest_point_rclc> TOOL=$<TARGET_FILE:closest_point_tool> ROS_DOMAIN_ID=87 ROS_LOCALHOST_ONLY=1)
  endif()
endif()
