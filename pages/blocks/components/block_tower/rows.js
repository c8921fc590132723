// How the parts of a model stand: block upon block, or, where there are many, layer upon layer.

const TOWER = 6; // layers at most whose blocks stand one upon the other

/** The blocks from the top down, in rows of one, or of both of a layer. */
export function rowsOf(n_layers) {
  const layers = Array.from({ length: n_layers }, (_, n) => n_layers - 1 - n);
  if (n_layers > TOWER) return layers.map((layer) => [`attention.${layer}`, `feed-forward.${layer}`]);
  return layers.flatMap((layer) => [[`feed-forward.${layer}`], [`attention.${layer}`]]);
}

/** Where an arrow key leads to from a part of these rows. Null where it leads nowhere. */
export function beside(key, part, rows) {
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [];
  const at = rows.findIndex((row) => row.includes(part));
  return rows[at + down]?.[rows[at].indexOf(part) + right] ?? null;
}

const NARROW = 700, // below this width names and bars are small
  TIGHT = 1000; // below this one a pair of blocks has room for short names only

/** How much room there is, as class names: "pairs" for both blocks of a layer side by side, "brief" where its name is
 * short. */
export function layoutOf(n_layers, room) {
  const [pairs, narrow] = [n_layers > TOWER, room < NARROW];
  return { pairs, narrow, brief: pairs && room < TIGHT };
}
