// A guess of how a query shares its attention among keys, from their matches: their numbers are tints until it is
// revealed. Then they are there with their products, the shares that softmax gives fill the same bars, where the guess
// stays as an outline, and a hand turns the numbers of the query, and all answer.

import { el, put, rewrite, trimmed, write } from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";
import { HIGHEST, outcome, taskOf, turnedOn, worked } from "./answer.js";
import { evenly, moved } from "./mixing.js";

const HEADS = ["match ÷ 2: the score", "doubled once per point", "share of the total"]; // of the steps to a share

export class Guess {
  constructor(root) {
    this.root = root;
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button", { onclick: () => this.goOn() });
    this.scroll = el("div.scroll");
    root.replaceChildren(el("div.headline", this.finding, this.act), this.scroll);
  }

  update(data) {
    const isShown = this.data?.revealed && data.revealed && this.data.number === data.number; // it was revealed here
    this.data = data;
    if (isShown) return;
    this.shares = data.shares ?? evenly(data.keys);
    this.isTouched = false;
    this.build();
  }

  goOn() {
    const { data, shares, isTouched } = this;
    if (data.revealed) return this.send("next", data.number);
    if (!isTouched) return; // bars that nobody has moved are no guess
    this.send("reveal", shares);
    this.data = { ...data, revealed: true };
    this.build();
    this.fill(shares);
    void this.root.offsetWidth; // the bars go from the guess to what is true
    this.work();
  }

  build() {
    const { query, keys, revealed } = this.data;
    this.query = query;
    const cell = (x, d) => (revealed ? el("button", { onclick: () => this.turn(d) }, el("b")) : tinted(x));
    this.numbers = query.map(cell);
    this.lines = keys.map((key, i) => (revealed ? this.known(key, i) : this.asked(key, i)));
    const heads = revealed ? HEADS : ["share of the attention"];
    const body = el(
      "div.guess",
      named("query", "query", revealed ? "press a number" : "a word asks"),
      el("span.vector.query", ...this.numbers),
      el("span.quiet.head", "match"),
      el("span.steps.quiet.head", ...heads.map((name) => el("span", name))),
      ...this.lines.flatMap((line, i) => [
        named("key", `key ${i + 1}`, "a word answers"),
        el("span.vector.key", ...line.cells),
        line.match,
        el("div.result", el("span.steps", ...line.steps), line.bar, line.amount),
      ]),
    );
    body.classList.toggle("over", revealed);
    this.scroll.replaceChildren(body);
    this.work();
    if (!revealed) this.offer();
  }

  line(key) {
    const known = (x) => el("i", el("b", String(x)), el("small"));
    return { cells: key.map(this.data.revealed ? known : tinted), match: el("b.total"), steps: [] };
  }

  /** A bar to set. */
  asked(key, i) {
    const bar = slider(`Share of key ${i + 1}`, { max: 1, step: 0.01, class: "share-bar" }, (x) => {
      this.isTouched = true;
      this.shares = moved(this.shares, i, x);
      this.offer();
    });
    return { ...this.line(key), bar, amount: el("output.amount") };
  }

  /** How one gets from the match of key i to its share, that share, and on it what was guessed. */
  known(key, i) {
    const [guess, share] = [this.shares[i], el("b.weight")];
    const outline = el("i.guessed", { style: `width:${100 * guess}%` });
    const amount = el("span.amount", share, el("small.guessed", `your guess ${guess.toFixed(2)}`));
    return { ...this.line(key), steps: HEADS.map(() => el("b")), bar: el("span.truth", outline), share, amount };
  }

  fill(shares) {
    shares.forEach((share, i) => this.lines[i].bar.style.setProperty("--w", `${100 * share}%`));
    this.root.dataset.shares = JSON.stringify(shares);
  }

  /** Bars as they are set. */
  offer() {
    this.fill(this.shares);
    this.shares.forEach((share, i) => {
      const { bar, amount } = this.lines[i];
      bar.value = String(share);
      bar.setAttribute("aria-valuetext", `${Math.round(100 * share)} percent`);
      amount.textContent = share.toFixed(2);
    });
    this.say(this.data.finding, this.isTouched ? "Reveal the shares" : "Drag a bar first", !this.isTouched);
  }

  /** What to do next has the dark button: while the hand has a task, the next puzzle waits. */
  say(finding, act, isOff, isLater = false) {
    write(this.finding, finding);
    write(this.act, act);
    put(this.act, { "aria-disabled": String(isOff), class: isLater ? "later" : "primary" });
  }

  /** A number of the query becomes the next one, and all shares answer. */
  turn(d) {
    this.query = this.query.map((x, n) => (n === d ? turnedOn(x) : x));
    this.work();
  }

  /** Matches, and once the shares are known, all steps to them. */
  work() {
    const { query, lines, data } = this;
    const now = worked(query, data.keys);
    lines.forEach(({ match }, i) => write(match, String(now.matches[i])));
    if (data.revealed) this.workOut(now);
  }

  workOut(now) {
    const { query, lines, data } = this;
    const { keys } = data;
    const isMet = (d) => keys.some((key) => query[d] * key[d] > 0);
    this.numbers.forEach((cell, d) => {
      cell.classList.toggle("lit", isMet(d));
      write(cell.firstChild, String(query[d]));
      put(cell, { "aria-label": `${query[d]}: number ${d + 1} of the query` });
    });
    lines.forEach(({ cells, steps, share }, i) => {
      cells.forEach((cell, d) => {
        const product = query[d] * keys[i][d];
        cell.classList.toggle("lit", product > 0);
        write(cell.lastChild, `× ${query[d]} = ${product}`);
      });
      stepsTo(i, now, query).forEach((texts, n) => rewrite(steps[n], ...texts));
      write(share, now.shares[i].toFixed(2));
    });
    this.root.classList.toggle("turned", String(query) !== String(data.query));
    this.fill(now.shares);
    const task = taskOf(data.query, keys, now);
    this.say(`${outcome(now)}${task}`, "Next puzzle", false, Boolean(task));
  }
}

/** From the match of key i to its share, in pieces of text. */
function stepsTo(i, { matches, scores, doubled, total }, query) {
  const [score, power] = [trimmed(scores[i], 1), trimmed(doubled[i], 1)];
  return [
    [`${matches[i]} ÷ ${Math.sqrt(query.length)} = ${score}`],
    ["2", el("sup", score), ` = ${power}`],
    [`${power} of ${trimmed(total, 1)}`],
  ];
}

/** A number that is not told yet: the larger, the darker. */
const tinted = (x) => el("i.tinted", { style: `--much:${x / HIGHEST}` });

/** The name of a row, and what its word does. */
const named = (kind, name, does) => el(`span.${kind}.who`, el("b", name), el("small", does));
