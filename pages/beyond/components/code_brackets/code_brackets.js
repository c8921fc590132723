// A piece of code. A thread leads from each closing bracket to the token that a head looked at most as it closed it.
// Under the hand an opening bracket is taken out, and the model reads what is left; a closing one is held, and every
// token is as strong as its attention weight.

import { boxOf, counted, el, mix, mount, shareInProse, strength, svg, write } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";
import { rounded, routes } from "./routes.js";

const END = "⟨end⟩"; // what the model writes where nothing is open
const LETTERS = { usual: 16, least: 14.5, most: 64, roomy: 36 }; // pixels
const PITCH = { least: 2.15, most: 3.2 }; // from line to line, in letters
const TALL = 0.68; // half of a line of words, in letters
const FAINT = 0.15; // what did not change, where something did

const quoted = (text) => `“${text === "\n" ? "↵" : text}”`;

/** What is said of one closing bracket; data as the server sends it. */
export function told({ pieces }, { at, partner, looks, expected, p, row, rest }) {
  const bracket = quoted(pieces[at][1]);
  const isRight = expected === pieces[at][1];
  const writes = isRight ? `The model writes ${bracket}` : `The model would write ${instead(expected)}, not ${bracket}`;
  const where = looks < 0 ? "the start of the text" : quoted(pieces[looks][1]);
  const whose = looks >= 0 && looks === partner ? ", its partner" : "";
  const lost = partner === null ? " It closes nothing." : "";
  const most = `${where} (${shareInProse(looks < 0 ? rest : row[looks])})${whose}`;
  return `This ${bracket} looks most at ${most}. ${writes}${isRight ? `, ${shareInProse(p)} sure` : ""}.${lost}`;
}

const instead = (expected) => (expected === END ? "nothing" : quoted(expected));

const paired = (closings) => closings.filter(({ partner }) => partner !== null);
const hits = (closings) => paired(closings).filter(({ looks, partner }) => looks === partner).length;
const allOf = (some, n) => (some === n ? (n === 2 ? "both" : `all ${n}`) : `${some} of ${n}`);

/** What is said of all closing brackets; those that close nothing are counted as well, and named. */
export function found({ closings }) {
  const [n, looked] = [closings.length, hits(closings)];
  const lost = n - paired(closings).length;
  if (lost === n) return "No bracket here closes another one.";
  if (n === 1) return `The head ${looked ? "finds" : "does not find"} the partner of the only closing bracket.`;
  if (n === 2 && looked === 2) return "The head finds the partner of both closing brackets.";
  const alone = lost ? ` ${lost} of them ${lost === 1 ? "has" : "have"} none.` : "";
  return `The head finds the partner of ${allOf(looked, n)} closing brackets.${alone}`;
}

/** Where each closing bracket would look if nothing but a distance counted. */
export const counting = ({ closings, distance }) => closings.map((one) => ({ ...one, looks: one.at - distance }));

/** What counting finds, beside what the head does. */
export function ruled(data) {
  const [n, by, head] = [paired(data.closings).length, hits(counting(data)), hits(data.closings)];
  const far = `Counting ${counted(data.distance, "token")} back`;
  if (n === by) {
    const beside = head === n ? ", too" : `; the head ${head ? `finds ${head} of ${n}` : "finds none"}`;
    return `${far} finds ${n === 1 ? "the only partner" : `${allOf(n, n)} partners`} here${beside}.`;
  }
  return `${far} finds ${by} of ${n} partners and misses the rest. The head finds ${allOf(head, n)}.`;
}

/** The closing brackets that have a thread: none leads to the start of the text. */
const threaded = (closings) => closings.filter(({ looks }) => looks >= 0);

/** What is asked before anything was touched; "" where no bracket can be taken out, or none has a thread. */
export function question({ pieces, closings, without }) {
  const [first] = Object.keys(without);
  return first && threaded(closings).length
    ? `Touch a “${pieces[first][1]}”, and it is gone. Which threads let go?`
    : "";
}

/** What becomes of the closing brackets without the opening one at a place: the numbers of those whose threads let go,
 * and of those for which the model would write something else than in the whole code. */
export function changed({ closings, without }, place) {
  const before = new Map(closings.map((one) => [one.at, one]));
  const which = (name) => without[place].filter((one) => one[name] !== before.get(one.at)[name]).map(({ at }) => at);
  return { moved: which("looks").filter((at) => before.get(at).looks >= 0), other: which("expected") };
}

/** The same as a sentence. */
export function taken(data, place) {
  const { pieces, without } = data;
  const { moved, other } = changed(data, place);
  const n = threaded(data.closings).length;
  const threads = moved.length ? `${moved.length} of ${counted(n, "thread")}` : "no thread";
  const does = moved.length > 1 ? "let go" : "lets go";
  const { expected } = without[place].find(({ at }) => at === other[0]) ?? {};
  const writes =
    other.length === 0
      ? "the model still writes the same"
      : other.length === 1
        ? `for “${pieces[other[0]][1]}” the model would write ${instead(expected)}`
        : `the model would write ${other.length} brackets differently`;
  return `Without this “${pieces[place][1]}”, ${threads} ${does}; ${writes}.`;
}

export class CodeBrackets {
  constructor(root) {
    this.root = root;
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.count(!this.isCounting) });
    this.lines = svg("svg.lines.from-left", { "aria-hidden": "true" });
    this.sheet = el("div.sheet");
    this.desk = el("div.desk", { tabindex: 0, role: "region", "aria-label": "The code" }, this.sheet);
    root.replaceChildren(el("div.headline", this.finding, this.act), this.desk);
    this.resized = () => this.fit();
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    const isOther = String(data.pieces) !== String(this.data?.pieces);
    this.signature = signature;
    this.data = data;
    this.held = this.out = null;
    this.wasTouched &&= !isOther;
    this.paint();
    this.count(false);
    if (isFirst) this.endBeat = drawnIn(this.root, "brackets");
  }

  paint() {
    const { pieces, closings } = this.data,
      byPlace = new Map(closings.map((one) => [one.at, one]));
    const text = pieces.flat().join("");
    this.rows = text.split("\n");
    let read = 0;
    this.starts = pieces.map(([gap, token]) => (read += gap.length + token.length) - token.length);
    this.lineOf = (place) => text.slice(0, this.starts[place]).split("\n");
    this.tokens = pieces.map(([, text], place) => {
      const one = byPlace.get(place);
      if (!one) return this.opening(text, place);
      const wrong = one.expected !== text;
      return el(
        "button",
        {
          class: wrong ? "unexpected" : null,
          "aria-label":
            `closing bracket ${text}, token ${place + 1}` + (wrong ? `; the model expects ${one.expected}` : ""),
          onpointerenter: () => this.isCounting || this.hold(one),
          onpointerleave: () => this.hold(null),
          onfocus: () => this.take(one),
          onblur: () => this.hold(null),
          onclick: () => this.take(one),
        },
        text,
      );
    });
    this.sheet.replaceChildren(...pieces.flatMap(([gap], place) => [gap, this.tokens[place]]), this.lines);
    this.fit();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  /** Any other token; an opening bracket that can be taken out is out while the hand is on it. */
  opening(text, place) {
    if (!(place in this.data.without)) return el(`span.token${text === "\n" ? ".break" : ""}`, text);
    const [out, back] = [() => this.takeOut(place), () => this.takeOut(null)];
    const hands = { onpointerenter: out, onpointerleave: back, onfocus: out, onblur: back, onclick: out };
    return el("button.token.open", { "aria-label": `opening bracket ${text}, token ${place + 1}`, ...hands }, text);
  }

  takeOut(place) {
    if (place === this.out) return;
    Object.assign(this, { out: place, held: null, wasTouched: true });
    this.count(this.isCounting);
  }

  /** Letters as large as the desk has room for all of the code, and lines as far apart as it has room for threads
   * between them; where that is too small to read, the desk scrolls. */
  fit() {
    const { usual, least, most } = LETTERS;
    const as = (letters, pitch) => {
      this.sheet.style.setProperty("--letters", `${letters}px`);
      this.sheet.style.setProperty("--pitch", pitch);
    };
    as(usual, PITCH.least);
    const { offsetWidth: width, offsetHeight: height } = this.sheet;
    if (!width) return;
    const { clientWidth, clientHeight } = this.desk;
    const fitting = usual * Math.min(clientWidth / width, clientHeight / height);
    this.letters = Math.max(least, Math.min(most, Math.floor(2 * fitting) / 2));
    const spare = clientHeight / this.letters - height / usual; // in letters
    this.pitch = Math.max(PITCH.least, Math.min(PITCH.most, PITCH.least + spare / this.rows.length));
    as(this.letters, this.pitch);
    this.sheet.classList.toggle("roomy", this.letters >= LETTERS.roomy);
    this.paintThreads();
  }

  /** Shows what counting tokens would find, or what the head finds. */
  count(isCounting) {
    this.isCounting = isCounting;
    if (isCounting) this.held = null;
    const { data, out, held } = this;
    const asked = this.wasTouched || held ? "" : question(data);
    const says = () => (held ? told(data, held) : isCounting ? ruled(data) : found(data));
    write(this.finding, out !== null ? taken(data, out) : asked || says());
    write(this.act, isCounting ? "Back to the head" : `Would counting ${data.distance} back do?`);
    this.act.hidden = !data.distance; // no bracket has a partner
    this.act.classList.toggle("later", Boolean(asked)); // it keeps its place: nothing moves under the hand
    this.paintThreads();
  }

  /** A closing bracket is pressed: what is drawn is the head's own thread, and so the sentence is on the head. */
  take(one) {
    if (this.isCounting) this.count(false);
    this.hold(one);
  }

  /** Only the thread of this bracket is drawn, of the whole code; null: all. */
  hold(one) {
    if (one === this.held) return;
    this.held = one;
    if (one) this.out = null;
    this.count(this.isCounting);
  }

  /** Where a token stands: its line, its edges, and whether nothing stands before it. */
  place(at) {
    const { left: edge } = boxOf(this.sheet);
    const before = this.lineOf(at);
    const isEnd = this.data.pieces[at][1] === "\n" && at > 0; // which has no width: it stands behind the last word
    const { left, right } = boxOf(this.tokens[isEnd ? at - 1 : at]);
    const ends = isEnd ? [right, right + this.letters] : [left, right];
    const [start, end] = ends.map((x) => x - edge);
    return { row: before.length - 1, left: start, x: (start + end) / 2, isFirst: !before.at(-1).trim() };
  }

  /** The way of each thread around the words, by the number of its bracket. */
  ways(looking) {
    const { letters, pitch, rows } = this;
    const { paddingTop, paddingLeft } = getComputedStyle(this.sheet);
    const [top, left] = [paddingTop, paddingLeft].map(parseFloat);
    const middle = (row) => top + (row + 0.5) * pitch * letters;
    const edges = rows.map((_, row) => [middle(row) - TALL * letters, middle(row) + TALL * letters]);
    const threads = looking.map(({ at, looks }) => ({ from: this.place(at), to: this.place(looks) }));
    return routes(threads, { rows: edges, room: edges[0][0], left, margin: left, step: 0.36 * letters });
  }

  paintThreads() {
    const { data, out } = this;
    const { width, height } = boxOf(this.sheet);
    if (!width) return;
    this.lines.setAttribute("width", width);
    this.lines.setAttribute("height", height);
    const isRule = this.isCounting && out === null;
    const all = out !== null ? data.without[out] : isRule ? counting(data) : data.closings;
    const { moved, other } = out !== null ? changed(data, out) : { moved: [], other: [] };
    this.sheet.classList.toggle("ruled", isRule);
    const drawn = this.threads(all, { isRule, moved });
    const gone = out === null ? [] : this.threads(data.closings, { moved }).filter(({ isMoved }) => isMoved);
    for (const { path } of gone) path.setAttribute("class", "thread gone");
    this.lines.replaceChildren(...[...gone, ...drawn].map(({ path }) => path));
    const looked = new Set(drawn.filter((one) => one.isMoved || one.isAstray).map(({ to }) => to));
    const writes = new Map(all.map(({ at, expected }) => [at, expected]));
    this.tokens.forEach((token, place) => this.mark(token, place, { looked, other, writes }));
    this.root.dataset.threads = String(drawn.length);
  }

  /** The threads of these brackets, of the one that is held alone, as {path, to, isMoved, isAstray}. */
  threads(closings, { isRule = false, moved = [] }) {
    const { out, held, letters } = this;
    const thick = Math.min(3, letters / LETTERS.usual);
    const looking = threaded(closings);
    const ways = this.ways(looking);
    return looking.flatMap((one, n) => {
      if (held && one !== held) return [];
      const w = isRule ? 1 : (one.weight ?? one.row[one.looks]);
      const [isMoved, isAstray] = [moved.includes(one.at), one.looks !== one.partner];
      const isFaint = out !== null && !isMoved;
      const path = svg(`path.thread${isRule ? ".rule" : ""}${isMoved ? ".moved" : ""}${isAstray ? ".astray" : ""}`, {
        d: rounded(ways[n], 0.3 * letters),
        "stroke-width": (thick * (1 + 2 * w + isMoved)).toFixed(2),
        "stroke-dasharray": isAstray ? `${3 * thick} ${5 * thick}` : null,
        opacity: isFaint ? FAINT : isMoved ? 1 : (0.4 + 0.6 * w).toFixed(2),
      });
      return [{ path, to: one.looks, isMoved, isAstray }];
    });
  }

  /** How one token is drawn: as strong as its weight, and in black where the model would write something else. */
  mark(token, place, { looked, other, writes }) {
    const { out, held, data } = this;
    const w = held?.row[place];
    const isOther = other.includes(place);
    const isNothing = isOther && writes.get(place) === END;
    token.style.background = w ? mix("weight", Math.round(50 * strength(w))) : "";
    const is = { partner: held?.partner === place, held: held?.at === place, out: place === out };
    for (const [name, isOn] of Object.entries({ ...is, looked: looked.has(place), other: isOther, nothing: isNothing }))
      token.classList.toggle(name, isOn);
    if (token.matches("button:not(.open)"))
      write(token, isNothing ? "\u00a0" : isOther ? writes.get(place) : data.pieces[place][1]);
  }
}

export default mount(".code-brackets", CodeBrackets);
