/* SPDX-License-Identifier: Apache-2.0 */
/* Messages from their bytes, as their schema (encoding "ros2msg") says: readerOf(schema)(bytes) is an
 * object with the message's fields. What does not fit into the message is a RangeError. */

const PRIMITIVES = {
  bool: (r) => r.byte() !== 0,
  byte: (r) => r.byte(),
  char: (r) => r.byte(),
  uint8: (r) => r.byte(),
  int8: (r) => (r.byte() << 24) >> 24,
  int16: (r) => r.number(2, 'getInt16'),
  uint16: (r) => r.number(2, 'getUint16'),
  int32: (r) => r.number(4, 'getInt32'),
  uint32: (r) => r.number(4, 'getUint32'),
  float32: (r) => r.number(4, 'getFloat32'),
  float64: (r) => r.number(8, 'getFloat64'),
  /* Counts and times here are far below 2^53. */
  int64: (r) => Number(r.number(8, 'getBigInt64')),
  uint64: (r) => Number(r.number(8, 'getBigUint64')),
  string: (r) => r.text(),
};

const decoder = new TextDecoder();

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const kind = this.view.getUint16(0);
    if (kind > 1 && kind !== 6 && kind !== 7) throw new RangeError(`encoding ${kind} is not known`);
    this.little = (kind & 1) === 1;
    this.widest = kind > 1 ? 4 : 8; /* alignment; the second version's is smaller */
    this.at = 4;
  }

  byte() {
    return this.view.getUint8(this.at++);
  }

  number(size, get) {
    const alignment = Math.min(size, this.widest);
    this.at += (alignment - ((this.at - 4) % alignment)) % alignment;
    const value = this.view[get](this.at, this.little);
    this.at += size;
    return value;
  }

  count() {
    const count = this.number(4, 'getUint32');
    if (count > this.bytes.length - this.at) throw new RangeError('a sequence is longer than its message');
    return count;
  }

  text() {
    const length = this.count();
    const text = decoder.decode(this.bytes.subarray(this.at, this.at + Math.max(0, length - 1)));
    this.at += length;
    return text;
  }
}

/* ---- Schemas ------------------------------------------------------------------------------ */

const FIELD = /^([a-zA-Z][\w/]*)(<=\d+)?(\[(<=)?(\d*)\])?\s+([a-zA-Z]\w*)\s*(=)?/;
const bare = (name) => name.replace('/msg/', '/');

function parseFields(text) {
  const fields = [];
  for (const line of text.split('\n')) {
    const [, type, , brackets, bound, size, name, constant] = FIELD.exec(line.trim()) ?? [];
    if (!type || constant) continue;
    fields.push({ name, type: bare(type), list: brackets !== undefined, size: bound || !size ? 0 : Number(size) });
  }
  return fields;
}

function parseSchema(schema) {
  const definitions = new Map();
  const [first, ...rest] = schema.split(/^={80}\n/m);
  definitions.set('', parseFields(first));
  for (const part of rest) {
    const end = part.indexOf('\n');
    definitions.set(bare(part.slice(0, end).replace('MSG:', '').trim()), parseFields(part.slice(end + 1)));
  }
  return definitions;
}

function listReader(one, size, type) {
  const bytes = type === 'uint8' || type === 'byte';
  return (r) => {
    const count = size || r.count();
    if (bytes) return r.bytes.subarray(r.at, (r.at += count));
    const list = new Array(count);
    for (let k = 0; k < count; ++k) list[k] = one(r);
    return list;
  };
}

export function readerOf(schema) {
  const definitions = parseSchema(schema);
  const compiled = new Map();

  function typeOf(name, from) {
    const ending = `/${name}`;
    const near = `${from.split('/')[0]}${ending}`;
    if (definitions.has(name)) return name;
    if (definitions.has(near)) return near;
    for (const known of definitions.keys()) if (known.endsWith(ending)) return known;
    throw new RangeError(`the schema has no type ${name}`);
  }

  function compile(name) {
    if (compiled.has(name)) return compiled.get(name);
    const fields = definitions.get(name).map(({ name: field, type, list, size }) => {
      const one = PRIMITIVES[type] ?? compile(typeOf(type, name));
      return [field, list ? listReader(one, size, type) : one];
    });
    const read = (r) => {
      const message = {};
      for (let k = 0; k < fields.length; ++k) message[fields[k][0]] = fields[k][1](r);
      return message;
    };
    compiled.set(name, read);
    return read;
  }

  const read = compile('');
  return (bytes) => read(new Reader(bytes));
}
