// Who looks at the word that gets the most attention, and who no longer does with a cheaper way.

export const SEEN = 0.12; // of the largest weight: what is weaker is not seen to be missed
export const DRAWN = 0.05; // of it: what is weaker is not drawn

/** Whether what a cheaper way takes from a weight is seen: much of it, or all that there was to see. */
export const isMissed = (w, kept, largest) =>
  w - kept >= SEEN * largest || (w >= SEEN * largest && kept < DRAWN * largest);

/** How many words look at a key, by what full attention gives it; how many of them no longer do by what is kept, and
 * how many only in part: those with a dashed arc alone, and those with a solid one as well. */
export function lookingAt(key, full, kept, n, largest) {
  const look = Array.from({ length: n }, (_, at) => at * n + key).filter((at) => full[at] >= SEEN * largest);
  const missed = look.filter((at) => isMissed(full[at], kept[at], largest));
  const part = missed.filter((at) => kept[at] >= DRAWN * largest).length;
  return { look: look.length, miss: missed.length - part, part };
}

/** The same in words; name: of the way that keeps less, null for full attention. */
export function audience({ look, miss, part }, n, token, name) {
  if (!look) return `“${token}” gets the most attention, a little from many words.`;
  const who = look === n ? "Every word looks" : look === 1 ? `1 of ${n} words looks` : `${look} of ${n} words look`;
  const those = (m, verb) => {
    if (m === look) return m === 1 ? `that word ${verb}es` : `all of them ${verb}`;
    return `${m} of them ${m === 1 ? `${verb}es` : verb}`;
  };
  const parts = [miss && `${those(miss, "miss")} it`, part && `${those(part, "miss")} part of it`].filter(Boolean);
  return `${who} at “${token}”.${name && parts.length ? ` With “${name}”, ${parts.join(", ")}.` : ""}`;
}
