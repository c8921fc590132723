// What is said of a head that is pressed: it is cut, or carried from one text into another.

import { minus, shareInProse } from "../../../../attention_view/lab.js";
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
  too: (n) => `Without ${n}, too, it says another word.`,
  several: (n, all) => `Without ${n} of the ${all} heads, it says another word.`,
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
    const share = roundShare(moved);
    const carries = share.startsWith("−")
      ? `${headFirst(cut)} pulls the other way (${share} of the difference)`
      : `${headFirst(cut)} carries ${share === "0%" ? "none" : share.replace(">", "over ")} of the difference`;
    return now === was ? `${carries}, and it still says “${was}”.` : `${carries}, and “${was}” becomes “${now}”.`;
  },
  title: (cut) => `the next word after the second text${cut ? ", with it carried over" : ""}`,
  moves: (share) => `it carries ${share} of the difference`,
  only: (head) => `Only ${head} changes the answer.`,
  too: (n) =>
    `${n.replace(/^./, (letter) => letter.toUpperCase())} ${n.startsWith("1 ") ? "changes" : "change"} it, too.`,
  several: (n, all) => `${n} of the ${all} heads change the answer.`,
  none: (was) => `Whichever other head is carried over, it still says “${was}”.`,
  next: "Carry over the next head",
  first: "Back to the strongest head",
  again: "Carry over the strongest head",
  where: (from, to, weight) => `In the first text it looks from “${from}” most at “${to}” (${weight}).`,
};

/** A share as it stands below a head; what pulls the other way is below 0, and what is nearly all is not called all. */
export function roundShare(share) {
  if (Math.abs(share) < 0.005) return "0%";
  return share >= 0.995 && share < 1 - 1e-5 ? ">99%" : minus(`${Math.round(100 * share)}%`);
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
    if (rest.length) return wording.too(`${rest.length} other head${rest.length > 1 ? "s" : ""}`);
    if (wording === CARRY || was !== 0) return wording.none(labels[was]);
    const share = shareInProse(leastOfOthers(arrays, cut)).replace("over ", ""); // "at least" says as much
    return `Take out any other head, and “${labels[0]}” keeps at least ${share}.`;
  }
  if (!rest.length) return wording.none(labels[was]).replace(own === null ? "other " : "", "");
  return rest.length === 1 ? wording.only(headName(headOf(rest[0], H))) : wording.several(rest.length, all.length);
}
