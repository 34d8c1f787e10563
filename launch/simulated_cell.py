#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joint states of the shipped cell: the arm carries something to and fro, a person walks by and back.

robot_state_publisher makes transforms of the joints; the person's own, which floats, comes from here.
The arm obeys speed_scale of the monitor's safety topic, and stops when there is no answer that is new. It is the
cell of `closest_point demo` (tool/demo_cell.c), for ROS 2.
"""

import math
import signal

import rclpy
from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.time import Time
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from rclc_closest_point.msg import SafetyStatus

RATE = 200.0  # Hz
TOO_OLD = 0.01  # s; ten periods of the monitor's: no answer whose stamp is older is obeyed
LONGEST_STEP = 0.02  # s
BRAKING, STARTING = 0.2, 1.0  # s, between standstill and full speed

# Where the tool center point goes, in the arm's base, the gripper pointing down: place (m), opening of
# each finger (m), time from the stop before (s).
STOPS = [
    ((0.40, -0.30, 0.34), 0.025, 1.4), ((0.40, -0.30, 0.14), 0.025, 1.0),
    ((0.40, -0.30, 0.14), 0.008, 0.4), ((0.40, -0.30, 0.34), 0.008, 0.8),
    ((0.48, 0.30, 0.34), 0.008, 2.0), ((0.48, 0.30, 0.14), 0.008, 1.0),
    ((0.48, 0.30, 0.14), 0.025, 0.4), ((0.48, 0.30, 0.34), 0.025, 0.8),
]
ARM = [f"joint_{k}" for k in range(1, 8)] + ["left_finger_joint", "right_finger_joint"]

WALK, REST = 11.0, 1.0  # s: one pass of the person, and until the next
WAY_A, WAY_B = 1.8, 2.8  # m: the way (0.5 + A u, 0.78 + B u^2), u from -1 to 1
PAIR_OF_STEPS = 1.4  # m
# name: middle and swing (rad), by how much of a pair of steps it is behind
LIMBS = {
    "waist": (0.05, 0.02, 0.0), "neck": (0.0, 0.08, 0.3),
    "left_shoulder": (-0.05, 0.12, 0.0), "right_shoulder": (-0.05, 0.12, 0.5),
    "left_elbow": (-0.4, 0.1, 0.0), "right_elbow": (-0.4, 0.1, 0.5),
    "left_hip": (-0.1, 0.3, 0.5), "right_hip": (-0.1, 0.3, 0.0),
    "left_knee": (0.3, 0.25, 0.6), "right_knee": (0.3, 0.25, 0.1),
    "left_ankle": (0.0, 0.12, 0.5), "right_ankle": (0.0, 0.12, 0.0),
}


def ease(u):
    """0 to 1, at rest at both ends."""
    u = min(max(u, 0.0), 1.0)
    return u * u * u * (10 + u * (6 * u - 15))


def posture(place, opening):
    """Joints 2, 4 and 6 bend in one vertical plane, which joint 1 turns; joint 7 turns back."""
    shoulder, upper, fore, hand = 0.34, 0.40, 0.36, 0.23
    turn = math.atan2(place[1], place[0])
    r, z = math.hypot(place[0], place[1]), place[2] + hand - shoulder
    elbow = math.acos((r * r + z * z - upper * upper - fore * fore) / (2 * upper * fore))
    lean = math.atan2(r, z) - math.atan2(fore * math.sin(elbow), upper + fore * math.cos(elbow))
    return [turn, lean, 0.0, elbow, 0.0, math.pi - lean - elbow, turn, opening, opening]


def arm_at(path_time):
    left = math.fmod(path_time, sum(stop[2] for stop in STOPS))
    k = 0
    while left >= STOPS[k][2]:
        left -= STOPS[k][2]
        k += 1
    before, after = posture(*STOPS[k - 1][:2]), posture(*STOPS[k][:2])
    u = ease(left / STOPS[k][2])
    return [a + u * (b - a) for a, b in zip(before, after)]


def way_length(u):
    """From the middle of the way: the integral of sqrt(A^2 + (2 B u)^2)."""
    k = 2 * WAY_B / WAY_A
    return 0.5 * WAY_A * (u * math.sqrt(1 + k * k * u * u) + math.asinh(k * u) / k)


def person_at(time):
    """Place, heading, and the positions of the limbs."""
    passes, left = divmod(time, WALK + REST)
    back = passes % 2 != 0
    sign = -1 if back else 1
    w = 2 * ease(left / WALK) - 1
    u = sign * 0.5 * w * (1 + w * w)  # slow midway
    heading = math.atan2(2 * WAY_B * u, WAY_A) + math.pi * (ease((left - WALK) / REST) + back)
    v = left / WALK if left < WALK else 0.0
    vigor = 16 * v * v * (1 - v) * (1 - v)
    phase = sign * way_length(u) / PAIR_OF_STEPS
    limbs = [middle * (0.3 + 0.7 * vigor) + swing * vigor * math.sin(2 * math.pi * (phase - lag))
             for middle, swing, lag in LIMBS.values()]
    return (0.5 + WAY_A * u, 0.78 + WAY_B * u * u), heading, limbs


class SimulatedCell(Node):
    def __init__(self):
        super().__init__("simulated_cell")
        self.time, self.path_time, self.pace = 0.0, 0.0, 0.0
        self.answer = None
        self.last = self.get_clock().now()
        self.joints = self.create_publisher(JointState, "joint_states", 10)
        self.transforms = self.create_publisher(TFMessage, "/tf", 100)
        self.create_subscription(SafetyStatus, "closest_point_monitor/safety", self.listen, 1)
        self.create_timer(1 / RATE, self.step)

    def listen(self, answer):
        self.answer = answer

    def permitted(self, now):
        """The share of its speed that the arm may use: none without an answer of late."""
        if self.answer is None:
            return 0.0
        age = 1e-9 * (now - Time.from_msg(self.answer.header.stamp)).nanoseconds
        scale = self.answer.speed_scale
        return min(scale, 1.0) if abs(age) <= TOO_OLD and scale >= 0 else 0.0

    def step(self):
        now = self.get_clock().now()
        dt = min(max(1e-9 * (now - self.last).nanoseconds, 0.0), LONGEST_STEP)
        self.last = now
        self.pace = min(max(self.permitted(now), self.pace - dt / BRAKING), self.pace + dt / STARTING)
        self.path_time += self.pace * dt
        self.time += dt
        place, heading, limbs = person_at(self.time)
        self.publish_joints(now.to_msg(), arm_at(self.path_time) + limbs)
        self.publish_person(now.to_msg(), place, heading)

    def publish_joints(self, stamp, positions):
        state = JointState(name=ARM + list(LIMBS), position=positions)
        state.header.stamp = stamp
        self.joints.publish(state)

    def publish_person(self, stamp, place, heading):
        transform = TransformStamped()
        transform.header.stamp = stamp
        transform.header.frame_id = "cell"
        transform.child_frame_id = "person"
        transform.transform.translation.x, transform.transform.translation.y = place
        transform.transform.rotation.z = math.sin(heading / 2)
        transform.transform.rotation.w = math.cos(heading / 2)
        self.transforms.publish(TFMessage(transforms=[transform]))


def main():
    """Until SIGINT or SIGTERM, however often it comes: a launch's Ctrl-C comes twice."""
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    stop = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.append(True))
    node = SimulatedCell()
    while not stop:
        rclpy.spin_once(node, timeout_sec=0.1)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    node.destroy_node()
    rclpy.shutdown()


if __name__ == "__main__":
    main()
