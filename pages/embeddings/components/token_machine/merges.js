// The merges that were learned, in their order: a slider over them, what the last one did, and the list of all.

import { el } from "../../../../attention_view/lab.js";
import { cutBySpace } from "./cutting.js";
import { firstBeat, Player, slider, tween } from "../../../../attention_view/controls.js";

export const BEAT = 3000; // milliseconds of all merges, when the page opens
const COUNTS = { 2: "two", 3: "three", 4: "four" };
const AHEAD = 2; // lines of the list above the one of the last merge, once it has scrolled

export class Merges {
  /** machine: has the data, how many merges are applied, and go() */
  constructor(machine) {
    this.machine = machine;
    this.player = new Player(
      () => this.advance(),
      0,
      () => {},
    );
    this.play = el("button.primary", { onclick: () => this.toggle() });
    this.range = slider("Merges applied", {}, (at) => machine.go(at, true));
    this.output = el("output");
    this.scrub = el("div.scrub", this.range, this.output);
    this.step = el("p.finding");
    this.headline = el("div.headline", this.step, this.play);
    this.history = el("ol.history", { "aria-label": "Merges in the order of learning" });
    this.side = el("section.side", el("h2", "All merges, in the order of learning"), this.history);
  }

  get all() {
    return this.machine.data.merges.length;
  }

  /** The list of all merges. */
  list() {
    const { machine } = this;
    const name = (id) => el("code", machine.label(id));
    this.rows = machine.data.merges.map(([left, right, id, count], n) => {
      const pair = `${machine.label(left)} + ${machine.label(right)}`;
      const title = `${pair}, ${count} times side by side, becomes id ${id}`;
      const said = [el("span.pair", name(left), " + ", name(right)), el("small", `${count}×`)];
      return el("button", { title, onclick: () => machine.go(n + 1, true) }, el("small", String(n + 1)), ...said);
    });
    this.history.replaceChildren(...this.rows.map((row) => el("li", row)));
  }

  /** The first beat: bytes become tokens, merge by merge. It begins slowly, where one can follow single letters. */
  begin() {
    const { machine } = this;
    const show = (share) => {
      const at = Math.round(this.all * share * share);
      if (at === machine.at) return;
      machine.at = at;
      machine.draw();
    };
    let stop;
    const end = () => {
      stop();
      machine.go(this.all, false);
    };
    this.endBeat = firstBeat("merges", BEAT, () => (stop = tween(BEAT, show)), end);
  }

  toggle() {
    const { machine, player } = this;
    if (player.isOn) {
      player.stop();
      machine.draw();
      machine.link.later();
      return;
    }
    if (machine.at >= this.all) machine.at = 0;
    // The whole film takes about eight seconds, and no step less than a blink.
    player.start(Math.max(60, Math.min(700, 8000 / this.all)));
    machine.draw();
  }

  advance() {
    const { machine, player } = this;
    machine.at += 1;
    if (machine.at >= this.all) player.stop();
    machine.draw();
    if (!player.isOn) machine.link.later();
  }

  draw() {
    const { at, tokens } = this.machine;
    const { all } = this;
    this.scrub.hidden = this.headline.hidden = this.side.hidden = !all;
    this.range.max = all;
    if (!all) return;
    this.range.value = at;
    this.range.setAttribute("aria-valuetext", `${at} of ${all} merges`);
    this.output.textContent = `${at} of ${all} merges`;
    this.play.textContent = this.player.isOn ? "Pause" : "▶ Watch it merge";
    this.step.replaceChildren(...this.told(at, tokens));
    this.rows.forEach((row, n) => {
      row.classList.toggle("later", n >= at);
      row.setAttribute("aria-current", String(n === at - 1));
    });
    const list = this.history;
    const { offsetTop, offsetHeight } = this.rows[Math.max(0, at - 1)];
    if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = Math.max(0, offsetTop - AHEAD * (offsetHeight || 27)); // whole lines only
  }

  /** What the last merge did. */
  told(at, tokens) {
    if (at === 0) return ["Before any merge every byte is a token of its own."];
    const { machine } = this;
    const bytes = machine.data.ids.length;
    if (at === this.all) {
      const now = `${tokens.length} token${tokens.length === 1 ? "" : "s"}`;
      const [pieces, word] = cutBySpace(machine.data, tokens, (id) => machine.label(id)) ?? [];
      const many = `${bytes} bytes are now ${now}`;
      if (!word) return [`After ${at} ${at === 1 ? "merge" : "merges"}, ${many}.`];
      const first = `${COUNTS[pieces.length] ?? pieces.length} tokens at the start (${pieces.join(" + ")})`;
      return [`${many}. “${word}” is ${first}, but one after a space.`];
    }
    const [left, right, id, count] = machine.data.merges[at - 1];
    const made = tokens.filter(([, isFresh]) => isFresh).length;
    const name = (token) => el("code", machine.label(token));
    const times = el("b", `${count.toLocaleString("en")}×`);
    const pair = [name(left), " + ", name(right)];
    const end = made ? `: ${made}× in your sentence.` : ".";
    return [
      `Merge ${at}: `,
      ...pair,
      " occurred ",
      times,
      " in the training text and became ",
      name(id),
      `, id ${id}`,
      end,
    ];
  }
}
