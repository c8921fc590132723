// A word that the hand turns like a wheel: those that come next stand below it, and the one in the window is said.

import { el, put } from "../../../../attention_view/lab.js";
import { drag, inRow, takesHold } from "../../../../attention_view/controls.js";

const NOTCH = 46; // pixels from one word to the next
const BELOW = 2; // words that are in sight below the window

/** The place on a wheel of n words that is shown at a turn, which goes round and round. */
export const placeAt = (turn, n) => ((Math.round(turn) % n) + n) % n;

export class Reel {
  /** turned(word) hears of each word that comes to stand in the window. */
  constructor(label, words, at, turned) {
    Object.assign(this, { words, turned, turn: at });
    const hands = { onpointerdown: (event) => this.pull(event), onkeydown: (event) => this.press(event) };
    const says = { role: "slider", tabIndex: 0, "aria-label": label, "aria-orientation": "vertical" };
    this.band = el("span.band", { "aria-hidden": "true" });
    const grip = el("b.grip", { "aria-hidden": "true" }, "↕");
    const ends = { "aria-valuemin": 1, "aria-valuemax": words.length };
    this.node = el("div.reel", { ...says, ...ends, ...hands }, this.band, grip);
    this.show(at);
  }

  get word() {
    return this.words[placeAt(this.turn, this.words.length)];
  }

  /** The wheel at a turn: each word where it stands, half a word on while it is pulled. */
  show(turn) {
    const { words, word } = this;
    this.turn = turn;
    const at = Math.round(turn);
    this.band.replaceChildren(
      ...Array.from({ length: BELOW + 3 }, (_, n) => {
        const style = `top:${(at + n - 1 - turn) * NOTCH}px`;
        return el(n === 1 ? "b" : "span", { style }, words[placeAt(at + n - 1, words.length)]);
      }),
    );
    put(this.node, { "aria-valuenow": placeAt(turn, words.length) + 1, "aria-valuetext": this.word });
    if (this.word !== word) this.turned(this.word);
  }

  /** The hand pulls it; where it only presses, the next word comes. */
  pull(event) {
    if (!takesHold(event)) return;
    const from = this.turn;
    let isPulled = false;
    const move = ({ clientY }) => {
      isPulled ||= Math.abs(clientY - event.clientY) > 3;
      if (isPulled) this.show(from - (clientY - event.clientY) / NOTCH);
    };
    this.endDrag = drag(move, () => this.show(isPulled ? Math.round(this.turn) : from + 1));
  }

  press(event) {
    const to = inRow(event, placeAt(this.turn, this.words.length), this.words.length);
    if (to !== null) this.show(to);
  }
}
