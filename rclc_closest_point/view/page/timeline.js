/* SPDX-License-Identifier: Apache-2.0 */
/* The last minutes: separation and what is required, the zone and the speed. Of every tenth of a
 * second the worst is kept, so that nothing short is lost; where nothing was heard there is a gap. */

import { ZONES, now } from './cell.js';
import { sizeOf } from './size.js';

const STEP = 0.1; /* s */
const LONGEST = 900; /* s */
const ROOM = LONGEST / STEP;
const NAMES = ['separation', 'required', 'zone', 'speed'];

export class History {
  constructor() {
    this.begin = now();
    this.slots = NAMES.map(() => new Float32Array(ROOM).fill(NaN));
    this.last = -1; /* the number of the newest slot, counted since the beginning */
  }

  slotOf(time) {
    return Math.floor((time - this.begin) / STEP);
  }

  /* What lies between, unheard, is a gap. */
  advance(slot) {
    for (let k = Math.max(this.last + 1, slot - ROOM + 1); k <= slot; ++k) for (const list of this.slots) list[k % ROOM] = NaN;
    this.last = Math.max(this.last, slot);
  }

  /* `delay`: it was said that long ago. */
  add(safety, delay) {
    const slot = this.slotOf(Math.max(this.begin, now() - delay));
    if (slot <= this.last - ROOM) return;
    this.advance(slot);
    const worst = [Math.min, Math.max, Math.max, Math.min];
    const values = [safety.separation, safety.required_separation, safety.zone, safety.speed_scale];
    values.forEach((value, k) => {
      const list = this.slots[k], old = list[slot % ROOM];
      if (!Number.isNaN(value)) list[slot % ROOM] = Number.isNaN(old) ? value : worst[k](old, value);
    });
  }

  /* The worst between two times, in seconds before now; null: nothing was heard. */
  worst(from, to) {
    const end = this.slotOf(now() - to), start = Math.max(this.slotOf(now() - from), this.last - ROOM + 1, 0);
    const found = [Infinity, -Infinity, -1, Infinity];
    for (let slot = start; slot <= Math.min(end, this.last); ++slot)
      this.slots.forEach((list, k) => {
        const value = list[slot % ROOM];
        if (!Number.isNaN(value)) found[k] = k === 0 || k === 3 ? Math.min(found[k], value) : Math.max(found[k], value);
      });
    if (found[2] < 0) return null;
    return { separation: found[0], required: found[1], zone: found[2], speed: found[3] };
  }
}

/* ---- Drawing ------------------------------------------------------------------------------ */

const LEFT = 46, RIGHT = 10, TOP = 8, BOTTOM = 18, STRIP = 18, SPEED = 22, SPACE = 5;

export class Timeline {
  constructor(canvas, readout, history) {
    Object.assign(this, { canvas, readout, history, span: 60, cursor: null });
    this.attached = new AbortController();
    this.on('pointermove', (event) => this.point(event.offsetX));
    this.on('pointerleave', () => (this.cursor = null));
    this.on('keydown', (event) => this.key(event));
    this.on('blur', () => (this.cursor = null));
  }

  on(type, hear) {
    this.canvas.addEventListener(type, hear, { signal: this.attached.signal });
  }

  /* Another one takes the canvas over. */
  detach() {
    this.attached.abort();
  }

  get left() {
    return LEFT;
  }

  get width() {
    return sizeOf(this.canvas).width - LEFT - RIGHT;
  }

  /* Seconds before now. */
  ageAt(x) {
    return this.span * (1 - (x - LEFT) / this.width);
  }

  point(x) {
    this.cursor = Math.max(0, Math.min(this.span, this.ageAt(x)));
  }

  key(event) {
    const step = this.span / 60, steps = { ArrowLeft: step, ArrowRight: -step, Home: this.span, End: -this.span };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.cursor = Math.max(0, Math.min(this.span, (this.cursor ?? 0) + steps[event.key]));
  }

  columns() {
    const list = [], step = this.span / this.width;
    for (let x = 0; x < this.width; ++x) list.push(this.history.worst(this.span - x * step, this.span - (x + 1) * step));
    return list;
  }

  scaleOf(columns) {
    let most = 0.2;
    for (const c of columns) {
      if (!c) continue;
      if (Number.isFinite(c.required)) most = Math.max(most, 1.6 * c.required);
      if (Number.isFinite(c.separation)) most = Math.max(most, Math.min(c.separation * 1.1, 2.5 * (Number.isFinite(c.required) ? c.required : c.separation)));
    }
    const unit = 10 ** Math.floor(Math.log10(most));
    return unit * [1, 1.5, 2, 3, 4, 5, 7.5, 10].find((f) => f * unit >= most);
  }

  draw(theme) {
    const { canvas } = this, ratio = Math.min(devicePixelRatio || 1, 2);
    const { width, height } = sizeOf(canvas);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio))
      Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = '11px ' + theme.font;
    const columns = this.columns(), plot = height - TOP - BOTTOM - STRIP - SPEED - 2 * SPACE;
    this.drawGaps(pen, theme, columns, height - BOTTOM);
    this.drawScale(pen, theme, this.scaleOf(columns), plot);
    this.drawCurves(pen, theme, columns, this.scaleOf(columns), plot);
    this.drawSpeed(pen, theme, columns, TOP + plot + SPACE);
    this.drawZones(pen, theme, columns, TOP + plot + SPEED + 2 * SPACE);
    this.drawTimes(pen, theme, height);
    this.drawCursor(pen, theme, height - BOTTOM);
  }

  /* Runs of columns that are alike: `each(key, from, to)`. */
  runs(columns, keyOf, each) {
    let start = 0;
    for (let x = 1; x <= columns.length; ++x)
      if (x === columns.length || keyOf(columns[x]) !== keyOf(columns[start])) {
        each(keyOf(columns[start]), LEFT + start, LEFT + x);
        start = x;
      }
  }

  drawGaps(pen, theme, columns, bottom) {
    pen.strokeStyle = theme.gap;
    pen.lineWidth = 1;
    this.runs(columns, (c) => c === null, (gap, from, to) => {
      if (!gap) return;
      pen.save();
      pen.beginPath();
      pen.rect(from, TOP, to - from, bottom - TOP);
      pen.clip();
      pen.beginPath();
      for (let x = LEFT - bottom; x < to; x += 7) {
        pen.moveTo(x, bottom);
        pen.lineTo(x + bottom - TOP, TOP);
      }
      pen.stroke();
      pen.restore();
    });
  }

  drawScale(pen, theme, most, plot) {
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    pen.lineWidth = 1;
    for (let k = 0; k <= 2; ++k) {
      const y = Math.round(TOP + plot * (1 - k / 2)) + 0.5;
      pen.strokeStyle = theme.line;
      pen.beginPath();
      pen.moveTo(LEFT, y);
      pen.lineTo(LEFT + this.width, y);
      pen.stroke();
      pen.fillStyle = theme.muted;
      pen.fillText(k === 2 ? `${+(most).toPrecision(3)} m` : `${+((most * k) / 2).toPrecision(3)}`, LEFT - 6, y);
    }
  }

  drawCurves(pen, theme, columns, most, plot) {
    const y = (value) => TOP + plot * (1 - Math.max(0, Math.min(1, value / most)));
    pen.fillStyle = theme.forbidden;
    columns.forEach((c, x) => {
      if (c && Number.isFinite(c.required)) pen.fillRect(LEFT + x, y(c.required), 1, TOP + plot - y(c.required));
    });
    for (const [name, color, line, dash] of [['required', theme.muted, 1.2, [5, 3]], ['separation', theme.text, 1.8, []]]) {
      pen.strokeStyle = color;
      pen.lineWidth = line;
      pen.setLineDash(dash);
      pen.beginPath();
      let drawing = false;
      columns.forEach((c, x) => {
        const value = c?.[name];
        if (!Number.isFinite(value)) drawing = false;
        else if (drawing) pen.lineTo(LEFT + x, y(value));
        else (drawing = true), pen.moveTo(LEFT + x, y(value));
      });
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  drawSpeed(pen, theme, columns, top) {
    pen.fillStyle = theme.muted;
    pen.textAlign = 'right';
    pen.fillText('speed', LEFT - 6, top + SPEED / 2);
    pen.fillStyle = theme.area;
    columns.forEach((c, x) => {
      if (c && Number.isFinite(c.speed)) pen.fillRect(LEFT + x, top + SPEED * (1 - c.speed), 1, Math.max(1, SPEED * c.speed));
    });
    pen.strokeStyle = theme.line;
    pen.strokeRect(LEFT + 0.5, top + 0.5, this.width - 1, SPEED - 1);
  }

  /* What is worse is higher, too, and the word stands where there is room. */
  drawZones(pen, theme, columns, top) {
    pen.fillStyle = theme.muted;
    pen.textAlign = 'right';
    pen.fillText('zone', LEFT - 6, top + STRIP / 2);
    this.runs(columns, (c) => c?.zone ?? -1, (zone, from, to) => {
      if (zone < 0) return;
      const height = [4, STRIP * 0.62, STRIP][zone];
      pen.fillStyle = theme.zones[zone];
      pen.fillRect(from, top + STRIP - height, to - from, height);
      if (to - from < 40 || zone === 0) return;
      pen.fillStyle = theme.onZones[zone];
      pen.textAlign = 'center';
      pen.font = `600 10px ${theme.font}`;
      pen.fillText(ZONES[zone], (from + to) / 2, top + STRIP - height / 2 + 0.5);
      pen.font = `11px ${theme.font}`;
    });
  }

  drawTimes(pen, theme, height) {
    pen.fillStyle = theme.muted;
    pen.textBaseline = 'alphabetic';
    for (let k = 0; k <= 4; ++k) {
      const age = (this.span * (4 - k)) / 4;
      pen.textAlign = k === 4 ? 'right' : k === 0 ? 'left' : 'center';
      const text = age === 0 ? 'now' : age < 120 ? `−${age} s` : `−${+(age / 60).toFixed(2)} min`;
      pen.fillText(text, LEFT + (this.width * k) / 4, height - 4);
    }
    pen.textBaseline = 'middle';
  }

  drawCursor(pen, theme, bottom) {
    if (this.cursor === null) {
      this.readout.textContent = '';
      return;
    }
    const x = LEFT + this.width * (1 - this.cursor / this.span);
    pen.strokeStyle = theme.accent;
    pen.beginPath();
    pen.moveTo(x, TOP);
    pen.lineTo(x, bottom);
    pen.stroke();
    const step = this.span / this.width, found = this.history.worst(this.cursor + step, this.cursor);
    const meters = (value) => (Number.isFinite(value) ? `${value.toFixed(3)} m` : 'not known');
    this.readout.textContent = found
      ? `${this.cursor.toFixed(1)} s ago: ${ZONES[found.zone]}, separation ${meters(found.separation)}, required ${meters(found.required)}, speed ${Math.round(100 * found.speed)} %`
      : `${this.cursor.toFixed(1)} s ago: nothing was heard`;
  }
}
