// The hand on the picture: a colour is picked, cells are painted with a pointer, a finger, or arrow keys and the space
// bar, and strokes are taken back one by one.

import { inGrid } from "../../../../attention_view/controls.js";
import { el } from "../../../../attention_view/lab.js";
import { decode, encode, line } from "../../../../lab/kit/components/strokes.js";

const WIDE = 2; // cells, either way
const KEPT = 100; // strokes that can be taken back

/** What a press would do to a patch; the colour of bare paper takes away what is there. */
export const offered = (name) => (name === "paper" ? "Erase it" : `Paint it ${name}`);

/** A brush with this colour at its tip, as a cursor. */
const cursorOf = (rgb) => {
  const shape = (d, fill) => `<path d="${d}" fill="${fill}" stroke="#fff" stroke-width="1.5" stroke-linejoin="round"/>`;
  const [handle, tip] = ["M12 16L25 3Q29 1 29 5L17 20Z", "M2 30Q3 20 9 18Q14 17 16 22Q15 30 2 30Z"];
  const drawn = shape(handle, "#1d1b22") + shape(tip, `rgb(${rgb.join(" ")})`);
  const image = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${drawn}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(image)}") 2 30, crosshair`;
};

export class Brush {
  /** changed() hears every cell that is painted, picked() that a colour was; framed() is the patch that is framed, as
   * [row, column, patches across]. */
  constructor({ changed, picked, framed }) {
    Object.assign(this, { changed, picked, framed });
    this.cursor = [11, 11];
    this.past = [];
    this.mark = el("span.cursor", { hidden: true });
    this.node = el(
      "div.surface",
      {
        tabindex: 0,
        role: "application",
        onpointerdown: (event) => this.press(event),
        onpointermove: (event) => this.move(event),
        onpointerup: () => this.lift(),
        onpointercancel: () => this.lift(),
        onpointerleave: () => this.held || (this.mark.hidden = true),
        onkeydown: (event) => this.key(event),
        onfocus: () => this.point(this.cursor),
        onblur: () => (this.mark.hidden = true),
      },
      this.mark,
    );
    this.colours = el("div.colours", { role: "group", "aria-label": "Colour" });
    this.undo = el("button.act", { onclick: () => this.takeBack(), title: "Ctrl+Z on the picture" }, "Undo");
    this.wipe = el("button.act", { onclick: () => this.clear() }, "Clear");
    this.spoken = el("div.unseen", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.cover() });
    this.bar = el("div.brushes", this.act, this.colours, this.undo, this.wipe, this.spoken);
  }

  /** Which cells there are and what is painted; nothing of it is taken over while the hand is at work. */
  take(paint, isBusy) {
    const isOther = paint.link !== this.paint?.link;
    this.paint = paint;
    if (isOther) {
      this.past = [];
      this.held = null;
      this.fill();
    }
    if (isOther || (!this.held && !isBusy && paint.code !== this.code)) this.cells = this.decoded(paint.code);
    this.show();
  }

  fill() {
    const { begins, colours, side } = this.paint;
    this.node.setAttribute(
      "aria-label",
      `Paint on the picture, ${side} by ${side} cells: arrow keys move, space paints, Ctrl and Z takes back`,
    );
    this.node.style.setProperty("--cells", side / WIDE);
    this.colours.replaceChildren(
      ...colours.map(({ name, rgb }, n) =>
        el("button", {
          "aria-label": name,
          title: name,
          style: `--paint: rgb(${rgb.join(" ")})`,
          onclick: () => this.pick(n),
        }),
      ),
    );
    this.chosen ??= colours.findIndex(({ name }) => name === begins);
    this.pressed(true);
  }

  get code() {
    return encode(this.cells, this.paint.letters, this.n);
  }

  get n() {
    return Math.sqrt(this.paint.letters.length);
  }

  decoded(code) {
    return decode(code, this.paint.letters, this.n);
  }

  /** The colour of a cell as [r, g, b]; null where nothing is painted. */
  colourAt(cell) {
    const number = this.cells[cell];
    return number ? this.paint.colours.find((colour) => colour.number === number).rgb : null;
  }

  pick(n) {
    this.chosen = n;
    this.picked();
  }

  /** Shows which colour is in hand; none while the pointer chooses patches. */
  pressed(isInHand) {
    for (const [n, button] of [...this.colours.children].entries())
      button.setAttribute("aria-pressed", isInHand && n === this.chosen);
    this.node.style.cursor = cursorOf(this.paint.colours[this.chosen].rgb);
  }

  cellAt(event) {
    const box = this.node.getBoundingClientRect();
    const { side } = this.paint;
    const at = (p, size) => Math.min(side - 1, Math.max(0, Math.floor((p / size) * side)));
    return [at(event.clientX - box.left, box.width), at(event.clientY - box.top, box.height)];
  }

  press(event) {
    if (event.button) return;
    event.preventDefault();
    this.node.focus({ preventScroll: true });
    this.node.setPointerCapture(event.pointerId);
    this.remember();
    this.held = this.cellAt(event);
    this.stroke(this.held, this.held);
  }

  move(event) {
    const to = this.cellAt(event);
    this.point(to);
    if (!this.held) return;
    const from = this.held;
    this.held = to;
    if (String(from) !== String(to)) this.stroke(from, to);
  }

  lift() {
    if (!this.held) return;
    this.cursor = this.held;
    this.held = null;
    this.show();
  }

  stroke(from, to) {
    const { side, colours } = this.paint;
    for (const [x, y] of line(from, to))
      for (let dy = 0; dy < WIDE; dy++)
        for (let dx = 0; dx < WIDE; dx++)
          if (x + dx < side && y + dy < side) this.cells[(y + dy) * side + x + dx] = colours[this.chosen].number;
    this.show();
    this.changed();
  }

  /** The cells of the patch that is framed. */
  get inFrame() {
    const { side } = this.paint;
    const [row, column, across] = this.framed();
    const isIn = (cell, patch) => Math.floor(((cell + 0.5) * across) / side) === patch;
    return [...this.cells.keys()].filter((n) => isIn(Math.floor(n / side), row) && isIn(n % side, column));
  }

  /** The patches of so many across on which something is painted. */
  patches(across) {
    const { side } = this.paint;
    const at = (cell) => Math.floor((cell * across) / side);
    const painted = [...this.cells.keys()].filter((n) => this.cells[n]);
    return new Set(painted.map((n) => at(Math.floor(n / side)) * across + at(n % side)));
  }

  /** Which colour the patch that is framed would get: the one in hand, or the next where all of it has that. */
  get next() {
    const { colours } = this.paint;
    const isNew = this.inFrame.some((n) => this.cells[n] !== colours[this.chosen].number);
    return isNew ? this.chosen : (this.chosen + 1) % colours.length;
  }

  /** Paints the patch that is framed as the button says. Where it is so already, the answer, which moves the frame on,
   * is still under way. */
  cover() {
    const n = this.offers;
    if (this.inFrame.every((cell) => this.cells[cell] === this.paint.colours[n].number)) return;
    this.pick(n);
    this.remember();
    for (const n of this.inFrame) this.cells[n] = this.paint.colours[this.chosen].number;
    this.show();
    this.changed();
  }

  /** Says on the button what it will do. */
  offer() {
    this.offers = this.next;
    const said = offered(this.paint.colours[this.offers].name);
    this.act.textContent = said;
    this.act.setAttribute("aria-label", `${said}: the framed patch`);
  }

  key(event) {
    const { side } = this.paint;
    const to = inGrid(event, [this.cursor[1], this.cursor[0]], [side, side]);
    if (to) {
      this.cursor = [to[1], to[0]];
      this.point(this.cursor);
      this.spoken.textContent = `row ${to[0] + 1}, column ${to[1] + 1}`;
    } else if (event.key === " " || event.key === "Enter") {
      this.remember();
      this.stroke(this.cursor, this.cursor);
    } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) this.takeBack();
    else return;
    event.preventDefault();
  }

  /** Outlines the cells that the brush is on. */
  point([x, y]) {
    const { side } = this.paint;
    this.mark.hidden = false;
    this.mark.style.left = `${(100 * x) / side}%`;
    this.mark.style.top = `${(100 * y) / side}%`;
  }

  remember() {
    this.past = [...this.past.slice(1 - KEPT), this.code];
  }

  takeBack() {
    if (this.past.length) this.become(this.past.pop());
  }

  clear() {
    this.remember();
    this.become(this.paint.letters[0].repeat(this.cells.length / 2));
  }

  become(code) {
    this.cells = this.decoded(code);
    this.show();
    this.changed();
  }

  show() {
    this.undo.disabled = !this.past.length;
    this.wipe.disabled = this.cells.every((cell) => !cell);
  }
}
