// The merges in the order of learning: a hand finds the first ones, then they run by themselves; a sentence says what
// each one did.

import { counted, el, howOften } from "../../../../attention_view/lab.js";
import { Player } from "../../../../attention_view/controls.js";
import { cutBySpace, nextHere, weightsAt } from "./cutting.js";

const BEAT_OF = 230; // milliseconds from one merge to the next
const COUNTS = { 2: "two", 3: "three", 4: "four" };

export class Merges {
  /** machine: has the data, how many merges are applied, go() and push() */
  constructor(machine) {
    this.machine = machine;
    this.player = new Player(
      () => this.advance(),
      BEAT_OF,
      () => {},
    );
    this.main = el("button.primary", { onclick: () => this.act() });
    this.step = el("p.finding", { role: "status" });
    this.many = el("p.many-left");
    this.headline = el("div.headline", this.many, this.step, this.main);
    this.miss = null; // the pair that a hand has tried in vain, since the last merge
  }

  get all() {
    return this.machine.data.merges.length;
  }

  /** After how many merges this text is another one next: after all of them where it stays as it is. */
  get next() {
    const n = nextHere(this.machine.data, this.machine.at);
    return n === null ? this.all : n + 1;
  }

  /** What the dark button does: the first merge, then all others, and after the last one all over again. */
  act() {
    const { machine, all, next, player } = this;
    if (machine.at === all) machine.go(0, true);
    else if (player.isOn) machine.go(all, true);
    else if (machine.at) {
      player.start();
      this.advance();
    } else machine.push(...machine.data.merges[next - 1].slice(0, 2), next);
  }

  /** Merges run no further by themselves. */
  halt() {
    if (!this.player.isOn) return;
    this.player.stop();
    this.draw();
    this.machine.link.later();
  }

  advance() {
    const { machine, player, next, all } = this;
    if (next === all) player.stop();
    machine.go(next, false);
    if (!player.isOn) machine.link.later();
  }

  draw() {
    const { at, tokens } = this.machine;
    const { all } = this;
    this.main.textContent = !at ? "Merge the thickest" : this.player.isOn ? "Skip to the end" : `Run all ${all} merges`;
    if (at === all) this.main.textContent = "Back to the start";
    const n = tokens.length;
    this.many.replaceChildren(el("b", n.toLocaleString("en")), n === 1 ? "token" : "tokens");
    this.step.replaceChildren(...this.told(at, tokens));
  }

  /** What was tried in vain, or else what the last merge did. */
  told(at, tokens) {
    const { machine, miss } = this;
    const name = (token) => el("code", machine.label(token));
    if (miss) {
      const { counts, most } = weightsAt(machine.data, at);
      const count = howOften(counts.get(miss.join(" ")) ?? 0);
      const thickest = nextHere(machine.data, at) === null ? "most frequent pair, not in this text" : "thickest joint";
      return [name(miss[0]), " + ", name(miss[1]), `: ${count}. The ${thickest}: ${howOften(most)}.`];
    }
    if (at === 0 && nextHere(machine.data, 0) === null) return ["No two letters of this text become one token."];
    if (at === 0) return ["Push two tiles together where the joint is thickest."];
    if (at === this.all) return this.end(tokens);
    const [, , id, count] = machine.data.merges[at - 1];
    const here = tokens.some(([, isFresh]) => isFresh) ? "" : " It is not in your sentence.";
    return [name(id), ` is one token now: no pair was more frequent (${howOften(count)}).${here}`];
  }

  /** What all merges come to. */
  end(tokens) {
    const { machine, all } = this;
    const [pieces, word] = cutBySpace(machine.data, tokens, (id) => machine.label(id)) ?? [];
    const before = counted(machine.data.ids.length, "byte");
    if (!word) return [`${before} before, ${counted(tokens.length, "token")} after ${counted(all, "merge")}.`];
    const isTold = ([id, , start]) => start < machine.data.words[1] || machine.label(id) === `␣${word}`;
    tokens.forEach((token, n) => machine.chips[n].classList.toggle("fresh", isTold(token)));
    return [`“${word}” is ${COUNTS[pieces.length] ?? pieces.length} tokens at the start, but one after a space.`];
  }
}
