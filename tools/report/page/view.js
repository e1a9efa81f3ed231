// From where a system is seen: planar ones from the front, spatial ones in perspective from a camera that never goes
// below the floor. What the reader zooms, shifts, turns and follows is kept here.
"use strict";

carom.view = (() => {
  const opening = 2 * Math.tan(0.26);  // height of the picture at distance one

  const make = (drawing, bounds, floors) => {
    const centre = bounds.low.map((l, k) => (l + bounds.high[k]) / 2), size = bounds.high.map((h, k) => h - bounds.low[k]);
    const view = {width: 1, height: 1, span: Math.max(...size, 1e-9), target: [...centre]};
    const own = {zoom: 1, yaw: -0.6, pitch: 0.32, shift: [0, 0, 0], follow: -1};
    Object.assign(view, own, {shift: [...own.shift]});
    const radius = 0.45 * Math.hypot(...size) || 1;

    view.fit = (width, height) => { Object.assign(view, {width, height}); };
    view.reset = () => Object.assign(view, own, {shift: [...own.shift]});
    // Before each picture: `at(body)` is where the followed body is.
    view.aim = (at) => {
      const middle = view.follow < 0 ? centre : at(view.follow);
      view.target = middle.map((m, k) => m + view.shift[k]);
      if (drawing.planar) {
        const fitting = Math.min((view.width - 48) / Math.max(size[0], 1e-9), (view.height - 64) / Math.max(size[1], 1e-9));
        view.scale = view.zoom * (Number.isFinite(fitting) ? fitting : 1);
        return;
      }
      const narrow = Math.min(1, view.width / view.height);
      view.distance = radius / (0.5 * opening * narrow) / view.zoom;
      view.scale = view.height / opening / view.distance;  // at the target
      // The eye stays above what lies below the target.
      const below = floors.filter((f) => f.normal[2] > 0.7).map((f) => view.target.reduce((sum, t, k) => sum + f.normal[k] * (t - f.at[k]), 0));
      const least = below.length === 0 ? -1.5 : Math.asin(Math.min(0.9, Math.max(-0.9, (0.03 * radius - Math.min(...below)) / view.distance)));
      view.pitch = Math.min(1.5, Math.max(least, view.pitch));
    };
    // Right, up, towards the eye.
    view.axes = () => {
      if (drawing.planar) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      const c = Math.cos(view.yaw), s = Math.sin(view.yaw), cp = Math.cos(view.pitch), sp = Math.sin(view.pitch);
      return [[c, s, 0], [-sp * s, sp * c, cp], [s * cp, -c * cp, sp]];
    };
    view.eye = () => view.axes()[2].map((a, k) => view.target[k] + view.distance * a);
    view.turned = (d) => view.axes().map((axis) => axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]);
    view.pixel = (p) => {
      const [x, y, z] = view.turned(p.map((v, k) => v - view.target[k]));
      const scale = drawing.planar ? view.scale : view.scale * view.distance / Math.max(0.02 * view.distance, view.distance - z);
      return [view.width / 2 + x * scale, view.height / 2 - y * scale, z];
    };
    // Moves what is seen by pixels; in space along the picture.
    view.pan = (dx, dy) => {
      const [right, up] = view.axes();
      view.shift = view.shift.map((s, k) => s - (right[k] * dx - up[k] * dy) / view.scale);
    };
    view.turn = (dx, dy) => { view.yaw -= dx; view.pitch += dy; };
    // What lies under a point of the picture stays there.
    view.zoomBy = (factor, x = view.width / 2, y = view.height / 2) => {
      const before = view.zoom;
      view.zoom = Math.min(200, Math.max(0.05, view.zoom * factor));
      const share = 1 - before / view.zoom, [dx, dy] = [(x - view.width / 2) * share, (y - view.height / 2) * share];
      view.pan(-dx, -dy);
      view.scale *= view.zoom / before;
    };
    // As a link keeps it.
    view.words = () => {
      const words = {};
      if (view.zoom !== own.zoom) words.zoom = view.zoom.toPrecision(4);
      if (!drawing.planar && (view.yaw !== own.yaw || view.pitch !== own.pitch)) words.turn = `${view.yaw.toFixed(3)},${view.pitch.toFixed(3)}`;
      if (view.shift.some((s) => s !== 0)) words.shift = view.shift.map((s) => Number(s.toPrecision(4))).join(",");
      if (view.follow >= 0) words.follow = drawing.bodies[view.follow];
      return words;
    };
    view.take = (words) => {
      const numbers = (text, count) => { const list = text.split(",").map(Number); return list.length === count && list.every(Number.isFinite) ? list : null; };
      if (words.zoom > 0) view.zoom = Number(words.zoom);
      if (words.turn) [view.yaw, view.pitch] = numbers(words.turn, 2) ?? [view.yaw, view.pitch];
      if (words.shift) view.shift = numbers(words.shift, 3) ?? view.shift;
      if (words.follow) view.follow = drawing.bodies.indexOf(words.follow);
    };
    return view;
  };

  return {make, opening};
})();
