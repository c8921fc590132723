// What a layer makes of a token, in arrows from one origin: what comes in, and what it is turned into by what attention
// and then feed-forward add. Each addition is a triangle in the plane of its two vectors: its lengths and angles are
// true. At a tip stands the word that a trained model would say if it stopped there.

import { asChance, brief, el, minus, put, rewrite, shorten, svg, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";

const LEAST = 20, // degrees that the last arrow points up
  PADS = { left: 160, right: 30, top: 40, bottom: 44 }, // pixels around the arrows, for what is said of them
  TIGHT = { left: 84, right: 20, top: 40, bottom: 40 },
  SPOKEN = { left: 190, right: 210, top: 92, bottom: 30 }, // and where words stand at their tips
  SPOKEN_TIGHT = { left: 74, right: 92, top: 66, bottom: 24 },
  ASIDE = { in: 48, sum: 22, out: -22 }, // degrees by which a word stands beside the way its arrow points
  CLEAR = 9, // pixels between an arrow and what is said of it
  ORDER = ["scaled", "sum", "in", "push", "out"], // what is drawn over what
  TIP = 15; // pixels of an arrow's head

const pointAt = (length, degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [length * Math.cos(angle), length * Math.sin(angle)];
};

const SUBLAYERS = { attention: "attention", feed_forward: "feed-forward" };

const isBeside = (way) => way.some(Boolean);

/** The arrows of a token, in the model's own units, y upwards: [{kind, step, from, to, length}], in the order in which
 * they come about.
 *
 * turns: of each addition the lengths and the degrees (see __init__.py), of all tokens; lane: which one */
export function fanOf(turns, lane) {
  const at = turns.map(({ turn }) => turn[lane]);
  let degrees = LEAST + at.reduce((sum, turn) => sum + turn, 0);
  const origin = [0, 0];
  const arrows = [];
  turns.forEach(({ step, met, push, whole }, n) => {
    const base = pointAt(met[lane], degrees);
    if (!n) arrows.push({ kind: "in", step: "in", from: origin, to: base, length: met[lane] });
    else if (Math.abs(met[lane] - turns[n - 1].whole[lane]) > 0.01)
      arrows.push({ kind: "scaled", step: "norm1", from: origin, to: base, length: met[lane] }); // by a norm
    const left = degrees - at[n];
    const sum = pointAt(whole[lane], left);
    arrows.push({ kind: "push", step, from: base, to: sum, length: push[lane] });
    const kind = n === turns.length - 1 ? "out" : "sum";
    arrows.push({ kind, step: `add${n + 1}`, from: origin, to: sum, length: whole[lane] });
    degrees = left;
  });
  return arrows;
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

/** What the model would say at a token, [[word, chance], ...], as the layer begins and after each of its additions;
 * null where it was never trained to say anything. */
export const saidAt = ({ said, speaks_at: only = null }, lane) =>
  said && (only === null || only === lane) ? said.map(({ words, chances }) => [words[lane], chances[lane]]) : null;

/** What the layer did to a token, in a sentence: to the word that the model would say, or else to its vector. */
export function finding(data, lane, help = "") {
  if (!data.turns.length) return help;
  return saidAt(data, lane) ? ofWords(data, lane) : ofLengths(data, lane);
}

function ofWords(data, lane) {
  const { turns } = data;
  const at = saidAt(data, lane).map(([word, chance]) => ({ word, chance }));
  const [first, last] = [at[0], at.at(-1)];
  const isNew = turns.map((_, n) => at[n + 1].word !== at[n].word);
  if (!isNew.includes(true)) {
    const was = `${asChance(first.chance)} sure before it, ${asChance(last.chance)} after it`;
    return `In this layer the word stays “${first.word}”: ${was}.`;
  }
  const parts = turns.map(({ step }, n) => {
    const { word, chance } = at[n + 1];
    const name = SUBLAYERS[step];
    const verb = chance < at[n].chance ? "leaves" : "makes";
    if (isNew[n]) {
      const end = n === turns.length - 1 ? ` (${asChance(chance)})` : "";
      return `${name} turns ${n && isNew[n - 1] ? "that" : `“${at[n].word}”`} into “${word}”${end}`;
    }
    return n ? `${name} ${verb} it ${asChance(chance)} sure` : `${name} keeps “${word}”`;
  });
  return `${capital(parts.join("; "))}.`;
}

function ofLengths({ turns, shares, words }, lane) {
  const adds = turns.map(({ step, push }) => `${SUBLAYERS[step]} adds ${brief(push[lane])}`).join(", ");
  if (!shares) return `To “${words[lane]}” ${adds}.`;
  const kept = shares[lane][0];
  const [came, leaves] = [turns[0].met, turns.at(-1).whole].map((lengths) => brief(lengths[lane]));
  if (Math.round(100 * kept) > 100) return `This layer shortens “${words[lane]}” from ${came} to ${leaves}: ${adds}.`;
  if (kept >= 0.5) return `${Math.round(100 * kept)}% of “${words[lane]}” passes this layer as it came: ${adds}.`;
  const made = Math.min(100, Math.round(100 * (1 - kept)));
  return `${made}% of what leaves this layer as “${words[lane]}” was made in it: ${adds}.`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The arrows in words; leaves: whether the last one leaves the layer, and no norm comes after it; said: the words at
 * their tips, [[word, chance], ...]. */
export function toldOf(word, arrows, leaves, said = []) {
  const told = arrows.map(({ kind, step, length }) => {
    const long = brief(length);
    if (kind === "push") return `${SUBLAYERS[step]} adds ${long}`;
    if (kind === "out" && leaves) return `it leaves with length ${long}`;
    return (
      { in: `comes in with length ${long}`, scaled: `a norm makes its length ${long}` }[kind] ?? `which makes ${long}`
    );
  });
  const would = said.map(([word, chance]) => `“${word}” (${asChance(chance)})`).join(", then ");
  const end = would && ` If it stopped at their tips, the model would say ${would}.`;
  return `The vector of “${word}”, drawn as arrows: ${told.join(", ")}.${end}`;
}

/** Where boxes of these sizes stand, each beside a point and on the side of it that `degrees` names, and none over
 * another: their middles. An earlier one keeps its place; a later one moves on, upwards. */
export function apart(boxes, width) {
  const placed = [];
  for (const { at, degrees, size } of boxes) {
    const [wide, tall] = size.map((pixels) => pixels / 2 + CLEAR);
    const [dx, dy] = pointAt(1, degrees);
    const far = Math.min(wide / Math.abs(dx || 1e-9), tall / Math.abs(dy || 1e-9));
    const x = Math.max(wide, Math.min(width - wide, at[0] + far * dx));
    let y = at[1] - far * dy;
    const meets = () =>
      placed.find((other) => Math.abs(other.x - x) < other.wide + wide && Math.abs(other.y - y) < other.tall + tall);
    for (let over = meets(), n = 0; over && n < boxes.length; over = meets(), n++) y = over.y - over.tall - tall;
    placed.push({ x, y, wide, tall });
  }
  return placed.map(({ x, y }) => [x, y]);
}

/** What is to be known of the arrows, beside them. */
function asideOf(turns, row) {
  const told = "At each tip: the word that the model would say if it stopped there.";
  if (!row) return told;
  const [came, ...made] = row.map((share) => minus(`${Math.round(100 * share)}%`));
  const work = turns.map(({ step }, n) => `${made[n]} is ${SUBLAYERS[step]}’s work`);
  return `${told} Along the arrow that leaves, ${came} was there before, ${work.join(" and ")}.`;
}

export class Fan {
  /** river: whose token it draws, and whose stations open */
  constructor(river) {
    this.river = river;
    this.drawing = svg("svg", { role: "img" });
    this.tags = el("div.tags");
    this.ends = el("div.ends", { "aria-hidden": "true" });
    this.aside = el("p.aside");
    this.sheet = el("div.sky", this.drawing, this.ends, this.tags, this.aside);
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
    const said = saidAt(river.data, lane);
    this.node.hidden = !turns.length;
    if (!turns.length) return;
    const arrows = fanOf(turns, lane);
    this.node.classList.toggle("spoken", Boolean(said));
    const [width, height] = [this.sheet.clientWidth, river.isNarrow ? (said ? 300 : 240) : river.tall() + 26];
    const points = [[0, 0], ...arrows.map(({ to }) => to)];
    const pads = said ? [SPOKEN, SPOKEN_TIGHT] : [PADS, TIGHT];
    this.place = fitted(points, width, height, pads[river.isNarrow ? 1 : 0]).place;
    this.sheet.style.height = `${height}px`;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawing.setAttribute("aria-label", toldOf(words[lane], arrows, Boolean(shares), said ?? []));
    const way = upTo * arrows.length;
    const isDone = (arrow) => way >= arrows.indexOf(arrow) + 1;
    this.drawing.replaceChildren(
      ...this.triangles(arrows, isDone),
      ...ORDER.flatMap((kind) =>
        arrows.flatMap((arrow, n) => (arrow.kind === kind ? this.arrow(arrow, Math.min(1, way - n)) : [])),
      ),
    );
    this.taken = this.speak(said ?? [], arrows, isDone);
    this.tell(
      arrows
        .filter(isDone)
        .map((arrow) => this.tag(arrow, words[lane], !said))
        .filter(({ inside }) => inside.length),
    );
    this.beside.classList.toggle("later", upTo < 1);
    this.bars(said ? null : shares?.[lane], arrows.at(-1).length);
    write(this.aside, said && upTo === 1 ? asideOf(turns, shares?.[lane]) : "");
    this.sentence(words, lane);
    return arrows[Math.min(arrows.length - 1, Math.floor(way))].step;
  }

  /** The word at the tip of each arrow of the stream; returns the boxes that they take. */
  speak(row, arrows, isDone) {
    const stops = arrows.filter(({ kind }, n) => kind !== "push" && arrows[n + 1]?.kind !== "scaled");
    const kinds = { scaled: "sum" };
    const shown = row
      .map(([word, chance], n) => ({ arrow: stops[n], word, chance }))
      .filter(({ arrow }) => isDone(arrow));
    const ends = shown.map(({ arrow, word, chance }) => {
      const bar = el("i");
      bar.style.setProperty("--share", `${100 * chance}%`);
      return el(`p.${kinds[arrow.kind] ?? arrow.kind}`, el("b", shorten(word, 12)), el("span", bar, asChance(chance)));
    });
    this.ends.replaceChildren(...ends);
    const box = ({ arrow }, n) => {
      const [[x0, y0], [x, y]] = [[0, 0], arrow.to].map(this.place);
      const degrees = (Math.atan2(y0 - y, x - x0) * 180) / Math.PI + ASIDE[kinds[arrow.kind] ?? arrow.kind];
      return { at: [x, y], degrees, size: [ends[n].offsetWidth, ends[n].offsetHeight] };
    };
    // The last one has the first choice: it is what the layer comes to.
    const places = apart(shown.map(box).reverse(), this.sheet.clientWidth).reverse();
    return places.map(([x, y], n) => {
      const [wide, tall] = [ends[n].offsetWidth / 2, ends[n].offsetHeight / 2];
      ends[n].style.translate = `${x - wide}px ${y - tall}px`;
      return { x, y, wide, tall };
    });
  }

  /** The plane of each addition: between what is met and what it becomes. */
  triangles(arrows, isDone) {
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

  /** What is said of an arrow: of what comes in and of what is added, as a button that opens its station. */
  tag({ kind, step, from, to, length }, word, isLong) {
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
    const far = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const normal = [(b[1] - a[1]) / far, -(b[0] - a[0]) / far];
    const outwards = normal[0] * (at[0] - origin[0]) + normal[1] * (at[1] - origin[1]) > 0;
    const isRight = { push: outwards, in: normal[0] < 0, out: normal[1] > 0 }[kind];
    const way = isRight === undefined ? [0, 0] : normal.map((part) => (isRight ? part : -part));
    const long = isLong ? el("b", brief(length)) : null; // words tell more than lengths
    const inside = [...(text ? [long ? `${text} ` : text] : []), long].filter(Boolean);
    const isDoor = kind === "in" || kind === "push";
    return { kind, inside, at, way, open: isDoor ? () => this.river.open(step) : null };
  }

  /** Puts what is said beside the arrows, as far from each as its own size asks for. The elements stay the same ones: a
   * finger that is on one, or the focus, is not lost when all is drawn anew. */
  tell(tags) {
    const { children } = this.tags;
    const taken = [...this.taken];
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
      const place = (side) => [0, 1].map((n) => at[n] + side * far * way[n]);
      // Where something stands already, it goes to the other side.
      const meets = ([x, y]) =>
        taken.some((o) => Math.abs(o.x - x) < o.wide + wide / 2 && Math.abs(o.y - y) < o.tall + tall / 2);
      const [x, y] = meets(place(1)) && !meets(place(-1)) ? place(-1) : place(1);
      taken.push({ x, y, wide: wide / 2, tall: tall / 2 });
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
