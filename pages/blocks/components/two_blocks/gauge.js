// The loss of a training as a level in a glass, from 0. Hatched is what lies too close to 2017's level to be told from
// it: so far runs of one block spread. Levels of parts that were tried stay as marks.

import { capital, el, put, write } from "../../../../attention_view/lab.js";

const ROOM = 1.03; // of the largest loss, in the glass
const MIDDLE = 0.5; // where it is said that there is no level
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

export const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Where a loss stands, as a share of the glass's height, which begins at 0. */
export const scaleOf = (largest) => (loss) => Math.min(1, Math.max(0, loss / (largest * ROOM)));

/** The round numbers from 0 to a largest at which the glass is marked, at most seven of them. */
export function marksTo(largest) {
  const step = STEPS.find((one) => largest / one <= 6) ?? largest / 5;
  return Array.from({ length: Math.floor(largest / step + 1e-9) + 1 }, (_, n) => Number((n * step).toFixed(4)));
}

/** Why there is no level: the trainings diverged, or there were none; "" where there is one. */
export const missing = (losses) => (losses?.length ? "" : losses ? "diverged" : "not trained");

/** The level in words, for who cannot see it; that of 2017 has no change. */
export function spoken({ losses, change }, seeds) {
  if (missing(losses)) return missing(losses);
  const runs = losses.map((x) => x.toFixed(3)).join(", ");
  const than = change ? ` instead of ${mean(seeds).toFixed(3)}, ${change}` : "";
  return `mean loss ${mean(losses).toFixed(3)}${than}; runs ${runs}`;
}

/** From where to where a mean is too close to that of 2017's runs: the verdict on a stop is by this zone. */
export const zoneOf = (seeds, margin) => [mean(seeds) - margin, mean(seeds) + margin];

/** What a part that was tried did: "lowers", "raises", "close", or why it has no loss. */
export function verdictOf({ losses, clear, change }) {
  if (missing(losses)) return missing(losses);
  return clear ? (change.startsWith("−") ? "lowers" : "raises") : "close";
}

const SCORES = {
  lowers: (n) => `${n} ${n > 1 ? "lower" : "lowers"} the loss`,
  raises: (n) => `${n} ${n > 1 ? "raise" : "raises"} the loss`,
  close: (n) => `${n} too close to tell`,
  diverged: (n) => `${n} diverged`,
  "not trained": (n) => `${n} not trained`,
};

/** What the parts that were tried alone came to, of so many, and what all together did. */
export function scoreOf(stops, n) {
  const tried = stops.filter(({ name }) => name !== "all");
  const whole = stops.find(({ name, change }) => name === "all" && change);
  const counts = Object.entries(SCORES).map(([name, words]) => [
    tried.filter((stop) => verdictOf(stop) === name).length,
    words,
  ]);
  const told = counts.flatMap(([count, words]) => (count ? [words(count)] : []));
  const alone = [`${tried.length} of ${n} tried`, told.join(", ")].filter(Boolean).join(": ");
  return whole ? `${alone}; all at once: ${whole.change}` : alone;
}

const APART = 2; // pixels between two labels

/** Where labels begin, in pixels from above, so that none lies on another: {zone, others}. That of the zone is at its
 * height, and others give way to it, to the side on which their levels are. Each is {middle, tall}; room: how tall all
 * may be */
export function apart(zone, others, room) {
  const isAbove = ({ middle }) => middle < zone.middle;
  const needed = others.filter(isAbove).reduce((sum, { tall }) => sum + tall + APART, 0);
  const begins = Math.max(needed, Math.min(room - zone.tall, zone.middle - zone.tall / 2));
  let [high, low] = [begins, begins + zone.tall];
  const tops = new Map();
  const order = [...others].sort((a, b) => a.middle - b.middle);
  for (const one of order.filter(isAbove).reverse()) {
    high = Math.min(one.middle - one.tall / 2, high - APART - one.tall);
    tops.set(one, high);
  }
  for (const one of order.filter((other) => !isAbove(other))) {
    tops.set(one, Math.max(one.middle - one.tall / 2, low + APART));
    low = tops.get(one) + one.tall;
  }
  return { zone: begins, others: others.map((one) => tops.get(one)) };
}

const percentOf = (share) => `${(100 * share).toFixed(2)}%`;

/** An element at this height of the glass, and at this share of its width. */
function standing(node, height, across) {
  node.style.bottom = percentOf(height);
  if (across !== undefined) node.style.left = percentOf(across);
  return node;
}

export class Gauge {
  constructor() {
    this.marks = el("span.marks");
    this.number = el("b.number");
    this.who = el("small.who");
    this.reading = el("span.reading", this.number, this.who);
    this.level = el("span.level");
    this.saved = el("span.saved", el("b"));
    this.zone = el("i.zone");
    this.base = el("i.base");
    this.dots = el("span.dots");
    this.ticks = el("span.ticks");
    const inside = [this.level, this.saved, this.zone, this.base, this.ticks, this.dots, this.reading];
    this.glass = el("div.glass", { role: "img" }, ...inside, this.marks);
    this.zoneSaid = el("p.zone-said", el("b"), el("span"), el("small"));
    this.told = el("div.told");
    this.more = el("div.more");
    this.side = el("div.side", this.zoneSaid, this.told, this.more);
    this.meaning = el("p.meaning", el("b", "Loss: how surprised the model is by each next word. Less is better."));
    this.score = el("p.score");
    this.node = el("section.gauge", this.glass, this.side, this.meaning, this.score);
  }

  /** stop: what is swapped, none for the layer of 2017;  tried: stops that were, "all" among them or not */
  show({ of_2017: seeds, margin, largest, stops }, stop, tried) {
    const at = scaleOf(largest);
    const losses = stop ? stop.losses : seeds;
    const now = losses?.length ? mean(losses) : null;
    this.fill(at, now, stop);
    this.change(at, mean(seeds), stop?.clear && now !== null ? now : mean(seeds), stop?.change);
    this.close(at, seeds, stop?.margin ?? margin);
    this.runs(at, losses ?? []);
    this.marks.replaceChildren(...marksTo(largest).map((mark) => standing(el("i", String(mark)), at(mark))));
    this.tell(at, stops, tried, seeds.length);
    const [least, most] = [Math.min(...seeds), Math.max(...seeds)].map((loss) => loss.toFixed(3));
    const said = `Loss of ${stop ? stop.called : "2017"}: ${spoken(stop ?? { losses }, seeds)}`;
    put(this.glass, { "aria-label": `${said}. 2017’s runs from ${least} to ${most}.` });
    this.zoneAt = at(mean(seeds));
    this.size();
  }

  /** Each label beside its level, the zone's beside the zone. */
  size() {
    const room = this.side.clientHeight;
    if (!room || !this.labels) return;
    const sized = (node, level) => ({ middle: room * (1 - level), tall: node.offsetHeight });
    const others = this.labels.map(({ node, level }) => sized(node, level));
    const tops = apart(sized(this.zoneSaid, this.zoneAt), others, room);
    this.zoneSaid.style.top = `${tops.zone}px`;
    for (const [n, { node }] of this.labels.entries()) node.style.top = `${tops.others[n]}px`;
  }

  /** The level, or why there is none. */
  fill(at, now, stop) {
    const isEmpty = now === null;
    this.level.style.height = percentOf(isEmpty ? 0 : at(now));
    this.reading.style.top = percentOf(1 - (isEmpty ? MIDDLE : at(now)));
    write(this.number, isEmpty ? missing(stop.losses) : now.toFixed(3));
    write(this.who, stop ? stop.called : "2017");
    this.glass.classList.toggle("empty", isEmpty);
  }

  /** A dot per run; each goes where its loss is. */
  runs(at, losses) {
    const { dots } = this;
    if (dots.childElementCount !== losses.length) dots.replaceChildren(...losses.map(() => el("i.dot")));
    for (const [n, loss] of losses.entries()) standing(dots.children[n], at(loss), (n + 0.5) / losses.length);
  }

  /** By what share the level is another than that of 2017, between both. */
  change(at, base, now, share) {
    const [low, high] = [Math.min(base, now), Math.max(base, now)].map(at);
    Object.assign(this.saved.style, { bottom: percentOf(low), height: percentOf(high - low) });
    write(this.saved.firstChild, now === base ? "" : `${now > base ? "↑" : "↓"} ${share}`);
    this.glass.classList.toggle("rises", now > base);
  }

  /** What cannot be told from the level of 2017. */
  close(at, seeds, margin) {
    const [low, high] = zoneOf(seeds, margin).map(at);
    Object.assign(this.zone.style, { bottom: percentOf(low), height: percentOf(high - low) });
    standing(this.base, at(mean(seeds)));
  }

  /** What was tried so far. */
  tell(at, stops, tried, n) {
    const clear = tried.filter((stop) => ["lowers", "raises"].includes(verdictOf(stop)));
    const level = ({ losses }) => at(mean(losses));
    const trained = tried.filter(({ losses }) => losses?.length);
    this.ticks.replaceChildren(...trained.map((stop) => standing(el("i"), level(stop))));
    const label = (stop) => el("p", el("b", capital(stop.called)), ` ${mean(stop.losses).toFixed(3)}`);
    this.labels = clear.map((stop) => ({ node: label(stop), level: level(stop) }));
    this.told.replaceChildren(...this.labels.map(({ node }) => node));
    const [name, words, list] = this.zoneSaid.children;
    write(name, "Hatched: too close to 2017 to tell.");
    write(words, ` ${n} runs of one layer spread this far.`);
    const close = tried.filter((stop) => verdictOf(stop) === "close").map(({ title }) => title.toLowerCase());
    write(list, close.length ? `Too close to tell: ${close.join(", ")}` : "");
    write(this.score, scoreOf(tried, stops.length - 1));
  }
}
