#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A picture of `closest_point demo` at work; needs tmux and rsvg-convert.

    docs/figures/draw_demo.py BUILD/rclc_closest_point/closest_point docs/images/demo.png

Runs it in a terminal of tmux's until a person makes the arm stop for the second time, and draws what is there.
"""

import os
import re
import subprocess
import sys
import time
from html import escape

COLUMNS, ROWS = 86, 24
TMUX = ["tmux", "-L", "closest_point_picture"]
CELL_W, CELL_H, SIZE, MARGIN = 8.43, 18, 14, 12
PAPER, INK = "#16191d", "#d6dade"
COLORS = {30: "#16191d", 31: "#f2777a", 32: "#8cc570", 33: "#e6b450", 37: "#ffffff",
          41: "#d1414a", 42: "#6fb14f", 43: "#e0a93a"}


def tmux(*words):
    return subprocess.run([*TMUX, *words], check=True, capture_output=True, text=True).stdout


def wait_for(pattern):
    for _ in range(600):
        if re.search(pattern, tmux("capture-pane", "-p")):
            return
        time.sleep(0.05)
    sys.exit(f"never seen: {pattern}")


def capture(command):
    os.environ["LC_ALL"] = "C.UTF-8"
    tmux("-u", "-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), command, "demo")
    try:
        wait_for(r"STOP .*\n.*arm: stop")
        wait_for(r"CLEAR")
        wait_for(r"STOP .*\n.*arm: stop")
        time.sleep(1)
        return tmux("capture-pane", "-p", "-e")
    finally:
        tmux("kill-server")


def runs(line):
    """Pieces of a line as (column, text, style); a style has ink, paper, bold and faint."""
    style = {"ink": INK, "paper": None, "bold": False, "faint": False}
    column = 0
    for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
        for code in [int(c or 0) for c in codes.split(";")] if not text else []:
            if code == 0:
                style = {"ink": INK, "paper": None, "bold": False, "faint": False}
            elif code in (1, 2):
                style = {**style, "bold" if code == 1 else "faint": True}
            elif code == 39:
                style = {**style, "ink": INK}
            elif code == 49:
                style = {**style, "paper": None}
            elif code in COLORS:
                style = {**style, "ink" if code < 40 else "paper": COLORS[code]}
        if text:
            yield column, text, style
            column += len(text)


def draw(screen):
    width, height = COLUMNS * CELL_W + 2 * MARGIN, ROWS * CELL_H + 2 * MARGIN
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}">',
             f'<rect width="100%" height="100%" rx="6" fill="{PAPER}"/>',
             f'<g font-family="DejaVu Sans Mono" font-size="{SIZE}" xml:space="preserve">']
    for row, line in enumerate(screen.split("\n")[:ROWS]):
        for column, text, style in runs(line):
            x, y = MARGIN + column * CELL_W, MARGIN + row * CELL_H
            if style["paper"]:
                parts.append(f'<rect x="{x:g}" y="{y:g}" width="{len(text) * CELL_W:g}" '
                             f'height="{CELL_H}" fill="{style["paper"]}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if style["bold"] else ""
                opacity = ' fill-opacity="0.6"' if style["faint"] else ""
                parts.append(f'<text x="{x:g}" y="{y + 14:g}" fill="{style["ink"]}"{weight}{opacity}>'
                             f'{escape(text)}</text>')
    return "\n".join([*parts, "</g></svg>"])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    picture = draw(capture(os.path.abspath(sys.argv[1])))
    subprocess.run(["rsvg-convert", "-z", "1.5", "-o", sys.argv[2]], input=picture.encode(), check=True)


if __name__ == "__main__":
    main()
