// Two unilateral elements without friction: the plane of velocities that their impulses can change, in the kinetic
// metric (Glocker 2004, sect. 5 and fig. 8). With G = RᵀR the coordinates z = R⁻ᵀγ make the energy of this part ½|z|²:
//
//   impact equation            z⁺ = z⁻ + RΛ, Λ ≥ 0    a cone at z⁻
//   kinematic compatibility    γ⁺ = Rᵀz⁺ ≥ 0          a wedge at the origin
//   energy                     |z⁺| ≤ |z⁻|            a ball
//
// Every consistent law ends in the set that all three leave.
"use strict";

carom.velocityPlane = (() => {
  const {svg} = carom;
  const F = carom.figures;

  const cholesky = ([[a, b], [, d]]) => {
    const r11 = Math.sqrt(a), r12 = b / r11, r22 = Math.sqrt(d - r12 * r12);
    return [[r11, r12], [0, r22]];
  };
  const independent = (G) => G[0][0] > 0 && G[1][1] > 0 && G[0][0] * G[1][1] - G[0][1] ** 2 > 1e-10 * G[0][0] * G[1][1];
  const frictionless = (element) => element.kind === "clutch" || !(element.friction ?? []).some((mu) => mu > 0);
  // Normal rows of the two elements in G and γ.
  const normalRows = (detail) => {
    const rows = [];
    let row = 0;
    for (const element of detail.elements) {
      rows.push(row);
      row += 1 + (element.kind === "contact" ? element.friction.length : 0);
    }
    return rows;
  };
  const reduced = (detail) => {
    const [i, j] = normalRows(detail);
    return {G: [[detail.G[i][i], detail.G[i][j]], [detail.G[j][i], detail.G[j][j]]], gamma: [detail.gamma_minus[i], detail.gamma_minus[j]]};
  };
  const applies = (detail) => detail.elements?.length === 2 && detail.G && detail.elements.every(frictionless) && independent(reduced(detail).G);

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

  const figure = (detail) => {
    const {G, gamma} = reduced(detail), R = cholesky(G), rows = [0, 1];
    const z_minus = coordinates(R, gamma), radius = Math.hypot(...z_minus);
    const answers = detail.laws.filter((a) => a.elements);
    const ends = answers.map((a) => coordinates(R, a.elements.map((e) => e.gamma_plus[0])));
    const names = detail.elements.map((e) => e.name);
    const column = (k) => [R[0][k], R[1][k]];

    const draw = (width) => {
      const height = Math.round(Math.min(Math.max(0.9 * width, 300), 540));
      const reach = 1.12 * Math.max(radius, ...ends.map((z) => Math.hypot(...z))) || 1;
      const half = {x: width / 2, y: height / 2}, scale = (Math.min(width, height) / 2 - 22) / reach;
      // Turned so that the wedge of compatible velocities opens upwards.
      const bisector = [column(0), column(1)].map((c) => c.map((v) => v / Math.hypot(...c))).reduce((a, b) => [a[0] + b[0], a[1] + b[1]]);
      const angle = Math.PI / 2 - Math.atan2(bisector[1], bisector[0]);
      const at = ([a, b]) => [half.x + scale * (Math.cos(angle) * a - Math.sin(angle) * b), half.y - scale * (Math.sin(angle) * a + Math.cos(angle) * b)];
      const node = F.canvas(width, height, "The plane of velocities in the kinetic metric");
      const disk = Array.from({length: 240}, (_, k) => [radius * Math.cos(k * Math.PI / 120), radius * Math.sin(k * Math.PI / 120)]);
      const far = 3 * reach, square = [[-far, -far], [far, -far], [far, far], [-far, far]];
      const wedge = (polygon) => rows.reduce((p, k) => clipped(p, column(k), 0), polygon);
      // Λ = R⁻¹(z − z⁻) ≥ 0, its rows as half planes.
      const inverse = [[1 / R[0][0], -R[0][1] / (R[0][0] * R[1][1])], [0, 1 / R[1][1]]];
      const cone = (polygon) => inverse.reduce((p, n) => clipped(p, n, n[0] * z_minus[0] + n[1] * z_minus[1]), polygon);
      const fill = (polygon, attributes) => polygon.length > 2 ? svg("path", {d: F.path(polygon.map(at), true), ...attributes}) : null;
      const draws = [
        fill(wedge(square), {fill: "var(--wedge)", stroke: "none"}),
        fill(cone(square), {fill: "var(--cone)", stroke: "none"}),
        svg("circle", {cx: half.x, cy: half.y, r: radius * scale, fill: "none", stroke: "var(--ink)", "stroke-width": 1.3, "stroke-dasharray": "6 4"}),
        fill(cone(wedge(disk)), {fill: "var(--set)", stroke: "var(--ink)", "stroke-width": 1.4}),
      ];
      node.append(...draws.filter(Boolean));
      const ray = (from, direction, attributes) => {
        const length = Math.hypot(...direction);
        node.append(svg("path", {d: F.path([from, [from[0] + far * direction[0] / length, from[1] + far * direction[1] / length]].map(at)), fill: "none", ...attributes}));
      };
      // Edges of the wedge: on each one element closes. Edges of the cone: impulses of one element alone.
      rows.forEach((k) => {
        const c = column(k), other = column(1 - k);
        const edge = [-c[1], c[0]].map((v) => v * Math.sign(-c[1] * other[0] + c[0] * other[1]));
        ray([0, 0], edge, {stroke: "var(--soft)", "stroke-width": 1.3});
        ray(z_minus, c, {stroke: "var(--soft)", "stroke-width": 1.1, "stroke-dasharray": "2 4"});
        const place = at([edge[0], edge[1]].map((v) => v / Math.hypot(...edge) * reach * 0.8));
        node.append(svg("text", {x: place[0] + (place[0] > half.x ? 8 : -8), y: place[1] + 4, "text-anchor": place[0] > half.x ? "start" : "end", fill: "var(--soft)", "font-size": 12,
          stroke: "var(--paper)", "stroke-width": 3, "paint-order": "stroke"}, `${names[k]} closed`));
      });
      const origin = at([0, 0]);
      node.append(svg("circle", {cx: origin[0], cy: origin[1], r: 2.2, fill: "var(--soft)"}));
      const places = spread(ends.map(at));
      answers.forEach((answer, i) => {
        node.append(svg("path", {d: F.path([at(z_minus), at(ends[i])]), stroke: carom.lawColour(answer.law), "stroke-width": 1.2, opacity: 0.45}),
          svg("path", {d: carom.lawMark(answer.law), transform: `translate(${places[i].map((v) => v.toFixed(1))}) scale(1.15)`, fill: carom.lawColour(answer.law), stroke: "var(--paper)", "stroke-width": 1},
            svg("title", {}, `${answer.law}: γ⁺ = ${carom.vector(answer.elements.map((e) => e.gamma_plus[0]))} m/s`)));
      });
      const begin = at(z_minus);
      node.append(svg("circle", {cx: begin[0], cy: begin[1], r: 4.5, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2}),
        svg("text", {x: begin[0] + 14 * (begin[0] < half.x ? -1 : 1), y: begin[1] + 20, "text-anchor": "middle", fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 3, "paint-order": "stroke"}, "u⁻"));
      return node;
    };
    return F.figure({title: "Velocities in the kinetic metric", draw, caption: [
      "Lengths are roots of energy. From u⁻ impulses lead into the cone (impact equation, Λ ≥ 0); nothing may approach in the wedge (kinematic compatibility); inside the dashed circle no energy is gained. The framed set is what all three leave; each mark is where a law ends. Marks that coincide stand side by side."]});
  };

  return {applies, figure, independent, reduced};
})();
