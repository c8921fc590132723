// One layer as a river: the way of one token, left to right through the layer's stations. Its stream runs above, and
// what a sublayer makes of a copy of it runs below, until both are added. The other tokens are lines above and below
// it, from which attention alone crosses over. One station is lit: it is wide and says what happens there; a button
// walks the token on to the next, and what it has not reached is faint.

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
} from "../../../../attention_view/lab.js";
import { currents, isByHead } from "./currents.js";
import { laneAt, laneBeside, lanesOf, nameOf, namesOf, signs } from "./lanes.js";
import { pulse } from "./pulse.js";
import { vectors } from "./vectors.js";
import { Zoom } from "./zoom.js";

const HEAD = 78, // above the lanes, for the names of the stations and the sentence of the one that is lit
  TALL_HEAD = 122, // where that sentence breaks
  SAYS = 680, // pixels that it has
  LEAST = 800, // below this width the river scrolls sideways
  GAPS = { attention: 1.9, feed_forward: 1.25, add1: 0.95, add2: 0.95, norm1: 0.5, norm2: 0.5, in: 0.06 },
  LETTER = 7.5, // pixels of a letter of a station's name
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
  ` another. Open below: ${stations[chosen].label.toLowerCase()}.`;

class River {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("blocks_step", this.data.stations[this.chosen].name, this.data.usual);
      put("blocks_near", this.zoom.isIn, false);
      put("blocks_lane", String(this.followed), String(this.data.words.length - 1));
    }, 100);
    this.zoom = new Zoom(this);
    const followed = param("blocks_lane");
    this.wanted = /^\d{1,3}$/.test(followed ?? "") ? Number(followed) : Infinity; // the last one
    this.words = el("div.words", { role: "group", "aria-label": "Follow a token" });
    this.glow = el("div.glow");
    this.heads = el("div.stations", { role: "group", "aria-label": "Stations of the layer" });
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.drawing = svg("svg", { role: "img" });
    this.dot = el("i.pulse", { "aria-hidden": "true" });
    this.says = el("p.says", { "aria-live": "polite" });
    this.sheet = el(
      "div.sheet",
      this.glow,
      this.canvas,
      this.drawing,
      this.heads,
      this.says,
      this.zoom.names,
      this.dot,
    );
    this.scroller = el("div.scroller", this.words, this.sheet);
    this.next = el("button.primary", { onclick: () => this.walk() });
    this.note = el("span.note");
    this.hint = el("span.hint", { hidden: true }, "Swipe sideways to follow the stream →");
    this.scale = el("span.scale", { "aria-hidden": "true" });
    root.replaceChildren(this.scroller, el("div.foot", this.next, this.hint, this.note, this.scale));
    this.sheet.onpointermove = (event) => this.point(event);
    this.sheet.onpointerleave = () => this.ask(null);
    this.sheet.onclick = (event) => this.choose(this.stationAt(event));
    this.heads.onkeydown = (event) => this.step(event);
    this.words.onkeydown = (event) => {
      const lane = laneBeside(event.key, this.followed, this.data.words.length);
      if (lane === null) return;
      event.preventDefault();
      this.follow(lane);
    };
    root.onkeydown = ({ key }) => void (key === "Escape" && this.zoom.turn(false)); // false would end what Enter does
    this.scroller.onscroll = () => this.atEnd();
    this.resized = () => this.draw();
  }

  update(data, { setStateValue }) {
    const isFirst = !this.data;
    this.send = setStateValue;
    this.data = data;
    this.chosen = data.stations.findIndex(({ step }) => step === data.chosen);
    this.zoom.walk();
    this.draw();
    this.reveal();
    this.link.later();
    Object.assign(this.root.dataset, { chosen: data.chosen, words: data.words.length });
    if (isFirst && this.at && !this.zoom.isIn && data.chosen === "in") this.endBeat = pulse(this);
  }

  destroy() {
    this.endBeat?.();
  }

  draw() {
    const { words, stations } = this.data,
      room = this.root.clientWidth;
    this.followed = Math.min(this.wanted, words.length - 1);
    if (!room) return;
    this.large = this.followed;
    this.head = room < LEAST ? TALL_HEAD : HEAD;
    this.tops = lanesOf(words.length, this.tall(room), this.large, room < LEAST ? FINGER : 0);
    this.height = Math.round(this.tops.at(-1));
    this.name(room < LEAST ? 9 : 11);
    this.words.style.paddingTop = `${this.head}px`;
    this.width = Math.max(LEAST, room - this.words.offsetWidth - 6);
    this.sheet.style.cssText = `width:${this.width}px;height:${this.head + this.height + 8}px;--head:${this.head}px`;
    this.at = riverPlaces(stations, this.width, (n) => this.zoom.scale(n));
    this.stations();
    this.nUnits = vectors(this);
    this.lines();
    this.legend();
    const scrolls = this.width > room - this.words.offsetWidth;
    this.hint.hidden = !scrolls;
    scrolls ? this.scroller.setAttribute("tabindex", "0") : this.scroller.removeAttribute("tabindex");
    this.atEnd();
  }

  /** The words of the lanes; who presses one follows its token. Named are the followed one and, where attention is lit,
   * those it looks at most; the others say their names to who points at them. */
  name(letters) {
    const hadFocus = this.words.contains(this.root.getRootNode().activeElement);
    const weights = this.data.weights[this.large];
    const isAttention = this.data.stations[this.chosen].step === "attention";
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
  tall(room) {
    const isPresented = theme(this.root)("present");
    return room < LEAST || isPresented ? 264 : Math.max(264, Math.min(780, windowHeight(this.root) - 304));
  }

  /** Scroll the open station into view, where the river is wider than the screen. */
  reveal() {
    if (!this.at) return;
    const { from, x, width } = this.at[this.chosen],
      room = this.scroller.clientWidth - this.words.offsetWidth,
      left = this.scroller.scrollLeft;
    if (this.zoom.isIn) this.scroller.scrollLeft = from - 16;
    else if (from < left || x + width > left + room) this.scroller.scrollLeft = Math.max(0, x + width - room + 24);
    this.atEnd();
  }

  atEnd() {
    const { scrollLeft, clientWidth, scrollWidth } = this.scroller;
    this.scroller.classList.toggle("end", scrollLeft + clientWidth > scrollWidth - 4);
  }

  stations() {
    const focused = this.root.getRootNode().activeElement?.dataset?.n;
    this.heads.replaceChildren(
      ...this.data.stations.map(({ label, shape, help }, n) => {
        const { from, x, width } = this.at[n];
        // A name that would be cut is left to who points at it.
        const isTight = n !== this.chosen && x + width - from < LETTER * label.length;
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
          el("b", label),
        );
      }),
    );
    if (focused !== undefined) this.heads.children[focused]?.focus();
    this.shine();
    this.say();
  }

  /** The light falls on a station, and what lies beyond it is faint. */
  shine(n = this.chosen, flown = this.at[n].x + this.at[n].width) {
    const { from, x, width } = this.at[n];
    this.glow.style.left = `${from - 3}px`;
    this.glow.style.width = `${x + width - from + 6}px`;
    this.flown = this.zoom.between(flown);
    this.sheet.style.setProperty("--flown", `${this.flown}px`);
  }

  /** What happens at the lit station, in a sentence under its name: from its left edge on, or up to its right one. */
  say() {
    const { from, x, width } = this.at[this.chosen],
      room = this.scroller.clientWidth - this.words.offsetWidth,
      { help } = this.data.stations[this.chosen];
    this.says.style.maxWidth = `${Math.min(SAYS, room - 16)}px`;
    if (this.says.textContent !== help) this.says.textContent = help;
    const isLeft = from + this.says.offsetWidth < this.width;
    this.says.style.left = `${isLeft ? from : Math.max(0, x + width - this.says.offsetWidth)}px`;
    this.sheet.dataset.says = isLeft ? "on" : "back";
    this.next.textContent = this.chosen < this.data.stations.length - 1 ? "Next step" : "From the start";
  }

  walk() {
    this.choose((this.chosen + 1) % this.data.stations.length);
    this.reveal();
  }

  choose(n) {
    if (n === this.chosen) return this.zoom.turn();
    if (n < 0) return;
    this.endBeat?.();
    this.chosen = n;
    this.zoom.walk();
    this.link.now();
    this.send("step", this.data.stations[n].step);
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
    const [from, to] = [this.at[this.chosen].from, this.at[this.chosen].x];
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
    const isHidden = stations[this.chosen].step === "feed_forward" && this.nUnits < hidden;
    const cut = [
      more ? `the first ${words.length} of ${words.length + more} tokens` : "",
      shown < all ? `the first ${shown} of ${all} numbers` : "",
      isHidden ? `the strongest ${this.nUnits} of ${hidden} hidden units` : "",
    ].filter(Boolean);
    this.scale.replaceChildren(cut.join(", "), el("i.below"), "below 0", el("i.above"), "above 0");
    this.usual = this.zoom.isIn ? "Escape: the whole layer." : "";
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
