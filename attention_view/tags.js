// What heads do here, by name: a row of buttons, each of which opens its head.

import { capital, el, put } from "./lab.js";

export const MAX_TAGS = 5;
// What a head is named for, as a sentence; a name that says who looks at whom is one already.
export const SENTENCES = {
  "previous word": "Words look at the previous one",
  "next word": "Words look at the next one",
  "what followed it last time": "Words look at what followed them last time",
  "looks at itself": "Words look at themselves",
  "rests on the first token": "Words rest on the first token",
  "spreads evenly": "Words look at all others evenly",
};

const sentence = (name) => SENTENCES[name] ?? capital(name);

export class Tags {
  constructor(view) {
    this.view = view;
  }

  build() {
    this.node = el("div", {
      class: "tags",
      role: "group",
      "aria-label": "What heads do here",
      onkeydown: (e) => walk(e, this.node),
    });
    return this.node;
  }

  furnish() {
    this.open = null;
    this.kinds = this.view.whole.leading(MAX_TAGS).sort((a, b) => b.score - a.score);
    this.node.replaceChildren(...this.kinds.map((tag) => this.button(tag)));
  }

  /** What a head does here, as a button that opens it. */
  button({ name, layer, head, score: strength, query }) {
    const { view } = this;
    const open = () => {
      view.select(layer, head);
      const i = query === null ? -1 : view.picture.rowOf(query);
      if (i >= 0) view.pin([i, view.topKey(i)]);
      view.speak(`${view.picture.name(layer, head)}: ${name}. `);
    };
    return el(
      "button",
      { type: "button", class: "tag", "data-name": name, onclick: open },
      el("span", {}, view.whole.header.staged ? sentence(name) : name),
      el("span", { class: "quiet" }, `layer ${layer}, head ${head}`),
      el("b", {}, strength.toFixed(2)),
    );
  }

  /** Which of the names is that of the head in view. */
  paint() {
    const { node, view } = this;
    const open = view.chosen.length < 2 ? view.picture.tag(...view.shownHeads[0])?.name : undefined;
    if (open === this.open) return;
    this.open = open;
    for (const button of node.children) {
      const isOpen = button.dataset.name === open;
      button.classList.toggle("on", isOpen);
      put(button, { "aria-pressed": isOpen });
    }
    settleStop(node);
  }
}

/** A row of buttons is one stop of the Tab key: the arrow keys walk along it. */
export function walk(event, row) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const buttons = [...row.querySelectorAll("button:not([hidden])")];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (!step) return;
  event.preventDefault();
  next?.click();
  next?.focus();
}

/** The stop of a row is the button that is on, or the first that is seen. */
export function settleStop(row) {
  const buttons = [...row.querySelectorAll("button:not([hidden])")];
  const stop = buttons.find((button) => button.classList.contains("on")) ?? buttons[0];
  for (const button of buttons) put(button, { tabindex: button === stop ? 0 : -1 });
}
