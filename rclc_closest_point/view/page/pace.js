/* SPDX-License-Identifier: Apache-2.0 */
/* How many pictures a second there are, and how fine they can be for as many as the display takes. */

const MOST = 60; /* a second; what a display takes beyond that is not asked for */
const LEAST = 40; /* displays take at least so many */
const ENOUGH = 0.96; /* of them */
const COARSEST = 0.5; /* of the display's resolution, each way */
const STEP_DOWN = 0.8, STEP_UP = 1.1;
const FIRST_WAIT = 2, LONGEST_WAIT = 96; /* s until finer pictures are tried */

export class Pace {
  constructor() {
    Object.assign(this, { detail: 1, rate: null, times: [], judged: -Infinity, refined: -Infinity, changed: -Infinity, wait: FIRST_WAIT });
  }

  /* A picture, at a time (s) that the display gives. Whoever calls finds in `detail` how fine the next
   * one is to be, in `rate` how many there were in the last second. */
  count(time) {
    const { times } = this;
    times.push(time);
    while (times.length > 2 && time - times[0] > 1) times.shift();
    if (times.length < 3 || time - this.judged < 1) return;
    this.judged = time;
    this.rate = (times.length - 1) / (time - times[0]);
    this.judge(time);
  }

  /* What has been late since then was late for something else, such as new bodies. */
  excuse() {
    this.judged = this.times.at(-1) ?? this.judged;
    this.times = [];
  }

  /* The display's own pace shows in the pictures that were not late; where times between pictures are
   * longer than any display's, all of them were. */
  judge(time) {
    const { times, rate } = this;
    const gaps = times.slice(1).map((t, k) => t - times[k]).sort((a, b) => a - b);
    const share = rate * Math.min(1 / LEAST, Math.max(1 / MOST, gaps[Math.floor(0.1 * gaps.length)]));
    if (share < ENOUGH) this.coarsen(time, share);
    else if (this.detail < 1 && time - this.changed > this.wait) this.refine(time);
  }

  /* What proves too fine soon after it was tried is not tried again as soon. */
  coarsen(time, share) {
    if (time - this.refined < FIRST_WAIT) this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
    this.detail = Math.max(COARSEST, this.detail * Math.max(STEP_DOWN, share));
    this.changed = time;
  }

  refine(time) {
    this.detail = Math.min(1, this.detail * STEP_UP);
    this.refined = this.changed = time;
  }
}
