// New reviews lie where a pretrained model's vectors do. The hand pulls labelled reviews in, and the border between
// what a classifier takes for praise and for criticism moves with it: each patch is what it says of the dot in it.

import {
  asShare,
  counted,
  el,
  mirror,
  mount,
  pointIn,
  put,
  rewrite,
  svg,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, inRow, takesHold } from "../../../../attention_view/controls.js";

const ROUNDS = 60; // of pushing dots apart

const isPraise = (share) => share > 0.5; // which is never a half
const called = (praise) => (praise ? "praise" : "criticism");

/** What a screen reader hears of a dot. taken: for what it is taken, null before the first label: dots are grey. */
export function labelOf([text, truth], taken) {
  const known = truth === null ? ["the review above"] : taken ? [called(truth)] : [];
  return [`“${text}”`, ...known, ...(taken ? [`taken for ${taken}`] : [])].join(", ");
}

/** How many of the tests are right, from their probabilities of praise. */
export const rightOf = (shares, reviews) => shares.filter((one, n) => isPraise(one) === reviews[n][1]).length;

/** The stop nearest to so many reviews, of which 0 is one. */
export const stopAt = (stops, n) =>
  [0, ...stops].reduce((best, one) => (Math.abs(one - n) < Math.abs(best - n) ? one : best));

/** With how many labels more are right than for a rival; undefined if with none. */
export const passedAt = (stops, right, rival) => stops.find((_, at) => right[at] > rival);

/** What is said of n labels. right: how many of so many tests, by stop; rival: of word counts with all labels;
 * isNegated: whether each of the tests has a negation. */
export function found(stops, n, right, rival, of, isNegated) {
  const all = stops.at(-1);
  const now = right[stops.indexOf(n)];
  const gets = `MiniLM gets ${now} of ${of} right`;
  if (isNegated)
    return n
      ? `${counted(n, "label")}, and of ${of} reviews with a negation MiniLM gets ${now} right. A coin gets ${of / 2}.`
      : `${of} reviews with a negation, such as “hardly boring”. A coin gets ${of / 2} right.`;
  if (!n) return `From ${all} labelled reviews, word counts get ${rival} of ${of} right. How few does MiniLM need?`;
  const passed = passedAt(stops, right, rival);
  if (n === passed) return `${n} labels beat ${all}: ${gets}, word counts ${rival}.`;
  const begins = `With ${n === all ? `the same ${all}` : n} labels ${gets}`;
  if (now > rival) return `${begins}. It beat word counts at ${passed}.`;
  return `${begins}, word counts with ${all} ${now < rival ? `still more: ${rival}` : "as many"}.`;
}

/** These places, [x, y], pushed until no two are nearer than that and all lie in the frame. */
export function apart(places, distance, [width, height]) {
  const placed = places.map((one) => [...one]);
  const inside = (x, size) => Math.max(distance / 2, Math.min(size - distance / 2, x));
  for (let round = 0; round < ROUNDS; round++)
    for (const [n, a] of placed.entries())
      for (const b of placed.slice(0, n)) {
        const [x, y] = [a[0] - b[0], a[1] - b[1] || 0.01];
        const lack = (distance - Math.hypot(x, y)) / 2;
        if (lack <= 0) continue;
        const by = lack / Math.hypot(x, y);
        [a[0], a[1]] = [inside(a[0] + by * x, width), inside(a[1] + by * y, height)];
        [b[0], b[1]] = [inside(b[0] - by * x, width), inside(b[1] - by * y, height)];
      }
  return placed;
}

/** The patch around each of these places that is nearer to it than to any other: its corners, [x, y, which other place
 * is beyond the side that begins there, undefined for the frame]. */
export function patches(places, [width, height]) {
  return places.map(([x, y], n) => {
    let corners = [[0, 0], [width, 0], [width, height], [0, height]]; // prettier-ignore
    for (const [k, [a, b]] of places.entries()) {
      if (k === n) continue;
      const far = ([p, q]) => (p - (x + a) / 2) * (a - x) + (q - (y + b) / 2) * (b - y); // above 0: nearer to the other
      corners = corners.flatMap((corner, c) => {
        const next = corners[(c + 1) % corners.length];
        const [here, there] = [far(corner), far(next)];
        const share = here / (here - there);
        const cut = [corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])];
        if (here <= 0) return there > 0 ? [corner, [...cut, k]] : [corner];
        return there <= 0 ? [[...cut, corner[2]]] : [];
      });
    }
    return corners;
  });
}

const line = (corners) => corners.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

export class Border {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.offer()[1]() });
    this.quote = el("p.quote");
    this.drawing = svg("svg", { role: "group", onclick: ({ target }) => this.take(this.texts[target.dataset.n]?.[0]) });
    this.drawing.onkeydown = (event) => this.walk(event);
    this.drawing.onpointerover = this.drawing.onpointerout = ({ type, target }) =>
      this.tell(type === "pointerover" ? target.dataset.n : undefined);
    this.map = el("div.map", this.drawing);
    [this.score, this.bar, this.mark] = [el("b.score"), el("i.bar"), el("span.mark")];
    this.slips = el("div.slips");
    this.grip = el("b.grip");
    this.hint = el("span.hint", { "aria-hidden": "true" }, "pull labelled reviews in →");
    this.strip = el("div.strip", { tabIndex: 0, role: "slider", "aria-label": "Labelled reviews", "aria-valuemin": 0 });
    this.flag = el("span.flag", { "aria-hidden": "true" });
    this.strip.append(this.slips, this.hint, this.flag, this.grip);
    this.strip.onkeydown = (event) => this.key(event);
    this.strip.onpointerdown = (event) => takesHold(event) && this.grab();
    this.legend = el("div.key");
    this.link = mirror((write_) => this.data && (write_("fine_pile", this.n, 0), write_("fine_negated", this.kind, 0)));
    root.replaceChildren(
      el("div.headline", this.says, this.act),
      this.quote,
      el(
        "div.stage",
        this.map,
        el("div.count", this.score, el("div.tube", this.bar, this.mark)),
        this.strip,
        this.legend,
      ),
    );
    this.resized = () => this.data && this.place();
  }

  update(data, { setTriggerValue } = {}) {
    this.send = setTriggerValue ?? this.send;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.data;
    if (isFirst) {
      this.n = stopAt(data.stops, wholeParam("fine_pile") ?? wholeParam("fine_reviews") ?? 0);
      this.kind = wholeParam("fine_negated", 2) ?? 0;
    }
    Object.assign(this, { data, signature, most: this.n });
    const all = data.stops.at(-1);
    put(this.strip, { "aria-valuemax": all });
    this.slips.replaceChildren(...Array.from({ length: all }, (_, n) => el(n % 2 ? "i.criticism" : "i.praise")));
    this.place();
    if (!isFirst) this.link.later(); // the answer to what was asked has written the address anew
  }

  /** The dots of this kind of tests, and of the review that is asked about where it is none of them. */
  place() {
    const { own } = this.data;
    const { reviews, places, shares } = this.test;
    this.taken = own ? reviews.findIndex(([text]) => text === own.text) : -1;
    const more = own && this.taken < 0;
    if (more) this.taken = reviews.length;
    this.texts = more ? [...reviews, [own.text, null]] : reviews;
    this.shares = shares.map((some, at) => (more ? [...some, own.shares[at]] : some));
    const size = [this.map.clientWidth, this.map.clientHeight];
    const radius = Math.sqrt(size[0] * size[1]) / 46;
    const [width, height] = size.map((one) => one / 2 - 1.4 * radius);
    const at = [...places, ...(more ? [own.place] : [])].map(([x, y]) => [
      size[0] / 2 + x * width,
      size[1] / 2 - y * height,
    ]);
    const placed = apart(at, 2.35 * radius, size);
    const corners = patches(placed, size);
    this.sides = corners.flatMap((some, n) =>
      some.flatMap((from, c) =>
        from[2] < n ? [{ n, beyond: from[2], d: line([from, some[(c + 1) % some.length]]) }] : [],
      ),
    );
    this.patches = corners.map((some, n) => svg("path.patch", { d: `${line(some)}Z`, "data-n": n }));
    const held = this.dots?.indexOf(this.root.getRootNode().activeElement);
    this.dots = placed.map(([cx, cy], n) => {
      const hears = { onfocus: () => (this.reach(n), this.tell(n)), onblur: () => this.tell() };
      return svg("circle", { role: "button", cx, cy, r: radius - 2, "data-n": n, ...hears });
    });
    const [cx, cy] = placed[this.taken] ?? [];
    const ring = this.taken < 0 ? [] : [svg("circle.ring", { cx, cy, r: radius + 4 })];
    this.border = svg("path.line");
    this.drawing.replaceChildren(...this.patches, this.border, ...this.dots, ...ring);
    this.reach(Math.max(0, this.taken));
    this.show();
    this.dots[held]?.focus();
  }

  get test() {
    return this.data.tests[this.kind];
  }

  get at() {
    return this.data.stops.indexOf(this.n);
  }

  go(n) {
    if (n === this.n) return;
    this.n = n;
    this.most = Math.max(n, this.most);
    this.show();
    this.link.later();
  }

  /** To the other kind of tests; the review that is asked about is then one of them, unless it is the visitor's own. */
  turn(kind, n) {
    const isTest = this.texts[this.taken]?.[1] != null;
    Object.assign(this, { kind, n, most: n });
    if (isTest) this.take(this.test.reviews.find(([text]) => /hardly boring|dazzling/.test(text))?.[0]);
    this.place();
    this.link.later();
  }

  key(event) {
    const stops = [0, ...this.data.stops];
    const next = inRow(event, stops.indexOf(this.n), stops.length, 1, 5);
    if (next !== null) this.go(stops[next]);
  }

  /** The one dot where the Tab key stops. */
  reach(n) {
    for (const [k, dot] of this.dots.entries()) put(dot, { tabindex: k === n ? 0 : -1 });
  }

  /** From dot to dot by arrow keys; Enter and space take a dot's review. */
  walk(event) {
    const n = Number(event.target.dataset.n);
    const to = inRow(event, n, this.dots.length);
    if (to !== null) this.dots[to].focus();
    if (!["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    this.take(this.texts[n][0]);
  }

  grab() {
    const all = this.data.stops.at(-1);
    const room = this.strip.clientWidth - this.grip.offsetWidth;
    const to = (event) => {
      const x = pointIn(event, this.strip)[0] - this.grip.offsetWidth / 2;
      this.go(stopAt(this.data.stops, (x / room) * all));
    };
    this.endDrag = drag(to, to);
  }

  take(text) {
    if (text && text !== this.data.own?.text) this.send("take", text);
  }

  show() {
    const { stops, rival } = this.data;
    const { reviews, shares } = this.test;
    const { n } = this;
    const [all, of] = [stops.at(-1), reviews.length];
    const right = shares.map((some) => rightOf(some, reviews));
    const [now, some] = [right[this.at], this.shares[this.at]];
    this.root.classList.toggle("begins", !n);
    for (const [k, dot] of this.dots.entries()) this.colour(dot, k, n ? isPraise(some[k]) : null);
    const parts = n ? this.sides.filter((one) => isPraise(some[one.n]) !== isPraise(some[one.beyond])) : [];
    put(this.border, { d: parts.map(({ d }) => d).join("") });
    write(this.says, found(stops, n, right, rival, of, this.kind === 1));
    rewrite(this.score, n ? `${now}` : "?", el("small", `of ${of} right`));
    put(this.bar, { style: `height: ${n ? (100 * now) / of : 0}%` });
    const [mark, whose] = this.kind ? [of / 2, "a coin"] : [rival, `word counts, ${all} labels`];
    put(this.mark, { style: `bottom: ${(100 * mark) / of}%` });
    rewrite(this.mark, el("b", `${mark}`), el("small", whose));
    const label = n ? `MiniLM gets ${now} of ${of} right` : "no labels yet";
    put(this.drawing, { "aria-label": `${of} new reviews: ${label}` });
    put(this.strip, { "aria-valuenow": n, "aria-valuetext": counted(n, "labelled review"), style: `--n: ${n / all}` });
    for (const [k, slip] of [...this.slips.children].entries()) slip.classList.toggle("in", k < n);
    write(this.grip, `${n}`);
    this.hint.hidden = n > 0;
    const sides = [el("b.praise", "praise"), el("b.criticism", "criticism"), el("span", "hollow: wrong")];
    rewrite(this.legend, ...(n ? sides : [el("span", "each dot is a new review")]));
    this.plant(passedAt(stops, right, rival) ?? Infinity);
    write(this.act, this.offer()[0]);
    this.tell();
  }

  /** A dot, and the patch around it. taken: whether it is taken for praise, null before the first label. */
  colour(dot, k, taken) {
    const [, truth] = this.texts[k];
    const [side, kind] = taken === null ? ["open", "open"] : [called(taken), called(truth)];
    put(this.patches[k], { class: `patch ${side}` });
    put(dot, { class: truth === null ? "own" : kind });
    put(dot, { "aria-label": labelOf(this.texts[k], taken === null ? null : side) });
    dot.classList.toggle("right", taken === null || taken === truth);
  }

  /** The flag at as many labels as it takes to pass word counts: once reached, it stays. */
  plant(passed) {
    const all = this.data.stops.at(-1);
    this.passed = this.kind ? all : passed;
    this.flag.hidden = this.kind === 1 || passed > this.most;
    put(this.flag, { style: `--n: ${passed / all}` });
    write(this.flag, `${passed} labels: past word counts`);
  }

  /** What is said of a dot: the one under the hand, else the one that is asked about. */
  tell(n = this.taken) {
    const note = this.data.note && el("small", this.data.note);
    if (!this.texts[n]) return rewrite(this.quote, el("span", note || "Type a review in English above."));
    const share = this.n ? this.shares[this.at][n] : null;
    const verdict = called(isPraise(share));
    rewrite(
      this.quote,
      el("i.ring"),
      el("span", `“${this.texts[n][0]}”`),
      ...(share === null ? [] : [el(`b.${verdict}`, `${asShare(Math.max(share, 1 - share))} ${verdict}`)]),
      ...(note && n === this.taken ? [note] : []),
    );
  }

  /** What the button does next: [what it says, what it does]. */
  offer() {
    const { stops } = this.data;
    const all = stops.at(-1);
    const more = stops.find((one) => one >= 2 * this.n && one > this.n) ?? all;
    const next = this.n < this.passed ? more : all;
    if (this.n < all) return [`Give it ${next < all ? next : `all ${all}`}`, () => this.go(next)];
    return this.kind
      ? ["Plain reviews again", () => this.turn(0, 0)]
      : ["Try “hardly boring”", () => this.turn(1, all)];
  }
}

export default mount(".border", Border);
