// Who looks at the word that gets the most attention, and who no longer does with a cheaper way.

export const SEEN = 0.12; // of the largest weight: what is weaker is not seen to be missed

/** How many words look at a key, by what full attention gives it, and how many of them no longer do by what is kept. */
export function lookingAt(key, full, kept, n, largest) {
  const seen = (weights) => (at) => weights[at * n + key] >= SEEN * largest;
  const look = Array.from({ length: n }, (_, at) => at).filter(seen(full));
  return { look: look.length, miss: look.length - look.filter(seen(kept)).length };
}

/** The same in words; name: of the way that keeps less, null for full attention. */
export function audience({ look, miss }, n, token, name) {
  if (!look) return `“${token}” gets the most attention, a little from many words.`;
  const who = look === n ? "Every word looks" : look === 1 ? `1 of ${n} words looks` : `${look} of ${n} words look`;
  const missing = miss === look ? (miss === 1 ? "that word misses" : "all of them miss") : null;
  const missed =
    name && miss ? ` With “${name}”, ${missing ?? `${miss} of them ${miss === 1 ? "misses" : "miss"}`} it.` : "";
  return `${who} at “${token}”.${missed}`;
}
