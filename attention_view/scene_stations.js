// The stations of a layer: what the deciding token passes in it, from norm to norm, each a vector of the same run.

import { fixed } from "./lab.js";

const AROUND_STATIONS = 5; // pixels of the world between the columns, the stations and the heads

class Stations {
  /** names    of each layer its stations, the lowest first: [name, length of the vector]
   *  vectors  (all of them, n) uint8: 128 is 0 */
  constructor(names, vectors) {
    const n = vectors.shape[1];
    let at = 0;
    this.layers = names.map((layer) =>
      layer.map(([name, length]) => ({ name, length, bands: vectors.subarray(n * at, n * ++at) })),
    );
  }

  /** [{name, length, bands}] of a layer. */
  of(l) {
    return this.layers[l];
  }
}

/** The stations that were sent; null without. */
export const stationsSent = ({ through }, { through: vectors }) => (vectors ? new Stations(through, vectors) : null);

/** How long the stream is before and after a layer, in words; "" where that is not known. */
export function streamTold(numbers, l, token) {
  const stations = numbers.stations?.of(l);
  if (!stations?.length) return "";
  const sum = stations.findLast(({ name }) => name.startsWith("sum"));
  if (!sum) return "";
  const [before, after] = [stations[0], sum].map(({ length }) => fixed(length));
  return ` The vector of “${token}” in the stream has length ${before} before this layer and ${after} after it.`;
}

/** What is drawn of them: the sum at the end of a layer is the first of the next one, but for the uppermost. */
export const stationsDrawn = (stations, side, l) => (l + 1 < side.L ? stations.slice(0, -1) : stations);

/** Where the stations of a layer stand: between the columns and the heads. */
export function stationsBox(side, l) {
  const x = side.column(side.T - 1) + side.thick / 2 + AROUND_STATIONS;
  const [above, below] = [side.strip(l + 1, 0), side.strip(l, 0)];
  const y = l + 1 < side.L ? above.y + above.h : above.y;
  return { x, y, w: side.to - side.headsWide - AROUND_STATIONS - x, h: below.y + below.h - y };
}
