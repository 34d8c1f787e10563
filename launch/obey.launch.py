# SPDX-License-Identifier: Apache-2.0
"""The monitor, and a consumer that obeys it: no answer that is older than ten periods.

ros2 launch rclc_closest_point obey.launch.py params:=cell.yaml model:=cell.urdf
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

RATE = 1000.0
TOO_OLD = 10 / RATE      # s; the monitor promises answers in time, and the consumer counts on it
ROBOT_REACTION = 0.1     # s, from a command to the robot's beginning to stop


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument("params", description="parameter file"),
        DeclareLaunchArgument("model", description="URDF with patches"),
        Node(package="rclc_closest_point", executable="monitor", name="closest_point_monitor",
             # not among the parameters, where launch_ros passes over a file that is not there
             ros_arguments=["--params-file", LaunchConfiguration("params")],
             parameters=[{"model": LaunchConfiguration("model"), "rate": RATE,
                          "reaction_time": ROBOT_REACTION + TOO_OLD}]),
        Node(package="rclc_closest_point", executable="obey_safety", output="screen",
             arguments=["/closest_point_monitor/safety", str(TOO_OLD)]),
    ])
