// The bars of the answer: how likely the model finds each next word.

import { asShare, el, still } from "../../../../attention_view/lab.js";

/** The words with their shares, and what is left for all others: [{word, share}], the last one without a word. */
export function ladder(words, shares) {
  const rest = Math.max(0, 1 - shares.reduce((a, b) => a + b, 0));
  return [...words.map((word, i) => ({ word, share: shares[i] })), { word: null, share: rest }];
}

/** What stands for all words that are not among the bars, as a guess. */
export const OTHER = "another word";

/** The answer as columns side by side: covered at first, each with a button to guess its word; then open, the likeliest
 * first, whatever the name. */
export class Bars {
  /** choose(word): a word was guessed. */
  constructor(choose) {
    this.choose = choose;
    this.node = el("div.answer");
  }

  /** Covered, in an order that tells nothing. */
  cover(words) {
    this.opened = this.words = null;
    const column = (word) =>
      el(
        word === OTHER ? "button.column.other" : "button.column",
        { onclick: () => this.choose(word) },
        el("i.track"),
        word,
      );
    this.node.replaceChildren(
      el("div.bars", { role: "group", "aria-label": "Your guess" }, ...[...words, OTHER].map(column)),
    );
  }

  /** Open; n: of how many words the model chooses; guess: the word that was guessed, or null; asked: the words in the
   * order in which they were covered, which they keep while the model computes. */
  show(words, shares, { n, guess, asked }) {
    const opened = String(words);
    if (this.opened !== opened) this.open(words, asked);
    Object.assign(this, { opened, words });
    this.label(guess, n);
    ladder(words, shares).forEach(({ share }, i) => {
      const { node, value } = this.rows[i];
      node.style.setProperty("--share", share);
      value.textContent = asShare(share);
    });
    this.shares = shares;
    if (!this.isWaiting) this.sort();
  }

  open(words, asked) {
    this.rows = ladder(words, []).map(({ word }) => {
      const [fill, value, name] = [el("i.fill"), el("span.value"), el("span.name")];
      const node = el("li.column", el("i.track", fill, value), name);
      node.classList.toggle("rest", word === null);
      node.style.order = word === null ? words.length : asked.indexOf(word);
      return { word, node, value, name };
    });
    const list = el("ol.bars", { "aria-label": "How likely the model finds each next word" });
    list.append(...this.rows.map(({ node }) => node));
    this.node.replaceChildren(list);
  }

  /** Names the columns; that of the guess says so, if one was guessed. */
  label(guess, n) {
    const others = `${(n - this.words.length).toLocaleString("en")} others`;
    for (const { word, node, name } of this.rows) {
      const isMine = guess === (word ?? OTHER);
      name.title = word === null ? `All ${others} together` : "";
      name.replaceChildren(...(isMine ? [el("small", "you: ")] : []), word ?? (isMine ? "another" : others));
      node.classList.toggle("mine", isMine);
    }
  }

  /** Whether the model computes: until it is done, the columns stay covered where they are. */
  wait(isWaiting) {
    this.isWaiting = isWaiting;
    if (!isWaiting && this.words) this.sort();
  }

  /** The likeliest comes first; what changes its place moves there. */
  sort() {
    const { rows, shares } = this;
    const left = rows.map(({ node }) => node.offsetLeft);
    const order = shares.map((_, i) => i).sort((a, b) => shares[b] - shares[a]);
    for (const [rank, i] of order.entries()) rows[i].node.style.order = rank;
    if (still()) return;
    for (const [i, { node }] of rows.entries()) {
      const by = left[i] - node.offsetLeft;
      if (by) node.animate({ translate: [`${by}px 0`, "0 0"] }, { duration: 200, easing: "ease-out" });
    }
  }
}
