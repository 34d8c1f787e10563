#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What RViz would show of the monitor's markers, as a PNG; needs a sourced ROS 2 and numpy.

    docs/figures/draw_markers.py OUT.png [TOPIC] [FIXED_FRAME]

Listens until every link's body has come by, then draws the newest markers of each namespace at the
frames' newest poses: triangles, line lists and sphere lists, with a depth buffer.
"""

import struct
import sys
import time
import zlib

import numpy as np
import rclpy
from rclpy.time import Time
from tf2_ros import Buffer, TransformListener
from visualization_msgs.msg import Marker, MarkerArray

WIDTH, HEIGHT = 1280, 860
EYE, TARGET = np.array([3.2, 3.0, 2.3]), np.array([0.25, 0.45, 0.8])
FOCAL = 1.25 * HEIGHT
SECONDS = 6.0  # of listening; two rounds of all bodies


def rotation(q):
    x, y, z, w = q.x, q.y, q.z, q.w
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


class Canvas:
    def __init__(self):
        self.color = np.full((HEIGHT, WIDTH, 3), 0.97)
        self.depth = np.full((HEIGHT, WIDTH), np.inf)
        ahead = (TARGET - EYE) / np.linalg.norm(TARGET - EYE)
        right = np.cross(ahead, [0, 0, 1])
        right /= np.linalg.norm(right)
        self.axes = np.array([right, np.cross(right, ahead), ahead])

    def project(self, points):
        """Pixels and depth."""
        p = (points - EYE) @ self.axes.T
        z = np.maximum(p[:, 2], 1e-3)
        return np.column_stack([WIDTH / 2 + FOCAL * p[:, 0] / z, HEIGHT / 2 - FOCAL * p[:, 1] / z, z])

    def triangle(self, corners, color):
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        length = np.linalg.norm(normal)
        if length < 1e-12:
            return
        light = 0.55 + 0.45 * abs(normal @ [0.4, 0.3, 0.85]) / length
        p = self.project(corners)
        lo = np.maximum(np.floor(p[:, :2].min(0)).astype(int), 0)
        hi = np.minimum(np.ceil(p[:, :2].max(0)).astype(int) + 1, [WIDTH, HEIGHT])
        if (hi <= lo).any():
            return
        x, y = np.meshgrid(np.arange(lo[0], hi[0]) + 0.5, np.arange(lo[1], hi[1]) + 0.5)
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = p
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            return
        v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        z = az + v * (bz - az) + w * (cz - az)
        rows, columns = slice(lo[1], hi[1]), slice(lo[0], hi[0])
        seen = (v >= 0) & (w >= 0) & (v + w <= 1) & (z < self.depth[rows, columns])
        self.depth[rows, columns][seen] = z[seen]
        self.color[rows, columns][seen] = light * color

    def dot(self, point, diameter, color):
        """In front of everything, so that it can be judged; fainter where a body hides it."""
        x, y, z = self.project(point[None])[0]
        r = max(1.0, 0.5 * FOCAL * diameter / z)
        lo_x, hi_x = max(int(x - r), 0), min(int(x + r) + 1, WIDTH)
        lo_y, hi_y = max(int(y - r), 0), min(int(y + r) + 1, HEIGHT)
        if lo_x >= hi_x or lo_y >= hi_y:
            return
        px, py = np.meshgrid(np.arange(lo_x, hi_x), np.arange(lo_y, hi_y))
        inside = (px - x) ** 2 + (py - y) ** 2 <= r * r
        hidden = inside & (self.depth[lo_y:hi_y, lo_x:hi_x] < z - 0.02)
        patch = self.color[lo_y:hi_y, lo_x:hi_x]
        patch[inside & ~hidden] = color
        patch[hidden] = 0.75 * patch[hidden] + 0.25 * color

    def line(self, a, b, width, color):
        for s in np.linspace(0, 1, 400):
            self.dot((1 - s) * a + s * b, width, color)

    def write(self, path):
        rows = (255 * np.clip(self.color, 0, 1)).astype(np.uint8)
        raw = b"".join(b"\0" + row.tobytes() for row in rows)

        def chunk(kind, data):
            return (struct.pack(">I", len(data)) + kind + data
                    + struct.pack(">I", zlib.crc32(kind + data)))
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n"
                       + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def listen(topic):
    rclpy.init()
    node = rclpy.create_node("draw_markers")
    buffer = Buffer()
    listener = TransformListener(buffer, node)
    newest = {}

    def take(message):
        newest.update({(m.ns, m.id): m for m in message.markers})
    node.create_subscription(MarkerArray, topic, take, 1)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.05)
    del listener
    return buffer, list(newest.values())


def placed(marker, buffer, fixed):
    """The marker's points in the fixed frame."""
    points = np.array([[p.x, p.y, p.z] for p in marker.points])
    if marker.header.frame_id == fixed:
        return points
    t = buffer.lookup_transform(fixed, marker.header.frame_id, Time()).transform
    return points @ rotation(t.rotation).T + [t.translation.x, t.translation.y, t.translation.z]


def draw(canvas, marker, points):
    colors = [np.array([c.r, c.g, c.b]) for c in marker.colors or [marker.color] * len(points)]
    if marker.type == Marker.TRIANGLE_LIST:
        for k in range(0, len(points), 3):
            canvas.triangle(points[k:k + 3], colors[k])
    elif marker.type == Marker.LINE_LIST:
        for k in range(0, len(points), 2):
            canvas.line(points[k], points[k + 1], marker.scale.x, colors[k])
    elif marker.type == Marker.SPHERE_LIST:
        for point, color in zip(points, colors):
            canvas.dot(point, marker.scale.x, color)
    else:
        print(f"{marker.ns}: '{marker.text}' at {marker.pose.position}")


def main():
    path = sys.argv[1]
    topic = sys.argv[2] if len(sys.argv) > 2 else "/closest_point_monitor/markers"
    fixed = sys.argv[3] if len(sys.argv) > 3 else "cell"
    buffer, markers = listen(topic)
    canvas = Canvas()
    for marker in sorted(markers, key=lambda m: m.type != Marker.TRIANGLE_LIST):
        print(f"{marker.ns}: type {marker.type}, frame {marker.header.frame_id}, "
              f"{len(marker.points)} points")
        draw(canvas, marker, placed(marker, buffer, fixed) if marker.points else np.zeros((0, 3)))
    canvas.write(path)


if __name__ == "__main__":
    main()
