// Where the picked token is looked up: among the rows of the table.

import { el, fixed } from "../../../../attention_view/lab.js";
import { ROWS, rowsOf } from "./cutting.js";

/** Rows that are not drawn. */
const gap = (n) => {
  const title = `${n.toLocaleString("en")} more row${n === 1 ? "" : "s"}, each times 0`;
  return el("span.gap", { title }, el("span.unseen", title));
};

/** Rows of the table, of which a 1 among noughts picks one. */
export class Sheet {
  constructor(machine) {
    this.machine = machine;
    this.readout = el("p.readout");
    this.node = el("div.sheet");
  }

  build(place) {
    const { largest } = this.machine;
    const [low, high] = [`${fixed(-largest, 2)} or less`, `${fixed(largest, 2)} or more`];
    place.className = "table";
    place.replaceChildren(this.node, el("div.below", this.readout, el("span.legend", low, el("i"), high)));
  }

  /** [the row that is picked, the vector that comes out] */
  draw() {
    const { data, picked, nodes } = this.machine;
    const size = `${data.V.toLocaleString("en")} rows of ${data.d} numbers`;
    const about = `  ${data.about}: ${size}${data.V > ROWS ? "; dotted: rows that are not shown" : ""}`;
    const cells = [
      el("span.head.id", "id"),
      el("span.head", "token"),
      el("span.head.hot", el("b", "x")),
      el("span.head", el("b", "W", el("sub", "e")), about),
    ];
    const n_rows = nodes.chips.offsetHeight > 80 ? ROWS - 3 : ROWS; // a second line of chips takes the room of three
    const ids = this.machine.tokens.map(([id]) => id);
    let next = 0;
    for (const id of rowsOf(ids, picked, data.V, n_rows)) {
      if (id > next) cells.push(gap(id - next));
      cells.push(...this.row(id, id === picked));
      next = id + 1;
    }
    if (next < data.V) cells.push(gap(data.V - next));
    const result = el("span.row.picked", this.machine.strip(picked));
    cells.push(el("span.result"), el("span.equals", "x W", el("sub", "e"), ` = row ${picked}`), result);
    this.node.replaceChildren(...cells);
    return [this.source, result];
  }

  row(id, isPicked) {
    const state = isPicked ? "on" : "off";
    const strip = el(`span.row.${state}`, this.machine.strip(id));
    const name = el(`span.id.${state}`, String(id));
    if (isPicked) [this.source, this.name] = [strip, name];
    const token = el(`span.token.${state}`, { dir: "auto" }, this.machine.label(id));
    return [name, token, el(`span.hot.${state}`, isPicked ? "1" : "0"), strip];
  }

  wires(box, _top, led) {
    const name = box(this.name);
    return [led(box(this.node).top - 9, name.left + 2, name.middle, name.left + 11)];
  }
}
