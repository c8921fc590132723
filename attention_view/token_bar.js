// The line above all: the tokens, to choose the one that asks; which of them are read, and which kind of attention.

import { Arcs } from "./arcs.js";
import { el, offer, put, shorten, UNREAD } from "./lab.js";
import { settleStop, walk } from "./tags.js";
import { offered, PAIRS, remarks } from "./tokens.js";

const MOST = 60; // tokens in the line

export class TokenBar {
  constructor(view) {
    this.view = view;
    this.arcs = new Arcs(view);
  }

  build(n) {
    this.nodes = n;
    const { view } = this;
    n.strip = el("div", {
      class: "strip",
      role: "group",
      "aria-label": "Tokens: choose the one that asks",
      onkeydown: (e) => walk(e, n.strip),
    });
    const toggle = (name, text, title) =>
      el(
        "button",
        { type: "button", class: "toggle", title, onclick: () => view.filter({ [name]: !view[name] }) },
        text,
      );
    n.kinds = el("div", { class: "kinds", role: "radiogroup", "aria-label": "Kind of attention" });
    n.hiding = toggle("hidden", "hide special tokens", "Leave out what the tokenizer adds, such as [CLS] and <bos>");
    n.joining = toggle("joined", "whole words", "Put the tokens of a word together");
    n.pairs = el("select", {
      class: "sort",
      "aria-label": "Which text looks at which",
      onchange: () => view.filter({ pair: n.pairs.value }),
    });
    n.pairs.append(...PAIRS.map(([value, text]) => el("option", { value }, text)));
    n.tools = el("div", { class: "tools" }, n.kinds, n.hiding, n.joining, n.pairs);
    n.facts = el("div", { class: "facts" });
    n.remarks = el("p", { class: "quiet small remarks", role: "status" });
    n.top = el(
      "div",
      { class: "top" },
      this.arcs.headline,
      el("div", { class: "line" }, n.strip, this.arcs.node),
      n.tools,
      n.facts,
      n.remarks,
    );
    return n.top;
  }

  furnish() {
    const { nodes: n, view } = this;
    const { picture: p, whole } = view;
    this.asks = null;
    this.arcs.forget();
    n.strip.replaceChildren(
      ...p.queries.slice(0, MOST).map((token, i) =>
        el(
          "button",
          {
            type: "button",
            class: p.isUnknown("query", i) ? "chip unread" : "chip",
            title: p.isUnknown("query", i) ? UNREAD : `token ${p.place(i, 0)[0]}`,
            onclick: () => view.pin([i, view.topKey(i)]),
            onpointerenter: () => view.isLively && view.point([i, view.topKey(i)]),
            onpointerleave: () => view.isLively && view.point(null),
          },
          shorten(token, 18),
        ),
      ),
      ...(p.T > MOST ? [el("span", { class: "quiet" }, `and ${p.T - MOST} more`)] : []),
    );
    // A text that is the subject is as large as its line has room for.
    const letters = p.queries.reduce((sum, token) => sum + Math.min(18, token.length) + 1.1, 0);
    view.letters = Math.round(letters);
    n.strip.style.setProperty("--letters", view.letters);
    const beside = p.header.beside ?? "";
    view.root.classList.toggle("beside", beside !== "");
    view.root.classList.toggle("studied", beside === "study");
    if (beside) n.foot.append(n.facts);
    else n.tools.after(n.facts);
    n.facts.replaceChildren(
      ...(p.header.untrained ? [el("span", { class: "chip fact untrained" }, "untrained")] : []),
      ...p.header.facts.map((fact) => el("span", { class: "chip fact" }, fact)),
    );
    const can = offered(whole);
    for (const [button, name, isOn] of [
      [n.hiding, "hidden", view.hidden],
      [n.joining, "whole", view.joined],
    ]) {
      button.hidden = !can[name];
      button.setAttribute("aria-pressed", String(Boolean(isOn)));
    }
    n.pairs.hidden = !can.pair;
    n.pairs.value = can.pair ? view.pair : "";
    n.kinds.hidden = view.pictures.size < 2;
    n.tools.hidden = [...n.tools.children].every((tool) => tool.hidden);
    n.remarks.textContent = remarks(whole, p, view.filters).join(" ");
    this.furnishKinds();
  }

  furnishKinds() {
    const { nodes: n, view } = this;
    const options = [...view.pictures].map(([kind, { header }]) => [kind, header.label]);
    offer(n.kinds, "kind", options, view.kind, (kind) => view.switchTo(kind));
  }

  paintCell(i, j) {
    this.arcs.draw(i, j, this.nodes.strip);
    if (this.asks === i) return;
    this.asks = i;
    const { strip } = this.nodes;
    for (const [at, chip] of [...strip.querySelectorAll(".chip")].entries()) {
      chip.classList.toggle("on", at === i);
      put(chip, { "aria-pressed": at === i });
    }
    settleStop(strip);
  }
}
