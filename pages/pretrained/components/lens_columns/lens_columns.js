// The logit lens: a column per token, and from the bottom to the top what the model would say if it stopped at this
// height. A cell repeats the token that was just read, or says another word, or the one that the whole model says.

import { el, mirror, mix, mount, percent, put, strength, wholeParam, write } from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";

const BEAT = 3000; // milliseconds
const ROOMY = 7; // heights that have room for a bar below each word
const SOFT = 0.4; // of its colour that a cell wears whose column is not chosen
const N_WRITTEN = 5; // tokens of the text that stand before the one in question

/** From which height on a token has its final word: the ranks of that word, the lowest height first. */
export const settledFrom = (ranks) => ranks.findLastIndex((rank) => rank !== 1) + 1;

/** What is found in the whole table: {late, half, repeats}.
 *
 * late     tokens whose final word stands first at the highest height only, not even lower down and lost again
 * half     the height by which half of the tokens have their final word
 * repeats  of the late ones, those at which the height below the highest only repeats what was just read */
export function finding({ ranks, echoes }) {
  const top = ranks[0].length - 1;
  const since = ranks.map(settledFrom);
  const late = ranks.flatMap((row, t) => (row.indexOf(1) === top ? [t] : []));
  return {
    late: late.length,
    half: since.toSorted((a, b) => a - b)[Math.ceil(since.length / 2) - 1],
    repeats: top ? late.filter((t) => echoes[t][top - 1]).length : 0,
  };
}

/** The finding: [before, what is set off, after, what the second line begins with]. */
export function toldOf(data) {
  const { late, half, repeats } = finding(data);
  const T = data.tokens.length;
  const last = data.first ? "the last " : ""; // of a longer text
  const below = repeats
    ? `One layer below, ${repeats} of them only repeat${repeats === 1 ? "s" : ""} the token just read. `
    : "";
  if (2 * late >= T)
    return ["At ", `${late} of ${last}${T}`, " tokens, the final word appears only in the last layer.", below];
  const waits = late ? `; at ${late}, only the last layer decides.` : ".";
  const all = last ? `${last}${T}` : "the";
  return ["By ", data.heights[half], `, half of ${all} tokens have their final word${waits}`, ""];
}

/** How strong a cell is, in percent; in between, a word would be read neither in light nor in dark letters. */
export function shade(odds) {
  const share = strength(odds);
  return Math.round(share < 0.8 ? (58 * share) / 0.8 : 90 + 50 * (share - 0.8));
}

/** How one column goes: {first, upTo, answer, since}: the word at the bottom, the height up to which it is said without
 * a break, the word at the top, and the height from which on that stands first. */
export function pathOf({ said, ranks }, t) {
  const words = said[t];
  const other = words.findIndex((word) => word !== words[0]);
  return {
    first: words[0],
    upTo: (other < 0 ? words.length : other) - 1,
    answer: words.at(-1),
    since: settledFrom(ranks[t]),
  };
}

/** The tokens up to the nth, as they are written one after the other. */
export function textTo(tokens, n, before = N_WRITTEN) {
  const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
  const from = Math.max(0, n - before);
  return (from ? "… " : "") + tokens.slice(from, n + 1).join(gap);
}

/** 1838 -> "1,838th" */
export function placed(rank) {
  const [tens, ones] = [rank % 100, rank % 10];
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th");
  return `${rank.toLocaleString("en")}${ending}`;
}

const chance = (odds) => percent(odds, odds > 0.005 ? 0 : 1);

class LensColumns {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) =>
      write("pretrained_lens_token", this.data.first + this.chosen, this.data.first + this.last),
    );
    this.finding = el("h2.finding");
    this.below = el("span");
    this.path = el("span", { role: "status" });
    this.early = el("button.primary", { onclick: () => this.choose(this.next) });
    this.labels = el("div.heights", { "aria-hidden": "true" });
    this.columns = el("div.columns", {
      role: "radiogroup",
      "aria-label": "Tokens of the text",
      onkeydown: (event) => this.step(event),
      onpointerdown: (event) => this.grab(event),
    });
    const key = el(
      "p.legend",
      el("span.repeats", "the token just read"),
      el("span.other", "another word"),
      el("span.final", "its final word: the stronger, the likelier"),
    );
    const head = el("div.headline", this.finding, this.early);
    root.replaceChildren(head, el("p.path", this.below, this.path), el("div.table", this.labels, this.columns), key);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    Object.assign(this, { signature, data, last: data.tokens.length - 1 });
    const asked = isFirst ? wholeParam("pretrained_lens_token", data.first + data.tokens.length) : null;
    this.chosen = asked === null || asked < data.first ? this.last : asked - data.first;
    this.root.style.setProperty("--heights", data.heights.length);
    this.root.classList.toggle("dense", data.heights.length > ROOMY);
    this.labels.replaceChildren(...data.heights.map((height) => el("span", height)).reverse());
    this.buttons = data.tokens.map((token, t) => this.column(token, t));
    this.columns.replaceChildren(...this.buttons);
    const [before, many, after, below] = toldOf(data);
    this.finding.replaceChildren(before, el("b", many), after);
    write(this.below, below);
    this.show();
    this.bringIn();
    if (isFirst && asked === null) this.beat();
  }

  destroy() {
    this.endBeat?.();
  }

  /** The table fills from below, a height at a time. */
  beat() {
    const { length } = this.data.heights;
    let stop;
    const begin = () => (stop = tween(BEAT, (share) => this.fill(Math.floor(share * (length + 1)))));
    const end = () => {
      stop();
      this.fill(length);
      delete this.root.dataset.filled;
    };
    this.endBeat = firstBeat("lens", BEAT, begin, end);
  }

  fill(filled) {
    if (this.root.dataset.filled === String(filled)) return;
    this.root.dataset.filled = filled;
    for (const cell of this.columns.querySelectorAll("i")) cell.classList.toggle("empty", cell.dataset.at >= filled);
  }

  column(token, t) {
    const { heights, said, chances, ranks, odds, echoes } = this.data;
    const answer = said[t].at(-1);
    const cells = heights.map((height, p) => {
      const isFinal = ranks[t][p] === 1;
      const kind = isFinal ? "final" : echoes[t][p] ? "repeats" : "other";
      const rank = isFinal ? "" : `; ${answer} is ${placed(ranks[t][p])}`;
      const props = { "data-at": p, title: `${height}: ${said[t][p]}, ${percent(chances[t][p])}${rank}` };
      const fill = el("u", { style: `width: ${(100 * odds[t][p]).toFixed(1)}%` });
      const bar = el("em", el("span", fill), el("small", `${isFinal ? "" : answer} ${chance(odds[t][p])}`));
      const cell = el(`i.${kind}`, props, el("span", said[t][p]), bar);
      const strong = shade(odds[t][p]);
      if (isFinal) cell.style.setProperty("--full", mix("positive", strong));
      if (isFinal) cell.style.setProperty("--soft", mix("positive", Math.round(SOFT * strong)));
      cell.classList.toggle("strong", isFinal && strong >= 90);
      return cell;
    });
    const props = { role: "radio", "aria-label": token, title: token };
    const tower = el("span.cells", ...cells.reverse());
    return el("button.column", { ...props, onclick: () => this.choose(t) }, tower, el("b", token));
  }

  choose(t) {
    if (t === this.chosen) return;
    this.chosen = t;
    this.show();
    this.bringIn();
    this.link.later();
  }

  /** On a narrow screen the table is moved to where the chosen column is. */
  bringIn() {
    const { offsetLeft, offsetWidth } = this.buttons[this.chosen];
    const { scrollLeft, clientWidth } = this.columns;
    if (offsetLeft < scrollLeft || offsetLeft + offsetWidth > scrollLeft + clientWidth)
      this.columns.scrollLeft = offsetLeft + offsetWidth - clientWidth;
  }

  step(event) {
    const to = inRow(event, this.chosen, this.buttons.length);
    if (to === null) return;
    this.choose(to);
    this.buttons[to].focus();
  }

  /** A mouse is drawn along the columns; a finger moves the table. */
  grab({ pointerType }) {
    if (pointerType !== "mouse") return;
    const move = ({ clientX }) => {
      const t = this.buttons.findIndex((button) => clientX <= button.getBoundingClientRect().right);
      this.choose(t < 0 ? this.last : t);
    };
    drag(move, () => {});
  }

  /** Which token the dark button leads to: one that has its final word before all others, then back to the last. */
  get goal() {
    const since = this.data.ranks.map(settledFrom);
    const first = Math.min(...since);
    const early = since.indexOf(first);
    if (first === since[this.last]) return null;
    return since[this.chosen] === first ? this.last : early;
  }

  /** What the dark button calls that token: the exception, where all others wait for the last layer. */
  get offers() {
    const { late } = finding(this.data);
    return late === this.last ? "Show the exception" : "Show the earliest";
  }

  show() {
    const t = this.chosen;
    for (const [n, button] of this.buttons.entries()) {
      button.classList.toggle("on", n === t);
      put(button, { "aria-checked": String(n === t), tabindex: n === t ? "0" : "-1" });
    }
    this.next = this.goal;
    this.early.hidden = this.next === null;
    if (this.next !== null) write(this.early, this.next === this.last ? "Back to the last" : this.offers);
    this.path.replaceChildren(...this.story(t));
    this.root.dataset.shown = JSON.stringify({ token: t, said: this.data.said[t] });
  }

  /** How the chosen column goes, in words. */
  story(t) {
    const { heights, tokens, odds } = this.data;
    const { first, upTo, answer, since } = pathOf(this.data, t);
    const begin = ["After “", el("span.read", textTo(tokens, t)), "” it says "];
    const sure = ` (chance ${chance(odds[t].at(-1))}).`;
    const word = (text) => el("b", `“${text}”`);
    if (!since) return [...begin, word(answer), " at every height", sure];
    const isDirect = since === upTo + 1;
    const then = isDirect ? ", then " : `, and from ${heights[since]} on `;
    const until = upTo ? ` up to ${heights[upTo]}` : ` at the ${heights[0]}`;
    return [...begin, word(first), until, then, word(answer), sure];
  }
}

export default mount(".lens-columns", LensColumns);
