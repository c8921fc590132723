// x W_e: the one-hot row of a token, written downwards beside the rows of the table, and the row that it picks.

import { el, fixed, fromBase64, mirror, mount, rgb, still, theme } from "../../../../attention_view/lab.js";

const ROWS = 11; // of the table at once; what lies between is counted

/** Which rows are drawn: all of a small table; of a large one the first, the last and those around the picked one. */
export function rowsAround(picked, V) {
  if (V <= ROWS) return Array.from({ length: V }, (_, id) => id);
  const around = ROWS - 2;
  const from = Math.max(0, Math.min(picked - (around >> 1), V - around));
  return [...new Set([0, ...Array.from({ length: around }, (_, n) => from + n), V - 1])].sort((a, b) => a - b);
}

class LookupView {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put(this.data.url, this.at, 0));
    const n = (this.nodes = {});
    n.chips = el("div", { class: "chips", role: "radiogroup", "aria-label": "Tokens: choose the one to look up" });
    n.chips.onkeydown = (e) => this.onKey(e);
    n.sheet = el("div", { class: "sheet" });
    n.readout = el("span", { role: "status" });
    n.low = el("span");
    n.high = el("span");
    n.legend = el("span", { class: "legend" }, n.low, el("i"), n.high);
    root.replaceChildren(n.chips, n.sheet, el("div", { class: "below" }, n.readout, n.legend));
  }

  update(data) {
    this.table = new Float32Array(fromBase64(data.table).buffer);
    this.largest = this.table.reduce((most, v) => Math.max(most, Math.abs(v)), 1e-12);
    const same = this.data && this.data.ids.length === data.ids.length && this.at < data.ids.length;
    if (!same) this.at = data.at;
    this.data = data;
    this.colours = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    const { nodes: n } = this;
    n.low.textContent = fixed(-this.largest, 2);
    n.high.textContent = fixed(this.largest, 2);
    this.chips = data.ids.map((id, at) =>
      el(
        "button",
        { type: "button", role: "radio", dir: "auto", title: `id ${id}`, onclick: () => this.pick(at) },
        data.labels[id],
      ),
    );
    n.chips.replaceChildren(...this.chips);
    this.draw(false);
  }

  pick(at) {
    if (at === this.at) return;
    this.at = at;
    this.draw(true);
    this.chips[at].focus({ preventScroll: true });
    this.link.later();
  }

  onKey(event) {
    const last = this.data.ids.length - 1;
    const to = {
      ArrowRight: this.at + 1,
      ArrowDown: this.at + 1,
      ArrowLeft: this.at - 1,
      ArrowUp: this.at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.pick(Math.max(0, Math.min(last, to)));
  }

  row(id) {
    return this.table.subarray(id * this.data.d, (id + 1) * this.data.d);
  }

  strip(id) {
    const { d } = this.data;
    const canvas = el("canvas", { width: d, height: 1 });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(d, 1);
    const [negative, zero, positive] = this.colours;
    this.row(id).forEach((value, c) => {
      const to = value < 0 ? negative : positive,
        share = Math.abs(value) / this.largest;
      for (let k = 0; k < 3; k++) pixels.data[4 * c + k] = zero[k] + (to[k] - zero[k]) * share;
      pixels.data[4 * c + 3] = 255;
    });
    context.putImageData(pixels, 0, 0);
    canvas.onpointermove = (event) => {
      const box = canvas.getBoundingClientRect();
      const c = Math.max(0, Math.min(d - 1, Math.floor(((event.clientX - box.left) / box.width) * d)));
      this.say(`row ${id}, feature ${c}: ${fixed(this.row(id)[c], 4)}`);
    };
    canvas.onpointerleave = () => this.say();
    return canvas;
  }

  say(text) {
    const values = this.row(this.data.ids[this.at]);
    const first = Array.from(values.slice(0, 5), (v) => fixed(v, 2)).join("  ");
    this.nodes.readout.textContent = text ?? `e = [ ${first}${values.length > 5 ? "  …" : ""} ]`;
  }

  draw(moving) {
    const { data, nodes: n } = this;
    const V = data.labels.length;
    const picked = data.ids[this.at];
    const shown = rowsAround(picked, V);
    const cells = [
      el("span", { class: "head id" }, "id"),
      el("span", { class: "head" }, "token"),
      el("span", { class: "head hot", style: "background:none" }, el("b", {}, "x")),
      el(
        "span",
        { class: "head" },
        el("b", {}, "W", el("sub", {}, "e")),
        `  ${V.toLocaleString("en")} rows of ${data.d} numbers`,
      ),
    ];
    let before = -1,
      source = null;
    for (const id of shown) {
      if (id > before + 1)
        cells.push(
          el("span", { class: "gap" }, `⋮  ${(id - before - 1).toLocaleString("en")} more rows, each times 0`),
        );
      const state = id === picked ? "on" : "off";
      const strip = el("span", { class: `row ${state}` }, this.strip(id));
      if (id === picked) source = strip;
      cells.push(
        el("span", { class: `id ${state}` }, String(id)),
        el("span", { class: `token ${state}`, dir: "auto" }, data.labels[id]),
        el("span", { class: `hot ${state}` }, id === picked ? "1" : "0"),
        strip,
      );
      before = id;
    }
    const result = el("span", { class: "row picked" }, this.strip(picked));
    cells.push(
      el("span", { class: "result" }),
      el("span", { class: "equals" }, "x W", el("sub", {}, "e"), ` = row ${picked}`),
      result,
    );
    n.sheet.replaceChildren(...cells);
    this.chips.forEach((chip, at) => {
      chip.setAttribute("aria-checked", String(at === this.at));
      chip.tabIndex = at === this.at ? 0 : -1;
    });
    this.root.dataset.at = this.at;
    this.root.dataset.id = picked;
    this.root.dataset.row = JSON.stringify(Array.from(this.row(picked)));
    this.say();
    if (moving && !still()) {
      const way = source.getBoundingClientRect().top - result.getBoundingClientRect().top;
      result.animate(
        [
          { transform: `translateY(${way}px)`, height: "21px" },
          { transform: "none", height: "30px" },
        ],
        { duration: 420, easing: "cubic-bezier(.3,.7,.2,1)" },
      );
    }
  }

  destroy() {
    this.link.cancel();
  }
}

export default mount(".lookup", LookupView);
