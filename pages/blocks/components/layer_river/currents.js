// What flows from station to station of the river: paths of SVG, as [what it is, where, its lane].

const PIPE = 0.2; // where the stream is on its way past a sublayer, of a lane's height

/** A band between two edges: [x, top, bottom] each. */
const band = ([x0, a0, b0], [x1, a1, b1]) => {
  const m = (x0 + x1) / 2;
  return `M${x0} ${a0} C${m} ${a0} ${m} ${a1} ${x1} ${a1} V${b1} C${m} ${b1} ${m} ${b0} ${x0} ${b0}Z`;
};

/** Where the hidden units of feed-forward are: the flat middle of its nth station, and its edges in a lane. */
export function hiddenPlace(river, n) {
  const before = river.at[n - 1].x + river.at[n - 1].width;
  const wide = river.at[n].x - before;
  const edges = (lane) => [river.within(lane, 0.4) + 1, river.within(lane, 0.97) - 1];
  return { from: before + 0.3 * wide, width: 0.4 * wide, edges };
}

/** All of it, in the order in which it is drawn. river: has the data, the places of the stations and the zoom */
export function currents(river) {
  const { stations, words } = river.data,
    parts = [],
    longest = Math.max(...stations.filter(({ main }) => main).flatMap(({ lengths }) => lengths)) || 1;
  let stream = 0; // the station that the stream left last
  stations.forEach((station, n) => {
    const { x, width } = river.at[n];
    for (let lane = 0; lane < words.length && n; lane += 1) {
      const before = river.at[n - 1].x + river.at[n - 1].width,
        [a, b] = river.edges(n - 1, lane),
        [top, bottom] = river.edges(n, lane);
      if (station.step === "attention") parts.push(...crossings(river, lane, n, before));
      else if (station.step.startsWith("add")) {
        const [met, given] = [stations[stream].lengths[lane], stations[n - 1].lengths[lane]];
        const split = top + ((bottom - top) * met) / (met + given || 1);
        const tall = river.within(lane, 1) - river.within(lane, 0);
        const half = Math.max(0.7, 0.13 * tall * (met / longest)),
          pipe = river.within(lane, PIPE),
          left = river.at[stream].x + river.at[stream].width;
        const bend = x - Math.min(44, river.at[n].x - river.at[n].from);
        const straight = `M${left} ${pipe - half} H${bend} V${pipe + half} H${left}Z`;
        parts.push(["stream", `${straight}${band([bend, pipe - half, pipe + half], [x, top, split])}`, lane]);
        const middle = (a + b) / 2,
          push = Math.max(0.7, 0.13 * tall * (given / longest));
        parts.push(["push", band([before, middle - push, middle + push], [x, split, bottom]), lane]);
      } else if (station.step === "feed_forward") {
        const [u, v] = [river.within(lane, 0.4), river.within(lane, 0.97)],
          [s, t] = [before + 0.3 * (x - before), before + 0.7 * (x - before)],
          low = (top + bottom) / 2,
          high = (a + b) / 2;
        const above = `M${before} ${high - 2} L${s} ${u} H${t} L${x} ${low - 2} V${low + 2}`;
        const d = `${above} L${t} ${v} H${s} L${before} ${high + 2}Z`;
        parts.push(["hidden", d, lane]);
      } else if (station.main) {
        parts.push(["stream", band([before, a, b], [x, top, bottom]), lane]);
      } else {
        const middle = (top + bottom) / 2;
        parts.push([
          "copy",
          `M${before} ${middle} H${x} M${x - 5} ${middle - 3} L${x} ${middle} L${x - 5} ${middle + 3}`,
          lane,
        ]);
      }
    }
    for (let lane = 0; lane < words.length; lane += 1) {
      const [top, bottom] = river.edges(n, lane);
      parts.push(["frame", `M${x} ${top} h${width} V${bottom} h${-width}Z`, lane]);
    }
    if (station.main) stream = n;
  });
  return parts;
}

/** What a token attends to: the mean of all heads, or, seen closely, each head for itself. */
function crossings(river, lane, n, before) {
  const { weights, heads } = river.data;
  const x = river.at[n].x;
  if (!isByHead(river, n)) return ribbons(river, weights[lane], lane, n, [before, x]);
  return river.zoom
    .columns(heads.length, before, x)
    .flatMap((column, h) => ribbons(river, heads[h][lane], lane, n, column));
}

/** Whether attention is seen so closely that each of its heads crosses for itself. */
export function isByHead(river, n) {
  return river.zoom.isNear && n === river.chosen && river.data.stations[n].step === "attention";
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
      half = (weight * Math.min(b - a, whole)) / 2; // where it comes from it keeps to its lane
    if (weight > 0.012)
      parts.push(["ribbon", band([before, middle - half, middle + half], [x, top, top + thick]), lane]);
    top += thick;
  });
  return parts;
}
