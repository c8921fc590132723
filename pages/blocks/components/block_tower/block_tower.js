// The blocks of a model as a tower of drawers, and above it the words that it says next all along a text, the right
// ones in ink. A block that is pulled adds the less the further it is out, and the words follow the hand; out, it keeps
// how many were left right. Of a model that goes on with no text it is told what it answers and how much of the
// probability moves.

import { boxOf, el, mirror, mount, put, svg, windowHeight, write } from "../../../../attention_view/lab.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { isOut, NOTHING, pressed } from "./cuts.js";
import { beside, layoutOf, rowsOf } from "./rows.js";
import { addsOf, Pull } from "./pull.js";
import { BARE, Turns } from "./turns.js";
import { Answer, recite, weigh } from "./answer.js";
import { drawShape } from "./shapes.js";
import {
  briefOf,
  findingOf,
  longestOf,
  missedMost,
  nameOf,
  readOf,
  rightIn,
  togetherOf,
  verdictOf,
  withShare,
} from "./said.js";

const AROUND = 182; // pixels of a window that are not the figure's, above it and below the rows
const [LOWEST, TALLEST, ON_A_PHONE] = [26, 72, 50], // pixels of a row
  [FEW, MANY] = [6, 24], // tokens of a text, where there is little room and where there is more
  [REACH, IN_A_PAIR] = [0.3, 10]; // of a row that a block is pulled; pixels, where there is less room
const STRONG = 0.1; // of the probability: a block that moves as much is missed
const SIDES = ["attention", "feed-forward"];

/** The parts that a link names, in whatever order. */
const sortedParts = (out) => String(out.split(",").sort());

export class BlockTower {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_plug", this.out, NOTHING), 100);
    this.presses = new Presses(() => this.become(this.data.out));
    this.words = el("p.words");
    this.verdict = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.turns.goOn() });
    this.head = el("div.head", { "aria-hidden": "true" });
    this.row = el("div.cells", { "aria-hidden": "true" });
    this.count = el("b.count");
    this.line = el("div.line", this.row, this.count);
    this.rows = el("div.rows", { role: "group", "aria-label": "The blocks of the model, the last one first" });
    this.rows.onkeydown = (event) => this.step(event);
    this.hand = new Pull(this);
    this.turns = new Turns(this);
    this.answer = new Answer();
    root.replaceChildren(
      this.words,
      (this.headline = el("div.headline", this.verdict, this.act)),
      this.line,
      el("div.tower", this.head, this.rows),
      this.answer.right,
    );
    this.resized = () => this.draw();
    Object.assign(this, { current: "", held: null });
    this.forget();
  }

  /** Nothing is told of any block, and nobody has guessed which one is missed. */
  forget() {
    Object.assign(this, { told: new Set(), guess: null, wasBare: false });
  }

  destroy() {
    this.turns.stop();
  }

  update(data, { setTriggerValue }) {
    const model = JSON.stringify([data.costs, data.whole]);
    if (model !== this.model) {
      this.turns.stop();
      this.forget(); // another model, or another text
    }
    this.model = model;
    this.send = (out) => setTriggerValue("out", out);
    Object.assign(this, {
      data,
      asWhole: { name: "nothing", moved: 0, leaders: data.whole, words: data.words, more: "" },
    });
    if (this.presses.isNews(sortedParts(data.out))) this.out = data.out;
    this.draw();
    this.link.later();
  }

  // ---- what is out ------------------------------------------------------------------------------------------------

  /** By a hand: the first block that it takes is its guess. */
  toggle(part) {
    this.turns.halt();
    if (!this.told.size && part.includes(".")) this.guess = part;
    this.press(pressed(part, this.out, this.data.n_layers));
  }

  press(out) {
    this.presses.add(sortedParts(out));
    this.become(out);
    this.send(out);
  }

  become(out) {
    this.out = out;
    this.show();
    this.link.now();
  }

  /** The lowest block of which nothing is told yet. */
  get next() {
    return this.blocks.findLast((block) => !this.told.has(block));
  }

  get blocks() {
    return rowsOf(this.data.n_layers).flat();
  }

  /** The blocks told of, [block, the words that are said without it] each. */
  get read() {
    return [...this.told].map((block) => [block, this.costOf(block)?.words ?? []]).filter(([, words]) => words.length);
  }

  /** How many parts are out; a whole kind is several. */
  get nOut() {
    if (this.out === NOTHING) return 0;
    return this.out.split(",").reduce((n, part) => n + (part.includes(".") ? 1 : 2), 0);
  }

  // ---- the tower --------------------------------------------------------------------------------------------------

  draw() {
    const room = this.root.clientWidth;
    if (!room) return;
    const rows = rowsOf(this.data.n_layers);
    const { whole, words } = this.data;
    const layout = layoutOf(this.data.n_layers, room);
    const reads = words.length > 0;
    const classes = { ...layout, mute: !whole.length, reads };
    for (const [name, isOn] of Object.entries(classes)) this.root.classList.toggle(name, isOn);
    this.headings(reads);
    recite(this.row, words, this.data);
    const above = boxOf(this.rows).top - boxOf(this.root).top;
    const tall = (windowHeight(this.root) - AROUND - above) / rows.length;
    this.isBrief = layout.brief;
    this.off = layout.pairs ? IN_A_PAIR : Math.round(REACH * room);
    this.root.style.setProperty("--off", `${this.off}px`);
    this.root.style.setProperty(
      "--row",
      `${Math.max(LOWEST, Math.min(layout.narrow ? ON_A_PHONE : TALLEST, Math.floor(tall)))}px`,
    );
    this.layers(rows);
    for (const [part, node] of this.named) drawShape(node.lastChild, part, this.data);
    this.words.hidden = !this.data.tokens.length || reads;
    this.answer.write(this.words, this.data, layout.narrow ? FEW : MANY);
    this.show();
  }

  /** What stands above the rows of a model that goes on with no text. */
  headings(reads) {
    const { words, n_layers } = this.data;
    const heads = ["without this block", "probability lost to other words", "it says"];
    this.head.replaceChildren(...(reads ? [] : heads.map((text) => el("span", text))));
    this.line.hidden = !reads;
    const name = nameOf(`feed-forward.${n_layers - 1}`).replace(",", " in");
    const says = reads
      ? [readOf(words, { name, words: [], share: 0.9 }, [], [], false), verdictOf(name, 0, words.length, 10)]
      : [longestOf(this.data)];
    steady(this.headline, says, [BARE]);
  }

  /** A row per block, which stay the same elements, so that those that go out can be seen to go. */
  layers(rows) {
    if (this.named && this.data.n_layers === this.n_layers) return;
    this.n_layers = this.data.n_layers;
    this.rows.replaceChildren(...rows.map((row) => el("div.row", ...row.map((block) => this.cell(block)))));
    this.named = new Map([...this.rows.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
    this.current = rows[0][0];
  }

  /** A block, which is pulled by the gap around it as well, or by Shift and an arrow. */
  cell(part) {
    const keys = { "aria-keyshortcuts": "Shift+ArrowRight Shift+ArrowLeft" };
    const block = el("button.block", { "data-part": part, ...keys, onclick: () => this.touch(part) }, ...this.inside());
    return el("div.slot", { onpointerdown: (event) => this.hand.press(event, part) }, block);
  }

  inside() {
    return [
      el("em"),
      el("span.gauge", el("i")),
      el("b.moves"),
      el("span.says"),
      svg("svg.shape", { "aria-hidden": "true", preserveAspectRatio: "none" }),
    ];
  }

  touch(part) {
    this.current = part;
    if (!this.hand.isOn) this.toggle(part); // a pull has done that already
  }

  step(event) {
    const node = event.target.closest("button");
    const isPull = this.hand.key(event, node);
    const to = beside(event.key, node.dataset.part, rowsOf(this.data.n_layers));
    if (isPull || to) event.preventDefault();
    if (isPull || !to) return;
    this.current = to;
    this.focusable();
    this.named.get(to).focus();
  }

  focusable() {
    for (const [part, node] of this.named) node.tabIndex = part === this.current ? 0 : -1;
  }

  // ---- the model without these parts ------------------------------------------------------------------------------

  show() {
    const { data, out } = this;
    if (!this.named) return;
    this.root.dataset.out = out;
    for (const part of out.split(",")) if (this.named.has(part)) this.told.add(part);
    const [now, { held }] = [this.without(out), this];
    const isWhole = held ? now === this.asWhole : out === NOTHING;
    this.root.classList.toggle("untold", !this.told.size);
    const told = now && togetherOf(now, out);
    const says = data.words.length
      ? () => readOf(data.words, isWhole ? null : told, data.tokens, this.read, !this.next, this.guess)
      : () => findingOf(told, data.whole, isWhole, this.next);
    write(this.verdict, now ? says() : "…");
    write(this.act, this.turns.offer);
    for (const [part, node] of this.named) this.fill(part, node, isOut(part, out), now);
    this.focusable();
    if (!now) return;
    this.answer.show(data, now);
    recite(this.row, now.words, data);
    write(this.count, String(rightIn(now.words)));
  }

  /** What is said without these parts: of one block, at once, and of a share of it; of others, once the server has said
   * so; else null. */
  without(out) {
    if (this.held && [NOTHING, this.held.part].includes(out)) return this.withShare(this.held);
    if (sortedParts(out) === sortedParts(this.data.out)) return this.data.verdict;
    return out === NOTHING ? this.asWhole : this.withShare({ part: out, share: 0 });
  }

  withShare({ part, share }) {
    return withShare(this.costOf(part), part, share, this.asWhole);
  }

  /** Whether a block is missed: all of them are told of and none costs more words, or it moves much. */
  isMost(part, cost) {
    if (!this.data.words.length) return Boolean(cost) && cost.moved >= STRONG;
    return !this.next && missedMost(this.read).includes(part);
  }

  costOf(part) {
    const [name, layer] = part.split(".");
    return this.data.costs?.[layer]?.[SIDES.indexOf(name)] ?? null;
  }

  /** Whether it is known what is said with a share of this block: where it is quick, and no other part is out. */
  knowsShares(part) {
    return [NOTHING, part].includes(this.out) && this.costOf(part)?.ways.at(-1)?.length > 0;
  }

  /** What is told of a part: by itself, also where others are out as well; where that is not known, of all that are
   * out. now: of those, or null until that is known. */
  effectOf(part, isGone, now) {
    if (!this.told.has(part)) return null;
    return this.costOf(part) ?? (isGone ? now : null);
  }

  fill(part, node, isGone, now) {
    node.setAttribute("aria-pressed", String(isGone));
    node.classList.toggle("gone", isGone);
    const { data, held } = this;
    const isHeld = held?.part === part;
    const cost = isHeld ? now : this.effectOf(part, isGone, now);
    node.parentElement.dataset.adds = isHeld ? addsOf(held.share, this.knowsShares(part)) : isGone ? "out" : "";
    node.classList.toggle("told", isHeld || this.told.has(part));
    node.classList.toggle("strong", this.isMost(part, cost));
    write(node.firstChild, this.isBrief ? briefOf(part) : nameOf(part));
    const told = weigh(node, cost, data);
    const mine = part === this.guess && cost ? "your guess" : "";
    if (data.words.length) write(node.querySelector(".says"), mine);
    put(node, { "aria-label": [`${nameOf(part)} ${told}`.trim(), mine].filter(Boolean).join(", ") });
  }
}

export default mount(".block-tower", BlockTower);
