// The way into a room, as the projector shows it: the code in its corner, always; and, as long as the class comes in,
// a picture of the address.

import { el, svg } from "../../../attention_view/lab.js";
import { LOCAL_ONLY, isLocal } from "../local.js";
import { ask } from "./wire.js";

export class Door {
  constructor(code) {
    this.code = code;
    this.address = new URL(`./join?room=${code}`, location.href).href;
    this.picture = el("figure.qr", { hidden: true });
    const short = this.address.replace(/^https?:\/\//, "").replace(/\?.*/, "");
    this.chip = el(
      "button.chip",
      { onclick: () => this.turn(), "aria-expanded": "false" },
      el("span.code", "join: ", el("b", [...code].join(" "))),
      el("span.quiet.small", short),
    );
  }

  async draw() {
    const { told } = await ask(`./rooms/qr?address=${encodeURIComponent(this.address)}`);
    if (!told?.size) return;
    const size = told.size + 8;
    const picture = svg(
      "svg",
      { viewBox: `-4 -4 ${size} ${size}`, role: "img", "aria-label": `QR code of ${told.address}` },
      svg("path", { d: told.path }),
    );
    const warning = isLocal(location.host) ? [el("p.small", LOCAL_ONLY)] : [];
    const address = el("b", told.address.replace(/^https?:\/\//, "").replace(/\?.*/, ""));
    const code = el("b", this.code);
    const caption = el("figcaption", "Point your phone at it, or open ", address, " and type ", code, ".");
    this.picture.replaceChildren(picture, caption, ...warning);
    this.isDrawn = true;
    this.fold();
  }

  /** At the first question the class comes in; later the picture is folded away, unless the teacher wants it. It makes
   * room for what is shown, but not each time that a phone sits down or answers. */
  hear({ at, step, open, done }) {
    const isArriving = at === 0 && !step.counted && open;
    if (isArriving !== this.isArriving) this.wanted = isArriving;
    this.isArriving = isArriving;
    const place = [at, step.counted, step.shown, done].join();
    if (place !== this.place) this.isAway = step.counted || step.shown || done;
    this.place = place;
    this.fold();
  }

  /** Press the code: the picture comes, or goes. */
  turn() {
    this.wanted = this.picture.hidden;
    this.isAway = false;
    this.fold();
  }

  fold() {
    this.picture.hidden = !this.isDrawn || !this.wanted || this.isAway;
    this.chip.setAttribute("aria-expanded", !this.picture.hidden);
  }
}
