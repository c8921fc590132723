// The bars of the answer: how likely the model finds each next word, at the temperature that a visitor sets.

import { slider } from "../../../../attention_view/controls.js";
import { el } from "../../../../attention_view/lab.js";

/** "56%", "<1%": a probability without more digits than a reader needs. */
export const chance = (p) => (p < 0.005 ? "<1%" : `${Math.round(100 * p)}%`);

/** The words with their shares, and what is left for all others: [{word, share}], the last one without a word. */
export function ladder(words, shares) {
  const rest = Math.max(0, 1 - shares.reduce((a, b) => a + b, 0));
  return [...words.map((word, i) => ({ word, share: shares[i] })), { word: null, share: rest }];
}

/** The shares of a reading at the nth temperature: logits are divided by it before the softmax.
 *
 * logs  log p of each word; temperatures; sums: of each temperature log Σ exp(log p / temperature) over all words */
export const sharesAt = ({ logs, sums }, temperatures, n) =>
  logs.map((log) => Math.exp(log / temperatures[n] - sums[n]));

export class Bars {
  /** words; n: of how many; isMine(word or null): whether a word was guessed. */
  constructor(words, n, isMine) {
    this.words = words;
    this.rows = ladder(words, []).map(({ word }) => {
      const mine = isMine(word);
      const parts = {
        node: el("li", { class: `${mine ? "mine" : ""} ${word === null ? "rest" : ""}` }),
        fill: el("i"),
        value: el("span.value"),
      };
      const label = el("span.name", word ?? `${n - words.length} other words`, mine ? el("small", "your guess") : null);
      parts.node.append(label, el("span.track", parts.fill), parts.value);
      return parts;
    });
    this.node = el("ol.bars", { "aria-label": "How likely the model finds each next word" });
    this.node.append(...this.rows.map((row) => row.node));
  }

  show(shares) {
    ladder(this.words, shares).forEach(({ share }, i) => {
      const { fill, value } = this.rows[i];
      fill.style.inlineSize = `${100 * share}%`;
      value.textContent = chance(share);
    });
  }
}

export class Temperature {
  /** act() hears of each change. */
  constructor(act) {
    this.at = null;
    const turned = (n) => {
      this.show(this.all, n);
      act();
    };
    this.knob = slider("Temperature of the next word", { max: 0 }, turned);
    this.told = el("output");
    this.node = el("label.heat", "temperature", this.knob, this.told);
  }

  /** One of these temperatures, by its number; without one that at which the model was trained. */
  show(all, n = all.indexOf(1)) {
    [this.all, this.at] = [all, n];
    this.knob.max = all.length - 1;
    this.knob.value = n;
    this.knob.setAttribute("aria-valuetext", String(all[n]));
    this.told.textContent = all[n].toFixed(1);
  }
}
