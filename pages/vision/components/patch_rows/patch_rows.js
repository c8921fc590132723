// From a picture to a text: the picture's pieces, the same pieces as rows of numbers, and the vector of each row. A
// patch is chosen in any of the three.

import { brief, el, mirror, mount, rgb, theme, unpack, wholeParam } from "../../../../attention_view/lab.js";
import { placeOf, stepped } from "../../../../lab/kit/components/patches.js";

const GAP = 0.22; // between pieces, in sides of a piece
const UNIT = 24; // pixels of a drawn piece's pixel, at most

/** Row n of the patches: all red numbers of its pixels, then all green, then all blue; from 0 to 255. */
export function rowOf(pixels, side, across, n) {
  const p = side / across;
  const top = Math.floor(n / across) * p;
  const left = (n % across) * p;
  const out = [];
  for (let c = 0; c < 3; c++)
    for (let y = 0; y < p; y++) for (let x = 0; x < p; x++) out.push(pixels[3 * ((top + y) * side + left + x) + c]);
  return out;
}

class PatchRows {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("vision_patch", this.at, this.usual));
    const canvas = () => el("canvas", { "aria-hidden": "true" });
    this.pieces = canvas();
    this.rows = canvas();
    this.vectors = canvas();
    this.grid = el("div.grid", {
      role: "listbox",
      tabindex: 0,
      "aria-label": "Patches; arrow keys move",
      onkeydown: (event) => this.key(event),
    });
    this.marks = [el("span.mark"), el("span.mark")];
    const table = (picture, mark) => el("div.table", { onclick: (event) => this.choose(event) }, picture, mark);
    this.titles = [el("h2"), el("h2"), el("h2")];
    this.said = el("p.said", { "aria-live": "polite" });
    root.replaceChildren(
      el(
        "div.stage",
        el("section", this.titles[0], el("div.square", this.pieces, this.grid)),
        el("span.arrow", { "aria-hidden": "true" }, "→"),
        el(
          "section",
          this.titles[1],
          table(this.rows, this.marks[0]),
          el("p.parts", ...["red", "green", "blue"].map((name) => el("span", `${name} of each pixel`))),
        ),
        el("span.arrow", { "aria-hidden": "true" }, "→"),
        el("section", this.titles[2], table(this.vectors, this.marks[1])),
      ),
      this.said,
    );
  }

  update(data) {
    const colour = theme(this.root);
    this.colours = Object.fromEntries(
      ["panel", "negative", "positive", "ground"].map((name) => [name, rgb(colour(name))]),
    );
    if (data !== this.data) this.take(data);
    this.draw();
    this.show();
  }

  take(data) {
    this.data = data;
    const { header, arrays } = unpack(data);
    Object.assign(this, header, { pixels: arrays.pixels, flat: arrays.vectors });
    this.side = arrays.pixels.shape[0];
    [this.n, this.D] = arrays.vectors.shape;
    this.p = this.side / this.across;
    this.usual = Math.floor(this.across / 4) * this.across + Math.floor(this.across / 4);
    this.at = Math.min(this.at ?? wholeParam("vision_patch", this.n) ?? this.usual, this.n - 1);
    this.numbers = Array.from({ length: this.n }, (_, n) => rowOf(this.pixels, this.side, this.across, n));
    this.most = arrays.vectors.reduce((a, b) => Math.max(a, Math.abs(b)), 0) || 1;
    const width = this.numbers[0].length;
    const names = [
      [`${this.n} patches`, `of ${this.p} × ${this.p} pixels`],
      [`${this.n} × ${width}`, "a row of numbers per patch"],
      [`${this.n} × ${this.D}`, "a vector per patch"],
    ];
    names.forEach(([name, note], k) => this.titles[k].replaceChildren(name, el("span.quiet", ` ${note}`)));
    this.grid.style.setProperty("--across", this.across);
    this.options = this.numbers.map((_, n) =>
      el("div", {
        role: "option",
        id: `patch-${n}`,
        "aria-label": `patch in ${placeOf(n, this.across)}`,
        onclick: () => this.pick(n),
      }),
    );
    this.grid.replaceChildren(...this.options);
  }

  draw() {
    this.drawPieces();
    const { n, D, colours } = this;
    const width = this.numbers[0].length;
    this.fill(this.rows, n, width, (i, j) => Array(3).fill(this.numbers[i][j])); // as bright as the number is large
    this.fill(this.vectors, n, D, (i, j) => {
      const x = this.flat[i * D + j] / this.most;
      const end = x < 0 ? colours.negative : colours.positive;
      const share = Math.min(1, Math.abs(x)) ** 0.8;
      return [0, 1, 2].map((k) => colours.panel[k] + share * (end[k] - colours.panel[k]));
    });
  }

  fill(canvas, height, width, colourOf) {
    canvas.width = width;
    canvas.height = height;
    const image = new ImageData(width, height);
    for (let i = 0; i < height; i++)
      for (let j = 0; j < width; j++) image.data.set([...colourOf(i, j), 255], 4 * (i * width + j));
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  drawPieces() {
    const { side, across, p, pixels } = this;
    const unit = Math.max(1, Math.min(UNIT, Math.floor(960 / side)));
    const gap = Math.round(GAP * p * unit);
    const size = side * unit + (across - 1) * gap;
    this.pieces.width = this.pieces.height = size;
    const context = this.pieces.getContext("2d");
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const at = 3 * (y * side + x);
        context.fillStyle = `rgb(${pixels[at]} ${pixels[at + 1]} ${pixels[at + 2]})`;
        context.fillRect(x * unit + Math.floor(x / p) * gap, y * unit + Math.floor(y / p) * gap, unit, unit);
      }
    this.grid.style.gap = `${(100 * gap) / size}%`;
  }

  show() {
    const n = this.at;
    this.options.forEach((option, k) => option.setAttribute("aria-selected", k === n));
    this.grid.setAttribute("aria-activedescendant", `patch-${n}`);
    for (const mark of this.marks) {
      mark.style.top = `${(100 * n) / this.n}%`;
      mark.style.height = `${100 / this.n}%`;
    }
    const row = this.numbers[n];
    const vector = Array.from(this.flat.subarray(n * this.D, n * this.D + 3), brief);
    this.said.replaceChildren(
      `Patch in ${placeOf(n, this.across)}: ${row.length} numbers (${row.slice(0, 3).join(", ")}, …) ` +
        `become ${this.D} (${vector.join(", ")}, …).`,
    );
    Object.assign(this.root.dataset, { at: n, first: row[0] });
  }

  pick(n) {
    this.at = n;
    this.show();
    this.link.later();
  }

  under(event) {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(this.n - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * this.n)));
  }

  choose(event) {
    this.pick(this.under(event));
  }

  key(event) {
    const to = stepped(this.at, event.key, 0, this.across);
    if (to === this.at) return;
    event.preventDefault();
    this.pick(to);
  }
}

export default mount(".patch-rows", PatchRows);
