// What is said of a model without some of its parts.

import { shareInProse, shorten, wholePercent } from "../../../../attention_view/lab.js";

/** The name of a block such as "attention.2". */
export const nameOf = (block) => block.replace(".", ", layer ");

/** The name of a block where there is little room: "attn 11". */
export const briefOf = (block) => block.replace("attention.", "attn ").replace("feed-forward.", "ff ");

/** The word that is said, of leaders [word, probability]: the most probable one. */
export const saidOf = (leaders) => leaders.reduce((most, one) => (one[1] > most[1] ? one : most))[0];

/** How many of the words [word, whether the text says the same] are right. */
export const rightIn = (words) => words.filter(([, isRight]) => isRight).length;

/** "2 of 4 next words are right". */
const areRight = (some, n, noun = " next words") => `${some} of ${n}${noun} ${some === 1 ? "is" : "are"} right`;

/** How long the bar of what is right is, where that of the whole model is as long as can be. */
export const barOf = (words, whole) => `${Math.min(100, Math.round((100 * rightIn(words)) / (rightIn(whole) || 1)))}%`;

/** How many of the words repeat the one that was just read. */
export const repeatsIn = (words, tokens) => words.filter(([word], n) => word === tokens[n]).length;

/** The blocks, of [block, words], of which the fewest words are left right. */
export function missedMost(told) {
  const fewest = Math.min(...told.map(([, words]) => rightIn(words)));
  return told.filter(([, words]) => rightIn(words) === fewest).map(([block]) => block);
}

/** The sentence on a model that reads a text; words: what the whole model says all along it; now: what it says without
 * what is out, or with a share of it, null where nothing is; tokens: those it has read; told: of the blocks told of,
 * [block, words] each; isOver: whether these are all; guess: the block that a hand took first. */
export function readOf(words, now, tokens, told, isOver, guess = null) {
  const [was, n] = [rightIn(words), words.length];
  if (now) {
    const [is, repeats] = [rightIn(now.words), repeatsIn(now.words, tokens)];
    if (now.share) return `With ${wholePercent(now.share)} of ${now.name}, ${areRight(is, n)}.`;
    if (is < was && 2 * repeats > Math.max(n, 2))
      return `Without ${now.name}, ${areRight(is, n, "")}: ${repeats} times it repeats the last word.`;
    const count = `${is} of ${n} next words right`;
    return `Without ${now.name}, it ${is === was ? `still gets ${count}` : `gets ${count} instead of ${was}`}.`;
  }
  const whole = `The whole model gets ${was} of ${n} next words right.`;
  if (!isOver) return `${whole} Which block does it need most?`;
  if (!told.length) return whole; // too heavy to weigh
  const most = missedMost(told);
  const left = rightIn(told.find(([block]) => block === most[0])[1]);
  if (left >= was) return `${whole} It needs no single block for that.`;
  const names = most.map(longNameOf).join(" or ");
  const mine = told.find(([block]) => block === guess);
  if (mine) return verdictOf(names, left, n, most.includes(guess) ? null : rightIn(mine[1]));
  return `It needs ${names} most: ${left} of ${n} right without, ${was} with.`;
}

/** What is said to a guess: so many words are right without what is needed most, and without the block that was
 * guessed; null where that is the one. */
export const verdictOf = (names, left, n, guessed) =>
  guessed === null
    ? `You guessed it: without ${names}, ${areRight(left, n)}.`
    : `Your guess leaves ${guessed}. Without ${names}, ${areRight(left, n)}.`;

/** What is told of a model in which a block, of this cost if that is known, adds a share. Where nothing is known of
 * shares, it is out as soon as half of it is. */
export function withShare(cost, part, share, whole) {
  if (!cost) return share > 0.5 ? whole : null;
  const name = longNameOf(part);
  const words = share < 1 && cost.ways[Math.round(10 * share) - 1];
  if (words?.length) return { ...cost, words, share, name, more: "" };
  return share > 0.5 ? whole : { ...cost, name, more: "" };
}

const longNameOf = (block) => block.replace(".", " in layer ");

/** A word in quotes; of a piece of one, which begins with "…", that it is one. */
const quoted = (word) => `${word.startsWith("…") && word.length > 1 ? "the piece " : ""}“${shorten(word)}”`;

/** What is told without two blocks or parts calls them both, which are seen to be out: their names are long. */
export function togetherOf(told, out) {
  const parts = out.split(",");
  const isEach = parts.length === 2 && parts.every((part) => part.includes("."));
  const areBlocks = parts.every((part) => /^(attention|feed-forward)\./.test(part));
  return isEach ? { ...told, name: areBlocks ? "both blocks" : "both parts" } : told;
}

const [MUCH, GONE] = [0.05, 0.01]; // an answer with so much of the probability is gone when it has less than that

/** What became of a probability, as far as its printed shares tell: an answer may lose none and yet be overtaken. */
function changeOf(was, is) {
  const [before, after] = [was, is].map(shareInProse);
  if (before === after) return `stays at ${after}. Yet it`;
  if (is > was) return `rises from ${before} to ${after}. Yet it`;
  return `${was >= MUCH && is < GONE ? "is gone:" : "falls"} from ${before} to ${after}. It`;
}

/** The sentence on a model without what is out; whole: what it says as a whole; isWhole: where nothing is out;
 * asks: whether it asks for a block that the model cannot do without. */
export function findingOf({ name, moved, leaders }, whole, isWhole, asks = false) {
  if (!whole.length)
    return isWhole
      ? "Pull a block out: how much of the probability moves?"
      : `Without ${name}, ${shareInProse(moved)} of the probability moves to other words.`;
  const [[answer, was]] = whole;
  const question = asks ? " Which one would it miss?" : "";
  if (isWhole) return `With all of its blocks, the model says ${quoted(answer)}, ${shareInProse(was)} sure.${question}`;
  const [[, is]] = leaders;
  const now = saidOf(leaders);
  if (now === answer) return `Without ${name}, the model still says ${quoted(answer)}, ${shareInProse(is)} sure.`;
  return `Without ${name}, ${quoted(answer)} ${changeOf(was, is)} now says “${shorten(now)}”.`;
}

/** About the longest sentence on a block of a model that is whole in this way. */
export function longestOf({ whole, n_layers }) {
  const block = `feed-forward in layer ${n_layers - 1}`;
  const leaders = [
    [whole[0]?.[0] ?? "", 0],
    ["…ing", 1],
  ];
  return findingOf({ name: block, moved: 0.9994, leaders }, whole, false);
}
