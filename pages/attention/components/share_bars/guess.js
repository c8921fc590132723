// One attention, cut among three keys. A hand drags the two cuts to where it expects them; then the model's own bar
// falls below, cut by softmax. From then on the matches are in the hand, and that bar answers.

import { el, pointIn, put, svg, write } from "../../../../attention_view/lab.js";
import { drag, inRow, takesHold } from "../../../../attention_view/controls.js";
import { changed, HIGHEST, outcome, taskOf, worked } from "./answer.js";
import { evenly } from "./mixing.js";

const PER_POINT = 16; // pixels that a hand moves a match by 1
const [NARROW, NARROWEST] = [66, 20]; // pixels: a piece so narrow has its share upright, or none

/** Where the pieces of a bar end, in shares of it. */
const endsOf = (shares) => shares.map((_, i) => shares.slice(0, i + 1).reduce((sum, share) => sum + share, 0));

/** From pieces above to pieces below: [[start, end], ...] each, in shares of the width. */
const flows = (above, below) =>
  above.map(([a, b], i) => {
    const [c, d] = below[i];
    const [x0, x1, x2, x3] = [a, b, d, c].map((x) => 100 * x);
    return svg("path", { d: `M${x0} 0C${x0} 50 ${x3} 50 ${x3} 100H${x2}C${x2} 50 ${x1} 50 ${x1} 0z` });
  });

const piecesOf = (shares) => endsOf(shares).map((end, i) => [end - shares[i], end]);

export class Guess {
  constructor(root) {
    this.root = root;
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button", { onclick: () => this.goOn() });
    this.figure = el("div.guess");
    root.replaceChildren(el("div.headline", this.finding, this.act), this.figure);
  }

  update(data) {
    const isShown = this.data?.revealed && data.revealed && this.data.number === data.number; // it was revealed here
    this.data = data;
    if (isShown) return;
    this.endDrag?.();
    this.shares = data.shares ?? evenly(data.matches);
    this.isTouched = false;
    this.build();
    this.draw();
  }

  goOn() {
    const { data, shares, isTouched } = this;
    if (data.revealed) return this.send("next", data.number);
    if (!isTouched) return; // what nobody has moved is no guess
    this.send("reveal", shares);
    this.data = { ...data, revealed: true };
    this.matches = [...data.matches];
    this.fill(this.own, shares);
    void this.root.offsetWidth; // the bar falls, and its cuts go from the guess to what is true
    this.draw();
    this.discs[this.least].focus({ preventScroll: true });
  }

  build() {
    const { matches } = this.data;
    this.matches = [...matches];
    this.least = matches.indexOf(Math.min(...matches));
    this.moved = null;
    this.discs = matches.map((_, i) => this.disc(i));
    const keys = this.discs.map((disc, i) => el("div.matched", disc, el("b.key.name", `key ${i + 1}`)));
    const [mine, own] = [this.bar(), this.bar()];
    this.cuts = matches.slice(1).map((_, i) => this.cut(i, mine.node));
    mine.node.append(...this.cuts);
    const stream = () => svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    Object.assign(this, { mine, own, streams: [stream(), stream()] });
    const asked = el("p.quiet", "how well each key matches the query");
    this.figure.replaceChildren(asked, el("div.keys", ...keys), this.streams[0], mine.node, this.streams[1], own.node);
    own.node.classList.add("own");
  }

  /** A bar in as many pieces as there are keys. */
  bar() {
    const pieces = this.data.matches.map(() => {
      const [share, power] = [el("b"), el("small")];
      return { node: el("span.piece", share, power), share, power };
    });
    const name = el("span.cut-by");
    return { node: el("div.bar", name, ...pieces.map(({ node }) => node)), pieces, name };
  }

  // ---- hands -------------------------------------------------------------------------------------------------------

  /** The cut after key i. */
  cut(i, bar) {
    const to = (x) => this.cutAt(i, x);
    const onpointerdown = (event) => {
      if (!takesHold(event)) return;
      this.endDrag = drag(
        (now) => to(pointIn(now, bar)[0] / bar.clientWidth),
        () => {},
      );
    };
    const onkeydown = (event) => {
      const at = inRow(event, Math.round(100 * endsOf(this.shares)[i]), 101, 1, 10);
      if (at !== null) to(at / 100);
    };
    const label = `The cut between key ${i + 1} and key ${i + 2}`;
    const range = { "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100 };
    return el("i.cut", { role: "slider", tabindex: 0, ...range, onpointerdown, onkeydown });
  }

  cutAt(i, x) {
    const ends = [0, ...endsOf(this.shares)];
    const end = Math.max(ends[i], Math.min(ends[i + 2], Math.round(100 * x) / 100));
    this.isTouched = true;
    this.shares = this.shares.with(i, end - ends[i]).with(i + 1, ends[i + 2] - end);
    this.draw();
  }

  /** The match of key i, which a hand moves up and down once the model's cut is there. */
  disc(i) {
    const onpointerdown = (event) => {
      if (!this.data.revealed || !takesHold(event)) return;
      const from = this.matches[i] + event.clientY / PER_POINT;
      this.endDrag = drag(
        (now) => this.match(i, Math.round(from - now.clientY / PER_POINT)),
        () => {},
      );
    };
    const onkeydown = (event) => {
      const to = this.data.revealed ? inRow(event, this.matches[i], HIGHEST + 1, 1, 2) : null;
      if (to !== null) this.match(i, to);
    };
    return el("b.disc", { onpointerdown, onkeydown });
  }

  match(i, to) {
    this.matches = this.matches.with(i, Math.max(0, Math.min(HIGHEST, to)));
    this.moved = i;
    this.draw();
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  draw() {
    const { data, shares, matches, discs, cuts, root } = this;
    const ends = endsOf(shares);
    const keys = matches.map((_, i) => [(i + 0.5) / 3 - 0.035, (i + 0.5) / 3 + 0.035]);
    cuts.forEach((cut, i) => {
      cut.style.left = `${100 * ends[i]}%`;
      const text = [i, i + 1].map((n) => `key ${n + 1}: ${shares[n].toFixed(2)}`).join(", ");
      put(cut, {
        "aria-valuenow": Math.round(100 * ends[i]),
        "aria-valuetext": text,
        "aria-disabled": Boolean(data.revealed),
      });
      cut.hidden = data.revealed;
    });
    discs.forEach((disc, i) => {
      write(disc, String(matches[i]));
      const range = { "aria-valuemin": 0, "aria-valuemax": HIGHEST, "aria-valuenow": matches[i] };
      if (data.revealed) put(disc, { role: "slider", tabindex: 0, "aria-label": `Match of key ${i + 1}`, ...range });
    });
    const isMoved = String(matches) !== String(data.matches);
    this.upper = isMoved ? worked(data.matches, data.root).shares : shares;
    this.fill(this.mine, this.upper);
    write(this.mine.name, isMoved ? `softmax’s cut of ${data.matches.join(", ")}` : "your cut");
    write(this.own.name, isMoved ? `of ${matches.join(", ")}` : "softmax’s cut");
    this.streams[0].replaceChildren(...flows(keys, piecesOf(this.upper)));
    root.classList.toggle("revealed", data.revealed);
    root.classList.toggle("moved", isMoved);
    root.dataset.shares = JSON.stringify(shares);
    if (data.revealed) this.drawOwn();
    else this.say(data.finding, this.isTouched ? "Reveal softmax’s cut" : "Drag a cut first", !this.isTouched);
  }

  /** How softmax cuts the same matches, or those that a hand has made of them. */
  drawOwn() {
    const { data, matches, moved } = this;
    const { root } = data;
    const now = worked(matches, root);
    this.fill(this.own, now.shares, now.powers);
    this.streams[1].replaceChildren(...flows(piecesOf(this.upper), piecesOf(now.shares)));
    this.root.dataset.own = JSON.stringify(now.shares);
    const task = taskOf(data.matches, matches);
    const own = worked(data.matches, root).shares;
    const at = (all, part) => ({ match: all[moved], share: part[moved] });
    const told =
      String(matches) === String(data.matches)
        ? outcome(matches, now.shares)
        : changed(moved, at(data.matches, own), at(matches, now.shares));
    this.say(told + (moved === null || moved === this.least ? task : ""), "Next puzzle", false, Boolean(task));
  }

  fill({ node, pieces }, shares, powers = null) {
    pieces.forEach(({ node: piece, share, power }, i) => {
      const pixels = shares[i] * node.clientWidth;
      piece.style.flexGrow = String(shares[i]);
      put(piece, { class: `piece${pixels < NARROW ? " narrow" : ""}${pixels < NARROWEST ? " none" : ""}` });
      write(share, shares[i].toFixed(2));
      if (powers)
        power.replaceChildren("e", el("sup", String(this.matches[i] / this.data.root)), ` = ${powers[i].toFixed(1)}`);
    });
  }

  /** What to do next has the dark button: while the hand has a task, the next puzzle waits. */
  say(finding, act, isOff, isLater = false) {
    write(this.finding, finding);
    write(this.act, act);
    put(this.act, { "aria-disabled": String(isOff), class: isLater ? "later" : "primary" });
  }
}
