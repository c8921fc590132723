// Draws pages/shared/model_map.py. Every block can be pointed at and reached with Tab; blocks with a page open it.

import { el, mount, svg } from "../../../../attention_view/lab.js";

const BOX = 58;

class ModelMap {
  constructor(root) {
    this.root = root;
    this.say = el("p", { class: "say" });
    this.scroll = el("div", { class: "scroll" });
    root.replaceChildren(this.scroll, this.say);
  }

  update({ width, height, blocks, frames, arrows, alt, hint }, { setTriggerValue }) {
    this.hint = hint;
    this.say.textContent = hint;
    this.open = (page) => setTriggerValue("open", page);
    const tip = svg("path", { d: "M0 0 L6 3 L0 6 z", class: "head" });
    const marker = {
      id: "head",
      viewBox: "0 0 6 6",
      refX: 5,
      refY: 3,
      markerWidth: 6,
      markerHeight: 6,
      orient: "auto",
    };
    this.scroll.replaceChildren(
      svg(
        "svg",
        { viewBox: `-3 0 ${width + 6} ${height}`, role: "group", "aria-label": alt },
        svg("defs", {}, svg("marker", marker, tip)),
        ...frames.flatMap(({ x, y, width: w, height: h, label }) => [
          svg("rect", { x, y, width: w, height: h, rx: 14, class: "frame" }),
          svg("text", { x: x + 16, y: y + 21, class: "small" }, label),
        ]),
        ...arrows.map((d) => svg("path", { d, class: "arrow", "marker-end": "url(#head)" })),
        ...blocks.map((block) => this.block(block)),
      ),
    );
  }

  block({ x, y, width, label, shape, help, colour, page }) {
    const say = (text) => (this.say.textContent = text);
    const middle = x + width / 2;
    const door = page && {
      onclick: () => this.open(page),
      onkeydown: (event) => event.key === "Enter" && this.open(page),
    };
    return svg(
      "g",
      {
        tabindex: 0,
        role: page ? "link" : "img",
        "aria-label": `${label}, ${shape}. ${help}`,
        class: `block ${colour} ${page ? "door" : ""}`,
        onpointerenter: () => say(help),
        onfocus: () => say(help),
        onpointerleave: () => say(this.hint),
        onblur: () => say(this.hint),
        ...door,
      },
      svg("rect", { x, y, width, height: BOX, rx: 9 }),
      svg("text", { x: middle, y: y + 25, class: "label" }, label),
      svg("text", { x: middle, y: y + 44, class: "small" }, shape),
    );
  }
}

export default mount(".model-map", ModelMap);
