# SPDX-License-Identifier: Apache-2.0
"""The rclc node as ROS's own tools see it: answers, parameters, lifecycle, the last word."""

import itertools
import math
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import launch
import launch_ros.actions
import launch_testing.actions
import launch_testing.asserts
import rclpy
from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetAvailableTransitions, GetState
from rcl_interfaces.msg import Log, Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters
from rclc_closest_point.msg import ClosestPoint, ClosestPointArray, SafetyStatus
from rclc_closest_point.srv import Certify
from rclpy.qos import QoSDurabilityPolicy, QoSProfile
from rosgraph_msgs.msg import Clock
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

NODE = "/cell/closest_point_monitor"
PLAIN = "/plain/closest_point_monitor"  # the monitor on DDS alone
MODEL = """<robot name="two">
  <link name="ball"><patches><sphere radius="0.1"/></patches></link>
  <link name="box"><patches><box size="0.2 0.2 0.2"/></patches></link>
</robot>"""


SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def install(prefix):
    """As much of the package as its launch files look for, and a consumer that ends at once."""
    share, programs = (os.path.join(prefix, *way) for way in (
        ("share", "rclc_closest_point"), ("lib", "rclc_closest_point")))
    for folder in ("launch", "config"):
        shutil.copytree(os.path.join(SOURCE, folder), os.path.join(share, folder))
    index = os.path.join(prefix, "share", "ament_index", "resource_index", "packages")
    os.makedirs(programs)
    os.makedirs(index)
    with open(os.path.join(index, "rclc_closest_point"), "w", encoding="utf-8"):
        os.symlink(os.environ["MONITOR"], os.path.join(programs, "monitor"))
        os.symlink(shutil.which("true"), os.path.join(programs, "obey_safety"))


def generate_test_description():
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"two_{os.getpid()}.urdf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(MODEL)
    parameters = {"model": path, "rate": 200.0, "stale_after": 0.2, "pairs": ["ball:box"],
                  "human_speed": 0.0, "stopping_distance": 0.0, "intrusion": 0.0,
                  "position_uncertainty": 0.0}
    monitor, simulated = (launch_ros.actions.Node(
        executable=os.environ["MONITOR"], name="closest_point_monitor", namespace=namespace,
        parameters=[parameters | {"use_sim_time": namespace == "simulated"}])
        for namespace in ("cell", "simulated"))
    plain = launch.actions.ExecuteProcess(cmd=[
        os.environ["TOOL"], "monitor", "--ros-args", "-r", "__ns:=/plain", "-p", f"model:={path}"])
    return launch.LaunchDescription([monitor, simulated, plain, launch_testing.actions.ReadyToTest()]), {
        "monitor": monitor, "simulated": simulated}


class TestNode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rclpy.init()

    @classmethod
    def tearDownClass(cls):
        rclpy.shutdown()

    def setUp(self):
        self.node = rclpy.create_node("tester")
        latched = QoSProfile(depth=10, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)
        self.moving = self.node.create_publisher(TFMessage, "/tf", 100)
        self.static = self.node.create_publisher(TFMessage, "/tf_static", latched)
        self.static.publish(TFMessage(transforms=[self.transform("box", 0.0)]))
        self.newest = self.listen(NODE)

    def tearDown(self):
        self.node.destroy_node()

    def listen(self, node):
        newest = {}
        for kind, topic in ((ClosestPointArray, "closest_points"), (ClosestPoint, "minimum"),
                            (SafetyStatus, "safety"), (MarkerArray, "markers")):
            self.node.create_subscription(
                kind, f"{node}/{topic}", lambda m, t=topic: newest.__setitem__(t, m), 1)
        return newest

    def transform(self, child, x, stamp=None):
        transform = TransformStamped()
        transform.header.stamp = stamp or self.node.get_clock().now().to_msg()
        transform.header.frame_id = "world"
        transform.child_frame_id = child
        transform.transform.translation.x = x
        transform.transform.rotation.w = 1.0
        return transform

    def wait_for(self, good, what, x=None):
        """Until good() is true; meanwhile the ball stays at x, or is not heard of."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if x is not None:
                self.moving.publish(TFMessage(transforms=[self.transform("ball", x)]))
            rclpy.spin_once(self.node, timeout_sec=0.01)
            if good():
                return
        self.fail(f"waited in vain for {what}")

    def call(self, kind, name, node=NODE, **fields):
        client = self.node.create_client(kind, f"{node}/{name}")
        self.assertTrue(client.wait_for_service(timeout_sec=20), name)
        future = client.call_async(kind.Request(**fields))
        rclpy.spin_until_future_complete(self.node, future, timeout_sec=20)
        return future.result()

    def state(self):
        return self.call(GetState, "get_state").current_state.id

    def change(self, transition):
        return self.call(ChangeState, "change_state", transition=Transition(id=transition)).success

    def has_distance(self, expected):
        points = self.newest.get("closest_points")
        return (points is not None and points.minimum == 0
                and abs(points.pairs[0].distance - expected) < 1e-6)

    def set(self, name, **value):
        return self.call(SetParameters, "set_parameters", parameters=[
            Parameter(name=name, value=ParameterValue(**value))]).results[0]

    def get(self, name):
        return self.call(GetParameters, "get_parameters", names=[name]).values[0]

    def test_answers_and_stale(self):
        self.wait_for(lambda: self.has_distance(0.3), "the distance", x=0.5)
        points = self.newest["closest_points"]
        self.assertEqual(points.header.frame_id, "world")
        self.assertAlmostEqual(points.pairs[0].point_a.x, 0.4, places=6)
        self.assertLessEqual(points.lower_bound, 0.3)
        self.assertEqual((points.tracked, points.culled, points.stale), (1, 0, 0))
        self.wait_for(lambda: "safety" in self.newest and "minimum" in self.newest, "all topics",
                      x=0.5)
        self.wait_for(lambda: self.newest["safety"].zone != SafetyStatus.STOP, "a zone", x=0.5)
        self.wait_for(lambda: self.newest["minimum"].status == ClosestPoint.STALE, "staleness")
        self.assertTrue(math.isnan(self.newest["minimum"].distance))
        self.wait_for(lambda: self.newest["safety"].zone == SafetyStatus.STOP, "STOP")
        self.wait_for(lambda: self.has_distance(0.2), "recovery", x=0.4)

    def test_certify(self):
        self.wait_for(lambda: self.has_distance(0.3), "the distance", x=0.5)
        for node in (NODE, PLAIN):
            refused = self.call(Certify, "certify", node)
            self.assertEqual(refused.verdict, Certify.Response.REFUSED)
            self.assertIn("a trajectory without points", refused.reason)
            self.assertTrue(math.isnan(refused.clearance))

    def test_markers(self):
        seen = {}

        def all_seen():
            if self.has_distance(0.3) and "markers" in self.newest:
                seen.update({m.ns: m for m in self.newest["markers"].markers})
            return {"witness_lines", "witness_points", "normals", "minimum", "ball", "box"} <= set(seen) and \
                len(seen["witness_lines"].points) == 2
        self.wait_for(all_seen, "markers", x=0.5)
        line = seen["witness_lines"]
        self.assertEqual((line.type, line.header.frame_id), (Marker.LINE_LIST, "world"))
        self.assertAlmostEqual(line.points[0].x, 0.4, places=6)
        self.assertAlmostEqual(line.points[1].x, 0.1, places=6)
        self.assertEqual(len(line.colors), 2)
        ball = seen["ball"]
        self.assertEqual((ball.type, ball.header.frame_id, ball.frame_locked),
                         (Marker.TRIANGLE_LIST, "ball", True))
        self.assertEqual(len(ball.points) % 3, 0)
        for p in ball.points:
            self.assertAlmostEqual(math.hypot(p.x, p.y, p.z), 0.1, places=9)

    def test_parameters(self):
        names = self.call(ListParameters, "list_parameters").result.names
        self.assertIn("stop_distance", names)
        descriptors = self.call(DescribeParameters, "describe_parameters", names=names).descriptors
        for descriptor in descriptors:
            self.assertTrue(descriptor.description, descriptor.name)
            number = descriptor.type in (ParameterType.PARAMETER_DOUBLE,
                                         ParameterType.PARAMETER_INTEGER)
            ranges = len(descriptor.floating_point_range) + len(descriptor.integer_range)
            self.assertEqual(ranges, int(number), descriptor.name)
        self.assertEqual(list(self.get("pairs").string_array_value), ["ball:box"])
        self.assertEqual(self.get("rate").double_value, 200.0)

        integer, real = ParameterType.PARAMETER_INTEGER, ParameterType.PARAMETER_DOUBLE
        self.assertTrue(self.set("stop_distance", type=integer, integer_value=1).successful)
        self.assertEqual(self.get("stop_distance").double_value, 1.0)
        self.wait_for(lambda: self.has_distance(0.3) and "required 1 m" in
                      self.newest["safety"].reason, "the new distance", x=0.5)
        refused = self.set("stop_distance", type=real, double_value=-1.0)
        self.assertFalse(refused.successful)
        self.assertIn("at least 0 m", refused.reason)
        self.assertEqual(self.get("stop_distance").double_value, 1.0)
        for name in ("rate", "nonsense"):
            refused = self.set(name, type=real, double_value=10.0)
            self.assertFalse(refused.successful)
            self.assertIn(name, refused.reason)
        booleans = ParameterType.PARAMETER_BOOL_ARRAY  # which ros2 param load takes [] for
        self.assertTrue(self.set("robot_links", type=booleans, bool_array_value=[]).successful)
        for name, value, reason in (("pairs", [], "cannot be changed"), ("range", [], "expected a double"),
                                    ("robot_links", [True], "expects a string_array")):
            refused = self.set(name, type=booleans, bool_array_value=value)
            self.assertFalse(refused.successful)
            self.assertIn(reason, refused.reason)
        refused = self.set("range", type=ParameterType.PARAMETER_NOT_SET)
        self.assertEqual((refused.successful, refused.reason), (False, "range cannot be deleted"))
        self.assertTrue(self.set("stop_distance", type=real, double_value=0.1).successful)

    def test_lifecycle(self):
        self.wait_for(lambda: "closest_points" in self.newest, "answers")
        self.assertEqual(self.state(), State.PRIMARY_STATE_ACTIVE)
        found = self.call(GetAvailableTransitions, "get_available_transitions")
        labels = {t.transition.label for t in found.available_transitions}
        self.assertEqual(labels, {"deactivate", "shutdown"})
        graph = self.call(GetAvailableTransitions, "get_transition_graph").available_transitions
        self.assertGreater(len(graph), 20)

        self.assertFalse(self.change(Transition.TRANSITION_CONFIGURE))
        self.assertTrue(self.change(Transition.TRANSITION_DEACTIVATE))
        self.assertEqual(self.state(), State.PRIMARY_STATE_INACTIVE)
        self.wait_for(lambda: self.newest["safety"].reason == "deactivated", "the last word")
        self.wait_for(lambda: self.newest["minimum"].body_a == "" and
                      not self.newest["closest_points"].pairs, "the last answer")
        self.assertEqual((self.newest["safety"].zone, self.newest["safety"].speed_scale),
                         (SafetyStatus.STOP, 0.0))
        self.newest.clear()
        end = time.monotonic() + 1
        while time.monotonic() < end:
            rclpy.spin_once(self.node, timeout_sec=0.01)
            self.moving.publish(TFMessage(transforms=[self.transform("ball", 0.5)]))
        self.assertEqual(self.newest, {})
        self.assertTrue(self.change(Transition.TRANSITION_CLEANUP))
        said = []
        self.node.create_subscription(Log, "/rosout", lambda m: said.append((m.name, m.msg)), 100)
        self.assertTrue(self.change(Transition.TRANSITION_CONFIGURE))
        self.assertTrue(self.change(Transition.TRANSITION_ACTIVATE))
        self.assertFalse(self.change(Transition.TRANSITION_CLEANUP))
        self.wait_for(lambda: ("cell.closest_point_monitor", "transition 2 is refused: there is none "
                               "in the state 'active'") in said, "/rosout")
        self.wait_for(lambda: self.has_distance(0.3), "answers again", x=0.5)

    def test_simulated_time(self):
        """As a bag is played: no time yet, time, transforms that end, and the same from an earlier time."""
        heard = self.listen("/simulated/closest_point_monitor")
        clock = self.node.create_publisher(Clock, "/clock", 1)
        self.wait_for(lambda: "safety" in heard and heard["safety"].reason ==
                      "there is no time on /clock yet", "waiting for the time")
        self.assertEqual(heard["safety"].zone, SafetyStatus.STOP)

        def play(begin, good, what, x=None):
            now = itertools.count(int(100 * begin))

            def tick():
                hundredths = next(now)
                stamp = Time(sec=hundredths // 100, nanosec=hundredths % 100 * 10 ** 7)
                clock.publish(Clock(clock=stamp))
                if x is not None:
                    self.moving.publish(TFMessage(transforms=[self.transform("ball", x, stamp)]))
                points = heard.get("closest_points")
                return points is not None and good(points)
            self.wait_for(tick, what)

        def answers(second, distance):
            return lambda points: second <= points.header.stamp.sec < second + 100 and \
                points.minimum == 0 and abs(points.pairs[0].distance - distance) < 1e-6

        play(1000, answers(1000, 0.3), "the distance", x=0.5)
        play(1200, lambda points: points.header.stamp.sec >= 1200 and points.stale == 1, "staleness")
        play(500, lambda points: points.header.stamp.sec < 600 and points.stale == 1, "another time")
        play(500, answers(500, 0.2), "the distance", x=0.4)

    def test_the_last_word(self, monitor):
        """SIGINT: everything is taken back. Tests run by their names, so this is the last one."""
        self.wait_for(lambda: "safety" in self.newest and "closest_points" in self.newest, "answers")
        os.kill(monitor.process_details["pid"], signal.SIGINT)
        self.wait_for(lambda: self.newest["safety"].reason == "shutting down", "the last word")
        self.wait_for(lambda: self.newest["closest_points"].minimum == -1, "the last answer")
        self.assertEqual(self.newest["safety"].zone, SafetyStatus.STOP)
        pairs = self.newest["closest_points"].pairs
        self.assertEqual([p.status for p in pairs], [ClosestPoint.STALE])


class TestLaunchFiles(unittest.TestCase):
    def test_parameters(self):
        """No monitor by its defaults where the file is not there, and the command line has the last word."""
        with tempfile.TemporaryDirectory() as folder:
            install(folder)
            there, model = os.path.join(folder, "there.yaml"), os.path.join(folder, "two.urdf")
            with open(there, "w", encoding="utf-8") as file:
                file.write("/**: {ros__parameters: {model: nowhere.urdf, pairs: ['ball:nobody']}}")
            with open(model, "w", encoding="utf-8") as file:
                file.write(MODEL)
            path = os.pathsep.join((folder, os.environ["AMENT_PREFIX_PATH"]))
            for launch_file, (params, said) in itertools.product(
                    ("monitor.launch.py", "obey.launch.py"),
                    ((os.path.join(folder, "not_there.yaml"), "not_there.yaml'. Error: Error opening"),
                     (there, "two.urdf:1: parameter 'pairs' names link 'nobody'"))):
                done = subprocess.run(
                    ["timeout", "20", "ros2", "launch", "rclc_closest_point", launch_file,
                     f"params:={params}", f"model:={model}"],
                    env=os.environ | {"AMENT_PREFIX_PATH": path}, capture_output=True, text=True, check=False)
                self.assertIn(said, done.stdout + done.stderr)
                self.assertIn("exit code 1", done.stdout + done.stderr)


@launch_testing.post_shutdown_test()
class TestExit(unittest.TestCase):
    def test_exit(self, proc_info, monitor, simulated):
        for process in (monitor, simulated):
            launch_testing.asserts.assertExitCodes(proc_info, process=process)
