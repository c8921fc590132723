// What a wiring comes to, in a sentence.

import { counted, shorten } from "../../../../attention_view/lab.js";

const NEAR = 0.005; // weights that are as good as the largest

/** Whether two choices of streams are the same. */
export const isOf = (sources, others) => Object.keys(others).every((port) => sources[port] === others[port]);

const isMark = (token) => token.startsWith("⟨"); // such as ⟨end⟩

/** The look worth telling: of the strongest, that of the longest word; marks, looks at marks and words that look at
 * themselves left out. Null where there is none. */
export function telling({ rows, columns, weights }) {
  const looks = rows.flatMap((row, i) => {
    const weight = Math.max(...weights[i].map(Number));
    const column = columns[weights[i].findIndex((one) => Number(one) === weight)];
    return isMark(row) || isMark(column) || row === column ? [] : [{ row, column, weight }];
  });
  const most = Math.max(...looks.map(({ weight }) => weight));
  const strongest = looks.filter(({ weight }) => weight >= most - NEAR);
  return strongest.sort((a, b) => b.row.length - a.row.length)[0] ?? null;
}

/** The sentence. data: as the server sent it, with the `sources` of now and `out`, how many vectors come out; fits:
 * whether there are as many values as keys; isTold: whether the reader knows what is written without the English */
export function finding({ sources, out, lengths, home, name, written }, map, fits, isTold) {
  const look = telling(map);
  const [row, column] = look ? [look.row, look.column].map((word) => `“${shorten(word, 14)}”`) : [];
  const asks = look
    ? `${row} finds ${column} with weight ${look.weight.toFixed(2)}`
    : "no word looks most at a different word";
  const [isCross, isSelf] = ["encoder", "decoder"].map((stream) =>
    isOf(sources, { queries: "decoder", keys: stream, values: stream }),
  );
  if (isCross) {
    const ahead = written.encoder && !isTold ? " Pull the English out: what will it write?" : "";
    if (look && map.writes) return `To write ${row}, the decoder looks at ${column}.${ahead}`;
    return look ? `The decoder asks, the encoder answers: ${asks}.` : `The decoder reads the encoder: ${asks}.`;
  }
  if (isSelf && written.decoder) {
    const writes = written.decoder === written.encoder ? "still writes the same" : "writes something else";
    return `Without the English, the decoder reads only its own text and ${writes}.`;
  }
  const trouble = troubleOf(sources, out, lengths, home, name, fits);
  if (trouble) return trouble;
  if (new Set(Object.values(sources)).size > 1) return "…"; // what comes of it the server has not said yet
  return `${sources.keys === "encoder" ? "The encoder" : "The decoder"} reads itself: ${asks}.`;
}

/** Why no Transformer is plugged so; null where one is, or nobody knows yet. */
function troubleOf(sources, out, lengths, home, name, fits) {
  if (!fits) {
    const [keys, values] = ["key", "value"].map((one) => counted(lengths[sources[`${one}s`]], one));
    return `Each key needs its own value: ${keys}, ${values}.`;
  }
  if (out === undefined) return null;
  if (out !== lengths[home]) {
    const [come, they] = out === 1 ? ["comes", "it"] : ["come", "they"];
    const has = `the ${home} has ${counted(lengths[home], "word")}`;
    return `${counted(out, "vector")} ${come} out, but ${has}: ${they} cannot be added to its stream.`;
  }
  return name ? null : "It runs, and it is wrong: no Transformer has such an attention.";
}
