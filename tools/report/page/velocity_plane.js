// Two unilateral elements: the plane of velocities that their normal impulses can change, in the kinetic metric (Glocker
// 2004, sect. 5 and fig. 8). With G_NN = RᵀR of the normal rows the coordinates z = R⁻ᵀγ_N are the part of the velocity
// in the span of the normal directions, and ½|z|² is its energy:
//
//   impact equation            z⁺ = z⁻ + RΛ_N + R⁻ᵀG_NT Λ_T    a cone at z⁻: Λ_N ≥ 0, Λ_T in the force set μΛ_N
//   kinematic compatibility    γ_N⁺ = Rᵀz⁺ ≥ 0                 a wedge at the origin
//   energy                     |z⁺|² ≤ γ⁻·G⁻¹γ⁻                a ball
//
// Without friction every consistent law ends in the set that all three leave. With friction the velocity also changes
// across the plane: each of the three is the projection of a larger set, so a law outside of what they leave violates
// something, and one inside may still create energy. The section of the ball, |z⁺| ≤ |z⁻|, holds for what leaves the
// energy across the plane as it was.
"use strict";

carom.velocityPlane = (() => {
  const {svg} = carom;
  const F = carom.figures;

  const cholesky = ([[a, b], [, d]]) => {
    const r11 = Math.sqrt(a), r12 = b / r11, r22 = Math.sqrt(d - r12 * r12);
    return [[r11, r12], [0, r22]];
  };
  const independent = (G) => G[0][0] > 0 && G[1][1] > 0 && G[0][0] * G[1][1] - G[0][1] ** 2 > 1e-10 * G[0][0] * G[1][1];
  const rubs = (element) => (element.friction ?? []).some((mu) => mu > 0);
  // Rows of the two elements in G and γ: the normal, then the tangents.
  const rowsOf = (detail) => {
    let next = 0;
    return detail.elements.map((element) => {
      const normal = next++, tangents = (element.friction ?? []).map((mu) => ({row: next++, mu}));
      return {normal, tangents};
    });
  };
  const reduced = (detail) => {
    const [i, j] = rowsOf(detail).map((r) => r.normal);
    return {G: [[detail.G[i][i], detail.G[i][j]], [detail.G[j][i], detail.G[j][j]]], gamma: [detail.gamma_minus[i], detail.gamma_minus[j]]};
  };
  const applies = (detail) => detail.elements?.length === 2 && Boolean(detail.G) && independent(reduced(detail).G);

  // γ⁻·G⁻¹γ⁻ over the rows that can carry an impulse: twice the energy that impulses can take. Row by row with the
  // greatest pivot, so that rows which depend on others (two tangents of one flat side) add nothing.
  const changeableEnergy = (detail) => {
    const rows = rowsOf(detail).flatMap((r) => [r.normal, ...r.tangents.filter((t) => t.mu > 0).map((t) => t.row)]).filter((i) => detail.G[i][i] > 0);
    const G = rows.map((i) => rows.map((j) => detail.G[i][j])), gamma = rows.map((i) => detail.gamma_minus[i]);
    const size = G.map((row, i) => row[i]), left = new Set(rows.keys());
    let sum = 0;
    while (left.size > 0) {
      const p = [...left].reduce((best, i) => G[i][i] / size[i] > G[best][best] / size[best] ? i : best);
      left.delete(p);
      if (!(G[p][p] > 1e-10 * size[p])) break;
      sum += gamma[p] ** 2 / G[p][p];
      for (const i of left) {
        const share = G[i][p] / G[p][p];
        gamma[i] -= share * gamma[p];
        for (const j of left) G[i][j] -= share * G[p][j];
      }
    }
    return sum;
  };

  // Directions in the plane of impulses of one element: along its normal, and leaning by its friction both ways (a line)
  // or all around (a disc or an ellipse).
  const impulseDirections = (detail, R) => rowsOf(detail).map(({tangents}, k, both) => {
    const along = [R[0][k], R[1][k]];
    const across = tangents.filter((t) => t.mu > 0).map((t) => coordinates(R, both.map((r) => t.mu * detail.G[r.normal][t.row])));
    const leaning = (weights) => [0, 1].map((c) => along[c] + across.reduce((v, lean, i) => v + weights[i] * lean[c], 0));
    if (across.length === 0) return [along];
    if (across.length === 1) return [leaning([1]), leaning([-1])];
    return Array.from({length: 72}, (_, i) => leaning([Math.cos(i * Math.PI / 36), Math.sin(i * Math.PI / 36)]));
  });
  // The cone of directions: its two edges, counter-clockwise, or null if they positively span the plane.
  const coneOf = (directions) => {
    const size = Math.max(...directions.map((d) => Math.hypot(...d)));
    const angles = directions.filter((d) => Math.hypot(...d) > 1e-9 * size).map(([a, b]) => Math.atan2(b, a)).sort((a, b) => a - b);
    const gaps = angles.map((a, i) => (i + 1 < angles.length ? angles[i + 1] : angles[0] + 2 * Math.PI) - a);
    const widest = gaps.indexOf(Math.max(...gaps));
    if (gaps[widest] < Math.PI - 1e-9) return null;
    return [angles[(widest + 1) % angles.length], angles[widest]].map((a) => [Math.cos(a), Math.sin(a)]);
  };

  // z from γ = Rᵀz.
  const coordinates = (R, [g1, g2]) => {
    const z1 = g1 / R[0][0];
    return [z1, (g2 - R[0][1] * z1) / R[1][1]];
  };

  // The part of a polygon with n·p ≥ c.
  const clipped = (polygon, n, c) => {
    const inside = ([x, y]) => n[0] * x + n[1] * y - c;
    const result = [];
    polygon.forEach((p, i) => {
      const q = polygon[(i + 1) % polygon.length], a = inside(p), b = inside(q);
      if (a >= 0) result.push(p);
      if (a * b < 0) result.push([p[0] + a / (a - b) * (q[0] - p[0]), p[1] + a / (a - b) * (q[1] - p[1])]);
    });
    return result;
  };

  // Marks on the same place are moved apart a little, side by side.
  const spread = (places) => places.map(([x, y], i) => {
    const before = places.slice(0, i).filter(([a, b]) => Math.hypot(a - x, b - y) < 5).length;
    return [x + 9 * before, y];
  });

  // What is drawn, in the coordinates of the plane: radii of the ball's projection and section, edges of the cone, ends.
  const planeOf = (detail) => {
    const {G, gamma} = reduced(detail), R = cholesky(G), z_minus = coordinates(R, gamma);
    const answers = detail.laws.filter((a) => a.elements);
    return {R, z_minus, section: Math.hypot(...z_minus), radius: Math.sqrt(changeableEnergy(detail)), edges: coneOf(impulseDirections(detail, R).flat()),
      answers, ends: answers.map((a) => coordinates(R, a.elements.map((e) => e.gamma_plus[0])))};
  };

  const figure = (detail) => {
    const {R, z_minus, section, radius, edges, answers, ends} = planeOf(detail), rows = [0, 1];
    const friction = detail.elements.some(rubs);
    const names = detail.elements.map((e) => e.name);
    const column = (k) => [R[0][k], R[1][k]];

    const draw = (width) => {
      const height = Math.round(Math.min(Math.max(0.9 * width, 300), 540));
      // A ball that holds much energy across the plane may leave the picture.
      const marked = Math.max(section, ...ends.map((z) => Math.hypot(...z)));
      const reach = 1.12 * Math.max(marked, Math.min(radius, 2.5 * marked)) || 1;
      const half = {x: width / 2, y: height / 2}, scale = (Math.min(width, height) / 2 - 22) / reach;
      // Turned so that the wedge of compatible velocities opens upwards.
      const bisector = [column(0), column(1)].map((c) => c.map((v) => v / Math.hypot(...c))).reduce((a, b) => [a[0] + b[0], a[1] + b[1]]);
      const angle = Math.PI / 2 - Math.atan2(bisector[1], bisector[0]);
      const at = ([a, b]) => [half.x + scale * (Math.cos(angle) * a - Math.sin(angle) * b), half.y - scale * (Math.sin(angle) * a + Math.cos(angle) * b)];
      const node = F.canvas(width, height, "The plane of velocities in the kinetic metric");
      const disk = Array.from({length: 240}, (_, k) => [radius * Math.cos(k * Math.PI / 120), radius * Math.sin(k * Math.PI / 120)]);
      const far = 3 * reach, square = [[-far, -far], [far, -far], [far, far], [-far, far]];
      const wedge = (polygon) => rows.reduce((p, k) => clipped(p, column(k), 0), polygon);
      // Left of its first edge, right of its last.
      const cone = (polygon) => !edges ? polygon : edges.reduce((p, [a, b], i) => {
        const n = i === 0 ? [-b, a] : [b, -a];
        return clipped(p, n, n[0] * z_minus[0] + n[1] * z_minus[1]);
      }, polygon);
      const fill = (polygon, attributes) => polygon.length > 2 ? svg("path", {d: F.path(polygon.map(at), true), ...attributes}) : null;
      const draws = [
        fill(wedge(square), {fill: "var(--wedge)", stroke: "none"}),
        fill(cone(square), {fill: "var(--cone)", stroke: "none"}),
        svg("circle", {cx: half.x, cy: half.y, r: radius * scale, fill: "none", stroke: "var(--ink)", "stroke-width": 1.3, "stroke-dasharray": "6 4"}),
        friction && section < 0.98 * radius ? svg("circle", {class: "section", cx: half.x, cy: half.y, r: section * scale, fill: "none", stroke: "var(--soft)", "stroke-width": 1.1, "stroke-dasharray": "1 4", "stroke-linecap": "round"}) : null,
        fill(cone(wedge(disk)), {class: "admissible", fill: "var(--set)", stroke: "var(--ink)", "stroke-width": 1.4}),
      ];
      node.append(...draws.filter(Boolean));
      const ray = (from, direction, attributes) => {
        const length = Math.hypot(...direction);
        node.append(svg("path", {d: F.path([from, [from[0] + far * direction[0] / length, from[1] + far * direction[1] / length]].map(at)), fill: "none", ...attributes}));
      };
      // Edges of the wedge: on each one element closes. From u⁻: normal impulses of one element alone.
      rows.forEach((k) => {
        const c = column(k), other = column(1 - k);
        const edge = [-c[1], c[0]].map((v) => v * Math.sign(-c[1] * other[0] + c[0] * other[1]));
        ray([0, 0], edge, {stroke: "var(--soft)", "stroke-width": 1.3});
        ray(z_minus, c, {stroke: "var(--soft)", "stroke-width": 1.1, "stroke-dasharray": "2 4"});
        const place = at(edge.map((v) => v / Math.hypot(...edge) * reach * 0.95)), words = `${names[k]} closed`, room = F.widthOf(words, 12) / 2 + 4;
        node.append(svg("text", {x: Math.min(Math.max(place[0], room), width - room), y: place[1] + 18, "text-anchor": "middle", fill: "var(--soft)", "font-size": 12,
          stroke: "var(--card)", "stroke-width": 3, "paint-order": "stroke"}, words));
      });
      const origin = at([0, 0]);
      node.append(svg("circle", {cx: origin[0], cy: origin[1], r: 2.2, fill: "var(--soft)"}));
      const places = spread(ends.map(at));
      answers.forEach((answer, i) => {
        if (!carom.shown.has(answer.law)) return;
        node.append(svg("path", {d: F.path([at(z_minus), at(ends[i])]), stroke: carom.lawColour(answer.law), "stroke-width": 1.2, opacity: 0.45}),
          svg("path", {d: carom.lawMark(answer.law), transform: `translate(${places[i].map((v) => v.toFixed(1))}) scale(1.15)`, fill: carom.lawColour(answer.law), stroke: answer.energetic ? "var(--paper)" : "var(--bad)", "stroke-width": answer.energetic ? 1 : 2},
            svg("title", {}, `${answer.law}: γ_N⁺ = ${carom.vector(answer.elements.map((e) => e.gamma_plus[0]), carom.largest(detail.gamma_minus))} m/s`)));
      });
      const begin = at(z_minus);
      node.append(svg("circle", {cx: begin[0], cy: begin[1], r: 4.5, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2}),
        svg("text", {x: begin[0] + 14 * (begin[0] < half.x ? -1 : 1), y: begin[1] + 20, "text-anchor": "middle", fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 3, "paint-order": "stroke"}, "u⁻"));
      return node;
    };
    return F.figure({title: "Velocities in the kinetic metric", draw, caption: [
      "Distance from the centre is √T. Blue cone: reachable by admissible impulses. Grey wedge: no contact approaches. Dashed circle: T = T⁻. Outlined set: all three hold. A red rim marks energy created. Dotted lines: normal impulses of one contact alone; marks that coincide stand side by side.", carom.coincidences(answers, (a) => a.elements.flatMap((e) => [...e.gamma_plus])),
      friction ? " With friction this is the plane of the two normals: cone and dashed ball are projections of larger sets, so a law inside the frame may still create energy; the dotted circle is the section of the ball, for what friction leaves as it was." : ""]});
  };

  return {applies, figure, reduced, planeOf, changeableEnergy};
})();
