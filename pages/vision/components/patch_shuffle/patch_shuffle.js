// Two pictures of the same patches, and below or beside them a row per model: its answers to the shuffled one as bars,
// those to the picture as it is as outlines.

import { el, mount, unpack } from "../../../../attention_view/lab.js";
import { show } from "../../../../lab/kit/components/patches.js";
import { questionOf } from "../answers.js";

class PatchShuffle {
  constructor(root) {
    this.root = root;
    this.pictures = [
      ["as it is", "before"],
      ["shuffled", "after"],
    ].map(([name, key]) => ({ name, key, canvas: el("canvas", { role: "img", "aria-label": `the picture ${name}` }) }));
    this.models = el("div.models");
    root.replaceChildren(
      el(
        "div.stage",
        el("div.pictures", ...this.pictures.map(({ name, canvas }) => el("figure", el("figcaption", name), canvas))),
        this.models,
      ),
    );
  }

  update(data) {
    if (data === this.data) return;
    this.data = data;
    const { header, arrays } = unpack(data);
    for (const { key, canvas } of this.pictures) show(canvas, arrays[key]);
    const key = (...inside) => el("span.key", ...inside);
    this.models.replaceChildren(
      ...header.models.map(({ title, questions }) =>
        el("section", el("h2", title), el("div.asked", ...questions.map(questionOf))),
      ),
      el(
        "p.legend",
        key(el("span.sample", el("u")), "as it is"),
        key(el("span.sample", el("i")), "shuffled"),
        questionsMarked(header) ? "✓ the right answer for the picture as it is" : null,
      ),
    );
    this.root.dataset.changed = this.models.querySelectorAll(".changed").length;
  }
}

const questionsMarked = ({ models }) => models.some(({ questions }) => questions.some(({ right }) => right != null));

export default mount(".patch-shuffle", PatchShuffle);
