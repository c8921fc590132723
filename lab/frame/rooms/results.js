// What the class has answered, drawn beside what the model says: bars, words with dots, a histogram, curves.
// Each is made by a function (step, votes) -> an element; votes has one entry per round, the last one counts.

import { counted, el, fixed, svg } from "../../../attention_view/lab.js";
import { arcsBelow } from "./asked_arcs.js";
import { mapOf, mapOfClass, mapOfModel } from "./map.js";
import { acrossOf, amount, bestCell, pathOf } from "./said.js";

const sum = (counts) => counts.reduce((total, n) => total + n, 0);

/** A row of bars: a name, how many in each round, and how right it is: the model's weight of it, or that it is. */
function row({ name, counts, most, isTruth, weight = isTruth ? "right" : "" }) {
  const bar = (n, last) => el(last ? "i.now" : "i.before", { style: `width: ${(100 * n) / most}%` });
  const said = counts.length > 1 ? `${counts[0]} → ${counts[1]}` : `${counts[0]}`;
  return el(
    `tr${isTruth ? ".right" : ""}`,
    el("th", { scope: "row" }, name),
    el("td.bars", el("div", ...counts.map((n, k) => bar(n, k === counts.length - 1)))),
    el("td.count", said),
    el("td.model", weight),
  );
}

const table = (caption, rows) => el("table", el("caption", caption), el("tbody", ...rows));
/** The label that the model gives most, or -1 while its answer is held back. */
const bestOf = ({ truth }) => truth.indexOf(Math.max(...truth));

const captionOf = (votes) => (votes.length > 1 ? "Before and after talking" : "The class");

function options(step, votes) {
  const most = Math.max(1, ...votes.flat());
  const best = bestOf(step);
  const of = (name, n) => row({ name, most, counts: votes.map((counts) => counts[n]), isTruth: n === best });
  return table(captionOf(votes), step.labels.map(of));
}

const PROBABLE = 0.01; // for the model, of a word that nobody has chosen

/** The labels that the class or the model names most, the model's first choices among them; none that neither does. Of
 * two votes the favourites of both come before what few have said, those of the last vote first. */
export function named(truth, votes, most = 7) {
  const ranks = Math.max(0, ...votes.map((pairs) => pairs.length));
  const ofRank = (rank) => votes.toReversed().flatMap((pairs) => pairs.slice(rank, rank + 1).map(([n]) => n));
  const chosen = Array.from({ length: ranks }, (_, rank) => ofRank(rank)).flat();
  const likely = truth
    .map((_, n) => n)
    .filter((n) => truth[n] >= PROBABLE)
    .sort((a, b) => truth[b] - truth[a]);
  return [...new Set([...likely.slice(0, 3), ...chosen, ...likely.slice(3, most)])].slice(0, most);
}

function word(step, votes) {
  const counts = votes.map((pairs) => new Map(pairs));
  const most = Math.max(1, ...votes.flat().map(([, n]) => n));
  const [best, isHeld] = [bestOf(step), !step.truth.length];
  const of = (n) =>
    row({
      name: step.labels[n],
      most,
      counts: counts.map((one) => one.get(n) ?? 0),
      isTruth: n === best,
      weight: isHeld ? "" : fixed(step.truth[n]),
    });
  return table(`${captionOf(votes)}${isHeld ? "" : ", and the model’s probability"}`, named(step.truth, votes).map(of));
}

/** Words in a row: above each a dot for everybody who touched it, below it the model's attention weight, as an arc from
 * the word that asks if there is one, or else as a bar. While the model's answer is held back, a question mark stands
 * in its place. One dot of the word `mine`, if there is one, has a ring. */
function cells(step, votes, mine) {
  const [best, isHeld, asking] = [bestOf(step), !step.truth.length, step.asks >= 0];
  const most = Math.max(1, ...votes.at(-1));
  let fallen = 0; // dots fall one after the other
  const dot = (isMine) => el(isMine ? "i.mine" : "i", { style: `--nth: ${fallen++}` });
  const bar = (n) =>
    el("div.share", { "aria-hidden": "true" }, isHeld ? "?" : el("i", { style: `height: ${100 * step.truth[n]}%` }));
  const column = (label, n) => {
    const counts = votes.map((one) => one[n]);
    const last = counts.at(-1);
    const dots = Array.from({ length: last }, (_, k) => dot(n === mine && k === last - 1));
    const weight = isHeld ? [] : [el(step.truth[n] < 0.005 ? "i.unseen" : "i", fixed(step.truth[n]))];
    return el(
      `li${n === best ? ".right" : ""}`,
      el("div.dots", { "aria-hidden": "true" }, ...dots),
      el("span.label", { class: marked(step, n, best) }, label),
      el("span.count", sum(counts) ? counts.join(" → ") : ""),
      ...(asking ? [] : [bar(n)]),
      el("span.weight", ...weight),
    );
  };
  const row = el("ol", ...step.labels.map(column));
  const own = mine === undefined ? [] : [el("i.mine"), "you"];
  const model = isHeld ? "the model: not shown yet" : "the model’s attention weight";
  const legend = el("figcaption", el("i"), "the class", ...own, el("i.weight"), model);
  const below = asking ? [arcsBelow(row, step)] : [];
  const figure = el(`figure.cells${asking ? ".asking" : ""}`, row, ...below, legend);
  figure.style.setProperty("--rows", Math.ceil(most / 2));
  figure.classList.toggle("held", isHeld);
  return figure;
}

/** What a word is, in its colour: the one that asks, or the one that the model finds. */
const marked = ({ asks }, n, best) => (n === asks ? "label query" : asks >= 0 && n === best ? "label key" : "label");

/** The same row of words while nothing is to be seen: a ring above each, where the first dot will lie, and below it
 * what the model holds back: an arc that ends in a question mark, or the places of its bars. A word that is pressed is
 * told to press(n), if there is one. */
export function emptyCells(step, press) {
  const hidden = { "aria-hidden": "true" };
  const asking = step.asks >= 0;
  const below = asking ? [] : [el("div.share", hidden)];
  const column = (label, n) => {
    const word = [el("div.dots", hidden, el("i.empty")), el("span.label", { class: marked(step, n) }, label)];
    return el("li", ...(press ? [el("button.vote", { onclick: () => press(n) }, ...word)] : word), ...below);
  };
  const row = el("ol", ...step.labels.map(column));
  const arcs = asking ? [arcsBelow(row, { ...step, truth: [] })] : [];
  const model = `The ${asking ? "arc is" : "bars are"} the model’s.`;
  const votes = press
    ? []
    : [el("figcaption", `A dot is a vote: it falls on its word when the votes are shown. ${model}`)];
  return el(`figure.cells.asked${asking ? ".asking" : ""}`, row, ...arcs, ...votes);
}

/** A dot for everybody who has answered, a ring for everybody who has not yet. */
export const pool = (answered, seats) =>
  Array.from({ length: Math.min(seats, MOST_DOTS) }, (_, n) => el(n < answered ? "i" : "i.empty"));

const MOST_DOTS = 60;
const [ACROSS, DEEP] = [640, 320];

function number(step, votes) {
  const { low, high, unit } = step;
  const most = Math.max(1, ...votes.flat());
  const x = (value) => ((value - low) / (high - low)) * ACROSS;
  const bins = (counts, k) =>
    counts.map((n, bin) => {
      const height = (n / most) * (DEEP - 40);
      const wide = ACROSS / counts.length;
      const name = k === votes.length - 1 ? "rect.now" : "rect.before";
      return svg(name, { x: bin * wide + 1, y: DEEP - height, width: wide - 2, height });
    });
  const [truth] = step.truth;
  const mark = truth === undefined ? [] : [svg("path.truth", { d: `M${x(truth)} 0V${DEEP}` })];
  const picture = svg(
    "svg.paper",
    { preserveAspectRatio: "none", viewBox: `0 0 ${ACROSS} ${DEEP}`, role: "img", "aria-label": numbers(step, votes) },
    ...votes.flatMap(bins),
    ...mark,
  );
  const ends = el(
    "div.ends",
    el("span", amount(low, unit)),
    el("b", truth === undefined ? "" : `the model: ${amount(truth, unit)}`),
    el("span", amount(high, unit)),
  );
  return el("figure.numbers", picture, ends, el("figcaption", numbers(step, votes)));
}

/** A histogram in one sentence. */
export function numbers({ low, high, unit }, votes) {
  const counts = votes.at(-1);
  const edge = (n) => amount(low + (n * (high - low)) / counts.length, unit);
  const all = sum(counts);
  if (!all) return "Nobody has answered";
  const best = counts.findIndex((n) => 2 * n > all); // more than half of them
  const isOne = all > 1 && best >= 0 && counts[best] < all;
  const [first, last] = isOne ? [best, best] : [counts.findIndex(Boolean), counts.findLastIndex(Boolean)];
  return `${counted(all, "number")}${isOne ? "; most" : ","} between ${edge(first)} and ${edge(last + 1)}`;
}

/** What a picture of curves shows, in words. */
export function curves(n, isShown) {
  const drawn = n ? `${counted(n, "curve")} of the class` : "No curve of the class";
  return isShown ? `${drawn}, ${n ? "and" : "only"} the model’s` : drawn;
}

function curve(step, votes) {
  const lines = votes.at(-1).map((values) => svg("path.one", { d: pathOf(values, step, ACROSS, DEEP) }));
  const truth = step.truth.length ? [svg("path.truth", { d: pathOf(step.truth, step, ACROSS, DEEP) })] : [];
  const n = votes.at(-1).length;
  const label = curves(n, truth.length > 0);
  const picture = svg(
    "svg.paper",
    { preserveAspectRatio: "none", viewBox: `0 0 ${ACROSS} ${DEEP}`, role: "img", "aria-label": label },
    ...lines,
    ...truth,
  );
  const thick = truth.length ? "thick: the model" : "";
  const top = el("div.ends", el("span", amount(step.high, step.unit)), el("b", thick), el("span", label));
  return el("figure.curves", top, picture, pointsOf(step));
}

/** The words of a curve, each below its point. */
const pointsOf = ({ labels }) =>
  el(
    "div.points",
    ...labels.map((text, n) => el("span", { style: `left: ${100 * acrossOf(n, labels.length)}%` }, text)),
  );

/** What a curve is drawn on, while there is none to be seen. */
export function emptyPaper(step) {
  const top = el("div.ends", el("span", `up to ${amount(step.high, step.unit)}`));
  const label = `An empty picture from ${amount(step.low, step.unit)} to ${amount(step.high, step.unit)}`;
  return el("figure.curves", top, svg("svg.paper", { role: "img", "aria-label": label }), pointsOf(step));
}

/** The cells that the class has touched, beside the model's own map. */
function map(step, votes) {
  const best = bestCell(step);
  const total = votes.at(-1).reduce((count, [, , n]) => count + n, 0);
  const one = (picture, ...words) => el("figure", picture, el("figcaption", ...words));
  const [row, column] = best.map((n) => step.labels[n]);
  const said = ["The model: most where ", el("b.query", row), " looks at ", el("b.key", column)];
  return el(
    "div.maps",
    one(
      mapOfClass(step, votes.at(-1), best),
      `The class: ${counted(total, "cell")}${votes.length > 1 ? ", after talking" : ""}`,
    ),
    ...(step.truth.length ? [one(mapOfModel(step, [best]), ...said)] : []),
  );
}

/** A map on which nothing is to be seen yet. */
export const emptyMap = (step) =>
  el("div.maps", el("figure", mapOf(step, step.ask), el("figcaption", "Rows ask; columns are what they look at.")));

/** What a vote on words has come to, in a sentence; and what the model says, once it is shown. */
export function voteSaid({ labels, truth }, votes) {
  const counts = votes.at(-1);
  const [all, most] = [sum(counts), Math.max(...counts)];
  const best = bestOf({ truth });
  const named = (n) => quoted(labels, n);
  const pressed = all ? ` ${counts[best]} of ${all} pressed it.` : "";
  if (truth.length) return `The model looks most at ${named(best)}: ${fixed(truth[best])}.${pressed}`;
  const first = labels.map((_, n) => n).filter((n) => counts[n] === most);
  const last = named(first.pop());
  const said = first.length
    ? `A tie: ${most} of ${all} each for ${first.map(named).join(", ")} and ${last}`
    : `${most} of ${all} pressed ${last}`;
  return `${said}. Where does the model look?`;
}

/** A word in quotes; and which of them, where it stands there more than once. */
function quoted(labels, n) {
  const nth = labels.slice(0, n).filter((label) => label === labels[n]).length;
  const isOne = labels.indexOf(labels[n]) === labels.lastIndexOf(labels[n]);
  return `${isOne ? "" : `the ${NTH[nth] ?? `${nth + 1}th`} `}“${labels[n]}”`;
}

const NTH = ["first", "second", "third"];

export const RESULTS = { options, word, cells, number, curve, map, talk: () => el("p.quiet", "What did you say?") };
