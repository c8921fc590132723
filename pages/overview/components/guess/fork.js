// Before the guess: the stream of the last token goes on from the model, and forks to each word that may come.

import { boxOf, svg } from "../../../../attention_view/lab.js";

const RAIL = 10; // pixels above the model at which the stream forks

/** A stem at x that rises from `low` to `rail`, and from there a branch to each card: {x, y} is its foot's middle. */
export const forkOf = (x, cards, { low, rail }) => [
  `M${x} ${low}V${rail}`,
  cards.map((card) => `M${x} ${rail}H${card.x}V${card.y}`).join(""),
];

export class Fork {
  constructor() {
    this.node = svg("svg.fork", { "aria-hidden": "true" });
  }

  /** From the last column of a scene up to the cards, where `top`, which holds these, stands over it; else none. */
  draw(scene, top, isOver) {
    const { geometry, canvas } = scene;
    const cards = [...top.querySelectorAll("button.column")];
    this.node.replaceChildren();
    const isDrawn = canvas.clientWidth && geometry && !geometry.isNarrow; // at first it has no size
    if (!isOver || scene.isTold || !isDrawn || !cards.length) return;
    const feet = cards.map(({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) => ({
      x: offsetLeft + offsetWidth / 2,
      y: offsetTop + offsetHeight,
    }));
    const low = top.offsetHeight;
    const stretch = boxOf(canvas).width / canvas.clientWidth; // a canvas is whole pixels wide
    const x = Math.round(stretch * geometry.column(geometry.T - 1));
    const [stem, branches] = forkOf(x, feet, { low, rail: low - RAIL });
    this.node.append(svg("path", { d: branches }), svg("path.stem", { d: stem }));
  }
}
