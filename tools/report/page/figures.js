// Figures: scales, ticks and axes in SVG, a frame that redraws at the width there is and saves what it shows.
"use strict";

carom.figures = (() => {
  const {svg, html} = carom;

  // Steps of 1, 2 or 5 times a power of ten.
  const ticks = (low, high, most) => {
    const span = high - low;
    if (!(span > 0)) return {values: [low], step: Math.abs(low) || 1};
    const raw = span / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999);
    const values = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) values.push(k * step);
    return {values, step};
  };

  const powers = (low, high) => {
    const values = [];
    for (let k = Math.ceil(Math.log10(low) - 1e-9); k <= Math.log10(high) + 1e-9; ++k) values.push(10 ** k);
    return values;
  };

  // A map from values to pixels, linear or logarithmic.
  const scale = (low, high, from, to, logarithmic = false) => {
    const f = logarithmic ? Math.log10 : (x) => x;
    const a = f(low), b = f(high) === f(low) ? f(low) + 1 : f(high);
    const map = (x) => from + (f(x) - a) / (b - a) * (to - from);
    map.back = (p) => {
      const x = a + (p - from) / (to - from) * (b - a);
      return logarithmic ? 10 ** x : x;
    };
    Object.assign(map, {low, high, from, to, logarithmic});
    return map;
  };

  // Room around values, so that curves do not touch the frame; where they are all alike, a part of their kin.
  const padded = (low, high, share = 0.06, kin = 0) => {
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
    const room = (high - low) * share || Math.abs(low) * 0.1 || kin * 0.1 || 1;
    return [low - room, high + room];
  };

  const ticksOf = (map, most) => {
    if (!map.logarithmic) return ticks(Math.min(map.low, map.high), Math.max(map.low, map.high), most);
    const values = powers(map.low, map.high);
    return values.length >= 2 ? {values, step: null} : {values: [map.low, map.high], step: null};
  };
  const tickText = (x, step) => {
    if (step !== null) return carom.tick(x, step);
    const power = Math.log10(x);
    return Math.abs(power - Math.round(power)) < 1e-9 ? `10${carom.raised(String(Math.round(power)))}` : carom.number(x);
  };

  // Axes on the left and at the bottom of a box, with faint lines across unless something lies there.
  const axes = (x, y, labels, lines = true) => {
    const group = svg("g", {class: "axes"});
    const [left, right, top, bottom] = [x.from, x.to, y.to, y.from];
    const tx = ticksOf(x, Math.max(2, Math.floor((right - left) / 64))), ty = ticksOf(y, Math.max(2, Math.floor((bottom - top) / 42)));
    for (const v of ty.values) {
      group.append(lines ? svg("line", {x1: left, x2: right, y1: y(v), y2: y(v), stroke: "var(--rule)", "stroke-width": 1}) : "",
        svg("text", {x: left - 7, y: y(v) + 4, "text-anchor": "end", fill: "var(--soft)"}, tickText(v, ty.step)));
    }
    for (const v of tx.values) {
      group.append(svg("line", {x1: x(v), x2: x(v), y1: bottom, y2: bottom + 4, stroke: "var(--soft)"}),
        svg("text", {x: x(v), y: bottom + 18, "text-anchor": "middle", fill: "var(--soft)"}, tickText(v, tx.step)));
    }
    group.append(svg("line", {x1: left, x2: right, y1: bottom, y2: bottom, stroke: "var(--soft)"}));
    if (lines && y.low < 0 && y.high > 0 && !y.logarithmic)
      group.append(svg("line", {x1: left, x2: right, y1: y(0), y2: y(0), stroke: "var(--soft)", "stroke-width": 1}));
    if (labels.x) group.append(svg("text", {x: right, y: bottom + 34, "text-anchor": "end", fill: "var(--ink)"}, labels.x));
    if (labels.y) group.append(svg("text", {x: Math.max(2, left - 44), y: top - 9, fill: "var(--ink)"}, labels.y));
    return group;
  };

  // Text with subscripts: "Λ_N" is drawn with a lowered N.
  const mathText = (attributes, text) => {
    const node = svg("text", attributes);
    for (const part of text.split(/(_[A-Za-z0-9]+)/)) {
      if (!part.startsWith("_")) node.append(part);
      else node.append(svg("tspan", {dy: "0.3em", "font-size": "0.75em"}, part.slice(1)), svg("tspan", {dy: "-0.22em"}, "\u200b"));
    }
    return node;
  };

  // How wide words are in a figure, in the font of `canvas`.
  const fontFamily = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";
  const widthOf = (() => {
    const context = document.createElement("canvas").getContext("2d");
    return (words, size) => {
      context.font = `${size}px ${fontFamily}`;
      return context.measureText(words.replace("_", "")).width;
    };
  })();

  const path = (points, close = false) =>
    points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)},${y.toFixed(2)}`).join("") + (close ? "Z" : "");

  // ---- Saving -------------------------------------------------------------------------------------------------
  const resolved = (text) => {
    const style = getComputedStyle(document.documentElement);
    return text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  };
  const fileName = (title) => `${carom.data.scene || "carom"}-${title}`.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const svgText = (node) => {
    const copy = node.cloneNode(true);
    for (const hidden of copy.querySelectorAll(".cursor")) hidden.remove();
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    const box = node.viewBox.baseVal;
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    copy.insertBefore(svg("rect", {x: box.x, y: box.y, width: box.width, height: box.height, fill: "var(--paper)"}), copy.firstChild);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${resolved(new XMLSerializer().serializeToString(copy))}\n`;
  };
  const download = (name, url) => {
    const link = html("a", {href: url, download: name});
    document.body.append(link);
    link.click();
    link.remove();
  };
  const save = (name, type, text) => {
    const url = URL.createObjectURL(new Blob([text], {type}));
    download(name, url);
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  // As a data URL, three pixels a point: enough for print.
  const asPng = (text) => new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const picture = html("canvas", {width: 3 * image.width, height: 3 * image.height}), context = picture.getContext("2d");
      context.scale(3, 3);
      context.drawImage(image, 0, 0);
      resolve(picture.toDataURL("image/png"));
    };
    image.onerror = reject;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });

  const canvas = (width, height, label) =>
    svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label,
      "font-family": fontFamily, "font-size": 12.5});

  const narrowest = 120;  // below, a page is on its way from one layout to another

  // A figure that draws itself: `draw(width)` returns an <svg>; called again when the width or what it shows changes.
  const figure = ({title, draw, controls = [], caption = null, picture = null}) => {
    const holder = html("div", {class: "drawing"});
    const frame = html("figure", {class: "figure"},
      html("div", {class: "figure-head"}, html("h3", {}, title), html("div", {class: "controls"}, controls,
        html("button", {type: "button", class: "quiet", title: `Save “${title}” as SVG`, onclick: () =>
          save(`${fileName(title)}.svg`, "image/svg+xml", frame.svgText())}, "SVG"),
        html("button", {type: "button", class: "quiet", title: `Keep “${title}” as PNG`, onclick: () =>
          asPng(frame.svgText()).then((url) => download(`${fileName(title)}.png`, url))}, "PNG"))),
      holder, caption ? html("figcaption", {}, caption) : null);
    let width = 0;
    frame.redraw = () => {
      if (width > 0) holder.replaceChildren(draw(width));
    };
    frame.svgText = () => svgText(picture ? picture() : holder.querySelector("svg"));
    if (draw) {
      carom.shown.listeners.push(() => frame.redraw());
      new ResizeObserver(() => {
        const now = Math.floor(holder.clientWidth);
        if (now >= narrowest && now !== width) {
          width = now;
          frame.redraw();
        }
      }).observe(holder);
    }
    frame.holder = holder;
    return frame;
  };

  return {ticks, scale, padded, axes, mathText, widthOf, path, canvas, figure, save, asPng, svgText, fileName};
})();
