/* SPDX-License-Identifier: Apache-2.0 */
/* A recording instead of what is live: its time line, all of it, and how it is played. */

import { ZONES, now } from './cell.js';
import { Timeline } from './timeline.js';

const SPEEDS = [10, 25, 50, 100, 200, 500, 1000]; /* percent */
const PACE = 0.08; /* s between requests, of which the server takes twenty a second */
const STEP = 1, FAR = 10; /* s of one press of a key */

const pad = (value, digits = 2) => String(value).padStart(digits, '0');

/* Seconds as they are read beside a time line. */
export function clockOf(seconds) {
  const tenths = Math.max(0, Math.floor(10 * seconds + 1e-6)), whole = Math.floor(tenths / 10);
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return `${hours > 0 ? `${hours}:${pad(minutes)}` : minutes}:${pad(whole % 60)}.${tenths % 10}`;
}

/* Seconds since 1970 as day and time where it is read. */
export function dateOf(seconds) {
  const date = new Date(1000 * seconds);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${timeOf(seconds)}`;
}

export function timeOf(seconds) {
  const date = new Date(1000 * seconds);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/* ---- What is on the time line ------------------------------------------------------------- */

/* All of the recording's answers, as the server has gone through them; ages count from its end. */
class Overview {
  constructor({ duration, bins, bin_width: width, answer_count: count }) {
    this.duration = duration;
    this.width = width;
    this.bins = new Map(bins.map(([k, ...values]) => [k, values]));
    /* An answer holds until the next one is due; where none has come for three times that, nothing does. */
    this.hold = count > 1 ? Math.ceil((3 * duration) / count / width) : 0;
  }

  /* The last bin with an answer that still holds; -1: there is none. */
  holding(bin) {
    for (let k = bin; k >= Math.max(0, bin - Math.min(this.hold, 64)); --k) if (this.bins.has(k)) return k;
    return -1;
  }

  worst(from, to) {
    const end = Math.floor((this.duration - to) / this.width);
    const start = this.holding(Math.floor((this.duration - from) / this.width));
    let found = null;
    for (let k = start < 0 ? Math.floor((this.duration - from) / this.width) : start; k <= end; ++k) {
      const bin = this.bins.get(k);
      if (!bin) continue;
      const [separation, required, zone, speed] = bin.map((value) => value ?? NaN);
      found ??= { separation: Infinity, required: -Infinity, zone: 0, speed: Infinity };
      if (separation < found.separation) found.separation = separation;
      if (required > found.required) found.required = required;
      if (zone > found.zone) found.zone = zone;
      if (speed < found.speed) found.speed = speed;
    }
    return found;
  }
}

class RecordingTimeline extends Timeline {
  constructor(canvas, readout, about, playback) {
    super(canvas, readout, new Overview(about));
    Object.assign(this, { about, playback, span: Math.max(about.duration, 1e-3), dragging: false });
    this.on('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.go(event.offsetX);
    });
    const end = () => (this.dragging = false);
    this.on('pointerup', end);
    this.on('pointercancel', end);
  }

  timeAt(x) {
    return Math.max(0, Math.min(this.span, this.span - this.ageAt(x)));
  }

  go(x) {
    this.playback.seek(this.timeAt(x));
  }

  point(x) {
    super.point(x);
    if (this.dragging) this.go(x);
  }

  key(event) {
    const { playback } = this, far = event.shiftKey ? FAR : STEP;
    const goals = { ArrowLeft: playback.goal - far, ArrowRight: playback.goal + far, PageUp: playback.goal - FAR,
      PageDown: playback.goal + FAR, Home: 0, End: this.span };
    if (!(event.key in goals)) return;
    event.preventDefault();
    event.stopPropagation();
    playback.seek(goals[event.key]);
  }

  drawTimes(pen, theme, height) {
    pen.fillStyle = theme.muted;
    pen.textBaseline = 'alphabetic';
    for (let k = 0; k <= 4; ++k) {
      pen.textAlign = k === 4 ? 'right' : k === 0 ? 'left' : 'center';
      pen.fillText(clockOf((this.span * k) / 4), this.left + (this.width * k) / 4, height - 4);
    }
    pen.textBaseline = 'middle';
  }

  drawCursor(pen, theme, bottom) {
    const { cursor, playback } = this;
    this.drawPosition(pen, theme, bottom, this.left + (this.width * Math.min(playback.position, this.span)) / this.span);
    if (cursor === null) {
      this.readout.textContent = '';
      return;
    }
    const step = this.span / this.width, found = this.history.worst(cursor + step, cursor);
    const meters = (value) => (Number.isFinite(value) ? `${value.toFixed(3)} m` : 'not known');
    const time = clockOf(this.span - cursor);
    this.readout.textContent = found
      ? `${time}: ${ZONES[found.zone]}, separation ${meters(found.separation)}, required ${meters(found.required)}, speed ${Math.round(100 * found.speed)} %`
      : `${time}: no answer`;
  }

  drawPosition(pen, theme, bottom, x) {
    pen.strokeStyle = pen.fillStyle = theme.accent;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, 4);
    pen.lineTo(x, bottom);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x - 6, 0);
    pen.lineTo(x + 6, 0);
    pen.lineTo(x, 9);
    pen.fill();
    pen.lineWidth = 1;
  }
}

/* ---- How it is played --------------------------------------------------------------------- */

export class Playback {
  /* `send(words)` goes to the server. */
  constructor(about, parts, send) {
    Object.assign(this, { about, parts, send, state: null, wanted: null, pace: null, asked: 0, waiting: null });
    this.timeline = new RecordingTimeline(parts.canvas, parts.readout, about, this);
    parts.play.addEventListener('click', () => this.toggle());
    parts.next.addEventListener('click', () => this.step('next'));
    parts.previous.addEventListener('click', () => this.step('previous'));
    parts.speed.replaceChildren(...SPEEDS.map((percent) => new Option(`${percent / 100} ×`, percent)));
    parts.speed.addEventListener('change', () => this.setPace(Number(parts.speed.value)));
    this.describe();
  }

  describe() {
    const { about, parts } = this;
    parts.name.textContent = `${about.file}, ${dateOf(about.begin)}`;
    parts.name.title = about.monitor ? `of ${about.monitor}` : '';
    const lacks = [...about.lacks.map((lack) => `not in it: ${lack}`), ...(about.damage ? [`damaged: ${about.damage}`] : [])];
    parts.lacks.hidden = lacks.length === 0;
    parts.lacks.textContent = parts.lacks.title = lacks.join(' · ');
  }

  hear(state) {
    this.state = state;
    if (this.waiting === null && now() - this.asked > 0.5) this.wanted = this.pace = null;
    this.show();
  }

  show() {
    const { parts, state, about } = this;
    const word = state.playing ? 'pause' : 'play';
    if (parts.play.dataset.word !== word) {
      parts.play.dataset.word = word;
      parts.play.textContent = state.playing ? '❚❚' : '▶';
      parts.play.setAttribute('aria-label', word);
    }
    const time = `${clockOf(state.position)} / ${clockOf(about.duration)}`;
    if (parts.time.textContent !== time) parts.time.textContent = time;
    if (document.activeElement !== parts.speed && parts.speed.value !== String(state.percent)) parts.speed.value = String(state.percent);
  }

  get position() {
    return this.state?.position ?? 0;
  }

  /* Where it is to be soon: keys that are pressed fast add up. */
  get goal() {
    return this.wanted ?? this.position;
  }

  ask(control, value) {
    this.asked = now();
    this.send({ op: 'playback', control, ...(value === undefined ? {} : { value }) });
  }

  toggle() {
    this.ask(this.state?.playing ? 'pause' : 'play');
  }

  /* Of a key that is held down as many as the server takes. */
  step(control) {
    if (now() - this.asked < PACE) return;
    this.wanted = null;
    this.ask(control);
  }

  seek(seconds) {
    this.wanted = Math.max(0, Math.min(this.about.duration, seconds));
    if (this.waiting !== null) return;
    const rest = PACE - (now() - this.asked);
    const go = () => {
      this.waiting = null;
      this.ask('seek', Math.ceil(1000 * this.wanted));
    };
    if (rest <= 0) go();
    else this.waiting = setTimeout(go, 1000 * rest);
  }

  change(direction) {
    const known = this.pace ?? this.state?.percent ?? 100;
    const nearest = SPEEDS.findIndex((percent) => percent >= known);
    this.setPace(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, nearest + direction))]);
  }

  setPace(percent) {
    this.pace = percent;
    this.ask('speed', percent);
  }

  /* True: the key has been one of its own. */
  key(key) {
    const keys = { ' ': () => this.toggle(), k: () => this.toggle(), ',': () => this.step('previous'), '.': () => this.step('next'),
      '[': () => this.change(-1), ']': () => this.change(1) };
    keys[key]?.();
    return key in keys;
  }
}
