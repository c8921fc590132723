// Doors that stand in a scene while the model is whole: an arrow beside each part that a page is about, in a ring that
// closes as the page's questions are solved.

import { el } from "../../../attention_view/lab.js";
import { project, WHOLE } from "../../../attention_view/scene_camera.js";

const NAME_LEFT = 0; // pixels from the left edge of a stack to the middle of a mark, before what a part is called
const NAME_RIGHT = 96; // and behind it
const HEADS_LEFT = 22; // pixels from the heads, to the left of them

export class Marks {
  /** Marks over the canvas of a scene. */
  constructor(scene) {
    scene.seen = (view) => this.place(view);
    this.node = el("nav.marks", { "aria-label": "Pages about the parts of this model" });
    this.filled = () => this.fill();
    window.addEventListener("attention-lab-progress", this.filled);
  }

  destroy() {
    window.removeEventListener("attention-lab-progress", this.filled);
  }

  /** marks: {at, page, number, title, question}, from the bottom of the scene to its top. */
  show(marks) {
    this.links = marks.map((mark) => [
      mark,
      el("a.mark", { href: `./${mark.page}`, target: "_self", "data-name": mark.title }, "↗"),
    ]);
    this.node.replaceChildren(...this.links.map(([, link]) => link));
    this.fill();
  }

  /** How much of each page is solved. */
  fill() {
    for (const [{ page, number, title, question }, link] of this.links ?? []) {
      const { solved, total } = window.attentionLabProgress?.of(page) ?? { solved: 0, total: 0 };
      const told = total ? ` ${solved} of ${total} questions solved.` : "";
      link.style.setProperty("--solved", total ? solved / total : 0);
      link.dataset.solved = `${solved}/${total}`;
      link.title = `${number}. ${title}: ${question}${told}`;
      link.setAttribute("aria-label", link.title);
    }
  }

  /** Puts each mark where its part is on the screen; away with those whose part is not there. */
  place({ geometry, camera, numbers }) {
    this.node.hidden = camera.k > WHOLE || geometry.isNarrow;
    if (this.node.hidden) return;
    for (const [{ at }, link] of this.links ?? []) {
      const point = spotOf(at, geometry, numbers);
      link.hidden = !point;
      if (!point) continue;
      const { x, y } = project({ x: point[0], y: point[1], w: 0, h: 0 }, camera, geometry);
      link.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
    }
  }
}

/** Where the mark of a part stands in the world; null where this model has no such part, or no room for its name. */
function spotOf(at, geometry, numbers) {
  const [first, last] = [geometry.sides[0], geometry.sides.at(-1)];
  const middle = (box) => box.y + box.h / 2;
  const heads = (l) => {
    const [one, other] = [0, numbers.H - 1].map((h) => geometry.head(l, h));
    return [one.x - HEADS_LEFT, (one.y + other.y + other.h) / 2];
  };
  const below = (side, l) => {
    const [keys, queries] = side.threads(l);
    return [side.from + NAME_LEFT, (keys + queries) / 2 + 9];
  };
  if (at === "words") return [first.from + NAME_LEFT, middle(first.strip(0, 0))];
  if (at === "start") return [first.from + NAME_RIGHT, middle(first.strip(0, 0))];
  if (at === "attention") return below(first, first.L - 1);
  if (at === "heads") return heads(numbers.L - 1);
  if (at === "masks") {
    const l = numbers.L - Math.min(2, numbers.L);
    return numbers.part(l).isCausal && l < numbers.L - 1 ? heads(l) : null;
  }
  if (at === "forward") return first.tall > 70 ? [first.from + NAME_LEFT, middle(first.forward(first.L - 1, 0))] : null;
  if (at === "out" && first === last) return [last.from + NAME_LEFT, last.strip(last.L, 0).y + 6];
  if (at === "cross") return geometry.sides.length > 1 ? below(last, last.L - 1) : null;
  return null;
}
