// Where words stand by their rank, and the line that leads one of them up.

const FAR = 0.62; // of the width: behind the columns of the first ranks the others stand, by the logarithm of theirs

/** Where a rank stands, from 0 to 1: the first k have columns, the others share what is behind them. */
export function across(rank, k, last) {
  if (rank <= k) return (FAR * (rank - 1)) / k;
  if (last <= k + 1) return 1;
  return FAR + ((1 - FAR) * Math.log(rank / k)) / Math.log(last / k);
}

/** Between the columns and those that share what is behind them. */
export const breakAt = (k) => FAR * (1 - 0.5 / k);

/** One smooth line through points [[x, y]], upright in each. */
export function lineThrough(points) {
  return points
    .map(([x, y], n) => {
      if (n === 0) return `M${x} ${y}`;
      const [before, from] = points[n - 1];
      const half = (from + y) / 2;
      return `C${before} ${half} ${x} ${half} ${x} ${y}`;
    })
    .join("");
}

const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });
const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };

/** 1838 -> "1,838th" */
export const placed = (rank) => `${rank.toLocaleString("en")}${ENDINGS[ORDINAL.select(rank)]}`;

/** The height from which on the answer leads up to the top. */
export const since = (ranks) => ranks.findLastIndex((rank) => rank !== 1) + 1;

/** Where the token stands before a sublayer, in words; isLong: all the way up to it, and not just before it. */
function placeBelow(height, isLong) {
  const [, sublayer, layer] = /^(attention|feed-forward) (\d+)$/.exec(height) ?? [];
  if (sublayer === "attention") return `${isLong ? "Until" : "Just before"} layer ${layer}`;
  if (sublayer) return `${isLong ? "Up to" : "After"} attention in layer ${layer}`;
  return `${isLong ? "Until" : "Just before"} ${height}`;
}

/** What becomes of the token, in a sentence: what it would say below the height where the answer comes first. */
export function finding({ heights, words, ranks }) {
  const from = since(ranks);
  const answer = words.at(-1)[0];
  if (from === 0) return `“${answer}” comes first from the embedding to the top.`;
  const below = words.slice(0, from).map(([word]) => word);
  const last = below.at(-1);
  const isAlike = from > 1 && below.every((word) => word === last);
  const who = heights[from].replace(/ \d+$/, "");
  const before = `${placeBelow(heights[from], isAlike)}, the model would say “${last}”.`;
  return `${before} Then ${who} lifts “${answer}” from ${placed(ranks[from - 1])} place to first.`;
}
