// Two columns of words with their outputs, as typed and in another order. A word of the right column is dragged, or
// moved with the arrow keys; the new order goes to the server, which runs the model on it.

import { el, fixed, mirror, mount, svg, tint } from "../../../../attention_view/lab.js";

class Shuffler {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("pos_order", this.order.join("-")), 200);
    this.left = el("div", { class: "rows" });
    this.right = el("div", {
      class: "rows",
      role: "group",
      "aria-label": "The words in the other order; arrow keys move a word",
    });
    this.lines = svg("svg", { class: "lines", "aria-hidden": "true" });
    this.spoken = el("div", { class: "unseen", "aria-live": "polite" });
    this.foot = el("div", { class: "foot" });
    const head = (name, note) => el("header", {}, el("b", {}, name), el("small", {}, note));
    root.replaceChildren(
      el(
        "div",
        { class: "machine" },
        el("div", {}, head("As typed", "output of each word"), this.left),
        el("div", {}, el("header"), el("div", { class: "rows" }, this.lines)),
        el("div", {}, head("In another order", "drag the words"), this.right),
      ),
      this.foot,
      this.spoken,
    );
    this.observer = new ResizeObserver(() => this.data && this.join());
    this.observer.observe(root);
  }

  update(data, { setStateValue }) {
    this.send = setStateValue;
    const { words, before, after, order } = data;
    this.data = data;
    this.order = order.slice();
    this.height = words.length > 8 ? 36 : 46;
    this.root.style.setProperty("--row", `${this.height}px`);
    this.largest = Math.max(...before.flat().map(Math.abs), ...after.flat().map(Math.abs)) || 1;
    this.left.replaceChildren(
      ...words.map((word, i) => this.row(el("span", { class: "word", title: word }, word), before[i])),
    );
    this.right.replaceChildren(
      ...order.map((word, place) => this.row(this.handle(word), after[place], this.change(word))),
    );
    this.orders();
    this.join();
    if (this.focused !== undefined) {
      this.right.children[this.order.indexOf(this.focused)]?.querySelector("button").focus();
      this.focused = undefined;
    }
    Object.assign(this.root.dataset, { order: order.join(","), moved: data.moved.join(",") });
  }

  change(word) {
    const by = this.data.moved[word],
      kept = by < this.data.same;
    return el(
      "span",
      { class: kept ? "change" : "change moved", title: `changed by at most ${by.toPrecision(2)}` },
      kept ? "same" : by.toFixed(2),
    );
  }

  row(word, values, ...more) {
    const cells = this.cells(values);
    cells.onpointermove = (event) => {
      const box = cells.getBoundingClientRect(),
        n = Math.floor(((event.clientX - box.left) / box.width) * values.length);
      if (values[n] !== undefined) cells.title = `feature ${n}: ${fixed(values[n], 3)}`;
    };
    return el("div", { class: "row" }, word, cells, ...more);
  }

  /** Numbers as cells: amber below zero, violet above, the panel at zero. The browser mixes them, light or dark. */
  cells(values) {
    return el(
      "div",
      { class: "cells", role: "img", "aria-label": `${values.length} numbers` },
      ...values.map((value) => el("i", { style: `background: ${tint(value, this.largest)}` })),
    );
  }

  handle(word) {
    const text = this.data.words[word];
    const button = el(
      "button",
      { class: "word", type: "button", title: text, "aria-label": `${text}: arrow keys move it` },
      text,
    );
    button.onpointerdown = (event) => this.lift(event, word, button);
    button.onkeydown = (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const from = this.order.indexOf(word),
        to = from + step;
      if (!step || to < 0 || to >= this.order.length) return;
      event.preventDefault();
      this.focused = word;
      this.move(from, to);
      this.spoken.textContent = `${text}, place ${to + 1} of ${this.order.length}`;
      this.ask(this.order);
    };
    return button;
  }

  lift(event, word, button) {
    if (event.button) return;
    event.preventDefault();
    button.focus();
    const row = button.parentElement,
      start = event.clientY,
      before = this.order.join();
    let offset = 0;
    row.classList.add("lifted");
    button.setPointerCapture(event.pointerId);
    button.onpointermove = (e) => {
      const from = this.order.indexOf(word);
      const by = e.clientY - start - offset;
      const to = Math.max(0, Math.min(this.order.length - 1, from + Math.round(by / this.height)));
      if (to !== from) {
        this.move(from, to);
        offset += (to - from) * this.height;
      }
      row.style.transform = `translateY(${e.clientY - start - offset}px)`;
    };
    const drop = () => {
      button.onpointermove = button.onpointerup = button.onpointercancel = null;
      row.classList.remove("lifted");
      row.style.transform = "";
      if (this.order.join() !== before) this.ask(this.order);
    };
    button.onpointerup = button.onpointercancel = drop;
  }

  /** Put the row at another place, without its outputs: those are the model's to say. */
  move(from, to) {
    const rows = [...this.right.children],
      [row] = rows.splice(from, 1),
      [word] = this.order.splice(from, 1);
    rows.splice(to, 0, row);
    this.order.splice(to, 0, word);
    // insertBefore moves the others around the row that is held, which must not leave the document.
    rows.forEach((other, place) => other !== row && this.right.insertBefore(other, place < to ? row : null));
    this.join();
  }

  /** Orders to begin with, and the scale of the colours. */
  orders() {
    const n = this.data.words.length,
      typed = Array.from({ length: n }, (_, i) => i);
    const choices = {
      "As typed": () => typed,
      "Swap two": () => typed.map((i) => (i === 1 ? n - 1 : i === n - 1 ? Math.min(1, n - 1) : i)),
      Reverse: () => typed.slice().reverse(),
      Shuffle: () =>
        typed
          .map((i) => [Math.random(), i])
          .sort((a, b) => a[0] - b[0])
          .map(([, i]) => i),
    };
    const bar = this.cells(Array.from({ length: 81 }, (_, n) => ((n - 40) / 40) * this.largest));
    const end = this.largest.toFixed(1);
    this.foot.replaceChildren(
      el("span", { class: "scale" }, `−${end}`, bar, end),
      el("span", {}, "Solid line: the same output. Dashed: it changed, by the number on the right."),
      el(
        "span",
        { class: "orders" },
        ...Object.entries(choices).map(([name, order]) =>
          el("button", { type: "button", onclick: () => this.ask(order()) }, name),
        ),
      ),
    );
  }

  ask(order) {
    this.order = order;
    this.send("order", order);
    this.link.later();
  }

  join() {
    const { moved, same } = this.data,
      width = this.lines.clientWidth,
      height = this.order.length * this.height;
    this.lines.parentElement.style.height = `${height}px`;
    this.lines.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const lines = this.order.map((word, place) => {
      const y1 = (word + 0.5) * this.height,
        y2 = (place + 0.5) * this.height;
      return svg("path", {
        class: moved[word] < same ? "same" : "moved",
        d: `M4 ${y1} C${width / 2} ${y1} ${width / 2} ${y2} ${width - 4} ${y2}`,
      });
    });
    this.lines.replaceChildren(...lines);
  }

  destroy() {
    this.observer.disconnect();
    this.link.cancel();
  }
}

export default mount(".shuffler", Shuffler);
