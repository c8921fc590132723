// How a phone asks: a list of options, a row of words, a vocabulary, a slider, a curve that is drawn, or a map.
// Each is made by a function (step, mine, changed) -> an element; changed(value, words) hears every choice.

import { el, pointIn, svg, write } from "../../../attention_view/lab.js";
import { drag, slider } from "../../../attention_view/controls.js";
import { touched } from "./map.js";
import { acrossOf, amongPoints, amount, HIGH, pathOf, wanted, WIDE } from "./said.js";

const MOST_WORDS = 24; // that are offered at once
const PRESSED = ["options", "cells", "word"]; // kinds of which a press is a whole answer

const radios = (tag, step, mine, changed) => {
  const choose = (n) => () => changed(n, step.labels[n]);
  const radio = (n) =>
    el("input", { type: "radio", name: "answer", value: n, checked: n === mine, onchange: choose(n) });
  return el(
    tag,
    { role: "radiogroup", "aria-label": step.ask },
    ...step.labels.map((text, n) => el("label", radio(n), text)),
  );
};

/** The words of a list that begin as one has typed, and then those that hold it. */
export function found(labels, typed) {
  const part = typed.trim().toLowerCase();
  const at = (n) => labels[n].toLowerCase().indexOf(part);
  const all = labels.map((_, n) => n).filter((n) => at(n) >= 0);
  return all.sort((a, b) => (at(a) > 0) - (at(b) > 0) || a - b).slice(0, MOST_WORDS);
}

function vocabulary(step, mine, changed) {
  const list = el("div.words", { role: "radiogroup", "aria-label": step.ask });
  const radio = (n) =>
    el("input", {
      type: "radio",
      name: "answer",
      checked: n === mine,
      onchange: () => changed((mine = n), step.labels[n]),
    });
  const offer = () => {
    const fit = found(step.labels, box.value);
    const none = el("p.quiet", "The model does not know this word. Choose one that it knows.");
    list.replaceChildren(...(fit.length ? fit.map((n) => el("label", radio(n), step.labels[n])) : [none]));
  };
  const box = el("input.box", {
    type: "search",
    placeholder: "Type the first letters",
    "aria-label": "Find a word",
    autocomplete: "off",
    autocapitalize: "off",
    oninput: offer,
  });
  offer();
  return el("div.vocabulary", box, list);
}

function amountOf(step, mine, changed) {
  const shown = el("output.number");
  const say = (value) => {
    shown.textContent = amount(value, step.unit);
    changed(value, shown.textContent);
  };
  const { low, high } = step;
  const input = slider(
    step.ask,
    { min: low, max: high, step: (high - low) / 100, value: mine ?? (low + high) / 2 },
    say,
  );
  // Who finds the knob where the answer is has to move nothing: a touch is enough, or Enter.
  input.addEventListener("pointerdown", () => say(Number(input.value)));
  input.addEventListener("keydown", ({ key }) => key === "Enter" && say(Number(input.value)));
  shown.textContent = mine == null ? "–" : amount(mine, step.unit);
  const ends = el("div.ends", el("span", amount(low, step.unit)), el("span", amount(high, step.unit)));
  return el("div.amount", shown, input, ends);
}

/** A curve after a finger was at (x, y), both from 0 to 1, and before at `from`: all points on the way follow. */
export function bent(values, from, [x, y], { low, high }) {
  const last = values.length - 1;
  const at = (one) => Math.round(Math.min(1, Math.max(0, one[0])) * last);
  const value = (one) => low + (1 - Math.min(1, Math.max(0, one[1]))) * (high - low);
  const [a, b] = [at(from), at([x, y])];
  const part = (n) => (a === b ? 1 : (n - a) / (b - a));
  const isOn = (n) => n >= Math.min(a, b) && n <= Math.max(a, b);
  return values.map((old, n) => (isOn(n) ? value(from) + part(n) * (value([x, y]) - value(from)) : old));
}

function lineOf(step, mine, changed) {
  let values = mine ?? step.labels.map(() => step.low);
  const [line, guide, under] = [svg("path.line"), svg("path.guide"), el("output.under")];
  const paper = svg(
    "svg.paper",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    guide,
    line,
  );
  const knobs = step.labels.map((label, n) =>
    slider(label, { min: step.low, max: step.high, step: (step.high - step.low) / 50, value: values[n] }, (value) => {
      values = values.with(n, value);
      draw(true);
      tell(n);
    }),
  );
  const draw = (isNew) => {
    line.setAttribute("d", pathOf(values, step));
    knobs.forEach((knob, n) => (knob.value = values[n]));
    if (isNew) changed(values, "my curve");
  };
  /** The word under the finger, and how high the line is there. */
  const tell = (n) => {
    const x = (acrossOf(n, values.length) * WIDE).toFixed(1);
    guide.setAttribute("d", `M${x} 0V${HIGH}`);
    under.replaceChildren(el("b", step.labels[n]), ` ${amount(values[n], step.unit)}`);
  };
  paper.onpointerdown = (event) => {
    event.preventDefault();
    let from = place(event);
    const bend = (to) => {
      values = bent(values, from, to, step);
      from = to;
      draw(true);
      tell(Math.round(Math.min(1, Math.max(0, to[0])) * (values.length - 1)));
    };
    bend(from);
    drag(
      (moved) => bend(place(moved)),
      () => {},
    );
  };
  const place = (event) => {
    const [x, y] = pointIn(event, paper);
    return amongPoints([x / paper.clientWidth, y / paper.clientHeight]);
  };
  draw(false);
  const ends = el("div.ends", el("span", step.labels[0]), el("span", step.labels.at(-1)));
  const tips = el("div.ends", el("span", `up to ${amount(step.high, step.unit)}`), under);
  const fold = el(
    "details",
    el("summary", "Set each point"),
    ...knobs.map((knob, n) => el("label.knob", step.labels[n], knob)),
  );
  return el("div.curve", tips, paper, ends, fold);
}

function cellOf(step, mine, changed) {
  const place = (event, picture) => {
    const [x, y] = pointIn(event, picture);
    return [x / picture.clientWidth, y / picture.clientHeight];
  };
  const { node, picture, touch } = touched(step, mine, changed, place);
  picture.onpointerdown = (event) => {
    event.preventDefault();
    touch(event);
    drag(touch, () => {});
  };
  return node;
}

const talk = () => el("p.talk", "Nothing is sent. Say it aloud.");

export const INPUTS = {
  options: (...more) => radios("div.options", ...more),
  cells: (...more) => radios("div.words", ...more),
  word: vocabulary,
  number: amountOf,
  curve: lineOf,
  map: cellOf,
  talk,
};

/** What whoever rehearses answers with, on the board: where a press is a whole answer, by it alone. */
export function handIn(step, vote) {
  let isPressed = false; // by a hand; arrow keys go through answers that nobody means
  let draft;
  const go = el("button.go", { disabled: true, onclick: () => vote(draft) }, wanted(step));
  const input = INPUTS[step.kind](step, undefined, (value, words) => {
    if (isPressed && PRESSED.includes(step.kind)) return vote(value);
    draft = value;
    go.disabled = false;
    return write(go, `I say: ${words}`);
  });
  for (const kind of ["pointerdown", "keydown"])
    input.addEventListener(kind, () => (isPressed = kind === "pointerdown"), { capture: true });
  const onkeydown = (event) => event.key !== "Tab" && event.stopPropagation(); // no key of the teacher's
  return el("div.hand-in", { onkeydown }, input, ...(step.kind === "talk" ? [] : [go]));
}
