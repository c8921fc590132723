// What is said of a head that is carried from one text into another.

import { shareInProse } from "../../../../attention_view/lab.js";
import { headFirst, headName, headOf } from "./picture.js";
import { chances, said } from "./ranks.js";

export const CARRY = {
  signs: "Below each head: how much of the difference between the two answers it carries.",
  nothing: (was) => `After the second text, with no head carried over, it says “${was}”.`,
  finding(head, now, was, moved) {
    const carries = `${headFirst(head)} ${carried(moved)}`;
    return now === was ? `${carries}, and it still says “${was}”.` : `${carries}, and “${was}” becomes “${now}”.`;
  },
  title: (head) => `the next word after the second text${head ? ", with it carried over" : ""}`,
  moves: (share) => `it carries ${share} of the difference`,
  only: (head) => `Only ${head} changes the answer.`,
  too: (n) =>
    n === 1
      ? "1 other head, carried over alone, changes the answer, too."
      : `${n} other heads, each carried over alone, change the answer, too.`,
  several: (n, all) => `${n} of the ${all} heads, each carried over alone, change the answer.`,
  none: (was) => `Whichever other head is carried over, it still says “${was}”.`,
  next: "Carry over the next head",
  first: "Back to the strongest head",
  again: "Carry over the strongest head",
  where: (from, to) => `In the first text it looks from “${from}” most at ${to}.`,
};

const SLIGHT = 0.005; // of the difference: less is hardly any of it

/** What a head carries of the difference. A share that is nearly none is not called none. */
function carried(share) {
  const text = shareInProse(share);
  if (text === "0%") return "carries none of the difference";
  if (Math.abs(share) < SLIGHT) return `carries hardly any of the difference (${text})`;
  return share < 0 ? `pulls the other way (${text} of the difference)` : `carries ${text} of the difference`;
}

/** What all other heads do: the counterpart of the finding, in a sentence. head: the one that is carried, null for
 * none; labels: the words, the answer first. */
export function ofOthers(arrays, head, labels) {
  const H = arrays.moved.shape[1];
  const all = [...arrays.moved.keys()];
  const was = said(arrays.before);
  const own = head && head[0] * H + head[1];
  const changing = all.filter((at) => said(chances(arrays, headOf(at, H))) !== was);
  const rest = changing.filter((at) => at !== own);
  if (!rest.length) return CARRY.none(labels[was]).replace(head ? "" : "other ", "");
  if (head && changing.includes(own)) return CARRY.too(rest.length);
  return rest.length === 1 ? CARRY.only(headName(headOf(rest[0], H))) : CARRY.several(rest.length, all.length);
}
