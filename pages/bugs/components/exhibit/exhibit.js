// A healthy model beside one with a wrong line: what each answers and what is measured of it; and the lines. Whoever
// presses the wrong one sees the picture heal, and break again.

import { el, mount, write } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";
import { change, compared, said, verdict } from "./answers.js";
import { drawn } from "./drawings.js";

/** Code in which no line ends behind a minus. */
const whole = (code) => code.split(/(-[\w.]+)/).map((part, n) => (n % 2 ? el("span", part) : part));

class Exhibit {
  constructor(root) {
    this.root = root;
    this.asked = el("p.asked");
    this.cards = ["A healthy model", "This code"].map((name) => {
      const parts = { name: el("h2", name), answers: el("div.answers"), reads: el("p.reads"), place: el("div.place") };
      return { ...parts, node: el("section", ...Object.values(parts)) };
    });
    this.says = el("p.finding", { role: "status" });
    this.code = el("div.code", { role: "group", "aria-label": "The code" });
    this.cards[1].node.classList.add("broken");
    const pair = el("div.pair", this.asked, ...this.cards.map(({ node }) => node));
    root.replaceChildren(pair, el("div.suspects", this.says, this.code));
  }

  update(data, { setTriggerValue }) {
    const exhibit = JSON.stringify([data.code, data.answers]);
    const isNew = exhibit !== this.exhibit;
    if (isNew) {
      if (!this.exhibit && !data.cured) this.endBeat = drawnIn(this.root, "bugs");
      Object.assign(this, { exhibit, tried: new Set(), found: false });
      this.rows = data.code.map(({ gloss }, n) =>
        el("button", { onclick: () => this.press(n) }, el("i", gloss), el("code")),
      );
      this.code.replaceChildren(...this.rows);
    }
    if (isNew || data.cured !== this.told) this.cured = data.cured; // else who presses here is ahead of the server
    Object.assign(this, { data, told: data.cured, found: this.found || data.cured });
    this.turn = () => setTriggerValue("cured", this.cured);
    this.show();
  }

  press(n) {
    if (this.data.code[n].cure === null) this.tried.add(n);
    else {
      [this.cured, this.found] = [!this.found || !this.cured, true];
      this.turn();
    }
    this.show();
  }

  show() {
    const { data, cured, tried, found } = this;
    const { asked, healthy, broken } = data.answers;
    const [sound, faulty] = data.pictures;
    const isOne = asked.length === 1;
    write(this.asked, isOne ? asked[0] : "");
    this.root.classList.toggle("healed", cured);
    this.fill(this.cards[0], healthy, sound);
    this.fill(this.cards[1], cured ? healthy : broken, cured ? sound : faulty);
    write(this.cards[1].name, cured ? "This code, cured" : "This code");
    write(this.says, verdict({ code: data.code, tried, found, cured }));
    this.rows.forEach((row, n) => this.mark(row, data.code[n], tried.has(n)));
  }

  /** What one of both models answers, and what is measured of it. */
  fill(card, answers, reading) {
    const { asked, healthy } = this.data.answers;
    const told = answers.map((answer, n) => this.answer(compared(answer, healthy[n]), asked.length > 1 && asked[n]));
    const text = JSON.stringify([asked, answers]);
    if (card.text !== text) card.answers.replaceChildren(...told);
    card.text = text;
    write(card.reads, reading.reads);
    const drawing = drawn(reading, card.drawing);
    if (drawing !== card.drawing) card.place.replaceChildren(drawing.node, el("p.axes", reading.axes));
    card.drawing = drawing;
  }

  answer(words, question) {
    const shown = words.flatMap(({ word, odd, isError }, n) => [
      n ? " " : "",
      el(`span.word${odd ? ".odd" : ""}${isError ? ".error" : ""}`, { style: `--n:${n}` }, word),
    ]);
    const hint = said(words);
    return el("p", question ? el("small", question) : "", ...shown, hint ? el("span.unseen", ` ${hint}`) : "");
  }

  mark(row, line, isTried) {
    const isIt = line.cure !== null && this.found;
    const kind = !isIt ? (isTried ? "tried" : "suspect") : this.cured ? "cured" : "faulty";
    row.className = `line ${kind}`;
    row.disabled = !isIt && (isTried || this.found);
    const says = { tried: "nothing is wrong with it", cured: "cured", faulty: "wrong" }[kind];
    if (says) row.setAttribute("aria-description", says);
    else row.removeAttribute("aria-description");
    row.lastChild.replaceChildren(...(kind === "cured" ? this.cure(line) : whole(line.text)));
  }

  /** The wrong line and its cure; where that is one line, too, what differs is marked in both. */
  cure({ text, cure }) {
    const lines = cure.split("\n");
    if (lines.length > 1) return [el("s", ...whole(text)), ...lines.map((line) => el("b", ...whole(line)))];
    const [before, from, to, after] = change(text, cure);
    const marked = (part) => (part ? el("mark", part) : "");
    return [el("s", ...whole(before), marked(from), after), el("b", ...whole(before), marked(to), after)];
  }
}

export default mount(".exhibit", Exhibit);
