// The shape of a model: a mark per head, in the colour of attention weights.

import { mount, svg } from "../../../../attention_view/lab.js";

class ModelShape {
  constructor(root) {
    this.root = root;
  }

  update({ d, size: [width, height], label }) {
    const box = { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label };
    this.root.replaceChildren(svg("svg", box, svg("path", { d })));
  }
}

export default mount(".model-shape", ModelShape);
