// Where the picked token is looked up: among the rows of the table.

import { el, fixed } from "../../../../attention_view/lab.js";
import { ROWS, rowsOf } from "./cutting.js";

/** Rows that are not drawn. */
const gap = (n) => {
  const title = `${n.toLocaleString("en")} more row${n === 1 ? "" : "s"}, not shown`;
  return el("span.gap", { title }, el("span.unseen", title));
};

/** What a token's id picks, in a sentence: the token is n times in the text; of the table there are so many rows. */
export function picks(label, id, n, all) {
  if (n < 2) return `“${label}” has id ${id}, so its vector is row ${id} of ${all}.`;
  const often = n === 2 ? "Both times" : `All ${n} times`;
  return `${often}, “${label}” has id ${id}, so it gets the same vector: row ${id} of ${all}.`;
}

/** The same where the ids were shuffled: which one it had before, and that its row came along. */
export const moved = (label, id, was, d) =>
  `“${label}” had id ${was} and has ${id} now. Its row moved with it, so the model gets the same ${d} numbers.`;

/** Rows of the table, thin and pale; the one that is looked up is marked, and comes out below as the vector. */
export class Sheet {
  constructor(machine) {
    this.machine = machine;
    this.readout = el("p.readout");
    this.act = el("button.primary", { onclick: () => this.next() });
    this.found = el("p.finding");
    this.headline = el("div.headline", this.found, this.act);
    this.node = el("div.sheet");
  }

  build(place) {
    const { largest } = this.machine;
    const [low, high] = [`${fixed(-largest, 2)} or less`, `${fixed(largest, 2)} or more`];
    place.className = "table";
    this.about = el("p.quiet");
    const legend = el("span.legend", low, el("i"), high);
    place.replaceChildren(this.node, el("div.below", this.readout, this.about, legend));
  }

  /** [the row that is looked up, the vector that comes out] */
  draw() {
    const { data, picked, nodes } = this.machine;
    const all = data.V.toLocaleString("en");
    const label = this.machine.label(picked);
    const dotted = data.V > ROWS ? " Dotted lines: rows not shown." : "";
    const ids = this.machine.tokens.map(([id]) => id);
    const often = ids.filter((id) => id === picked).length;
    const was = data.was[picked];
    this.found.textContent = was === undefined ? picks(label, picked, often, all) : moved(label, picked, was, data.d);
    this.about.textContent = `The ${data.about === "trained" ? "learned" : data.about} table.${dotted}`;
    this.act.hidden = ids.length < 2;
    this.act.textContent = `Next ${data.unit}`;
    const cells = [];
    const n_rows = nodes.chips.offsetHeight > 80 ? ROWS - 3 : ROWS; // a second line of chips takes the room of three
    let next = 0;
    for (const id of rowsOf(ids, picked, data.V, n_rows)) {
      if (id > next) cells.push(gap(id - next));
      cells.push(...this.row(id, id === picked));
      next = id + 1;
    }
    if (next < data.V) cells.push(gap(data.V - next));
    this.result = el("span.row.vector", this.machine.strip(picked));
    const name = el("b", "“", el("bdi", label), "”");
    cells.push(el("span.equals", name, ` enters the model as these ${data.d} numbers`), this.result);
    this.node.replaceChildren(...cells);
    return [this.source, this.result];
  }

  /** The dark button: the next token of the text takes its row; after the last comes the first. */
  next() {
    const { machine } = this;
    machine.take((machine.token + 1) % machine.tokens.length);
  }

  row(id, isPicked) {
    const state = isPicked ? "on" : "off";
    const onclick = () => this.machine.chooseId(id);
    const strip = el(`span.row.${state}`, { onclick }, this.machine.strip(id));
    const name = el(`span.id.${state}`, { onclick }, String(id));
    if (isPicked) [this.source, this.name] = [strip, name];
    return [name, el(`span.token.${state}`, { dir: "auto", onclick }, this.machine.label(id)), strip];
  }

  /** From the token to its id, and from the end of the row down to the vector. */
  wires(box, _top, led) {
    const [name, row, vector] = [this.name, this.source, this.result].map(box);
    const [x, y, end] = [row.right + 16, row.middle, vector.middle];
    const down = `M${row.right + 5},${y}H${x - 6}Q${x},${y} ${x},${y + 6}V${end - 6}`;
    const into = `Q${x},${end} ${x - 6},${end}H${vector.right + 5}m5,-5l-5,5l5,5`;
    return [led(box(this.node).top - 9, name.left + 2, name.middle, name.left + 11), down + into];
  }
}
