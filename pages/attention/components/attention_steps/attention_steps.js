// One attention, stage by stage. Numbers come from the server; this shows them, links them, and says how each is made.

import {
  el,
  fixed,
  minus,
  mirror,
  mount,
  param,
  strength,
  svg,
  trimmed,
  wholeParam,
} from "../../../../attention_view/lab.js";

const NAMES = { q: "Q", k: "K", v: "V" };
const HUES = {
  q: "query",
  k: "key",
  v: "value",
  scores: "weight",
  scaled: "weight",
  biased: "weight",
  masked: "weight",
  weights: "weight",
  output: "value",
};
const TITLES = {
  q: "Queries: what each word asks for",
  k: "Keys: what each word offers to be found by",
  v: "Values: what each word passes on",
  scores: "Compare: each query with every key",
  scaled: "Scale: divide by √d_k",
  biased: "Add the bias for the distance",
  masked: "Mask: take away what may not be seen",
  weights: "Softmax: each row becomes shares of 1",
  output: "Mix: the values, by their shares",
};
const SAYS = {
  q: "One row a word. It meets every key, and its own row of the result is what it finds.",
  k: "One row a word. A key is only compared; nothing of it is passed on.",
  v: "One row a word. Only values reach the output, each as much as its weight says.",
  scores: "Multiply a query and a key feature by feature and add up. A large score means that they fit.",
  scaled: "The wider the vectors, the larger their products. Dividing by the root of the width keeps them in reach.",
  biased: "A number for the distance between the two words.",
  masked: "A hatched cell may not be looked at. It gets no share at all, which is not the same as a score of 0.",
  weights:
    "Take e to the power of each score, then divide by the row's sum. Nothing is below 0, and each row adds up to 1.",
  output: "Each output row is a mix of all value rows. As many rows come out as went in.",
};

/** A number as short as it may be: whole numbers as they are, others with two or three digits that matter. */
export function short(x, digits = 2) {
  if (x == null) return "";
  if (Number.isInteger(x)) return minus(String(x));
  if (Math.abs(x) >= 0.5 * 10 ** -digits) return trimmed(x, digits);
  return minus(x.toExponential(0));
}
export const share = (x) => (x === 0 ? "0" : x < 0.0005 ? minus(x.toExponential(0)) : x.toFixed(3));

const bold = (role, text) => el("b", { class: role }, text);
const sum = (parts) => parts.flatMap((part, i) => (i ? [" + ", part] : [part]));

class Steps {
  constructor(root) {
    this.root = root;
    this.state = { stage: "scores", term: null, row: 0, col: 0, feature: 0 };
    this.link = mirror((put) => this.root.isConnected && this.write(put), 250);
    this.read();
  }

  // ---- state ------------------------------------------------------------------------------------------------

  read() {
    this.asked = param("att_stage");
    for (const name of ["row", "col", "feature"]) {
      const place = wholeParam(`att_${name}`);
      if (place !== null) this.state[name] = place - 1;
    }
  }

  /** What is chosen, for the address bar. */
  write(put) {
    const { stage, row, col, feature } = this.state;
    put("att_stage", stage, "scores");
    put("att_row", row + 1, 1);
    put("att_col", col + 1, 1);
    put("att_feature", feature + 1, 1);
  }

  set(change) {
    Object.assign(this.state, change);
    if (!("term" in change)) this.state.term = null;
    this.refresh();
    this.link.later();
  }

  /** While the mouse points at a term, its matrix and its lines are shown; then again what was chosen. */
  peek(change) {
    const chosen = this.state;
    this.state = { ...chosen, term: null, ...change };
    this.refresh();
    this.state = chosen;
    this.root.dataset.stage = chosen.stage;
    this.root.dataset.peek = change.term ?? change.stage;
  }

  /** What makes a button follow the mouse; a finger only taps. */
  pointed(change) {
    return {
      onpointerenter: (e) => e.pointerType === "mouse" && this.peek(change),
      onpointerleave: (e) => {
        if (e.pointerType === "mouse") this.refresh();
      },
    };
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    this.data = data;
    this.stages = Object.fromEntries(data.stages.map((s) => [s.name, s.rows]));
    this.names = data.stages.map((s) => s.name);
    if (this.asked && this.names.includes(this.asked)) this.state.stage = this.asked;
    this.asked = null;
    if (!this.names.includes(this.state.stage)) this.state.stage = this.names.includes("masked") ? "masked" : "scores";
    const T = data.labels.length,
      features = data.matrices.v[0].length;
    const within = (n, size) => (n >= 0 && n < size ? n : 0);
    this.state.row = within(this.state.row, T);
    this.state.col = within(this.state.col, T);
    this.state.feature = within(this.state.feature, features);
    const signature = JSON.stringify([data.labels, this.names, features, data.limit, data.matrices.q[0].length]);
    if (signature !== this.signature) this.build();
    this.signature = signature;
    for (const name of Object.keys(NAMES)) this.fill(name);
    this.complain("");
    this.refresh();
  }

  // ---- structure --------------------------------------------------------------------------------------------

  build() {
    const d_k = this.data.matrices.q[0].length;
    const n = (this.nodes = { terms: {}, cells: {}, lines: [] });
    const term = (stage, ...inside) =>
      (n.terms[stage] = el(
        "button",
        {
          type: "button",
          class: `term ${HUES[stage]}`,
          title: TITLES[stage],
          onclick: () => this.set({ stage }),
          ...this.pointed({ stage }),
        },
        ...inside,
      ));
    n.formula = el(
      "div",
      { class: "formula", role: "group", "aria-label": "The formula: choose a term" },
      term("weights", "softmax"),
      el("span", { class: "paren" }, "("),
      el(
        "span",
        { class: "fraction" },
        term("scores", bold("query", "Q"), " ", bold("key", "K"), el("sup", {}, "T")),
        term("scaled", "√", el("span", { class: "root" }, "d", el("sub", {}, "k"))),
      ),
      this.names.includes("masked") ? el("span", { class: "plus" }, ", ") : null,
      this.names.includes("masked") ? term("masked", "mask") : null,
      el("span", { class: "paren" }, ")"),
      term("output", bold("value", "V")),
    );
    n.scrubber = el("div", { class: "scrubber", role: "radiogroup", "aria-label": "Stage of the computation" });
    for (const stage of this.names) {
      const input = el("input", { type: "radio", name: "stage", value: stage, onchange: () => this.set({ stage }) });
      n.scrubber.append(el("label", {}, input, stage));
    }
    n.inputs = el(
      "section",
      { class: "inputs", "aria-label": "Queries, keys and values" },
      ...Object.keys(NAMES).map((name) => this.matrix(name)),
    );
    n.complaint = el("p", { class: "complaint", role: "status", hidden: true });
    n.inputs.append(n.complaint);
    n.title = el("h3");
    n.say = el("p", { class: "quiet say" });
    n.grid = el("div", {
      class: "grid",
      tabindex: 0,
      role: "grid",
      "aria-activedescendant": "step-cell",
      onkeydown: (e) => this.key(e),
    });
    n.cell = el("div", { id: "step-cell", class: "unseen", role: "gridcell", "aria-live": "polite" });
    n.legend = el("p", { class: "quiet legend" });
    n.why = el("div", { class: "why" });
    n.code = el("div", { class: "code" });
    n.row = el("div", { class: "held" });
    this.root.replaceChildren(
      el("header", { class: "top" }, n.formula, n.scrubber),
      el(
        "div",
        { class: "columns" },
        n.inputs,
        el(
          "section",
          { class: "stage", "aria-label": "The stage" },
          n.title,
          n.say,
          el("div", { class: "scroll" }, n.grid),
          el("div", { role: "row", class: "unseen" }, n.cell),
          n.legend,
          n.why,
        ),
        el("section", { class: "told", "aria-label": "The code, and the row that is held" }, n.code, n.row),
      ),
    );
    this.root.dataset.width = d_k;
  }

  /** Q, K or V: numbers to edit, or cells to look at. */
  matrix(name) {
    const rows = this.data.matrices[name],
      editable = this.data.limit != null;
    const hold = name === "q" ? (i) => this.set({ row: i }) : (j) => this.set({ col: j });
    const cells = (this.nodes.cells[name] = []);
    const body = el("div", {
      class: "matrix" + (editable ? " editable" : ""),
      style: `--n: ${rows[0].length}`,
      role: "group",
      "aria-label": TITLES[name],
    });
    rows.forEach((row, i) => {
      const label = editable ? name + (i + 1) : this.data.labels[i];
      body.append(
        el(
          "button",
          { type: "button", class: `label ${HUES[name]}`, title: `Hold the row of ${label}`, onclick: () => hold(i) },
          label,
        ),
      );
      cells.push(
        row.map((_, f) => {
          const cell = editable
            ? el("input", {
                inputmode: "decimal",
                maxlength: 12,
                "aria-label": `${NAMES[name]}, row ${i + 1}, column ${f + 1}`,
                autocomplete: "off",
                onchange: (e) => this.edit(name, i, f, e.target),
                onfocus: (e) => {
                  e.target.select();
                  hold(i);
                },
              })
            : el("i", { onclick: () => hold(i) });
          body.append(cell);
          return cell;
        }),
      );
    });
    const head = el(
      "button",
      {
        type: "button",
        class: `term ${HUES[name]}`,
        title: TITLES[name],
        onclick: () => this.set({ term: name }),
        ...this.pointed({ term: name }),
      },
      NAMES[name],
    );
    this.nodes.terms[name] = head;
    const sizes = `${rows.length} × ${rows[0].length}`;
    return el(
      "div",
      { class: "given" },
      el(
        "div",
        { class: "head" },
        head,
        el("span", { class: "quiet" }, { q: "queries", k: "keys", v: "values" }[name] + ", " + sizes),
      ),
      body,
    );
  }

  fill(name) {
    const rows = this.data.matrices[name];
    const most = Math.max(...rows.flat().map(Math.abs)) || 1;
    rows.forEach((row, i) =>
      row.forEach((x, f) => {
        const cell = this.nodes.cells[name][i][f];
        if (cell.tagName === "INPUT") {
          if (cell.value !== String(x) && (cell !== this.root.getRootNode().activeElement || !cell.dirty))
            cell.value = String(x);
          cell.style.setProperty("--p", `${34 * strength(Math.abs(x) / most)}%`);
        } else {
          cell.style.setProperty("--p", `${100 * strength(Math.abs(x) / most)}%`);
          cell.title = `${this.data.labels[i]}, feature ${f + 1}: ${short(x, 3)}`;
        }
        cell.className = x < 0 ? "below" : HUES[name];
      }),
    );
  }

  edit(name, i, f, input) {
    const was = this.data.matrices[name][i][f],
      limit = this.data.limit;
    const text = input.value.trim().replace("−", "-").replace(",", ".");
    const x = text === "" ? NaN : Number(text);
    if (!Number.isFinite(x) || Math.abs(x) > limit) {
      this.complain(
        `“${input.value.slice(0, 12)}” is not a number from −${limit} to ${limit}; the cell keeps its ${short(was)}.`,
      );
      input.value = String(was);
      return;
    }
    this.complain("");
    if (x !== was) this.send("edit", [name, i, f, String(x)]);
  }

  complain(text) {
    this.nodes.complaint.textContent = text;
    this.nodes.complaint.hidden = !text;
  }

  // ---- what is chosen ---------------------------------------------------------------------------------------

  key(event) {
    const { row, col, feature, stage } = this.state;
    const [T, width] = [this.stages[stage].length, this.stages[stage][0].length];
    const column = stage === "output" ? "feature" : "col";
    const at = stage === "output" ? feature : col;
    const to = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!to) return;
    event.preventDefault();
    const clamp = (n, size) => Math.min(Math.max(n, 0), size - 1);
    this.set({ row: clamp(row + to[0], T), [column]: clamp(at + to[1], width) });
  }

  refresh() {
    const { stage, row, col, feature } = this.state,
      n = this.nodes;
    const term = this.state.term ?? stage;
    for (const [name, node] of Object.entries(n.terms)) node.setAttribute("aria-pressed", String(name === term));
    for (const label of n.scrubber.children) {
      const on = label.firstChild.value === stage;
      label.firstChild.checked = on;
      label.classList.toggle("on", on);
    }
    const reads = { scores: ["q", "k"], output: ["v"] }[stage] ?? [];
    for (const name of Object.keys(NAMES)) {
      const held = name === "q" ? row : col;
      const lit = this.state.term ? name === this.state.term : reads.includes(name);
      n.cells[name].forEach((cells, i) =>
        cells.forEach((cell, f) => {
          const on = lit && (this.state.term || (name === "v" ? f === feature : i === held));
          cell.classList.toggle("lit", Boolean(on));
        }),
      );
      n.terms[name].closest(".given").classList.toggle("reads", lit);
    }
    n.title.textContent = TITLES[term];
    n.say.textContent = SAYS[term];
    this.paint();
    this.explain();
    this.tell(term);
    this.hold();
    delete this.root.dataset.peek;
    Object.assign(this.root.dataset, { stage, term, row, col, feature, painted: true });
  }

  /** The matrix of the stage, with the row held and the chosen column outlined. */
  paint() {
    const { stage, row, col, feature } = this.state;
    const n = this.nodes;
    const rows = this.stages[stage];
    const isOutput = stage === "output";
    const [T, S] = [rows.length, rows[0].length];
    const { names, columns } = this.labels(isOutput, S);
    const at = isOutput ? feature : col;
    const choose = (i, j) => this.set(isOutput ? { row: i, feature: j } : { row: i, col: j });
    const largest = Math.max(...rows.flat().map((x) => Math.abs(x ?? 0))) || 1;
    const roomy = S <= 12;
    n.grid.className = `grid ${roomy ? "roomy" : "dense"} ${S <= 6 ? "large" : ""} ${isOutput ? "of-values" : ""}`;
    n.grid.style.setProperty("--n", S);
    n.grid.style.setProperty("--cell", `${Math.max(roomy ? 27 : 13, Math.min(40, Math.floor(340 / T)))}px`);
    n.grid.replaceChildren(
      el("span", { class: "corner quiet" }, isOutput ? "query ↓ feature →" : "query ↓ key →"),
      ...columns.map((text, j) => this.columnName(text, j, at, isOutput)),
      ...rows.flatMap((cells, i) => [
        this.rowName(names[i], i),
        ...cells.map((x, j) => this.cell(x, i, j, { at, largest, S, choose })),
      ]),
    );
    n.grid.setAttribute("aria-label", `${stage}, ${T} by ${S}. Arrow keys choose a cell.`);
    const value = rows[row][at];
    n.cell.textContent = `${names[row]}, ${columns[at]}: ${value == null ? "blocked by the mask" : short(value, 4)}`;
    this.root.dataset.value = value == null ? "" : String(value);
    this.paintLegend(rows, isOutput);
  }

  /** What rows and columns are called: words, or q1 and k1 where numbers are edited. */
  labels(isOutput, S) {
    const { labels, limit } = this.data;
    const numbered = (letter) => labels.map((_, i) => letter + (i + 1));
    const names = limit == null ? labels : numbered("q");
    const columns = limit == null ? labels : numbered("k");
    return { names, columns: isOutput ? Array.from({ length: S }, (_, f) => String(f + 1)) : columns };
  }

  columnName(text, j, at, isOutput) {
    const flat = this.data.limit != null || isOutput;
    const classes = `column ${isOutput ? "value" : "key"} ${j === at ? "on" : ""} ${flat ? "flat" : ""}`;
    const onclick = () => this.set(isOutput ? { feature: j } : { col: j });
    return el("button", { type: "button", tabindex: -1, class: classes, onclick }, el("span", {}, text));
  }

  rowName(text, i) {
    const classes = `label query ${i === this.state.row ? "on" : ""}`;
    return el("button", { type: "button", tabindex: -1, class: classes, onclick: () => this.set({ row: i }) }, text);
  }

  cell(x, i, j, { at, largest, S, choose }) {
    const { stage, row } = this.state;
    const p = strength(Math.abs(x ?? 0) / largest);
    const blocked = x == null || (stage === "weights" && this.stages.masked && this.stages.masked[i][j] == null);
    const below = stage === "output" ? "below" : "negative";
    const classes = [
      "cell",
      blocked ? "blocked" : x < 0 ? below : HUES[stage],
      p > 0.72 && "strong",
      i === row && "held",
      j === at && "chosen",
      i === row && j === at && "both",
      stage === "weights" && i === j && !blocked && "self",
      i === row && j === 0 && "first",
      i === row && j === S - 1 && "last",
    ];
    return el(
      "i",
      { class: classes.filter(Boolean).join(" "), style: `--p: ${100 * p}%`, onclick: () => choose(i, j) },
      blocked ? "" : this.cellText(x, S),
    );
  }

  /** A number in a cell, as long as there is room for. */
  cellText(x, S) {
    if (S > 12) return "";
    if (this.state.stage === "weights") return S <= 6 ? share(x) : fixed(x);
    return S <= 6 ? short(x) : short(x, 1);
  }

  paintLegend(rows, isOutput) {
    const { stage } = this.state;
    const numbers = rows.flat().filter((x) => x != null);
    const low = Math.min(0, ...numbers);
    const high = Math.max(0, ...numbers);
    const below = isOutput ? "grey: below 0" : "amber: below 0";
    const notes = { weights: "dotted: a word looking at itself", masked: "hatched: blocked" };
    this.nodes.legend.replaceChildren(
      el("span", {}, short(low)),
      el("span", {
        class: `bar ${HUES[stage]} ${low < 0 ? (isOutput ? "both grey" : "both") : ""}`,
        style: `--zero: ${(100 * -low) / (high - low || 1)}%`,
      }),
      el("span", {}, short(high)),
      el("span", { class: "note" }, notes[stage] ?? (low < 0 ? below : "")),
    );
  }

  /** Why the chosen cell is what it is: every step from the numbers of the stage before. */
  explain() {
    const { stage, row, col, feature } = this.state;
    const { names, columns } = this.labels(false);
    const { value, lines } = stage === "output" ? this.explainOutput() : this.explainCell();
    const to = stage === "output" ? [`, feature ${feature + 1}`] : [" to ", bold("key", columns[col])];
    this.nodes.why.replaceChildren(
      el(
        "h4",
        {},
        "Why ",
        bold(HUES[stage], value),
        "? ",
        el("span", { class: "quiet" }, "from ", bold("query", names[row]), ...to),
      ),
      ...lines.map((parts) => el("p", {}, ...parts)),
    );
  }

  /** The value of a cell between a query and a key, and the lines that lead to it. */
  explainCell() {
    const { stage, row, col } = this.state;
    const { q, k } = this.data.matrices;
    const at = (name) => this.stages[name]?.[row][col];
    const blocked = at(stage) == null;
    switch (stage) {
      case "scores": {
        const products = q[row].map((x, f) =>
          el("span", { class: "product" }, bold("query", short(x)), " × ", bold("key", short(k[col][f]))),
        );
        return { value: short(at(stage)), lines: [[...sum(products), " = ", bold("weight", short(at(stage), 3))]] };
      }
      case "scaled": {
        const [d_k, before] = [q[0].length, short(at("scores"), 3)];
        const text = `${before} ÷ √${d_k} = ${before} ÷ ${short(Math.sqrt(d_k), 3)} = `;
        return { value: short(at(stage)), lines: [[text, bold("weight", short(at(stage), 3))]] };
      }
      case "biased": {
        const text = `${short(at("scaled"), 3)} and the bias for the distance = `;
        return { value: short(at(stage)), lines: [[text, bold("weight", short(at(stage), 3))]] };
      }
      case "masked":
        return blocked
          ? {
              value: "−∞",
              lines: [["The mask blocks this cell: its score becomes −∞, and e to that power is exactly 0."]],
            }
          : { value: short(at(stage)), lines: [["The mask allows this cell: the score stays as it is."]] };
      default:
        return { value: share(at(stage)), lines: this.explainWeight() };
    }
  }

  explainWeight() {
    const { row, col } = this.state;
    const weights = this.stages.weights[row];
    const scores = (this.stages.masked ?? this.stages.biased ?? this.stages.scaled)[row];
    const whole = [
      "The whole row adds up to ",
      bold("weight", share(weights.reduce((s, x) => s + x, 0))),
      `; on itself: ${share(weights[row])}.`,
    ];
    if (scores[col] == null) return [["The mask blocks this cell: exactly 0."], whole];
    const allowed = scores.filter((x) => x != null);
    const top = Math.max(...allowed);
    const total = allowed.reduce((s, x) => s + Math.exp(x - top), 0);
    const power = short(Math.exp(scores[col] - top), 3);
    return [
      [
        `e to the power of (${short(scores[col], 3)} − ${short(top, 3)}) = ${power}`,
        el("span", { class: "quiet" }, "  the row’s largest is taken off first"),
      ],
      [`÷ ${short(total, 3)}, the sum of the row = `, bold("weight", share(weights[col]))],
      whole,
    ];
  }

  /** One feature of the output: the values, each times its weight; of many the largest eight. */
  explainOutput() {
    const { row, feature } = this.state;
    const { v } = this.data.matrices;
    const output = this.stages.output[row][feature];
    const parts = this.stages.weights[row]
      .map((w, j) => [w, j])
      .filter(([w]) => w !== 0)
      .sort((x, y) => y[0] - x[0]);
    const [first, others] = [parts.slice(0, 8), parts.slice(8)];
    if (!others.length) first.sort((x, y) => x[1] - y[1]);
    const products = first.map(([w, j]) =>
      el("span", { class: "product" }, bold("weight", share(w)), " × ", bold("value", short(v[j][feature]))),
    );
    const rest = others.reduce((s, [w, j]) => s + w * v[j][feature], 0);
    const more = others.length ? ` + ${short(rest, 3)} from ${others.length} more` : "";
    return { value: short(output, 3), lines: [[...sum(products), more, " = ", bold("value", short(output, 3))]] };
  }

  /** The lines of the source that stand for the term. */
  tell(term) {
    const panel = this.data.code.find((p) => p.lines.some((l) => l.terms.includes(term))) ?? this.data.code[0];
    const hue = HUES[term];
    const lines = panel.lines.map((l) => {
      const on = l.terms.includes(term);
      return el(
        "div",
        { class: `line ${on ? `on ${hue}` : ""}`, style: `--indent: ${l.indent}`, "data-line": l.number },
        el("span", { class: "number" }, String(l.number)),
        el("code", {}, ...l.parts.map(([text, role]) => (role ? el("span", { class: role }, text) : text))),
      );
    });
    this.nodes.code.replaceChildren(
      el("p", { class: "quiet path" }, `The code that ran: ${panel.path}, ${panel.name}`),
      el("div", { class: "lines" }, ...lines),
    );
  }

  /** The held row: one bar per key before softmax, ribbons after it. */
  hold() {
    const { stage, row } = this.state,
      editable = this.data.limit != null;
    const names = editable ? this.data.labels.map((_, j) => `k${j + 1}`) : this.data.labels;
    const ask = editable ? `q${row + 1}` : this.data.labels[row];
    const share_ = stage === "weights" || stage === "output";
    const values = this.stages[share_ ? "weights" : stage][row];
    const most = Math.max(...values.map((x) => Math.abs(x ?? 0))) || 1;
    const height = names.length <= 6 ? 26 : names.length <= 14 ? 21 : 17;
    const H = height * names.length,
      middle = H / 2;
    const ribbons = svg("svg", { viewBox: `0 0 110 ${H}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    ribbons.style.height = `${H}px`;
    if (share_)
      values.forEach((w, j) => {
        if (!w) return;
        const y = height * (j + 0.5);
        ribbons.append(
          svg("path", {
            d: `M2 ${middle} C60 ${middle} 50 ${y} 108 ${y}`,
            class: "ribbon",
            "stroke-width": Math.max(0.6, 12 * w),
            opacity: 0.2 + 0.8 * (w / most),
          }),
        );
      });
    const list = el(
      "div",
      { class: "keys", style: `--h: ${height}px` },
      ...values.map((x, j) =>
        el(
          "div",
          { class: `item ${j === this.state.col ? "on" : ""}`, onclick: () => this.set({ col: j }) },
          el("span", { class: "key name" }, names[j]),
          share_
            ? null
            : el(
                "span",
                { class: "track" },
                el("i", {
                  class: x == null ? "blocked" : x < 0 ? "negative" : "weight",
                  style: `--w: ${x == null ? 100 : (100 * Math.abs(x)) / most}%`,
                }),
              ),
          el(
            "span",
            { class: "amount" },
            x == null || (share_ && this.stages.masked && this.stages.masked[row][j] == null)
              ? "blocked"
              : share_
                ? share(x)
                : short(x),
          ),
        ),
      ),
    );
    this.nodes.row.replaceChildren(
      el(
        "h4",
        {},
        share_ ? "Where " : "The row of ",
        el("b", { class: "query" }, ask),
        share_ ? " looks" : `: ${stage}`,
      ),
      el(
        "div",
        { class: share_ ? "ribbons" : "bars" },
        share_ ? el("b", { class: "query from" }, ask) : null,
        share_ ? ribbons : null,
        list,
      ),
    );
  }

  destroy() {
    this.link.cancel();
  }
}

export default mount(".attention-steps", Steps);
