// A race of five trainings (race_map.js), and how the runner that is taken goes on with a beginning at the step of the
// slider; below, how all of them do. A fact that was told stands in ink, one that was not is struck. The beginning of
// the training is played once when the page opens.

import { el, mirror, mount, param, percent, rewrite, still, wholeParam } from "../../../../attention_view/lab.js";
import { firstBeat, Player, slider, tween } from "../../../../attention_view/controls.js";
import { RaceMap } from "./race_map.js";

const PAUSE = 260; // milliseconds from one measured step to the next
const BEAT = 3000; // of the whole training, when the page opens
const MEASURED = "names and things right"; // what the bars say

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

/** A beginning in quiet letters, before what goes on with it. */
const begun = (text) => [el("span", text), el("i", { "aria-hidden": "true" }, " …")];

/** What is written, word by word: what was told in ink, what is wrong struck. */
const written = (text) => text.flatMap(([gap, word, keeps]) => [gap, el(TAGS.get(keeps), word)]);

/** A runner at a step, in pieces of a sentence; those at odd places are set off. */
export function told(way, step, learned, kept) {
  const whole = (share) => `${Math.round(100 * share)}%`;
  const when = step ? `After ${step} step${step > 1 ? "s" : ""}, ` : "Before step 1, ";
  return [
    when,
    TRAINING.get(way) ?? way,
    " gets ",
    whole(learned),
    " right in new dialogues and ",
    whole(kept),
    " in old stories.",
  ];
}

/** The end of a beginning: its last two sentences, the last of which may not be over. */
export const lastSentences = (text) =>
  text
    .split(/(?<=[.?!])\s+/)
    .slice(-2)
    .join(" ");

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
    this.race = new RaceMap({ choose: (way) => this.choose(way), go: (step) => this.go(this.steps.indexOf(step)) });
    this.one = el("p.one", { "aria-live": "polite" });
    this.begins = el("p.begins");
    this.talks = el("div.rows");
    this.asked = el("p.begins");
    this.stories = el("div.rows");
    root.replaceChildren(
      el("section.race", { "aria-label": "The race" }, this.finding, this.race.node),
      el("div.controls", this.play, this.slider, this.said),
      this.one,
      el("section.talk", { "aria-label": "A dialogue, continued by all" }, this.begins, this.talks),
      el("section.story", { "aria-label": "The old story, continued" }, this.asked, this.stories),
    );
  }

  resized() {
    this.race.resized();
  }

  destroy() {
    this.player.stop();
  }

  update(data) {
    this.player.stop();
    const { race, trained, tests, talk, story } = data;
    const isFirst = !this.steps;
    const share = isFirst ? 1 : this.at / this.last;
    Object.assign(this, { steps: talk.steps, last: talk.steps.length - 1, talk, measured: race });
    this.opens = Math.max(0, this.steps.indexOf(race.opens)) || this.last;
    this.slider.max = String(this.last);
    const of = (n, kind) => el("small", `${MEASURED} in ${n} ${kind}`);
    rewrite(this.begins, el("b", "A dialogue, by all five"), of(tests, "dialogues"), ...begun(talk.begins));
    rewrite(this.asked, el("b", "The old story"), of(tests, "stories"), ...begun(story.begins));
    this.usual = race.ways[0].way;
    if (isFirst) this.way = param("fine_runner");
    if (!race.ways.some(({ way }) => way === this.way)) this.way = this.usual;
    this.race.take(race, this.steps, {
      learned: "names and things right in new dialogues",
      kept: "names and things right in old stories",
    });
    this.rows = [
      ...talk.ways.map(
        (one) => new Row(one, this.talks, `${trained[one.way].toLocaleString("en")} trained`, talk.steps),
      ),
      ...story.ways.map((one) => new Row(one, this.stories, "", story.steps)),
    ];
    for (const part of [this.talks, this.stories])
      part.replaceChildren(...this.rows.filter((row) => row.part === part).map((row) => row.node));
    this.race.resized();
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
    for (const row of this.rows) row.show(step);
    this.race.show(step, this.way);
    this.write();
    this.label();
  }

  choose(way) {
    this.way = way;
    this.race.show(this.steps[this.at], way);
    this.write();
    this.link.later();
  }

  /** How the runner that is taken goes on. */
  write() {
    this.root.dataset.way = this.way;
    const { learned, kept } = this.measured.ways.find(({ way }) => way === this.way);
    const step = this.steps[this.at];
    const now = this.measured.steps.indexOf(step);
    const pieces = told(this.way, step, learned[now], kept[now]);
    this.finding.replaceChildren(...pieces.map((piece, n) => (n % 2 ? el("b", piece) : piece)));
    const { texts } = this.talk.ways.find(({ way }) => way === this.way);
    this.one.replaceChildren(
      el("span.who", `${this.way}: it writes`),
      el("span.text", el("i", "… ", lastSentences(this.talk.begins)), ...written(texts[this.at])),
    );
  }

  label() {
    this.play.textContent = this.player.isOn ? "❚❚ Pause" : this.at === this.last ? "▶ From the start" : "▶ Train on";
  }
}

/** One model: its name, what it writes, and how much it gets right of what is measured. */
class Row {
  constructor({ way, shares, texts }, part, note, steps) {
    Object.assign(this, { way, part, steps, shares, texts });
    this.text = el("p.text");
    this.bar = el("i");
    this.share = el("output");
    this.node = el(
      "div.row",
      { "data-way": way, role: "group" },
      el("p.name", el("strong", way), note ? el("small", note) : ""),
      this.text,
      el("div.right", el("div.bar", { "aria-hidden": "true" }, this.bar), this.share),
    );
  }

  show(step) {
    const at = this.steps.indexOf(step);
    const share = percent(this.shares[at]);
    this.bar.style.width = `${100 * this.shares[at]}%`;
    this.share.textContent = share;
    this.node.setAttribute("aria-label", `${this.way}: ${share} of names and things right`);
    this.text.replaceChildren(...written(this.texts[at]));
  }
}

export default mount(".continuations", Continuations);
