// Where labels fit on a plane, which words stand together, and the colour of each kind of word.

const TURNS = Array.from({ length: 16 }, (_, n) => (n * Math.PI) / 8);
const FAR = [8, 15, 24, 36, 50, 66, 84, 104];

/** Where labels fit so that none covers another, a foreign dot or what is taken already, as {x, y, w, h}:
 * [{x, y, far}], and null where there is no room.
 *
 * points [x, y]; sizes [width, height] of the labels; out [x, y] directions that each label would rather go to;
 * order: the first gets the best room. x, y is the upper left corner. Where the plane is narrow, no label goes far. */
export function placeLabels(points, sizes, out, order, [width, height], taken = []) {
  const distances = FAR.filter((far) => far <= 0.11 * width);
  const boxes = [...taken];
  const free = (x, y, w, h, own) =>
    x >= 2 &&
    y >= 2 &&
    x + w <= width - 2 &&
    y + h <= height - 2 &&
    boxes.every((b) => x + w < b.x || b.x + b.w < x || y + h < b.y || b.y + b.h < y) &&
    points.every(([px, py], n) => n === own || px + 4 < x || px - 4 > x + w || py + 4 < y || py - 4 > y + h);
  const places = points.map(() => null);
  for (const n of order) {
    const [px, py] = points[n];
    const [w, h] = sizes[n];
    const wish = Math.atan2(out[n][1], out[n][0]);
    const turns = [...TURNS].sort((a, b) => Math.cos(b - wish) - Math.cos(a - wish));
    search: for (const far of distances)
      for (const turn of turns) {
        const [c, s] = [Math.cos(turn), Math.sin(turn)];
        const x = px + c * (far + w / 2) - w / 2;
        const y = py + s * (far + h / 2) - h / 2;
        if (!free(x, y, w, h, n)) continue;
        boxes.push({ x, y, w, h });
        places[n] = { x, y, far };
        break search;
      }
  }
  return places;
}

/** Neighbours of the same kind as [first, behind the last, kind]; [] where no word has a kind. */
export function runsOf(kinds) {
  const runs = [];
  kinds.forEach((kind, n) => {
    const last = runs.at(-1);
    if (last && last[2] === kind) last[1] = n + 1;
    else runs.push([n, n + 1, kind]);
  });
  return runs.filter(([, , kind]) => kind >= 0);
}

export const colourOf = (kind) => (kind < 0 ? "var(--quiet)" : `var(--kind-${kind % 6})`);

/** A frame around these places, a tenth larger on each side and no narrower than an eighth of the whole:
 * [least x, least y, largest x, largest y]. */
export function around(places, [x0, y0, x1, y1]) {
  const side = (n, least) => {
    const all = places.map((place) => place[n]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const half = Math.max(0.6 * (high - low), least / 16);
    return [(low + high) / 2 - half, (low + high) / 2 + half];
  };
  const [across, up] = [side(0, x1 - x0), side(1, y1 - y0)];
  return [across[0], up[0], across[1], up[1]];
}
