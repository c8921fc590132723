// A text is written token by token: above without a KV cache, where each step computes the keys and values of all
// tokens again, below with one, where they stay. It opens on what the next token needs.

import {
  counted,
  el,
  fixed,
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
import { blockOf, computed, drawLanes, drawPairs, FAR, lastRow, lengthAt, spanOf, striped } from "./pile.js";

const FIRST = 4; // tokens that are there at first, if the text has as many
const PAIR = 70; // milliseconds in which a pair is computed
const PULL = 2000; // milliseconds in which it becomes a long text
const NAMED = 26; // pixels across that a name needs
const NARROW = 700;
const TOLD_FROM = 4; // tokens from which on there is room in the pile for how often it is the work
const SUMMED = 6; // numbers that are added up in full

const ASKS = "The next token needs every key and value so far. How many must be computed afresh?";

const number = (n) => n.toLocaleString("en");
const pairs = (n) => counted(n, "pair");

/** How many times the work it is without a cache. */
export function timesOf(data, n) {
  const [all, one] = computed(data, n);
  return all < 10 * one ? trimmed(all / one, 1) : number(Math.floor(all / one));
}

/** What each of n steps computed, as a sum; later: what those compute of which nobody has counted it. */
export function summed(counts, n, later) {
  const of = (step) => number(counts[step - 1] ?? later(step));
  if (n <= SUMMED) return Array.from({ length: n }, (_, at) => of(at + 1)).join(" + ");
  const [first, second, last] = [1, 2, n].map(of);
  return `${first} + ${second} + … + ${last}`;
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
    this.link = mirror((put) => put("gen_read", this.n, null), 200);
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
    this.words = el("div.words");
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.canvas.onpointermove = (event) => event.pointerType === "mouse" && this.hold(this.under(event));
    this.canvas.onpointerleave = (event) => event.pointerType === "mouse" && this.hold(null);
    this.canvas.onpointerdown = (event) => event.pointerType !== "mouse" && this.hold(this.under(event));
    this.slot = el("button.slot", { "aria-label": "Next token", onclick: () => this.go(this.shown + 1) });
    this.slot.append(el("b", "?"), el("span", "Next token"));
    this.times = el("p.times", { "aria-hidden": "true" }, el("b"), "the work");
    this.lanes = ["without a cache", "with a cache"].map((title) => {
      const [total, says] = [el("b.total"), el("span.says")];
      return { total, says, node: el("div.lane", total, el("h2", title), says) };
    });
    this.sides = el("div.sides", { "aria-hidden": "true" }, el("b.key", "key"), el("b.value", "value"));
    this.knob = el(
      "div.knob",
      { role: "slider", tabindex: 0, "aria-label": "Tokens of the text", "aria-valuemin": 1, "aria-valuemax": FAR },
      el("i", "↔"),
      el("span", "pull: a longer text"),
    );
    this.knob.onpointerdown = (event) => this.grab(event);
    this.knob.onkeydown = (event) => this.press(event);
    this.length = el("div.length", this.knob);
    this.place = el("p.place");
    this.sheet = el("div.sheet", this.words, this.canvas, this.times, this.slot, this.length);
    const figure = el("div.board", this.sides, ...this.lanes.map(({ node }) => node), this.sheet);
    root.replaceChildren(el("div.headline", this.finding, this.act), figure, this.place);
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

  /** n tokens, null before the first act; come: pairs of the pile that have been computed. */
  show(n, come = Infinity) {
    this.n = n;
    if (this.column >= this.shown || this.shown > this.data.tokens.length) this.column = null;
    this.draw(come);
    this.tell();
  }

  draw(come) {
    const { data, canvas, n, shown, column } = this;
    this.come = come;
    const width = this.sheet.clientWidth;
    if (!width) return;
    const isNarrow = this.root.clientWidth < NARROW;
    this.near = isNarrow ? 5 : 7;
    const room = Math.min(width / (shown + 1), 230); // of a token and of the place for the next
    const span = n === null ? shown * room : width * spanOf(shown, this.near);
    this.across = span / shown;
    const height = isNarrow ? 350 : Math.max(300, windowHeight(this.root) - 340);
    const [band, lane] = isNarrow ? [62, 44] : [0, 78];
    const pile = height - 2 * band - lane - 20;
    this.tops = [band, height - lane];
    this.high = Math.min(lane, pile / Math.max(shown, 6));
    const all = computed(data, shown);
    if (n === null) drawPairs(canvas, [width, height], { n: shown, across: this.across, column }, this.stripes);
    else {
      const state = { n, come: Math.min(come, all[0]), across: this.across, high: this.high, tops: this.tops, column };
      drawLanes(canvas, [width, height], state, this.colour, shown > data.tokens.length ? [] : this.stripes);
    }
    this.placeAll(span, height, band);
  }

  placeAll(span, height, band) {
    const { data, n, shown, across, root } = this;
    root.classList.toggle("asks", n === null);
    const most = Math.min(n === null ? 42 : 34, across * 0.33);
    const size = (word) => Math.min(most, Math.max(12.5, (across - 8) / (0.5 * word.length)));
    [...this.words.children].forEach((word, at) => {
      word.hidden = at >= shown || across < NAMED;
      word.classList.toggle("now", at === shown - 1);
      Object.assign(word.style, {
        left: `${at * across}px`,
        width: `${across}px`,
        fontSize: `${size(word.textContent)}px`,
      });
    });
    this.slot.hidden = shown >= data.tokens.length || across < NAMED || shown > 2 * this.near;
    Object.assign(this.slot.style, { left: `${span}px`, width: `${across - 8}px` });
    this.lanes.forEach(({ node }, at) => (node.style.top = `${(band ? this.tops[at] - band : this.tops[at]) + 52}px`));
    this.times.hidden = n === null || shown < TOLD_FROM;
    Object.assign(this.times.style, { left: `${span - 16}px`, top: `${52 + band}px` });
    this.sides.style.height = `${height}px`;
    this.knob.style.left = `${Math.min(span, this.sheet.clientWidth - 18)}px`;
    this.knob.lastChild.hidden = span > this.sheet.clientWidth - 140;
    this.length.style.setProperty("--span", `${span}px`);
  }

  tell() {
    const { data, n, shown, column, come } = this;
    const all = computed(data, shown);
    const pile = Math.min(all[0], Math.floor(come));
    const done = come < all[0] ? lastRow(pile)[0] : all[1];
    this.lanes.forEach(({ total, says }, at) => {
      write(total, number(at ? done : pile));
      write(says, at ? summed(data.kept, shown, () => 1) : summed(data.anew, shown, (step) => step));
    });
    write(this.times.firstChild, `${timesOf(data, shown)}×`);
    write(this.finding, n === null ? ASKS : column === null ? told(data, n) : toldOf(data, column, n));
    write(this.place, this.below());
    const isFirst = n === null && !this.slot.hidden; // the place itself is pressed
    if (isFirst && this.act.matches(":focus")) this.slot.focus({ preventScroll: true });
    this.act.hidden = isFirst;
    write(this.act, shown === FAR ? "Start again" : "A text of 1,000 tokens");
    const said = `${pairs(all[0])} without a cache, ${all[1]} with one`;
    for (const [name, value] of Object.entries({ now: shown, text: `${counted(shown, "token")}: ${said}` }))
      this.knob.setAttribute(`aria-value${name}`, value);
    Object.assign(this.root.dataset, { n: n ?? "", anew: all[0], kept: all[1], column: column ?? "" });
  }

  /** The line below: the numbers of what is held, or what the cache takes. */
  below() {
    const { data, n, shown, column, arrays } = this;
    const [layers, heads] = data.memory;
    if (column !== null) {
      const [key, value] = [arrays.keys, arrays.values].map((side) => {
        const wide = side.shape[1];
        return [...side.subarray(column * wide, column * wide + 5)].map((x) => fixed(x)).join(" ");
      });
      return `Layer ${layers - 1}, head 0: key ${key} …, value ${value} …`;
    }
    const all = heads * layers;
    if (n === null) return striping(arrays.keys.shape[1], all);
    const many = blockOf(this.high, shown);
    const blocks = many > 1 ? `Each block stands for ${many} × ${many} pairs. ` : "";
    return `${blocks}${memory(data.memory, shown)}${shown > data.tokens.length ? " Counted, not measured." : ""}`;
  }

  /** The next step for whoever will not take hold of the drawing. */
  goOn() {
    const from = this.shown;
    if (from === FAR) return this.go(null);
    this.stop?.();
    this.link.later();
    if (still()) return this.show(FAR);
    this.stop = tween(PULL, (share) => this.show(Math.round(from * (FAR / from) ** share)));
  }

  /** To n tokens; where that is the next, its pairs come one after the other, at first those of all steps. */
  go(n) {
    this.stop?.();
    const isNext = n !== null && n === this.shown + 1 && n <= this.data.tokens.length;
    const from = this.n === null ? 0 : computed(this.data, this.n)[0];
    this.link.later();
    this.n = n;
    if (!isNext || still()) return this.show(n);
    const [all] = computed(this.data, n);
    const end = (share) => (share < 1 ? from + Math.max(1, share * (all - from)) : Infinity);
    this.stop = tween(PAIR * (all - from) + 150, (share) => this.show(n, end(share)));
  }

  hold(column) {
    if (column === this.column) return;
    this.column = column;
    this.draw(this.come);
    this.tell();
  }

  /** The column of the pair under the pointer, or null. */
  under(event) {
    const [x, y] = pointIn(event, this.canvas);
    const { across, high, tops, n, shown, data } = this;
    const [column, row] = [Math.floor(x / across), Math.floor((y - tops[0]) / high)];
    const isThere = n === null || (column <= row && row < n) || y >= tops[1];
    return isThere && shown <= data.tokens.length && column < shown ? column : null;
  }

  /** The knob at the end of the text is pulled. */
  grab(event) {
    if (!takesHold(event)) return;
    const off = pointIn(event, this.sheet)[0] - spanOf(this.shown, this.near) * this.sheet.clientWidth;
    this.endDrag = drag(
      (moved) => {
        const share = (pointIn(moved, this.sheet)[0] - off) / this.sheet.clientWidth;
        this.stop?.();
        this.show(lengthAt(Math.min(1, Math.max(0, share)), this.near));
      },
      () => this.link.later(),
    );
  }

  /** Keys: token by token through the text, then on in larger steps. */
  press(event) {
    const all = this.data.tokens.length;
    const stops = [...Array(all).keys(), ...[24, 49, 99, 199, 499, FAR - 1].filter((n) => n >= all)];
    const at = inRow(
      event,
      Math.max(
        0,
        stops.findLastIndex((n) => n < this.shown),
      ),
      stops.length,
    );
    if (at !== null) this.go(stops[at] + 1);
  }
}

export default mount(".kv-cache", KvCache);
