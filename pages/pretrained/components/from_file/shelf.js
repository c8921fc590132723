// The file beside the frame, the one that is open: a button that can be pulled. It bears a tick once all of it is in.

import { el, enlarged, put, rewrite, write } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { holdsOf, sizeOf } from "./holds.js";

const STIRRED = 5; // pixels that make a press a pull

/** The name of a file, which can be broken before its ending. */
const broken = (name) => name.split(/(?=\.)/).flatMap((part) => [el("wbr"), part]);

export class Shelf {
  /** hands: pour() of a press; hold(), wall.reach(event) and letGo() of a pull, and endDrag, which is set. last: what
   * stands behind the file. */
  constructor(hands, last) {
    this.hands = hands;
    this.name = el("b");
    this.holds = el("small");
    const page = el("span.page", el("i.arrow"));
    const about = el("span.about", this.name, this.holds);
    this.pack = el(
      "button.pack",
      { onclick: () => hands.pour(), onpointerdown: (event) => this.pull(event) },
      page,
      about,
    );
    this.node = el("div.row", this.pack, last);
  }

  /** more: what is said behind what the file holds. */
  show(open, more) {
    rewrite(this.name, ...broken(open.name));
    write(this.holds, `${sizeOf(open.n_bytes)}, ${holdsOf(open)}${more}`);
  }

  /** isIn: whether all of the file is in the frame. */
  mark(isIn) {
    put(this.pack, { class: isIn ? "pack in" : "pack" });
  }

  /** The file follows the pointer. */
  pull(down) {
    if (down.button) return;
    const { pack } = this;
    let isHeld = false;
    const move = (event) => {
      const by = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!isHeld && Math.hypot(...by) < STIRRED) return;
      if (!isHeld) this.hands.hold();
      isHeld = true;
      put(pack, { "data-held": "" });
      pack.style.translate = by.map((pixels) => `${pixels / enlarged(pack)}px`).join(" ");
      this.hands.wall.reach(event);
    };
    const end = () => {
      if (!isHeld) return;
      pack.removeAttribute("data-held");
      pack.style.translate = "";
      this.hands.letGo();
    };
    this.hands.endDrag = drag(move, end);
  }
}
