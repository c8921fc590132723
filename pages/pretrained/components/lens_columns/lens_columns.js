// The logit lens: of one token, from the bottom to the top, what the model would say if it stopped at this height, with
// the chance of the word that it says in the end. Below stands the text, and over each token its heights in small:
// filled where its own final word stands first.

import { asChance, el, mirror, mount, percent, put, wholeParam, write } from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";

const BEAT = 3000; // milliseconds
const ROOMY = 7; // heights that have room for large words

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

/** The finding, which the small heights show. */
export function toldOf(data) {
  const { late, half, repeats } = finding(data);
  const T = data.tokens.length;
  if (T === 1) return ""; // one token is told of above
  const last = data.first ? "the last " : ""; // of a longer text
  if (2 * late >= T) {
    const below = repeats
      ? `; one layer below, ${repeats} of them only repeat${repeats === 1 ? "s" : ""} the token just read`
      : "";
    return `At ${late} of ${last}${T} tokens, the final word appears only in the last layer${below}.`;
  }
  const waits = late ? `; at ${late}, only the last layer decides.` : ".";
  const all = last ? `${last}${T}` : "the";
  return `By ${half ? "" : "the "}${data.heights[half]}, half of ${all} tokens have their final word${waits}`;
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

/** 1838 -> "1,838th" */
export function placed(rank) {
  const [tens, ones] = [rank % 100, rank % 10];
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th");
  return `${rank.toLocaleString("en")}${ending}`;
}

class LensColumns {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) =>
      write("pretrained_lens_token", this.data.first + this.chosen, this.data.first + this.last),
    );
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.early = el("button.primary", { onclick: () => this.choose(this.next) });
    this.what = el("p.what");
    this.rows = el("ol.rows");
    this.all = el("p.all");
    this.columns = el("div.columns", {
      role: "radiogroup",
      "aria-label": "Tokens of the text",
      onkeydown: (event) => this.step(event),
      onpointerdown: (event) => this.grab(event),
    });
    const head = el("div.headline", this.finding, this.early);
    root.replaceChildren(head, this.what, this.rows, this.columns, this.all);
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
    this.buttons = data.tokens.map((token, t) => this.column(token, t));
    this.columns.replaceChildren(...this.buttons);
    write(this.all, toldOf(data));
    this.show();
    this.bringIn();
    if (isFirst && asked === null) this.beat();
  }

  destroy() {
    this.endBeat?.();
  }

  /** The way up fills from below, a height at a time. */
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
    for (const row of this.rows.children) row.classList.toggle("empty", row.dataset.at >= filled);
  }

  /** A token of the text, and over it its heights in small. */
  column(token, t) {
    const { ranks } = this.data;
    const cells = ranks[t].map((rank) => el(rank === 1 ? "i.final" : "i")).reverse();
    const props = { role: "radio", "aria-label": token, title: token, onclick: () => this.choose(t) };
    return el("button.column", props, el("span.cells", ...cells), el("b", token));
  }

  /** What the model would say at a height of the chosen token, and how likely its final word is there. */
  row(p) {
    const { heights, said, chances, ranks, odds, echoes } = this.data;
    const t = this.chosen;
    const isFinal = ranks[t][p] === 1;
    const echo = echoes[t][p] && el("small", "the token just read");
    const rank = isFinal ? "" : `; ${said[t].at(-1)} is ${placed(ranks[t][p])}`;
    const fill = el("i");
    fill.style.width = `${(100 * odds[t][p]).toFixed(2)}%`;
    return el(
      isFinal ? "li.final" : "li",
      { "data-at": p, title: `${heights[p]}: ${said[t][p]}, ${percent(chances[t][p])}${rank}` },
      el("span.height", heights[p]),
      el("span.word", el("b", said[t][p]), echo || null),
      el("span.bar", fill),
      el("span.chance", asChance(odds[t][p])),
    );
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

  /** What the dark button calls that token: the one whose next word is known early, where all others wait. */
  get offers() {
    const { late } = finding(this.data);
    return late === this.last ? "Show a word known earlier" : "Show the earliest";
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
    this.finding.replaceChildren(...this.story(t));
    const { said, heights } = this.data;
    this.what.replaceChildren(
      el("span", "if it stopped here, it would say"),
      el("span", `chance of “${said[t].at(-1)}”`),
    );
    this.rows.replaceChildren(...heights.map((_, p) => this.row(p)).reverse());
    this.root.dataset.shown = JSON.stringify({ token: t, said: said[t] });
  }

  /** How the chosen token goes, in words. */
  story(t) {
    const { heights, odds } = this.data;
    const { first, upTo, answer, since } = pathOf(this.data, t);
    const sure = `, ${asChance(odds[t].at(-1))} sure.`;
    const word = (text) => el("b", `“${text}”`);
    if (!since) return ["It would say ", word(answer), " at every height; at the top it is", sure.slice(1)];
    const until = upTo ? ` up to ${heights[upTo]}` : ` at the ${heights[0]}`;
    const begin = ["It would say ", word(first), until];
    if (since === upTo + 1) return [...begin, `; ${heights[since]} turns it into `, word(answer), sure];
    return [...begin, `, and from ${heights[since]} on `, word(answer), sure];
  }
}

export default mount(".lens-columns", LensColumns);
