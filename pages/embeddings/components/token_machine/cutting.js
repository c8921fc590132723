// How a text is cut into tokens, merge by merge, and which rows of the table stand for the picked one.

export const ROWS = 11; // of the table at once; what lies between is counted

/** Which rows are drawn: all of a small table; of a large one the first, the last and those around the picked one. */
export function rowsAround(picked, V, rows = ROWS) {
  if (V <= rows) return Array.from({ length: V }, (_, id) => id);
  const around = rows - 2;
  const from = Math.max(0, Math.min(picked - (around >> 1), V - around));
  return [...new Set([0, ...Array.from({ length: around }, (_, n) => from + n), V - 1])].sort((a, b) => a - b);
}

/** The tokens after n merges: [id, whether this very merge made it, where it begins, counted before any merge]. */
export function tokensAfter({ ids, merges, joins }, n) {
  const tokens = ids.map((id) => id); // at every place the token that begins there
  const last = n ? merges[n - 1][2] : -1;
  for (const [start, middle, end, id] of joins) {
    if (id > last) break;
    tokens[start] = id;
    for (let at = middle; at < end; at++) tokens[at] = null;
  }
  return tokens.map((id, start) => [id, id === last, start]).filter(([id]) => id !== null);
}
