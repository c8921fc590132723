// One row of a head, stage by stage, in a sentence: what the chosen query makes of the chosen key.

import { fixed, numeral, ordinal } from "../../../../attention_view/lab.js";
import { bold } from "./reasons.js";
import { share, short, TITLES } from "./stages.js";

/** How a key is called beside its query, which may be the same word, at the same place or at another. */
export function keyCalled(labels, row, col) {
  if (row === col) return "itself";
  return labels[row] === labels[col] ? `the ${col < row ? "earlier" : "later"} ${labels[col]}` : labels[col];
}

/** What stands above the figure, as parts: of one row a sentence, or what its controls say; of all rows where words
 * look, or the name of the stage. */
export function headline(steps, term, says) {
  const { isRow, tuner, stages, given, data } = steps;
  const { row, col } = steps.state;
  if (isRow && !steps.state.term) {
    if (says && tuner.isMoved(row)) return moved(steps, stages.weights[row][col], given.weights[row][col]);
    return says ? [says] : told(steps);
  }
  return term === "weights" && data.limit == null ? toldOfAll(steps) : [TITLES[term]];
}

/** The sentence of what is chosen, as parts. */
function told(steps) {
  const { state, data, given, figure, tuner } = steps;
  const { row, col } = state;
  const stages = { ...steps.stages };
  for (const name of ["scores", "scaled", "biased"])
    if (stages[name]) stages[name] = stages[name].with(row, figure.rowOf(name)); // with what a hand has moved
  const own = tuner.moved.has(`${row},${col}`) ? given.scores[row][col] : null;
  const blocked = data.labels.map((_, j) => steps.isBlocked(row, j));
  const { asks, guess } = steps;
  const width = data.matrices.q[0].length;
  const parts = sentence({ ...state, labels: data.labels, stages, blocked, width, own, asks, said: guess.said });
  return withElements(parts);
}

const withElements = (parts) => parts.map((part) => (typeof part === "string" ? part : bold(...part)));

/** What a hand has made of the share of the chosen key; own: what it is in the model. */
const moved = ({ state: { row, col }, data: { labels } }, now, own) => withElements(yours(row, col, labels, now, own));

/** The same, as texts and [role, text]. */
export function yours(row, col, labels, now, own) {
  const called = keyCalled(labels, row, col);
  const [which, itself] = row === col ? ["", " itself"] : [called.slice(0, -labels[col].length), ""];
  const given = [`You give ${which}“`, ["key", labels[col]], `”${itself} `, ["weight", share(now)]];
  return [...given, "; the model gave it ", ["weight", share(own)], "."];
}

/** The sentence of a stage, as texts and [role, text].
 *
 * stages: the matrices by name; blocked: for each key whether the mask hides it; width: of queries and keys; own: the
 * model's score of the chosen key, where a hand has moved it; asks: whether softmax is still to come, and said: the
 * share that the reader expects, or null */
export function sentence({ stage, row, col, labels, stages, blocked, width, own = null, asks = false, said = null }) {
  const query = ["query", labels[row]];
  const key = ["key", keyCalled(labels, row, col)];
  const weight = ["weight", share(stages.weights[row][col])];
  const at = (name) => fixed(stages[name][row][col], 1);
  const hidden = blocked.filter(Boolean).length;
  if (blocked[col] && !["scores", "scaled", "biased"].includes(stage))
    return ["The mask hides ", key, " from ", query, ": it gets no attention at all."];
  switch (stage) {
    case "scores":
      if (own !== null)
        return ["You set the score of ", query, " with ", key, ` to ${at("scores")}; the model’s is ${fixed(own, 1)}.`];
      if (asks)
        return [query, " scores ", key, ` ${at("scores")}, ${standing(stages.scores[row], col)}. `, ...expected(said)];
      return [query, " meets every key: its products with ", key, ` add up to a score of ${at("scores")}.`];
    case "scaled":
      return [`Divided by √${width} = ${short(Math.sqrt(width))}, the score with `, key, ` becomes ${at("scaled")}.`];
    case "biased":
      return ["The bias for the distance to ", key, ` turns ${at("scaled")} into ${at("biased")}.`];
    case "masked":
      if (!hidden) return ["The mask hides nothing from ", query, ": no word comes after it."];
      return [`The mask hides ${hidden} of ${blocked.length} keys from `, query, "; the others keep their scores."];
    case "weights": {
      const gives = [
        query,
        " gives ",
        weight,
        " of its attention to ",
        key,
        `${lead(stages.weights[row], labels, col)}.`,
      ];
      return said === null ? gives : [`You said ${share(said)}; `, ...gives];
    }
    default:
      return ["So ", query, " takes in ", weight, " of the value of ", key, "."];
  }
}

/** How far the key is ahead of the next one, where one can tell by how much: as the shares that are read come to. */
function lead(weights, labels, col) {
  const next = weights.map((w, j) => (j === col ? -1 : w)).reduce((most, w, j, all) => (w > all[most] ? j : most), 0);
  const times = fixed(share(weights[col]) / share(weights[next]), 1);
  const many = times === "2.0" ? "twice" : `${times.endsWith(".0") ? numeral(Number(times)) : times} times`;
  return times >= 1.5 && times < 10 ? `, ${many} what ${labels[next]} gets` : "";
}

/** What all rows show together: which key most of the words look at most. */
function toldOfAll({ stages: { weights }, data: { labels } }) {
  const looks = weights.map((row) => row.indexOf(Math.max(...row)));
  const count = (j) => looks.filter((at) => at === j).length;
  const most = looks.reduce((best, j) => (count(j) > count(best) ? j : best), looks[0]);
  const look = count(most) === 1 ? "looks" : "look";
  const all = `All ${labels.length} words do this at once: ${count(most)} of them ${look} most at `;
  return [all, bold("key", labels[most]), "."];
}

const expected = (said) =>
  said === null
    ? ["How much of its attention will that be?"]
    : ["You say: ", ["weight", share(said)], " of its attention."];

/** Where a score stands among those of its row, from the highest. */
export function standing(scores, col) {
  const place = 1 + scores.filter((score) => score > scores[col]).length;
  return `the ${place > 1 ? `${ordinal(place)} ` : ""}highest of ${scores.length}`;
}
