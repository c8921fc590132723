// The head in view as a table that one can read, or hear.

import { el, shorten, write } from "./lab.js";

export class HeadTable {
  constructor(view) {
    this.view = view;
  }

  build() {
    const n = (this.nodes = {});
    n.columns = el("tr");
    n.table = el("tbody");
    n.summary = el("summary");
    const table = el("table", {}, el("thead", {}, n.columns), n.table);
    n.details = el("details", { ontoggle: () => this.fill() }, n.summary, el("div", { class: "scroll" }, table));
    return n.details;
  }

  fill() {
    const { nodes: n, view } = this;
    const p = view.picture;
    const { flow } = p.header;
    write(n.summary, flow ? "Read this rollout as a table" : "Read this head as a table");
    if (!n.details.open) return;
    const weights = p.matrix("weights", view.layer, view.head);
    const names = flow
      ? ["Token", "holds most of", "then of", "then of"]
      : ["Query", "looks most at", "then at", "then at"];
    n.columns.replaceChildren(...names.map((name) => el("th", { scope: "col" }, name)));
    n.table.replaceChildren(
      ...p.queries.map((token, i) => {
        const top = view.top(weights, i);
        const cell = (at) =>
          el(
            "td",
            {},
            top[at]
              ? `${shorten(p.keys[top[at][0]], 18)} ${top[at][1].toFixed(3)}`
              : at
                ? ""
                : "nothing: all is blocked",
          );
        return el("tr", {}, el("th", { scope: "row" }, `${i} ${shorten(token, 18)}`), cell(0), cell(1), cell(2));
      }),
    );
  }
}
