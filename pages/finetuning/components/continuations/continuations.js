// A race of five trainings: how each model goes on with one beginning at the step of the slider, and beside it what it
// has learned and what it has kept, as small curves. A fact that was told stands in ink, one that was not is struck.
// The beginning of the training is played once when the page opens.

import {
  el,
  mirror,
  mount,
  param,
  percent,
  put,
  rewrite,
  still,
  svg,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { firstBeat, Player, slider, tween } from "../../../../attention_view/controls.js";

const PAUSE = 260; // milliseconds from one measured step to the next
const BEAT = 3000; // of the whole training, when the page opens
const MEASURED = "names and things right"; // what is counted
const KINDS = { learned: "new dialogues", kept: "old stories" };
const [WIDE, HIGH, INSET] = [110, 30, 4]; // of a curve

const TRAINING = new Map([
  ["all weights", "training all weights"],
  ["last layer", "training the last layer"],
  ["output only", "training the output only"],
  ["from scratch", "training from scratch"],
]);
const TAGS = new Map([
  [true, "b"],
  [false, "s"],
  [null, "span"],
]);

const whole = (share) => `${Math.round(100 * share)}%`;

/** A beginning in quiet letters, before what goes on with it. */
const begun = (text) => [el("span", text), el("i", { "aria-hidden": "true" }, " …")];

/** What is written, word by word: what was told in ink, what is wrong struck. */
const written = (text) => text.flatMap(([gap, word, keeps]) => [gap, el(TAGS.get(keeps), word)]);

/** A runner at a step, in pieces of a sentence; those at odd places are set off. before: what it kept at first. */
export function told(way, step, learned, kept, before) {
  const when = step ? `After ${step} step${step > 1 ? "s" : ""}, ` : "Before step 1, ";
  const [then, now] = [whole(before), whole(kept)];
  const moved = then === now ? ["."] : [`, ${kept < before ? "down" : "up"} from `, then, "."];
  const gets = [when, TRAINING.get(way) ?? way, " gets ", whole(learned), " right in new dialogues and ", now];
  return [...gets, ` in old stories${moved[0]}`, ...moved.slice(1)];
}

/** Where the shares of a curve lie, as [x, y] in a box of WIDE by HIGH: steps to the right, shares upwards. */
export const curveOf = (steps, shares) =>
  steps.map((step, n) => [
    INSET + (step / (steps.at(-1) || 1)) * (WIDE - 2 * INSET),
    HIGH - INSET - shares[n] * (HIGH - 2 * INSET),
  ]);

class Continuations {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.steps && this.put(put));
    this.player = new Player(
      () => this.advance(),
      PAUSE,
      () => this.label(),
    );
    this.play = el("button.primary", { onclick: () => this.toggle() });
    this.slider = slider("Step of the training", {}, (at) => this.go(at));
    this.said = el("output.step");
    this.finding = el("h2.finding");
    this.begins = el("p.begins");
    this.talks = el("div.rows");
    this.asked = el("p.begins");
    this.stories = el("div.rows");
    const key = el("p.told", el("b", "as told"), ", ", el("s", "not told"));
    const heads = Object.values(KINDS).map((kind) => el("p.kind", { title: MEASURED }, "right in ", kind));
    root.replaceChildren(
      el(
        "section.talk",
        { "aria-label": "A dialogue, continued by all five" },
        this.finding,
        el("div.controls", this.play, this.slider, this.said),
        el("div.row.heads", key, this.begins, ...heads),
        this.talks,
      ),
      el("section.story", { "aria-label": "The old story, continued" }, this.asked, this.stories),
    );
  }

  destroy() {
    this.player.stop();
  }

  update(data) {
    this.player.stop();
    const { race, trained, tests, talk, story } = data;
    const isFirst = !this.steps;
    const share = isFirst ? 1 : this.at / this.last;
    Object.assign(this, { steps: talk.steps, last: talk.steps.length - 1, measured: race });
    this.opens = Math.max(0, this.steps.indexOf(race.opens)) || this.last;
    this.slider.max = String(this.last);
    rewrite(this.begins, ...begun(talk.begins));
    const measured = el("small", `${MEASURED} in ${tests} stories`);
    rewrite(this.asked, el("b", "The old story"), measured, ...begun(story.begins));
    this.usual = race.ways[0].way;
    if (isFirst) this.way = param("fine_runner");
    if (!race.ways.some(({ way }) => way === this.way)) this.way = this.usual;
    this.runners = talk.ways.map((one) => {
      const { learned, kept } = race.ways.find(({ way }) => way === one.way);
      const note = `${trained[one.way].toLocaleString("en")} trained`;
      return new Runner({ ...one, learned, kept, note }, talk.steps, race.steps, (way) => this.choose(way));
    });
    this.told = story.ways.map((one) => new Row(one, story.steps));
    this.talks.replaceChildren(...this.runners.map(({ node }) => node));
    this.stories.replaceChildren(...this.told.map(({ node }) => node));
    const asked = isFirst ? this.steps.indexOf(wholeParam("fine_race_step")) : -1;
    if (asked >= 0) this.show(asked);
    else if (!isFirst) this.show(Math.round(share * this.last));
    else if (!this.begin()) this.show(this.opens);
  }

  /** Which runner is taken and where it is, in the address. */
  put(put) {
    put("fine_runner", this.way, this.usual);
    put("fine_race_step", this.steps[this.at], this.steps[this.opens]);
  }

  /** The first beat is the training itself, until the first runner is there. */
  begin() {
    let stop;
    const begin = () => (stop = tween(BEAT, (share) => this.show(Math.round(share * this.opens))));
    const end = () => {
      stop();
      this.show(this.opens);
    };
    return firstBeat("finetuning", BEAT, begin, end);
  }

  toggle() {
    this.link.later();
    if (this.player.isOn) return this.player.stop();
    if (still()) return this.show(this.at === this.last ? 0 : this.last);
    this.show(this.at === this.last ? 0 : this.at);
    this.player.start();
  }

  advance() {
    this.show(this.at + 1);
    if (this.at < this.last) return;
    this.player.stop();
    this.link.later();
  }

  go(at) {
    this.player.stop();
    this.show(at);
    this.link.later();
  }

  show(at) {
    this.at = Math.min(this.last, Math.max(0, at));
    const step = this.steps[this.at];
    this.slider.value = String(this.at);
    this.root.dataset.step = step;
    this.said.textContent = step ? `after ${step} of ${this.steps[this.last]} steps` : "before step 1";
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
    for (const row of [...this.runners, ...this.told]) row.show(step);
    this.tell();
    this.label();
  }

  choose(way) {
    this.way = way;
    this.tell();
    this.link.later();
  }

  /** What the runner that is taken has learned and kept. */
  tell() {
    this.root.dataset.way = this.way;
    const step = this.steps[this.at];
    const now = this.measured.steps.indexOf(step);
    const { learned, kept } = this.measured.ways.find(({ way }) => way === this.way);
    const pieces = told(this.way, step, learned[now], kept[now], kept[0]);
    this.finding.replaceChildren(...pieces.map((piece, n) => (n % 2 ? el("b", piece) : piece)));
    for (const runner of this.runners) runner.take(runner.way === this.way);
  }

  label() {
    const next = this.at === this.last ? "▶ From the start" : "▶ Keep training";
    this.play.textContent = this.player.isOn ? "❚❚ Pause" : next;
  }
}

/** One model in training: its name, how it goes on, and two small curves of what it has learned and kept. */
class Runner {
  constructor({ way, texts, learned, kept, note }, steps, measured, choose) {
    Object.assign(this, { way, texts, steps, measured });
    this.text = el("p.text");
    this.curves = [learned, kept].map((shares) => new Curve(measured, shares));
    this.name = el("button.name", { onclick: () => choose(way) }, el("strong", way), el("small", note));
    this.node = el(
      "div.row",
      { "data-way": way, role: "group" },
      this.name,
      this.text,
      ...this.curves.map((curve) => curve.node),
    );
  }

  show(step) {
    const at = this.measured.indexOf(step);
    const shares = this.curves.map((curve) => curve.show(at));
    const says = Object.values(KINDS).map((kind, n) => `${shares[n]} right in ${kind}`);
    put(this.node, { "aria-label": `${this.way}: ${says.join(", ")}` });
    this.text.replaceChildren(...written(this.texts[this.steps.indexOf(step)]));
  }

  take(isTaken) {
    put(this.name, { "aria-pressed": isTaken });
    this.node.classList.toggle("taken", isTaken);
  }
}

/** A share at every measured step, as a curve with a dot at the step of the slider, and in large letters there. */
class Curve {
  constructor(steps, shares) {
    this.shares = shares;
    this.points = curveOf(steps, shares);
    const [ahead, past] = ["ahead", "past"].map((kind) => svg(`polyline.${kind}`));
    Object.assign(this, { past, dot: svg("circle", { r: 4 }), share: el("output") });
    put(ahead, { points: this.points.join(" ") });
    const drawing = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, ahead, past, this.dot);
    this.node = el("div.curve", this.share, drawing);
  }

  show(at) {
    const [cx, cy] = this.points[at];
    put(this.past, { points: this.points.slice(0, at + 1).join(" ") });
    put(this.dot, { cx, cy });
    this.share.textContent = whole(this.shares[at]);
    return this.share.textContent;
  }
}

/** One model and the old story: its name, what it writes, and how much it gets right. */
class Row {
  constructor({ way, shares, texts }, steps) {
    Object.assign(this, { way, steps, shares, texts });
    this.text = el("p.text");
    this.bar = el("i");
    this.share = el("output");
    this.node = el(
      "div.row",
      { "data-way": way, role: "group" },
      el("p.name", el("strong", way)),
      this.text,
      el("div.right", el("div.bar", { "aria-hidden": "true" }, this.bar), this.share),
    );
  }

  show(step) {
    const at = this.steps.indexOf(step);
    const share = percent(this.shares[at]);
    this.bar.style.width = `${100 * this.shares[at]}%`;
    this.share.textContent = share;
    put(this.node, { "aria-label": `${this.way}: ${share} of names and things right` });
    this.text.replaceChildren(...written(this.texts[at]));
  }
}

export default mount(".continuations", Continuations);
