// The logit lens: one token on its way up through the layers. A handle is pulled up; each height that it reaches
// unrolls what the model would say if it stopped there, and the text goes on with it, after the token that is followed.

import {
  asShare,
  el,
  mirror,
  mount,
  ordinal,
  percent,
  pointIn,
  put,
  rewrite,
  shareInProse,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, drawnIn, inRow, takesHold } from "../../../../attention_view/controls.js";

const ROOMY = 7; // heights that have room for large words
const LEAST = 0.01; // of a word that comes next: a less likely one is not shown

/** From which height on a token has its final word: the ranks of that word, the lowest height first. */
export const settledFrom = (ranks) => ranks.findLastIndex((rank) => rank !== 1) + 1;

/** Whether a token, as it is shown, goes on within a word: "…est". */
export const isPiece = (token) => /^…\p{L}/u.test(token);

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
    return ["Only the last layer says ", answer, ": one layer below, it would have said ", [below.at(-1)], "."];
  const before = heights[since - 1];
  const first = since === 1 ? `The ${before}` : `${isOne ? "Up to" : "At"} ${before} it`;
  const begin = [`${first} ${repeats ? (isOne && since > 1 ? "repeats" : "only repeats") : "says"} `, [below.at(-1)]];
  return [...begin, isLate ? ". The last layer says " : `. From ${heights[since]} on it says `, answer, "."];
}

/** The question, what it would say at the height that is reached, and from the top on what has become of the token. */
export function toldAt(data, t, height, reached) {
  const { tokens, heights, said, echoes, chances } = data;
  if (reached === heights.length - 1) return storyOf(data, t);
  if (!reached) return ["How high must ", [tokens[t]], " climb to know what comes next?"];
  const stopped = height ? `Stopped after ${heights[height]}, it ` : "Before any layer, it ";
  if (echoes[t][height]) return [stopped, "only repeats ", [said[t][height]], ". Higher!"];
  return [stopped, "would say ", [said[t][height]], `, ${shareInProse(chances[t][height])} sure. Higher!`];
}

const FEW = 4; // tokens that are named in a sentence

/** How many tokens have their word from the top alone, and which have it before, in pieces of a sentence. */
export function toldOfAll({ tokens, heights, ranks }) {
  const early = tokens.filter((_, t) => settledFrom(ranks[t]) < heights.length - 1);
  const [n, late] = [tokens.length, tokens.length - early.length];
  if (!late) return [`None of the ${n} tokens must climb to the top.`];
  const begin = `${late === n ? `All ${n}` : `${late} of ${n}`} tokens must climb to the top`;
  if (!early.length) return [`${begin}.`];
  if (early.length > Math.min(FEW, late)) return [`${begin}; ${early.length} have their word earlier.`];
  const between = (t) => (t ? (t === early.length - 1 ? " and " : ", ") : "");
  return [
    `${begin}. Only `,
    ...early.flatMap((token, t) => [between(t), [token]]),
    early.length === 1 ? " knows earlier." : " know earlier.",
  ];
}

/** A word that is as large as it is likely, with its share and a note; what is left of the row goes by shares. */
const sized = (kind, word, chance, note) => {
  const style = `--is: ${Math.sqrt(chance).toFixed(3)}; flex-grow: ${100 * chance}`;
  return el(kind, { style }, word, el("small", asShare(chance)), note && el("small", note));
};

export class LensColumns {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) => {
      write("pretrained_lens_token", this.data.first + this.chosen, this.data.first + this.usual);
      write("pretrained_lens_height", this.height, 0);
    });
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.press() });
    this.text = el("div.text", {
      role: "radiogroup",
      "aria-label": "Tokens of the text",
      onkeydown: (event) => this.step(event),
    });
    this.next = el("span.next", { "aria-hidden": "true" });
    this.handle = el("button.handle", {
      role: "slider",
      "aria-orientation": "vertical",
      "aria-label": "Where the model stops",
      "aria-valuemin": 0,
      onkeydown: (event) => this.climb(event),
      onclick: (event) => event.stopPropagation(), // one that a key makes is nowhere in the rows
    });
    this.handle.onpointerdown = (event) => takesHold(event) && this.grab(event);
    this.rail = el("div.rail", this.handle);
    this.rows = el("ol.rows");
    const onclick = (event) => this.lift(Math.round(this.heightAt(event)));
    this.tower = el("div.tower", { onclick }, this.rows, this.rail);
    root.replaceChildren(el("div.headline", this.finding, this.act), this.text, this.tower);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    Object.assign(this, { signature, data, last: data.tokens.length - 1, top: data.heights.length - 1 });
    const asked = isFirst ? wholeParam("pretrained_lens_token", data.first + data.tokens.length) : null;
    [this.usual, this.soonest] = [this.last, earliest(data)];
    this.root.style.setProperty("--heights", data.heights.length);
    this.root.classList.toggle("dense", data.heights.length > ROOMY);
    this.isAll = false;
    const risen = (t) => el("i", { style: `--since: ${settledFrom(data.ranks[t]) / this.top}` });
    const word = (token, t) => el("button", { role: "radio", onclick: () => this.choose(t) }, token, risen(t));
    this.words = data.tokens.map(word);
    const height = (isFirst && wholeParam("pretrained_lens_height", data.heights.length)) || 0;
    this.follow(asked === null || asked < data.first ? this.usual : asked - data.first, height);
    if (!isFirst) this.link.later();
    else if (asked === null && !height) this.endBeat = drawnIn(this.root, "lens");
  }

  /** A token is followed, from this height on. */
  follow(chosen, height = 0) {
    Object.assign(this, { chosen, height, reached: height, saysAll: false });
    this.text.replaceChildren(...this.words.toSpliced(chosen + 1, 0, this.next));
    for (const [n, word] of this.words.entries())
      put(word, {
        class: n > chosen ? "later" : "",
        "aria-checked": String(n === chosen),
        tabindex: n === chosen ? "0" : "-1",
      });
    this.show();
  }

  choose(t) {
    if (t === this.chosen) return;
    this.follow(t);
    this.link.later();
  }

  step(event) {
    const to = inRow(event, this.chosen, this.words.length);
    if (to === null) return;
    this.choose(to);
    this.words[to].focus();
  }

  // ---- the way up -------------------------------------------------------------------------------------------------

  heightAt(event) {
    const [, y] = pointIn(event, this.rows);
    const at = this.top + 0.5 - (y / this.rows.offsetHeight) * (this.top + 1);
    return Math.max(0, Math.min(this.top, at));
  }

  /** The handle follows the hand, and settles at a height. */
  grab() {
    const move = (event) => {
      const at = this.heightAt(event);
      this.lift(Math.round(at));
      this.root.style.setProperty("--at", at);
    };
    this.root.classList.add("held");
    this.endDrag = drag(move, () => {
      this.root.classList.remove("held");
      this.root.style.setProperty("--at", this.height);
    });
  }

  climb(event) {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -this.top, End: this.top }[event.key];
    if (!by) return;
    event.preventDefault();
    this.lift(Math.max(0, Math.min(this.top, this.height + by)));
  }

  lift(height) {
    if (height === this.height) return;
    Object.assign(this, { height, reached: Math.max(height, this.reached), saysAll: false });
    this.show();
    this.link.later();
  }

  /** The dark button: a layer further, from the top on to another token, and after that how high each one climbs. */
  press() {
    if (this.goal === null) return this.lift(this.height + 1);
    if (!this.isLast) return this.choose(this.goal);
    this.isAll = this.saysAll = true; // the finding says so until a hand moves
    return this.show();
  }

  /** Whether a second token has been followed to the top, and not yet all. */
  get isLast() {
    return !this.isAll && this.reached === this.top && this.chosen !== this.last;
  }

  /** The token that comes next, null before the top is reached: from the last one, on which the page opens, one that
   * has its word early; from there on the next that has it at another height, or the next at all. */
  get goal() {
    const { chosen, last, soonest, words } = this;
    if (this.reached < this.top || !last) return null;
    if (chosen === last && soonest !== last) return soonest;
    return nextChange(this.data.ranks, chosen) ?? (chosen + 1) % words.length;
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  /** Whether the answer is said at a height, which the top alone tells. */
  isAnswer(p) {
    return this.reached === this.top && this.data.ranks[this.chosen][p] === 1;
  }

  /** What the model would say at a height of the followed token, and how sure it would be. */
  row(p) {
    const { heights, said, chances, ranks, echoes } = this.data;
    const t = this.chosen;
    const layer = el("span.layer", p ? heights[p] : el("b", this.data.tokens[t]));
    if (p > this.reached) return el("li", layer, el("span.word", el("b")));
    const isFinal = this.isAnswer(p);
    const note = beside(said[t][p], echoes[t][p]);
    const rank = this.reached < this.top || isFinal ? "" : `; ${said[t].at(-1)} is ${ordinal(ranks[t][p])}`;
    return el(
      `li.told${isFinal ? ".final" : ""}${p === this.height ? ".on" : ""}`,
      { title: `${heights[p]}: ${said[t][p]}, ${percent(chances[t][p])}${rank}` },
      layer,
      el("span.word", sized("b", said[t][p], chances[t][p], note), ...this.rivals(t, p)),
    );
  }

  /** The words that come next at a height, and what all others have. */
  rivals(t, p) {
    const { rivals, close, said, chances } = this.data;
    const likely = rivals[t][p].filter((_, n) => close[t][p][n] >= LEAST);
    const rest = close[t][p].slice(0, likely.length).reduce((left, chance) => left - chance, 1 - chances[t][p]);
    const words = likely.map((word, n) => {
      const isAnswer = this.reached === this.top && word === said[t].at(-1);
      return sized(isAnswer ? "span.rival.answer" : "span.rival", word, close[t][p][n]);
    });
    return rest < LEAST
      ? words
      : [...words, el("span", { style: `flex-grow: ${100 * rest}` }, el("small", `all others ${asShare(rest)}`))];
  }

  show() {
    const { data, chosen: t, height, reached, top, goal } = this;
    const pieces = (part) =>
      typeof part === "string" ? part : [isPiece(part[0]) ? "the piece " : "", el("b", `“${part[0]}”`)];
    const told = this.saysAll ? toldOfAll(data) : toldAt(data, t, height, reached);
    rewrite(this.finding, ...told.flatMap(pieces));
    this.root.classList.toggle("all", this.isAll);
    const isEarly = goal === this.soonest && t === this.last;
    const further = this.isLast ? "How high must each climb?" : `Go on to “${data.tokens[goal]}”`;
    this.act.hidden = reached === top && goal === null;
    write(this.act, reached < top ? "One layer up" : isEarly ? "A word that knows earlier" : further);
    write(this.next, reached ? data.said[t][height] : "?");
    this.next.classList.toggle("final", this.isAnswer(height));
    this.rows.replaceChildren(...data.heights.map((_, p) => this.row(p)).reverse());
    this.root.style.setProperty("--at", height);
    put(this.handle, {
      "aria-valuemax": top,
      "aria-valuenow": height,
      "aria-valuetext": `${data.heights[height]}: ${data.said[t][height]}`,
    });
    this.root.dataset.shown = JSON.stringify({ token: t, said: data.said[t], height });
  }
}

export default mount(".lens-columns", LensColumns);
