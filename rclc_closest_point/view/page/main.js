/* SPDX-License-Identifier: Apache-2.0 */
/* The page: what is heard goes into the cell, and from there into the picture, the tables and the
 * time line. Nothing that comes from a message is ever taken for anything but text. */

import { Camera } from './camera.js';
import { Cell, STALE, ZONES, now } from './cell.js';
import { Client } from './client.js';
import { lerp, norm, sub, transform } from './math.js';
import { Pace } from './pace.js';
import { Playback, dateOf, timeOf } from './playback.js';
import { Renderer } from './renderer.js';
import { sizeOf } from './size.js';
import { Table } from './table.js';
import { History, Timeline } from './timeline.js';

const SLOW = 0.1; /* s between looks at what is read rather than seen */
const TIMELINE = 0.25; /* s between pictures of the last minutes, unless somebody reads them */
const REBUILD = 0.25; /* s between lists of triangles, while bodies are coming in */
/* Where messages wait this long (s) for the page to take them, most pictures are left out: what is late
 * must catch up first. */
const BEHIND = 0.1, LEFT_OUT = 8;
const CLOSE = 3.2; /* m from which it is looked at first, at least */
const LEADER = 56; /* pixels, of the label from the middle of its pair; as in the style */
const GLYPHS = ['○', '△', '■'];
const TOPICS = ['/tf', '/tf_static'], ENDINGS = ['/closest_points', '/safety', '/markers', '/heard'];
const OWN = '/closest_point_view/';

const at = (id) => document.getElementById(id);
const cell = new Cell(), camera = new Camera(), history = new History(), pace = new Pace();
let playback = null; /* of a recording */
let timeline = new Timeline(at('timeline'), at('readout'), history);
let renderer = null;
const state = { picked: null, follow: false, shell: true, built: -1, builtAt: 0, fitted: false, slowAt: 0, timelineAt: 0, links: [], floor: [], drawn: 0, left: 0 };

/* ---- Colors ------------------------------------------------------------------------------- */

let theme = {};

function color(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16) / 255);
}

function readTheme() {
  const text = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const zones = ['clear', 'warn', 'stop'];
  theme = {
    font: text('font'), text: text('text'), muted: text('muted'), line: text('line'), accent: text('accent'),
    forbidden: text('forbidden'), area: text('area'), gap: text('gap'),
    zones: zones.map(text), onZones: zones.map((zone) => text(`on-${zone}`)),
    zoneColors: zones.map(color), unknown: color('muted'), accentColor: color('accent'),
    ground: color('ground'), rim: color('rim'), grid: color('grid'), shell: [...color('shell'), 0.5],
    roles: { robot: color('robot'), human: color('human'), thing: color('thing'), any: color('thing') },
  };
  state.built = -1; /* the grid has a color, too */
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem('theme', name);
  } catch {
    /* then it is chosen anew each time */
  }
  readTheme();
}

function firstTheme() {
  try {
    const kept = localStorage.getItem('theme');
    if (kept === 'light' || kept === 'dark') return kept;
  } catch {
    /* what the system prefers */
  }
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

/* ---- Texts -------------------------------------------------------------------------------- */

function write(id, text) {
  const element = at(id);
  if (element.textContent !== text) element.textContent = text;
}

const minus = (text) => text.replace('-', '−');
const meters = (value, digits = 3) => (Number.isFinite(value) ? minus(value.toFixed(digits)) : 'not known');
const seconds = (value) => (value < 10 ? `${value.toFixed(1)} s` : value < 120 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`);

function writeFigure(id, value, unit) {
  const element = at(id);
  if (element.dataset.text === `${value}${unit}`) return;
  element.dataset.text = `${value}${unit}`;
  const small = document.createElement('small');
  small.textContent = unit;
  element.replaceChildren(value, small);
}

const zoneWord = (zone) => (zone === null ? 'unknown' : ZONES[zone].toLowerCase());

function showFigures() {
  const { safety, alive } = cell;
  const figure = (value, digits) => (!alive ? '–' : Number.isFinite(value) ? minus(value.toFixed(digits)) : '–');
  const known = safety ?? {};
  writeFigure('separation', figure(known.separation, 3), ' m');
  writeFigure('required', figure(known.required_separation, 3), ' m');
  writeFigure('margin', figure(known.separation - known.required_separation, 3), ' m');
  writeFigure('approach', figure(known.approach_speed, 2), ' m/s');
  writeFigure('speed', figure(100 * known.speed_scale, 0), ' %');
}

function showZone(zone) {
  const { safety, alive } = cell, { dataset } = document.body;
  dataset.zone = zoneWord(zone);
  dataset.alive = String(alive);
  dataset.cycle = safety?.cycle ?? '';
  write('zone-glyph', zone === null ? '✕' : GLYPHS[zone]);
  write('zone-word', zone !== null ? ZONES[zone] : isUnanswered() ? 'NO ANSWER' : 'NO SIGNAL');
  at('veil').hidden = alive;
  if (alive) {
    write('reason', safety.reason || (zone === 0 ? 'nothing is near' : ''));
    const { body_a: a, body_b: b } = safety;
    write('decisive', a ? `${a} – ${b}` : '');
    write('freshness', cell.recording ? recordedAt() : cell.delay > 0.2 ? `${seconds(cell.delay)} late` : 'live');
    return;
  }
  write('decisive', '');
  if (cell.recording) showUnplayed();
  else showSilence();
}

function showSilence() {
  const { safety, silence } = cell;
  const late = !cell.isSilent;
  const text = silence === null ? 'never heard' : late ? `${seconds(cell.delay)} late` : `silent for ${seconds(silence)}`;
  write('freshness', text);
  write('veil-title', silence === null ? 'nothing heard yet' : late ? `what arrives is ${seconds(cell.delay)} old` : `nothing heard for ${seconds(silence)}`);
  write('veil-text', late ? 'this browser or the connection does not keep up' : client.connected ? 'the view is connected, but no monitor is heard' : 'no connection to closest_point view');
  write('reason', silence === null ? 'waiting for the monitor' : `the monitor is not heard; last: ${safety.reason || ZONES[safety.zone]}`);
}

/* ---- A recording -------------------------------------------------------------------------- */

const recordedAt = () => `recorded ${timeOf(cell.clock)}`;

/* It is played, and there is no answer in it at this place: that is no fault of the connection. */
const isUnanswered = () => cell.recording !== null && client.connected && cell.isPlayed;

function showUnplayed() {
  const { silence, recording } = cell;
  const here = isUnanswered();
  write('freshness', here ? recordedAt() : 'not played');
  write('veil-title', !here ? 'no signal' : recording.answers ? 'no answer here' : 'no answers in this recording');
  write('veil-text', !client.connected ? 'no connection to closest_point view' : !here ? 'closest_point view does not answer'
    : !recording.answers ? recording.lacks[0]
      : silence === null ? 'the monitor has not said anything near this time of the recording' : `in the recording the monitor has been silent for ${seconds(silence)}`);
  write('reason', `recording of ${dateOf(recording.begin)}`);
}

function beginRecording(about) {
  const first = playback === null;
  if (!first && about.begin === cell.recording.begin && about.file === cell.recording.file) return;
  if (!first) return location.reload(); /* another one is played now */
  cell.hearRecording(about);
  const parts = { canvas: at('timeline'), readout: at('readout'), play: at('play'), next: at('next'), previous: at('previous'),
    speed: at('pace'), time: at('position'), name: at('recording-name'), lacks: at('lacks') };
  timeline.detach();
  playback = new Playback(about, parts, (words) => client.send(words));
  timeline = playback.timeline;
  document.body.dataset.recording = 'true';
  at('transport').hidden = false;
  write('timeline-title', 'All of it');
  write('topic-last', 'messages');
  at('timeline').setAttribute('aria-label', 'separation, what is required, zone and speed of the whole recording: left and right go to another time');
}

function hearOwn(topic, message) {
  if (topic === `${OWN}recording`) beginRecording(message);
  else if (topic === `${OWN}playback` && playback) {
    cell.hearPlayback(message);
    playback.hear(message);
    document.body.dataset.playing = String(message.playing);
  } else if (topic === `${OWN}jump`) {
    cell.jump(message.anew);
    client.waiting.clear();
    if (message.anew) client.renew(({ topic: name }) => name === '/tf_static' || name.endsWith('/markers'));
  } else if (topic === `${OWN}heard`) cell.hear(topic, message);
}

function showTitle() {
  const { alive, safety } = cell;
  const where = cell.recording ? 'recording · closest_point' : 'closest_point';
  const title = alive ? `${GLYPHS[safety.zone]} ${ZONES[safety.zone]} · ${where}` : `✕ no ${isUnanswered() ? 'answer' : 'signal'} · ${where}`;
  if (document.title !== title) document.title = title;
}

/* ---- Ages and rates ----------------------------------------------------------------------- */

function fillRows(body, rows) {
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((texts, k) => {
    const row = body.rows[k] ?? body.insertRow();
    texts.forEach((text, j) => {
      if (!row.cells[j]) row.append(document.createElement(j === 0 ? 'th' : 'td'));
      if (row.cells[j].textContent !== text) row.cells[j].textContent = text;
    });
  });
}

const milliseconds = (value) => (Number.isFinite(value) ? `${(1000 * value).toFixed(value < 0.01 ? 2 : 0)} ms` : '–');

function showHealth() {
  const { points, alive } = cell;
  const oldest = points?.pairs.reduce((most, { age }) => (age > most ? age : most), -1) ?? -1;
  const only = (text) => (alive && points ? text() : '–');
  const rate = (value) => (Number.isFinite(value) ? value.toFixed(0) : '–');
  fillRows(at('health'), [
    ['cycles', only(() => `${rate(cell.cycleRate ?? NaN)} per s, ${milliseconds(points.cycle_time)}`)],
    ['slowest input', only(() => `${rate(points.input_rate)} per s`)],
    ['input to answer', only(() => milliseconds(points.latency))],
    ['oldest pose', only(() => (oldest >= 0 ? milliseconds(oldest) : '–'))],
    ['pairs', only(() => `${points.tracked} near, ${points.culled} far, ${points.stale} stale`)],
    ['all at least', only(() => `${meters(points.lower_bound)} m`)],
  ]);
  showTopics();
  const absent = client.malformed > 0 ? `${client.malformed} malformed messages` : state.absent > 0 ? `${state.absent} bodies without a pose` : '';
  at('absent').hidden = absent === '';
  write('absent', absent);
}

function showTopics() {
  if (cell.recording) {
    fillRows(at('topic-rows'), cell.recording.topics.map(({ topic, rate, count, played }) => [topic, rate < 10 ? rate.toFixed(1) : rate.toFixed(0), played ? `${count}` : 'not played']));
    return;
  }
  const topics = (cell.heard?.topics ?? []).filter((topic) => topic.count > 0);
  fillRows(at('topic-rows'), topics.map((topic) => [topic.topic, topic.rate < 10 ? topic.rate.toFixed(1) : topic.rate.toFixed(0), topic.age < 0.5 ? 'now' : `${seconds(topic.age)} ago`]));
}

/* ---- The picture -------------------------------------------------------------------------- */

function gridLines() {
  const lines = [], tint = (alpha) => [...theme.grid, alpha], reach = 4, step = 0.5;
  for (let k = -reach; k <= reach; k += step) {
    const alpha = Number.isInteger(k) ? 0.8 : 0.35;
    lines.push({ from: [k, -reach, 0], to: [k, reach, 0], color: tint(alpha), width: 1, dash: 0 });
    lines.push({ from: [-reach, k, 0], to: [reach, k, 0], color: tint(alpha), width: 1, dash: 0 });
  }
  return lines;
}

function build() {
  const time = now();
  if (state.built === cell.bodiesVersion || time - state.builtAt < REBUILD) return;
  state.links = [...cell.bodies.values()];
  renderer.setShapes(state.links.map((body) => body.shape));
  state.floor = gridLines();
  pace.excuse();
  state.built = cell.bodiesVersion;
  state.builtAt = time;
}

function colorOf(body, marked) {
  const base = theme.roles[body.role] ?? theme.roles.any;
  return marked.has(body.name) ? lerp(base, theme.accentColor, 0.35) : base;
}

function placeBodies() {
  const shown = followed();
  const marked = new Set(shown ? [shown.body_a, shown.body_b] : []);
  const balls = [], things = [];
  state.absent = 0;
  state.links.forEach((body, link) => {
    const pose = cell.poseOf(body);
    if (!pose) ++state.absent;
    const alpha = pose?.known && cell.alive ? 1 : 0.5;
    renderer.setLink(link, pose?.matrix, colorOf(body, marked), alpha);
    const list = body.role === 'thing' ? things : balls;
    if (pose) list.push({ middle: transform(pose.matrix, body.shape.middle), reach: 0.6 * body.shape.reach, shell: body.shape.shell !== null });
  });
  if (!camera.moved && !state.fitted) fitAtFirst(balls, things);
  return [...balls, ...things];
}

/* The robot and people, and what is about them, while bodies come in; things alone, until there are any. */
function fitAtFirst(balls, things) {
  camera.fit(balls.length > 0 ? balls : things, CLOSE);
  if (balls.length > 0) state.fitted = now() - (state.firstFit ??= now()) > 2;
}

const STYLES = [{ width: 1.4, dash: 5, alpha: 0.75 }, { width: 2.6, dash: 11, alpha: 1 }, { width: 3.6, dash: 0, alpha: 1 }];
const UNKNOWN = { width: 1, dash: 3, alpha: 0.5 };
const MOST_LINES = 500; /* of pairs, nearest first */
const place = (p) => [p.x, p.y, p.z];

function drawPairs() {
  const lines = [], dots = [];
  const decisive = cell.decisive, chosen = state.picked && cell.pair(state.picked);
  const pairs = cell.points?.pairs ?? [], drawn = pairs.slice(0, MOST_LINES);
  for (const special of [decisive, chosen]) if (special && pairs.indexOf(special) >= MOST_LINES) drawn.push(special);
  for (const pair of drawn) {
    if (pair.status === STALE || !Number.isFinite(pair.distance)) continue;
    const zone = cell.zoneOf(pair), style = zone === null ? UNKNOWN : STYLES[zone];
    const special = pair === decisive || pair === chosen;
    const tint = [...(zone === null ? theme.unknown : theme.zoneColors[zone]), special ? 1 : style.alpha];
    const from = place(pair.point_a), to = place(pair.point_b);
    lines.push({ from, to, color: tint, width: style.width + (special ? 1.4 : 0), dash: style.dash });
    if (special || zone > 0) for (const p of [from, to]) dots.push({ from: p, to: p, color: tint, width: special ? 11 : 7, dash: -1 });
  }
  renderer.setMarks(state.floor, [...lines, ...dots]);
}

/* The pair that the picture is about: the picked one, else the one that decides. */
function followed() {
  const pair = (state.picked && cell.pair(state.picked)) || cell.decisive;
  return pair && pair.status !== STALE && Number.isFinite(pair.distance) ? pair : null;
}

function showLabel(matrix) {
  const pair = followed(), label = at('label');
  label.hidden = !pair;
  if (!pair) return;
  const middle = lerp(place(pair.point_a), place(pair.point_b), 0.5);
  if (state.follow) camera.follow(middle);
  const w = matrix[3] * middle[0] + matrix[7] * middle[1] + matrix[11] * middle[2] + matrix[15];
  const [x, y] = transform(matrix, middle).map((c) => c / w);
  const { width, height } = sizeOf(at('picture')), own = sizeOf(label);
  label.hidden = w <= 0;
  /* Beside what it is about, which it does not cover, and tied to it where there is room. */
  const wanted = [(0.5 + 0.5 * x) * width + LEADER, (0.5 - 0.5 * y) * height - own.height - LEADER];
  const left = Math.max(6, Math.min(width - own.width - 6, wanted[0])), top = Math.max(44, Math.min(height - own.height - 34, wanted[1]));
  label.classList.toggle('tied', left === wanted[0] && top === wanted[1]);
  label.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

function writeLabel() {
  const pair = followed();
  if (!pair) return;
  const decides = pair === cell.decisive;
  write('label-distance', decides ? `${meters(cell.safety.separation)} m` : `${meters(pair.distance)} m`);
  write('label-required', decides ? `required ${meters(cell.safety.required_separation)} m` : `at least ${meters(pair.lower_bound)} m`);
  write('label-bodies', `${pair.body_a} – ${pair.body_b}`);
}

/* Within this distance of the robot nobody may be; of the pair that decides. */
function shellRadius() {
  const required = cell.safety?.required_separation;
  return state.shell && cell.alive && Number.isFinite(required) && required < 20 ? required : 0;
}

/* ---- Frames ------------------------------------------------------------------------------- */

/* Where pictures take long they are coarser, so that they stay smooth. */
function adapt(time) {
  pace.count(time);
  renderer.detail = pace.detail;
  const { dataset } = at('picture');
  dataset.frames = String(++state.drawn);
  dataset.rate = pace.rate?.toFixed(1) ?? '';
}

const paceInWords = ({ rate, detail }) =>
  rate === null ? '' : `${Math.round(rate)} pictures per s${detail < 1 ? `, ${Math.round(100 * detail)} % of the resolution` : ''}`;

/* What must never look alive when it is not is looked at in every frame. The words and figures of one
 * answer stand together, and stay for a tenth of a second, unless they have become wrong. `hurried`: the
 * tables wait. */
function showWords(time, hurried) {
  const zone = cell.alive ? Math.min(cell.safety.zone, 2) : null;
  document.body.dataset.heard = cell.safety?.cycle ?? '';
  if (document.body.dataset.zone === zoneWord(zone) && time - state.slowAt < SLOW) return;
  state.slowAt = time;
  showZone(zone);
  showFigures();
  writeLabel();
  showTitle();
  if (!hurried) showTables(time);
}

function showTables(time) {
  showHealth();
  const { shown, all } = table.show(cell, time);
  write('pairs-count', shown === all ? `${all}` : `${shown} of ${all}`);
  write('frames', paceInWords(pace));
  if (time - state.timelineAt < TIMELINE && timeline.cursor === null && !playback) return;
  state.timelineAt = time;
  timeline.draw(theme);
}

/* `vsync`: ms, of the display's clock. */
function frame(vsync) {
  requestAnimationFrame(frame);
  const time = now();
  client.flush();
  cell.watch();
  const hurried = cell.delay > BEHIND && ++state.left < LEFT_OUT;
  showWords(time, hurried);
  if (hurried) return;
  state.left = 0;
  if (renderer) draw(vsync / 1000);
}

function draw(vsync) {
  adapt(vsync);
  build();
  camera.ease();
  const aspect = renderer.fitTo(sizeOf(at('picture'))), matrix = camera.matrices(aspect);
  const balls = placeBodies(), radius = shellRadius();
  drawPairs();
  showLabel(matrix);
  const { eye, direction } = camera, within = balls.some((ball) => ball.shell && norm(sub(eye, ball.middle)) < 2 * ball.reach + radius);
  renderer.render({ matrix, eye, direction }, theme, radius, within);
}

/* ---- Keys and buttons --------------------------------------------------------------------- */

function press(id, on) {
  at(id).setAttribute('aria-pressed', String(on));
  return on;
}

const actions = {
  f: () => camera.fit(placeBodies(), 0.3),
  p: () => (state.follow = press('follow', !state.follow)),
  s: () => (state.shell = press('shell', !state.shell)),
  t: () => setTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light'),
  '?': () => at('help').showModal(),
  '/': () => at('search').focus(),
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || at('help').open) return;
  if (event.key === 'Escape') return letGo();
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  if (event.target === at('timeline') && !playback) return;
  if (playback && !(event.key === ' ' && event.target instanceof HTMLButtonElement) && !at('table').contains(event.target) && playback.key(event.key)) {
    event.preventDefault();
    return;
  }
  const inTable = at('table').contains(event.target);
  const action = actions[event.key.toLowerCase()];
  if (action) action();
  else if (inTable || !camera.key(event)) return;
  event.preventDefault();
}

function letGo() {
  at('search').value = '';
  table.picked = state.picked = null;
  table.sorted = 0;
  if (document.activeElement === at('search')) at('picture').focus();
}

function pick(name) {
  state.picked = name;
  state.follow = press('follow', name !== null);
}

const table = new Table(at('table'), at('search'), { pick });
setTheme(firstTheme());
addEventListener('keydown', onKey);
for (const [id, key] of [['fit', 'f'], ['follow', 'p'], ['shell', 's'], ['theme', 't'], ['help-open', '?']]) at(id).addEventListener('click', actions[key]);
for (const button of document.querySelectorAll('[data-view]')) button.addEventListener('click', () => camera.look(button.dataset.view));
for (const button of document.querySelectorAll('[data-span]'))
  button.addEventListener('click', () => {
    timeline.span = Number(button.dataset.span);
    for (const other of document.querySelectorAll('[data-span]')) other.setAttribute('aria-pressed', String(other === button));
  });
camera.attach(at('picture'));
try {
  renderer = new Renderer(at('picture'));
} catch (error) {
  write('absent', `no picture: ${error.message}`);
  at('absent').hidden = false;
}

const client = new Client(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, {
  wanted: ({ topic }) => topic.startsWith(OWN) || TOPICS.includes(topic) || ENDINGS.some((ending) => topic.endsWith(ending)),
  lazy: ({ topic }) => topic.endsWith('/closest_points'),
  hear: (topic, message, time) => {
    if (topic.startsWith(OWN)) return hearOwn(topic, message);
    cell.hear(topic, message, time);
    if (!cell.recording && topic.endsWith('/safety')) history.add(message, cell.delay);
  },
  change: (connected) => {
    document.body.dataset.connected = String(connected);
    if (connected && cell.recording) cell.jump(true); /* it may be played from the front by another server */
  },
});
setInterval(showTitle, 500); /* also where nothing is drawn, behind other pages */
requestAnimationFrame(frame);
