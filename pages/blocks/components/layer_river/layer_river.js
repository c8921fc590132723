// What one layer makes of a token: at rest, the word at which it arrives (whole.js). A button walks it through the
// layer's stations, with one picture at each of what happens there to this token (walk.js).

import { el, mirror, mount, param, theme, windowHeight, write } from "../../../../attention_view/lab.js";
import { Follow } from "./follow.js";
import { pulse } from "./pulse.js";
import { toldAt } from "./told.js";
import { Walk } from "./walk.js";
import { addedBy, finding, Whole } from "./whole.js";

const NARROW = 800, // below this width there is room for less
  WHOLE = "the whole layer", // no station is open
  PATIENCE = 4000; // ms in which a press holds against the answer to an earlier one

class River {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("blocks_step", this.data.stations[this.chosen]?.name ?? WHOLE, WHOLE);
      put("blocks_lane", String(this.followed), String(this.data.usual));
    }, 100);
    const followed = param("blocks_lane");
    this.wanted = /^\d{1,3}$/.test(followed ?? "") ? Number(followed) : null; // the usual one
    this.says = el("p.finding", { "aria-live": "polite" });
    this.next = el("button.primary", { onclick: () => this.goOn() });
    [this.whole, this.walk, this.words] = [new Whole(this), new Walk(this), new Follow(this)];
    const parts = [this.whole, this.walk, this.words].map(({ node }) => node);
    root.replaceChildren(el("div.headline", this.says, this.next), ...parts);
    this.resized = () => this.draw();
  }

  update(data, { setStateValue }) {
    const isFirst = !this.data;
    this.send = setStateValue;
    this.data = data;
    const { waits } = this;
    // The answer to an earlier press may come after a later one: that one holds until its own answer is there.
    const isOld = waits && performance.now() < waits.until && waits.step !== data.chosen;
    if (!isOld) {
      this.waits = null;
      this.chosen = data.stations.findIndex(({ step }) => step === data.chosen); // -1: none, the layer is whole
    }
    this.draw();
    this.link.later();
    Object.assign(this.root.dataset, { chosen: data.chosen, words: data.words.length });
    if (isFirst && this.root.clientWidth && this.isWhole && addedBy(data.stations).length) this.endBeat = pulse(this);
  }

  /** Whether no station is open: what all of the layer does is shown. */
  get isWhole() {
    return this.chosen < 0;
  }

  destroy() {
    this.endBeat?.();
  }

  draw() {
    const { words } = this.data,
      room = this.root.clientWidth;
    this.followed = Math.min(this.wanted ?? this.data.usual, words.length - 1);
    if (!room) return;
    this.isNarrow = room < NARROW;
    this.say();
    this.whole.node.hidden = !this.isWhole;
    this.walk.node.hidden = this.isWhole;
    this.words.draw();
    (this.isWhole ? this.whole : this.walk).draw();
  }

  follow(lane) {
    this.wanted = lane;
    this.endBeat?.();
    this.draw();
    this.link.later();
  }

  /** Pixels for the picture: as much of the window as there is, and fewer on a phone or where a presentation enlarges
   * it. */
  tall() {
    const isPresented = theme(this.root)("present");
    return this.isNarrow || isPresented ? 264 : Math.max(264, Math.min(780, windowHeight(this.root) - 284));
  }

  /** What happens at the open station, or what all of the layer did to the token, and what the button does next. */
  say() {
    const { data, isWhole, chosen, followed } = this;
    const { stations } = data;
    const next = isWhole ? "Walk through it" : chosen < stations.length - 1 ? "Next step" : "The whole layer";
    write(this.says, isWhole ? finding(data, followed, stations[0].help) : toldAt(data, chosen, followed));
    write(this.next, next);
  }

  /** To the next station; behind the last one, what all of the layer does. */
  goOn() {
    const next = this.chosen + 1;
    this.choose(next < this.data.stations.length ? next : -1);
  }

  choose(n) {
    if (n === this.chosen) return;
    this.endBeat?.();
    this.chosen = n;
    const step = this.data.stations[n]?.step ?? "";
    this.waits = { step, until: performance.now() + PATIENCE };
    this.draw();
    this.link.now();
    this.send("step", step || WHOLE);
  }

  /** The station of this step, from a tag of the whole: that goes, and the focus to the station's own button. */
  open(step) {
    const n = this.data.stations.findIndex((station) => station.step === step);
    this.choose(n);
    this.walk.stations.children[n].focus();
  }
}

export default mount(".layer-river", River);
