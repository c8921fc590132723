// A panel of cells: a mask, scores, weights or steps, with the names of its rows and columns and a legend.

import { el, mix, shorten, tint } from "../../../../attention_view/lab.js";
import { inPercent, label, reach } from "./masks.js";

const LEAST = 0.05; // an attention weight that counts

export class Panel {
  /** brush: hears of keys, pointers and names; data: of this panel, the p-th; marked: the column that stands out */
  constructor(brush, data, p, { isEditable, marked }) {
    Object.assign(this, { brush, data, p, isEditable, T: data.queries.length, S: data.keys.length });
    this.columns = data.keys.map((token, j) => this.columnName(token, j, marked === j));
    this.rows = data.queries.map((token, i) => this.rowName(token, i));
    this.lines = data.queries.map((_, i) => data.keys.map((_key, j) => this.cell(i, j)));
    this.cells = this.lines.flat();
    this.frames = ["query", "key"].map((name) => el(`u.frame.${name}`, { "aria-hidden": "true" }));
    this.legend = el("div.legend");
    this.grid = this.gridOf();
    this.node = el("section.panel", el("h2", data.title), this.grid, this.legend);
  }

  /** How wide and tall its cells are, and whether its rows are named, in so many pixels. */
  lay(wide, tall, isNamed, room, last = tall) {
    this.node.style.setProperty("--room", isNamed ? `${room}px` : "0px");
    this.node.classList.toggle("nameless", !isNamed);
    this.grid.style.gridTemplateColumns = `var(--room) repeat(${this.S}, ${wide}px)`;
    this.grid.style.gridTemplateRows = `var(--top) ${this.T > 1 ? `repeat(${this.T - 1}, ${tall}px)` : ""} ${last}px`;
  }

  columnName(token, j, isMarked) {
    const props = { class: isMarked ? "marked" : "", title: token, onclick: this.selects("key", j) };
    return el("b", props, shorten(token));
  }

  rowName(token, i) {
    const props = { role: "rowheader", title: token, style: `grid-row:${i + 2}` };
    return el("span.row", { ...props, onclick: this.selects("query", i) }, shorten(token));
  }

  /** What a click on a name does: selects its row or column. */
  selects(side, n) {
    return this.isEditable ? () => this.brush.select(side, n) : null;
  }

  cell(i, j) {
    const style = `grid-column:${j + 2};grid-row:${i + 2}`;
    const cell = el("i", { role: "gridcell", id: `cell-${this.p}-${i}-${j}`, style });
    cell.at = [this.p, i, j];
    return cell;
  }

  gridOf() {
    const { brush, data, p, T, S, isEditable } = this;
    const props = {
      class: `grid ${data.kind} ${isEditable ? "editable" : ""}`,
      role: "grid",
      tabindex: "0",
      "aria-label": `${data.title}. ${data.note}`,
      "aria-readonly": String(!isEditable),
      "aria-rowcount": T,
      "aria-colcount": S,
      onkeydown: (event) => brush.key(event, p),
      onfocus: ({ target }) => target.matches(":focus-visible") && brush.point([p, ...brush.cursor]), // not by a press
      onblur: () => brush.point(null),
      onpointermove: (event) => brush.move(event),
      onpointerdown: (event) => isEditable && brush.press(event),
    };
    const head = (name, j) =>
      el("span.column", { role: "columnheader", style: `grid-column:${j + 2};grid-row:1` }, name);
    const line = (...inside) => el("div.line", { role: "row" }, ...inside);
    const lines = this.lines.map((cells, i) => line(this.rows[i], ...cells));
    return el("div", props, line(...this.columns.map(head)), ...lines, ...this.frames);
  }

  /** Colours and numbers of every cell; highest: the largest score of all panels. */
  fill(values, mask, highest) {
    const { data, S } = this;
    this.values = values;
    this.mask = mask;
    const isOpen = (n) => !mask || mask[n];
    const largest = data.kind === "scores" ? highest : reach((values ?? []).filter((_, n) => isOpen(n)));
    const step = Math.max(1, reach(data.kind === "steps" ? values : []));
    this.cells.forEach((cell, n) => {
      const value = values?.[n];
      cell.className = isOpen(n) ? "" : "blocked";
      cell.textContent = isOpen(n) && data.kind === "steps" ? value : "";
      cell.style.background = isOpen(n) ? this.colour(value, largest, step) : "";
      const name = `${data.queries[Math.floor(n / S)]}, ${data.keys[n % S]}: ${this.word(n)}`;
      cell.setAttribute("aria-label", name);
    });
    const note = data.note ? [el("span.note", data.note)] : [];
    this.legend.replaceChildren(...this.scale(largest), ...note);
    if (this.isEditable && this.brush.data.live && !this.brush.lower.includes(this)) this.spell();
  }

  /** Words and numbers in the last row, which the answer is read from; rows that it does not look at stand back. */
  spell() {
    const last = this.values?.slice((this.T - 1) * this.S);
    this.rows.forEach((row, i) => row.parentNode.classList.toggle("aside", i < this.T - 1 && !(last?.[i] >= LEAST)));
    this.lines.at(-1).forEach((cell, j) => {
      const value = this.values?.[(this.T - 1) * this.S + j];
      const isOpen = !cell.classList.contains("blocked");
      cell.classList.add("large");
      cell.classList.toggle("strong", isOpen && value > 0.45);
      const number = isOpen && value >= LEAST ? label(value) : "";
      const word = shorten(this.data.keys[j]);
      cell.replaceChildren(el("span", word), " ", el("b", number));
      // what is read out has what stands there in it, for who speaks to press it
      const seen = number ? `${word} ${number}` : word;
      cell.setAttribute("aria-label", `${seen}, ${cell.getAttribute("aria-label")}`);
    });
  }

  colour(value, largest, step) {
    const { kind } = this.data;
    if (kind === "mask") return mix("ink", 16);
    if (kind === "steps") return value === 0 ? mix("line", 60) : mix("positive", 44 - (36 * (value - 1)) / step);
    if (value == null) return "";
    return kind === "scores" ? tint(value, largest || 1) : mix("weight", largest ? inPercent(value / largest) : 0);
  }

  /** What colours stand for. */
  scale(largest) {
    const { kind, blocked } = this.data;
    const key = (name, text) => el("span.key", el("i", { class: name, "aria-hidden": "true" }), text);
    if (kind === "mask") return [key("open", "may look"), key("blocked", "may not")];
    const bar = (colourOf) => {
      const colours = Array.from({ length: 13 }, (_, n) => colourOf(n / 12));
      return el("s", { style: `background:linear-gradient(90deg,${colours.join()})`, "aria-hidden": "true" });
    };
    const parts = {
      weights: () => ["attention weight 0", bar((share) => mix("weight", inPercent(share))), label(largest)],
      scores: () => [label(-largest), bar((share) => tint(-1 + 2 * share)), label(largest)],
    };
    const hatched = this.mask?.some((open) => !open) ? [key("blocked", blocked)] : [];
    return [...(parts[kind]?.() ?? []), ...hatched];
  }

  /** What a cell says. */
  word(n) {
    const isBlocked = this.mask && !this.mask[n];
    if (this.data.kind === "mask") return isBlocked ? "may not look" : "may look";
    if (isBlocked) return this.data.blocked;
    return this.values[n] == null ? "NaN" : label(this.values[n]);
  }

  /** Frames around a row and a column: [i, j], either of them null; null for none. */
  point(at) {
    const [row, column] = this.frames;
    for (const frame of this.frames) frame.style.display = "none";
    for (const name of [...this.rows, ...this.columns]) name.classList.remove("on");
    const [i, j] = at ?? [null, null];
    if (i !== null) {
      row.style = `display:block;grid-row:${i + 2};grid-column:2 / span ${this.S}`;
      this.rows[i].classList.add("on");
    }
    if (j === null) return;
    column.style = `display:block;grid-column:${j + 2};grid-row:2 / span ${this.T}`;
    this.columns[j].classList.add("on");
  }
}
