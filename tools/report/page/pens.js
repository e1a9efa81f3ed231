// Pens: the same drawing on a canvas and as SVG.
"use strict";

carom.pens = (() => {
  const {svg} = carom;
  const F = carom.figures;

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
      picture: (canvas, {width, height}) => context.drawImage(canvas, 0, 0, width, height),
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
      picture: (canvas, {width, height}) => node.append(svg("image", {href: canvas.toDataURL(), width, height})),
      text: (x, y, text) => node.append(svg("text", {x, y, fill: "var(--soft)"}, text)),
    };
  };

  return {canvasPen, svgPen, colourOf};
})();
