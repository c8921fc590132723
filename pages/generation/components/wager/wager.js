// A hundred chips, shared among what may come next: moving one bar takes chips from the others, or gives them back.

import { el, fixed, mount } from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";

export const CHIPS = 100;

/** What it costs, in bits, that something comes on which so many chips lie. */
export const bits = (chips) => -Math.log2(chips / CHIPS);

/** The chips once bar i holds n: each keeps 1 at least, and the others share the rest as they did before. */
export function moved(chips, i, n) {
  const others = chips.length - 1;
  const held = Math.max(1, Math.min(CHIPS - others, Math.round(n)));
  const left = CHIPS - held - others; // beyond the one that each keeps
  const before = chips.reduce((sum, chip, j) => (j === i ? sum : sum + chip - 1), 0);
  const exact = chips.map((chip, j) => (j === i ? 0 : before ? ((chip - 1) * left) / before : left / others));
  const next = exact.map((x, j) => (j === i ? held : 1 + Math.floor(x)));
  const order = [...chips.keys()].filter((j) => j !== i);
  order.sort((a, b) => (exact[b] % 1) - (exact[a] % 1) || a - b); // whoever was rounded down most comes first
  const missing = CHIPS - next.reduce((sum, chip) => sum + chip, 0);
  for (let k = 0; k < missing; k++) next[order[k]] += 1;
  return next;
}

/** Chips shared as equally as whole chips can be. */
export const equal = (n) => Array.from({ length: n }, (_, i) => Math.floor(CHIPS / n) + (i < CHIPS % n ? 1 : 0));

class Wager {
  constructor(root) {
    this.root = root;
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = data;
    this.chips = data.bet ?? equal(data.names.length);
    this.build();
    this.refresh();
  }

  build() {
    const { story, names, model, outcome } = this.data;
    const open = model === null;
    const blank = open ? "?" : outcome === names.length - 1 ? "…" : names[outcome];
    this.bars = [];
    const rows = names.map((name, i) => {
      const range = slider(`Chips on ${name}`, { min: 1, max: CHIPS, disabled: !open, class: "share-bar" }, (chips) => {
        this.chips = moved(this.chips, i, chips);
        this.refresh();
      });
      const coins = el("span.coins", { "aria-hidden": "true" }, el("i"), el("i"));
      const chips = el("output.chips");
      const cost = el("span.cost");
      const ghost =
        open || model[i] < 0.005
          ? null
          : el("span.ghost", { style: `width: ${100 * model[i]}%`, "aria-hidden": "true" });
      this.bars[i] = { range, coins, chips, cost };
      return el(
        "div",
        { class: `row ${i === outcome ? "came" : ""}`, role: "group", "aria-label": name },
        el("span", { class: i === names.length - 1 ? "name other" : "name" }, name),
        el("span.track", coins, range, ghost),
        chips,
        cost,
      );
    });
    const head = el(
      "div.row.head",
      { "aria-hidden": "true" },
      el("span", "next word"),
      el("span", open ? "drag the chips to the words that you expect" : "your chips; dashed, the model’s"),
      el("span", "chips"),
      el("span", open ? "" : "cost"),
    );
    const button = open ? el("button.primary", { onclick: () => this.send("bet", this.chips) }, "Reveal") : null;
    this.root.replaceChildren(
      el("p.story", story, " ", el("b", { class: open ? "blank" : "blank known" }, blank)),
      el("div.table", head, ...rows),
      ...(button ? [button] : []),
    );
  }

  refresh() {
    const { outcome } = this.data;
    this.chips.forEach((held, i) => {
      const { range, coins, chips, cost } = this.bars[i];
      range.value = String(held);
      range.style.setProperty("--w", `${2 * Math.ceil(held / 2)}%`); // the handle stands behind the last chip
      // Two rows of chips, fifty in each, filled from the left by turns.
      [...coins.children].forEach((row, n) => (row.style.width = `${2 * Math.floor((held + 1 - n) / 2)}%`));
      range.setAttribute("aria-valuetext", `${held} chips, ${fixed(bits(held), 1)} bits if it comes`);
      chips.textContent = String(held);
      cost.textContent = i === outcome ? `${fixed(bits(held), 2)} bits` : "";
    });
    this.root.dataset.chips = JSON.stringify(this.chips);
  }
}

export default mount(".wager", Wager);
