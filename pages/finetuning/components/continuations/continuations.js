// The same beginning, continued by every model at the step of its training that the slider is on. A fact that was told
// stands in ink, one that was not is struck. The training is played once when the page opens.

import { el, mount, percent, rewrite, still } from "../../../../attention_view/lab.js";
import { firstBeat, Player, slider, tween } from "../../../../attention_view/controls.js";

const PAUSE = 260; // milliseconds from one measured step to the next
const BEAT = 3000; // of the whole training, when the page opens
const MEASURED = "names and things right"; // what the bars say

const TAGS = new Map([
  [true, "b"],
  [false, "s"],
  [null, "span"],
]);

/** What the rows below say: how a fact looks, and what their bars measure. */
const key = (measured) => el("small", el("b", "as told"), " ", el("s", "wrong"), " · ", measured);

class Continuations {
  constructor(root) {
    this.root = root;
    this.player = new Player(
      () => this.advance(),
      PAUSE,
      () => this.label(),
    );
    this.play = el("button.play", { onclick: () => this.toggle() });
    this.slider = slider("Step of the training", {}, (at) => this.go(at));
    this.said = el("output.step");
    this.begins = el("p.begins");
    this.talks = el("div.rows");
    this.asked = el("p.begins");
    this.stories = el("div.rows");
    root.replaceChildren(
      el("section.talk", { "aria-label": "A talk, continued" }, this.begins, this.talks),
      el("div.controls", this.play, this.slider, this.said),
      el("section.story", { "aria-label": "The old story, continued" }, this.asked, this.stories),
    );
  }

  destroy() {
    this.player.stop();
  }

  update(data) {
    this.player.stop();
    const { trained, tests, talk, story } = data;
    const isFirst = !this.steps;
    const share = isFirst ? 1 : this.at / this.last;
    this.steps = talk.steps;
    this.last = talk.steps.length - 1;
    this.slider.max = String(this.last);
    rewrite(
      this.begins,
      el("span", "A talk: "),
      talk.begins,
      el("i", { "aria-hidden": "true" }, " …"),
      key(`${MEASURED}, of ${tests} talks`),
    );
    rewrite(
      this.asked,
      el("span", "The old story: "),
      story.begins,
      el("i", { "aria-hidden": "true" }, " …"),
      key(`${MEASURED}, of ${tests} stories`),
    );
    this.rows = [
      ...talk.ways.map(
        (one) => new Row(one, this.talks, `${trained[one.way].toLocaleString("en")} trained`, talk.steps),
      ),
      ...story.ways.map((one) => new Row(one, this.stories, "", story.steps)),
    ];
    for (const part of [this.talks, this.stories])
      part.replaceChildren(...this.rows.filter((row) => row.part === part).map((row) => row.node));
    if (!isFirst || !this.begin()) this.show(Math.round(share * this.last));
  }

  /** The first beat is the training itself. */
  begin() {
    let stop;
    const begin = () => (stop = tween(BEAT, (share) => this.show(Math.round(share * this.last))));
    const end = () => {
      stop();
      this.show(this.last);
    };
    return firstBeat("finetuning", BEAT, begin, end);
  }

  toggle() {
    if (this.player.isOn) return this.player.stop();
    if (still()) return this.show(this.at === this.last ? 0 : this.last);
    this.show(this.at === this.last ? 0 : this.at);
    this.player.start();
  }

  advance() {
    this.show(this.at + 1);
    if (this.at === this.last) this.player.stop();
  }

  go(at) {
    this.player.stop();
    this.show(at);
  }

  show(at) {
    this.at = Math.min(this.last, Math.max(0, at));
    const step = this.steps[this.at];
    this.slider.value = String(this.at);
    this.root.dataset.step = step;
    this.said.textContent = step ? `after ${step} steps` : "before";
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
    for (const row of this.rows) row.show(step);
    this.label();
  }

  label() {
    this.play.textContent = this.player.isOn ? "❚❚ Pause" : this.at === this.last ? "▶ Play again" : "▶ Train";
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
    this.text.replaceChildren(...this.texts[at].flatMap(([gap, word, keeps]) => [gap, el(TAGS.get(keeps), word)]));
  }
}

export default mount(".continuations", Continuations);
