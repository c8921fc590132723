// Where words stand by their rank, the line that leads one of them up, and in a sentence what becomes of it.

import { asShare, ordinal } from "../../../../attention_view/lab.js";

const FAR = 0.62; // of the width: behind the columns of the first ranks the others stand, by the logarithm of theirs

/** Where a rank stands, from 0 to 1: the first k have columns, the others share what is behind them. */
export function across(rank, k, last) {
  if (rank <= k) return (FAR * (rank - 1)) / k;
  if (last <= k + 1) return 1;
  return FAR + ((1 - FAR) * Math.log(rank / k)) / Math.log(last / k);
}

/** Between the columns and those that share what is behind them. */
export const breakAt = (k) => FAR * (1 - 0.5 / k);

/** One smooth line through points [[x, y]], upright in each. */
export function lineThrough(points) {
  return points
    .map(([x, y], n) => {
      if (n === 0) return `M${x} ${y}`;
      const [before, from] = points[n - 1];
      const half = (from + y) / 2;
      return `C${before} ${half} ${x} ${half} ${x} ${y}`;
    })
    .join("");
}

/** The height from which on the answer leads up to the top. */
export const since = (ranks) => ranks.findLastIndex((rank) => rank !== 1) + 1;

/** Where the button leads from a height: to the next one; after the first step, to where another word leads. */
export function nextOf(words, at) {
  if (at === words.length - 1) return 0;
  const changes = words.findIndex(([word], p) => p > at && word !== words[p - 1][0]);
  return at === 1 && changes > 0 ? changes : at + 1;
}

/** Where the token stands before a sublayer, in words; isLong: all the way up to it, and not just before it. */
function placeBelow(height, isLong) {
  const [, sublayer, layer] = /^(attention|feed-forward) (\d+)$/.exec(height) ?? [];
  if (sublayer === "attention") return `${isLong ? "Until" : "Just before"} layer ${layer}`;
  if (sublayer) return `${isLong ? "Up to" : "After"} attention in layer ${layer}`;
  return `${isLong ? "Until" : "Just before"} ${height}`;
}

/** What is said of a token at a height: a question at the embedding, and at the top what became of it. */
export function told(data, p) {
  if (p === 0) return asked(data);
  return p === data.heights.length - 1 ? finding(data) : changed(data, p);
}

/** Before any layer: which word leads, and what there is to find. */
export function asked({ words, ranks, tokens, followed, follows }) {
  const [before, token] = [tokens[followed - 1], tokens[followed]];
  const isPair = follows && [before, token].every((word) => /^\p{L}/u.test(word ?? ""));
  const text = `${follows ? "After" : "At"} “${isPair ? `${before} ` : ""}${token}”`;
  const question = ranks[0] === 1 ? "Will that hold to the top?" : `Where will “${words.at(-1)[0]}” come first?`;
  return `${text}, the model’s first thought is “${words[0][0]}”. ${question}`;
}

/** What becomes of the token, in a sentence: what it would say below the height where the answer comes first. */
export function finding({ heights, words, ranks }) {
  const from = since(ranks);
  const answer = words.at(-1)[0];
  if (from === 0) return `“${answer}” comes first from the embedding to the top.`;
  const below = words.slice(0, from).map(([word]) => word);
  const last = below.at(-1);
  const isAlike = from > 1 && below.every((word) => word === last);
  const who = heights[from].replace(/ \d+$/, "");
  const before = `${placeBelow(heights[from], isAlike)}, the model would say “${last}”.`;
  return `${before} Then ${who} lifts “${answer}” from ${ordinal(ranks[from - 1])} place to first.`;
}

/** What the part at a height has changed for the word that the model says in the end, in a sentence. */
export function changed({ heights, words, ranks, answer_odds: odds }, p) {
  const answer = `“${words.at(-1)[0]}”`;
  const leads = `“${words[p][0]}”`;
  const [was, now] = [ranks[p - 1], ranks[p]];
  const before = `“${words[p - 1][0]}”`;
  const part = heights[p][0].toUpperCase() + heights[p].slice(1);
  if (was === now && now === 1) {
    const [old, sure] = [odds[p - 1], odds[p]].map(asShare);
    const kept = `${part} keeps ${answer} in first place`;
    return old === sure ? `${kept}, at ${sure}.` : `${kept}: from ${old} to ${sure}.`;
  }
  if (now === 1) return `${part} lifts ${answer} from ${ordinal(was)} place to first, past ${before}.`;
  const moves = was === now ? `leaves ${answer} in` : `${now < was ? "lifts" : "drops"} ${answer} from`;
  const where =
    was === now ? `${ordinal(now)} place` : `${was === 1 ? "first" : ordinal(was)} to ${ordinal(now)} place`;
  return `${part} ${moves} ${where}; ${leads} ${leads === before ? "still leads" : "takes the lead"}.`;
}
