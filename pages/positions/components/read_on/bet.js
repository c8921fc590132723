// Before anybody has read to the end it is asked who will hold, and at the end a bet is held against what came.

import { wholePercent } from "../../../../attention_view/lab.js";

/** What is asked, with the model that one bets on, and how far it was read. */
export function asks({ lines, trained, step, last, far, bet }) {
  const end = (last + 1) * step;
  if (Math.round(far + 1) * step > trained) return `No text in training was this long. Pull on to ${end} tokens.`;
  const { name } = lines[bet] ?? {};
  return name ? `You say ${name}. Now pull the text longer.` : `Which still works at ${end} tokens? Press its name.`;
}

/** What came of the bet. */
export function answers({ lines, step, last, bet }) {
  const { name, shares } = lines[bet];
  const best = lines[ranked(lines)[0]];
  const held = `at ${(last + 1) * step} tokens ${best.name} is right ${wholePercent(best.shares[last])} of the time`;
  if (best.name === name) return `Yes: ${held}.`;
  const own = shares.length > last ? wholePercent(shares[last]) : `stops at ${shares.length * step}`;
  return `No: ${held}, ${name} ${own}.`;
}

/** From the model that is right most often at the end to the least, then those that stop before: numbers in `lines`. */
export function ranked(lines) {
  const end = (n) => [lines[n].shares.length, lines[n].shares.at(-1)];
  return [...lines.keys()].sort((a, b) => end(b)[0] - end(a)[0] || end(b)[1] - end(a)[1]);
}

/** The one that reads on to the end, and is right least often there. */
export function worst(lines) {
  const longest = Math.max(...lines.map(({ shares }) => shares.length));
  return ranked(lines).findLast((n) => lines[n].shares.length === longest);
}
