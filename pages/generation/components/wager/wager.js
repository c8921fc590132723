// A hundred chips, shared among what may come next: one bar, whose parts grow at the others' cost.

import { el, fixed, mount } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

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

/** The chips once the border behind part i stands at so many: it pushes the next borders on, as each part keeps 1. */
export function pushed(chips, i, at) {
  const n = chips.length;
  const place = Math.max(i + 1, Math.min(CHIPS - (n - 1 - i), Math.round(at)));
  let before = 0;
  const ends = chips.map((chip) => (before += chip)); // where each part ends
  ends[i] = place;
  for (let j = i - 1; j >= 0; j--) ends[j] = Math.min(ends[j], ends[j + 1] - 1);
  for (let j = i + 1; j < n - 1; j++) ends[j] = Math.max(ends[j], ends[j - 1] + 1);
  return ends.map((end, j) => end - (j ? ends[j - 1] : 0));
}

/** Chips shared as equally as whole chips can be. */
export const equal = (n) => Array.from({ length: n }, (_, i) => Math.floor(CHIPS / n) + (i < CHIPS % n ? 1 : 0));

/** The part that a place of the bar is in, from 0 to CHIPS. */
export function partAt(chips, at) {
  let end = 0;
  const i = chips.findIndex((chip) => at < (end += chip));
  return i < 0 ? chips.length - 1 : i;
}

/** How long the bars of two prices are beside each other: the larger is 1. */
export const lengths = (prices) => prices.map((price) => price / (Math.max(...prices) || 1));

const counted = (chips) => `${chips} chip${chips === 1 ? "" : "s"}`;

const cost = (chips) => `${fixed(bits(chips), 1)} bits`;

/** What a bet stands to cost: of the two words with most chips; of any word, while all have as many. */
export function stands(chips, names) {
  if (Math.max(...chips) - Math.min(...chips) <= 1) return `An even bet: whatever comes, you pay ${cost(chips[0])}.`;
  const called = (i) => (i === names.length - 1 ? names[i] : `“${names[i]}”`);
  const [first, second] = [...chips.keys()].sort((a, b) => chips[b] - chips[a] || a - b);
  return `If it is ${called(first)}, you pay ${cost(chips[first])}; if ${called(second)}, ${cost(chips[second])}.`;
}

/** Who was less surprised by what came, with both costs. */
export function compared(truth, mine, its) {
  const [yours, models] = [mine, its].map((price) => fixed(price, 1));
  if (yours === models) return `It was “${truth}”. You and the model pay the same: ${yours} bits.`;
  const [better, low, high] =
    mine < its ? ["You were", yours, `the model’s ${models}`] : ["The model was", models, `your ${yours}`];
  return `It was “${truth}”. ${better} less surprised: ${low} bits against ${high}.`;
}

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
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = data;
    this.chips = data.bet ?? equal(data.names.length);
    this.build();
    this.refresh();
  }

  get isOpen() {
    return this.data.model === null;
  }

  act() {
    if (this.isOpen) this.send("bet", { round: this.data.round, chips: this.chips });
    else this.send("next", this.data.round);
  }

  build() {
    const { story, names, model, outcome, truth, next } = this.data;
    const blank = this.isOpen ? "?" : truth;
    this.main.textContent = this.isOpen ? "Show the word" : next;
    const mine = this.isOpen ? this.bar() : this.parts(this.chips);
    const rows = [["your chips", mine]];
    if (!this.isOpen) rows.push(["the model’s", this.parts(model.map((share) => CHIPS * share))]);
    const bands = rows.map(([name, parts]) => el("div.band", el("span.of", name), parts));
    this.body.replaceChildren(
      el("p.story", story, " ", el("b", { class: this.isOpen ? "blank" : "blank known" }, blank)),
      ...bands,
      this.isOpen ? this.legend() : "",
      this.isOpen ? hint() : this.costs([this.chips[outcome], CHIPS * model[outcome]]),
    );
    this.root.classList.toggle("open", this.isOpen);
    this.root.setAttribute("aria-label", `A bet on ${names.length} words`);
  }

  /** The bar of a bet that can still be changed. */
  bar() {
    const { names } = this.data;
    this.stops = names.map((name, i) => {
      const give = (n) => this.set(moved(this.chips, i, n));
      const node = el("div.part", {
        role: "slider",
        tabIndex: 0,
        title: name,
        "aria-label": `Chips on ${name}`,
        "aria-valuemin": 1,
        "aria-valuemax": CHIPS - names.length + 1,
        onclick: () => this.press(i),
        onkeydown: (event) => {
          const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: PRESS, PageDown: -PRESS };
          const to = { Home: 1, End: CHIPS, Enter: this.chips[i] + PRESS, " ": this.chips[i] + PRESS }[event.key];
          if (to === undefined && !by[event.key]) return;
          event.preventDefault();
          give(to ?? this.chips[i] + by[event.key]);
        },
      });
      node.append(el("span.word", name), el("span.count"));
      return node;
    });
    this.grips = names.slice(1).map((_, i) => el("span.grip", { onpointerdown: (event) => this.pull(event, i) }));
    return el("div.parts", ...this.stops, ...this.grips);
  }

  /** The names and their chips, for who cannot read them in the bar: where it is narrow, or a part is. */
  legend() {
    this.entries = this.data.names.map((name, i) =>
      el("button", { title: "Ten more chips", onclick: () => this.press(i) }, el("span", name), " ", el("b")),
    );
    return el("div.legend", ...this.entries);
  }

  press(i) {
    this.set(moved(this.chips, i, this.chips[i] + PRESS));
  }

  /** A border follows the pointer; where that does not move, it has pressed the part that is below it. */
  pull(event, i) {
    if (event.button) return;
    event.preventDefault();
    const before = this.chips;
    const box = this.grips[i].parentElement.getBoundingClientRect();
    const at = ({ clientX }) => (CHIPS * (clientX - box.left)) / box.width;
    let hasMoved = false;
    const move = (to) => {
      hasMoved ||= Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) > STILL;
      if (hasMoved) this.set(pushed(before, i, at(to)));
    };
    drag(move, ({ type }) => !hasMoved && type === "pointerup" && this.press(partAt(before, at(event))));
  }

  set(chips) {
    this.chips = chips;
    this.refresh();
  }

  /** A bar that stays as it is, with what came at full strength. */
  parts(chips) {
    const { names, outcome } = this.data;
    const said = names.map((name, i) => `${name} ${fixed(chips[i], 0)}`).join(", ");
    const part = (held, i) => {
      const kind = i === outcome ? ".came" : "";
      const node = el(`div.part${kind}`, { title: names[i] }, el("span.word", names[i]), el("span.count"));
      return held < 0.5 ? null : sized(node, held); // what would be narrower than its edges
    };
    return el("div.parts", { role: "img", "aria-label": said }, ...chips.map(part).filter(Boolean));
  }

  /** What both pay, as bars: the dearer is as long as there is room. */
  costs(held) {
    const long = lengths(held.map(bits));
    const rows = ["you pay", "the model pays"].map((who, n) => {
      const price = el("i", { style: `--long: ${long[n]}` });
      return el("div.band.pays", el("span.of", who), el("span.bar", price, el("b", cost(held[n]))));
    });
    return el("div", ...rows);
  }

  refresh() {
    const { names, model, outcome, truth } = this.data;
    this.root.dataset.chips = JSON.stringify(this.chips);
    if (!this.isOpen) {
      this.says.textContent = compared(truth, bits(this.chips[outcome]), bits(CHIPS * model[outcome]));
      return;
    }
    this.says.textContent = stands(this.chips, names);
    this.root.classList.toggle("tight", Math.min(...this.chips) < 3);
    let before = 0;
    this.chips.forEach((held, i) => {
      sized(this.stops[i], held);
      this.stops[i].setAttribute("aria-valuenow", held);
      this.stops[i].setAttribute("aria-valuetext", `${counted(held)}; if it comes, you pay ${cost(held)}`);
      this.entries[i].lastChild.textContent = held;
      before += held;
      if (this.grips[i]) this.grips[i].style.left = `${before}%`;
    });
  }
}

/** A part as wide as its share, and the number in it. */
function sized(node, held) {
  node.style.width = `${(100 * held) / CHIPS}%`;
  node.lastChild.textContent = fixed(held, 0);
  return node;
}

const hint = () =>
  el(
    "p.quiet",
    "Press a word to give it ten more chips, or drag a border. One bit is the surprise of a coin toss: half of the" +
      " chips on the right word cost 1 bit, a quarter 2.",
  );

export default mount(".wager", Wager);
