// The merges in the order of learning: a hand finds the next one, a slider leads to any, a sentence says what it did.

import { el, counted, howOften } from "../../../../attention_view/lab.js";
import { cutBySpace, endSaid, fullest, nextHere, passedSaid, weigh } from "./cutting.js";
import { Player, slider } from "../../../../attention_view/controls.js";

const COUNTS = { 2: "two", 3: "three", 4: "four" };

export class Merges {
  /** machine: has the data, how many merges are applied, and go() */
  constructor(machine) {
    this.machine = machine;
    this.player = new Player(
      () => this.advance(),
      0,
      () => {},
    );
    this.play = el("button.play", { onclick: () => this.toggle() });
    this.main = el("button.primary", { onclick: () => this.act() });
    this.range = slider("Merges applied", {}, (at) => machine.go(at, true));
    this.output = el("output");
    this.scrub = el("div.scrub", this.play, this.range, this.output);
    this.step = el("p.finding", { role: "status" });
    this.headline = el("div.headline", this.step, this.main);
    this.forget();
  }

  get all() {
    return this.machine.data.merges.length;
  }

  /** What the dark button does: the next merge that changes this text, and after the last one all over again. */
  act() {
    const { machine, all } = this;
    machine.close?.();
    if (machine.at < all) this.join(1 + (nextHere(machine.data, machine.at) ?? all - 1));
    else machine.go(0, true);
  }

  /** The pair of the last of so many merges lights up wherever it stands, and closes. */
  join(to) {
    const [left, right] = this.machine.data.merges[to - 1];
    this.machine.glow(left, right, () => this.machine.go(to, true));
  }

  /** A seam is pressed: the pair becomes one token if none is commoner. */
  press(left, right) {
    const { machine } = this;
    this.player.stop();
    machine.close?.();
    const { to, ...counts } = weigh(machine.data, machine.at, left, right);
    if (to) this.join(to);
    else {
      this.miss = { left, right, ...counts };
      this.tried.add(`${left} ${right}`);
      machine.draw();
      machine.flash();
    }
  }

  toggle() {
    const { machine, player } = this;
    machine.close?.();
    if (player.isOn) {
      player.stop();
      machine.draw();
      machine.link.later();
      return;
    }
    if (machine.at >= this.all) machine.at = 0;
    machine.start ??= fullest(machine.data);
    this.forget();
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
    this.scrub.hidden = this.headline.hidden = !all;
    this.range.max = all;
    if (!all) return;
    this.range.value = at;
    this.range.setAttribute("aria-valuetext", `${at} of ${all} merges`);
    this.output.textContent = `${at} of ${all} merges`;
    this.play.textContent = this.player.isOn ? "Pause" : "▶ Watch it merge";
    this.main.textContent = at < all ? "Merge the commonest pair" : "Back to the bytes";
    this.step.replaceChildren(...this.told(at, tokens));
  }

  /** What to do, and what was counted. */
  notes(many) {
    const { data, at } = this.machine;
    const hand = this.tried.size ? "" : "Press a +. ";
    if (!at) return [`${hand}Pairs are counted in the text that the vocabulary is learned from, not in yours.`];
    const passed = passedSaid(data, at);
    if (at === this.all) return ["Press a token to see how it grew.", ...passed, ...endSaid(data)];
    return [
      `${many}.`,
      ...passed,
      nextHere(data, at) === null ? "It will not change any more." : "Which pair is next?",
    ];
  }

  forget() {
    this.miss = null;
    this.tried = new Set(); // what was pressed since the last merge
  }

  /** What a seam says: nothing of its pair before a hand has tried one, and then how often each is there. */
  said(left, right) {
    return this.tried.size ? weigh(this.machine.data, this.machine.at, left, right).count : "+";
  }

  /** What was pressed, or else what the last merge did. */
  told(at, tokens) {
    const { machine, miss } = this;
    const name = (token) => el("code", machine.label(token));
    if (miss) {
      const commoner = `Another pair is commoner, ${howOften(miss.most)}: find it.`;
      return [name(miss.left), " + ", name(miss.right), `: ${howOften(miss.count)}. ${commoner}`];
    }
    if (at === 0 && nextHere(machine.data, 0) === null) return ["No two letters of this text become one token."];
    if (at === 0) return ["Which two letters stand side by side most often? They become one token."];
    const bytes = machine.data.ids.length;
    if (at === this.all) {
      const now = counted(tokens.length, "token");
      const [pieces, word] = cutBySpace(machine.data, tokens, (id) => machine.label(id)) ?? [];
      const many = `${bytes} ${bytes === 1 ? "byte is" : "bytes are"} now ${now}`;
      if (!word) return [`After ${at} ${at === 1 ? "merge" : "merges"}, ${many}.`];
      const first = `${COUNTS[pieces.length] ?? pieces.length} tokens at the start (${pieces.join(" + ")})`;
      return [`${many}. “${word}” is ${first}, but one after a space.`];
    }
    const [left, right, id, count] = machine.data.merges[at - 1];
    const made = tokens.filter(([, isFresh]) => isFresh).length;
    const here = made ? `${made}× in your sentence` : "though not in your sentence";
    return [
      name(left),
      " + ",
      name(right),
      `: ${howOften(count)}, no pair more often. Now one token, `,
      name(id),
      `, ${here}.`,
    ];
  }
}
