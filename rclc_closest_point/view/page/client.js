/* SPDX-License-Identifier: Apache-2.0 */
/* A client of the Foxglove WebSocket protocol, which comes back when the connection is lost. */

import { readerOf } from './cdr.js';

const WAIT_FIRST = 250, WAIT_LONGEST = 3000; /* ms between attempts */
const HEAD = 13; /* bytes before a message */

export class Client {
  /* `wanted(channel)` decides what is subscribed to; `hear(topic, message, time)` takes each
   * message and when (s since 1970) it was heard, `change(connected)` whatever becomes of the connection. Of topics that are `lazy` only the
   * newest message counts, and is not read before flush(). */
  constructor(url, { wanted, lazy, hear, change }) {
    Object.assign(this, { url, wanted, lazy, hear, change });
    this.waiting = new Map();
    this.connected = false;
    this.malformed = 0; /* messages that did not fit their schema */
    this.wait = WAIT_FIRST;
    this.connect();
  }

  connect() {
    this.subscriptions = new Map();
    this.known = new Set();
    this.renewed = 1 << 20; /* numbers of subscriptions beyond those of channels */
    this.socket = new WebSocket(this.url, ['foxglove.sdk.v1']);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('open', () => this.set(true));
    this.socket.addEventListener('close', () => this.lose());
    this.socket.addEventListener('message', ({ data }) =>
      typeof data === 'string' ? this.control(JSON.parse(data)) : this.message(data)
    );
  }

  set(connected) {
    if (connected) this.wait = WAIT_FIRST;
    this.connected = connected;
    this.change(connected);
  }

  lose() {
    this.set(false);
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, WAIT_LONGEST);
  }

  control(words) {
    if (words.op !== 'advertise') return;
    const fresh = [];
    for (const channel of words.channels) {
      if (this.known.has(channel.id) || !this.wanted(channel)) continue;
      this.known.add(channel.id);
      this.subscriptions.set(channel.id, { channel, read: this.reader(channel) });
      fresh.push({ id: channel.id, channelId: channel.id });
    }
    if (fresh.length > 0) this.socket.send(JSON.stringify({ op: 'subscribe', subscriptions: fresh }));
  }

  send(words) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(words));
  }

  /* Subscribes again to the channels that are `meant`: what holds there is told again, and nothing that
   * was told before is taken any more. */
  renew(meant) {
    const gone = [], fresh = [];
    for (const [id, subscription] of [...this.subscriptions]) {
      if (!meant(subscription.channel)) continue;
      this.subscriptions.delete(id);
      this.waiting.delete(subscription);
      this.subscriptions.set(++this.renewed, subscription);
      gone.push(id);
      fresh.push({ id: this.renewed, channelId: subscription.channel.id });
    }
    if (gone.length === 0) return;
    this.send({ op: 'unsubscribe', subscriptionIds: gone });
    this.send({ op: 'subscribe', subscriptions: fresh });
  }

  reader(channel) {
    if (channel.encoding === 'cdr') return readerOf(channel.schema);
    return (bytes) => JSON.parse(new TextDecoder().decode(bytes));
  }

  message(data) {
    const view = new DataView(data);
    if (view.getUint8(0) !== 1) return;
    const subscription = this.subscriptions.get(view.getUint32(1, true));
    if (!subscription) return;
    if (this.lazy(subscription.channel)) this.waiting.set(subscription, data);
    else this.take(subscription, data);
  }

  take({ channel, read }, data) {
    let message;
    try {
      message = read(new Uint8Array(data, HEAD));
    } catch (error) {
      ++this.malformed;
      return;
    }
    this.hear(channel.topic, message, Number(new DataView(data).getBigUint64(5, true)) / 1e9);
  }

  /* Hands over what has waited. */
  flush() {
    for (const [subscription, data] of this.waiting) this.take(subscription, data);
    this.waiting.clear();
  }
}
