// The blocks of a model as a tower, with the word that it says next. Who presses a block takes it out, or puts it back:
// beside each stands how much of the probability moves without it. It opens with each block out in turn, and
// rests on the one that is missed most. Residual connections and norms go out as well, once one asks for them.

import {
  el,
  mirror,
  mount,
  put,
  shorten,
  still,
  wholePercent,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { Turns } from "../../../../lab/kit/components/turns.js";
import { isOut, KINDS, NOTHING, pressed } from "./cuts.js";
import { aroundOf, beside, layoutOf, rowsOf } from "./rows.js";
import { Answer } from "./answer.js";
import { briefOf, findingOf, longestOf, nameOf, pieceOf, saidOf } from "./said.js";

const [ABOVE, MORE] = [366, 12], // pixels of a window around the rows, and how many more where all parts are shown
  [LOWEST, TALLEST, ON_A_PHONE] = [26, 84, 54], // pixels of a row
  ROUND = 3000, // milliseconds in which each block is out once
  PATIENCE = 4000, // milliseconds in which a press holds against other answers
  [FEW, MANY] = [6, 24], // tokens before the answer, where there is little room and where there is more
  STRONG = 0.1; // of the probability: a block that moves as much is missed
const SIDES = ["attention", "feed-forward"];
const OTHERS = ["Residual", "Norm"]; // kinds that are no blocks

/** Whether two links name the same parts, in whatever order. */
const isSame = (one, other) => String(one.split(",").sort()) === String(other.split(",").sort());

class BlockTower {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_plug", this.asked || null, ""), 100);
    this.words = el("p.words");
    this.verdict = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.press() });
    const head = ["without this block", "probability lost to other words", "it says"];
    this.head = el("div.head", { "aria-hidden": "true" }, ...head.map((text) => el("span", text)));
    this.rows = el("div.rows", { role: "group", "aria-label": "The blocks of the model, the last one first" });
    this.rows.onkeydown = (event) => this.step(event);
    this.answer = new Answer();
    this.kinds = Object.keys(KINDS).map((kind) => this.kind(kind));
    this.more = el("button.more", { onclick: () => this.open(!this.isOpen) }, "Residual connections and norms");
    root.replaceChildren(
      this.words,
      (this.headline = el("div.headline", this.verdict, this.act)),
      el("div.tower", this.head, this.rows),
      this.answer.others,
      el("div.kinds", this.more, ...this.kinds, this.answer.right),
    );
    this.resized = () => this.draw();
    this.current = ""; // the part that the Tab key comes to
    Object.assign(this, { isOpen: false, hasJustTurned: false });
    const show = () => this.show();
    this.turns = new Turns(root, { turned: show, rested: show });
  }

  /** The name of a kind, which takes all of its kind out. */
  kind(kind) {
    const label = { Residual: "all residual connections", Norm: "all norms" }[kind] ?? `all ${kind.toLowerCase()}`;
    return el("button.kind", { "data-kind": kind, onclick: () => this.toggle(kind) }, label);
  }

  update(data, { setTriggerValue }) {
    const isFirst = !this.data;
    this.send = (out) => setTriggerValue("out", out);
    this.data = data;
    // The answer to an earlier press may come after a later one: that one holds until its own answer is there.
    const isOld = this.waits && performance.now() < this.waits.until && !isSame(this.waits.out, data.out);
    if (!isOld) this.agree();
    if (OTHERS.some((kind) => KINDS[kind].some((part) => data.out.includes(part)) || data.out.includes(kind)))
      this.isOpen = true;
    this.draw();
    if (this.asked) this.link.later();
    if (isFirst && !this.asked && data.costs && this.root.clientWidth) this.endBeat = this.beat();
  }

  destroy() {
    clearTimeout(this.patience);
    this.endBeat?.();
    this.turns.rest();
  }

  /** What the server says holds. */
  agree() {
    clearTimeout(this.patience);
    Object.assign(this, { out: this.data.out, asked: this.data.asked, waits: null });
  }

  /** No answer came: what the server said last holds. */
  yield() {
    this.agree();
    this.link.now();
    this.show();
  }

  // ---- what is out ------------------------------------------------------------------------------------------------

  /** A part that is pressed while each is out in turn, even if the press itself has ended that, is out alone. */
  toggle(part) {
    const from = this.turns.isOn || this.hasJustTurned ? NOTHING : this.out;
    this.hasJustTurned = false;
    this.turns.rest();
    this.become(pressed(part, from, this.data.n_layers));
  }

  become(out) {
    this.out = this.asked = out;
    this.waits = { out, until: performance.now() + PATIENCE };
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.yield(), PATIENCE);
    this.show();
    this.link.now();
    this.send(out);
  }

  /** The dark button: what is out is put back, or each block is taken out in turn. Who stops the turns keeps the block
   * that is out. */
  press() {
    if (this.turns.isOn) {
      const out = this.turning;
      this.turns.rest();
      this.become(out);
    } else if (this.out !== NOTHING) this.become(NOTHING);
    else if (this.data.costs && !still()) this.play(() => this.become(this.missed));
    else this.become(this.missed);
  }

  /** The block that is missed most; without costs, the last layer's attention. */
  get missed() {
    const { costs, n_layers } = this.data;
    if (!costs) return `attention.${n_layers - 1}`;
    const moved = costs.flat().map((cost) => Math.round(100 * cost.moved));
    return this.blockAt(moved.lastIndexOf(Math.max(...moved)));
  }

  // ---- one block after the other ----------------------------------------------------------------------------------

  /** The page opens with each block taken out in turn, from the first to the last. */
  beat() {
    const next = () => (this.hasJustTurned = false);
    const end = () => {
      if (!this.turns.isOn) return;
      this.turns.rest();
      this.hasJustTurned = true; // until there is another press
      for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, next, { capture: true, once: true });
    };
    return firstBeat("blocks", ROUND, () => this.play(() => this.show()), end);
  }

  /** Takes each block out in turn, and says what that did; then ends. */
  play(end) {
    this.turns.play(2 * this.data.n_layers, ROUND, end);
  }

  blockAt(index) {
    return `${SIDES[index % 2]}.${Math.floor(index / 2)}`;
  }

  /** The block whose turn it is. */
  get turning() {
    return this.blockAt(this.turns.at);
  }

  /** Whether a block's turn is still to come. */
  waitsFor(block) {
    const [side, layer] = block.split(".");
    return this.turns.isOn && 2 * Number(layer) + SIDES.indexOf(side) > this.turns.at;
  }

  // ---- the tower --------------------------------------------------------------------------------------------------

  draw() {
    const room = this.root.clientWidth;
    if (!room) return;
    const rows = rowsOf(this.data.n_layers);
    const answers = this.data.whole.length > 0;
    const layout = layoutOf(this.data.n_layers, room);
    const tallest = layout.narrow ? ON_A_PHONE : TALLEST;
    for (const [name, isOn] of Object.entries({ ...layout, mute: !answers })) this.root.classList.toggle(name, isOn);
    steady(this.headline, [longestOf(this.data)], [this.offer]); // two parts may take a second line
    const grown = layout.narrow ? 0 : this.headline.offsetHeight - this.act.offsetHeight;
    const tall = (windowHeight(this.root) - ABOVE - grown - (this.isOpen ? MORE : 0)) / rows.length;
    this.isBrief = layout.brief;
    this.root.style.setProperty("--row", `${Math.max(LOWEST, Math.min(tallest, Math.floor(tall)))}px`);
    this.layers(rows);
    this.sentence(layout.narrow ? FEW : MANY);
    this.show();
  }

  /** A row per block, which stay the same elements, so that those that go out can be seen to go. */
  layers(rows) {
    if (this.named && this.data.n_layers === this.n_layers) return;
    this.n_layers = this.data.n_layers;
    const cell = (block) =>
      el("div.cell", this.block(block), el("div.around", ...aroundOf(block).map((part) => this.small(part))));
    this.rows.replaceChildren(...rows.map((row) => el("div.row", ...row.map(cell))));
    const buttons = [...this.rows.querySelectorAll("[data-part]")];
    this.named = new Map(buttons.map((node) => [node.dataset.part, node]));
    this.current = rows[0][0];
  }

  block(part) {
    const inside = [el("em", nameOf(part)), el("span.gauge", el("i")), el("b.moves"), el("span.says")];
    return el("button.block", { "data-part": part, onclick: () => this.touch(part) }, ...inside);
  }

  small(part) {
    const label = part.startsWith("norm") ? "norm" : "residual";
    const props = { "data-part": part, "aria-label": nameOf(part), title: nameOf(part) };
    return el("button.small", { ...props, onclick: () => this.touch(part) }, label);
  }

  touch(part) {
    this.current = part;
    this.toggle(part);
  }

  /** Shows residual connections and norms, or not. */
  open(isOpen) {
    this.isOpen = isOpen;
    if (!isOpen && !SIDES.includes(this.current.split(".")[0])) this.current = rowsOf(this.data.n_layers)[0][0];
    this.draw();
  }

  step(event) {
    const with_ = (block) => (this.isOpen ? [block, ...aroundOf(block)] : [block]);
    const rows = rowsOf(this.data.n_layers).map((row) => row.flatMap(with_));
    const to = beside(event.key, event.target.closest("button").dataset.part, rows);
    if (!to) return;
    event.preventDefault();
    this.current = to;
    this.focusable();
    this.named.get(to).focus();
  }

  focusable() {
    for (const [part, node] of this.named) node.tabIndex = part === this.current ? 0 : -1;
  }

  // ---- the model without these parts ------------------------------------------------------------------------------

  sentence(most) {
    const { tokens, follows } = this.data;
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    const kept = follows ? tokens.slice(-most) : tokens.slice(0, most);
    const [before, after] = kept.length < tokens.length ? (follows ? ["… ", ""] : ["", " …"]) : ["", ""];
    const { blank } = this.answer;
    this.words.hidden = !tokens.length;
    const isMark = (token) => /^[⟨[].+[⟩\]]$/.test(token); // no word: ⟨start⟩, [CLS]
    const text = kept.flatMap((token) => [isMark(token) ? el("span.mark", token) : token, gap]);
    this.words.replaceChildren(before, ...text, after, follows ? " " : " → ", blank);
  }

  show() {
    const { data } = this;
    const isTurning = this.turns.isOn;
    if (!this.named) return;
    const out = isTurning ? (this.turns.at < 0 ? NOTHING : this.turning) : this.out;
    this.root.dataset.out = out;
    const [isWhole, now] = [out === NOTHING, this.without(out)];
    put(this.verdict, { "aria-live": isTurning ? "off" : "polite" });
    write(this.verdict, now ? findingOf(now, data.whole, isWhole) : "…");
    write(this.act, isTurning ? "Stop" : isWhole ? this.offer : "Put it back");
    for (const [part, node] of this.named) this.fill(part, node, isOut(part, out), isTurning);
    for (const kind of this.kinds) put(kind, { "aria-pressed": String(isOut(kind.dataset.kind, out)) });
    put(this.more, { "aria-expanded": String(this.isOpen) });
    this.root.classList.toggle("open", this.isOpen);
    this.focusable();
    if (now) this.answer.show(data, now, isTurning);
  }

  get offer() {
    return this.data.costs && !still() ? "Take each out in turn" : "Take one out";
  }

  /** What is said without these parts: of one block, at once; of others, once the server has said so; else null. */
  without(out) {
    const { whole, verdict } = this.data;
    if (!this.turns.isOn && isSame(out, this.data.out)) return verdict;
    if (out === NOTHING) return { name: "nothing", moved: 0, leaders: whole, more: "" };
    const cost = this.costOf(out);
    const [name, layer] = out.split(".");
    return cost ? { ...cost, name: `${name} in layer ${layer}`, more: "" } : null;
  }

  costOf(part) {
    const [name, layer] = part.split(".");
    return this.data.costs?.[layer]?.[SIDES.indexOf(name)] ?? null;
  }

  /** What is told of a part. */
  fill(part, node, isGone, isTurning) {
    node.setAttribute("aria-pressed", String(isGone && !isTurning));
    node.classList.toggle("gone", isGone);
    if (!node.matches(".block")) return;
    const cost = this.costOf(part);
    const isTold = cost && !this.waitsFor(part);
    const [name, gauge, moves, says] = node.children;
    gauge.style.setProperty("--share", `${isTold ? 100 * cost.moved : 0}%`);
    gauge.hidden = !cost;
    node.classList.toggle("strong", Boolean(isTold) && cost.moved >= STRONG);
    write(moves, isTold ? wholePercent(cost.moved) : "");
    write(name, this.isBrief ? briefOf(part) : nameOf(part));
    if (this.isBrief) put(node, { "aria-label": `${nameOf(part)} ${moves.textContent}`.trim() });
    else node.removeAttribute("aria-label");
    const word = isTold && cost.leaders.length ? saidOf(cost.leaders) : "";
    write(says, shorten(word, 10));
    put(says, { "data-piece": pieceOf(word) });
    says.classList.toggle("other", Boolean(word) && word !== this.data.whole[0][0]);
  }
}

export default mount(".block-tower", BlockTower);
