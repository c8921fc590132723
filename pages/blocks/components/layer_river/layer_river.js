// One layer as a river: a lane per token, left to right through the layer's stations. In each lane the stream runs
// above, and what a sublayer makes of a copy of it runs below, until both are added. Attention alone crosses lanes.

import {
  brief,
  el,
  fixed,
  mirror,
  mount,
  pointIn,
  rgb,
  shorten,
  svg,
  theme,
  windowHeight,
} from "../../../../attention_view/lab.js";
import { pulse } from "./pulse.js";

const HEAD = 46, // above the lanes, for the names of the stations
  LEAST = 800, // below this width the river scrolls sideways
  GAPS = { attention: 1.9, feed_forward: 1.25, add1: 0.95, add2: 0.95, norm1: 0.5, norm2: 0.5, in: 0.06 },
  MAIN = [0.08, 0.88], // of a lane's height: the vectors of the stream
  SIDE = [0.46, 0.9], // and what a sublayer makes
  PIPE = 0.2; // the stream on its way past a sublayer

/** Where the stations stand in so much width: {x, width} of the vectors, and where what leads there begins. */
export function riverPlaces(stations, width) {
  const wide = ({ main }) => (main ? 1 : 0.9);
  const units = stations.reduce((sum, station) => sum + GAPS[station.step] + wide(station), 0);
  let x = 0;
  return stations.map((station) => {
    const from = x,
      gap = (GAPS[station.step] * width) / units;
    x += gap + (wide(station) * width) / units;
    return { from, x: from + gap, width: x - from - gap };
  });
}

/** A band between two edges: [x, top, bottom] each. */
const band = ([x0, a0, b0], [x1, a1, b1]) => {
  const m = (x0 + x1) / 2;
  return `M${x0} ${a0} C${m} ${a0} ${m} ${a1} ${x1} ${a1} V${b1} C${m} ${b1} ${m} ${b0} ${x0} ${b0}Z`;
};

class River {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_step", this.data.stations[this.chosen].name, this.data.usual), 100);
    this.words = el("div.words");
    this.glow = el("div.glow");
    this.heads = el("div.stations", { role: "group", "aria-label": "Stations of the layer" });
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.drawing = svg("svg", { role: "img" });
    this.dot = el("i.pulse", { "aria-hidden": "true" });
    this.sheet = el("div.sheet", this.glow, this.canvas, this.drawing, this.heads, this.dot);
    this.scroller = el("div.scroller", this.words, this.sheet);
    this.note = el("span");
    this.hint = el("span.hint", { hidden: true }, "Swipe sideways to follow the stream →");
    this.scale = el("span.scale", { "aria-hidden": "true" });
    root.replaceChildren(this.scroller, el("div.foot", this.hint, this.note, this.scale));
    this.sheet.onpointermove = (event) => this.point(event);
    this.sheet.onpointerleave = () => this.ask(null);
    this.sheet.onclick = (event) => this.choose(this.stationAt(event));
    this.heads.onkeydown = (event) => this.step(event);
    this.scroller.onscroll = () => this.atEnd();
    this.resized = () => this.draw();
  }

  update(data, { setStateValue }) {
    const isFirst = !this.data;
    this.send = setStateValue;
    this.data = data;
    this.chosen = data.stations.findIndex(({ step }) => step === data.chosen);
    this.draw();
    this.reveal();
    this.link.later();
    Object.assign(this.root.dataset, { chosen: data.chosen, words: data.words.length });
    if (isFirst && this.at) this.endBeat = pulse(this, HEAD);
  }

  destroy() {
    this.endBeat?.();
  }

  draw() {
    const { words, stations } = this.data,
      room = this.root.clientWidth;
    if (!room) return;
    this.lane = Math.max(13, Math.min(64, this.tall(room) / words.length));
    this.height = Math.round(this.lane * words.length);
    const letters = room < 820 ? 9 : 13;
    this.words.replaceChildren(
      ...words.map((word) => el("span", { style: `height:${this.lane}px`, title: word }, shorten(word, letters))),
    );
    this.words.style.paddingTop = `${HEAD}px`;
    this.width = Math.max(LEAST, room - this.words.offsetWidth - 6);
    this.sheet.style.cssText = `width:${this.width}px;height:${HEAD + this.height + 8}px`;
    this.at = riverPlaces(stations, this.width);
    this.stations();
    this.stripes();
    this.lines();
    this.legend();
    const scrolls = this.width > room - this.words.offsetWidth;
    this.hint.hidden = !scrolls;
    scrolls ? this.scroller.setAttribute("tabindex", "0") : this.scroller.removeAttribute("tabindex");
    this.atEnd();
  }

  /** Pixels for all lanes: as much of the window as leaves the open station its title, and fewer on a phone or where
   * a presentation enlarges them. */
  tall(room) {
    const isPresented = theme(this.root)("present");
    return room < LEAST || isPresented ? 264 : Math.max(264, Math.min(680, 0.64 * windowHeight(this.root) - 110));
  }

  /** Scroll the open station into view, where the river is wider than the screen. */
  reveal() {
    if (!this.at) return;
    const { from, x, width } = this.at[this.chosen],
      room = this.scroller.clientWidth - this.words.offsetWidth,
      left = this.scroller.scrollLeft;
    if (from < left || x + width > left + room) this.scroller.scrollLeft = Math.max(0, x + width - room + 24);
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
        return el(
          "button",
          {
            "data-n": n,
            "aria-pressed": String(n === this.chosen),
            title: help,
            style: `left:${from}px;width:${x + width - from}px`,
            onclick: (event) => (event.stopPropagation(), this.choose(n)),
          },
          el("b", label),
          el("small", shape),
        );
      }),
    );
    if (focused !== undefined) this.heads.children[focused]?.focus();
    this.shine();
  }

  shine() {
    const { from, x, width } = this.at[this.chosen];
    this.glow.style.left = `${from - 3}px`;
    this.glow.style.width = `${x + width - from + 6}px`;
  }

  choose(n) {
    if (n === this.chosen || n < 0) return;
    this.chosen = n;
    [...this.heads.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === n)));
    this.shine();
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
    return [(lane + top) * this.lane, (lane + bottom) * this.lane];
  }

  /** Every vector as stripes, one per feature: amber below zero, slate above. */
  stripes() {
    const { stations, largest } = this.data,
      scale = devicePixelRatio || 1,
      colour = theme(this.root),
      [panel, over, under] = ["panel", "positive", "negative"].map((name) => [...rgb(colour(name))]);
    Object.assign(this.canvas, { width: this.width * scale, height: this.height * scale });
    this.canvas.style.cssText = `width:${this.width}px;height:${this.height}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    stations.forEach(({ values }, n) => {
      const { x, width } = this.at[n];
      values.forEach((vector, lane) => {
        const [top, bottom] = this.edges(n, lane),
          each = width / vector.length;
        vector.forEach((value, i) => {
          const share = Math.min(1, Math.abs(value) / largest),
            full = value < 0 ? under : over;
          pen.fillStyle = `rgb(${panel.map((c, k) => Math.round(c + share * (full[k] - c))).join()})`;
          pen.fillRect(x + i * each, top, each + 0.4, bottom - top);
        });
      });
    });
  }

  lines() {
    const { stations, words, weights } = this.data,
      parts = [],
      longest = Math.max(...stations.filter(({ main }) => main).flatMap(({ lengths }) => lengths)) || 1;
    let stream = 0; // the station that the stream left last
    stations.forEach((station, n) => {
      const { x, width } = this.at[n];
      for (let lane = 0; lane < words.length && n; lane += 1) {
        const y = lane * this.lane,
          before = this.at[n - 1].x + this.at[n - 1].width,
          [a, b] = this.edges(n - 1, lane),
          [top, bottom] = this.edges(n, lane);
        if (station.step === "attention") parts.push(...this.ribbons(weights[lane], lane, n, before));
        else if (station.step.startsWith("add")) {
          const [met, given] = [stations[stream].lengths[lane], stations[n - 1].lengths[lane]];
          const split = top + ((bottom - top) * met) / (met + given || 1);
          const half = Math.max(0.7, 0.13 * this.lane * (met / longest)),
            pipe = y + PIPE * this.lane,
            left = this.at[stream].x + this.at[stream].width;
          const bend = x - Math.min(44, this.at[n].x - this.at[n].from);
          const straight = `M${left} ${pipe - half} H${bend} V${pipe + half} H${left}Z`;
          parts.push(["stream", `${straight}${band([bend, pipe - half, pipe + half], [x, top, split])}`]);
          const middle = (a + b) / 2,
            push = Math.max(0.7, 0.13 * this.lane * (given / longest));
          parts.push(["push", band([before, middle - push, middle + push], [x, split, bottom])]);
        } else if (station.step === "feed_forward") {
          const [u, v] = [y + 0.4 * this.lane, y + 0.97 * this.lane],
            [s, t] = [before + 0.3 * (x - before), before + 0.7 * (x - before)],
            low = (top + bottom) / 2,
            high = (a + b) / 2;
          const above = `M${before} ${high - 2} L${s} ${u} H${t} L${x} ${low - 2} V${low + 2}`;
          const d = `${above} L${t} ${v} H${s} L${before} ${high + 2}Z`;
          parts.push(["hidden", d]);
        } else if (station.main) {
          parts.push(["stream", band([before, a, b], [x, top, bottom])]);
        } else {
          const middle = (top + bottom) / 2;
          parts.push([
            "copy",
            `M${before} ${middle} H${x} M${x - 5} ${middle - 3} L${x} ${middle} L${x - 5} ${middle + 3}`,
          ]);
        }
      }
      for (let lane = 0; lane < words.length; lane += 1) {
        const [top, bottom] = this.edges(n, lane);
        parts.push(["frame", `M${x} ${top} h${width} V${bottom} h${-width}Z`]);
      }
      if (station.main) stream = n;
    });
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.drawing.style.cssText = `width:${this.width}px;height:${this.height}px`;
    this.drawing.setAttribute("aria-label", this.spoken());
    this.drawing.replaceChildren(...parts.map(([kind, d, lane]) => svg("path", { class: kind, d, "data-lane": lane })));
  }

  /** What a token attends to, as bands that add up to 1 where they arrive. */
  ribbons(row, lane, n, before) {
    const x = this.at[n].x,
      parts = [];
    const [first, bottom] = this.edges(n, lane),
      whole = bottom - first;
    let top = first;
    row.forEach((weight, source) => {
      const thick = weight * whole,
        [a, b] = this.edges(n - 1, source),
        middle = (a + b) / 2;
      if (weight > 0.012)
        parts.push(["ribbon", band([before, middle - thick / 2, middle + thick / 2], [x, top, top + thick]), lane]);
      top += thick;
    });
    return parts;
  }

  legend() {
    const { largest, features, left_out: more, words } = this.data,
      end = brief(largest),
      [shown, all] = features;
    const bar = "linear-gradient(to right, var(--negative), var(--panel), var(--positive))";
    this.scale.replaceChildren(`≤ −${end}`, el("i", { style: `background:${bar}` }), `≥ ${end}`);
    const cut = [
      shown < all ? `the first ${shown} of ${all} features` : "",
      more ? `the first ${words.length} of ${words.length + more} tokens` : "",
    ].filter(Boolean);
    const left = cut.length ? ` (${cut.join(", ")})` : "";
    this.usual = `Each stripe is one number of a vector${left}. Violet: attention weights, averaged over the heads.`;
    this.note.textContent = this.usual;
  }

  spoken() {
    const { stations, words } = this.data;
    const chosen = stations[this.chosen].label;
    return (
      `The vectors of ${words.length} tokens on their way through one layer: ` +
      stations.map(({ label }) => label.toLowerCase()).join(", then ") +
      ". The stream passes by each sublayer and its" +
      ` result is added to it; only attention crosses from one token to another. Open below: ${chosen.toLowerCase()}.`
    );
  }

  stationAt(event) {
    const [x] = pointIn(event, this.sheet);
    return this.at.findIndex((place) => x < place.x + place.width + 1);
  }

  point(event) {
    const [x, y] = pointIn(event, this.sheet),
      lane = Math.floor((y - HEAD) / this.lane);
    if (lane < 0 || lane >= this.data.words.length) return this.ask(null);
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
