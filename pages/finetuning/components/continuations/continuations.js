// Trainings of one model (see plane.js), one after the other: a hand pulls a dot towards the best corner, where all is
// learned and nothing lost. Below the dot stands how that model goes on with a dialogue, and what it says in an old
// story: a fact that it has right is bold, what it says in place of one is struck.

import {
  asShare,
  capital,
  counted,
  el,
  mirror,
  mount,
  param,
  put,
  rewrite,
  still,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { choice, firstBeat, slider, tween } from "../../../../attention_view/controls.js";
import { Passage, around, endOf, firstOf, judged, lostFact, written } from "./passage.js";
import { Plane, heard } from "./plane.js";

const TIE = 0.02; // shares that are nearer than that are not told apart
const PAUSE = 300; // milliseconds from one measured step to the next
const [BEAT, NUDGE] = [2000, 3]; // when the page opens: the dot is pulled so many steps and let go

const ALL = "all weights";
const TRAINING = new Map([
  [ALL, "training all weights"],
  ["last layer", "training the last layer"],
  ["output only", "training the output only"],
]);
const WITH = new Map([
  ["last layer", "the last layer"],
  ["output only", "the output"],
]);
/** A model after so many steps, in pieces of a sentence; those at odd places are set off.
 *
 * before  what it kept at first
 * all     what training all weights has kept as long, null for that itself, and before the end */
export function told(step, way, learned, kept, before, all = null) {
  const [then, now] = [asShare(before), asShare(kept)];
  const gets = [`Step ${step}: `, TRAINING.get(way) ?? way, " gets ", asShare(learned)];
  if (all !== null && before > Math.max(kept, all)) return beside(step, way, learned, kept, all);
  if (then === now) return [...gets, " in new dialogues, and old stories stay at ", now, "."];
  const but = learned > 0.5 && before - kept > 0.1 ? "but" : "and";
  const move = kept < before ? "fall" : "rise";
  return [...gets, ` in new dialogues, ${but} old stories ${move} from `, then, " to ", now, "."];
}

/** A runner that forgets, beside training all weights. */
function beside(step, way, learned, kept, all) {
  const isTie = Math.abs(kept - all) < TIE;
  const isMore = kept < all;
  const but = !isTie && isMore === learned > 0.5 ? "but" : "and";
  const amount = isTie ? "about as much" : isMore ? "more" : "less";
  const gets = [`Step ${step}: `, WITH.get(way) ?? way, " gets ", asShare(learned), ` in dialogues ${but} forgets `];
  return [...gets, amount, ": stories fall to ", asShare(kept), ` (all weights: ${asShare(all)}).`];
}

/** What the hand is asked to do before a training. share: of all parameters, that are trained; most: the same of the
 * largest training that was seen before, 0 for none. */
export function asked(way, share, most) {
  if (!most) return ["", "Pull the storyteller into the best corner", ": all dialogues learned, no story lost."];
  const name = capital(WITH.has(way) ? `${WITH.get(way)} alone` : way);
  const trains = `: ${asShare(share)} of the parameters.`;
  return share < most ? ["", name, `${trains} `, "Does it lose less?", " Pull it."] : ["", name, `${trains} Pull it.`];
}

/** Which way ended nearest to the corner of the plane, and what it has lost. ends: [way, learned, before, kept] */
export function verdict(ends) {
  const far = ([, learned, , kept]) => Math.hypot(1 - learned, 1 - kept);
  const [way, , before, kept] = ends.reduce((best, one) => (far(one) < far(best) ? one : best));
  const lost = Math.round(100 * before) - Math.round(100 * kept);
  const name = capital(WITH.get(way) ?? way);
  const but = lost > 0 ? "but even that" : "and";
  const price = [counted(Math.max(0, lost), "point"), " of its stories."];
  return [way, ["", name, ` came nearest to the corner, ${but} forgot `, ...price]];
}

class Continuations {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.steps && this.put(put));
    this.act = el("button.primary", { onclick: () => this.toggle() });
    this.finding = el("h2.finding");
    this.slider = slider("Step of the training", { class: "unseen" }, (at) => this.go(at));
    this.ways = choice("div.ways", "What is trained", (way) => this.choose(way));
    this.talk = new Passage("New dialogue");
    this.story = new Passage("Old story");
    const said = el("div.said", this.talk.node, this.story.node);
    this.plane = new Plane(this.slider, said, this);
    root.replaceChildren(
      el("div.headline", this.finding, this.act),
      this.plane.node,
      el("div.trained", "Parameters trained:", this.ways.node),
    );
  }

  destroy() {
    this.stop();
  }

  resized() {
    this.plane.room = null;
    if (this.steps) this.show();
  }

  update(data) {
    this.stop();
    const { race, talk, trained, typical } = data;
    const before = this.data;
    Object.assign(this, { data, steps: talk.steps, last: talk.steps.length - 1 });
    this.opens = talk.is_usual ? 0 : this.last; // what is written after a beginning of one's own, at the end
    this.slider.max = String(this.last);
    this.usual = race.ways.some(({ way }) => way === ALL) ? ALL : race.ways[0].way;
    this.order = race.ways.map(({ way }) => way).sort((a, b) => trained[b][0] - trained[a][0]);
    const part = (way) => `${way} ${asShare(trained[way][0] / trained[way][1])}`;
    this.ways.offer(this.order.map((way) => [way, part(way)]));
    const places = this.steps.map((step) => race.steps.indexOf(step));
    const { text, ways } = typical;
    this.fact = lostFact(ways);
    this.sentence = around(text, this.fact);
    this.plane.take(race, places);
    if (!before) return this.open();
    if (talk.begins !== before.talk.begins || this.last !== before.talk.steps.length - 1) {
      this.all = {};
      this.far = {};
      return this.go(this.last);
    }
    this.show(Math.round(this.at));
  }

  /** For the first time: as a link has it, or else at the beginning. */
  open() {
    const way = param("fine_runner");
    this.way = this.order.includes(way) ? way : this.usual;
    const asked = this.steps.indexOf(wholeParam("fine_race_step"));
    this.all = {}; // how far each way is,
    this.far = {}; // and how far it has ever been: its trail stays
    if (asked >= 0) this.show(asked);
    else if (this.opens || !this.begin()) this.show(this.opens);
  }

  /** What is trained, and how far, in the address. */
  put(put) {
    put("fine_runner", this.way, this.usual);
    put("fine_race_step", this.steps[this.isBeat ? this.opens : Math.round(this.at)], this.steps[this.opens]);
    put("fine_read", null);
  }

  /** The first beat: the dot is pulled a little, and let go. */
  begin() {
    let stop;
    const begin = () => {
      this.root.dataset.beat = "pull";
      stop = tween(BEAT, (share) => this.show(NUDGE * Math.sin(Math.PI * share)));
    };
    const end = () => {
      stop();
      delete this.root.dataset.beat;
      this.far = {};
      this.show(0);
    };
    this.endBeat = firstBeat("finetuning", BEAT, begin, end);
    return this.endBeat;
  }

  // ---- the training goes on ---------------------------------------------------------------------------------------

  /** Whether the first beat is on: the dot moves by itself, and nothing is trained yet. */
  get isBeat() {
    return "beat" in this.root.dataset;
  }

  get at() {
    return this.all[this.way] ?? 0;
  }

  /** Those that have not been trained yet, the one with the fewest parameters last. */
  get untried() {
    return this.order.filter((way) => way !== this.way && !this.all[way]);
  }

  stop() {
    this.halt?.();
    this.halt = null;
  }

  toggle() {
    if (this.halt) return this.go(Math.round(this.at));
    if (this.at === this.last) return this.goOn();
    if (still()) return this.go(this.last);
    const from = this.at;
    const way = this.last - from;
    const step = (share) => (share < 1 ? this.show(from + share * way) : this.go(this.last));
    this.halt = tween(PAUSE * Math.max(6, way), step);
  }

  /** To the next that was not trained yet; from the last one, to the first, which begins again beside the others. */
  goOn() {
    const way = this.untried.at(-1);
    if (!way) this.all[this.usual] = 0;
    this.choose(way ?? this.usual);
  }

  go(at) {
    this.stop();
    this.show(at);
    this.link.later();
  }

  /** A dot is pulled along its way. */
  pull(way, at) {
    this.stop();
    this.way = way;
    this.show(at);
  }

  drop() {
    this.go(Math.round(this.at));
  }

  choose(way) {
    this.way = way;
    this.go(this.at);
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  /** at: which of the steps, or between two of them while it plays. */
  show(at = this.at) {
    const { race, talk, typical } = this.data;
    const { way } = this;
    this.all[way] = Math.min(this.last, Math.max(0, at));
    this.far[way] = Math.max(this.at, this.far[way] ?? 0);
    const n = Math.round(this.at);
    const step = this.steps[n];
    const now = race.steps.indexOf(step);
    const { learned, kept } = race.ways.find((one) => one.way === way);
    const [best, last] = this.order.every((one) => this.all[one] === this.last) ? this.ended() : [];
    put(this.root, { "data-step": step, "data-way": way });
    const { texts } = talk.ways.find((one) => one.way === way);
    this.talk.show(el("span.begins", { title: talk.begins }, endOf(talk.begins)), ...written(firstOf(texts[n])));
    this.story.show(...judged(this.sentence, typical.ways[way][now][this.fact]));
    this.plane.show({ way, at: this.all, far: this.far, n, best });
    this.ways.show(way);
    const pieces = last ?? this.found(this.isBeat ? 0 : now, learned[now], kept);
    rewrite(this.finding, ...pieces.map((piece, k) => (k % 2 ? el("b", piece) : el("span", piece))));
    this.slider.value = String(n);
    put(this.slider, { "aria-valuetext": `${way}, step ${step}: ${heard(learned[now], kept[now])}` });
    this.act.textContent = this.label();
  }

  /** What is asked before a training, or said of it. now: which of the measured steps. */
  found(now, learned, kept) {
    const { race, trained } = this.data;
    const { way } = this;
    const isCompared = way !== ALL && now === race.steps.length - 1;
    const whole = isCompared ? race.ways.find((one) => one.way === ALL).kept[now] : null;
    if (now) return told(race.steps[now], way, learned, kept[now], kept[0], whole);
    const share = (one) => trained[one][0] / trained[one][1];
    const seen = this.isBeat ? [] : Object.keys(this.far).filter((one) => this.far[one]);
    return asked(way, share(way), Math.max(0, ...seen.map(share)));
  }

  /** What is said once all have been trained to the end. */
  ended() {
    return verdict(this.data.race.ways.map(({ way, learned, kept }) => [way, learned.at(-1), kept[0], kept.at(-1)]));
  }

  label() {
    if (this.halt) return "❚❚ Pause";
    if (this.at < this.last) return "▶ Train";
    const next = this.untried.at(-1);
    return next ? `Now ${next}` : `${capital(this.usual)} again`;
  }
}

export default mount(".continuations", Continuations);
