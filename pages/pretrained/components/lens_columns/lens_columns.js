// What a model would say if it stopped early: a column per token, the highest layer on top, and one column large.

import { el, mirror, mix, mount, percent, wholeParam } from "../../../../attention_view/lab.js";

/** What is in the large column, from the top: {height, word, chance, isAnswer, rank, odds} per height; the last two are
 * those of the word that the whole model says. */
export function tower({ heights, said, chances, ranks, odds }, t) {
  const rows = heights.map((height, p) => ({
    height,
    word: said[t][p],
    chance: chances[t][p],
    rank: ranks[t][p],
    odds: odds[t][p],
    isAnswer: ranks[t][p] === 1,
  }));
  return rows.reverse();
}

/** 1838 -> "1,838th" */
export function placed(rank) {
  const [tens, ones] = [rank % 100, rank % 10];
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th");
  return `${rank.toLocaleString("en")}${ending}`;
}

class LensColumns {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) =>
      put("pretrained_lens_token", this.data.first + this.chosen, this.data.first + this.last),
    );
    this.columns = el("div.columns", { role: "radiogroup", "aria-label": "Tokens of the text" });
    this.columns.onkeydown = (event) => this.step(event);
    this.columns.onpointerleave = () => this.show(null);
    this.hero = el("div.hero", { role: "status" });
    root.replaceChildren(el("div.body", this.columns, this.hero));
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    Object.assign(this, { signature, data, last: data.tokens.length - 1 });
    const asked = isFirst ? wholeParam("pretrained_lens_token", data.first + data.tokens.length) : null;
    this.chosen = asked === null || asked < data.first ? this.last : asked - data.first;
    this.root.style.setProperty("--heights", data.heights.length);
    this.buttons = data.tokens.map((token, t) => this.column(token, t));
    this.columns.replaceChildren(...this.buttons);
    this.show(null);
  }

  column(token, t) {
    const cells = tower(this.data, t).map(({ word, isAnswer, odds }) => {
      const style = `background: ${mix("positive", Math.round(26 * odds))}`;
      return el(`i${isAnswer ? ".answer" : ""}`, { style }, word);
    });
    const props = { role: "radio", "aria-label": token, title: token };
    const listeners = { onclick: () => this.choose(t), onpointerenter: () => this.show(t) };
    return el("button.column", { ...props, ...listeners }, ...cells, el("b", token));
  }

  choose(t) {
    this.chosen = t;
    this.show(null);
    this.link.later();
  }

  step(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.choose((this.chosen + by + this.buttons.length) % this.buttons.length);
    this.buttons[this.chosen].focus();
  }

  /** One column large: the one under the pointer, else the chosen one. */
  show(under) {
    const t = under ?? this.chosen;
    for (const [n, button] of this.buttons.entries()) {
      button.classList.toggle("on", n === t);
      button.setAttribute("aria-checked", String(n === this.chosen));
      button.setAttribute("tabindex", n === this.chosen ? "0" : "-1");
    }
    const rows = tower(this.data, t);
    const answer = rows[0].word;
    this.hero.replaceChildren(
      el("h2", "After ", el("b", this.data.tokens[t]), ", it would say …"),
      el("h2.fate", "and ", el("b", answer), " is"),
      ...rows.map((row) => this.row(row, answer)),
    );
    this.root.dataset.shown = JSON.stringify({ token: t, said: rows.map(({ word }) => word) });
  }

  row({ height, word, chance, isAnswer, rank, odds }, answer) {
    const bar = el("i", { style: `width: ${(100 * odds).toFixed(1)}%` });
    return el(
      `div.row${isAnswer ? ".answer" : ""}`,
      el("span.height", height),
      el("span.said", { title: `${word}: ${percent(chance)}` }, word),
      el("span.rank", placed(rank)),
      el("span.track", { role: "img", "aria-label": `probability of ${answer}: ${percent(odds)}` }, bar),
      el("span.odds", percent(odds)),
    );
  }
}

export default mount(".lens-columns", LensColumns);
