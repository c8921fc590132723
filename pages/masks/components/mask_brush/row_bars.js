// One row of weights as bars, which always share 1, with the weights before the last stroke as outlines.

import { brief, el, shorten } from "../../../../attention_view/lab.js";

const NAMED = 2; // blocked words that a sentence names; of more it says how many

/** Which of these is the largest. */
export const largestAt = (weights) => weights.indexOf(Math.max(...weights));

/** What a row looks at most, and what its mask hides, in sentences: [text, the colour it wears or ""] each. */
export function findingOf(query, keys, open, weights) {
  const blocked = keys.filter((_, j) => !open[j]);
  const asking = [query, "query"];
  if (blocked.length === keys.length) return [asking, [" may see nothing: its row adds up to 0.", ""]];
  const most = largestAt(weights);
  const parts = [asking, [" gives ", ""], [weights[most].toFixed(2), "weight"], [" of its attention to “", ""]];
  const looks = [...parts, [keys[most], "key"], ["”.", ""]];
  const named = blocked.length > NAMED ? `${blocked.length} tokens` : blocked.map((key) => `“${key}”`).join(" and ");
  return [...looks, [blocked.length ? ` It may not see ${named}.` : " It may see every token.", "quiet"]];
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
    this.said = el("span", { role: "status" }); // it changes with every stroke
    this.finding = el("h2.finding", this.said);
    this.node = el(
      "section.panel.held",
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
    const parts = findingOf(
      shorten(query),
      this.keys.map((key) => shorten(key)),
      open,
      now,
    );
    const part = ([text, kind]) => (kind ? el(kind === "quiet" ? "span.quiet" : `b.${kind}`, text) : text);
    this.said.replaceChildren(...parts.map(part));
    const most = largestAt(now);
    this.bars.forEach(({ bar, ghost, amount, node }, j) => {
      node.classList.toggle("blocked", !open[j]);
      node.classList.toggle("most", j === most && now[j] > 0);
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
