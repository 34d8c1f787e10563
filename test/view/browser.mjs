/* SPDX-License-Identifier: Apache-2.0 */
/* A browser without a screen, whose pictures are computed by the processor. */

import { require, sleep } from './cell.mjs';

const { chromium } = require('playwright-core');

export async function launch() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
  return { browser, context };
}

/* How much time of processors, in seconds a second, the browser would need for so many pictures a second:
 * what it spends while it draws as many as it comes to, and while it draws none. That depends little
 * on what else the machine does, as pictures a second do. The page draws no more afterwards. */
export async function needFor(pictures, browser, page, seconds) {
  const session = await browser.newBrowserCDPSession();
  const look = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const frames = await page.evaluate(() => Number(document.getElementById('picture').dataset.frames));
    const spent = processInfo.filter(({ type }) => /GPU|renderer|browser/.test(type));
    return { frames, spent: spent.reduce((sum, { cpuTime }) => sum + cpuTime, 0), time: performance.now() / 1000 };
  };
  const spend = async () => {
    const begin = await look();
    await sleep(1000 * seconds);
    const end = await look();
    return { frames: end.frames - begin.frames, spent: end.spent - begin.spent, time: end.time - begin.time };
  };
  await page.bringToFront();
  const drawing = await spend();
  await page.evaluate(() => (window.requestAnimationFrame = () => 0));
  await sleep(300);
  const resting = await spend();
  await session.detach();
  const rest = resting.spent / resting.time, picture = Math.max(0, drawing.spent - rest * drawing.time) / drawing.frames;
  const rate = drawing.frames / drawing.time, need = rest + pictures * picture;
  console.log(`${rate.toFixed(1)} pictures a second here; ${(1000 * picture).toFixed(1)} ms of a processor each, ` +
    `${rest.toFixed(2)} s a second without; for ${pictures} a second ${need.toFixed(2)} processors`);
  return need;
}
