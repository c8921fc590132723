// The drawing behind the blocks: the stream from the last word up to the next one, the way of each sublayer's copy out
// of it and of its push back into it, and the norms. What is out is drawn where it was, in dashes.

import { svg } from "../../../../attention_view/lab.js";
import { isOut } from "./cuts.js";
import { marksOf } from "./places.js";

/** All of it, as SVG. places: as placesOf() has them; model: {n_layers, isPre, isParallel}; out: what is out */
export function spine(places, model, out) {
  const { cx, height, row } = places;
  const top = places.top(model.n_layers - 1),
    bottom = places.top(0) + row;
  const parts = [];
  let at = bottom + 6; // how far up the stream is drawn
  for (let layer = 0; layer < model.n_layers; layer++)
    for (const [n, name] of ["attention", "feed-forward"].entries()) {
      const marks = marksOf(places, layer, n, model);
      const { from, to } = marks.residual;
      parts.push(svg("path.stream", { d: `M${cx} ${at}V${from}` }));
      const isCut = isOut(`residual${n + 1}.${layer}`, out);
      parts.push(svg(isCut ? "path.stream.out" : "path.stream", { d: `M${cx} ${from}V${to}` }));
      at = to;
      parts.push(...wayOf(marks, cx, row, isOut(`${name}.${layer}`, out)));
      parts.push(normOf(marks.norm, row, model.isPre, isOut(`norm${n + 1}.${layer}`, out)));
    }
  parts.push(svg("path.stream", { d: `M${cx} ${at}V${top - 4}` }));
  parts.push(svg("path.arrow", { d: `M${cx - 9} ${top - 4}H${cx + 9}L${cx} ${top - 16}Z` }));
  return svg("svg", { width: "100%", height, "aria-hidden": "true" }, ...parts);
}

/** Out of the stream to the block and back to where it is added. */
function wayOf({ leaves, comes, edge }, cx, row, isOut) {
  const r = Math.min(8, 0.09 * row);
  const toStream = edge < cx ? -r : r;
  const way = svg(isOut ? "path.way.out" : "path.way", {
    d: `M${cx} ${leaves}H${edge}M${edge} ${comes}H${cx + toStream}`,
  });
  const sign = svg("path", { d: `M${cx - r} ${comes}h${2 * r}M${cx} ${comes - r}v${2 * r}` });
  return [way, svg(isOut ? "g.plus.out" : "g.plus", svg("circle", { cx, cy: comes, r }), sign)];
}

/** A bar across the way on which the norm stands. */
function normOf({ x, y }, row, isPre, isOut) {
  const half = Math.max(4, Math.min(9, 0.09 * row));
  const d = isPre ? `M${x} ${y - half}V${y + half}` : `M${x - half - 4} ${y}H${x + half + 4}`;
  return svg(isOut ? "path.norm.out" : "path.norm", { d });
}
