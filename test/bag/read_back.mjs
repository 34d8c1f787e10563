// SPDX-License-Identifier: Apache-2.0
// Recordings read by the format's own library (@mcap/core), every message decoded by its schema:
//   node read_back.mjs FOLDER_OF_NODE_MODULES FILE > lines
// Prints the number of messages of each topic, and the last message of ~/safety.
import {open} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';

const [folder, file] = process.argv.slice(2);
const from = createRequire(join(folder, 'here.js'));
const {McapIndexedReader} = from('@mcap/core');
const {parse} = from('@foxglove/rosmsg');
const {MessageReader} = from('@foxglove/rosmsg2-serialization');
const {decompress} = from('fzstd');

const handle = await open(file);
const size = BigInt((await handle.stat()).size);
const readable = {
  size: async () => size,
  read: async (offset, length) => {
    const bytes = new Uint8Array(Number(length));
    await handle.read(bytes, 0, bytes.length, Number(offset));
    return bytes;
  },
};
const decompressHandlers = {zstd: (bytes, length) => decompress(bytes, new Uint8Array(Number(length)))};
const bag = await McapIndexedReader.Initialize({readable, decompressHandlers});
if (bag.header.profile !== 'ros2' || bag.chunkIndexes.length === 0) throw new Error('no chunks');

const readers = new Map();
for (const [id, channel] of bag.channelsById) {
  const schema = bag.schemasById.get(channel.schemaId);
  const definitions = parse(new TextDecoder().decode(schema.data), {ros2: true});
  readers.set(id, new MessageReader(definitions));
}
const counts = new Map();
let safety, before = 0n;
for await (const message of bag.readMessages({validateCrcs: true})) {
  const topic = bag.channelsById.get(message.channelId).topic;
  const content = readers.get(message.channelId).readMessage(message.data);
  counts.set(topic, (counts.get(topic) ?? 0) + 1);
  if (topic.endsWith('/safety')) safety = content;
  if (message.logTime < before) throw new Error('times go backwards');
  before = message.logTime;
}
let all = 0n;
for (const [id, count] of bag.statistics.channelMessageCounts) {
  const found = BigInt(counts.get(bag.channelsById.get(id).topic) ?? 0);
  if (found !== count) throw new Error(`${id}: ${found} messages, ${count} by the statistics`);
  all += count;
}
if (all !== bag.statistics.messageCount) throw new Error('the statistics do not add up');
for (const [topic, count] of [...counts].sort()) console.log(`${topic} ${count}`);
console.log(`safety: cycle ${safety?.cycle}, zone ${safety?.zone}, ${safety?.reason}`);
