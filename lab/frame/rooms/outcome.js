// The end of a class: what it has answered in all. Of a test, each idea before and after the lesson; else the questions
// that most got wrong.

import { counted, el } from "../../../attention_view/lab.js";

const MOST = 7; // questions that are named

/** The questions that the smallest shares of the class had right, hardest first; all of them have an answer. */
export const hardest = (asked) => asked.toSorted((one, other) => one[2] / one[3] - other[2] / other[3]).slice(0, MOST);

/** What there is to say in one sentence. given: all answers, also numbers and curves, of which none is right; invented:
 * those of a rehearsal that nobody gave. */
export function outcomeSaid({ ideas, asked, given, invented }, seats) {
  const sum = (rows, place) => rows.reduce((total, row) => total + row[place], 0);
  const n = sum(ideas, 1);
  if (n)
    return `Right answers to the test: ${sum(ideas, 2)} of ${n} before the lesson, ${sum(ideas, 3)} of ${n} after it.`;
  const [right, all] = [sum(asked, 2), sum(asked, 3)];
  if (!given) return `${counted(seats, "phone")} took part.`;
  const gave = invented
    ? `${counted(given, "answer")}, ${invented === given ? "all" : invented} of them invented`
    : `${counted(seats, "phone")}, ${counted(given, "answer")}`;
  if (!all) return `${gave}.`;
  return all === given && !invented
    ? `${gave}, ${right} of them right.`
    : `${gave}. Right: ${right} of the ${all} that can be right.`;
}

const bar = (n, all, name) => el(`i.${name}`, { style: `width: ${(100 * n) / all}%` });

const rowOf = (name, bars, count) =>
  el("tr", el("th", { scope: "row" }, name), el("td.bars", el("div", ...bars)), el("td.count", count));

/** The table below that sentence; null where nobody has answered. */
export function outcomeTable({ ideas, asked }) {
  const rows = ideas.length
    ? ideas.map(([idea, n, before, after]) =>
        rowOf(idea, [bar(before, n, "before"), bar(after, n, "now")], `${before} → ${after} of ${n}`),
      )
    : hardest(asked).map(([, ask, right, n]) => rowOf(ask, [bar(right, n, "now")], `${right} of ${n}`));
  if (!rows.length) return null;
  const caption = ideas.length ? "Right before and after the lesson" : "Hardest for this class";
  return el("table.outcome", el("caption", caption), el("tbody", ...rows));
}
