// A sentence beside what it should be: which words stand for each other, and how a correction is written.

import { el } from "../../../../attention_view/lab.js";

/** How many words two texts have in common, in their order, from each place on: (n + 1) rows of m + 1. */
function common(a, b) {
  const found = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      found[i][j] = a[i] === b[j] ? 1 + found[i + 1][j + 1] : Math.max(found[i + 1][j], found[i][j + 1]);
  return found;
}

/** [what should be there, what is]: equal where it is right, "" for nothing. Words in common keep their order. */
export function pairs(whole, now) {
  const shared = common(whole, now);
  const found = [];
  let [i, j, missed, wrong] = [0, 0, [], []];
  const close = () => {
    for (let n = 0; n < Math.max(missed.length, wrong.length); n++) found.push([missed[n] ?? "", wrong[n] ?? ""]);
    [missed, wrong] = [[], []];
  };
  while (i < whole.length || j < now.length) {
    if (i < whole.length && whole[i] === now[j]) {
      close();
      found.push([whole[i++], now[j++]]);
    } else if (j >= now.length || (i < whole.length && shared[i + 1][j] >= shared[i][j + 1])) missed.push(whole[i++]);
    else wrong.push(now[j++]);
  }
  close();
  return found;
}

/** The words of a text: a wrong one is struck, with the right one above it; where one is missing there is a gap. */
export function corrected(whole, now, isOver) {
  const words = pairs(whole, now).map(([right, word], n) => {
    const style = `--at:${n}`;
    if (right === word) return el("span.pair", { style }, el("span.word", word));
    const written = word ? el("s.word", word) : el("span.word.gap", "");
    return el("span.pair.other", { style }, el("small", right), written, el("span.word.ghost", right));
  });
  return isOver ? words : [...words, el("span.pair", el("span.word.on", "…"))];
}
