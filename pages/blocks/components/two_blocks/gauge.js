// The loss of a training as a level in a glass, from 0. Hatched is where 2017's own trainings ended: within, nobody can
// tell a difference. Levels of parts that were tried stay as marks.

import { el, put, write } from "../../../../attention_view/lab.js";

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

/** What a part that was tried did: "lowers", "raises", "chance", or why it has no loss. */
export function verdictOf({ losses, clear, change }) {
  if (missing(losses)) return missing(losses);
  return clear ? (change.startsWith("−") ? "lowers" : "raises") : "chance";
}

const SCORES = {
  lowers: (n) => `${n} ${n > 1 ? "lower" : "lowers"} the loss`,
  raises: (n) => `${n} ${n > 1 ? "raise" : "raises"} the loss`,
  chance: (n) => `${n} no more than chance`,
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

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const percentOf = (share) => `${(100 * share).toFixed(2)}%`;

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
  show({ of_2017: seeds, largest, stops }, stop, tried) {
    const at = scaleOf(largest);
    const losses = stop ? stop.losses : seeds;
    const [base, now] = [mean(seeds), losses?.length ? mean(losses) : null];
    this.level.style.height = percentOf(now === null ? 0 : at(now));
    this.reading.style.top = percentOf(1 - (now === null ? MIDDLE : at(now)));
    write(this.number, now === null ? missing(losses) : now.toFixed(3));
    write(this.who, stop ? stop.called : "2017");
    this.glass.classList.toggle("empty", now === null);
    const isClear = Boolean(stop?.clear) && now !== null;
    const [low, high] = isClear ? [Math.min(base, now), Math.max(base, now)] : [base, base];
    Object.assign(this.saved.style, { bottom: percentOf(at(low)), height: percentOf(at(high) - at(low)) });
    write(this.saved.firstChild, isClear ? `${now > base ? "↑" : "↓"} ${stop.change}` : "");
    const [least, most] = [Math.min(...seeds), Math.max(...seeds)];
    Object.assign(this.zone.style, { bottom: percentOf(at(least)), height: percentOf(at(most) - at(least)) });
    this.base.style.bottom = percentOf(at(base));
    const dot = (loss, n) => {
      const node = el("i.dot");
      Object.assign(node.style, { bottom: percentOf(at(loss)), left: `${(100 * (n + 0.5)) / losses.length}%` });
      return node;
    };
    this.dots.replaceChildren(...(losses ?? []).map(dot));
    const mark = (loss) => {
      const node = el("i", String(loss));
      node.style.bottom = percentOf(at(loss));
      return node;
    };
    this.marks.replaceChildren(...marksTo(largest).map(mark));
    this.tell(at, stops, tried);
    const zone = `2017’s runs from ${least.toFixed(3)} to ${most.toFixed(3)}`;
    put(this.glass, { "aria-label": `Loss of ${stop ? stop.called : "2017"}: ${spoken(stop ?? { losses }, seeds)}. ${zone}.` });
  }

  /** What was tried so far. */
  tell(at, stops, tried) {
    const clear = tried.filter((stop) => stop.clear && stop.losses?.length);
    const tick = (stop) => {
      const node = el("i");
      node.style.bottom = percentOf(at(mean(stop.losses)));
      return node;
    };
    this.ticks.replaceChildren(...tried.filter(({ losses }) => losses?.length).map(tick));
    const label = (stop) => {
      const node = el("p", el("b", capital(stop.called)), ` ${mean(stop.losses).toFixed(3)}`);
      node.style.bottom = percentOf(at(mean(stop.losses)));
      return node;
    };
    this.told.replaceChildren(...clear.map(label));
    const [name, words, list] = this.zoneSaid.children;
    write(name, "2017’s own runs end in this zone.");
    write(words, " Within it, nobody can tell a difference.");
    const chance = tried.filter((stop) => verdictOf(stop) === "chance").map(({ title }) => title.toLowerCase());
    write(list, chance.length ? `No more than chance: ${chance.join(", ")}` : "");
    write(this.score, scoreOf(tried, stops.length - 1));
  }
}
