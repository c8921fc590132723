// The line that filters heads by the score that sorts them.

import { el } from "./lab.js";
import { score, scoreRange, scoreText, sortedBy } from "./scores.js";

export class ScoreFilter {
  constructor(view) {
    this.view = view;
  }

  build() {
    const n = (this.nodes = {});
    n.only = el("input", {
      type: "range",
      step: "0.01",
      "aria-label": "Only heads with this score or more",
      oninput: () => this.view.set({ only: this.chosen() }),
    });
    n.onlyLevel = el("output");
    n.onlyName = el("span");
    n.count = el("span", { role: "status" });
    this.node = el("div", { class: "filter quiet small" }, el("label", {}, n.onlyName, n.only, n.onlyLevel), n.count);
    return this.node;
  }

  chosen() {
    const { nodes: n, view } = this;
    const end = sortedBy(view.sort).most ? n.only.min : n.only.max;
    return n.only.value === end ? null : Number(n.only.value);
  }

  /** by: the score that sorts, or nothing; shown: so many of all heads */
  show(by, shown, all) {
    const { nodes: n, view } = this;
    this.node.hidden = !by;
    if (!by) return;
    const one = score(view.picture, by.name);
    const [least, most] = scoreRange(view.picture, by.name);
    Object.assign(n.only, { min: least, max: most });
    n.only.value = view.only ?? (by.most ? least : most);
    n.only.setAttribute("aria-label", `Only heads with ${one.title.toLowerCase()} ${by.most ? "above" : "below"}`);
    n.onlyName.textContent = `only ${by.most ? "above" : "below"} `;
    n.onlyLevel.textContent = scoreText(Number(n.only.value), { digits: 2, unit: "" });
    const chance = one.chance === undefined ? "" : ` · chance ${scoreText(one.chance, one)}`;
    n.count.textContent = `${shown} of ${all}${chance}`;
    this.node.title = one.about && `${one.title}: ${one.about}`;
  }
}
