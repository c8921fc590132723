// A cut without merges: what it comes to, and the whole table of tokens, with those of the text.

import { el, counted, write } from "../../../../attention_view/lab.js";

/** How many rows the table has, and which of them are listed by these ids. */
export function listed(ids, all) {
  const has = `The table has ${counted(all, "row")}`;
  const gap = ids.findIndex((id, n) => id !== n);
  const first = gap < 0 ? ids.length : gap;
  const which =
    ids.length === all ? "" : `; the first ${first}${first < ids.length ? " and those of your text" : ""} are here`;
  return `${has}${which}. Shaded: those of your text.`;
}

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

  build() {
    const { finding, vocabulary, n_entries: all } = this.machine.data;
    this.node.hidden = !vocabulary.length;
    write(this.finding, finding);
    write(
      this.about,
      listed(
        vocabulary.map(([id]) => id),
        all,
      ),
    );
    const entry = ([id, label]) => el("li", el("small", String(id)), el("b", { dir: "auto" }, label));
    this.entries = vocabulary.map(entry);
    this.rows.replaceChildren(...this.entries);
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
