// Every head of a training as a thumbnail, with its weight on the true alignment below it.

import { counted, el } from "../../../../attention_view/lab.js";
import { image, surface } from "../../../../attention_view/paint.js";
import { sideName, outlined } from "./sides.js";

const GAP = 6; // pixels between thumbnails
const RULE = 18; // that the numbers of layers take

export class Heads {
  constructor(film, ...choices) {
    this.film = film;
    this.groups = el("div.groups");
    this.note = el("p.quiet.small");
    this.node = el("section.heads", { "aria-label": "All heads" }, el("header", ...choices), this.groups, this.note);
  }

  /** Makes the thumbnails anew, as large as there is room for. */
  build(room) {
    this.thumbs = [];
    this.groups.replaceChildren(...this.film.runs.map((run, r) => this.group(run, r, room)));
  }

  group(run, r, room) {
    const { heads, queries, keys } = this.film.axes(run);
    const [L, H] = heads;
    const two = this.film.runs.length > 1;
    const [rule, tall] = [L > 1 ? RULE : 0, queries.length / keys.length];
    const most = (this.film.tall + 40) / (two ? 2.9 : 1) / L - 24;
    const width = Math.max(14, Math.floor(Math.min(170, (room - rule) / H - GAP, most / Math.min(1.6, tall))));
    const height = Math.round(width * Math.min(1.6, Math.max(0.5, tall)));
    const style = `--columns: ${rule ? "12px " : ""}repeat(${H}, ${width}px)`;
    const grid = el("div.thumbs", { role: "group", "aria-label": "Heads", style, onkeydown: (e) => this.key(e) });
    if (rule) grid.append(el("i"), ...Array.from({ length: H }, (_, h) => el("i.rule", String(h))));
    for (let l = 0; l < L; l++) {
      if (rule) grid.append(el("i.rule", String(l)));
      for (let h = 0; h < H; h++) grid.append(this.thumb({ run, r, l, h, width, height }));
    }
    const title = el("span.quiet", ` ${counted(L, "layer")} × ${counted(H, "head")}`);
    const whose = two ? [sideName(run.name, r), ` ${run.label}`] : ["All heads"];
    return el("div.group", el("h2", ...whose, title), grid);
  }

  thumb(place) {
    const { r, l, h } = place;
    const canvas = el("canvas", { "aria-hidden": "true" });
    const [bar, tick, number] = [el("b"), el("s"), el("em")];
    const props = { "data-run": r, "data-layer": l, "data-head": h, onclick: () => this.choose(r, l, h) };
    const button = el("button", props, canvas, el("small", bar, tick), number);
    this.thumbs.push({ ...place, canvas, bar, tick, number, button });
    return button;
  }

  key(event) {
    const at = this.thumbs.findIndex(({ button }) => button === event.target);
    if (at < 0) return;
    const [, H] = this.film.axes(this.thumbs[at].run).heads;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: H, ArrowUp: -H }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = this.thumbs[Math.max(0, Math.min(this.thumbs.length - 1, at + by))];
    this.choose(next.r, next.l, next.h);
    next.button.focus();
  }

  choose(r, layer, head) {
    this.film.runs[r].head = [layer, head];
    this.film.paint();
  }

  paint() {
    for (const thumb of this.thumbs) this.paintOne(thumb);
    const [run] = this.film.runs;
    const { chance } = this.film.axes(run);
    const through = run.probes[this.film.probe].cross ? ": the answer comes through cross-attention" : "";
    this.note.textContent =
      chance === null
        ? `Here no ${run.sight ? "patch" : "cell"} is the right one${through}.`
        : `Under each head: its attention weight on the outlined ${outlined(run)}. ` +
          `The tick is chance, ${chance.toFixed(2)}.`;
  }

  paintOne(thumb) {
    const { run, r, l, h, canvas, width, button } = thumb;
    const axes = this.film.axes(run);
    if (run.sight) this.film.maps.paintPatches(canvas, width, run, r, l, h);
    else this.paintMap(thumb, axes);
    const [layer, head] = this.film.chosen(run);
    const on = layer === l && head === h;
    button.setAttribute("aria-pressed", String(on));
    button.tabIndex = on ? 0 : -1;
    const mass = this.film.mass(run)[this.film.frames[r]][l * axes.heads[1] + h];
    const told = !Number.isNaN(mass);
    thumb.bar.parentElement.hidden = !told;
    thumb.bar.style.width = told ? `${100 * mass}%` : "0";
    thumb.tick.style.left = `${100 * (axes.chance ?? 0)}%`;
    thumb.number.textContent = told && width >= 34 ? mass.toFixed(2) : "";
    const aligned = told ? `: ${mass.toFixed(2)} of its attention weight on the outlined ${outlined(run)}` : "";
    const name = `${run.name ? run.name + ", " : ""}layer ${l}, head ${h}${aligned}`;
    button.setAttribute("aria-label", name);
    button.title = name;
  }

  /** A map in small, with its outlined cells where there is room. */
  paintMap({ run, r, l, h, canvas, width, height }, { queries, keys, ghost }) {
    const { film } = this;
    const [T, S] = [queries.length, keys.length];
    const context = surface(canvas, width, height);
    context.imageSmoothingEnabled = width < S;
    const map = film.maps.of(run, film.frames[r], l, h);
    context.drawImage(image(map, T, S, 255, film.colours, film.maps.views[r].mask), 0, 0, width, height);
    const [x, y] = [width / S, height / T];
    if (!film.maps.ghosts || x < 5) return;
    context.strokeStyle = film.colours.ink;
    context.globalAlpha = 0.4;
    context.lineWidth = 1;
    for (const [i, j] of ghost) context.strokeRect(j * x + 0.5, i * y + 0.5, x - 1, y - 1);
    context.globalAlpha = 1;
  }
}
