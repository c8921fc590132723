// A cut without merges: what it comes to, and the whole table of tokens, with those of the text.

import { el, write } from "../../../../attention_view/lab.js";

export class Plain {
  constructor(machine) {
    this.machine = machine;
    this.finding = el("p.finding");
    this.act = el("button.primary", { onclick: () => machine.tell("pairs", true) }, "Cut into byte pairs");
    this.headline = el("div.headline", this.finding, this.act);
    this.about = el("h2");
    this.rows = el("ul.entries");
    this.node = el("section.vocabulary", this.about, this.rows);
  }

  build(place) {
    const { finding, vocabulary } = this.machine.data;
    this.node.hidden = !vocabulary.length;
    write(this.finding, finding);
    const n = vocabulary.length;
    write(this.about, `The table has ${n} row${n === 1 ? "" : "s"}. Shaded: those of your text.`);
    const entry = ([id, label]) => el("li", el("small", String(id)), el("b", { dir: "auto" }, label));
    this.entries = vocabulary.map(entry);
    this.rows.replaceChildren(...this.entries);
    place.append(this.node);
  }

  /** Which rows the text takes, and which one the chosen token. */
  draw() {
    const { data, tokens, picked } = this.machine;
    const used = new Set(tokens.map(([id]) => id));
    (this.entries ? data.vocabulary : []).forEach(([id], n) => {
      this.entries[n].className = [used.has(id) && "used", id === picked && "picked"].filter(Boolean).join(" ");
    });
  }
}
