// One word, large: its bytes below, every merge that joins two neighbours above them, and the tokens it is in now.

import { el, svg, windowHeight } from "../../../../attention_view/lab.js";
import { NARROW, treeOf } from "./cutting.js";

const WIDE = 14; // pixels of a letter

export class Tree {
  constructor(machine) {
    this.machine = machine;
    this.picture = svg("svg.tree", { role: "group" });
    this.node = el("div", this.picture);
  }

  build(place) {
    place.className = "grown";
    place.replaceChildren(this.node);
  }

  /** Without a merge there is no tree. */
  draw() {
    const { machine } = this;
    const { merges } = machine.data;
    const last = machine.at ? merges[machine.at - 1][2] : -1;
    const nodes = machine.start === null ? [] : treeOf(machine.data, machine.start);
    for (const node of nodes) node.isThere = !node.level || node.id <= last;
    this.node.hidden = !merges.length || !nodes.some((node) => node.level && node.isThere);
    if (this.node.hidden) return;
    const parts = new Set(nodes.flatMap((node) => (node.isThere && node.parts) || []));
    const tokens = nodes.filter((node) => node.isThere && !parts.has(node)).sort((a, b) => a.start - b.start);
    const size = this.measure(nodes);
    const links = [];
    const tiles = nodes.map((node) => {
      const is = { there: node.isThere, token: tokens.includes(node), fresh: node.id === last && node.isThere };
      const names = Object.keys(is).filter((name) => is[name]);
      for (const part of node.parts ?? [])
        links.push(svg("path", { d: size.line(part, node), class: names.join(" ") }));
      return this.tile(node, names.join(" "), size);
    });
    const isNamed = size.left > 80;
    const side = isNamed ? [svg("text.side", { x: 0, y: size.base + 5 }, "bytes")] : [];
    this.picture.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    this.picture.setAttribute("aria-label", this.said(tokens));
    this.picture.style.height = `${size.height}px`;
    this.picture.replaceChildren(...links, ...tiles, ...side);
    this.node.dataset.tokens = tokens.map((node) => node.id).join(" ");
  }

  /** How large all is, and where: the bytes stand in one row, and every merge above what it joins. */
  measure(nodes) {
    const [from, end] = [nodes[0].start, Math.max(...nodes.map((node) => node.end))];
    const top = Math.max(...nodes.map((node) => node.level));
    const width = Math.max(240, this.node.clientWidth || this.machine.root.clientWidth);
    const isNarrow = width < NARROW;
    const pitch = Math.min(168, (width - (isNarrow ? 8 : 170)) / (end - from));
    const left = (width - pitch * (end - from)) / 2;
    const room = Math.max(250, windowHeight(this.machine.root) - 300 - this.machine.nodes.chips.clientHeight);
    const tall = Math.min(66, pitch * 1.4);
    const gap = top ? Math.max(tall + 16, Math.min(150, (room - tall) / top)) : 0;
    const height = Math.max(tall + gap * top + 12, isNarrow ? 0 : room);
    const base = height - tall / 2 - 6;
    const at = (node) => [left + pitch * ((node.start + node.end) / 2 - from), base - gap * node.level];
    const line = (part, node) => {
      const [[px, py], [x, y]] = [at(part), at(node)];
      const [below, above, bend] = [py - tall / 2, y + tall / 2, gap * 0.3];
      return `M${px},${below}C${px},${below - bend} ${x},${above + bend} ${x},${above}`;
    };
    return { width, height, left, pitch, tall, base, isNarrow, at, line };
  }

  /** A byte or a merge; one goes back to a merge by a click on it. */
  tile(node, names, { at, tall, pitch, isNarrow }) {
    const [x, y] = at(node);
    const { machine } = this;
    const label = machine.label(node.id);
    const size = Math.min(28, pitch * 0.62);
    const wide = Math.max(
      Math.min(74, pitch - 5),
      (Array.from(label).length * WIDE * size) / 24 + (isNarrow ? 10 : 30),
    );
    const box = svg("rect", {
      x: x - wide / 2,
      y: y - tall / 2,
      width: wide,
      height: tall,
      rx: Math.min(10, wide / 4),
    });
    const word = svg("text.label", { x, y: y + (tall > 44 ? size * 0.1 : size * 0.34), "font-size": size }, label);
    const id = svg("text.id", { x, y: y + tall / 2 - 8 }, ` ${node.id}`); // the spaces part what is read out
    const n = machine.data.merges.findIndex((merge) => merge[2] === node.id) + 1;
    const parts = [box, word, ...(tall > 44 ? [id] : [])];
    if (!node.level) return svg("g.tile", { class: `tile ${names}` }, ...parts);
    if (pitch > 84) parts.push(svg("text.nth", { x: x + wide / 2 + 9, y: y + 5 }, ` merge ${n}`));
    const go = () => machine.go(n, true);
    const onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      go();
      this.picture.querySelector(`[data-merge="${n}"]`)?.focus();
    };
    const says = `${label} ${node.id} merge ${n}`;
    const props = { class: `tile ${names}`, role: "button", tabindex: 0, "aria-label": says, "data-merge": n };
    return svg("g", { ...props, onclick: go, onkeydown }, ...parts);
  }

  said(tokens) {
    const names = tokens.map((node) => `${this.machine.label(node.id)}, id ${node.id}`).join("; ");
    return `The word is ${tokens.length === 1 ? "one token" : `${tokens.length} tokens`} now: ${names}`;
  }
}
