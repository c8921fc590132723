// What flows from station to station of the river: paths of SVG, as [what it is, where, its lane]. The token that is
// followed is drawn whole; of the others there is a line, and what they attend to for who asks.

export const PIPE = 0.2; // where the stream is on its way past a sublayer, of the lane's height
const THICK = 0.13; // half of the longest vector's band, of the lane's height

/** A band between two edges: [x, top, bottom] each. */
const band = ([x0, a0, b0], [x1, a1, b1]) => {
  const m = (x0 + x1) / 2;
  return `M${x0} ${a0} C${m} ${a0} ${m} ${a1} ${x1} ${a1} V${b1} C${m} ${b1} ${m} ${b0} ${x0} ${b0}Z`;
};

/** Where the hidden units of feed-forward are: the flat middle of its nth station, and its edges in the lane. */
export function hiddenPlace(river, n) {
  const before = river.at[n - 1].x + river.at[n - 1].width;
  const wide = river.at[n].x - before;
  const edges = [river.within(river.large, 0.4) + 1, river.within(river.large, 0.97) - 1];
  return { from: before + 0.3 * wide, width: 0.4 * wide, edges };
}

/** Where two vectors of the token that is followed are added: of each nth station of that kind the stream that comes
 * along, as {left, bend, y, half, length}, and the push that joins it, as {left, right, y, half, length}. */
export function additions(river) {
  const { stations } = river.data,
    lane = river.large;
  const longest = Math.max(...stations.filter(({ main }) => main).map(({ lengths }) => lengths[lane])) || 1;
  const halfOf = (length) =>
    Math.max(0.7, THICK * (river.within(lane, 1) - river.within(lane, 0)) * Math.min(1, length / longest));
  let stream = 0; // the station that the stream left last
  const found = [];
  stations.forEach(({ step, main }, n) => {
    if (step.startsWith("add")) {
      const [met, given] = [stations[stream].lengths[lane], stations[n - 1].lengths[lane]];
      const before = river.at[n - 1].x + river.at[n - 1].width,
        [a, b] = river.edges(n - 1, lane),
        left = river.at[stream].x + river.at[stream].width;
      const bend = river.at[n].x - Math.min(44, river.at[n].x - river.at[n].from);
      found.push({
        n,
        met: { left, bend, y: river.within(lane, PIPE), half: halfOf(met), length: met },
        given: { left: before, right: river.at[n].x, y: (a + b) / 2, half: halfOf(given), length: given },
      });
    }
    if (main) stream = n;
  });
  return found;
}

/** All of it, in the order in which it is drawn. river: has the data, the places of the stations and the zoom */
export function currents(river) {
  const { stations, words } = river.data,
    lane = river.large,
    parts = words.map((_, other) => ["lane", `M0 ${river.within(other, 0.5)}H${river.width}`, other]);
  parts.splice(lane, 1);
  const added = new Map(additions(river).map((one) => [one.n, one]));
  stations.forEach((station, n) => {
    const { x, width } = river.at[n],
      [top, bottom] = river.edges(n, lane);
    if (station.step === "attention") words.forEach((_, to) => parts.push(...crossings(river, to, n)));
    else if (n && added.has(n)) parts.push(...joined(added.get(n), x, top, bottom, lane));
    else if (n) parts.push(...passed(river, station, n, lane));
    parts.push(["frame", `M${x} ${top} h${width} V${bottom} h${-width}Z`, lane]);
  });
  return parts;
}

/** The stream and the push, until they meet. */
function joined({ met, given }, x, top, bottom, lane) {
  const split = top + ((bottom - top) * met.length) / (met.length + given.length || 1);
  const [a, b] = [met.y - met.half, met.y + met.half];
  const straight = `M${met.left} ${a} H${met.bend} V${b} H${met.left}Z`;
  const push = band([given.left, given.y - given.half, given.y + given.half], [x, split, bottom]);
  return [
    ["stream", `${straight}${band([met.bend, a, b], [x, top, split])}`, lane],
    ["push", push, lane],
  ];
}

/** What leads to a station that adds nothing and mixes nothing. */
function passed(river, station, n, lane) {
  const { x } = river.at[n],
    before = river.at[n - 1].x + river.at[n - 1].width,
    [a, b] = river.edges(n - 1, lane),
    [top, bottom] = river.edges(n, lane),
    middle = (top + bottom) / 2;
  if (station.step === "feed_forward") {
    const { from, width, edges } = hiddenPlace(river, n),
      high = (a + b) / 2;
    const above = `M${before} ${high - 2} L${from} ${edges[0] - 1} H${from + width} L${x} ${middle - 2} V${middle + 2}`;
    return [["hidden", `${above} L${from + width} ${edges[1] + 1} H${from} L${before} ${high + 2}Z`, lane]];
  }
  if (station.main) return [["stream", band([before, a, b], [x, top, bottom]), lane]];
  const arrow = `M${before} ${middle} H${x} M${x - 7} ${middle - 5} L${x} ${middle} L${x - 7} ${middle + 5}`;
  return [["copy", arrow, lane]];
}

/** What a token attends to: the mean of all heads, or, seen closely, each head for itself. */
function crossings(river, lane, n) {
  const { weights, heads } = river.data;
  const [before, x] = [river.at[n - 1].x + river.at[n - 1].width, river.at[n].x];
  if (!isByHead(river, n)) return ribbons(river, weights[lane], lane, n, [before, x]);
  return river.zoom
    .columns(heads.length, before, x)
    .flatMap((column, h) => ribbons(river, heads[h][lane], lane, n, column));
}

/** Whether attention is seen so closely that each of its heads crosses for itself. */
export function isByHead(river, n) {
  return river.zoom.isNear && n === river.chosen && river.data.stations[n]?.step === "attention";
}

/** What a token attends to, as bands that add up to 1 where they arrive. */
function ribbons(river, row, lane, n, [before, x]) {
  const parts = [];
  const [first, bottom] = river.edges(n, lane),
    whole = bottom - first;
  let top = first;
  row.forEach((weight, source) => {
    const thick = weight * whole,
      [a, b] = river.edges(n - 1, source),
      middle = (a + b) / 2,
      // Where it comes from it keeps to its lane.
      half = (weight * Math.min(river.within(source, 1) - river.within(source, 0), whole)) / 2;
    if (weight > 0.012)
      parts.push(["ribbon", band([before, middle - half, middle + half], [x, top, top + thick]), lane]);
    top += thick;
  });
  return parts;
}
