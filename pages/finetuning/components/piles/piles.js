// Two models learn to tell praise from criticism. Word counts have a whole pile of labelled reviews. Into the other
// pile, that of a pretrained model, the visitor pulls as many as he likes: the new reviews, a dot each, come apart.
// Below stands one review, its words to be struck out.

import {
  counted,
  el,
  mirror,
  mount,
  pointIn,
  put,
  rewrite,
  svg,
  wholeParam,
  asShare,
  write,
} from "../../../../attention_view/lab.js";
import { drag, inRow, takesHold } from "../../../../attention_view/controls.js";

const ACROSS = 16; // slips in a row of a pile
const STRUCK = 2; // words that the button strikes out of a review, before it leads to another one
const LEAST = 0.005; // of a move that is one

/** A text cut into words and what stands between them: [piece, whether it is a word]. */
export const pieces = (text) =>
  (text.match(/\p{L}+(?:['’]\p{L}+)*|\P{L}+/gu) ?? []).map((piece) => [piece, /^\p{L}/u.test(piece)]);

/** How many of the tests are right, from their probabilities of praise. */
export const rightOf = (shares, reviews) =>
  shares.filter((one, n) => one !== 0.5 && one > 0.5 === reviews[n][1]).length;

/** The stop nearest to so many reviews, of which 0 is one. */
export const nearest = (stops, n) =>
  [0, ...stops].reduce((best, one) => (Math.abs(one - n) < Math.abs(best - n) ? one : best));

/** What is said of n reviews in the pile. right: how many of so many tests, by stop; rival: of word counts. */
export function found(stops, n, right, rival, of) {
  const all = stops.at(-1);
  if (!n)
    return `Word counts learned from ${all} reviews: ${rival} of ${of} right. How few does MiniLM need to beat that?`;
  const passed = stops.find((_, at) => right[at] > rival);
  const now = right[stops.indexOf(n)];
  if (n === all) return `From the same ${all} reviews MiniLM gets ${now} of ${of} right, word counts ${rival}.`;
  if (n === passed) return `${n} reviews beat ${all}: MiniLM gets ${now} of ${of} right, word counts ${rival}.`;
  const begins = `From ${counted(n, "review")} MiniLM gets ${now} of ${of} right`;
  if (now > rival) return `${begins}. It passed word counts at ${passed}.`;
  return `${begins}, word counts with ${all} ${now < rival ? `still more: ${rival}` : "as many"}.`;
}

/** Names as they are listed: "a", "a and b", "a, b and c". */
const listed = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");

/** What happened to both without some words. before, after: what word counts and the other give, probabilities. */
export function without(words, [counts, other], [countsNow, otherNow], areUnmet) {
  const moves = (verb, from, to) => {
    const points = Math.round(100 * Math.abs(to - from));
    return `${verb} ${points} point${points === 1 ? "" : "s"} towards ${to > from ? "praise" : "criticism"}`;
  };
  const stays = (from, to) => Math.abs(to - from) < LEAST;
  const turned = otherNow > 0.5 !== other > 0.5 && `turns to ${otherNow > 0.5 ? "praise" : "criticism"}`;
  const it = stays(other, otherNow) ? "does not move" : turned || moves("moves", other, otherNow);
  const unmet = areUnmet && `never met ${words.length > 1 ? "them" : "it"}`;
  const they = unmet || (stays(counts, countsNow) ? "do not move" : moves("move", counts, countsNow));
  return `Without ${listed(words.map((word) => `“${word}”`))} MiniLM ${it}; word counts ${they}.`;
}

/** Where dots of this radius lie, each as near to its share of the width as the others leave room, and on its own side
 * of the middle: [x, y] each. */
export function swarm(shares, width, height, radius) {
  const placed = [];
  const apart = 2 * radius + 1;
  const order = [...shares.keys()].sort((a, b) => Math.abs(shares[b] - 0.5) - Math.abs(shares[a] - 0.5) || a - b);
  const tries = [];
  for (let right = 0; right <= width / 2; right += radius / 2)
    for (let down = 0; down <= height / 2 - radius; down += radius / 2)
      for (const [x, y] of [
        [right, down],
        [-right, down],
        [right, -down],
        [-right, -down],
      ])
        tries.push([2.5 * right + down, x, y]);
  tries.sort(([one], [other]) => one - other);
  for (const n of order) {
    const share = shares[n];
    const [low, high] = [share > 0.5 ? width / 2 + radius : radius, share < 0.5 ? width / 2 - radius : width - radius];
    const at = Math.min(high, Math.max(low, share * width));
    const free = ([, right, down]) => {
      const [x, y] = [at + right, height / 2 + down];
      return x >= low && x <= high && placed.every((one) => !one || Math.hypot(one[0] - x, one[1] - y) >= apart);
    };
    const [, right, down] = tries.find(free) ?? [0, 0, 0];
    placed[n] = [at + right, height / 2 + down];
  }
  return placed;
}

/** A model: its pile, the tests as dots, and the one review as a mark on a line. */
class Model {
  constructor(data, n, pull) {
    const { reviews, labels, models } = data;
    Object.assign(this, { data, model: models[n], takes: n === 1 });
    this.score = el("b.score");
    this.slips = labels.map((isPraise) => el(isPraise ? "i.praise" : "i.criticism"));
    this.count = el("span.count");
    this.pile = el("div.pile", this.takes ? { tabIndex: 0 } : { role: "img" }, ...this.slips);
    this.hint = el("span.hint", { "aria-hidden": "true" }, el("span.stack"), "← pull these reviews in");
    if (this.takes) {
      put(this.pile, { role: "slider", "aria-label": "Labelled reviews in the pile", "aria-valuemin": 0 });
      put(this.pile, { "aria-valuemax": labels.length });
      this.pile.onkeydown = (event) => pull.key(event);
      this.pile.onpointerdown = (event) => takesHold(event) && pull.grab(event, this.pile);
      this.pile.append(this.hint);
    }
    this.dots = reviews.map(([text, isPraise], place) =>
      svg(`circle.${isPraise ? "praise" : "criticism"}`, { "data-place": place }, svg("title", text)),
    );
    for (const [place, [text]] of reviews.entries()) this.dots[place].classList.toggle("taken", text === data.text);
    this.drawing = svg("svg", { role: "img" }, ...this.dots);
    this.drawing.onclick = ({ target }) => target.dataset.place && pull.take(reviews[target.dataset.place][0]);
    this.swarm = el("div.swarm", this.drawing);
    [this.was, this.mark, this.says] = [el("i.was"), el("i.mark"), el("span.says")];
    this.line = el("div.line", this.was, this.mark, this.says);
    this.node = el(
      "section",
      { "aria-label": this.model.name },
      el("header", el("h2", this.model.name, " ", el("small", this.model.about)), this.score),
      this.pile,
      this.count,
      this.swarm,
      el(
        "div.ends",
        el("b.criticism", "← criticism"),
        el("span", `${reviews.length} new reviews, full: right`),
        el("b.praise", "praise →"),
      ),
      this.line,
    );
  }

  /** n: how many reviews are in its pile; own, before: what it makes of the rest of the one review, and of all. */
  show(n, at, own, before) {
    const { reviews, labels } = this.data;
    const shares = n ? this.model.shares[at] : reviews.map(() => 0.5);
    const right = rightOf(shares, reviews);
    rewrite(this.score, n ? `${right} ` : "? ", el("small", `of ${reviews.length} right`));
    for (const [nth, slip] of this.slips.entries()) slip.classList.toggle("in", nth < n);
    const says = n ? `${n} labelled reviews` : `${labels.length} labelled reviews to take`;
    write(this.count, says);
    put(this.pile, this.takes ? { "aria-valuenow": n, "aria-valuetext": says } : { "aria-label": says });
    this.hint.hidden = n > 0;
    const { clientWidth: width, clientHeight: height } = this.swarm;
    const radius = Math.max(4, Math.min(width / 62, height / 17));
    const isPlaced = this.placed === (this.placed = `${n} ${width} ${height}`);
    for (const [place, [x, y]] of isPlaced ? [] : swarm(shares, width, height, radius).entries()) {
      const isRight = n > 0 && shares[place] > 0.5 === reviews[place][1];
      put(this.dots[place], { r: radius - 1, style: `transform: translate(${x}px, ${y}px)` });
      this.dots[place].classList.toggle("right", isRight);
    }
    put(this.drawing, {
      "aria-label": n ? `${right} of ${reviews.length} new reviews on the right side` : "undecided",
    });
    this.line.hidden = own === null;
    if (own === null) return;
    const left = (share) => `${(100 * share).toFixed(1)}%`;
    put(this.mark, { style: `left: ${left(own)}` });
    const [low, high] = [Math.min(own, before), Math.max(own, before)];
    put(this.was, { style: `left: ${left(low)}; width: ${left(high - low)}` });
    put(this.says, { style: `left: ${left(own)}`, class: `says ${own > 0.5 ? "before" : "after"}` });
    write(this.says, n ? `${asShare(Math.max(own, 1 - own))} ${own > 0.5 ? "praise" : "criticism"}` : "?");
  }
}

class Piles {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
    this.both = el("div.both");
    this.quote = el("blockquote");
    this.legend = el("p.legend");
    this.struck = [];
    this.link = mirror((write_) => this.data && write_("fine_pile", this.n, 0));
    root.replaceChildren(el("div.headline", this.says, this.act), this.both, this.quote, this.legend);
    this.resized = () => this.models && this.show();
  }

  update(data, { setTriggerValue } = {}) {
    this.send = setTriggerValue ?? this.send;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const before = this.data;
    Object.assign(this, { data, signature });
    if (!before) this.n = nearest(data.stops, wholeParam("fine_pile") ?? wholeParam("fine_reviews") ?? 0);
    if (data.text !== before?.text) Object.assign(this, { struck: [], answers: new Map() });
    if (data.struck) this.answers.set(String(data.struck.words), data.struck.praise);
    const body = (one) => JSON.stringify({ ...one, struck: null });
    if (before && body(data) === body(before)) return this.show();
    this.answers = new Map(data.struck ? [[String(data.struck.words), data.struck.praise]] : []);
    const pull = {
      key: (event) => this.key(event),
      grab: (event, pile) => this.grab(event, pile),
      take: (text) => this.send("take", text),
    };
    this.models = data.models.map((_, n) => new Model(data, n, pull));
    this.both.replaceChildren(...this.models.map(({ node }) => node));
    this.words = pieces(data.text).flatMap(([piece, isWord]) => (isWord ? [piece] : []));
    this.quote.replaceChildren(...this.written());
    this.ask();
    this.show();
  }

  /** The review, its words to be struck out where somebody knows what is left. */
  written() {
    const { text, unmet } = this.data;
    let n = 0;
    return pieces(text).map(([piece, isWord]) => {
      if (!isWord) return piece;
      const nth = n++;
      const kind = unmet[nth] ? ".unmet" : "";
      if (!this.canStrike) return el(`span.word${kind}`, piece);
      return el(`button.word${kind}`, { "aria-pressed": false, onclick: () => this.strike(nth) }, piece);
    });
  }

  get canStrike() {
    const { reads_all: readsAll, models } = this.data;
    return readsAll || models.every(({ rests }) => rests);
  }

  /** What both models make of what is left, by stop; null while nobody knows. */
  left(struck = this.struck) {
    const { models } = this.data;
    if (!struck.length) return models.map(({ own }) => own);
    if (struck.length === 1 && models.every(({ rests }) => rests)) return models.map(({ rests }) => rests[struck[0]]);
    return this.answers.get(String(struck)) ?? null;
  }

  ask() {
    if (!this.left()) this.send("struck", [this.data.text, ...this.struck]);
  }

  strike(n) {
    const rest = this.struck.filter((one) => one !== n);
    if (rest.length < this.struck.length) this.struck = rest;
    else this.struck = this.data.reads_all ? [...this.struck, n].sort((a, b) => a - b) : [n];
    this.ask();
    if (this.n) this.show();
    else this.go(this.data.stops.at(-1)); // who has learned nothing misses no word
  }

  /** The word whose loss moves the pretrained model most, of those that are not struck out, as long as a few are. */
  get telling() {
    const { rests, own } = this.data.models[1];
    const most = this.data.reads_all ? STRUCK : 1;
    if (!this.canStrike || !rests || this.struck.length >= most || !this.n) return undefined;
    const move = (n) => Math.abs(rests[n][this.at] - own[this.at]);
    return [...rests.keys()].filter((n) => !this.struck.includes(n)).sort((a, b) => move(b) - move(a))[0];
  }

  get at() {
    return this.data.stops.indexOf(this.n);
  }

  /** So many reviews are in the pile. */
  go(n) {
    if (n === this.n) return;
    if (this.n) this.struck = [];
    this.n = n;
    this.show();
    this.link.later();
  }

  key(event) {
    const stops = [0, ...this.data.stops];
    const next = inRow(event, stops.indexOf(this.n), stops.length);
    if (next !== null) this.go(stops[next]);
  }

  grab(event, pile) {
    const { labels, stops } = this.data;
    const rows = labels.length / ACROSS;
    const isStack = event.target.matches(".stack"); // which brings as many as it is pulled along
    const [left, top] = isStack ? pointIn(event, pile) : [0, 0];
    const to = (moved) => {
      const at = pointIn(moved, pile);
      const [x, y] = [at[0] - left, at[1] - top + (isStack ? pile.clientHeight / rows / 2 : 0)];
      const row = Math.floor((y / pile.clientHeight) * rows);
      const column = Math.min(ACROSS, Math.max(0, (x / pile.clientWidth) * ACROSS));
      const n = row < 0 ? 0 : row >= rows ? labels.length : row * ACROSS + column;
      this.go(nearest(stops, n < 0.5 ? 0 : Math.max(n, stops[0])));
    };
    to(event);
    this.endDrag = drag(to, () => {});
  }

  show() {
    const { stops, reviews, models, text } = this.data;
    const { n, struck } = this;
    const left = this.left();
    this.root.classList.toggle("waits", !left);
    const value = (by, k) => (by === null ? null : k === 0 ? by[0] : n ? by[this.at] : 0.5);
    const own = models.map((model, k) => value(model.own, k));
    const now = left ? left.map(value) : own;
    this.root.classList.toggle("begins", !n);
    for (const [k, model] of this.models.entries()) model.show(k ? n : stops.at(-1), k ? this.at : 0, now[k], own[k]);
    for (const [k, word] of this.quote.querySelectorAll("button").entries())
      word.setAttribute("aria-pressed", struck.includes(k));
    const right = models[1].shares.map((shares) => rightOf(shares, reviews));
    const names = struck.map((k) => this.words[k]);
    const areUnmet = struck.every((k) => this.data.unmet[k]);
    if (struck.length && n && left) write(this.says, without(names, own, now, areUnmet));
    else if (!struck.length || !n)
      write(this.says, found(stops, n, right, rightOf(models[0].shares[0], reviews), reviews.length));
    const legend = [
      reviews.some(([one]) => one === text) && "A new review.",
      this.data.unmet.includes(true) && `Dotted: words that none of the ${stops.at(-1)} contained.`,
    ];
    write(this.legend, this.words.length ? legend.filter(Boolean).join(" ") : "Type a review in English above.");
    write(this.act, this.offer()[0]);
  }

  /** What the button does next: [what it says, what it does]. */
  offer() {
    const { stops, reviews, text } = this.data;
    const all = stops.at(-1);
    const next = stops.find((one) => one >= 2 * this.n && one > this.n);
    const [counts, other] = this.data.models;
    const hasPassed = this.n > 0 && rightOf(other.shares[this.at], reviews) > rightOf(counts.shares[0], reviews);
    if (!this.n) return [`Give it ${next}`, () => this.go(next)];
    const word = this.telling;
    if (this.n < all && !this.struck.length)
      return hasPassed ? [`Give it all ${all}`, () => this.go(all)] : [`Give it ${next}`, () => this.go(next)];
    if (word !== undefined) return [`Strike “${this.words[word]}”`, () => this.strike(word)];
    const place = reviews.findIndex(([one]) => one === text);
    return ["Another review", () => this.send("take", reviews[(place + 7) % reviews.length][0])];
  }

  goOn() {
    this.offer()[1]();
  }
}

export default mount(".piles", Piles);
