// The stream of a model as it is, and with one part torn out of every layer: the vectors of all tokens at each height,
// the sublayers between them, and the word that comes out at the end. A part of the whole model is torn out by a click.

import { el, fixed, mount, paintPixels, rgb, shorten, theme, windowHeight } from "../../../../attention_view/lab.js";
import { layer } from "./layer.js";

const NARROW = 700, // below this width one model stands below the other
  SHARE = 0.52, // of the width, for the layers between the pictures
  FULL = 127; // as the page sends the end of the scale

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
    const tall = isNarrow ? 190 : Math.max(220, Math.min(620, 0.62 * windowHeight(this.root) - 162));
    this.lane = Math.max(9, Math.min(30, tall / words.length));
    const half = isNarrow ? room : room / 2 - 18;
    this.gap = Math.max(34, Math.min(150, (SHARE * (half - 62)) / (heights.length - 1)));
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
    const what = isTorn ? ["without ", el("s", this.data.part.toLowerCase()), " it"] : [name];
    const said = word ? [el(isSign(word) ? "b.sign" : "b", shorten(word, 16)), el("span.odds", odds)] : [];
    verdict.replaceChildren(el("span.name", ...what, word ? " says" : ""), ...said, el("span.right", right));
    const tall = `${this.lane * words.length}px`;
    const letters = this.lane >= 12.5 ? words.map((one) => shorten(one, 11)) : [];
    const rows = letters.map((one) => el("span", { style: `height:${this.lane}px` }, one));
    const column = el(
      "div.words",
      el("div.rows", { style: `height:${tall}` }, ...rows),
      el("small", "after"),
      el("small", "how alike"),
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
    const { words, part, parts, is_pre_norm: isPre } = this.data;
    const [residual, norm, feedForward, attention] = parts;
    return layer({
      width: this.gap,
      height: this.lane * words.length,
      lane: this.lane,
      tokens: words.length,
      isPre,
      names: { residual, norm, feedForward, attention },
      out: isTorn ? part : "",
      press: isTorn ? null : (name) => name !== part && this.send("part", name),
    });
  }
}

export default mount(".torn-stream", TornStream);
