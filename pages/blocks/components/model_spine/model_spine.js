// A whole model on its stream. Who presses a block, a residual connection or a norm takes it out, or puts it back;
// beside it stands what the model says as it is, and without what is out. A block that was out tells what it is worth
// by itself; the others wait for the hand, or for the dark button, which tries one after the other.

import { el, mirror, mount, percent, put, shorten, svg, windowHeight, write } from "../../../../attention_view/lab.js";
import { firstBeat } from "../../../../attention_view/controls.js";
import { isOut, KINDS, NOTHING, pressed } from "./cuts.js";
import { marksOf, placesOf } from "./places.js";
import { spine } from "./spine.js";

const NARROW = 700, // below this width what it says stands above the model
  ASIDE = 300, // pixels for what it says, beside the model
  ROOMY = 84, // pixels of a layer, with its share of both ends, in which blocks have room for their names
  BEAT = 3000, // milliseconds
  SIDES = ["attention", "feed-forward"],
  COLUMNS = ["attention", "norm1", "residual1", "residual2", "norm2", "feed-forward"]; // as arrow keys pass them

/** Whether there is nothing to read in it, as in a full stop: alone it is taken for a dot, and is framed. */
export const isSign = (word) => !/[\p{L}\p{N}]/u.test(word);

/** Where an arrow key leads to from a part, of so many layers: up is up the stream. Null where it leads nowhere. */
export function beside(key, part, n_layers) {
  const [name, layer] = part.split(".");
  const [column, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [];
  const to = COLUMNS[COLUMNS.indexOf(name) + column];
  const at = Number(layer) + up;
  return to && at >= 0 && at < n_layers ? `${to}.${at}` : null;
}

/** A word for the eye: of a piece that goes on within a word, the dots say so. */
export const shown = (word, n) => shorten(word.replace(/^##(?=.)/, "…"), n);

const nameOf = (part) => {
  const [kind, layer] = part.split(".");
  const sublayer = kind.endsWith("2") ? "feed-forward" : "attention";
  if (kind.startsWith("norm")) return `norm of ${sublayer}, layer ${layer}`;
  return kind.startsWith("residual") ? `residual around ${sublayer}, layer ${layer}` : `${kind}, layer ${layer}`;
};

const PATIENCE = 4000; // milliseconds in which a press holds against other answers

/** Whether two links name the same parts, in whatever order. */
const isSame = (one, other) => String(one.split(",").sort()) === String(other.split(",").sort());

class ModelSpine {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_plug", this.asked || null, ""), 100);
    this.said = [0, 1].map((n) => {
      const parts = { name: el("p.name"), word: el("b"), odds: el("span.odds"), more: el("p.more") };
      const node = el(
        n ? "div.verdict.torn" : "div.verdict",
        n ? { "aria-live": "polite" } : {},
        parts.name,
        el("p", parts.word, parts.odds),
        parts.more,
      );
      return { ...parts, node };
    });
    this.before = el("p.before");
    this.back = el("button.back", { onclick: () => this.become(NOTHING) }, "Put all back");
    this.next = el("button.primary", { onclick: () => this.become(this.untried) }, "Try another block");
    const hint = el("p.hint", "Press a part to take it out.");
    const acts = el("div.acts", this.next, this.back);
    this.aside = el("div.aside", this.before, ...this.said.map(({ node }) => node), hint, acts);
    this.drawing = el("div.drawing", { "aria-hidden": "true" });
    this.parts = el("div.parts");
    this.ends = [el("span.end"), el("span.end")];
    this.kinds = Object.keys(KINDS).map((kind) => this.kind(kind));
    const [left, right, residual, norm] = this.kinds;
    this.layers = el("div.layers", { "aria-hidden": "true" });
    const model = { role: "group", "aria-label": "The parts of the model" };
    this.chart = el("div.chart", model, this.drawing, this.layers, ...this.ends, left, right, this.parts);
    this.legend = el("span");
    this.foot = el("div.foot", this.legend, el("span.marks", residual, norm));
    root.replaceChildren(el("div.halves", this.aside, this.chart), this.foot);
    this.parts.onkeydown = (event) => this.step(event);
    this.resized = () => this.draw();
    this.current = "attention.0"; // the part that the Tab key comes to
    this.tried = new Set(); // the blocks that were out
  }

  /** The name of a kind, which takes all of its kind out. */
  kind(kind) {
    const mark = { Residual: "M2 12V2", Norm: "M7 2V12" }[kind];
    const sign = mark && svg("svg", { class: kind.toLowerCase(), viewBox: "0 0 14 14" }, svg("path", { d: mark }));
    const label = { Residual: "residual connections", Norm: "norms" }[kind] ?? kind.toLowerCase();
    const title = `Take ${kind === "Residual" ? "all residual connections" : `every ${kind.toLowerCase()}`} out`;
    return el("button.kind", { title, onclick: () => this.press(kind) }, sign, label);
  }

  update(data, { setTriggerValue }) {
    const isFirst = !this.data;
    this.send = (out) => setTriggerValue("out", out);
    if (JSON.stringify(data.costs) !== JSON.stringify(this.data?.costs)) this.tried.clear(); // of another model or text
    this.data = data;
    // The answer to an earlier press may come after a later one: that one holds until its own answer is there.
    const isOld = this.waits && performance.now() < this.waits.until && !isSame(this.waits.out, data.out);
    if (!isOld) Object.assign(this, { out: data.out, asked: data.asked, waits: null });
    this.model = { n_layers: data.n_layers, isPre: data.is_pre_norm, isParallel: data.is_parallel };
    this.draw();
    if (this.asked) this.link.later();
    if (isFirst && !this.asked && this.places) this.endBeat = this.beat();
  }

  destroy() {
    this.endBeat?.();
  }

  /** Once, the model is whole; then its costliest part goes out, and it says another word. */
  beat() {
    const out = this.out;
    let timer;
    const begin = () => {
      this.root.dataset.beat = "whole";
      this.show(NOTHING);
      timer = setTimeout(() => this.show(out), BEAT / 2);
    };
    const end = () => {
      clearTimeout(timer);
      delete this.root.dataset.beat;
      this.show(this.out);
    };
    return firstBeat("spine", BEAT, begin, end);
  }

  press(part) {
    this.become(pressed(part, this.out, this.data.n_layers));
  }

  become(out) {
    const acts = [this.next, this.back];
    const held = acts.find((button) => button === this.root.getRootNode().activeElement);
    this.out = this.asked = out;
    this.waits = { out, until: performance.now() + PATIENCE };
    this.show(out);
    // A button that goes hands the focus on.
    if (held && !held.offsetWidth)
      (acts.find(({ offsetWidth }) => offsetWidth) ?? this.named.get(this.current)).focus();
    this.link.now();
    this.send(out);
  }

  draw() {
    const room = this.root.clientWidth;
    if (!room) return;
    const { n_layers, before } = this.data;
    const isNarrow = room < NARROW;
    this.root.classList.toggle("narrow", isNarrow);
    const tall = isNarrow ? 344 : Math.max(340, Math.min(760, windowHeight(this.root) - 212));
    const isNamed = tall / n_layers > ROOMY;
    this.root.classList.toggle("named", isNamed);
    this.places = placesOf(isNarrow ? room : room - ASIDE - 20, tall, n_layers, isNarrow || isNamed);
    this.chart.style.height = `${this.places.height}px`;
    const last = before.at(-1) ?? "";
    this.before.textContent = before.length ? `… ${before.join(" ")}` : "";
    write(this.ends[1], shown(last, 12));
    this.heads();
    this.buttons();
    this.show(this.root.dataset.beat ? NOTHING : this.out);
  }

  /** What stands around the layers: the two kinds above them, their numbers, and the words at both ends of the
   * stream. */
  heads() {
    const { side, cx, top, row, height } = this.places;
    for (const n of [0, 1]) this.kinds[n].style.cssText = `left:${side[n].x}px;max-width:${side[n].wide}px`;
    this.ends.forEach((end, n) => (end.style.cssText = `left:${cx}px;top:${n ? height - 24 : 0}px`));
    const isNarrow = this.root.classList.contains("narrow");
    const label = (layer) => {
      const style = `top:${top(layer)}px;height:${row - this.places.gap}px`;
      return el("span", { style }, isNarrow ? String(layer) : `layer ${layer}`);
    };
    this.layers.replaceChildren(...Array.from({ length: this.data.n_layers }, (_, layer) => label(layer)));
  }

  /** A button per part; they stay the same elements, so that those that go out can be seen to go. */
  buttons() {
    const { n_layers } = this.data;
    const { row, gap, side, top } = this.places;
    const names = Array.from({ length: n_layers }, (_, layer) => COLUMNS.map((name) => `${name}.${layer}`)).flat();
    if (!names.includes(this.current)) this.current = names[0];
    if (this.parts.children.length !== names.length)
      this.parts.replaceChildren(...names.map((part) => this.button(part)));
    this.named = new Map([...this.parts.children].map((node) => [node.dataset.part, node]));
    for (const [part, node] of this.named) {
      const [name, layer] = part.split(".");
      node.tabIndex = part === this.current ? 0 : -1;
      const n = SIDES.indexOf(name);
      if (n < 0) this.placeMark(node, name, Number(layer));
      else {
        const { x, wide } = side[n];
        const size = Math.max(13, Math.min(26, Math.round(0.42 * row)));
        const tall = row - gap;
        node.style.cssText = `left:${x}px;top:${top(layer)}px;width:${wide}px;height:${tall}px;font-size:${size}px`;
      }
    }
  }

  button(part) {
    const isBlock = SIDES.includes(part.split(".")[0]);
    const tag = isBlock ? `button.block.${part.split(".")[0]}` : "button.mark";
    const inside = isBlock ? [el("i.bar"), el("em"), el("p", el("i.lead"), el("b"), " ", el("span"))] : [];
    const onclick = () => {
      this.current = part;
      this.press(part);
      this.focusable();
    };
    return el(tag, { "data-part": part, onclick }, ...inside);
  }

  /** What is told of the block of this button. */
  fill(node, isAnswering) {
    const [name, layer] = node.dataset.part.split(".");
    const cost = this.data.costs?.[layer][SIDES.indexOf(name)];
    const isTold = cost && (!isAnswering || this.tried.has(node.dataset.part));
    const [bar, label, { children }] = node.children;
    const [lead, word, share] = children;
    bar.style.width = `${isTold ? 100 * cost.moved : 0}%`;
    node.classList.toggle("untold", Boolean(cost) && !isTold);
    write(label, nameOf(node.dataset.part));
    write(lead, !isTold ? "" : cost.word ? "without it: " : "moves without it: ");
    write(word, isTold ? shown(cost.word, 9) : cost ? "?" : "");
    write(share, isTold ? cost.odds || percent(cost.moved, 0) : cost ? "press to try" : "");
  }

  /** The block that was not out yet and is highest up; undefined once all were. */
  get untried() {
    const layers = Array.from({ length: this.model.n_layers }, (_, layer) => this.model.n_layers - 1 - layer);
    return layers.flatMap((layer) => SIDES.map((side) => `${side}.${layer}`)).find((part) => !this.tried.has(part));
  }

  /** What the bars mean, and once every block was out, which of them the model cannot do without. */
  explain(isAnswering) {
    const { costs, finding } = this.data;
    const [n, all] = [this.tried.size, 2 * this.model.n_layers];
    const bar = isAnswering ? "how much of its certainty moves" : "how much of the probability moves";
    if (!costs) this.legend.textContent = "";
    else if (!isAnswering) this.legend.textContent = `Bar: ${bar} to other words without that block alone.`;
    else if (n === all) this.legend.replaceChildren(el("b", finding));
    else this.legend.textContent = `${n} of ${all} blocks tried. Bar: ${bar} to other words without that block alone.`;
  }

  placeMark(node, name, layer) {
    const n = name.endsWith("2") ? 1 : 0;
    const { residual, norm } = marksOf(this.places, layer, n, this.model);
    const isNorm = name.startsWith("norm");
    const tall = isNorm ? Math.min(26, 0.24 * this.places.row) : residual.from - residual.to;
    const [x, y] = isNorm ? [norm.x, norm.y] : [this.places.cx, (residual.from + residual.to) / 2];
    node.style.cssText = `left:${x - 13}px;top:${y - tall / 2}px;width:26px;height:${tall}px`;
    put(node, { "aria-label": nameOf(node.dataset.part), title: nameOf(node.dataset.part) });
  }

  focusable() {
    for (const [part, node] of this.named) node.tabIndex = part === this.current ? 0 : -1;
  }

  step(event) {
    const to = beside(event.key, event.target.closest("button").dataset.part, this.data.n_layers);
    if (!to) return;
    event.preventDefault();
    this.current = to;
    this.focusable();
    this.named.get(to).focus();
  }

  /** The model without these parts: which blocks stand off, how the stream runs, and what is said. */
  show(out) {
    const { places, model, data } = this;
    if (!places) return;
    this.root.dataset.out = out;
    this.showBlocks(out, Boolean(data.costs?.[0][0].word));
    this.drawing.replaceChildren(spine(places, model, out));
    Object.keys(KINDS).forEach((kind, n) => put(this.kinds[n], { "aria-pressed": String(isOut(kind, out)) }));
    const [whole, torn] = data.verdicts;
    this.say(0, whole);
    const isWhole = out === NOTHING;
    const now = isWhole ? whole : out === data.out ? torn : this.alone(out);
    this.say(1, isWhole ? { name: "", word: "", odds: "", more: "" } : now);
    this.root.classList.toggle("whole", isWhole);
    write(this.ends[0], shown(now.word, 12));
  }

  /** Which blocks stand off, and what is told of each. */
  showBlocks(out, isAnswering) {
    const { pull } = this.places;
    for (const [part, node] of this.named) if (node.matches(".block") && isOut(part, out)) this.tried.add(part);
    this.explain(isAnswering);
    this.next.hidden = !isAnswering || !this.untried;
    for (const [part, node] of this.named) {
      const isGone = isOut(part, out);
      node.setAttribute("aria-pressed", String(isGone));
      const by = isGone && SIDES.indexOf(part.split(".")[0]) === 0 ? -pull : isGone ? pull : 0;
      if (!node.matches(".block")) continue;
      node.style.transform = by ? `translateX(${by}px)` : "";
      this.fill(node, isAnswering);
    }
  }

  /** What is known of a model without one block before the server has said so; of any other, that it is on its way. */
  alone(out) {
    const [name, layer] = out.split(".");
    const cost = this.data.costs?.[layer]?.[SIDES.indexOf(name)];
    if (!cost?.word) return { name: "…", word: "", odds: "", more: "" };
    return { name: `without ${name} in layer ${layer}`, word: cost.word, odds: cost.odds, more: "" };
  }

  say(n, { name, word, odds, more }) {
    const { name: title, word: big, odds: share, more: line } = this.said[n];
    write(title, name);
    write(big, shown(word || odds, 11));
    big.className = word && isSign(word) ? "sign" : "";
    write(share, word ? odds : "");
    write(line, more);
  }
}

export default mount(".model-spine", ModelSpine);
