// Three matrices make a query, keys and values of words. A hand lays the query on one key after the other: where both
// are large on the same side, the place lights up, and the products add up to the score of that key.

import {
  el,
  fixed,
  fromBase64,
  mirror,
  mount,
  param,
  pointIn,
  put,
  rewrite,
  still,
  svg,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { painted } from "./picture.js";
import { columnsOf, keyAt, lanesOf } from "./places.js";
import { asking, bestOf, found, laid, manyOf, pickedOf, swapped } from "./said.js";

const ROOM = 141; // pixels of a window above and below the figure, without the headline
const BEAT = 1800; // milliseconds
const EACH = 170; // milliseconds on a key while all are tried
const TRY = "Try every key";

const floats = (text) => new Float32Array(fromBase64(text).buffer);
const largest = (numbers) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
const plain = (said) => said.map((part) => (typeof part === "string" ? part : part[1])).join("");

/** One text in which a word asks, with its numbers row by row. */
function readOut(asked, many, picks) {
  const rows = (text) => {
    const all = floats(text);
    const wide = all.length / many;
    return picks.map((n) => Array.from(all.subarray(n * wide, (n + 1) * wide)));
  };
  const of = (list) => picks.map((n) => list[n]);
  const [scores, weights, open] = [asked.scores, asked.weights, asked.open].map(of);
  const [x, keys, values, q] = [rows(asked.x), rows(asked.keys), rows(asked.values), Array.from(floats(asked.q))];
  return {
    ...asked,
    scores,
    weights,
    open,
    x,
    keys,
    values,
    q,
    products: keys.map((key) => key.map((number, d) => number * q[d])),
  };
}

class ThreeMills {
  constructor(root) {
    this.root = root;
    this.on = wholeParam("att_laid") === null ? null : wholeParam("att_laid") - 1; // the key on which the query lies
    this.isSwapped = param("att_swap") === "true";
    this.tried = new Set();
    this.link = mirror((put) => {
      put("att_laid", this.on === null ? null : this.picks[this.on] + 1);
      put("att_swap", this.isSwapped || null);
    }, 250);
    this.resized = () => this.data && this.draw();
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.next() });
    this.headline = el("div.headline", this.finding, this.act);
    this.picture = svg("svg", { "aria-hidden": "true" });
    this.hand = el("div.hand", {
      role: "slider",
      tabindex: 0,
      "aria-orientation": "vertical",
      "aria-valuemin": 0,
      onkeydown: (event) => this.key(event),
    });
    this.figure = el("div.mills", { onpointerdown: (event) => this.press(event) }, this.picture, this.hand);
    root.replaceChildren(this.headline, this.figure);
  }

  update(data) {
    const isFirst = !this.data;
    const isOther = !isFirst && String(data.words) + data.at !== this.read;
    this.read = String(data.words) + data.at;
    this.pick(data);
    if (isOther) {
      this.stop?.();
      Object.assign(this, { on: null, isSwapped: false, isTold: false, tried: new Set() });
    }
    if (this.on !== null && !this.asked.open[this.on]) this.on = null;
    if (this.on !== null) this.tried.add(this.on);
    this.isSwapped &&= this.texts.length > 1;
    if (this.isSwapped) this.tryAll();
    this.measure();
    if (!isFirst) this.endBeat?.();
    this.draw();
    if (isFirst) this.open();
    this.root.dataset.painted = "true";
  }

  /** Of a long text some keys are enough, with that of the word that asks and the one on which the query lies. */
  pick(data) {
    const all = data.words.length;
    const before = (n) => this.picks?.[n] ?? n;
    const on = this.on === null ? null : before(this.on);
    const tried = [...this.tried].map(before);
    const picks = pickedOf(data.asked, [data.at, on]);
    const place = (n) => (picks.includes(n) ? picks.indexOf(n) : null);
    this.data = { all, words: picks.map((n) => data.words[n]), at: place(data.at) };
    this.texts = data.asked.map((one) => readOut(one, all, picks));
    this.tried = new Set(tried.map(place).filter((n) => n !== null));
    Object.assign(this, { picks, many: picks.length, on: place(on) });
  }

  destroy() {
    this.stop?.();
  }

  /** No word has a scale of its own: what is longer is larger. */
  measure() {
    const of = (name) => largest(this.texts.flatMap((text) => text[name].flat()));
    const scores = this.texts.flatMap(({ scores, open }) => scores.filter((_, n) => open[n]));
    this.most = {
      x: 0.6 * of("x"),
      q: of("q"),
      keys: 0.8 * of("keys"),
      values: of("values"),
      products: 0.7 * of("products"),
    };
    this.reach = [Math.min(0, ...scores), Math.max(0, ...scores)];
  }

  /** The text as it is now. */
  get asked() {
    return this.texts[this.isSwapped ? 1 : 0];
  }

  get words() {
    return this.data.words.with(this.data.at, this.asked.word);
  }

  // ---- hands -------------------------------------------------------------------------------------------------------

  /** A drag carries the query over the keys, and back to where it came from. */
  press(event) {
    const { figure } = this;
    const y = pointIn(event, figure)[1];
    if (event.button || y >= this.lanes.value.y) return;
    event.preventDefault();
    this.hand.focus({ preventScroll: true });
    this.root.classList.add("dragged");
    const to = (moved) => this.lay(keyAt(pointIn(moved, figure)[1], this.lanes));
    if (y >= this.lanes.all.y) to(event);
    this.endDrag = drag(to, () => this.root.classList.remove("dragged"));
  }

  key(event) {
    const stops = [null, ...this.asked.open.flatMap((isOpen, n) => (isOpen ? [n] : []))];
    const to = inRow(event, stops.indexOf(this.on), stops.length);
    if (to !== null) this.lay(stops[to]);
  }

  /** The query lies on this key, or on none. */
  lay(on) {
    this.stop?.();
    this.put(on);
  }

  put(on) {
    if (on !== null && !this.asked.open[on]) return;
    if (on !== null) this.tried.add(on);
    Object.assign(this, { on, isTold: false });
    this.draw();
    this.link.later();
  }

  tryAll() {
    this.asked.open.forEach((isOpen, n) => isOpen && this.tried.add(n));
  }

  /** What comes next: all keys are tried, then another word asks, if there is one like it, then the first again. */
  get coming() {
    if (this.isSwapped) return "back";
    const isFound = this.tried.has(bestOf(this.asked)) && this.tried.size > 1;
    if (isFound && this.texts.length > 1) return "swap";
    return this.tried.size === manyOf(this.asked) ? "again" : "try";
  }

  next() {
    this.stop?.();
    const { coming } = this;
    if (coming === "try") return this.tryOut();
    if (coming === "again") return (this.tried.clear(), this.put(null));
    this.isSwapped = coming === "swap";
    this.tryAll();
    this.put(bestOf(this.asked));
    this.isTold = true;
    this.draw();
  }

  /** The query goes over all keys, and then to the one that fits best. */
  tryOut() {
    const { many } = this;
    const end = () => {
      this.tryAll();
      this.put(bestOf(this.asked));
      this.isTold = true;
      this.draw();
    };
    if (still()) return end();
    const halt = tween(EACH * many, (share) => {
      if (share === 1) return end();
      const at = Math.floor(share * many);
      if (at !== this.on) this.put(at);
    });
    this.stop = halt;
  }

  // ---- the first beat: the strips come out of the mills ------------------------------------------------------------

  open() {
    if (this.on !== null) return;
    const begin = () => {
      this.root.dataset.beat = "mills";
      this.halt = tween(0.94 * BEAT, (share) => {
        this.sofar = Math.round(share * this.asked.q.length);
        this.drawPicture();
      });
    };
    const end = () => {
      this.halt();
      this.sofar = undefined;
      delete this.root.dataset.beat;
      this.draw();
    };
    this.endBeat = firstBeat("mills", BEAT, begin, end);
  }

  // ---- what is said ------------------------------------------------------------------------------------------------

  said() {
    const { asked, words, on, texts, data, isSwapped, isTold } = this;
    if (isTold && isSwapped) return swapped(asked, texts[0], words, data.at);
    if (isTold) return found(asked, words);
    return on === null ? asking(asked) : laid(asked, on, words[on], asked.products[on]);
  }

  get names() {
    const [own, other] = this.texts.map(({ word }) => word);
    return { try: TRY, again: "Start again", swap: `Swap “${own}” for “${other}”`, back: `Back to “${own}”` };
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  draw() {
    const { root, asked, on, words, names, coming } = this;
    write(this.act, names[coming]);
    rewrite(
      this.finding,
      ...this.said().map((part) => (typeof part === "string" ? part : el(`b.${part[0]}`, part[1]))),
    );
    this.keepHeight();
    const text = on === null ? "on no key" : `${words[on]}: ${fixed(asked.scores[on], 1)}`;
    const label = `The query of ${asked.word}, laid on the key of`;
    put(this.hand, {
      "aria-label": label,
      "aria-valuemax": this.many,
      "aria-valuenow": (on ?? -1) + 1,
      "aria-valuetext": text,
    });
    Object.assign(root.dataset, { on: this.picks[on] ?? "", asks: asked.word, tried: this.tried.size });
    this.drawPicture();
  }

  /** The figure stays where it is, whatever is told. */
  keepHeight() {
    const { root, texts, data, names } = this;
    const of = [root.clientWidth, windowHeight(root), data];
    if (this.kept && of.every((what, n) => what === this.kept[n])) return;
    this.kept = of;
    const all = texts.flatMap((text) =>
      data.words.map((word, n) => plain(laid({ ...text, weights: [] }, n, word, text.products[n]))),
    );
    steady(this.headline, all, Object.values(names));
  }

  drawPicture() {
    const { root, on, asked, most, many } = this;
    const tall = Math.min(1000, windowHeight(root) - ROOM - this.headline.offsetHeight);
    const columns = columnsOf(root.clientWidth);
    const lanes = (this.lanes = lanesOf({ many, open: on, tall }));
    this.figure.style.height = `${lanes.height}px`;
    const row = lanes.all.height / many; // as tall as keys are while none is open
    this.figure.style.setProperty("--word", `${Math.max(12.5, Math.min(19, 0.65 * row))}px`);
    put(this.picture, { viewBox: `0 0 ${root.clientWidth} ${lanes.height}` });
    const home = on === null ? lanes.query : lanes.keys[on];
    const { x, width } = columns.strip;
    Object.assign(this.hand.style, {
      left: `${x}px`,
      width: `${width}px`,
      top: `${home.y}px`,
      height: `${home.height}px`,
    });
    const { words, data, tried, reach, sofar = asked.q.length } = this;
    const scene = { columns, lanes, asked, most, on, words, at: data.at, all: data.all, tried, reach, sofar };
    this.picture.replaceChildren(...painted(scene));
  }
}

export default mount(".three-mills", ThreeMills);
