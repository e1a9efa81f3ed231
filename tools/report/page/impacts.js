// Impacts: one row each, with its verdict; a chosen one is shown with the answer of every law.
"use strict";

carom.impacts = (() => {
  const {html, svg, number, signed} = carom;
  const F = carom.figures;

  const who = (impact) => impact.elements.slice(0, 3).map((e) => `${e.name} ${e.state}`).join(", ") +
    (impact.count > 3 ? ` and ${impact.count - 3} more` : "");

  // What rounding is measured by: speeds before the impact, impulses, and energies of all impacts listed.
  const speed = (impact) => carom.largest(impact.elements.flatMap((e) => [...e.before]));
  const push = (impact) => carom.largest(impact.elements.flatMap((e) => [...e.impulse]));

  // The element that is struck hardest: velocities and impulse of a row belong to it.
  const struck = (impact) => impact.elements.reduce((a, b) => b.before[0] < a.before[0] ? b : a);

  const tableOf = (rows, several, onselect, controls, energy = carom.largest(rows.map((i) => i.T_minus))) => carom.tables.table({
    title: "Every impact", tall: true, rows, onselect, controls, rowClass: (i) => carom.isConsistent(i) ? null : "doubtful",
    columns: [
      ...(several ? [{label: "law", text: true, value: (i) => i.law, show: (i) => carom.lawKey(i.law)}] : []),
      {label: "impact", value: (i) => i.impact, show: (i) => String(i.impact)},
      {label: "t (s)", value: (i) => i.time},
      {label: "at", text: true, narrow: true, value: who},
      {label: "γ_N⁻ (m/s)", csv: "normal velocity before", value: (i) => struck(i).before[0],
        show: (i) => number(struck(i).before[0], speed(i))},
      {label: "γ_N⁺ (m/s)", csv: "normal velocity after", value: (i) => struck(i).after[0],
        show: (i) => number(struck(i).after[0], speed(i))},
      {label: "Λ_N (N\u00a0s)", csv: "normal impulse", value: (i) => struck(i).impulse[0],
        show: (i) => number(struck(i).impulse[0], push(i))},
      {label: "T⁻ (J)", value: (i) => i.T_minus, show: (i) => number(i.T_minus, energy)},
      {label: "T⁺ (J)", value: (i) => i.T_plus, show: (i) => number(i.T_plus, energy)},
      {label: "work (J)", value: (i) => i.work, show: (i) => signed(i.work, i.T_minus)},
      {label: "verdict", text: true, wraps: true, value: carom.verdict, show: carom.verdictMark},
    ].map((c) => ({...c, head: subscripted(c.label)})),
  });

  // "γ_N⁺" with a lowered N.
  const subscripted = (label) => html("span", {}, ...label.split(/(_[A-Za-z0-9]+)/).map((part) => part.startsWith("_") ? html("sub", {}, part.slice(1)) : part));

  // ---- One impact ---------------------------------------------------------------------------------------------
  const elementText = (e) => {
    const parts = [e.name];
    if (e.restitution !== undefined) parts.push(`ε ${carom.short(e.restitution)}`);
    if (e.friction?.some((mu) => mu > 0)) parts.push(`μ ${e.friction.every((mu) => mu === e.friction[0]) ? carom.short(e.friction[0]) : `(${e.friction.map(carom.short).join(", ")})`}`);
    if (e.tangential_restitution) parts.push(`ε_T ${carom.short(e.tangential_restitution)}`);
    return `${e.kind === "clutch" ? "clutch " : ""}${parts.join(" ")}`;
  };

  // Energy after the impact, law by law, against that before it.
  const energyFigure = (detail) => {
    const answers = carom.inOrder(detail.laws.filter((a) => a.elements));
    const draw = (width) => {
      const row = 27, left = Math.min(164, 0.42 * width), top = 30, height = top + answers.length * row + 34;
      const node = F.canvas(width, height, "Kinetic energy after the impact by law");
      const most = Math.max(detail.T_minus, ...answers.map((a) => a.T_plus)) || 1;
      const x = F.scale(0, 1.02 * most, left, width - 62);
      for (const v of F.ticks(0, most, Math.max(2, Math.floor((width - left) / 90))).values)
        node.append(svg("line", {x1: x(v), x2: x(v), y1: top - 6, y2: height - 30, stroke: "var(--rule)"}));
      const axis = F.ticks(0, most, Math.max(2, Math.floor((width - left) / 90)));
      for (const v of axis.values) node.append(svg("text", {x: x(v), y: height - 14, "text-anchor": "middle", fill: "var(--soft)"}, carom.tick(v, axis.step)));
      node.append(svg("line", {x1: x(detail.T_minus), x2: x(detail.T_minus), y1: top - 8, y2: height - 30, stroke: "var(--ink)", "stroke-width": 1.4}));
      answers.forEach((a, i) => {
        const y = top + i * row;
        node.append(svg("text", {x: left - 22, y: y + 16, "text-anchor": "end", fill: "var(--ink)"}, a.law),
          svg("path", {d: carom.lawMark(a.law), transform: `translate(${left - 12},${y + 12})`, fill: carom.lawColour(a.law)}),
          svg("rect", {x: left, y: y + 3, width: Math.max(0, x(a.T_plus) - left), height: row - 9, fill: carom.lawColour(a.law), opacity: 0.85}),
          svg("text", {class: "share", x: width - 4, y: y + 16, "text-anchor": "end", fill: a.energetic ? "var(--soft)" : "var(--bad)", "font-weight": a.energetic ? null : 600},
            detail.T_minus > 0 ? `${a.work > 0 && !a.energetic ? "+" : ""}${(100 * a.work / detail.T_minus).toFixed(0).replace("-", "−").replace(/^−0$/, "0")} %` : number(a.T_plus)));
      });
      node.append(svg("text", {x: x(detail.T_minus), y: top - 13, "text-anchor": x(detail.T_minus) > width - 130 ? "end" : "middle", fill: "var(--ink)"}, "energy before"));
      return node;
    };
    return F.figure({title: "Kinetic energy after, by law (J)", draw});
  };

  const lawTable = (detail) => {
    const answers = carom.inOrder(detail.laws.filter((a) => a.elements));
    const columns = [{label: "law", text: true, value: (a) => a.law, show: (a) => carom.lawKey(a.law)}];
    const one = detail.elements.length === 1;
    const rows = detail.elements.map((e) => 1 + (e.friction?.length ?? 0));
    const size = carom.largest(detail.gamma_minus), push = (a) => carom.largest(a.elements.flatMap((e) => [...e.Lambda]));
    if (detail.elements.length <= 4) {
      detail.elements.forEach((element, i) => {
        const directions = Array.from({length: rows[i]}, (_, k) => k === 0 ? "N" : rows[i] === 2 ? "T" : `T${k}`), suffix = one ? "" : ` ${element.name}`;
        columns.push(...directions.map((direction, k) => ({label: `γ_${direction}⁺${suffix} (m/s)`, csv: `velocity after ${direction} ${element.name}`,
          value: (a) => a.elements[i].gamma_plus[k], show: (a) => number(a.elements[i].gamma_plus[k], size)})),
          ...directions.map((direction, k) => ({label: `Λ_${direction}${suffix} (N\u00a0s)`, csv: `impulse ${direction} ${element.name}`,
            value: (a) => a.elements[i].Lambda[k], show: (a) => number(a.elements[i].Lambda[k], push(a))})));
      });
    }
    columns.push({label: "work (J)", value: (a) => a.work, show: (a) => signed(a.work, detail.T_minus)},
      {label: "verdict", text: true, wraps: true, value: (a) => verdictOf(detail, a), show: (a) => html("span", {class: carom.isConsistent(a) ? "good" : "bad"}, verdictOf(detail, a))});
    if (detail.u_minus && detail.u_minus.length <= 6)
      columns.push({label: detail.coordinates ? `u⁺ (${detail.coordinates.join(", ")})` : "u⁺", csv: "velocity after", folded: true, fold: "u⁺", text: true, wraps: true, value: (a) => a.u_plus.join(" "), show: (a) => carom.vector(a.u_plus, carom.largest(detail.u_minus))});
    return carom.tables.table({title: "Result by law", rows: answers, columns: columns.map((c) => ({...c, head: subscripted(c.label)}))});
  };
  const verdictOf = (detail, answer) => {
    const state = detail.elements.length === 1 ? `, ${answer.elements[0].state === "reverse" ? "reverse slip" : answer.elements[0].state}` : "";
    return carom.verdict({...answer, T_minus: detail.T_minus}) + state + (answer.type ? ` (type ${answer.type})` : "") +
      (answer.solutions > 1 ? `; ${answer.solutions} solutions` : "");
  };

  const refusals = (detail) => {
    const refused = carom.inOrder(detail.laws.filter((a) => !a.elements));
    return refused.length === 0 ? null : html("div", {class: "refusals"}, html("h4", {}, "Laws that do not apply"),
      html("dl", {}, refused.map((a) => [html("dt", {}, carom.lawKey(a.law)), html("dd", {}, carom.prose((a.failed ? "failed: " : "") + a.reason))])));
  };

  const recorded = (impact) => carom.tables.table({title: "As the run recorded it", rows: impact.elements, columns: [
    {label: "element", text: true, value: (e) => e.name},
    {label: "state", text: true, value: (e) => e.state},
    {label: "γ⁻ (m/s)", csv: "velocity before", value: (e) => e.before.join(" "), show: (e) => carom.vector(e.before, speed(impact))},
    {label: "γ⁺ (m/s)", csv: "velocity after", value: (e) => e.after.join(" "), show: (e) => carom.vector(e.after, speed(impact))},
    {label: "Λ (N s)", csv: "impulse", value: (e) => e.impulse.join(" "), show: (e) => carom.vector(e.impulse, push(impact))}]});

  const diagram = (detail) => {
    if (carom.routh.applies(detail)) return carom.routh.figure(detail);
    if (carom.velocityPlane.applies(detail)) return carom.velocityPlane.figure(detail);
    return null;
  };

  const panel = (impact, detail, several) => {
    const heading = html("h3", {class: "impact-title"}, `Impact ${impact.impact}`, several ? html("span", {}, " of ", carom.lawKey(impact.law)) : "",
      html("span", {class: "soft"}, ` t = ${carom.short(impact.time)} s, T⁻ = ${number(impact.T_minus)} J`));
    const posed = detail && !detail.reason;
    return [heading,
      posed ? html("p", {class: "soft"}, detail.elements.map(elementText).join(" · "), detail.bilaterals ? ` · ${carom.count(detail.bilaterals, "bilateral row")}` : "") : null,
      posed ? html("div", {class: "pair"}, [diagram(detail), energyFigure(detail)].filter(Boolean)) : null,
      posed ? lawTable(detail) : null,
      posed ? refusals(detail) : carom.note(detail ? carom.prose(detail.reason) : "This impact is beyond the number that the page poses again to every law."),
      recorded(impact)];
  };

  // ---- The impact that a comparison begins with -----------------------------------------------------------------
  // As `carom compare` resolved it, with coefficients matched; what the diagrams need beyond it comes from the run.
  const comparedDetail = (impact, runs) => {
    const first = impact.results[0];
    const moving = first.elements.filter((e) => e.kind !== "bilateral");
    const known = runs.flatMap((run) => run.impacts?.details ?? []).find((d) => d.elements && d.elements.map((e) => e.name).join() === moving.map((e) => e.name).join() &&
      Math.abs(d.T_minus - first.kinetic_energy_before) <= 1e-9 * d.T_minus);
    return {T_minus: first.kinetic_energy_before, u_minus: first.velocity_before, gamma_minus: moving.flatMap((e) => e.velocity_before), G: known?.G ?? impact.problem?.G, coordinates: known?.coordinates,
      elements: moving.map((e, i) => ({name: e.name, kind: e.kind, friction: e.velocity_before.slice(1).map(() => 0), ...(known?.elements[i] ?? impact.problem?.elements?.[i])})), bilaterals: first.elements.length - moving.length,
      laws: [...impact.results.map((r) => ({law: r.law, T_plus: r.kinetic_energy_after, work: r.work, ...r.consistency, u_plus: r.velocity_after, type: r.type, solutions: r.solver.solutions,
        elements: r.elements.filter((e) => e.kind !== "bilateral").map((e) => ({state: e.state, gamma_plus: e.velocity_after, Lambda: e.impulse, compression: e.compression}))})),
        ...(impact.not_applicable ?? [])]};
  };
  const matchTable = (matches) => !matches?.laws?.length || matches.by !== "energy" ? null : carom.tables.table({
    title: `Coefficients that lose as much as ${matches.reference}, ${number(matches.work)} J`, rows: carom.inOrder(matches.laws), columns: [
      {label: "law", text: true, value: (m) => m.law, show: (m) => carom.lawKey(m.law)},
      {label: "restitution", value: (m) => m.restitution, show: (m) => typeof m.restitution === "number" ? carom.short(m.restitution) : "—"},
      {label: "outcome", text: true, value: (m) => m.outcome},
      {label: "reason", text: true, wraps: true, value: (m) => m.reason ?? "", show: (m) => carom.prose(m.reason ?? "")}]});
  const compared = (impact, matches, runs) => {
    if (!impact?.results?.length) return null;
    const detail = comparedDetail(impact, runs);
    return carom.section("first-impact", "The impact, law by law", carom.note(detail.elements.map(elementText).join(" · "), ` · t = ${carom.short(impact.time ?? 0)} s, T⁻ = ${number(detail.T_minus)} J, γ⁻ = ${carom.vector(detail.gamma_minus, carom.largest(detail.gamma_minus))} m/s`),
      html("div", {class: "pair"}, [diagram(detail), energyFigure(detail)].filter(Boolean)), lawTable(detail), refusals(detail), matchTable(matches));
  };

  const section = (runs, opens = true) => {
    const several = runs.length > 1;
    const logged = runs.filter((run) => run.impacts);
    if (logged.length === 0) return carom.section("impacts", "Impacts", carom.note("The run holds no impacts (output.record)."));
    const rows = logged.flatMap((run) => run.impacts.list.map((impact) => ({...impact, law: run.law, run})));
    if (rows.length === 0) return carom.section("impacts", "Impacts", carom.note("Nothing impacts."));
    const details = new Map(logged.flatMap((run) => run.impacts.details.map((d) => [`${run.law}/${d.impact}`, d])));
    const place = html("div", {class: "impact", id: "impact", "aria-live": "polite"});
    const open = (impact) => {
      place.replaceChildren(...panel(impact, details.get(`${impact.law}/${impact.impact}`), several).filter(Boolean));
      carom.clock.set(impact.time);
    };
    let law = "", doubtful = false;
    const filter = () => table.show(rows.filter((i) => (law === "" || i.law === law) && (!doubtful || !carom.isConsistent(i))));
    const some = rows.some((i) => !carom.isConsistent(i));
    const controls = [
      several ? carom.choice("law", [{value: "", label: "all"}, ...logged.map((run) => run.law)], "", (v) => { law = v; filter(); }) : null,
      some ? carom.segments("Which impacts", [{value: false, label: "all"}, {value: true, label: "inconsistent"}], false, (v) => { doubtful = v; filter(); }) : null].filter(Boolean);
    const table = tableOf(rows, several, open, controls);
    // The first that creates energy says most; else the first that can be drawn; else the first.
    const interesting = rows.find((i) => !i.energetic && details.get(`${i.law}/${i.impact}`)?.laws) ??
      rows.find((i) => { const d = details.get(`${i.law}/${i.impact}`); return d?.laws && (carom.routh.applies(d) || carom.velocityPlane.applies(d)); }) ?? rows[0];
    const total = logged.reduce((sum, run) => sum + run.impacts.count, 0), posed = details.size;
    const words = [`${carom.count(total, "impact")}. Choose one to see it.`];
    if (rows.length < total) words.push(rows.length === 1 ? "The first is listed." : `The first ${rows.length} are listed.`);
    if (posed < rows.length) words.push(`${posed} of them (with a negative verdict, then the earliest) ${posed === 1 ? "is" : "are"} posed again to every law.`);
    const result = carom.section("impacts", "Impacts", carom.note(words.join(" ")), table, place);
    const before = carom.clock.time;
    if (opens) table.select(interesting);
    if (before === null) carom.clock.time = null; else carom.clock.set(before);
    return result;
  };

  return {section, compared};
})();
