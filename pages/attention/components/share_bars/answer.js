// What softmax makes of a query and its keys, in steps, with scores in units of ln 2: a score 1 higher doubles a share.

import { numeral, sumOf, trimmed } from "../../../../attention_view/lab.js";

export const HIGHEST = 2; // number of a query, and of a key
const TIMES = { 2: "twice as much as", 4: "four times as much as" };

const dot = (query, key) => sumOf(query.map((x, d) => x * key[d]));

/** Per key its match q·k, the score, twice as much per point of it, and its share of all; and the sum of all. */
export function worked(query, keys) {
  const matches = keys.map((key) => dot(query, key));
  const scores = matches.map((match) => match / Math.sqrt(query.length));
  const doubled = scores.map((score) => 2 ** score);
  const total = sumOf(doubled);
  return { matches, scores, doubled, total, shares: doubled.map((x) => x / total) };
}

/** The number that follows in a query; after the highest, 0. */
export const turnedOn = (x) => (x + 1) % (HIGHEST + 1);

/** Whether some query matches key i best. */
export function canWin(i, keys) {
  const queries = keys[0].reduce((all) => all.flatMap((query) => [0, 1, 2].map((x) => [...query, x])), [[]]);
  return queries.some((query) => winners(worked(query, keys).matches).join() === String(i));
}

/** The keys with the highest match. */
export function winners(matches) {
  const most = Math.max(...matches);
  return matches.flatMap((match, i) => (match === most ? [i] : []));
}

/** The key that a hand is asked to let win: the one with the lowest match that can; null where none can. */
export function rivalOf(query, keys) {
  const { matches } = worked(query, keys);
  const [best] = winners(matches);
  const others = keys.flatMap((_, i) => (i !== best && canWin(i, keys) ? [i] : []));
  return others.sort((a, b) => matches[a] - matches[b])[0] ?? null;
}

/** Who gets most, and how that compares with the next: one sentence. */
export function outcome({ matches, scores, shares }) {
  const best = winners(matches);
  const share = shares[best[0]].toFixed(2);
  if (best.length === matches.length) return `All ${numeral(best.length)} keys get ${share}: their matches are equal.`;
  if (best.length > 1)
    return `Keys ${best.map((i) => i + 1).join(" and ")} get ${share} each: their matches are equal.`;
  const others = matches.map((match, i) => (i === best[0] ? -1 : match));
  const second = others.indexOf(Math.max(...others));
  const times = 2 ** (scores[best[0]] - scores[second]);
  const than = TIMES[times] ?? `${trimmed(times, 1)} times as much as`;
  const by = matches[best[0]] - matches[second];
  return `Key ${best[0] + 1} gets ${share}, ${than} key ${second + 1}: its match is ${by} higher.`;
}

/** What a hand is asked for of the query that was guessed of, until it is so; "" then. */
export function taskOf(asked, keys, { matches }) {
  const rival = rivalOf(asked, keys);
  const isDone = rival === null || winners(matches).join() === String(rival);
  return isDone ? "" : ` Change the query: can key ${rival + 1} win?`;
}
