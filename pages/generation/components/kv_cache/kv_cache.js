// A text is written token by token, and the hand pulls in the next. Without a KV cache each step computes the keys and
// values of all tokens again, a whole row of the stair; with one only its last cell.

import {
  counted,
  el,
  howOften,
  mirror,
  mount,
  pointIn,
  roomOf,
  still,
  theme,
  trimmed,
  unpack,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { drag, inRow, takesHold, tween } from "../../../../attention_view/controls.js";
import { blockOf, computed, drawStair, FAR, lengthAt, spanOf, striped } from "./pile.js";

const FIRST = 4; // tokens that are there at first, if the text has as many
const TOKEN = 700; // milliseconds in which a token comes
const PULL = 2000; // milliseconds in which it becomes a long text
const NAMED = 17; // pixels across and high that a name needs
const NARROW = 700;
const GUTTER = 62; // pixels before the stair: what is above and what below in a pair

const ASKS = "Pull in the next token: how many pairs are computed again?";

const number = (n) => n.toLocaleString("en");
const pairs = (n) => counted(n, "pair");

/** How many times the work it is without a cache. */
export function timesOf(data, n) {
  const [all, one] = computed(data, n);
  return all < 10 * one ? trimmed(all / one, 1) : number(Math.floor(all / one));
}

/** What the last of n tokens took; of a text that is longer than what was read, what all took. */
export function told(data, n) {
  const { tokens, anew, kept } = data;
  if (n > tokens.length) {
    return `A text of ${number(n)} tokens: without a cache, ${timesOf(data, n)} times the work.`;
  }
  if (n === 1) return `For “${tokens[0]}”, ${pairs(anew[0])} was computed, with a cache or without.`;
  const old = n - kept[n - 1];
  const same = old === 1 ? "the other comes" : `the other ${old} come`;
  const took = `${pairs(anew[n - 1])} without a cache, ${kept[n - 1]} with one`;
  return `For “${tokens[n - 1]}”, ${took}: ${same} out as before.`;
}

/** How often the pair of one token was computed for n tokens: a step computes the last ones of those that there are. */
export function toldOf({ anew, kept, tokens }, column, n) {
  const [again, once] = [anew, kept].map(
    (counts) => counts.slice(0, n).filter((count, row) => column <= row && column > row - count).length,
  );
  if (again === once) return `“${tokens[column]}” was computed ${howOften(once)}, with a cache or without.`;
  return `“${tokens[column]}” was computed ${howOften(again)}, always the same. With a cache: ${howOften(once)}.`;
}

/** What the cache takes for n tokens. */
export function memory([layers, heads, width, each], n) {
  const sizes = `2 · ${counted(layers, "layer")} · ${counted(heads, "head")} · ${counted(width, "number")} · 4 bytes`;
  return `What is kept takes memory: ${sizes} = ${number(each)} bytes per token, ${number(each * n)} for ${number(n)}.`;
}

/** What the stripes are, in a vector so wide, of one of so many heads. */
export function striping(wide, heads) {
  const ofOne = heads > 1 ? ` Drawn is one of ${heads} heads.` : "";
  return `A stripe is one of the ${counted(wide, "number")} of a key or a value: the stronger, the larger.${ofOne}`;
}

class KvCache {
  constructor(root) {
    this.root = root;
    this.column = null;
    this.link = mirror((put) => put("gen_read", this.n === null ? null : Math.round(this.n), null), 200);
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.go(this.shown === FAR ? null : FAR) });
    this.words = el("div.words");
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.canvas.onpointermove = (event) => event.pointerType === "mouse" && this.hold(this.under(event));
    this.canvas.onpointerleave = () => this.hold(null);
    this.canvas.onpointerdown = (event) =>
      event.pointerType === "mouse" ? this.grab(event) : this.hold(this.under(event));
    this.sides = el("div.sides", { "aria-hidden": "true" }, el("b.key", "key"), el("b.value", "value"));
    this.knob = el(
      "div.knob",
      { role: "slider", tabindex: 0, "aria-label": "Tokens of the text", "aria-valuemin": 1, "aria-valuemax": FAR },
      el("i", "→"),
      el("span", "pull"),
    );
    this.knob.onpointerdown = (event) => takesHold(event) && this.grab(event);
    this.knob.onkeydown = (event) => this.press(event);
    const sum = (name, says) => el(`p.${name}`, el("b"), says);
    this.sums = el(
      "div.sums",
      { "aria-hidden": "true" },
      sum("times", "the work without a cache"),
      sum("again", "pairs computed again"),
      sum("once", "computed once: all that a cache needs"),
    );
    this.place = el("p.place");
    this.sheet = el("div.sheet", this.canvas, this.words, this.sides, this.sums, this.knob);
    root.replaceChildren(el("div.headline", this.finding, this.act), this.sheet, this.place);
  }

  get shown() {
    return this.n ?? this.opens;
  }

  update(bytes) {
    if (this.bytes !== bytes) {
      this.stop?.();
      const asked = this.bytes ? null : wholeParam("gen_read", FAR + 1);
      if (this.bytes) this.link.later(); // the text is another one: it opens on its question
      const { header, arrays } = unpack(bytes);
      Object.assign(this, { bytes, data: header, arrays, column: null });
      this.opens = Math.min(FIRST, header.read, Math.max(1, header.tokens.length - 1));
      this.n = asked === null ? null : Math.max(1, asked);
      this.words.replaceChildren(
        ...header.tokens.map((token, at) => {
          const [hold, free] = [() => this.hold(at), () => this.hold(null)];
          return el("button", { onfocus: hold, onblur: free, onpointerover: hold, onpointerleave: free }, token);
        }),
      );
    }
    this.colour = theme(this.root);
    this.stripes = striped(this.arrays, this.colour);
    this.show(this.n);
  }

  resized() {
    const room = roomOf(this.root);
    if (room !== this.room) this.show(this.n);
    this.room = room;
  }

  destroy() {
    this.stop?.();
  }

  /** n tokens, of the last perhaps a part; null before the first act. */
  show(n) {
    this.n = n;
    if (this.column >= this.shown || this.shown > this.data.tokens.length) this.column = null;
    this.draw();
    this.tell();
  }

  draw() {
    const { data, canvas, shown, column } = this;
    const gutter = this.root.clientWidth < NARROW ? 0 : GUTTER;
    const width = this.sheet.clientWidth - gutter;
    if (width <= 0) return;
    this.near = gutter ? 7 : 5;
    this.span = width * spanOf(shown, this.near);
    this.across = this.span / shown;
    this.top = gutter ? 46 : 30; // a word stands on each step
    const height = gutter ? Math.max(340, windowHeight(this.root) - 232) : 390;
    this.high = (height - this.top) / Math.max(shown, gutter ? 4 : 5);
    const state = { n: shown, across: this.across, high: this.high, top: this.top, column };
    drawStair(canvas, [width, height], state, this.colour, data, shown > data.tokens.length ? [] : this.stripes);
    this.placeAll(width, gutter);
  }

  placeAll(width, gutter) {
    const { shown, across, high, top, span } = this;
    const most = Math.min(0.031 * width, across * 0.3, high * 0.8);
    [...this.words.children].forEach((word, at) => {
      word.hidden = at >= shown || Math.min(across, high) < NAMED;
      word.classList.toggle("now", at === Math.ceil(shown) - 1);
      const size = Math.max(12.5, most);
      const [left, foot] = [gutter + at * across, top + at * high];
      Object.assign(word.style, { left: `${left}px`, top: `${foot - 1.25 * size}px`, fontSize: `${size}px` });
    });
    Object.assign(this.sides.style, { height: `${high}px`, top: `${top}px` });
    const [x, y] = [Math.min(gutter + span + 8, gutter + width - 52), top + high * (shown - 0.5)];
    Object.assign(this.knob.style, { left: `${x}px`, top: `${Math.min(y, top + high * shown - 26)}px` });
    this.knob.lastChild.hidden = x > gutter + width - 150;
  }

  tell() {
    const { data, n, shown, column } = this;
    const [all, once] = computed(data, shown);
    const numbers = [`${timesOf(data, Math.floor(shown))}×`, number(all - once), number(once)];
    [...this.sums.children].forEach((sum, at) => write(sum.firstChild, numbers[at]));
    const whole = Math.ceil(shown);
    if (whole === shown || column !== null)
      write(this.finding, n === null ? ASKS : column === null ? told(data, n) : toldOf(data, column, whole));
    write(this.place, this.below(whole));
    write(this.act, shown === FAR ? "Start again" : "A text of 1,000 tokens");
    const said = `${pairs(all)} without a cache, ${once} with one`;
    for (const [name, value] of Object.entries({ now: whole, text: `${counted(whole, "token")}: ${said}` }))
      this.knob.setAttribute(`aria-value${name}`, value);
    Object.assign(this.root.dataset, { n: n ?? "", anew: all, kept: once, column: column ?? "" });
  }

  /** The line below: what a stripe is, or what the cache takes. */
  below(whole) {
    const { data, n, arrays } = this;
    const [layers, heads] = data.memory;
    if (n === null) return striping(arrays.keys.shape[1], heads * layers);
    const many = blockOf(this.high, whole);
    const blocks = many > 1 ? `Each block stands for ${many} × ${many} pairs. ` : "";
    return `${blocks}${memory(data.memory, whole)}${whole > data.tokens.length ? " Counted, not measured." : ""}`;
  }

  /** To n tokens, which come one after the other. */
  go(n) {
    this.stop?.();
    this.link.later();
    const from = this.shown;
    if (n === null || still()) return this.show(n);
    const isFar = n > from + 1;
    const on = (share) => (isFar ? Math.round(from * (n / from) ** share) : from + share * (n - from));
    this.stop = tween(isFar ? PULL : TOKEN, (share) => (this.show(on(share)), this.link.later()));
  }

  hold(column) {
    if (column === this.column) return;
    this.column = column;
    this.draw();
    this.tell();
  }

  /** The column of the pair under the pointer, or null. */
  under(event) {
    const [x, y] = pointIn(event, this.canvas);
    const [column, row] = [Math.floor(x / this.across), Math.floor((y - this.top) / this.high)];
    const isThere = column <= row && row < this.shown && this.shown <= this.data.tokens.length;
    return isThere && !this.isHeld ? column : null;
  }

  /** The end of the stair is pulled; a press that does not move pulls in one token. */
  grab(event) {
    if (event.button) return;
    this.stop?.();
    const width = this.canvas.clientWidth;
    const across = (at) => pointIn(at, this.sheet)[0];
    const [began, off] = [across(event), across(event) - this.span];
    const at = (moved) => lengthAt(Math.min(1, Math.max(0, (across(moved) - off) / width)), this.near);
    this.isHeld = true;
    this.endDrag = drag(
      (moved) => (this.hold(null), this.show(at(moved))),
      (lifted) => {
        this.isHeld = false;
        if (Math.abs(across(lifted) - began) > 3) this.show(Math.round(this.shown));
        else if (this.shown < FAR) this.go(Math.floor(this.shown) + 1);
        this.link.later();
      },
    );
  }

  /** Keys: token by token through the text, then on in larger steps. */
  press(event) {
    const all = this.data.tokens.length;
    const stops = [...Array(all).keys(), ...[24, 49, 99, 199, 499, FAR - 1].filter((n) => n >= all)];
    const from = Math.max(
      0,
      stops.findLastIndex((n) => n < this.shown),
    );
    const at = inRow(event, from, stops.length);
    if (at !== null) this.go(stops[at] + 1);
  }
}

export default mount(".kv-cache", KvCache);
