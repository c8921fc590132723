// One attention, stage by stage. Numbers come from the server; this shows them, links them, and says how each is made.

import {
  brief,
  el,
  minus,
  mix,
  mirror,
  mount,
  param,
  rgb,
  still,
  strength,
  svg,
  theme,
  trimmed,
  wholeParam,
} from "../../../../attention_view/lab.js";

const NAMES = { q: "Q", k: "K", v: "V" };
const HUES = {
  q: "query",
  k: "key",
  v: "value",
  scores: "signed",
  scaled: "signed",
  biased: "signed",
  masked: "signed",
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
  masked: "Mask: hide what may not be seen",
  weights: "Softmax: each row becomes shares of 1",
  output: "Mix: add up the values, each by its share",
};
const SAYS = {
  q: "One row per word. A query is compared with every key.",
  k: "One row per word. A key is only compared; nothing of it is passed on.",
  v: "One row per word. Only values reach the output, each in proportion to its attention weight.",
  scores: "Multiply query and key feature by feature, and add up. A large score means a good match.",
  scaled: "Wider vectors make larger products; dividing by √d_k keeps them in range.",
  biased: "Each score gets a number that depends on the distance between the two words.",
  masked: "Hatched cells are off limits: they will get no share at all. A score of 0 would still get one.",
  weights: "e to the power of each score, divided by the sum of the row, so that each row adds up to 1.",
  output: "Each row of the output mixes all the values. As many rows come out as went in.",
};
/** What is chosen, and its names in the address: now, and in old links, which are of small numbers. */
const PLACES = { row: ["att_from", "att_row"], col: ["att_to", "att_col"], feature: ["att_part", "att_feature"] };
const TAKES_ARROWS = "input, textarea, select, [role=grid], [role=slider], [role=radio], [role=tab], [role=combobox]";
/** Temperatures that the slider has; along what softmax may run; and both as they are in the model. */
const TEMPERATURES = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];
const AXES = ["keys", "queries"];
const TUNE = { tau: 1, divided: true, along: "keys" };
const TWEEN = 200; // milliseconds, from the numbers of one stage to those of the next
const PAUSE = 1100; // while it plays

/** A number as short as it may be: whole numbers as they are, others with two or three digits that matter. */
export function short(x, digits = 2) {
  if (x == null) return "";
  if (Number.isInteger(x)) return minus(String(x));
  const least = 10 ** -digits;
  if (Math.abs(x) >= 0.5 * least) return trimmed(x, digits);
  return x > 0 ? `<${least}` : `>−${least}`;
}
export const share = (x, digits = 2) =>
  x === 0 ? "0" : x < 0.5 * 10 ** -digits ? `<${10 ** -digits}` : x.toFixed(digits);

/** Which of two inks, on a mix of so much of a colour and the panel, has the better contrast; black or white where
 * neither has enough. */
export function readable(over, panel, part, ink, ground) {
  const light = ([r, g, b]) =>
    [r, g, b].reduce((sum, c, n) => {
      const x = c / 255;
      return sum + [0.2126, 0.7152, 0.0722][n] * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    }, 0);
  const behind = light([0, 1, 2].map((n) => part * over[n] + (1 - part) * panel[n]));
  const contrast = (colour) => {
    const [a, b] = [light(colour), behind].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const [best, colour] =
    contrast(ink) >= contrast(ground) ? [contrast(ink), "var(--ink)"] : [contrast(ground), "var(--ground)"];
  if (best >= 4.7) return colour; // 4.5 and some room for rounding
  return contrast([0, 0, 0]) > contrast([255, 255, 255]) ? "#000" : "#fff";
}

/** Rows of scores (null: blocked) over a temperature, and their softmax: each row shares 1 among the keys, or, along
 * the queries, which is wrong, each column among the queries. A row with nothing open is all 0. */
export function softmax(rows, tau = 1, along = "keys") {
  const fed = rows.map((row) => row.map((x) => (x == null ? null : x / tau)));
  const columns = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));
  const shares = (row) => {
    const open = row.filter((x) => x != null);
    const powers = row.map((x) => (x == null ? 0 : Math.exp(x - Math.max(...open))));
    const total = powers.reduce((sum, x) => sum + x, 0);
    return powers.map((x) => (total ? x / total : 0));
  };
  return { fed, weights: along === "keys" ? fed.map(shares) : columns(columns(fed).map(shares)) };
}

const bold = (role, text) => el("b", { class: role }, text);
const sum = (parts) => parts.flatMap((part, i) => (i ? [" + ", part] : [part]));

class Steps {
  constructor(root) {
    this.root = root;
    this.state = { stage: "scores", term: null, row: null, col: null, feature: 0 };
    this.tune = { ...TUNE };
    this.link = mirror((put) => this.root.isConnected && this.write(put), 250);
    this.read();
    // The right arrow goes on to the next stage where it has nothing else to do.
    this.arrow = (event) => {
      const isTaken = event.composedPath().some((node) => node.matches?.(TAKES_ARROWS));
      if (event.key === "ArrowRight" && !isTaken && !event.defaultPrevented && this.root.isConnected) this.step();
    };
    document.addEventListener("keydown", this.arrow);
  }

  // ---- state ------------------------------------------------------------------------------------------------

  read() {
    this.asked = param("att_step") ?? param("att_stage");
    const tau = Number(param("att_t"));
    if (TEMPERATURES.includes(tau)) this.tune.tau = tau;
    if (AXES.includes(param("att_axis"))) this.tune.along = param("att_axis");
    this.tune.divided = param("att_divided") !== "no";
    for (const [name, [now, before]] of Object.entries(PLACES)) {
      const place = wholeParam(now) ?? wholeParam(before);
      if (place !== null) this.state[name] = place - 1;
    }
  }

  /** What is chosen, for the address bar. */
  write(put) {
    put("att_step", this.state.stage, "scores");
    put("att_stage", null);
    put("att_t", this.tune.tau, 1);
    put("att_axis", this.tune.along, "keys");
    put("att_divided", this.tune.divided ? "yes" : "no", "yes");
    for (const [name, [now, before]] of Object.entries(PLACES)) {
      put(now, this.state[name] + 1, (this.data.start[name] ?? 0) + 1);
      put(before, null);
    }
  }

  set(change) {
    this.halt();
    this.go(change);
  }

  go(change) {
    Object.assign(this.state, change);
    if (!("term" in change)) this.state.term = null;
    this.refresh();
    this.link.later();
  }

  // ---- playing ----------------------------------------------------------------------------------------------

  /** To the next stage; from the last to the first. */
  step() {
    this.set({ stage: this.names[(this.names.indexOf(this.state.stage) + 1) % this.names.length] });
  }

  /** Walks through all stages, from the first if it stands at the last; or stops. */
  play() {
    if (this.timer) return this.halt();
    const last = this.names.length - 1;
    const next = () => {
      const at = this.names.indexOf(this.state.stage);
      if (at === last) return this.halt();
      this.go({ stage: this.names[at + 1] });
      this.timer = setTimeout(next, PAUSE);
    };
    if (this.state.stage === this.names[last]) this.go({ stage: this.names[0] });
    this.timer = setTimeout(next, this.state.stage === this.names[0] ? PAUSE / 2 : 0);
    this.nodes.play.textContent = "❚❚ Pause";
  }

  halt() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.nodes) this.nodes.play.textContent = "▶ Play";
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
    this.given = Object.fromEntries(data.stages.map((s) => [s.name, s.rows]));
    this.turn();
    this.names = data.stages.map((s) => s.name);
    if (this.asked && this.names.includes(this.asked)) this.state.stage = this.asked;
    this.asked = null;
    // What was asked for before this was put on the page is no news.
    if (this.signature && data.show?.n !== this.shownLast && this.names.includes(data.show?.stage)) {
      this.state.stage = data.show.stage;
      this.link.later();
    }
    this.shownLast = data.show?.n;
    if (!this.names.includes(this.state.stage)) this.state.stage = this.names.includes("masked") ? "masked" : "scores";
    const T = data.labels.length,
      features = data.matrices.v[0].length;
    const within = (n, size, usual = 0) => (n !== null && n >= 0 && n < size ? n : usual);
    const text = JSON.stringify(data.labels);
    if (this.text && text !== this.text) this.state.row = this.state.col = null; // of another text
    this.text = text;
    this.state.row = within(this.state.row, T, data.start.row);
    this.state.col = within(this.state.col, T, data.start.col);
    this.state.feature = within(this.state.feature, features);
    const signature = JSON.stringify([data.labels, this.names, features, data.limit, data.matrices.q[0].length]);
    if (signature !== this.signature) this.build();
    this.signature = signature;
    for (const name of Object.keys(NAMES)) this.fill(name);
    this.complain("");
    this.refresh();
  }

  /** The attention weights, and the output that they mix, at the temperature, division and axis that are set. */
  turn(change = {}) {
    Object.assign(this.tune, change);
    const { tau, divided, along } = this.tune;
    const { scores, scaled, biased, masked } = this.given;
    const before = (i, j) => (divided ? scaled : scores)[i][j] + (biased ? biased[i][j] - scaled[i][j] : 0);
    const open = scaled.map((row, i) => row.map((_, j) => (masked && masked[i][j] == null ? null : before(i, j))));
    const { fed, weights } = softmax(open, tau, along);
    this.fed = fed;
    this.stages = { ...this.given };
    if (!this.isTuned()) return; // the model's own
    this.stages.weights = weights;
    const { v } = this.data.matrices;
    this.stages.output = weights.map((row) => v[0].map((_, f) => row.reduce((sum, w, j) => sum + w * v[j][f], 0)));
  }

  isTuned() {
    return Object.keys(TUNE).some((name) => this.tune[name] !== TUNE[name]);
  }

  /** A control of softmax was moved. */
  tuneTo(change) {
    this.halt();
    this.turn(change);
    this.refresh();
    this.link.later();
  }

  /** Temperature, division and axis of softmax, as controls. */
  tuner() {
    const n = this.nodes;
    n.tau = el("input", {
      type: "range",
      min: 0,
      max: TEMPERATURES.length - 1,
      step: 1,
      "aria-label": "Temperature τ",
      oninput: () => this.tuneTo({ tau: TEMPERATURES[Number(n.tau.value)] }),
    });
    n.tauIs = el("output");
    n.divided = el("input", { type: "checkbox", onchange: () => this.tuneTo({ divided: n.divided.checked }) });
    n.wrong = el("input", {
      type: "checkbox",
      onchange: () => this.tuneTo({ along: n.wrong.checked ? "queries" : "keys" }),
    });
    return el(
      "div.tune",
      { role: "group", "aria-label": "Softmax" },
      el("label", "Temperature τ ", n.tau, n.tauIs),
      el("label", n.divided, el("span", "÷ √d", el("sub", "k"))),
      el("label", n.wrong, " wrong axis"),
    );
  }

  /** What the controls of softmax are set to, and what that does to the row that is held. */
  tellTune() {
    const { stage, row } = this.state;
    const { tau, divided, along } = this.tune;
    const n = this.nodes;
    n.tune.hidden = stage !== "weights" && stage !== "output";
    n.tau.value = String(TEMPERATURES.indexOf(tau));
    n.tau.setAttribute("aria-valuetext", String(tau));
    n.tauIs.textContent = String(tau);
    n.divided.checked = divided;
    n.wrong.checked = along === "queries";
    if (n.tune.hidden || !this.isTuned()) return;
    const largest = (stages) => share(Math.max(...stages.weights[row]));
    const total = this.stages.weights[row].reduce((sum, x) => sum + x, 0);
    n.say.textContent =
      (along === "queries"
        ? `Wrong axis: each column adds up to 1 now, and this row to ${short(total, 3)}, so its output is no average. `
        : "") +
      `The row’s largest weight is ${largest(this.stages)}; divided by √d_k, at τ = 1, it is ${largest(this.given)}.`;
  }

  // ---- structure --------------------------------------------------------------------------------------------

  build() {
    const d_k = this.data.matrices.q[0].length;
    const editable = this.data.limit != null;
    this.shown = null; // the cells of the stage, and their numbers
    const n = (this.nodes = { terms: {}, cells: {}, lines: [] });
    const term = (stage, ...inside) =>
      (n.terms[stage] = el(
        "button",
        {
          class: `term ${HUES[stage]}`,
          title: TITLES[stage],
          onclick: () => this.set({ stage }),
          ...this.pointed({ stage }),
        },
        ...inside,
      ));
    n.formula = el(
      "div.formula",
      { role: "group", "aria-label": "The formula: choose a term" },
      term("weights", "softmax"),
      el("span.paren", "("),
      el(
        "span.fraction",
        term("scores", bold("query", "Q"), " ", bold("key", "K"), el("sup", "T")),
        term("scaled", "√", el("span.root", "d", el("sub", "k"))),
      ),
      this.names.includes("masked") ? el("span.plus", ", ") : null,
      this.names.includes("masked") ? term("masked", "mask") : null,
      el("span.paren", ")"),
      term("output", bold("value", "V")),
    );
    n.scrubber = el("div.scrubber", { role: "radiogroup", "aria-label": "Stage of the computation" });
    for (const stage of this.names) {
      const input = el("input", { type: "radio", name: "stage", value: stage, onchange: () => this.set({ stage }) });
      n.scrubber.append(el("label", input, stage));
    }
    n.play = el("button.go", { onclick: () => this.play() }, "▶ Play");
    n.step = el("button.go", { onclick: () => this.step() }, "Step →");
    const hints = [
      ["→", " next stage"],
      ["click", " a cell, a word or a term"],
      editable ? ["type", " any number"] : ["hover", " over the formula"],
    ];
    n.hints = el("ul.hints.quiet", ...hints.map(([key, text]) => el("li", el("kbd", key), text)));
    n.inputs = el(
      "section.inputs",
      { "aria-label": "Queries, keys and values" },
      ...Object.keys(NAMES).map((name) => this.matrix(name)),
    );
    n.complaint = el("p.complaint", { role: "status", hidden: true });
    n.inputs.append(n.complaint);
    n.title = el("h2");
    n.say = el("p.quiet.say");
    n.tune = this.tuner();
    n.grid = el("div.grid", { tabindex: 0, role: "grid", onkeydown: (e) => this.key(e) });
    n.cell = el("p.unseen", { role: "status" });
    n.legend = el("p.quiet.legend");
    n.why = el("div.why");
    n.code = el("div.code");
    n.row = el("div.held");
    this.root.replaceChildren(
      el("div.top", n.formula, n.scrubber, el("span.player", n.play, n.step), n.hints),
      el(
        "div.columns",
        n.inputs,
        el(
          "section.stage",
          { "aria-label": "The stage" },
          n.title,
          n.tune,
          n.say,
          el("div.scroll", n.grid),
          n.cell,
          n.legend,
          n.why,
        ),
        el("section.told", { "aria-label": "The row that is held, and the code" }, n.row, n.code),
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
          { class: `label ${HUES[name]}`, title: `Hold the row of ${label}`, onclick: () => hold(i) },
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
      "div.given",
      el("div.head", head, el("span.quiet", { q: "queries", k: "keys", v: "values" }[name] + ", " + sizes)),
      body,
    );
  }

  fill(name) {
    const rows = this.data.matrices[name];
    const most = Math.max(...rows.flat().map(Math.abs)) || 1;
    rows.forEach((row, i) =>
      row.forEach((x, f) => {
        const cell = this.nodes.cells[name][i][f];
        cell.className = x < 0 ? "negative" : "positive";
        if (cell.tagName === "INPUT") {
          if (cell.value !== String(x) && (cell !== this.root.getRootNode().activeElement || !cell.dirty))
            cell.value = String(x);
          cell.style.setProperty("--p", `${46 * strength(Math.abs(x) / most)}%`);
        } else {
          cell.style.setProperty("--p", `${100 * strength(Math.abs(x) / most)}%`);
          cell.title = `${this.data.labels[i]}, feature ${f + 1}: ${short(x, 3)}`;
        }
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
    this.tellTune();
    this.paint();
    this.explain();
    this.tell(term);
    this.hold();
    delete this.root.dataset.peek;
    Object.assign(this.root.dataset, { stage, term, row, col, feature, painted: true });
  }

  /** The matrix of the stage, with the row held and the chosen column outlined. The cells of one shape stay: their
   * numbers and colours move from one stage to the next. */
  paint() {
    const { stage, row, col, feature } = this.state;
    const n = this.nodes;
    const rows = this.stages[stage];
    const isOutput = stage === "output";
    const [T, S] = [rows.length, rows[0].length];
    const { names, columns } = this.labels(isOutput, S);
    const at = isOutput ? feature : col;
    const shape = JSON.stringify([isOutput, names, columns]);
    if (shape !== this.shown?.shape) this.lay(shape, isOutput, names, columns);
    const { cells, heads, sides } = this.shown;
    heads.forEach((head, j) => head.classList.toggle("on", j === at));
    sides.forEach((side, i) => side.classList.toggle("on", i === row));
    const largest = Math.max(...rows.flat().map((x) => Math.abs(x ?? 0))) || 1;
    cells.forEach((line, i) =>
      line.forEach((cell, j) => {
        const isBlocked = rows[i][j] == null || (stage === "weights" && this.isBlocked(i, j));
        const is = {
          blocked: isBlocked,
          held: i === row,
          both: i === row && j === at,
          self: stage === "weights" && i === j && !isBlocked,
          first: i === row && j === 0,
          last: i === row && j === S - 1,
        };
        for (const [name, on] of Object.entries(is)) cell.classList.toggle(name, on);
      }),
    );
    n.grid.setAttribute("aria-activedescendant", `step-${row}-${at}`);
    n.grid.setAttribute("aria-label", `${stage}, ${T} by ${S}. Arrow keys choose a cell.`);
    this.tween(rows, largest, stage);
    const value = rows[row][at];
    n.cell.textContent = `${names[row]}, ${columns[at]}: ${value == null ? "blocked by the mask" : short(value, 4)}`;
    this.root.dataset.value = value == null ? "" : String(value);
    this.paintLegend(rows);
  }

  isBlocked(i, j) {
    return Boolean(this.stages.masked) && this.stages.masked[i][j] == null;
  }

  /** New cells, with the names of their rows and columns. */
  lay(shape, isOutput, names, columns) {
    const [T, S] = [names.length, columns.length];
    const { grid } = this.nodes;
    const choose = (i, j) => this.set(isOutput ? { row: i, feature: j } : { row: i, col: j });
    const isFlat = this.data.limit != null || isOutput;
    const heads = columns.map((text, j) => this.columnName(text, j, isOutput, isFlat));
    const sides = names.map((text, i) =>
      el("span.label.query", { role: "rowheader", onclick: () => this.set({ row: i }) }, text),
    );
    const cells = names.map((_, i) =>
      columns.map((_, j) => el("i.cell", { role: "gridcell", id: `step-${i}-${j}`, onclick: () => choose(i, j) })),
    );
    const roomy = S <= 12;
    grid.className = `grid ${roomy ? "roomy" : "dense"} ${S <= 8 ? "large" : ""} ${this.shown ? "new" : ""}`;
    grid.style.setProperty("--n", S);
    grid.style.setProperty("--cell", `${Math.max(roomy ? 27 : 13, Math.min(40, Math.floor(330 / T)))}px`);
    grid.style.setProperty("--tall", `${T <= 4 ? 54 : Math.max(30, Math.min(44, Math.floor(270 / T)))}px`);
    const corner = el("span.corner.quiet", { role: "columnheader" }, isOutput ? "query ↓ feature →" : "query ↓ key →");
    grid.replaceChildren(
      el("div.line-of-cells", { role: "row" }, corner, ...heads),
      ...cells.map((line, i) => el("div.line-of-cells", { role: "row" }, sides[i], ...line)),
    );
    const isNarrow = (grid.clientWidth - 82) / S < 48; // as on a phone: a digit less
    this.shown = { shape, cells, heads, sides, isNarrow, numbers: null, stage: null };
  }

  /** The cells' numbers and colours: from what is shown to those of the stage. */
  tween(rows, largest, stage) {
    cancelAnimationFrame(this.frame);
    const shown = this.shown;
    const from = shown.numbers;
    const hue = (x) => (stage === "weights" ? "weight" : x < 0 ? "negative" : "positive");
    const S = rows[0].length;
    const colours = this.colours();
    const draw = (part) => {
      shown.cells.forEach((line, i) =>
        line.forEach((cell, j) => {
          const end = rows[i][j];
          if (end == null || cell.classList.contains("blocked")) {
            cell.textContent = "";
            cell.style.color = cell.style.background = "";
            return;
          }
          const start = from?.[i][j] ?? end;
          const x = part === 1 ? end : start + (end - start) * part;
          const was = Math.abs(start) / (shown.largest || 1);
          const p = strength(part === 1 ? Math.abs(end) / largest : was + (Math.abs(end) / largest - was) * part);
          const name = hue(x);
          cell.textContent = this.cellText(x, S, stage);
          cell.style.background = mix(name, Math.round(1000 * p) / 10);
          cell.style.color = readable(colours[name], colours.panel, p, colours.ink, colours.ground);
        }),
      );
    };
    const isMove = from && shown.stage !== stage && !still() && document.visibilityState === "visible";
    const began = performance.now();
    const done = () => {
      draw(1);
      Object.assign(shown, { numbers: rows, stage, largest });
    };
    if (!isMove) return done();
    const frame = (now) => {
      const part = Math.min(1, (now - began) / TWEEN);
      if (part === 1) return done();
      draw(part * (2 - part));
      this.frame = requestAnimationFrame(frame);
    };
    draw(0);
    this.frame = requestAnimationFrame(frame);
  }

  colours() {
    const colour = theme(this.root);
    const names = ["weight", "negative", "positive", "panel", "ink", "ground"];
    return Object.fromEntries(names.map((name) => [name, [...rgb(colour(name))]]));
  }

  /** What rows and columns are called: words, or q1 and k1 where numbers are edited. */
  labels(isOutput, S) {
    const { labels, limit } = this.data;
    const numbered = (letter) => labels.map((_, i) => letter + (i + 1));
    const names = limit == null ? labels : numbered("q");
    const columns = limit == null ? labels : numbered("k");
    return { names, columns: isOutput ? Array.from({ length: S }, (_, f) => String(f + 1)) : columns };
  }

  columnName(text, j, isOutput, isFlat) {
    const isShort = isFlat || (this.data.labels.length <= 8 && this.data.labels.every((label) => label.length <= 7));
    const classes = `column ${isOutput ? "value" : "key"} ${isShort ? "flat" : ""}`;
    const onclick = () => this.set(isOutput ? { feature: j } : { col: j });
    return el("span", { class: classes, role: "columnheader", onclick }, el("span", text));
  }

  /** A number in a cell, as long as there is room for. */
  cellText(x, S, stage) {
    if (S > 12) return "";
    if (stage === "weights") return S <= 8 ? share(x) : brief(x).replace("<0.01", "");
    return S <= 8 && !this.shown.isNarrow ? short(x) : short(x, 1).replace(/[<>].*/, "0");
  }

  paintLegend(rows) {
    const { stage } = this.state;
    const numbers = rows.flat().filter((x) => x != null);
    const low = Math.min(0, ...numbers);
    const high = Math.max(0, ...numbers);
    const notes = { weights: "dotted: a word looking at itself", masked: "hatched: blocked" };
    const signs = [low < 0 && "amber: below 0", high > 0 && "slate: above"];
    const signed = signs.filter(Boolean).join(", ");
    this.nodes.legend.replaceChildren(
      el("span", short(low)),
      el("span", {
        class: `bar ${stage === "weights" ? "weight" : low < 0 ? "both" : "positive"}`,
        style: `--zero: ${(100 * -low) / (high - low || 1)}%`,
        "aria-hidden": "true",
      }),
      el("span", short(high)),
      el("span.note", notes[stage] ?? signed),
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
        "h3",
        "Why ",
        bold(stage === "weights" ? "weight" : "ink", value),
        "? ",
        el("span.quiet", "from ", bold("query", names[row]), ...to),
      ),
      ...lines.map((parts) => el("p", ...parts)),
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
          el("span.product", bold("query", short(x)), " × ", bold("key", short(k[col][f]))),
        );
        return { value: short(at(stage)), lines: [[...sum(products), " = ", bold("ink", short(at(stage), 3))]] };
      }
      case "scaled": {
        const [d_k, before] = [q[0].length, short(at("scores"), 3)];
        const text = `${before} ÷ √${d_k} = ${before} ÷ ${short(Math.sqrt(d_k), 3)} = `;
        return { value: short(at(stage)), lines: [[text, bold("ink", short(at(stage), 3))]] };
      }
      case "biased": {
        const text = `${short(at("scaled"), 3)} and the bias for the distance = `;
        return { value: short(at(stage)), lines: [[text, bold("ink", short(at(stage), 3))]] };
      }
      case "masked":
        return blocked
          ? {
              value: "−∞",
              lines: [["The mask blocks this cell: its score becomes −∞, and e to that power is exactly 0."]],
            }
          : { value: short(at(stage)), lines: [["The mask allows this cell: the score stays as it is."]] };
      default:
        return { value: share(at(stage), 3), lines: this.explainWeight() };
    }
  }

  explainWeight() {
    const { row, col } = this.state;
    const weights = this.stages.weights[row];
    const { tau, divided, along } = this.tune;
    const isRow = along === "keys";
    const scores = isRow ? this.fed[row] : this.fed.map((one) => one[col]);
    const score = this.fed[row][col];
    const whole = [
      "The whole row adds up to ",
      bold(
        "weight",
        short(
          weights.reduce((s, x) => s + x, 0),
          3,
        ),
      ),
      `; on itself: ${share(weights[row], 3)}.`,
    ];
    if (score == null) return [["The mask blocks this cell: exactly 0."], whole];
    const allowed = scores.filter((x) => x != null);
    const top = Math.max(...allowed);
    const total = allowed.reduce((s, x) => s + Math.exp(x - top), 0);
    const power = short(Math.exp(score - top), 3);
    const from = short(score * tau, 3);
    const tuned = `${divided ? "" : "not divided: "}${from} ÷ τ = ${from} ÷ ${tau} = ${short(score, 3)}`;
    return [
      ...(tau !== 1 || !divided ? [[tuned]] : []),
      [
        `e to the power of (${short(score, 3)} − ${short(top, 3)}) = ${power}`,
        el("span.quiet", `  the ${isRow ? "row" : "column"}’s largest is taken off first`),
      ],
      [`÷ ${short(total, 3)}, the sum of the ${isRow ? "row" : "column"} = `, bold("weight", share(weights[col], 3))],
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
      el("span.product", bold("weight", share(w, 3)), " × ", bold("value", short(v[j][feature]))),
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
        el("span.number", String(l.number)),
        el("code", ...l.parts.map(([text, role]) => (role ? el("span", { class: role }, text) : text))),
      );
    });
    this.nodes.code.replaceChildren(
      el("p.quiet.path", `The code that ran: ${panel.path}, ${panel.name}`),
      el("div.lines", ...lines),
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
    const low = Math.min(0, ...values.map((x) => x ?? 0));
    const span = Math.max(0, ...values.map((x) => x ?? 0)) - low || 1;
    const zero = (100 * -low) / span;
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
          svg("path.ribbon", {
            d: `M2 ${middle} C60 ${middle} 50 ${y} 108 ${y}`,
            "stroke-width": Math.max(0.6, 12 * w),
            opacity: 0.2 + 0.8 * (w / most),
          }),
        );
      });
    const list = el(
      "div.keys",
      { style: `--h: ${height}px` },
      ...values.map((x, j) =>
        el(
          "div",
          { class: `item ${j === this.state.col ? "on" : ""}`, onclick: () => this.set({ col: j }) },
          el("span.key.name", names[j]),
          share_
            ? null
            : el(
                "span.track",
                { style: `--zero: ${zero}%` },
                el("i", {
                  class: x == null ? "blocked" : x < 0 ? "negative" : "positive",
                  style:
                    x == null
                      ? "--from: 0%; --w: 100%"
                      : `--from: ${x < 0 ? zero - (100 * -x) / span : zero}%; --w: ${(100 * Math.abs(x)) / span}%`,
                }),
              ),
          el("span.amount", x == null || (share_ && this.isBlocked(row, j)) ? "blocked" : share_ ? share(x) : short(x)),
        ),
      ),
    );
    this.nodes.row.replaceChildren(
      el("h3", share_ ? "Where " : "The row of ", el("b.query", ask), share_ ? " looks" : `: ${stage}`),
      el(
        "div",
        { class: share_ ? "ribbons" : "bars" },
        share_ ? el("b.query.from", ask) : null,
        share_ ? ribbons : null,
        list,
      ),
    );
  }

  destroy() {
    this.halt();
    cancelAnimationFrame(this.frame);
    document.removeEventListener("keydown", this.arrow);
    this.link.end();
  }
}

export default mount(".attention-steps", Steps);
