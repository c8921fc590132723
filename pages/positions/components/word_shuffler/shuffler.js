// Two columns of words with their outputs, as typed and in another order. One word is in the foreground: the one that
// has moved most, or that is pointed at. A word of the right column is dragged, or moved with the arrow keys; every new
// order goes to the server at once, which runs the model on it, so that lines break while the word is still held. One
// button adds positions to the words, or takes them away.

import {
  boxOf,
  el,
  fixed,
  mirror,
  mount,
  param,
  put,
  still,
  strength,
  svg,
  tint,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, tween } from "../../../../attention_view/controls.js";

const TRAVEL = 180, // milliseconds that words and lines take to their new places
  BEAT = 3000, // of the first beat: the words stand as typed, then they are shuffled
  STANDING = 0.3; // the share of it in which they stand

class Shuffler {
  constructor(root) {
    this.root = root;
    this.link = mirror((set) => set("pos_order", this.order.join("-")), 200);
    this.again = el("button.again", { onclick: () => this.take(shuffled(this.typedOrder)) }, "Shuffle again");
    this.main = el("button.primary", { onclick: () => this.act() });
    this.says = el("p.finding", { role: "status" });
    this.scale = el("span.scale");
    this.heading = el("b");
    this.kept = el("b.kept");
    this.by = el("span.by", "largest change");
    this.left = el("div.rows");
    this.right = el("div.rows", {
      role: "group",
      "aria-label": "The words in the other order; arrow keys move a word",
    });
    this.each = svg("g");
    this.one = svg("path.front");
    this.lines = svg("svg.lines.from-left", { "aria-hidden": "true" }, this.each, this.one);
    this.spoken = el("div.unseen", { "aria-live": "polite" });
    root.replaceChildren(
      el("header", this.says, el("div.acts", this.again, this.main)),
      el(
        "div.machine",
        { onpointerleave: () => this.point(null) },
        el("div", el("div.name", el("b", "As typed"), this.scale), this.left),
        el("div", el("div.name"), el("div.rows", this.lines)),
        el("div", el("div.name", this.heading, this.kept, this.by), this.right),
      ),
      this.spoken,
    );
    this.resized = () => this.join();
  }

  update(data, { setStateValue, setTriggerValue }) {
    this.send = setStateValue;
    this.tell = (what) => setTriggerValue("told", what);
    const isFirst = !this.data;
    const isNew = !this.data || this.data.words.join("\n") !== data.words.join("\n");
    this.data = data;
    this.largest = Math.max(...data.before.flat().map(Math.abs), ...data.after.flat().map(Math.abs)) || 1;
    if (isNew) this.build(data);
    else this.fill();
    // An answer to an order that has been changed since says how words moved, but not where they are now.
    const order = data.order.join();
    if (isNew || (!this.held && (!this.asked || this.asked === order))) this.place(data.order.slice(), !isNew);
    if (this.asked === order) this.asked = undefined;
    else if (this.asked && !this.held) this.send("order", this.order); // an answer to an older order: ask once more
    this.mark();
    this.legend();
    Object.assign(this.root.dataset, { order, moved: data.moved.join(","), told: data.told });
    if (isFirst && !this.isTyped && param("pos_order") === null) this.endBeat = this.beat();
  }

  /** The first beat: words in their order, which then are shuffled before one's eyes. */
  beat() {
    const { order } = this.data;
    const begin = () => {
      this.root.dataset.beat = "order";
      this.place(this.typedOrder, false);
      const by = order.map((word, place) => word - place);
      this.place(order.slice(), false);
      this.halt = this.film(by, BEAT, (share) => Math.max(0, share - STANDING) / (1 - STANDING));
    };
    const end = () => {
      delete this.root.dataset.beat;
      this.halt?.();
      this.rows.forEach(({ node }) => (node.style.transform = ""));
      this.join();
    };
    return firstBeat("order", BEAT, begin, end);
  }

  /** Whether the words stand as typed. */
  get isTyped() {
    return this.data.order.every((word, place) => word === place);
  }

  /** Whether there is another order to be seen first. */
  get isToShuffle() {
    return this.isTyped && this.data.words.length > 1;
  }

  /** What the dark button does next. */
  act() {
    if (this.isToShuffle) this.take(shuffled(this.typedOrder));
    else this.tell(this.data.told === "none" ? "add" : "remove");
  }

  /** The words of a new text, as rows; row n of either column stays that of word n. */
  build({ words, order }) {
    this.held = this.asked = undefined;
    this.pointed = this.focused = null;
    const least = words.length > 12 ? 24 : words.length > 8 ? 36 : 44; // so that 16 fit a screen
    this.root.style.setProperty("--least", `${least}px`);
    this.root.style.setProperty("--n", words.length);
    this.order = order.slice();
    this.typed = words.map((name, word) => this.row(word, el("span.word", { title: name }, name)));
    this.rows = words.map((_, word) => this.row(word, this.handle(word), el("span.change")));
    this.left.replaceChildren(...this.typed.map((row) => row.node));
    this.right.replaceChildren(...order.map((word) => this.rows[word].node));
    this.fill();
  }

  get typedOrder() {
    return this.data.words.map((_, n) => n);
  }

  /** Of a row, in pixels. */
  get height() {
    return boxOf(this.left).height / this.order.length;
  }

  row(word, name, ...more) {
    const cells = el("div.cells", { role: "img" });
    const row = { node: el("div.row", name, cells, ...more), cells, values: [] };
    row.node.onpointerenter = () => this.point(word);
    cells.onpointermove = (event) => {
      const box = cells.getBoundingClientRect(),
        n = Math.floor(((event.clientX - box.left) / box.width) * row.values.length);
      if (row.values[n] !== undefined) cells.title = `feature ${n}: ${fixed(row.values[n], 3)}`;
    };
    return row;
  }

  /** The outputs as they came; cells that are there change colour, which the style sheet makes a glide. */
  fill() {
    const { before, after, order } = this.data;
    this.typed.forEach((row, word) => this.paint(row, before[word]));
    order.forEach((word, place) => this.paint(this.rows[word], after[place]));
  }

  paint(row, values) {
    row.values = values;
    while (row.cells.children.length < values.length) row.cells.append(el("i"));
    row.cells.setAttribute("aria-label", `${values.length} numbers`);
    values.forEach((value, n) => (row.cells.children[n].style.background = this.shade(value)));
  }

  /** The colour of a number of an output, by the law of strength: small ones stay visible. */
  shade(value) {
    return tint(Math.sign(value) * strength(Math.abs(value) / this.largest));
  }

  /** The word in the foreground: the one that a hand or the focus is on, or else the one that has moved most. */
  get front() {
    return this.pointed ?? this.focused ?? farthest(this.data.words, this.order);
  }

  point(word) {
    if (this.held || this.pointed === word) return;
    this.pointed = word;
    this.join();
  }

  /** Which outputs are the same, by word; nothing is said before words have moved. */
  mark() {
    const { moved, same, says, told } = this.data;
    const [n, n_kept] = [moved.length, moved.filter((by) => by < same).length];
    write(this.kept, this.isTyped ? "" : n_kept === n ? `${n} of ${n} the same` : `${n - n_kept} of ${n} changed`);
    write(this.says, says);
    write(this.heading, this.isTyped ? "The same words" : "Shuffled");
    write(this.main, this.isToShuffle ? "Shuffle" : told === "none" ? "Add positions" : "Remove positions");
    this.again.disabled = this.isTyped;
    this.root.classList.toggle("as-typed", this.isTyped);
    this.by.hidden = moved.every((by) => by < same);
    this.rows.forEach(({ node }, word) => {
      const change = node.lastChild,
        kept = moved[word] < same;
      change.classList.toggle("moved", !kept);
      const by = moved[word].toFixed(2);
      change.replaceChildren(...(kept ? ["same"] : [el("span.unseen", "differs by "), el("span", by)]));
      change.title = kept ? "the same, but for rounding" : `one of its numbers changed by ${by}`;
    });
    this.join();
  }

  handle(word) {
    const text = this.data.words[word];
    const button = el("button.word", { title: text, "aria-label": `${text}: arrow keys move it` }, text);
    button.onpointerdown = (event) => lift(this, event, word, button);
    const focus = (on) => {
      this.focused = on ? word : null;
      if (on) this.pointed = null;
      this.join();
    };
    button.onfocus = () => focus(true);
    button.onblur = () => focus(false);
    button.onkeydown = (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const from = this.order.indexOf(word),
        to = from + step;
      if (!step || to < 0 || to >= this.order.length) return;
      event.preventDefault();
      this.move(from, to);
      this.spoken.textContent = `${text}, place ${to + 1} of ${this.order.length}`;
      this.ask();
    };
    return button;
  }

  /** Put one row at another place; the others make room. */
  move(from, to) {
    const order = this.order.slice(),
      [word] = order.splice(from, 1);
    order.splice(to, 0, word);
    this.place(order, true, this.rows[word].node);
  }

  /** Rows and lines travel to this order. `stays` is the row that a hand or the focus holds. */
  place(order, travels, stays) {
    const before = this.order.slice();
    this.order = order;
    const rows = order.map((word) => this.rows[word].node);
    const at = rows.indexOf(stays ?? rows[0]);
    // The others are moved around the row that is held, which must not leave the document.
    rows.forEach((row, n) => n !== at && this.right.insertBefore(row, n < at ? rows[at] : null));
    const by = order.map((word, place) => before.indexOf(word) - place);
    if (travels && !still() && by.some(Boolean)) this.travel(by);
    else this.join();
  }

  travel(by) {
    this.halt?.();
    this.halt = this.film(by, TRAVEL);
  }

  /** Rows come from so many places away to where they stand. Returns what stops them. */
  film(by, milliseconds, shareOf = (share) => share) {
    const { height } = this;
    return tween(milliseconds, (time) => {
      const share = shareOf(time),
        left = (1 - share) ** 3;
      this.order.forEach((word, place) => {
        const { node } = this.rows[word];
        if (node !== this.held) node.style.transform = share < 1 ? `translateY(${by[place] * left * height}px)` : "";
      });
      this.join(by.map((places) => places * left));
    });
  }

  /** The scale of the colours. */
  legend() {
    const end = this.largest.toFixed(1);
    if (this.end === end) return;
    this.end = end;
    const shades = Array.from({ length: 81 }, (_, n) =>
      el("i", { style: `background: ${this.shade(((n - 40) / 40) * this.largest)}` }),
    );
    this.scale.replaceChildren(`−${end}`, el("span.cells", ...shades), end);
  }

  take(order) {
    this.place(order.slice(), true);
    this.ask();
  }

  ask() {
    this.asked = this.order.join();
    this.send("order", this.order);
    this.link.later();
  }

  join(by = []) {
    const { moved, same } = this.data,
      width = this.lines.clientWidth,
      tall = this.height,
      height = this.order.length * tall;
    this.lines.parentElement.style.height = `${height}px`;
    this.lines.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const { children } = this.each;
    while (children.length < this.order.length) this.each.append(svg("path"));
    while (children.length > this.order.length) this.each.lastChild.remove();
    this.order.forEach((word, place) => {
      const y1 = (word + 0.5) * tall,
        y2 = (place + (by[place] ?? 0) + 0.5) * tall;
      const line = children[word];
      line.setAttribute("class", moved[word] < same ? "same" : "moved");
      line.classList.toggle("stays", word === place);
      line.setAttribute("d", `M4 ${y1} C${width / 2} ${y1} ${width / 2} ${y2} ${width - 4} ${y2}`);
    });
    const { front } = this;
    for (const rows of [this.typed, this.rows])
      rows.forEach(({ node }, word) => node.classList.toggle("front", word === front));
    put(this.one, { d: children[front]?.getAttribute("d") ?? "" });
    this.one.classList.toggle("dashed", moved[front] >= same);
  }

  destroy() {
    this.endBeat?.();
    this.halt?.();
  }
}

/** A word is taken up, and its row goes with the pointer until it is let go. */
function lift(view, event, word, button) {
  if (event.button) return;
  event.preventDefault();
  button.focus();
  const row = view.rows[word].node,
    start = event.clientY;
  let offset = 0;
  view.held = row;
  row.classList.add("lifted");
  button.setPointerCapture(event.pointerId);
  button.onpointermove = (e) => {
    const from = view.order.indexOf(word);
    const by = e.clientY - start - offset;
    const to = Math.max(0, Math.min(view.order.length - 1, from + Math.round(by / view.height)));
    if (to !== from) {
      view.move(from, to);
      offset += (to - from) * view.height;
      view.ask();
    }
    row.style.transform = `translateY(${e.clientY - start - offset}px)`;
  };
  const drop = (e) => {
    if (e.type === "pointerup") button.onpointermove(e); // a quick hand lets go further on than it was last seen
    button.onpointermove = button.onpointerup = button.onpointercancel = null;
    row.classList.remove("lifted");
    row.style.transform = "";
    view.held = undefined;
  };
  button.onpointerup = button.onpointercancel = drop;
}

/** The word that has moved farthest from its place, of those that are in the text once, if there are such. */
function farthest(words, order) {
  const once = (word) => words.indexOf(words[word]) === words.lastIndexOf(words[word]);
  const far = order.map((word, place) => Math.abs(word - place) + (once(word) ? words.length : 0));
  return order[far.indexOf(Math.max(...far))];
}

/** Another order of them, if there is one. */
function shuffled(all) {
  const order = all
    .map((one) => [Math.random(), one])
    .sort((a, b) => a[0] - b[0])
    .map(([, one]) => one);
  return all.length > 1 && order.every((one, n) => one === n) ? shuffled(all) : order;
}

export default mount(".shuffler", Shuffler);
