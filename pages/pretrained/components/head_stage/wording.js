// What is said of a head that is pressed: it is cut, or carried from one text into another.

import { shareInProse } from "../../../../attention_view/lab.js";
import { headFirst, headName, headOf } from "./picture.js";
import { chances, leastOfOthers, said } from "./ranks.js";

export const CUT = {
  signs: "Below each head: how much probability goes to other words without it.",
  nothing: (was) => `With all heads, it says “${was}”.`,
  finding: (cut, now, was) =>
    now === was
      ? `Without ${headName(cut)}, it still says “${was}”.`
      : `Without ${headName(cut)}, it says “${now}” instead of “${was}”.`,
  title: (cut) => (cut ? `the next word, without ${cut[1] === null ? "them" : "it"}` : "the next word, with all heads"),
  moves: (share) => `without it ${share} of the probability goes to other words`,
  only: (head) => `Only without ${head} does it say another word.`,
  too: (n) =>
    n === 1
      ? "1 other head, taken out alone, changes the word, too."
      : `${n} other heads, each taken out alone, change the word, too.`,
  several: (n, all) => `${n} of the ${all} heads, each taken out alone, change the word.`,
  none: (was) => `Whichever other head is taken out, it still says “${was}”.`,
  back: "Put it back",
  again: "Take out each in turn",
  atOnce: "Take out the one missed most", // where nothing moves
  where: (from, to, weight) => `From “${from}”, this head looks most at “${to}” (${weight}).`,
};

export const CARRY = {
  signs: "Below each head: how much of the difference between the two answers it carries.",
  nothing: (was) => `After the second text, with no head carried over, it says “${was}”.`,
  finding(cut, now, was, moved) {
    const carries = `${headFirst(cut)} ${carried(moved)}`;
    return now === was ? `${carries}, and it still says “${was}”.` : `${carries}, and “${was}” becomes “${now}”.`;
  },
  title: (cut) => `the next word after the second text${cut ? ", with it carried over" : ""}`,
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
  where: (from, to, weight) => `In the first text it looks from “${from}” most at “${to}” (${weight}).`,
};

const SLIGHT = 0.005; // of the difference: less is hardly any of it

/** What a head carries of the difference. A share that is nearly none is not called none. */
function carried(share) {
  const text = shareInProse(share);
  if (text === "0%") return "carries none of the difference";
  if (Math.abs(share) < SLIGHT) return `carries hardly any of the difference (${text})`;
  return share < 0 ? `pulls the other way (${text} of the difference)` : `carries ${text} of the difference`;
}

/** What all other heads do: the counterpart of the finding, in a sentence. cut: the head that is pressed, null for none
 * and for a whole layer; labels: the words, the answer first. */
export function ofOthers(wording, arrays, cut, labels) {
  const H = arrays.moved.shape[1];
  const all = [...arrays.moved.keys()];
  const was = said(arrays.before);
  const own = cut && cut[1] !== null ? cut[0] * H + cut[1] : null;
  const changing = all.filter((at) => said(chances(arrays, headOf(at, H))) !== was);
  const rest = changing.filter((at) => at !== own);
  if (own === null && changing.length > 1) return wording.several(changing.length, all.length);
  if (changing.includes(own)) {
    if (rest.length) return wording.too(rest.length);
    if (wording === CARRY || was !== 0) return wording.none(labels[was]);
    const share = shareInProse(leastOfOthers(arrays, cut)).replace("over ", ""); // "at least" says as much
    return `Take out any other head, and “${labels[0]}” keeps at least ${share}.`;
  }
  if (!rest.length) return wording.none(labels[was]).replace(own === null ? "other " : "", "");
  return rest.length === 1 ? wording.only(headName(headOf(rest[0], H))) : wording.several(rest.length, all.length);
}
