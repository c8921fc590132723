// A piece of code. First the reader says which bracket the farthest one closes, then the head does. A thread leads from
// each closing bracket to the token that a head looked at most as it closed it; with one bracket held, every token is
// as strong as its attention weight.

import { boxOf, capital, el, fixed, mix, mount, strength, svg, write } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";
import { rounded, routes } from "./routes.js";

const OPENING = "([{";
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

/** The bracket to ask for: of those whose partner the head finds, or of all where it finds none, the one that stands
 * farthest from it; null where there is nothing to choose between. */
export function riddle({ pieces, closings }) {
  const paired = closings.filter(({ at, partner }) => partner !== null && openings(pieces, at).length > 1);
  const seen = paired.filter(({ looks, partner }) => looks === partner);
  const far = (one) => one.at - one.partner;
  return (seen.length ? seen : paired).reduce((best, one) => (best && far(best) >= far(one) ? best : one), null);
}

const openings = (pieces, end) => [...pieces.keys()].filter((n) => n < end && OPENING.includes(pieces[n][1]));

/** What is said once a reader has pressed a token for the bracket that is asked for; null: the head was asked. */
export function answered({ pieces, head }, { partner, looks, row, rest }, pressed) {
  const quoted = (place) => `“${pieces[place][1]}”`;
  const isFound = looks === partner;
  const weight = `(${fixed(looks < 0 ? rest : row[looks])})`;
  const there = looks < 0 ? "the start of the text" : isFound ? `${quoted(looks)}, its partner` : quoted(looks);
  if (pressed === null) return `${capital(head)} looks most at ${there} ${weight}.`;
  if (pressed !== partner) return `Not that ${quoted(pressed)}: ${head} looks most at ${there} ${weight}.`;
  return isFound
    ? `Right: ${head} looks most at it, too ${weight}.`
    : `Right, but ${head} looks most at ${there} ${weight}.`;
}

const tokens = (n) => `${n} token${n === 1 ? "" : "s"} back`;

class CodeBrackets {
  constructor(root) {
    this.root = root;
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.next() });
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
    this.held = null;
    this.asked = isOther ? riddle(data) : null;
    this.isAnswered = false;
    this.act.hidden = !data.distance; // no bracket has a partner
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
          onpointerenter: () => this.isCounting || this.isAsking || this.hold(one),
          onpointerleave: () => this.hold(null),
          onfocus: () => this.isAsking || this.take(one),
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

  /** Any other token; while it is asked which bracket is closed, each opening one before it can be pressed. */
  opening(text, place) {
    const isOpen = OPENING.includes(text);
    if (!isOpen || !this.isAsking || place > this.asked.at)
      return el("span", { class: isOpen ? "token open" : "token" }, text);
    const label = `opening bracket ${text}, token ${place + 1}`;
    return el("button.token.open", { "aria-label": label, onclick: () => this.press(place) }, text);
  }

  get isAsking() {
    return this.asked !== null && !this.isAnswered;
  }

  /** An opening bracket is pressed: that is seen at once, and the answer comes as soon as it has been drawn. */
  press(place) {
    const { asked } = this;
    this.tokens[place].classList.add("pressed");
    requestAnimationFrame(() => setTimeout(() => this.isAsking && this.asked === asked && this.answer(place)));
  }

  /** The head answers, too; place: what was pressed, null for nothing. */
  answer(place) {
    Object.assign(this, { isAnswered: true, pressed: place });
    const hasFocus = this.sheet.contains(this.sheet.getRootNode().activeElement);
    this.paint();
    if (hasFocus) this.act.focus();
    write(this.finding, answered(this.data, this.asked, place));
    write(this.act, "All brackets");
    this.hold(null);
  }

  /** What the button says. */
  next() {
    if (this.isAsking) return this.answer(null);
    const isRiddle = this.asked !== null;
    this.asked = null;
    this.hold(null);
    this.count(!isRiddle && !this.isCounting);
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
    const { distance } = this.data;
    const rule = { head: `always looking ${tokens(distance)}`, closings: counting(this.data) };
    const question = this.isAsking && `Which bracket does “${this.data.pieces[this.asked.at][1]}” close? Press it.`;
    write(this.finding, question || (isCounting ? found(rule) : found(this.data)));
    write(this.act, question ? "Ask the head" : isCounting ? "Back to the head" : `Look ${tokens(distance)}`);
    this.paintThreads();
  }

  /** A bracket is pressed: what is drawn is the head's own thread, and so the sentence is on the head. */
  take(one) {
    if (this.isCounting || this.asked) this.leave();
    this.hold(one);
  }

  /** Nothing is asked or counted any longer. */
  leave() {
    const isAsking = this.isAsking;
    this.asked = null;
    if (isAsking) this.paint();
    this.count(false);
  }

  /** Only the thread of this bracket is drawn; null: that of the riddle, or all. */
  hold(one) {
    const held = one ?? (this.isAnswered ? this.asked : null);
    if (held === this.held) return;
    this.held = held;
    this.paintThreads();
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

  /** A question mark above the bracket that is asked for. */
  wonder() {
    const { row, x } = this.place(this.asked.at);
    const top = parseFloat(getComputedStyle(this.sheet).paddingTop);
    return svg("text.wonder", { x, y: top + (row + 0.5) * this.pitch * this.letters - TALL * this.letters }, "?");
  }

  paintThreads() {
    const { closings } = this.data,
      { held, letters } = this,
      thick = Math.min(3, letters / LETTERS.usual);
    const { width, height } = boxOf(this.sheet);
    if (!width) return;
    this.lines.setAttribute("width", width);
    this.lines.setAttribute("height", height);
    const isRule = this.isCounting;
    const all = this.isAsking ? [] : isRule ? counting(this.data) : closings;
    const looking = all.filter((one) => one.looks >= 0);
    const ways = this.ways(looking);
    const threads = looking.flatMap((one, n) => {
      if (held && one !== held) return [];
      const w = isRule ? 1 : one.row[one.looks];
      const kind = `thread${isRule ? " rule" : ""}`;
      const line = svg("path", {
        class: one.looks === one.partner ? kind : `${kind} astray`,
        d: rounded(ways[n], 0.3 * letters),
        "stroke-width": (thick * (1 + 2 * w)).toFixed(2),
        "stroke-dasharray": one.looks === one.partner ? null : `${3 * thick} ${5 * thick}`,
        opacity: (0.4 + 0.6 * w).toFixed(2),
      });
      return [line];
    });
    this.lines.replaceChildren(...threads, ...(this.isAsking ? [this.wonder()] : []));
    this.tokens.forEach((token, place) => {
      const w = held?.row[place];
      token.style.background = w ? mix("weight", Math.round(50 * strength(w))) : "";
      token.classList.toggle("partner", held?.partner === place);
      token.classList.toggle("pressed", this.isAnswered && this.asked !== null && place === this.pressed);
      token.classList.toggle("held", (held ?? this.asked)?.at === place);
    });
    this.say.textContent = held
      ? told(this.data, held)
      : this.isAsking
        ? ""
        : "Press a closing bracket to see where it looks. A dashed thread misses the partner." +
          (this.isCounting || this.asked ? "" : elsewhere(this.data));
    this.root.dataset.threads = String(threads.length);
  }
}

export default mount(".code-brackets", CodeBrackets);
