/* SPDX-License-Identifier: Apache-2.0 */
/* A live cell for the tests of the view: closest_point demo in a DDS domain that no other test is in,
 * and a view beside it, as processes. */

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';

export const require = createRequire(path.join(process.env.VIEW_PACKAGES, 'package.json'));
const tool = process.env.CLOSEST_POINT;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* `probe` until it is true of what it returns, which is returned. */
export async function until(what, probe, patience = 20000) {
  const end = performance.now() + patience;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > end) throw new Error(`not within ${patience} ms: ${what}`);
    await sleep(10);
  }
}

/* One domain that neither the other tests take (support/wire.h) nor the demo (cmd_demo.c), and one
 * name that only one process on the machine can have: others wait for their turn. */
const DOMAIN = 81;

function claim() {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(`\0closest_point_view_domain_${DOMAIN}`, () => resolve(Boolean(server.unref())));
  });
}

async function chooseDomain() {
  await until(`domain ${DOMAIN} for this test`, claim, 300000);
  return DOMAIN;
}

const children = [];

export function start(args, env = {}, command = tool) {
  const child = spawn(command, args, {
    env: { ...process.env, ROS_LOCALHOST_ONLY: '1', CYCLONEDDS_URI: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.text = '';
  child.errors = '';
  child.stdout.on('data', (bytes) => (child.text += bytes));
  child.stderr.on('data', (bytes) => (child.errors += bytes));
  child.ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  children.push(child);
  return child;
}

export async function stop(child) {
  child.kill('SIGTERM');
  return child.ended;
}

export async function stopAll() {
  await Promise.all(children.filter((c) => c.exitCode === null && c.signalCode === null).map(stop));
}

/* A view on a port that is free; its address is what it prints. */
export async function startView(domain, args = []) {
  const port = await freePort();
  const child = start(['view', '--port', `${port}`, ...args], { ROS_DOMAIN_ID: `${domain}` });
  await until('an address of the view', () => child.text.includes('\n') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`the view has ended: ${child.errors}`);
  const url = new URL(child.text.split('\n')[0]);
  return { child, url, port };
}

export function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/* The cell: its domain, once the monitor answers. */
export async function startCell(seconds = 300) {
  const domain = await chooseDomain();
  const child = start(['demo', '--no-view', '--domain', `${domain}`, '--seconds', `${seconds}`]);
  await until('an answer in the cell', () => /CLEAR|WARN|STOP/.test(child.text), 60000);
  return { domain, child };
}

/* ---- A client, made of what others have published ------------------------------------------ */

const { FoxgloveClient } = require('@foxglove/ws-protocol');
const { parse } = require('@foxglove/rosmsg');
const { MessageReader } = require('@foxglove/rosmsg2-serialization');
export const WebSocket = require('ws');

export class Listener {
  constructor(url, protocols = [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) {
    this.channels = new Map();
    this.messages = new Map();
    this.counts = new Map();
    this.notes = [];
    this.subscriptions = new Map();
    this.socket = new WebSocket(url, protocols);
    this.client = new FoxgloveClient({ ws: this.socket });
    this.opened = new Promise((resolve, reject) => {
      this.client.on('serverInfo', (info) => resolve((this.info = info)));
      this.client.on('close', () => reject(new Error('closed')));
      this.client.on('error', (error) => reject(error));
    });
    this.opened.catch(() => {});
    this.client.on('status', (note) => this.notes.push(note));
    this.client.on('advertise', (channels) => {
      for (const channel of channels) this.channels.set(channel.topic, channel);
    });
    this.client.on('message', ({ subscriptionId, timestamp, data }) => {
      const { topic, read, each } = this.subscriptions.get(subscriptionId);
      const count = (this.counts.get(topic) ?? 0) + 1;
      this.counts.set(topic, count);
      if (count % each) return;
      const message = read(data);
      const list = this.messages.get(topic) ?? [];
      list.push({ time: timestamp, at: performance.now(), message });
      if (list.length > (topic.endsWith('/markers') ? 100 : 2000)) list.shift(); /* those are large */
      this.messages.set(topic, list);
    });
  }

  /* Of `each` messages one is read, all are counted. */
  async subscribe(topic, each = 1) {
    await until(`the channel ${topic}`, () => this.channels.has(topic));
    const channel = this.channels.get(topic);
    const reader =
      channel.encoding === 'cdr'
        ? new MessageReader(parse(channel.schema, { ros2: true }))
        : { readMessage: (data) => JSON.parse(new TextDecoder().decode(data)) };
    const id = this.client.subscribe(channel.id);
    this.subscriptions.set(id, { topic, each, read: (data) => reader.readMessage(data) });
    return id;
  }

  newest(topic) {
    return this.messages.get(topic)?.at(-1)?.message;
  }

  all(topic) {
    return (this.messages.get(topic) ?? []).map((entry) => entry.message);
  }

  hears(topic, probe = () => true, patience = 20000) {
    return until(`such a message on ${topic}`, () => this.all(topic).find(probe), patience);
  }

  close() {
    this.client.close();
  }
}
