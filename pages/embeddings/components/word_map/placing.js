// Where labels fit on a plane, which words stand together, and the colour of each kind of word.

const TURNS = Array.from({ length: 16 }, (_, n) => (n * Math.PI) / 8);
const FAR = [8, 15, 24, 36, 50, 66, 84, 104];
const CLOSE = 24; // pixels within which a label is read as that of its point
export const LED = 16; // pixels from which on a line leads from a point to its label
const RING = 7; // pixels of half a ring
const PARTED = 0.8; // of the words of a kind that are nearest to its own middle, from which on it has a name

/** Where labels fit so that none covers another, a foreign dot or what is taken already, as {x, y, w, h}:
 * [{x, y, far}], and null where there is no room.
 *
 * points [x, y]; sizes [width, height] of the labels; out [x, y] directions that each label would rather go to;
 * order: the first gets the best room. x, y is the upper left corner. Where the plane is narrow, no label goes far;
 * where they are to be `close`, none does, and each is closer to its own point than to any other. */
export function placeLabels(points, sizes, out, order, [width, height], taken = [], close = false) {
  const distances = FAR.filter((far) => far <= (close ? CLOSE : 0.11 * width));
  const boxes = [...taken];
  const free = (x, y, w, h, own) =>
    x >= 2 &&
    y >= 2 &&
    x + w <= width - 2 &&
    y + h <= height - 2 &&
    !boxes.some((box) => overlap(box, { x, y, w, h })) &&
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
        if (!free(x, y, w, h, n) || (close && !isNearest({ x, y, w, h }, points, n))) continue;
        boxes.push({ x, y, w, h });
        places[n] = { x, y, far };
        break search;
      }
  }
  return places;
}

/** Whether a box is closer to this point than to any other. */
function isNearest(box, points, n) {
  const gap = ([x, y]) =>
    Math.hypot(Math.max(0, box.x - x, x - box.x - box.w), Math.max(0, box.y - y, y - box.y - box.h));
  const own = gap(points[n]);
  return points.every((point, m) => m === n || gap(point) > own);
}

const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** Where the labels of words go that stand on the plane for a while, as rings, and which labels give way to them:
 * {spots: [{x, y, far}, or null], moved: new places of labels by their number, null for one that finds none}.
 *
 * rings [x, y]; wide [width, height] of their labels; away: directions that these would rather go to; points, and
 * labels {x, y, w, h} or null: of the words that are there always; at: the number of the word whose label stays; near:
 * the numbers of those whose labels are not covered; names: boxes that stay, too */
export function makeRoom({ rings, wide, away, points, labels, at, near, names }, room) {
  const holes = rings.map(([x, y]) => ({ x: x - RING, y: y - RING, w: 2 * RING, h: 2 * RING }));
  const all = [...rings, ...points];
  const numbers = labels.map((_, n) => n).filter((n) => labels[n]);
  const stays = numbers.filter((n) => n === at || !holes.some((hole) => overlap(labels[n], hole)));
  const boxesOf = (some) => some.map((n) => labels[n]);
  const spots = rings.map(() => null);
  // first where no label has to give way, then where one has to that is not near, and else with a line to its ring
  const firm = stays.filter((n) => n === at || near.includes(n));
  for (const [held, close] of [
    [stays, true],
    [firm, true],
    [firm, false],
  ]) {
    const taken = [...names, ...boxesOf(held), ...spots.flatMap((s, n) => (s ? [sized(s, wide[n])] : []))];
    const open = spots.flatMap((spot, n) => (spot ? [] : [n]));
    const found = placeLabels(all, wide, away, open, room, taken, close);
    for (const n of open) spots[n] = found[n];
  }
  const given = spots.flatMap((spot, n) => (spot ? [sized(spot, wide[n])] : []));
  const loose = numbers.filter((n) => n !== at && [...holes, ...given].some((box) => overlap(labels[n], box)));
  const taken = [...names, ...given, ...boxesOf(numbers.filter((n) => !loose.includes(n)))];
  const sizes = labels.map((label) => label && [label.w, label.h]);
  const old = labels.map((label, n) => label && [label.x + label.w / 2 - points[n][0], label.y - points[n][1]]);
  const moved = placeLabels([...points, ...rings], sizes, old, loose, room, taken, true);
  return { spots, moved: new Map(loose.map((n) => [n, moved[n]])) };
}

/** Where around its own boxes a name of this width covers nothing that is taken, close to them and far from foreign
 * ones: nobody should read it as the name of the kind next to it. */
export function besideAll(own, foreign, [wide, high], taken, [w, h]) {
  const [x0, y0] = [0, 1].map((k) => Math.min(...own.map((b) => b[k])));
  const [x1, y1] = [2, 3].map((k) => Math.max(...own.map((b) => b[k])));
  const [cx, cy] = [(x0 + x1 - wide) / 2, (y0 + y1 - high) / 2];
  const tries = [4, 14, 26].flatMap((d) => [
    ...[cx, x0, x1 - wide].flatMap((x) => [y0 - high - d, y1 + d].map((y) => [x, y])),
    ...[cy, y0, y1 - high].flatMap((y) => [x1 + d + 4, x0 - wide - d - 4].map((x) => [x, y])),
  ]);
  const isInside = ([x, y]) => x > 4 && y > 4 && x + wide < w - 4 && y + high < h - 4;
  const gap = ([x, y], b) => Math.hypot(Math.max(0, b[0] - x - wide, x - b[2]), Math.max(0, b[1] - y - high, y - b[3]));
  const least = (place, boxes) => Math.min(...boxes.map((box) => gap(place, box)));
  const cost = (place) => least(place, own) - Math.min(70, least(place, foreign));
  const free = tries.filter((place) => isInside(place) && least(place, taken) > 0);
  return free.length ? free.reduce((best, place) => (cost(place) < cost(best) ? place : best)) : null;
}

const sized = ({ x, y }, [w, h]) => ({ x, y, w, h });

/** Where the name of each kind stands, in the middle of its points: null until four of five of these are nearer to it
 * than to the middle of any other kind, and where it would cover another name. */
export function partedNames(kinds, sizes) {
  const middles = kinds.map((own) => [0, 1].map((k) => own.reduce((sum, point) => sum + point[k], 0) / own.length));
  const nearest = ([x, y]) => {
    const far = middles.map(([mx, my]) => (Number.isNaN(mx) ? Infinity : Math.hypot(mx - x, my - y)));
    return far.indexOf(Math.min(...far));
  };
  const taken = [];
  return kinds.map((own, kind) => {
    const [[x, y], [w, h]] = [middles[kind], sizes[kind]];
    const box = { x: x - w / 2, y: y - h / 2, w, h };
    const hasParted = own.length && own.filter((point) => nearest(point) === kind).length >= PARTED * own.length;
    if (!hasParted || taken.some((other) => overlap(other, box))) return null;
    taken.push(box);
    return box;
  });
}

/** The first two words of each kind, by their numbers, of those that `fits` takes; a word that is looked at is one. */
export function companions(at, words, fits = () => true) {
  const kinds = new Map([[words[at].kind, [at]]]);
  words.forEach(({ kind }, n) => {
    const own = kinds.get(kind) ?? [];
    if (n !== at && own.length < 2 && fits(n)) kinds.set(kind, [...own, n]);
  });
  return [...kinds.values()].flat();
}

const MARKS = [
  "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0",
  "M-4.5,-4.5h9v9h-9z",
  "M0,-6L6,0L0,6L-6,0z",
  "M0,-6L6,4.5H-6z",
  "M0,6L6,-4.5H-6z",
  "M-2,-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
];

/** The shape that the words of a kind are marked with, as a path around 0, 0. */
export const markOf = (kind) => MARKS[Math.max(0, kind) % MARKS.length];

export const colourOf = (kind) => (kind < 0 ? "var(--quiet)" : `var(--kind-${kind % 6})`);

/** A frame around these places: [least x, least y, largest x, largest y]. Within a whole it is a tenth larger on each
 * side, and no narrower than an eighth of that. */
export function around(places, whole) {
  const side = (n) => {
    const all = places.map((place) => place[n]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const half = whole ? Math.max(0.6 * (high - low), (whole[n + 2] - whole[n]) / 16) : (high - low) / 2;
    return [(low + high) / 2 - half, (low + high) / 2 + half];
  };
  const [across, up] = [side(0), side(1)];
  return [across[0], up[0], across[1], up[1]];
}

/** Which point is nearest to a place, within so many pixels; −1 where none is. */
export function nearestPoint(points, [x, y], within) {
  const far = points.map((point) => Math.hypot(point[0] - x, point[1] - y));
  const least = Math.min(within, ...far);
  return least < within ? far.indexOf(least) : -1;
}

/** Where places within these bounds stand in a box, in pixels: one scale for both directions, of which the longer one
 * goes across if it fits better. fills: each direction has a scale of its own, by which the places fill the box */
export function framed(places, bounds, [w, h], fills) {
  const [wide, high] = [w - 130, h - 76];
  const [across, down] = [bounds[2] - bounds[0] || 1, bounds[3] - bounds[1] || 1];
  const isTurned = Math.min(wide / down, high / across) > Math.min(wide / across, high / down);
  const turned = (pair) => (isTurned ? pair.toReversed() : pair);
  const [x0, y0, x1, y1] = fills ? around(places) : bounds;
  const each = turned([wide, high]).map((room, n) => room / ([x1 - x0, y1 - y0][n] || 1));
  const scales = fills ? each : each.fill(Math.min(...each));
  return places.map(([x, y]) => {
    const [right, up] = turned([(x - (x0 + x1) / 2) * scales[0], (y - (y0 + y1) / 2) * scales[1]]);
    return [w / 2 + right, h / 2 + (isTurned ? up : -up)];
  });
}
