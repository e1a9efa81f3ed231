// Tables that sort by a column and copy as CSV and LaTeX. Where they are wider than their card, rows become blocks.
"use strict";

carom.tables = (() => {
  const {html} = carom;

  const csvCell = (value) => {
    if (value === null || value === undefined || Number.isNaN(value)) return "";
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  // Columns: {label, value(row): number or text, show(row): node or text}. CSV has values in full, not as shown.
  const csv = (columns, rows) =>
    [columns.map((c) => csvCell(c.csv ?? c.label)), ...rows.map((row) => columns.map((c) => csvCell(c.value(row))))]
      .map((cells) => cells.join(",")).join("\n") + "\n";

  const copied = (text) => {
    const area = html("textarea", {style: "position:fixed;opacity:0"});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject();
  };
  const copy = (text) => navigator.clipboard ? navigator.clipboard.writeText(text).catch(() => copied(text)) : copied(text);

  const copyButton = (form, text) => {
    const button = html("button", {type: "button", class: "quiet", title: `Copy this table as ${form}`, onclick: () => {
      copy(text()).then(() => { button.textContent = "copied"; }, () => { button.textContent = "not copied"; });
      setTimeout(() => { button.textContent = form; }, 1500);
    }}, form);
    return button;
  };

  // As shown, with the letters of the papers in mathematics.
  const letters = {γ: "\\gamma", Λ: "\\Lambda", ε: "\\varepsilon", μ: "\\mu", θ: "\\theta", "⁻": "^-", "⁺": "^+", "−": "-"};
  const latexText = (text) => text.replace(/[\\{}]/g, "").replace(/[&%$#]/g, "\\$&").replace(/·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, power) => `$\\cdot10^{${[...power].map((c) => c === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).join("")}}$`)
    .replace(/[γΛεμθu](_[A-Za-z0-9]+)?[⁻⁺]?/g, (word) => /[γΛεμθ⁻⁺]/.test(word) ? `$${[...word.replace(/_(\w+)/, "_{$1}")].map((c) => letters[c] ?? c).join("")}$` : word)
    .replace(/−(?=[\d.∞])/g, "$-$").replace(/∞/g, "$\\infty$").replace(/_(?![^$]*\$)/g, "\\_").replace(/—/g, "--");
  const latex = (columns, rows, cell) => {
    const line = (cells) => `  ${cells.map(latexText).join(" & ")} \\\\`;
    return [`\\begin{tabular}{${columns.map((c) => c.text ? "l" : "r").join("")}}`, "  \\hline", line(columns.map((c) => c.label)), "  \\hline",
      ...rows.map((row) => line(columns.map((c) => cell(c, row)))), "  \\hline", "\\end{tabular}", ""].join("\n");
  };

  const mostRows = 14;  // of a table that is shown whole though it may be tall

  const table = ({title, columns: given, rows, onselect = null, tall = false, controls = [], rowClass = null}) => {
    // What few ask for stays folded until it is asked for.
    const columns = given.filter((c) => !c.folded);
    const unfold = given.length === columns.length ? null : html("button", {type: "button", class: "quiet", onclick: () => {
      frame.replaceWith(table({title, columns: given.map((c) => ({...c, folded: false})), rows: shown, onselect, tall, controls, rowClass}));
    }}, `+ ${given.filter((c) => c.folded).map((c) => c.fold ?? c.label).join(", ")}`);
    let shown = rows, sorted = null, descending = false, selected = null;
    const body = html("tbody", {});
    const heads = columns.map((column, i) => {
      const head = html("th", {scope: "col", class: column.text ? "text" : null},
        html("button", {type: "button", class: "sort", onclick: () => sort(i)}, column.head ?? column.label));
      return head;
    });
    const rowNode = (row) => {
      const node = html("tr", {class: rowClass ? rowClass(row) : null, tabindex: onselect ? 0 : null,
        "aria-selected": onselect ? String(row === selected) : null,
        onclick: onselect ? () => select(row) : null,
        onkeydown: onselect ? (event) => {
          if (event.key === "Enter" || event.key === " ") { event.preventDefault(); select(row); }
          const next = {ArrowDown: node.nextElementSibling, ArrowUp: node.previousElementSibling}[event.key];
          if (next) { event.preventDefault(); next.focus(); next.click(); }
        } : null},
        columns.map((c) => html("td", {class: [c.narrow ? "text narrow" : c.text ? "text" : "", c.wraps ? "wraps" : ""].filter(Boolean).join(" ") || null, title: c.narrow ? c.value(row) : null, "data-label": c.label}, c.show ? c.show(row) : typeof c.value(row) === "number" ? carom.number(c.value(row)) : c.value(row))));
      node.row = row;
      return node;
    };
    const fill = () => body.replaceChildren(...shown.map(rowNode));
    const sort = (i) => {
      descending = sorted === i ? !descending : false;
      sorted = i;
      const value = columns[i].value;
      shown = [...shown].sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        return (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y))) * (descending ? -1 : 1);
      });
      heads.forEach((head, k) => head.setAttribute("aria-sort", k !== i ? "none" : descending ? "descending" : "ascending"));
      fill();
    };
    const select = (row) => {
      selected = row;
      for (const node of body.children) node.setAttribute("aria-selected", String(node.row === row));
      seen();
      onselect(row);
    };
    // The chosen row, where only a part of the list is in sight.
    const seen = () => {
      const node = [...body.children].find((one) => one.row === selected);
      if (!node) return;
      const box = node.getBoundingClientRect(), frameBox = region.getBoundingClientRect(), head = heads[0].offsetHeight;
      if (box.top < frameBox.top + head) region.scrollTop -= frameBox.top + head - box.top;
      else if (box.bottom > frameBox.bottom) region.scrollTop += box.bottom - frameBox.bottom + 4;
    };
    // A table that is cut at the edge of its frame looks complete, so what lies beyond is announced.
    const region = html("div", {class: tall && rows.length > mostRows ? "scroll tall" : "scroll", tabindex: 0, role: "region", "aria-label": title},
      html("table", {class: columns.length > 9 ? "dense" : null}, html("thead", {}, html("tr", {}, heads)), body));
    const beyond = html("p", {class: "beyond", "aria-hidden": "true"}), pane = html("div", {class: "pane"}, region);
    let widest = 0, fitted = 0;  // of the table as a table
    const fit = () => {
      if (region.clientWidth === 0) return;
      if (!pane.classList.contains("blocks")) widest = region.scrollWidth > region.clientWidth + 1 ? region.scrollWidth : 0;
      const blocks = widest > region.clientWidth + 1;
      if (!blocks) widest = 0;
      if (pane.classList.contains("blocks") !== blocks) {
        pane.classList.toggle("blocks", blocks);
        if (selected) seen();
      }
    };
    const announce = () => {
      if (fitted !== region.clientWidth) { fitted = region.clientWidth; fit(); }
      const right = heads.filter((head) => head.offsetLeft + head.offsetWidth > region.scrollLeft + region.clientWidth + 2);
      const height = body.offsetHeight / Math.max(1, shown.length) || 1;
      const below = Math.round((region.scrollHeight - region.clientHeight - region.scrollTop) / height);
      pane.classList.toggle("more-right", right.length > 0);
      pane.classList.toggle("more-below", below > 0);
      beyond.textContent = [below > 0 ? `↓ ${carom.count(below, "more row")}` : "",
        right.length > 0 ? `→ ${carom.count(right.length, "more column")}: ${right.slice(0, 4).map((head) => head.textContent).join(", ")}${right.length > 4 ? ", …" : ""}` : ""].filter(Boolean).join("   ");
      beyond.hidden = beyond.textContent === "";
    };
    region.addEventListener("scroll", announce, {passive: true});
    new ResizeObserver(announce).observe(region);
    const frame = html("figure", {class: "figure table-figure"},
      html("div", {class: "figure-head"}, html("h3", {}, title), html("div", {class: "controls"}, controls, unfold, copyButton("CSV", () => csv(given, shown)),
        copyButton("LaTeX", () => latex(columns, shown, (c, row) => { const cell = c.show ? c.show(row) : typeof c.value(row) === "number" ? carom.number(c.value(row)) : c.value(row); return String(cell?.textContent ?? cell); })))),
      pane, beyond);
    fill();
    frame.show = (list) => { shown = list; sorted = null; fill(); announce(); };
    frame.select = select;
    frame.csv = () => csv(given, shown);
    return frame;
  };

  return {table, csv, copy};
})();
