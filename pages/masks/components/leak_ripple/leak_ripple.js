// The ripple of an edit through the layers of a model. All of it is known at once; the hand pulls the word up through
// the layers, and at first it has passed none: how far it gets is what the page asks.

import {
  counted,
  el,
  mount,
  pointIn,
  rewrite,
  shorten,
  still,
  svg,
  trimmed,
  windowHeight,
} from "../../../../attention_view/lab.js";
import { drag, inRow, LONGEST_BEAT, takesHold, tween } from "../../../../attention_view/controls.js";
import { arrivals, farthest, heardAfter, judged, linesOf, looksOn, waysTo } from "./ways.js";

const LAYER = 700; // milliseconds
const LETTER = 8.7; // pixels across of what stands beside a bracket

/** Where a text so long stands beside a bracket from x to x, in a picture so wide: behind it, before it, or on it. */
export function besideBracket(first, last, long, width) {
  if (last + 10 + long < width) return { x: last + 10, y: 5 };
  const isFree = first - 10 - long > 0;
  return { x: isFree ? first - 10 : last, y: isFree ? 5 : -8, "text-anchor": "end" };
}

/** Milliseconds of a layer where there are so many: a ripple through many layers is faster. */
export const paceOf = (layers) => Math.min(LAYER, LONGEST_BEAT / layers);
const [LEFT, RIGHT] = [118, 8];
const isSign = (token) => token.startsWith("⟨"); // such as ⟨start⟩, which is no word to change
const quoted = (token) => `“${shorten(token)}”`;

/** How many of so many other tokens an edit has reached. */
export const noticed = (n, others) => {
  if (!others) return "there is no other word that could notice";
  if (others === 1) return `the other one has ${n ? "" : "not "}noticed`;
  return `${n} of ${others} others ${n === 1 ? "has" : "have"} noticed`;
};

class Ripple {
  constructor(root) {
    this.root = root;
    this.resized = () => this.data && this.draw();
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    this.signature = signature;
    this.data = data;
    this.top = data.moved.length - 1;
    this.front = 0;
    this.lines = linesOf(data.moved, data.masks);
    this.first = arrivals(data.moved, data.masks);
    this.chosen = this.hovered = this.guess = null;
    this.build();
    this.draw();
    if (!isFirst) this.play(); // what was just edited spreads
    this.root.dataset.painted = "true";
  }

  /** The layer that it is about to pass. */
  get ahead() {
    return Math.ceil(this.front - 1e-9);
  }

  /** The output that the strong lines lead to: the farthest so far. */
  get output() {
    const { moved, edited } = this.data;
    return this.hovered ?? this.chosen ?? farthest(this.front ? moved.slice(0, this.ahead + 1) : moved, edited);
  }

  /** How many layers it has passed. */
  get height() {
    return Math.floor(this.front + 1e-9);
  }

  build() {
    const { data } = this;
    this.playing = el("button.primary", { onclick: () => this.play() });
    this.finding = el("p.finding");
    this.says = el("p.says.quiet");
    this.picture = svg("svg.net", { role: "img", "aria-label": data.alt, onpointerleave: () => this.hover(null) });
    this.outputs = this.row("Outputs: how does the news reach it?", "radio", (t) => this.choose(t));
    this.inputs = this.row("Words: which one is changed?", "button", (t) => this.send("edit", t));
    [...this.inputs.children].forEach((node, t) => {
      node.disabled = isSign(data.tokens[t]);
      node.tabIndex = t === data.edited ? 0 : -1; // the first one may be a sign, which no Tab comes to
    });
    this.outputs.onpointerleave = () => this.hover(null);
    [...this.outputs.children].forEach((node, t) => (node.onpointerenter = () => this.hover(t)));
    const edit = this.inputs.children[data.edited];
    edit.replaceChildren(el("s", shorten(data.tokens[data.edited])), el("b", shorten(data.word)));
    edit.title = `${data.tokens[data.edited]}, changed to ${data.word}`;
    edit.classList.add("new");
    this.knob = el(
      "div.knob",
      {
        role: "slider",
        tabIndex: 0,
        "aria-label": `Layers that ${data.word} has passed`,
        "aria-orientation": "vertical",
        "aria-valuemin": 0,
        "aria-valuemax": this.top,
        onpointerdown: (event) => this.grab(event),
        onkeydown: (event) => this.press(event),
      },
      "↑",
    );
    const told = el("div.told", { role: "status" }, this.finding, this.says);
    const picture = el("div.picture", this.picture, this.knob);
    const head = el("div.headline", told, this.playing);
    this.root.replaceChildren(head, this.outputs, picture, this.inputs);
  }

  /** A button for each token; with the arrow keys one goes along them. */
  row(label, role, act) {
    const { tokens } = this.data;
    const props = (t) => ({ title: tokens[t], onclick: () => act(t), tabIndex: t ? -1 : 0 });
    const buttons = tokens.map((token, t) => el("button", props(t), el("span", shorten(token))));
    if (role === "radio") buttons.forEach((button) => button.setAttribute("role", role));
    const onkeydown = (event) => {
      const open = buttons.filter((button) => !button.disabled);
      const to = open[inRow(event, open.indexOf(event.target), open.length)];
      if (!to) return;
      for (const button of open) button.tabIndex = button === to ? 0 : -1;
      to.focus();
      if (role === "radio") act(buttons.indexOf(to));
    };
    return el(
      "div.words",
      { role: role === "radio" ? "radiogroup" : "group", "aria-label": label, onkeydown },
      ...buttons,
    );
  }

  play() {
    this.stop?.();
    if (still()) return this.show(this.top);
    this.stop = tween(paceOf(this.top) * this.top, (share) => this.show(share * this.top));
  }

  /** The changed word is pulled up; a press that does not move lets it rise by itself. */
  grab(event) {
    if (!takesHold(event)) return;
    this.stop?.();
    const down = (at) => pointIn(at, this.root)[1];
    const [began, from] = [down(event), this.front];
    const move = (moved) => this.show(from + (began - down(moved)) / this.gap);
    this.endDrag = drag(move, (lifted) =>
      Math.abs(down(lifted) - began) > 3 ? this.show(Math.round(this.front)) : this.play(),
    );
  }

  press(event) {
    const to = inRow(event, Math.round(this.front), this.top + 1, 1);
    if (to === null) return;
    this.stop?.();
    this.show(to);
  }

  choose(token) {
    if (this.height) this.chosen = token;
    else this.guess = token; // before anything is seen, a press is a guess
    this.hovered = null;
    this.light();
  }

  hover(token) {
    if (this.hovered === token) return;
    this.hovered = token;
    this.light();
  }

  /** How far it has come: layers, of the last perhaps a part. */
  show(front) {
    const before = this.height + this.ahead;
    this.front = Math.min(this.top, Math.max(0, front));
    this.root.style.setProperty("--front", this.front);
    const [x, y] = this.at(this.front, this.data.edited);
    Object.assign(this.knob.style, { left: `${x}px`, top: `${y}px` });
    this.knob.setAttribute("aria-valuenow", this.height);
    this.playing.textContent = this.height ? "▶ Play again" : "▶ Play";
    this.root.dataset.height = String(this.height);
    if (before !== this.height + this.ahead) this.light();
  }

  say() {
    const { moved, tokens, edited, word } = this.data;
    const { height, output } = this;
    const n = moved[height].filter((isMoved, t) => isMoved && t !== edited).length;
    const change = `${quoted(tokens[edited])} becomes ${quoted(word)}`;
    const so = `after ${counted(height, "layer")}, ${noticed(n, tokens.length - 1)}.`;
    const verdict = height === this.top && this.guess !== null ? this.judged() : null;
    const said = verdict ? `A${so.slice(1)} ${this.told(output)}` : this.told(output);
    const ask = () =>
      this.guess === null
        ? `${change}. Which will be the last word to notice? Press it above.`
        : `You say ${quoted(tokens[this.guess])}. Now pull ${quoted(word)} up.`;
    rewrite(this.finding, verdict ?? (height ? `${change}: ${so}` : ask()));
    const next = height === this.top && output !== edited ? " Press another word below to change that one." : "";
    rewrite(this.says, height ? `${said}${next}` : "");
  }

  judged() {
    const { moved, tokens, edited } = this.data;
    const last = farthest(moved, edited);
    const names = [this.guess, last].map((t) => quoted(tokens[t]));
    return judged(...names, Math.abs(last - this.guess), last === edited);
  }

  /** How the news reaches this output. */
  told(output) {
    const { moved, tokens, edited } = this.data;
    const after = heardAfter(moved, output);
    if (after < 0) return `${quoted(tokens[output])} has not changed by a single bit: no way leads there.`;
    if (output === edited) return "It is the word itself. Press another word to change it.";
    const between = Array.from({ length: after - 1 }, (_, h) => [
      ...new Set(this.ways.filter(([layer]) => layer === h).map(([, , to]) => quoted(tokens[to]))),
    ]);
    const by = between.every((words) => words.length === 1) ? between.map(([word]) => ` → ${word}`).join("") : " → …";
    return `${quoted(this.data.word)}${by} → ${quoted(tokens[output])}: ${counted(after, "layer")}.`;
  }

  /** The ways to the output, and its row of the mask. */
  light() {
    const { output, picture, top } = this;
    this.ways = waysTo(output, this.first, top);
    const on = new Set(
      this.ways.flatMap(([h, from, to]) => [`${h + 1}-${from}-${to}`, `${h}-${from}`, `${h + 1}-${to}`]),
    );
    for (const node of picture.querySelectorAll("[data-at]")) node.classList.toggle("on", on.has(node.dataset.at));
    for (const node of picture.querySelectorAll(".edge.on")) node.parentNode.append(node); // above the pale ones
    [...this.outputs.children].forEach((node, t) => {
      node.setAttribute("aria-checked", String(t === (this.height ? output : this.guess)));
      node.classList.toggle("guess", t === this.guess);
      node.tabIndex = t === output ? 0 : -1;
    });
    this.brackets.replaceChildren(...looksOn(this.ways, this.data.masks).map((look) => this.bracket(...look)));
    this.root.dataset.output = String(output);
    this.say();
  }

  draw() {
    const { moved, tokens } = this.data;
    const width = Math.max(240, this.root.clientWidth);
    const isSmall = this.root.clientWidth < 620;
    const left = isSmall ? 62 : LEFT;
    const step = (width - left - RIGHT) / tokens.length;
    const size = Math.min(28, Math.max(14.5, step * 0.33));
    const room = isSmall ? 330 : Math.max(260, windowHeight(this.root) - 290 - 4.4 * size);
    const gap = Math.max(34, room / Math.max(1, this.top));
    const r = Math.max(4, Math.min(24, step / 3.4, gap / 3));
    const height = gap * this.top + 2 * r + 12;
    const at = (h, t) => [left + step * (t + 0.5), r + 6 + gap * (this.top - h)];
    Object.assign(this, { at, r, gap, width, isSmall });
    this.root.classList.toggle("tight", step < 44);
    this.root.style.setProperty("--left", `${left}px`);
    this.root.style.setProperty("--across", `${Math.max(30, 2 * r + 12)}px`);
    this.root.style.setProperty("--size", `${size}px`);
    const [floors, edges, marks] = [svg("g"), svg("g"), svg("g")];
    this.brackets = svg("g");
    moved.forEach((row, h) => {
      const [, y] = at(h, 0);
      const name = h ? (isSmall ? `${h}` : `after ${counted(h, "layer")}`) : isSmall ? "input" : "the words";
      floors.append(svg("text.side", { x: left - 12, y: y + 4.5 }, name));
      floors.append(svg("line.floor", { x1: left, x2: width - RIGHT, y1: y, y2: y }));
      tokens.forEach((token, t) => marks.append(...this.mark(h, t, at(h, t), r)));
    });
    for (const [h, from, to] of this.lines) {
      const [[x1, y1], [x2, y2]] = [at(h, from), at(h + 1, to)];
      const bend = (y1 + y2) / 2;
      const d = `M${x1},${y1}C${x1},${bend} ${x2},${bend} ${x2},${y2}`;
      edges.append(svg("path.edge", { d, pathLength: 1, style: `--h:${h + 1}`, "data-at": `${h + 1}-${from}-${to}` }));
    }
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.style.height = `${height}px`;
    this.picture.replaceChildren(floors, edges, this.brackets, marks);
    this.light();
    this.show(this.front);
  }

  /** Over the dots that a token on the way may look at, in the layer below it: a bracket with a prong for each. */
  bracket(h, query, keys) {
    const xs = keys.map((key) => this.at(h, key)[0]);
    const y = this.at(h, 0)[1] - this.r - 10;
    const last = xs.at(-1);
    const many = `${quoted(this.data.tokens[query])} may look at ${keys.length}`;
    const d = `M${xs[0]} ${y}H${last}${xs.map((x) => `M${x} ${y}v7`).join("")}`;
    const place = besideBracket(xs[0], last, LETTER * many.length, this.width);
    place.y += y;
    return svg(
      "g.bracket",
      { style: `--h:${h + 1}` },
      svg("path", { d }),
      ...(this.isSmall ? [] : [svg("text", place, many)]),
    );
  }

  /** A token at a height: hollow, and full where it has moved; ringed where the mask had said something else. */
  mark(h, t, [cx, cy], r) {
    const { moved, change, predicted, tokens, edited } = this.data;
    const isEdited = h === 0 && t === edited;
    const what = moved[h][t] ? `moved by up to ${trimmed(change[h][t], 3)}` : "not a bit has moved";
    const title = svg("title", `${tokens[t]}, ${h ? `after ${counted(h, "layer")}` : "input"}: ${what}`);
    const nodes = [svg("circle.still", { cx, cy, r: r * 0.55 })];
    if (predicted[h][t] !== moved[h][t] && !isEdited)
      nodes.push(svg("circle.ring", { cx, cy, r: r + 3.5, style: `--h:${h}` }));
    const name = isEdited ? "edited" : "moved";
    if (moved[h][t] || isEdited)
      nodes.push(svg(`circle.${name}`, { cx, cy, r, style: `--h:${h}`, "data-at": `${h}-${t}` }));
    const props = { cx, cy, r: r + 8, onpointerenter: () => this.hover(t), onclick: () => this.choose(t) };
    nodes.push(svg("circle.touch", props, title));
    return nodes;
  }

  destroy() {
    this.stop?.();
  }
}

export default mount(".leak-ripple", Ripple);
