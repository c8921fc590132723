// The words of the text, of which one is looked up: it then has its id, and a later one that is the same has a
// question mark.

import { el, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { twinAfter } from "./rolling.js";

const FEW = 75; // letters, with a space to either side, that are written large
const MANY = 195; // and so many small

export class Words {
  /** hands: has choose(n) for a word that is pressed, and scrolled() */
  constructor(hands) {
    this.hands = hands;
    this.seen = new Set(); // which words have been looked up: only these have their ids
    this.node = el("div.chips", {
      role: "radiogroup",
      "aria-label": "Tokens and their ids: press one",
      onkeydown: (event) => this.key(event),
      onscroll: () => hands.scrolled(),
    });
  }

  /** The tokens of the text, with the ids of those that were looked up. */
  name({ ids, unknown, glue, labels }) {
    const { node, seen } = this;
    seen.clear();
    this.ids = ids;
    const chip = (id, n) => {
      const label = labels[id] ?? String(id);
      const isGlued = glue && label.startsWith(glue) && label.length > glue.length;
      const text = isGlued ? [el("span.glue", glue), label.slice(glue.length)] : [label];
      const props = { role: "radio", class: id === unknown ? "unknown" : null, onclick: () => this.choose(n) };
      return el("button", props, el("b", { dir: "auto" }, ...text), el("i", ""));
    };
    const held = this.chips?.indexOf(node.getRootNode().activeElement);
    this.chips = ids.map(chip);
    node.replaceChildren(...this.chips);
    if (held >= 0) this.chips[held]?.focus({ preventScroll: true });
    const letters = ids.reduce((sum, id) => sum + 2 + (labels[id] ?? "").length, 0);
    node.style.setProperty("--long", Math.max(0, Math.min(1, (letters - FEW) / (MANY - FEW))).toFixed(2));
  }

  key(event) {
    const to = inRow(event, this.at, this.ids.length);
    if (to !== null) this.choose(to);
  }

  choose(n) {
    this.hands.choose(n);
    this.chips[n].focus({ preventScroll: true });
  }

  /** Which word is chosen, and which ones have lit its row; isOn: whether any has. */
  mark(at, lit, isOn) {
    this.at = at;
    this.seen.add(at);
    const asked = isOn ? twinAfter(this.ids, at) : -1;
    this.chips.forEach((chip, n) => {
      write(chip.lastChild, this.seen.has(n) ? String(this.ids[n]) : n === asked ? "?" : "");
      chip.classList.toggle("same", isOn && this.ids[n] === this.ids[at]);
      chip.classList.toggle("lit", isOn && lit.includes(n));
      chip.setAttribute("aria-checked", String(isOn && n === at));
      chip.tabIndex = n === at ? 0 : -1;
    });
    this.bringIn(this.chips[at]);
  }

  /** Scrolls a chip into the box of chips; the page stays where it is. */
  bringIn({ offsetTop, offsetHeight }) {
    const lowest = offsetTop + offsetHeight - this.node.clientHeight;
    this.node.scrollTop = Math.max(lowest, Math.min(offsetTop, this.node.scrollTop));
  }

  /** Whether the word has a later one that is the same, whose row has not been seen. */
  asks(at) {
    const twin = twinAfter(this.ids, at);
    return twin >= 0 && !this.seen.has(twin);
  }
}
