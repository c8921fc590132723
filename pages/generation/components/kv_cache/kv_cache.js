// A text is read token by token, above without a KV cache and below with one. A column is the keys and values of one
// token. Without a cache every step computes all columns again; with one the old columns stay, and one new one comes.

import {
  boxOf,
  el,
  enlarged,
  mirror,
  mount,
  paintPixels,
  rgb,
  still,
  strength,
  svg,
  theme,
  unpack,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";

const BEAT = 3000; // milliseconds of the first beat
const SWEEP = 450; // milliseconds in which all columns are computed again
const OVER = 6; // pixels by which a token may be wider than its column
const STAIRS = 168; // pixels of all steps so far

/** "1 column", "17 columns". */
export const columns = (n) => `${n.toLocaleString("en")} ${n === 1 ? "column" : "columns"}`;

/** What a number of columns is followed by, where so many steps computed them. */
export const inSteps = (n, steps) => `${n === 1 ? "column" : "columns"} in ${steps} ${steps === 1 ? "step" : "steps"}`;

/** How many columns the first n steps compute together. */
export const soFar = (counts, n) => counts.slice(0, n).reduce((sum, count) => sum + count, 0);

/** The steps as rows, the columns across: [column, row, whether the step computes it]. Those that it computes are the
 * last ones of those that there are. */
export const stairs = (counts, n) =>
  Array.from({ length: n }, (_, row) =>
    Array.from({ length: row + 1 }, (_, column) => [column, row, column > row - counts[row]]),
  ).flat();

/** What the cache comes to, after n steps. */
export function told({ anew, kept }, n) {
  const read = n === 1 ? "To read 1 token, a model" : `To read ${n} tokens one by one, a model`;
  return `${read} computes ${columns(soFar(anew, n))} without a cache, and ${soFar(kept, n)} with one.`;
}

class Lane {
  /** kind: "anew" without a cache, "kept" with one */
  constructor(kind, title) {
    this.kind = kind;
    this.says = el("span.says");
    this.row = el("div.columns", { "aria-hidden": "true" });
    this.marks = el("div.marks", { "aria-hidden": "true" });
    const names = el("div.names", { "aria-hidden": "true" }, el("b.key", "keys"), el("b.value", "values"));
    this.node = el(`div.lane.${kind}`, el("h2", title, this.says), names, this.marks, this.row);
    this.total = el("b.total");
    this.under = el("small");
    this.steps = svg("svg.stairs", { "aria-hidden": "true" });
    this.sum = el(`div.sum.${kind}`, el("p", this.total, this.under), this.steps);
  }

  /** columns: a function that makes them, of canvases */
  fill(columns) {
    this.row.replaceChildren(...columns());
  }

  /** counts: columns that each step computes; n: how many steps there were */
  show(counts, n) {
    const now = counts[n - 1];
    [...this.row.children].forEach((column, at) => {
      column.className = at >= n ? "open" : at < n - now ? "old" : "new";
    });
    const span = (kind, from, to) => (to > from ? el(`i.${kind}`, { style: `--from: ${from}; --to: ${to}` }) : null);
    this.marks.replaceChildren(...[span("old", 0, n - now), span("new", n - now, n)].filter(Boolean));
    const reused = n - now ? [", reuses ", el("b", String(n - now))] : [];
    this.says.replaceChildren(`step ${n} computes `, el("b", columns(now)), ...reused);
    const total = soFar(counts, n);
    this.total.textContent = total.toLocaleString("en");
    const rows = this.kind === "anew" ? [el("br"), "one row per step"] : []; // said once: how to read the stairs
    this.under.replaceChildren(inSteps(total, n), ...rows);
    this.climb(counts, n);
  }

  climb(counts, n) {
    const size = Math.min(10, STAIRS / counts.length);
    const gap = size > 4 ? 1 : 0;
    const box = { width: size - gap, height: size - gap };
    const square = ([x, y, isNew]) => svg(isNew ? "rect.new" : "rect.old", { x: x * size, y: y * size, ...box });
    const side = Math.ceil(size * counts.length);
    this.steps.setAttribute("viewBox", `0 0 ${side} ${side}`);
    this.steps.replaceChildren(...stairs(counts, n).map(square));
  }

  /** How a step comes about: all columns one after the other, or one from the right. */
  move() {
    const fresh = this.row.querySelectorAll(".new");
    const from = this.kind === "kept" ? { opacity: 0, transform: "translateX(3.5rem)" } : { opacity: 0 };
    fresh.forEach((column, n) => {
      const delay = (n * SWEEP) / Math.max(1, fresh.length);
      column.animate([from, {}], { duration: this.kind === "kept" ? 350 : 160, delay, fill: "backwards" });
    });
  }
}

class KvCache {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("gen_read", this.n, this.data.read), 200);
    this.lanes = { anew: new Lane("anew", "Without a cache"), kept: new Lane("kept", "With a cache") };
    this.next = el("button.primary", { onclick: () => this.step() });
    this.words = el("div.words", { "aria-hidden": "true" });
    const { anew, kept } = this.lanes;
    const props = { role: "slider", tabindex: "0", "aria-label": "Tokens read", "aria-valuemin": "1" };
    const hands = { onkeydown: (event) => this.press(event), onpointerdown: (event) => this.grab(event) };
    this.board = el("div.board", { ...props, ...hands }, anew.node, this.words, kept.node);
    const band = el("div.band", this.next);
    this.place = el("p.place");
    this.finding = el("p.finding", { "aria-hidden": "true" }); // the slider says as much
    root.replaceChildren(this.finding, el("div.sheet", this.board, anew.sum, band, kept.sum), this.place);
    this.resized = () => this.fit();
  }

  update(bytes) {
    const isFirst = !this.bytes;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      Object.assign(this, { data: header, arrays });
      const asked = isFirst ? wholeParam("gen_read") : null;
      this.n = Math.min(Math.max(1, asked ?? header.read), header.tokens.length);
      this.root.style.setProperty("--all", header.tokens.length);
      this.place.textContent = header.place;
      this.words.replaceChildren(...header.tokens.map((token) => el("span", token)));
    }
    this.paint();
    this.show(this.n);
    this.fit();
    if (isFirst && this.n === this.data.read) this.begin();
  }

  /** At first the text is read within the beat, token by token. */
  begin() {
    const { read } = this.data;
    let stop;
    const show = (n) => n !== this.n && this.show(n);
    const begin = () => (stop = tween(BEAT, (share) => show(1 + Math.floor(share * (read - 1)))));
    const end = () => (stop(), this.show(read));
    this.endBeat = firstBeat("cache", BEAT, begin, end);
  }

  destroy() {
    this.endBeat?.();
  }

  /** Keys and values of every token, in both lanes. */
  paint() {
    const colour = theme(this.root);
    const panel = rgb(colour("panel"));
    const sides = ["keys", "values"].map((name) => {
      const [numbers, hue] = [this.arrays[name], rgb(colour(name.slice(0, -1)))];
      const largest = numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
      const share = (x) => strength(Math.abs(x) / largest);
      const high = numbers.shape[1];
      return (at) => {
        const canvas = el("canvas");
        paintPixels(canvas, numbers.subarray(at * high, (at + 1) * high), 1, [hue, panel, hue], share);
        return canvas;
      };
    });
    const columns = () => this.data.tokens.map((_, at) => el("span", ...sides.map((side) => side(at))));
    for (const lane of Object.values(this.lanes)) lane.fill(columns);
  }

  show(n) {
    this.n = n;
    const { data, lanes } = this;
    const all = data.tokens.length;
    for (const kind of ["anew", "kept"]) lanes[kind].show(data[kind], n);
    [...this.words.children].forEach((word, at) => {
      word.className = at >= n ? "open" : at === n - 1 ? "last" : "";
    });
    this.next.textContent = n < all ? "Next token" : "Start again";
    write(this.finding, told(data, n));
    this.root.style.setProperty("--n", n);
    const [anew, kept] = [data.anew[n - 1], data.kept[n - 1]];
    const said =
      `Step ${n}, ${data.tokens[n - 1]}: ${columns(anew)} computed without a cache; with one, ` +
      `${kept} computed and ${n - kept} reused. So far ${soFar(data.anew, n)} and ${soFar(data.kept, n)}.`;
    for (const [name, value] of Object.entries({ valuemax: all, valuenow: n, valuetext: said }))
      this.board.setAttribute(`aria-${name}`, value);
    Object.assign(this.root.dataset, { n, anew: soFar(data.anew, n), kept: soFar(data.kept, n) });
  }

  /** One token more, or the first again. */
  step() {
    this.go(this.n < this.data.tokens.length ? this.n + 1 : 1);
  }

  go(n) {
    this.endBeat?.();
    if (n === this.n) return;
    const isNext = n === this.n + 1;
    this.show(n);
    this.link.later();
    if (isNext && !still()) for (const lane of Object.values(this.lanes)) lane.move();
  }

  press(event) {
    const at = inRow(event, this.n - 1, this.data.tokens.length);
    if (at !== null) this.go(at + 1);
  }

  grab(event) {
    const { left, width } = boxOf(this.words);
    const all = this.data.tokens.length;
    const to = ({ clientX }) => {
      const share = (clientX / enlarged(this.words) - left) / width;
      this.go(Math.min(all, Math.max(1, 1 + Math.floor(share * all))));
    };
    to(event);
    drag(to, () => {});
  }

  /** Tokens that are wider than their columns are written slanting. */
  fit() {
    const { width } = boxOf(this.words);
    if (!width) return;
    this.words.classList.remove("slant");
    const wide = Math.max(...[...this.words.children].map((word) => word.scrollWidth));
    this.words.classList.toggle("slant", wide > width / this.data.tokens.length + OVER);
  }
}

export default mount(".kv-cache", KvCache);
