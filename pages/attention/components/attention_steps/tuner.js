// The controls of softmax: temperature, division by √d_k, the wrong axis, and scores that a hand has moved; and what
// they do to the numbers.

import { el } from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";
import { share, short, softmax, total } from "./stages.js";

/** Temperatures that the slider has; along what softmax may run; and both as they are in the model. */
const TEMPERATURES = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];
const AXES = ["keys", "queries"];
const TUNE = { tau: 1, divided: true, along: "keys" };

export class Tuner {
  /** change(settings) hears of each control that is moved */
  constructor(change) {
    this.set = { ...TUNE };
    this.moved = new Map(); // "row,column" -> by how much a hand has moved the score
    const ticked = (act) => el("input", { type: "checkbox", onchange: ({ target }) => change(act(target.checked)) });
    this.tau = slider("Temperature τ", { max: TEMPERATURES.length - 1 }, (n) => change({ tau: TEMPERATURES[n] }));
    this.tauIs = el("output");
    this.divided = ticked((divided) => ({ divided }));
    this.wrong = ticked((isWrong) => ({ along: isWrong ? "queries" : "keys" }));
    this.node = el(
      "div.tune",
      { role: "group", "aria-label": "Softmax" },
      el("label", "Temperature τ ", this.tau, this.tauIs),
      el("label", this.divided, el("span", "÷ √d", el("sub", "k"))),
      el("label", this.wrong, " wrong axis"),
    );
  }

  /** Takes what a link says: param(name) is its parameter. */
  read(param) {
    const tau = Number(param("att_t"));
    if (TEMPERATURES.includes(tau)) this.set.tau = tau;
    if (AXES.includes(param("att_axis"))) this.set.along = param("att_axis");
    this.set.divided = param("att_divided") !== "no";
  }

  write(put) {
    put("att_t", this.set.tau, 1);
    put("att_axis", this.set.along, "keys");
    put("att_divided", this.set.divided ? "yes" : "no", "yes");
  }

  get isTuned() {
    return this.moved.size > 0 || this.isSet;
  }

  /** Whether a hand has moved a score of this row. */
  isMoved(row) {
    return [...this.moved.keys()].some((cell) => cell.startsWith(`${row},`));
  }

  /** Sets the score of a cell, from which softmax then starts; `was` is what the model has. */
  moveTo(row, col, score, was) {
    const by = score - was;
    if (Math.abs(by) < 1e-9) this.moved.delete(`${row},${col}`);
    else this.moved.set(`${row},${col}`, by);
  }

  /** The score of a cell before the temperature, as the model has it; null where it is blocked. */
  base({ scores, scaled, biased, masked }, i, j) {
    if (masked && masked[i][j] == null) return null;
    return (this.set.divided ? scaled : scores)[i][j] + (biased ? biased[i][j] - scaled[i][j] : 0);
  }

  /** The stages with attention weights and output as the controls make them, and what softmax is fed: {fed, stages}. */
  turn(given, v) {
    const { tau, along } = this.set;
    const score = (i, j) => {
      const base = this.base(given, i, j);
      return base == null ? null : base + (this.moved.get(`${i},${j}`) ?? 0);
    };
    const open = given.scaled.map((row, i) => row.map((_, j) => score(i, j)));
    const { fed, weights } = softmax(open, tau, along);
    if (!this.isTuned) return { fed, stages: { ...given } }; // the model's own
    const output = weights.map((row) => v[0].map((_, f) => total(row.map((w, j) => w * v[j][f]))));
    return { fed, stages: { ...given, weights, output } };
  }

  /** Shows what the controls are set to. */
  show(stage) {
    const { tau, divided, along } = this.set;
    this.node.hidden = stage !== "weights" && stage !== "output";
    this.tau.value = String(TEMPERATURES.indexOf(tau));
    this.tau.setAttribute("aria-valuetext", String(tau));
    this.tauIs.textContent = String(tau);
    this.divided.checked = divided;
    this.wrong.checked = along === "queries";
  }

  /** Whether a control is set to something else than in the model. */
  get isSet() {
    return Object.keys(TUNE).some((name) => this.set[name] !== TUNE[name]);
  }

  /** What they do to the weights of a row, the nth; null where they are not shown, or as in the model. */
  says(n, row, given) {
    const isMoved = this.isMoved(n);
    if (this.node.hidden || !(isMoved || this.isSet)) return null;
    const largest = (numbers) => share(Math.max(...numbers));
    const sum = short(total(row), 3);
    const wrong = `Wrong axis: each column adds up to 1 now, and this row to ${sum}, so its output is no average. `;
    if (isMoved)
      return `The row’s largest weight is ${largest(row)} with your scores; with the model’s it is ${largest(given)}.`;
    return (
      (this.set.along === "queries" ? wrong : "") +
      `The row’s largest weight is ${largest(row)}; divided by √d_k, at τ = 1, it is ${largest(given)}.`
    );
  }
}
