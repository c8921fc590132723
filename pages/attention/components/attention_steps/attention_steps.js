// One attention, stage by stage. Numbers come from the server; this shows them, links them, and says how each is made.

import {
  el,
  fraction,
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
    const coloured = (role, text) => el("b", { class: role }, text);
    n.formula = el(
      "div",
      { class: "formula", role: "group", "aria-label": "The formula: choose a term" },
      term("weights", "softmax"),
      el("span", { class: "paren" }, "("),
      el(
        "span",
        { class: "fraction" },
        term("scores", coloured("query", "Q"), " ", coloured("key", "K"), el("sup", {}, "T")),
        term("scaled", "√", el("span", { class: "root" }, "d", el("sub", {}, "k"))),
      ),
      this.names.includes("masked") ? el("span", { class: "plus" }, ", ") : null,
      this.names.includes("masked") ? term("masked", "mask") : null,
      el("span", { class: "paren" }, ")"),
      term("output", coloured("value", "V")),
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
    const { stage, row, col, feature } = this.state,
      { labels } = this.data,
      n = this.nodes;
    const rows = this.stages[stage],
      isOutput = stage === "output",
      T = rows.length,
      S = rows[0].length;
    const numbers = rows.flat().filter((x) => x != null);
    const low = Math.min(0, ...numbers),
      high = Math.max(0, ...numbers);
    const most = Math.max(high, -low) || 1;
    const editable = this.data.limit != null;
    const columns = isOutput
      ? rows[0].map((_, f) => `${f + 1}`)
      : editable
        ? labels.map((_, j) => `k${j + 1}`)
        : labels;
    const names = editable ? labels.map((_, i) => `q${i + 1}`) : labels;
    const at = isOutput ? feature : col;
    const roomy = S <= 12;
    n.grid.className = `grid ${roomy ? "roomy" : "dense"} ${S <= 6 ? "large" : ""} ${isOutput ? "of-values" : ""}`;
    n.grid.style.setProperty("--n", S);
    n.grid.style.setProperty("--cell", `${Math.max(roomy ? 27 : 13, Math.min(40, Math.floor(340 / T)))}px`);
    const children = [el("span", { class: "corner quiet" }, isOutput ? "query ↓ feature →" : "query ↓ key →")];
    columns.forEach((text, j) =>
      children.push(
        el(
          "button",
          {
            type: "button",
            tabindex: -1,
            class: `column ${isOutput ? "value" : "key"} ${j === at ? "on" : ""} ${editable || isOutput ? "flat" : ""}`,
            onclick: () => this.set(isOutput ? { feature: j } : { col: j }),
          },
          el("span", {}, text),
        ),
      ),
    );
    rows.forEach((cells, i) => {
      children.push(
        el(
          "button",
          {
            type: "button",
            tabindex: -1,
            class: `label query ${i === row ? "on" : ""}`,
            onclick: () => this.set({ row: i }),
          },
          names[i],
        ),
      );
      cells.forEach((x, j) => {
        const p = x == null ? 0 : strength(Math.abs(x) / most);
        const blocked = x == null || (stage === "weights" && this.stages.masked?.[i][j] == null && this.stages.masked);
        const name = blocked ? "blocked" : x < 0 ? (isOutput ? "below" : "negative") : HUES[stage];
        const classes = [
          "cell",
          name,
          p > 0.72 ? "strong" : "",
          i === row ? "held" : "",
          j === at ? "chosen" : "",
          i === row && j === at ? "both" : "",
          stage === "weights" && i === j && !blocked ? "self" : "",
        ];
        if (i === row && j === 0) classes.push("first");
        if (i === row && j === S - 1) classes.push("last");
        const text = blocked
          ? ""
          : roomy
            ? stage === "weights"
              ? S <= 6
                ? share(x)
                : fraction(x)
              : S <= 6
                ? short(x)
                : short(x, 1)
            : "";
        const cell = el(
          "i",
          {
            class: classes.filter(Boolean).join(" "),
            style: `--p: ${100 * p}%`,
            onclick: () => this.set(isOutput ? { row: i, feature: j } : { row: i, col: j }),
          },
          text,
        );
        children.push(cell);
      });
    });
    n.grid.replaceChildren(...children);
    n.grid.setAttribute("aria-label", `${stage}, ${T} by ${S}. Arrow keys choose a cell.`);
    const value = rows[row][at];
    n.cell.textContent = `${names[row]}, ${columns[at]}: ${value == null ? "blocked by the mask" : short(value, 4)}`;
    const bar = el("span", {
      class: `bar ${HUES[stage]} ${low < 0 ? (isOutput ? "both grey" : "both") : ""}`,
      style: `--zero: ${(100 * -low) / (high - low || 1)}%`,
    });
    n.legend.replaceChildren(
      el("span", {}, short(low)),
      bar,
      el("span", {}, short(high)),
      el(
        "span",
        { class: "note" },
        { weights: "dotted: a word looking at itself", masked: "hatched: blocked" }[stage] ??
          (low < 0 ? (isOutput ? "grey: below 0" : "amber: below 0") : ""),
      ),
    );
    this.root.dataset.value = value == null ? "" : String(value);
  }

  /** Why the chosen cell is what it is: every step from the numbers of the stage before. */
  explain() {
    const { stage, row, col, feature } = this.state,
      { matrices: m } = this.data;
    const editable = this.data.limit != null;
    const ask = editable ? `q${row + 1}` : this.data.labels[row],
      seen = editable ? `k${col + 1}` : this.data.labels[col];
    const at = (name) => this.stages[name]?.[row][col];
    const b = (role, text) => el("b", { class: role }, text);
    const line = (...parts) => el("p", {}, ...parts);
    const sum = (parts) => parts.flatMap((part, i) => (i ? [" + ", part] : [part]));
    const pair = (x, y, left, right) =>
      el("span", { class: "product" }, b(left, short(x)), " × ", b(right, x < 0 || y < 0 ? short(y) : short(y)));
    const d_k = m.q[0].length,
      before = this.stages.masked ? "masked" : this.stages.biased ? "biased" : "scaled";
    const heading = el("h4", {});
    const lines = [];
    const title = (value, from, to) =>
      heading.replaceChildren(
        "Why ",
        b(HUES[stage], value),
        "? ",
        el("span", { class: "quiet" }, "from ", b("query", from), ...to),
      );
    const towards = [" to ", b("key", seen)];
    if (stage === "scores") {
      title(short(at("scores")), ask, towards);
      lines.push(
        line(
          ...sum(m.q[row].map((x, f) => pair(x, m.k[col][f], "query", "key"))),
          " = ",
          b("weight", short(at("scores"), 3)),
        ),
      );
    } else if (stage === "scaled") {
      title(short(at("scaled")), ask, towards);
      lines.push(
        line(
          `${short(at("scores"), 3)} ÷ √${d_k} = ${short(at("scores"), 3)} ÷ ${short(Math.sqrt(d_k), 3)} = `,
          b("weight", short(at("scaled"), 3)),
        ),
      );
    } else if (stage === "biased") {
      title(short(at("biased")), ask, towards);
      lines.push(
        line(`${short(at("scaled"), 3)} and the bias for the distance = `, b("weight", short(at("biased"), 3))),
      );
    } else if (stage === "masked") {
      title(at("masked") == null ? "−∞" : short(at("masked")), ask, towards);
      lines.push(
        line(
          at("masked") == null
            ? "The mask blocks this cell: its score becomes −∞, and e to that power is exactly 0."
            : "The mask allows this cell: the score stays as it is.",
        ),
      );
    } else if (stage === "weights") {
      title(share(at("weights")), ask, towards);
      const scores = this.stages[before][row],
        allowed = scores.filter((x) => x != null);
      if (at(before) == null) lines.push(line("The mask blocks this cell: exactly 0."));
      else {
        const top = Math.max(...allowed),
          total = allowed.reduce((s, x) => s + Math.exp(x - top), 0);
        lines.push(
          line(
            `e to the power of (${short(at(before), 3)} − ${short(top, 3)}) = ${short(Math.exp(at(before) - top), 3)}`,
            el("span", { class: "quiet" }, "  the row’s largest is taken off first"),
          ),
        );
        lines.push(line(`÷ ${short(total, 3)}, the sum of the row = `, b("weight", share(at("weights")))));
      }
      lines.push(
        line(
          "The whole row adds up to ",
          b("weight", share(this.stages.weights[row].reduce((s, x) => s + x, 0))),
          `; on itself: ${share(this.stages.weights[row][row])}.`,
        ),
      );
    } else {
      const out = this.stages.output[row][feature];
      title(short(out, 3), ask, [`, feature ${feature + 1}`]);
      const parts = this.stages.weights[row]
        .map((w, j) => [w, j])
        .filter(([w]) => w !== 0)
        .sort((x, y) => y[0] - x[0]);
      const kept = parts.slice(0, 8);
      if (parts.length <= 8) kept.sort((x, y) => x[1] - y[1]);
      const rest = parts.slice(8).reduce((s, [w, j]) => s + w * m.v[j][feature], 0);
      lines.push(
        line(
          ...sum(
            kept.map(([w, j]) =>
              el("span", { class: "product" }, b("weight", share(w)), " × ", b("value", short(m.v[j][feature]))),
            ),
          ),
          parts.length > 8 ? ` + ${short(rest, 3)} from ${parts.length - 8} more` : "",
          " = ",
          b("value", short(out, 3)),
        ),
      );
    }
    this.nodes.why.replaceChildren(heading, ...lines);
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

  /** The held row: a bar a key before softmax, ribbons after it. */
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
