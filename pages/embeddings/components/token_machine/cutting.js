// How a text is cut into tokens, merge by merge.

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

/** The first word of a text that is in pieces, but one token after a space: [its pieces, the word]; null where that is
 * not so. */
export function cutBySpace(data, tokens, labelOf) {
  const end = data.words[1] ?? 0;
  const pieces = tokens.filter(([, , start]) => start < end).map(([id]) => labelOf(id));
  const word = pieces.join("");
  const isWhole = tokens.some(([id]) => labelOf(id) === `␣${word}`);
  return pieces.length > 1 && isWhole ? [pieces, word] : null;
}

/** How many merges come before the next one that joins anything in this text; null where none does. */
export function nextHere({ merges, joins }, at) {
  const here = new Set(joins.map(([, , , id]) => id));
  const n = merges.findIndex(([, , id], place) => place >= at && here.has(id));
  return n < 0 ? null : n;
}

/** Where two tokens stand side by side in one word: the place of each left one. */
export function placesOf(data, tokens, left, right) {
  const isSeam = (n) => tokens[n + 1] && !data.words.includes(tokens[n + 1][2]);
  return tokens.flatMap(([id], n) => (id === left && isSeam(n) && tokens[n + 1][0] === right ? [n] : []));
}

/** Between the tokens of a text after `at` merges: how often each pair stands side by side, by "left right", and how
 * often the most frequent one does. */
export function weightsAt(data, at) {
  const n = nextHere(data, at) ?? at;
  const counts = new Map();
  for (const changed of data.counts.slice(0, n + 1))
    for (const [l, r, count] of changed) counts.set(`${l} ${r}`, count);
  return { counts, most: data.merges[n]?.[3] ?? 0 };
}

/** After how many merges a pair that is pushed together after `at` of them is one token; null where another one is more
 * frequent. Of equally frequent pairs, which are merged one after the other, each may be pushed. */
export function mergeOf(data, at, left, right) {
  const { merges } = data;
  const { counts, most } = weightsAt(data, at);
  if ((counts.get(`${left} ${right}`) ?? 0) < most) return null;
  const n = nextHere(data, at) ?? at;
  const own = merges.findIndex(([l, r], place) => place >= n && l === left && r === right);
  return 1 + (merges[own]?.[3] === most ? own : n);
}
