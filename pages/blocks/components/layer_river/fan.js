// What a layer makes of a token, in arrows from one origin: what comes in, and what it is turned into by what attention
// and then feed-forward add. Each addition is a triangle in the plane of its two vectors: its lengths and angles are
// true.

import { brief, el, minus, put, rewrite, shorten, svg } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";

const LEAST = 20, // degrees that the last arrow points up
  PADS = { left: 160, right: 30, top: 40, bottom: 44 }, // pixels around the arrows, for what is said of them
  TIGHT = { left: 84, right: 20, top: 40, bottom: 40 },
  CLEAR = 9, // pixels between an arrow and what is said of it
  ORDER = ["scaled", "sum", "in", "push", "out"], // what is drawn over what
  TIP = 15, // pixels of an arrow's head
  RADII = [58, 86]; // pixels of the arcs of the angles

const pointAt = (length, degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [length * Math.cos(angle), length * Math.sin(angle)];
};

const SUBLAYERS = { attention: "attention", feed_forward: "feed-forward" };

const isBeside = (way) => way.some(Boolean);

/** The arrows of a token, in the model's own units, y upwards: {arrows: [{kind, step, from, to, length}], arcs: [{from,
 * to, turn}] in degrees}, in the order in which they come about.
 *
 * turns: of each addition the lengths and the degrees (see __init__.py), of all tokens; lane: which one */
export function fanOf(turns, lane) {
  const at = turns.map(({ turn }) => turn[lane]);
  let degrees = LEAST + at.reduce((sum, turn) => sum + turn, 0);
  const origin = [0, 0];
  const arrows = [];
  const arcs = [];
  turns.forEach(({ step, met, push, whole }, n) => {
    const base = pointAt(met[lane], degrees);
    if (!n) arrows.push({ kind: "in", step: "in", from: origin, to: base, length: met[lane] });
    else if (Math.abs(met[lane] - turns[n - 1].whole[lane]) > 0.01)
      arrows.push({ kind: "scaled", step: "norm1", from: origin, to: base, length: met[lane] }); // by a norm
    const left = degrees - at[n];
    const sum = pointAt(whole[lane], left);
    arcs.push({ from: degrees, to: left, turn: at[n] });
    arrows.push({ kind: "push", step, from: base, to: sum, length: push[lane] });
    const kind = n === turns.length - 1 ? "out" : "sum";
    arrows.push({ kind, step: `add${n + 1}`, from: origin, to: sum, length: whole[lane] });
    degrees = left;
  });
  return { arrows, arcs };
}

/** How points are placed in so many pixels, as large as they fit: a function of [x, y] and the `scale`. */
export function fitted(points, width, height, pads) {
  const [xs, ys] = [0, 1].map((n) => points.map((point) => point[n]));
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = [width - pads.left - pads.right, height - pads.top - pads.bottom];
  const scale = Math.min(room[0] / (right - left || 1), room[1] / (high - low || 1));
  const slack = [room[0] - scale * (right - left), room[1] - scale * (high - low)];
  const place = ([x, y]) => [
    pads.left + slack[0] / 2 + scale * (x - left),
    pads.top + slack[1] / 2 + scale * (high - y),
  ];
  return { place, scale };
}

/** What the layer did to a token, in a sentence. */
export function finding({ turns, shares, words }, lane, help = "") {
  const parts = turns.map(({ step, turn }, n) => {
    const by = `${SUBLAYERS[step]}${n ? "" : ` turns “${words[lane]}”`} by ${Math.round(turn[lane])}°`;
    return n ? by : by[0].toUpperCase() + by.slice(1);
  });
  if (!parts.length) return help;
  if (!shares) return `${parts.join(", ")}.`;
  const kept = shares[lane][0];
  if (Math.round(100 * kept) > 100) {
    const [came, leaves] = [turns[0].met, turns.at(-1).whole].map((lengths) => brief(lengths[lane]));
    return `${parts.join(", ")}: what came in with length ${came} is shortened to ${leaves}.`;
  }
  const whose =
    kept >= 0.5
      ? `${Math.round(100 * kept)}% of what leaves this layer came in`
      : `${Math.min(100, Math.round(100 * (1 - kept)))}% of what leaves this layer is their work`;
  return `${parts.join(", ")}: ${whose}.`;
}

/** The arrows in words; leaves: whether the last one leaves the layer, and no norm comes after it. */
export function toldOf(word, arrows, leaves) {
  const told = arrows.map(({ kind, step, length }) => {
    const long = brief(length);
    if (kind === "push") return `${SUBLAYERS[step]} adds ${long}`;
    if (kind === "out" && leaves) return `it leaves with length ${long}`;
    return (
      { in: `comes in with length ${long}`, scaled: `a norm makes its length ${long}` }[kind] ?? `which makes ${long}`
    );
  });
  return `The vector of “${word}”, drawn as arrows: ${told.join(", ")}.`;
}

export class Fan {
  /** river: whose token it draws, and whose stations open */
  constructor(river) {
    this.river = river;
    this.drawing = svg("svg", { role: "img" });
    this.tags = el("div.tags");
    this.sheet = el("div.sky", this.drawing, this.tags);
    this.title = el("h2");
    this.parts = el("ol.shares");
    this.note = el("p.quiet");
    this.beside = el("div.beside", this.title, this.parts, this.note);
    this.words = el("div.sentence", { role: "radiogroup", "aria-label": "The token that is followed" });
    this.words.onkeydown = (event) => this.step(event);
    const follow = el("div.follow", el("span.quiet", "follow"), this.words);
    this.node = el("div.fan", el("div.halves", this.sheet, this.beside), follow);
  }

  /** upTo: the share of the way that is drawn, from what comes in to what leaves. */
  draw(upTo = 1) {
    const { river } = this;
    const { turns, words, shares } = river.data;
    const lane = river.followed;
    const fan = fanOf(turns, lane);
    this.node.hidden = !turns.length;
    if (!turns.length) return;
    const [width, height] = [this.sheet.clientWidth, river.isNarrow ? 240 : river.tall() + 26];
    const points = [[0, 0], ...fan.arrows.map(({ to }) => to)];
    this.place = fitted(points, width, height, river.isNarrow ? TIGHT : PADS).place;
    this.sheet.style.height = `${height}px`;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawing.setAttribute("aria-label", toldOf(words[lane], fan.arrows, Boolean(shares)));
    const way = upTo * fan.arrows.length;
    const isDone = (arrow) => way >= fan.arrows.indexOf(arrow) + 1;
    this.drawing.replaceChildren(
      ...this.triangles(fan, isDone),
      ...fan.arcs.flatMap((arc, n) =>
        isDone(fan.arrows.filter(({ step }) => step.startsWith("add"))[n]) ? this.arc(arc, n) : [],
      ),
      ...ORDER.flatMap((kind) =>
        fan.arrows.flatMap((arrow, n) => (arrow.kind === kind ? this.arrow(arrow, Math.min(1, way - n)) : [])),
      ),
    );
    this.tell(fan.arrows.filter(isDone).map((arrow) => this.tag(arrow, words[lane])));
    this.beside.classList.toggle("later", upTo < 1);
    this.bars(shares?.[lane], fan.arrows.at(-1).length);
    this.sentence(words, lane);
    return fan.arrows[Math.min(fan.arrows.length - 1, Math.floor(way))].step;
  }

  /** The plane of each addition: between what is met and what it becomes. */
  triangles({ arrows }, isDone) {
    const sums = arrows.filter(({ step }) => step.startsWith("add"));
    return sums.filter(isDone).map((sum) => {
      const { from, to } = arrows[arrows.indexOf(sum) - 1];
      const corners = [[0, 0], from, to].map((point) => this.place(point).join(" "));
      return svg(`path.plane.${sum.step}`, { d: `M${corners.join("L")}Z` });
    });
  }

  arrow({ kind, from, to }, share) {
    if (share <= 0) return [];
    const [a, end] = [this.place(from), this.place(to)];
    const b = [0, 1].map((n) => a[n] + share * (end[n] - a[n]));
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (long < 1) return [];
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    const head = Math.min(TIP, long);
    const [x, y] = [b[0] - head * ux, b[1] - head * uy];
    const wing = 0.55 * head;
    const tip = `M${b[0]} ${b[1]}L${x - wing * uy} ${y + wing * ux}L${x + wing * uy} ${y - wing * ux}Z`;
    return [svg(`path.shaft.${kind}`, { d: `M${a[0]} ${a[1]}L${x} ${y}` }), svg(`path.tip.${kind}`, { d: tip })];
  }

  arc({ from, to, turn }, n) {
    const [x, y] = this.place([0, 0]);
    const radius = RADII[n % 2] * (this.river.isNarrow ? 0.7 : 1);
    const [a, b] = [from, to].map((degrees) => pointAt(radius, degrees));
    const [tx, ty] = pointAt(radius + 24, (from + to) / 2);
    return [
      svg("path.arc", { d: `M${x + a[0]} ${y - a[1]}A${radius} ${radius} 0 0 1 ${x + b[0]} ${y - b[1]}` }),
      svg("text.angle", { x: x + tx, y: y - ty }, `${Math.round(turn)}°`),
    ];
  }

  /** What is said of an arrow: of what comes in and of what is added, as a button that opens its station. */
  tag({ kind, step, from, to, length }, word) {
    const [a, b, origin] = [from, to, [0, 0]].map(this.place);
    const short = shorten(word, 9);
    const text = {
      in: `“${short}” comes in`,
      scaled: "normalised",
      push: `${SUBLAYERS[step]} adds`,
      sum: "",
      out: this.river.data.shares ? `“${short}” leaves` : "with both", // a norm comes after it
    }[kind];
    const share = kind === "push" || kind === "in" ? 0.5 : 0.62;
    const at = [0, 1].map((n) => a[n] + share * (b[n] - a[n]));
    // Beside its arrow: what is added, away from the origin; what comes in, to its left; what leaves, below it.
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const normal = [(b[1] - a[1]) / long, -(b[0] - a[0]) / long];
    const outwards = normal[0] * (at[0] - origin[0]) + normal[1] * (at[1] - origin[1]) > 0;
    const isRight = { push: outwards, in: normal[0] < 0, out: normal[1] > 0 }[kind];
    const way = isRight === undefined ? [0, 0] : normal.map((part) => (isRight ? part : -part));
    const inside = [...(text ? [`${text} `] : []), el("b", brief(length))];
    const isDoor = kind === "in" || kind === "push";
    return { kind, inside, at, way, open: isDoor ? () => this.river.open(step) : null };
  }

  /** Puts what is said beside the arrows, as far from each as its own size asks for. The elements stay the same ones: a
   * finger that is on one, or the focus, is not lost when all is drawn anew. */
  tell(tags) {
    const { children } = this.tags;
    while (children.length > tags.length) this.tags.lastChild.remove();
    for (const [n, { kind, inside, at, way, open }] of tags.entries()) {
      const old = children[n];
      const node = old && (old.nodeName === "BUTTON") === Boolean(open) ? old : el(open ? "button" : "span");
      if (!old) this.tags.append(node);
      else if (node !== old) old.replaceWith(node);
      put(node, { class: `tag ${kind}` });
      node.onclick = open;
      rewrite(node, ...inside);
      const [wide, tall] = [node.offsetWidth, node.offsetHeight];
      const far = isBeside(way) ? (Math.abs(way[0]) * wide + Math.abs(way[1]) * tall) / 2 + CLEAR : 0;
      const [x, y] = [0, 1].map((n) => at[n] + far * way[n]);
      const most = this.sheet.clientWidth - wide;
      node.style.left = `${Math.max(0, Math.min(most, x - wide / 2))}px`;
      node.style.top = `${y - tall / 2}px`;
    }
  }

  /** How much of the vector that leaves comes from each part. */
  bars(row, length) {
    this.beside.hidden = !row;
    if (!row) return;
    const { turns } = this.river.data;
    const labels = ["what came in", ...turns.map(({ step }) => SUBLAYERS[step])];
    this.title.textContent = `Where the length of ${brief(length)} comes from`;
    this.parts.replaceChildren(
      ...row.map((share, n) => {
        const bar = el(share < 0 ? "span.bar.against" : n ? "span.bar" : "span.bar.came", el("i"));
        bar.style.setProperty("--share", `${Math.min(100, Math.abs(100 * share))}%`);
        return el("li", el("span", labels[n]), bar, el("b", minus(`${Math.round(100 * share)}%`)));
      }),
    );
    this.note.textContent = "Measured along the arrow that leaves. Lengths and angles in each triangle are true.";
  }

  /** The tokens, of which one is followed; they stay the same elements, or the focus would go. */
  sentence(words, lane) {
    if (this.told !== String(words)) {
      this.told = String(words);
      const word = (text, n) => el("button", { role: "radio", onclick: () => this.river.follow(n) }, text);
      this.words.replaceChildren(...words.map(word));
    }
    for (const [n, button] of [...this.words.children].entries()) {
      button.setAttribute("aria-checked", String(n === lane));
      button.tabIndex = n === lane ? 0 : -1;
    }
  }

  step(event) {
    const { followed, data } = this.river;
    const to = inRow(event, followed, data.words.length);
    if (to === null) return;
    this.river.follow(to);
    this.words.children[to].focus();
  }
}
