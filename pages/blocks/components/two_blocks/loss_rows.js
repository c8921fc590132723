// What trainings came to with each part of a block exchanged: a row per part, all on one axis of loss. A row has a dot
// per training and a bar from the mean of 2017's block to its own; the rows are what one presses.

import { el, put, svg, write } from "../../../../attention_view/lab.js";

const MARGIN = 0.05; // of the range, left free on both sides
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Where a loss stands, as a share of the axis's length: all of the range has room. */
export function scaleOf([low, high]) {
  const wide = (high - low || 1) * (1 + 2 * MARGIN);
  const from = (low + high - wide) / 2;
  return (loss) => Math.min(1, Math.max(0, (loss - from) / wide));
}

/** The round numbers within a range at which the axis is marked, at most seven of them. */
export function marksOf([low, high]) {
  const step = STEPS.find((one) => (high - low) / one <= 6) ?? (high - low) / 5;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, n) => Number(((first + n) * step).toFixed(4)));
}

/** Why a row has no dots: its trainings diverged, or there were none; "" where it has some. */
export const missing = (losses) => (losses?.length ? "" : losses ? "diverged" : "not trained");

/** A row in words, for who cannot see its dots. */
export function spoken({ title, ways, losses, change }, seeds) {
  const name = `${title}, ${ways[1]}`;
  if (missing(losses)) return `${name}: ${missing(losses)}`;
  const runs = losses.map((x) => x.toFixed(3)).join(", ");
  return `${name}: mean loss ${mean(losses).toFixed(3)} instead of ${mean(seeds).toFixed(3)}, ${change}; runs ${runs}`;
}

const percentOf = (share) => `${(100 * share).toFixed(2)}%`;

const APART = 5; // pixels between the heights of two runs

export class LossRows {
  /** open(name) hears which row was pressed; onkeydown hears its keys. */
  constructor(open, onkeydown) {
    this.open = open;
    this.list = el("div.parts", { role: "radiogroup", "aria-label": "Parts of a layer", onkeydown });
    this.origin = el("span.origin");
    this.marks = el("span.marks");
    const top = el("p.top", el("span"), el("span.ruler", this.origin));
    const foot = el("p.scale", el("span.less", "← lower is better"), el("span.ruler", this.marks), el("span"));
    const legend = el("p.legend", "Each dot is a training run. Grey: how far apart the runs of 2017’s layer lie.");
    this.node = el("section.rows", top, this.list, foot, legend);
    this.rows = new Map();
  }

  show({ stops, of_2017: seeds, range }, shown) {
    this.seeds = seeds;
    this.place = scaleOf(range);
    const names = stops.map(({ name }) => name);
    const isLost =
      this.list.matches(":focus-within") && !names.includes(this.list.querySelector(":focus").dataset.name);
    for (const name of this.rows.keys()) if (!names.includes(name)) this.rows.delete(name);
    for (const stop of stops) if (!this.rows.has(stop.name)) this.rows.set(stop.name, this.row(stop.name));
    const buttons = names.map((name) => this.rows.get(name).button);
    if (String(names) !== this.made) {
      const held = this.list.querySelector(":focus");
      this.list.replaceChildren(...buttons);
      held?.focus(); // it is moved with the others, and loses the focus by that
    }
    this.made = String(names);
    for (const stop of stops) this.furnish(this.rows.get(stop.name), stop, stop.name === shown);
    if (isLost) this.focus(shown);
    write(this.origin, `2017’s layer: mean loss ${mean(seeds).toFixed(3)}`);
    this.origin.style.left = percentOf(this.place(mean(seeds)));
    const mark = (loss) => {
      const node = el("i", String(loss));
      node.style.left = percentOf(this.place(loss));
      return node;
    };
    this.marks.replaceChildren(...marksOf(range).map(mark));
  }

  focus(name) {
    this.rows.get(name).button.focus();
  }

  row(name) {
    const row = { title: el("b"), way: el("small"), change: el("b.change") };
    row.sheet = svg("svg", { "aria-hidden": "true" });
    const said = el("span.said", row.title, row.way);
    const press = () => this.open(name);
    row.button = el(
      "button",
      { role: "radio", "data-name": name, onclick: press },
      said,
      el("span.plot", row.sheet),
      row.change,
    );
    return row;
  }

  furnish(row, stop, isShown) {
    row.stop = stop;
    write(row.title, stop.title);
    write(row.way, stop.ways[1]);
    write(row.change, stop.change || missing(stop.losses));
    put(row.button, {
      class: `${stop.clear ? "clear" : "chance"}${stop.name === "all" ? " whole" : ""}`,
      "aria-checked": String(isShown),
      "aria-label": spoken(stop, this.seeds),
      tabindex: isShown ? "0" : "-1",
    });
  }

  /** All dots, so far on their way out of those of 2017: 0 to 1. */
  draw(arrived) {
    const { place, seeds } = this;
    const share = (loss) => percentOf(place(loss));
    const eased = arrived * arrived * (3 - 2 * arrived);
    const [low, high] = [Math.min(...seeds), Math.max(...seeds)];
    for (const { sheet, stop } of this.rows.values()) {
      const now = (stop.losses ?? []).map((loss, n) => seeds[n] + (loss - seeds[n]) * eased);
      const x = share(mean(seeds));
      const wide = percentOf(place(high) - place(low));
      const band = svg("rect.band", { x: share(low), width: wide, y: 0, height: "100%" });
      const drawn = [band, svg("line.base", { x1: x, x2: x, y1: 0, y2: "100%" })];
      if (now.length) {
        const end = share(mean(now));
        const kind = mean(now) < mean(seeds) ? "less" : "more";
        drawn.push(svg(`line.bar.${kind}`, { x1: x, x2: end, y1: "50%", y2: "50%" }));
        const apart = (n) => `translate(0 ${APART * (n - (now.length - 1) / 2)})`; // runs that came to the same
        drawn.push(
          ...now.map((loss, n) => svg("circle.dot", { cx: share(loss), cy: "50%", r: 6.5, transform: apart(n) })),
        );
      }
      sheet.replaceChildren(...drawn);
    }
  }
}
