# SPDX-License-Identifier: Apache-2.0
"""The monitor beside a robot that already publishes its transforms.

ros2 launch rclc_closest_point monitor.launch.py params:=cell.yaml model:=cell.urdf
ros2 launch rclc_closest_point monitor.launch.py params:=cell.yaml joint_states:=joint_states

With joint_states it listens to the robot's driver (ros2_control's joint_state_broadcaster, or any other), and robot_state_publisher
is needed for the robot_description alone.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("rclc_closest_point")

ARGUMENTS = [
    DeclareLaunchArgument("model", default_value="",
                          description="URDF; empty: what params says, or robot_description"),
    DeclareLaunchArgument("params", default_value=os.path.join(SHARE, "config", "monitor.yaml"),
                          description="parameter file"),
    DeclareLaunchArgument("namespace", default_value="", description="of the node and its topics"),
    DeclareLaunchArgument("joint_states", default_value="",
                          description="the driver's topic; empty: what params says, or TF alone"),
    DeclareLaunchArgument("frame_prefix", default_value="",
                          description="as robot_state_publisher has it; empty: what params says"),
    DeclareLaunchArgument("fixed_frame", default_value="",
                          description="the root that all links hang on; empty: what params says"),
    DeclareLaunchArgument("use_sim_time", default_value="false", choices=["true", "false"],
                          description="take the time from /clock"),
    DeclareLaunchArgument("rviz", default_value="false", choices=["true", "false"],
                          description="start RViz as well"),
]


def start_monitor(context):
    """What is given on the command line has the last word over the file.

    The file is not among the parameters: of one that is not there launch_ros only warns, and the monitor
    would watch by its defaults. By itself it refuses to start.
    """
    sim_time = LaunchConfiguration("use_sim_time").perform(context) == "true"
    overrides = {"use_sim_time": sim_time}
    for name in ("model", "joint_states", "frame_prefix", "fixed_frame"):
        value = LaunchConfiguration(name).perform(context)
        if value:
            overrides[name] = value
    return [Node(package="rclc_closest_point", executable="monitor", name="closest_point_monitor",
                 namespace=LaunchConfiguration("namespace"), output="screen",
                 ros_arguments=["--params-file", LaunchConfiguration("params")], parameters=[overrides])]


def generate_launch_description():
    rviz = Node(package="rviz2", executable="rviz2", namespace=LaunchConfiguration("namespace"),
                arguments=["-d", os.path.join(SHARE, "config", "monitor.rviz")],
                condition=IfCondition(LaunchConfiguration("rviz")))
    return LaunchDescription(ARGUMENTS + [OpaqueFunction(function=start_monitor), rviz])
