// A piece of code. A thread leads from each closing bracket to the token that a head looked at most as it closed it.
// Under the hand an opening bracket is taken out, and the model reads what is left; a closing one is held, and every
// token is as strong as its attention weight.

import {
  boxOf,
  capital,
  counted,
  el,
  fixed,
  mix,
  mount,
  strength,
  svg,
  write,
} from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";
import { rounded, routes } from "./routes.js";

const END = ["⟨end⟩", "∅"]; // what the model writes where nothing is open, and its sign
const LETTERS = { usual: 16, least: 14.5, most: 64 }; // pixels
const PITCH = { least: 2.15, most: 3.2 }; // from line to line, in letters
const TALL = 0.68; // half of a line of words, in letters

/** What is said of one closing bracket; data as the server sends it. */
export function told({ pieces, head }, { at, partner, looks, expected, p, row, rest }) {
  const quoted = (text) => `“${text}”`;
  const bracket = quoted(pieces[at][1]);
  const where =
    looks < 0
      ? `at the start of the text (${fixed(rest)})`
      : `at ${quoted(pieces[looks][1])} (${fixed(row[looks])}), ` +
        (looks === partner ? "its partner" : "which is not its partner");
  const isRight = expected === pieces[at][1];
  const verdict = isRight ? `It expects ${bracket}` : `It expects ${quoted(expected)}, not ${bracket}`;
  const small = fixed(p) === fixed(0) ? `less than ${fixed(0.01)}` : fixed(p);
  const chance = p < 1 && fixed(p) === fixed(1) ? `more than ${fixed(0.99)}` : small;
  const lost = partner === null ? " This bracket closes nothing." : "";
  return (
    `To write ${bracket}, ${head} looks most ${where}. ` +
    `${verdict}: it gives ${bracket} a probability of ${chance}.${lost}`
  );
}

/** What is said of all closing brackets; those that close nothing are counted as well, and named. */
export function found({ closings, head }) {
  const n = closings.length;
  const lost = closings.filter(({ partner }) => partner === null).length;
  if (lost === n) return "No bracket here closes another one.";
  const looked = closings.filter(({ looks, partner }) => partner !== null && looks === partner).length;
  const name = capital(head);
  if (n === 1) return `${name} ${looked ? "finds" : "does not find"} the partner of the only closing bracket.`;
  if (n === 2 && looked === 2) return `${name} finds the partner of both closing brackets.`;
  const those = looked === n ? "all" : `${looked} of`;
  const alone = lost ? ` ${lost} of them ${lost === 1 ? "has" : "have"} none.` : "";
  return `${name} finds the partner of ${those} ${n} closing brackets.${alone}`;
}

/** How many partners the head finds in code that was made up for this: the few of this one may be luck, or easy. Where
 * no bracket has a partner, nothing is said. */
export function elsewhere({ of_others: others, closings }) {
  if (!others || closings.every(({ partner }) => partner === null)) return "";
  return ` In made-up code, this head finds ${others}.`;
}

/** Where each closing bracket would look if nothing but a distance counted. */
export const counting = ({ closings, distance }) => closings.map((one) => ({ ...one, looks: one.at - distance }));

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
  const does = moved.length === 1 ? "lets go" : moved.length ? "let go" : "lets go";
  const { expected } = without[place].find(({ at }) => at === other[0]) ?? {};
  const instead = expected === END[0] ? "nothing" : `“${expected}”`;
  const writes =
    other.length === 0
      ? "the model still writes the same"
      : other.length === 1
        ? `for “${pieces[other[0]][1]}” the model would write ${instead}`
        : `the model would write ${other.length} of the brackets differently`;
  return `Without this “${pieces[place][1]}”, ${threads} ${does}, and ${writes}.`;
}

const tokens = (n) => `${n} token${n === 1 ? "" : "s"} back`;

export class CodeBrackets {
  constructor(root) {
    this.root = root;
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.count(!this.isCounting) });
    this.lines = svg("svg.lines.from-left", { "aria-hidden": "true" });
    this.sheet = el("div.sheet");
    this.desk = el("div.desk", { tabindex: 0, role: "region", "aria-label": "The code" }, this.sheet);
    this.say = el("p.say", { role: "status" });
    root.replaceChildren(el("div.headline", this.finding, this.act), this.desk, this.say);
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
    if (!(place in this.data.without)) return el("span.token", text);
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
    this.paintThreads();
  }

  /** Shows what counting tokens would find, or what the head finds. */
  count(isCounting) {
    this.isCounting = isCounting;
    if (isCounting) this.held = null;
    const { data, out } = this;
    const far = tokens(data.distance);
    const rule = { head: `always looking ${far}`, closings: counting(data) };
    const asked = this.wasTouched ? "" : question(data);
    write(this.finding, out !== null ? taken(data, out) : asked || found(isCounting ? rule : data));
    write(this.act, isCounting ? "Back to the head" : `Look ${far}`);
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
    const { closings, pieces } = this.data,
      byPlace = new Map(closings.map((one) => [one.at, one])),
      { held, letters } = this,
      thick = Math.min(3, letters / LETTERS.usual);
    const { width, height } = boxOf(this.sheet);
    if (!width) return;
    this.lines.setAttribute("width", width);
    this.lines.setAttribute("height", height);
    const { data, out } = this;
    const isRule = this.isCounting && out === null;
    const all = out !== null ? data.without[out] : isRule ? counting(data) : closings;
    const { moved, other } = out !== null ? changed(data, out) : { moved: [], other: [] };
    const looking = threaded(all);
    const ways = this.ways(looking);
    const threads = looking.flatMap((one, n) => {
      if (held && one !== held) return [];
      const w = isRule ? 1 : (one.weight ?? one.row[one.looks]);
      const isMoved = moved.includes(one.at);
      const kind = `thread${isRule ? " rule" : ""}${isMoved ? " moved" : ""}`;
      const line = svg("path", {
        class: one.looks === one.partner ? kind : `${kind} astray`,
        d: rounded(ways[n], 0.3 * letters),
        "stroke-width": (thick * (1 + 2 * w + isMoved)).toFixed(2),
        "stroke-dasharray": one.looks === one.partner ? null : `${3 * thick} ${5 * thick}`,
        opacity: out !== null && !isMoved ? 0.25 : (0.4 + 0.6 * w).toFixed(2),
      });
      return [line];
    });
    this.lines.replaceChildren(...threads);
    const writes = new Map(all.map(({ at, expected }) => [at, expected.replace(...END)]));
    this.tokens.forEach((token, place) => {
      const w = held?.row[place];
      token.style.background = w ? mix("weight", Math.round(50 * strength(w))) : "";
      token.classList.toggle("partner", held?.partner === place);
      token.classList.toggle("held", held?.at === place);
      token.classList.toggle("out", place === out);
      const isOther = other.includes(place);
      if (token.classList.toggle("other", isOther) || byPlace.has(place))
        write(token, isOther ? writes.get(place) : pieces[place][1]);
    });
    this.say.textContent = held
      ? told(this.data, held)
      : this.wasTouched && out === null
        ? "Hold a closing bracket to see all that it looks at. A dashed thread misses the partner." +
          (isRule ? "" : elsewhere(data))
        : other.length
          ? "In black: what the model would write there; ∅: nothing."
          : "";
    this.root.dataset.threads = String(threads.length);
  }
}

export default mount(".code-brackets", CodeBrackets);
