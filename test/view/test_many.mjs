/* SPDX-License-Identifier: Apache-2.0 */
/* The page before a cell of a thousand obstacles, and before messages that want to be more than text.
 * A server of the test's own speaks the protocol here, with messages written by others' library. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { require, sleep, startView, stopAll, until } from './cell.mjs';
import { launch, needFor } from './browser.mjs';

const { WebSocketServer } = require('ws');
const { parse } = require('@foxglove/rosmsg');
const { MessageWriter } = require('@foxglove/rosmsg2-serialization');
const OBSTACLES = 1000, PAIRS = 100, VERY_MANY = 6000;
const EVIL = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const folder = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../../rclc_closest_point/view/page');
let server, browser, context, schemas;

/* The schemas are those that the program has. */
async function askForSchemas() {
  const { child, port } = await startView(81);
  const { Listener } = await import('./cell.mjs');
  const listener = new Listener(`ws://127.0.0.1:${port}/ws`);
  await listener.opened;
  await until('channels', () => listener.channels.size > 8);
  listener.close();
  child.kill();
  return listener.channels;
}

/* ---- Messages ------------------------------------------------------------------------------ */

const stamp = () => ({ sec: Math.floor(Date.now() / 1000), nanosec: (Date.now() % 1000) * 1e6 });
const header = (frame) => ({ stamp: stamp(), frame_id: frame });
const nameOf = (k) => (k === 0 ? 'robot' : k === 1 ? EVIL : `obstacle_${k}`);
const placeOf = (k) => ({ x: ((k % 32) - 16) * 0.5, y: (Math.floor(k / 32) - 16) * 0.5, z: 0.3 });

/* Boxes, and every other one a ball of as many triangles as the monitor makes of it. */
function trianglesOf(k) {
  const at = (i, j) => {
    const turn = (2 * Math.PI * i) / 20, up = Math.PI * (j / 8 - 0.5);
    return { x: 0.15 * Math.cos(up) * Math.cos(turn), y: 0.15 * Math.cos(up) * Math.sin(turn), z: 0.15 * Math.sin(up) };
  };
  const points = [];
  if (k % 2 === 0)
    for (let i = 0; i < 20; ++i)
      for (let j = 0; j < 8; ++j) points.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  else
    for (const axis of ['x', 'y', 'z'])
      for (const side of [-1, 1]) {
        const [u, v] = ['x', 'y', 'z'].filter((other) => other !== axis);
        const corner = (a, b) => ({ [axis]: 0.15 * side, [u]: 0.15 * a, [v]: 0.15 * b });
        points.push(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, -1), corner(1, 1), corner(-1, 1));
      }
  return points;
}

const bodyOf = (k) => ({
  markers: [{
    header: header(nameOf(k)), ns: nameOf(k), type: 11, frame_locked: true, text: k === 0 ? 'robot' : 'thing',
    pose: { orientation: { w: 1 } }, scale: { x: 1, y: 1, z: 1 }, points: trianglesOf(k),
  }],
});

const transformOf = (k, lift = 0) => ({
  header: header('cell'), child_frame_id: nameOf(k),
  transform: { translation: { ...placeOf(k), z: 0.3 + lift }, rotation: { x: 0, y: 0, z: 0, w: 1 } },
});

const pairOf = (k) => ({
  body_a: 'robot', body_b: nameOf(k + 1), status: 0, distance: k === 4002 ? NaN : 0.5 + 0.01 * k, lower_bound: 0.49 + 0.01 * k,
  point_a: placeOf(0), point_b: placeOf(k + 1), normal: { x: 1, y: 0, z: 0 }, age: 0.004,
});

const node = '/closest_point_monitor';

class Stage {
  pairs = PAIRS;

  async open() {
    this.writers = new Map([...schemas].filter(([, c]) => c.encoding === 'cdr').map(([topic, c]) => [topic, new MessageWriter(parse(c.schema, { ros2: true }))]));
    const types = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };
    this.http = http.createServer((request, answer) => {
      const name = request.url === '/' ? 'index.html' : path.basename(request.url);
      answer.setHeader('content-type', types[name.split('.').pop()]);
      answer.setHeader('content-security-policy', "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'");
      answer.end(fs.readFileSync(path.join(folder, name)));
    });
    new WebSocketServer({ server: this.http, handleProtocols: () => 'foxglove.sdk.v1' }).on('connection', (socket) => this.welcome(socket));
    await new Promise((resolve) => this.http.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.http.address().port}/`;
  }

  welcome(socket) {
    this.socket = socket;
    socket.send(JSON.stringify({ op: 'advertise', channels: [...schemas.values()] }));
    socket.on('message', () => this.tell());
  }

  say(topic, message) {
    const payload = Buffer.from(this.writers.get(topic).writeMessage(message)), head = Buffer.alloc(13);
    head[0] = 1;
    head.writeUInt32LE(schemas.get(topic).id, 1);
    this.socket.send(Buffer.concat([head, payload]));
  }

  tell() {
    this.say('/tf_static', { transforms: [...Array(OBSTACLES).keys()].map((k) => transformOf(k + 1)) });
    for (let k = 0; k <= OBSTACLES; ++k) this.say(`${node}/markers`, bodyOf(k));
    this.cycle ??= 0; /* on from where it was: whoever counts anew is another monitor */
    clearInterval(this.timer);
    this.timer = setInterval(() => this.go(), this.pairs > PAIRS ? 2000 : 16);
  }

  go() {
    this.cycle += 16;
    this.say('/tf', { transforms: [transformOf(0, 0.2 * Math.sin(this.cycle / 300))] });
    this.say(`${node}/closest_points`, { header: header('cell'), cycle: BigInt(this.cycle), pairs: [...Array(this.pairs).keys()].map(pairOf), minimum: 0, tracked: this.pairs });
    this.say(`${node}/safety`, { header: header('cell'), cycle: BigInt(this.cycle), zone: 1, speed_scale: 0.5, separation: 0.49, required_separation: 0.3, body_a: 'robot', body_b: EVIL, reason: `warn: ${EVIL}` });
  }

  close() {
    clearInterval(this.timer);
    this.socket?.terminate();
    this.http?.close();
  }
}

before(async () => {
  schemas = await askForSchemas();
  ({ browser, context } = await launch());
  server = new Stage();
  await server.open();
});
after(async () => {
  await browser?.close();
  server?.close();
  await stopAll();
});

test('a thousand obstacles, twenty pictures a second', async () => {
  const complaints = [];
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  await page.goto(server.url);
  await page.waitForFunction(() => document.body.dataset.alive === 'true', null, { timeout: 60000 });
  await until('all pairs', () => page.evaluate(() => document.getElementById('table').tBodies[0].rows.length === 100), 60000);
  await sleep(1000);
  await page.keyboard.press('f'); /* all of them are in the picture */
  await sleep(1000);
  if (process.env.VIEW_SHOT) await page.screenshot({ path: process.env.VIEW_SHOT });
  const need = await needFor(20, browser, page, 3);
  assert.ok(need < 2, `${need} processors`);
  assert.equal(await page.evaluate(() => document.getElementById('reason').textContent), `warn: ${EVIL}`);
  assert.equal(await page.evaluate(() => document.querySelectorAll('img, script:not([src])').length), 0);
  assert.deepEqual(complaints, []);
});

test('thousands of pairs, some without a number: the nearest are shown, the others found', async () => {
  server.pairs = VERY_MANY; /* said every two seconds */
  clearInterval(server.timer);
  const complaints = [];
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.url);
  const count = () => page.evaluate(() => document.getElementById('pairs-count').textContent);
  await until('how many there are', async () => (await count()) === `200 of ${VERY_MANY}`, 60000);
  const rows = () => page.evaluate(() => [...document.getElementById('table').tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal((await rows()).length, 200);
  await page.fill('#search', 'obstacle_4003');
  await until('one that was not shown', async () => {
    const found = await rows();
    return found.length === 1 && found[0][1] === 'robot – obstacle_4003' && found[0][2] === '–';
  }, 60000);
  assert.deepEqual(complaints, []);
});
