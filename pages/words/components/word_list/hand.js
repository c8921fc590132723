// A picture that a hand moves: the whole of it is a slider, which is dragged, or moved with the arrow keys.

import { el, put, svg, write } from "../../../../attention_view/lab.js";
import { drag, takesHold } from "../../../../attention_view/controls.js";

export const WIDE = 720; // of the drawing, which is scaled as a whole

/** What each picture has: draw() returns {shapes, said, spoken, slider: [name, value, least, most]}, move([x, y]) and
 * step(by, isUpright) change what it draws, and hold([x, y]), if there is one, hears where it is taken hold of. `lies`:
 * whether it is dragged sideways alone. */
export class Hand {
  constructor(high, lies = true) {
    this.drawing = svg(`svg.hand.${lies ? "lies" : "stands"}`, {
      viewBox: `0 0 ${WIDE} ${high}`,
      style: `--ratio: ${WIDE / high}`,
      role: "slider",
      tabindex: "0",
      onkeydown: (event) => this.press(event),
      onpointerdown: (event) => this.take(event),
    });
    this.said = el("p.law", { "aria-hidden": "true" });
    this.node = el("div.picture.moved", this.drawing, this.said);
  }

  /** Where in the drawing it is, which lies in the middle of its element. */
  pointed({ clientX, clientY }) {
    const { a, e, f } = this.drawing.getScreenCTM();
    return [(clientX - e) / a, (clientY - f) / a];
  }

  take(event) {
    if (!takesHold(event)) return;
    const go = (event) => (this.move(this.pointed(event)), this.place());
    this.hold?.(this.pointed(event));
    go(event);
    this.endDrag = drag(go, () => {});
  }

  press(event) {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.step(by, event.key === "ArrowUp" || event.key === "ArrowDown");
    this.place();
  }

  /** Draws it as it is now; once it is in the page, for it measures its words. */
  place() {
    const { shapes, said, slider, spoken = said } = this.draw();
    this.drawing.replaceChildren(...shapes.flat(3).filter(Boolean));
    const parts = ["label", "valuenow", "valuemin", "valuemax"].map((part, n) => [`aria-${part}`, slider[n]]);
    put(this.drawing, { ...Object.fromEntries(parts), "aria-valuetext": spoken });
    write(this.said, said);
  }

  /** Words in a row around the middle, measured: {shapes, middles}. texts: [[word, class], ...] */
  row(texts, y, size, gap = 0.28) {
    const shapes = texts.map(([word, kind = ""]) =>
      svg(kind ? `text.${kind}` : "text", { y, "font-size": size }, word),
    );
    this.drawing.append(...shapes); // where it is measured
    const widths = shapes.map((text) => text.getComputedTextLength());
    const gaps = texts.map(([word], n) => (!n || word === "." ? 0 : gap * size));
    let x = (WIDE - [...widths, ...gaps].reduce((sum, part) => sum + part, 0)) / 2;
    const middles = shapes.map((text, n) => {
      x += gaps[n];
      text.setAttribute("x", x.toFixed(1));
      x += widths[n];
      return x - widths[n] / 2;
    });
    return { shapes, middles };
  }
}

export const clamped = (x, least, most) => Math.max(least, Math.min(most, x));

/** A ribbon from one point down, or up, to another. */
export function ribbon([x1, y1], [x2, y2], width) {
  const half = (y1 + y2) / 2;
  return svg("path.ribbon", { d: `M${x1} ${y1}C${x1} ${half} ${x2} ${half} ${x2} ${y2}`, "stroke-width": width });
}
