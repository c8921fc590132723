// The heads of what is on screen in one line, each with its weight on the true alignment as a bar: who is ahead.

import { el, put, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { sideName } from "./sides.js";

/** What a head of a run is called, where there is little room: alike in all runs that are on screen. */
export function headName(film, run, layer, head) {
  const isDeep = film.runs.some((each) => film.axes(each).heads[0] > 1);
  const name = isDeep ? `${layer}·${head}` : `head ${head}`;
  return run.name ? `${run.name} ${name}` : name;
}

export class HeadBars {
  constructor(film) {
    this.film = film;
    this.node = el("div.head-bars", { role: "toolbar", "aria-label": "The heads" });
    this.said = el("span.quiet");
  }

  build() {
    const { film } = this;
    this.heads = film.runs.flatMap((run, r) => {
      const [L, H] = film.axes(run).heads;
      return Array.from({ length: L * H }, (_, n) => this.head(run, r, [Math.floor(n / H), n % H], n));
    });
    this.node.classList.toggle("many", this.heads.length > 4);
    this.node.replaceChildren(...this.heads.map(({ button }) => button), this.said);
  }

  head(run, r, place, n) {
    const { film } = this;
    const [bar, number] = [el("i"), el("em")];
    const name = headName(film, run, ...place);
    const onclick = () => {
      run.head = place;
      this.film.paint();
    };
    const onkeydown = (event) => {
      const to = inRow(
        event,
        this.heads.findIndex(({ button }) => button === event.target),
        this.heads.length,
      );
      if (to !== null) this.heads[to].button.focus();
    };
    const button = el(
      "button",
      { onclick, onkeydown },
      el("span", run.name ? sideName(name, r) : name),
      el("u", bar),
      number,
    );
    return { run, r, n, place, bar, number, button };
  }

  paint() {
    const { film } = this;
    for (const { run, r, n, place, bar, number, button } of this.heads) {
      const mass = film.mass(run)[film.frames[r]][n];
      const isOn = String(film.chosen(run)) === String(place);
      const text = Number.isNaN(mass) ? "" : mass.toFixed(2);
      put(button, {
        "aria-pressed": String(isOn),
        tabindex: isOn ? 0 : -1,
        title: `Layer ${place[0]}, head ${place[1]}${text ? `: ${text} of its weight is where it belongs` : ""}`,
      });
      bar.style.width = `${Number.isNaN(mass) ? 0 : 100 * mass}%`;
      number.textContent = text;
    }
    const { chance } = film.axes(film.runs[0]);
    const few = this.heads.length > 4 ? "" : "each head’s attention weight on ";
    const text = chance === null ? "heads" : `${few}where the answer comes from; chance: ${chance.toFixed(2)}`;
    const { signs } = film.threads;
    write(this.said, signs ? `${text}; ${signs}` : text);
  }
}
