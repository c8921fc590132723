// The block of 2017 and another one, their streams running upward. Between them each difference is a switch, which says
// what it alone costs and what it does to the loss; it is joined to the parts that it makes.

import { el, mount, svg, windowHeight } from "../../../../attention_view/lab.js";

const HEIGHTS = [0.8, 0.8, 1.35, 0.55, 0.8, 0.8, 1.35, 0.55, 0.8, 0.8]; // of the slots, from the bottom up
const TOTAL = HEIGHTS.reduce((sum, height) => sum + height);
const ADDS = { 3: 0, 7: 4 }; // slot of an addition: the slot above which its bypass leaves the stream
const COSTS = ["parameters", "multiplications", "cache"];

/** Where a slot begins and ends, as shares of the whole, from the top. */
export function spanOf(slot) {
  const below = HEIGHTS.slice(0, slot).reduce((sum, height) => sum + height, 0);
  return [1 - (below + HEIGHTS[slot]) / TOTAL, 1 - below / TOTAL];
}

/** Where a loss stands between the lowest and the highest of all, from 0 to 1. */
export function scaleOf(cards, seeds) {
  const all = [...seeds, ...cards.flatMap(({ losses }) => losses)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return (loss) => (high > low ? (loss - low) / (high - low) : 0.5);
}

class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.lanes = [0, 1].map((n) => el(`section.lane.${n ? "new" : "old"}`));
    this.cards = el("div.cards");
    this.lines = svg("svg.joints", { "aria-hidden": "true" });
    this.says = el(
      "p.says",
      "Dots: the loss of trainings with this change alone, by seed; grey: how far those of the 2017 block lie apart.",
    );
    root.replaceChildren(el("div.stage", this.lanes[0], this.cards, this.lanes[1], this.lines), this.says);
    this.resized = () => this.data && this.size();
  }

  update(data, { setTriggerValue }) {
    this.flip = (name) => setTriggerValue("flip", name);
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    const { activeElement } = this.root.getRootNode();
    const held = this.cards.contains(activeElement) ? activeElement.dataset.name : null;
    this.data = data;
    this.lanes.forEach((lane, n) => lane.replaceChildren(...this.lane(data.titles[n], data.blocks[n])));
    const at = scaleOf(data.cards, data.seeds);
    this.cards.replaceChildren(...data.cards.map((card) => this.card(card, at)));
    if (held) this.cards.querySelector(`[data-name="${CSS.escape(held)}"]`)?.focus();
    this.light(null);
    this.size();
    this.root.dataset.painted = "true";
  }

  lane(title, parts) {
    const boxes = parts.map((part) => (part.label === "add" ? this.plus(part) : this.box(part)));
    const bypass = Object.entries(ADDS)
      .filter(([slot]) => parts.some((part) => part.slot === Number(slot)))
      .map(([slot, below]) => {
        const [top, bottom] = spanOf(Number(slot));
        const start = spanOf(below)[0];
        const middle = (top + bottom) / 2;
        return el("i.bypass", { style: `top:${100 * middle}%;height:${100 * (start - middle)}%` });
      });
    return [el("h2", title), el("div.column", el("i.stream"), ...bypass, ...boxes)];
  }

  plus({ slot }) {
    const [top, bottom] = spanOf(slot);
    return el("b.plus", { style: `top:${50 * (top + bottom)}%`, "aria-label": "added to the stream" }, "+");
  }

  box(part) {
    const [top, bottom] = spanOf(part.slot);
    const marks = [];
    if (part.heads) {
      const [queries, keys] = part.heads;
      const row = (kind, n) => el(`span.${kind}`, ...Array.from({ length: n }, () => el("i")));
      marks.push(
        el(
          "span.heads",
          { title: `${queries} query heads, ${keys} of keys and values` },
          row("q", queries),
          row("k", keys),
        ),
      );
    }
    if (part.experts) {
      const [n, busy] = part.experts;
      const cells = Array.from({ length: n }, (_, e) => el(e < busy ? "i.busy" : "i"));
      marks.push(el("span.experts", { title: `${busy} of ${n} work for a token` }, ...cells));
    }
    return el(
      part.changed ? "div.part.changed" : "div.part",
      {
        style: `top:${100 * top}%;height:${100 * (bottom - top)}%`,
        "data-by": part.by.join(" "),
        onpointerenter: () => this.light(part.by),
        onpointerleave: () => this.light(null),
      },
      el("div.face", el("span.label", part.label), ...marks, el("small", part.detail)),
    );
  }

  card(card, at) {
    const { name, ways, is_on: isOn, costs, losses, loss } = card;
    const percent = (x) => `${(100 * at(x)).toFixed(1)}%`;
    const seeds = this.data.seeds;
    const [low, high] = [Math.min(...seeds), Math.max(...seeds)];
    const band = el("i.band", { style: `left:${percent(low)};width:${(100 * (at(high) - at(low))).toFixed(1)}%` });
    const dots = losses.map((x) => el("i.dot", { style: `left:${percent(x)}` }));
    const light = () => this.light([name]);
    const dark = () => this.light(null);
    const said = costs.map((cost, n) => [COSTS[n], cost]).filter(([, cost]) => cost !== "0");
    return el(
      "button.card",
      {
        role: "switch",
        "aria-checked": String(isOn),
        "aria-label": `${ways[1]} instead of ${ways[0]}. Loss ${loss}. ${said.map(([a, b]) => `${a} ${b}`).join(", ")}`,
        "data-name": name,
        onclick: () => this.flip(name),
        onpointerenter: light,
        onpointerleave: dark,
        onfocus: light,
        onblur: dark,
      },
      el("span.ways", el("i.knob"), el("b", ways[1]), el("s", ways[0])),
      el("span.loss", el("span.strip", band, ...dots), el("small", `loss ${loss}`)),
      el("span.costs", said.length ? said.map((pair) => pair.join(" ")).join(" · ") : "costs nothing"),
    );
  }

  /** Which switches are lit, and with them what they make; null for none. */
  light(names) {
    this.lit = names;
    const isLit = (node) =>
      Boolean(names?.some((name) => (node.dataset.by ?? node.dataset.name).split(" ").includes(name)));
    for (const node of this.root.querySelectorAll(".part, .card")) node.classList.toggle("lit", isLit(node));
    this.join();
  }

  size() {
    const height = Math.max(400, Math.min(820, windowHeight(this.root) - 250));
    this.root.style.setProperty("--tall", `${height}px`);
    this.join();
  }

  /** Lines from every switch to what it makes. */
  join() {
    const stage = this.root.querySelector(".stage");
    const origin = stage.getBoundingClientRect();
    const zoom = stage.currentCSSZoom ?? 1;
    const box = (node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return {
        left: (left - origin.left) / zoom,
        right: (right - origin.left) / zoom,
        y: ((top + bottom) / 2 - origin.top) / zoom,
      };
    };
    const lines = [];
    for (const card of this.cards.children) {
      const from = box(card);
      this.lanes.forEach((lane, n) => {
        for (const part of lane.querySelectorAll(".part")) {
          if (!part.dataset.by.split(" ").includes(card.dataset.name)) continue;
          const to = box(part.firstChild);
          const [x1, x2] = n ? [from.right, to.left] : [from.left, to.right];
          if (n ? x2 <= x1 : x1 <= x2) continue; // on a phone the switches stand below
          const half = (x1 + x2) / 2;
          const isLit = card.classList.contains("lit");
          lines.push(
            svg(isLit ? "path.lit" : "path", { d: `M${x1} ${from.y}C${half} ${from.y} ${half} ${to.y} ${x2} ${to.y}` }),
          );
        }
      });
    }
    this.lines.replaceChildren(...lines);
  }
}

export default mount(".two-blocks", TwoBlocks);
