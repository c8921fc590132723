// The logit lens: of one token, from the bottom to the top, what the model would say if it stopped at this height, and
// how sure it would be. Below stands the text, and over each token its heights in small: filled where its own final
// word stands first.

import {
  asShare,
  counted,
  el,
  mirror,
  mount,
  ordinal,
  percent,
  put,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";

const BEAT = 3000; // milliseconds
const ROOMY = 7; // heights that have room for large words

/** From which height on a token has its final word: the ranks of that word, the lowest height first. */
export const settledFrom = (ranks) => ranks.findLastIndex((rank) => rank !== 1) + 1;

/** What is found in the whole table: {late, half}.
 *
 * late     tokens whose final word stands first at the highest height only, not even lower down and lost again
 * half     the height by which half of the tokens have their final word */
export function finding({ ranks }) {
  const top = ranks[0].length - 1;
  const since = ranks.map(settledFrom);
  return {
    late: ranks.filter((row) => row.indexOf(1) === top).length,
    half: since.toSorted((a, b) => a - b)[Math.ceil(since.length / 2) - 1],
  };
}

/** Whether a token, as it is shown, goes on within a word: "…est". */
export const isPiece = (token) => /^…\p{L}/u.test(token);

/** The finding, which the small heights show. */
export function toldOf(data) {
  const { late, half } = finding(data);
  const T = data.tokens.length;
  if (T === 1) return ""; // one token is told of above
  const last = data.first ? "the last " : ""; // of a longer text
  if (2 * late >= T) return `For ${late} of ${last}${T} tokens, the answer appears only in the last layer.`;
  const waits = late ? `; for ${late}, it appears only in the last layer.` : ".";
  const all = last ? `${last}${T}` : "the";
  return `By ${half ? "" : "the "}${data.heights[half]}, half of ${all} tokens have their answer${waits}`;
}

/** The token to hold against the last one: of those that have their final word before all others, a word that is only
 * repeated below that, if there is one, and the surest of these; the last one where that is as early. */
export function earliest({ tokens, ranks, odds, echoes }) {
  const since = ranks.map(settledFrom);
  const [first, last] = [Math.min(...since), since.length - 1];
  if (since[last] === first) return last;
  const isPlain = (t) => /\p{L}/u.test(tokens[t]) && echoes[t].slice(0, first).every(Boolean);
  const early = since.flatMap((height, t) => (height === first ? [t] : []));
  const plain = early.filter(isPlain);
  return (plain.length ? plain : early).reduce((best, t) => (odds[t][first] > odds[best][first] ? t : best));
}

/** The next token, from the beginning again after the last, that has its answer from another height on; null for
 * none. */
export function nextChange(ranks, t) {
  const others = [...ranks.keys()].map((n) => (t + n) % ranks.length);
  return others.find((n) => settledFrom(ranks[n]) !== settledFrom(ranks[t])) ?? null;
}

/** What is said beside the first guess at a height; null for a word that is no echo. */
export function beside(word, isEcho) {
  if (isEcho) return `still repeats “${word}”`;
  return isPiece(word) ? "a piece of a word" : null;
}

/** What becomes of one token on its way up, in pieces of a sentence: texts, and the words that the model says as
 * [word]. */
export function storyOf({ heights, said, ranks, echoes, odds }, t) {
  const [words, since, top] = [said[t], settledFrom(ranks[t]), heights.length - 1];
  const answer = [words[top]];
  if (!since) return ["It would say ", answer, ` at every height; at the top it is ${asShare(odds[t][top])} sure.`];
  const below = words.slice(0, since);
  const isOne = below.every((word) => word === below[0]);
  const isLate = since === top;
  const repeats = (isOne ? echoes[t].slice(0, since) : [echoes[t][since - 1]]).every(Boolean);
  if (isLate && !repeats && !ranks[t].slice(0, -1).includes(1))
    return [
      "Only the last layer says ",
      answer,
      `. One layer below, ${counted(ranks[t].at(-2) - 1, "word")} came first.`,
    ];
  const before = heights[since - 1];
  const first = since === 1 ? `The ${before}` : `${isOne ? "Up to" : "At"} ${before} it`;
  const begin = [`${first} ${repeats ? (isOne && since > 1 ? "repeats" : "only repeats") : "says"} `, [below.at(-1)]];
  return [...begin, isLate ? ". The last layer says " : `. From ${heights[since]} on it says `, answer, "."];
}

class LensColumns {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) =>
      write("pretrained_lens_token", this.data.first + this.chosen, this.data.first + this.usual),
    );
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.early = el("button.primary", { onclick: () => this.choose(this.next) });
    this.what = el("p.what");
    this.rows = el("ol.rows");
    this.all = el("p.all");
    const key = el("p.key", el("span.cells", el("i.final")), "the answer already comes first here");
    this.foot = el("div.foot", this.all, key);
    this.columns = el("div.columns", {
      role: "radiogroup",
      "aria-label": "Tokens of the text",
      onkeydown: (event) => this.step(event),
      onpointerdown: (event) => this.grab(event),
    });
    const head = el("div.headline", this.finding, this.early);
    root.replaceChildren(head, this.what, this.rows, this.columns, this.foot);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    Object.assign(this, { signature, data, last: data.tokens.length - 1 });
    const asked = isFirst ? wholeParam("pretrained_lens_token", data.first + data.tokens.length) : null;
    [this.usual, this.soonest] = [this.last, earliest(data)];
    this.chosen = asked === null || asked < data.first ? this.usual : asked - data.first;
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

  /** What the model would say at a height of the chosen token, and how sure it would be. */
  row(p) {
    const { heights, said, chances, ranks, echoes } = this.data;
    const t = this.chosen;
    const isFinal = ranks[t][p] === 1;
    const note = beside(said[t][p], echoes[t][p]);
    const rank = isFinal ? "" : `; ${said[t].at(-1)} is ${ordinal(ranks[t][p])}`;
    const fill = el("i");
    fill.style.width = `${(100 * chances[t][p]).toFixed(2)}%`;
    return el(
      isFinal ? "li.final" : "li",
      { "data-at": p, title: `${heights[p]}: ${said[t][p]}, ${percent(chances[t][p])}${rank}` },
      el("span.height", heights[p]),
      el("span.word", el("b", said[t][p]), note && el("small", note)),
      el("span.bar", fill),
      el("span.chance", asShare(chances[t][p])),
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

  /** Which token the dark button leads to: from the last one, on which the page opens, to one that has its word early;
   * from there on to the next that has it at another height. */
  get goal() {
    const isEarly = this.soonest === this.last || this.chosen !== this.last;
    return isEarly ? nextChange(this.data.ranks, this.chosen) : this.soonest;
  }

  show() {
    const t = this.chosen;
    for (const [n, button] of this.buttons.entries()) {
      button.classList.toggle("on", n === t);
      put(button, { "aria-checked": String(n === t), tabindex: n === t ? "0" : "-1" });
    }
    this.next = this.goal;
    this.early.hidden = this.next === null;
    const isFirst = t === this.last && this.next === this.soonest;
    if (this.next !== null)
      write(this.early, isFirst ? "Show an early answer" : `Go on to “${this.data.tokens[this.next]}”`);
    const pieces = (part) =>
      typeof part === "string" ? part : [isPiece(part[0]) ? "the piece " : "", el("b", `“${part[0]}”`)];
    this.finding.replaceChildren(...storyOf(this.data, t).flatMap(pieces));
    const { said, heights } = this.data;
    this.what.replaceChildren(el("span", "if it stopped here, it would say"), el("span", "how sure it would be"));
    this.rows.replaceChildren(...heights.map((_, p) => this.row(p)).reverse());
    this.root.dataset.shown = JSON.stringify({ token: t, said: said[t] });
  }
}

export default mount(".lens-columns", LensColumns);
