// Why the chosen cell is what it is: every step from the numbers of the stage before; and the code that made it.

import { el, strength } from "../../../../attention_view/lab.js";
import { HUES, reach, share, short, total } from "./stages.js";

export const bold = (role, text) => el("b", { class: role }, text);
const sum = (parts) => parts.flatMap((part, i) => (i ? [" + ", part] : [part]));
const product = (one, other) => el("span.product", one, " × ", other);
const MAX_WRITTEN = 8; // products that are written out; more are drawn

/** Whether vectors are so wide that the products of a score are drawn. */
export const isDrawn = ({ q }) => q[0].length > MAX_WRITTEN;
const equal = (text, value) => ({ value: short(value), lines: [[text, bold("ink", short(value, 3))]] });

/** The value of the chosen cell as text, and the lines that lead to it: {value, lines}. */
export function reasons(steps) {
  const { stage, row, col } = steps.state;
  const { q, k } = steps.data.matrices;
  const at = (name) => steps.stages[name]?.[row][col];
  switch (stage) {
    case "scores": {
      if (isDrawn({ q })) return ofStrips(q[row], k[col], at(stage));
      const products = q[row].map((x, f) => product(bold("query", short(x)), bold("key", short(k[col][f]))));
      return { value: short(at(stage)), lines: [[...sum(products), " = ", bold("ink", short(at(stage), 3))]] };
    }
    case "scaled": {
      const [d_k, before] = [q[0].length, short(at("scores"), 3)];
      return equal(`${before} ÷ √${d_k} = ${before} ÷ ${short(Math.sqrt(d_k), 3)} = `, at(stage));
    }
    case "biased":
      return equal(`${short(at("scaled"), 3)} and the bias for the distance = `, at(stage));
    case "masked": {
      const blocked = "The mask blocks this cell: its score becomes −∞, and e to that power is exactly 0.";
      const open = "The mask allows this cell: the score stays as it is.";
      return at(stage) == null ? { value: "−∞", lines: [[blocked]] } : { value: short(at(stage)), lines: [[open]] };
    }
    case "output":
      return ofOutput(steps);
    default:
      return { value: share(at(stage), 3), lines: ofWeight(steps) };
  }
}

/** A query and a key of many numbers as strips, and their products as bars below them, which add up to the score. */
function ofStrips(query, key, score) {
  const products = query.map((x, f) => x * key[f]);
  const most = reach([...query, ...key]);
  const [low, high] = [Math.min(0, ...products), Math.max(0, ...products)];
  const tall = (x) => (100 * Math.abs(x)) / (high - low || 1);
  const kind = (x) => (x < 0 ? "negative" : "positive");
  const cell = (x) => el("i", { class: kind(x), style: `--p: ${100 * strength(Math.abs(x) / most)}%` });
  const bar = (x, f) => {
    const title = `feature ${f + 1}: ${short(query[f])} × ${short(key[f])} = ${short(x)}`;
    return el("i", { class: `product ${kind(x)}`, title, style: `--p: ${tall(x)}%` }, el("i"));
  };
  const name = (role, text) => el("b", { class: role }, text);
  const picture = el(
    "div.strips",
    { role: "img", "aria-label": `${products.length} products of a query and a key, added up`, "data-figure": "" },
    name("query", "q"),
    ...query.map(cell),
    name("key", "k"),
    ...key.map(cell),
    name("quiet", "q × k"),
    ...products.map(bar),
  );
  picture.style.setProperty("--n", products.length);
  picture.style.setProperty("--zero", `${tall(high)}%`); // from the top
  const sum = [`the ${products.length} products add up to `, bold("ink", short(score))];
  return { value: short(score), lines: [[picture], sum] };
}

function ofWeight({ state: { row, col }, stages, fed, tuner }) {
  const weights = stages.weights[row];
  const { tau, divided, along } = tuner.set;
  const isRow = along === "keys";
  const scores = isRow ? fed[row] : fed.map((one) => one[col]);
  const score = fed[row][col];
  const itself = `; on itself: ${share(weights[row], 3)}.`;
  const whole = ["The whole row adds up to ", bold("weight", short(total(weights), 3)), itself];
  if (score == null) return [["The mask blocks this cell: exactly 0."], whole];
  const allowed = scores.filter((x) => x != null);
  const top = Math.max(...allowed);
  const powers = total(allowed.map((x) => Math.exp(x - top)));
  const power = short(Math.exp(score - top), 3);
  const from = short(score * tau, 3);
  const tuned = `${divided ? "" : "not divided: "}${from} ÷ τ = ${from} ÷ ${tau} = ${short(score, 3)}`;
  const line = isRow ? "row" : "column";
  const first = el("span.quiet", `  the ${line}’s largest is taken off first`);
  return [
    ...(tau !== 1 || !divided ? [[tuned]] : []),
    [`e to the power of (${short(score, 3)} − ${short(top, 3)}) = ${power}`, first],
    [`÷ ${short(powers, 3)}, the sum of the ${line} = `, bold("weight", share(weights[col], 3))],
    whole,
  ];
}

/** One feature of the output: the values, each times its weight; of many the largest eight. */
function ofOutput({ state: { row, feature }, stages, data }) {
  const { v } = data.matrices;
  const output = short(stages.output[row][feature], 3);
  const parts = stages.weights[row].map((w, j) => [w, j]).filter(([w]) => w !== 0);
  parts.sort((x, y) => y[0] - x[0]);
  const [first, others] = [parts.slice(0, 8), parts.slice(8)];
  if (!others.length) first.sort((x, y) => x[1] - y[1]);
  const products = first.map(([w, j]) => product(bold("weight", share(w, 3)), bold("value", short(v[j][feature]))));
  const rest = total(others.map(([w, j]) => w * v[j][feature]));
  const more = others.length ? ` + ${short(rest, 3)} from ${others.length} more` : "";
  return { value: output, lines: [[...sum(products), more, " = ", bold("value", output)]] };
}

let isWhole = false; // whether all lines of the source are shown, on every stage

/** Whether a line is one of thought: it stands for a term of the formula, and computes with a query, a key, a value or
 * a weight. The others see to masks of floats, to taps and to what can be left out. */
export const isThought = ({ terms, parts }) => terms.length > 0 && parts.some(([, role]) => role && role !== "comment");

/** The lines of the source that stand for the formula, with those of the term marked; all of them on demand. */
export function source(code, term) {
  const panel = code.find((p) => p.lines.some((l) => l.terms.includes(term))) ?? code[0];
  const lines = panel.lines.map((line) => {
    const { terms, indent, number, parts } = line;
    const marked = terms.includes(term) ? `on ${HUES[term]}` : "";
    const props = {
      class: `line ${isThought(line) ? "" : "plumbing"} ${marked}`,
      style: `--indent: ${indent}`,
      "data-line": number,
    };
    const written = parts.map(([text, role]) => (role ? el("span", { class: role }, text) : text));
    return el("div", props, el("span.number", String(number)), el("code", ...written));
  });
  const list = el("div.lines", ...lines);
  const more = el("button.more", { onclick: () => show(!isWhole) });
  const show = (whole) => {
    isWhole = whole;
    list.classList.toggle("whole", whole);
    more.setAttribute("aria-expanded", String(whole));
    more.textContent = whole ? "only the formula" : `all ${lines.length} lines`;
  };
  show(isWhole);
  more.hidden = panel.lines.every(isThought);
  return [el("p.quiet.path", `The code that ran: ${panel.path}, ${panel.name}`), list, more];
}
