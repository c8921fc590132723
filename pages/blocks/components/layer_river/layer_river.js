// What one layer makes of a token: at rest, the word at which it arrives (whole.js). A button walks it through the
// layer's stations, as a river from left to right: its stream runs above, and what a sublayer makes of a copy of it
// runs below, until both are added. The other tokens are lines above and below it, from which attention alone crosses
// over. One station is lit, it is wide and says what happens there, and what the token has not reached is paler.

import {
  brief,
  el,
  fixed,
  mirror,
  mount,
  param,
  pointIn,
  shorten,
  svg,
  theme,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { currents, isByHead } from "./currents.js";
import { addedBy, finding, lengthsTold, Whole } from "./whole.js";
import { laneAt, laneBeside, lanesOf, nameOf, namesOf, signs } from "./lanes.js";
import { pulse } from "./pulse.js";
import { vectors } from "./vectors.js";
import { Zoom } from "./zoom.js";

const HEAD = 42, // above the lanes, for the names of the stations
  NARROW = 800, // below this width their names are short
  SHORT = { in: "In", norm1: "Norm", norm2: "Norm" },
  WHOLE = "the whole layer", // no station is lit
  PATIENCE = 4000, // ms in which a press holds against the answer to an earlier one
  GAPS = { attention: 1.9, feed_forward: 1.25, add1: 0.95, add2: 0.95, norm1: 0.5, norm2: 0.5, in: 0.06 },
  LETTER = 7.5, // pixels of a letter of a station's name, and
  SMALL_LETTER = 6, // of a short one
  FINGER = 13, // pixels of a lane on a phone
  MAIN = [0.08, 0.88], // of a lane's height: the vectors of the stream
  SIDE = [0.46, 0.9]; // and what a sublayer makes

/** Where the stations stand in so much width: {x, width} of the vectors, and where what leads there begins.
 * scale(n): how many times as wide the nth is as in the whole */
export function riverPlaces(stations, width, scale = () => 1) {
  const gaps = stations.map(({ step }, n) => GAPS[step] * scale(n));
  const wide = stations.map(({ main }, n) => (main ? 1 : 0.9) * scale(n));
  const units = [...gaps, ...wide].reduce((sum, unit) => sum + unit, 0);
  let x = 0;
  return stations.map((_, n) => {
    const from = x,
      gap = (gaps[n] * width) / units;
    x += gap + (wide[n] * width) / units;
    return { from, x: from + gap, width: x - from - gap };
  });
}

const spokenOf = ({ stations, words }, chosen) =>
  `The vectors of ${words.length} tokens on their way through one layer: ` +
  stations.map(({ label }) => label.toLowerCase()).join(", then ") +
  ". The stream passes by each sublayer and its result is added to it; only attention crosses from one token to" +
  ` another.${stations[chosen] ? ` Open below: ${stations[chosen].label.toLowerCase()}.` : ""}`;

class River {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("blocks_step", this.data.stations[this.chosen]?.name ?? WHOLE, WHOLE);
      put("blocks_near", this.zoom.isIn, false);
      put("blocks_lane", String(this.followed), String(this.data.usual));
    }, 100);
    this.zoom = new Zoom(this);
    const followed = param("blocks_lane");
    this.wanted = /^\d{1,3}$/.test(followed ?? "") ? Number(followed) : null; // the usual one
    this.words = el("div.words", { role: "group", "aria-label": "Follow a token" });
    this.glow = el("div.glow");
    this.heads = el("div.stations", { role: "group", "aria-label": "Stations of the layer" });
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.drawing = svg("svg", { role: "img" });
    this.says = el("p.finding", { "aria-live": "polite" });
    const { names } = this.zoom;
    this.sheet = el("div.sheet", this.glow, this.canvas, this.drawing, this.heads, names);
    this.next = el("button.primary", { onclick: () => this.walk() });
    this.note = el("span.note");
    this.scale = el("span.scale", { "aria-hidden": "true" });
    this.whole = new Whole(this);
    this.river = [el("div.layer", this.words, this.sheet), el("div.foot", this.note, this.scale)];
    root.replaceChildren(el("div.headline", this.says, this.next), this.whole.node, ...this.river);
    this.sheet.onpointermove = (event) => this.point(event);
    this.sheet.onpointerleave = () => this.ask(null);
    this.sheet.onclick = (event) => this.choose(Math.max(0, this.stationAt(event)));
    this.heads.onkeydown = (event) => this.step(event);
    this.words.onkeydown = (event) => {
      const lane = laneBeside(event.key, this.followed, this.data.words.length);
      if (lane === null) return;
      event.preventDefault();
      this.follow(lane);
    };
    root.onkeydown = ({ key }) => void (key === "Escape" && this.zoom.turn(false)); // false would end what Enter does
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
    // In the whole layer there is no station to be near to.
    if (isFirst && this.isWhole) Object.assign(this.zoom, { isIn: false, share: 0 });
    this.zoom.walk();
    if (this.isWhole) this.zoom.turn(false);
    this.draw();
    this.link.later();
    Object.assign(this.root.dataset, { chosen: data.chosen, words: data.words.length });
    if (isFirst && this.root.clientWidth && this.isWhole && addedBy(data.stations).length) this.endBeat = pulse(this);
  }

  /** Whether no station is lit: what all of the layer does is shown. */
  get isWhole() {
    return this.chosen < 0;
  }

  destroy() {
    this.endBeat?.();
  }

  draw() {
    const { words, stations } = this.data,
      room = this.root.clientWidth;
    this.followed = Math.min(this.wanted ?? this.data.usual, words.length - 1);
    if (!room) return;
    this.large = this.followed;
    this.isNarrow = room < NARROW;
    this.say();
    this.whole.node.hidden = !this.isWhole;
    for (const node of this.river) node.hidden = this.isWhole;
    if (this.isWhole) {
      this.root.dataset.near = false;
      return void this.whole.draw();
    }
    this.head = HEAD;
    this.tops = lanesOf(words.length, this.tall(), this.large, this.isNarrow ? FINGER : 0);
    this.height = Math.round(this.tops.at(-1));
    this.name(this.isNarrow ? 7 : 11);
    this.words.style.paddingTop = `${this.head}px`;
    this.width = room - this.words.offsetWidth - 6;
    this.sheet.style.cssText = `width:${this.width}px;height:${this.head + this.height + 8}px;--head:${this.head}px`;
    this.at = riverPlaces(stations, this.width, (n) => this.zoom.scale(n));
    this.stations();
    this.nUnits = vectors(this);
    this.lines();
    this.legend();
  }

  /** The words of the lanes; who presses one follows its token. Named are the followed one and, where attention is lit,
   * those it looks at most; the others say their names to who points at them. */
  name(letters) {
    const hadFocus = this.words.contains(this.root.getRootNode().activeElement);
    const weights = this.data.weights[this.large];
    const isAttention = this.data.stations[this.chosen]?.step === "attention";
    const named = new Map(isAttention ? namesOf(this.tops, weights, this.large) : []);
    const word = (text, lane) => {
      const isLarge = lane === this.large;
      const name = isLarge ? shorten(text, letters) : nameOf(text, weights[lane], letters);
      return el(
        named.has(lane) || isLarge ? "button.named" : "button",
        {
          // What is seen is part of what is heard; a name that is hidden is the token's own.
          "aria-label": named.has(lane) ? name : text,
          "aria-pressed": String(isLarge),
          tabindex: isLarge ? 0 : -1,
          style: `height:${this.within(lane, 1) - this.within(lane, 0)}px`,
          title: text,
          onclick: () => this.follow(lane),
        },
        el("span", { style: `transform:translateY(${named.get(lane) ?? 0}px)` }, name),
      );
    };
    this.words.replaceChildren(...this.data.words.map(word));
    if (hadFocus) this.words.children[this.followed].focus();
  }

  follow(lane) {
    this.wanted = lane;
    this.endBeat?.();
    this.draw();
    this.link.later();
  }

  /** Pixels for all lanes: as much of the window as there is, and fewer on a phone or where a presentation enlarges
   * them. */
  tall() {
    const isPresented = theme(this.root)("present");
    return this.isNarrow || isPresented ? 264 : Math.max(264, Math.min(780, windowHeight(this.root) - 284));
  }

  stations() {
    const focused = this.root.getRootNode().activeElement?.dataset?.n;
    this.heads.replaceChildren(
      ...this.data.stations.map(({ step, label, shape, help }, n) => {
        const { from, x, width } = this.at[n];
        const name = this.isNarrow ? (SHORT[step] ?? label) : label;
        // A name breaks behind a hyphen; one that would be cut all the same is left to who points at it.
        const longest = Math.max(...name.split("-").map((part) => part.length));
        const isTight = n !== this.chosen && x + width - from < (this.isNarrow ? SMALL_LETTER : LETTER) * longest;
        return el(
          isTight ? "button.tight" : "button",
          {
            "data-n": n,
            "aria-label": label,
            "aria-pressed": String(n === this.chosen),
            "data-reached": String(n <= this.chosen),
            title: `${help} ${shape}${n === this.chosen && !this.zoom.isIn ? ". Press again to zoom in." : ""}`,
            style: `left:${from}px;width:${x + width - from}px`,
            onclick: (event) => (event.stopPropagation(), this.choose(n)),
          },
          el("b", name),
        );
      }),
    );
    if (focused !== undefined) this.heads.children[focused]?.focus();
    this.shine();
  }

  /** The light falls on the station that is lit, and what lies beyond it is paler. */
  shine() {
    const { from, x, width } = this.at[this.chosen];
    this.glow.style.left = `${from - 3}px`;
    this.glow.style.width = `${x + width - from + 6}px`;
    this.flown = this.zoom.between(x + width);
    this.sheet.style.setProperty("--flown", `${this.flown}px`);
  }

  /** What happens at the lit station, or what all of the layer did to the token, and what the button does next. */
  say() {
    const { data, isWhole } = this;
    const { stations } = data;
    const next = isWhole ? "Walk through it" : this.chosen < stations.length - 1 ? "Next step" : "The whole layer";
    const step = () => stations[this.chosen].help + lengthsTold(data, this.followed, this.chosen);
    write(this.says, isWhole ? finding(data, this.followed, stations[0].help) : step());
    write(this.next, next);
  }

  /** To the next station; behind the last one, what all of the layer does. */
  walk() {
    const next = this.chosen + 1;
    this.choose(next < this.data.stations.length ? next : -1);
  }

  choose(n) {
    if (n === this.chosen) return this.zoom.turn();
    this.endBeat?.();
    this.chosen = n;
    if (this.isWhole) this.zoom.turn(false);
    const step = this.data.stations[n]?.step ?? "";
    this.waits = { step, until: performance.now() + PATIENCE };
    this.zoom.walk();
    this.link.now();
    this.send("step", step || WHOLE);
  }

  /** The station of this step, from a tag of the whole: that goes, and the focus to the station's own button. */
  open(step) {
    const n = this.data.stations.findIndex((station) => station.step === step);
    this.choose(n);
    this.heads.children[n].focus();
  }

  step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const button = by && this.heads.children[Number(event.target.closest("button").dataset.n) + by];
    if (!button) return;
    event.preventDefault();
    button.focus();
  }

  edges(n, lane) {
    const [top, bottom] = this.data.stations[n].main ? MAIN : SIDE;
    return [this.within(lane, top), this.within(lane, bottom)];
  }

  /** A height of the drawing: so much of a lane from its top. */
  within(lane, share) {
    return this.tops[lane] + share * (this.tops[lane + 1] - this.tops[lane]);
  }

  lines() {
    const parts = currents(this);
    const { from, x: to } = this.at[this.chosen];
    const isSplit = isByHead(this, this.chosen);
    this.zoom.label(isSplit ? this.zoom.columns(this.data.heads.length, from, to) : []);
    Object.assign(this.root.dataset, { near: this.zoom.isNear, crossings: isSplit ? this.data.heads.length : 1 });
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.drawing.style.cssText = `width:${this.width}px;height:${this.height}px`;
    this.drawing.setAttribute("aria-label", spokenOf(this.data, this.chosen));
    const path = ([kind, d, lane]) =>
      svg("path", { class: lane === this.large ? `${kind} large` : kind, d, "data-lane": lane });
    this.drawing.replaceChildren(...parts.map(path), ...signs(this));
  }

  /** What the colours of the bars mean, and of how many numbers they are. */
  legend() {
    const { features, left_out: more, words, stations, n_hidden: hidden } = this.data,
      [shown, all] = features;
    const isHidden = stations[this.chosen]?.step === "feed_forward" && this.nUnits < hidden;
    const cut = [
      more ? `the first ${words.length} of ${words.length + more} tokens` : "",
      shown < all ? `the first ${shown} of ${all} numbers` : "",
      isHidden ? `the strongest ${this.nUnits} of ${hidden} hidden units` : "",
    ].filter(Boolean);
    const sides = ["below", "above"].map((side) => el("span", el(`i.${side}`), `${side} 0`));
    this.scale.replaceChildren(cut.join(", "), ...sides);
    this.usual = this.zoom.isIn ? "Escape: zoom out." : "";
    this.note.textContent = this.usual;
  }

  stationAt(event) {
    const [x] = pointIn(event, this.sheet);
    return this.at.findIndex((place) => x < place.x + place.width + 1);
  }

  point(event) {
    const [x, y] = pointIn(event, this.sheet),
      lane = laneAt(this.tops, y - this.head);
    if (lane < 0) return this.ask(null);
    this.ask(lane);
    const n = this.stationAt(event),
      place = this.at[n];
    if (!place || x < place.x) return;
    const { values, label } = this.data.stations[n];
    const i = Math.min(values[lane].length - 1, Math.floor(((x - place.x) / place.width) * values[lane].length));
    const where = `“${this.data.words[lane]}” after ${label.toLowerCase()}`;
    this.note.textContent = `${where}, feature ${i}: ${fixed(values[lane][i])}`;
  }

  /** Only the ribbons of this token, and in words what it attends to; those of all where it is null. */
  ask(lane) {
    const { words, weights } = this.data;
    this.drawing.classList.toggle("asks", lane !== null);
    for (const path of this.drawing.querySelectorAll(".ribbon"))
      path.classList.toggle("on", path.dataset.lane === String(lane));
    [...this.words.children].forEach((word, i) => word.classList.toggle("on", i === lane));
    if (lane === null) this.note.textContent = this.usual;
    else {
      const most = weights[lane]
        .map((w, i) => [w, i])
        .sort((a, b) => b[0] - a[0])
        .slice(0, 3);
      const list = most.map(([w, i]) => `“${words[i]}” ${brief(w)}`).join(", ");
      this.note.textContent = `“${words[lane]}” looks at ${list}`;
    }
  }
}

export default mount(".layer-river", River);
