// The curves of one training or of two: the one that was chosen, and the race of all heads to the true alignment.

import { capital, el, pointIn } from "../../../../attention_view/lab.js";
import { chartPlace, figure, paintChart } from "./chart.js";
import { Guess } from "./guess.js";
import { MOST, Race } from "./race.js";
import { headName, outlined, sideName } from "./sides.js";

export const CHARTS = {
  loss: "Loss",
  perplexity: "Perplexity",
  accuracy: "Accuracy",
  lr: "Learning rate",
  grads: "Gradients",
  weights: "Parameters",
};
const KEYS_OF_CHARTS = {
  loss: "bold: validation (held-out examples); thin: training",
  perplexity: "among how many equally likely tokens it hesitates",
  accuracy: "line: tokens right; dashes: whole answers right",
  lr: "how far a step goes: up in the warm-up, then down",
  weights: "length of all parameters together",
  grads: "length of the gradient, before clipping",
};
const SCALES = { perplexity: { log: true }, accuracy: { percent: true, high: 1.02 }, grads: { log: true } };
const QUESTION_COLOURS = ["#1c93a0", "#d8388f", "#8f8f20", "#b3714a"]; // legible in light and dark; none means more

/** The step since which the chosen head of a run is over one half, as a sentence. */
export function sinceWhen({ name }, step) {
  const said = step === null ? "not over one half" : `over one half since step ${step}`;
  return name ? `${name}: ${said}.` : `${capital(said)}.`;
}

export class Curves {
  /** choices: the buttons that choose a chart */
  constructor(film, choices) {
    this.film = film;
    const chart = () =>
      el("canvas", {
        role: "img",
        onpointerdown: (event) => this.drag(event),
        onpointermove: (event) => event.buttons && this.drag(event),
      });
    this.curve = chart();
    this.note = el("p.quiet.small.key");
    this.massTitle = el("h2");
    this.race = new Race(film);
    this.race.node.onpointerdown = this.curve.onpointerdown;
    this.race.node.onpointermove = this.curve.onpointermove;
    this.massNote = el("p.quiet.small");
    const mass = [this.massTitle, this.race.node, this.massNote];
    this.guess = new Guess(film);
    const place = el("div.place", this.curve, this.guess.node);
    const row = el("div.row", this.note, this.guess.buttons);
    this.choices = choices;
    this.node = el("section.curves", { "aria-label": "Curves" }, el("header", choices), place, row, ...mass);
  }

  drag(event) {
    const { place } = event.currentTarget;
    if (place) this.film.playback.scrub(place.step(pointIn(event, event.currentTarget)[0]));
  }

  colour(r) {
    return r ? this.film.colours.other : this.film.colours.ink;
  }

  /** The colour of a part of the model. */
  part(p) {
    const { heads } = this.film.colours;
    return heads[1 + (p % (heads.length - 1))];
  }

  /** Sees how much room there is. */
  measure() {
    this.room = this.node.clientWidth;
  }

  paint() {
    const { film, curve, guess } = this;
    const { runs, chart, last, step } = film;
    film.root.classList.toggle("guessing", guess.isDrawing);
    const told = runs.some((run) => film.axes(run).ghost.length);
    const names = runs.flatMap((run, r) => [sideName(`${run.name} ${run.label}`, r), "  "]);
    this.note.replaceChildren(...(runs.length > 1 ? names : []), ...this.key(chart));
    curve.place = chartPlace(
      this.room,
      told && !guess.isDrawing ? Math.round(film.tall * 0.52) : film.tall,
      guess.lastOf(last),
    );
    guess.paint(chart, curve.place);
    if (guess.isDrawing) {
      paintChart(curve, curve.place, { ...guess.blank(), at: null }, film.colours);
      curve.setAttribute("aria-label", "An empty chart of the loss, to draw on");
      this.note.replaceChildren(guess.said);
      this.massTitle.hidden = this.race.node.hidden = this.massNote.hidden = true;
      return;
    }
    const spec = { ...this.lines(chart), at: step };
    if (chart === "loss") spec.lines.push(...guess.lines());
    paintChart(curve, curve.place, spec, film.colours);
    const losses = runs.map((run, r) => `${run.name} ${figure(run.curves.val_loss[film.frames[r]])}`);
    const label = `${CHARTS[chart]} over ${last} steps; at step ${step}: ${losses.join(", ")} validation loss`;
    curve.setAttribute("aria-label", label);
    this.massTitle.hidden = this.race.node.hidden = this.massNote.hidden = !told;
    if (told) this.paintRace();
  }

  /** Where knobs were turned, for paintChart(). */
  turns() {
    return this.film.runs.flatMap((run, r) =>
      run.turns.map(([step, text]) => ({ step, text, colour: this.colour(r) })),
    );
  }

  /** What a chart shows: lines, guides and dots for paintChart(). */
  lines(chart) {
    const spec = { lines: [], guides: [], dots: [], marks: this.turns(), ...SCALES[chart] };
    this.film.runs.forEach((run, r) => {
      const [colour, frame] = [this.colour(r), this.film.frames[r]];
      const line = (values, more = {}) => spec.lines.push({ steps: run.steps, values, colour, width: 2, ...more });
      const dot = (n, value, text) => spec.dots.push({ step: run.steps[n], value, text, colour });
      const main = (values) => {
        line(values);
        dot(frame, values[frame]);
      };
      const guide = (value, text) => r === 0 && spec.guides.push({ value, text });
      this[chart](run, { line, dot, main, guide });
    });
    return spec;
  }

  loss(run, { line, dot, main, guide }) {
    const { loss, val_loss } = run.curves;
    line(loss, { width: 1, alpha: 0.45 });
    const best = run.best();
    if (run.steps.length > 2) dot(best, val_loss[best], `best ${figure(val_loss[best])}`);
    main(val_loss);
    guide(run.guess, `guessing: ${figure(run.guess)}`);
  }

  perplexity(run, { main, guide }) {
    main(run.curves.val_loss.map((v) => Math.exp(Math.min(v, 700))));
    guide(Math.exp(run.guess), `guessing among all ${Math.round(Math.exp(run.guess))}`);
  }

  accuracy(run, { line, main, guide }) {
    if (run.sight) return this.byQuestion(run, line, main, guide);
    main(run.curves.accuracy);
    line(run.curves.exact, { width: 1.6, dash: [5, 3] });
  }

  /** How often each question about a picture is answered right, and how often all of them at once. */
  byQuestion(run, line, main, guide) {
    main(run.curves.exact);
    guide(1 / Math.round(Math.exp(run.guess)), "guessing one answer");
    if (this.film.runs.length > 1) return;
    for (const [n, name] of run.more.entries()) line(run.curves[name], { colour: QUESTION_COLOURS[n], width: 1.6 });
  }

  lr(run, { main }) {
    main(run.curves.lr);
  }

  weights(run, { main }) {
    main(run.curves.weight_norm);
  }

  grads(run, { line, main }) {
    main(run.curves.grad_norm);
    if (this.film.runs.length > 1) return;
    const part = (p) => run.grads.map((row) => row[p]);
    for (const p of run.parts.keys()) line(part(p), { colour: this.part(p), width: 1.4 });
  }

  /** The words under a chart. */
  key(chart) {
    const [run] = this.film.runs;
    const alone = this.film.runs.length === 1;
    if (chart === "grads" && alone) {
      const parts = run.parts.flatMap((part, p) => [el("span", { style: `color:${this.part(p)}` }, part), " "]);
      return ["bold: all. ", ...parts];
    }
    if (chart === "accuracy" && run.sight) {
      const swatch = (n) => el("i.swatch", { style: `background:${QUESTION_COLOURS[n]}` });
      const names = run.more.flatMap((name, n) => [swatch(n), `${name} `]);
      return ["bold: all questions right. ", ...(alone ? names : [])];
    }
    if (chart === "loss" && this.guess.isThere) return [`dashes: what you drew. ${this.guess.told()}`];
    return [KEYS_OF_CHARTS[chart], ...(chart === "loss" ? this.memorising() : [])];
  }

  /** A sentence where the validation loss rises while the training loss falls. */
  memorising() {
    return this.film.runs.flatMap((run, r) => {
      const { loss, val_loss } = run.curves;
      const [best, now] = [run.best(), this.film.frames[r]];
      const isRising = val_loss[now] > 1.1 * val_loss[best] + 0.02 && loss[now] < loss[best];
      if (best < 1 || now <= best || !isRising) return [];
      const who = run.name ? `${run.name} is` : "It is";
      return [el("b", ` ${who} memorising: validation was best at step ${run.steps[best]}.`)];
    });
  }

  /** Every head's weight on the true alignment, as a race. */
  paintRace() {
    const { film, massTitle, race } = this;
    const { runs } = film;
    const [run] = runs;
    const racers = runs.flatMap((each, r) => {
      const [L, H] = film.axes(each).heads;
      const name = (head) => headName(film, each, Math.floor(head / H), head % H);
      return Array.from({ length: L * H }, (_, head) => ({ run: each, r, head, name: name(head) }));
    });
    race.enter(racers, Math.round(film.tall * 0.42));
    race.paint(
      this.curve.place,
      runs.map((each) => this.head(each)),
    );
    const score = runs.every((each) => each.score === run.score) ? run.score : "";
    const measure = score.toLowerCase() || `attention weight on the outlined ${outlined(run)}`;
    massTitle.textContent = `Race of heads: ${measure}`;
    const meant = "its attention weight on what came next in earlier blocks, and after the first block on its start.";
    const few =
      racers.length > MOST
        ? `The best ${MOST} of ${racers.length} heads`
        : runs.some((each) => film.axes(each).heads[0] > 1)
          ? "Layer · head"
          : "One lane per head";
    const lines = `${few}; the best is above, dots are chance`;
    const since = runs.map((each) => sinceWhen(each, each.since(film.key, this.head(each))));
    this.massNote.textContent = score ? `${lines}. Score: ${meant} ${since.join(" ")}` : `${lines}.`;
    race.node.setAttribute("aria-label", `${massTitle.textContent}. At step ${film.step}: ${race.standing()}`);
    film.root.dataset.race = race.standing();
  }

  /** The number of the selected head among those of all layers. */
  head(run) {
    const [layer, head] = this.film.chosen(run);
    return layer * this.film.axes(run).heads[1] + head;
  }
}
