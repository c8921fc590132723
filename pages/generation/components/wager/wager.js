// A hundred chips on what comes next: one bets with piles, which are filled from a purse; then trays show what every
// player keeps, which is what lay on the right word.

import { boxOf, capital, counted, el, mount, pointIn, sumOf, theme, write } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

export const CHIPS = 100;
const ASKED = `What comes next? Lay your ${CHIPS} chips.`;
const SHORT = "Your purse is empty: carry chips here from another word.";
const PRESS = 10; // chips that a press gives: a row of a pile
const STILL = 3; // pixels that a pointer may move while it presses

/** The chips that are not on a word yet. */
export const unplaced = (chips) => CHIPS - sumOf(chips);

/** The chips once part i holds n, or as many as the purse gives: a chip stays there for each empty word. */
export function placed(chips, i, n) {
  const free = unplaced(chips) - chips.filter((chip, j) => j !== i && !chip).length;
  const held = Math.max(0, Math.min(chips[i] + Math.max(0, free), Math.round(n)));
  return chips.map((chip, j) => (j === i ? held : chip));
}

/** A bet with all chips on the words: each has one at least, and what was unplaced is spread evenly. */
export function filled(chips) {
  const next = [...chips];
  const order = [...chips.keys()].sort((a, b) => !!chips[a] - !!chips[b] || a - b); // empty ones come first
  for (let k = 0; k < unplaced(chips); k++) next[order[k % order.length]] += 1;
  return next;
}

/** The chips once n of them were carried from one word to another; null stands for the pile of those on no word. A chip
 * stays behind where none would be left for an empty word. */
export function carried(chips, from, to, n) {
  if (from === to) return chips;
  if (from === null) return placed(chips, to, chips[to] + Math.min(n, unplaced(chips)));
  if (to === null) return placed(chips, from, chips[from] - n);
  const after = (k) => chips.map((chip, j) => chip + k * ((j === to) - (j === from)));
  const next = after(n);
  return next.filter((chip) => !chip).length > unplaced(next) ? after(n - 1) : next;
}

/** Where a pointer is: over which column, null over the pile, undefined elsewhere. columns, foot: their boxes; held:
 * the column whose pile it raises, which has no end above. */
export function under({ clientX: x, clientY: y }, columns, foot, held = null) {
  if (y >= foot.top) return y <= foot.bottom + foot.height ? null : undefined;
  const at = columns.findIndex(({ left, right, top }, i) => x >= left && x <= right && (y >= top || i === held));
  return at < 0 ? undefined : at;
}

/** The highest pile, and where it is. */
const largest = (chips) => [Math.max(...chips), chips.indexOf(Math.max(...chips))];

const called = (names, i) => (i === names.length - 1 ? names[i] : `“${names[i]}”`);

/** What a bet says, once chips were moved: what is on the word with most, and how many chips are on none. */
export function stands(chips, names) {
  const [held, i] = largest(chips);
  return `${counted(held, "chip")} on ${called(names, i)}, ${unplaced(chips) || "none"} left.`;
}

/** What can be done with the chips that are in the purse. */
export function toDo(chips) {
  const [left, empty] = [unplaced(chips), chips.filter((chip) => !chip).length];
  if (left === CHIPS) return "Press a word, or drag chips there.";
  if (left > empty) return `${counted(left, "chip")} in your purse. What you leave is spread evenly.`;
  return left ? `Your last ${counted(left, "chip")} go to the words without one.` : "Your purse is empty.";
}

/** What came, and how many chips everybody keeps, the reader first, if one has bet, and the model last; and on what the
 * model had most of its own, where that is another. */
export function outcomeSaid({ truth, outcome, players, names }) {
  const model = players.find(({ key }) => key === "model");
  const bets = [...players.filter((player) => player.chips && player !== model), model];
  const keeps = bets[0].key === "you" ? "keep" : "keeps";
  const said = bets.map(({ name, chips: { [outcome]: held } }, n) =>
    n ? `${name} ${held}` : `${capital(name)} ${keeps} ${counted(held, "chip")}`,
  );
  const [most, i] = largest(model.chips);
  const wrong = i !== outcome && most > CHIPS / 2 ? `: it had ${most} on ${called(names, i)}` : "";
  return `It was “${truth}”. ${said.join(", ")}${wrong}.`;
}

/** What the reader has kept so far; the others' is on their boards. */
export const soFarSaid = ({ players: [{ kept }] }) => (kept.length ? `You have kept ${sumOf(kept)} so far.` : "");

/** Where the chips of a tray lay, as [how many, where]: on what came, on the other word with most, if it has a row of
 * them and more than any, and on all the rest. */
export function shelves(chips, outcome, names) {
  const wrong = [...chips.keys()].filter((i) => i !== outcome).sort((a, b) => chips[b] - chips[a]);
  const [first, second] = wrong.map((i) => chips[i]);
  const rest = CHIPS - chips[outcome];
  const kept = [chips[outcome], `on ${called(names, outcome)}`];
  if (first < PRESS || first === second) return [kept, [rest, "lost on other words"]];
  const most = wrong[0] === names.length - 1 ? "words not listed" : called(names, wrong[0]);
  return [kept, [first, `lost on ${most}`], [rest - first, "lost on other words"]];
}

/** A story cut into words and what stands between them, and which words can be bet on. */
export const told = (story, names) =>
  (story.match(/\p{L}+|\P{L}+/gu) ?? []).map((piece) => ({ piece, isNamed: names.slice(0, -1).includes(piece) }));

const chip = (more = "") => el(`i.chip${more}`);

export class Wager {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.main = el("button.primary", { onclick: () => this.act() });
    this.story = el("p.story");
    this.board = el("div.board");
    this.left = el("span.pile", { "aria-hidden": "true", onpointerdown: (event) => this.take(event) });
    this.hint = el("p.quiet");
    this.foot = el("div.foot", this.left, this.hint);
    this.hand = el("div.hand", { "aria-hidden": "true", hidden: true }, el("b"), el("span.pile"));
    const headline = el("div.headline", this.says, this.main);
    root.replaceChildren(el("div.game", headline, this.story, this.board, this.foot, this.hand));
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = data;
    this.isOpen = data.outcome === null;
    this.chips = data.names.map(() => 0);
    this.isShort = false;
    this.build();
    this.refresh();
  }

  act() {
    const { round } = this.data;
    if (this.isOpen && !this.hasBet) return;
    if (this.isOpen) this.send("bet", { round, chips: filled(this.chips) });
    else this.send("next", round);
  }

  get hasBet() {
    return sumOf(this.chips) > 0;
  }

  build() {
    const { story, names, truth, players } = this.data;
    const words = told(story, names).map(({ piece, isNamed }) => el(isNamed && !this.isOpen ? "u" : "span", piece));
    this.story.classList.toggle("long", story.length > 150);
    const blank = el("b", { class: this.isOpen ? "blank" : "blank known" }, this.isOpen ? "?" : truth);
    this.story.replaceChildren(...words, " ", blank);
    this.root.classList.toggle("open", this.isOpen);
    this.columns = this.isOpen ? names.map((name, i) => this.column(name, i)) : [];
    const there = players.filter(({ chips }) => chips);
    this.board.replaceChildren(
      this.isOpen
        ? el(
            "div.felt",
            el("div.columns", { role: "group", "aria-label": `A bet on ${names.length} words` }, ...this.columns),
            el("div.rivals", ...players.filter(({ key }) => key !== "you").map(covered)),
          )
        : el("div.trays", { style: `--players: ${there.length}` }, ...there.map((player) => this.tray(player))),
    );
    this.foot.hidden = !this.isOpen;
  }

  /** A pile of a bet that can still be changed. */
  column(name, i) {
    return el(
      "div.column",
      {
        role: "slider",
        tabIndex: 0,
        title: name,
        "aria-label": `Chips on ${name}`,
        "aria-orientation": "vertical",
        "aria-valuemin": 0,
        "aria-valuemax": CHIPS - this.data.names.length + 1,
        onpointerdown: (event) => this.pull(event, i),
        onkeydown: (event) => {
          const row = { "+": PRESS, "-": -PRESS, Enter: PRESS, " ": PRESS, PageUp: PRESS, PageDown: -PRESS };
          const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, ...row }[event.key];
          const to = { Home: 0, End: CHIPS }[event.key];
          if ((to === undefined && !by) || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          this.give(i, to ?? this.chips[i] + by);
        },
      },
      el("span.rise", el("i.ruler"), el("b.held"), el("span.pile")),
      el("b.word", name),
    );
  }

  /** A column follows the pointer; where that goes to another, or to the pile, it carries the chips along. Where it
   * does not move, it has pressed the column, which gives it ten more. */
  pull(event, i) {
    if (event.button) return;
    event.preventDefault();
    this.columns[i].focus();
    const before = this.chips;
    const pile = this.columns[i].querySelector(".pile");
    const { height } = this.columns[i].querySelector(".ruler").getBoundingClientRect();
    const inRow = Number(theme(pile)("row"));
    let hasMoved = false;
    const move = (to) => {
      hasMoved ||= Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) > STILL;
      if (!hasMoved) return;
      const isAway = before[i] > 0 && this.under(to, i) !== i;
      if (!isAway) this.give(i, before[i] + (inRow * (event.clientY - to.clientY)) / height, before);
      this.carry(isAway ? to : null, before, i, before[i]);
    };
    this.endDrag = drag(move, (last) => {
      if (!hasMoved && last.type === "pointerup") this.give(i, before[i] + PRESS, before);
      else if (!this.hand.hidden) this.drop(last, before, i, before[i]);
    });
  }

  /** A row of chips is taken from the pile, to be put on a word. */
  take(event) {
    const n = Math.min(PRESS, unplaced(this.chips));
    if (event.button || !n) return;
    event.preventDefault();
    const before = this.chips;
    this.carry(event, before, null, n);
    this.endDrag = drag(
      (to) => this.carry(to, before, null, n),
      (last) => this.drop(last, before, null, n),
    );
  }

  under(event, held) {
    const [foot, ...columns] = [this.foot, ...this.columns].map((node) => node.getBoundingClientRect());
    return under(event, columns, foot, held);
  }

  /** Chips in the hand, which have left their word or the pile; no event: the hand is empty. */
  carry(event, before, from, n) {
    const aim = event ? this.under(event) : undefined;
    this.columns.forEach((column, j) => column.classList.toggle("aimed", j === aim));
    this.foot.classList.toggle("aimed", aim === null && from !== null);
    this.hand.hidden = !event;
    if (!event) return;
    if (this.chips !== before) this.set(before);
    if (from === null) heap(this.left, unplaced(before) - n);
    else {
      heap(this.columns[from].querySelector(".pile"), before[from] - n);
      write(this.columns[from].querySelector(".held"), String(before[from] - n));
    }
    heap(this.hand.querySelector(".pile"), n);
    write(this.hand.querySelector("b"), String(n));
    const [x, y] = pointIn(event, this.root);
    const { width, height } = boxOf(this.hand);
    this.hand.style.translate = `${x - width / 2}px ${y - height / 2}px`;
  }

  /** The hand opens: over a word or the pile, its chips lie there; elsewhere they go back. */
  drop(last, before, from, n) {
    const to = last.type === "pointerup" ? this.under(last) : undefined;
    this.carry(null);
    this.set(to === undefined ? before : carried(before, from, to, n));
  }

  /** The chips of a player once the word is known: those that are kept at the bottom, and where the others lay. */
  tray({ key, name, knows, chips, kept }) {
    const { names, outcome } = this.data;
    const held = chips[outcome];
    const all = Array.from({ length: CHIPS }, (_, n) => chip(n < held ? "" : ".lost"));
    const shelf = ([n, where], i) =>
      el(i ? "div.shelf" : "div.shelf.kept", { style: `--n: ${n}` }, el("b", String(n)), " ", el("span", where));
    return el(
      `section.player.${key}`,
      el("h2", capital(name), " ", el("span.quiet", knows)),
      el(
        "div.has",
        el("div.tray", { "aria-hidden": "true" }, ...all),
        el("div.shelves", ...shelves(chips, outcome, names).map(shelf)),
      ),
      kept.length > 1 ? summed(kept) : "",
    );
  }

  /** isShort: the hand wanted more than the purse has */
  set(chips, isShort = false) {
    this.chips = chips;
    this.isShort = isShort;
    this.refresh();
  }

  /** The hand wants n chips on word i, beyond those of `before`; the purse gives what it has. */
  give(i, n, before = this.chips) {
    const chips = placed(before, i, n);
    this.set(chips, Math.round(n) > chips[i]);
  }

  refresh() {
    this.root.dataset.chips = JSON.stringify(this.chips);
    const waits = this.isOpen && !this.hasBet;
    write(this.main, waits ? "Lay a chip first" : this.isOpen ? "Show the word" : this.data.next);
    this.main.setAttribute("aria-disabled", waits); // it keeps the focus, which a disabled one would lose
    if (!this.isOpen) {
      write(this.says, outcomeSaid(this.data));
      return;
    }
    write(this.says, this.isShort ? SHORT : this.hasBet ? stands(this.chips, this.data.names) : ASKED);
    this.foot.classList.toggle("short", Boolean(this.isShort));
    write(this.hint, (!this.hasBet && soFarSaid(this.data)) || toDo(this.chips));
    heap(this.left, unplaced(this.chips));
    this.chips.forEach((held, i) => {
      const column = this.columns[i];
      write(column.querySelector(".held"), held ? String(held) : "");
      heap(column.querySelector(".pile"), held);
      column.setAttribute("aria-valuenow", held);
      column.setAttribute("aria-valuetext", counted(held, "chip"));
    });
  }
}

/** Leaves so many chips in a pile. */
function heap(pile, n) {
  while (pile.childElementCount > n) pile.lastChild.remove();
  while (pile.childElementCount < n) pile.append(chip());
}

/** A rival's board before the word is shown: its chips lie there, and nobody sees where. */
const covered = ({ key, name, knows, kept }) =>
  el(
    `section.player.${key}`,
    el("h2", capital(name), " ", el("span.quiet", knows)),
    el("div.cover", el("b", kept.length ? String(sumOf(kept)) : "?"), kept.length ? "kept so far" : ""),
  );

/** The chips that a player has kept, bet by bet, and their sum. */
const summed = (kept) => el("p.sum", `kept so far: ${kept.join(" + ")} = `, el("b", String(sumOf(kept))));

export default mount(".wager", Wager);
