// A hundred chips, shared among what may come next: a column for each, which grow at the others' cost.

import { el, fixed, mount } from "../../../../attention_view/lab.js";
import { drag, drawnIn } from "../../../../attention_view/controls.js";

export const CHIPS = 100;
const PRESS = 10; // chips that a press gives
const STILL = 3; // pixels that a pointer may move while it presses

/** What it costs, in bits, that something comes on which so many chips lie. */
export const bits = (chips) => -Math.log2(chips / CHIPS);

/** The chips once part i holds n: each keeps 1 at least, and the others share the rest as they did before. */
export function moved(chips, i, n) {
  const others = chips.length - 1;
  const held = Math.max(1, Math.min(CHIPS - others, Math.round(n)));
  const left = CHIPS - held - others; // beyond the one that each keeps
  const before = chips.reduce((sum, chip, j) => (j === i ? sum : sum + chip - 1), 0);
  const exact = chips.map((chip, j) => (j === i ? 0 : before ? ((chip - 1) * left) / before : left / others));
  const next = exact.map((x, j) => (j === i ? held : 1 + Math.floor(x)));
  const order = [...chips.keys()].filter((j) => j !== i);
  order.sort((a, b) => (exact[b] % 1) - (exact[a] % 1) || a - b); // whoever was rounded down most comes first
  const missing = CHIPS - next.reduce((sum, chip) => sum + chip, 0);
  for (let k = 0; k < missing; k++) next[order[k]] += 1;
  return next;
}

const counted = (chips) => `${chips} chip${Number(chips) === 1 ? "" : "s"}`;

const cost = (chips) => `${fixed(bits(chips), 1)} bits`;

const called = (names, i) => (i === names.length - 1 ? names[i] : `“${names[i]}”`);

/** The word with most chips. */
const first = (chips) => chips.indexOf(Math.max(...chips));

/** Whether nobody has moved a chip: then the bet is that of counting, and no visitor's. */
const isCounting = (chips, { counted: start }) => chips.join() === start.join();

/** What a bet says: nothing yet where it is the one that only counts, and any other what it stands to cost. */
export function stands(chips, data) {
  const { names, puzzle } = data;
  if (isCounting(chips, data)) return puzzle;
  const held = Math.max(...chips);
  return `You have ${counted(held)} on ${called(names, first(chips))}. If it comes, your surprise is ${cost(held)}.`;
}

/** What the chips say that one begins with; they are even where nothing was counted. */
export function counting({ names, counted: start, after }) {
  const held = Math.max(...start);
  return held - Math.min(...start) <= 1
    ? `Counting does not say what follows “${after}”: the chips lie evenly.`
    : `Knowing only “${after}”, you would bet ${counted(held)} on ${called(names, first(start))}.`;
}

/** Who had more chips on what came; chips: the bet, model: its shares. */
export function compared(chips, data) {
  const { truth, outcome, names, model } = data;
  const [mine, its] = [chips[outcome], CHIPS * model[outcome]];
  const [yours, models] = [mine, its].map((held) => fixed(held, 0));
  const was = `It was “${truth}”.`;
  const most = first(model);
  if (isCounting(chips, data)) {
    const others = ` The model had most on ${called(names, most)}: ${fixed(CHIPS * model[most], 0)}.`;
    return `${was} Counting bet ${counted(yours)} on it, the model ${models}.${most === outcome ? "" : others}`;
  }
  if (yours === models) return `${was} You and the model both had ${counted(yours)} on it.`;
  return mine > its
    ? `${was} You win: you had ${counted(yours)} on it, the model ${models}.`
    : `${was} The model wins: it had ${counted(models)} on it, you ${yours}.`;
}

/** A story cut into words and what stands between them, and which words can be bet on. */
export const told = (story, names) =>
  (story.match(/\p{L}+|\P{L}+/gu) ?? []).map((piece) => ({ piece, isNamed: names.slice(0, -1).includes(piece) }));

class Wager {
  constructor(root) {
    this.root = root;
    root.dataset.figure = "";
    this.says = el("p.finding", { role: "status" });
    this.main = el("button.primary", { onclick: () => this.act() });
    this.body = el("div");
    root.replaceChildren(el("div.headline", this.says, this.main), this.body);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const isFirst = !this.signature;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = data;
    this.chips = data.bet ?? data.counted;
    this.build();
    this.refresh();
    if (isFirst && this.isOpen) this.endBeat = drawnIn(this.root, "bet");
  }

  destroy() {
    this.endBeat?.();
  }

  get isOpen() {
    return this.data.model === null;
  }

  /** Whether the chips lie as counting has laid them. */
  get isCounted() {
    return isCounting(this.chips, this.data);
  }

  act() {
    if (this.isOpen) this.send("bet", { round: this.data.round, chips: this.chips });
    else this.send("next", this.data.round);
  }

  build() {
    const { story, names, truth, next } = this.data;
    this.main.textContent = this.isOpen ? "Show the word" : next;
    const words = told(story, names).map(({ piece, isNamed }, n) =>
      el(isNamed ? "u.piece" : "span.piece", { style: `--n: ${n}` }, piece),
    );
    this.root.style.setProperty("--pieces", words.length);
    const blank = el("b", { class: this.isOpen ? "blank" : "blank known" }, this.isOpen ? "?" : truth);
    this.columns = names.map((name, i) => (this.isOpen ? this.column(name, i) : this.pair(name, i)));
    const label = this.isOpen ? `A bet on ${names.length} words` : "Both bets";
    const chart = el("div.columns", { role: "group", "aria-label": label }, ...this.columns);
    this.body.replaceChildren(
      el("p.story", ...words, " ", blank),
      this.isOpen ? "" : legend(this.isCounted),
      chart,
      this.foot(),
    );
    this.root.classList.toggle("open", this.isOpen);
  }

  /** A column of a bet that can still be changed. */
  column(name, i) {
    const give = (n) => this.set(moved(this.chips, i, n));
    const node = el("div.column", {
      role: "slider",
      tabIndex: 0,
      title: name,
      "aria-label": `Chips on ${name}`,
      "aria-orientation": "vertical",
      "aria-valuemin": 1,
      "aria-valuemax": CHIPS - this.data.names.length + 1,
      onpointerdown: (event) => this.pull(event, i),
      onkeydown: (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: PRESS, PageDown: -PRESS };
        const more = this.chips[i] + PRESS;
        const to = { Home: 1, End: CHIPS, Enter: more, " ": more }[event.key];
        if (to === undefined && !by[event.key]) return;
        event.preventDefault();
        give(to ?? this.chips[i] + by[event.key]);
      },
    });
    node.append(el("span.rise", bar("mine")), el("b.word", name));
    return node;
  }

  /** What both had on one word, side by side. */
  pair(name, i) {
    const { model, outcome } = this.data;
    const [mine, its] = [this.chips[i], CHIPS * model[i]];
    const bars = [
      ["mine", mine],
      ["its", its],
    ].map(([whose, held]) => sized(bar(whose), held));
    const who = this.isCounted ? "counting" : "you";
    const said = `${name}: ${who} ${fixed(mine, 0)}, the model ${fixed(its, 0)}`;
    const came = i === outcome ? ".came" : "";
    return el(
      `div.column${came}`,
      { role: "img", "aria-label": said },
      el("span.rise", ...bars),
      el("b.word", `${came && "✓ "}${name}`),
    );
  }

  /** A column follows the pointer; where that does not move, it has pressed the column, which gives it ten more. */
  pull(event, i) {
    if (event.button) return;
    event.preventDefault();
    this.columns[i].focus();
    const before = this.chips;
    const { height } = this.columns[i].querySelector(".rise").getBoundingClientRect();
    let hasMoved = false;
    const move = (to) => {
      hasMoved ||= Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) > STILL;
      if (hasMoved) this.set(moved(before, i, before[i] + (CHIPS * (event.clientY - to.clientY)) / height));
    };
    drag(move, ({ type }) => {
      if (!hasMoved && type === "pointerup") this.set(moved(before, i, before[i] + PRESS));
    });
  }

  /** How to bet; or what both pay, in bits. */
  foot() {
    const { counted: start, after, model, outcome } = this.data;
    const how = "Read the story and bet better: drag a column up, or press it for ten more chips.";
    if (this.isOpen) return el("p.quiet", `${counting(this.data)} ${how}`);
    const [yours, its, counts] = [this.chips[outcome], CHIPS * model[outcome], start[outcome]].map(cost);
    return el(
      "p.quiet",
      "The fewer chips on the right word, the greater the surprise: ",
      this.isCounted ? "" : `${yours} for you, `,
      `${its} for the model, ${counts} for counting what follows “${after}”.`,
    );
  }

  set(chips) {
    this.chips = chips;
    this.refresh();
  }

  refresh() {
    this.root.dataset.chips = JSON.stringify(this.chips);
    if (!this.isOpen) {
      this.says.textContent = compared(this.chips, this.data);
      return;
    }
    this.says.textContent = stands(this.chips, this.data);
    this.chips.forEach((held, i) => {
      sized(this.columns[i].querySelector(".mine"), held);
      this.columns[i].setAttribute("aria-valuenow", held);
      this.columns[i].setAttribute("aria-valuetext", `${counted(held)}; if it comes, a surprise of ${cost(held)}`);
    });
  }
}

const bar = (whose) => el(`span.bar.${whose}`, el("b"));

/** A bar as tall as its share, and the number above it. */
function sized(node, held) {
  node.style.setProperty("--share", held / CHIPS);
  node.firstChild.textContent = fixed(held, 0);
  return node;
}

const legend = (isCounted) =>
  el(
    "p.legend",
    el("span", el("i.mine"), isCounted ? "the chips of counting" : "your chips"),
    el("span", el("i.its"), "the model’s chips"),
  );

export default mount(".wager", Wager);
