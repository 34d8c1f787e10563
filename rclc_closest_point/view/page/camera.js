/* SPDX-License-Identifier: Apache-2.0 */
/* From where the cell is looked at: by mouse, by touch, and by the keyboard alone. */

import { add, cross, lerp, lookAt, multiply, norm, perspective, scale, sub, unit } from './math.js';

const ANGLE = (42 * Math.PI) / 180;
const TURN = 0.12, STEP = 0.08, ZOOM = 1.18; /* of one press of a key */
const EASE = 0.18;

const VIEWS = {
  1: { azimuth: 0.6, elevation: 0.42 },
  2: { azimuth: -Math.PI / 2, elevation: Math.PI / 2 - 1e-3 },
  3: { azimuth: -Math.PI / 2, elevation: 0.02 },
  4: { azimuth: 0, elevation: 0.02 },
};

export class Camera {
  constructor() {
    this.now = { target: [0, 0, 0.8], distance: 5, ...VIEWS[1] };
    this.goal = { ...this.now };
    this.moved = false; /* by somebody: it is not to be moved by itself any more */
  }

  /* A step towards where it is to be; true: there is more to go. */
  ease() {
    const { now, goal } = this;
    const before = `${now.target} ${now.distance} ${now.azimuth} ${now.elevation}`;
    now.target = lerp(now.target, goal.target, EASE);
    for (const name of ['distance', 'azimuth', 'elevation']) now[name] += (goal[name] - now[name]) * EASE;
    return before !== `${now.target} ${now.distance} ${now.azimuth} ${now.elevation}`;
  }

  get direction() {
    const { azimuth, elevation } = this.now;
    return [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)];
  }

  get eye() {
    return add(this.now.target, scale(this.direction, this.now.distance));
  }

  matrices(aspect) {
    const { distance, target } = this.now;
    const view = lookAt(this.eye, target, [0, 0, 1]);
    return multiply(perspective(ANGLE, aspect, distance / 100, distance * 20 + 50), view);
  }

  turn(azimuth, elevation) {
    const limit = Math.PI / 2 - 1e-3;
    this.goal.azimuth += azimuth;
    this.goal.elevation = Math.max(-limit, Math.min(limit, this.goal.elevation + elevation));
    this.moved = true;
  }

  /* In the picture's plane, in parts of its height. */
  shift(right, up) {
    const x = unit(cross([0, 0, 1], this.direction)), y = cross(this.direction, x);
    const reach = 2 * this.goal.distance * Math.tan(ANGLE / 2);
    this.goal.target = add(this.goal.target, add(scale(x, -right * reach), scale(y, -up * reach)));
    this.moved = true;
  }

  zoom(factor) {
    this.goal.distance = Math.max(0.05, Math.min(500, this.goal.distance * factor));
    this.moved = true;
  }

  /* So that balls {middle, reach} are in the picture, from a distance of at least so much. */
  fit(balls, least) {
    if (balls.length === 0) return;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const { middle, reach } of balls)
      middle.forEach((c, k) => {
        low[k] = Math.min(low[k], c - reach);
        high[k] = Math.max(high[k], c + reach);
      });
    this.goal.target = scale(add(low, high), 0.5);
    this.goal.distance = Math.max(least, (0.5 * norm(sub(high, low))) / Math.tan(ANGLE / 2) / 1.05);
  }

  look(number) {
    Object.assign(this.goal, VIEWS[number]);
  }

  follow(place) {
    this.goal.target = place;
  }

  /* True: the key has been one of its own. */
  key({ key, shiftKey }) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[key];
    if (arrow && shiftKey) this.shift(-arrow[0] * STEP, -arrow[1] * STEP);
    else if (arrow) this.turn(arrow[0] * TURN, arrow[1] * TURN);
    else if (key === '+' || key === '=') this.zoom(1 / ZOOM);
    else if (key === '-') this.zoom(ZOOM);
    else if (VIEWS[key]) this.look(key);
    else return false;
    return true;
  }

  /* Drags: turn; with shift, the right button or two fingers: shift. The wheel: zoom. */
  attach(element) {
    const pointers = new Map();
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    element.addEventListener('pointerdown', (event) => {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const before = pointers.size === 2 ? spread() : 0;
      const dx = (event.clientX - last.x) / element.clientHeight, dy = (event.clientY - last.y) / element.clientHeight;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (pointers.size === 2) this.zoom(before / spread());
      if (pointers.size === 2 || event.shiftKey || event.buttons & 6) this.shift(dx, -dy);
      else this.turn(-4 * dx, 4 * dy);
    });
    const end = (event) => pointers.delete(event.pointerId);
    element.addEventListener('pointerup', end);
    element.addEventListener('pointercancel', end);
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(0.0012 * event.deltaY));
    }, { passive: false });
  }
}
