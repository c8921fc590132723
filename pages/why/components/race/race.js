// The race: four networks side by side, and how news of one word gets to another. Both words can be dragged along
// the sentence, two neighbours at first, and all four ways follow; once they are far apart, the first one hops along
// all four at the same time, a step at each tick.

import { counted, el, mirror, mount, param, put, rewrite, still, svg } from "../../../../attention_view/lab.js";
import { drag, inRow, Player } from "../../../../attention_view/controls.js";

const TICK = 280; // milliseconds: the usual race of 12 steps takes three seconds
const EDGE = 12; // pixels beside the nodes
const LABEL = 36; // pixels above and below them
const LAST = 11; // pixels of the last bead, which carries the number of steps

/** What news travels with, in a sentence. */
const CARRIERS = {
  Recurrent: "a recurrent network",
  Convolution: "a convolution",
  Dilated: "a dilated convolution",
  Attention: "attention",
};

const LIST = new Intl.ListFormat("en-GB");

/** What the race comes to, or who has arrived so far. lanes: of each network, {name, steps}; ends: both words. */
export function told(tick, lanes, [first, last], within = "") {
  const [slow, fast] = [lanes[0], lanes.at(-1)];
  if (tick >= Math.max(...lanes.map(({ steps }) => steps))) {
    const way = `From “${first}” to “${last}”`;
    return `${way}: ${counted(slow.steps, "step")} word by word, ${fast.steps} with attention${within}.`;
  }
  const there = lanes.filter(({ steps }) => steps <= tick).map(({ name }) => CARRIERS[name]);
  const who = there.length ? `has arrived with ${LIST.format(there.reverse())}` : "is on its way";
  return `After ${counted(tick, "step")}, “${first}” ${who}.`;
}

/** Under the name of each node, the names of those at the other ends of its edges: who reads it, or whom it reads. */
function met(edges, isBack) {
  const others = new Map();
  for (const [a, b, c, d] of edges) {
    const [at, other] = isBack ? [`${c},${d}`, `${a},${b}`] : [`${a},${b}`, `${c},${d}`];
    if (!others.has(at)) others.set(at, []);
    others.get(at).push(other);
  }
  return others;
}

/** When each node that can be reached from one is reached: "layer,position" -> steps, along the edges. */
export function heard(edges, from, isBack = false) {
  const others = met(edges, isBack);
  const times = new Map([[from, 0]]);
  for (const [node, time] of times)
    for (const other of others.get(node) ?? []) if (!times.has(other)) times.set(other, time + 1);
  return times;
}

/** How large the beads on a way may be that do not touch; at: where its steps end. */
export const beadOf = (at) =>
  Math.min(11, ...at.slice(1).map(([x, y], n) => Math.hypot(x - at[n][0], y - at[n][1]) / 2.2));

const placeOf = (node) => node.split(",").map(Number);

/** The shortest way from word i to an output at word j, node by node. */
export function wayTo(edges, i, j) {
  const times = heard(edges, `0,${i}`);
  const sources = met(edges, true);
  const outputs = [...times.keys()].filter((node) => placeOf(node)[0] && placeOf(node)[1] === j);
  const way = [outputs.reduce((a, b) => (times.get(b) < times.get(a) ? b : a))];
  for (let time = times.get(way[0]) - 1; time >= 0; time--)
    way.unshift(sources.get(way[0]).find((node) => times.get(node) === time));
  return way;
}

export class Race {
  constructor(root) {
    this.root = root;
    this.player = new Player(
      () => this.advance(),
      TICK,
      () => this.lanes && this.turned(),
    );
    this.play = el("button.primary", { onclick: () => this.toggle() });
    this.finding = el("p.finding", { role: "status" });
    this.grips = ["From the word", "To the word"].map((name, which) => {
      const onkeydown = (event) => {
        const to = inRow(event, this.ends[which], this.words.length);
        if (to !== null) this.take(which, to);
      };
      return el("span.grip", { role: "slider", tabIndex: 0, "aria-label": name, "aria-valuemin": 0, onkeydown });
    });
    this.sentence = el("div.sentence", { onpointerdown: (event) => this.grab(event) });
    this.scene = el("div.scene");
    this.link = mirror((put) =>
      put("why_ends", this.ends.join("-"), [-2, -1].map((at) => at + this.words.length).join("-")),
    );
    root.replaceChildren(el("div.headline", this.finding, this.play), this.sentence, this.scene);
    this.resized = () => this.layOut();
    this.watch = new ResizeObserver(() => this.hold()); // words are as wide as their font, which may come late
  }

  destroy() {
    this.watch.disconnect();
    this.player.stop();
  }

  update({ networks, words, within }) {
    const signature = JSON.stringify([networks, words, within]);
    if (signature === this.signature) return; // another theme is no other race
    this.signature = signature;
    const isFirst = !this.lanes;
    this.player.stop();
    const n = words.length;
    Object.assign(this, { words, within, isRacing: false, ends: [isFirst ? n - 2 : 0, n - 1] });
    const asked =
      isFirst &&
      /^(\d+)-(\d+)$/
        .exec(param("why_ends") ?? "")
        ?.slice(1)
        .map(Number);
    if (asked && asked[0] < asked[1] && asked[1] < words.length) this.ends = asked;
    this.isFresh = isFirst && !asked;
    this.lanes = networks.map((network) => new Lane(network, words));
    this.texts = words.map((word) => el("span", word));
    this.watch.disconnect();
    for (const text of this.texts) this.watch.observe(text);
    this.sentence.classList.toggle("long", words.length > 16);
    this.sentence.replaceChildren(...this.texts.flatMap((text) => [text, " "]), ...this.grips);
    this.scene.replaceChildren(...this.lanes.map(({ node }) => node));
    this.layOut();
  }

  get isWhole() {
    return this.ends[1] - this.ends[0] === this.words.length - 1;
  }

  /** Draws all networks as large as they are shown. */
  layOut() {
    if (!this.lanes?.[0].drawing.clientWidth) return;
    this.root.style.setProperty("--sentence", `${this.sentence.offsetHeight}px`);
    const tick = this.isRacing ? this.tick : Infinity;
    for (const lane of this.lanes) lane.draw(...this.ends, tick);
    this.last = Math.max(...this.lanes.map(({ steps }) => steps));
    this.texts.forEach((text, at) => text.classList.toggle("end", this.ends.includes(at)));
    this.hold();
    this.show(tick);
  }

  /** Puts each grip on its word, as wide as that is now. */
  hold() {
    this.grips.forEach((grip, which) => {
      const at = this.ends[which];
      const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = this.texts[at];
      Object.assign(grip.style, { translate: `${x}px ${y}px`, width: `${width}px`, height: `${height}px` });
      put(grip, { "aria-valuemax": this.words.length - 1, "aria-valuenow": at, "aria-valuetext": this.words[at] });
    });
  }

  /** One of both words goes to another place, as far as the other lets it. Returns whether it has moved. */
  move(which, to) {
    const [i, j] = this.ends;
    const at = which ? Math.min(this.words.length - 1, Math.max(i + 1, to)) : Math.max(0, Math.min(j - 1, to));
    if (at === this.ends[which]) return false;
    this.ends = which ? [i, at] : [at, j];
    this.root.classList.remove("hops");
    this.layOut();
    this.link.later();
    return true;
  }

  /** A hand does that, and ends what plays. */
  take(which, to) {
    this.player.stop();
    if (this.isRacing) this.show(this.last);
    this.isFresh = false;
    this.move(which, to);
  }

  grab(event) {
    if (event.button) return;
    const near = ({ clientX: x, clientY: y }) => {
      const far = this.texts.map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return Math.max(left - x, x - right, 0) + 4 * Math.max(top - y, y - bottom, 0);
      });
      return far.indexOf(Math.min(...far));
    };
    const at = near(event);
    const which = Math.abs(at - this.ends[1]) < Math.abs(at - this.ends[0]) ? 1 : 0;
    event.preventDefault();
    this.grips[which].focus({ preventScroll: true });
    this.take(which, at);
    this.endDrag = drag(
      (to) => this.take(which, near(to)),
      () => {},
    );
  }

  toggle() {
    if (this.player.isOn) return this.player.stop();
    this.isFresh = false;
    if (this.isWhole && !this.isRacing) this.begin();
    if (!still()) return this.player.start();
    while (!this.advance()); // its end at once
  }

  begin() {
    this.isRacing = true;
    this.root.classList.add("hops");
    this.show(0);
  }

  /** A tick of the race; before it, both words part by one. */
  advance() {
    const [i, j] = this.ends;
    if (this.isRacing) this.show(this.tick + 1);
    else if ((this.move(0, i - 1) || this.move(1, j + 1)) && this.isWhole) this.begin();
    const isOver = this.isWhole && !this.isRacing;
    if (isOver) this.player.stop();
    return isOver;
  }

  show(tick) {
    this.tick = Math.min(this.last, tick);
    this.isRacing &&= this.tick < this.last;
    this.root.dataset.tick = this.tick;
    this.root.dataset.ends = this.ends.join("-");
    const [first, last] = this.ends.map((at) => this.words[at]);
    const asked = `Pull “${first}” away from “${last}”: which network needs no more steps?`;
    this.root.classList.toggle("fresh", this.isFresh);
    rewrite(this.finding, this.isFresh ? asked : told(this.tick, this.lanes, [first, last], this.within));
    for (const lane of this.lanes) lane.show(this.tick);
    this.label();
  }

  /** It begins to play or ends. Its sentence changes too often to be read out meanwhile, and is at the end. */
  turned() {
    const { finding, player } = this;
    this.label();
    const wasOn = finding.getAttribute("aria-live") === "off";
    put(finding, { "aria-live": player.isOn ? "off" : "polite" });
    if (wasOn && !player.isOn) finding.replaceChildren(finding.textContent);
  }

  label() {
    const says = this.isRacing ? "▶ Go on" : this.isWhole ? "▶ Race" : "Move them apart";
    this.play.textContent = this.player.isOn ? "❚❚ Pause" : says;
  }
}

/** One network: its nodes and what they read, and the way of the news. */
class Lane {
  constructor({ name, n, layers, sees, edges }, words) {
    Object.assign(this, { name, n, layers, sees, edges, words });
    this.count = el("strong");
    this.drawing = svg("svg", { role: "img" });
    this.node = el(
      "section.lane",
      { "aria-label": name },
      el("p.name", name, " ", el("small", sees), " ", this.count),
      this.drawing,
    );
  }

  /** The output at word j with all that it hears, and the way to it from word i, for the room that the drawing has. */
  draw(i, j, tick) {
    const { n, layers, edges, drawing, words } = this;
    const across = (drawing.clientWidth - 2 * EDGE) / Math.max(1, n - 1);
    const floor = drawing.clientHeight - LABEL;
    const up = (floor - LABEL) / layers;
    const place = (node) => {
      const [layer, at] = placeOf(node);
      return [EDGE + at * across, floor - layer * up];
    };
    const way = wayTo(edges, i, j);
    this.steps = way.length - 1;
    const times = heard(edges, `0,${i}`);
    const hears = heard(edges, way.at(-1), true);
    const r = Math.max(1.6, Math.min(5, 0.16 * across, 0.2 * up));
    const lines = edges.filter(([, , c, d]) => hears.has(`${c},${d}`));
    const nodes = new Set([...words.keys()].map((at) => `0,${at}`));
    for (const node of hears.keys()) nodes.add(node);
    this.dots = [...nodes].map((node) => {
      const [cx, cy] = place(node);
      return [times.get(node) ?? Infinity, svg("circle", { cx, cy, r })];
    });
    this.at = way.map(place);
    this.hops = this.at.slice(1).map(([x, y], from) => svg("path.way", { d: `M${this.at[from]} L${x} ${y}` }));
    const size = beadOf(this.at);
    this.beads = this.at.slice(1).map(([x, y], before) => {
      if (before < this.steps - 1) return svg("g.bead", svg("circle", { cx: x, cy: y, r: size / 2 }));
      const number = svg("text.middle", { x, y: y + 4.5 }, String(before + 1));
      return svg("g.bead", svg("circle", { cx: x, cy: y, r: LAST }), number);
    });
    const half = (this.half = 4.5 * words[i].length + 9);
    const box = svg("rect", { x: -half, y: -14, width: 2 * half, height: 28, rx: 8 });
    const style = `transform: ${this.reached(tick)}`;
    this.pulse = svg("g.pulse", { style }, box, svg("text.middle", { y: 5 }, words[i]));
    const [start, end] = [this.at[0], this.at.at(-1)];
    const text = ([x, y], word) => {
      const share = (x - EDGE) / (drawing.clientWidth - 2 * EDGE);
      const anchor = share < 0.2 ? "start" : share > 0.8 ? "end" : "middle";
      return svg("text", { x: x + { start: -EDGE, middle: 0, end: EDGE }[anchor], y, "text-anchor": anchor }, word);
    };
    const net = lines.map(([a, b, c, d]) => `M${place(`${a},${b}`)} L${place(`${c},${d}`)}`).join(" ");
    const [first, last] = [words[i], words[j]];
    drawing.setAttribute("aria-label", `${this.name}, ${this.sees}: from “${first}” to the output at “${last}”.`);
    drawing.replaceChildren(
      svg("path.reads", { d: net }),
      ...this.dots.map(([, dot]) => dot),
      ...this.hops,
      svg("circle.goal", { cx: end[0], cy: end[1], r: 8 }),
      svg("circle.from", { cx: start[0], cy: start[1], r: 8 }),
      ...this.beads,
      text([start[0], start[1] + 30], first),
      text([end[0], end[1] - 18], last),
      this.pulse,
    );
  }

  /** Where the news is by then. */
  reached(tick) {
    const [x, y] = this.at[Math.min(tick, this.steps)];
    const most = this.drawing.clientWidth - this.half; // a word stays in the drawing
    return `translate(${Math.max(this.half, Math.min(most, x))}px, ${y}px)`;
  }

  show(tick) {
    const now = Math.min(tick, this.steps);
    for (const [time, dot] of this.dots) dot.setAttribute("class", time <= tick ? "heard" : "node");
    for (const parts of [this.hops, this.beads]) parts.forEach((part, at) => part.classList.toggle("on", at < now));
    this.pulse.style.transform = this.reached(tick);
    this.count.textContent = !tick ? "…" : tick >= this.steps ? counted(this.steps, "step") : `${now} …`;
    this.node.classList.toggle("there", tick >= this.steps);
  }
}

export default mount(".race", Race);
