// The ways on which news of an edit travels. moved: [height][token]; masks: [layer][query][key], true = may attend.

/** Every line on which news comes: [layer, from, to] each, for all tokens. A token that has heard of it hears it again
 * from others, and keeps what it has heard. */
export function linesOf(moved, masks) {
  const out = [];
  masks.forEach((mask, h) =>
    mask.forEach((row, query) => {
      if (!moved[h + 1][query]) return;
      row.forEach((open, key) => moved[h][key] && (open || key === query) && out.push([h, key, query]));
    }),
  );
  return out;
}

/** Those of them by which a token hears of it for the first time, and those on which it keeps it. */
export const arrivals = (moved, masks) =>
  linesOf(moved, masks).filter(([h, key, query]) => key === query || !moved[h][query]);

/** Those of them that lead to one output: the shortest ways from the edit to it, and on from there. */
export function waysTo(output, lines, n_layers) {
  const out = [];
  let at = new Set([output]);
  for (let h = n_layers - 1; h >= 0; h--) {
    const last = lines.filter(([layer, , to]) => layer === h && at.has(to));
    out.unshift(...last);
    at = new Set(last.map(([, from]) => from));
  }
  return out;
}

/** What the tokens on these ways may look at, where a layer has one of them: [layer, query, keys]. */
export const looksOn = (ways, masks) =>
  masks.flatMap((mask, h) => {
    const [query, ...more] = new Set(ways.filter(([layer]) => layer === h).map(([, , to]) => to));
    const keys = query === undefined || more.length ? [] : [...mask[query].keys()].filter((key) => mask[query][key]);
    return keys.length ? [[h, query, keys]] : [];
  });

/** After how many layers a token has moved; -1 for never. */
export const heardAfter = (moved, token) => moved.findIndex((row) => row[token]);

/** The output that has moved farthest from the edit; the edited one where no other has. */
export function farthest(moved, edited) {
  const far = (token) => Math.abs(token - edited);
  return moved.at(-1).reduce((best, is, token) => (is && far(token) >= far(best) ? token : best), edited);
}

/** Of a guess which word is the last to notice: how far off it was, in a sentence. said, last: names of both; by: words
 * between them; isNone: whether no other has noticed at all. */
export function judged(said, last, by, isNone) {
  if (isNone) return `You said ${said}, but no other word has noticed.`;
  if (!by) return `You said ${said}: right, nothing farther away has noticed.`;
  return `You said ${said}: ${by} ${by === 1 ? "word" : "words"} off. The farthest that noticed is ${last}.`;
}
