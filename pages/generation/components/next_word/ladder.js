// What may come next, as rungs of a ladder: the model's own probability, that of the draw, and how often it was drawn.

import { el } from "../../../../attention_view/lab.js";
import { ordinal, REASON, share } from "./sampling.js";

const SHOWN = 7;
const LARGE = 0.002; // a smaller share is a rung only among the first five
const [SMALL, MORE] = [17, 36]; // pixels of a word of no share, and how many more one that is sure has

/** Pixels of a word: it is as large as it is likely. */
const size = (p) => SMALL + MORE * Math.sqrt(p);

export class Ladder {
  constructor(story) {
    this.story = story;
    this.all = false;
    this.bars = el("ol.bars", { "aria-label": "What may come next" });
    const onclick = () => {
      this.all = !this.all;
      story.draw();
    };
    this.more = el("button.more", { onclick });
    this.node = el("section.ladder.from-left", this.bars, this.more);
  }

  /** dist: of the next word; counts: how many of the numbers that fell lie on each word */
  paint(dist, counts) {
    const { order, probs, final } = dist;
    const { data } = this.story;
    const shown = this.all ? order : this.first(dist);
    const look = {
      scale: Math.max(...shown.map((id) => Math.max(probs[id], final[id]))),
      differs: order.some((id) => Math.abs(probs[id] - final[id]) > 1e-9),
      ranked: shown.filter((id, n) => order[n] === id), // the others stand further down, and say where
      tried: new Set(this.story.branches.after(data.at).map((at) => data.nodes[at][1])),
    };
    this.bars.classList.toggle("differs", look.differs);
    this.bars.classList.toggle("counted", counts.size > 0);
    this.bars.replaceChildren(...shown.map((id) => this.rung(id, dist, counts, look)));
    const widest = Math.max(...shown.map((id) => 0.55 * this.story.label(id).length * size(dist.final[id]) + 16));
    this.story.root.style.setProperty("--word", `${Math.min(230, Math.max(96, widest)).toFixed(0)}px`);
    this.sayMore(
      dist,
      order.filter((id) => !shown.includes(id)),
    );
    this.story.root.dataset.bars = dist.left.filter((id) => shown.includes(id)).length;
  }

  /** The likeliest, and the one with which the beginning goes on. */
  first({ order, final }) {
    const shown = order.slice(0, SHOWN).filter((id, n) => n < 5 || final[id] >= LARGE);
    const next = this.story.data.later[0];
    return next === undefined || shown.includes(next) || !order.includes(next) ? shown : [...shown, next];
  }

  rung(id, { probs, final, removed, order }, counts, { scale, differs, tried, ranked }) {
    const { data, over, luck } = this.story;
    const [gone, count, label] = [removed.get(id), counts.get(id) ?? 0, this.story.label(id)];
    const n = luck.fallen.length;
    const along = (p) => `${((100 * p) / scale).toFixed(2)}%`;
    const bar = (p, kind) => el("i", { class: kind, style: `width:${along(p)}` });
    const fate = gone ? `taken out by ${REASON[gone]}` : `${share(final[id])} in the draw`;
    const drawn = counts.size ? `, drawn ${count} of ${n} times` : "";
    const tick = counts.size && !gone ? el("i.tick", { style: `left:${along(count / n)}` }) : null;
    const props = {
      "data-id": id,
      disabled: over || data.full,
      onclick: () => this.story.pick(id),
      title: `${share(probs[id])} by the model, ${fate}${drawn}`,
    };
    const button = el(
      "button",
      props,
      el(
        "b",
        { style: `font-size:${size(final[id]).toFixed(1)}px` },
        label,
        ranked.includes(id) ? "" : el("small", ` ${ordinal(order.indexOf(id) + 1)}`),
      ),
      el("span.bar", bar(probs[id], "before"), bar(final[id], "after"), tick),
      el("span.n", gone ? el("em", REASON[gone]) : share(final[id])),
      el("span.n.own", differs ? share(probs[id]) : ""),
      el("span.n.times", counts.size ? `${count}×` : ""),
    );
    return el("li", { class: [gone && "gone", tried.has(id) && "tried"].filter(Boolean).join(" ") }, button);
  }

  /** What is not shown, on the button that shows it. */
  sayMore({ order, final, rest }, hidden) {
    const n = hidden.length + (rest?.n ?? 0);
    const sum = hidden.reduce((total, id) => total + final[id], rest?.final ?? 0);
    const others = `The other ${n.toLocaleString("en")} together: ${share(sum)}. `;
    const more = rest?.n ? `Show the ${order.length} likeliest` : "Show them";
    this.more.hidden = order.length <= SHOWN;
    this.more.textContent = (n ? others : "") + (this.all ? `Show the ${SHOWN} likeliest` : more);
  }
}
