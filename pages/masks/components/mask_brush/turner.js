// The dark button: one cell of the row that is held is unblocked, or blocked again.

import { el, shorten } from "../../../../attention_view/lab.js";
import { largestAt } from "./row_bars.js";

/** The key whose cell is turned next: the one that was just turned; or else the first that is blocked; where none is,
 * the one that gets most. turned: [row, key] of the last turn, or null */
export function keyToTurn(row, open, weights, turned) {
  if (turned?.[0] === row) return turned[1];
  const blocked = open.indexOf(false);
  return blocked < 0 ? largestAt(weights) : blocked;
}

export class Turner {
  /** brush: has the mask, the row that is held, its weights, and what sends a stroke */
  constructor(brush) {
    this.brush = brush;
    this.turned = null;
    this.node = el("button.primary", { onclick: () => this.turn() });
  }

  get key() {
    const { held, open, weights, panels } = this.brush;
    const [{ S }] = panels;
    const row = (values) => values.slice(held * S, (held + 1) * S);
    return keyToTurn(held, row(open), row(weights), this.turned);
  }

  show(keys) {
    const { key } = this;
    const isOpen = this.brush.open[this.brush.held * keys.length + key];
    this.node.textContent = `${isOpen ? "Block" : "Unblock"} “${shorten(keys[key])}”`;
  }

  turn() {
    const { brush, key } = this;
    const before = brush.begin();
    this.turned = [brush.held, key];
    const at = brush.held * brush.panels[0].S + key;
    brush.mask[at] = !brush.mask[at];
    brush.commit(before);
  }
}
