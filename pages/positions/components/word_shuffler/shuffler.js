// Two columns of words with their outputs, as typed and in another order. Words of the right column are handles: one
// that is dragged, or moved with the arrow keys, and the one it meets change places. Every new order goes to the server
// at once, which runs the model on it, so that lines break while the word is still held. In the foreground are the two
// that have changed places, or the one that is pointed at. A button adds positions to the words, or takes them away.

import {
  boxOf,
  el,
  fixed,
  mirror,
  mount,
  put,
  still,
  strength,
  svg,
  tint,
  write,
} from "../../../../attention_view/lab.js";
import { tween } from "../../../../attention_view/controls.js";

const TRAVEL = 400; // milliseconds that words and lines take to their new places

export class Shuffler {
  constructor(root) {
    this.root = root;
    this.link = mirror((set) => set("pos_order", this.order.join("-")), 200);
    this.again = el("button.again", { onclick: () => this.take(shuffled(this.typedOrder)) }, "Shuffle all");
    this.main = el("button.primary", { onclick: () => this.act() });
    this.says = el("p.finding", { role: "status" });
    this.scale = el("span.scale");
    this.typedName = el("b");
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
        el("div", el("div.name", this.typedName, this.scale), this.left),
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
    const isNew = !this.data || this.data.words.join("\n") !== data.words.join("\n");
    this.data = data;
    this.largest = Math.max(...data.before.flat().map(Math.abs), ...data.after.flat().map(Math.abs)) || 1;
    write(this.typedName, data.heading);
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
  }

  /** Whether the words stand as typed. */
  get isTyped() {
    return this.data.order.every((word, place) => word === place);
  }

  /** What the dark button does next. */
  act() {
    if (this.isTyped) this.take(swapped(this.typedOrder, ...farApart(this.data.words)));
    else this.tell(this.data.told === "none" ? "add" : "remove");
  }

  /** The words of a new text, as rows; row n of either column stays that of word n. */
  build({ words, order }) {
    this.held = this.asked = undefined;
    this.pointed = this.focused = null;
    this.root.style.setProperty("--n", words.length);
    this.order = order.slice();
    this.typed = words.map((name, word) => this.row(word, el("span.word", { title: name }, name)));
    this.rows = words.map((_, word) => {
      const button = this.handle(word);
      const row = { ...this.row(word, button, el("span.change")), button };
      row.node.onpointerdown = (event) => isHeld(event, button) && lift(this, event, word);
      return row;
    });
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
    order.forEach((word, place) => this.paint(this.rows[word], after[place], before[word]));
  }

  /** What is not as in `before` flashes. */
  paint(row, values, before = values) {
    const isNew = String(values) !== String(row.values);
    row.values = values;
    while (row.cells.children.length < values.length) row.cells.append(el("i"));
    row.cells.setAttribute("aria-label", `${values.length} numbers`);
    values.forEach((value, n) => {
      const cell = row.cells.children[n];
      cell.style.background = this.shade(value);
      if (isNew && !still() && Math.abs(value - before[n]) >= this.data.same)
        cell.animate({ background: ["var(--ink)", this.shade(value)] }, { duration: 500, easing: "ease-out" });
    });
  }

  /** The colour of a number of an output, by the law of strength: small ones stay visible. */
  shade(value) {
    return tint(Math.sign(value) * strength(Math.abs(value) / this.largest));
  }

  /** The words in the foreground: the one that a hand or the focus is on, or else those that have changed places. Of
   * more than two the one that has moved most; all while none has. */
  get front() {
    const one = this.pointed ?? this.focused;
    const away = this.order.filter((word, place) => word !== place);
    if (one !== null && !(away.length === 2 && away.includes(one))) return [one];
    return away.length > 2 ? [farthest(this.data.words, this.order)] : away;
  }

  point(word) {
    if (this.held || this.pointed === word) return;
    this.pointed = word;
    this.join();
  }

  /** Which outputs are the same, by word; nothing is said before words have moved. */
  mark() {
    const { moved, same, says, told, n_changed } = this.data;
    const numbers = this.data.before.length * this.data.before[0].length;
    write(this.kept, this.isTyped ? "" : `${n_changed} of ${numbers} numbers changed`);
    write(this.says, says);
    const isOne = this.data.words.length === 1; // no other order to look at
    write(this.heading, isOne || !this.isTyped ? "" : "⇅ Drag a word onto another");
    this.main.hidden = isOne;
    write(this.main, this.isTyped ? "Swap two words" : told === "none" ? "Add positions" : "Remove positions");
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
      this.place(swapped(this.order, from, to), true, this.rows[word].node);
      this.spoken.textContent = `${text}, place ${to + 1} of ${this.order.length}`;
      this.ask();
    };
    return button;
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

  /** Rows come from so many places away to where they stand. */
  travel(by) {
    const { height } = this;
    this.halt?.();
    this.halt = tween(TRAVEL, (share) => {
      const left = (1 - share) ** 3;
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
      rows.forEach(({ node }, word) => {
        node.classList.toggle("front", front.includes(word));
        node.classList.toggle("back", front.length > 0 && !front.includes(word));
      });
    put(this.one, { d: front.map((word) => children[word].getAttribute("d")).join("") });
    this.one.classList.toggle(
      "dashed",
      front.some((word) => moved[word] >= same),
    );
  }

  destroy() {
    this.halt?.();
  }
}

/** Whether a press is to take up a row: a finger on its strip may be there to scroll, one on the word is not. */
export const isHeld = ({ button, pointerType, target }, word) =>
  !button && (pointerType !== "touch" || word.contains(target));

/** A word is taken up: its row goes with the pointer until it is let go, and changes places with the one it is on. */
function lift(view, event, word) {
  event.preventDefault();
  const { node, button } = view.rows[word];
  button.focus();
  const order = view.order.slice();
  const [start, from] = [event.clientY, order.indexOf(word)];
  view.held = node;
  node.classList.add("lifted");
  node.setPointerCapture(event.pointerId);
  node.onpointermove = (e) => {
    const by = e.clientY - start;
    const to = Math.max(0, Math.min(order.length - 1, from + Math.round(by / view.height)));
    if (to !== view.order.indexOf(word)) {
      view.place(swapped(order, from, to), true, node);
      view.ask();
    }
    node.style.transform = `translateY(${by - (to - from) * view.height}px)`;
  };
  const drop = (e) => {
    if (e.type === "pointerup") node.onpointermove(e); // a quick hand lets go further on than it was last seen
    node.onpointermove = node.onpointerup = node.onpointercancel = null;
    node.classList.remove("lifted");
    node.style.transform = "";
    view.held = undefined;
  };
  node.onpointerup = node.onpointercancel = drop;
}

/** The order in which these two places have changed their words. */
function swapped(order, one, two) {
  const result = order.slice();
  [result[one], result[two]] = [order[two], order[one]];
  return result;
}

/** The first and the last word that are in the text once, no full stop, or else the first and the last of all. */
function farApart(words) {
  const isOnce = (word) => words.indexOf(word) === words.lastIndexOf(word) && /\p{L}/u.test(word);
  const once = words.flatMap((word, n) => (isOnce(word) ? [n] : []));
  return once.length > 1 ? [once[0], once.at(-1)] : [0, words.length - 1];
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
