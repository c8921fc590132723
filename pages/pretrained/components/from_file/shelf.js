// The files beside the frame: each is a button that can be pulled. The one that is open is large
// and dark, and bears a tick once all of it is in.

import { counted, el, enlarged, put, rewrite, write } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { headsIn, holdsOf, sizeOf } from "./holds.js";

const STIRRED = 5; // pixels that make a press a pull

/** The name of a file, which can be broken before its ending. */
const broken = (name) => name.split(/(?=\.)/).flatMap((part) => [el("wbr"), part]);

export class Shelf {
  /** hands: bring(one) of a press; hold(one), wall.reach(event) and letGo() of a pull, and endDrag, which is set. last:
   * what stands behind the files. */
  constructor(hands, last) {
    Object.assign(this, { hands, last, packs: [], files: [] });
    this.node = el("div.row", last);
  }

  /** open: of the files, the one of which it is said in full what it holds, and then more. Two can have one name. */
  show(files, open, more) {
    this.files = files;
    if (files.length !== this.packs.length) {
      this.packs = files.map((_, n) => this.packs[n] ?? this.packOf(n));
      this.node.replaceChildren(...this.packs, this.last);
    }
    for (const [n, one] of files.entries()) {
      const [name, holds] = this.packs[n].lastChild.children;
      const all = `${sizeOf(one.n_bytes)}, ${holdsOf(one)}${more}`;
      rewrite(name, ...broken(one.name));
      write(holds, one === open ? all : counted(headsIn(one), "head"));
    }
  }

  /** taken: the file that is open; isIn: whether all of it is in the frame. */
  mark(taken, isIn) {
    for (const [n, pack] of this.packs.entries()) {
      const isTaken = this.files[n] === taken;
      pack.classList.toggle("taken", isTaken);
      pack.classList.toggle("in", isTaken && isIn);
      put(pack, { "aria-current": String(isTaken) });
    }
  }

  packOf(n) {
    const page = el("span.page", el("i.arrow"));
    const onclick = () => this.hands.bring(this.files[n]);
    const pack = el("button.pack", { onclick }, page, el("span.about", el("b"), el("small")));
    pack.onpointerdown = (event) => this.pull(event, pack, this.files[n]);
    return pack;
  }

  /** The file follows the pointer. */
  pull(down, pack, one) {
    if (down.button) return;
    let isHeld = false;
    const move = (event) => {
      const by = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!isHeld && Math.hypot(...by) < STIRRED) return;
      if (!isHeld) this.hands.hold(one);
      isHeld = true;
      pack.classList.add("held");
      pack.style.translate = by.map((pixels) => `${pixels / enlarged(pack)}px`).join(" ");
      this.hands.wall.reach(event);
    };
    const end = () => {
      if (!isHeld) return;
      pack.classList.remove("held");
      pack.style.translate = "";
      this.hands.letGo();
    };
    this.hands.endDrag = drag(move, end);
  }
}
