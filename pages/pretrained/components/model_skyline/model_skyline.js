// A published model, large: a cell per head, a row per layer, filled where it is on this server; with what its heads
// look at in a sentence, where that was recorded (wall.js). Below it stand the others, and a lot for one's own, as
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

const NARROW = 700; // pixels, below which what is said stands above the model
const SIDE = 410; // pixels for what is said, beside it
const AROUND = 346; // pixels above and below the large model,
const READING = 98; // and of the sentence that it reads
const [WIDE, TALL] = [2.5, 2]; // pixels to a head and to a layer of an outline

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
    this.facts = el("p.quiet");
    this.why = el("p.why");
    this.act = el("button.primary", { onclick: () => this.press() });
    this.note = el("p.note");
    this.about = el("div.about", this.title, this.facts, this.why, this.note);
    this.drawing = svg("svg.large", { "aria-hidden": "true" });
    this.axis = el("p.axis");
    this.stage = el(
      "div.stage",
      this.about,
      el("div.drawn", el("div.cells", this.drawing, this.wall.maps, this.wall.heads), this.axis),
    );
    this.list = el("div.list", { role: "radiogroup", "aria-label": "Models" });
    this.list.onkeydown = (event) => this.step(event);
    const headline = el("div.headline", this.finding, this.act);
    root.replaceChildren(headline, this.wall.sentence, this.stage, this.list);
    this.resized = () => this.models && this.show();
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

  // ---- the thin list ----------------------------------------------------------------------------------------------

  item(model, n) {
    const boxes = outline(model, WIDE, TALL);
    const { x, width } = boxes.at(-1);
    const tall = TALL * 30;
    const heads = headsOf(model);
    const kind = !heads ? "empty" : model.is_here ? "here" : "not-here";
    const rects = boxes.map((box) => svg(`rect.${kind}`, { ...box, y: tall - box.height }));
    const picture = svg("svg", {
      viewBox: `-1 -1 ${x + width + 2} ${tall + 2}`,
      width: x + width + 2,
      height: tall + 2,
    });
    put(picture, { "aria-hidden": "true" });
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
    const facts = [one.maps ? spoken(one) : "", one.facts]; // without maps, the headline says how many heads it has
    rewrite(this.facts, ...facts.filter(Boolean).map((line) => el("span", line)));
    write(this.why, one.maps || headsOf(one) ? one.why : "");
    write(this.act, one.says);
    this.act.disabled = !one.does;
    write(this.note, one.note);
    this.draw(one);
  }

  draw(one) {
    const { width } = boxOf(this.root);
    if (!width) return;
    const isNarrow = width < NARROW;
    const tall = windowHeight(this.root) - AROUND - (one.maps ? READING : 0);
    const room = [isNarrow ? width : width - SIDE, isNarrow ? 210 : Math.max(240, tall)];
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
    this.drawing.replaceChildren(...parts, ...(headsOf(one) ? [] : [plus(wide / 2, height / 2)]));
    const { maps, heads, sentence } = this.wall;
    for (const node of [maps, heads, sentence]) node.hidden = !one.maps;
    if (one.maps) {
      this.lit = this.lit < headsOf(one) ? this.lit : null;
      this.wall.show(one, this.lit, { pitch, rise, width: wide, height });
      this.lit = this.wall.lit;
    }
    rewrite(
      this.finding,
      ...(one.maps ? this.wall.told() : [headsOf(one) ? `${one.title} has ${spoken(one)}.` : one.why]),
    );
    write(this.axis, headsOf(one) ? legend(one) : "");
  }
}

function legend({ stacks, is_here: here, text }) {
  if (text) return "Each square is one head reading this sentence. Press another.";
  const back = stacks.filter(([, , looksBack]) => looksBack).length;
  const mark = back === stacks.length ? "Each triangle is one head, which only looks back" : "Each square is one head";
  const other = back && back < stacks.length ? "; each triangle one that only looks back" : "";
  return `${mark}${other}${here ? "" : ". Outlined: not on this server yet"}`;
}

const plus = (x, y) => svg("path.plus", { d: `M${x - 26} ${y}h52M${x} ${y - 26}v52` });

const PLACES = [" in the encoder", " from decoder to encoder", " in the decoder"];

/** "72 heads: 6 layers of 12"; of an encoder and its decoder also where. */
function spoken({ stacks, ...one }) {
  const place = (n) => (stacks.length > 1 ? PLACES[n] : "");
  const each = stacks.map(([layers, heads], n) => `${layers} layers of ${heads}${place(n)}`);
  return stacks.length ? `${headsOf({ stacks, ...one })} heads: ${each.join(", ")}` : "";
}

export default mount(".model-skyline", ModelSkyline);
