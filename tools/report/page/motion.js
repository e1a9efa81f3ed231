// The motion: bodies where the run put them, every law in its colour, paths of chosen points. Spatial systems are seen
// in parallel projection and can be turned.
"use strict";

carom.motion = (() => {
  const {html, svg} = carom;
  const F = carom.figures;

  // ---- Pens: the same drawing on a canvas and as SVG ------------------------------------------------------------
  const colourOf = (() => {
    const cache = new Map();
    document.addEventListener("themechange", () => cache.clear());
    return (name) => {
      if (!name || !name.startsWith("var(")) return name;
      if (!cache.has(name)) cache.set(name, getComputedStyle(document.documentElement).getPropertyValue(name.slice(4, -1)).trim());
      return cache.get(name);
    };
  })();

  const canvasPen = (context) => {
    const paint = (style) => {
      if (style.fill) {
        context.globalAlpha = style.fillAlpha ?? 1;
        context.fillStyle = colourOf(style.fill);
        context.fill();
      }
      if (style.stroke) {
        context.globalAlpha = style.alpha ?? 1;
        context.strokeStyle = colourOf(style.stroke);
        context.lineWidth = style.width ?? 1.6;
        context.stroke();
      }
      context.globalAlpha = 1;
    };
    context.lineJoin = context.lineCap = "round";
    return {
      lines(points, style, close = false) {
        context.beginPath();
        points.forEach(([x, y], i) => i ? context.lineTo(x, y) : context.moveTo(x, y));
        if (close) context.closePath();
        paint(style);
      },
      circle(x, y, r, style) {
        context.beginPath();
        context.arc(x, y, Math.max(r, 0.5), 0, 2 * Math.PI);
        paint(style);
      },
      text(x, y, text) {
        context.font = "12.5px system-ui, sans-serif";
        context.fillStyle = colourOf("var(--soft)");
        context.fillText(text, x, y);
      },
    };
  };

  const svgPen = (node) => {
    const paint = (style) => ({fill: style.fill ?? "none", "fill-opacity": style.fill ? style.fillAlpha : null, stroke: style.stroke,
      "stroke-width": style.stroke ? style.width ?? 1.6 : null, "stroke-opacity": style.stroke ? style.alpha : null,
      "stroke-linejoin": "round", "stroke-linecap": "round"});
    return {
      lines: (points, style, close = false) => node.append(svg("path", {d: F.path(points, close), ...paint(style)})),
      circle: (x, y, r, style) => node.append(svg("circle", {cx: x.toFixed(2), cy: y.toFixed(2), r: Math.max(r, 0.5).toFixed(2), ...paint(style)})),
      text: (x, y, text) => node.append(svg("text", {x, y, fill: "var(--soft)"}, text)),
    };
  };

  // ---- Poses --------------------------------------------------------------------------------------------------
  const rotated = ([w, x, y, z], [a, b, c]) => {
    const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
  };

  // The motion of a run: where a point of a body is, at a frame or at the time it is set to.
  const track = (run, planar) => {
    const time = carom.column(run.motion.time), pose = carom.column(run.motion.pose);
    const size = planar ? 3 : 7, bodies = pose.length / time.length / size;
    const now = new Float64Array(bodies * size);
    const place = (from, offset, at) => {
      if (planar) {
        const c = Math.cos(from[offset + 2]), s = Math.sin(from[offset + 2]);
        return [from[offset] + c * at[0] - s * at[1], from[offset + 1] + s * at[0] + c * at[1], 0];
      }
      const turned = rotated(from.subarray(offset + 3, offset + 7), at);
      return [from[offset] + turned[0], from[offset + 1] + turned[1], from[offset + 2] + turned[2]];
    };
    return {
      run, time, bodies, size, pose,
      set(t) {
        const next = Math.min(time.length - 1, Math.max(1, carom.charts.lowerBound(time, t)));
        const i = Math.max(0, next - 1), span = time[next] - time[i];
        const share = span > 0 ? Math.min(1, Math.max(0, (t - time[i]) / span)) : 0;
        const a = i * bodies * size, b = next * bodies * size;
        for (let k = 0; k < now.length; ++k) now[k] = pose[a + k] + share * (pose[b + k] - pose[a + k]);
        if (!planar) for (let body = 0; body < bodies; ++body) straighten(a, b, body, share);
      },
      at: (body, at) => body < 0 ? at : place(now, body * size, at),
      atFrame: (frame, body, at) => body < 0 ? at : place(pose, (frame * bodies + body) * size, at),
      direction: (body, d) => body < 0 ? d : planar ? turnedInPlane(now[body * size + 2], d) : rotated(now.subarray(body * size + 3, body * size + 7), d),
    };
    // Quaternions the short way round, and of length one.
    function straighten(a, b, body, share) {
      const o = body * size + 3;
      let dot = 0, norm = 0;
      for (let k = 0; k < 4; ++k) dot += pose[a + o + k] * pose[b + o + k];
      for (let k = 0; k < 4; ++k) {
        now[o + k] = (1 - share) * pose[a + o + k] + (dot < 0 ? -share : share) * pose[b + o + k];
        norm += now[o + k] ** 2;
      }
      for (let k = 0; k < 4; ++k) now[o + k] /= Math.sqrt(norm) || 1;
    }
  };
  // The others stand where they are in every run, and are drawn as the ground is.
  const bodiesThatMove = (tracks) => {
    const movers = new Set();
    for (const {pose, bodies, size, time} of tracks) {
      for (let body = 0; body < bodies; ++body) {
        const stays = (frame) => { for (let k = body * size; k < (body + 1) * size; ++k) if (pose[frame * bodies * size + k] !== pose[k]) return false; return true; };
        for (let frame = 1; frame < time.length && !movers.has(body); ++frame) if (!stays(frame)) movers.add(body);
      }
    }
    return movers;
  };
  const turnedInPlane = (angle, [x, y]) => [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y, 0];

  // How far a shape reaches from the origin of its body.
  const reachOf = (shape) => {
    const half = shape.kind === "rod" ? shape.length / 2 : shape.kind === "block" ? Math.hypot(...shape.size) / 2
      : shape.kind === "polygon" ? Math.max(...shape.vertices.map(([x, y]) => Math.hypot(x, y)))
      : shape.kind === "polyhedron" ? Math.max(...shape.corners.map((p) => Math.hypot(...p))) : 0;
    return Math.hypot(...shape.at) + half + (shape.radius ?? 0);
  };

  // A box around all that moves, over the whole run.
  const boundsOf = (tracks, drawing) => {
    const reach = new Array(drawing.bodies.length).fill(0), still = new Set();
    for (const shape of drawing.shapes) {
      if (shape.body < 0) continue;
      if (shape.kind === "plane") still.add(shape.body);
      else reach[shape.body] = Math.max(reach[shape.body], reachOf(shape));
    }
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const t of tracks) {
      const every = Math.max(1, Math.floor(t.time.length / 200));
      for (let frame = 0; frame < t.time.length; frame += every) {
        for (let body = 0; body < t.bodies; ++body) {
          if (still.has(body)) continue;
          const p = t.atFrame(frame, body, [0, 0, 0]);
          for (let k = 0; k < 3; ++k) {
            low[k] = Math.min(low[k], p[k] - reach[body]);
            high[k] = Math.max(high[k], p[k] + reach[body]);
          }
        }
      }
    }
    for (const joint of drawing.joints) {
      if (joint.body >= 0) continue;
      for (let k = 0; k < 3; ++k) { low[k] = Math.min(low[k], joint.at[k]); high[k] = Math.max(high[k], joint.at[k]); }
    }
    return low.every(Number.isFinite) ? {low, high} : {low: [-1, -1, -1], high: [1, 1, 1]};
  };

  // Planes that bodies reach into, as contacts of some of their points only: these are drawn as an edge, not as ground.
  const planesReachedInto = (tracks, drawing, span) => new Set(drawing.shapes.filter((shape) => shape.kind === "plane" && shape.body < 0 && tracks.some((t) => {
    const every = Math.max(1, Math.floor(t.time.length / 100));
    for (let frame = 0; frame < t.time.length; frame += every) {
      for (const point of drawing.points) {
        if (point.body < 0) continue;
        const p = t.atFrame(frame, point.body, point.at);
        if (shape.normal.reduce((height, n, k) => height + n * (p[k] - shape.at[k]), 0) < -0.02 * span) return true;
      }
    }
    return false;
  })));

  // ---- The view -----------------------------------------------------------------------------------------------
  const makeView = (drawing, bounds) => {
    const centre = bounds.low.map((l, k) => (l + bounds.high[k]) / 2);
    const size = bounds.high.map((h, k) => h - bounds.low[k]);
    const view = {yaw: -0.6, pitch: 0.35, centre, width: 1, height: 1, scale: 1};
    view.fit = (width, height) => {
      view.width = width;
      view.height = height;
      const radius = 0.8 * Math.hypot(...size);  // corners of the box seldom stand out
      const [w, h] = drawing.planar ? [size[0], size[1]] : [radius, radius];
      view.scale = Math.min((width - 48) / Math.max(w, 1e-9), (height - 64) / Math.max(h, 1e-9));
      if (!Number.isFinite(view.scale)) view.scale = 1;
    };
    // [right, up, towards the eye]
    view.turned = ([x, y, z]) => {
      if (drawing.planar) return [x, y, 0];
      const c = Math.cos(view.yaw), s = Math.sin(view.yaw), cp = Math.cos(view.pitch), sp = Math.sin(view.pitch);
      const right = c * x + s * y, away = -s * x + c * y;
      return [right, cp * z + sp * away, -cp * away + sp * z];
    };
    view.pixel = (p) => {
      const [x, y, z] = view.turned(p.map((v, k) => v - view.centre[k]));
      return [view.width / 2 + x * view.scale, view.height / 2 - y * view.scale, z];
    };
    view.span = Math.max(...size, 1e-9);
    return view;
  };

  // ---- Shapes -------------------------------------------------------------------------------------------------
  const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const times = (k, a) => [k * a[0], k * a[1], k * a[2]];
  const blockFaces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

  const drawPlane = (pen, view, drawing, point, normal, isEdge) => {
    if (drawing.planar) {
      const far = 2 * Math.hypot(view.width, view.height) / view.scale + Math.hypot(point[0] - view.centre[0], point[1] - view.centre[1]);
      const along = [-normal[1], normal[0], 0];
      const [a, b] = [plus(point, times(-far, along)), plus(point, times(far, along))];
      if (isEdge) {
        const gap = 9 / view.scale, mid = view.centre.reduce((sum, c, k) => sum + along[k] * (c - point[k]), 0), reach = Math.hypot(view.width, view.height) / view.scale;
        for (let s = Math.floor((mid - reach) / gap) * gap; s < mid + reach; s += gap) {
          const foot = plus(point, times(s, along));
          pen.lines([foot, plus(foot, plus(times(-0.9 * gap, along), times(-0.9 * gap, normal)))].map(view.pixel), {stroke: "var(--soft)", width: 1, alpha: 0.7});
        }
      } else {
        pen.lines([a, b, plus(b, times(-far, normal)), plus(a, times(-far, normal))].map(view.pixel), {fill: "var(--ground)"}, true);
      }
      pen.lines([a, b].map(view.pixel), {stroke: "var(--soft)", width: 1.5});
      return;
    }
    const start = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const dot = start[0] * normal[0] + start[1] * normal[1] + start[2] * normal[2];
    let u = plus(start, times(-dot, normal));
    u = times(1 / Math.hypot(...u), u);
    const v = [normal[1] * u[2] - normal[2] * u[1], normal[2] * u[0] - normal[0] * u[2], normal[0] * u[1] - normal[1] * u[0]];
    const offset = view.centre.map((c, k) => c - point[k]);
    const height = offset[0] * normal[0] + offset[1] * normal[1] + offset[2] * normal[2];
    const middle = plus(view.centre, times(-height, normal));
    const half = 0.62 * view.span, lines = 8;
    const corner = (a, b) => view.pixel(plus(middle, plus(times(a * half, u), times(b * half, v))));
    pen.lines([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], {fill: "var(--ground)", fillAlpha: 0.7, stroke: "var(--rule)"}, true);
    for (let k = 1 - lines; k < lines; k += 2) {
      pen.lines([corner(k / lines, -1), corner(k / lines, 1)], {stroke: "var(--rule)", width: 1});
      pen.lines([corner(-1, k / lines), corner(1, k / lines)], {stroke: "var(--rule)", width: 1});
    }
  };

  // Those that are seen from outside.
  const drawFaces = (pen, corners, faces, style) => {
    for (const face of faces) {
      const p = face.map((k) => corners[k]);
      const turn = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
      if (turn < 0) pen.lines(p, style, true);
    }
  };

  const drawShape = (pen, view, drawing, t, shape, style) => {
    const onBody = (p) => plus(shape.at, shape.turn ? rotated(shape.turn, p) : p);
    const at = (x, y, z = 0) => view.pixel(t.at(shape.body, onBody([x, y, z])));
    if (shape.kind === "point") {
      const [x, y] = at(0, 0);
      pen.circle(x, y, 4.5, {...style, fillAlpha: 0.9});
    } else if (shape.kind === "disk") {
      const [x, y] = at(0, 0), r = shape.radius * view.scale;
      pen.circle(x, y, r, style);
      if (drawing.planar) {
        if (r > 3) pen.lines([[x, y], at(shape.radius, 0)], {...style, fill: null, width: 1});
        return;
      }
      for (const plane of [[0, 1], [0, 2]]) {
        const ring = [];
        for (let k = 0; k <= 48; ++k) {
          const p = [0, 0, 0];
          p[plane[0]] = shape.radius * Math.cos(k * Math.PI / 24);
          p[plane[1]] = shape.radius * Math.sin(k * Math.PI / 24);
          ring.push(at(...p));
        }
        const depth = view.pixel(t.at(shape.body, shape.at))[2];
        for (let k = 0; k < 48; ++k) if (ring[k][2] + ring[k + 1][2] >= 2 * depth) pen.lines([ring[k], ring[k + 1]], {stroke: style.stroke, width: 1, alpha: 0.6});
      }
    } else if (shape.kind === "rod") {
      const ends = [at(-shape.length / 2, 0), at(shape.length / 2, 0)];
      const width = Math.max(drawing.planar ? 10 : 6, 2 * (shape.radius ?? 0) * view.scale);
      pen.lines(ends, {stroke: style.stroke, width, alpha: 1.6 * style.fillAlpha});
      pen.lines(ends, {stroke: style.stroke, width: 2});
    } else if (shape.kind === "polyhedron") {
      drawFaces(pen, shape.corners.map((p) => at(...p)), shape.faces, style);
    } else if (shape.kind === "block" && !drawing.planar) {
      const corner = (k) => at(...shape.size.map((s, axis) => (k >> axis & 1 ? s : -s) / 2));
      drawFaces(pen, [0, 1, 2, 3, 4, 5, 6, 7].map(corner), blockFaces, style);
    } else if (shape.kind === "block") {
      const [w, h] = [shape.size[0] / 2, shape.size[1] / 2];
      pen.lines([at(-w, -h), at(w, -h), at(w, h), at(-w, h)], style, true);
    } else if (shape.kind === "polygon") {
      pen.lines(shape.vertices.map(([x, y]) => at(x, y)), style, true);
    }
  };

  const drawSpring = (pen, a, b, style) => {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(dx, dy);
    if (length < 1) return;
    const points = [a], turns = 9, width = Math.min(7, length / 6);
    for (let k = 0; k <= 2 * turns; ++k) {
      const share = 0.15 + 0.7 * k / (2 * turns), side = k === 0 || k === 2 * turns ? 0 : k % 2 ? 1 : -1;
      points.push([a[0] + share * dx - side * width * dy / length, a[1] + share * dy + side * width * dx / length]);
    }
    pen.lines([...points, b], style);
  };

  const drawScaleBar = (pen, view) => {
    const most = 0.25 * view.width / view.scale, power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].find((k) => k * power <= most) * power;
    const pixels = length * view.scale, y = view.height - 14;
    pen.lines([[14, y - 5], [14, y], [14 + pixels, y], [14 + pixels, y - 5]], {stroke: "var(--soft)", width: 1.2});
    pen.text(20 + pixels, y + 3, `${carom.tick(length, length)} m`);
  };

  // ---- One moment ---------------------------------------------------------------------------------------------
  const paths = new Map();  // of chosen points: name → one list of points a track
  const pathOf = (tracks, point) => {
    if (!paths.has(point.name)) {
      paths.set(point.name, tracks.map((t) => Array.from(t.time, (_, frame) => t.atFrame(frame, point.body, point.at))));
    }
    return paths.get(point.name);
  };

  const drawPath = (pen, view, tracks, shown, time, point) => {
    const lists = pathOf(tracks, point);
    tracks.forEach((t, k) => {
      if (!shown.has(t.run.law)) return;
      const colour = carom.lawColour(t.run.law), until = carom.charts.lowerBound(t.time, time);
      pen.lines(lists[k].map(view.pixel), {stroke: colour, width: 1, alpha: 0.28});
      const now = t.at(point.body, point.at);
      pen.lines([...lists[k].slice(0, until), now].map(view.pixel), {stroke: colour, width: 1.8, alpha: 0.85});
      const [x, y] = view.pixel(now);
      pen.circle(x, y, 3.2, {fill: colour});
    });
  };

  const drawMoment = (pen, view, drawing, tracks, movers, shown, time, points) => {
    for (const t of tracks) t.set(time);
    const first = tracks[0], firstShown = tracks.find((t) => shown.has(t.run.law));
    for (const shape of drawing.shapes)
      if (shape.kind === "plane") drawPlane(pen, view, drawing, first.at(shape.body, shape.at), first.direction(shape.body, shape.normal), drawing.reached.has(shape));
    for (const point of points) drawPath(pen, view, tracks, shown, time, point);
    for (const t of tracks) {
      if (!shown.has(t.run.law)) continue;
      const colour = carom.lawColour(t.run.law);
      const style = {fill: colour, stroke: colour, fillAlpha: tracks.length > 1 ? 0.13 : 0.2};
      let shapes = drawing.shapes.filter((shape) => shape.kind !== "plane");
      if (!drawing.planar) shapes = shapes.map((shape) => [view.pixel(t.at(shape.body, shape.at))[2], shape]).sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
      for (const shape of shapes) {
        if (movers.has(shape.body)) drawShape(pen, view, drawing, t, shape, style);
        else if (t === firstShown) drawShape(pen, view, drawing, t, shape, {fill: "var(--ground)", stroke: "var(--soft)"});
      }
      for (const line of drawing.lines) {
        const ends = [line.a, line.b].map((p) => view.pixel(t.at(p.body, p.at)));
        if (line.kind === "spring") drawSpring(pen, ...ends, {stroke: colour, width: 1.4});
        else pen.lines(ends, {stroke: colour, width: 1.6});
      }
      for (const joint of drawing.joints) {
        const [x, y] = view.pixel(t.at(joint.body, joint.at));
        pen.circle(x, y, 3.2, {fill: "var(--paper)", stroke: joint.body < 0 ? "var(--ink)" : colour, width: 1.5});
      }
    }
    drawScaleBar(pen, view);
  };

  const icons = {play: "M4,2L14,8L4,14Z", pause: "M4,2H7V14H4ZM9,2H12V14H9Z", before: "M3,2H5V14H3ZM14,2L6,8L14,14Z", next: "M11,2H13V14H11ZM2,2L10,8L2,14Z"};
  const icon = (name) => svg("svg", {viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true"}, svg("path", {d: icons[name], fill: "currentColor"}));

  // ---- The player ---------------------------------------------------------------------------------------------
  const speeds = (duration) => {
    const wanted = duration / 6, power = 10 ** Math.floor(Math.log10(wanted));
    const own = [1, 2, 5, 10].map((k) => k * power).reduce((a, b) => Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a);
    const list = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].map((k) => own * k);
    if (!list.some((s) => Math.abs(s - 1) < 1e-9)) list.push(1);
    return {own, list: list.sort((a, b) => a - b)};
  };

  const section = (runs, drawing) => {
    const moving = runs.filter((run) => run.motion?.frames);
    if (!drawing || moving.length === 0)
      return carom.section("motion", "Motion", carom.note(runs[0].motion?.reason ?? "There is no motion to draw."));
    const tracks = moving.map((run) => track(run, drawing.planar));
    const start = Math.min(...tracks.map((t) => t.time[0])), end = Math.max(...tracks.map((t) => t.time[t.time.length - 1]));
    const bounds = boundsOf(tracks, drawing), view = makeView(drawing, bounds);
    drawing.reached = planesReachedInto(tracks, drawing, view.span);
    const shown = new Set(moving.map((run) => run.law));
    const few = drawing.bodies.length <= 12;
    const telling = /\.(end|top-left|corner\+\+\+|vertex-1)$/;  // of a rod its end, of a block a corner: they turn with it
    const movers = bodiesThatMove(tracks), movingPoints = drawing.points.filter((p) => movers.has(p.body));
    const last = movingPoints.findLast((p) => telling.test(p.name)) ?? movingPoints.findLast((p) => !p.name.includes("."));
    const chosen = few && last ? [last] : [];
    let time = start, playing = false, shownAt = null;
    const speed = speeds(Math.max(end - start, 1e-9));
    let pace = speed.own;

    const screen = html("canvas", {tabindex: 0, role: "img", id: "screen",
      "aria-label": drawing.planar ? "The system in motion. Space plays and stops, arrow keys step." : "The system in motion. Space plays and stops; drag or use arrow keys to turn the view."});
    const holder = html("div", {class: "screen"}, screen);
    const clock = html("output", {class: "clock"});
    const slider = html("input", {type: "range", min: 0, max: 10000, value: 0, step: 1, "aria-label": "Time", id: "scrub",
      oninput: () => { stop(); carom.clock.set(start + slider.value / 10000 * (end - start)); }});
    const play = html("button", {type: "button", class: "play", id: "play", "aria-label": "Play", onclick: () => playing ? stop() : go()}, icon("play"));

    const draw = () => {
      const ratio = window.devicePixelRatio || 1;
      screen.width = Math.round(view.width * ratio);
      screen.height = Math.round(view.height * ratio);
      const context = screen.getContext("2d");
      context.scale(ratio, ratio);
      drawMoment(canvasPen(context), view, drawing, tracks, movers, shown, time, chosen);
      slider.value = Math.round((time - start) / (end - start || 1) * 10000);
      clock.textContent = `${carom.number(time)} s`;
      slider.setAttribute("aria-valuetext", `${carom.number(time)} seconds`);
    };
    carom.clock.listeners.push((t) => { time = Math.min(end, Math.max(start, t)); draw(); });

    const stop = () => {
      playing = false;
      play.replaceChildren(icon("play"));
      play.setAttribute("aria-label", "Play");
    };
    const go = () => {
      if (time >= end - 1e-12) time = start;
      playing = true;
      shownAt = null;
      play.replaceChildren(icon("pause"));
      play.setAttribute("aria-label", "Stop");
      requestAnimationFrame(tick);
    };
    const tick = (now) => {
      if (!playing) return;
      if (shownAt !== null) {
        const next = time + (now - shownAt) / 1000 * pace;
        carom.clock.set(Math.min(end, next));
        if (next >= end) stop();
      }
      shownAt = now;
      requestAnimationFrame(tick);
    };

    // Impacts of all shown laws, to step from one to the next.
    const impactTimes = [...new Set(runs.flatMap((run) => (run.impacts?.list ?? []).map((i) => i.time)))].sort((a, b) => a - b);
    const step = (sign) => {
      stop();
      const tiny = 1e-9 * (end - start);
      const next = sign > 0 ? impactTimes.find((t) => t > time + tiny) : impactTimes.findLast((t) => t < time - tiny);
      carom.clock.set(next ?? (sign > 0 ? end : start));
    };
    const rug = svg("svg", {class: "rug", viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true"},
      svg("path", {stroke: "var(--soft)", "stroke-width": 1.5, "vector-effect": "non-scaling-stroke", opacity: impactTimes.length > 300 ? 0.3 : 0.8,
        d: impactTimes.map((t) => `M${((t - start) / (end - start || 1) * 1000).toFixed(1)},0V8`).join("")}));

    screen.addEventListener("keydown", (event) => {
      const turn = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]}[event.key];
      if (event.key === " ") playing ? stop() : go();
      else if (turn && drawing.planar) { stop(); carom.clock.set(time + Math.sign(turn[0] + turn[1]) * (end - start) / 200); }
      else if (turn) { view.yaw += turn[0]; view.pitch += turn[1]; draw(); }
      else return;
      event.preventDefault();
    });
    if (!drawing.planar) {
      let from = null;
      screen.classList.add("turns");
      screen.addEventListener("pointerdown", (event) => { from = event; screen.setPointerCapture(event.pointerId); });
      screen.addEventListener("pointermove", (event) => {
        if (!from) return;
        view.yaw -= (event.clientX - from.clientX) * 0.008;
        view.pitch = Math.min(1.57, Math.max(-1.57, view.pitch + (event.clientY - from.clientY) * 0.008));
        from = event;
        draw();
      });
      for (const name of ["pointerup", "pointercancel"]) screen.addEventListener(name, () => { from = null; });
    }

    // Paths of points.
    const chips = html("span", {class: "chips"});
    const fillChips = () => chips.replaceChildren(...chosen.map((point) => html("button", {type: "button", class: "chip", title: `Do not draw the path of ${point.name}`,
      onclick: () => { chosen.splice(chosen.indexOf(point), 1); fillChips(); draw(); }}, point.name, html("span", {"aria-hidden": "true"}, " ×"))));
    const points = carom.choice("path of", [{value: "", label: "add a point…"}, ...drawing.points.slice(0, 600).map((p) => p.name)], "", (name) => {
      const point = drawing.points.find((p) => p.name === name);
      if (point && !chosen.includes(point)) chosen.push(point);
      points.querySelector("select").value = "";
      fillChips();
      draw();
    });
    fillChips();

    const lawButtons = moving.length < 2 ? null : html("div", {class: "legend"}, moving.map((run) => {
      const button = html("button", {type: "button", "aria-pressed": "true", onclick: () => {
        if (shown.has(run.law)) shown.delete(run.law); else shown.add(run.law);
        button.setAttribute("aria-pressed", String(shown.has(run.law)));
        draw();
      }}, carom.lawKey(run.law));
      return button;
    }));

    const picture = () => {
      const node = F.canvas(view.width, view.height, "The system");
      const clip = svg("clipPath", {id: "screen-clip"}, svg("rect", {width: view.width, height: view.height}));
      const group = svg("g", {"clip-path": "url(#screen-clip)"});
      node.append(clip, group);
      drawMoment(svgPen(group), view, drawing, tracks, movers, shown, time, chosen);
      return node;
    };
    const thinned = moving[0].motion.frames < moving[0].motion.samples;
    const left = drawing.body_count - drawing.bodies.length;
    const frame = F.figure({title: "The system", picture, controls: [points, chips], caption: [
      drawing.planar ? "" : "Drag to turn. ",
      left > 0 ? `${drawing.bodies.length} of ${drawing.body_count} bodies are drawn. ` : "",
      thinned ? `${carom.count(moving[0].motion.frames, "frame")} of ${carom.count(moving[0].motion.samples, "sample")}; between frames bodies move along straight lines.` : ""].join("") || null});
    frame.holder.append(...[lawButtons].filter(Boolean), holder,
      html("div", {class: "player"},
        html("button", {type: "button", class: "quiet", title: "To the impact before", "aria-label": "To the impact before", onclick: () => step(-1)}, icon("before")), play,
        html("button", {type: "button", class: "quiet", title: "To the next impact", "aria-label": "To the next impact", onclick: () => step(1)}, icon("next")),
        html("div", {class: "scrub"}, slider, rug), clock,
        carom.choice("speed", speed.list.map((s) => ({value: String(s), label: `× ${Number(s.toPrecision(2))}`})), String(speed.own), (s) => { pace = Number(s); })));

    const resize = () => {
      const width = Math.floor(holder.clientWidth);
      if (width === 0 || width === view.width) return;
      const [w, h] = [bounds.high[0] - bounds.low[0], bounds.high[1] - bounds.low[1]];
      const shape = drawing.planar ? h / Math.max(w, 1e-9) : 0.62;
      view.fit(width, Math.round(Math.min(Math.max(width * Math.min(shape, 0.62) + 64, 190), 620)));
      screen.style.height = `${view.height}px`;
      draw();
    };
    new ResizeObserver(resize).observe(holder);
    document.addEventListener("themechange", draw);
    carom.clock.time = start;
    return carom.section("motion", "Motion", frame);
  };

  return {section};
})();
