// Where threads run: around the words. To a token of its own line a thread is a bridge above that line; to one further
// up it goes through the room between lines, and along the margin where it has to pass a line.

/** Spans [start, end] that overlap get lanes of their own; the shorter one gets the nearer lane. */
export function lanes(spans) {
  const length = ([start, end]) => end - start;
  const order = spans.map((_, n) => n).sort((a, b) => length(spans[a]) - length(spans[b]) || a - b);
  const [taken, lane] = [[], []];
  for (const n of order) {
    const [start, end] = spans[n];
    const free = taken.findIndex((there) => there.every(([a, b]) => end < a || b < start));
    lane[n] = free < 0 ? taken.push([]) - 1 : free;
    taken[lane[n]].push(spans[n]);
  }
  return { lane, count: taken.length };
}

const MARGIN = "margin";
const FAR = 1e6; // to the left of all words

/** What a thread passes, as [place, span]. "low 2" is the room above line 2 near that line; "high 2" is the same room
 * near line 1. */
function legs({ from, to }) {
  const across = [from.x, to.x].sort((a, b) => a - b);
  if (to.row === from.row) return [[`low ${from.row}`, across]];
  if (to.row === from.row - 1) return [[`high ${from.row}`, across]];
  return [
    [`high ${to.row + 1}`, [-FAR, to.x]],
    [MARGIN, [to.row, from.row]],
    ...(from.isFirst ? [] : [[`low ${from.row}`, [-FAR, from.x]]]),
  ];
}

/** The corners of each thread, [[x, y], ...], from its bracket to what it looks at.
 *
 * threads  {from: {row, x, left, isFirst}, to: {row, x}}; isFirst: nothing stands before it on its line
 * rows     [top, bottom] of the words of each line; room: how much there is above the first
 * left     where lines begin; margin: how much room there is before them
 * step     the largest distance of two lanes */
export function routes(threads, { rows, room, left, margin, step }) {
  const ways = threads.map(legs);
  const spans = {};
  for (const [place, span] of ways.flat()) (spans[place] ??= []).push(span);
  const lanesOf = Object.fromEntries(Object.entries(spans).map(([place, all]) => [place, lanes(all)]));
  const count = (place) => lanesOf[place]?.count ?? 0;

  /** Where the lane of a thread is: a height, or of the margin how far from the left. */
  const at = (place, lane) => {
    if (place === MARGIN) return left - Math.min(step, margin / (1 + count(MARGIN))) * (1 + lane);
    const [side, row] = [place.split(" ")[0], Number(place.split(" ")[1])];
    const [ceiling, floor] = [row ? rows[row - 1][1] : rows[0][0] - room, rows[row][0]];
    const apart = Math.min(step, (floor - ceiling) / (1 + count(`low ${row}`) + count(`high ${row}`)));
    return side === "low" ? floor - apart * (1 + lane) : ceiling + apart * (1 + lane);
  };

  const passed = {}; // by place: how many threads have been led through it
  return threads.map(({ from, to }, n) => {
    const lines = ways[n].map(([place]) => {
      passed[place] = (passed[place] ?? -1) + 1;
      return at(place, lanesOf[place].lane[passed[place]]);
    });
    const [top, bottom] = rows[from.row];
    const end = rows[to.row][to.row === from.row ? 0 : 1];
    const [across, aside, above] = lines;
    const start = [from.x, top];
    if (aside === undefined) return [start, [from.x, across], [to.x, across], [to.x, end]];
    const middle = (top + bottom) / 2;
    const out = from.isFirst
      ? [
          [from.left, middle],
          [aside, middle],
        ]
      : [start, [from.x, above], [aside, above]];
    return [...out, [aside, across], [to.x, across], [to.x, end]];
  });
}

/** A line through these corners, which are round. */
export function rounded(corners, radius) {
  const along = ([x, y], [a, b], by) => {
    const length = Math.hypot(a - x, b - y) || 1;
    const part = Math.min(by, length / 2) / length;
    return `${(x + part * (a - x)).toFixed(1)} ${(y + part * (b - y)).toFixed(1)}`;
  };
  const bend = (corner, n) => {
    const [before, after] = [corners[n], corners[n + 2]];
    return `L${along(corner, before, radius)}Q${corner.join(" ")} ${along(corner, after, radius)}`;
  };
  return `M${corners[0].join(" ")}${corners.slice(1, -1).map(bend).join("")}L${corners.at(-1).join(" ")}`;
}
