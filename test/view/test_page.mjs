/* SPDX-License-Identifier: Apache-2.0 */
/* The page in a real browser, without a screen, before a live cell: what it shows is what is on the
 * topics, as the public client of the protocol hears them at the same time. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, needFor } from './browser.mjs';
import { Listener, sleep, start, startCell, startView, stop, stopAll, until } from './cell.mjs';

const node = '/closest_point_monitor';
const ZONES = ['CLEAR', 'WARN', 'STOP'];
/* Other processes, in a continuous integration many, take what this page needs: what is to be seen
 * within 0.2 s is given that and what the browser itself is late by. */
const LIMIT = 0.2;

let browser, context, cell, view, listener, page;
const complaints = [];

before(async () => {
  cell = await startCell();
  view = await startView(cell.domain);
  listener = new Listener(`ws://127.0.0.1:${view.port}/ws`);
  await listener.opened;
  for (const topic of ['safety', 'closest_points']) await listener.subscribe(`${node}/${topic}`);
  ({ browser, context } = await launch());
  page = await open(view);
});

after(async () => {
  listener?.close();
  await browser?.close();
  await stopAll();
});

async function open({ url }) {
  const opened = await context.newPage();
  opened.on('console', (line) => complaints.push(`${line.type()}: ${line.text()}`));
  opened.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  opened.on('request', (request) => {
    if (new URL(request.url()).host !== url.host) complaints.push(`elsewhere: ${request.url()}`);
  });
  await opened.goto(url.href);
  await opened.waitForFunction(() => document.body.dataset.alive === 'true', null, { timeout: 30000 });
  return opened;
}

/* What stands on the page at one instant. */
const read = (of = page) =>
  of.evaluate(() => {
    const text = (id) => document.getElementById(id).textContent;
    const number = (id) => parseFloat(text(id).replace('−', '-'));
    return {
      ...document.body.dataset,
      word: text('zone-word'), reason: text('reason'), decisive: text('decisive'), title: document.title,
      separation: number('separation'), required: number('required'), speed: number('speed'),
      freshness: text('freshness'), veil: !document.getElementById('veil').hidden, veilTitle: text('veil-title'),
      rows: [...document.getElementById('table').tBodies[0].rows].map((row) => [...row.cells].map((c) => c.textContent)),
      focus: document.activeElement.id,
    };
  });

/* The answers of the cycles about the one that the page shows. */
function about(topic, cycle, seconds) {
  const messages = listener.all(`${node}/${topic}`);
  const at = messages.find((m) => Number(m.cycle) >= Number(cycle));
  if (!at) return [];
  const time = ({ header }) => header.stamp.sec + 1e-9 * header.stamp.nanosec;
  return messages.filter((m) => Math.abs(time(m) - time(at)) <= seconds);
}

test('zone and reason are those of the cycle that is shown', async () => {
  let compared = 0;
  const zones = new Set();
  for (let k = 0; k < 300 && (compared < 8 || zones.size < 2); ++k, await sleep(100)) {
    const shown = await read();
    if (shown.alive !== 'true') continue;
    const said = listener.all(`${node}/safety`).find((m) => String(m.cycle) === shown.cycle);
    if (!said) continue; /* each client has its own sixty of a thousand */
    assert.equal(shown.word, ZONES[said.zone]);
    assert.equal(shown.zone, ZONES[said.zone].toLowerCase());
    assert.equal(shown.reason, said.reason);
    assert.equal(shown.decisive, said.body_a ? `${said.body_a} – ${said.body_b}` : '');
    for (const [figure, value, step] of [[shown.separation, said.separation, 1e-3], [shown.required, said.required_separation, 1e-3], [shown.speed, 100 * said.speed_scale, 1]])
      assert.ok(Math.abs(figure - value) <= 0.51 * step || !Number.isFinite(value), `${figure} for ${value}`);
    zones.add(said.zone);
    ++compared;
  }
  assert.ok(compared >= 8 && zones.size >= 2, `${compared} compared, ${zones.size} zones seen`);
});

test('figures are those of the last 0.2 s', async () => {
  let compared = 0;
  for (let k = 0; k < 100 && compared < 10; ++k, await sleep(100)) {
    const shown = await read();
    const near = about('safety', shown.cycle, LIMIT + 0.15);
    if (shown.alive !== 'true' || near.length === 0 || Number.isNaN(shown.separation)) continue;
    for (const [name, field, factor, digits] of [['separation', 'separation', 1, 1e-3], ['required', 'required_separation', 1, 1e-3], ['speed', 'speed_scale', 100, 1]]) {
      const values = near.map((m) => factor * m[field]);
      assert.ok(values.some((v, j) => Math.abs(v - shown[name]) <= digits || (j > 0 && (v - shown[name]) * (values[j - 1] - shown[name]) <= 0)),
        `${name} ${shown[name]} is none of ${values}`);
    }
    ++compared;
  }
  assert.ok(compared >= 10, `${compared} compared`);
});

test('the table has every pair, with its distance', async () => {
  await until('a table that fits', async () => {
    const shown = await read();
    const near = about('closest_points', shown.cycle, LIMIT + 0.15);
    const rows = new Map(shown.rows.map((row) => [row[1], row]));
    return near.some(({ pairs }) => pairs.length > 0 && pairs.length === rows.size &&
      pairs.every((pair) => {
        const row = rows.get(`${pair.body_a} – ${pair.body_b}`);
        return row && Math.abs(parseFloat(row[2].replace('−', '-')) - pair.distance) < 0.02;
      }));
  });
});

test('the zones of pairs are the ones that the monitor paints', async () => {
  /* What is clear is apart by more than what is to be stopped for, of pairs with a person. */
  await until('stops in the table', async () => {
    const { rows, alive } = await read();
    const person = rows.filter((row) => /torso|head|arm/.test(row[1]) && alive === 'true');
    const bound = (glyph) => person.filter((row) => row[0] === glyph).map((row) => parseFloat(row[3]));
    const [stops, warns, clears] = ['■', '△', '○'].map(bound);
    if (stops.length === 0 || warns.length + clears.length === 0) return false;
    assert.ok(Math.max(...stops) < Math.min(...warns, ...clears, Infinity) + 0.1, `${stops} before ${warns} ${clears}`);
    return true;
  }, 60000);
});

/* How many colors it has. Between pictures the canvas has nothing to be copied. */
const countColors = () =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => {
    const pen = Object.assign(document.createElement('canvas'), { width: 200, height: 120 }).getContext('2d');
    pen.drawImage(document.getElementById('picture'), 0, 0, 200, 120);
    const { data } = pen.getImageData(0, 0, 200, 120);
    const seen = new Set();
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 200) seen.add((data[k] >> 4) << 8 | (data[k + 1] >> 4) << 4 | data[k + 2] >> 4);
    resolve(seen.size);
  })));

test('a picture is drawn', async () => {
  await until('more than twenty colors', async () => (await countColors()) > 20);
});

test('nothing is left out that is to be seen: backs of closed bodies alone', async () => {
  const shapes = await page.evaluate(async () => {
    const { shapeOf } = await import('/shapes.js');
    const corner = (k) => ({ x: k & 1, y: (k >> 1) & 1, z: k >> 2 });
    const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    const box = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d].map(corner));
    const volume = ({ places, triangles }) => {
      let sum = 0;
      for (let k = 0; k < triangles.length; k += 3) {
        const [[a, b, c], [d, e, f], [g, h, i]] = triangles.slice(k, k + 3).map((n) => places[n]);
        sum += (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)) / 6;
      }
      return sum;
    };
    const facts = (points) => {
      const shape = shapeOf(points, false);
      return [shape.triangles.length / 3, shape.places.length, shape.lines.length / 2, +volume(shape).toFixed(9)];
    };
    return { box: facts(box), insideOut: facts([...box].reverse()), open: facts(box.slice(6)) };
  });
  assert.deepEqual(shapes, { box: [12, 24, 12, 1], insideOut: [12, 24, 12, 1], open: [20, 20, 12, 0] });
});

test('pictures are as fine as the display can have at its pace, up to sixty a second', async () => {
  const seen = await page.evaluate(async () => {
    const { Pace } = await import('/pace.js');
    /* A display of `hz`, whose pictures take `cost(detail)` seconds, for a minute. */
    const show = (hz, cost) => {
      const pace = new Pace();
      let ticks = 0, coarsest = 1, changes = 0;
      for (; ticks < 60 * hz; ticks += Math.max(1, Math.ceil(hz * cost(pace.detail) - 1e-9))) {
        const before = pace.detail;
        pace.count(ticks / hz);
        changes += ticks > 20 * hz && before !== pace.detail;
        coarsest = Math.min(coarsest, pace.detail);
      }
      return { detail: pace.detail, rate: Math.round(pace.rate), coarsest, changes };
    };
    return {
      fast: show(60, () => 0.01), slowDisplay: show(50, () => 0.01), fastDisplay: show(144, () => 0.012),
      pixels: show(60, (detail) => 0.004 + 0.02 * detail ** 2), hopeless: show(60, () => 0.05),
    };
  });
  for (const [name, rate] of [['fast', 60], ['slowDisplay', 50], ['fastDisplay', 72]]) assert.deepEqual(seen[name], { detail: 1, rate, coarsest: 1, changes: 0 }, name);
  assert.ok(seen.pixels.detail > 0.6 && seen.pixels.detail < 0.84 && seen.pixels.rate >= 57 && seen.pixels.changes < 10, JSON.stringify(seen.pixels));
  assert.deepEqual(seen.hopeless, { detail: 0.5, rate: 20, coarsest: 0.5, changes: 0 });
});

test('the label stands in the picture with what is required', async () => {
  await until('a label', () => page.evaluate(() => {
    const label = document.getElementById('label');
    return !label.hidden && /^[\d.]+ m$/.test(document.getElementById('label-distance').textContent) &&
      /required [\d.]+ m/.test(document.getElementById('label-required').textContent);
  }));
});

test('by the keyboard alone', async () => {
  const pressed = (id) => page.evaluate((of) => document.getElementById(of).getAttribute('aria-pressed'), id);
  await page.keyboard.press('/');
  assert.equal((await read()).focus, 'search');
  await page.keyboard.type('link_6 pillar');
  await until('one row', async () => (await read()).rows.length === 1);
  assert.equal((await read()).rows[0][1], 'link_6 – pillar');
  for (let k = 0; k < 12; ++k) {
    if (await page.evaluate(() => document.activeElement.tagName === 'TR')) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await until('the pair is followed', async () => (await pressed('follow')) === 'true');
  await until('its label', () => page.evaluate(() => document.getElementById('label-bodies').textContent === 'link_6 – pillar'));
  await page.keyboard.press('Escape');
  await until('all rows', async () => (await read()).rows.length > 5);
  await page.keyboard.press('p');
  assert.equal(await pressed('follow'), 'false');
  await page.keyboard.press('s');
  assert.equal(await pressed('shell'), 'false');
  await page.keyboard.press('s');
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.keyboard.press('t');
  assert.equal(await theme(), 'light');
  await page.keyboard.press('t');
  await page.keyboard.press('?');
  assert.ok(await page.evaluate(() => document.getElementById('help').open));
  await page.keyboard.press('Escape');
  await page.focus('#timeline');
  for (let k = 0; k < 4; ++k) await page.keyboard.press('ArrowLeft');
  await until('values of then', () => page.evaluate(() => /s ago: /.test(document.getElementById('readout').textContent)));
  const order = [];
  await page.focus('#theme');
  for (let k = 0; k < 30; ++k) {
    await page.keyboard.press('Tab');
    order.push(await page.evaluate(() => document.activeElement.id || document.activeElement.tagName));
  }
  for (const id of ['help-open', 'picture', 'fit', 'follow', 'shell', 'search', 'TR', 'timeline']) assert.ok(order.includes(id), `${id} in ${order}`);
});

test('at 800 x 600 nothing is beyond the edge', async () => {
  await page.setViewportSize({ width: 800, height: 600 });
  await sleep(500);
  const beyond = await page.evaluate(() =>
    ['zone', 'reason', 'separation', 'required', 'speed', 'freshness', 'theme', 'picture', 'search', 'pairs', 'timeline', 'spans'].filter((id) => {
      const box = document.getElementById(id).getBoundingClientRect();
      return box.width < 10 || box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
    }));
  assert.deepEqual(beyond, []);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('what comes from a message is text', async () => {
  assert.equal(await page.evaluate(() => document.querySelectorAll('script:not([src]), [onclick], [onerror], [onload]').length), 0);
});

test('two processors have the time for sixty pictures a second, by software', async () => {
  const need = await needFor(60, browser, page, 3);
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.alive === 'true', null, { timeout: 30000 });
  assert.ok(need < 2, `${need} processors`);
});

test('no signal within 0.2 s of the last answer, and life again', async () => {
  const second = await startCellOfItsOwn();
  try {
    await second.page.evaluate(() => {
      /* Times of what is shown, by the page's own clock. */
      window.seen = [];
      const look = () => {
        window.seen.push([performance.now(), document.body.dataset.alive, Number(document.body.dataset.heard)]);
        requestAnimationFrame(look);
      };
      look();
    });
    /* Silence is three times what is usual, and where the machine is busy much may be. */
    await second.page.waitForFunction(() => [...document.getElementById('topic-rows').rows].some((row) => /safety$/.test(row.cells[0].textContent) && parseFloat(row.cells[1].textContent) > 20));
    await sleep(300);
    process.kill(second.monitor, 'SIGSTOP');
    await second.page.waitForFunction(() => document.body.dataset.alive === 'false', null, { timeout: 10000 });
    const seen = await second.page.evaluate(() => window.seen);
    const lost = seen.findLastIndex(([, alive]) => alive === 'true') + 1;
    const last = seen.findIndex(([, , cycle]) => cycle === seen[lost - 1][2]);
    /* From the first picture with the newest answer on; a picture that takes long is late by itself. */
    const longest = Math.max(...seen.slice(last, lost + 1).map(([time], k, list) => (k ? time - list[k - 1][0] : 0)));
    const took = seen[lost][0] - seen[last][0];
    assert.ok(took <= 1000 * LIMIT + 2 * longest, `${took} ms, pictures up to ${longest} ms`);
    const shown = await read(second.page);
    assert.equal(shown.zone, 'unknown');
    assert.equal(shown.word, 'NO SIGNAL');
    assert.ok(shown.veil && /nothing heard for/.test(shown.veilTitle), shown.veilTitle);
    await until('no figures', async () => Number.isNaN((await read(second.page)).separation), 3000);
    assert.match((await read(second.page)).title, /no signal/);
    process.kill(second.monitor, 'SIGCONT');
    await second.page.waitForFunction(() => document.body.dataset.alive === 'true', null, { timeout: 10000 });
  } finally {
    process.kill(second.monitor, 'SIGCONT');
    await second.page.close();
  }
});

/* The same cell; of the demonstration's processes the one that is the monitor. */
async function startCellOfItsOwn() {
  const children = fs.readFileSync(`/proc/${cell.child.pid}/task/${cell.child.pid}/children`, 'utf8').trim().split(' ');
  return { page: await open(view), monitor: Number(children[1]) };
}

test('without the view it says so, and it comes back', async () => {
  await stop(view.child);
  await page.waitForFunction(() => document.body.dataset.connected === 'false' && document.body.dataset.alive === 'false', null, { timeout: 10000 });
  await until('why', () => page.evaluate(() => /no connection/.test(document.getElementById('veil-text').textContent)));
  const again = start(['view', '--port', `${view.port}`], { ROS_DOMAIN_ID: `${cell.domain}` });
  await page.waitForFunction(() => document.body.dataset.alive === 'true', null, { timeout: 30000 });
  assert.equal(again.exitCode, null);
});

test('the console is empty but for the lost connection, and nothing came from elsewhere', () => {
  /* What the software that draws says of its own speed is not the page's. */
  const expected = /WebSocket connection to .*(failed|closed)|ERR_CONNECTION_REFUSED|GL Driver Message \(OpenGL, Performance/;
  assert.deepEqual(complaints.filter((line) => !expected.test(line)), []);
});
