// Curves over time: several series, impacts marked, a cursor shared with the animation, a stretch zoomed in by dragging.
"use strict";

carom.charts = (() => {
  const {svg, html} = carom;
  const F = carom.figures;

  // First index with x[i] >= value.
  const lowerBound = (x, value) => {
    let low = 0, high = x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
  };

  const valueAt = (series, t) => {
    const i = lowerBound(series.x, t);
    if (i === 0) return series.y[0];
    if (i >= series.x.length) return series.y[series.y.length - 1];
    const span = series.x[i] - series.x[i - 1];
    const share = span > 0 ? (t - series.x[i - 1]) / span : 1;
    return series.y[i - 1] + share * (series.y[i] - series.y[i - 1]);
  };

  // The event under the cursor; null if there is none.
  const eventAt = (series, t, x) => {
    const i = lowerBound(series.x, t);
    const near = [i - 1, i].filter((k) => k >= 0 && k < series.x.length && Math.abs(x(series.x[k]) - x(t)) <= 4);
    return near.length === 0 ? null : series.y[near.reduce((a, b) => Math.abs(series.x[b] - t) < Math.abs(series.x[a] - t) ? b : a)];
  };

  const extent = (list, low, high) => {
    let [min, max] = [Infinity, -Infinity];
    for (const s of list) {
      const first = Math.max(0, lowerBound(s.x, low) - 1), last = Math.min(s.x.length - 1, lowerBound(s.x, high));
      for (let i = first; i <= last; ++i) {
        if (s.events && (s.x[i] < low || s.x[i] > high)) continue;
        if (s.y[i] < min) min = s.y[i];
        if (s.y[i] > max) max = s.y[i];
      }
    }
    return [min, max];
  };

  const mostMarks = 150;  // in sight: beyond, stems alone tell more
  const marksPath = (s, x, y) => {
    const first = lowerBound(s.x, x.low), last = lowerBound(s.x, x.high + 1e-12 * Math.abs(x.high));
    if (last - first > mostMarks) return "";
    let d = "";
    for (let i = first; i < last; ++i) d += `M${(x(s.x[i]) - 3).toFixed(1)},${y(s.y[i]).toFixed(1)}a3,3 0 1,0 6,0a3,3 0 1,0 -6,0Z`;
    return d;
  };
  const seriesPath = (s, x, y, stems) => {
    const first = Math.max(0, lowerBound(s.x, x.low) - 1), last = Math.min(s.x.length - 1, lowerBound(s.x, x.high));
    let d = "";
    for (let i = first; i <= last; ++i) {
      if (!Number.isFinite(s.y[i])) continue;
      const px = x(s.x[i]).toFixed(1), py = y(s.y[i]).toFixed(1);
      if (stems) {
        if (s.y[i] !== 0) d += `M${px},${y(0).toFixed(1)}V${py}`;
      } else {
        d += `${d === "" ? "M" : "L"}${px},${py}`;
      }
    }
    return d;
  };

  // `series()` gives [{name, colour, dash, width, events, x, y}]; `events`: moments with a value, not samples of a curve.
  // `kin()`: what rounding is measured by, beyond what is drawn. Series of one name are switched on and off together. `marks()` gives [{time, bad, colour}] of impacts.
  const timeChart = ({title, yLabel, series, marks = () => [], controls = [], caption = null, height = 300, stems = false, zero = false, kin = () => 0}) => {
    let range = null, geometry = null;
    const hidden = new Set();
    const legend = html("div", {class: "legend"});
    const readout = html("output", {class: "readout", "aria-live": "off"});

    const named = (list) => list.filter((s, i) => list.findIndex((other) => other.name === s.name) === i);
    // " = newton" behind a curve that lies on an earlier one.
    const twin = (s, list) => {
      const size = carom.largest(s.y);
      const same = s.events ? null : list.slice(0, list.indexOf(s)).find((o) => !o.events && o.y.length === s.y.length && size > 0 && s.y.every((v, i) => Math.abs(v - o.y[i]) <= 1e-9 * size));
      return same ? ` = ${same.label ?? same.name}` : "";
    };
    // Laws are switched everywhere, other curves here.
    const isHidden = (s) => s.law && carom.shown.all.length > 1 ? !carom.shown.has(s.law) : hidden.has(s.name);
    const toggle = (s) => {
      if (s.law && carom.shown.all.length > 1) return carom.shown.toggle(s.law);
      if (hidden.has(s.name)) hidden.delete(s.name); else hidden.add(s.name);
      frame.redraw();
    };
    const fillLegend = (list) => legend.replaceChildren(...(list.length < 2 ? [] : list).map((s) =>
      html("button", {type: "button", "aria-pressed": String(!isHidden(s)), onclick: () => toggle(s)}, svg("svg", {width: 22, height: 10, "aria-hidden": "true"},
        svg("line", {x1: 0, x2: 22, y1: 5, y2: 5, stroke: s.colour, "stroke-width": 2.5, "stroke-dasharray": s.dash}),
        s.events ? svg("circle", {cx: 11, cy: 5, r: 3.5, fill: s.colour}) : null), (s.label ?? s.name) + twin(s, list))));

    const drawMarks = (x, y, clip) => {
      const group = svg("g", {"clip-path": `url(#${clip})`});
      const list = marks().filter((m) => m.time >= x.low && m.time <= x.high).sort((a, b) => a.bad - b.bad);
      const many = list.length > 150, faint = many ? 0.3 : 0.8, mark = many ? "v6h0.8v-6Z" : "l-3.5,7h7Z";
      for (const m of list) {
        group.append(svg("path", {d: `M${x(m.time).toFixed(1)},${y.from}${mark}`, fill: m.bad ? "var(--bad)" : "var(--soft)", opacity: m.bad ? 1 : faint}));
        if (m.bad) group.append(svg("line", {x1: x(m.time), x2: x(m.time), y1: y.to, y2: y.from, stroke: "var(--bad)", "stroke-width": 1, "stroke-dasharray": "2 3", opacity: 0.7}));
      }
      return group;
    };

    const draw = (width) => {
      const all = series().filter((s) => s.x.length > 0), list = all.filter((s) => !isHidden(s));
      fillLegend(named(all));
      const box = {left: width < 480 ? 50 : 62, right: width - 16, top: 24, bottom: height - 42};
      let low = Infinity, high = -Infinity;
      for (const s of all) { low = Math.min(low, s.x[0]); high = Math.max(high, s.x[s.x.length - 1]); }
      if (range) [low, high] = range;
      let [bottom, top] = extent(list, low, high);
      if (stems || zero) [bottom, top] = [Math.min(0, bottom), Math.max(0, top)];
      // Rounding is no curve: a range far below the size of what is shown is flat.
      const size = Math.max(kin(), carom.largest(extent(list, -Infinity, Infinity)));
      if (top - bottom <= 1e-12 * size) [bottom, top] = [carom.snapped(bottom, size), carom.snapped(bottom, size)];
      const x = F.scale(low, high > low ? high : low + 1, box.left, box.right), y = F.scale(...F.padded(bottom, top, 0.06, size), box.bottom, box.top);
      const node = F.canvas(width, height, title);
      const clip = `clip-${Math.random().toString(36).slice(2)}`;
      node.append(svg("defs", {}, svg("clipPath", {id: clip}, svg("rect", {x: box.left, y: box.top - 8, width: box.right - box.left, height: box.bottom - box.top + 18}))),
        F.axes(x, y, {x: "time (s)", y: yLabel}), drawMarks(x, y, clip));
      const curves = svg("g", {"clip-path": `url(#${clip})`, fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round"});
      for (const s of list)
        curves.append(svg("path", {d: seriesPath(s, x, y, stems), stroke: s.colour, "stroke-width": s.width ?? 1.8, "stroke-dasharray": s.dash}),
          s.events ? svg("path", {class: "events", d: marksPath(s, x, y), fill: s.colour, stroke: "var(--card)", "stroke-width": 0.8}) : "");
      const cursor = svg("g", {class: "cursor", display: "none"},
        svg("line", {y1: box.top, y2: box.bottom, stroke: "var(--ink)", "stroke-width": 1, opacity: 0.6}));
      const band = svg("rect", {class: "cursor", y: box.top, height: box.bottom - box.top, fill: "var(--accent)", opacity: 0.15, display: "none"});
      node.append(curves, band, cursor);
      geometry = {x, y, list, cursor, box, size};
      listen(node, band);
      if (carom.clock.time !== null) show(carom.clock.time);
      return node;
    };

    const show = (t) => {
      if (!geometry) return;
      const {x, list, cursor, size} = geometry;
      const inside = t >= x.low && t <= x.high;
      cursor.setAttribute("display", inside ? "inline" : "none");
      if (!inside) return;
      cursor.firstChild.setAttribute("x1", x(t));
      cursor.firstChild.setAttribute("x2", x(t));
      const shown = list.map((s) => ({s, value: s.events ? eventAt(s, t, x) : valueAt(s, t)})).filter(({value}) => value !== null);
      readout.replaceChildren(`t = ${carom.number(t)} s`, ...shown.map(({s, value}) =>
        html("span", {}, html("i", {style: `background:${s.colour}`}), list.length > 1 ? `${s.label ?? s.name} ` : "", html("b", {}, carom.number(value, size)))));
    };
    carom.clock.listeners.push(show);

    const listen = (node, band) => {
      let from = null;
      const at = (event) => {
        const {x, box} = geometry;
        const r = node.getBoundingClientRect();
        const p = (event.clientX - r.left) * (node.viewBox.baseVal.width / r.width);
        return x.back(Math.min(box.right, Math.max(box.left, p)));
      };
      node.addEventListener("pointerdown", (event) => { if (event.pointerType === "mouse") from = at(event); });
      node.addEventListener("pointermove", (event) => {
        const t = at(event);
        if (from === null) return show(t);
        const [a, b] = [from, t].sort((p, q) => p - q).map(geometry.x);
        carom.fill(band, {x: a, width: b - a, display: "inline"}, []);
      });
      node.addEventListener("pointerup", (event) => {
        const t = at(event), begin = from;
        from = null;
        band.setAttribute("display", "none");
        if (begin !== null && Math.abs(geometry.x(t) - geometry.x(begin)) > 8) {
          range = [begin, t].sort((p, q) => p - q);
          whole.hidden = false;
          frame.redraw();
        } else {
          carom.clock.set(t);
        }
      });
      node.addEventListener("pointerleave", () => {
        from = null;
        band.setAttribute("display", "none");
        if (carom.clock.time !== null) show(carom.clock.time); else geometry.cursor.setAttribute("display", "none");
      });
      node.addEventListener("dblclick", () => whole.click());
    };

    const whole = html("button", {type: "button", class: "quiet", hidden: true, title: "Show the whole run again", onclick: () => {
      range = null;
      whole.hidden = true;
      frame.redraw();
    }}, "whole run");
    const frame = F.figure({title, draw, controls: [...controls, whole], caption});
    frame.holder.before(legend);
    frame.holder.after(readout);
    return frame;
  };

  return {timeChart, lowerBound, valueAt};
})();
