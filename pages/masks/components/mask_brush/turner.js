// The dark button: cells of the row that is held are unblocked, or blocked again.

import { el, shorten } from "../../../../attention_view/lab.js";
import { findingOf, justBlocked, largestAt, part } from "./row_said.js";

/** The keys whose cells are turned next: those that were just turned, but after a single one that is blocked now, the
 * one that gets most of what is left; or else what the last stroke has blocked, or all
 * that is blocked; where nothing is, the one that gets most. turned: [row, keys] of the last turn, or null; before:
 * the weights of the row before the last stroke, or null */
export function keysToTurn(row, open, weights, turned, before = null) {
  const next = () => largestAt([...open].map((isOpen, key) => (isOpen ? weights[key] : -1)));
  const isOne = turned?.[1].length === 1 && !open[turned[1][0]] && [...open].filter(Boolean).length > 1;
  if (turned?.[0] === row) return isOne ? [next()] : turned[1];
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
    this.says = el("span", { role: "status" }); // it changes with every stroke
    this.headline = el("div.headline", el("h2.finding", this.says), this.node);
  }

  get keys() {
    const { held, open, weights, panels, before } = this.brush;
    const [{ S }] = panels;
    const row = (values) => values && values.slice(held * S, (held + 1) * S);
    return keysToTurn(held, row(open), row(weights), this.turned, row(before));
  }

  /** Whether these keys are blocked besides the one that was blocked before. */
  joins([key]) {
    return this.turned?.[0] === this.brush.held && !this.turned[1].includes(key);
  }

  show(names) {
    const { keys } = this;
    const isOpen = this.brush.open[this.brush.held * names.length + keys[0]];
    const [one, all] = [`“${shorten(names[keys[0]])}”`, keys.length === 2 ? "both" : `all ${keys.length}`];
    const what = keys.length === 1 ? one : all;
    this.node.textContent = `${isOpen ? "Block" : "Unblock"} ${what}${this.joins(keys) ? " too" : ""}`;
  }

  /** What the row looks at, or what the last stroke has done to it. before: its weights before that, or null */
  say(query, keys, open, now, before) {
    const isMoved = before?.some((w, j) => Math.abs(w - now[j]) > 0.005);
    const names = keys.map((key) => shorten(key));
    const parts = findingOf(shorten(query), names, open, now, isMoved ? before : null);
    this.says.replaceChildren(...parts.map(part));
  }

  turn() {
    const { brush, keys, turned } = this;
    const joined = this.joins(keys);
    const before = brush.begin(); // which forgets what was turned
    const [{ S }] = brush.panels;
    const open = !brush.mask[brush.held * S + keys[0]];
    const isOver = open && turned?.[2]; // both are open again: it begins anew
    this.turned = isOver ? null : [brush.held, joined ? [...turned[1], ...keys] : keys, joined];
    for (const key of keys) brush.mask[brush.held * S + key] = open;
    brush.commit(before);
  }
}
