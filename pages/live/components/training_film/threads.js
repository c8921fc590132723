// What the model reads above and what it writes below, in large letters; from each place that writes, threads to what
// the selected head looks at there, as thick as their attention weights.

import { el, pointIn, put, svg } from "../../../../attention_view/lab.js";
import { drag, inRow } from "../../../../attention_view/controls.js";
import { END, SIGNS } from "./run.js";
import { sideName } from "./sides.js";

const [LEAST_SIZE, MOST_SIZE] = [17, 46]; // pixels of the letters; a tenth of the height where that is more
const FAINTEST = 0.02; // weights below it are not drawn
const THICKEST = 11; // pixels of a weight of 1
const [FROM, TO] = [0.68, 0.66]; // of a letter: where the threads begin and end, from the middle of a line
const MARGIN = 74; // pixels for "reads" and "writes"
const [CONTROLS_BELOW, TALK] = [170, 58]; // pixels of what stands around the threads, and of what the model says
const TOOLS = 46; // pixels of the tools, which stand below on a wide screen
const BROAD = 900; // pixels of the window in which the tools stand below the film, as page.css has it
const ACROSS = 0.7; // of the picture: what the hand moves over from the first step of a training to the last
const APART = 3; // of a letter: how far the middles of single letters are apart at most

const bare = (word) => SIGNS[word] ?? word;

/** The rows of a map in which an answer is written, and the tokens that are right there; null where none is.
 *
 * With an encoder every row of the cross-attention writes. A decoder alone reads first: its last word read is the row
 * that writes the first word of the answer. */
export function rowsThatWrite(kind, { queries }, probe, asked) {
  const all = queries.map((_, i) => i);
  if (kind === "cross") return { rows: all, right: queries };
  if (kind !== "decoder" || probe.cross || !asked?.right.length) return null;
  const rows = all.slice(asked.reads.length, asked.reads.length + asked.right.length);
  return rows.length === asked.right.length ? { rows, right: rows.map((i) => queries[i + 1] ?? "⟨end⟩") } : null;
}

/** What an answer says that ends so long before its `n` places. */
export const stoppedAt = (length, n) => (length >= n ? "" : length < n - 1 ? "it stopped here" : "stopped");

/** How large the letters of two lines can be, and where the middle of each token stands; null where they would be too
 * small. width(word): of a word in letters as large as 1. */
export function placesOf(lines, room, width, largest = MOST_SIZE) {
  const wide = lines.map((line) => line.map((word) => Math.max(0.6, width(word))));
  const most = Math.max(...wide.map((line) => line.reduce((sum, w) => sum + w + 0.55, 0)));
  const size = Math.floor(Math.min(largest, room / most));
  if (size < LEAST_SIZE) return null;
  const own = wide.map((line) => line.reduce((sum, w) => sum + w * size, 0));
  const isSingle = lines.every((_, n) => own[n] < size * wide[n].length);
  const gaps = wide.map((line, n) => (room - own[n]) / line.length);
  const gap = Math.min(...gaps, APART * size - Math.max(...own.map((sum, n) => sum / wide[n].length)));
  const start = own.map((sum, n) => (room - sum - gap * wide[n].length) / 2);
  const places = wide.map((line, n) => {
    let x = isSingle ? Math.min(...start) : start[n]; // single letters stand one above the other
    return line.map((w) => {
      x += gap + w * size;
      return Math.round(x - (gap + w * size) / 2);
    });
  });
  return { size, places };
}

/** A way from above to below. */
function bend(x1, y1, x2, y2) {
  const by = 0.46 * (y2 - y1);
  return `M${x1} ${y1}C${x1} ${y1 + by} ${x2} ${y2 - by} ${x2} ${y2}`;
}

export class Threads {
  constructor(film) {
    this.film = film;
    this.stages = [];
    this.node = el("div.threads", { onpointerdown: (event) => this.pull(event) });
  }

  /** Lays the letters out anew, if there is room for them; window: pixels from the film's upper edge to its end. */
  build(room, window) {
    const { runs, isLesson } = this.film;
    const share = runs.length > 1 ? Math.floor((room - 28) / 2) : room;
    const tools = innerWidth < BROAD ? 0 : TOOLS;
    const tall = (rest) => Math.max(250, Math.min(room < 620 ? 330 : 660, window - rest - tools));
    const make = (height) => runs.map((run, r) => new Stage(this.film, run, r, share, height));
    let stages = make(tall(CONTROLS_BELOW));
    this.isShown = !isLesson && stages.every((stage) => stage.fits);
    this.writes = this.isShown && stages.every((stage) => stage.writing);
    if (!this.writes) stages = make(tall(CONTROLS_BELOW + TALK));
    this.stages = this.isShown ? stages : [];
    this.node.replaceChildren(...this.stages.map((stage) => stage.node));
    this.node.hidden = !this.isShown;
  }

  paint() {
    for (const stage of this.stages) stage.paint();
  }

  /** The whole picture pulls the training along. */
  pull(event) {
    if (event.button) return;
    const { playback, step: from, width, last } = this.film;
    const [start] = pointIn(event, this.node);
    const move = (to) => {
      for (const stage of this.stages) stage.spot = null; // no letter is touched meanwhile
      playback.scrub(from + ((pointIn(to, this.node)[0] - start) / (ACROSS * width)) * last);
    };
    this.film.endDrag?.();
    this.film.endDrag = drag(move, () => {});
  }
}

/** The threads of one training. */
class Stage {
  constructor(film, run, r, width, height) {
    Object.assign(this, { film, run, r, width, height, spot: null });
    const axes = film.axes(run);
    const probe = run.probes[film.probe];
    this.axes = axes;
    this.writing = run.sight ? null : rowsThatWrite(film.kind, axes, probe, run.script?.asked[film.probe]);
    this.rows = this.writing?.rows ?? axes.queries.map((_, i) => i);
    this.words = this.writing?.right ?? axes.queries;
    this.left = width > 700 ? MARGIN : 0;
    const measure = document.createElement("canvas").getContext("2d");
    measure.font = `600 100px ${film.colours.font}`;
    const wide = (word) => measure.measureText(bare(word)).width / 100;
    this.wide = wide;
    // A decoder alone writes below the words that it goes on from: each answer stands where it is read later.
    this.goesOn = this.writing && film.kind === "decoder";
    const lines = this.goesOn ? [[...axes.keys, "■"]] : [axes.keys, this.words];
    const laid = run.sight ? null : placesOf(lines, width - this.left, wide, Math.max(MOST_SIZE, height / 10));
    this.fits = Boolean(laid);
    if (laid && this.goesOn) laid.places.push(this.rows.map((i) => laid.places[0][i + 1]));
    if (laid) this.build(laid);
  }

  build({ size, places }) {
    const { run, r, left, width, height } = this;
    const [top, bottom] = [size * 0.5 + 26, height - size * 0.5 - 26];
    const xs = places.map((line) => line.map((x) => x + left));
    Object.assign(this, { size, xs, from: top + FROM * size, to: bottom - TO * size });
    this.ties = svg("g");
    this.drawn = new Map(); // threads, by the row and column of their weights
    this.plot = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
    this.plot.append(this.ties);
    const at = (x, y) => `left:${x}px;top:${y}px`;
    this.keys = this.axes.keys.map((word, j) =>
      el(
        this.goesOn && j > this.rows[0] ? "b.token.read.given" : "b.token.read",
        { style: at(xs[0][j], top), ...this.pointed("key", j) },
        bare(word),
      ),
    );
    // How wide a word can be that is written where another one was expected.
    const half = this.words.map((word) => (this.wide(bare(word)) * size) / 2);
    const free = (n, m) => (n === m ? Infinity : Math.abs(xs[1][n] - xs[1][m]) - half[m]);
    this.slots = xs[1].map((_, n) => 2 * Math.min(...xs[1].map((_, m) => free(n, m))) - 6);
    this.shares = this.axes.keys.map((_, j) => el("em", { style: at(xs[0][j], 11) }));
    this.letters = this.rows.map((_, n) =>
      el("b.token.written", { style: at(xs[1][n], bottom), ...this.pointed("query", n) }),
    );
    this.hints = this.rows.map((_, n) => el("small", { style: at(xs[1][n], height - 11) }));
    const names = this.writing ? ["reads", "writes"] : ["looked at", "looks"];
    const said = left ? names.map((name, n) => el("span.line", { style: `top:${n ? bottom : top}px` }, name)) : [];
    this.stopped = el("small");
    this.bottom = bottom;
    this.spoken = el("span.unseen", { "aria-live": "polite" });
    this.node = el(
      "div.stage",
      {
        "data-figure": "",
        role: "group",
        tabindex: "0",
        style: `height:${height}px;--size:${size}px`,
        onkeydown: (event) => this.key(event),
        onblur: () => this.look(null),
      },
      this.plot,
      run.name ? el("span.whose", sideName(run.name, r), ` ${run.label}`) : null,
      ...said,
      ...this.keys,
      ...this.letters,
      ...this.shares,
      ...this.hints,
      this.stopped,
      this.spoken,
    );
  }

  pointed(side, n) {
    return {
      onpointerenter: (event) => event.buttons || this.look({ side, n }),
      onpointerleave: (event) => event.pointerType === "mouse" && this.look(null),
    };
  }

  thread(j, n) {
    return bend(this.xs[0][j], this.from, this.xs[1][n], this.to);
  }

  key(event) {
    const n = this.spot?.side === "query" ? this.spot.n : -1;
    const to = inRow(event, n < 0 ? (event.key === "ArrowLeft" ? 1 : -1) : n, this.rows.length);
    if (to === null) return;
    this.look({ side: "query", n: to }, true);
  }

  look(spot, isSaid = false) {
    this.spot = spot;
    this.paint();
    this.spoken.textContent = isSaid ? this.said(spot.n) : "";
  }

  /** What a row looks at most, in words. */
  said(n) {
    const row = this.row(n);
    const best = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 3);
    const parts = best.filter((j) => row[j] >= FAINTEST).map((j) => `${this.axes.keys[j]} ${row[j].toFixed(2)}`);
    return `${this.letters[n].textContent || this.words[n]} looks at ${parts.join(", ")}`;
  }

  /** The weights of a row at the frame that is shown. */
  row(n) {
    const S = this.axes.keys.length;
    const from = this.rows[n] * S;
    return Array.from(this.matrix.subarray(from, from + S), (weight) => weight / 255);
  }

  paint() {
    const { film, run, r, axes } = this;
    const [l, h] = film.chosen(run);
    this.matrix = film.maps.of(run, film.frames[r], l, h);
    const tokens = this.writing ? (run.says(film.probe, film.frames[r]) ?? []) : null;
    this.paintLetters(tokens);
    this.paintThreads();
    const who = run.name ? `${run.name}: ` : "";
    const text = tokens?.map(({ id, word }) => (id === END ? "the end" : word)).join(" ");
    const says = tokens ? `reads ${axes.keys.join(" ")}, writes ${text}.` : "where each word looks.";
    const label = `${who}${says} Threads of layer ${l}, head ${h}, at step ${film.step}: the thicker, the larger the`;
    put(this.node, { "aria-label": `${label} attention weight. Arrow keys go from letter to letter.` });
    if (r === 0) {
      const row = this.spot?.side === "query" ? this.row(this.spot.n) : [];
      put(this.node, { "data-spot": row.map((weight) => weight.toFixed(3)).join(" ") });
    }
  }

  /** What is written. A wrong letter is grey and thin, and the right one stands below it. */
  paintLetters(tokens) {
    this.remark(tokens);
    this.letters.forEach((letter, n) => {
      const token = tokens?.[n];
      const word = tokens ? (token ? (token.id === END ? "■" : bare(token.word)) : "") : bare(this.words[n]);
      if (letter.textContent !== word) {
        letter.textContent = word;
        const isOther = word !== bare(this.words[n]);
        const scale = isOther ? Math.min(1, this.slots[n] / (this.wide(word) * this.size)) : 1;
        letter.style.scale = Math.max(0.35, scale).toFixed(2);
      }
      const isWrong = token?.right === false;
      letter.classList.toggle("wrong", isWrong);
      letter.style.setProperty("--sure", token ? (0.55 + 0.45 * token.chance).toFixed(2) : 1);
      const isLit = this.spot?.side === "query" && this.spot.n === n;
      letter.classList.toggle("asks", isLit);
      const hint = tokens && word !== bare(this.words[n]) ? bare(this.words[n]) : "";
      if (this.hints[n].textContent !== hint) this.hints[n].textContent = hint;
    });
  }

  /** In the places that an answer leaves empty: that it stopped there. */
  remark(tokens) {
    const stopped = tokens ? stoppedAt(tokens.length, this.letters.length) : "";
    if (this.stopped.textContent !== stopped) this.stopped.textContent = stopped;
    const [xs, n] = [this.xs[1], tokens?.length]; // in the first two of them
    if (stopped) put(this.stopped, { style: `left:${(xs[n] + (xs[n + 1] ?? xs[n])) / 2}px;top:${this.bottom}px` });
  }

  /** Each thread keeps its path, so that it swells and thins on its way from step to step. */
  paintThreads() {
    const { axes, rows, spot, drawn } = this;
    const shares = axes.keys.map(() => 0);
    const lit = axes.keys.map(() => false);
    for (let n = 0; n < rows.length; n++) {
      this.row(n).forEach((weight, j) => {
        const at = n * axes.keys.length + j;
        if (weight < FAINTEST && !drawn.has(at)) return;
        const isLit = spot && (spot.side === "query" ? spot.n === n : spot.n === j);
        if (isLit && spot.side === "query") [shares[j], lit[j]] = [weight, weight > 0.1];
        if (!drawn.has(at)) drawn.set(at, this.ties.appendChild(svg("path", { d: this.thread(j, n) })));
        const opacity = weight < FAINTEST ? 0 : (0.14 + 0.76 * weight) * (spot && !isLit ? 0.12 : 1);
        put(drawn.get(at), { "stroke-width": (0.8 + THICKEST * weight).toFixed(1), opacity: opacity.toFixed(2) });
      });
    }
    this.keys.forEach((key, j) => {
      key.classList.toggle("found", lit[j] || (spot?.side === "key" && spot.n === j));
      const text = shares[j] ? shares[j].toFixed(2) : "";
      if (this.shares[j].textContent !== text) this.shares[j].textContent = text;
    });
  }
}
