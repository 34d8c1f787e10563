#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joint states of the shipped cell: the arm swings to and fro, a person walks up and down beside it.

robot_state_publisher makes transforms of the joints; the person's own, which floats, comes from here.
"""

import math

import rclpy
from geometry_msgs.msg import TransformStamped
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

RATE = 200.0  # Hz

# name: middle, amplitude (rad or m), period (s)
ARM = {
    "joint_1": (0.0, 1.2, 9.0), "joint_2": (0.6, 0.4, 7.0), "joint_3": (0.0, 0.3, 11.0),
    "joint_4": (1.0, 0.5, 5.0), "joint_5": (0.0, 0.6, 8.0), "joint_6": (0.5, 0.5, 6.0),
    "joint_7": (0.0, 1.0, 4.0),
    "left_finger_joint": (0.015, 0.012, 3.0), "right_finger_joint": (0.015, 0.012, 3.0),
}
STEP = 1.2  # s for two steps
# name: middle, amplitude, share of the step by which it is behind
WALK = {
    "waist": (0.05, 0.03, 0.0), "neck": (0.0, 0.1, 0.3),
    "left_shoulder": (-0.1, 0.4, 0.0), "right_shoulder": (-0.1, 0.4, 0.5),
    "left_elbow": (-0.5, 0.2, 0.0), "right_elbow": (-0.5, 0.2, 0.5),
    "left_hip": (-0.1, 0.35, 0.5), "right_hip": (-0.1, 0.35, 0.0),
    "left_knee": (0.35, 0.3, 0.6), "right_knee": (0.35, 0.3, 0.1),
    "left_ankle": (0.0, 0.15, 0.5), "right_ankle": (0.0, 0.15, 0.0),
}
WALK_PERIOD = 12.0  # s, up and down


def swing(t, middle, amplitude, period, behind=0.0):
    return middle + amplitude * math.sin(2 * math.pi * (t / period - behind))


class SimulatedCell(Node):
    def __init__(self):
        super().__init__("simulated_cell")
        self.joints = self.create_publisher(JointState, "joint_states", 10)
        self.transforms = self.create_publisher(TFMessage, "/tf", 100)
        self.create_timer(1 / RATE, self.tell)

    def tell(self):
        now = self.get_clock().now()
        stamp, t = now.to_msg(), 1e-9 * now.nanoseconds
        state = JointState()
        state.header.stamp = stamp
        for name, course in ARM.items():
            state.name.append(name)
            state.position.append(swing(t, *course))
        for name, (middle, amplitude, behind) in WALK.items():
            state.name.append(name)
            state.position.append(swing(t, middle, amplitude, STEP, behind))
        self.joints.publish(state)
        self.transforms.publish(TFMessage(transforms=[self.person(stamp, t)]))

    @staticmethod
    def person(stamp, t):
        """Sidewards past the table, the face to the arm."""
        transform = TransformStamped()
        transform.header.stamp = stamp
        transform.header.frame_id = "cell"
        transform.child_frame_id = "person"
        transform.transform.translation.x = swing(t, 0.5, 0.6, WALK_PERIOD)
        transform.transform.translation.y = swing(t, 1.35, 0.15, WALK_PERIOD / 3)
        yaw = swing(t, -1.7, 0.3, WALK_PERIOD)
        transform.transform.rotation.z = math.sin(yaw / 2)
        transform.transform.rotation.w = math.cos(yaw / 2)
        return transform


def main():
    rclpy.init()
    try:
        rclpy.spin(SimulatedCell())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == "__main__":
    main()
