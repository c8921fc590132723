// What a file is, in words: its size, and what it holds.

/** The size of a file, as people say it. */
export const sizeOf = (bytes) =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** How many heads a file holds, of all kinds of attention. */
export const headsIn = (one) => [one, ...one.also].reduce((sum, { rows }) => sum + rows.length, 0);

/** What a file holds, in a line. */
export function holdsOf(one) {
  const kinds = [one, ...one.also];
  const tokens = [...new Set(kinds.map((each) => each.tokens))].join(" and ");
  const parts = [`${headsIn(one)} heads`, `${tokens} tokens`];
  return (kinds.length > 1 ? [`${kinds.length} kinds of attention`, ...parts] : parts).join(" · ");
}
