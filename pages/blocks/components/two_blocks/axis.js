// An axis of loss on which less is further right, and what can be said of a loss on it.

import { capital, fixed, numeral, trimmed } from "../../../../attention_view/lab.js";

const ROOM = 0.06; // of the range of the data, free at either end
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

export const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Where losses lie on the axis, as shares of its length, and back: {at, lossAt}. */
export function axisOf(losses) {
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const room = ROOM * (high - low || 1);
  const [worst, range] = [high + room, high - low + 2 * room];
  return { at: (loss) => (worst - loss) / range, lossAt: (share) => worst - share * range };
}

/** The round numbers among these at which an axis is marked, seven at most. */
export function marksIn(numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const step = STEPS.find((one) => (high - low) / one <= 6) ?? (high - low) / 6;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, n) =>
    Number(((first + n) * step).toFixed(4)),
  );
}

/** How high things between these left and right ends pile up: each lies as low as none that came before is in its
 * way. */
export function levels(ends) {
  const rows = [];
  return ends.map(([left, right]) => {
    const isTaken = (row) => row.some(([from, to]) => left < to && from < right);
    const free = rows.findIndex((row) => !isTaken(row));
    const level = free < 0 ? rows.length : free;
    (rows[level] ??= []).push([left, right]);
    return level;
  });
}

/** How a loss that is so much lower than that of 2017 is called on the axis. */
export const markOf = (gain, base) =>
  gain ? `${trimmed(Math.abs(gain))} ${gain > 0 ? "better" : "worse"}` : `2017: loss ${fixed(base)}`;

/** By how much these losses are lower than those on average. */
export function gainSaid(losses, seeds) {
  const gain = mean(seeds) - mean(losses);
  return `${fixed(Math.abs(gain))} ${gain < 0 ? "worse" : "better"}`;
}

const UNTRAINED = "This combination was not trained, so it has no loss: what its parts do does not simply add up.";

/** What a change came to against these runs of 2017, and what was bet on it, if anything. */
export function landsSaid({ term, losses, clear, buys }, seeds, bet) {
  if (!losses) return UNTRAINED;
  if (!losses.length) return `With ${term}, the training diverged: its loss was no longer a number.`;
  const guess = bet === undefined ? "" : `You bet ${gainSaid([bet], seeds)}. `;
  const lands = `${capital(term)}: ${gainSaid(losses, seeds)}, ${clear ? "beyond" : "within"} luck.`;
  const cost = buys ? `What it ${buys.startsWith("−") ? "buys" : "costs"}: ${buys}.` : "It costs the same.";
  return `${guess}${lands}${clear ? "" : ` ${cost}`}`;
}

/** How many of these changes, each alone, are better or worse by more than luck, and what all at once are. */
export function summaryOf(parts, all, seeds) {
  const far = parts.filter(({ clear }) => clear);
  const within = `${capital(numeral(parts.length - far.length))} of ${numeral(parts.length)} changes stay within luck.`;
  return [within, ...[...far, all].map((one) => `${capital(one.term)}: ${gainSaid(one.losses, seeds)}.`)].join(" ");
}

/** What became of two blocks in a deep stack, that of 2017 first. */
export function deepSaid([old, other], [shallow, deep]) {
  const loss = ({ losses }) => fixed(mean(losses));
  const was = other.term.split(",")[0];
  return (
    `In ${numeral(shallow)} layers ${was} changed nothing. In ${numeral(deep)}, 2017’s block fails:` +
    ` loss ${loss(old)}. With ${was}: ${loss(other)}.`
  );
}
