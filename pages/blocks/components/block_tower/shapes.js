// What a block does, drawn in it: attention ties each word to those that it looks at, feed-forward leaves each alone.

import { put, svg } from "../../../../attention_view/lab.js";

const LEAST = 0.12; // of the attention: what is less is not drawn
const [DOT, DOTS] = [18, 640]; // pixels of a word that is left alone, and of all of them

/** Draws it; threads: of each layer, where each token looks, [[weight, ...], ...], or none. */
export function drawShape(node, part, threads) {
  const [kind, layer] = part.split(".");
  const map = threads[layer] ?? [];
  const at = (token) => token + 0.5;
  const tie = (weight, from, token) => {
    const high = 1 - 1.8 * Math.min(1, Math.abs(token - from) / 5) ** 0.5;
    const d = `M${at(token)} 1Q${(at(token) + at(from)) / 2} ${high} ${at(from)} 1`;
    return svg("path.tie", { d, "stroke-opacity": weight }); // a layer per thread would leave grey rectangles
  };
  const ties = map.flatMap((row, token) =>
    row.flatMap((weight, from) => (from === token || weight < LEAST ? [] : [tie(weight, from, token)])),
  );
  const dot = Math.min(DOT, DOTS / map.length);
  const alone = () => map.map((_, token) => svg("path.alone", { d: `M${at(token)} 0.5h0.001`, "stroke-width": dot }));
  put(node, { viewBox: `0 0 ${map.length || 1} 1` });
  node.replaceChildren(...(kind === "attention" ? ties : alone()));
}
