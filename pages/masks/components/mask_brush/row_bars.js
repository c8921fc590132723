// One row of weights as bars, which always share 1, with the weights before the last stroke as outlines.

import { brief, el, shorten } from "../../../../attention_view/lab.js";

const NAMED = 2; // blocked words that a sentence names; of more it says how many

/** What a mask does to a row, in a sentence: [text, the colour it wears or ""] each. */
export function findingOf(query, keys, open) {
  const blocked = keys.filter((_, j) => !open[j]);
  const n = keys.length - blocked.length;
  const tokens = (count) => `${count} ${count === 1 ? "token" : "tokens"}`;
  const asking = [query, "query"];
  if (!n) return [asking, [" may see nothing: its row adds up to 0.", ""]];
  if (!blocked.length && n === 1) return [asking, [" may see itself: it gets all attention.", ""]];
  if (!blocked.length) return [asking, [` may see all ${tokens(n)}. They share its attention.`, ""]];
  const names = blocked.length > NAMED ? [[tokens(blocked.length), ""]] : blocked.map((key) => [key, "key"]);
  const ands = names.flatMap((name, k) => (k ? [[" and ", ""], name] : [name]));
  return [
    asking,
    [" may not see ", ""],
    ...ands,
    [`. Its attention goes to the other ${n === 1 ? "one" : tokens(n)}.`, ""],
  ];
}

export class RowBars {
  constructor(keys) {
    this.keys = keys;
    this.bars = keys.map((token) => {
      const [bar, ghost, amount] = [el("i"), el("u"), el("span.amount")];
      const name = el("span.name", { title: token }, shorten(token));
      return { bar, ghost, amount, node: el("div.share", name, el("span.track", ghost, bar), amount) };
    });
    this.whole = keys.map(() => el("i"));
    this.total = el("span.amount");
    this.finding = el("span", { role: "status" }); // it changes with every stroke
    this.node = el(
      "section.panel.held",
      el("h2", this.finding),
      el("div.shares", ...this.bars.map((bar) => bar.node)),
      el(
        "div.share.total",
        el("span.name", "together"),
        el("div.whole", { "aria-hidden": "true" }, ...this.whole),
        this.total,
      ),
    );
  }

  /** now: weights of the row; open: its cells; before: its weights before the last stroke, or null */
  fill(query, now, open, before) {
    const isMoved = before && before.some((w, j) => Math.abs(w - now[j]) > 0.005);
    const said = findingOf(query, this.keys, open);
    this.finding.replaceChildren(...said.map(([text, kind]) => (kind ? el(`b.${kind}`, shorten(text)) : text)));
    this.bars.forEach(({ bar, ghost, amount, node }, j) => {
      node.classList.toggle("blocked", !open[j]);
      bar.style.width = `${100 * now[j]}%`;
      ghost.hidden = !isMoved || before[j] < 0.005;
      if (isMoved) ghost.style.width = `${100 * before[j]}%`;
      amount.textContent = open[j] ? brief(now[j]) : "blocked";
      this.whole[j].style.flexGrow = now[j];
      this.whole[j].classList.toggle("thin", now[j] < 0.03); // no line around it: it would be all that is seen
    });
    this.total.textContent = brief(now.reduce((a, b) => a + b, 0));
  }
}
