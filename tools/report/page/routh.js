// Routh's diagram of one planar contact with friction: the plane of its impulses (Λ_T, Λ_N). With γ = GΛ + γ⁻,
//
//   line of sticking              γ_T = 0
//   line of maximum compression   γ_N = 0
//   friction                      |Λ_T| ≤ μ Λ_N
//   no work                       Λ·γ⁻ + ½ Λ·GΛ = 0, an ellipse through the origin: outside of it energy is created
//
// An impact is a path from the origin. A law that marches slides along an edge of the cone until the line of sticking,
// then sticks along it or slides back; a law with two phases ends its first on Λ⁽⁻⁾; any other only has an end.
"use strict";

carom.routh = (() => {
  const {svg, html} = carom;
  const F = carom.figures;
  const marching = ["stronge", "poisson-routh", "newton-routh"];

  const applies = (detail) => detail.elements?.length === 1 && detail.elements[0].kind === "contact" && detail.gamma_minus.length === 2 && detail.G;

  // Corners [Λ_T, Λ_N] of a law's path.
  const pathOf = (detail, answer) => {
    const [[, G_NT], [, G_TT]] = detail.G;
    const v_T = detail.gamma_minus[1], mu = detail.elements[0].friction[0] ?? 0;
    const {Lambda, compression, state} = answer.elements[0];
    const points = [[0, 0]];
    const corner = () => {
      const f = -mu * Math.sign(v_T), I_N = -v_T / (G_NT + G_TT * f);
      if (v_T !== 0 && I_N > 0 && I_N < Lambda[0]) points.push([f * I_N, I_N]);
    };
    if (marching.includes(answer.law)) {
      if (state === "stick" || state === "reverse") corner();
    } else if (compression && (compression[0] !== 0 || compression[1] !== 0)) {
      points.push([compression[1], compression[0]]);
    }
    points.push([Lambda[1], Lambda[0]]);
    return points;
  };

  // Where a line a·Λ_T + b·Λ_N + c = 0 crosses the box.
  const lineIn = (a, b, c, x, y) => {
    const points = [];
    const add = (t, n) => { if (t >= x.low - 1e-12 && t <= x.high + 1e-12 && n >= y.low - 1e-12 && n <= y.high + 1e-12) points.push([t, n]); };
    if (b !== 0) for (const t of [x.low, x.high]) add(t, -(a * t + c) / b);
    if (a !== 0) for (const n of [y.low, y.high]) add(-(b * n + c) / a, n);
    return points.length >= 2 ? [points[0], points.reduce((best, p) => Math.hypot(p[0] - points[0][0], p[1] - points[0][1]) > Math.hypot(best[0] - points[0][0], best[1] - points[0][1]) ? p : best)] : null;
  };

  // Λ·γ⁻ + ½ Λ·GΛ = 0 in polar form: r(φ) = −2 e·γ⁻ / e·Ge.
  const noWork = ([[a, b], [, d]], [v_N, v_T]) => {
    const points = [];
    for (let k = 0; k <= 360; ++k) {
      const [t, n] = [Math.cos(k * Math.PI / 180), Math.sin(k * Math.PI / 180)];
      const r = -2 * (n * v_N + t * v_T) / (a * n * n + 2 * b * n * t + d * t * t);
      if (Number.isFinite(r) && r >= 0) points.push([r * t, r * n]);
    }
    return points;
  };

  // ---- Words along a line, where nothing else lies ----------------------------------------------------------------
  // Whether a line separates two convex polygons (or segments): if one does, then one along an edge.
  const separate = (p, q) => [p, q].some((polygon) => polygon.some(([x, y], i) => {
    const [u, v] = polygon[(i + 1) % polygon.length];
    const [a, b] = [p, q].map((points) => points.map(([s, t]) => (y - v) * s + (u - x) * t));
    return Math.max(...a) < Math.min(...b) || Math.max(...b) < Math.min(...a);
  }));
  // Places for words at a line, the best first: inside the frame, off ends and lines, high up; along the line on either
  // side of it, or level beside it where a line is too short or too crowded for that.
  const placesAtLine = ([p, q], width, box, obstacles) => {
    const [from, to] = p[0] <= q[0] ? [p, q] : [q, p];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length], across = [-along[1], along[0]];
    const marks = obstacles.ends.map(([x, y]) => [[x - 6, y - 6], [x + 6, y - 6], [x + 6, y + 6], [x - 6, y + 6]]);
    const steps = 40, places = [];
    const add = (centre, [a, b], cost) => {
      const corner = (s, t) => [centre[0] + s * width / 2 * a - t * 8 * b, centre[1] + s * width / 2 * b + t * 8 * a];
      const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      const outside = corners.reduce((sum, [x, y]) => sum + Math.max(0, box.left - x, x - box.right) + Math.max(0, box.top - y, y - box.bottom), 0);
      const on = (polygons) => polygons.filter((polygon) => !separate(polygon, corners)).length;
      places.push({centre, corners, angle: Math.atan2(b, a), cost: cost + 100 * outside + 20 * on(marks) + 6 * on(obstacles.lines) + (centre[1] - box.top) / (box.bottom - box.top)});
    };
    for (let i = 0; i <= steps; ++i) {
      const at = [0, 1].map((c) => from[c] + i / steps * (to[c] - from[c]));
      for (const side of [-11, 11]) {
        add([0, 1].map((c) => at[c] + side * across[c]), along, 0);
        const level = [at[0] + Math.sign(side) * (width / 2 + 10), Math.min(Math.max(at[1], box.top + 10), box.bottom - 10)];
        add([Math.min(Math.max(level[0], box.left + width / 2 + 2), box.right - width / 2 - 2), level[1]], [1, 0], 12);
      }
    }
    return places.sort((a, b) => a.cost - b.cost);
  };
  // One place for each of the words, chosen together, so that none lies on another.
  const chosen = (lists, taken = []) => {
    if (lists.length === 0) return {cost: 0, places: []};
    let best = null;
    for (const place of lists[0]) {
      if (best && place.cost >= best.cost) break;
      const clash = 1000 * taken.filter((other) => !separate(other.corners, place.corners)).length;
      const rest = chosen(lists.slice(1), [...taken, place]);
      const cost = place.cost + clash + rest.cost;
      if (!best || cost < best.cost) best = {cost, places: [place, ...rest.places]};
    }
    return best;
  };

  const figure = (detail) => {
    const answers = carom.inOrder(detail.laws.filter((a) => a.elements));
    const ends = answers.map((a) => a.elements[0].Lambda);
    const size = (list) => Math.max(...list.map((L) => Math.hypot(...L)), 1e-30);
    const consistent = answers.filter(carom.isConsistent).map((a) => a.elements[0].Lambda);
    const apart = consistent.length > 0 && size(ends) > 2.2 * size(consistent);
    let near = false;

    const draw = (width) => {
      const [[G_NN, G_NT], [, G_TT]] = detail.G, [v_N, v_T] = detail.gamma_minus;
      const mu = detail.elements[0].friction[0] ?? 0;
      const height = Math.round(Math.min(Math.max(0.82 * width, 300), 520));
      const box = {left: 52, right: width - 12, top: 26, bottom: height - 42};
      const points = [[0, 0], ...(near ? answers.filter(carom.isConsistent) : answers).flatMap((a) => pathOf(detail, a)), [0, -v_N / G_NN]];
      const [low_T, high_T] = F.padded(Math.min(...points.map((p) => p[0])), Math.max(...points.map((p) => p[0])), 0.18, Math.max(...points.map((p) => p[1])));
      const [, high_N] = F.padded(0, Math.max(...points.map((p) => p[1])), 0.16);
      const low_N = -0.07 * high_N;
      // Equal scales on both axes, so that the cone has its true angle.
      const scale = Math.max((high_T - low_T) / (box.right - box.left), (high_N - low_N) / (box.bottom - box.top));
      const middle = (low_T + high_T) / 2, half = scale * (box.right - box.left) / 2;
      const x = F.scale(middle - half, middle + half, box.left, box.right);
      const y = F.scale(low_N, low_N + scale * (box.bottom - box.top), box.bottom, box.top);
      const node = F.canvas(width, height, "Routh's diagram: impulses of the contact");
      const clip = `clip-${Math.random().toString(36).slice(2)}`;
      const group = svg("g", {"clip-path": `url(#${clip})`});
      const at = ([t, n]) => [x(t), y(n)];
      const far = 4 * (y.high - y.low) * Math.max(1, mu);
      group.append(svg("path", {d: F.path([[0, 0], [-mu * far, far], [mu * far, far]].map(at), true), fill: "var(--cone)", stroke: "var(--soft)", "stroke-width": 1}));
      group.append(svg("path", {d: F.path(noWork(detail.G, detail.gamma_minus).map(at), true), fill: "none", stroke: "var(--bad)", "stroke-width": 1.2, "stroke-dasharray": "1 4", "stroke-linecap": "round"}));
      node.append(svg("defs", {}, svg("clipPath", {id: clip}, svg("rect", {x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top}))),
        F.axes(x, y, {}), svg("line", {x1: x(0), x2: x(0), y1: box.top, y2: box.bottom, stroke: "var(--rule)"}), group);
      node.append(F.mathText({x: box.right, y: box.bottom + 34, "text-anchor": "end", fill: "var(--ink)"}, "Λ_T (N s)"),
        F.mathText({x: 8, y: 16, fill: "var(--ink)"}, "Λ_N (N s)"));
      const paths = answers.map((answer) => pathOf(detail, answer).map(at));
      const lines = [{coefficients: [G_TT, G_NT, v_T], dash: "6 4", words: "sticking, γ_T = 0"}, {coefficients: [G_NT, G_NN, v_N], dash: null, words: "greatest compression, γ_N = 0"}]
        .map((l) => ({...l, ends: lineIn(...l.coefficients, x, y)?.map(at)})).filter((l) => l.ends);
      for (const l of lines) group.append(svg("path", {d: F.path(l.ends), stroke: "var(--ink)", "stroke-width": 1.3, "stroke-dasharray": l.dash, fill: "none"}));
      const segments = paths.flatMap((path) => path.slice(1).map((p, i) => [path[i], p])), marked = paths.map((path) => path[path.length - 1]);
      const {places} = chosen(lines.map((l) => placesAtLine(l.ends, F.widthOf(l.words, 12), box, {ends: marked, lines: [...lines.map((other) => other.ends), ...segments]})));
      for (const [k, l] of lines.entries()) {
        const place = places[k];
        group.append(F.mathText({class: "words", transform: `translate(${place.centre.map((v) => v.toFixed(1))}) rotate(${(place.angle * 180 / Math.PI).toFixed(1)})`, dy: 4,
          "text-anchor": "middle", fill: "var(--ink)", "font-size": 12, stroke: "var(--card)", "stroke-width": 2.5, "paint-order": "stroke"}, l.words));
      }
      answers.forEach((answer, i) => {
        if (!carom.shown.has(answer.law)) return;
        const phases = marching.includes(answer.law) || answer.elements[0].compression;
        group.append(svg("path", {d: F.path(paths[i]), stroke: carom.lawColour(answer.law), "stroke-width": 2, fill: "none", "stroke-linejoin": "round", "stroke-dasharray": phases ? null : "5 4", opacity: 0.85}));
      });
      for (const answer of answers.filter((a) => carom.shown.has(a.law))) {
        const [px, py] = at([answer.elements[0].Lambda[1], answer.elements[0].Lambda[0]]);
        group.append(svg("path", {d: carom.lawMark(answer.law), transform: `translate(${px.toFixed(1)},${py.toFixed(1)})`, fill: carom.lawColour(answer.law), stroke: "var(--paper)", "stroke-width": 1},
          svg("title", {}, `${answer.law}: Λ = ${carom.vector(answer.elements[0].Lambda, carom.largest(answer.elements[0].Lambda))} N s`)));
      }
      group.append(svg("circle", {cx: x(0), cy: y(0), r: 3, fill: "var(--ink)"}));
      return node;
    };
    const controls = apart ? [carom.segments("What the diagram shows", [{value: false, label: "all laws"}, {value: true, label: "consistent ones"}], near, (v) => { near = v; frame.redraw(); })] : [];
    const frame = F.figure({title: "Routh’s diagram", draw, controls, caption: [
      "Impulse of the contact from its first touch (origin) to its end (mark), in the friction cone. Solid: the path of the impulse (in two-phase laws the corner ends compression). Dashed: only the end point is known. Dotted: zero work; outside it energy is created.",
      carom.coincidences(answers, (a) => a.elements[0].Lambda)]});
    return frame;
  };

  return {applies, figure, pathOf};
})();
