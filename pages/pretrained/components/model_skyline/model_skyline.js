// Models as outlines in one scale, filled as far as they are on this server. Whoever presses one reads what it is
// for, in the line above all of them, and has one button.

import { el, mirror, mount, param, put, svg, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { headsOf, outline, spoken } from "./plan.js";

const [WIDE, TALL] = [2.5, 2]; // to a head and to a layer of an outline

class ModelSkyline {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("pretrained_shown", this.models[this.chosen]?.title ?? null));
    this.title = el("h2");
    this.about = el("span.why");
    this.act = el("button.act", { onclick: () => this.press() });
    this.list = el("div.list", { role: "radiogroup", "aria-label": "Models" });
    this.list.onkeydown = (event) => this.step(event);
    const line = el("div.line", el("p.about", { "aria-live": "polite" }, this.title, this.about), this.act);
    root.replaceChildren(line, this.list);
  }

  update({ models, refused }, { setTriggerValue }) {
    this.press = () => setTriggerValue("press", this.chosen);
    const isFirst = !this.models;
    Object.assign(this, { models, refused });
    if (isFirst) this.chosen = models.findIndex(({ title }) => title === param("pretrained_shown"));
    this.chosen = Math.min(this.chosen, models.length - 1);
    const made = JSON.stringify(
      models.map(({ title, stacks, is_here: here, arrived }) => [title, stacks, here, arrived]),
    );
    if (made !== this.made) {
      this.made = made;
      const focused = this.list.contains(this.root.getRootNode().activeElement);
      this.list.replaceChildren(...models.map((model, n) => this.item(model, n)));
      if (focused) this.list.children[Math.max(0, this.chosen)].focus();
    }
    this.show();
  }

  item(model, n) {
    const boxes = outline(model, WIDE, TALL);
    const { x, width } = boxes.at(-1);
    const tall = Math.max(...boxes.map(({ height }) => height));
    const picture = svg("svg", {
      viewBox: `-1 -1 ${x + width + 2} ${tall + 2}`,
      style: `--wide: ${x + width + 2}`,
      "aria-hidden": "true",
    });
    const share = model.is_here ? 1 : (model.arrived ?? 0);
    for (const box of boxes) {
      const y = tall - box.height;
      const full = box.height * share;
      picture.append(svg("rect.here", { ...box, height: full, y: tall - full }), svg("rect.not-here", { ...box, y }));
    }
    const label = [model.title, spoken(model), model.is_here ? "" : "not on this server yet"];
    return el(
      "button",
      { role: "radio", "aria-label": label.filter(Boolean).join(", "), onclick: () => this.choose(n) },
      picture,
      el("b", model.title),
      el("small", `${headsOf(model)} heads`),
    );
  }

  choose(n) {
    this.chosen = n;
    this.show();
    this.link.later();
  }

  step(event) {
    const to = inRow(event, Math.max(0, this.chosen), this.models.length);
    if (to === null) return;
    this.choose(to);
    this.list.children[to].focus();
  }

  show() {
    const one = this.models[this.chosen];
    [...this.list.children].forEach((item, n) => {
      const isChosen = n === this.chosen;
      put(item, { "aria-checked": String(isChosen), tabindex: isChosen || (!one && n === 0) ? "0" : "-1" });
    });
    const drawn = "to one scale; those already here are filled in";
    const all = `: ${this.models.length} published ones, ${drawn}. ${this.refused}`;
    write(this.title, one ? one.title : "Or open a whole model");
    write(this.about, one ? `: ${one.facts}. ${one.why} ${one.note || (one.does ? "" : this.refused)}` : all);
    write(this.act, one?.says ?? "");
    this.act.hidden = !one;
    this.act.disabled = !one?.does;
  }
}

export default mount(".model-skyline", ModelSkyline);
