// One word, large: its bytes below, every merge that joins two neighbours above them, and the tokens it is in now.

import { el, svg, windowHeight } from "../../../../attention_view/lab.js";
import { treeOf } from "./cutting.js";

const WIDE = 14; // pixels of a letter
const NARROW = 620;

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

  /** Nothing flies here, so nothing comes back; without merges there is no tree. */
  draw() {
    const { machine } = this;
    const { merges } = machine.data;
    this.node.hidden = !merges.length;
    if (!merges.length) return null;
    const last = machine.at ? merges[machine.at - 1][2] : -1;
    const nodes = treeOf(machine.data, machine.start ?? 0);
    const [from, end] = [nodes[0].start, nodes.at(-1).end];
    const isTop = (node) =>
      node.isThere &&
      !nodes.some(
        (up) => up.isThere && up !== node && up.start <= node.start && node.end <= up.end && up.level > node.level,
      );
    for (const node of nodes) node.isThere = node.level === 0 || node.id <= last;
    const top = Math.max(...nodes.map((node) => node.level));
    const width = Math.max(240, this.node.clientWidth || machine.root.clientWidth);
    const isNarrow = width < NARROW;
    const letters = end - from;
    const pitch = Math.min(168, (width - (isNarrow ? 8 : 150)) / letters);
    const left = (width - pitch * letters) / 2;
    const room = Math.max(250, windowHeight(machine.root) - 366);
    const tall = Math.min(66, pitch * 1.4);
    const gap = top ? Math.max(tall + 16, Math.min(110, (room - tall) / top)) : 0;
    const height = Math.max(tall + gap * top + 12, isNarrow ? 0 : room);
    const base = height - tall / 2 - 6;
    const place = (node) => [left + pitch * ((node.start + node.end) / 2 - from), base - gap * node.level];
    const links = [];
    const tiles = [];
    const texts = letters > 1 && !isNarrow ? [svg("text.side", { x: 0, y: base + 5 }, "bytes")] : [];
    for (const node of nodes) {
      const is = { there: node.isThere, token: isTop(node), fresh: node.id === last && node.isThere };
      const names = Object.keys(is)
        .filter((name) => is[name])
        .join(" ");
      const [x, y] = place(node);
      for (const child of node.parts ?? []) {
        const [cx, cy] = place(child);
        const [below, above] = [cy - tall / 2, y + tall / 2];
        const d = `M${cx},${below}C${cx},${below - gap * 0.3} ${x},${above + gap * 0.3} ${x},${above}`;
        links.push(svg("path", { d, class: names }));
      }
      tiles.push(this.tile(node, names, [x, y], { tall, pitch, isNarrow }));
    }
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("aria-label", this.said(nodes.filter(isTop)));
    this.picture.style.height = `${height}px`;
    this.picture.replaceChildren(...links, ...tiles, ...texts);
    this.node.dataset.tokens = nodes
      .filter(isTop)
      .map((node) => node.id)
      .join(" ");
  }

  tile(node, names, [x, y], { tall, pitch, isNarrow }) {
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
    const id = svg("text.id", { x, y: y + tall / 2 - 8 }, String(node.id));
    const n = machine.data.merges.findIndex((merge) => merge[2] === node.id) + 1;
    const parts = [box, word, ...(tall > 44 ? [id] : [])];
    if (!node.level) return svg("g.tile", { class: `tile ${names}` }, ...parts);
    if (pitch > 84) parts.push(svg("text.nth", { x: x + wide / 2 + 9, y: y + 5 }, `merge ${n}`));
    const go = () => machine.go(n, true);
    const onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      go();
      this.picture.querySelector(`[data-merge="${n}"]`)?.focus();
    };
    const says = `${label}, id ${node.id}: made by merge ${n}`;
    const props = { class: `tile ${names}`, role: "button", tabindex: 0, "aria-label": says, "data-merge": n };
    return svg("g", { ...props, onclick: go, onkeydown }, ...parts);
  }

  said(tokens) {
    const names = tokens.map((node) => `${this.machine.label(node.id)}, id ${node.id}`).join("; ");
    return `The word is ${tokens.length === 1 ? "one token" : `${tokens.length} tokens`} now: ${names}`;
  }
}
