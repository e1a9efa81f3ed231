// Shapes in the plane, springs and the scale, drawn with a pen.
"use strict";

carom.shapes = (() => {
  const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const times = (k, a) => [k * a[0], k * a[1], k * a[2]];

  const drawPlane = (pen, view, point, normal, isEdge) => {
    const far = 2 * Math.hypot(view.width, view.height) / view.scale + Math.hypot(point[0] - view.target[0], point[1] - view.target[1]);
    const along = [-normal[1], normal[0], 0];
    const [a, b] = [plus(point, times(-far, along)), plus(point, times(far, along))];
    if (isEdge) {
      const gap = 9 / view.scale, mid = view.target.reduce((sum, c, k) => sum + along[k] * (c - point[k]), 0), reach = Math.hypot(view.width, view.height) / view.scale;
      for (let s = Math.floor((mid - reach) / gap) * gap; s < mid + reach; s += gap) {
        const foot = plus(point, times(s, along));
        pen.lines([foot, plus(foot, plus(times(-0.9 * gap, along), times(-0.9 * gap, normal)))].map(view.pixel), {stroke: "var(--soft)", width: 1, alpha: 0.7});
      }
    } else {
      pen.lines([a, b, plus(b, times(-far, normal)), plus(a, times(-far, normal))].map(view.pixel), {fill: "var(--ground)"}, true);
    }
    pen.lines([a, b].map(view.pixel), {stroke: "var(--soft)", width: 1.5});
  };

  const drawShape = (pen, view, t, shape, style) => {
    const onBody = (p) => plus(shape.at, shape.turn ? carom.poses.rotated(shape.turn, p) : p);
    const at = (x, y) => view.pixel(t.at(shape.body, onBody([x, y, 0])));
    if (shape.kind === "point") {
      pen.circle(...at(0, 0).slice(0, 2), 4.5, {...style, fillAlpha: 0.9});
    } else if (shape.kind === "disk") {
      const [x, y] = at(0, 0), r = shape.radius * view.scale;
      pen.circle(x, y, r, style);
      if (r > 3) pen.lines([[x, y], at(shape.radius, 0)], {...style, fill: null, width: 1});
    } else if (shape.kind === "rod") {
      const ends = [at(-shape.length / 2, 0), at(shape.length / 2, 0)];
      pen.lines(ends, {stroke: style.stroke, width: Math.max(10, 2 * (shape.radius ?? 0) * view.scale), alpha: 1.6 * style.fillAlpha});
      pen.lines(ends, {stroke: style.stroke, width: 2});
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

  return {drawPlane, drawShape, drawSpring, drawScaleBar};
})();
