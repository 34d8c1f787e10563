/* SPDX-License-Identifier: Apache-2.0 */
/* From the triangles that a monitor publishes to what is drawn: normals that are smooth across
 * smooth seams, the edges where faces meet at an angle, and the shell of a safety distance. */

import { add, cross, dot, norm, scale, sub, unit } from './math.js';

const CREASE = Math.cos((32 * Math.PI) / 180); /* what turns more is an edge */
const GRID = 1e-6; /* of the size: corners that near are one */

/* Numbers for places, the same for those that are the same but for rounding. */
function numberPlaces(points, size) {
  const numbers = new Map();
  const step = Math.max(size * GRID, 1e-12);
  return points.map((p) => {
    const key = `${Math.round(p.x / step)},${Math.round(p.y / step)},${Math.round(p.z / step)}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  });
}

function sizeOf(points) {
  let size = 0;
  for (const p of points) size = Math.max(size, Math.abs(p.x), Math.abs(p.y), Math.abs(p.z));
  return size;
}

/* Triangles with an area: their places' numbers, and their normals as long as their area is large. */
function facesOf(points, numbers) {
  const faces = [];
  for (let k = 0; k + 2 < points.length; k += 3) {
    const [a, b, c] = [points[k], points[k + 1], points[k + 2]].map((p) => [p.x, p.y, p.z]);
    const corners = [numbers[k], numbers[k + 1], numbers[k + 2]];
    const normal = cross(sub(b, a), sub(c, a));
    if (new Set(corners).size < 3 || !(norm(normal) > 0)) continue;
    faces.push({ places: [a, b, c], corners, normal, direction: unit(normal) });
  }
  return faces;
}

function groupBy(faces, keysOf) {
  const groups = new Map();
  faces.forEach((face) => {
    for (const key of keysOf(face)) {
      const group = groups.get(key);
      if (group) group.push(face);
      else groups.set(key, [face]);
    }
  });
  return groups;
}

function smoothNormal(face, neighbors) {
  let sum = [0, 0, 0];
  for (const other of neighbors)
    if (dot(other.direction, face.direction) > CREASE)
      sum = [sum[0] + other.normal[0], sum[1] + other.normal[1], sum[2] + other.normal[2]];
  return unit(sum);
}

const edgesOf = ({ corners: [a, b, c] }) =>
  [[a, b], [b, c], [c, a]].map(([i, j]) => (i < j ? `${i} ${j}` : `${j} ${i}`));

/* Pairs of places' numbers. */
function featureEdges(faces) {
  const lines = [];
  for (const [key, pair] of groupBy(faces, edgesOf)) {
    if (pair.length === 2 && dot(pair[0].direction, pair[1].direction) > CREASE) continue;
    if (pair.length > 2) continue;
    lines.push(key.split(' ').map(Number));
  }
  return lines;
}

/* Whether every edge is passed as often one way as the other, by all triangles, also by those without
 * an area: then nothing is to be seen of their backs, unless all of them lie inside out. */
function isClosed(numbers) {
  const passed = new Map();
  for (let k = 0; k + 2 < numbers.length; k += 3)
    for (const [i, j] of [[0, 1], [1, 2], [2, 0]].map((pair) => pair.map((n) => numbers[k + n]))) {
      const key = i < j ? `${i} ${j}` : `${j} ${i}`;
      if (i !== j) passed.set(key, (passed.get(key) ?? 0) + (i < j ? 1 : -1));
    }
  return [...passed.values()].every((count) => count === 0);
}

const volumeOf = (faces) => faces.reduce((sum, { places: [a, b, c] }) => sum + dot(a, cross(b, c)) / 6, 0);

/* ---- Shells ------------------------------------------------------------------------------- */

/* The sphere by dividing an octahedron: directions, and triangles of them. */
function sphere(steps) {
  const directions = [], triangles = [];
  for (let octant = 0; octant < 8; ++octant) {
    const signs = [octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1];
    const flip = signs[0] * signs[1] * signs[2] < 0;
    const base = directions.length;
    const index = (i, j) => base + (i * (2 * steps + 3 - i)) / 2 + j;
    for (let i = 0; i <= steps; ++i)
      for (let j = 0; j <= steps - i; ++j) {
        const p = [i, j, steps - i - j].map((c) => Math.sin((c / steps) * (Math.PI / 2)));
        directions.push(unit(p.map((c, k) => c * signs[k])));
      }
    const put = (a, b, c) => triangles.push(...(flip ? [a, c, b] : [a, b, c]));
    for (let i = 0; i < steps; ++i)
      for (let j = 0; j < steps - i; ++j) {
        put(index(i, j), index(i + 1, j), index(i, j + 1));
        if (j < steps - i - 1) put(index(i + 1, j), index(i + 1, j + 1), index(i, j + 1));
      }
  }
  return { directions, triangles };
}

const ball = sphere(7);

/* All that is within a distance of a body's hull ends at p(d) + r d, where p(d) is the body's farthest
 * place in the direction d. So p and d are all there is to know for every distance r. Between the
 * directions that are taken the shell is flat, 1 % of r within the true one. */
function shellOf(places) {
  const farthest = ball.directions.map((d) => {
    let best = places[0], most = -Infinity;
    for (const p of places) {
      const reach = dot(p, d);
      if (reach > most) [most, best] = [reach, p];
    }
    return best;
  });
  return { places: farthest, directions: ball.directions, triangles: ball.triangles };
}

/* ---- Shapes ------------------------------------------------------------------------------- */

/* Corners that are the same place with the same normal are one vertex. */
class Vertices {
  constructor() {
    Object.assign(this, { places: [], normals: [], known: new Map() });
  }

  add(place, normal, number) {
    const key = `${number} ${normal.map((c) => Math.round(1e3 * c))}`;
    if (!this.known.has(key)) {
      this.known.set(key, this.places.length);
      this.places.push(place);
      this.normals.push(normal);
    }
    return this.known.get(key);
  }
}

/* Of a list of points, three to a triangle. `shell`: with one. */
export function shapeOf(points, shell) {
  const numbers = numberPlaces(points, sizeOf(points));
  const faces = facesOf(points, numbers);
  const around = groupBy(faces, (face) => face.corners);
  const vertices = new Vertices(), triangles = [], at = new Map();
  for (const face of faces)
    face.places.forEach((place, k) => {
      const number = face.corners[k], vertex = vertices.add(place, smoothNormal(face, around.get(number)), number);
      triangles.push(vertex);
      at.set(number, vertex);
    });
  const { places, normals } = vertices;
  const backs = triangles.map((_, k) => triangles[k - (k % 3) + 2 - (k % 3)]);
  const closed = isClosed(numbers), inside = closed && volumeOf(faces) < 0;
  return {
    places,
    normals,
    triangles: inside ? backs : closed ? triangles : [...triangles, ...backs],
    lines: featureEdges(faces).flatMap((pair) => pair.map((number) => at.get(number))),
    shell: shell && faces.length > 0 ? shellOf(places) : null,
    reach: places.reduce((most, place) => Math.max(most, norm(place)), 0),
    middle: scale(places.reduce(add, [0, 0, 0]), 1 / (places.length || 1)),
  };
}
