// The words of the text, each with its id: one of them is looked up.

import { el, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";

const FEW = 75; // letters, with a space to either side, that are written large
const MANY = 195; // and so many small

export class Words {
  /** hands: has choose(n) for a word that is pressed, and scrolled() */
  constructor(hands) {
    this.hands = hands;
    this.node = el("div.chips", {
      role: "radiogroup",
      "aria-label": "Tokens and their ids: press one",
      onkeydown: (event) => this.key(event),
      onscroll: () => hands.scrolled(),
    });
  }

  /** The tokens of the text, and the ids that they have now. */
  name({ ids, unknown, glue, labels }, numberOf) {
    const { node } = this;
    this.ids = ids;
    const chip = (id, n) => {
      const label = labels[id] ?? String(id);
      const isGlued = glue && label.startsWith(glue) && label.length > glue.length;
      const text = isGlued ? [el("span.glue", glue), label.slice(glue.length)] : [label];
      const props = { role: "radio", class: id === unknown ? "unknown" : null, onclick: () => this.choose(n) };
      return el("button", props, el("b", { dir: "auto" }, ...text), el("i", String(numberOf(id))));
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
    this.chips.forEach((chip, n) => {
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

  /** Writes the id below a word, wherever it stands. */
  number(at, id) {
    this.chips.forEach((chip, n) => this.ids[n] === this.ids[at] && write(chip.lastChild, String(id)));
  }
}
