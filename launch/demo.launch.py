# SPDX-License-Identifier: Apache-2.0
"""A simulated arm at work, a person who walks by, and the monitor that watches both.

ros2 launch rclc_closest_point demo.launch.py          # rviz:=false without a screen
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("rclc_closest_point")
MODEL = os.path.join(SHARE, "urdf_patches", "cell_with_arm.urdf")


def generate_launch_description():
    with open(MODEL, encoding="utf-8") as file:
        description = file.read()
    return LaunchDescription([
        DeclareLaunchArgument("joint_states", default_value="",
                              description="joint_states: the monitor listens to the arm itself"),
        DeclareLaunchArgument("rviz", default_value="true", choices=["true", "false"],
                              description="start RViz as well"),
        Node(package="rclc_closest_point", executable="simulated_cell", output="screen"),
        Node(package="robot_state_publisher", executable="robot_state_publisher",
             parameters=[{"robot_description": description, "publish_frequency": 200.0}]),
        # No model: it takes the robot_description, as it would beside a real robot.
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(os.path.join(SHARE, "launch", "monitor.launch.py")),
            launch_arguments={"params": os.path.join(SHARE, "config", "arm_cell.yaml"),
                              "joint_states": LaunchConfiguration("joint_states"),
                              "rviz": LaunchConfiguration("rviz")}.items()),
    ])
