// Spatial systems: shaded solids with shadows on an opaque floor, drawn by the graphics card (WebGL 2) and put under
// what pens draw.
"use strict";

carom.space = (() => {
  // ---- Solids: corners with normals in the frame of the shape; edges ---------------------------------------------
  const solid = () => ({corners: [], edges: []});
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const unit = (a) => { const n = Math.hypot(...a) || 1; return a.map((v) => v / n); };
  const addFace = (to, points) => {
    const normal = unit(cross(minus(points[1], points[0]), minus(points[2], points[0])));
    for (let k = 1; k + 1 < points.length; ++k) for (const p of [points[0], points[k], points[k + 1]]) to.corners.push(...p, ...normal);
    points.forEach((p, k) => to.edges.push(...p, ...points[(k + 1) % points.length]));
  };
  const boxFaces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const polyhedron = (corners, faces) => {
    const to = solid();
    for (const face of faces) addFace(to, face.map((k) => corners[k]));
    return to;
  };
  const box = (size) => polyhedron([0, 1, 2, 3, 4, 5, 6, 7].map((k) => size.map((s, axis) => (k >> axis & 1 ? s : -s) / 2)), boxFaces);
  // Round about the x-axis: a capsule of this length between the centres of its ends; a sphere if it is 0.
  const capsule = (radius, length) => {
    const to = solid(), around = 28, rings = 16, row = (i) => {
      const latitude = -Math.PI / 2 + Math.PI * i / rings;
      return {x: Math.sin(latitude), r: Math.cos(latitude), middle: (i <= rings / 2 ? -1 : 1) * length / 2};
    };
    const levels = [];
    for (let i = 0; i <= rings; ++i) {
      levels.push(row(i));
      if (2 * i === rings && length > 0) levels.push({...row(i), middle: length / 2});
    }
    const point = ({x, r, middle}, k) => {
      const angle = 2 * Math.PI * k / around, n = [x, r * Math.cos(angle), r * Math.sin(angle)];
      return [middle + radius * n[0], radius * n[1], radius * n[2], ...n];
    };
    for (let i = 0; i + 1 < levels.length; ++i)
      for (let k = 0; k < around; ++k) {
        const [a, b, c, d] = [point(levels[i], k), point(levels[i], k + 1), point(levels[i + 1], k), point(levels[i + 1], k + 1)];
        to.corners.push(...a, ...c, ...b, ...b, ...c, ...d);
      }
    return to;
  };
  const solidOf = (shape, span) => shape.kind === "block" ? box(shape.size)
    : shape.kind === "polyhedron" ? polyhedron(shape.corners, shape.faces)
    : shape.kind === "rod" ? capsule(shape.radius || 0.008 * span, shape.length)
    : capsule(shape.kind === "point" ? 0.012 * span : shape.radius, 0);

  // As a part of a body of several shapes stands on it.
  const turned = ({corners, edges}, turn) => {
    const all = (list) => Array.from({length: list.length / 3}, (_, i) => carom.poses.rotated(turn, list.slice(3 * i, 3 * i + 3))).flat();
    return turn ? {corners: all(corners), edges: all(edges)} : {corners, edges};
  };

  // ---- Programs of the graphics card ------------------------------------------------------------------------------
  // A point p of a shape is at place + turn(p); its shadow where the light leads it onto a floor.
  const vertex = `#version 300 es
    in vec3 corner; in vec3 normal;
    uniform mat4 camera; uniform vec3 place, offset; uniform vec4 turn;
    uniform vec3 light, floorPoint, floorNormal; uniform bool isShadow; uniform float lift;
    out vec3 facing, seen, own;
    vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
    void main() {
      vec3 p = place + turned(offset + corner);
      if (isShadow) p -= light * dot(p - floorPoint, floorNormal) / dot(light, floorNormal);
      facing = turned(normal); seen = p; own = normal;
      gl_Position = camera * vec4(p, 1.0);
      gl_Position.z -= lift * gl_Position.w;  // what lies on a face is nearer than the face
    }`;
  const fragment = `#version 300 es
    precision highp float;
    in vec3 facing, seen, own;
    uniform vec3 colour, eye, light; uniform float alpha, grid, reach; uniform int kind; uniform vec3 middle, along, across;
    out vec4 pixel;
    float line(float x) { float w = fwidth(x); return 1.0 - smoothstep(0.5 * w, 1.5 * w, abs(fract(x - 0.5) - 0.5)); }
    void main() {
      if (kind == 1) { pixel = vec4(colour, alpha); return; }         // shadows and edges
      if (kind == 2) {                                                 // floor: a grid that fades away
        vec3 d = seen - middle;
        float lines = max(line(dot(d, along) / grid), line(dot(d, across) / grid));
        pixel = vec4(mix(colour, colour * 0.9, lines), 1.0 - smoothstep(0.55, 0.98, length(d) / reach));
        return;
      }
      vec3 n = normalize(facing), away = normalize(eye - seen);
      float lit = max(dot(n, light), 0.0), sky = 0.5 + 0.5 * n.z;
      vec3 base = colour;
      // Two great circles let one see a ball turn.
      if (kind == 3) base *= 1.0 - 0.35 * max(1.0 - smoothstep(0.03, 0.05, abs(own.x)), 1.0 - smoothstep(0.03, 0.05, abs(own.y)));
      float shine = pow(max(dot(reflect(-light, n), away), 0.0), 24.0);
      pixel = vec4(base * (0.42 + 0.16 * sky + 0.52 * lit) + 0.12 * shine, alpha);
    }`;

  const compiled = (gl) => {
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "corner");
    gl.bindAttribLocation(program, 1, "normal");
    gl.linkProgram(program);
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++i) {
      const {name} = gl.getActiveUniform(program, i);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return {program, uniforms};
  };

  // Columns one after the other, as WebGL takes matrices.
  const cameraOf = (view) => {
    const [right, up, back] = view.axes(), eye = view.eye(), dot = (a) => a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2];
    const near = 0.02 * view.distance, far = view.distance + 60 * view.span, f = 2 / carom.view.opening, aspect = view.width / view.height;
    const a = (far + near) / (near - far), b = 2 * far * near / (near - far);
    const row = (axis, k) => [axis[0] * k, axis[1] * k, axis[2] * k, -dot(axis) * k];
    const [x, y, z] = [row(right, f / aspect), row(up, f), row(back, 1)];
    const clip = z.map((v) => a * v);
    clip[3] += b;
    return new Float32Array([0, 1, 2, 3].flatMap((k) => [x[k], y[k], clip[k], -z[k]]));
  };

  const colourNumbers = (name) => {
    const text = carom.pens.colourOf(name), hex = text.slice(1);
    const parts = hex.length === 3 ? [...hex].map((c) => c + c) : hex.match(/../g);
    return parts.map((p) => parseInt(p, 16) / 255);
  };

  // Draws into a canvas of its own: `draw(view, pictures)`, a picture {track, colour(shape), alpha} a law. Null where
  // the browser has no WebGL 2.
  const make = (drawing, span) => {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", {antialias: true, stencil: true, alpha: true, preserveDrawingBuffer: true});
    if (!gl) return null;
    const {program, uniforms} = compiled(gl);
    const light = unit([-0.9, -0.25, 1.2]);

    const buffered = (numbers, parts) => {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
      for (let k = 0; k < parts; ++k) {
        gl.enableVertexAttribArray(k);
        gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 12 * parts, 12 * k);
      }
      return {array, buffer, count: numbers.length / (3 * parts)};
    };
    // Equal shapes share what describes them.
    const known = new Map();
    const meshOf = (shape) => {
      const {body, at, ...form} = shape, key = JSON.stringify(form);
      if (!known.has(key)) {
        const {corners, edges} = turned(solidOf(shape, span), shape.turn);
        known.set(key, {faces: buffered(corners, 2), edges: edges.length ? buffered(edges, 1) : null, round: shape.kind === "disk"});
      }
      return known.get(key);
    };
    const solids = drawing.shapes.filter((shape) => shape.kind !== "plane").map((shape) => ({shape, mesh: meshOf(shape)}));

    const set = (values) => {
      for (const [name, value] of Object.entries(values)) {
        const at = uniforms[name];
        if (at === undefined) continue;
        if (typeof value === "number") (name === "kind" || name === "isShadow" ? gl.uniform1i(at, value) : gl.uniform1f(at, value));
        else if (value.length === 3) gl.uniform3fv(at, value);
        else if (value.length === 4) gl.uniform4fv(at, value);
        else gl.uniformMatrix4fv(at, false, value);
      }
    };
    const show = ({array, count}, how = gl.TRIANGLES) => { gl.bindVertexArray(array); gl.drawArrays(how, 0, count); };
    const put = (track, shape) => set({...track.poseOf(shape.body), offset: shape.at});

    const gridOf = (length) => {
      const power = 10 ** Math.floor(Math.log10(0.5 * length));
      return [5, 2, 1].find((k) => k * power <= 0.5 * length) * power;
    };
    // The floor is a square about what is looked at, large enough to fade before its edge.
    const drawFloor = (view, floor) => {
      const n = floor.normal, start = Math.abs(n[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
      const along = unit(minus(start, n.map((v) => v * (start[0] * n[0] + start[1] * n[1] + start[2] * n[2])))), across = cross(n, along);
      const height = minus(view.target, floor.at).reduce((sum, v, k) => sum + v * n[k], 0), middle = view.target.map((t, k) => t - height * n[k]);
      const reach = 1.2 * Math.max(view.distance, view.span), grid = gridOf(view.span);
      const lines = [along, across].map((axis) => minus(middle, floor.at).reduce((sum, d, k) => sum + d * axis[k], 0) % grid);  // they stay where they are
      const square = buffered([[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]].flatMap(([a, b]) => [...middle.map((m, k) => m + reach * (a * along[k] + b * across[k])), ...n]), 2);
      set({kind: 2, isShadow: 0, lift: 0, place: [0, 0, 0], offset: [0, 0, 0], turn: [0, 0, 0, 1], colour: colourNumbers("var(--ground)"),
        middle: middle.map((m, k) => m - lines[0] * along[k] - lines[1] * across[k]), along, across, grid, reach, alpha: 1});
      show(square);
      gl.deleteVertexArray(square.array);
      gl.deleteBuffer(square.buffer);
    };

    const drawShadows = (floor, pictures) => {
      gl.enable(gl.STENCIL_TEST);
      gl.clear(gl.STENCIL_BUFFER_BIT);
      gl.stencilFunc(gl.EQUAL, 0, 255);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);  // no place is darkened twice
      gl.depthMask(false);
      set({kind: 1, lift: 2e-4, isShadow: 1, floorPoint: floor.at, floorNormal: floor.normal, colour: [0, 0, 0], alpha: 0.2});
      for (const {track} of pictures) for (const {shape, mesh} of solids) { put(track, shape); show(mesh.faces); }
      gl.depthMask(true);
      gl.disable(gl.STENCIL_TEST);
    };

    const drawSolids = (pictures) => {
      pictures.forEach(({track, colour, alpha}, i) => {
        for (const {shape, mesh} of solids) {
          put(track, shape);
          const own = colourNumbers(colour(shape));
          set({kind: mesh.round ? 3 : 0, isShadow: 0, lift: -1e-4 * i, colour: own, alpha});
          show(mesh.faces);
          if (!mesh.edges) continue;
          set({kind: 1, lift: 3e-4 - 1e-4 * i, colour: own.map((v) => 0.55 * v), alpha: alpha * 0.8});
          show(mesh.edges, gl.LINES);
        }
      });
    };

    const draw = (view, floors, pictures) => {
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(view.width * ratio);
      canvas.height = Math.round(view.height * ratio);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.useProgram(program);
      const eye = view.eye();
      set({camera: cameraOf(view), eye, light, floorPoint: [0, 0, 0], floorNormal: [0, 0, 1]});
      // A wall is seen only from the side where things are.
      const seen = floors.filter((f) => minus(eye, f.at).reduce((sum, v, k) => sum + v * f.normal[k], 0) > 0);
      for (const floor of seen) drawFloor(view, floor);
      for (const floor of seen) if (floor.normal[0] * light[0] + floor.normal[1] * light[1] + floor.normal[2] * light[2] > 0.2) drawShadows(floor, pictures);
      drawSolids(pictures);
      return canvas;
    };
    return {draw, canvas};
  };

  return {make};
})();
