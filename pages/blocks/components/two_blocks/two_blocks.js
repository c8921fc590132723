// Two tracks: above the parts of a block of 2017, below those of one of today. The stream runs through the parts in
// use; a part that is pressed is exchanged, and the loss and the costs of the block on the track follow.

import { el, mount, put, rewrite, still, svg, windowHeight, write } from "../../../../attention_view/lab.js";
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
const NEAR = 0.09; // to an end of the axis: so far a number in its middle keeps away
const offEnds = (x) => Math.min(1 - NEAR, Math.max(NEAR, x));
const inPercent = (share) => `${(100 * share).toFixed(1)}%`;

/** Losses as dots on an axis, a dot per seed: those of 2017 below it, those of the block on the track on it. */
class Axis {
  constructor() {
    this.value = el("b");
    this.first = el("small.first");
    this.before = el("span");
    this.band = el("i.band");
    this.dots = el("span.dots");
    this.node = el("div.axis", this.value, el("span.line", this.band, this.before, this.dots), this.first);
    this.node.append(el("small.better", "← lower is better"));
  }

  paint({ losses, alone, seeds }, at) {
    const [low, high] = [Math.min(...seeds), Math.max(...seeds)].map(at);
    put(this.band, { style: `left:${inPercent(low)};width:${inPercent(high - low)}` });
    const dot = (loss, kind) => ({ class: `dot ${kind}`, style: `left:${inPercent(at(loss))}` });
    this.before.replaceChildren(...seeds.map((loss) => el("i", dot(loss, "was"))));
    const all = losses ? losses.map((loss) => [loss, ""]) : alone.map((loss) => [loss, "faint"]);
    const have = [...this.dots.children];
    while (have.length < all.length) have.push(this.dots.appendChild(el("i")));
    for (const spare of have.splice(all.length)) spare.remove();
    all.forEach(([loss, kind], n) => put(have[n], dot(loss, kind)));
    write(this.value, losses?.length ? mean(losses).toFixed(3) : losses ? "diverged" : "not trained");
    write(this.first, `2017: ${mean(seeds).toFixed(3)}`);
    this.value.classList.toggle("words", !losses?.length);
    this.value.style.left = losses?.length ? inPercent(offEnds(at(mean(losses)))) : "0";
    this.first.style.left = inPercent(offEnds(at(mean(seeds))));
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
    column.says = el("span.alone");
    column.append(column.says);
    return column;
  }

  paintColumn(column, { ways, is_on: isOn, costs, loss, is_clear: isClear }) {
    const said = costs.map((cost, n) => [COSTS[n], cost]).filter(([, cost]) => cost !== "0");
    const cost = said.map((pair) => pair.join(" ")).join(", ") || "costs nothing";
    put(column, {
      "aria-checked": String(isOn),
      "aria-label": `${ways[1]} instead of ${ways[0]}. Alone: loss ${loss}, ${cost}`,
      title: `Alone: loss ${loss}, ${cost}`,
    });
    rewrite(column.says, "alone: ", isClear ? el("b", `loss ${loss}`) : "no clear change");
  }

  // ---- what the block on the track comes to -------------------------------------------------------------------

  furnish() {
    const loss = { where: el("small"), axis: new Axis() };
    const costs = { where: el("small") };
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
    const head = (question, where) => el("div.head", question, where);
    this.result.replaceChildren(
      el("div.loss", head(el("h2", "Does the loss fall?"), loss.where), loss.axis.node),
      el("div.costs", head(el("h2", "What does it cost?"), costs.where), ...effects.map(({ node }) => node)),
    );
    return { loss, costs, effects };
  }

  paintResult() {
    const { seeds, losses, effects, cards, trained_width: trained, counted_width: counted } = this.data;
    const { gauges } = this;
    const alone = cards.filter((card) => card.is_on).flatMap((card) => card.losses);
    write(
      gauges.loss.where,
      losses ? `trained ${trained} wide, a dot for each of ${seeds.length} seeds` : "dots: each of its changes alone",
    );
    gauges.loss.axis.paint({ losses, alone, seeds }, this.at);
    write(gauges.costs.where, `counted in one block ${counted} wide; grey: 2017`);
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
    const height = Math.max(300, Math.min(620, windowHeight(this.root) - 330));
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
