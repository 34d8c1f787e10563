/* SPDX-License-Identifier: Apache-2.0 */
/* The view's server as the public client of the Foxglove protocol sees it, in a live cell. */

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { Listener, WebSocket, sleep, startCell, startView, stopAll, until } from './cell.mjs';

const node = '/closest_point_monitor';
let cell, view;

before(async () => {
  cell = await startCell();
  view = await startView(cell.domain);
});
after(stopAll);

const socketUrl = (path = '') => `ws://127.0.0.1:${view.port}${path}`;

/* What a request is answered, by its status. */
function request(port, path, headers = {}, method = 'GET') {
  return new Promise((resolve, reject) => {
    const call = http.request({ host: '127.0.0.1', port, path, headers, method }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    call.on('error', reject);
    call.end();
  });
}

/* The status that an upgrade is refused with, or 101. */
function upgrade(url, protocols = ['foxglove.sdk.v1'], options = {}) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocols, options);
    socket.on('open', () => (socket.close(), resolve(101)));
    socket.on('unexpected-response', (call, answer) => (call.destroy(), resolve(answer.statusCode)));
    socket.on('error', () => resolve(0));
  });
}

test('answers, decoded by others, are consistent', async () => {
  const listener = new Listener(socketUrl('/ws'));
  const info = await listener.opened;
  assert.equal(info.name, 'closest_point view');
  assert.deepEqual(info.capabilities, []);
  for (const topic of ['closest_points', 'safety', 'minimum']) await listener.subscribe(`${node}/${topic}`);
  const points = await listener.hears(`${node}/closest_points`, (m) => m.pairs.length > 3);
  for (const pair of points.pairs.filter((p) => p.status === 0))
    for (const axis of ['x', 'y', 'z']) {
      const reached = pair.point_a[axis] + pair.distance * pair.normal[axis];
      assert.ok(Math.abs(reached - pair.point_b[axis]) < 1e-9, `${pair.body_a} ${pair.body_b}`);
      assert.ok(pair.lower_bound <= pair.distance);
    }
  assert.equal(points.header.frame_id, 'cell');
  assert.equal(points.pairs[points.minimum].distance, Math.min(...points.pairs.map((p) => p.distance)));
  assert.equal(points.tracked + points.culled + points.stale, 56);
  const safety = await listener.hears(`${node}/safety`, (m) => m.reason !== '');
  assert.ok(safety.zone <= 2 && safety.speed_scale >= 0 && safety.speed_scale <= 1);
  listener.close();
});

test('sixty of a thousand answers a second reach a client, in their order', async () => {
  const listener = new Listener(socketUrl());
  await listener.opened;
  await listener.subscribe(`${node}/safety`);
  await listener.hears(`${node}/safety`);
  const before = listener.counts.get(`${node}/safety`);
  const begin = performance.now();
  await sleep(2000);
  const rate = (1000 * (listener.counts.get(`${node}/safety`) - before)) / (performance.now() - begin);
  assert.ok(rate > 20 && rate < 75, `${rate} a second`);
  const cycles = listener.all(`${node}/safety`).map((m) => m.cycle);
  assert.ok(cycles.every((cycle, k) => k === 0 || cycle > cycles[k - 1]));
  listener.close();
});

test('who comes late has all bodies at once, and what is latched', async () => {
  await sleep(1500); /* the monitor shows a body in each of its thirty pictures a second */
  const listener = new Listener(socketUrl());
  await listener.opened;
  await listener.subscribe(`${node}/markers`);
  const bodies = new Map();
  await until('all bodies', () => {
    for (const { markers } of listener.all(`${node}/markers`))
      for (const marker of markers) if (marker.type === 11) bodies.set(marker.ns, marker);
    return bodies.size >= 15;
  }, 400);
  assert.equal(bodies.get('link_3').text, 'robot');
  assert.equal(bodies.get('head').text, 'human');
  assert.equal(bodies.get('pillar').text, 'thing');
  assert.ok(bodies.get('pillar').points.length >= 36);
  await listener.subscribe('/tf');
  await listener.hears('/tf', (m) => m.transforms.length > 0);
  listener.close();
});

test('what is heard, how often and how long ago', async () => {
  const listener = new Listener(socketUrl());
  await listener.opened;
  await listener.subscribe('/closest_point_view/heard');
  const safety = await until('a rate', () =>
    listener.newest('/closest_point_view/heard')?.topics.find((t) => t.topic === `${node}/safety` && t.rate > 0));
  assert.ok(safety.age < 0.2 && safety.count > 0);
  listener.close();
});

test('an end of a subscription is one', async () => {
  const listener = new Listener(socketUrl());
  await listener.opened;
  const id = await listener.subscribe(`${node}/safety`);
  await listener.hears(`${node}/safety`);
  listener.client.unsubscribe(id);
  await sleep(300);
  const count = listener.counts.get(`${node}/safety`);
  await sleep(300);
  assert.equal(listener.counts.get(`${node}/safety`), count);
  listener.close();
});

test('nothing can be published, and what is no request is said to be none', async () => {
  const listener = new Listener(socketUrl());
  await listener.opened;
  const note = (pattern) => until(pattern, () => listener.notes.find((n) => pattern.test(n.message)), 3000);
  listener.socket.send('{"op":"advertise","channels":[{"id":1,"topic":"/tf"}]}');
  await note(/nothing can be published/);
  listener.socket.send(new Uint8Array([1, 1, 0, 0, 0, 7]));
  await note(/nothing can be published here/);
  listener.socket.send('{"op":"subscribe","subscriptions":[{"id":1}]}');
  await note(/no request/);
  listener.socket.send('{"op":"subscribe","subscriptions":[{"id":1,"channelId":4711}]}');
  await note(/no channel 4711/);
  listener.close();
});

test('under both names of the protocol, and none else', async () => {
  assert.equal(await upgrade(socketUrl('/ws'), ['foxglove.sdk.v1']), 101);
  assert.equal(await upgrade(socketUrl('/'), ['foxglove.websocket.v1']), 101);
  assert.equal(await upgrade(socketUrl('/'), ['other', 'foxglove.sdk.v1']), 101);
  assert.notEqual(await upgrade(socketUrl('/'), ['other']), 101);
  assert.equal(await upgrade(socketUrl('/'), []), 400);
  assert.equal(await upgrade(socketUrl('/elsewhere')), 404);
});

test('no page from elsewhere comes in, by whatever name', async () => {
  const own = `http://127.0.0.1:${view.port}`;
  assert.equal(await upgrade(socketUrl(), undefined, { origin: own }), 101);
  assert.equal(await upgrade(socketUrl(), undefined, { origin: 'http://evil.example' }), 403);
  assert.equal(await upgrade(socketUrl(), undefined, { origin: 'null' }), 403);
  assert.equal(await upgrade(socketUrl(), undefined, { origin: `http://localhost:${view.port + 1}` }), 403);
  assert.equal(await upgrade(socketUrl(), undefined, { origin: `http://${'a'.repeat(2000)}` }), 403);
  const named = { headers: { host: `rebound.example:${view.port}` } };
  assert.equal(await upgrade(socketUrl(), undefined, named), 403);
  for (const host of ['rebound.example', `127.0.0.1.rebound.example:${view.port}`, '127.0.0.1:1x', '[::1'])
    assert.equal((await request(view.port, '/', { host })).status, 403, host);
  assert.equal((await request(view.port, '/', { host: `localhost:${view.port}` })).status, 200);
});

test('the page says what it may load', async () => {
  const page = await request(view.port, '/');
  assert.equal(page.status, 200);
  assert.match(page.headers['content-security-policy'], /default-src 'none'; script-src 'self'/);
  assert.doesNotMatch(page.headers['content-security-policy'], /unsafe/);
  assert.equal(page.headers['x-content-type-options'], 'nosniff');
  assert.doesNotMatch(page.text, /<script(?![^>]*src=)|<style| on[a-z]+=|https?:\/\//);
  assert.equal((await request(view.port, '/../../etc/passwd')).status, 404);
  assert.equal((await request(view.port, '/', {}, 'POST')).status, 405);
});

test('a token is asked for, and enough', async () => {
  const guarded = await startView(cell.domain, ['--token']);
  const token = guarded.url.searchParams.get('token');
  assert.match(token, /^[0-9a-f]{32}$/);
  const { port } = guarded;
  const wrong = token.replace(/./, (c) => (c === '0' ? '1' : '0'));
  for (const path of ['/', '/main.js', `/?token=${wrong}`, '/?token=', `/?token=${token}0`, `/?token=${token.slice(1)}`])
    assert.equal((await request(port, path)).status, 401, path);
  const entered = await request(port, `/?token=${token}`);
  assert.equal(entered.status, 303);
  assert.match(entered.headers['set-cookie'][0], /HttpOnly; SameSite=Strict/);
  const cookie = entered.headers['set-cookie'][0].split(';')[0];
  assert.equal((await request(port, '/', { cookie })).status, 200);
  const url = `ws://127.0.0.1:${port}/ws`;
  assert.equal(await upgrade(url), 401);
  assert.equal(await upgrade(url, undefined, { headers: { cookie } }), 101);
  assert.equal(await upgrade(`${url}?token=${token}`), 101);
  assert.equal(await upgrade(`${url}?a=1&token=${token}&b`), 101);
  assert.equal(await upgrade(`${url}?token=${token}`, undefined, { origin: 'https://viewer.example' }), 101);
  assert.equal(await upgrade(url, undefined, { origin: 'https://viewer.example', headers: { cookie } }), 403);
});

test('beyond this machine only with a token', async () => {
  const open = await startView(cell.domain, ['--bind', '0.0.0.0']);
  assert.match(open.url.searchParams.get('token'), /^[0-9a-f]{32}$/);
  assert.equal((await request(open.port, '/')).status, 401);
  const address = `10.1.2.3:${open.port}`;
  assert.equal((await request(open.port, '/', { host: address })).status, 401);
  assert.equal((await request(open.port, '/', { host: 'name.example' })).status, 403);
});
