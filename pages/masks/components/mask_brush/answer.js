// What the model says next under the painted mask, and which single cells can change that.

import { asShare, counted, el, write } from "../../../../attention_view/lab.js";
import { part } from "./row_said.js";

/** What the mask does to the answer: sentences as [text, the colour it wears or ""].
 *
 * answer   now, share, was, turning;  hidden: the cells [query, key] that the hand has blocked;  n_opened: cells of the
 *          future that it has opened
 * found    how many of the turning cells were found;  total: of how many cells;  tokens: their names */
export function answerSaid({ now, was, turning }, hidden, n_opened, found, total, tokens) {
  const blocked = hidden.length || !n_opened ? `${counted(hidden.length, "cell")} blocked` : "";
  const some = [blocked, n_opened ? `${counted(n_opened, "cell")} opened` : ""].filter(Boolean).join(" and ");
  if (hidden.length === 1 && !n_opened) {
    const [[i, j]] = hidden;
    const pair = [[tokens[i], "query"], [" may not see “", ""], [tokens[j], "key"], ["”.", ""]]; // prettier-ignore
    if (now === was) return [[`Still “${was}”, though `, ""], ...pair];
    const known = turning.length ? ` Found ${found} of ${turning.length} such cells among ${total}.` : "";
    return [[`It says “${now}” now: `, ""], ...pair, [known, "quiet"]];
  }
  if (now !== was) {
    const less = turning.length && !n_opened ? " One cell can do it." : "";
    return [[`It says “${now}” now, with ${some}.`, ""], [less, "quiet"]]; // prettier-ignore
  }
  if (hidden.length || n_opened) return [[`Still “${was}”, with ${some}.`, ""]];
  const act = `Press ${found ? "another" : "a"} cell to block it, and make it say something else.`;
  return [[`It says “${was}”. ${turning.length ? act : "Can you make it say something else?"}`, ""]];
}

export class Answer {
  /** brush: has the mask, and what sends a stroke */
  constructor(brush) {
    this.brush = brush;
    this.found = new Set();
    this.says = el("span", { role: "status" });
    this.button = el("button.primary", { onclick: () => this.act() });
    this.headline = el("div.headline", el("h2.finding", this.says), this.button);
    this.word = el("b");
    this.share = el("span");
    this.node = el("div.answer", { "aria-hidden": "true" }, el("i", "→"), this.word, this.share);
  }

  /** The cells of the past that are blocked. */
  get hidden() {
    const [{ T, S }] = this.brush.panels;
    const past = Array.from({ length: T }, (_, i) => Array.from({ length: i + 1 }, (_key, j) => [i, j])).flat();
    return past.filter(([i, j]) => !this.brush.open[i * S + j]);
  }

  /** The cells of the future that are open, by their places in the mask. */
  get opened() {
    const [{ S }] = this.brush.panels;
    return [...this.brush.open.keys()].filter((n) => this.brush.open[n] && n % S > Math.floor(n / S));
  }

  get unfound() {
    return this.brush.data.answer.turning.filter((cell) => !this.found.has(String(cell))).toReversed();
  }

  show() {
    const { brush } = this;
    const { answer, panels, code } = brush.data;
    const isLate = brush.code !== code; // the model has not read with this mask yet
    this.node.classList.toggle("late", isLate);
    if (isLate) return;
    const [hidden, nOpened] = [this.hidden, this.opened.length];
    const [{ queries }] = panels;
    const T = queries.length;
    const isTurned = answer.now !== answer.was;
    const turning = answer.turning.map(String);
    if (isTurned && hidden.length === 1 && !nOpened && turning.includes(String(hidden[0])))
      this.found.add(String(hidden[0]));
    const parts = answerSaid(answer, hidden, nOpened, this.found.size, (T * (T + 1)) / 2, queries);
    this.says.replaceChildren(...parts.map(part));
    write(this.word, answer.now);
    this.node.style.setProperty("--letters", answer.now.length);
    write(this.share, asShare(answer.share));
    this.node.classList.toggle("turned", isTurned);
    for (const panel of brush.panels)
      for (const { at, classList } of panel.cells) classList.toggle("found", this.found.has(String(at.slice(1))));
    this.isOver = isTurned && !this.unfound.length;
    const next = answer.turning.length ? (this.isOver ? "Start again" : "Find another") : "Give it back";
    write(this.button, isTurned ? next : "Show one");
    this.button.hidden = !isTurned && !this.unfound.length;
    brush.root.dataset.says = answer.now;
  }

  /** What is blocked is given back, and what is opened of the future closed; the next cell that makes the difference is
   * blocked instead, until all are found. */
  act() {
    const { brush } = this;
    const [{ S }] = brush.panels;
    const before = brush.begin();
    const { hidden, opened } = this;
    for (const [i, j] of hidden) this.turn(i * S + j, true);
    for (const at of opened) this.turn(at, false);
    const [next] = this.unfound;
    if (this.isOver) this.found.clear();
    else if (next) this.turn(next[0] * S + next[1], false);
    brush.commit(before);
  }

  turn(at, isOpening) {
    this.brush.mask[at] = isOpening !== Boolean(this.brush.data.live.inverted);
  }
}
