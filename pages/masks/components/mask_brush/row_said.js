// What a row of weights looks at, and where the weight goes that a stroke has blocked, in a sentence.

import { el, sumOf } from "../../../../attention_view/lab.js";

const NAMED = 2; // blocked words that a sentence names; of more it says how many

/** Which of these is the largest. */
export const largestAt = (weights) => weights.indexOf(Math.max(...weights));

const namesOf = (keys) => (keys.length > NAMED ? `${keys.length} tokens` : keys.map((key) => `“${key}”`).join(" and "));

/** The keys that a stroke has blocked, if that moved weight that is seen. before: the weights of the row before that
 * stroke, or null; what was blocked already had exactly 0 */
export function justBlocked(open, before) {
  const lost = before ? [...open.keys()].filter((j) => !open[j] && before[j] > 0) : [];
  return lost.some((j) => before[j] > 0.005) ? lost : [];
}

/** What a row looks at most, and what its mask hides; or, of a stroke that has just blocked some of it, where that
 * weight has gone: sentences as [text, the colour it wears or ""]. before: weights before that stroke, or null */
export function findingOf(query, keys, open, weights, before = null) {
  const blocked = keys.filter((_, j) => !open[j]);
  const asking = [query, "query"];
  if (blocked.length === keys.length) return [asking, [" may see nothing: its row adds up to 0.", ""]];
  const lost = justBlocked(open, before);
  if (lost.length) return wentOf(keys, weights, before, lost);
  const most = largestAt(weights);
  const parts = [asking, [" gives ", ""], [weights[most].toFixed(2), "weight"], [" of its attention to “", ""]];
  const looks = [...parts, [keys[most], "key"], ["”.", ""]];
  return blocked.length ? [...looks, [` It may not see ${namesOf(blocked)}.`, "quiet"]] : looks;
}

function wentOf(keys, weights, before, lost) {
  const gains = weights.map((w, j) => w - before[j]);
  const most = largestAt(gains);
  const isOne = lost.length === 1;
  const weight = (x) => [x.toFixed(2), "weight"];
  return [
    ...(isOne
      ? [
          ["“", ""],
          [keys[lost[0]], "key"],
          ["” is blocked: exactly ", ""],
        ]
      : []),
    ...(isOne ? [] : [[`${namesOf(lost.map((j) => keys[j]))} are blocked: exactly `, ""]]),
    ["0", "weight"],
    [isOne ? ". Its " : ". Their ", ""],
    weight(sumOf(lost.map((j) => before[j]))),
    [" goes to the rest: “", ""],
    [keys[most], "key"],
    ["” rises from ", ""],
    weight(before[most]),
    [" to ", ""],
    weight(weights[most]),
    [".", ""],
  ];
}

/** A part of a sentence. */
export const part = ([text, kind]) => (kind ? el(kind === "quiet" ? "span.quiet" : `b.${kind}`, text) : text);
