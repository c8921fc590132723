// A beam on a block: the likelier of two words weighs more, and its end goes down.

import { el, put, svg } from "../../../attention_view/lab.js";
import { smoothly, tween } from "../../../attention_view/controls.js";

const SWING = 180; // milliseconds

/** How far down an end of the beam is, with so large a share. */
export const heightOf = (share) => `${14 + 72 * share}%`;

/** What lies between two pairs of shares, so far from the one to the other. */
export const between = (shares, others, way) => shares.map((share, n) => share + way * (others[n] - share));

export class Balance {
  /** words: at its ends; ground: what is drawn behind it */
  constructor(words, ground) {
    this.numbers = words.map(() => el("b"));
    this.ends = words.map((word, n) => el("p", word, this.numbers[n]));
    this.beam = svg("line", { x1: "26%", x2: "74%" });
    this.node = el("div.balance", { role: "img" }, ground, el("i"), svg("svg", this.beam), ...this.ends);
  }

  /** The beam is at these shares. */
  swing(shares) {
    this.level = shares;
    shares.forEach((share, n) => {
      put(this.beam, { [`y${n + 1}`]: heightOf(share) });
      this.ends[n].style.top = heightOf(share);
      this.ends[n].style.setProperty("--share", share);
    });
  }

  /** It swings there, and frame(share of the way) hears how far it is. Returns what ends that. */
  swingTo(shares, frame = () => {}) {
    const from = this.level;
    return tween(SWING, (way) => {
      this.swing(between(from, shares, smoothly(way)));
      frame(smoothly(way));
    });
  }

  /** The numbers at its ends, and all of it in words. */
  write(texts, label) {
    texts.forEach((text, n) => (this.numbers[n].textContent = text));
    this.node.setAttribute("aria-label", label);
  }
}
