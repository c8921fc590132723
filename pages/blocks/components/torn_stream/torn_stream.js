// The stream of a model as it is, and with one part torn out of every layer: the vectors of all tokens at each height,
// the sublayers between them, and the word that comes out at the end. A part of the whole model is torn out by a click.

import {
  el,
  fixed,
  mount,
  paintPixels,
  rgb,
  shorten,
  svg,
  theme,
  windowHeight,
} from "../../../../attention_view/lab.js";

const NARROW = 700, // below this width one model stands below the other
  FULL = 127, // as the page sends the end of the scale
  AMPLITUDE = 2.5, // of a torn edge
  TOOTH = 7;

/** A torn edge from (x, 0) down to (x, height), as points. */
export function tear(x, height) {
  const teeth = Math.max(1, Math.round(height / TOOTH));
  return Array.from({ length: teeth + 1 }, (_, n) => {
    const shift = n % 2 ? AMPLITUDE : -AMPLITUDE;
    return [x + shift, (n * height) / teeth];
  });
}

const points = (list) => list.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(" L");

/** What is left of a block from x on, so wide and tall, once its middle is torn out: two strips. */
export function remains(x, width, height) {
  const left = [[x, 0], ...tear(x + 0.16 * width, height), [x, height]];
  const right = [[x + width, 0], ...tear(x + 0.84 * width, height), [x + width, height]];
  return [left, right].map((strip) => `M${points(strip)}Z`);
}

/** The stream of every token past a sublayer at [from, to]: whole lines, or lines that end where the bypass is torn. */
export function lanes(width, y, blocks, isTorn) {
  if (!isTorn) return `M0 ${y} H${width}`;
  const ends = blocks.flatMap(([from, to]) => [from, to]);
  return [0, ...ends]
    .map((x, n) => (n % 2 ? "" : `M${x} ${y} H${n < ends.length ? ends[n] : width}`))
    .filter(Boolean)
    .join(" ");
}

/** Whether there is nothing to read in it, as in a full stop: alone it is taken for a dot, and is framed. */
export const isSign = (word) => !/[\p{L}\p{N}]/u.test(word);

class TornStream {
  constructor(root) {
    this.root = root;
    this.halves = [0, 1].map((n) => {
      const verdict = el("div.verdict");
      const flow = el("div.flow");
      return { verdict, flow, node: el(n ? "section.half.torn" : "section.half", verdict, flow) };
    });
    this.note = el("span");
    this.scale = el("span.scale", { "aria-hidden": "true" });
    const foot = el("div.foot", this.note, this.scale);
    root.replaceChildren(el("div.halves", ...this.halves.map(({ node }) => node)), foot);
    this.resized = () => this.draw();
  }

  update(data, { setStateValue }) {
    this.send = setStateValue;
    this.data = data;
    this.draw();
    Object.assign(this.root.dataset, { part: data.part, words: data.words.length });
  }

  draw() {
    const { words, heights, features, left_out: more } = this.data;
    const room = this.root.clientWidth;
    if (!room) return;
    const isNarrow = room < NARROW;
    this.root.classList.toggle("narrow", isNarrow);
    const tall = isNarrow ? 190 : Math.max(220, Math.min(620, 0.62 * windowHeight(this.root) - 130));
    this.lane = Math.max(9, Math.min(30, tall / words.length));
    this.gap = isNarrow || heights.length > 5 ? 34 : 76;
    this.halves.forEach((half, n) => this.half(half, this.data.halves[n], n === 1));
    const [shown, all] = features;
    const cut = [
      shown < all ? `the first ${shown} of ${all} features` : "",
      more ? `the first ${words.length} of ${words.length + more} tokens` : "",
    ].filter(Boolean);
    this.note.textContent =
      `Each row is the vector of a token${cut.length ? ` (${cut.join(", ")})` : ""}.` +
      " Click a part of the whole model to tear it out.";
    const bar = "linear-gradient(to right, var(--negative), var(--panel), var(--positive))";
    this.scale.replaceChildren("below 0", el("i", { style: `background:${bar}` }), "above 0");
  }

  half({ verdict, flow }, { name, word, odds, right, cosine, maps }, isTorn) {
    const { words, heights } = this.data;
    const said = word ? [el(isSign(word) ? "b.sign" : "b", shorten(word, 16)), el("span.odds", odds)] : [];
    verdict.replaceChildren(el("span.name", word ? `${name} says` : name), ...said, el("span.right", right));
    const tall = `${this.lane * words.length}px`;
    const letters = this.lane >= 12.5 ? words.map((one) => shorten(one, 11)) : [];
    const rows = letters.map((one) => el("span", { style: `height:${this.lane}px` }, one));
    const column = el(
      "div.words",
      el("div.rows", { style: `height:${tall}` }, ...rows),
      el("small", "after"),
      el("small", "similarity"),
    );
    const colours = this.colours();
    const parts = maps.flatMap((numbers, n) => {
      const canvas = el("canvas", {
        style: `height:${tall}`,
        role: "img",
        "aria-label": `${name}: the stream after ${heights[n]}`,
      });
      paintPixels(
        canvas,
        numbers.map((x) => x / FULL),
        numbers.length / words.length,
        colours,
      );
      const map = el("div.map", canvas, el("small", heights[n]), el("small.cosine", fixed(cosine[n])));
      return n ? [this.layer(isTorn), map] : [map];
    });
    flow.replaceChildren(column, ...parts);
    flow.title = "Similarity: the cosine between the vectors of two tokens, on average";
  }

  colours() {
    const colour = theme(this.root);
    return ["negative", "panel", "positive"].map((name) => [...rgb(colour(name))]);
  }

  /** The two sublayers between two heights. */
  layer(isTorn) {
    const { words, part, parts } = this.data,
      [W, H] = [this.gap, this.lane * words.length],
      [residual, norm, feedForward, attention] = parts,
      wide = 0.28 * W,
      blocks = [0.16 * W, 0.62 * W].map((x) => [x, x + wide]),
      isOut = (name) => isTorn && part === name;
    const drawing = svg("svg", { width: W, height: H, viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" });
    const press = (name) => (isTorn ? {} : { onclick: (event) => this.tear(event, name) });
    const hint = (name) => (isTorn ? [] : [svg("title", {}, `Tear out: ${name.toLowerCase()}`)]);
    drawing.append(svg("rect.hit", { width: W, height: H, ...press(residual) }, ...hint(residual)));
    [attention, feedForward].forEach((name, n) => {
      const [x] = blocks[n];
      const kind = n ? "ff" : "attention";
      const shape = isOut(name)
        ? remains(x, wide, H).map((d) => svg(`path.${kind}.rip`, { d }))
        : [svg(`rect.block.${kind}`, { x, width: wide, height: H, ...press(name) }, ...hint(name))];
      const isNamed = wide > 12 && !isOut(name);
      const turned = { transform: `translate(${x + wide / 2} ${H / 2}) rotate(-90)` };
      const bar = svg(`path.norm${isOut(norm) ? ".out" : ""}`, { d: `M${x - 4} 0 V${H}` });
      const hit = svg("rect.hit", { x: x - 9, width: 9, height: H, ...press(norm) }, ...hint(norm));
      drawing.append(...shape, bar, hit, ...(isNamed ? [svg("text", turned, name.toLowerCase())] : []));
    });
    const d = words.map((_, i) => lanes(W, (i + 0.5) * this.lane, blocks, isOut(residual))).join(" ");
    drawing.append(svg(`path.stream${isOut(residual) ? ".out" : ""}`, { d }));
    return drawing;
  }

  tear(event, name) {
    event.stopPropagation();
    if (name !== this.data.part) this.send("part", name);
  }
}

export default mount(".torn-stream", TornStream);
