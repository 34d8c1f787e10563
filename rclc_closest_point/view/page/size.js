/* SPDX-License-Identifier: Apache-2.0 */
/* How large elements are, without asking for it in every picture: whoever asks makes the browser lay
 * the page out at once. */

const sizes = new WeakMap();

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) measure(target);
});

function measure(element) {
  const size = { width: element.offsetWidth, height: element.offsetHeight };
  sizes.set(element, size);
  return size;
}

export function sizeOf(element) {
  const known = sizes.get(element);
  if (known) return known;
  observer.observe(element);
  return measure(element);
}
