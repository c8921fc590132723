// One layer as a machine: its parts in their places, each a large button. Who presses one swaps it: 2017's slides out,
// and another way to build it slides in. Norms and positions go to where they are then.

import { el, put, svg, write } from "../../../../attention_view/lab.js";
import { drag, inRow } from "../../../../attention_view/controls.js";
import { RESTING, cropOf, paint, picture } from "./drawings.js";
import { fromTop, layoutOf } from "./places.js";

const PULLED = 30; // pixels by which a part is dragged out
const BELOW = [760, 40]; // pixels: a figure up to so wide has lanes below its parts, so tall
const SETTLED = 600; // milliseconds after which what moves has come to its place

// What is around parts, and what it is called.
const FRAMES = {
  "feed-forward": "feed-forward",
  norms: "norm",
  attention: "attention",
  again: "",
  output: "",
  embeddings: "",
};

/** What is in a part's place: [of 2017, of now], each with its way, kind and note; and whether that of now is in. */
export function facesOf(stop, shown, all) {
  if (shown !== "all" || stop.name === "all") return { faces: sides(stop), isNow: stop.name === shown };
  const n = all.parts.indexOf(stop.name);
  const own = sides(stop);
  if (n < 0 || all.labels[0][n] === all.labels[1][n]) return { faces: own, isNow: false };
  const note = (kind, side) => (own[side].kind === kind ? own[side].note : "");
  const faces = [0, 1].map((side) => {
    const [way, kind] = [all.labels[side][n], all.kinds[side][n]];
    return { way, kind, note: note(kind, side), when: side ? all.when : "2017" };
  });
  return { faces, isNow: faces[0].way !== faces[1].way };
}

const sides = ({ ways, kinds, notes, when }) =>
  [0, 1].map((side) => ({ way: ways[side], kind: kinds[side], note: notes[side], when: side ? when : "2017" }));

export class Machine {
  /** press(name) hears which part was pressed. */
  constructor(press) {
    this.press = press;
    this.wires = svg("svg.wires", { "aria-hidden": "true" });
    this.frames = Object.entries(FRAMES).map(([name, label]) => [name, el(`div.frame.${name}`, el("span", label))]);
    this.again = this.frames.find(([name]) => name === "again")[1].firstChild;
    this.parts = el("div.parts");
    this.parts.onkeydown = (event) => this.step(event);
    const frames = this.frames.map(([, node]) => node);
    this.node = el("section.machine", { role: "group" }, this.wires, ...frames, this.parts);
    this.bays = new Map();
  }

  /** back: the parts that were put back while all are in */
  show({ stops }, shown, back) {
    const names = stops.map(({ name }) => name);
    if (String(names) !== this.made) {
      this.made = this.order = String(names);
      const held = this.parts.querySelector(":focus")?.dataset.name;
      this.bays = new Map(names.map((name) => [name, this.bays.get(name) ?? this.bay(name)]));
      this.parts.replaceChildren(...[...this.bays.values()].map(({ node }) => node));
      (this.bays.get(held) ?? (held && this.bays.get(names[0])))?.node.focus(); // its part may have gone
    }
    const all = stops.find(({ name }) => name === "all");
    this.now = {};
    for (const stop of stops) {
      const { faces, isNow } = facesOf(stop, shown, all);
      const isBack = back.has(stop.name) || (stop.name === "all" && back.size > 0);
      this.furnish(this.bays.get(stop.name), stop, { faces, isNow: isNow && !isBack });
    }
    const norm = this.now.norm;
    write(this.again, norm.kind === "no norm" ? "no norm here, either" : `${norm.way} once more`);
    const when = { chart: "of 2017", all: all.when === "today" ? "of today" : "as you built it" }[shown];
    put(this.node, { "aria-label": `A layer ${when ?? "with one part swapped"}, from its output down` });
    this.names = names;
    this.size();
  }

  bay(name) {
    const face = () => {
      const one = { title: el("small"), way: el("b"), note: el("span.note"), sheet: picture() };
      const words = el("span.words", el("span", one.title, " ", one.way), " ", one.note);
      one.node = el("span.face", { "aria-hidden": "true" }, words, one.sheet);
      return one;
    };
    const bay = { name, faces: [face(), face()] };
    const [was, now] = bay.faces.map(({ node }) => node);
    const acts = { onclick: () => this.touch(name), onpointerdown: (event) => this.pull(event, bay) };
    bay.node = el("button.bay", { "data-name": name, ...acts }, was, now);
    return bay;
  }

  touch(name) {
    if (!this.isPulled) this.press(name); // a pull has done that already
  }

  /** A part that is dragged out to the right is pressed, wherever the pointer lets go of it: a drag by finger ends in
   * no click, and one by mouse only where it ends on the part. */
  pull({ button, clientX }, { name, node }) {
    if (button) return;
    const pulledBy = (event) => Math.max(0, event.clientX - clientX);
    const end = (event) => {
      node.style.removeProperty("translate");
      if (event.type !== "pointerup" || pulledBy(event) < PULLED) return;
      this.press(name);
      this.isPulled = true;
      setTimeout(() => (this.isPulled = false)); // after the click that may end it
    };
    drag((event) => (node.style.translate = `${Math.min(PULLED, pulledBy(event))}px`), end);
  }

  furnish(bay, stop, { faces, isNow }) {
    const notes = ["", faces[1].note];
    for (const [side, face] of bay.faces.entries()) {
      const { way, kind } = faces[side];
      write(face.title, stop.title);
      write(face.way, way);
      write(face.note, notes[side]);
      if (face.kind !== kind) {
        face.kind = kind;
        put(face.sheet, { viewBox: cropOf(kind) });
        paint(face.sheet, kind, RESTING);
      }
    }
    const [shown, other] = isNow ? [1, 0] : [0, 1];
    this.now[stop.name] = faces[shown];
    // It begins with what is to be read on it, so that it can be called by that.
    const read = `${stop.title} ${faces[shown].way} ${notes[shown]}`.trim();
    const label = `${read} (${isNow ? "in place of" : "press for"} ${faces[other].way})`;
    put(bay.node, { "aria-label": label, "aria-pressed": String(isNow) });
    bay.node.classList.toggle("now", isNow);
  }

  /** The drawings of what was swapped in, at a moment from 0 to 1. */
  at(t) {
    for (const { node, faces } of this.bays.values())
      if (node.classList.contains("now")) paint(faces[1].sheet, faces[1].kind, RESTING * t);
  }

  /** Each part where it lies. */
  size() {
    const [wide, tall] = [this.node.clientWidth, this.node.clientHeight];
    if (!wide || !this.now) return;
    const isBefore = this.now.place.kind === "before";
    const isInside = this.now.positions.kind !== "sinusoidal";
    const below = this.node.parentNode.clientWidth <= BELOW[0] ? BELOW[1] : 0;
    const layer = { names: this.names, isBefore, isInside };
    const { boxes, frames, wires, at, ends, tall: used } = layoutOf(layer, { wide, tall, below });
    Object.assign(this, { boxes, below });
    this.node.classList.toggle("roomy", boxes.norm.h > 68 && !below);
    this.node.style.minHeight = below ? `${used}px` : "";
    this.node.dataset.norm = isBefore ? "before" : "after";
    this.node.dataset.positions = isInside ? "inside" : "added";
    for (const [name, bay] of this.bays) place(bay.node, boxes[name]);
    for (const [name, node] of this.frames) {
      node.hidden = !frames[name];
      if (frames[name]) place(node, frames[name]);
    }
    this.draw(wires, at, ends);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.arrange(fromTop(boxes)), SETTLED);
    requestAnimationFrame(() => this.node.classList.add("moves")); // what is drawn first is there at once
  }

  /** Parts follow each other as they lie, for Tab and screen readers. The one with the focus keeps it: others are put
   * around it; and none is put anywhere while it moves, which would end its way. */
  arrange(order) {
    if (String(order) === this.order) return;
    this.order = String(order);
    const nodes = order.map((name) => this.bays.get(name).node);
    const held = nodes.find((node) => node.matches(":focus"));
    for (const node of nodes.slice(0, Math.max(0, nodes.indexOf(held)))) held.before(node);
    this.parts.append(...nodes.slice(nodes.indexOf(held) + 1));
  }

  draw(wires, at, tall) {
    this.stream ??= svg("path.stream");
    this.head ??= svg("path.head");
    put(this.stream, { d: `M${at} ${tall}V8` });
    put(this.head, { d: `M${at - 8} 12L${at} 0L${at + 8} 12Z` });
    this.lines ??= [];
    while (this.lines.length < 3) this.lines.push([svg("path.wire"), svg("circle.plus", { r: 9 }), svg("path.sign")]);
    for (const [n, [line, plus, sign]] of this.lines.entries()) {
      const wire = wires[n];
      for (const node of [line, plus, sign]) node.classList.toggle("off", !wire);
      if (!wire) continue;
      const [x, y] = wire.plus;
      put(line, { d: wire.path });
      put(plus, { cx: x, cy: y });
      put(sign, { d: `M${x - 5} ${y}H${x + 5}M${x} ${y - 5}V${y + 5}` });
    }
    if (!this.wires.firstChild) this.wires.replaceChildren(this.stream, this.head, ...this.lines.flat());
  }

  step(event) {
    const buttons = [...this.bays.values()].map(({ node }) => node);
    buttons.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    const to = inRow(event, buttons.indexOf(event.target.closest("button")), buttons.length);
    if (to !== null) buttons[to].focus();
  }
}

function place(node, { x, y, w, h }) {
  Object.assign(node.style, { transform: `translate(${x}px, ${y}px)`, width: `${w}px`, height: `${h}px` });
}
