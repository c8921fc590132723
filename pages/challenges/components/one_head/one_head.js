// All heads of a model at one text. A press takes one of them out, and the word that comes next without it is read.

import {
  asShare,
  el,
  mirror,
  mount,
  rgb,
  strength,
  theme,
  unpack,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { inGrid } from "../../../../attention_view/controls.js";

const NONE = -1; // no head is out

/** Which word is the likelier, and whether it is another one than with every head in: {word, isTurned}. */
export function outcome(names, [first, second], [before, beside]) {
  const at = second > first ? 1 : 0;
  return { word: names[at], isTurned: at !== (beside > before ? 1 : 0) };
}

/** What a head that is out comes to; solver: another head that was tried and turns the word, or undefined. */
export function verdict(name, word, isTurned, solver) {
  if (isTurned) return `✓ Without ${name} it is ${word}.`;
  const still = `Without ${name} it is still ${word}.`;
  return solver ? `${still} You have solved it already: ${solver} turns the word.` : `${still} Press another.`;
}

class OneHead {
  constructor(root) {
    this.root = root;
    this.tried = new Set();
    this.link = mirror((put) => put("puzzle_silenced", this.at === NONE ? null : this.at));
    this.grid = el("div.heads", { role: "group", "aria-label": "Heads: press one to take it out" });
    this.story = el("p.story");
    this.word = el("b.word");
    this.bars = el("div.bars");
    this.says = el("p.says", { role: "status" });
    this.tally = el("p.tally");
    const read = el("div.read", this.story, this.word, this.bars, this.says, this.tally);
    root.replaceChildren(el("div.sheet", this.grid, read));
  }

  update(bytes, { setStateValue }) {
    this.tell = (at) => setStateValue("silenced", at);
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      Object.assign(this, header, arrays); // tokens, heads, names, weights, shares
      const [L, H] = header.heads;
      this.n = L * H;
      this.root.style.setProperty("--across", H);
      this.story.textContent = header.tokens.slice(1).join(" ").replaceAll(" …", "").replaceAll(" .", ".");
      const asked = wholeParam("puzzle_silenced", this.n);
      this.at ??= asked ?? NONE;
      if (asked !== null) this.tell(asked);
      this.tiles = Array.from({ length: this.n }, (_, at) => this.tile(at));
      // Layers stand on one another, the first lowest, as in every drawing of a model.
      const rows = Array.from({ length: L }, (_, up) => this.tiles.slice((L - 1 - up) * H, (L - up) * H));
      const hidden = { "aria-hidden": "true" };
      const name = (text) => el("small", hidden, text);
      const words = (kind) => el(`div.${kind}`, hidden, ...header.tokens.map((text) => el("span", text)));
      this.grid.style.setProperty("--tokens", header.tokens.length);
      this.grid.replaceChildren(
        el("span"),
        el("span"),
        ...Array.from({ length: H }, (_, at) => name(`head ${at}`)),
        ...rows.flatMap((row, up) => [name(`layer ${L - 1 - up}`), words("asking"), ...row.map(({ node }) => node)]),
        el("span"),
        el("span"),
        ...Array.from({ length: H }, () => words("found")),
      );
    }
    this.paint();
    this.show();
  }

  tile(at) {
    const [canvas, result] = [el("canvas"), el("span.result")];
    const name = `layer ${Math.floor(at / this.heads[1])}, head ${at % this.heads[1]}`;
    const props = { onclick: () => this.takeOut(at), onkeydown: (event) => this.walk(event, at) };
    const node = el("button.head", props, el("span.map", canvas), result);
    return { node, canvas, result, name };
  }

  walk(event, at) {
    const [L, H] = this.heads;
    const to = inGrid(event, [L - 1 - Math.floor(at / H), at % H], [L, H]);
    if (to) this.tiles[(L - 1 - to[0]) * H + to[1]].node.focus();
  }

  takeOut(at) {
    this.at = at === this.at ? NONE : at;
    this.show();
    this.link.later();
    this.tell(this.at);
  }

  /** The maps: what is masked is left out, and the hatching of the tile is seen there. */
  paint() {
    const colour = theme(this.root);
    const [panel, weight] = ["panel", "weight"].map((name) => rgb(colour(name)));
    const T = this.tokens.length;
    this.tiles.forEach(({ canvas }, at) => {
      const cells = this.weights.subarray(at * T * T, (at + 1) * T * T);
      const largest = Math.max(...cells);
      Object.assign(canvas, { width: T, height: T });
      const pen = canvas.getContext("2d");
      const image = pen.createImageData(T, T);
      cells.forEach((w, n) => {
        const share = strength(w / largest);
        for (let c = 0; c < 3; c++) image.data[4 * n + c] = panel[c] + share * (weight[c] - panel[c]);
        image.data[4 * n + 3] = n % T > Math.floor(n / T) ? 0 : 255;
      });
      pen.putImageData(image, 0, 0);
    });
  }

  /** The probabilities without the nth head; of NONE, with every head in. */
  without = (at) => this.shares.subarray(2 * (at + 1), 2 * (at + 1) + 2);

  show() {
    const { at, names } = this;
    if (at !== NONE) this.tried.add(at);
    const before = this.without(NONE);
    const now = this.without(at);
    const { word, isTurned } = outcome(names, now, before);
    this.word.textContent = word;
    this.bars.replaceChildren(
      ...names.flatMap((name, n) => [
        el("span", name),
        el("span.track", el("i", { style: `width: ${(100 * now[n]).toFixed(1)}%` })),
        el("span.number", asShare(now[n])),
      ]),
    );
    this.says.textContent = this.told(word, isTurned);
    this.tiles.forEach(({ node, result, name }, n) => {
      const isOff = n === at;
      const then = outcome(names, this.without(n), before);
      node.setAttribute("aria-pressed", isOff);
      node.classList.toggle("turned", this.tried.has(n) && then.isTurned);
      const share = asShare(Math.max(...this.without(n)));
      result.textContent = this.tried.has(n) ? `${then.word} ${share}` : "";
      node.setAttribute("aria-label", `${name} ${result.textContent}`.trim());
    });
    this.tally.textContent = this.tried.size ? `${this.tried.size} of ${this.n} heads tried` : "";
    Object.assign(this.root.dataset, { at, word, tried: this.tried.size });
  }

  told(word, isTurned) {
    const whole = `With all ${this.n} heads it says “${word}”. `;
    if (this.at === NONE) return `${whole}Which one decides that? Press a head to take it out.`;
    const before = this.without(NONE);
    const solver = [...this.tried].find((n) => outcome(this.names, this.without(n), before).isTurned);
    return verdict(this.tiles[this.at].name, word, isTurned, this.tiles[solver]?.name);
  }
}

export default mount(".one-head", OneHead);
