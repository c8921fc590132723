// Where words stand by their rank, and the line that leads one of them up.

const FAR = 0.62; // of the width: behind the columns of the first ranks the others stand, by the logarithm of theirs

/** Where a rank stands, from 0 to 1: the first k have columns, the others share what is behind them. */
export function across(rank, k, last) {
  if (rank <= k) return (FAR * (rank - 1)) / k;
  if (last <= k + 1) return 1;
  return FAR + ((1 - FAR) * Math.log(rank / k)) / Math.log(last / k);
}

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

const capital = (words) => words[0].toUpperCase() + words.slice(1);

/** 1838 -> "1,838th" */
export const placed = (rank) => `${rank.toLocaleString("en")}${ENDINGS[ORDINAL.select(rank)]}`;

/** The height from which on the answer leads up to the top. */
export const since = (ranks) => ranks.findLastIndex((rank) => rank !== 1) + 1;

/** What becomes of the token, in a sentence: what it would say below the height where the answer takes the lead. */
export function finding({ heights, words, ranks }) {
  const from = since(ranks);
  const answer = words.at(-1)[0];
  if (from === 0) return `“${answer}” leads from the embedding to the top.`;
  const below = words.slice(0, from).map(([word]) => word);
  const last = below.at(-1);
  const isAlike = from > 1 && below.every((word) => word === last);
  const before = isAlike ? "Until then" : "Just before";
  const lifts = `lifts “${answer}” from ${placed(ranks[from - 1])} place to the lead`;
  const place = capital(heights[from].replace(/ (\d+)$/, " in layer $1"));
  return `${place} ${lifts}. ${before}, it would say “${last}”.`;
}
