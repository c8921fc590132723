// What is said of one number of a query, key or value, for the eye and for a voice.

import { fixed } from "../../../../attention_view/lab.js";

const NOTHING = 0.005; // of a score

const together = (parts) => parts.reduce((sum, { value }) => sum + value, 0);

/** The sentence of a number, as texts and [role, text].
 *
 * parts: as partsOf() gives them; what: which number it is; found: {word, share}, the word that the query finds and the
 * share of that score which the number earns, or null */
export function sentence(one, parts, { what, found }) {
  if (found && found.share <= 1) {
    const by = Math.abs(found.share);
    const score = `the score for “${found.word}”.`;
    if (by < NOTHING) return [`${what} adds next to nothing to ${score}`];
    const share = ["push", `${Math.round(100 * by)}%`];
    return found.share > 0
      ? [`${what} contributes `, share, ` of ${score}`]
      : [`${what} takes `, share, ` off ${score}`];
  }
  const large = parts.filter(({ row }) => row !== undefined);
  const rest = parts.find(({ others }) => others);
  const constant = parts.find(({ row, others }) => row === undefined && !others);
  const whole = [`${what} is `, ["hue", fixed(one.total, 2)]];
  const products = `the sum of ${large.length} products`;
  if (!rest)
    return [...whole, `, ${products}${constant ? ` and a learned constant, ${fixed(constant.value, 2)}` : ""}.`];
  const most = `its ${large.length} largest pushes make ${fixed(together(large), 2)}`;
  const others = `the other ${rest.others} make ${fixed(rest.value, 2)}`;
  const last = constant ? `, and a learned constant makes ${fixed(constant.value, 2)}` : "";
  return [...whole, `: ${most}, ${others}${last}.`];
}

/** What a voice hears of the picture: what adds up. */
export function heard(one, parts) {
  const name = ({ row, others }) =>
    row !== undefined ? `row ${row + 1}` : others ? `the other ${others}` : "a constant";
  return `${parts.map((part) => `${name(part)}: ${fixed(part.value, 2)}`).join("; ")}; sum: ${fixed(one.total, 2)}`;
}
