// A published model, large: a cell per head, a row per layer, filled where it is on this server. Below it stand the
// others, and a lot for one's own, as outlines in one scale. Whoever presses one sees it large, and has one button.

import {
  boxOf,
  el,
  fromBase64,
  mirror,
  mount,
  param,
  put,
  rewrite,
  rgb,
  strength,
  svg,
  theme,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { cells, headsOf, outline, plan } from "./plan.js";

const NARROW = 700; // pixels, below which what is said stands above the model
const SIDE = 410; // pixels for what is said, beside it
const AROUND = 300; // pixels above and below the large model
const [WIDE, TALL] = [2.5, 2]; // pixels to a head and to a layer of an outline

class ModelSkyline {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("pretrained_shown", this.models[this.chosen].title, this.models[this.usual].title));
    this.title = el("h2");
    this.facts = el("p.quiet");
    this.why = el("p.why");
    this.act = el("button.primary", { onclick: () => this.press() });
    this.note = el("p.note");
    this.about = el("div.about", { "aria-live": "polite" }, this.title, this.facts, this.why, this.act, this.note);
    this.drawing = svg("svg.large", { "aria-hidden": "true" });
    this.maps = el("canvas.maps", { "aria-hidden": "true" });
    this.axis = el("p.axis");
    this.stage = el("div.stage", this.about, el("div.drawn", el("div.cells", this.drawing, this.maps), this.axis));
    this.list = el("div.list", { role: "radiogroup", "aria-label": "Models" });
    this.list.onkeydown = (event) => this.step(event);
    root.replaceChildren(this.stage, this.list);
    this.resized = () => this.models && this.show();
  }

  update({ models }, { setTriggerValue }) {
    this.press = () => setTriggerValue("press", this.chosen);
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
    this.chosen = n;
    this.show();
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
    rewrite(this.facts, ...[spoken(one), one.facts].filter(Boolean).map((line) => el("span", line)));
    write(this.why, one.why);
    write(this.act, one.says);
    this.act.disabled = !one.does;
    write(this.note, one.note);
    this.draw(one);
  }

  draw(one) {
    const { width } = boxOf(this.root);
    if (!width) return;
    const isNarrow = width < NARROW;
    const room = [isNarrow ? width : width - SIDE, isNarrow ? 210 : Math.max(240, windowHeight(this.root) - AROUND)];
    const { pitch, rise, width: wide, height, stacks } = plan(one, ...room);
    put(this.drawing, { viewBox: `0 0 ${wide} ${height}`, width: wide, height });
    const parts = stacks.flatMap((stack) => {
      const all = stack.layers * stack.heads;
      const arrived = one.is_here ? all : Math.floor(all * (one.arrived ?? 0));
      const path = (name, ...ends) => svg(name, { d: cells(stack, height, pitch, rise, ...ends) });
      return [path("path.here", 0, arrived), path(headsOf(one) ? "path.not-here" : "path.empty", arrived, all)];
    });
    this.drawing.replaceChildren(...parts, ...(headsOf(one) ? [] : [plus(wide / 2, height / 2)]));
    this.maps.hidden = !one.maps;
    if (one.maps) this.paint(one, { pitch, rise, wide, height });
    write(this.axis, headsOf(one) ? legend(one) : "");
  }

  /** What each head looks at, in its own cell: a row per token that looks, the first layer at the bottom. */
  paint({ stacks, maps, n }, { pitch, rise, wide, height }) {
    const bytes = fromBase64(maps);
    const sharp = devicePixelRatio * (this.root.currentCSSZoom ?? 1);
    Object.assign(this.maps, { width: wide * sharp, height: height * sharp });
    put(this.maps, { style: `width:${wide}px;height:${height}px` });
    const [[, heads]] = stacks;
    const [pen, steps] = [this.maps.getContext("2d"), shades(this.root)];
    const [left, down] = [(pitch - Math.max(1, pitch / 9)) / n, (rise - Math.max(1, rise / 9)) / n];
    pen.scale(sharp, sharp);
    bytes.forEach((weight, i) => {
      const [head, cell] = [Math.floor(i / n ** 2), i % n ** 2];
      const x = pitch * (head % heads) + left * (cell % n);
      const y = height - rise * (Math.floor(head / heads) + 1) + Math.max(1, rise / 9) + down * Math.floor(cell / n);
      pen.fillStyle = steps[weight];
      pen.fillRect(x, y, left + 0.3, down + 0.3);
    });
  }
}

/** The colour of each byte of a weight, from that of the panel to that of attention weights. */
function shades(root) {
  const colour = theme(root);
  const [panel, weight] = [rgb(colour("panel")), rgb(colour("weight"))];
  return Array.from({ length: 256 }, (_, n) => {
    const share = strength(n / 255);
    return `rgb(${[0, 1, 2].map((c) => Math.round(panel[c] + share * (weight[c] - panel[c])))})`;
  });
}

function legend({ stacks, is_here: here, text }) {
  if (text) return `Each square is one head, and what it looks at in “${text}”`;
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
