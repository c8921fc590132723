// A canvas of a few cells: a colour is picked, cells are painted with a pointer or a finger, or with arrow keys and the
// space bar. What was drawn is sent when the hand is lifted.

import { el, mirror, mount } from "../../../../attention_view/lab.js";
import { inGrid } from "../../../../attention_view/controls.js";
import { decode, encode, line } from "../../../../lab/kit/components/strokes.js";

const BRUSH = 2; // cells, either way

class Sketch {
  constructor(root) {
    this.root = root;
    this.paint = 1;
    this.cursor = [11, 11];
    this.link = mirror((put) => put(this.data.link, this.code, this.data.usual));
    this.canvas = el("canvas", {
      tabindex: 0,
      role: "application",
      onpointerdown: (event) => this.press(event),
      onpointermove: (event) => this.held && this.drag(event),
      onpointerup: () => this.lift(),
      onpointercancel: () => this.lift(),
      onkeydown: (event) => this.key(event),
      onfocus: () => this.draw(),
      onblur: () => this.draw(),
    });
    this.colours = el("div.colours", { role: "group", "aria-label": "Colour" });
    this.clear = el("button.clear", { onclick: () => this.wipe() }, "Clear");
    this.spoken = el("div.unseen", { "aria-live": "polite" });
    root.replaceChildren(this.canvas, el("div.bar", this.colours, this.clear), this.spoken);
  }

  update(data, { setStateValue }) {
    this.send = setStateValue;
    const isFirst = !this.data;
    this.data = data;
    const { side, paints, names, letters, code } = data;
    if (isFirst) {
      this.canvas.width = this.canvas.height = 10 * side;
      this.canvas.setAttribute("aria-label", `Canvas of ${side} by ${side} cells; arrow keys move, space paints`);
      this.colours.replaceChildren(
        ...names.map((name, n) =>
          el("button", {
            "aria-label": name,
            title: name,
            style: `--paint: rgb(${paints[n].join(" ")})`,
            onclick: () => this.pick(n),
          }),
        ),
      );
      this.pick(names.indexOf("blue"));
    }
    if (!this.held && code !== this.code) {
      this.code = code;
      this.cells = decode(code, letters, paints.length);
    }
    this.draw();
  }

  pick(n) {
    this.paint = n;
    [...this.colours.children].forEach((button, k) => button.setAttribute("aria-pressed", k === n));
  }

  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const at = (p, size) => Math.min(this.data.side - 1, Math.max(0, Math.floor((p / size) * this.data.side)));
    return [at(event.clientX - box.left, box.width), at(event.clientY - box.top, box.height)];
  }

  press(event) {
    if (event.button) return;
    event.preventDefault();
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.held = this.cellAt(event);
    this.dab(this.held);
    this.draw();
  }

  drag(event) {
    const to = this.cellAt(event);
    for (const cell of line(this.held, to)) this.dab(cell);
    this.held = to;
    this.draw();
  }

  lift() {
    if (!this.held) return;
    this.cursor = this.held;
    this.held = null;
    this.commit();
  }

  dab([x, y]) {
    const { side } = this.data;
    for (let dy = 0; dy < BRUSH; dy++)
      for (let dx = 0; dx < BRUSH; dx++)
        if (x + dx < side && y + dy < side) this.cells[(y + dy) * side + x + dx] = this.paint;
  }

  key(event) {
    const { side } = this.data;
    const to = inGrid(event, [this.cursor[1], this.cursor[0]], [side, side]);
    if (to) {
      this.cursor = [to[1], to[0]];
      this.spoken.textContent = `row ${this.cursor[1] + 1}, column ${this.cursor[0] + 1}`;
      this.draw();
    } else if (event.key === " " || event.key === "Enter") {
      this.dab(this.cursor);
      this.commit();
    } else return;
    event.preventDefault();
  }

  wipe() {
    this.cells.fill(0);
    this.commit();
  }

  commit() {
    const { letters, paints } = this.data;
    this.code = encode(this.cells, letters, paints.length);
    this.draw();
    this.send("drawing", this.code);
    this.link.later();
  }

  draw() {
    const { side, paints } = this.data;
    this.root.dataset.code = this.code;
    const context = this.canvas.getContext("2d");
    for (let n = 0; n < side * side; n++) {
      context.fillStyle = `rgb(${paints[this.cells[n]].join(" ")})`;
      context.fillRect(10 * (n % side), 10 * Math.floor(n / side), 10, 10);
    }
    if (this.root.getRootNode().activeElement === this.canvas) {
      context.strokeStyle = "#1d1b22";
      context.lineWidth = 2;
      context.strokeRect(10 * this.cursor[0] + 1, 10 * this.cursor[1] + 1, 10 * BRUSH - 2, 10 * BRUSH - 2);
    }
  }
}

export default mount(".sketch", Sketch);
