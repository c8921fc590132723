// The headline of the film: a question before a recorded training is watched, then what it has come to; and beside it
// the dark button, for what comes next.

import { el, write } from "../../../../attention_view/lab.js";
import { rowsThatWrite } from "./threads.js";

export const [WATCH, SKIP, TRAIN] = ["▶ Watch it learn", "Skip to the end", "Train it yourself"];
const TOLD = "Nobody tells it where the answer comes from. Will its attention find out?";
const UNKNOWN = "Nobody tells it where to look. Where will its attention go?";

/** What a training has come to: how much the head in view looks at where the answer comes from; "" where nobody can
 * say.
 *
 * mass: of each head at this step; [layer, head] in view, of so many layers; where: what the answer comes from */
export function foundBy(step, mass, [layer, head], [layers, heads], chance, where = "where the answer comes from") {
  if (chance === null || mass.some(Number.isNaN)) return "";
  const name = layers > 1 ? `layer ${layer}, head ${head}` : `head ${head}`;
  const when = step ? `After ${step} ${step === 1 ? "step" : "steps"}, ` : "Before training, ";
  const weight = mass[layer * heads + head].toFixed(2);
  return `${when}${name} gives ${weight} of its attention to ${where}.`;
}

/** What the answer comes from, in a few words: the right letter, where letters are copied. */
export function sourceOf(kind, axes, probe, asked) {
  const writing = rowsThatWrite(kind, axes, probe, asked);
  const isCopied = ([i, j]) => {
    const n = writing.rows.indexOf(i);
    return n < 0 || ([...axes.keys[j]].length === 1 && axes.keys[j] === writing.right[n]);
  };
  return writing && axes.ghost.every(isCopied) ? "the right letter" : "where the answer comes from";
}

/** What is said while a training has no step yet, of how it stands; "" once it has one. */
export function setUp(sides) {
  const { said = "" } = sides.find((side) => /^(setting up|You are)/.test(side.said)) ?? {};
  if (!said) return "";
  return `${said[0].toUpperCase()}${said.slice(1)}.${said[0] === "s" ? " The first steps come in some seconds." : ""}`;
}

/** What the dark button offers of a recorded film; seen: whether it was watched to its end. */
export const offered = (isMoving, seen) => (isMoving ? SKIP : seen ? TRAIN : WATCH);

const trainButton = () => document.querySelector(".st-key-train button");

export class Headline {
  constructor(film) {
    this.film = film;
    this.finding = el("p.finding");
    this.act = el("button.primary", { onclick: () => this.press() });
    this.node = el("div.headline", this.finding, this.act);
  }

  /** What can be said at the step that is shown. */
  get found() {
    const { runs, frames, kind, probe } = this.film;
    const [run, other] = runs;
    if (other) return "";
    const axes = this.film.axes(run);
    const mass = Array.from(this.film.mass(run)[frames[0]]);
    const where = sourceOf(kind, axes, run.probes[probe], run.script?.asked[probe]);
    return foundBy(run.steps[frames[0]], mass, this.film.chosen(run), axes.heads, axes.chance, where);
  }

  paint() {
    const { film } = this;
    if (!film.frames) return;
    const { runs, sides, step, timeline, playback } = film;
    const isRecorded = runs[0].state === "recorded" && sides[0]?.state === "recorded";
    const shown = runs.map((run) => run.id).join();
    if (step === timeline.at(-1)) this.seen = shown;
    const seen = this.seen === shown;
    const isAsked = isRecorded && !seen && !playback.isMoving && step === timeline[0];
    const question = film.axes(runs[0]).chance === null ? UNKNOWN : TOLD;
    write(this.finding, setUp(sides) || (isAsked ? question : this.found));
    write(this.act, offered(playback.isMoving, seen));
    this.act.hidden = !isRecorded;
    this.node.hidden = film.isLesson || (!isRecorded && !(film.threads.isShown && this.finding.textContent));
  }

  press() {
    const { playback, timeline } = this.film;
    if (this.act.textContent === TRAIN) trainButton()?.click();
    else if (playback.isMoving) playback.scrub(timeline.at(-1));
    else playback.play();
  }
}
