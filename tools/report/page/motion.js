// The motion: bodies where the run put them, every law in its colour, paths of chosen points, impulses as arrows. What
// is looked at can be zoomed, shifted, turned and followed.
"use strict";

carom.motion = (() => {
  const {html, svg} = carom, {canvasPen, svgPen} = carom.pens, {track, bodiesThatMove, boundsOf, planesReachedInto} = carom.poses;
  const F = carom.figures, {drawPlane, drawShape, drawSpring, drawScaleBar} = carom.shapes;

  // ---- One moment ---------------------------------------------------------------------------------------------
  const paths = new Map();  // of chosen points: name → one list of points a track
  const pathOf = (tracks, point) => {
    if (!paths.has(point.name)) {
      paths.set(point.name, tracks.map((t) => Array.from(t.time, (_, frame) => t.atFrame(frame, point.body, point.at))));
    }
    return paths.get(point.name);
  };

  const drawPath = (pen, view, tracks, time, point) => {
    const lists = pathOf(tracks, point);
    tracks.forEach((t, k) => {
      if (!carom.shown.has(t.run.law)) return;
      const colour = carom.lawColour(t.run.law), until = carom.charts.lowerBound(t.time, time);
      pen.lines(lists[k].map(view.pixel), {stroke: colour, width: 1, alpha: 0.28});
      const now = t.at(point.body, point.at);
      pen.lines([...lists[k].slice(0, until), now].map(view.pixel), {stroke: colour, width: 1.8, alpha: 0.85});
      const [x, y] = view.pixel(now);
      pen.circle(x, y, 3.2, {fill: colour});
    });
  };

  const drawGround = (pen, view, drawing, first) => {
    for (const shape of drawing.shapes)
      if (shape.kind === "plane") drawPlane(pen, view, first.at(shape.body, shape.at), first.direction(shape.body, shape.normal), drawing.reached.has(shape));
  };

  const drawLinks = (pen, view, drawing, t, colour) => {
    for (const line of drawing.lines) {
      const ends = [line.a, line.b].map((p) => view.pixel(t.at(p.body, p.at)));
      if (line.kind === "spring") drawSpring(pen, ...ends, {stroke: colour, width: 1.4});
      else pen.lines(ends, {stroke: colour, width: 1.6});
    }
    for (const joint of drawing.joints) {
      const [x, y] = view.pixel(t.at(joint.body, joint.at));
      pen.circle(x, y, 3.2, {fill: "var(--paper)", stroke: joint.body < 0 ? "var(--ink)" : colour, width: 1.5});
    }
  };

  // Which way x, y and z point.
  const drawAxes = (pen, view) => {
    const origin = [view.width - 44, view.height - 40];
    ["x", "y", "z"].forEach((name, k) => {
      const [x, y] = view.turned([0, 1, 2].map((i) => i === k ? 1 : 0));
      const tip = [origin[0] + 26 * x, origin[1] - 26 * y];
      pen.lines([origin, tip], {stroke: "var(--soft)", width: 1.4});
      pen.text(tip[0] + 6 * x - 3, tip[1] - 6 * y + 4, name);
    });
  };

  const drawMoment = (pen, scene, time) => {
    const {view, drawing, tracks, movers, chosen, solids} = scene;
    for (const t of tracks) t.set(time);
    const shown = tracks.filter((t) => carom.shown.has(t.run.law)), first = tracks[0];
    view.aim((body) => (shown[0] ?? first).at(body, [0, 0, 0]));
    if (drawing.planar) drawGround(pen, view, drawing, first);
    else if (solids) pen.picture(solids.draw(view, floorsOf(drawing, first), shown.map((t, i) => ({track: t, alpha: i === 0 ? 1 : 0.5, colour: (shape) => movers.has(shape.body) ? carom.lawColour(t.run.law) : "var(--still)"}))), view);
    for (const point of chosen) drawPath(pen, view, tracks, time, point);
    for (const t of shown) {
      const colour = carom.lawColour(t.run.law), style = {fill: colour, stroke: colour, fillAlpha: shown.length > 1 ? 0.13 : 0.2};
      for (const shape of drawing.planar ? drawing.shapes.filter((s) => s.kind !== "plane") : []) {
        if (movers.has(shape.body)) drawShape(pen, view, t, shape, style);
        else if (t === shown[0]) drawShape(pen, view, t, shape, {fill: "var(--ground)", stroke: "var(--soft)"});
      }
      drawLinks(pen, view, drawing, t, drawing.planar ? colour : "var(--ink)");
    }
    if (!drawing.planar) drawAxes(pen, view);
    drawScaleBar(pen, view);
  };

  const floorsOf = (drawing, track) => drawing.shapes.filter((shape) => shape.kind === "plane")
    .map((shape) => ({at: track.at(shape.body, shape.at), normal: track.direction(shape.body, shape.normal)}));

  const icons = {full: "M2,2H7V4H4V7H2ZM9,2H14V7H12V4H9ZM2,9H4V12H7V14H2ZM12,9H14V14H9V12H12Z", play: "M4,2L14,8L4,14Z", pause: "M4,2H7V14H4ZM9,2H12V14H9Z", before: "M3,2H5V14H3ZM14,2L6,8L14,14Z", next: "M11,2H13V14H11ZM2,2L10,8L2,14Z"};
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
    const bounds = boundsOf(tracks, drawing), view = carom.view.make(drawing, bounds, floorsOf(drawing, tracks[0]));
    drawing.reached = planesReachedInto(tracks, drawing, view.span);
    const few = drawing.bodies.length <= 12;
    const telling = /\.(end|top-left|corner\+\+\+|vertex-1)$/;  // of a rod its end, of a block a corner: they turn with it
    const movers = bodiesThatMove(tracks), movingPoints = drawing.points.filter((p) => movers.has(p.body));
    const last = movingPoints.findLast((p) => telling.test(p.name)) ?? movingPoints.findLast((p) => !p.name.includes("."));
    const chosen = few && last ? [last] : [];
    const scene = {view, drawing, tracks, movers, chosen, solids: drawing.planar ? null : carom.space.make(drawing, view.span)};
    let time = start, playing = false, shownAt = null;
    const speed = speeds(Math.max(end - start, 1e-9));
    let pace = speed.own;

    const screen = html("canvas", {tabindex: 0, role: "img", id: "screen",
      "aria-label": `The system in motion. Space plays and stops, arrow keys ${drawing.planar ? "step" : "turn the view"}, + and - zoom, 0 shows all, F fills the screen.`});
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
      drawMoment(canvasPen(context), scene, time);
      slider.value = Math.round((time - start) / (end - start || 1) * 10000);
      clock.textContent = `${carom.number(time)} s`;
      slider.setAttribute("aria-valuetext", `${carom.number(time)} seconds`);
    };
    carom.clock.listeners.push((t) => { time = Math.min(end, Math.max(start, t)); draw(); });

    const stop = () => {
      if (playing) carom.link.keep();
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

    const redraw = () => { draw(); carom.link.keep(); };
    const back = () => { view.reset(); follow.querySelector("select").value = ""; redraw(); };
    const fill = () => document.fullscreenElement ? document.exitFullscreen() : frame.requestFullscreen?.();
    const follow = carom.choice("follow", [{value: "", label: "nothing"}, ...[...movers].slice(0, 600).map((b) => drawing.bodies[b])], "", (name) => {
      view.follow = drawing.bodies.indexOf(name);
      view.shift = [0, 0, 0];
      redraw();
    });
    carom.gestures(screen, {
      zoom: (factor, x, y) => { view.zoomBy(factor, x, y); redraw(); },
      pan: (dx, dy) => { view.pan(dx, dy); redraw(); },
      turn: drawing.planar ? null : (dx, dy) => { view.turn(0.008 * dx, 0.008 * dy); redraw(); },
      reset: back,
    });
    const keys = {" ": () => playing ? stop() : go(), "+": () => view.zoomBy(1.25), "=": () => view.zoomBy(1.25), "-": () => view.zoomBy(0.8), 0: back, f: fill, ",": () => step(-1), ".": () => step(1)};
    screen.addEventListener("keydown", (event) => {
      const turn = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (turn && event.shiftKey) view.pan(-40 * turn[0], 40 * turn[1]);
      else if (turn && drawing.planar) { stop(); carom.clock.set(time + (turn[0] + turn[1]) * (end - start) / 200); }
      else if (turn) view.turn(-0.1 * turn[0], 0.1 * turn[1]);
      else if (keys[event.key]) keys[event.key]();
      else return;
      event.preventDefault();
      redraw();
    });
    const button = (label, title, onclick) => html("button", {type: "button", class: "quiet", title, "aria-label": title, onclick}, label);
    const tools = html("div", {class: "tools"}, button("+", "Closer", () => { view.zoomBy(1.25); redraw(); }), button("−", "Farther", () => { view.zoomBy(0.8); redraw(); }),
      button("⌂", "Show all", back), button(icon("full"), "Fill the screen", fill));

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

    const picture = () => {
      const node = F.canvas(view.width, view.height, "The system");
      const clip = svg("clipPath", {id: "screen-clip"}, svg("rect", {width: view.width, height: view.height}));
      const group = svg("g", {"clip-path": "url(#screen-clip)"});
      node.append(clip, group);
      drawMoment(svgPen(group), scene, time);
      return node;
    };
    const thinned = moving[0].motion.frames < moving[0].motion.samples;
    const left = drawing.body_count - drawing.bodies.length;
    const frame = F.figure({title: "The system", picture, controls: [points, chips, follow], caption: [
      `Drag to ${drawing.planar ? "shift" : "turn, with Shift to shift"}, Ctrl and wheel or two fingers to zoom; what is shown is kept in the link. `,
      !drawing.planar && !scene.solids ? "This browser draws no solids (no WebGL 2). " : "",
      left > 0 ? `${drawing.bodies.length} of ${drawing.body_count} bodies are drawn. ` : "",
      thinned ? `${carom.count(moving[0].motion.frames, "frame")} of ${carom.count(moving[0].motion.samples, "sample")}; between frames bodies move along straight lines.` : ""].join("") || null});
    holder.append(tools);
    frame.holder.append(holder,
      html("div", {class: "player"},
        html("button", {type: "button", class: "quiet", title: "To the impact before", "aria-label": "To the impact before", onclick: () => step(-1)}, icon("before")), play,
        html("button", {type: "button", class: "quiet", title: "To the next impact", "aria-label": "To the next impact", onclick: () => step(1)}, icon("next")),
        html("div", {class: "scrub"}, slider, rug), clock,
        carom.choice("speed", speed.list.map((s) => ({value: String(s), label: `× ${Number(s.toPrecision(2))}`})), String(speed.own), (s) => { pace = Number(s); })));

    const resize = () => {
      const width = Math.floor(holder.clientWidth);
      if (width === 0 || width === view.width) return;
      const [w, h] = [bounds.high[0] - bounds.low[0], bounds.high[1] - bounds.low[1]];
      const shape = drawing.planar ? h / Math.max(w, 1e-9) : 0.62, full = document.fullscreenElement === frame;
      view.fit(width, full ? innerHeight - 150 : Math.round(Math.min(Math.max(width * Math.min(shape, 0.62) + 64, 190), 620)));
      screen.style.height = `${view.height}px`;
      draw();
    };
    new ResizeObserver(resize).observe(holder);
    document.addEventListener("themechange", draw);
    carom.shown.listeners.push(draw);
    carom.link.add({
      words: () => ({...view.words(), ...(time > start ? {t: String(Number(time.toPrecision(8)))} : {})}),
      take: (words) => {
        view.take(words);
        follow.querySelector("select").value = drawing.bodies[view.follow] ?? "";
        if (words.t !== undefined && Number.isFinite(Number(words.t))) carom.clock.set(Number(words.t));
      },
    });
    // Of a film: `count` pictures spread over the run, or the one of now; PNG, as data URLs.
    carom.frames = (count, width, height) => {
      view.fit(width, height);
      Object.assign(screen, {width, height});
      const context = screen.getContext("2d"), now = time;
      return Array.from({length: count}, (_, k) => {
        context.fillStyle = carom.pens.colourOf("var(--card)");
        context.fillRect(0, 0, width, height);
        drawMoment(canvasPen(context), scene, count === 1 ? now : start + (end - start) * k / (count - 1));
        return screen.toDataURL("image/png");
      });
    };
    carom.clock.time = start;
    return carom.section("motion", "Motion", frame);
  };

  return {section};
})();
