// One row of weights as bars, which always share 1, with the weights before the last stroke as outlines.

import { brief, el, shorten } from "../../../../attention_view/lab.js";

export class RowBars {
  constructor(keys) {
    this.bars = keys.map((token) => {
      const [bar, ghost, amount] = [el("i"), el("u"), el("span.amount")];
      const name = el("span.name", { title: token }, shorten(token));
      return { bar, ghost, amount, node: el("div.share", name, el("span.track", ghost, bar), amount) };
    });
    this.whole = keys.map(() => el("i"));
    this.total = el("p.total", { role: "status" });
    this.name = el("b.query");
    this.node = el(
      "section.panel.held",
      el("h2", "Where ", this.name, " looks"),
      el("div.shares", ...this.bars.map((bar) => bar.node)),
      el("div.whole", { "aria-hidden": "true" }, ...this.whole),
      this.total,
    );
  }

  /** now: weights of the row; open: its cells; before: its weights before the last stroke, or null */
  fill(query, now, open, before) {
    const isMoved = before && before.some((w, j) => Math.abs(w - now[j]) > 0.005);
    this.name.textContent = shorten(query);
    this.bars.forEach(({ bar, ghost, amount, node }, j) => {
      node.classList.toggle("blocked", !open[j]);
      bar.style.width = `${100 * now[j]}%`;
      ghost.hidden = !isMoved || before[j] < 0.005;
      if (isMoved) ghost.style.width = `${100 * before[j]}%`;
      amount.textContent = open[j] ? brief(now[j]) : "blocked";
      this.whole[j].style.flexGrow = now[j];
      this.whole[j].classList.toggle("thin", now[j] < 0.03); // no line around it: it would be all that is seen
    });
    const sum = now.reduce((a, b) => a + b, 0);
    this.total.textContent = sum ? `adds up to ${brief(sum)}` : "No key is open: the row adds up to 0.";
  }
}
