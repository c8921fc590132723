// The walk through a layer: its stations as one line, with the guess at each that is reached, and below it one picture
// of what happens at the station that is open.

import { asShare, el, put, rewrite, shorten, write } from "../../../../attention_view/lab.js";
import { pictureAt } from "./pictures.js";
import { noteAt, toldAt } from "./told.js";
import { saidAt, stopsOf } from "./whole.js";

const SHORT = { in: "In", norm1: "Norm", norm2: "Norm", add1: "Add", add2: "Add" }, // on a phone
  LINE = 90; // pixels of the stations

export class Walk {
  /** river: whose station is open */
  constructor(river) {
    this.river = river;
    this.stations = el("div.stations", { role: "group", "aria-label": "Stations of the layer" });
    this.stations.onkeydown = (event) => this.step(event);
    this.scene = el("div.scene", { role: "img" });
    this.note = el("p.quiet");
    this.node = el("div.walk", this.stations, this.scene, this.note);
  }

  draw() {
    const { river } = this;
    const { data, chosen, followed: lane, isNarrow } = river;
    this.line();
    const room = { width: this.scene.clientWidth, height: Math.max(220, river.tall() - LINE), isNarrow };
    this.scene.replaceChildren(pictureAt(data, chosen, lane, room));
    this.scene.dataset.step = data.stations[chosen].step;
    const note = noteAt(data, chosen, lane);
    this.scene.setAttribute("aria-label", `${toldAt(data, chosen, lane)} ${note}`.trim());
    write(this.note, note);
  }

  /** The stations stay the same elements, or the focus would go. */
  line() {
    const { data, chosen, followed: lane, isNarrow } = this.river;
    const { stations } = data;
    const made = stations.map(({ step }) => step).join();
    if (made !== this.made) {
      this.made = made;
      const button = ({ step }, n) => el("button", { "data-n": n, onclick: () => this.river.choose(step) });
      this.stations.replaceChildren(...stations.map(button));
    }
    const stops = stopsOf(stations);
    const said = saidAt(data, lane);
    for (const [n, station] of stations.entries()) {
      const button = this.stations.children[n];
      const [word, chance] = (n <= chosen && said?.[stops.indexOf(station)]) || [];
      const guess = word === undefined ? [] : [el("b", shorten(word, isNarrow ? 7 : 11)), el("small", asShare(chance))];
      const { label, shape, help, step } = station;
      const name = isNarrow ? (SHORT[step] ?? label) : label.replace(" +", "");
      put(button, {
        "aria-label": [name, ...guess.map(({ textContent: text }) => text)].join(" "),
        "aria-pressed": String(n === chosen),
        "data-reached": String(n <= chosen),
        title: `${help} ${shape}`,
      });
      rewrite(button, el("i"), el("span.name", name), el("span.guess", ...guess));
    }
  }

  step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const button = by && this.stations.children[Number(event.target.closest("button").dataset.n) + by];
    if (!button) return;
    event.preventDefault();
    button.focus();
  }
}
