// Two tracks: above the parts of a block of 2017, below those of one of today. The stream runs through the parts in
// use; a part that is pressed is exchanged, and the loss and the costs of the block on the track follow.

import { el, mount, put, still, svg, windowHeight, write } from "../../../../attention_view/lab.js";
import { drawing } from "./drawings.js";

const COSTS = ["parameters", "multiplications", "cache"];
const ENDS = ["2017", "today"];
const SWITCHING = 200; // ms

/** Where a loss stands between the lowest and the highest, from 0 to 1. */
export function scaleOf([low, high]) {
  return (loss) => (high > low ? Math.min(1, Math.max(0, (loss - low) / (high - low))) : 0.5);
}

/** The way of the stream through places [{ left, right, y }], from the height at which it begins. */
export function trackOf(places, from, end) {
  let [x, y] = [0, from];
  let d = `M0 ${from}`;
  for (const { left, right, y: to } of [...places, { left: end, right: end, y: from }]) {
    const half = (x + left) / 2;
    d += y === to ? `H${left}` : `C${half} ${y} ${half} ${to} ${left} ${to}`;
    d += `H${right}`;
    [x, y] = [right, to];
  }
  return d;
}

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
const inPercent = (share) => `${(100 * share).toFixed(1)}%`;

/** Losses as dots on a line, and how far those of 2017 lie apart as a band. */
class Dots {
  constructor(kind) {
    this.band = el("i.band");
    this.node = el(`span.strip.${kind}`, this.band);
  }

  paint(groups, seeds, at) {
    const [low, high] = [Math.min(...seeds), Math.max(...seeds)].map(at);
    put(this.band, { style: `left:${inPercent(low)};width:${inPercent(high - low)}` });
    const all = groups.flatMap(({ losses, kind }) => losses.map((loss) => [at(loss), kind]));
    const have = [...this.node.querySelectorAll(".dot")];
    while (have.length < all.length) have.push(this.node.appendChild(el("i.dot")));
    for (const spare of have.splice(all.length)) spare.remove();
    all.forEach(([x, kind], n) => put(have[n], { class: `dot ${kind}`, style: `left:${inPercent(x)}` }));
  }
}

class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.track = svg("path");
    this.rail = svg("svg.rail", { "aria-hidden": "true" }, svg("g"), this.track);
    this.ends = ENDS.map((name, n) =>
      el(`button.end.${n ? "below" : "above"}`, { onclick: () => this.flip(name) }, name),
    );
    this.columns = el("div.columns");
    this.result = el("section.result", { "aria-live": "polite", "aria-label": "The block on the track" });
    root.replaceChildren(el("div.tracks", this.rail, ...this.ends, this.columns), this.result);
    this.resized = () => this.data && this.size();
  }

  update(data, { setTriggerValue }) {
    this.flip = (name) => setTriggerValue("flip", name);
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = data;
    const made = JSON.stringify(data.cards.map(({ name, kinds }) => [name, kinds]));
    if (made !== this.made) {
      this.made = made;
      const { activeElement } = this.root.getRootNode();
      const held = this.columns.contains(activeElement) ? activeElement.dataset.name : null;
      this.columns.replaceChildren(...data.cards.map((card) => this.column(card)));
      this.columns.style.setProperty("--n", data.cards.length);
      this.heights = null;
      if (held) this.columns.querySelector(`[data-name="${CSS.escape(held)}"]`)?.focus();
    }
    this.gauges ??= this.furnish();
    this.at = scaleOf(data.range);
    data.cards.forEach((card, n) => this.paintColumn(this.columns.children[n], card));
    const ons = data.cards.map((card) => card.is_on);
    put(this.ends[0], { "aria-pressed": String(!ons.includes(true)) });
    put(this.ends[1], { "aria-pressed": String(!ons.includes(false)) });
    this.paintResult();
    this.size();
    this.root.dataset.painted = "true";
  }

  // ---- the parts ----------------------------------------------------------------------------------------------

  column({ name, title, ways, notes, kinds }) {
    const piece = (n) =>
      el(`span.piece.${n ? "new" : "old"}`, el("b", ways[n]), drawing(kinds[n]), el("small", notes[n]));
    const column = el(
      "button.column",
      { role: "switch", "data-name": name, onclick: () => this.flip(name) },
      el("span.title", title),
      piece(0),
      piece(1),
    );
    column.dots = new Dots("small");
    column.says = el("small");
    column.append(el("span.alone", column.dots.node, column.says));
    return column;
  }

  paintColumn(column, { ways, is_on: isOn, costs, losses, loss }) {
    const said = costs.map((cost, n) => [COSTS[n], cost]).filter(([, cost]) => cost !== "0");
    const cost = said.map((pair) => pair.join(" ")).join(", ") || "costs nothing";
    put(column, {
      "aria-checked": String(isOn),
      "aria-label": `${ways[1]} instead of ${ways[0]}. Alone: loss ${loss}, ${cost}`,
      title: `Alone: loss ${loss}, ${cost}`,
    });
    column.dots.paint([{ losses, kind: "" }], this.data.seeds, this.at);
    write(column.says, `alone: loss ${loss}`);
  }

  // ---- what the block on the track comes to -------------------------------------------------------------------

  furnish() {
    const dots = new Dots("large");
    const [title, value, note] = [el("span.what"), el("b"), el("small")];
    const loss = el("div.gauge.loss", title, value, note, dots.node);
    const effects = this.data.effects.map(({ name }) => {
      const gauge = { value: el("b"), growth: el("small"), old: el("i.was"), new: el("i.is") };
      gauge.node = el(
        "div.gauge",
        el("span.what", name),
        gauge.value,
        gauge.growth,
        el("span.bars", gauge.old, gauge.new),
      );
      return gauge;
    });
    this.result.replaceChildren(loss, ...effects.map(({ node }) => node));
    return { dots, title, value, note, effects };
  }

  paintResult() {
    const { seeds, losses, effects, cards, title, trained_width: wide } = this.data;
    const { gauges } = this;
    const was = mean(seeds).toFixed(3);
    const isTrained = losses?.length > 0;
    write(
      gauges.title,
      `loss of ${title === "2017 again" ? "2017’s block" : `${title}${title === "today" ? "’s block" : ""}`}`,
    );
    write(gauges.value, isTrained ? mean(losses).toFixed(3) : losses ? "diverged" : "not trained");
    write(gauges.note, losses ? `2017: ${was}, grey; trained ${wide} wide` : "dots: each of its changes alone");
    const alone = cards.filter((card) => card.is_on).map((card) => ({ losses: card.losses, kind: "faint" }));
    gauges.dots.paint(losses ? [{ losses, kind: "" }] : alone, seeds, this.at);
    effects.forEach((effect, n) => {
      const gauge = gauges.effects[n];
      const most = Math.max(effect.old, effect.new);
      write(gauge.value, `${effect.new.toLocaleString("en")}${effect.unit}`);
      write(gauge.growth, effect.growth);
      gauge.old.style.width = inPercent(effect.old / most);
      gauge.new.style.width = inPercent(effect.new / most);
    });
  }

  // ---- the track ----------------------------------------------------------------------------------------------

  size() {
    const height = Math.max(318, Math.min(620, windowHeight(this.root) - 300));
    this.root.style.setProperty("--tall", `${height}px`);
    const origin = this.rail.getBoundingClientRect();
    const zoom = this.rail.currentCSSZoom ?? 1;
    const middle = (node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      const across = (x) => (x - origin.left) / zoom;
      return { left: across(left), right: across(right), y: ((top + bottom) / 2 - origin.top) / zoom };
    };
    this.places = [...this.columns.children].map((column) =>
      ["old", "new"].map((kind) => middle(column.querySelector(`.${kind}`))),
    );
    this.wide = origin.width / zoom;
    this.run();
  }

  /** Leads the stream to the parts in use, within a moment. */
  run() {
    const targets = this.data.cards.map((card, n) => this.places[n][Number(card.is_on)].y);
    const from = this.heights?.length === targets.length ? this.heights : targets;
    cancelAnimationFrame(this.frame);
    if (still() || String(from) === String(targets)) return this.lay(targets);
    const start = performance.now();
    const tick = (now) => {
      const share = Math.min(1, Math.max(0, now - start) / SWITCHING);
      const eased = share * share * (3 - 2 * share);
      this.lay(targets.map((to, n) => from[n] + (to - from[n]) * eased));
      if (share < 1) this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  lay(heights) {
    this.heights = heights;
    if (!this.places.length) return;
    const middle = (this.places[0][0].y + this.places[0][1].y) / 2;
    const through = (at) => this.places.map((both, n) => ({ ...both[0], y: at(both, n) }));
    put(this.track, {
      d: trackOf(
        through((_, n) => heights[n]),
        middle,
        this.wide,
      ),
    });
    const rails = [0, 1].map((way) =>
      svg("path", {
        d: trackOf(
          through((both) => both[way].y),
          middle,
          this.wide,
        ),
      }),
    );
    this.rail.firstChild.replaceChildren(...rails);
  }

  destroy() {
    cancelAnimationFrame(this.frame);
  }
}

export default mount(".two-blocks", TwoBlocks);
