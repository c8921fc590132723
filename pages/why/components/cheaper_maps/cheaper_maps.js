// What a cheaper attention cannot see: one large map of a trained head, hollow where the cheaper way misses what full
// attention looks at. The small maps beside it are the ways to choose from.

import {
  el,
  fixed,
  mount,
  paintPixels,
  pointIn,
  put,
  rgb,
  strength,
  svg,
  theme,
  unpack,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, inGrid, inRow, tween } from "../../../../attention_view/controls.js";

const MOST = 760, // pixels of the large map
  SIDE = 92, // of its words at the left
  ABOVE = 274, // of what is above the map, and of the line below it
  SEEN = 0.12, // of the largest weight: what is weaker is not seen to be missed
  BEAT = 3000; // milliseconds in which the corners close

/** How large the map is, in pixels: it stands beside the ways where there is room for both. */
export function sideOf(width, room) {
  const isWide = width >= 860;
  const across = isWide ? width - SIDE - Math.max(470, 0.42 * width) : width - SIDE;
  return { isWide, side: Math.floor(Math.max(120, Math.min(across, isWide ? room : MOST, MOST))) };
}

/** A share in whole percent, which is 0% or 100% only where it is so to a hundredth. */
export function inPercent(share) {
  const whole = Math.round(100 * share);
  return `${whole === 100 && share < 0.9999 ? 99 : whole === 0 && share > 0.0001 ? 1 : whole}%`;
}

/** What two ways make of one cell, in words; NaN is a cell that is not computed. */
export function told(query, key, full, name, cheaper) {
  const there = Number.isNaN(cheaper) ? "not computed" : fixed(cheaper);
  return `${query} looks at ${key}: ${fixed(full)} in full attention, ${there} with “${name}”.`;
}

/** What a cheaper way keeps of full attention's weights, cell by cell, and which cells, [query, key, weight], lose so
 * much that it is seen. */
export function split(full, cheaper, n, largest) {
  const kept = full.map((w, at) => (Number.isNaN(cheaper[at]) ? 0 : Math.min(w, cheaper[at])));
  const cells = [...full.keys()].filter((at) => full[at] - kept[at] >= SEEN * largest);
  return { kept, lost: cells.map((at) => [Math.floor(at / n), at % n, full[at] - kept[at]]) };
}

/** The key that most of the attention weight goes to. */
export function favourite(full, n) {
  const sums = Array.from({ length: n }, (_, key) => full.reduce((sum, w, at) => sum + (at % n === key ? w : 0), 0));
  return sums.indexOf(Math.max(...sums));
}

class CheaperMaps {
  constructor(root) {
    this.root = root;
    this.cells = el("canvas", { "aria-hidden": "true" });
    this.holes = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.cross = el("i.cross", { hidden: true });
    this.map = el(
      "div.map",
      {
        tabindex: "0",
        role: "img",
        onpointermove: (event) => this.at(pointIn(event, this.map)),
        onpointerdown: (event) => this.at(pointIn(event, this.map)),
        onpointerleave: () => this.point(null),
        onblur: () => this.point(null),
        onkeydown: (event) => this.point(inGrid(event, this.cell ?? [0, -1], [this.n, this.n]) ?? this.cell),
      },
      this.cells,
      this.holes,
      this.cross,
    );
    this.keys = el("div.keys", { "aria-hidden": "true" });
    this.queries = el("div.queries", { "aria-hidden": "true" });
    this.say = el("p.say", { role: "status" });
    const mark = (kind, text) => el("span", el(`i.mark.${kind}`), text);
    this.legend = el("p.legend", mark("seen", "still seen"), mark("lost", "missed"), mark("shut", "not computed"));
    this.large = el(
      "section.large",
      el("span.axis.key", "key: the word looked at"),
      el("span.axis.query", "query: the word that looks"),
      this.keys,
      this.queries,
      this.map,
      el("div.below", this.legend, this.say),
    );
    this.numbers = el("div.numbers", { role: "status" });
    this.ways = el("div.ways", { role: "radiogroup", "aria-label": "Cheaper attention" });
    root.replaceChildren(el("div.stage", this.large, el("div.side", this.numbers, this.ways)));
    this.resized = () => this.width !== root.clientWidth && this.header && this.size();
  }

  update(bytes, { setTriggerValue }) {
    this.choose = (name) => setTriggerValue("variant", name); // the same one may be pressed again
    const isFirst = !this.header;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      const names = ({ ways }) => String(ways.map(({ name }) => name));
      const isNew = isFirst || names(this.header) !== names(header);
      this.header = header;
      this.maps = arrays.maps;
      this.n = arrays.maps.shape[1];
      this.chosen = header.ways.findIndex(({ name }) => name === header.chosen);
      if (isNew) this.build();
      this.size();
    }
    this.paint();
    this.root.dataset.painted = "true";
    if (isFirst) this.begin();
  }

  /** At first full attention is seen, and its corners close. */
  begin() {
    let stop;
    const begin = () => {
      this.root.dataset.beat = "ways";
      stop = tween(BEAT, (share) => this.open(1 - share));
    };
    const end = () => {
      stop();
      delete this.root.dataset.beat;
      this.open(0);
    };
    this.endBeat = firstBeat("ways", BEAT, begin, end);
  }

  destroy() {
    this.endBeat?.();
  }

  /** Full attention's weights, or those of the nth way. */
  weights(way = -1) {
    const size = this.n ** 2;
    return this.maps.subarray((way + 1) * size, (way + 2) * size);
  }

  /** The small maps. */
  build() {
    this.small = this.header.ways.map(({ name }, at) => {
      const cells = el("canvas", { "aria-hidden": "true" }),
        takes = el("span"),
        misses = el("span");
      const node = el(
        "button.way",
        {
          role: "radio",
          onclick: () => this.take(at),
          onkeydown: (event) => {
            const next = inRow(event, at, this.small.length);
            if (next === null) return;
            event.preventDefault();
            this.take(next);
            this.small[next].node.focus();
          },
        },
        el("span.map", cells),
        el("b", name),
        el("span.facts", takes, misses),
      );
      return { node, cells, takes, misses };
    });
    this.ways.replaceChildren(...this.small.map(({ node }) => node));
  }

  size() {
    this.width = this.root.clientWidth;
    const { isWide, side } = sideOf(this.width, windowHeight(this.root) - ABOVE);
    this.root.classList.toggle("wide", isWide);
    this.root.style.setProperty("--side", `${side}px`);
    this.root.style.setProperty("--n", this.n);
    this.root.style.setProperty("--letters", `${Math.max(11, Math.min(13, Math.floor(side / this.n) - 4))}px`);
  }

  take(way) {
    if (way === this.chosen) return;
    this.chosen = way;
    this.paint();
    this.choose(this.header.ways[way].name);
  }

  paint() {
    const { ways, head } = this.header;
    this.small.forEach(({ node, cells, takes, misses }, at) => {
      const { of, share, missed } = ways[at];
      node.setAttribute("aria-checked", String(at === this.chosen));
      node.tabIndex = at === this.chosen ? 0 : -1;
      node.classList.toggle("unknown", missed === null);
      write(takes, `${of} ${inPercent(share)}`);
      write(misses, missed === null ? "train again" : `misses ${inPercent(missed)}`);
      this.draw(cells, this.weights(at));
    });
    const { name, sentence, of, share, missed } = ways[this.chosen];
    const number = (x, of) => el("p", el("b", x), el("span", of));
    this.numbers.replaceChildren(
      number(inPercent(share), `of the ${SAVES[of]}`),
      missed === null
        ? number("?", "missed: only training can say")
        : number(inPercent(missed), "of the attention weight missed"),
      el("p.sentence", sentence),
    );
    const label = missed === null ? "" : `, of which “${name}” misses ${inPercent(missed)}`;
    this.map.setAttribute("aria-label", `Attention weights of head ${head}${label}`);
    this.root.dataset.chosen = name;
    this.words();
    this.open(this.root.dataset.beat ? 1 : 0);
    this.point(this.cell ?? null);
  }

  /** Weights as pixels; what is not computed is left open, and the hatched ground shows. */
  draw(canvas, weights, shut = weights) {
    const [panel, weight] = ["panel", "weight"].map(theme(this.root)).map(rgb);
    const shareOf = (w) => strength((Number.isNaN(w) ? 0 : w) / this.header.largest);
    paintPixels(canvas, weights, this.n, [panel, panel, weight], shareOf);
    const pen = canvas.getContext("2d");
    shut.forEach((w, at) => Number.isNaN(w) && pen.clearRect(at % this.n, Math.floor(at / this.n), 1, 1));
  }

  /** The large map: filled what the chosen way still sees, hollow what it misses. While `open` is above 0, the cells
   * that are not so far from the diagonal as this share of the text are as in full attention. */
  open(open) {
    const { n } = this,
      { largest } = this.header;
    const full = this.weights(),
      isShut = (at) => Math.abs(Math.floor(at / n) - (at % n)) >= open * n;
    const cheaper = this.weights(this.chosen).map((w, at) => (isShut(at) ? w : full[at]));
    const { kept, lost } = split(full, cheaper, n, largest);
    this.draw(this.cells, kept, cheaper);
    const inset = 0.09;
    put(this.holes, { viewBox: `0 0 ${n} ${n}` });
    this.holes.replaceChildren(
      ...lost.map(([i, j, w]) =>
        svg("rect", {
          x: j + inset,
          y: i + inset,
          width: 1 - 2 * inset,
          height: 1 - 2 * inset,
          opacity: strength(w / largest),
        }),
      ),
    );
  }

  /** The words at both axes; the one that most look at is marked. */
  words() {
    const { n } = this,
      { words } = this.header;
    const most = favourite(this.weights(), n);
    const labels = Array.from({ length: n }, (_, at) => words[at] ?? String(at));
    const along = (at) => `${(100 * (at + 0.5)) / n}%`;
    this.queries.replaceChildren(...labels.map((word, at) => el("span", { style: `top: ${along(at)}` }, word)));
    this.keys.replaceChildren(
      ...labels.map((word, at) => el(at === most ? "span.most" : "span", { style: `left: ${along(at)}` }, word)),
    );
  }

  at([x, y]) {
    const cell = (along, whole) => Math.max(0, Math.min(this.n - 1, Math.floor((along / whole) * this.n)));
    this.point([cell(y, this.map.clientHeight), cell(x, this.map.clientWidth)]);
  }

  /** The cell that is pointed at; null for none. */
  point(cell) {
    this.cell = cell;
    this.cross.hidden = this.say.hidden = !cell;
    this.legend.hidden = Boolean(cell);
    [...this.queries.children].forEach((node, at) => node.classList.toggle("on", at === cell?.[0]));
    [...this.keys.children].forEach((node, at) => node.classList.toggle("on", at === cell?.[1]));
    if (!cell) return;
    const { words, ways } = this.header,
      { name, missed } = ways[this.chosen];
    const [i, j] = cell,
      at = i * this.n + j,
      word = (n) => words[n] ?? `token ${n}`;
    this.cross.style.setProperty("--row", i / this.n);
    this.cross.style.setProperty("--column", j / this.n);
    const full = this.weights()[at];
    const plain = `${word(i)} looks at ${word(j)}: ${fixed(full)} in full attention.`;
    write(this.say, missed === null ? plain : told(word(i), word(j), full, name, this.weights(this.chosen)[at]));
  }
}

// What the names of the savings mean, in the large numbers.
const SAVES = { work: "work", cache: "cache", memory: "memory" };

export default mount(".cheaper-maps", CheaperMaps);
