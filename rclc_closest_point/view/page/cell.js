/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the cell: frames, bodies, answers, and when each was heard. Times are those of
 * performance.now(), in seconds, because no other machine's clock need agree with this one's; of a
 * recording they are its own, which stand still where it does. */

import { identity, matrixOf, multiply } from './math.js';
import { shapeOf } from './shapes.js';

export const ZONES = ['CLEAR', 'WARN', 'STOP'];
export const STATUS = ['tracking', 'converging', 'penetrating', 'stale', 'out of range'];
export const STALE = 3;

const POSE_AGE = 0.5; /* s, after which what moves is drawn as not known */
const LINE_REACH = 0.02; /* m that witnesses may have moved between an answer and the picture of it */
const LATE = 1; /* s; what comes later is no sign of life */
const DRIFT = 0.01; /* s in a second */
const LATENESS = 0.05; /* s between what a server's tick hands over and where it says that it is */
const UNPLAYED = 2; /* s without a word from the server that plays */
const DEPTH = 64; /* of frames that hang on each other */
const MOST_PAIRS = 5000; /* of an answer, nearest first; it is counted how many more it has */
const COMPARED = 500; /* lines of a picture, with each pair */

export const now = () => performance.now() / 1000;
export const pairName = (pair) => `${pair.body_a} ${pair.body_b}`;
const bare = (name) => name.replace(/^\/+/, '');

/* ---- Frames ------------------------------------------------------------------------------- */

class Frames {
  constructor() {
    this.frames = new Map();
    this.version = 0;
  }

  hear(message, fixed, heard) {
    for (const t of message.transforms)
      this.frames.set(bare(t.child_frame_id), {
        parent: bare(t.header.frame_id),
        matrix: matrixOf(t.transform.rotation, t.transform.translation),
        heard,
        fixed,
      });
    ++this.version;
  }

  /* Of what moves, or of all. */
  forget(all) {
    for (const [name, frame] of this.frames) if (all || !frame.fixed) this.frames.delete(name);
    ++this.version;
  }

  /* Where a frame is in the root, and since when that is known; null: it hangs on something else. */
  find(name, root) {
    let matrix = identity(), heard = Infinity;
    for (let k = 0; k < DEPTH && name !== root; ++k) {
      const frame = this.frames.get(name);
      if (!frame) return null;
      matrix = multiply(frame.matrix, matrix);
      if (!frame.fixed) heard = Math.min(heard, frame.heard);
      name = frame.parent;
    }
    return name === root ? { matrix, heard } : null;
  }
}

/* ---- Answers ------------------------------------------------------------------------------ */

/* Which zone each pair would make alone, as the monitor paints it: the witness lines of a picture
 * have no names, but begin and end where those of the answer of about the same instant do. */
function zonesFromLines(line, points) {
  const zones = new Map();
  const near = (p, q) => Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z) < LINE_REACH;
  const pairs = points.pairs.filter((pair) => pair.status !== STALE);
  for (let k = 0; 2 * k + 1 < line.points.length; ++k) {
    const [a, b] = [line.points[2 * k], line.points[2 * k + 1]];
    const fits = (pair) => pair && near(pair.point_a, a) && near(pair.point_b, b);
    const pair = fits(pairs[k]) ? pairs[k] : k < COMPARED ? pairs.slice(0, COMPARED).find(fits) : null;
    if (pair) zones.set(pairName(pair), zoneOfColor(line.colors[2 * k]));
  }
  return zones;
}

/* Markers are green, orange or red. */
function zoneOfColor(color) {
  if (color.g > color.r) return 0;
  return color.g > 0.4 ? 1 : 2;
}

/* ---- The cell ----------------------------------------------------------------------------- */

export class Cell {
  constructor() {
    this.frames = new Frames();
    this.bodies = new Map();
    this.bodiesVersion = 0;
    this.points = null;
    this.pairs = new Map(); /* of them, by their names */
    this.pairCount = 0; /* with those that are too many */
    this.safety = null;
    this.safetyHeard = null; /* null: never */
    this.delay = 0; /* s, of the newest answer, beyond the least of all */
    this.alive = false;
    this.rates = []; /* of the last seconds, as the view hears them */
    this.lines = null; /* the newest picture of witnesses */
    this.zones = new Map(); /* of pairs, by their names */
    this.cycles = [];
    this.heard = null;
    this.root = 'world';
    this.recording = null; /* what is played; null: it is live */
    this.playback = null; /* where, */
    this.playbackHeard = 0; /* and when that was said, by the page's clock */
  }

  /* The time that is shown. */
  get clock() {
    return this.recording ? this.recording.begin + (this.playback?.position ?? 0) : now();
  }

  /* `time`: when it was heard, where it is of a recording. */
  hear(topic, message, time) {
    if (topic === '/tf' || topic === '/tf_static') this.frames.hear(message, topic === '/tf_static', this.recording ? time : now());
    else if (topic.endsWith('/closest_points')) this.hearPoints(message);
    else if (topic.endsWith('/safety')) this.recording ? this.hearRecorded(message, time) : this.hearSafety(message);
    else if (topic.endsWith('/markers')) message.markers.forEach((marker) => this.hearMarker(marker));
    else if (topic.endsWith('/heard')) this.hearReport(message);
  }

  hearPoints(points) {
    this.pairCount = points.pairs.length;
    points.pairs.length = Math.min(points.pairs.length, MOST_PAIRS);
    this.points = points;
    this.pairs = new Map(points.pairs.map((pair) => [pairName(pair), pair]));
    this.root = points.header.frame_id;
    if (this.zones.size === 0 && this.lines) this.zones = zonesFromLines(this.lines, points);
  }

  hearSafety(safety) {
    const time = now();
    if (this.safety && safety.cycle < this.safety.cycle) this.restart();
    const stamp = this.takeSafety(safety, time);
    this.hearDelay(time, time - stamp);
  }

  /* What is played is not late, and another run of the monitor is told of by a jump. */
  hearRecorded(safety, time) {
    this.takeSafety(safety, time);
    this.delay = 0;
  }

  takeSafety(safety, time) {
    this.safety = safety;
    this.safetyHeard = time;
    const stamp = safety.header.stamp.sec + 1e-9 * safety.header.stamp.nanosec;
    this.cycles.push({ stamp, cycle: safety.cycle });
    while (this.cycles.length > 2 && stamp - this.cycles[0].stamp > 2) this.cycles.shift();
    return stamp;
  }

  hearRecording(about) {
    this.recording = about;
    const safety = about.topics.find(({ topic }) => topic === `${about.monitor}/safety`);
    this.rates = safety && safety.rate > 0 ? [safety.rate] : [];
  }

  hearPlayback(state) {
    this.playback = state;
    this.playbackHeard = now();
  }

  /* From here on it is another moment. `anew`: what holds for long is told anew as well. */
  jump(anew) {
    this.alive = false;
    this.frames.forget(anew);
    this.points = this.safety = this.safetyHeard = this.lines = null;
    this.pairs.clear();
    this.pairCount = 0;
    this.zones.clear();
    this.cycles = [];
    if (anew) this.restart();
  }

  /* How much later than usual it comes, whatever the clocks are. What is usual may rise slowly, for
   * clocks are set, too. */
  hearDelay(time, offset) {
    const risen = this.usual ? this.usual.offset + DRIFT * (time - this.usual.time) : Infinity;
    this.usual = { offset: Math.min(risen, offset), time };
    this.delay = offset - this.usual.offset;
  }

  hearReport(report) {
    this.heard = report;
    const safety = report.topics.find(({ topic }) => topic.endsWith('/safety'));
    if (safety) this.rates.push(safety.rate);
    if (this.rates.length > 12) this.rates.shift();
  }

  /* Another monitor has begun, perhaps of another cell. */
  restart() {
    this.bodies.clear();
    this.zones.clear();
    this.cycles = [];
    ++this.bodiesVersion;
  }

  hearMarker(marker) {
    if (marker.ns === 'witness_lines' && marker.action === 0) {
      this.lines = marker;
      if (this.points) this.zones = zonesFromLines(marker, this.points);
    }
    if (marker.type !== 11 || !marker.frame_locked) return;
    if (marker.action === 0) this.hearBody(marker);
    else if (this.bodies.delete(marker.ns)) ++this.bodiesVersion;
  }

  hearBody(marker) {
    const { points } = marker, last = points.length - 1;
    const digest = last < 0 ? '' : [points.length, ...[0, last >> 1, last].map((k) => `${points[k].x} ${points[k].y} ${points[k].z}`)].join();
    const role = marker.text || 'any';
    const known = this.bodies.get(marker.ns);
    if (known && known.digest === digest && known.role === role) return;
    this.bodies.set(marker.ns, {
      name: marker.ns,
      frame: bare(marker.header.frame_id),
      role,
      digest,
      shape: shapeOf(points, role === 'robot'),
    });
    ++this.bodiesVersion;
  }

  /* ---- What follows from it ---------------------------------------------------------------- */

  /* Seconds since the monitor was heard; null: it never was. */
  get silence() {
    return this.safetyHeard === null ? null : this.clock - this.safetyHeard;
  }

  /* Silence longer than this means that something is wrong: three times what is usual, and a little
   * less than the 0.2 s within which it is to be seen. Before anything is usual it is a second. */
  get patience() {
    const rate = Math.max(...this.rates, 0);
    if (this.recording) return Math.max(0.15, Math.min(rate > 0 ? 3 / rate : 1, 3)) + (LATENESS * (this.playback?.percent ?? 100)) / 100;
    return rate > 0 ? Math.max(0.15, Math.min(3 / rate, 3)) : 1;
  }

  /* For every picture. After a picture that took long, messages may still wait for this page to take
   * them: what seems silent is asked again behind them. */
  watch() {
    if (this.recording) {
      this.alive = !this.isSilent && this.isPlayed;
      return;
    }
    if (!this.isSilent) this.alive = this.delay < LATE;
    else if (this.alive) setTimeout(() => (this.alive = !this.isSilent), 0);
  }

  /* The server says where it is four times a second, also while it stands. */
  get isPlayed() {
    return this.playback !== null && now() - this.playbackHeard < UNPLAYED;
  }

  get isSilent() {
    if (this.silence === null || this.silence > this.patience) return true;
    return this.recording !== null && this.silence < -this.patience; /* of later than what is played */
  }

  get cycleRate() {
    const first = this.cycles[0], last = this.cycles.at(-1);
    if (!first || last.stamp - first.stamp < 0.5) return null;
    return (last.cycle - first.cycle) / (last.stamp - first.stamp);
  }

  pair(name) {
    return this.pairs.get(name) ?? null;
  }

  /* The pair that the zone goes by. */
  get decisive() {
    const { body_a: a, body_b: b } = this.safety ?? {};
    return a ? this.pair(`${a} ${b}`) ?? this.pair(`${b} ${a}`) : null;
  }

  zoneOf(pair) {
    if (pair.status === STALE) return null;
    if (this.safety && pair === this.decisive) return this.safety.zone;
    return this.zones.get(pairName(pair)) ?? null;
  }

  /* Where a body is; null: nowhere. `known`: by a pose that is not old. */
  poseOf(body) {
    const found = this.frames.find(body.frame, this.root);
    return found && { matrix: found.matrix, known: this.clock - found.heard < POSE_AGE };
  }
}
