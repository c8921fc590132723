// What a file is, in words: its size, what it holds, and why it is not taken.

import { counted } from "../../../../attention_view/lab.js";

/** The size of a file, as people say it. */
export const sizeOf = (bytes) =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** How many heads a file holds, of all kinds of attention. */
export const headsIn = (one) => [one, ...one.also].reduce((sum, { layers, heads }) => sum + layers * heads, 0);

/** What a file holds, in a line. */
export function holdsOf(one) {
  const kinds = [one, ...one.also];
  const lengths = [...new Set(kinds.map((each) => each.tokens))];
  const tokens = lengths.length > 1 ? `${lengths.join(" and ")} tokens` : counted(lengths[0], "token");
  const parts = [counted(headsIn(one), "head"), tokens];
  return (kinds.length > 1 ? [`${kinds.length} kinds of attention`, ...parts] : parts).join(", ");
}

/** Which of its tokens are drawn, where not all are. */
export function firstOf({ queries, keys, tokens, n_keys }) {
  if (queries.length < tokens) return `, drawn for the first ${queries.length}`;
  return keys.length < n_keys ? `, drawn for the first ${keys.length} of ${n_keys} keys` : "";
}

/** The name of a file, in quotation marks, and short enough for a line. */
export const quoted = (name) => `“${name.length > 40 ? `${name.slice(0, 24)}…${name.slice(-14)}` : name}”`;

/** Why chosen files are not sent, in a sentence; "" where they are. types: the endings of names that are taken; most:
 * bytes of a file. */
export function refusalOf(files, { types, most }) {
  if (files.length > 1) return `These are ${files.length} files. Please bring one at a time.`;
  const [{ name, size }] = files;
  const endings = types.map((type) => `.${type}`);
  const isTaken = endings.some((ending) => name.toLowerCase().endsWith(ending));
  const all = `${endings.slice(0, -1).join(", ")} or ${endings.at(-1)}`;
  if (!isTaken) return `${quoted(name)} cannot be shown: it is no ${all} file.`;
  return size > most ? `${quoted(name)} has ${sizeOf(size)}. A file can have up to ${most / 2 ** 20} MB.` : "";
}
