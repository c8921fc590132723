// Published models as they are: a cell per head, a row per layer, all on one ground and in one scale. A filled model is
// on this server, a hollow one is not yet. Whoever chooses one reads what it is, and has one button for it.

import { el, mirror, mount, param, svg } from "../../../../attention_view/lab.js";
import { cells, headsOf, plan } from "./plan.js";

const HEIGHTS = [6, 12, 30]; // layers at which a line runs behind the models

class ModelSkyline {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("pretrained_shown", this.models[this.chosen].title, this.models[this.usual].title));
    this.drawing = svg("svg", { role: "radiogroup", "aria-label": "Models, a cell per head" });
    this.about = el("div.about", { "aria-live": "polite" });
    this.legend = el("p.legend");
    root.replaceChildren(this.about, this.drawing, this.legend);
    this.drawing.onkeydown = (event) => this.step(event);
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
    this.width = 0;
    this.resized();
  }

  resized() {
    const width = this.root.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    this.draw();
    this.show();
  }

  draw() {
    const { models, width } = this;
    this.plan = plan(models, width);
    const { height, rows } = this.plan;
    this.root.classList.toggle("in-rows", rows.length > 1);
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const [behind, lots] = [[], []];
    for (const row of rows) {
      behind.push(...this.ground(row));
      for (const lot of row.lots) lots[lot.n] = this.model(lot, row.ground);
    }
    const focused = this.lots?.includes(this.root.getRootNode().activeElement);
    this.lots = lots;
    this.drawing.replaceChildren(...behind, ...lots);
    if (focused) lots[this.chosen].focus();
    this.legend.replaceChildren(...this.kinds());
  }

  /** The ground of a row, and how many layers a height means. */
  ground({ ground, lots }) {
    const { rise, left } = this.plan;
    const most = Math.max(...lots.flatMap(({ stacks }) => stacks.map(({ layers }) => layers)));
    const lines = HEIGHTS.filter((layers) => layers <= most).flatMap((layers) => {
      const y = ground - rise * layers;
      const name = svg("text.layers.end", { x: left - 8, y: y + 4 }, String(layers));
      return [svg("line.height", { x1: left - 4, x2: this.width, y1: y, y2: y }), name];
    });
    const name = svg("text.layers", { x: 0, y: ground - rise * most - 12 }, "layers");
    return [...lines, name, svg("line.ground", { x1: left - 4, x2: this.width, y1: ground + 1, y2: ground + 1 })];
  }

  model(lot, ground) {
    const { pitch, rise } = this.plan;
    const { n, x, width, middle, stacks } = lot;
    const one = this.models[n];
    const top = ground - rise * Math.max(...stacks.map(({ layers }) => layers));
    const heads = headsOf(one);
    const touch = { x: Math.min(x, middle - lot.lot / 2) - 6, y: top - 26, height: ground - top + 74 };
    const parts = [svg("rect.touch", { ...touch, width: Math.max(width, lot.lot) + 12, rx: 10 })];
    for (const stack of stacks) {
      const all = stack.layers * stack.heads;
      const arrived = one.is_here ? all : Math.floor(all * (one.arrived ?? 0));
      const draw = (name, ...ends) => svg(name, { d: cells(stack, ground, pitch, rise, ...ends) });
      parts.push(draw("path.here", 0, arrived), draw("path.not-here", arrived, all));
    }
    parts.push(heads ? roof(heads, middle, top) : plus(middle, (top + ground) / 2));
    parts.push(svg("text.name.middle", { x: middle, y: ground + 21 }, one.title));
    parts.push(svg("text.shape.middle", { x: middle, y: ground + 39 }, shapeOf(one) || "any size"));
    const label = [one.title, spoken(one), one.is_here || !heads ? "" : "not on this server yet"];
    return svg(
      `g.model${heads ? "" : ".empty"}`,
      {
        role: "radio",
        "aria-label": label.filter(Boolean).join(", "),
        onclick: () => this.choose(n),
        onfocus: () => this.choose(n),
      },
      ...parts,
    );
  }

  kinds() {
    const mark = (name, back) =>
      svg("svg", { width: 13, height: 13, "aria-hidden": "true" }, svg(name, { d: cells(ONE(back), 13, 14, 14) }));
    return [
      [mark("path.here"), "one head"],
      [mark("path.here", true), "one that only looks back"],
      [mark("path.not-here"), "not on this server yet"],
    ]
      .map(([drawn, says]) => el("span", drawn, says))
      .concat(el("span", "below each name: layers × heads"));
  }

  choose(n) {
    if (n === this.chosen) return;
    this.chosen = n;
    this.show();
    this.link.later();
  }

  step(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.lots[(this.chosen + by + this.lots.length) % this.lots.length].focus();
  }

  /** What the chosen model is, and its button. */
  show() {
    for (const [n, lot] of this.lots.entries()) {
      lot.setAttribute("aria-checked", String(n === this.chosen));
      lot.setAttribute("tabindex", n === this.chosen ? "0" : "-1");
    }
    const { title, facts, why, says, does, note } = this.models[this.chosen];
    this.about.replaceChildren(
      el("h2", title),
      el("p.quiet", [spoken(this.models[this.chosen]), facts].filter(Boolean).join(" · ")),
      el("p.why", why),
      el("button.act", { disabled: !does, onclick: () => this.press() }, says),
      el("p.note", note),
    );
  }
}

const roof = (heads, x, top) => svg("text.heads.middle", { x, y: top - 9 }, String(heads), svg("tspan.unit", " heads"));

const plus = (x, y) => svg("path.plus", { d: `M${x - 11} ${y}h22M${x} ${y - 11}v22` });

const ONE = (back = false) => ({ x: 0, layers: 1, heads: 1, back });

/** "6 × 12", layers by heads; "3 × 6 × 8" for three stacks of the same. */
function shapeOf({ stacks }) {
  const shapes = stacks.map(([layers, heads]) => `${layers} × ${heads}`);
  const alike = new Set(shapes).size === 1 && shapes.length > 1;
  return alike ? `${shapes.length} × ${shapes[0]}` : shapes.join(" + ");
}

const PLACES = [" in the encoder", " from decoder to encoder", " in the decoder"];

/** "72 heads: 6 layers of 12"; of an encoder and its decoder also where. */
function spoken({ stacks, ...one }) {
  const place = (n) => (stacks.length > 1 ? PLACES[n] : "");
  const each = stacks.map(([layers, heads], n) => `${layers} layers of ${heads}${place(n)}`);
  return stacks.length ? `${headsOf({ stacks, ...one })} heads: ${each.join(", ")}` : "";
}

export default mount(".model-skyline", ModelSkyline);
