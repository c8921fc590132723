// What trainings came to with each part of a block exchanged: bars of loss, all from 0 on one axis. A row has a dot per
// training. Large are 2017's block, each part that clearly changes the loss, and the whole block; small are the others.

import { el, put, svg, write } from "../../../../attention_view/lab.js";

const ROOM = 1.03; // of the largest loss, on the axis
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.5, 1];
const APART = 6; // pixels between the heights of two runs

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Where a loss stands, as a share of the axis's length, which begins at 0. */
export const scaleOf = (largest) => (loss) => Math.min(1, Math.max(0, loss / (largest * ROOM)));

/** The round numbers from 0 to a largest at which the axis is marked, at most seven of them. */
export function marksTo(largest) {
  const step = STEPS.find((one) => largest / one <= 6) ?? largest / 5;
  return Array.from({ length: Math.floor(largest / step + 1e-9) + 1 }, (_, n) => Number((n * step).toFixed(4)));
}

/** Why a row has no dots: its trainings diverged, or there were none; "" where it has some. */
export const missing = (losses) => (losses?.length ? "" : losses ? "diverged" : "not trained");

/** The bar of a row in words, for who cannot see it; that of 2017 has no change. */
export function spoken({ losses, change }, seeds) {
  if (missing(losses)) return missing(losses);
  const runs = losses.map((x) => x.toFixed(3)).join(", ");
  const than = change ? ` instead of ${mean(seeds).toFixed(3)}, ${change}` : "";
  return `mean loss ${mean(losses).toFixed(3)}${than}; runs ${runs}`;
}

const percentOf = (share) => `${(100 * share).toFixed(2)}%`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Whether a row is one of the large: it tells something, or stands for the whole block. */
export const isLarge = ({ name, clear }) => clear || name === "all";

export class LossBars {
  /** open(name) hears which row was pressed. */
  constructor(open) {
    this.open = open;
    this.large = el("div.large");
    this.small = el("div.small");
    this.others = el("p.others");
    this.marks = el("span.marks");
    const meaning = el("b", "Loss: how surprised the model is by each next word. Less is better.");
    const legend = el("small", "A dot: one training run. Grey: how far apart 2017’s own runs lie.");
    const foot = el("p.scale", el("span"), el("span.ruler", this.marks));
    const said = el("p.meaning", el("span"), el("span", meaning, legend));
    this.node = el("section.bars", this.large, this.others, this.small, foot, said);
    this.first = this.row("div");
    this.rows = new Map();
  }

  show({ stops, of_2017: seeds, largest, left_open: others }) {
    this.seeds = seeds;
    this.place = scaleOf(largest);
    const names = stops.map(({ name, clear }) => `${name} ${clear}`);
    if (String(names) !== this.made) {
      this.made = String(names);
      const held = this.node.querySelector(":focus")?.dataset.name;
      this.rows = new Map(stops.map(({ name }) => [name, this.row("button", () => this.open(name))]));
      const nodes = (kind) => stops.filter(kind).map(({ name }) => this.rows.get(name).node);
      this.large.replaceChildren(this.first.node, ...nodes(isLarge));
      this.small.replaceChildren(...nodes((stop) => !isLarge(stop)));
      if (held) this.focus(this.rows.has(held) ? held : "all"); // its row was made anew, or has gone
    }
    this.furnish(this.first, { name: "2017", losses: seeds }, "2017’s layer", "as it was published");
    for (const stop of stops) {
      const whole = stop.name === "all";
      const name = isLarge(stop) ? capital(stop.called) : stop.title;
      const more = whole ? stop.notes[1].replace(/\.$/, "") : isLarge(stop) ? "nothing else changed" : stop.ways[1];
      this.furnish(this.rows.get(stop.name), stop, name, more);
      put(this.rows.get(stop.name).node, { "data-name": stop.name });
    }
    write(this.others, others);
    const mark = (loss) => {
      const node = el("i", String(loss));
      node.style.left = percentOf(this.place(loss));
      return node;
    };
    this.marks.replaceChildren(...marksTo(largest).map(mark));
  }

  focus(name) {
    this.rows.get(name)?.node.focus();
  }

  row(tag, onclick) {
    const row = {
      title: el("b"),
      more: el("small"),
      change: el("b.change", { "aria-hidden": "true" }), // what is spoken has it
      spoken: el("span.unseen"),
      sheet: svg("svg", { "aria-hidden": "true" }),
    };
    const plot = el("span.plot", row.sheet);
    row.node = el(
      `${tag}.row`,
      { onclick },
      el("span.said", row.title, " ", row.more, " "),
      plot,
      row.change,
      row.spoken,
    );
    return row;
  }

  furnish(row, stop, title, more) {
    row.stop = stop;
    write(row.spoken, spoken(stop, this.seeds));
    write(row.title, title);
    write(row.more, more);
    write(row.change, missing(stop.losses) || (stop.change ?? ""));
    row.node.classList.toggle("drawn-in", isLarge(stop) && !missing(stop.losses));
  }

  /** All bars and dots, so far on their way from those of 2017 to their own: 0 to 1. */
  draw(arrived) {
    const eased = arrived * arrived * (3 - 2 * arrived);
    for (const row of [this.first, ...this.rows.values()]) {
      const { name, losses, change } = row.stop;
      const now = (losses ?? []).map((loss, n) => this.seeds[n] + (loss - this.seeds[n]) * eased);
      const isBig = name === "2017" || isLarge(row.stop);
      row.sheet.replaceChildren(...(isBig ? this.bar(now, change) : this.line(now)));
    }
  }

  /** A broad bar with its number; from its end to that of 2017's what it has saved, and the share that this is. */
  bar(now, change = "") {
    const share = (loss) => percentOf(this.place(loss));
    const [base, end] = [mean(this.seeds), now.length ? mean(now) : 0];
    const part = (kind, from, to) =>
      svg(`rect.${kind}`, {
        x: share(from),
        width: percentOf(this.place(to) - this.place(from)),
        y: "14%",
        height: "72%",
      });
    const drawn = [];
    if (now.length) {
      const [low, high] = [Math.min(base, end), Math.max(base, end)];
      drawn.push(part("loss", 0, low));
      if (change) {
        drawn.push(part(end < base ? "less" : "more", low, high));
        drawn.push(svg("text.change.end", { x: share(high), dx: "-0.6em", y: "50%", dy: "0.35em" }, change));
      }
      drawn.push(svg("text.number", { x: 14, y: "50%", dy: "0.35em" }, end.toFixed(3)));
    }
    return [...drawn, this.base(), ...this.dots(now)];
  }

  /** A thin bar on the band of what chance does. */
  line(now) {
    const share = (loss) => percentOf(this.place(loss));
    const [low, high] = [Math.min(...this.seeds), Math.max(...this.seeds)];
    const wide = percentOf(this.place(high) - this.place(low));
    const drawn = [svg("rect.band", { x: share(low), width: wide, y: 0 }), this.base()];
    if (now.length) drawn.push(svg("line.thin", { x1: 0, x2: share(mean(now)), y1: "50%", y2: "50%" }));
    return [...drawn, ...this.dots(now)];
  }

  base() {
    const x = percentOf(this.place(mean(this.seeds)));
    return svg("line.base", { x1: x, x2: x, y1: 0, y2: "100%" });
  }

  dots(now) {
    const apart = (n) => `translate(0 ${APART * (n - (now.length - 1) / 2)})`; // runs that came to the same
    const at = (loss) => percentOf(this.place(loss));
    return now.map((loss, n) => svg("circle.dot", { cx: at(loss), cy: "50%", r: 6, transform: apart(n) }));
  }
}
