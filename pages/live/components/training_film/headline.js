// The headline of the film: a question before a recorded training is watched, then what it has come to; and beside it
// the dark button, for what comes next.

import { asShare, el, write } from "../../../../attention_view/lab.js";
import { rightOf } from "./run.js";
import { rowsThatWrite } from "./threads.js";

const TOLD = "Drag the training to the right. When does it find out?";
const UNKNOWN = "Drag the training to the right. Where does its attention go?";
const AHEAD = 0.3; // by which the attention has to be ahead of the answers, for that to be said

/** What a training has come to: how much the head in view looks at where the answer comes from, and how many answers
 * are right; "" where nobody can say.
 *
 * mass: of each head at this step; [layer, head] in view, of so many layers; where: what the answer comes from
 * share: of right answers, null where it is not measured; answers, are: what they are called, and how they are then */
export function foundBy(step, mass, [layer, head], [layers, heads], chance, where, share = null, [answers, are] = []) {
  const when = step ? `Step ${step}: ` : "Before training, ";
  const right = share === null ? "" : `${asShare(share)} of its ${answers} are ${are}`;
  if (chance === null || mass.some(Number.isNaN)) return right && `${when}${right}.`;
  const name = layers > 1 ? `layer ${layer}, head ${head}` : `head ${head}`;
  const weight = mass[layer * heads + head];
  const joined = right && (weight - share > AHEAD && share < 0.5 ? `, yet only ${right}` : `, and ${right}`);
  return `${when}${name} gives ${weight.toFixed(2)} of its attention to ${where}${joined}.`;
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

export class Headline {
  constructor(film) {
    this.film = film;
    this.finding = el("p.finding");
    const train = () => document.querySelector(".st-key-train button")?.click();
    this.act = el("button.primary", { onclick: train }, "Train it yourself");
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
    const [curve, ...called] = rightOf(run) ?? [];
    const share = curve ? run.curves[curve][frames[0]] : null;
    return foundBy(run.steps[frames[0]], mass, this.film.chosen(run), axes.heads, axes.chance, where, share, called);
  }

  paint() {
    const { film } = this;
    if (!film.frames) return;
    const { runs, sides, timeline, playback } = film;
    const isRecorded = runs[0].state === "recorded" && sides[0]?.state === "recorded";
    const question = film.axes(runs[0]).chance === null ? UNKNOWN : TOLD;
    write(this.finding, setUp(sides) || (playback.isAsked ? question : this.found));
    this.act.hidden = !isRecorded || !film.trains || playback.reached < timeline.at(-1);
    this.node.hidden = film.isLesson || (!isRecorded && !(film.threads.isShown && this.finding.textContent));
  }
}
