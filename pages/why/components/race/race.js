// The race: four networks side by side, and a tick at a time, which nodes have heard of the first word. It waits for
// whoever has come to start it: its end would answer what the page asks.

import { el, mount, rewrite, still, svg } from "../../../../attention_view/lab.js";
import { Player, slider } from "../../../../attention_view/controls.js";

const TICK = 230; // milliseconds: the usual race of 12 steps takes three seconds
const EDGE = 14; // around the nodes
const TURN = 62; // degrees by which words lean, below their nodes
const LETTERS = 13; // pixels
const [SLANTED, ALONE] = [60, 20]; // pixels below the nodes that leaning words take, and two words that lie
const NEEDED = 14; // pixels from node to node at which each has its word

/** What news travels with, in a sentence. */
const CARRIERS = {
  Recurrent: "a recurrent network",
  Convolution: "a convolution",
  Dilated: "a dilated convolution",
  Attention: "attention",
};

const LIST = new Intl.ListFormat("en-GB");
const named = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/** What the race comes to, or who has arrived so far. */
export function told(tick, { networks, words, within = "" }) {
  const steps = ({ path }) => path.length - 1;
  const [first, last] = [networks[0], networks.at(-1)];
  if (tick >= Math.max(...networks.map(steps))) {
    const way = `With attention${within}, “${words[0]}” reaches “${words.at(-1)}” in ${named(steps(last), "step")}`;
    return `${way}. Reading word by word takes ${steps(first)}.`;
  }
  if (!tick) return `Which network gets from “${words[0]}” to “${words.at(-1)}” in the fewest steps?`;
  const there = networks.filter((network) => steps(network) <= tick).map(({ name }) => CARRIERS[name]);
  const who = there.length ? `has arrived with ${LIST.format(there.reverse())}` : "is on its way";
  return `After ${named(tick, "step")}, “${words[0]}” ${who}.`;
}

/** When each node hears of word 1: "layer,position" -> steps, along the edges. */
export function heard(edges) {
  const readers = new Map();
  for (const [a, b, c, d] of edges) {
    const from = `${a},${b}`;
    if (!readers.has(from)) readers.set(from, []);
    readers.get(from).push(`${c},${d}`);
  }
  const times = new Map([["0,0", 0]]);
  const queue = ["0,0"];
  for (const node of queue)
    for (const reader of readers.get(node) ?? [])
      if (!times.has(reader)) {
        times.set(reader, times.get(node) + 1);
        queue.push(reader);
      }
  return times;
}

class Race {
  constructor(root) {
    this.root = root;
    this.player = new Player(
      () => this.advance(),
      TICK,
      () => this.lanes && this.label(),
    );
    this.play = el("button.primary", { onclick: () => this.toggle() });
    this.slider = slider("Step", {}, (tick) => this.go(tick));
    this.said = el("output.tick");
    this.finding = el("p.finding");
    this.scene = el("div.scene");
    root.replaceChildren(
      el("div.headline", this.finding, this.play),
      this.scene,
      el("div.controls", this.slider, this.said),
    );
    this.resized = () => this.layOut();
  }

  destroy() {
    this.player.stop();
  }

  update({ networks, words, within }) {
    const signature = JSON.stringify([networks, words, within]);
    if (signature === this.signature) return; // another theme is no other race
    this.signature = signature;
    const isFirst = this.tick === undefined;
    this.player.stop();
    this.last = Math.max(...networks.map(({ path }) => path.length - 1));
    this.slider.max = String(this.last);
    this.raced = { networks, words, within };
    this.lanes = networks.map((network) => new Lane(network, words));
    this.scene.replaceChildren(...this.lanes.map((lane) => lane.node));
    this.tick = isFirst ? 0 : this.last;
    this.layOut();
  }

  /** Draws all networks as large as they are shown. */
  layOut() {
    if (!this.lanes?.[0].drawing.clientWidth) return;
    for (const lane of this.lanes) lane.layOut();
    this.show(this.tick);
  }

  toggle() {
    if (this.player.isOn) return this.player.stop();
    if (still()) return this.show(this.tick < this.last ? this.last : 0); // an end at once
    this.show(this.tick >= this.last ? 0 : this.tick);
    this.player.start();
  }

  advance() {
    this.show(this.tick + 1);
    if (this.tick >= this.last) this.player.stop();
  }

  go(tick) {
    this.player.stop();
    this.show(tick);
  }

  show(tick) {
    this.tick = Math.min(this.last, Math.max(0, tick));
    this.slider.value = String(this.tick);
    this.said.textContent = `step ${this.tick} of ${this.last}`;
    this.root.dataset.tick = this.tick;
    rewrite(this.finding, told(this.tick, this.raced));
    for (const lane of this.lanes) lane.show(this.tick);
    this.label();
  }

  label() {
    const says = this.tick === this.last ? "▶ Race again" : this.tick ? "▶ Go on" : "▶ Race";
    this.play.textContent = this.player.isOn ? "❚❚ Pause" : says;
  }
}

/** One network: its nodes and what they read, and the way of the news. */
class Lane {
  constructor({ name, n, layers, sees, edges, path }, words) {
    Object.assign(this, { name, n, layers, edges, path, words });
    this.steps = path.length - 1;
    this.times = heard(edges);
    this.nodes = new Map();
    for (let i = 0; i < n; i++) this.nodes.set(`0,${i}`, [0, i]);
    for (const [a, b, c, d] of edges) this.nodes.set(`${a},${b}`, [a, b]).set(`${c},${d}`, [c, d]);
    this.count = el("strong");
    const way = `from “${words[0]}” to the output at “${words.at(-1)}” in ${named(this.steps, "step")}`;
    this.drawing = svg("svg", { role: "img", "aria-label": `${name}, ${sees}, ${named(layers, "layer")}: ${way}.` });
    this.node = el(
      "section",
      { class: `lane ${name === "Attention" ? "attention" : ""}`, "aria-label": name },
      el("p.name", name, " ", el("small", sees), " ", this.count),
      this.drawing,
    );
  }

  /** Nodes, what they read, and the way, for the room that the drawing has. */
  layOut() {
    const { n, layers, edges, path, drawing } = this;
    const across = (drawing.clientWidth - 2 * EDGE) / Math.max(1, n - 1);
    const floor = drawing.clientHeight - EDGE - (across < NEEDED ? ALONE : SLANTED);
    const up = (floor - EDGE) / layers;
    const x = (position) => EDGE + position * across;
    const y = (layer) => floor - layer * up;
    const r = Math.max(1.8, Math.min(7, 0.2 * across, 0.22 * up));
    this.dots = [...this.nodes].map(([key, [layer, i]]) => [
      this.times.get(key) ?? Infinity,
      svg("circle", { cx: x(i), cy: y(layer), r }),
    ]);
    this.hops = path.slice(1).map(([layer, i], at) => {
      const [from, j] = path[at];
      return svg("path.way", { d: `M${x(j)} ${y(from)} L${x(i)} ${y(layer)}` });
    });
    this.at = path.map(([layer, i]) => [x(i), y(layer)]);
    this.pulse = svg("circle.pulse", { r: Math.max(7, 1.5 * r) });
    drawing.replaceChildren(
      ...this.named(x, floor + Math.max(r, 5) + 4, across),
      svg("path.reads", { d: edges.map(([a, b, c, d]) => `M${x(b)} ${y(a)} L${x(d)} ${y(c)}`).join(" ") }),
      ...this.dots.map(([, dot]) => dot),
      ...this.hops,
      this.pulse,
    );
  }

  /** The words below the nodes: leaning, and where these are too close together the first and the last. */
  named(x, y, across) {
    const { words, n } = this;
    if (across < NEEDED)
      return [
        svg("text.word.first", { x: 0, y: y + LETTERS }, words[0]),
        svg("text.word.last", { x: x(n - 1) + EDGE, y: y + LETTERS, "text-anchor": "end" }, words.at(-1)),
      ];
    return words.map((word, i) => {
      const at = `translate(${x(i) + 4} ${y + 4}) rotate(${-TURN})`;
      const kind = i === 0 ? ".first" : i === n - 1 ? ".last" : "";
      return svg(`text.word${kind}`, { transform: at, "text-anchor": "end" }, word);
    });
  }

  show(tick) {
    const now = Math.min(tick, this.steps);
    for (const [time, dot] of this.dots) dot.setAttribute("class", time <= tick ? "heard" : "node");
    this.hops.forEach((hop, at) => hop.classList.toggle("on", at < now));
    this.pulse.style.transform = `translate(${this.at[now][0]}px, ${this.at[now][1]}px)`;
    this.count.textContent = tick >= this.steps ? named(this.steps, "step") : `${now} …`;
    this.node.classList.toggle("there", tick >= this.steps);
  }
}

export default mount(".race", Race);
