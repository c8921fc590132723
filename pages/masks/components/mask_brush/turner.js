// The dark button: cells of the row that is held are unblocked, or blocked again.

import { el, shorten } from "../../../../attention_view/lab.js";
import { justBlocked, largestAt } from "./row_bars.js";

/** The keys whose cells are turned next: those that were just turned; or else what the last stroke has blocked, or all
 * that is blocked; where nothing is, the one that gets most. turned: [row, keys] of the last turn, or null; before:
 * the weights of the row before the last stroke, or null */
export function keysToTurn(row, open, weights, turned, before = null) {
  if (turned?.[0] === row) return turned[1];
  const lost = justBlocked(open, before);
  const blocked = lost.length ? lost : [...open.keys()].filter((key) => !open[key]);
  return blocked.length ? blocked : [largestAt(weights)];
}

export class Turner {
  /** brush: has the mask, the row that is held, its weights, and what sends a stroke */
  constructor(brush) {
    this.brush = brush;
    this.turned = null;
    this.node = el("button.primary", { onclick: () => this.turn() });
  }

  get keys() {
    const { held, open, weights, panels, before } = this.brush;
    const [{ S }] = panels;
    const row = (values) => values && values.slice(held * S, (held + 1) * S);
    return keysToTurn(held, row(open), row(weights), this.turned, row(before));
  }

  show(names) {
    const { keys } = this;
    const isOpen = this.brush.open[this.brush.held * names.length + keys[0]];
    const what = keys.length === 1 ? `“${shorten(names[keys[0]])}”` : `all ${keys.length}`;
    this.node.textContent = `${isOpen ? "Block" : "Unblock"} ${what}`;
  }

  turn() {
    const { brush, keys } = this;
    const before = brush.begin();
    this.turned = [brush.held, keys];
    const [{ S }] = brush.panels;
    const open = !brush.mask[brush.held * S + keys[0]];
    for (const key of keys) brush.mask[brush.held * S + key] = open;
    brush.commit(before);
  }
}
