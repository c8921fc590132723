// One row of weights as bars, which always share 1, with the weights before the last stroke as outlines.

import { brief, el, shorten, sumOf, write } from "../../../../attention_view/lab.js";

const NAMED = 2; // blocked words that a sentence names; of more it says how many
const MOST = 7; // bars of words; the others share a line
const LEAST = 0.02; // of the attention, that a bar of its own has

/** Which of these is the largest. */
export const largestAt = (weights) => weights.indexOf(Math.max(...weights));

const namesOf = (keys) => (keys.length > NAMED ? `${keys.length} tokens` : keys.map((key) => `“${key}”`).join(" and "));

/** The words that have a bar of their own, in the order of the sentence: those that get or had most. */
export function barsOf(now, before) {
  const most = now.map((w, j) => Math.max(w, before?.[j] ?? 0));
  const rank = most.map((_, j) => j).sort((a, b) => most[b] - most[a]);
  return rank
    .slice(0, MOST)
    .filter((j, n) => most[j] >= LEAST || n === 0)
    .sort((a, b) => a - b);
}

/** The keys that a stroke has blocked, if that moved weight that is seen. before: the weights of the row before that
 * stroke, or null; what was blocked already had exactly 0 */
export function justBlocked(open, before) {
  const lost = before ? [...open.keys()].filter((j) => !open[j] && before[j] > 0) : [];
  return lost.some((j) => before[j] > 0.005) ? lost : [];
}

/** The line for what is blocked and has no bar: how many, and how many of them were before the last stroke. */
export function shutSaid(left, before, hasBar) {
  const old = before ? left.filter((j) => !before[j]).length : 0;
  const fresh = left.length - old;
  if (!old || !(fresh || hasBar)) return `${left.length}${hasBar ? " more" : ""} blocked`;
  return fresh ? `${fresh}${hasBar ? " more" : ""} blocked, ${old} before` : `${old} blocked before`;
}

/** What a row looks at most, and what its mask hides; or, of a stroke that has just blocked some of it, where that
 * weight has gone: sentences as [text, the colour it wears or ""]. before: weights before that stroke, or null */
export function findingOf(query, keys, open, weights, before = null) {
  const blocked = keys.filter((_, j) => !open[j]);
  const asking = [query, "query"];
  if (blocked.length === keys.length) return [asking, [" may see nothing: its row adds up to 0.", ""]];
  const lost = justBlocked(open, before);
  if (lost.length) return wentOf(keys, weights, before, lost);
  const most = largestAt(weights);
  const parts = [asking, [" gives ", ""], [weights[most].toFixed(2), "weight"], [" of its attention to “", ""]];
  const looks = [...parts, [keys[most], "key"], ["”.", ""]];
  return blocked.length ? [...looks, [` It may not see ${namesOf(blocked)}.`, "quiet"]] : looks;
}

function wentOf(keys, weights, before, lost) {
  const gains = weights.map((w, j) => w - before[j]);
  const most = largestAt(gains);
  const isOne = lost.length === 1;
  const weight = (x) => [x.toFixed(2), "weight"];
  return [
    ...(isOne
      ? [
          ["“", ""],
          [keys[lost[0]], "key"],
          ["” is blocked: exactly ", ""],
        ]
      : []),
    ...(isOne ? [] : [[`${namesOf(lost.map((j) => keys[j]))} are blocked: exactly `, ""]]),
    ["0", "weight"],
    [isOne ? ". Its " : ". Their ", ""],
    weight(sumOf(lost.map((j) => before[j]))),
    [" goes to the rest: “", ""],
    [keys[most], "key"],
    ["” rises from ", ""],
    weight(before[most]),
    [" to ", ""],
    weight(weights[most]),
    [".", ""],
  ];
}

/** A part of a sentence. */
export const part = ([text, kind]) => (kind ? el(kind === "quiet" ? "span.quiet" : `b.${kind}`, text) : text);

export class RowBars {
  constructor(keys) {
    this.keys = keys;
    this.bars = keys.map((token) => {
      const [bar, ghost, amount] = [el("i"), el("u"), el("span.amount")];
      const name = el("span.name", { title: token }, shorten(token));
      return { bar, ghost, amount, node: el("div.share", name, el("span.track", ghost, bar), amount) };
    });
    this.whole = keys.map(() => el("i"));
    const line = () => ({ name: el("span"), amount: el("span.amount") });
    [this.others, this.shut] = [line(), line()];
    for (const one of [this.others, this.shut]) one.node = el("p.rest", one.name, one.amount);
    this.total = el("span.amount");
    this.said = el("span", { role: "status" }); // it changes with every stroke
    this.finding = el("h2.finding", this.said);
    const whole = el("div.whole", { "aria-hidden": "true" }, ...this.whole);
    this.node = el(
      "section.panel.held",
      el("div.shares", ...this.bars.map((bar) => bar.node)),
      this.others.node,
      this.shut.node,
      el("div.share.total", el("span.name", "together"), whole, this.total),
    );
  }

  /** now: weights of the row; open: its cells; before: its weights before the last stroke, or null */
  fill(query, now, open, before) {
    const isMoved = Boolean(before?.some((w, j) => Math.abs(w - now[j]) > 0.005));
    const was = isMoved ? before : null;
    const names = this.keys.map((key) => shorten(key));
    this.said.replaceChildren(...findingOf(shorten(query), names, open, now, was).map(part));
    const most = largestAt(now);
    const drawn = barsOf(now, was);
    this.node.style.setProperty("--bars", drawn.length);
    this.bars.forEach(({ bar, ghost, amount, node }, j) => {
      node.hidden = !drawn.includes(j);
      node.classList.toggle("blocked", !open[j]);
      node.classList.toggle("most", j === most && now[j] > 0);
      bar.style.width = `${100 * now[j]}%`;
      ghost.hidden = !was || was[j] < 0.005;
      if (was) ghost.style.width = `${100 * was[j]}%`;
      amount.textContent = open[j] ? brief(now[j]) : "exactly 0";
      this.whole[j].style.flexGrow = now[j];
      this.whole[j].classList.toggle("thin", now[j] < 0.03); // no line around it: it would be all that is seen
    });
    const left = now.map((_, j) => j).filter((j) => !drawn.includes(j));
    const rest = left.filter((j) => open[j]);
    const closed = left.filter((j) => !open[j]);
    const hasBar = drawn.some((j) => !open[j]);
    this.line(this.others, rest.length, `the other ${rest.length}`, brief(sumOf(rest.map((j) => now[j]))));
    this.line(this.shut, closed.length, shutSaid(closed, was, hasBar), "exactly 0");
    this.total.textContent = brief(sumOf(now));
  }

  /** A line for words without a bar; none where there are none. */
  line({ node, name, amount }, count, text, share) {
    node.hidden = !count;
    write(name, text);
    write(amount, share);
  }
}
