// The loss as a visitor expects it: drawn into the empty chart before the training begins, with a pointer or the arrow
// keys. The true curve then comes over it, and a sentence says how far apart they are.

import { el, pointIn } from "../../../../attention_view/lab.js";
import { STEPS, stroke, told } from "../../../../lab/kit/components/drawn_curve.js";
import { figure, heights } from "./chart.js";

const LAST = 12; // the places of the curve are counted from 0
const HIGH = 1.25; // of the loss of guessing: what there is room for
const DRAW = "How will the loss fall? Draw it, from left to right; then press Train.";

/** The value of a curve over steps at a step, on the line between the two nearest. */
export function valueAt(step, steps, values) {
  const n = steps.findIndex((s) => s >= step);
  if (n < 0) return values.at(-1);
  if (n === 0 || steps[n] === step) return values[n];
  const share = (step - steps[n - 1]) / (steps[n] - steps[n - 1]);
  return values[n - 1] + share * (values[n] - values[n - 1]);
}

/** A drawing without gaps: what was not drawn lies between its neighbours; null where nothing was drawn at all. */
export function filled(drawn) {
  const known = [...drawn.keys()].filter((n) => drawn[n] !== null);
  if (!known.length) return null;
  const values = known.map((n) => drawn[n]);
  return drawn.map((value, n) => value ?? valueAt(n, known, values));
}

export class Guess {
  constructor(film) {
    this.film = film;
    this.isDrawing = false;
    this.drawn = null;
    this.node = el("div.drawing", {
      hidden: true,
      role: "group",
      "aria-label": "Your guess of the loss",
      onpointerdown: (event) => this.hold(event),
      onpointermove: (event) => this.held && this.drag(event),
      onpointerup: () => (this.held = null),
      onpointercancel: () => (this.held = null),
    });
    this.points = Array.from({ length: LAST + 1 }, (_, n) => this.point(n));
    this.node.append(...this.points);
    this.draw = el("button.act", { onclick: () => this.begin() }, "Draw it first");
    this.drop = el("button.act", { onclick: () => this.forget() }, "Take my curve away");
    this.buttons = el("span", this.draw, this.drop);
    this.said = DRAW;
  }

  point(n) {
    return el("i", {
      role: "slider",
      tabindex: n ? -1 : 0,
      "aria-orientation": "vertical",
      "aria-valuemin": 0,
      onkeydown: (event) => this.press(event, n),
    });
  }

  begin() {
    const { film } = this;
    film.playback.halt();
    film.chart = "loss";
    this.drawn = Array(LAST + 1).fill(null);
    this.steps = film.toTrain ?? film.last;
    this.most = HIGH * film.runs[0].guess;
    this.isDrawing = true;
    film.paint();
    this.points[0].focus({ preventScroll: true });
  }

  forget() {
    Object.assign(this, { drawn: null, isDrawing: false });
    this.film.paint();
  }

  /** Another film is on screen; isAlike: of the same task. */
  opened(isAlike) {
    const { state } = this.film.runs[0];
    if (!isAlike) Object.assign(this, { drawn: null, isDrawing: false });
    else if (state !== "recorded" && state !== "untrained" && this.isDrawing) {
      this.isDrawing = false;
      this.drawn = filled(this.drawn);
    }
  }

  /** Whether there is a drawing that a true curve can be held against. */
  get isThere() {
    return Boolean(this.drawn) && !this.isDrawing;
  }

  /** The last step of the chart, which would otherwise be this one. */
  lastOf(last) {
    return this.isDrawing ? this.steps : this.isThere ? Math.max(last, this.steps) : last;
  }

  stepOf(n) {
    return (n / LAST) * this.steps;
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  hold(event) {
    if (event.button) return;
    event.preventDefault();
    this.node.setPointerCapture(event.pointerId);
    this.held = this.under(event);
    this.drag(event);
  }

  /** The place and the loss under a pointer. */
  under(event) {
    const { left, right, top, bottom } = this.place;
    const [x, y] = pointIn(event, this.node);
    return [(LAST * (x - left)) / (right - left), (this.most * (bottom - y)) / (bottom - top)];
  }

  drag(event) {
    const to = this.under(event);
    this.set(stroke(this.held, to, 0, LAST));
    this.held = to;
  }

  press(event, n) {
    const before = this.known(n);
    if (event.key in STEPS) this.set({ [n]: before + STEPS[event.key] * this.most });
    else if (event.key === "Home" || event.key === "End") this.set({ [n]: event.key === "Home" ? 0 : this.most });
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const to = Math.min(LAST, Math.max(0, n + (event.key === "ArrowRight" ? 1 : -1)));
      this.set({ [n]: before });
      for (const [k, point] of this.points.entries()) point.tabIndex = k === to ? 0 : -1;
      this.points[to].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What was drawn at a place, or else at the last one before it. */
  known(n) {
    return this.drawn.slice(0, n + 1).findLast((value) => value !== null) ?? this.film.runs[0].guess;
  }

  set(values) {
    for (const [n, value] of Object.entries(values)) this.drawn[n] = Math.min(this.most, Math.max(0, value));
    this.film.paint();
  }

  // ---- on the chart -------------------------------------------------------------------------------------------

  /** The places that can be moved, and the buttons. */
  paint(chart, place) {
    const { film, isDrawing } = this;
    this.place = place;
    this.draw.hidden = chart !== "loss" || isDrawing || this.isThere || film.alive || film.runs.length > 1;
    this.drop.hidden = chart !== "loss" || !(isDrawing || this.isThere);
    this.node.hidden = !isDrawing;
    film.root.dataset.guess = this.drawn ? this.drawn.filter((value) => value !== null).length : "";
    if (!isDrawing) return;
    const { y } = heights(place, [], { high: this.most });
    for (const [n, point] of this.points.entries()) {
      const value = this.known(n);
      const step = Math.round(this.stepOf(n));
      point.classList.toggle("open", this.drawn[n] === null);
      point.style.left = `${place.x(step)}px`;
      point.style.top = `${y(value)}px`;
      point.setAttribute("aria-label", `loss at step ${step}`);
      point.setAttribute("aria-valuemax", this.most);
      point.setAttribute("aria-valuenow", value);
      point.setAttribute("aria-valuetext", this.drawn[n] === null ? "not drawn yet" : figure(value));
    }
  }

  /** The chart while one draws: no curve but one's own. */
  blank() {
    const { guess } = this.film.runs[0];
    return { lines: this.lines(), guides: [{ value: guess, text: `guessing: ${figure(guess)}` }], high: this.most };
  }

  /** What was drawn, as a line. */
  lines() {
    if (!this.drawn) return [];
    const steps = this.drawn.map((_, n) => this.stepOf(n));
    const values = this.drawn.map((value) => value ?? NaN);
    return [{ steps, values, colour: this.film.colours.quiet, width: 2.5, dash: [7, 4] }];
  }

  /** How far the drawing is from the validation loss so far. */
  told() {
    const [run] = this.film.runs;
    const now = run.steps[this.film.frames[0]];
    const places = this.drawn.map((_, n) => n).filter((n) => this.stepOf(n) <= now);
    if (places.length < 2) return "The true curve comes over it.";
    const losses = run.curves.val_loss;
    return told({
      drawn: places.map((n) => this.drawn[n]),
      truth: places.map((n) => valueAt(this.stepOf(n), run.steps, losses)),
      given: 0,
      names: places.map((n) => `step ${Math.round(this.stepOf(n))}`),
      ends: [0, this.most],
      write: figure,
    });
  }
}
