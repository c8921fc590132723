// A text is read token by token: at the left without a KV cache, at the right with one. Each step is a row (stairs.js).
// Without a cache every step computes the keys and values of all tokens again, and they come out the same.

import {
  counted,
  el,
  mirror,
  mount,
  paintPixels,
  rgb,
  roomOf,
  still,
  strength,
  theme,
  unpack,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { isComputed, soFar, Stairs, times } from "./stairs.js";

const BEAT = 3000; // milliseconds of the first beat
const SWEEP = 600; // milliseconds in which the cells of one step are computed

/** "once", "17 times". */
export const often = (n) => ["never", "once", "twice"][n] ?? `${n.toLocaleString("en")} times`;

/** What the cache comes to, after n steps. */
export function told({ anew, kept }, n) {
  const [all, one] = [soFar(anew, n), soFar(kept, n)];
  const how = all === one ? ", with a cache or without" : ` without a cache, ${one.toLocaleString("en")} with one`;
  return `Reading ${counted(n, "token")} computes ${counted(all, "key–value pair")}${how}.`;
}

/** What is held against the other: how often the column of one token was computed in n steps. */
export function toldOf({ anew, kept, tokens }, column, n) {
  const [again, once] = [times(anew, column, n), times(kept, column, n)];
  if (again === once) return `“${tokens[column]}” was computed ${often(once)}, with a cache or without.`;
  return `“${tokens[column]}” was computed ${often(again)}, always the same. With a cache: ${often(once)}.`;
}

export class KvCache {
  constructor(root) {
    this.root = root;
    this.column = null;
    this.link = mirror((put) => put("gen_read", this.n, this.data.read), 200);
    this.stairs = [new Stairs("anew", "without a cache"), new Stairs("kept", "with a cache")];
    this.next = el("button.primary", { onclick: () => this.step() });
    this.finding = el("p.finding", { "aria-live": "polite" });
    const slider = { role: "slider", tabindex: "0", "aria-valuemin": "1" };
    const read = { ...slider, "aria-label": "Tokens read", onkeydown: (event) => this.press(event) };
    const hold = { ...slider, "aria-label": "Token to compare", onkeydown: (event) => this.choose(event) };
    this.hands = [read, hold].map((props) => el("div.hand", props));
    this.stairs.forEach(({ node, floor }, n) => {
      node.prepend(this.hands[n]);
      floor.onpointerdown = (event) => this.grab(event, this.stairs[n]);
      floor.onpointermove = (event) => event.pointerType === "mouse" && !event.buttons && this.point(event, n);
      floor.onpointerleave = (event) => event.pointerType === "mouse" && this.hold(null);
    });
    this.place = el("p.place");
    const pair = el("div.pair", ...this.stairs.map(({ node }) => node));
    root.replaceChildren(el("div.headline", this.finding, this.next), pair, this.place);
  }

  update(bytes) {
    const isFirst = !this.bytes;
    if (this.bytes !== bytes) {
      this.endBeat?.(); // that of other numbers
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      Object.assign(this, { data: header, arrays, column: null });
      const asked = isFirst ? wholeParam("gen_read") : null;
      this.n = Math.min(Math.max(1, asked ?? header.read), header.tokens.length);
      this.place.textContent = header.place;
    }
    this.paint();
    this.show(this.n);
    if (isFirst && this.n === this.data.read) this.begin();
  }

  resized() {
    const room = roomOf(this.root);
    if (room === this.room) return;
    this.room = room;
    this.redraw();
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
    this.stopSweep?.();
  }

  /** The keys and the values of every token as strips, in their colours. */
  paint() {
    this.colour = theme(this.root);
    const panel = rgb(this.colour("panel"));
    const sides = ["keys", "values"].map((name) => {
      const [numbers, hue] = [this.arrays[name], rgb(this.colour(name.slice(0, -1)))];
      const largest = numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
      const high = numbers.shape[1];
      return (at) => {
        const canvas = el("canvas");
        const share = (x) => strength(Math.abs(x) / largest);
        paintPixels(canvas, numbers.subarray(at * high, (at + 1) * high), 1, [hue, panel, hue], share);
        return canvas;
      };
    });
    const { tokens, anew, kept } = this.data;
    const strips = tokens.map((_, at) => sides.map((side) => side(at)));
    this.stairs.forEach((stairs, n) => stairs.fill(tokens, [anew, kept][n], strips));
  }

  redraw(share = 1) {
    for (const stairs of this.stairs) stairs.draw({ n: this.n, column: this.column, share }, this.colour);
  }

  show(n) {
    this.n = n;
    const { data } = this;
    const all = data.tokens.length;
    if (this.column >= n) this.column = null;
    this.next.textContent = n < all ? "Next token" : "Start again";
    this.redraw();
    this.tell();
    const [anew, kept] = [data.anew[n - 1], data.kept[n - 1]];
    const said =
      `Step ${n}, ${data.tokens[n - 1]}: ${anew} computed without a cache; with one, ` +
      `${kept} computed and ${n - kept} reused. So far ${soFar(data.anew, n)} and ${soFar(data.kept, n)}.`;
    this.say(0, all, n, said);
    Object.assign(this.root.dataset, { n, anew: soFar(data.anew, n), kept: soFar(data.kept, n) });
  }

  say(hand, valuemax, valuenow, valuetext) {
    for (const [name, value] of Object.entries({ valuemax, valuenow, valuetext }))
      this.hands[hand].setAttribute(`aria-${name}`, value);
  }

  /** The finding: of the column that is held, or else of all. */
  tell() {
    const { data, n, column } = this;
    write(this.finding, column === null ? told(data, n) : toldOf(data, column, n));
    const at = column ?? 0;
    this.say(1, n, at + 1, toldOf(data, at, n));
    this.root.dataset.column = column ?? "";
  }

  /** One token more, or the first again. */
  step() {
    this.go(this.n < this.data.tokens.length ? this.n + 1 : 1);
  }

  go(n) {
    this.endBeat?.();
    this.stopSweep?.();
    if (n === this.n) return;
    const isNext = n === this.n + 1;
    this.show(n);
    this.link.later();
    if (isNext && !still()) this.stopSweep = tween(SWEEP, (share) => this.redraw(share));
  }

  hold(column) {
    if (column === this.column) return;
    this.stopSweep?.();
    this.column = column;
    this.redraw();
    this.tell();
  }

  press(event) {
    const at = inRow(event, this.n - 1, this.data.tokens.length);
    if (at !== null) this.go(at + 1);
  }

  choose(event) {
    if (event.key === "Escape") return this.hold(null);
    const at = inRow(event, this.column ?? -1, this.n);
    if (at !== null) this.hold(at);
  }

  /** The column of a computed cell under the pointer. */
  point(event, n) {
    const [row, column] = this.stairs[n].under(event);
    const { counts } = this.stairs[n];
    this.hold(row < this.n && isComputed(counts, row, column) ? column : null);
  }

  /** Beside the cells, rows are pulled; on them, a finger holds a column. */
  grab(event, stairs) {
    if (event.button) return;
    const [row, column] = stairs.under(event);
    if (column <= row && row < this.n) {
      this.endBeat?.();
      return this.hold(event.pointerType === "mouse" || this.column !== column ? column : null);
    }
    const to = (moved) => this.go(stairs.under(moved)[0] + 1);
    to(event);
    drag(to, () => {});
  }
}

export default mount(".kv-cache", KvCache);
