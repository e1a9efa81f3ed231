// What every part of the page uses: the data, elements, figures as text, colours of the laws, the common time.
"use strict";

const carom = {data: JSON.parse(document.getElementById("data").textContent)};

// ---- Columns: {"f64": base64} or {"f32": base64}, little-endian -----------------------------------------------
carom.column = (packed) => {
  const text = atob(packed.f64 ?? packed.f32);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return packed.f64 !== undefined ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
};

// ---- Elements -------------------------------------------------------------------------------------------------
carom.fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
};
carom.html = (tag, attributes, ...children) => carom.fill(document.createElement(tag), attributes, children);
carom.svg = (tag, attributes, ...children) =>
  carom.fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// ---- Figures as text ------------------------------------------------------------------------------------------
// Four decimals where they say something, otherwise four significant digits; a true minus sign. What is rounding
// against the size of its kin is zero.
carom.number = (given, kin = 0) => {
  if (given === null || given === undefined || Number.isNaN(given)) return "—";
  const x = carom.snapped(given, kin);
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  return carom.typeset(size === 0 ? "0" : size >= 1e-3 && size < 1e5 ? x.toFixed(size < 100 ? 4 : size < 1e4 ? 2 : 1) : x.toExponential(3));
};
// A number as JavaScript writes it, with a true minus sign and a raised power of ten.
carom.typeset = (text) => text.replace(/^-/, "−").replace(/e([+-]?)(\d+)/, (_, sign, power) => `·10${carom.raised((sign === "-" ? "−" : "") + power)}`);
// Sentences of the program, with true minus signs before their numbers.
carom.prose = (text) => text.replace(/(^|[\s(=<>,])-(?=[\d.])/g, "$1−");
carom.snapped = (x, size) => Math.abs(x) <= 1e-12 * Math.abs(size) ? 0 : x;
carom.short = (x) => carom.typeset(String(Number(x.toPrecision(6))));
carom.signed = (x, kin = 0) => (carom.snapped(x, kin) > 0 ? "+" : "") + carom.number(x, kin);
carom.vector = (values, kin = 0) => values.length === 1 ? carom.number(values[0], kin) : `(${[...values].map((v) => carom.number(v, kin)).join(", ")})`;
carom.largest = (values) => values.reduce((most, v) => Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most, 0);
carom.raised = (text) => [...text].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻").join("");
// Short, for ticks: no more digits than the step between them asks for.
carom.tick = (x, step) => {
  if (Math.abs(x) < 1e-12 * Math.abs(step) || x === 0) return "0";
  const size = Math.max(Math.abs(x), Math.abs(step));
  if (size >= 1e5 || size < 1e-3) {
    const power = Math.floor(Math.log10(Math.abs(x)) + 1e-9);
    const digits = Math.max(0, power - Math.floor(Math.log10(step) + 1e-9));
    return `${(x / 10 ** power).toFixed(digits)}·10${carom.raised(String(power))}`.replace("-", "−");
  }
  return x.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))).replace("-", "−");
};
carom.count = (n, noun) => `${n.toLocaleString("en").replace(/,/g, " ")} ${noun}${n === 1 ? "" : "s"}`;

// ---- Laws -----------------------------------------------------------------------------------------------------
// One colour and one mark a law, everywhere; colours are apart for the colour-blind, marks for print.
carom.laws = ["inelastic", "moreau", "newton", "poisson", "stronge", "poisson-routh", "newton-routh", "sequential",
              "restitution-matrix", "compliant"];
// A law that is not in the list, or another word that needs a colour, gets the next place.
carom.lawIndex = (law) => {
  for (const name of [law, /^[a-z-]*/.exec(law)[0]]) if (carom.laws.includes(name)) return carom.laws.indexOf(name);
  return carom.laws.push(law) - 1;
};
carom.inOrder = (list) => [...list].sort((a, b) => carom.lawIndex(a.law) - carom.lawIndex(b.law));  // of laws, in every table
// Laws that coincide: "newton and sequential coincide."
carom.coincidences = (answers, valuesOf) => {
  const groups = [];
  for (const answer of answers) {
    const values = valuesOf(answer), size = carom.largest(values);
    const same = groups.find((g) => g.values.every((v, k) => Math.abs(v - values[k]) <= 1e-9 * size));
    if (same) same.laws.push(answer.law); else groups.push({values, laws: [answer.law]});
  }
  return groups.filter((g) => g.laws.length > 1).map((g) => ` ${g.laws.slice(0, -1).join(", ")} and ${g.laws[g.laws.length - 1]} coincide.`).join("");
};
carom.lawColour = (law) => `var(--law-${carom.lawIndex(law) % 10})`;
carom.marks = {
  circle: "M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0Z",
  square: "M-4,-4H4V4H-4Z",
  diamond: "M0,-5.5L5.5,0L0,5.5L-5.5,0Z",
  up: "M0,-5.2L5.2,4.2H-5.2Z",
  down: "M0,5.2L5.2,-4.2H-5.2Z",
  plus: "M-1.6,-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6Z",
  left: "M-5.2,0L4.2,-5.2V5.2Z",
  right: "M5.2,0L-4.2,-5.2V5.2Z",
  hexagon: "M-5,0L-2.5,-4.4H2.5L5,0L2.5,4.4H-2.5Z",
  cross: "M-5,-2.7L-2.7,-5L0,-2.3L2.7,-5L5,-2.7L2.3,0L5,2.7L2.7,5L0,2.3L-2.7,5L-5,2.7L-2.3,0Z",
};
carom.lawMark = (law) => Object.values(carom.marks)[
  [1, 2, 3, 0, 4, 6, 7, 5, 8, 9][carom.lawIndex(law) % 10]];
carom.lawKey = (law) => carom.html("span", {class: "law"},
  carom.svg("svg", {viewBox: "-7 -7 14 14", width: 12, height: 12, "aria-hidden": "true"},
    carom.svg("path", {d: carom.lawMark(law), fill: carom.lawColour(law)})), law);

carom.verdict = (impact) => {
  const words = [];
  if (!impact.energetic)
    words.push(impact.T_minus > 0 ? `creates energy (+${(100 * impact.work / impact.T_minus).toFixed(0)} %)` : "creates energy");
  if (!impact.kinematic) words.push("still approaches");
  if (!impact.kinetic) words.push("impulse outside its set");
  return words.length ? words.join(", ") : "consistent";
};
carom.isConsistent = (impact) => impact.energetic && impact.kinematic && impact.kinetic;
carom.verdictMark = (impact) => carom.html("span", {class: carom.isConsistent(impact) ? "good" : "bad"}, carom.verdict(impact));

// ---- Time, common to the animation and the curves -------------------------------------------------------------
carom.clock = {
  time: null,
  listeners: [],
  set(time) {
    this.time = time;
    for (const listener of this.listeners) listener(time);
  },
};

// ---- The laws that are shown, in every figure of the page ------------------------------------------------------
carom.shown = {
  all: [],
  laws: new Set(),
  listeners: [],
  has(law) { return !this.all.includes(law) || this.laws.has(law); },
  set(laws) {
    this.laws = new Set(laws);
    for (const listener of this.listeners) listener();
    carom.link.keep();
  },
  toggle(law) { this.set(this.all.filter((other) => this.laws.has(other) !== (other === law))); },
};
carom.lawButtons = () => {
  const buttons = carom.shown.all.map((law) => carom.html("button", {type: "button", onclick: () => carom.shown.toggle(law)}, carom.lawKey(law)));
  const press = () => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(carom.shown.laws.has(carom.shown.all[i]))));
  carom.shown.listeners.push(press);
  press();
  return carom.html("div", {class: "legend law-choice", role: "group", "aria-label": "Laws that are shown"}, carom.html("span", {class: "soft"}, "shown:"), buttons,
    carom.html("button", {type: "button", class: "quiet", onclick: () => carom.shown.set(carom.shown.all)}, "all"));
};

// ---- The link: what the reader chose stands behind its # --------------------------------------------------------
carom.link = {
  parts: [],
  later: null,
  add(part) { this.parts.push(part); },
  keep() {
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      const words = new URLSearchParams(Object.assign({}, ...this.parts.map((part) => part.words())));
      history.replaceState(null, "", `#${words}`);
    }, 200);
  },
  take() {
    const words = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (Object.keys(words).length > 0) for (const part of this.parts) part.take(words);
    // Asked for pictures alone: these are the page then.
    if (words.frames) document.body.replaceChildren(...carom.frames(Number(words.frames), ...words.size.split(",").map(Number)).map((url) => carom.html("p", {}, url)));
  },
};

// ---- Controls -------------------------------------------------------------------------------------------------
carom.choice = (label, options, chosen, onchange) => {
  const select = carom.html("select", {onchange: () => onchange(select.value)},
    options.map((o) => carom.html("option", {value: o.value ?? o, selected: (o.value ?? o) === chosen}, o.label ?? o)));
  return carom.html("label", {class: "choice"}, carom.html("span", {}, label), select);
};
// Buttons of which one is pressed.
carom.segments = (label, options, chosen, onchange) => {
  const buttons = options.map((o) => carom.html("button", {type: "button", "aria-pressed": String(o.value === chosen),
    onclick: () => {
      for (const b of buttons) b.setAttribute("aria-pressed", String(b === buttons[options.indexOf(o)]));
      onchange(o.value);
    }}, o.label));
  return carom.html("div", {class: "segments", role: "group", "aria-label": label}, buttons);
};
carom.section = (id, title, ...children) =>
  carom.html("section", {id, "aria-labelledby": `${id}-title`}, carom.html("h2", {id: `${id}-title`}, title), children);
carom.note = (...text) => carom.html("p", {class: "note"}, text);
