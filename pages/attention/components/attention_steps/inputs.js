// Queries, keys and values: numbers to edit, or cells to look at.

import { el, strength } from "../../../../attention_view/lab.js";
import { HUES, NAMES, reach, short, TITLES } from "./stages.js";

const PLURALS = { q: "queries", k: "keys", v: "values" };

export class Inputs {
  /** steps: has the data, set(), term() and send(); what is chosen there is lit up here */
  constructor(steps) {
    this.steps = steps;
    this.cells = {};
    this.given = {};
    this.complaint = el("p.complaint", { role: "status", hidden: true });
    const matrices = Object.keys(NAMES).map((name) => this.matrix(name));
    const props = { "aria-label": "Queries, keys and values" };
    this.node = el("section.inputs", props, ...matrices, this.complaint);
  }

  matrix(name) {
    const { data } = this.steps;
    const rows = data.matrices[name];
    const isEditable = data.limit != null;
    const hold = (i) => this.steps.set(name === "q" ? { row: i } : { col: i });
    this.cells[name] = rows.map((row, i) => row.map((_, f) => this.cell(name, i, f, () => hold(i))));
    const lines = rows.flatMap((_, i) => {
      const label = isEditable ? name + (i + 1) : data.labels[i];
      const props = { title: `Hold the row of ${label}`, onclick: () => hold(i) };
      return [this.steps.marked(el(`button.label.${HUES[name]}`, props, label), i), ...this.cells[name][i]];
    });
    const props = { style: `--n: ${rows[0].length}`, role: "group", "aria-label": TITLES[name] };
    const sizes = el("span.quiet", `${PLURALS[name]}, ${rows.length} × ${rows[0].length}`);
    const head = el("div.head", this.steps.term(name, { term: name }, NAMES[name]), sizes);
    return (this.given[name] = el(
      "div.given",
      head,
      el(isEditable ? "div.matrix.editable" : "div.matrix", props, ...lines),
    ));
  }

  cell(name, i, f, hold) {
    if (this.steps.data.limit == null) return el("i", { onclick: hold });
    const onfocus = ({ target }) => {
      target.select();
      hold();
    };
    const label = `${NAMES[name]}, row ${i + 1}, column ${f + 1}`;
    const asked = { inputmode: "decimal", maxlength: 12, autocomplete: "off", "aria-label": label };
    return el("input", { ...asked, onchange: ({ target }) => this.edit(name, i, f, target), onfocus });
  }

  fill() {
    for (const name of Object.keys(NAMES)) this.fillOne(name);
  }

  fillOne(name) {
    const { data, root } = this.steps;
    const rows = data.matrices[name];
    const most = reach(rows.flat());
    rows.forEach((row, i) =>
      row.forEach((x, f) => {
        const cell = this.cells[name][i][f];
        const isInput = cell.tagName === "INPUT";
        cell.className = x < 0 ? "negative" : "positive";
        cell.style.setProperty("--p", `${(isInput ? 46 : 100) * strength(Math.abs(x) / most)}%`);
        if (!isInput) cell.title = `${data.labels[i]}, feature ${f + 1}: ${short(x, 3)}`;
        else if (cell.value !== String(x) && (cell !== root.getRootNode().activeElement || !cell.dirty))
          cell.value = String(x);
      }),
    );
  }

  edit(name, i, f, input) {
    const { matrices, limit } = this.steps.data;
    const was = matrices[name][i][f];
    const text = input.value.trim().replace("−", "-").replace(",", ".");
    const x = text === "" ? NaN : Number(text);
    if (!Number.isFinite(x) || Math.abs(x) > limit) {
      const typed = input.value.slice(0, 12);
      this.complain(`“${typed}” is not a number from −${limit} to ${limit}; the cell keeps its ${short(was)}.`);
      input.value = String(was);
      return;
    }
    this.complain("");
    if (x !== was) this.steps.send("edit", [name, i, f, String(x)]);
  }

  complain(text) {
    this.complaint.textContent = text;
    this.complaint.hidden = !text;
  }

  /** Lights up what the stage reads, or the matrix that is the chosen term. */
  light({ stage, term, row, col, feature }) {
    const reads = { scores: ["q", "k"], output: ["v"] }[stage] ?? [];
    for (const name of Object.keys(NAMES)) {
      const held = name === "q" ? row : col;
      const lit = term ? name === term : reads.includes(name);
      const isOn = (i, f) => lit && (Boolean(term) || (name === "v" ? f === feature : i === held));
      this.cells[name].forEach((cells, i) => cells.forEach((cell, f) => cell.classList.toggle("lit", isOn(i, f))));
      this.given[name].classList.toggle("reads", lit);
    }
  }
}
