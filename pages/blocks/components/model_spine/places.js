// Where the parts of the model stand: layer above layer on the stream, attention to its left, feed-forward to its
// right.

const [HEAD, FOOT] = [46, 30]; // pixels above the layers and below them
const LOWEST = 26; // pixels of a layer

/** Where everything stands in so many pixels.
 *
 * Returns {height, side: [left, right] each {x, wide} of the blocks, cx: the middle of the stream, pull: how far a
 * block goes that is out, row, gap, top(layer): where its row begins} */
export function placesOf(width, tall, n_layers, isNarrow) {
  const label = isNarrow ? 16 : 62,
    pull = isNarrow ? 16 : 44,
    middle = isNarrow ? 84 : 150;
  const row = Math.max(LOWEST, Math.floor((tall - HEAD - FOOT) / n_layers));
  const wide = (width - label - middle) / 2 - pull;
  const cx = label + pull + wide + middle / 2;
  return {
    height: HEAD + n_layers * row + FOOT,
    side: [label + pull, cx + middle / 2].map((x) => ({ x, wide })),
    cx,
    pull,
    row,
    gap: Math.min(16, Math.round(row / 5)),
    top: (layer) => HEAD + (n_layers - 1 - layer) * row,
  };
}

/** At which shares of a row, from its top, each sublayer's copy leaves the stream and its push comes back. */
export const turns = (isParallel) =>
  isParallel
    ? [
        { leaves: 0.88, comes: 0.5 },
        { leaves: 0.88, comes: 0.16 },
      ]
    : [
        { leaves: 0.88, comes: 0.62 },
        { leaves: 0.38, comes: 0.12 },
      ];

/** Where a sublayer's residual connection runs along the stream, and its norm stands: {from, to} and {x, y}, in pixels.
 *
 * n: 0 for attention, 1 for feed-forward; the norm stands on the way to the block, or, after the addition, on the
 * stream */
export function marksOf(places, layer, n, { isPre, isParallel }) {
  const { cx, row, side } = places,
    top = places.top(layer),
    [of, first] = [turns(isParallel)[n], turns(isParallel)[0]];
  const [leaves, comes] = [top + of.leaves * row, top + of.comes * row];
  const edge = n ? side[1].x : side[0].x + side[0].wide;
  const from = isParallel && n ? top + first.comes * row : leaves;
  const norm = isPre ? { x: (cx + edge) / 2, y: leaves } : { x: cx, y: comes - 0.09 * row };
  return { leaves, comes, edge, residual: { from, to: comes }, norm };
}
