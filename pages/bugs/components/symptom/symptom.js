// What a healthy model answers and, below it, what this code does: word by word, as it is written.

import { el, mount } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";

const ERROR = /^\w+Error: /;

/** The words of an answer, and which of them are not those that a healthy model says at the same place. */
export function compared(answer, healthy) {
  if (ERROR.test(answer)) return [{ word: answer, odd: true }];
  const right = healthy.split(" ");
  return answer.split(" ").map((word, n) => ({ word, odd: ![right[n], "…"].includes(word) }));
}

/** What the lines under odd words say, for who hears them. */
export function said(words) {
  const n = words.filter(({ odd }) => odd).length;
  const all = words.filter(({ word }) => word !== "…").length;
  if (!n) return "";
  const what = all === 1 ? "differs" : `${n} of ${all} words ${n === 1 ? "differs" : "differ"}`;
  return `(${what} from the healthy model’s)`;
}

class Symptom {
  constructor(root) {
    this.root = root;
    root.dataset.figure = "";
  }

  update({ asked, healthy, broken, cured }) {
    const exhibit = JSON.stringify([asked, healthy, broken]); // some ask the same
    const isNew = this.exhibit !== exhibit;
    if (!isNew && this.cured === cured) return;
    if (isNew && !this.exhibit && !cured) this.endBeat = drawnIn(this.root, "bugs");
    const hasTurned = !isNew;
    [this.exhibit, this.cured] = [exhibit, cured];
    this.root.style.setProperty("--words", Math.max(...[...healthy, ...broken].map((one) => one.split(" ").length)));
    const row = (name, kind, answers) => {
      const cells = answers.map((answer, n) => this.cell(compared(answer, healthy[n]), asked[n]));
      return el(`tr.${kind}`, el("th", { scope: "row" }, name), ...cells);
    };
    const rows = [row("A healthy model", "healthy", healthy), row("This code", "broken", cured ? healthy : broken)];
    if (cured) rows[1].firstChild.textContent = "This code, cured";
    const heads = asked.map((question) => el("th", { scope: "col" }, question));
    const table = el("table", el("thead", el("tr", el("td"), ...heads)), el("tbody", ...rows));
    table.classList.toggle("turned", hasTurned);
    table.classList.toggle("one", asked.length === 1);
    this.root.replaceChildren(table);
  }

  cell(words, question) {
    const isError = ERROR.test(words[0].word);
    const shown = words.flatMap(({ word, odd }, n) => [
      n ? " " : "",
      el(`span.word${odd ? ".odd" : ""}`, { style: `--n:${n}` }, word),
    ]);
    const hint = isError ? "" : said(words);
    return el(
      `td${isError ? ".error" : ""}`,
      { "data-asked": question },
      ...shown,
      hint ? el("span.unseen", ` ${hint}`) : "",
    );
  }
}

export default mount(".symptom", Symptom);
