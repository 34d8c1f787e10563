/* SPDX-License-Identifier: Apache-2.0 */
/* The picture, by WebGL 2. All bodies are one list of triangles: where each of them is, and how it
 * looks, stands in a texture with a row for each, so that a thousand bodies are one call. */

const LINK = `
  uniform highp sampler2D links; /* a row each: four columns of its pose, and its color */
  uniform mat4 camera;
  layout(location = 2) in float link;
  mat4 pose() {
    int row = int(link);
    return mat4(texelFetch(links, ivec2(0, row), 0), texelFetch(links, ivec2(1, row), 0),
                texelFetch(links, ivec2(2, row), 0), texelFetch(links, ivec2(3, row), 0));
  }
  vec4 look() { return texelFetch(links, ivec2(4, int(link)), 0); }`;

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
    mat4 m = pose();
    color = look();
    n = mat3(m) * normal;
    vec4 world = m * vec4(place, 1.0);
    p = world.xyz;
    gl_Position = camera * world;
  }`,
  `${HOLES}
  uniform vec3 eye, rim;
  in vec3 n, p;
  flat in vec4 color;
  out vec4 result;
  void main() {
    cut(color.a);
    vec3 v = normalize(eye - p), m = normalize(n);
    float side = dot(m, v);
    if (side < 0.0) { m = -m; side = -side; }
    float sky = 0.5 + 0.5 * m.z, key = max(0.0, dot(m, normalize(v + vec3(0.25, -0.15, 0.55))));
    vec3 lit = color.rgb * (0.34 + 0.30 * sky + 0.42 * key);
    result = vec4(mix(rim, lit, smoothstep(0.02, 0.30, side)), 1.0);
  }`,
];

const EDGES = [
  `${LINK}
  layout(location = 0) in vec3 place;
  flat out float alpha;
  void main() {
    alpha = look().a;
    gl_Position = camera * (pose() * vec4(place, 1.0));
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
    mat4 m = pose();
    alpha = look().a;
    n = mat3(m) * normal;
    vec4 world = m * vec4(place + radius * normal, 1.0);
    p = world.xyz;
    gl_Position = camera * world;
  }`,
  `uniform vec3 eye;
  uniform vec4 color;
  in vec3 n, p;
  flat in float alpha;
  out vec4 result;
  void main() {
    if (alpha < 0.25) discard;
    float side = abs(dot(normalize(n), normalize(eye - p)));
    result = vec4(color.rgb, color.a * (0.10 + 0.90 * pow(1.0 - side, 3.0)));
  }`,
];

/* A line as a strip of so many pixels, with dashes along it. */
const LINES = [
  `uniform mat4 camera;
  uniform vec2 size;
  layout(location = 0) in vec2 corner;
  layout(location = 1) in vec3 from;
  layout(location = 2) in vec3 to;
  layout(location = 3) in vec4 color;
  layout(location = 4) in vec2 style; /* width, length of dashes; 0: none */
  out vec4 tint;
  out float along;
  flat out float dash;
  void main() {
    vec4 a = camera * vec4(from, 1.0), b = camera * vec4(to, 1.0);
    vec2 pa = a.xy / a.w * size * 0.5, pb = b.xy / b.w * size * 0.5;
    vec2 d = pb - pa;
    float l = max(length(d), 1e-3);
    vec2 side = vec2(-d.y, d.x) / l * corner.y * style.x * 0.5;
    vec4 at = corner.x < 0.5 ? a : b;
    tint = color;
    dash = style.y;
    along = corner.x * l;
    gl_Position = at;
    gl_Position.xy += side / (size * 0.5) * at.w;
    gl_Position.z -= 1e-3 * at.w;
  }`,
  `uniform float fade;
  in vec4 tint;
  in float along;
  flat in float dash;
  out vec4 result;
  void main() {
    if (dash > 0.0 && mod(along, dash) > 0.55 * dash) discard;
    result = vec4(tint.rgb, tint.a * fade);
  }`,
];

const DOTS = [
  `uniform mat4 camera;
  layout(location = 0) in vec3 place;
  layout(location = 1) in vec4 color;
  layout(location = 2) in float size;
  out vec4 tint;
  void main() {
    tint = color;
    gl_Position = camera * vec4(place, 1.0);
    gl_Position.z -= 1.2e-3 * gl_Position.w;
    gl_PointSize = size;
  }`,
  `uniform float fade;
  in vec4 tint;
  out vec4 result;
  void main() {
    float r = 2.0 * length(gl_PointCoord - 0.5);
    if (r > 1.0) discard;
    result = vec4(tint.rgb * (r > 0.66 ? 0.25 : 1.0), tint.a * fade);
  }`,
];

const COLUMNS = 5; /* of the texture */

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
    const gl = canvas.getContext('webgl2', { antialias: !isSoftware(), alpha: true, powerPreference: 'low-power' });
    if (!gl) throw new Error('this browser has no WebGL 2');
    this.gl = gl;
    this.programs = Object.fromEntries(
      Object.entries({ BODIES, EDGES, SHELL, LINES, DOTS }).map(([name, sources]) => [name, this.program(sources)])
    );
    this.texture = gl.createTexture();
    this.bodies = this.geometry(['place', 3], ['normal', 3], ['link', 1]);
    this.edges = this.geometry(['place', 3], [null, 0], ['link', 1]);
    this.shell = this.geometry(['place', 3], ['normal', 3], ['link', 1]);
    this.dots = this.geometry(['place', 3], ['color', 4], ['size', 1]);
    this.lines = this.strips();
    this.grid = this.strips();
    this.links = new Float32Array(0);
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

  /* Vertices of so many floats each, by location. */
  geometry(...parts) {
    const { gl } = this;
    const array = gl.createVertexArray(), buffer = gl.createBuffer();
    const stride = parts.reduce((sum, [, size]) => sum + size, 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    let offset = 0;
    parts.forEach(([, size], location) => {
      if (size === 0) return;
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * stride, 4 * offset);
      offset += size;
    });
    return { array, buffer, stride, count: 0 };
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
    [[1, 3, 0], [2, 3, 3], [3, 4, 6], [4, 2, 10]].forEach(([location, size, offset]) => {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 48, 4 * offset);
      gl.vertexAttribDivisor(location, 1);
    });
    return { array, buffer, stride: 12, count: 0 };
  }

  load(geometry, numbers, usage) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, geometry.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, usage);
    geometry.count = numbers.length / geometry.stride;
  }

  /* ---- What is to be seen ------------------------------------------------------------------ */

  /* Of shapes, in the order of their links. */
  setShapes(shapes) {
    const { gl } = this;
    const bodies = [], edges = [], shell = [];
    shapes.forEach((shape, link) => {
      shape.positions.forEach((p, k) => bodies.push(p[0], p[1], p[2], ...shape.normals[k], link));
      for (const p of shape.lines) edges.push(p[0], p[1], p[2], link);
      for (const k of shape.shell?.triangles ?? [])
        shell.push(...shape.shell.places[k], ...shape.shell.directions[k], link);
    });
    this.load(this.bodies, new Float32Array(bodies), gl.STATIC_DRAW);
    this.load(this.edges, new Float32Array(edges), gl.STATIC_DRAW);
    this.load(this.shell, new Float32Array(shell), gl.STATIC_DRAW);
    this.links = new Float32Array(4 * COLUMNS * Math.max(1, shapes.length));
  }

  setLink(link, matrix, color) {
    this.links.set(matrix, 4 * COLUMNS * link);
    this.links.set(color, 4 * COLUMNS * link + 16);
  }

  /* Each {from, to, color, width, dash}; places {place, color, size}. */
  setLines(lines, dots) {
    const { gl, ratio } = this;
    this.load(this.lines, this.numbersOf(lines), gl.DYNAMIC_DRAW);
    this.load(this.dots, new Float32Array(dots.flatMap((d) => [...d.place, ...d.color, d.size * ratio])), gl.DYNAMIC_DRAW);
  }

  /* What lies on the floor. */
  setGrid(lines) {
    this.load(this.grid, this.numbersOf(lines), this.gl.STATIC_DRAW);
  }

  numbersOf(lines) {
    const { ratio } = this;
    return new Float32Array(lines.flatMap((l) => [...l.from, ...l.to, ...l.color, l.width * ratio, l.dash * ratio]));
  }

  get ratio() {
    return Math.min(devicePixelRatio || 1, 2) * this.detail;
  }

  fitToScreen() {
    const { canvas, ratio } = this;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
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
    if (geometry === this.lines || geometry === this.grid) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, geometry.count);
    else gl.drawArrays(mode, 0, geometry.count);
  }

  loadLinks() {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const rows = this.links.length / (4 * COLUMNS);
    if (rows > 0)
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, COLUMNS, rows, 0, gl.RGBA, gl.FLOAT, this.links);
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

  render(camera, eye, theme, radius) {
    const { gl, canvas } = this;
    const values = { camera, eye, rim: theme.rim, size: [canvas.width, canvas.height] };
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.loadLinks();
    this.use('BODIES', values);
    this.draw(this.bodies, gl.TRIANGLES);
    this.use('EDGES', values);
    this.draw(this.edges, gl.LINES);
    this.drawMarks(values);
    if (radius > 0) this.drawShell({ ...values, radius, color: theme.shell });
  }

  /* What is hidden by bodies is faint, but there. */
  drawMarks(values) {
    const { gl } = this;
    gl.enable(gl.BLEND);
    this.use('LINES', { ...values, fade: 1 });
    this.draw(this.grid);
    gl.depthMask(false);
    for (const hidden of [true, false]) {
      if (hidden) gl.disable(gl.DEPTH_TEST);
      else gl.enable(gl.DEPTH_TEST);
      const fade = hidden ? 0.22 : 1;
      this.use('LINES', { ...values, fade });
      this.draw(this.lines);
      this.use('DOTS', { ...values, fade });
      this.draw(this.dots, gl.POINTS);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}
