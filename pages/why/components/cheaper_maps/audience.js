// Who looks at the word that gets the most attention, and who no longer does with a cheaper way.

import { inPercent } from "./ways.js";

export const SEEN = 0.12; // of the largest weight: what is weaker is not seen to be missed
export const DRAWN = 0.05; // of it: what is weaker is not drawn

// How the attention weight is called that a way takes from a word, by the verb of the way.
export const LOST = { misses: "missed", misplaces: "misplaced" };

/** What a word no longer gives where full attention gives it, of all that it has to give. */
export const loss = (name, loses, share) => `With “${name}” it ${loses} ${inPercent(share)}.`;

/** Whether what a cheaper way takes from a weight is seen: much of it, or all that there was to see. */
export const isMissed = (w, kept, largest) =>
  w - kept >= SEEN * largest || (w >= SEEN * largest && kept < DRAWN * largest);

// What a word does that gives a key nothing any more, and one that gives it less: one of them, several, and all.
const DOES = {
  misses: [
    ["misses it", "miss it", "all of them miss it"],
    ["misses part of it", "miss part of it", "all of them miss part of it"],
  ],
  misplaces: [
    ["no longer does", "no longer do", "none of them does any more"],
    ["looks less", "look less", "all of them look less"],
  ],
};

/** How many words look at a key, by what full attention gives it; how many of them no longer do by what is kept, and
 * how many only in part: those with a dashed arc alone, and those with a solid one as well. */
export function lookingAt(key, full, kept, n, largest) {
  const look = Array.from({ length: n }, (_, at) => at * n + key).filter((at) => full[at] >= SEEN * largest);
  const missed = look.filter((at) => isMissed(full[at], kept[at], largest));
  const part = missed.filter((at) => kept[at] >= DRAWN * largest).length;
  return { look: look.length, miss: missed.length - part, part };
}

/** The same in words; name: of the way that keeps less, null for full attention; loses: its verb. */
export function audience({ look, miss, part }, n, token, name, loses = "misses") {
  if (!look) return `“${token}” gets the most attention, a little from many words.`;
  const who = look === n ? "Every word looks" : look === 1 ? `1 of ${n} words looks` : `${look} of ${n} words look`;
  const those = (m, [one, many, all], of = " of them") => {
    if (m === look) return m === 1 ? `that word ${one}` : all;
    return `${m}${of} ${m === 1 ? one : many}`;
  };
  const [none, less] = DOES[loses];
  const parts = [miss && those(miss, none), part && those(part, less, miss ? "" : undefined)].filter(Boolean);
  return `${who} at “${token}”.${name && parts.length ? ` With “${name}”, ${parts.join(", ")}.` : ""}`;
}
