// How wide the stations are: the lit one has twice its share. A closer look at it, in place, takes most of the width,
// and the others stay to both sides of it. Attention, seen closely, is as many crossings side by side as it has heads.

import { el, param, still } from "../../../../attention_view/lab.js";
import { tween } from "../../../../attention_view/controls.js";

const LIT = 2, // times as wide
  NEAR = 2.2, // times as wide once more
  THIN = 0.3, // what is left of the others
  TRAVEL = 380; // milliseconds
const eased = (share) => share * share * (3 - 2 * share);

export class Zoom {
  /** river: is drawn anew at every step of the way */
  constructor(river) {
    this.river = river;
    this.names = el("div.heads", { "aria-hidden": "true" });
    this.isIn = param("blocks_near") === "true";
    this.share = this.isIn ? 1 : 0;
    this.walked = 1; // the share of the way from the station that was lit to the one that is
  }

  /** The light goes on to the station that is open now. */
  walk() {
    const { chosen, data, flown } = this.river; // -1: none, all are as wide as they are in the whole
    const to = data.stations.map((_, n) => (n === chosen ? LIT : 1));
    if (String(to) === String(this.to)) return;
    const isFirst = !this.to;
    Object.assign(this, { to, from: this.lit ?? to, left: flown ?? 0 });
    this.stop?.();
    if (isFirst || still()) return this.go(1, !isFirst);
    this.stop = tween(TRAVEL, (share) => this.go(share));
  }

  go(share, isShown = true) {
    this.walked = share;
    this.lit = this.to.map((wide, n) => (share === 1 ? wide : this.between(wide, this.from[n])));
    if (isShown) this.river.draw();
  }

  /** Where something is on the way, that comes from `left` or another place. */
  between(to, left = this.left) {
    return left + eased(this.walked) * (to - left);
  }

  /** Whether the open station is seen as closely as can be. */
  get isNear() {
    return this.share === 1;
  }

  /** How wide the nth station is, beside what it is in the whole. */
  scale(n) {
    return this.lit[n] * (1 + this.share * ((n === this.river.chosen ? NEAR : THIN) - 1));
  }

  turn(isIn = !this.isIn) {
    if (isIn === this.isIn) return;
    this.isIn = isIn;
    const [from, to] = [this.share, isIn ? 1 : 0];
    this.end?.();
    this.river.link.later();
    if (still()) return this.show(to);
    this.end = tween(TRAVEL, (share) => this.show(share === 1 ? to : from + eased(share) * (to - from)));
  }

  show(share) {
    this.share = share;
    this.river.draw();
  }

  /** Where the crossing of each head begins and ends, between where attention begins and its vectors. */
  columns(n_heads, from, to) {
    const each = (to - from) / n_heads;
    return Array.from({ length: n_heads }, (_, h) => [from + (h + 0.06) * each, from + (h + 0.94) * each]);
  }

  /** The names of the heads above their crossings. */
  label(columns) {
    this.names.replaceChildren(
      ...columns.map(([from, to], h) => el("span", { style: `left:${from}px;width:${to - from}px` }, `head ${h}`)),
    );
  }
}
