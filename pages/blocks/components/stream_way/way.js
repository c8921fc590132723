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

/** 1838 -> "1,838th" */
export const placed = (rank) => `${rank.toLocaleString("en")}${ENDINGS[ORDINAL.select(rank)]}`;

/** Where the model stops at first: below the height from which on the answer leads, or at the top. */
export function firstStop(ranks) {
  const other = ranks.findLastIndex((rank) => rank !== 1);
  return other < 0 ? ranks.length - 1 : other;
}
