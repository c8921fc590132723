// A race of five trainings on one plane (see plane.js): learning goes right, forgetting goes down. Before the training
// one bets on a model; then the dots move. Beside the plane stands what the one that is taken writes after a beginning,
// and below it an old story: a fact that it has right is bold, what it says in place of one is struck.

import { asShare, el, mirror, mount, param, put, rewrite, still, wholeParam } from "../../../../attention_view/lab.js";
import { firstBeat, slider, tween } from "../../../../attention_view/controls.js";
import { Passage, endOf, judged, written } from "./passage.js";
import { Plane } from "./plane.js";

const PAUSE = 300; // milliseconds from one measured step to the next
const [ONE, BEAT] = [0.4, 2000]; // when the page opens: one model is seen for this share of the beat, and then five

const [ALL, SCRATCH] = ["all weights", "from scratch"];
const TRAINING = new Map([
  [ALL, "Training all weights"],
  ["last layer", "Training the last layer"],
  ["output only", "Training the output only"],
  [SCRATCH, "Training from scratch"],
]);
const WITH = new Map([
  ["last layer", "The last layer"],
  ["output only", "The output"],
]);
/** A runner at a step, in pieces of a sentence; those at odd places are set off. before: what it kept at first; all:
 * what training all weights has kept, null for that itself. */
export function told(way, step, learned, kept, before, all = null) {
  const [then, now] = [asShare(before), asShare(kept)];
  if (!step)
    return [
      "Before training, ",
      way,
      " gets ",
      asShare(learned),
      " right in new dialogues and ",
      now,
      " in old stories.",
    ];
  const gets = ["", TRAINING.get(way) ?? way, " gets ", asShare(learned)];
  if (all !== null && step && before > Math.max(kept, all)) return beside(way, learned, kept, all);
  if (then === now) return [...gets, " right in new dialogues, and old stories stay at ", now, "."];
  const but = learned > 0.5 && before - kept > 0.1 ? "but" : "and";
  const move = kept < before ? "fall" : "rise";
  return [...gets, ` right in new dialogues, ${but} old stories ${move} from `, then, " to ", now, "."];
}

/** A runner that forgets, beside training all weights. */
function beside(way, learned, kept, all) {
  const [now, other] = [asShare(kept), asShare(all)];
  const isMore = kept < all;
  const but = isMore === learned > 0.5 ? "but" : "and";
  const gets = ["", WITH.get(way) ?? way, " gets ", asShare(learned), ` right in dialogues ${but} forgets `];
  if (now === other) return [...gets, "as much", " as all weights: old stories fall to ", now, "."];
  return [...gets, isMore ? "more" : "less", ": old stories fall to ", now, ` (all weights: ${other}).`];
}

/** What is asked before the training: of the one that is bet on, or of all. isOne: whether they are one as yet. */
export const asked = (bet, isOne = false) =>
  isOne
    ? ["The storyteller is about to learn dialogues."]
    : bet === SCRATCH
      ? ["", `“${SCRATCH}”`, " has never read a story: it has none to remember. Bet on another."]
      : bet
        ? ["Your bet: ", bet, " will remember most old stories. Train them, or pull a dot."]
        : ["", "Which one will remember most old stories?", " Press a dot or its name to bet."];

/** What has come of a bet, at the end. ways: [{way, kept, learned}], shares each. */
export function verdict(bet, ways) {
  const mine = ways.find(({ way }) => way === bet);
  const best = ways.reduce((one, other) => (other.kept > one.kept ? other : one));
  const holds = mine.kept === best.kept;
  const { way, kept, learned } = holds ? mine : best;
  const [left, right] = [asShare(kept), asShare(learned)];
  const end = [right, " in new dialogues."];
  const but = learned < 0.5 ? ", but only " : ", and ";
  const isTied = ways.filter((one) => one.kept === best.kept).length > 1;
  const most = ` right in old stories, ${isTied ? "as much as any" : "the most of all"}${but}`;
  if (holds) return ["Your bet holds: ", way, " gets ", left, most, ...end];
  const own = ["You bet on ", bet, ": it gets ", asShare(mine.kept), " right in old stories. The winner, "];
  return [...own, way, ", gets ", left, but, ...end];
}

/** The end of a race that nobody bet on: who remembers most. ways: as in `verdict`. */
export function answer(ways) {
  const { kept, learned } = ways.reduce((one, other) => (other.kept > one.kept ? other : one));
  const best = ways.filter((one) => one.kept === kept);
  const remember = best.length > 1 ? " remember most (" : " remembers most (";
  const names = best.map(({ way }) => `“${way}”`).join(" and ");
  const more = best.length > 1 ? [")."] : [`) ${learned < 0.5 ? "but" : "and"} learned `, asShare(learned), "."];
  return ["", names, remember, asShare(kept), ...more];
}

export class Continuations {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.steps && this.put(put));
    this.play = el("button.primary", { onclick: () => this.toggle() });
    this.slider = slider("Step of the training", { onchange: () => this.letGo() }, (at) => {
      this.isHeld = true;
      this.go(at);
    });
    this.step = el("output.step");
    this.finding = el("h2.finding");
    this.plane = new Plane({
      press: (way) => this.press(way),
      walk: (way) => this.choose(way),
      pull: (way, at) => this.pull(way, at),
      drop: () => this.letGo(),
    });
    this.name = el("h3.way");
    this.nth = 0;
    this.fan = 1;
    this.talk = new Passage("A new dialogue, as it goes on");
    this.story = new Passage("An old story, as it guesses on");
    this.another = el("button.another", { onclick: () => this.draw() }, "Another story");
    root.replaceChildren(
      el("div.headline", this.finding, this.play),
      el(
        "div.stage",
        this.plane.node,
        el("div.controls", this.slider, this.step),
        el(
          "section.said",
          this.name,
          this.talk.node,
          this.story.node,
          el("div.foot", el("p.told", el("s", "Struck"), ": wrong. ", el("b", "Bold"), ": right."), this.another),
        ),
      ),
    );
  }

  destroy() {
    this.stop();
    this.ended?.();
    this.plane.endDrag?.();
  }

  resized() {
    this.plane.room = null;
    if (this.steps) this.plane.show(this.plane.state);
  }

  update(data) {
    this.stop();
    const { race, talk } = data;
    const before = this.data;
    const share = before ? this.at / this.last : 0;
    Object.assign(this, { data, steps: talk.steps, last: talk.steps.length - 1 });
    this.opens = talk.is_usual ? 0 : this.last; // what is written after a beginning of one's own, at the end
    this.slider.max = String(this.last);
    this.usual = race.ways[0].way;
    const places = this.steps.map((step) => race.steps.indexOf(step));
    this.plane.take(race, places, data.trained);
    if (!before) return this.open(race);
    if (this.far) this.far = this.last;
    if (talk.begins === before.talk.begins) return this.show(Math.round(share * this.last));
    this.go(this.last);
  }

  /** For the first time: as a link has it, or else at the beginning. */
  open(race) {
    this.hasRun = param("fine_read") !== null; // somebody wants to read
    const way = param("fine_runner");
    this.way = race.ways.some((one) => one.way === way) ? way : this.usual;
    this.isTaken = this.way === way; // somebody wants to hear of this one
    this.far = 0;
    const asked = this.steps.indexOf(wholeParam("fine_race_step"));
    if (asked >= 0) this.show(asked);
    else if (this.opens || !this.begin()) this.show(this.opens);
  }

  /** Which runner is taken, where it is and what is read, in the address. */
  put(put) {
    put("fine_runner", this.way, this.usual);
    put("fine_race_step", this.steps[Math.round(this.at)], this.steps[this.opens]);
    put("fine_read", null);
  }

  /** The first beat: of one model there are four, and one that knows nothing yet. */
  begin() {
    let stop;
    const fan = (share) => {
      this.fan = Math.max(0, share - ONE) / (1 - ONE);
      this.show(0);
    };
    const begin = () => {
      this.root.dataset.beat = "fan";
      stop = tween(BEAT, fan);
    };
    const end = () => {
      stop();
      delete this.root.dataset.beat;
      fan(1);
    };
    this.ended = firstBeat("finetuning", BEAT, begin, end);
    return this.ended;
  }

  // ---- the training goes on ---------------------------------------------------------------------------------------

  get isOn() {
    return Boolean(this.halt);
  }

  stop() {
    this.halt?.();
    this.halt = null;
  }

  toggle() {
    this.link.later();
    this.isTaken = false;
    if (this.isOn) {
      this.stop();
      return this.show(Math.round(this.at));
    }
    if (still()) return this.at === this.last ? this.show(0) : this.arrive();
    const from = this.at === this.last ? 0 : this.at;
    const way = this.last - from;
    this.halt = tween(PAUSE * Math.max(6, way), (share) => this.goOn(from + share * way));
  }

  goOn(at) {
    this.show(at);
    if (at < this.last) return;
    this.stop();
    this.isTaken = false;
    this.arrive();
    this.link.later();
  }

  /** The end of a race: where nobody has bet, one hears of the model that remembers most. */
  arrive() {
    const best = ({ kept }) => kept.at(-1);
    if (!this.bet) this.way = this.data.race.ways.reduce((one, other) => (best(other) > best(one) ? other : one)).way;
    this.show(this.last);
  }

  go(at) {
    this.stop();
    this.show(at);
    this.link.later();
  }

  /** A dot is pulled along its way. */
  pull(way, at) {
    if (way !== this.way) Object.assign(this, { way, nth: 0 });
    this.isHeld = true;
    this.stop();
    this.show(at);
  }

  letGo() {
    this.isHeld = false;
    this.go(Math.round(this.at));
  }

  /** A press before anything is seen of the training is a bet. */
  press(way) {
    this.isRefused = !this.far && way === SCRATCH;
    if (!this.far) this.bet = this.isRefused ? undefined : way;
    this.choose(way);
  }

  choose(way) {
    Object.assign(this, { way, nth: 0, isTaken: true });
    this.show(this.at);
    this.link.later();
  }

  /** The next of the texts that are typical. */
  draw() {
    this.nth += 1;
    this.show(this.at);
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  /** at: which of the steps, or between two of them while it plays. */
  show(at) {
    this.at = Math.min(this.last, Math.max(0, at));
    this.far = Math.max(this.far, this.at);
    this.lay();
    const n = Math.round(this.at);
    const step = this.steps[n];
    put(this.root, { "data-step": step, "data-way": this.way });
    this.slider.value = String(n);
    this.step.textContent = step ? `after ${step} of ${this.steps[this.last]} steps` : "before step 1";
    this.slider.setAttribute("aria-valuetext", this.step.textContent);
    const { way, bet = null, far, fan } = this;
    this.plane.show({ at: this.at, n, far, way, bet, fan });
    this.tell(n, step);
    this.play.textContent = this.label();
  }

  /** The map is alone until something of the training was seen; what is read comes beside it once nothing moves. */
  lay() {
    this.hasRun ||= this.far > 0 && !this.isOn && !this.isHeld;
    if (this.root.classList.toggle("alone", !this.hasRun) !== this.plane.isAlone) this.plane.room = null;
    this.plane.isAlone = !this.hasRun;
  }

  /** What the runner that is taken has learned and kept, and what it writes. */
  tell(n, step) {
    const { race, trained, talk, typical } = this.data;
    const now = race.steps.indexOf(step);
    const { learned, kept } = race.ways.find(({ way }) => way === this.way);
    const pieces = this.findings(n, step, now, learned[now], kept[now], kept[0]);
    rewrite(this.finding, ...pieces.map((piece, at) => (at % 2 ? el("b", piece) : el("span", piece))));
    const [some, all] = trained[this.way];
    const part = some === all ? "all" : asShare(some / all);
    const counted = `trains ${part === "all" ? "all " : ""}${some.toLocaleString("en")} parameters`;
    rewrite(this.name, el("b", this.way), " ", el("small", part === "all" ? counted : `${counted}, ${part} of all`));
    const { texts } = talk.ways.find(({ way }) => way === this.way);
    const facts = texts[n].filter(([, , keeps]) => keeps !== null);
    this.talk.show(endOf(talk.begins), talk.begins, written(texts[n]), [facts.filter(([, , keeps]) => keeps), facts]);
    const [number, says] = typical.ways[this.way][this.nth % typical.ways[this.way].length];
    const right = says[now].filter((said) => said === null);
    this.story.show("", "", judged(typical.texts[number], says[now]), [right, says[now]]);
  }

  /** What stands above the figure, in pieces of which those at odd places are set off. */
  findings(n, step, now, learned, kept, before) {
    const { ways } = this.data.race;
    if (!this.far) return asked(this.isRefused ? SCRATCH : this.bet, this.fan < 1);
    if (n === this.last && !this.isOn) {
      const ends = ways.map((one) => ({ way: one.way, learned: one.learned[now], kept: one.kept[now] }));
      if (this.way === this.bet) return verdict(this.bet, ends);
      if (!this.bet && !this.isTaken) return answer(ends);
    }
    const whole = this.way === ALL ? null : ways.find(({ way }) => way === ALL).kept[now];
    return told(this.way, step, learned, kept, before, whole);
  }

  label() {
    if (this.isOn) return "❚❚ Pause";
    if (!this.far) return "▶ Train";
    return this.at === this.last ? "▶ Train again" : "▶ Keep training";
  }
}

export default mount(".continuations", Continuations);
