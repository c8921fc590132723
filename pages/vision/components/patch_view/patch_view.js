// A picture cut into patches. One token asks: a patch, or the class token. Beside the picture stands the map of one
// head, and beside that every head's map, small; a column for the rollout closes each row. The picture itself is grey
// there, so that violet is nothing but attention weight.

import {
  brief,
  el,
  mirror,
  mount,
  percent,
  rgb,
  strength,
  theme,
  unpack,
  wholeParam,
} from "../../../../attention_view/lab.js";

import { painted, placeOf, show, stepped } from "../../../../lab/kit/components/patches.js";
import { questionOf } from "../answers.js";

const FEW = 24; // heads that are shown at once; of more, those of one layer

class PatchView {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("vision_at", this.at, 0);
      put("vision_layer", this.layer, this.opens[0]);
      put("vision_head", this.head, this.opens[1]);
    });
    this.picture = el("canvas", { "aria-hidden": "true" });
    this.patches = el("div.patches", {
      role: "listbox",
      tabindex: 0,
      "aria-label": "Who asks: a patch of the picture, or the class token. Arrow keys move.",
      onkeydown: (event) => this.key(event),
      onpointerleave: () => this.point(null),
    });
    this.grid = el("div.grid", { role: "presentation" });
    this.firsts = el("div.first", { role: "presentation" });
    this.patches.append(el("div.square", { role: "presentation" }, this.picture, this.grid), this.firsts);
    this.map = el("canvas", { role: "img" });
    this.frame = el("span.frame");
    this.over = el("div.over", { onpointerleave: () => this.point(null) });
    this.title = el("h2");
    this.ofFirsts = el("p.quiet");
    this.layers = el("div.layers", { role: "group", "aria-label": "Layer" });
    this.heads = el("div.heads");
    this.said = el("p.said", { "aria-live": "polite" });
    this.legend = el("p.legend");
    this.asked = el("div.answers");
    this.over.onpointermove = (event) => this.point(this.patchAt(event));
    root.replaceChildren(
      el(
        "div.stage",
        el("section", el("h2", "Who asks? ", el("span.quiet", "click a patch")), this.patches),
        el("section", this.title, el("div.square", this.map, this.over, this.frame), this.ofFirsts),
        el("section.all", el("h2", "Every head"), this.layers, this.heads, this.legend),
      ),
      this.said,
      this.asked,
    );
  }

  update(data) {
    const colour = theme(this.root);
    this.colours = Object.fromEntries(["panel", "ink", "weight"].map((name) => [name, rgb(colour(name))]));
    if (data !== this.data) this.take(data);
    this.draw();
  }

  take(data) {
    this.data = data;
    const { header, arrays } = unpack(data);
    Object.assign(this, { pixels: arrays.pixels, weights: arrays.weights, flows: arrays.rollout }, header, {
      first: header.first.length,
      names: header.first,
    });
    this.side = arrays.pixels.shape[0];
    this.T = this.first + this.across ** 2;
    const kept = (now, name, end, usual) => Math.min(now ?? wholeParam(name, end) ?? usual, end - 1);
    this.at = kept(this.at, "vision_at", this.T, 0);
    this.layer = kept(this.layer, "vision_layer", this.weights.shape[0], this.opens[0]);
    this.head = kept(this.head, "vision_head", this.weights.shape[1] + 1, this.opens[1]);
    this.build();
  }

  build() {
    const { side, across, pixels, first } = this;
    this.map.width = this.map.height = side;
    show(this.picture, pixels);
    this.root.style.setProperty("--across", across);
    const option = (n, ...inside) =>
      el(
        "div",
        {
          role: "option",
          id: `token-${n}`,
          "aria-label": n < first ? this.names[n] : `patch in ${placeOf(n - first, across)}`,
          onclick: () => this.ask(n),
          onpointermove: () => n >= first && this.point(n - first),
        },
        ...inside,
      );
    this.options = Array.from({ length: this.T }, (_, n) => option(n, n < first ? this.names[n] : null));
    this.grid.replaceChildren(...this.options.slice(first));
    this.firsts.replaceChildren(...this.options.slice(0, first));
    this.shows = this.weights.shape[0] * this.weights.shape[1] > FEW ? "one" : "all";
    this.layers.hidden = this.shows === "all";
    this.fillAnswers();
  }

  fillHeads() {
    const [L, H] = this.weights.shape;
    const shown = this.shows === "all" ? Array.from({ length: L }, (_, n) => n) : [this.layer];
    const key = `${shown}|${H}|${this.side}`;
    if (key === this.filled) return;
    this.filled = key;
    this.root.classList.toggle("many", this.shows === "one");
    this.heads.style.setProperty("--heads", H + 1);
    const names = [...Array.from({ length: H }, (_, h) => `head ${h}`), "rollout"];
    const head = names.map((name) => el("span.name", name));
    this.thumbs = [];
    const rows = shown.flatMap((layer) => [
      el("span.layer", `layer ${layer}`),
      ...names.map((name, h) => {
        const canvas = el("canvas", { width: this.side, height: this.side, "aria-hidden": "true" });
        const button = el(
          "button",
          { "aria-label": `layer ${layer}, ${name}`, onclick: () => this.open(layer, h) },
          canvas,
        );
        this.thumbs.push({ layer, h, canvas, button });
        return this.shows === "all" ? button : el("div", el("span.name", name), button);
      }),
    ]);
    this.heads.replaceChildren(...(this.shows === "all" ? [el("span"), ...head, ...rows] : rows.slice(1)));
    this.layers.replaceChildren(
      ...Array.from({ length: L }, (_, n) =>
        el("button", { onclick: () => this.open(n, this.head), "aria-label": `layer ${n}` }, `${n}`),
      ),
    );
  }

  /** What the chosen token gives to every token, in a head; the column after the last head is the rollout. */
  row(layer, h) {
    const [, H, T] = this.weights.shape;
    if (h === H) return this.flows.subarray((layer * T + this.at) * T, (layer * T + this.at + 1) * T);
    const from = ((layer * H + h) * T + this.at) * T;
    return this.weights.subarray(from, from + T);
  }

  draw() {
    this.fillHeads();
    const { first, across, side } = this;
    const rows = this.thumbs.map(({ layer, h }) => this.row(layer, h));
    const chosen = this.row(this.layer, this.head);
    const largest = Math.max(
      ...[chosen, ...rows].map((row) => row.subarray(first).reduce((a, b) => Math.max(a, b), 0)),
    );
    this.largest = largest;
    const paint = (canvas, row) => {
      const shares = Array.from(row.subarray(first), (w) => w / (largest || 1));
      const image = new ImageData(painted(this.pixels, side, shares, across, this.colours), side, side);
      canvas.getContext("2d").putImageData(image, 0, 0);
    };
    this.thumbs.forEach(({ canvas, button, layer, h }, n) => {
      paint(canvas, rows[n]);
      button.setAttribute("aria-pressed", layer === this.layer && h === this.head);
    });
    for (const [n, button] of [...this.layers.children].entries())
      button.setAttribute("aria-pressed", n === this.layer);
    paint(this.map, chosen);
    this.options.forEach((option, n) => option.setAttribute("aria-selected", n === this.at));
    this.patches.setAttribute("aria-activedescendant", `token-${this.at}`);
    const H = this.weights.shape[1];
    const name = this.head === H ? `Rollout to layer ${this.layer}` : `Layer ${this.layer}, head ${this.head}`;
    this.title.replaceChildren(name);
    const best = chosen.subarray(first).reduce((b, w, n, all) => (w > all[b] ? n : b), 0);
    this.map.setAttribute("aria-label", `${name}: ${this.asker()} looks most at ${placeOf(best, across)}.`);
    const own = this.names.map((token, n) => `${token}: ${brief(chosen[n])}`).join(", ");
    this.ofFirsts.replaceChildren(own);
    this.frame.hidden = this.at < first;
    if (this.at >= first) {
      const patch = this.at - first;
      this.frame.style.left = `${(100 * (patch % across)) / across}%`;
      this.frame.style.top = `${(100 * Math.floor(patch / across)) / across}%`;
    }
    const shades = Array.from({ length: 24 }, (_, n) => el("i", { style: `--share: ${94 * strength(n / 23)}%` }));
    this.legend.replaceChildren(
      "0",
      el("span.scale", ...shades),
      `${brief(largest)} `,
      el("span.weight", "attention weight"),
    );
    Object.assign(this.root.dataset, { at: this.at, layer: this.layer, head: this.head, best });
    this.say();
  }

  asker() {
    return this.at < this.first
      ? `the ${this.names[this.at]}`
      : `the patch in ${placeOf(this.at - this.first, this.across)}`;
  }

  say() {
    const row = this.row(this.layer, this.head);
    const of = (patch) => el("b.weight", brief(row[this.first + patch]));
    const share = (patch) => percent(row[this.first + patch]);
    const isRollout = this.head === this.weights.shape[1];
    if (this.pointed != null) {
      const place = placeOf(this.pointed, this.across);
      this.said.replaceChildren(`${this.asker()} → ${place}: `, of(this.pointed));
      return;
    }
    const best = Number(this.root.dataset.best);
    this.said.replaceChildren(
      isRollout
        ? `By rollout, ${share(best)} of what ${this.asker()} holds after layer ${this.layer} ` +
            `comes from ${placeOf(best, this.across)}, more than from any other patch.`
        : `In this head, ${this.asker()} looks most at ${placeOf(best, this.across)}: `,
      isRollout ? "" : of(best),
    );
  }

  ask(n) {
    this.at = n;
    this.pointed = null;
    this.draw();
    this.link.later();
  }

  open(layer, h) {
    Object.assign(this, { layer, head: h, pointed: null });
    this.draw();
    this.link.later();
  }

  point(patch) {
    if (patch === this.pointed) return;
    this.pointed = patch;
    this.say();
  }

  patchAt(event) {
    const box = this.over.getBoundingClientRect();
    const cell = (at, size) => Math.min(this.across - 1, Math.max(0, Math.floor((at / size) * this.across)));
    return cell(event.clientY - box.top, box.height) * this.across + cell(event.clientX - box.left, box.width);
  }

  key(event) {
    const to = stepped(this.at, event.key, this.first, this.across);
    if (to === this.at) return;
    event.preventDefault();
    this.ask(to);
  }

  fillAnswers() {
    this.asked.replaceChildren(...this.groups.map(questionOf), el("p.quiet", this.reads));
  }
}

export default mount(".patch-view", PatchView);
