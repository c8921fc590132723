// What a file is, in words: its size, and what it holds.

/** The size of a file, as people say it. */
export const sizeOf = (bytes) =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** What a file holds, in a line. */
export function holdsOf({ layers, heads, tokens, kinds, has_vectors: vectors }) {
  const parts = [`${layers * heads} heads`, `${tokens} tokens`];
  if (kinds.length > 1) parts.unshift(`${kinds.length} kinds of attention`);
  return [...parts, ...(vectors ? ["q and k"] : [])].join(" · ");
}
