// How few pairs of words are enough: a review, a line over each pair of words that look at each other, and the one look
// on which the verdict hangs. A hand drags the window's edge until it reaches that word; then it moves a hub, which
// sees all and is seen by all, for a fraction of the lines.

import {
  boxOf,
  el,
  mirror,
  mount,
  pointIn,
  put,
  rewrite,
  svg,
  windowHeight,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow } from "../../../../attention_view/controls.js";
import { beyond, isOpen, nextOf, pairsOf, priceOf, says, told, USUAL, valueOf, wordsAlong } from "./told.js";

const WIDE = 700, // pixels from which on the review is one line
  BELOW = 84, // pixels from the feet of the lines to the lower edge: the words, and "drag"
  ROW = 38, // of a word where each has its own line
  SIDE = 104, // of the words then
  FREE = 6, // below the figure
  ACROSS = 46, // of the frame
  BEAT = 3000, // milliseconds of the first beat: full attention, and then the window closes
  WHOLE = 900, // of it, in which full attention is seen
  STEP = 200; // from one width to the next

export class FewPairs {
  constructor(root) {
    this.root = root;
    this.beyond = 0; // pixels that the hand is from what it drags
    this.finding = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.take(nextOf(this.data, this.at)[0]) });
    this.verdict = el("p.verdict", { role: "status" });
    this.price = el("p.price");
    this.lines = svg("g.lines");
    this.look = svg("path.look");
    this.frame = svg("rect.frame", { rx: 11 });
    this.hint = svg("text.hint.middle", "drag");
    this.seat = svg("text.seat", "decides here");
    this.bar = svg("rect.bar", { role: "slider", tabindex: 0, onkeydown: (event) => this.key(event) });
    this.ridge = svg("path.ridge", { d: "M-2 -7V7M2 -7V7" });
    this.touch = svg("rect.touch");
    const grip = svg("g.grip", { ontouchstart: (event) => event.preventDefault() }, this.touch, this.bar, this.ridge);
    this.words = svg("g.words");
    const onpointerdown = (event) => {
      const isHeld = event.composedPath().includes(grip);
      this.grasp(event, isHeld);
      if (event.button || (event.pointerType === "touch" && !isHeld)) return;
      event.preventDefault();
      this.bar.focus({ preventScroll: true });
      this.pull(event);
      this.endDrag = drag(
        (move) => this.pull(move),
        () => {},
      );
    };
    const parts = [this.frame, this.lines, this.look, grip, this.words, this.hint, this.seat];
    this.plot = svg("svg.plot", { role: "group", onpointerdown, onclick: (event) => this.pull(event) }, ...parts);
    const numbers = el("div.numbers", this.verdict, this.price);
    const stage = el("div.stage", { "data-figure": "" }, numbers, this.plot);
    root.replaceChildren(el("div.headline", this.finding, this.act), stage);
    this.link = mirror((put) => {
      put("why_window", this.at.size, USUAL);
      put("why_hub", this.at.hub);
    });
    this.resized = () => this.data && this.draw();
  }

  update(data) {
    if (this.data) return; // the same review for everybody
    this.data = data;
    this.n = data.words.length;
    this.lines.append(...pairsOf(this.n).map(() => svg("path")));
    const size = wholeParam("why_window") ?? USUAL;
    this.at = { size: Math.max(1, Math.min(this.n, size)), hub: wholeParam("why_hub", this.n) };
    this.isFresh = this.at.hub === null && size === USUAL;
    this.draw();
    this.root.dataset.painted = "true";
    if (this.isFresh) this.endBeat = this.closing();
  }

  /** The first beat: every word sees every word, and then the window closes. */
  closing() {
    let timer;
    const show = (size) => ((this.at = { size, hub: null }), this.draw());
    const narrow = () => {
      if (this.at.size <= USUAL) return;
      show(this.at.size - 1);
      timer = setTimeout(narrow, STEP);
    };
    const begin = () => {
      this.root.dataset.beat = "ways";
      this.isFresh = false;
      show(this.n);
      timer = setTimeout(narrow, WHOLE);
    };
    const end = () => {
      clearTimeout(timer);
      delete this.root.dataset.beat;
      this.isFresh = true;
      show(USUAL);
    };
    return firstBeat("ways", BEAT, begin, end);
  }

  /** The window is so wide, or the hub on that word. */
  take(more) {
    this.at = { ...this.at, ...more };
    this.isFresh = false;
    this.draw();
    this.link.later();
  }

  /** To the word at this place: the window ends there, or the hub is there. */
  bring(to) {
    this.take(this.at.hub === null ? { size: to + 1 } : { hub: to });
  }

  /** A handle that is held stays where it is until it is dragged; from elsewhere it comes to the hand. */
  grasp(event, isHeld) {
    const { size, hub } = this.at;
    this.beyond = isHeld ? beyond(this.edges, hub ?? size - 1, this.placeOf(event)) : 0;
  }

  placeOf(event) {
    return pointIn(event, this.plot)[this.isWide ? 0 : 1];
  }

  pull(event) {
    const along = this.placeOf(event) - this.beyond;
    this.bring(this.edges.slice(1, -1).filter((edge) => edge <= along).length);
  }

  key(event) {
    const to = inRow(event, this.at.hub ?? this.at.size - 1, this.n);
    if (to !== null) this.bring(to);
  }

  draw() {
    const { data, at, n } = this,
      { size, hub } = at;
    const word = says(data, at),
      isRight = word === data.truth;
    rewrite(this.finding, told(data, at, this.isFresh));
    write(this.act, nextOf(data, at)[1]);
    rewrite(this.verdict, "The model says ", el("b", `${word} ${isRight ? "✓" : "✗"}`));
    rewrite(this.price, el("b", String(priceOf(n, at))), ` of ${priceOf(n, { size: n, hub: null })} pairs`);
    Object.assign(this.root.dataset, { size, hub: hub ?? "none", says: word });
    this.layOut(isRight);
    put(this.bar, {
      "aria-label": hub === null ? "How far every word sees" : "The word that is the hub",
      "aria-valuemin": 0,
      "aria-valuemax": n - 1,
      "aria-valuenow": hub ?? size - 1,
      "aria-valuetext": valueOf(data, at),
    });
  }

  /** The review in one line with its pairs above; a word per line with pairs at its side where there is no room. */
  layOut(isRight) {
    const { width } = boxOf(this.root);
    if (!width) return;
    const {
        n,
        at: { size, hub },
      } = this,
      { words, to } = this.data;
    const isWide = (this.isWide = width >= WIDE);
    const above = boxOf(this.plot).top;
    const height = isWide ? Math.max(260, windowHeight(this.root) - above - FREE) : n * ROW + 16;
    const line = isWide ? wordsAlong(words, width - 16) : null;
    this.edges = line ? line.edges.map((x) => x + 8) : Array.from({ length: n + 1 }, (_, at) => 8 + at * ROW);
    const along = words.map((_, at) => (this.edges[at] + this.edges[at + 1]) / 2);
    const base = isWide ? height - BELOW : SIDE + 8;
    const room = isWide ? base - 12 : width - base - 12;
    const arc = ([i, j]) => {
      const lift = (4 / 3) * room * ((along[j] - along[i]) / (along[n - 1] - along[0])) ** 0.58;
      const point = (x, up) => (isWide ? [x, base - up] : [base + up, x]);
      return `M${point(along[i], 0)}C${point(along[i], lift)} ${point(along[j], lift)} ${point(along[j], 0)}`;
    };
    put(this.plot, { width, height, viewBox: `0 0 ${width} ${height}`, "aria-label": words.join(" ") });
    this.placeLines(arc, base);
    put(this.look, { d: arc([0, to]), class: `look${isRight ? "" : " shut"}` });
    const box = (first, last, thick) =>
      isWide
        ? {
            x: this.edges[first],
            y: base + 30 - thick / 2,
            width: this.edges[last + 1] - this.edges[first],
            height: thick,
          }
        : { x: 2, y: this.edges[first], width: base - 8, height: this.edges[last + 1] - this.edges[first] };
    const frame = box(hub ?? 0, hub ?? size - 1, ACROSS);
    put(this.frame, frame);
    const [right, low] = [frame.x + frame.width, frame.y + frame.height];
    const edge = isWide
      ? { x: right - 6, y: frame.y - 3, width: 12, height: ACROSS + 6 }
      : { x: 2 + frame.width / 2 - 26, y: low - 6, width: 52, height: 12 };
    const bar = hub === null ? edge : frame;
    put(this.bar, { ...bar, rx: hub === null ? 6 : 11 });
    put(this.touch, { x: bar.x - 12, y: bar.y - 12, width: bar.width + 24, height: bar.height + 24 });
    const [x, y] = [bar.x + bar.width / 2, bar.y + bar.height / 2];
    put(this.ridge, { transform: `translate(${x} ${y}) rotate(${isWide ? 0 : 90})` });
    const below = { y: low + 24, display: isWide ? "inline" : "none" };
    put(this.hint, { x, ...below });
    put(this.seat, { x: this.edges[0] + 2, ...below });
    this.root.classList.toggle("hubbed", hub !== null);
    this.root.classList.toggle("fresh", this.isFresh);
    this.placeWords(along, base, line);
  }

  placeLines(arc, base) {
    const [foot, flat] = this.isWide ? [`0 ${base}px`, "1 0"] : [`${base}px 0`, "0 1"];
    put(this.lines, { style: `--foot: ${foot}; --flat: ${flat}` });
    pairsOf(this.n).forEach((pair, nth) =>
      put(this.lines.children[nth], { d: arc(pair), class: isOpen(this.at, ...pair) ? "there" : "saved" }),
    );
  }

  placeWords(along, base, line) {
    const {
        isWide,
        at: { hub },
      } = this,
      { words, to } = this.data;
    const place = (one) => (isWide ? { x: along[one], y: base + 38 } : { x: SIDE - 10, y: along[one] + 6 });
    this.words.replaceChildren(
      ...words.map((word, one) => {
        const kind = one === hub ? "hub" : one === 0 ? "query" : one === to ? "key" : "word";
        return svg(
          `text.${isWide ? "middle" : "end"}.${kind}`,
          { ...place(one), "font-size": line?.letters ?? 18 },
          word,
        );
      }),
    );
  }
}

export default mount(".few-pairs", FewPairs);
