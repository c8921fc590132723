// A published model, large: a cell per head, a row per layer, filled where it is on this server; with what its heads
// look at in a sentence, where that was recorded (wall.js). Beside it stand all of them, and a lot for one's own, as
// outlines in one scale. Whoever presses one sees it large, and has one button.

import {
  boxOf,
  el,
  mirror,
  mount,
  param,
  put,
  rewrite,
  svg,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { drawnIn, inRow } from "../../../../attention_view/controls.js";
import { cells, headsOf, outline, plan } from "./plan.js";
import { Wall } from "./wall.js";

const NARROW = 700; // pixels, below which the others stand below the model
const SIDE = 0.335; // of the width, for the others beside it
const [LEFT, TOP] = [66, 24]; // pixels for the names of layers and of heads
const AROUND = 252; // pixels above and below the large model,
const READING = 98; // and of the sentence that it reads
const [WIDE, TALL] = [2.5, 2]; // to a head and to a layer of an outline
const UPLOADER = ".st-key-own-upload input[type=file]"; // of the page
const ROOM = 16; // pixels from one name of a layer or a head to the next, at least

class ModelSkyline {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      const one = this.models[this.chosen];
      put("pretrained_shown", one.title, this.models[this.usual].title);
      put("pretrained_lit", one.maps ? this.lit : null, one.opens);
    });
    this.lit = wholeParam("pretrained_lit");
    this.isAsked = this.lit !== null || param("pretrained_shown") !== null; // by a link
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.wall = new Wall(() => this.light());
    this.title = el("h2");
    this.facts = el("span");
    this.act = el("button.primary", { onclick: () => this.begin() });
    this.note = el("p.note");
    this.about = el("div.about", this.title, this.facts, this.note);
    this.drawing = svg("svg.large", { "aria-hidden": "true" });
    this.list = el("div.list", { role: "radiogroup", "aria-label": "Models" });
    this.list.onkeydown = (event) => this.step(event);
    const drawn = el("div.drawn", el("div.cells", this.drawing, this.wall.maps, this.wall.heads), this.about);
    const others = el("div.others", el("p.quiet", "Choose a model. All are drawn to one scale."), this.list);
    const headline = el("div.headline", this.finding, this.act);
    root.replaceChildren(headline, this.wall.sentence, el("div.stage", drawn, others));
    this.resized = () => this.models && this.show();
  }

  /** Do what the button says. A file is chosen at once, in the browser's own window, while the fold for it opens. */
  begin() {
    if (this.models[this.chosen].does === "file") document.querySelector(UPLOADER)?.click();
    this.press();
  }

  update({ models }, { setTriggerValue }) {
    this.press = () => setTriggerValue("press", this.chosen);
    const isFirst = !this.models;
    this.models = models;
    this.usual = Math.max(
      0,
      models.findIndex(({ is_here: here }) => here),
    );
    const asked = models.findIndex(({ title }) => title === param("pretrained_shown"));
    this.chosen ??= asked < 0 ? this.usual : asked;
    this.chosen = Math.min(this.chosen, models.length - 1);
    const made = JSON.stringify(models.map(({ title, stacks, is_here: here }) => [title, stacks, here]));
    if (made !== this.made) {
      this.made = made;
      const focused = this.list.contains(this.root.getRootNode().activeElement);
      this.list.replaceChildren(...models.map((model, n) => this.item(model, n)));
      if (focused) this.list.children[this.chosen].focus();
    }
    this.show();
    if (isFirst && !this.isAsked && this.models[this.chosen].maps) this.endBeat = drawnIn(this.root, "skyline");
  }

  destroy() {
    this.endBeat?.();
  }

  // ---- the list ----------------------------------------------------------------------------------------------

  item(model, n) {
    const boxes = outline(model, WIDE, TALL);
    const { x, width } = boxes.at(-1);
    const tall = Math.max(...boxes.map(({ height }) => height));
    const heads = headsOf(model);
    const kind = !heads ? "empty" : model.is_here ? "here" : "not-here";
    const rects = boxes.map((box) => svg(`rect.${kind}`, { ...box, y: tall - box.height }));
    const picture = svg("svg", {
      viewBox: `-1 -1 ${x + width + 2} ${tall + 2}`,
      style: `--wide: ${x + width + 2}`,
      "aria-hidden": "true",
    });
    picture.append(...rects);
    const label = [model.title, spoken(model), model.is_here || !heads ? "" : "not on this server yet"];
    return el(
      "button",
      { role: "radio", "aria-label": label.filter(Boolean).join(", "), onclick: () => this.choose(n) },
      picture,
      el("b", model.title),
      el("small", heads ? `${heads} heads` : "any size"),
    );
  }

  choose(n) {
    if (n === this.chosen) return;
    Object.assign(this, { chosen: n, lit: null });
    this.show();
    this.link.later();
  }

  /** Another head of the model is lit. */
  light() {
    this.endBeat?.();
    this.lit = this.wall.lit;
    rewrite(this.finding, ...this.wall.told());
    this.mark();
    this.link.later();
  }

  step(event) {
    const to = inRow(event, this.chosen, this.models.length);
    if (to === null) return;
    this.choose(to);
    this.list.children[to].focus();
  }

  // ---- the large model --------------------------------------------------------------------------------------------

  /** What the chosen model is, its heads, and its button. */
  show() {
    const one = this.models[this.chosen];
    [...this.list.children].forEach((item, n) => {
      put(item, { "aria-checked": String(n === this.chosen), tabindex: n === this.chosen ? "0" : "-1" });
    });
    write(this.title, one.title);
    const why = headsOf(one) ? ` ${one.why}${legend(one)}` : ""; // of an empty lot, the headline says that
    write(this.facts, `: ${one.facts}.${why}`);
    write(this.act, one.says);
    this.act.disabled = !one.does;
    write(this.note, one.note);
    this.draw(one);
  }

  draw(one) {
    const { width } = boxOf(this.root);
    if (!width) return;
    const isNarrow = width < NARROW;
    const tall = windowHeight(this.root) - AROUND - (one.maps ? READING : TOP);
    const room = [(isNarrow ? width : width * (1 - SIDE)) - LEFT, isNarrow ? 210 : Math.max(240, tall)];
    // Maps are square: rows and columns are the same tokens.
    if (one.maps) room[0] = Math.min(room[0], (room[1] / one.stacks[0][0]) * one.stacks[0][1]);
    const { pitch, rise, width: wide, height, stacks } = plan(one, ...room);
    put(this.drawing, { viewBox: `0 0 ${wide} ${height}`, width: wide, height });
    const parts = stacks.flatMap((stack) => {
      const all = stack.layers * stack.heads;
      const arrived = one.is_here ? all : Math.floor(all * (one.arrived ?? 0));
      const path = (name, ...ends) => svg(name, { d: cells(stack, height, pitch, rise, ...ends) });
      return [path("path.here", 0, arrived), path(headsOf(one) ? "path.not-here" : "path.empty", arrived, all)];
    });
    this.names = headsOf(one) ? namesOf(one, stacks, { pitch, rise, height }) : [];
    this.drawing.replaceChildren(...parts, ...this.names, ...(headsOf(one) ? [] : [plus(wide / 2, height / 2)]));
    const { maps, heads, sentence } = this.wall;
    for (const node of [maps, heads, sentence]) node.hidden = !one.maps;
    if (one.maps) {
      this.lit = this.lit < headsOf(one) ? this.lit : null;
      this.wall.show(one, this.lit, { pitch, rise, width: wide, height });
      this.lit = this.wall.lit;
      this.mark();
    }
    rewrite(
      this.finding,
      ...(one.maps ? this.wall.told() : [headsOf(one) ? `${one.title} has ${spoken(one)}.` : one.why]),
    );
  }

  /** The names of the layer and of the head that is lit are in ink. */
  mark() {
    const [[, heads]] = this.models[this.chosen].stacks;
    const lit = [`layer ${Math.floor(this.lit / heads)}`, `head ${this.lit % heads}`];
    for (const name of this.names) name.classList.toggle("on", lit.includes(name.dataset.names));
  }
}

/** What a mark is, unless it is a square with a map in it. */
function legend({ stacks, is_here: here, text }) {
  if (text) return "";
  const back = stacks.filter(([, , looksBack]) => looksBack).length;
  const mark = back === stacks.length ? "Each triangle is one head, which only looks back" : "Each square is one head";
  const other = back && back < stacks.length ? "; each triangle is one that only looks back" : "";
  return ` ${mark}${other}.${here ? "" : " Outlined: not on this server yet."}`;
}

/** The names beside the rows, which are layers, and above the columns, which are heads; or above several
 * stacks. */
function namesOf({ stacks: all }, stacks, { pitch, rise, height }) {
  const name = (kind, words, x, y, names) => svg(`text.${kind}`, { x, y, "data-names": names }, words);
  const every = (length, gap) => {
    const step = gap < ROOM ? 5 : 1;
    return Array.from({ length: Math.ceil(length / step) }, (_, n) => n * step);
  };
  const layer = (n) => name("end", `layer ${n}`, -10, height - rise * (n + 0.45) + 5, `layer ${n}`);
  const head = (n) => name("middle", n, pitch * (n + 0.45), -9, `head ${n}`);
  const whole = ({ x, heads }, n) => name("middle", WHOLES[n], x + (pitch * heads) / 2, -9);
  const above =
    stacks.length > 1 ? stacks.map(whole) : [name("end", "head", -10, -9), ...every(all[0][1], pitch / 1.6).map(head)];
  return [...every(Math.max(...all.map(([count]) => count)), rise).map(layer), ...above];
}

const plus = (x, y) => svg("path.plus", { d: `M${x - 26} ${y}h52M${x} ${y - 26}v52` });

const WHOLES = ["encoder", "decoder to encoder", "decoder"];
/** "72 heads: 12 in each of 6 layers"; of an encoder and its decoder which groups there are. */
function spoken(one) {
  if (!one.stacks.length) return "";
  const [[layers, heads]] = one.stacks;
  const groups = `in ${one.stacks.length} groups: ${WHOLES.join(", ")}`;
  return `${headsOf(one)} heads${one.stacks.length > 1 ? ` ${groups}` : `: ${heads} in each of ${layers} layers`}`;
}

export default mount(".model-skyline", ModelSkyline);
