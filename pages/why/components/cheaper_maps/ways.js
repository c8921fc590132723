// Four ways to attend as cards in a row, and a menu of the others.

import { el, put, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { inPercent } from "./kept.js";

const UNTOLD = "What it misses, only training can tell."; // of shared keys and values

/** What a way takes and how well the model then reads, in a sentence; numbers are in lists of their own: ["It does ",
 * ["23%"], ...]. n_reviews: that were read; where no model reads, what is lost is said. */
export function found({ subject, of, share, loses, missed, says, n_right }, n_reviews) {
  const takes = [`${subject} ${of === "work" ? "does" : "needs"} `, [inPercent(share)]];
  if (missed === null) return [...takes, ` of their memory. ${UNTOLD}`];
  if (says === null) return [...takes, ` of the ${of} and ${loses} `, [inPercent(missed)], " of the attention weight."];
  return [...takes, ` of the ${of} and gets `, [String(n_right)], ` of ${n_reviews} reviews right.`];
}

/** How it works, and what to hold against the number of reviews, but for what is exact: all of the work, or all of it
 * in less memory. */
export const explained = ({ sentence, says, of, share }, n_reviews) =>
  says === null || share === 1 || of === "memory"
    ? sentence
    : `${sentence} It was not trained for this. Guessing would get ${n_reviews / 2}.`;

/** How well the model reads with a window, and for what. */
export function worth({ share, n_right }, n_reviews) {
  const read = `${n_right} of ${n_reviews} other reviews read right, for ${inPercent(share)} of the work.`;
  return `${read} Guessing would get ${n_reviews / 2}.`;
}

/** What the button says, which leads to the next card; -1: a way that has no card. */
export const nextSaid = (at, n) =>
  at === -1 ? "Back to the window" : at === 0 ? "Make it cheaper" : at === n - 1 ? "Start again" : "Next way";

export class Ways {
  /** take(n): what a press on the nth does. */
  constructor(take) {
    this.take = take;
    this.row = el("div.row", { role: "radiogroup", "aria-label": "Cheaper attention" });
    this.menu = el("select.others", {
      "aria-label": "More ways",
      onchange: () => this.menu.value && take(Number(this.menu.value)),
    });
    this.node = el("div.ways", this.row, this.menu);
  }

  /** The cards, and the menu of ways without one. */
  build({ ways }) {
    const all = [...ways.keys()];
    this.carded = all.filter((at) => ways[at].is_card);
    this.cards = this.carded.map((at, n) => this.card(ways[at], at, n));
    this.row.replaceChildren(...this.cards.map(({ node }) => node));
    const others = all.filter((at) => !ways[at].is_card);
    const option = (value, says) => el("option", { value }, says);
    this.menu.replaceChildren(
      option("", `${["no", "one", "two", "three", "four", "five"][others.length]} more ways`),
      ...others.map((at) => option(at, ways[at].name)),
    );
  }

  card({ name }, at, n) {
    const parts = { gloss: el("span.gloss"), share: el("b.share"), of: el("span.of") };
    const onkeydown = (event) => {
      const next = inRow(event, n, this.cards.length);
      if (next === null) return;
      this.take(this.carded[next]);
      this.cards[next].node.focus();
    };
    const inside = [el("b.name", name), ...Object.values(parts)];
    const node = el("button.way", { role: "radio", onclick: () => this.take(at), onkeydown }, ...inside);
    return { node, ...parts };
  }

  /** Which one is chosen, and what each takes; told(n): what is told of the nth. */
  show(chosen, told) {
    const at = this.carded.indexOf(chosen);
    this.cards.forEach(({ node, ...parts }, n) => {
      const { name, gloss, of, share } = told(this.carded[n]);
      put(node, { "aria-checked": String(n === at), tabIndex: n === Math.max(0, at) ? 0 : -1 });
      write(parts.gloss, gloss);
      const isWork = of === "work"; // what saves something else has no count beside those of work
      node.classList.toggle("exact", !isWork);
      write(parts.share, isWork ? inPercent(share) : "");
      write(parts.of, isWork ? `of the ${of}` : "");
      put(node, { "aria-label": `${name}: ${gloss}${isWork ? `, ${inPercent(share)} of the ${of}` : ""}` });
    });
    this.menu.value = at === -1 ? String(chosen) : "";
    this.menu.classList.toggle("on", at === -1);
    return at;
  }
}
