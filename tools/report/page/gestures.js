// What fingers and a mouse do on a picture: drag, drag with Shift or another button, wheel with Ctrl, two fingers.
"use strict";

carom.gestures = (screen, {zoom, pan, turn, reset}) => {
  const down = new Map();  // pointers, by their number
  const at = (event) => {
    const box = screen.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  screen.classList.add("turns");
  screen.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, at(event));
    screen.setPointerCapture(event.pointerId);
  });
  screen.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId)) return;
    const before = [...down.values()], from = down.get(event.pointerId), to = at(event);
    down.set(event.pointerId, to);
    if (before.length === 2) {
      const [a, b] = before, [c, d] = [...down.values()], far = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
      zoom(far(c, d) / (far(a, b) || 1), (c[0] + d[0]) / 2, (c[1] + d[1]) / 2);
      pan((c[0] + d[0] - a[0] - b[0]) / 2, (c[1] + d[1] - a[1] - b[1]) / 2);
    } else {
      const shifts = !turn || event.shiftKey || (event.buttons & 6) !== 0;
      (shifts ? pan : turn)(to[0] - from[0], to[1] - from[1]);
    }
  });
  for (const name of ["pointerup", "pointercancel"]) screen.addEventListener(name, (event) => down.delete(event.pointerId));
  screen.addEventListener("contextmenu", (event) => event.preventDefault());
  // Without Ctrl the wheel moves the page, unless the picture fills the screen.
  screen.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !document.fullscreenElement) return;
    event.preventDefault();
    zoom(Math.exp(-0.0015 * event.deltaY), ...at(event));
  }, {passive: false});
  screen.addEventListener("dblclick", reset);
};
