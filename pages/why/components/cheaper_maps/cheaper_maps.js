// Full attention and a cheaper way, large and side by side; a cell is pointed at in both at once. The small maps beside
// them are the ways to choose from.

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
import { inGrid, inRow } from "../../../../attention_view/controls.js";

const MOST = 760; // pixels of a large map
const SEEN = 0.12; // of the largest weight: what is weaker is not seen to be missed

/** How large the two maps are, in pixels: they share the width with the small ones, where there is room for both. */
export function sideOf(width, room) {
  const isWide = width >= 760;
  const across = isWide ? (width - Math.max(250, 0.25 * width) - 40) / 2 : (width - 16) / 2;
  return { isWide, side: Math.floor(Math.max(120, Math.min(across, isWide ? room : MOST, MOST))) };
}

/** What two ways make of one cell, in words; NaN is a cell that is not computed. */
export function told(query, key, full, name, cheaper) {
  const there = Number.isNaN(cheaper) ? "no cell" : fixed(cheaper);
  return `${query} looks at ${key}: ${fixed(full)} in full attention, ${there} with “${name}”.`;
}

/** What a cheaper way misses: the share of full attention's weight in cells that it does not compute, and those of
 * them, [query, key, weight], that are strong enough to be seen. */
export function missed(full, cheaper, n, largest) {
  const cells = [...full.keys()].filter((at) => Number.isNaN(cheaper[at]));
  const strong = cells.filter((at) => full[at] >= SEEN * largest);
  return {
    share: cells.reduce((sum, at) => sum + full[at], 0) / n,
    strong: strong.map((at) => [Math.floor(at / n), at % n, full[at]]),
  };
}

/** The key that most of the attention weight goes to. */
export function favourite(full, n) {
  const sums = Array.from({ length: n }, (_, key) => full.reduce((sum, w, at) => sum + (at % n === key ? w : 0), 0));
  return sums.indexOf(Math.max(...sums));
}

class CheaperMaps {
  constructor(root) {
    this.root = root;
    this.pair = [this.large("full"), this.large("chosen")];
    this.ways = el("div.ways", { role: "radiogroup", "aria-label": "Cheaper attention" });
    this.say = el("p.say", { role: "status" });
    const pair = el("div.pair", ...this.pair.map(({ node }) => node));
    root.replaceChildren(el("div.stage", pair, this.ways), this.say);
    this.resized = () => this.width !== root.clientWidth && this.header && this.size();
  }

  /** One of the two large maps. */
  large(name) {
    const title = el("h2"),
      cells = el("canvas", { "aria-hidden": "true" }),
      cross = el("i.cross", { hidden: true }),
      holes = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }),
      top = el("span.top");
    const map = el(
      "div.map",
      {
        tabindex: "0",
        role: "img",
        onpointermove: (event) => this.at(pointIn(event, map), map),
        onpointerdown: (event) => this.at(pointIn(event, map), map),
        onpointerleave: () => this.point(null),
        onblur: () => this.point(null),
        onkeydown: (event) => this.point(inGrid(event, this.cell ?? [0, -1], [this.n, this.n]) ?? this.cell),
      },
      cells,
      holes,
      cross,
    );
    const axis = el("div.axis", el("span.query", "query ↓"), top, el("span.key", "key →"));
    return { node: el(`section.${name}`, title, map, axis), title, map, cells, cross, holes, top };
  }

  update(bytes, { setStateValue }) {
    this.choose = (name) => setStateValue("variant", name);
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      const isNew = String(this.header?.names) !== String(header.names);
      this.header = header;
      this.maps = arrays.maps;
      this.n = arrays.maps.shape[1];
      this.chosen = header.names.indexOf(header.chosen);
      if (isNew) this.build();
      this.size();
    }
    this.paint();
    this.root.dataset.painted = "true";
  }

  map(way) {
    const size = this.n ** 2;
    return this.maps.subarray(way * size, (way + 1) * size);
  }

  /** The small maps. */
  build() {
    this.small = this.header.names.slice(1).map((name, at) => {
      const cells = el("canvas", { "aria-hidden": "true" }),
        how = el("small");
      const node = el(
        "button.way",
        {
          role: "radio",
          onclick: () => this.take(at + 1),
          onkeydown: (event) => {
            const next = inRow(event, at, this.small.length);
            if (next === null) return;
            event.preventDefault();
            this.take(next + 1);
            this.small[next].node.focus();
          },
        },
        el("span.map", cells),
        el("span.name", el("b", name), how),
      );
      return { node, cells, how };
    });
    this.ways.replaceChildren(...this.small.map(({ node }) => node));
  }

  size() {
    this.width = this.root.clientWidth;
    const { isWide, side } = sideOf(this.width, windowHeight(this.root) - 262);
    this.root.classList.toggle("wide", isWide);
    this.root.style.setProperty("--side", `${side}px`);
  }

  take(way) {
    if (way === this.chosen) return;
    this.chosen = way;
    this.paint();
    this.choose(this.header.names[way]);
  }

  paint() {
    const [panel, weight] = ["panel", "weight"].map(theme(this.root)).map(rgb);
    const { names, off, largest } = this.header;
    const paint = (cells, way) => {
      const map = this.map(way);
      paintPixels(cells, map, this.n, [panel, panel, weight], (w) => strength((Number.isNaN(w) ? 0 : w) / largest));
      const pen = cells.getContext("2d"); // what is not computed is left open: the hatched ground shows
      map.forEach((w, at) => Number.isNaN(w) && pen.clearRect(at % this.n, Math.floor(at / this.n), 1, 1));
    };
    [0, this.chosen].forEach((way, n) => {
      const { title, map, cells } = this.pair[n];
      write(title, n ? `${names[way]}: ${off[way]}` : `${names[way]} attention`);
      map.setAttribute("aria-label", `Attention weights, ${names[way]}${n ? `: its output is ${off[way]}` : ""}`);
      paint(cells, way);
    });
    this.small.forEach(({ node, cells, how }, at) => {
      const isOn = at + 1 === this.chosen;
      node.setAttribute("aria-checked", String(isOn));
      node.tabIndex = isOn ? 0 : -1;
      write(how, off[at + 1]);
      paint(cells, at + 1);
    });
    this.misses();
    this.root.dataset.chosen = names[this.chosen];
    this.point(this.cell ?? null);
  }

  /** Hollow cells where the chosen way computes nothing and full attention looks; below both maps the favourite key. */
  misses() {
    const { n } = this;
    const { words, largest } = this.header;
    const full = this.map(0);
    this.lost = missed(full, this.map(this.chosen), n, largest);
    const inset = 0.08;
    put(this.pair[1].holes, { viewBox: `0 0 ${n} ${n}` });
    this.pair[1].holes.replaceChildren(
      ...this.lost.strong.map(([i, j, w]) =>
        svg("rect", {
          x: j + inset,
          y: i + inset,
          width: 1 - 2 * inset,
          height: 1 - 2 * inset,
          opacity: strength(w / largest),
        }),
      ),
    );
    const key = favourite(full, n);
    for (const { top } of this.pair) {
      write(top, words.length ? words[key] : "");
      top.style.left = `${(100 * (key + 0.5)) / n}%`;
    }
  }

  at([x, y], map) {
    const cell = (along, whole) => Math.max(0, Math.min(this.n - 1, Math.floor((along / whole) * this.n)));
    this.point([cell(y, map.clientHeight), cell(x, map.clientWidth)]);
  }

  /** The cell that is pointed at, in both maps; null for none. */
  point(cell) {
    this.cell = cell;
    const { words, names, head, largest } = this.header;
    for (const { cross } of this.pair) {
      cross.hidden = !cell;
      if (cell) {
        cross.style.setProperty("--row", cell[0] / this.n);
        cross.style.setProperty("--column", cell[1] / this.n);
        cross.style.setProperty("--n", this.n);
      }
    }
    if (!cell) {
      const share = Math.round(100 * this.lost.share);
      const hollow = share ? ` “${names[this.chosen]}” misses ${share}% of the weight; hollow: most of that.` : "";
      write(this.say, `Full violet: a weight of ${fixed(largest)} (head ${head}). Hatched: not computed.${hollow}`);
      return;
    }
    const [i, j] = cell,
      at = i * this.n + j,
      word = (n) => (words.length ? `${words[n]} (${n})` : `token ${n}`);
    write(this.say, told(word(i), word(j), this.map(0)[at], names[this.chosen], this.map(this.chosen)[at]));
  }
}

export default mount(".cheaper-maps", CheaperMaps);
