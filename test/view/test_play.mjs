/* SPDX-License-Identifier: Apache-2.0 */
/* A recording in a real browser: a live cell is recorded, and what the page shows of it is what is in
 * it, as the public client of the protocol hears it. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { Listener, WebSocket, sleep, start, startCell, startView, stop, stopAll, until } from './cell.mjs';

const node = '/closest_point_monitor', own = '/closest_point_view';
const ZONES = ['CLEAR', 'WARN', 'STOP'];
const SECONDS = 10;

let browser, context, folder, bag, view, listener, page, live;
const complaints = [];

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'view_play_'));
  bag = path.join(folder, 'cell.mcap');
  const cell = await startCell();
  live = await refusalWhenLive(cell);
  const recorder = start(['record', bag, '--seconds', `${SECONDS}`], { ROS_DOMAIN_ID: `${cell.domain}` });
  assert.equal(await recorder.ended, 0, recorder.errors);
  await stop(cell.child);
  view = await startView(cell.domain, [bag]);
  listener = new Listener(`ws://127.0.0.1:${view.port}/ws`);
  await listener.opened;
  for (const topic of [`${node}/safety`, `${own}/playback`, `${own}/recording`]) await listener.subscribe(topic);
  ({ browser, context } = await launch());
  page = await open(view);
  await page.waitForFunction(() => document.body.dataset.alive === 'true', null, { timeout: 30000 });
});

after(async () => {
  listener?.close();
  await browser?.close();
  await stopAll();
  fs.rmSync(folder, { recursive: true });
});

/* What a live view says to somebody who wants to seek in it. */
async function refusalWhenLive({ domain }) {
  const { child, port } = await startView(domain);
  const words = new Listener(`ws://127.0.0.1:${port}/ws`, ['foxglove.websocket.v1']);
  await words.opened;
  words.socket.send(JSON.stringify({ op: 'playback', control: 'pause' }));
  const note = await until('a refusal', () => words.notes[0]);
  words.close();
  await stop(child);
  return note;
}

async function open({ url }) {
  const opened = await context.newPage();
  opened.on('console', (line) => complaints.push(`${line.type()}: ${line.text()}`));
  opened.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  await opened.goto(url.href);
  await opened.waitForFunction(() => document.body.dataset.recording === 'true', null, { timeout: 30000 });
  return opened;
}

const read = (of = page) =>
  of.evaluate(() => {
    const text = (id) => document.getElementById(id).textContent;
    const number = (id) => parseFloat(text(id).replace('−', '-'));
    const [minutes, rest] = text('position').split(' / ')[0].split(':');
    return {
      ...document.body.dataset, word: text('zone-word'), reason: text('reason'), title: document.title,
      separation: number('separation'), required: number('required'), at: 60 * Number(minutes) + Number(rest),
      freshness: text('freshness'), veil: !document.getElementById('veil').hidden, veilTitle: text('veil-title'),
      veilText: text('veil-text'), name: text('recording-name'), lacks: text('lacks'), readout: text('readout'),
      absent: document.getElementById('absent').hidden ? '' : text('absent'), speed: document.getElementById('pace').value,
      rows: document.getElementById('table').tBodies[0].rows.length, time: performance.now() / 1000,
    };
  });

const state = () => listener.newest(`${own}/playback`);

async function pause() {
  if ((await read()).playing === 'true') await page.keyboard.press('k');
  await page.waitForFunction(() => document.body.dataset.playing === 'false');
}

async function play() {
  if ((await read()).playing === 'false') await page.keyboard.press('k');
  await page.waitForFunction(() => document.body.dataset.playing === 'true');
}

/* By the keyboard, from the beginning. */
async function goTo(seconds) {
  await pause();
  await page.focus('#timeline');
  await page.keyboard.press('Home');
  for (let k = 0; k < seconds; ++k) await page.keyboard.press('ArrowRight');
  await until(`second ${seconds}`, () => Math.abs(state().position - seconds) < 0.05 && !state().playing);
}

/* The page shows what the last answer before this place says. */
async function agrees() {
  await until('the page and the recording agree', async () => {
    const said = listener.newest(`${node}/safety`), shown = await read();
    return shown.alive === 'true' && shown.cycle === String(said.cycle) && shown.word === ZONES[said.zone] &&
      shown.reason === said.reason && Math.abs(shown.separation - said.separation) < 6e-4 &&
      Math.abs(shown.required - said.required_separation) < 6e-4;
  }, 5000);
}

test('it says that it is a recording, and of when', async () => {
  const shown = await read(), about = listener.newest(`${own}/recording`);
  const begin = new Date(1000 * about.begin);
  assert.ok(Math.abs(Date.now() - begin) < 300000);
  assert.match(shown.name, /^cell\.mcap, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.ok(shown.name.includes(`${begin.getFullYear()}-`));
  assert.match(shown.freshness, /^recorded \d\d:\d\d:\d\d$/);
  assert.match(shown.title, /recording/);
  assert.ok(await page.isVisible('#recorded'));
  assert.equal(await page.textContent('#recorded'), 'RECORDING');
  assert.ok(Math.abs(about.duration - SECONDS) < 3, `${about.duration} s`);
  assert.equal(shown.lacks, '');
});

test('a pause is no lost signal', async () => {
  await goTo(0);
  await play();
  await until('some of it', async () => (await read()).at > 1);
  await pause();
  await agrees();
  const before_ = await read();
  await sleep(2500);
  const shown = await read();
  assert.equal(shown.alive, 'true');
  assert.equal(shown.veil, false);
  assert.equal(shown.cycle, before_.cycle);
  assert.equal(shown.at, before_.at);
  await agrees();
});

test('what is shown is what is in it, wherever it is sought', async () => {
  const zones = new Set();
  await pause();
  for (const second of [3, 8, 1, 6]) {
    await goTo(second);
    await agrees();
    const shown = await until('all pairs and bodies', async () => {
      const { rows, absent, word } = await read();
      return rows > 5 && absent === '' && { word };
    }, 5000);
    zones.add(shown.word);
  }
  assert.ok(zones.size >= 1);
  await page.focus('#timeline');
  await page.keyboard.press('End');
  await until('the end', () => state().ended);
  await agrees();
});

test('steps go from answer to answer', async () => {
  await goTo(5);
  await page.focus('#picture');
  const cycle = async () => Number((await read()).cycle);
  await agrees();
  let now = await cycle();
  for (let k = 0; k < 4; ++k) {
    await page.keyboard.press('.');
    await until(`an answer after ${now}`, async () => (await cycle()) > now);
    const next = await cycle();
    assert.ok(next <= now + 3, `${now} ${next}`); /* some may be missing in the recording */
    await agrees();
    now = next;
    await sleep(150);
  }
  await page.click('#previous');
  await until('the one before', async () => (await cycle()) < now);
  assert.ok((await cycle()) >= now - 3);
  await agrees();
});

/* By the clock of the server, which says when it was where. Where the machine is busy, some time may pass
 * between the two, so that of many pairs of words the middle one counts. */
function paceOf(words) {
  const half = Math.floor(words.length / 2), slopes = [];
  for (let k = 0; k + half < words.length; ++k) {
    const [from, to] = [words[k], words[k + half]];
    slopes.push((to.message.position - from.message.position) / (1e-9 * Number(to.time - from.time)));
  }
  return slopes.sort((a, b) => a - b)[slopes.length >> 1];
}

test('it keeps the pace', async () => {
  for (const percent of ['50', '200']) {
    await goTo(0);
    await page.selectOption('#pace', percent);
    await until('the speed', () => String(state().percent) === percent);
    await page.focus('#picture');
    await play();
    await until('a beginning', () => state().position > 0.2);
    const begin = performance.now();
    await sleep(2000);
    const pace = paceOf(listener.messages.get(`${own}/playback`).filter(({ at, message }) => at >= begin && message.playing));
    assert.ok(Math.abs(pace / (0.01 * percent) - 1) < 0.1, `${pace} at ${percent} %`);
    await until('the page keeps up', async () => {
      const { at, alive } = await read();
      return alive === 'true' && Math.abs(at - state().position) < 0.02 * percent;
    });
    await pause();
  }
  await page.keyboard.press('[');
  await until('as it was', () => state().percent === 100);
});

test('the time line shows all of it, and is clicked', async () => {
  await pause();
  const box = await page.locator('#timeline').boundingBox(), about = listener.newest(`${own}/recording`);
  const place = (part) => [box.x + 46 + part * (box.width - 56), box.y + 30];
  for (const part of [0.75, 0.25]) {
    await page.mouse.click(...place(part));
    await until(`${part} of it`, () => Math.abs(state().position - part * about.duration) < 0.1);
    await until('its values', async () => / (CLEAR|WARN|STOP), separation .* m, required .* m, speed \d+ %$/.test((await read()).readout));
    await agrees();
    const [, word] = /: (\w+), /.exec((await read()).readout);
    const worst = Math.max(...about.bins.filter(([k]) => Math.abs(k * about.bin_width - part * about.duration) < 0.1).map(([, , , zone]) => zone));
    assert.ok(ZONES.indexOf(word) <= worst);
  }
  await page.mouse.move(640, 300);
  const heard = about.bins.length * about.bin_width;
  assert.ok(heard > 0.7 * about.duration, `${heard} of ${about.duration} s have an answer`);
});

test('what holds for long is there for those who come later', async () => {
  await goTo(7);
  const late = new Listener(`ws://127.0.0.1:${view.port}/ws`);
  await late.opened;
  for (const topic of ['/tf_static', '/robot_description', `${node}/markers`]) await late.subscribe(topic);
  const bodies = () => new Set(late.all(`${node}/markers`).flatMap(({ markers }) => markers).filter((m) => m.type === 11 && m.frame_locked).map((m) => m.ns));
  await until('bodies', () => bodies().size >= 12);
  if (late.channels.has('/robot_description')) await late.hears('/robot_description', ({ data }) => data.includes('<robot'), 5000);
  late.close();
  const again = await open(view);
  await again.waitForFunction(() => document.body.dataset.alive === 'true' && document.body.dataset.playing === 'false');
  assert.equal((await read(again)).cycle, String(listener.newest(`${node}/safety`).cycle));
  await again.close();
});

test('its own page alone controls it, and nothing is published', async () => {
  await goTo(4);
  const before_ = state();
  listener.socket.send(JSON.stringify({ op: 'playback', control: 'seek', value: 9000 }));
  const note = await until('a refusal', () => listener.notes.find(({ message }) => /own page/.test(message)));
  assert.equal(note.level, 1);
  const elsewhere = new WebSocket(`ws://127.0.0.1:${view.port}/ws`, ['foxglove.websocket.v1'], { origin: 'http://evil.example' });
  await new Promise((resolve) => elsewhere.once('error', resolve));
  await sleep(600);
  assert.equal(state().position, before_.position);
  assert.equal(state().jumps, before_.jumps);
  assert.match(live.message, /live/);
});

test('at 800 x 600 nothing is beyond the edge', async () => {
  await page.setViewportSize({ width: 800, height: 600 });
  await sleep(500);
  const beyond = await page.evaluate(() =>
    ['zone', 'separation', 'freshness', 'picture', 'recorded', 'previous', 'play', 'next', 'pace', 'position', 'timeline'].filter((id) => {
      const box = document.getElementById(id).getBoundingClientRect();
      return box.width < 10 || box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
    }));
  assert.deepEqual(beyond, []);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('of a file that is cut off what can be read is played, and it says so', async () => {
  const cut = path.join(folder, 'cut.mcap');
  fs.writeFileSync(cut, fs.readFileSync(bag).subarray(0, fs.statSync(bag).size / 2));
  const second = await startView(81, [cut]);
  const shown = await open(second);
  await shown.waitForFunction(() => document.body.dataset.alive === 'true', null, { timeout: 10000 });
  assert.match((await read(shown)).lacks, /^damaged: .*cut\.mcap:1: damaged from byte \d+ on/);
  assert.equal(second.child.errors.match(/damaged/g).length, 1);
  await shown.close();
  await stop(second.child);
});

/* An MCAP file of transforms alone, twenty a second. */
function writeTransforms(file) {
  const u16 = (n) => Buffer.from(Uint16Array.of(n).buffer), u32 = (n) => Buffer.from(Uint32Array.of(n).buffer);
  const u64 = (n) => Buffer.from(BigUint64Array.of(BigInt(n)).buffer), text = (t) => Buffer.concat([u32(t.length), Buffer.from(t)]);
  const record = (kind, ...parts) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.of(kind), u64(body.length), body]);
  };
  const magic = Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a]);
  const records = [magic, record(1, text('ros2'), text('')), record(3, u16(1), text('tf2_msgs/msg/TFMessage'), text('ros2msg'), text('')),
    record(4, u16(1), u16(1), text('/tf'), text('cdr'), u32(0))];
  const cdr = Buffer.concat([Buffer.of(0, 1, 0, 0), u32(0)]);
  for (let k = 0; k < 100; ++k) {
    const time = 1700000000000000000n + BigInt(k) * 50000000n;
    records.push(record(5, u16(1), u32(k), u64(time), u64(time), cdr));
  }
  fs.writeFileSync(file, Buffer.concat([...records, record(15, u32(0)), record(2, u64(0), u64(0), u32(0)), magic]));
}

test('without answers it says what is missing, and what computes it', async () => {
  const file = path.join(folder, 'transforms.mcap');
  writeTransforms(file);
  const second = await startView(81, [file]);
  const shown = await open(second);
  await until('what is missing', async () => (await read(shown)).veilTitle === 'no answers in this recording');
  const { word, veilText, lacks, name } = await read(shown);
  assert.equal(word, 'NO ANSWER');
  assert.match(veilText, /closest_point track FILE/);
  assert.match(lacks, /no answers of a monitor.*no shapes of bodies/);
  assert.match(name, /2023-11-1[45]/);
  await shown.keyboard.press('.');
  await until('a step', async () => (await read(shown)).playing === 'false');
  await shown.close();
  await stop(second.child);
});

test('without the view it says so', async () => {
  await stop(view.child);
  await page.waitForFunction(() => document.getElementById('zone-word').textContent === 'NO SIGNAL', null, { timeout: 10000 });
  await until('why', async () => /no connection/.test((await read()).veilText));
});

test('the console is empty but for the lost connection', () => {
  const expected = /WebSocket connection to .*(failed|closed)|ERR_CONNECTION_REFUSED|GL Driver Message \(OpenGL, Performance/;
  assert.deepEqual(complaints.filter((line) => !expected.test(line)), []);
});
