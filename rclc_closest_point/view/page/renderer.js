/* SPDX-License-Identifier: Apache-2.0 */
/* The picture, by WebGL 2. All bodies are one list of triangles: where each of them is, and how it
 * looks, stands in a texture with a row for each, so that a thousand bodies are one call. */

import { add, unit } from './math.js';

const LINK = `
  uniform highp sampler2D links; /* a row each: the three rows of its pose, and its color */
  uniform mat4 camera;
  layout(location = 2) in float link;
  mat4x3 pose() {
    int row = int(link);
    return transpose(mat3x4(texelFetch(links, ivec2(0, row), 0), texelFetch(links, ivec2(1, row), 0),
                            texelFetch(links, ivec2(2, row), 0)));
  }
  vec4 look() { return texelFetch(links, ivec2(3, int(link)), 0); }`;

const HEAD = '#version 300 es\nprecision highp float;\n';

/* Alpha of a look: 1 known, 0.5 by an old pose, which is drawn with holes, 0 nowhere. */
const HOLES = `
  void cut(float alpha) {
    if (alpha < 0.25) discard;
    vec2 cell = floor(gl_FragCoord.xy / 2.0);
    if (alpha < 0.75 && mod(cell.x + cell.y, 2.0) < 0.5) discard;
  }`;

const BODIES = [
  `${LINK}
  layout(location = 0) in vec3 place;
  layout(location = 1) in vec3 normal;
  out vec3 n, p;
  flat out vec4 color;
  void main() {
    mat4x3 m = pose();
    color = look();
    n = mat3(m) * normal;
    p = m * vec4(place, 1.0);
    gl_Position = camera * vec4(p, 1.0);
  }`,
  `${HOLES}
  uniform vec3 eye, rim, lamp;
  in vec3 n, p;
  flat in vec4 color;
  out vec4 result;
  void main() {
    cut(color.a);
    vec3 m = normalize(n), way = eye - p;
    float side = dot(m, way) * inversesqrt(dot(way, way));
    if (side < 0.0) { m = -m; side = -side; }
    float light = 0.49 + 0.15 * m.z + 0.42 * max(0.0, dot(m, lamp));
    float edge = clamp(3.57 * side - 0.07, 0.0, 1.0);
    result = vec4(mix(rim, light * color.rgb, edge * edge * (3.0 - 2.0 * edge)), 1.0);
  }`,
];

const EDGES = [
  `${LINK}
  layout(location = 0) in vec3 place;
  flat out float alpha;
  void main() {
    alpha = look().a;
    gl_Position = camera * vec4(pose() * vec4(place, 1.0), 1.0);
    gl_Position.z -= 2e-4 * gl_Position.w;
  }`,
  `${HOLES}
  uniform vec3 rim;
  flat in float alpha;
  out vec4 result;
  void main() { cut(alpha); result = vec4(rim, 1.0); }`,
];

const SHELL = [
  `${LINK}
  uniform float radius;
  layout(location = 0) in vec3 place;
  layout(location = 1) in vec3 normal;
  out vec3 n, p;
  flat out float alpha;
  void main() {
    mat4x3 m = pose();
    alpha = look().a;
    n = mat3(m) * normal;
    p = m * vec4(place + radius * normal, 1.0);
    gl_Position = camera * vec4(p, 1.0);
  }`,
  `uniform vec3 eye;
  uniform vec4 color;
  in vec3 n, p;
  flat in float alpha;
  out vec4 result;
  void main() {
    if (alpha < 0.25) discard;
    vec3 way = eye - p;
    float rest = 1.0 - abs(dot(n, way)) * inversesqrt(dot(n, n) * dot(way, way));
    result = vec4(color.rgb, color.a * (0.10 + 0.90 * rest * rest * rest));
  }`,
];

/* Lines, as strips of so many pixels with dashes along them, and dots. What bodies hide is faint, but
 * there: it is drawn once more, in front of all, so that both are one call. */
const MARKS = [
  `uniform mat4 camera;
  uniform vec2 size;
  layout(location = 0) in vec2 corner;
  layout(location = 1) in vec3 from;
  layout(location = 2) in vec3 to;
  layout(location = 3) in vec4 color;
  /* Width; length of dashes, 0: none, less: a dot; 1: in front of all, -1: no nearer than it is. */
  layout(location = 4) in vec3 style;
  out vec4 tint;
  out vec2 spot;
  out float along;
  flat out float dash;
  void main() {
    vec4 a = camera * vec4(from, 1.0), b = camera * vec4(to, 1.0);
    vec2 pa = a.xy / a.w * size * 0.5, pb = b.xy / b.w * size * 0.5;
    vec2 d = pb - pa;
    float l = max(length(d), 1e-3);
    spot = vec2(2.0 * corner.x - 1.0, corner.y);
    vec2 side = style.y < 0.0 ? spot : vec2(-d.y, d.x) / l * corner.y;
    vec4 at = corner.x < 0.5 ? a : b;
    tint = color;
    dash = style.y;
    along = corner.x * l;
    gl_Position = at;
    gl_Position.xy += side * style.x / size * at.w;
    float nearer = style.z < 0.0 ? 0.0 : style.y < 0.0 ? 1.2e-3 : 1e-3;
    gl_Position.z = style.z > 0.5 ? -0.999 * at.w : at.z - nearer * at.w;
  }`,
  `in vec4 tint;
  in vec2 spot;
  in float along;
  flat in float dash;
  out vec4 result;
  void main() {
    float r = dash < 0.0 ? length(spot) : 0.0;
    if (r > 1.0 || (dash > 0.0 && fract(along / dash) > 0.55)) discard;
    result = vec4(tint.rgb * (r > 0.66 ? 0.25 : 1.0), tint.a);
  }`,
];
const MARK = 13; /* numbers of each */
const HIDDEN = 0.22; /* of its color, where bodies are before it */

const LAMP = [0.25, -0.15, 0.55]; /* from the eye */

const COLUMNS = 4; /* of the texture */

/* Whether pictures are computed by the processor, for which smooth edges cost too much. */
function isSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const name = gl ? String(gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext('webgl2', { antialias: !isSoftware(), alpha: false, powerPreference: 'low-power' });
    if (!gl) throw new Error('this browser has no WebGL 2');
    this.gl = gl;
    this.programs = Object.fromEntries(
      Object.entries({ BODIES, EDGES, SHELL, MARKS }).map(([name, sources]) => [name, this.program(sources)])
    );
    this.texture = this.table();
    this.bodies = this.geometry(['place', 3], ['normal', 3], ['link', 1]);
    this.edges = this.geometry(['place', 3], [null, 0], ['link', 1]);
    this.shell = this.geometry(['place', 3], ['normal', 3], ['link', 1]);
    this.marks = this.strips();
    this.setShapes([]);
    this.detail = 1; /* of the resolution that the screen has */
  }

  program([vertex, fragment]) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, HEAD + text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const uniforms = {};
    for (let k = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; k >= 0; --k) {
      const { name } = gl.getActiveUniform(program, k);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return { program, uniforms };
  }

  table() {
    const { gl } = this, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return texture;
  }

  /* Vertices of so many floats each, by location, and in which order they are corners. */
  geometry(...parts) {
    const { gl } = this;
    const array = gl.createVertexArray(), buffer = gl.createBuffer(), order = gl.createBuffer();
    const stride = parts.reduce((sum, [, size]) => sum + size, 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, order);
    let offset = 0;
    parts.forEach(([, size], location) => {
      if (size === 0) return;
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * stride, 4 * offset);
      offset += size;
    });
    return { array, buffer, order, count: 0 };
  }

  strips() {
    const { gl } = this;
    const array = gl.createVertexArray(), corners = gl.createBuffer(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    [[1, 3, 0], [2, 3, 3], [3, 4, 6], [4, 3, 10]].forEach(([location, size, offset]) => {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * MARK, 4 * offset);
      gl.vertexAttribDivisor(location, 1);
    });
    return { array, buffer, numbers: new Float32Array(0), count: 0 };
  }

  load(geometry, numbers, order) {
    const { gl } = this;
    gl.bindVertexArray(geometry.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, geometry.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(order), gl.STATIC_DRAW);
    geometry.count = order.length;
  }

  /* ---- What is to be seen ------------------------------------------------------------------ */

  /* Of shapes, in the order of their links. */
  setShapes(shapes) {
    const { gl } = this;
    const lists = Object.fromEntries(['bodies', 'edges', 'shell'].map((name) => [name, { numbers: [], order: [], size: 0 }]));
    const append = (list, places, normals, link, order) => {
      places.forEach((p, k) => list.numbers.push(...p, ...(normals?.[k] ?? []), link));
      for (const k of order) list.order.push(list.size + k);
      list.size += places.length;
    };
    shapes.forEach((shape, link) => {
      append(lists.bodies, shape.places, shape.normals, link, shape.triangles);
      append(lists.edges, shape.places, null, link, shape.lines);
      if (shape.shell) append(lists.shell, shape.shell.places, shape.shell.directions, link, shape.shell.triangles);
    });
    for (const [name, { numbers, order }] of Object.entries(lists)) this.load(this[name], numbers, order);
    this.rows = Math.max(1, shapes.length);
    this.links = new Float32Array(4 * COLUMNS * this.rows);
    this.changed = true;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, COLUMNS, this.rows, 0, gl.RGBA, gl.FLOAT, null);
  }

  /* `m` null: it is nowhere. */
  setLink(link, m, color, alpha) {
    const { links } = this, begin = 4 * COLUMNS * link;
    const set = (k, value) => {
      if (links[begin + k] === Math.fround(value)) return;
      links[begin + k] = value;
      this.changed = true;
    };
    for (let i = 0; m && i < 3; ++i) for (let j = 0; j < 4; ++j) set(4 * i + j, m[4 * j + i]);
    for (let i = 0; i < 3; ++i) set(12 + i, color[i]);
    set(15, m ? alpha : 0);
  }

  /* What lies on the floor, lines and dots: each {from, to, color, width, dash}; a dot has dash < 0. */
  setMarks(floor, marks) {
    const { marks: strips, ratio } = this, count = floor.length + 2 * marks.length;
    if (strips.numbers.length < MARK * count) strips.numbers = new Float32Array(2 * MARK * count);
    const { numbers } = strips;
    let at = 0;
    const put = ({ from, to, color, width, dash }, front) => {
      numbers.set(from, at);
      numbers.set(to, at + 3);
      numbers.set(color, at + 6);
      if (front > 0) numbers[at + 9] *= HIDDEN;
      numbers[at + 10] = Math.max(1, width * ratio);
      numbers[at + 11] = dash * ratio;
      numbers[at + 12] = front;
      at += MARK;
    };
    for (const mark of floor) put(mark, -1);
    for (const mark of marks) put(mark, 1);
    for (const mark of marks) put(mark, 0);
    strips.count = count;
  }

  get ratio() {
    return Math.min(devicePixelRatio || 1, 2) * this.detail;
  }

  fitTo(size) {
    const { canvas, ratio } = this;
    const width = Math.max(1, Math.round(size.width * ratio)), height = Math.max(1, Math.round(size.height * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    return width / height;
  }

  /* ---- Drawing ----------------------------------------------------------------------------- */

  use(name, values) {
    const { gl } = this, { program, uniforms } = this.programs[name];
    gl.useProgram(program);
    for (const [key, value] of Object.entries(values)) {
      const place = uniforms[key];
      if (!place) continue;
      if (typeof value === 'number') gl.uniform1f(place, value);
      else if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
      else gl[`uniform${value.length}fv`](place, value);
    }
  }

  draw(geometry, mode) {
    const { gl } = this;
    if (geometry.count === 0) return;
    gl.bindVertexArray(geometry.array);
    gl.drawElements(mode, geometry.count, gl.UNSIGNED_INT, 0);
  }

  loadLinks() {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (this.changed) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, COLUMNS, this.rows, gl.RGBA, gl.FLOAT, this.links);
    this.changed = false;
  }

  /* The shells as one: first how far they reach, then what of them is in front. */
  drawShell(values) {
    const { gl } = this;
    this.use('SHELL', values);
    gl.colorMask(false, false, false, false);
    this.draw(this.shell, gl.TRIANGLES);
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    this.draw(this.shell, gl.TRIANGLES);
    gl.disable(gl.BLEND);
  }

  /* `within`: the eye is within the radius of the robot, and sees its shell from the other side. */
  render({ matrix: camera, eye, direction }, theme, radius, within) {
    const { gl, canvas } = this;
    const values = { camera, eye, lamp: unit(add(direction, LAMP)), rim: theme.rim, size: [canvas.width, canvas.height] };
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...theme.ground, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.loadLinks();
    gl.enable(gl.CULL_FACE);
    this.use('BODIES', values);
    this.draw(this.bodies, gl.TRIANGLES);
    gl.disable(gl.CULL_FACE);
    this.use('EDGES', values);
    this.draw(this.edges, gl.LINES);
    this.drawMarks(values);
    if (!within) gl.enable(gl.CULL_FACE);
    if (radius > 0) this.drawShell({ ...values, radius, color: theme.shell });
  }

  drawMarks(values) {
    const { gl, marks } = this;
    gl.bindVertexArray(marks.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, marks.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, marks.numbers.subarray(0, MARK * marks.count), gl.DYNAMIC_DRAW);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.use('MARKS', values);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, marks.count);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}
