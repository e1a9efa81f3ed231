// The page from its parts.
"use strict";

(() => {
  const {html, data, number, signed} = carom;
  const root = document.documentElement;

  // ---- Light and dark -------------------------------------------------------------------------------------------
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let wanted = null;  // what the reader chose here; else the system's
  const apply = (theme) => {
    root.dataset.theme = theme ?? wanted ?? (dark.matches ? "dark" : "light");
    document.dispatchEvent(new Event("themechange"));
  };
  apply();
  dark.addEventListener("change", () => apply());
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply());
  const themeSwitch = html("button", {type: "button", class: "quiet", id: "theme", "aria-label": "Switch between light and dark", title: "Light or dark",
    onclick: () => { wanted = root.dataset.theme === "dark" ? "light" : "dark"; apply(); }}, "◐");

  // ---- Heading --------------------------------------------------------------------------------------------------
  const masthead = (title, subtitle, facts) => html("header", {class: "masthead"},
    html("div", {}, html("h1", {}, title), subtitle ? html("p", {class: "subtitle"}, subtitle) : null,
      html("p", {class: "facts"}, facts.filter(Boolean).map((fact) => html("span", {}, fact)))), themeSwitch);

  const source = (title, text) => text ? html("details", {class: "source"}, html("summary", {}, title), html("pre", {tabindex: 0}, text)) : null;
  const foot = () => html("footer", {}, `Made by carom ${data.carom_version ?? ""} from ${data.file}. The page holds its data and needs no network.`);

  // ---- Runs -----------------------------------------------------------------------------------------------------
  const runTable = (runs) => carom.tables.table({title: runs.length > 1 ? "Law by law, through time" : "The run in figures", rows: runs, columns: [
    {label: "law", text: true, value: (r) => r.law, show: (r) => carom.lawKey(r.law)},
    {label: "status", text: true, value: (r) => r.status, show: (r) => html("span", {class: r.status === "complete" ? null : "bad", title: r.status}, r.status.split(":")[0])},
    {label: "t end (s)", value: (r) => r.end, show: (r) => carom.short(r.end)},
    {label: "energy at the start (J)", value: (r) => ends(r, "total")?.[0], show: (r) => number(ends(r, "total")?.[0], energySize(r))},
    {label: "energy at the end (J)", value: (r) => ends(r, "total")?.[1], show: (r) => number(ends(r, "total")?.[1], energySize(r))},
    ...worksOf(runs).map(({name, called}) => ({label: `work: ${called} (J)`, value: (r) => ends(r, name)?.[1], show: (r) => signed(worked(r, name))})),
    {label: "impacts", value: (r) => r.impacts?.count, show: (r) => String(r.impacts?.count ?? "—")},
    {label: "impacts creating energy", value: (r) => r.impacts?.creating_energy, show: (r) => html("span", {class: r.impacts?.creating_energy ? "bad" : null}, String(r.impacts?.creating_energy ?? "—"))},
    {label: "energy created (J)", value: (r) => r.impacts?.energy_created, show: (r) => html("span", {class: r.impacts?.energy_created ? "bad" : null}, number(r.impacts?.energy_created ?? NaN))},
  ]});
  // The ledger's entries, as the program lists them.
  const worksOf = (runs) => runs.find((run) => run.energy)?.energy.works ?? [];
  const columns = new Map();
  const energyColumn = (run, name) => {
    const key = `${run.law}/${name}`;
    if (!columns.has(key)) columns.set(key, carom.column(run.energy[name]));
    return columns.get(key);
  };
  const ends = (run, name) => {
    if (!run.energy) return null;
    const column = energyColumn(run, name);
    return [column[0], column[column.length - 1]];
  };

  // Work that is rounding against the energies it is the difference of is none.
  const energySize = (run) => !run.energy ? 0 : Math.max(...run.energy.energies.map(({name}) => carom.largest(energyColumn(run, name))));
  const worked = (run, name) => {
    const work = ends(run, name)?.[1];
    return work === undefined ? work : carom.snapped(work, energySize(run));
  };
  // The size of the scene: what rounding of lengths is measured by.
  let sceneLength = null;
  const length = () => {
    if (sceneLength !== null) return sceneLength;
    const size = data.drawing?.planar ? 3 : 7, dimension = data.drawing?.planar ? 2 : 3;
    return sceneLength = Math.max(0, ...data.runs.filter((run) => run.motion?.frames).map((run) => carom.largest(carom.column(run.motion.pose).filter((_, i) => i % size < dimension))));
  };

  const marksOf = (runs) => runs.flatMap((run) => (run.impacts?.list ?? []).map((i) => ({time: i.time, bad: !i.energetic})));
  const thinned = (part, noun) => part && part.rows < part.samples ? `${carom.count(part.rows, "point")} of ${carom.count(part.samples, "sample")}, ${noun} kept. ` : "";
  const hintOf = (runs) => {
    const marks = marksOf(runs);
    return `${marks.length === 0 ? "" : `Marks at the bottom are impacts${marks.some((m) => m.bad) ? ", red ones create energy" : ""}. `}Drag to zoom in.`;
  };

  const energySection = (runs) => {
    const logged = runs.filter((run) => run.energy);
    if (logged.length === 0) return null;
    const works = worksOf(logged), budget = `Work since the start: ${works.map(({called, meaning}) => `${called} (${meaning})`).join("; ")}.`;
    const note = thinned(logged[0].energy, "extremes") + hintOf(logged);
    const curve = (run, name, more) => ({name: run.law, law: run.law, colour: carom.lawColour(run.law), x: energyColumn(run, "time"), y: energyColumn(run, name), ...more});
    if (logged.length === 1) {
      const run = logged[0];
      // Colours are the laws': energies of one run differ in weight and dashes.
      const dashes = [null, "8 4", "3 3", "1 4", "6 2 1 2"];
      const parts = run.energy.energies.filter(({name}) => name !== "total");
      const energies = [["total", "total", null, 2.4, "var(--ink)"], ...parts.map(({name, called}, i) => [name, called, [null, "6 4", "3 3"][i % 3], 1.6, "var(--soft)"])];
      const spent = works.map(({name, called}, i) => [name, called, dashes[i % dashes.length], i === 0 ? 2.2 : 1.8, 2 * i < works.length ? "var(--ink)" : "var(--soft)"]);
      const lines = (list) => () => list.map(([name, label, dash, width, colour]) => curve(run, name, {name: label, label, dash, width, colour}));
      // Potential energy has no zero of its own: unless it stays near it, it is counted from the start.
      const level = energyColumn(run, "potential")[0], span = Math.max(...energyColumn(run, "kinetic"));
      let shift = Math.abs(level) > 3 * span ? level : 0;
      const shifted = () => lines(energies)().map((s) => s.name === "kinetic" || shift === 0 ? s : {...s, y: s.y.map((v) => v - shift)});
      const zeros = level === 0 ? [] : [carom.segments("Zero of the potential energy", [{value: level, label: "from the start"}, {value: 0, label: "as logged"}], shift, (v) => { shift = v; upper.redraw(); })];
      const upper = carom.charts.timeChart({title: "Energy", yLabel: "J", series: shifted, marks: () => marksOf([run]), controls: zeros,
        caption: `${level === 0 ? "" : `“From the start”: potential and total energy without the potential energy at the start, ${number(level)} J. `}${note}`});
      return carom.section("energy", "Energy", html("div", {class: "pair"},
        upper,
        carom.charts.timeChart({title: "Energy budget", yLabel: "J", series: lines(spent), marks: () => marksOf([run]), zero: true, kin: () => energySize(run),
          caption: budget})));
    }
    let energy = "total", work = works[0].name;
    const upper = carom.charts.timeChart({title: "Energy by law", yLabel: "J", marks: () => marksOf(logged), caption: note,
      series: () => logged.map((run) => curve(run, energy)),
      controls: [carom.segments("Which energy", logged[0].energy.energies.map(({name, called}) => ({value: name, label: called})), energy, (v) => { energy = v; upper.redraw(); })]});
    const lower = carom.charts.timeChart({title: "Energy budget", yLabel: "J", zero: true, kin: () => Math.max(...logged.map(energySize)), series: () => logged.map((run) => curve(run, work)),
      controls: [carom.segments("Which work", works.map(({name, called}) => ({value: name, label: called})), work, (v) => { work = v; lower.redraw(); })],
      caption: budget});
    return carom.section("energy", "Energy", html("div", {class: "pair"}, upper, lower));
  };

  // How far the bodies of each law are from those of the reference, where both have the same moments.
  const apartSection = (runs) => {
    const moving = runs.filter((run) => run.motion?.frames);
    const reference = moving.find((run) => run.law === data.reference) ?? moving[0];
    if (moving.length < 2) return null;
    const size = data.drawing.planar ? 3 : 7, dimension = data.drawing.planar ? 2 : 3;
    const own = {time: carom.column(reference.motion.time), pose: carom.column(reference.motion.pose)};
    const distance = (run) => {
      const x = carom.column(run.motion.time), pose = carom.column(run.motion.pose);
      if (x.length !== own.time.length || x.some((t, i) => t !== own.time[i])) return null;
      const bodies = pose.length / x.length / size;
      const y = x.map((_, frame) => {
        let most = 0;
        for (let body = 0; body < bodies; ++body) {
          let square = 0;
          for (let k = 0, at = (frame * bodies + body) * size; k < dimension; ++k, ++at) square += (pose[at] - own.pose[at]) ** 2;
          most = Math.max(most, square);
        }
        return Math.sqrt(most);
      });
      return {name: run.law, law: run.law, colour: carom.lawColour(run.law), x, y};
    };
    const curves = moving.filter((run) => run !== reference).map(distance).filter(Boolean);
    return curves.length === 0 ? null : carom.section("apart", "Divergence between laws", carom.charts.timeChart({title: `Distance from ${reference.law}`, yLabel: "m", series: () => curves, zero: true, kin: length,
      caption: `The greatest distance of a body from where ${reference.law} puts it, at the frames of the animation. ${hintOf(moving)}`, marks: () => marksOf(moving)}));
  };

  const contactSection = (runs) => {
    const logged = runs.filter((run) => run.contacts?.list.length);
    if (logged.length === 0) return null;
    const names = [...new Set(logged.flatMap((run) => run.contacts.list.map((c) => c.name)))];
    let name = names[0];
    const unpacked = new Map();
    const of = (run) => {
      const contact = run.contacts.list.find((c) => c.name === name);
      if (!contact) return null;
      const key = `${run.law}/${name}`;
      if (!unpacked.has(key)) {
        const directions = (packed) => {
          const impulse = carom.column(packed);
          return Array.from({length: contact.directions}, (_, k) => impulse.filter((_, i) => i % contact.directions === k));
        };
        unpacked.set(key, {x: carom.column(contact.time), gap: carom.column(contact.gap), impulse: directions(contact.impulse),
          struck: {x: carom.column(contact.impacts.time), impulse: directions(contact.impacts.impulse)}});
      }
      return unpacked.get(key);
    };
    const several = logged.length > 1;
    const series = (parts) => () => logged.flatMap((run) => {
      const contact = of(run);
      return !contact ? [] : parts(contact).map((part) => ({x: contact.x, ...part, law: several ? run.law : null, name: several ? run.law : part.name, label: several && part.events ? `${run.law}, impact` : null, colour: several || !part.colour ? carom.lawColour(run.law) : part.colour}));
    });
    // Of several laws the normal impulses alone.
    const direction = (k, all) => k === 0 ? "normal" : all.length === 2 ? "tangential" : `tangential ${k}`;
    const impulses = (contact) => contact.impulse.slice(0, several ? 1 : undefined).flatMap((y, k, all) => [
      {name: `${direction(k, contact.impulse)}, sampled steps`, y, dash: k ? "3 2" : null, colour: `var(--curve-${k ? 2 : 1})`},
      {name: `${direction(k, contact.impulse)}, impacts`, x: contact.struck.x, y: contact.struck.impulse[k], events: true, colour: `var(--curve-${k ? 4 : 3})`}]);
    const gap = carom.charts.timeChart({title: "Gap", yLabel: "m", height: 240, zero: true, kin: length, series: series((c) => [{name: "", y: c.gap}])});
    const every = Math.max(...logged.map((run) => run.every));
    const listed = logged.every((run) => !run.impacts || run.impacts.list.length === run.impacts.count);
    const impulse = carom.charts.timeChart({title: several ? "Normal impulses" : "Impulses", yLabel: "N s", height: 240, stems: true, series: series(impulses),
      caption: `Stems with a head: ${listed ? "every impact" : "the impacts listed above"}. Without: what the contact carried in a sampled step${every > 1 ? `, one step of ${every}` : ""}.`});
    const total = Math.max(...logged.map((run) => run.contacts.count));
    return carom.section("contacts", "Contacts",
      html("div", {class: "row"}, names.length > 1 ? carom.choice("contact", names, name, (v) => { name = v; gap.redraw(); impulse.redraw(); }) : html("p", {class: "soft"}, names[0]),
        total > names.length ? carom.note(`The ${names.length} contacts with most impacts of ${total}.`) : null),
      html("div", {class: "pair"}, gap, impulse));
  };

  // How deep bodies were in each other.
  const penetrationSection = (runs) => {
    const rows = runs.flatMap((run) => (run.penetration?.list ?? []).map((one) => ({...one, law: run.law})));
    if (rows.length === 0) return null;
    const several = runs.length > 1, left = Math.max(...runs.map((run) => (run.penetration?.count ?? 0) - (run.penetration?.list.length ?? 0)));
    return carom.section("penetration", "Overlap", carom.tables.table({title: "Deepest overlap of each pair", tall: true, rows, columns: [
      ...(several ? [{label: "law", text: true, value: (r) => r.law, show: (r) => carom.lawKey(r.law)}] : []),
      {label: "contact", text: true, value: (r) => r.contact},
      {label: "deepest (m)", value: (r) => r.depth},
      {label: "at t (s)", value: (r) => r.time, show: (r) => carom.short(r.time)},
      {label: "of the smaller body (%)", value: (r) => r.part === null ? NaN : 100 * r.part, show: (r) => r.part === null ? "—" : carom.short(100 * r.part)},
      {label: "deep on end (s)", value: (r) => r.lasted, show: (r) => html("span", {class: r.stays_deep ? "bad" : null}, r.lasted ? carom.short(r.lasted) : "—")}]}),
      left > 0 ? carom.note(`${carom.count(left, "pair")} more, less deep.`) : null);
  };

  // What a run said on the way.
  const logSection = (runs) => {
    const rows = runs.flatMap((run) => (run.log ?? []).map((message) => ({...message, law: run.law})));
    return rows.length === 0 ? null : carom.section("log", "Told by the run", carom.tables.table({title: "Notes and warnings", tall: true, rows, columns: [
      ...(runs.length > 1 ? [{label: "law", text: true, value: (r) => r.law, show: (r) => carom.lawKey(r.law)}] : []),
      {label: "step", value: (r) => r.step, show: (r) => String(r.step)},
      {label: "t (s)", value: (r) => r.time, show: (r) => carom.short(r.time)},
      {label: "", csv: "level", text: true, value: (r) => r.level, show: (r) => html("span", {class: r.level === "note" ? null : "bad"}, r.level)},
      {label: "message", text: true, wraps: true, value: (r) => r.text, show: (r) => carom.prose(r.text)}]}));
  };

  const lawNames = (runs) => runs.map((run) => carom.lawKey(run.law));
  const runFacts = (runs) => {
    const run = runs[0];
    return [html("span", {class: "laws"}, lawNames(runs)), `step ${carom.short(run.step)} s`, `θ ${run.theta}`,
      `t = ${carom.short(run.start)} … ${carom.short(Math.max(...runs.map((r) => r.end)))} s`, carom.count(run.steps, "step"),
      data.match === "energy" ? `each law with the restitution that loses as much energy as ${data.reference}` : data.match ? "same restitution for every law" : null, data.reference ? `reference ${data.reference}` : null];
  };

  // A comparison without time: one impact by several laws.
  const impactPage = () => [masthead(data.about || data.scene || data.file, data.about ? data.scene : "", ["one impact", data.reference ? `reference ${data.reference}` : null]),
    carom.impacts.compared(data.impact, data.matches, []) ?? carom.note("No law has an answer.")];

  // Of many laws the reference and the one that differs most: that creates most energy, else ends with another energy.
  const atFirst = (runs) => {
    const reference = runs.find((run) => run.law === data.reference) ?? runs[0];
    if (runs.length <= 2) return runs.map((run) => run.law);
    const most = (measure) => runs.filter((run) => run !== reference).reduce((a, b) => measure(b) > measure(a) ? b : a);
    const created = (run) => run.impacts?.energy_created ?? 0, apart = (run) => Math.abs((ends(run, "total")?.[1] ?? 0) - (ends(reference, "total")?.[1] ?? 0));
    const largest = created(most(created)), creates = runs.find((run) => run !== reference && created(run) > 0.9 * largest);
    return [reference.law, (largest > 0 ? creates : most(apart)).law];
  };

  const runPage = () => {
    // A run that failed at once has a row, but no curves.
    const all = carom.inOrder(data.runs), runs = all.some((run) => run.samples > 1) ? all.filter((run) => run.samples > 1) : all;
    carom.shown.all = runs.map((run) => run.law);
    carom.shown.laws = new Set(atFirst(runs));
    carom.link.add({words: () => runs.length < 2 ? {} : {laws: [...carom.shown.laws].join(",")},
      take: (words) => { if (words.laws !== undefined) carom.shown.set(carom.shown.all.filter((law) => words.laws.split(",").includes(law))); }});
    return [masthead(data.about || data.scene, data.about ? data.scene : "", runFacts(all)),
      all.some((run) => run.status !== "complete") ? carom.note(`Not complete: ${all.filter((r) => r.status !== "complete").map((r) => `${r.law} ${r.status}`).join("; ")}`) : null,
      html("section", {id: "summary", "aria-label": "Summary"}, runTable(all)),
      runs.length > 1 ? carom.lawButtons() : null,
      carom.impacts.compared(data.impact, data.matches, runs),
      carom.motion.section(runs, data.drawing), apartSection(runs), carom.impacts.section(runs, !data.impact?.results?.length), energySection(runs), contactSection(runs), penetrationSection(runs), logSection(all),
      source("The scene (YAML)", data.scene_yaml)];
  };

  const sweepPage = () => [masthead(data.about || data.scene || data.file, data.about ? data.scene : "a sweep", [
    data.axes.map((axis) => axis.name).join(" × "),
    data.mode === "grid" ? `${data.axes.map((a) => a.length).join(" × ")} grid` : carom.count(data.axes[0].length, "point"),
    carom.count(data.measures.length, "measure"),
    data.reasons?.length ? `${carom.count(data.reasons.reduce((sum, r) => sum + r.points, 0), "point")} without a value` : null]),
    data.status && data.status !== "complete" ? carom.note(`The sweep is not complete: ${data.status}.`) : null,
    carom.maps.section(data), source("The sweep (YAML)", data.sweep_yaml), source("The scene (YAML)", data.scene_yaml)];

  document.title = `${data.about || data.scene || data.file} · carom`;
  document.getElementById("page").replaceChildren(...(data.kind === "sweep" ? sweepPage() : data.runs.length === 0 ? impactPage() : runPage()).filter(Boolean), foot());
  carom.link.take();
})();
