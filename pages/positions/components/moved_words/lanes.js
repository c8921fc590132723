// One mechanism as a picture: above, what it does at each word; below, the attention weights that come of it.

import { brief, el, put, svg, write } from "../../../../attention_view/lab.js";
import { fromTo, isNoticed, nameOf, signed, waveOf } from "./moved.js";

const [BAND, LARGEST] = [0.28, 110]; // of the height is the mechanism, up to so many pixels
const HEAD = 30; // pixels above the tallest bar
const FOOT = 5; // pixels below the bars
const to = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** A tag with the code of its position, clipped on the word. */
function added(n) {
  const tags = Array.from({ length: n }, () => ({
    clip: svg("path.clip"),
    card: svg("rect.card", { rx: 5 }),
    wave: svg("path.wave"),
  }));
  const draw = ({ codes, largestCode }, { w, band }) =>
    tags.forEach(({ clip, card, wave }, word) => {
      const wide = Math.min(150, 0.84 * w),
        tall = band - 9,
        left = (word + 0.5) * w - wide / 2;
      put(card, { x: left, y: 8, width: wide, height: tall });
      put(clip, { d: `M${to((word + 0.5) * w, 1)}v13` });
      const at = ([x, y]) => to(left + 6 + x * (wide - 12), 8 + tall / 2 - y * (tall / 2 - 5));
      put(wave, { d: `M${waveOf(codes[word], largestCode).map(at).join("L")}` });
    });
  return { node: svg("g", ...tags.flatMap(({ clip, card, wave }) => [card, wave, clip])), draw };
}

/** Two hands for each word, the query's and its own, and the angle between them. */
function turned(n) {
  const clocks = Array.from({ length: n }, () => ({
    rim: svg("circle.rim"),
    wedge: svg("path.wedge"),
    key: svg("path.key"),
    query: svg("path.query"),
  }));
  const draw = ({ turn, start, looking }, { w, band }) =>
    clocks.forEach(({ rim, wedge, key, query }, word) => {
      const r = Math.min(band / 2 - 3, 0.44 * w),
        [x, y] = [(word + 0.5) * w, band / 2];
      const hand = (by, long) => [x + long * Math.sin(by), y - long * Math.cos(by)];
      const [from, own] = [turn * (start + looking), turn * (start + word)];
      put(rim, { cx: x, cy: y, r });
      const long = 0.62 * r,
        sweep = own > from ? 1 : 0;
      put(wedge, {
        d: `M${to(x, y)}L${to(...hand(from, long))}A${long} ${long} 0 0 ${sweep} ${to(...hand(own, long))}Z`,
      });
      put(key, { d: `M${to(x, y)}L${to(...hand(own, r - 2))}` });
      put(query, { d: `M${to(x, y)}L${to(...hand(from, 0.78 * r))}` });
    });
  const parts = clocks.flatMap(({ rim, wedge, key, query }) => [rim, wedge, key, query]);
  return { node: svg("g", ...parts), draw };
}

/** An elastic band from the looking word to all others: how much the score pays at each distance. */
function priced(n) {
  const zero = svg("path.zero"),
    elastic = svg("path.elastic"),
    pegs = Array.from({ length: n }, () => svg("circle"));
  const draw = ({ prices, looking }, { w, band }) => {
    const [top, bottom] = [Math.max(0, ...prices), Math.min(0, ...prices)];
    const y = (price) => 8 + ((top - price) / (top - bottom || 1)) * (band - 16);
    const at = (word) => [(word + 0.5) * w, y(prices[word - looking + n - 1])];
    put(zero, { d: `M0 ${y(0)}H${n * w}` });
    put(elastic, { d: `M${pegs.map((_, word) => to(...at(word))).join("L")}` });
    pegs.forEach((dot, word) => {
      const [cx, cy] = at(word);
      put(dot, { cx, cy, r: word === looking ? 6 : 4 });
    });
  };
  return { node: svg("g", zero, elastic, ...pegs), draw };
}

const MECHANISMS = { added, turned, priced };

/** The sign of a mechanism: a wave, a clock, a price that falls to both sides. */
function sign(name) {
  const inside = {
    added: () => [svg("rect.card", { x: 6, y: 5, width: 108, height: 46, rx: 6 }), svg("path.wave", { d: WAVE })],
    turned: () => [
      svg("circle.rim", { cx: 60, cy: 28, r: 24 }),
      svg("path.key", { d: "M60 28L60 8" }),
      svg("path.query", { d: "M60 28L76 20" }),
    ],
    priced: () => [
      svg("path.elastic", { d: "M12 46L60 12L108 46" }),
      ...[12, 36, 60, 84, 108].map((cx) => svg("circle", { cx, cy: 12 + (34 * Math.abs(cx - 60)) / 48, r: 4 })),
    ],
  }[name]();
  return svg(`svg.lane.${name}`, { viewBox: "0 0 120 56", "aria-hidden": "true" }, ...inside);
}
const WAVE = "M16 28C30 2 44 2 60 28S90 54 104 28";

/** A way as a drawing that one presses to see it large; it keeps whether its bars changed. */
export function makeTab(name, way, onclick) {
  const verdict = el("span.verdict");
  const node = el("button.tab", { onclick }, sign(name), el("span", el("b", nameOf(name)), el("small", way)), verdict);
  return { node, verdict };
}

export class Lane {
  constructor(name, n) {
    this.n = n;
    this.mechanism = MECHANISMS[name](n);
    const each = (tag) => Array.from({ length: n }, () => svg(tag));
    this.bars = each("rect.bar");
    this.ghosts = each("rect.ghost");
    this.label = svg("text.middle.change");
    this.node = svg(`svg.lane.${name}`, { role: "img" }, this.mechanism.node, ...this.bars, ...this.ghosts, this.label);
  }

  /** Draws a lane of so many pixels.
   *
   * seen: {now, before, largest, change, over, isMoving} and what its mechanism draws */
  draw(seen, width, height) {
    const { now, before, largest, change, over, isMoving } = seen,
      { n } = this,
      w = width / n,
      band = Math.min(BAND * height, LARGEST),
      base = height - FOOT;
    put(this.node, { viewBox: `0 0 ${width} ${height}` });
    this.mechanism.draw(seen, { w, band });
    const tall = (weight) => (weight / largest) * (base - band - HEAD);
    const wide = Math.min(90, 0.6 * w);
    const bar = (weight, word) => ({
      x: (word + 0.5) * w - wide / 2,
      y: base - tall(weight),
      width: wide,
      height: tall(weight),
    });
    now.forEach((weight, word) => put(this.bars[word], bar(weight, word)));
    before.forEach((weight, word) => put(this.ghosts[word], bar(weight, word)));
    const at = over ?? change.at;
    const isSaid = over !== null || (isNoticed(change) && !isMoving);
    const text = over !== null && isNoticed({ by: now[at] - before[at] }) ? fromTo(before[at], now[at]) : null;
    write(this.label, isSaid ? (text ?? (over === null ? signed(change.by) : brief(now[at]))) : "");
    put(this.label, { x: (at + 0.5) * w, y: base - tall(Math.max(now[at], before[at])) - 9 });
  }
}
