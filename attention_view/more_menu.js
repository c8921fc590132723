// What few people need of the picture of heads, behind one button: how the map is drawn, and how the heads are ordered.

import { el } from "./lab.js";

export class MoreMenu {
  /** view: has the nodes that are put in here */
  constructor(view) {
    this.view = view;
    this.button = el(
      "button",
      {
        class: "toggle dots",
        "aria-label": "More ways to draw heads",
        "aria-expanded": "false",
        title: "Stages of the computation, ribbons, and the order of the heads",
        onclick: () => this.open(this.panel.hidden),
      },
      "…",
    );
    this.panel = el("div", { class: "panel", role: "group", "aria-label": "More ways to draw heads", hidden: true });
    this.node = el(
      "div",
      { class: "more", hidden: true, onkeydown: (event) => this.key(event) },
      this.button,
      this.panel,
    );
    this.node.addEventListener(
      "focusout",
      ({ relatedTarget: to }) => to && !this.node.contains(to) && this.open(false),
    );
  }

  /** Where one head or the text is the subject, what else there is moves in here.
   *
   * ofText: whether that holds for what the text is read as, too */
  furnish(n, isSubject, ofText) {
    if (this.node.hidden !== isSubject) return;
    this.node.hidden = !isSubject;
    if (!isSubject) return;
    this.panel.append(n.ways, el("div", { class: "order" }, n.sort, n.larger, n.overlay));
    if (ofText) this.panel.append(el("div", { class: "order" }, n.hiding, n.joining));
  }

  open(now) {
    this.panel.hidden = !now;
    this.button.setAttribute("aria-expanded", String(now));
  }

  key(event) {
    if (event.key !== "Escape" || this.panel.hidden) return;
    event.preventDefault();
    this.open(false);
    this.button.focus();
  }
}
