// Models read on past their training length. Each is a line of right answers that grows as far as one reads, with its
// name at its head; one drags, or walks with arrow keys, to the position where they are compared. A line that is
// pointed at, or chosen, stands out, and the words above are about it; the dark button goes from one to the next. It
// opens where training ended, and asks for a bet: nothing further on is seen before one has read to the end.

import {
  boxOf,
  el,
  mirror,
  mount,
  param,
  pointIn,
  put,
  still,
  svg,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { apart } from "./apart.js";
import { answers, asks, whole } from "./bet.js";
import { inOrder, nextOf } from "./walk.js";

const BEAT = 3000; // milliseconds of reading as far as in training, once, and then on to the end
const LABELLED = 92; // pixels that “learned stops” takes
const UP_TO = 76; // pixels that “up to 104” takes
const LABEL = 23; // pixels of a name, one below the other
const ASKED = 34; // where it is to be pressed
const ROOM = { left: 50, right: 168, top: 30, bottom: 44 };
const NARROW = { left: 38, right: 132, top: 30, bottom: 44 };
const NARROWEST = 560; // pixels of width below which everything is smaller
const LOWEST = 0.25; // share at the foot: below what a guess gives
const SLIP = 5; // pixels that a press on a line may move before it takes the position along

/** The share at a point that may lie between two, or null past the last one. */
export function shareAt(shares, at) {
  if (at > shares.length - 1) return null;
  const n = Math.floor(at);
  return n === at ? shares[n] : shares[n] + (at - n) * (shares[n + 1] - shares[n]);
}

export class ReadOn {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) => {
      write("pos_read_to", this.positions(this.at)[1], this.positions(this.last)[1]);
      write("pos_reader", this.chosen === null ? "" : this.curves[this.chosen].name, "");
    }, 200);
    this.chosen = this.over = this.bet = null;
    this.say = el("p.finding", { role: "status" });
    this.play = el("button.primary", { onclick: () => this.next() });
    this.why = el("p.why.quiet");
    this.inside = el("button.door", { onclick: () => this.open(this.curves[this.chosen].name) });
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
    this.held = svg("g.held");
    this.plot.append(this.back, this.ahead, this.held, this.cursor, this.lines);
    const [headline, because] = [el("div.headline", this.say, this.play), el("div.because", this.why, this.inside)];
    root.replaceChildren(el("div.words", headline, because), this.plot);
    this.resized = () => this.layOut();
  }

  destroy() {
    this.stop?.();
    this.ended?.();
  }

  /** The line that stands out: the one that is pointed at, else the chosen one; null for none. */
  get shown() {
    return this.over ?? this.chosen;
  }

  /** Whether the end was never seen. */
  get isUnread() {
    return this.far < this.last;
  }

  update(data, { setTriggerValue }) {
    this.open = (name) => setTriggerValue("open", name);
    const id = JSON.stringify(data);
    if (id === this.id) return;
    this.id = id;
    const { lines: curves, step, trained, chance, finding, why } = data;
    Object.assign(this, { curves, step, trained, chance, finding, because: why, order: inOrder(curves) });
    const reader = curves.findIndex(({ name }) => name === param("pos_reader"));
    this.chosen = reader < 0 ? null : reader;
    this.last = Math.max(...this.curves.map(({ shares }) => shares.length)) - 1;
    const asked = wholeParam("pos_read_to", (this.last + 1) * this.step + 1);
    const isFresh = asked === null && this.chosen === null;
    this.far = isFresh ? 0 : this.last;
    this.at = isFresh ? this.home : asked === null ? this.last : Math.max(0, Math.ceil(asked / this.step) - 1);
    this.layOut();
    if (!isFresh) return;
    const begin = () => this.read(0, this.home);
    this.ended = firstBeat("read-on", BEAT, begin, () => this.isReading && this.finish(this.home));
  }

  /** The last point of a text as long as in training. */
  get home() {
    return this.trained / this.step - 1;
  }

  /** The dark button: on to the end, and from there from line to line. */
  next() {
    if (!this.isUnread) this.choose(nextOf(this.order, this.chosen));
    else if (still()) this.go(this.last);
    else {
      this.ended?.();
      this.read(Math.max(this.at, this.home), this.last);
    }
  }

  read(from, to) {
    this.stop?.();
    this.isReading = true;
    this.stop = tween(BEAT, (share) => {
      this.show(from + share * (to - from));
      if (share === 1) this.finish(to);
    });
  }

  finish(at) {
    this.stop?.();
    this.stop = null;
    this.isReading = false;
    this.show(at);
    if (at === this.last) this.link.later();
  }

  /** The first and the last position of a point, counted from 1. */
  positions(at) {
    const n = Math.round(at);
    return [n * this.step + 1, (n + 1) * this.step];
  }

  // ---- places -----------------------------------------------------------------------------------------------------

  x = (at) => this.room.left + ((at + 0.5) / (this.last + 1)) * (this.width - this.room.left - this.room.right);

  y = (share) => {
    const { top, bottom } = this.room;
    return this.height - bottom - ((share - LOWEST) / (1 - LOWEST)) * (this.height - top - bottom);
  };

  layOut() {
    const { width, height } = boxOf(this.plot);
    if (!width || !this.id) return;
    Object.assign(this, { width, height, room: width < NARROWEST ? NARROW : ROOM });
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.back.replaceChildren(...backdrop(this));
    this.ahead.replaceChildren(...this.curves.map((_, n) => svg(`path.way-${n}`)));
    this.heads = this.curves.map((_, n) => {
      const head = {
        hit: svg("path.hit"),
        side: svg("rect.hit", { height: LABEL, rx: 5 }),
        path: svg(`path.way-${n}`),
        leader: svg("path.leader"),
        dot: svg("circle", { r: 4.5 }),
        end: svg("text.end", { "text-anchor": "middle" }, "✕"),
        number: svg("tspan.number"),
        name: svg("tspan"),
      };
      head.label = svg("text.label", head.number, head.name);
      return head;
    });
    this.heads.forEach((head, n) => (head.node = this.headOf(head, n)));
    this.lines.replaceChildren(...this.heads.map(({ node }) => node));
    this.show(this.at);
  }

  /** All that is seen of one line, which is pointed at and pressed as one. */
  headOf({ hit, side, path, leader, dot, end, label }, n) {
    const point = (to) => (event) => event.pointerType === "mouse" && this.point(to);
    const hands = { onpointerenter: point(n), onpointerleave: point(null), onpointerdown: (e) => this.hold(e, n) };
    return svg("g.head", hands, hit, side, path, leader, dot, end, label);
  }

  path(shares, until) {
    const last = Math.min(until, shares.length - 1);
    const points = shares.slice(0, Math.floor(last) + 1).map((share, n) => [n, share]);
    if (last > Math.floor(last)) points.push([last, shareAt(shares, last)]);
    return `M${points.map(([at, share]) => `${this.x(at).toFixed(1)} ${this.y(share).toFixed(1)}`).join("L")}`;
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  /** This line stands out from now on; null for none. */
  choose(n) {
    this.ended?.();
    if (this.isUnread) this.bet = n;
    else this.chosen = n;
    this.over = null;
    this.show(this.at);
    this.link.later();
  }

  point(n) {
    if (this.isReading || this.isHeld) return;
    this.over = n;
    this.show(this.at);
  }

  go(at) {
    this.ended?.();
    this.stop?.();
    this.isReading = false;
    this.show(Math.max(0, Math.min(this.last, at)));
    this.link.later();
  }

  /** A press takes the position along; one on a line that stays there chooses the line, or lets go of it. */
  hold(event, line = null) {
    if (event.button) return;
    event.stopPropagation();
    const from = event.clientX;
    let isMoved = line === null;
    const to = (moved) => {
      isMoved ||= Math.abs(moved.clientX - from) > SLIP;
      if (!isMoved) return;
      const [x] = pointIn(moved, this.plot);
      const share = (x - this.room.left) / (this.width - this.room.left - this.room.right);
      this.go(Math.round(share * (this.last + 1) - 0.5));
    };
    this.plot.focus({ preventScroll: true });
    this.isHeld = true;
    to(event);
    this.endDrag = drag(to, ({ type }) => {
      this.isHeld = false;
      if (isMoved) this.point(null);
      else if (type === "pointerup") this.choose(line === (this.isUnread ? this.bet : this.chosen) ? null : line);
    });
  }

  show(at) {
    this.at = at;
    this.far = Math.max(this.far, at);
    [...this.ahead.children].forEach((path, n) => put(path, { d: this.path(this.curves[n].shares, this.far) }));
    const shares = this.curves.map((curve) => shareAt(curve.shares, at));
    const heads = this.curves.map(({ shares: all }, n) => shares[n] ?? all.at(-1));
    const tops = apart(
      heads.map((share) => this.y(share)),
      this.isUnread ? ASKED : LABEL,
      this.room.top,
      this.height - this.room.bottom - 4,
    );
    this.heads.forEach((head, n) => this.drawHead(head, this.curves[n], shares[n], tops[n]));
    const x = this.x(at);
    this.cursor.replaceChildren(
      svg("line", { x1: x, x2: x, y1: this.room.top, y2: this.height - this.room.bottom }),
      svg("circle", { cx: x, cy: this.height - this.room.bottom, r: 9 }),
    );
    this.tell();
    describe(this, shares);
  }

  /** The line that stands out, how far it holds, and what is said of it; without one, of all. */
  tell() {
    const { isUnread, curves, bet } = this;
    const shown = isUnread ? (this.over ?? bet) : this.shown;
    const line = isUnread ? undefined : curves[shown];
    this.root.classList.toggle("asking", isUnread);
    this.lines.classList.toggle("one", Boolean(line));
    this.heads.forEach(({ node }, n) => node.classList.toggle("on", n === shown));
    this.held.replaceChildren(...(line ? markOf(this, line) : []));
    const all = isUnread ? asks(this) : bet === null ? this.finding : answers(this);
    write(this.say, line?.finding ?? all);
    write(this.why, line?.why ?? this.because);
    const next = nextOf(this.order, this.chosen);
    const onward = next === null ? "All together" : `Next: ${curves[next].name}`;
    write(this.play, isUnread ? `Read on to ${(this.last + 1) * this.step}` : onward);
    this.root.dataset.way = line?.name ?? "";
    this.offer(curves[this.chosen]);
  }

  /** The door into the line that is chosen, if there is one: into one that is only pointed at, it would change under a
   * hand that crosses other lines on its way there. */
  offer(line) {
    this.inside.disabled = !line?.opens;
    write(this.inside, `Inside ${line?.name ?? ""} →`);
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
  drawEnd({ hit, side, path, end, label, name }, shares) {
    const [x, y] = [this.x(shares.length - 0.5), this.y(shares.at(-1))];
    const d = `${this.path(shares, this.at)}L${x} ${y}`;
    put(path, { d });
    put(hit, { d });
    put(side, { x: Math.max(x - 12, LABELLED) - LABELLED, y: y + 12, width: LABELLED + 8 });
    put(end, { x, y: y + 7 });
    put(label, { x: Math.max(x - 12, LABELLED), y: y + 28, "text-anchor": "end" });
    put(name, { dx: 0 });
  }

  /** The names of all others go with the reader. */
  drawReader({ hit, side, path, leader, dot, label, name }, shares, y, top) {
    const x = this.x(this.at);
    const d = this.path(shares, this.at);
    put(path, { d });
    put(hit, { d });
    put(side, { x: x + 8, y: top - LABEL / 2, width: this.room.right - 12 });
    put(leader, { d: `M${x + 6} ${y}L${x + 18} ${top}` });
    put(dot, { cx: x, cy: y });
    put(label, { x: x + 22, y: top + 6, "text-anchor": "start" });
    put(name, { dx: 7 });
  }
}

/** What a screen reader, and the page, hear of the lines where one reads. */
function describe(figure, shares) {
  const [first, last] = figure.positions(figure.at);
  const named = figure.curves.map(({ name }, n) => [name, shares[n]]);
  named.sort(([, a], [, b]) => (b ?? -1) - (a ?? -1));
  const text = named.map(([name, share]) => `${name} ${share === null ? "stops" : whole(share)}`).join(", ");
  put(figure.plot, {
    "aria-valuemin": figure.step,
    "aria-valuemax": (figure.last + 1) * figure.step,
    "aria-valuenow": last,
    "aria-valuetext": `positions ${first} to ${last}: ${text}`,
  });
  figure.root.dataset.at = last;
  figure.root.dataset.said = text;
}

/** What is behind the lines: what training showed, the shares, the positions, and what a guess gives. */
function backdrop({ x, y, width, height, room, last, step, trained, chance }) {
  const { left, right, top, bottom } = room;
  const [start, end] = [left, width - right];
  const edge = x(trained / step - 0.5);
  const level = (share) => [
    svg("line", { x1: start, x2: end, y1: y(share), y2: y(share) }),
    svg("text", { x: start - 8, y: y(share) + 4.5, "text-anchor": "end" }, whole(share)),
  ];
  const marks = Array.from({ length: Math.floor(((last + 1) * step) / trained) }, (_, n) => {
    const position = (n + 1) * trained;
    const at = { x: x(position / step - 0.5), y: height - bottom + 20, "text-anchor": "middle" };
    return svg("text", at, String(position));
  });
  const low = y(chance);
  const isNarrow = width < NARROWEST;
  const across = isNarrow ? "right answers by position" : "position in the text";
  return [
    svg("rect.known", { x: start, y: top, width: edge - start, height: height - top - bottom }),
    ...[0.25, 0.5, 0.75, 1].flatMap(level),
    svg("line.chance", { x1: start, x2: end, y1: low, y2: low }),
    svg("text", { x: (isNarrow ? edge : start) + 8, y: low - 7 }, "guessing"),
    svg("line.edge", { x1: edge, x2: edge, y1: top - 22, y2: height - bottom }),
    svg("text.edge", { x: edge - 8, y: top - 10, "text-anchor": "end" }, isNarrow ? "trained" : "as in training"),
    svg("text.edge", { x: edge + 8, y: top - 10 }, "longer than any text it learned from"),
    ...marks,
    svg("text", { x: 2, y: top - 10 }, isNarrow ? "" : "right answers"),
    svg("text", { x: (start + end) / 2, y: height - 4, "text-anchor": "middle" }, across),
  ];
}

/** The mark at the position up to which a line holds; none where it never falls, or has never held. */
function markOf({ x, y, width, height, room, step }, { shares, held }) {
  if (!held || held >= shares.length) return [];
  const [at, foot] = [x(held - 0.5), height - room.bottom];
  const top = y(shareAt(shares, held - 0.5));
  const [side, anchor] = at > width - room.right - UP_TO ? [-1, "end"] : [1, "start"];
  return [
    svg("line", { x1: at, x2: at, y1: top, y2: foot }),
    svg("circle", { cx: at, cy: top, r: 5.5 }),
    svg("text", { x: at + 7 * side, y: foot - 9, "text-anchor": anchor }, `up to ${held * step}`),
  ];
}

export default mount(".read-on", ReadOn);
