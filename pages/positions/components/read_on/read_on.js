// Models read on past their training length. Each is a line of right answers that grows as far as one reads, with its
// name at its head; one drags, or walks with arrow keys, to the position where they are compared.

import { boxOf, mirror, mount, pointIn, put, svg, wholeParam } from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { apart } from "./apart.js";

const BEAT = 3200; // milliseconds of reading to the end, once
const LABELLED = 92; // pixels that “learned stops” takes
const LABEL = 23; // pixels of a name, one below the other
const ROOM = { left: 50, right: 168, top: 30, bottom: 44 };
const NARROW = { left: 38, right: 128, top: 30, bottom: 44 };
const NARROWEST = 560; // pixels of width below which everything is smaller
const LOWEST = 0.25; // share at the foot: below what a guess gives

const whole = (share) => `${Math.round(100 * share)}%`;

/** The share at a point that may lie between two, or null past the last one. */
export function shareAt(shares, at) {
  if (at > shares.length - 1) return null;
  const n = Math.floor(at);
  return n === at ? shares[n] : shares[n] + (at - n) * (shares[n + 1] - shares[n]);
}

class ReadOn {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) => write("pos_read_to", this.positions(this.at)[1], this.positions(this.last)[1]), 200);
    this.back = svg("g");
    this.ahead = svg("g.ahead");
    this.lines = svg("g.lines");
    this.cursor = svg("g.cursor");
    this.plot = svg("svg", {
      role: "slider",
      tabindex: "0",
      "aria-label": "Position up to which the models read",
      onpointerdown: (event) => this.hold(event),
      onkeydown: (event) => {
        const to = inRow(event, Math.round(this.at), this.last + 1);
        if (to !== null) this.go(to);
      },
    });
    this.plot.append(this.back, this.ahead, this.lines, this.cursor);
    root.replaceChildren(this.plot);
    this.resized = () => this.layOut();
  }

  destroy() {
    this.stop?.();
    this.ended?.();
  }

  update(data) {
    const id = JSON.stringify(data);
    if (id === this.id) return;
    this.id = id;
    const { lines: curves, step, trained, chance } = data;
    Object.assign(this, { curves, step, trained, chance });
    this.last = Math.max(...this.curves.map(({ shares }) => shares.length)) - 1;
    const asked = wholeParam("pos_read_to", (this.last + 1) * this.step + 1);
    this.at = asked === null ? this.last : Math.max(0, Math.ceil(asked / this.step) - 1);
    this.layOut();
    if (asked !== null) return;
    const begin = () => (this.stop = tween(BEAT, (share) => this.show(share * this.last)));
    this.ended = firstBeat("read-on", BEAT, begin, () => this.finish());
  }

  finish() {
    this.stop?.();
    this.stop = null;
    this.show(this.last);
  }

  /** The first and the last position of a point, counted from 1. */
  positions(at) {
    const n = Math.round(at);
    return [n * this.step + 1, (n + 1) * this.step];
  }

  // ---- places -----------------------------------------------------------------------------------------------------

  x = (at) => this.room.left + ((at + 0.5) / (this.last + 1)) * (this.width - this.room.left - this.room.right);

  y(share) {
    const { top, bottom } = this.room;
    return this.height - bottom - ((share - LOWEST) / (1 - LOWEST)) * (this.height - top - bottom);
  }

  layOut() {
    const { width, height } = boxOf(this.plot);
    if (!width || !this.id) return;
    Object.assign(this, { width, height, room: width < NARROWEST ? NARROW : ROOM });
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawBack();
    this.ahead.replaceChildren(...this.curves.map(({ shares }) => svg("path", { d: this.path(shares, this.last) })));
    this.heads = this.curves.map(() => {
      const head = {
        path: svg("path"),
        leader: svg("path.leader"),
        dot: svg("circle", { r: 4.5 }),
        end: svg("text.end", { "text-anchor": "middle" }, "✕"),
        number: svg("tspan.number"),
        name: svg("tspan"),
      };
      head.label = svg("text.label", head.number, head.name);
      return head;
    });
    const parts = ({ path, leader, dot, end, label }) => svg("g.head", path, leader, dot, end, label);
    this.lines.replaceChildren(...this.heads.map(parts));
    this.show(this.at);
  }

  drawBack() {
    const { left, right, top, bottom } = this.room;
    const [start, end] = [left, this.width - right];
    const edge = this.x(this.trained / this.step - 0.5);
    const level = (share) => [
      svg("line", { x1: start, x2: end, y1: this.y(share), y2: this.y(share) }),
      svg("text", { x: start - 8, y: this.y(share) + 4.5, "text-anchor": "end" }, whole(share)),
    ];
    const marks = Array.from({ length: Math.floor(((this.last + 1) * this.step) / this.trained) }, (_, n) => {
      const position = (n + 1) * this.trained;
      const x = this.x(position / this.step - 0.5);
      return svg("text", { x, y: this.height - bottom + 20, "text-anchor": "middle" }, String(position));
    });
    const low = this.y(this.chance);
    const isNarrow = this.width < NARROWEST;
    const across = isNarrow ? "right answers by position" : "position in the text";
    this.back.replaceChildren(
      svg("rect.known", { x: start, y: top, width: edge - start, height: this.height - top - bottom }),
      ...[0.25, 0.5, 0.75, 1].flatMap(level),
      svg("line.chance", { x1: start, x2: end, y1: low, y2: low }),
      svg("text", { x: start + 8, y: low - 7 }, "guessing"),
      svg("line.edge", { x1: edge, x2: edge, y1: top - 22, y2: this.height - bottom }),
      svg("text.edge", { x: edge - 8, y: top - 10, "text-anchor": "end" }, isNarrow ? "trained" : "as in training"),
      svg("text.edge", { x: edge + 8, y: top - 10 }, "longer than any text it learned from"),
      ...marks,
      svg("text", { x: 2, y: top - 10 }, isNarrow ? "" : "right answers"),
      svg("text", { x: (start + end) / 2, y: this.height - 4, "text-anchor": "middle" }, across),
    );
  }

  path(shares, until) {
    const last = Math.min(until, shares.length - 1);
    const points = shares.slice(0, Math.floor(last) + 1).map((share, n) => [n, share]);
    if (last > Math.floor(last)) points.push([last, shareAt(shares, last)]);
    return `M${points.map(([at, share]) => `${this.x(at).toFixed(1)} ${this.y(share).toFixed(1)}`).join("L")}`;
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  go(at) {
    this.ended?.();
    this.show(Math.max(0, Math.min(this.last, at)));
    this.link.later();
  }

  hold(event) {
    if (event.button) return;
    const to = (moved) => {
      const [x] = pointIn(moved, this.plot);
      const share = (x - this.room.left) / (this.width - this.room.left - this.room.right);
      this.go(Math.round(share * (this.last + 1) - 0.5));
    };
    this.plot.focus({ preventScroll: true });
    to(event);
    drag(to, () => {});
  }

  show(at) {
    this.at = at;
    const shares = this.curves.map((curve) => shareAt(curve.shares, at));
    const heads = this.curves.map(({ shares: all }, n) => shares[n] ?? all.at(-1));
    const tops = apart(
      heads.map((share) => this.y(share)),
      LABEL,
      this.room.top,
      this.height - this.room.bottom - 4,
    );
    this.heads.forEach((head, n) => this.drawHead(head, this.curves[n], shares[n], tops[n]));
    const x = this.x(at);
    this.cursor.replaceChildren(
      svg("line", { x1: x, x2: x, y1: this.room.top, y2: this.height - this.room.bottom }),
      svg("circle", { cx: x, cy: this.height - this.room.bottom, r: 9 }),
    );
    this.describe(shares);
  }

  drawHead(head, { name, shares }, share, top) {
    const isOver = share === null;
    head.dot.style.display = head.leader.style.display = isOver ? "none" : "";
    head.end.style.display = isOver ? "" : "none";
    head.number.textContent = isOver ? "" : whole(share);
    head.name.textContent = isOver ? `${name} stops` : name;
    if (isOver) this.drawEnd(head, shares);
    else this.drawReader(head, shares, this.y(share), top);
  }

  /** Who has stopped keeps its name where it stopped. */
  drawEnd({ path, end, label, name }, shares) {
    const [x, y] = [this.x(shares.length - 0.5), this.y(shares.at(-1))];
    put(path, { d: `${this.path(shares, this.at)}L${x} ${y}` });
    put(end, { x, y: y + 7 });
    put(label, { x: Math.max(x - 12, LABELLED), y: y + 28, "text-anchor": "end" });
    put(name, { dx: 0 });
  }

  /** The names of all others go with the reader. */
  drawReader({ path, leader, dot, label, name }, shares, y, top) {
    const x = this.x(this.at);
    put(path, { d: this.path(shares, this.at) });
    put(leader, { d: `M${x + 6} ${y}L${x + 18} ${top}` });
    put(dot, { cx: x, cy: y });
    put(label, { x: x + 22, y: top + 6, "text-anchor": "start" });
    put(name, { dx: 7 });
  }

  describe(shares) {
    const [first, last] = this.positions(this.at);
    const named = this.curves.map(({ name }, n) => [name, shares[n]]);
    named.sort(([, a], [, b]) => (b ?? -1) - (a ?? -1));
    const text = named.map(([name, share]) => `${name} ${share === null ? "stops" : whole(share)}`).join(", ");
    put(this.plot, {
      "aria-valuemin": this.step,
      "aria-valuemax": (this.last + 1) * this.step,
      "aria-valuenow": last,
      "aria-valuetext": `positions ${first} to ${last}: ${text}`,
    });
    this.root.dataset.at = last;
    this.root.dataset.said = text;
  }
}

export default mount(".read-on", ReadOn);
