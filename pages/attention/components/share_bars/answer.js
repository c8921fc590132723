// What softmax makes of matches: each is divided by the root of the width, and e to that power shares the whole.

import { sumOf, trimmed } from "../../../../attention_view/lab.js";

export const HIGHEST = 12; // match that a hand can set

/** Per match e to the power of its score, their sum, and the share of each. */
export function worked(matches, root) {
  const powers = matches.map((match) => Math.exp(match / root));
  const total = sumOf(powers);
  return { powers, total, shares: powers.map((power) => power / total) };
}

/** The keys with the highest match. */
export function winners(matches) {
  const most = Math.max(...matches);
  return matches.flatMap((match, i) => (match === most ? [i] : []));
}

const called = (i) => `key ${i + 1}`;

/** What the model's cut shows: the best key beside the worst, by matches and by shares. */
export function outcome(matches, shares) {
  const best = winners(matches)[0];
  const least = matches.indexOf(Math.min(...matches));
  const share = shares[best].toFixed(2);
  if (!matches[least]) return `Key ${best + 1} gets ${share}; ${called(least)} matches nothing, and still gets some.`;
  const times = trimmed(matches[best] / matches[least], 1);
  const got = trimmed(shares[best] / shares[least], 1);
  return `Key ${best + 1} matches ${times} times as well as ${called(least)}, but gets ${got} times the attention.`;
}

/** What a hand is asked for next: to let the key win that was matched least; "" once it alone has won. */
export function taskOf(asked, matches) {
  const least = asked.indexOf(Math.min(...asked));
  return winners(matches).join() === String(least) ? "" : ` Drag ${called(least)} up until it wins.`;
}

/** What a hand has made of key i. before, now: {match, share} */
export function changed(i, before, now) {
  const [had, has] = [before, now].map(({ share }) => share.toFixed(2));
  const isAsked = now.match === before.match;
  const match = `Match ${now.match}${isAsked ? ", as before" : ` instead of ${before.match}`}`;
  return `${match}: key ${i + 1} gets ${has} instead of ${had}.`;
}
