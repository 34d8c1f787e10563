/* SPDX-License-Identifier: Apache-2.0 */
/* The table of pairs: searched, sorted, and one picked to be followed. */

import { STALE, STATUS, ZONES, pairName } from './cell.js';

const GLYPHS = ['○', '△', '■'];
const COLUMNS = {
  zone: (row) => (row.pair.status === STALE ? -3 : -(row.zone ?? -1)),
  pair: (row) => row.name,
  distance: (row) => number(row.pair.distance, row.pair.lower_bound),
  bound: (row) => number(row.pair.lower_bound, Infinity),
  rate: (row) => number(row.pair.distance_rate, Infinity),
  age: (row) => -number(row.pair.age, Infinity),
};
const MOST_ROWS = 200; /* at once; the others are found by searching */
const number = (value, instead) => (Number.isFinite(value) ? value : Number.isFinite(instead) ? instead : Infinity);
const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits).replace('-', '−') : '–');

export class Table {
  constructor(table, search, { pick }) {
    Object.assign(this, { table, search, pick, column: 'distance', down: false, picked: null, order: [], sorted: 0 });
    this.body = table.tBodies[0];
    this.rows = new Map();
    for (const button of table.querySelectorAll('th button')) button.addEventListener('click', () => this.sort(button.dataset.column));
    search.addEventListener('input', () => (this.sorted = 0));
    this.body.addEventListener('click', (event) => this.choose(event.target.closest('tr')));
    this.body.addEventListener('keydown', (event) => this.key(event));
    this.mark();
  }

  sort(column) {
    this.down = column === this.column ? !this.down : false;
    this.column = column;
    this.sorted = 0;
    this.mark();
  }

  mark() {
    for (const button of this.table.querySelectorAll('th button')) {
      const here = button.dataset.column === this.column;
      button.parentElement.setAttribute('aria-sort', here ? (this.down ? 'descending' : 'ascending') : 'none');
    }
  }

  choose(row) {
    if (!row) return;
    this.picked = row.dataset.name === this.picked ? null : row.dataset.name;
    this.pick(this.picked);
  }

  key(event) {
    const row = event.target.closest('tr');
    const rows = [...this.body.rows], index = rows.indexOf(row);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -rows.length, End: rows.length };
    if (event.key === 'Enter' || event.key === ' ') this.choose(row);
    else if (event.key in steps) this.focus(rows[Math.max(0, Math.min(rows.length - 1, index + steps[event.key]))]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(row) {
    for (const other of this.body.rows) other.tabIndex = other === row ? 0 : -1;
    row?.focus();
  }

  /* Whoever is reading or choosing does not have rows change under the hand. */
  get isHeld() {
    return this.body.matches(':hover') || this.body.contains(document.activeElement);
  }

  show(cell, time) {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const entries = new Map();
    for (const pair of cell.points?.pairs ?? []) {
      const name = pairName(pair), text = name.toLowerCase();
      if (words.every((word) => text.includes(word))) entries.set(name, { name, pair, zone: cell.zoneOf(pair) });
    }
    if (this.sorted === 0 || (time - this.sorted > 0.7 && !this.isHeld)) {
      const key = COLUMNS[this.column], sign = this.down ? -1 : 1;
      this.order = [...entries.values()]
        .sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) || (a.name < b.name ? -1 : 1))
        .map((entry) => entry.name);
      this.sorted = time;
    }
    const shown = this.order.filter((name) => entries.has(name));
    const ordered = new Set(this.order);
    for (const name of entries.keys()) if (!ordered.has(name)) (this.order.push(name), shown.push(name));
    const rows = shown.filter((name, k) => k < MOST_ROWS || name === this.picked);
    this.place(rows);
    for (const name of rows) this.fill(this.rows.get(name), entries.get(name), cell);
    return { shown: rows.length, all: cell.pairCount };
  }

  place(names) {
    const wanted = new Set(names);
    for (const [name, row] of this.rows)
      if (!wanted.has(name)) {
        row.remove();
        this.rows.delete(name);
      }
    names.forEach((name, k) => {
      if (!this.rows.has(name)) this.rows.set(name, this.create(name));
      const row = this.rows.get(name);
      if (this.body.rows[k] !== row) this.body.insertBefore(row, this.body.rows[k] ?? null);
    });
    if (this.body.rows.length > 0 && ![...this.body.rows].some((row) => row.tabIndex === 0)) this.body.rows[0].tabIndex = 0;
  }

  create(name) {
    const row = document.createElement('tr');
    row.dataset.name = name;
    row.tabIndex = -1;
    for (let k = 0; k < 6; ++k) row.append(document.createElement(k === 1 ? 'th' : 'td'));
    row.cells[1].scope = 'row';
    return row;
  }

  fill(row, { pair, zone }, cell) {
    const stale = pair.status === STALE, decisive = pair === cell.decisive;
    const texts = [
      stale ? '✕' : zone === null ? '·' : GLYPHS[zone],
      `${pair.body_a} – ${pair.body_b}`,
      stale ? 'stale' : fixed(pair.distance, 3),
      fixed(pair.lower_bound, 3),
      fixed(pair.distance_rate, 2),
      Number.isFinite(pair.age) ? `${Math.round(1000 * pair.age)}` : '–',
    ];
    texts.forEach((text, k) => row.cells[k].textContent !== text && (row.cells[k].textContent = text));
    const look = stale ? 'stale' : zone === null ? 'none' : ZONES[zone].toLowerCase();
    if (row.dataset.zone !== look) row.dataset.zone = look;
    const title = `${texts[1]}: ${stale ? 'stale' : zone === null ? 'zone not known' : ZONES[zone]}, ${STATUS[pair.status] ?? 'unknown'}${decisive ? ', decides' : ''}`;
    if (row.title !== title) row.title = title;
    row.classList.toggle('decisive', decisive);
    row.setAttribute('aria-selected', String(row.dataset.name === this.picked));
  }
}
