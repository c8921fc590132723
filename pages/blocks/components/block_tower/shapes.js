// What a block does, drawn in it: attention ties each word to those that it looks at, feed-forward leaves each alone.

import { put, svg } from "../../../../attention_view/lab.js";

const [DOT, DOTS] = [18, 640]; // pixels of a word that is left alone, and of all of them

/** Draws it; threads: of each layer, which tokens look at which others, [[who, at whom, weight], ...];
 * none: nothing. */
export function drawShape(node, part, { threads, tokens }) {
  const [kind, layer] = part.split(".");
  const many = threads.length && tokens.length;
  const at = (token) => token + 0.5;
  const tie = ([token, from, weight]) => {
    const high = 1 - 1.8 * Math.min(1, Math.abs(token - from) / 5) ** 0.5;
    const d = `M${at(token)} 1Q${(at(token) + at(from)) / 2} ${high} ${at(from)} 1`;
    return svg("path.tie", { d, "stroke-opacity": weight }); // a layer per thread would leave grey rectangles
  };
  const dot = Math.min(DOT, DOTS / many);
  const alone = (_, token) => svg("path.alone", { d: `M${at(token)} 0.5h0.001`, "stroke-width": dot });
  put(node, { viewBox: `0 0 ${many || 1} 1` });
  node.replaceChildren(
    ...(kind === "attention" ? (threads[layer] ?? []).map(tie) : Array.from({ length: many }, alone)),
  );
}
