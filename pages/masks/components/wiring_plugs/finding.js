// What a wiring comes to, in a sentence.

import { shorten } from "../../../../attention_view/lab.js";

const NEAR = 0.005; // weights that are as good as the largest

/** Whether two choices of streams are the same. */
export const isOf = (sources, others) => Object.keys(others).every((port) => sources[port] === others[port]);

/** The look worth telling: of the strongest, that of the longest word; marks such as ⟨end⟩ and words that look at
 * themselves left out. Null where there is none. */
export function telling({ rows, columns, weights }) {
  const looks = rows.flatMap((row, i) => {
    const weight = Math.max(...weights[i].map(Number));
    const column = columns[weights[i].findIndex((one) => Number(one) === weight)];
    return row.startsWith("⟨") || row === column ? [] : [{ row, column, weight }];
  });
  const most = Math.max(...looks.map(({ weight }) => weight));
  const strongest = looks.filter(({ weight }) => weight >= most - NEAR);
  return strongest.sort((a, b) => b.row.length - a.row.length)[0] ?? null;
}

/** The sentence. data: as the server sent it, with the `sources` of now and `out`, how many vectors come out; fits:
 * whether there are as many values as keys */
export function finding({ sources, out, lengths, home, name, written }, map, fits) {
  const look = telling(map);
  const asks =
    look && `“${shorten(look.row, 14)}” finds “${shorten(look.column, 14)}” with weight ${look.weight.toFixed(2)}`;
  const [isCross, isSelf] = ["encoder", "decoder"].map((stream) =>
    isOf(sources, { queries: "decoder", keys: stream, values: stream }),
  );
  if (isCross && asks)
    return `${asks}.${written.decoder ? ` Without the English, the decoder writes “${written.decoder}”.` : ""}`;
  if (isSelf && written.decoder) {
    const writes = `it writes “${written.decoder}”, whatever was said`;
    return `Without the English, the decoder reads its own text alone: ${writes}.`;
  }
  if (!fits) {
    const [keys, values] = [lengths[sources.keys], lengths[sources.values]];
    return `Nothing can come out: each row has ${keys} weights, but there are ${values} values to mix.`;
  }
  if (out !== undefined && out !== lengths[home])
    return `${out} vectors come out, but the ${home} has ${lengths[home]} words: they cannot be added to its stream.`;
  if (out !== undefined && !name) return "It runs, and it is wrong: no Transformer has such an attention.";
  return asks ? `${sources.keys === "encoder" ? "The encoder" : "The decoder"} reads itself: ${asks}.` : "…";
}
