// Sweeps: a measure over two axes as a map with contours, the others at sliders; axes of words (laws) side by side;
// slices through a chosen point. Draws without a grid are points.
"use strict";

carom.maps = (() => {
  const {html, svg, number} = carom;
  const F = carom.figures;

  // ---- Colours ------------------------------------------------------------------------------------------------
  // Dark to light for one sign; blue through paper to orange around zero. Both are safe for the colour-blind.
  const sequential = [[68, 1, 84], [64, 67, 135], [41, 120, 142], [34, 167, 132], [121, 209, 81], [253, 231, 36]];
  const below = [[247, 247, 247], [146, 197, 222], [33, 102, 172], [5, 48, 97]];
  const above = [[247, 247, 247], [253, 184, 99], [224, 130, 20], [127, 59, 8]];
  const along = (stops, share) => {
    const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(at));
    return stops[i].map((c, k) => Math.round(c + (at - i) * (stops[i + 1][k] - c)));
  };
  const isDark = ([r, g, b]) => 0.299 * r + 0.587 * g + 0.114 * b < 110;
  const rgb = (c) => `rgb(${c.join(",")})`;
  // Each sign has its own range: a little gain stays visible next to great losses. A few values far beyond all others
  // saturate.
  const colours = (low, high) => {
    const signs = low < 0 && high > 0;
    const of = (v) => !Number.isFinite(v) ? null : signs ? (v < 0 ? along(below, v / low) : along(above, v / high)) : along(sequential, high > low ? (v - low) / (high - low) : 0.5);
    return Object.assign(of, {low, high, signs});
  };

  // ---- Axes ---------------------------------------------------------------------------------------------------
  const isText = (axis) => typeof axis.values[0] === "string";
  const isLogarithmic = (axis) => {
    const v = axis.values;
    if (v.length < 3 || v.some((x) => !(x > 0))) return false;
    const ratio = v[1] / v[0];
    return Math.abs(ratio - 1) > 1e-3 && v.every((x, i) => i === 0 || Math.abs(x / v[i - 1] / ratio - 1) < 1e-6) &&
      Math.abs((v[2] - v[1]) / (v[1] - v[0]) - 1) > 1e-6;
  };
  // Borders of the cells around the values.
  const borders = (axis) => {
    const f = axis.logarithmic ? Math.log : (x) => x, g = axis.logarithmic ? Math.exp : (x) => x, v = axis.values.map(f);
    if (v.length === 1) return [g(v[0] - 0.5), g(v[0] + 0.5)];
    const inner = v.slice(1).map((x, i) => (x + v[i]) / 2);
    return [2 * v[0] - inner[0], ...inner, 2 * v[v.length - 1] - inner[inner.length - 1]].map(g);
  };
  const label = (axis) => axis.units ? `${axis.name} (${axis.units})` : axis.name;

  // ---- Contours: marching squares between the values --------------------------------------------------------------
  const contour = (grid, xs, ys, level) => {
    const segments = [];
    const cross = (p, q) => {
      const share = (level - p.v) / (q.v - p.v);
      return [p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)];
    };
    for (let j = 0; j + 1 < ys.length; ++j) {
      for (let i = 0; i + 1 < xs.length; ++i) {
        const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(([a, b]) => ({x: xs[a], y: ys[b], v: grid(a, b)}));
        if (corners.some((c) => !Number.isFinite(c.v))) continue;
        const points = [];
        corners.forEach((c, k) => {
          const d = corners[(k + 1) % 4];
          if ((c.v < level) !== (d.v < level)) points.push(cross(c, d));
        });
        for (let k = 0; k + 1 < points.length; k += 2) segments.push([points[k], points[k + 1]]);
      }
    }
    return segments.map((s) => F.path(s)).join("");
  };

  const range = (values) => {
    let [low, high] = [Infinity, -Infinity];
    for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    return low <= high ? [low, high] : [0, 1];
  };

  // The range of a scale, or of each sign, and its ticks.
  const parts = (scale) => scale.signs ? [[scale.low, 0], [0, scale.high]] : [[scale.low, scale.high]];
  const levelsOf = (scale) => parts(scale).flatMap(([low, high]) => F.ticks(low, high, scale.signs ? 5 : 9).values);

  const colourRange = (values) => {
    const finite = Float64Array.from(values).filter(Number.isFinite).sort();
    if (finite.length === 0) return [0, 1];
    const [low, high] = [finite[0], finite[finite.length - 1]];
    const limit = (side, extreme) => {
      if (side.length < 50) return extreme;
      const usual = side.map(Math.abs).sort()[Math.floor(0.97 * side.length)];
      return Math.abs(extreme) > 4 * usual && usual > 0 ? Math.sign(extreme) * usual : extreme;
    };
    // Rounding has no sign: a law that loses energy does not gain 1e-15 of it.
    const rounded = 1e-12 * Math.max(-low, high), cut = (v) => Math.abs(v) > rounded ? v : 0;
    const negative = finite.filter((v) => v < -rounded), positive = finite.filter((v) => v > rounded);
    return [low < 0 ? limit(negative, cut(low)) : low, high > 0 ? limit(positive, cut(high)) : high];
  };

  const colourBar = (scale, x, y, width, text) => {
    const group = svg("g", {}, svg("text", {x, y: y - 8, fill: "var(--ink)"}, text)), steps = 60;
    parts(scale).forEach(([low, high], part, all) => {
      const share = width / all.length, left = x + part * share;
      for (let k = 0; k < steps; ++k)
        group.append(svg("rect", {x: left + k * share / steps, y, width: share / steps + 0.6, height: 10, fill: rgb(scale(low + (k + 0.5) / steps * (high - low)))}));
      const at = F.scale(low, high, left, left + share), list = F.ticks(low, high, Math.max(3, Math.floor(share / 60)));
      // The ends of the scale are told; a tick too near to an end makes room for it.
      const ends = [low, high].filter((v) => v !== 0 || all.length === 1), tellsEnds = high > low;
      if (tellsEnds) for (const v of ends)
        group.append(svg("line", {x1: at(v), x2: at(v), y1: y + 10, y2: y + 14, stroke: "var(--ink)"}), svg("text", {class: "end", x: at(v), y: y + 27, "text-anchor": v === low ? "start" : "end", fill: "var(--ink)"}, carom.typeset(String(Number(v.toPrecision(3))))));
      for (const v of list.values) {
        if (part > 0 && v === 0) continue;
        if (tellsEnds && ends.some((end) => Math.abs(at(v) - at(end)) < 66)) continue;
        group.append(svg("line", {x1: at(v), x2: at(v), y1: y + 10, y2: y + 14, stroke: "var(--soft)"}), svg("text", {x: at(v), y: y + 27, "text-anchor": "middle", fill: "var(--soft)"}, carom.tick(v, list.step)));
      }
    });
    return group;
  };

  // "26 points: the impact has no solution", the most frequent reasons first.
  const whyNoValue = (data, missing) => {
    const reasons = data.reasons ?? [], told = reasons.slice(0, 3).map((r) => `${carom.count(r.points, "point")}: ${carom.prose(r.reason.replace(/^\S+:\d+:\d+: /, ""))}`);
    if (reasons.length > told.length) told.push(`and ${carom.count(reasons.length - told.length, "other reason")}`);
    return told.length > 0 ? told.join("; ") : carom.count(missing, "point");
  };

  // ---- A grid ---------------------------------------------------------------------------------------------------
  const gridSection = (data) => {
    const axes = data.axes.map((axis, k) => ({...axis, place: k, logarithmic: isLogarithmic(axis)}));
    const strides = axes.map((_, k) => axes.slice(k + 1).reduce((n, a) => n * a.length, 1));
    // A few values beside a long axis are curves side by side, not a map.
    const longest = Math.max(...axes.filter((a) => !isText(a)).map((a) => a.length), 0);
    const isWords = (a) => isText(a) || (a.length <= 5 && longest >= 3 * a.length);
    const numeric = axes.filter((a) => !isWords(a)), texts = axes.filter(isWords);
    const measures = data.measures.map((m) => ({...m, array: carom.column(m.values)}));
    const state = {measure: measures[0], x: numeric[0] ?? null, y: numeric[1] ?? null, facet: texts.find((a) => a.length <= 12) ?? null,
      at: axes.map((a) => Math.floor(a.length / 2))};
    const value = (changes) => {
      let index = 0;
      for (const axis of axes) index += (changes.get(axis) ?? state.at[axis.place]) * strides[axis.place];
      return state.measure.array[index];
    };
    const facets = () => state.facet ? state.facet.values.map((v, k) => ({name: isText(state.facet) ? v : `${state.facet.name} ${carom.short(v)}`, k})) : [{name: "", k: 0}];
    const changed = (facet, more) => new Map([...(state.facet ? [[state.facet, facet.k]] : []), ...more]);
    const isLaw = () => state.facet && carom.laws.includes(state.facet.values[0]);
    const colourOf = (facet) => isLaw() ? carom.lawColour(facet.name) : `var(--law-${[3, 2, 4, 1, 6, 5, 7, 8, 9, 0][facet.k % 10]})`;
    const markOf = (facet) => isLaw() ? carom.lawMark(facet.name) : Object.values(carom.marks)[facet.k % 10];
    const shownValues = function* () {
      for (const facet of facets()) for (let i = 0; i < state.x.length; ++i) for (let j = 0; j < (state.y?.length ?? 1); ++j)
        yield value(changed(facet, state.y ? [[state.x, i], [state.y, j]] : [[state.x, i]]));
    };
    // What has no value is grey; why, the sweep tells of all its points.
    const noValue = () => {
      const missing = [...shownValues()].filter((v) => !Number.isFinite(v)).length;
      return missing === 0 ? "" : `Grey: no value (${whyNoValue(data, missing)}).`;
    };
    const text = () => state.measure.units ? `${state.measure.name} (${state.measure.units})` : state.measure.name;

    const cells = (facet, x, y, scale) => {
      const ratio = 2, canvas = html("canvas", {width: Math.round((x.to - x.from) * ratio), height: Math.round((y.from - y.to) * ratio)});
      const context = canvas.getContext("2d"), bx = borders(state.x).map(x), by = borders(state.y).map(y);
      for (let i = 0; i < state.x.length; ++i) for (let j = 0; j < state.y.length; ++j) {
        const c = scale(value(changed(facet, [[state.x, i], [state.y, j]])));
        if (!c) continue;
        context.fillStyle = rgb(c);
        const px = Math.floor((bx[i] - x.from) * ratio), py = Math.floor((by[j + 1] - y.to) * ratio);
        context.fillRect(px, py, Math.ceil((bx[i + 1] - x.from) * ratio) - px, Math.ceil((by[j] - y.to) * ratio) - py);
      }
      return svg("image", {href: canvas.toDataURL(), x: x.from, y: y.to, width: x.to - x.from, height: y.from - y.to, preserveAspectRatio: "none"});
    };

    const drawFacet = (facet, width, height, scale, levels) => {
      const box = {left: 56, right: width - 16, top: facet.name ? 50 : 24, bottom: height - 42};
      const bx = borders(state.x), by = borders(state.y);
      const x = F.scale(bx[0], bx[bx.length - 1], box.left, box.right, state.x.logarithmic), y = F.scale(by[0], by[by.length - 1], box.bottom, box.top, state.y.logarithmic);
      const group = svg("g", {});
      group.append(svg("rect", {x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, fill: "var(--nothing)"}), cells(facet, x, y, scale),
        F.axes(x, y, {x: label(state.x), y: label(state.y)}, false));
      const grid = (i, j) => value(changed(facet, [[state.x, i], [state.y, j]]));
      const xs = state.x.values.map(x), ys = state.y.values.map(y);
      for (const level of levels)
        group.append(svg("path", {d: contour(grid, xs, ys, level), fill: "none", stroke: isDark(scale(level)) ? "#fff" : "#000", "stroke-width": 0.8, opacity: 0.5}));
      if (scale.signs) {
        const zero = contour(grid, xs, ys, 0);
        group.append(svg("path", {d: zero, fill: "none", stroke: "#fff", "stroke-width": 4, "stroke-linecap": "round"}),
          svg("path", {d: zero, fill: "none", stroke: "#000", "stroke-width": 2, "stroke-linecap": "round", class: "zero"}));
      }
      if (facet.name) group.append(svg("path", {d: markOf(facet), transform: `translate(${box.left - 38},${box.top - 33})`, fill: colourOf(facet)}),
        svg("text", {x: box.left - 28, y: box.top - 28.5, fill: "var(--ink)", "font-weight": 600, "font-size": 13.5}, facet.name));
      // Black on white, so that it is seen on any colour.
      const cross = (attributes) => [svg("line", {x1: xs[state.at[state.x.place]], x2: xs[state.at[state.x.place]], y1: box.top, y2: box.bottom, ...attributes}),
        svg("line", {x1: box.left, x2: box.right, y1: ys[state.at[state.y.place]], y2: ys[state.at[state.y.place]], ...attributes})];
      const cursor = svg("g", {class: "cursor"}, cross({stroke: "#fff", "stroke-width": 2.4, opacity: 0.75}), cross({stroke: "#000", "stroke-width": 1.2, "stroke-dasharray": "4 4"}));
      group.append(cursor);
      return {group, xs, ys, box};
    };

    const nearest = (list, p) => list.reduce((best, v, i) => Math.abs(v - p) < Math.abs(list[best] - p) ? i : best, 0);
    const readout = html("output", {class: "readout"});
    const drawMap = (width) => {
      const list = facets(), columns = Math.min(list.length, Math.max(1, Math.floor(width / 300)));
      const w = width / columns, h = Math.round(Math.min(Math.max(0.86 * w, 260), 560)), bar = 56;
      const node = F.canvas(width, Math.ceil(list.length / columns) * h + bar, `${state.measure.name} over ${state.x.name} and ${state.y.name}`);
      const scale = colours(...colourRange([...shownValues()])), levels = levelsOf(scale);
      list.forEach((facet, k) => {
        const {group, xs, ys, box} = drawFacet(facet, w, h, scale, levels);
        group.setAttribute("transform", `translate(${(k % columns) * w},${Math.floor(k / columns) * h})`);
        const hit = svg("rect", {x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, fill: "transparent", cursor: "crosshair"});
        const place = (event) => {
          const r = hit.getBoundingClientRect(), q = r.width / (box.right - box.left);
          return [nearest(xs, box.left + (event.clientX - r.left) / q), nearest(ys, box.top + (event.clientY - r.top) / q)];
        };
        hit.addEventListener("pointermove", (event) => {
          const [i, j] = place(event);
          readout.textContent = `${facet.name ? `${facet.name}: ` : ""}${state.x.name} ${carom.short(state.x.values[i])}, ${state.y.name} ${carom.short(state.y.values[j])} → ${number(value(changed(facet, [[state.x, i], [state.y, j]])))} ${state.measure.units ?? ""}`;
        });
        hit.addEventListener("click", (event) => {
          [state.at[state.x.place], state.at[state.y.place]] = place(event);
          fillSliders();
          redraw();
        });
        group.append(hit);
        node.append(group);
      });
      node.append(colourBar(scale, 56, Math.ceil(list.length / columns) * h + 22, Math.min(340, width - 70), text()));
      return node;
    };

    // Curves of all facets along one axis, through the chosen point.
    const drawSlice = (which) => (width) => {
      const axis = state[which], height = 270, box = {left: 62, right: width - 16, top: 26, bottom: height - 42};
      const lines = facets().map((facet) => ({facet, y: axis.values.map((_, i) => value(changed(facet, [[axis, i]])))}));
      const [low, high] = range(lines.flatMap((l) => l.y));
      const x = F.scale(axis.values[0], axis.values[axis.length - 1], box.left, box.right, axis.logarithmic), y = F.scale(...F.padded(low, high), box.bottom, box.top);
      const node = F.canvas(width, height, `${state.measure.name} along ${axis.name}`);
      node.append(F.axes(x, y, {x: label(axis), y: text()}));
      if (axis.place !== undefined && state.y) node.append(svg("line", {class: "cursor", x1: x(axis.values[state.at[axis.place]]), x2: x(axis.values[state.at[axis.place]]), y1: box.top, y2: box.bottom, stroke: "var(--soft)", "stroke-dasharray": "3 3"}));
      for (const {facet, y: list} of lines) {
        const points = list.map((v, i) => [axis.values[i], v]).filter((p) => Number.isFinite(p[1])).map(([a, b]) => [x(a), y(b)]);
        node.append(svg("path", {d: F.path(points), fill: "none", stroke: state.facet ? colourOf(facet) : "var(--curve-1)", "stroke-width": 2, "stroke-linejoin": "round"}));
        if (points.length <= 40) for (const p of points) node.append(svg("path", {d: markOf(facet), transform: `translate(${p.map((v) => v.toFixed(1))}) scale(0.7)`, fill: state.facet ? colourOf(facet) : "var(--curve-1)"}));
      }
      return node;
    };
    const sliceTable = () => {
      const axis = state.x;
      return carom.tables.table({title: `Values along ${axis.name}`, tall: true, rows: axis.values.map((v, i) => ({v, i})), columns: [
        {label: label(axis), value: (r) => r.v, show: (r) => carom.short(r.v)},
        ...facets().map((facet) => ({label: facet.name || text(), value: (r) => value(changed(facet, [[axis, r.i]]))}))]});
    };

    const sliders = html("div", {class: "row sliders"});
    const fillSliders = () => sliders.replaceChildren(...axes.filter((a) => a !== state.facet && a.length > 1 && !(a === state.x && !state.y)).map((axis) => {
      if (isText(axis)) return carom.choice(axis.name, axis.values, axis.values[state.at[axis.place]], (v) => { state.at[axis.place] = axis.values.indexOf(v); redraw(); });
      const shown = html("output", {}, carom.short(axis.values[state.at[axis.place]]));
      const input = html("input", {type: "range", min: 0, max: axis.length - 1, value: state.at[axis.place], "aria-label": axis.name, oninput: () => {
        state.at[axis.place] = Number(input.value);
        shown.textContent = carom.short(axis.values[state.at[axis.place]]);
        redraw();
      }});
      return html("label", {class: "choice"}, html("span", {}, axis.name), input, shown);
    }));

    const chooser = (name, which) => carom.choice(which, numeric.map((a) => a.name), name, (v) => {
      const other = which === "x" ? "y" : "x", axis = numeric.find((a) => a.name === v);
      if (state[other] === axis) state[other] = state[which];
      state[which] = axis;
      build();
    });
    const choices = html("div", {class: "row"});
    const place = html("div", {});
    let frames = [];
    const redraw = () => {
      for (const frame of frames) frame.redraw();
      const table = place.querySelector(".slice-table");
      if (table) table.replaceChildren(sliceTable());
    };
    const everything = html("button", {type: "button", class: "quiet", title: "Copy the whole sweep as CSV", onclick: () => carom.tables.copy(wholeCsv())}, "CSV of all");
    const wholeCsv = () => {
      const total = axes.reduce((n, a) => n * a.length, 1);
      return carom.tables.csv([...axes.map((a) => ({label: a.name, value: (i) => a.values[Math.floor(i / strides[a.place]) % a.length]})),
        ...measures.map((m) => ({label: m.name, value: (i) => m.array[i]}))], Array.from({length: total}, (_, i) => i));
    };
    carom.wholeCsv = wholeCsv;

    const build = () => {
      choices.replaceChildren(...[
        measures.length > 1 ? carom.choice("measure", measures.map((m) => m.name), state.measure.name, (v) => { state.measure = measures.find((m) => m.name === v); build(); }) : html("p", {class: "soft"}, text()),
        numeric.length > 2 || (numeric.length === 2) ? chooser(state.x?.name, "x") : null, numeric.length > 2 ? chooser(state.y?.name, "y") : null,
        texts.length > 1 ? carom.choice("side by side", texts.map((a) => a.name), state.facet?.name, (v) => { state.facet = texts.find((a) => a.name === v); build(); }) : null, everything].filter(Boolean));
      fillSliders();
      frames = [];
      if (!state.x) {
        place.replaceChildren(carom.tables.table({title: text(), rows: facets(), columns: [{label: state.facet.name, text: true, value: (f) => f.name, show: (f) => carom.lawKey(f.name)}, {label: text(), value: (f) => value(changed(f, []))}]}));
        return;
      }
      const legend = () => !state.facet ? null : html("div", {class: "legend"}, facets().map((facet) => html("span", {}, svg("svg", {viewBox: "-7 -7 14 14", width: 12, height: 12, "aria-hidden": "true"}, svg("path", {d: markOf(facet), fill: colourOf(facet)})), facet.name)), html("span", {class: "soft"}, coinciding()));
      const coinciding = () => carom.coincidences(facets().map((facet) => ({law: facet.name, facet})), ({facet}) =>
        [state.x, state.y].filter(Boolean).flatMap((axis) => axis.values.map((_, i) => value(changed(facet, [[axis, i]])))));
      const along = (which) => F.figure({title: `Along ${state[which].name}`, draw: drawSlice(which)});
      if (state.y) {
        const signs = (() => { const [low, high] = range(state.measure.array); return low < 0 && high > 0; })();
        const map = F.figure({title: `${text()} over ${state.x.name} and ${state.y.name}`, draw: drawMap, caption: [signs ? "The thick line is zero; each sign has its own range of colours. " : "", "Thin lines are contours; values off the scale take its end colour. Click to choose the slices (dashed). ", noValue()].join("")});
        map.holder.after(readout);
        frames = [map, along("x"), along("y")];
        place.replaceChildren(map, sliders, ...[legend()].filter(Boolean), html("div", {class: "pair"}, frames[1], frames[2]), html("div", {class: "slice-table"}, sliceTable()));
      } else {
        frames = [along("x")];
        place.replaceChildren(sliders, ...[legend()].filter(Boolean), frames[0], html("div", {class: "slice-table"}, sliceTable()));
      }
    };
    build();
    const left = data.left_out?.length ? carom.note(`Left out, for the size of the page: ${data.left_out.join(", ")}.`) : null;
    return carom.section("map", numeric.length > 1 ? "Map" : "Curves", choices, place, left);
  };

  // ---- Draws without a grid -----------------------------------------------------------------------------------
  const pointSection = (data) => {
    const columns = [...data.axes.map((a) => ({name: a.name, units: a.units, values: a.values, axis: true})),
      ...data.measures.map((m) => ({name: m.name, units: m.units, values: Array.from(carom.column(m.values))}))];
    const numeric = columns.filter((c) => !isText(c)), words = columns.find(isText);
    const measures = columns.filter((c) => !c.axis);
    let x = numeric[0], y = numeric.filter((c) => c.axis)[1] ?? measures[0], colour = measures[0];
    const count = x.values.length;
    const draw = (width) => {
      const height = Math.round(Math.min(Math.max(0.6 * width, 300), 520)), bar = 56, box = {left: 62, right: width - 12, top: 26, bottom: height - 42};
      const sx = F.scale(...F.padded(...range(x.values)), box.left, box.right), sy = F.scale(...F.padded(...range(y.values)), box.bottom, box.top);
      const scale = colours(...colourRange(colour.values));
      const node = F.canvas(width, height + bar, `${y.name} over ${x.name}`);
      node.append(F.axes(sx, sy, {x: label(x), y: label(y)}));
      for (let i = 0; i < count; ++i) {
        if (!Number.isFinite(x.values[i]) || !Number.isFinite(y.values[i])) continue;
        const c = scale(colour.values[i]);
        node.append(svg("path", {d: words ? carom.lawMark(words.values[i]) : carom.marks.circle, transform: `translate(${sx(x.values[i]).toFixed(1)},${sy(y.values[i]).toFixed(1)}) scale(${count > 2000 ? 0.45 : 0.8})`, fill: c ? rgb(c) : "var(--nothing)", stroke: "var(--soft)", "stroke-width": 0.4}));
      }
      node.append(colourBar(scale, 62, height + 22, Math.min(340, width - 76), label(colour)));
      return node;
    };
    const pick = (text, list, chosen, set) => carom.choice(text, list.map((c) => c.name), chosen.name, (v) => { set(list.find((c) => c.name === v)); frame.redraw(); });
    const frame = F.figure({title: "Draws", draw, controls: [pick("x", numeric, x, (c) => { x = c; }), pick("y", numeric, y, (c) => { y = c; }), pick("colour", measures, colour, (c) => { colour = c; })]});
    const rows = Array.from({length: Math.min(count, 1000)}, (_, i) => i);
    const table = carom.tables.table({title: count > 1000 ? "The first 1000 points" : "Every point", tall: true, rows,
      columns: columns.map((c) => ({label: label(c), text: isText(c), value: (i) => c.values[i]}))});
    return carom.section("map", "Points", ...[data.reasons?.length ? carom.note(`Grey: no value (${whyNoValue(data, 0)}).`) : null].filter(Boolean), frame, table);
  };

  return {section: (data) => data.mode === "zip" || data.mode === "sampled" ? pointSection(data) : gridSection(data)};
})();
