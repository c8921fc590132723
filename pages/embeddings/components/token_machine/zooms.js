// Where the picked token is looked up: beside the table in small, while the cut is looked at, or among its rows.

import { el, fixed } from "../../../../attention_view/lab.js";
import { ROWS, rowsAround } from "./cutting.js";

/** The table as a picture, the picked row in it, and its vector. */
export class Small {
  constructor(machine) {
    this.machine = machine;
    this.readout = el("p.readout");
    this.big = el("output");
    this.id = el("div.id", this.big);
    this.mark = el("i");
    this.rows = el("span.head");
    this.strip = el("div");
    this.of = el("span.head", { style: "grid-column:4" });
  }

  build(place) {
    const { data } = this.machine;
    this.whole = el("div.whole", this.machine.picture(0, data.V), this.mark);
    const vector = el("div.vector", this.strip, this.readout, el("p.about", data.about));
    place.className = "small";
    const head = el("span.head", { style: "text-align:right" }, "id");
    place.replaceChildren(head, this.rows, this.of, this.id, this.whole, vector);
  }

  /** [what the vector comes from, the vector] */
  draw() {
    const { data, picked, at } = this.machine;
    const V = data.V - data.merges.length + at; // every merge adds a row
    const share = (picked + 0.5) / data.V; // of the table's height
    this.whole.firstChild.style.clipPath = `inset(0 0 ${(100 * (data.V - V)) / data.V}% 0)`;
    this.mark.style.top = `clamp(0px, ${100 * share}% - 1.5px, 100% - 3px)`;
    this.big.textContent = picked;
    this.big.style.top = `clamp(0px, ${100 * share}% - 13px, 100% - 26px)`;
    this.rows.replaceChildren(el("b", "table"), ` ${V.toLocaleString("en")} rows`);
    this.of.replaceChildren(el("b", "vector"), ` of “${this.machine.label(picked)}”: row ${picked}`);
    const strip = this.machine.strip(picked);
    this.strip.replaceChildren(strip);
    return [this.mark, strip];
  }

  /** The lines from the chip, by led(lane, x, y, end), to the id, to the row, and to the vector. */
  wires(box, top, led) {
    const [id, mark, strip] = [this.big, this.mark, this.strip].map(box);
    const bend = `${mark.right + 24},${mark.middle} ${strip.left - 26},${strip.middle}`;
    return [
      led(top - 7, id.left - 10, id.middle, id.left - 2),
      `M${id.right + 2},${mark.middle}H${mark.left}`,
      `M${mark.right},${mark.middle}C${bend} ${strip.left - 2},${strip.middle}`,
    ];
  }
}

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
    const about = `  ${data.about}: ${data.V.toLocaleString("en")} rows of ${data.d} numbers`;
    const cells = [
      el("span.head.id", "id"),
      el("span.head", "token"),
      el("span.head.hot", el("b", "x")),
      el("span.head", el("b", "W", el("sub", "e")), about),
    ];
    let before = -1;
    const n_rows = nodes.chips.offsetHeight > 80 ? ROWS - 3 : ROWS; // a second line of chips takes the room of three
    for (const id of rowsAround(picked, data.V, n_rows)) {
      const left = (id - before - 1).toLocaleString("en");
      if (id > before + 1) cells.push(el("span.gap", `⋮  ${left} more rows, each times 0`));
      cells.push(...this.row(id, id === picked));
      before = id;
    }
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
