// The film: what a training looked like, step by step. Frames come in packets while it runs; all the rest, playing,
// scrubbing, choosing a head, is done here without a message.

import {
  el,
  enlarged,
  mirror,
  mount,
  param,
  percent,
  pointIn,
  rgb,
  shorten,
  still,
  svg,
  theme,
  unpack,
  wholeParam,
} from "../../../../attention_view/lab.js";
import {
  css,
  heatLayout,
  image,
  paintCross,
  paintHeat,
  palette,
  surface,
  weightColour,
} from "../../../../attention_view/paint.js";
import { placeOf, show } from "../../../../lab/kit/components/patches.js";
import { chartPlace, figure, paintChart } from "./chart.js";
import { onPatches, paintPicture } from "./picture_map.js";

const KINDS = { cross: "Cross", decoder: "Decoder", encoder: "Encoder" };
const CHARTS = {
  loss: "Loss",
  perplexity: "Perplexity",
  accuracy: "Accuracy",
  lr: "Learning rate",
  grads: "Gradients",
  weights: "Parameters",
};
const SECONDS = 7; // a whole film
const BETTER = 0.1; // of its weight on the true alignment: what takes the large map from one head to another,
const LASTING = 3; // if it lasts for so many frames
const QUESTION_COLOURS = ["#1c93a0", "#d8388f", "#8f8f20", "#b3714a"]; // legible in light and dark; none means more
const END = 2; // the id of <eos>
const LINE = 13; // pixels that a row with a label takes

/** Everything that is known of one training. */
export class Run {
  constructor(said) {
    Object.assign(this, { id: said.id, steps: [], curves: {}, grads: [], maps: {}, mass: {}, parts: [], probes: [] });
    Object.assign(this, { ids: {}, chances: {}, held: {}, script: null, tiles: {}, turns: [], values: {} });
    Object.assign(this, { pixels: [], largest: {}, more: [] }); // of pictures; curves besides the usual ones
    this.score = ""; // what the weight on the true alignment is called, where it has a name of its own
    this.head = null; // [layer, head], once somebody chose
  }

  /** Take in what a packet brings; false if frames before it are missing. */
  add(said, at, { header, arrays }) {
    Object.assign(this, {
      name: said.name,
      label: said.label,
      state: said.state,
      said: said.said,
      planned: said.planned,
      about: said.about,
      turns: said.turns ?? [],
    });
    if (said.values) this.values = said.values;
    if (!said.frames) return true;
    if (said.first > this.steps.length || (said.first > 0 && !this.probes.length)) return false;
    if (said.first === 0)
      Object.assign(this, {
        parts: said.parts,
        guess: said.guess,
        probes: said.probes,
        script: said.script,
        tiles: said.tiles,
        score: said.score ?? "",
        pixels: said.probes.map((_, p) => arrays[`${at}.${p}.pixels`]),
        more: said.more ?? [],
      });
    const from = this.steps.length - said.first; // what is known already
    const steps = arrays[`${at}.steps`],
      curves = arrays[`${at}.curves`],
      grads = arrays[`${at}.grads`];
    for (let n = from; n < said.frames; n++) {
      this.steps.push(steps[n]);
      header.curves.forEach((name, c) => (this.curves[name] ??= []).push(curves[n * header.curves.length + c]));
      this.more.forEach((name, c) => (this.curves[name] ??= []).push(arrays[`${at}.more`][n * this.more.length + c]));
      this.grads.push(grads.slice(n * this.parts.length, (n + 1) * this.parts.length));
    }
    this.probes.forEach((probe, p) => {
      for (const kind of Object.keys(probe)) {
        const all = arrays[`${at}.${p}.${kind}`],
          size = all.length / said.frames;
        const maps = (this.maps[`${p}.${kind}`] ??= []),
          mass = (this.mass[`${p}.${kind}`] ??= []);
        for (let n = from; n < said.frames; n++) {
          maps.push(all.slice(n * size, (n + 1) * size));
          mass.push(this.massOf(probe[kind], maps.at(-1)));
          this.hold(`${p}.${kind}`, mass.at(-1));
          if (this.sight) this.largest[p] = Math.max(this.largest[p] ?? 0, this.most(p, probe[kind], maps.at(-1)));
        }
      }
      for (const part of ["ids", "chances"]) {
        const all = arrays[`${at}.${p}.${part}`];
        if (!all) continue;
        const size = all.length / said.frames,
          kept = (this[part][p] ??= []);
        for (let n = from; n < said.frames; n++) kept.push(all.slice(n * size, (n + 1) * size));
      }
    });
    return true;
  }

  /** How pictures are read, where pictures are read: { side, across, rows, reads }. */
  get sight() {
    return this.script?.sight ?? null;
  }

  /** What is needed to draw the picture of a probe. */
  picture(p) {
    return { pixels: this.pixels[p], side: this.sight.side, across: this.sight.across };
  }

  /** The largest weight on a patch in any head of a frame, of 255. */
  most(p, { heads, keys }, map) {
    const size = keys.length ** 2;
    return Array.from({ length: heads[0] * heads[1] }, (_, h) =>
      onPatches(map.subarray(h * size, (h + 1) * size), this.sight.rows, keys.length - 1).reduce((a, b) =>
        Math.max(a, b),
      ),
    ).reduce((a, b) => Math.max(a, b));
  }

  /** The head that is shown large, until another one is clearly better for a while: it does not hop. */
  hold(key, mass) {
    if (Number.isNaN(mass[0])) return;
    const best = mass.indexOf(Math.max(...mass));
    const held = (this.held[key] ??= { head: best, better: 0 });
    held.better = mass[best] > mass[held.head] + BETTER ? held.better + 1 : 0;
    if (held.better >= LASTING) Object.assign(held, { head: best, better: 0 });
  }

  /** What the model says on a probe at a frame: tokens [{ word, chance, right }]; null where nobody knows. */
  says(p, frame) {
    const ids = this.ids[p]?.[frame];
    if (!ids || !this.script) return null;
    const { right } = this.script.asked[p],
      tokens = [];
    for (const [n, id] of ids.entries()) {
      if (id === 0) break;
      const chance = this.chances[p][frame][n] / 255;
      tokens.push({ id, word: this.script.words[id], chance, right: right.length ? id === right[n] : null });
      if (id === END) break;
    }
    return tokens;
  }

  /** How much weight every head lays on the true alignment, averaged over the rows that have one. */
  massOf({ ghost, heads, queries, keys }, map) {
    const rows = new Set(ghost.map(([i]) => i)).size;
    return Float32Array.from({ length: heads[0] * heads[1] }, (_, h) =>
      rows
        ? ghost.reduce((sum, [i, j]) => sum + map[(h * queries.length + i) * keys.length + j], 0) / (255 * rows)
        : NaN,
    );
  }

  /** The step since which a head has more than half of its weight on the true alignment, without a break up to the last
   * frame; null where it has less in the end. */
  since(key, head) {
    const mass = this.mass[key],
      below = mass.findLastIndex((row) => !(row[head] > 0.5));
    return below + 1 < mass.length ? this.steps[below + 1] : null;
  }

  /** The last frame at or before a step. */
  frame(step) {
    let low = 0,
      high = this.steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.steps[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The head in view: the chosen one, else the one with the most on the true alignment: of a finished film at its end,
   * of one that grows, the one that is held. */
  chosen(p, kind) {
    const [L, H] = this.probes[p][kind].heads;
    if (this.head && this.head[0] < L && this.head[1] < H) return this.head;
    const key = `${p}.${kind}`,
      mass = this.mass[key].at(-1);
    const end = Number.isNaN(mass[0]) ? 0 : mass.indexOf(Math.max(...mass));
    const best = this.state === "recorded" ? end : (this.held[key]?.head ?? end);
    return [Math.floor(best / H), best % H];
  }

  best() {
    const values = this.curves.val_loss;
    return values.reduce((best, value, n) => (value < values[best] ? n : best), 0);
  }
}

class Film {
  constructor(root) {
    this.root = root;
    this.runs = []; // on screen
    this.seen = new WeakSet();
    Object.assign(this, {
      kind: null,
      probe: 0,
      chart: "loss",
      ghosts: true,
      step: 0,
      playing: false,
      following: false,
      cell: null,
      painted: 0,
      asked: "",
    });
    this.link = mirror((put) => this.write(put), 300);
    this.build();
    this.readUrl();
    this.observer = new ResizeObserver(() => {
      const width = Math.round(this.root.clientWidth);
      if (width && width !== this.width && this.runs.length) this.layOut();
    });
    this.observer.observe(root);
    this.hear = (event) => this.update(event.detail, { setTriggerValue: this.send });
    window.addEventListener("attention-lab-film", this.hear);
    // A recorded film stops as soon as a training is asked for, not when its first word arrives.
    this.stopFilm = (event) => {
      if (event.target.closest?.(".st-key-train button") && this.playing) {
        this.halt();
        this.status();
      }
    };
    document.addEventListener("click", this.stopFilm, true);
  }

  build() {
    this.nodes = {};
    const columns = el("div", { class: "columns" }, this.buildHeads(), this.buildMap(), this.buildCurves());
    const bar = this.buildBar();
    const said = this.buildSaid();
    const title = el("div", { class: "title" }, this.nodes.about, this.nodes.state);
    this.root.replaceChildren(title, bar, said, columns, this.buildLoop());
    const choose = (name) => {
      this.chart = name;
      this.paint();
      this.link.later();
    };
    this.choices(this.nodes.charts, CHARTS, () => this.chart, choose);
  }

  /** The track to play and scrub along, and the numbers of the step. */
  buildBar() {
    const n = this.nodes;
    n.about = el("p", { class: "about" });
    const nudge = (name, shape, onclick) => {
      const picture = svg("svg", { viewBox: "0 0 16 16", width: 15, height: 15, "aria-hidden": "true" });
      picture.append(svg("path", { d: shape, fill: "currentColor" }));
      return el("button", { type: "button", class: "nudge", "aria-label": name, title: name, onclick }, picture);
    };
    n.restart = nudge("From the beginning", "M2 2h2v12H2zM14 2v12L5 8z", () => this.restart());
    n.onward = nudge("One frame on", "M12 2h2v12h-2zM2 2v12l9-6z", () => this.nudge());
    n.play = el("button", { type: "button", class: "play", onclick: () => this.toggle() });
    n.track = el("input", {
      type: "range",
      class: "range",
      min: "0",
      step: "1",
      "aria-label": "Step of the training",
      oninput: () => this.scrub(Number(n.track.value)),
      onkeydown: (e) => this.trackKey(e),
    });
    n.fill = el("span", { class: "fill" });
    n.step = el("span", { class: "step" });
    n.state = el("span", { class: "state", role: "status" });
    n.live = el("button", { type: "button", class: "live", onclick: () => this.follow() }, "to the newest");
    n.tiles = el("dl", { class: "tiles" });
    const track = el("div", { class: "track" }, n.fill, n.track);
    return el("div", { class: "bar" }, n.restart, n.play, n.onward, track, n.step, n.live);
  }

  /** What the model is given and what it says, beside the numbers of the step. */
  buildSaid() {
    const n = this.nodes;
    n.reads = el("p", { class: "reads" });
    n.writes = el("div", { class: "writes" });
    n.remark = el("p", { class: "quiet small" });
    const talk = el("section", { class: "talk", "aria-label": "What the model says" }, n.reads, n.writes, n.remark);
    return el("div", { class: "top" }, talk, n.tiles);
  }

  /** Every head as a thumbnail. */
  buildHeads() {
    const n = this.nodes;
    n.kinds = el("div", { class: "stages", role: "radiogroup", "aria-label": "Kind of attention" });
    n.probes = el("div", { class: "stages", role: "radiogroup", "aria-label": "Example that is watched" });
    n.heads = el("div", { class: "groups" });
    n.note = el("p", { class: "quiet small" });
    const header = el("header", {}, n.kinds, n.probes);
    return el("section", { class: "heads", "aria-label": "All heads" }, header, n.heads, n.note);
  }

  /** The chosen head, of one training or of both. */
  buildMap() {
    const n = this.nodes;
    n.maps = el("div", { class: "maps" });
    n.low = el("span", {}, "0");
    n.high = el("span", {}, "1");
    n.legend = el("canvas", { "aria-hidden": "true" });
    const onclick = () => {
      this.ghosts = !this.ghosts;
      this.paint();
    };
    n.ghost = el(
      "button",
      { type: "button", class: "ghost", "aria-pressed": "true", onclick },
      el("i", { "aria-hidden": "true" }),
      "where the answer comes from",
    );
    n.readout = el("span", { class: "readout", "aria-live": "off" });
    const scale = el("span", { class: "scale" }, n.low, n.legend, n.high);
    const axes = (n.axes = el("span", { class: "quiet axes" }));
    const footer = el("footer", {}, scale, n.ghost, n.readout, axes);
    return el("section", { class: "map", "aria-label": "The selected head" }, n.maps, footer);
  }

  /** The curve that was chosen, and every head's weight on the true alignment; both can be scrubbed along. */
  buildCurves() {
    const n = this.nodes;
    const chart = () =>
      el("canvas", {
        role: "img",
        onpointerdown: (e) => this.dragChart(e),
        onpointermove: (e) => e.buttons && this.dragChart(e),
      });
    n.charts = el("div", { class: "stages charts", role: "radiogroup", "aria-label": "Curve" });
    n.curve = chart();
    n.curveNote = el("p", { class: "quiet small key" });
    n.massTitle = el("h2");
    n.mass = chart();
    n.massNote = el("p", { class: "quiet small" });
    return el(
      "section",
      { class: "curves", "aria-label": "Curves" },
      el("header", {}, n.charts),
      n.curve,
      n.curveNote,
      n.massTitle,
      n.mass,
      n.massNote,
    );
  }

  /** The lines of the loop that trained. */
  buildLoop() {
    const n = this.nodes;
    n.place = el("span", { class: "quiet" });
    n.lines = el("div", { class: "lines" });
    const summary = el("summary", {}, "The loop that ran, with the values of this step");
    n.loop = el("details", { class: "loop", ontoggle: () => this.paint() }, summary, n.place, n.lines);
    return n.loop;
  }

  /** A row of radio buttons; `current` says which is on. */
  choices(group, names, current, choose) {
    const group_name = `film-${group.getAttribute("aria-label")}`;
    group.replaceChildren(
      ...Object.entries(names).map(([value, text]) =>
        el("label", {}, el("input", { type: "radio", name: group_name, value, onchange: () => choose(value) }), text),
      ),
    );
    group.current = current;
    this.mark(group);
  }

  mark(group) {
    for (const input of group.querySelectorAll("input")) {
      input.checked = input.value === String(group.current());
      input.parentElement.classList.toggle("on", input.checked);
    }
  }

  // ---- what comes from the server ---------------------------------------------------------------------------

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (data && !this.seen.has(data)) {
      this.seen.add(data); // the same packet comes again with a new theme
      this.data = data;
      this.take(unpack(data));
    }
    const before = this.colours;
    this.colours = palette(this.root, this.colours);
    this.colours.other ??= css(rgb(theme(this.root)("other")));
    if (this.runs.length && (this.fresh || before !== this.colours)) this.layOut();
    else this.status();
  }

  take(packet) {
    const { sides, code, place, alive } = packet.header;
    this.alive = alive;
    this.root.dataset.packets = Number(this.root.dataset.packets ?? 0) + 1;
    this.root.dataset.bytes = Number(this.root.dataset.bytes ?? 0) + this.data.length;
    this.sides = sides;
    if (code.length) Object.assign(this, { code, place });
    const known = new Map(this.runs.map((run) => [run.id, run]));
    const runs = [];
    let whole = true;
    let resumed = false;
    sides.forEach((said, at) => {
      const run = known.get(said.id) ?? new Run(said);
      resumed ||= ["paused", "waiting"].includes(run.state) && said.state === "running";
      whole = run.add(said, at, packet) && whole;
      if (run.steps.length) runs.push(run);
    });
    if (!whole && this.asked !== sides.map((side) => side.id).join()) {
      this.asked = sides.map((side) => side.id).join();
      this.send("missing", this.asked);
    }
    if (!runs.length) return this.halt(); // nothing of the new ones yet: what was there stays, and stands still
    if (whole) this.asked = "";
    const same = runs.length === this.runs.length && runs.every((run, at) => run === this.runs[at]);
    const fresh = !runs.some((run) => known.has(run.id));
    this.runs = runs;
    this.timeline = [...new Set(runs.flatMap((run) => run.steps))].sort((a, b) => a - b);
    if (!same) this.furnish();
    if (fresh) this.open();
    else if (resumed) {
      this.halt();
      this.following = true; // who goes on training wants to see it
    }
    this.fresh = true;
    if (this.following) this.start();
    this.root.dataset.frames = runs.map((run) => run.steps.length).join(" ");
  }

  /** How a training that was not on screen before begins. */
  open() {
    const recorded = this.runs.every((run) => run.state === "recorded");
    this.step = this.timeline.at(-1);
    this.playing = this.following = false;
    if (this.linked !== null && recorded) this.step = this.linked;
    else if (this.alive) {
      this.step = this.timeline[0];
      this.following = true;
    } else if (recorded && !still()) {
      this.step = this.timeline[0];
      this.playing = true;
      this.start(600);
    }
    this.linked = null;
  }

  /** What depends on the runs alone: kinds, examples, thumbnails, the lines of the loop. */
  furnish() {
    const n = this.nodes,
      [run] = this.runs;
    const kinds = ["cross", "decoder", "encoder"].filter((kind) => this.runs.every((r) => r.probes[0][kind]));
    const told = kinds.find((kind) => run.probes[0][kind].ghost.length) ?? kinds[0];
    // A kind that was chosen is kept, unless the answer cannot be seen in it.
    const isTold = kinds.includes(this.kind) && run.probes[0][this.kind].ghost.length;
    if (!isTold && !(this.chosenKind === this.kind && kinds.includes(this.kind) && this.task === this.taskOf(run)))
      this.kind = told;
    this.task = this.taskOf(run);
    const longest = Math.max(...this.runs.map((r) => r.probes[0][this.kind].keys.length));
    this.root.classList.toggle("long", longest > 16 && !run.sight);
    this.root.classList.toggle("sight", Boolean(run.sight));
    const asked = Math.min(...this.runs.map((r) => r.probes.length));
    if (asked > 2 && asked !== this.asks) this.probe = asked - 1; // one's own
    this.asks = asked;
    this.probe = Math.min(this.probe, ...this.runs.map((r) => r.probes.length - 1));
    const names = Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind]]));
    this.choices(
      n.kinds,
      names,
      () => this.kind,
      (kind) => this.set({ kind, chosenKind: kind }),
    );
    const names2 = [run.sight ? "picture 1" : "example 1", "2", "yours"];
    const probes = Object.fromEntries(Array.from({ length: asked }, (_, p) => [p, names2[p] ?? String(p + 1)]));
    this.choices(
      n.probes,
      probes,
      () => this.probe,
      (p) => this.set({ probe: Number(p) }),
    );
    n.probes.hidden = run.probes.length < 2;
    n.place.textContent = this.place ?? "";
    n.lines.replaceChildren(
      ...(this.code ?? []).map(([text, name]) =>
        el("div", { class: name ? "line told" : "line" }, el("code", {}, text), el("output", { "data-name": name })),
      ),
    );
    this.root.classList.toggle("two", this.runs.length > 1);
  }

  /** What tells the tasks of runs apart. */
  taskOf(run) {
    return (run.about ?? "").split(" · ")[0];
  }

  set(change) {
    for (const run of this.runs) run.head = null;
    Object.assign(this, change, { cell: null });
    this.mark(this.nodes.kinds);
    this.mark(this.nodes.probes);
    this.layOut();
    this.link.later();
  }

  // ---- time -------------------------------------------------------------------------------------------------

  at() {
    let low = 0;
    while (low + 1 < this.timeline.length && this.timeline[low + 1] <= this.step) low++;
    return low;
  }

  /** Let the film run from where it is; following: on and on, as frames come. */
  start(wait = 0) {
    if (this.frameRequest) return;
    let place = this.at(),
      last = null;
    const newest = () => this.timeline.length - 1;
    const tick = (now) => {
      this.frameRequest = null;
      if (!this.playing && !this.following) return;
      last ??= now + wait;
      const rate = this.following
        ? Math.max(12, (newest() - place) / 0.35)
        : Math.max(5, Math.min(24, this.timeline.length / SECONDS));
      place = still() ? newest() : Math.min(newest(), place + (Math.max(0, now - last) / 1000) * rate);
      last = Math.max(last, now);
      const step = this.timeline[Math.floor(place)];
      if (step !== this.step) {
        this.step = step;
        this.paint();
      }
      if (place < newest()) this.frameRequest = requestAnimationFrame(tick);
      else if (this.playing || !this.alive) {
        this.playing = this.following = false;
        this.status();
      }
    };
    this.frameRequest = requestAnimationFrame(tick);
  }

  halt() {
    cancelAnimationFrame(this.frameRequest);
    this.frameRequest = null;
    this.playing = this.following = false;
  }

  toggle() {
    if (this.playing || this.following) {
      this.halt();
      this.status();
      this.link.later();
      return;
    }
    if (this.at() === this.timeline.length - 1) this.step = this.timeline[0];
    this.playing = true;
    this.paint();
    this.start();
  }

  restart() {
    this.halt();
    this.step = this.timeline[0];
    this.playing = true;
    this.paint();
    this.start(300);
  }

  nudge() {
    this.halt();
    this.scrub(this.timeline[Math.min(this.timeline.length - 1, this.at() + 1)]);
  }

  follow() {
    this.halt();
    this.following = true;
    this.start();
    this.status();
  }

  scrub(step) {
    this.halt();
    this.step = step;
    this.step = this.timeline[this.at()];
    this.paint();
    this.link.later();
  }

  trackKey(event) {
    const to = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
      Home: -1e6,
      End: 1e6,
    }[event.key];
    if (event.key === " ") this.toggle();
    else if (!to) return;
    else this.scrub(this.timeline[Math.max(0, Math.min(this.timeline.length - 1, this.at() + to))]);
    event.preventDefault();
  }

  dragChart(event) {
    const place = event.currentTarget.place;
    if (place) this.scrub(place.step(pointIn(event, event.currentTarget)[0]));
  }

  // ---- the link ---------------------------------------------------------------------------------------------

  readUrl() {
    if (param("live_film_kind") in KINDS) this.kind = this.chosenKind = param("live_film_kind");
    if (param("live_film_curve") in CHARTS) this.chart = param("live_film_curve");
    this.probe = [2, 3].indexOf(wholeParam("live_film_example")) + 1;
    this.linked = wholeParam("live_film_step");
    this.mark(this.nodes.charts);
  }

  write(put) {
    const recorded = this.runs[0]?.state === "recorded";
    put("live_film_kind", this.kind, this.nodes.kinds.querySelector("input")?.value);
    put("live_film_curve", this.chart, "loss");
    put("live_film_example", this.probe + 1, 1);
    put("live_film_step", recorded ? this.step : null, this.timeline?.at(-1));
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  /** Sizes and canvases; then everything on them. */
  layOut() {
    this.width = Math.round(this.root.clientWidth);
    if (!this.width) return;
    this.fresh = false;
    const n = this.nodes;
    const shape = this.runs.map((run) => `${run.id} ${run.probes[this.probe][this.kind].heads}`).join();
    const room = n.heads.clientWidth,
      mapRoom = n.maps.clientWidth;
    const by = enlarged(this.root);
    const above = Math.min(320, this.root.getBoundingClientRect().top + scrollTop(this.root)); // of the page
    const least = by > 1 ? 110 : 210;
    const others = this.runs[0].sight ? 284 : 262; // pixels of what stands above and below: a picture, or lines of text
    const tall = (innerHeight - above) / by - others;
    this.tall = Math.max(least, Math.min(430, tall)); // of a map's cells: all fits a screen
    const stamp = `${shape} ${this.kind} ${this.probe} ${room} ${mapRoom} ${this.tall} ${this.colours.name}`;
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.buildThumbs(room);
      this.buildMaps(mapRoom);
    }
    this.curveRoom = n.curve.parentElement.clientWidth;
    this.paint();
  }

  buildThumbs(room) {
    const two = this.runs.length > 1;
    this.thumbs = [];
    this.nodes.heads.replaceChildren(
      ...this.runs.map((run, r) => {
        const {
          heads: [L, H],
          queries,
          keys,
        } = run.probes[this.probe][this.kind];
        const gap = 6,
          rule = L > 1 ? 18 : 0,
          tall = queries.length / keys.length;
        const most = (this.tall + 40) / (two ? 2.9 : 1) / L - 24;
        const size = Math.max(14, Math.floor(Math.min(170, (room - rule) / H - gap, most / Math.min(1.6, tall))));
        const grid = el("div", {
          class: "thumbs",
          style: `--columns: ${rule ? "12px " : ""}repeat(${H}, ${size}px)`,
          onkeydown: (e) => this.thumbKey(e),
        });
        if (rule) grid.append(el("i"), ...Array.from({ length: H }, (_, h) => el("i", { class: "rule" }, String(h))));
        for (let l = 0; l < L; l++) {
          if (rule) grid.append(el("i", { class: "rule" }, String(l)));
          for (let h = 0; h < H; h++) {
            const canvas = el("canvas", { "aria-hidden": "true" }),
              bar = el("b"),
              tick = el("s"),
              number = el("em");
            const button = el(
              "button",
              { type: "button", "data-run": r, "data-layer": l, "data-head": h, onclick: () => this.choose(r, l, h) },
              canvas,
              el("small", {}, bar, tick),
              number,
            );
            this.thumbs.push({
              run,
              r,
              l,
              h,
              canvas,
              bar,
              tick,
              number,
              button,
              width: size,
              height: Math.round(size * Math.min(1.6, Math.max(0.5, tall))),
            });
            grid.append(button);
          }
        }
        const title = `${L} ${L === 1 ? "layer" : "layers"} × ${H} ${H === 1 ? "head" : "heads"}`;
        return el(
          "div",
          { class: "group" },
          el(
            "h2",
            {},
            two ? el("b", { class: r ? "b" : "a" }, run.name) : null,
            two ? ` ${run.label}` : "All heads",
            el("span", { class: "quiet" }, ` ${title}`),
          ),
          grid,
        );
      }),
    );
  }

  thumbKey(event) {
    const at = this.thumbs.findIndex(({ button }) => button === event.target);
    if (at < 0) return;
    const [, H] = this.thumbs[at].run.probes[this.probe][this.kind].heads;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: H, ArrowUp: -H }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.thumbs[Math.max(0, Math.min(this.thumbs.length - 1, at + step))];
    this.choose(next.r, next.l, next.h);
    next.button.focus();
  }

  choose(r, layer, head) {
    this.runs[r].head = [layer, head];
    this.paint();
  }

  buildMaps(room) {
    const two = this.runs.length > 1;
    const width = two ? Math.floor((room - 24) / 2) : room;
    this.views = this.runs.map((run, r) => {
      const shape = run.sight ? this.patchesOf(run, width) : this.cellsOf(run, width);
      const { T, S } = shape.picture;
      const title = el("h2"),
        heat = el("canvas", { "aria-hidden": "true" }),
        cross = el("canvas", { class: "cross", "aria-hidden": "true" });
      const spoken = el("div", { role: "gridcell", class: "unseen" });
      const grid = el(
        "div",
        {
          class: "grid",
          role: "grid",
          tabindex: "0",
          "aria-rowcount": T,
          "aria-colcount": S,
          onpointermove: (e) => this.point(r, e),
          onpointerleave: () => {
            this.cell = null;
            this.paintCell();
          },
          onkeydown: (e) => this.gridKey(r, e),
        },
        heat,
        cross,
        el("div", { role: "row", class: "unseen" }, spoken),
      );
      const node = el("div", { class: "one" }, title, grid);
      return { run, ...shape, title, heat, cross, grid, spoken, node };
    });
    const [first] = this.views,
      all = first.run.probes[this.probe][this.kind].queries.length;
    const some = first.rows.length < all ? ` (${first.rows.length} of ${all})` : "";
    const written = first.picture.queries?.some((name) => name.includes(" ▸ ")) ? " ▸ what it is to write" : "";
    this.nodes.axes.textContent = first.run.sight
      ? `query: ${asker(first.run)}  keys: the patches`
      : `query${written} ↓${some}  key →`;
    this.nodes.maps.replaceChildren(...this.views.map((view) => view.node));
    const bar = surface(this.nodes.legend, 90, 10);
    for (let x = 0; x < 90; x++) {
      bar.fillStyle = css(weightColour(x / 89, 1, this.colours));
      bar.fillRect(x, 0, 1.5, 10);
    }
    this.nodes.legend.title = "A cell is as strong as its weight to the power 0.6, on the same scale at every step";
  }

  /** The cells of the large map of a text: its rows and columns, and where they are. */
  cellsOf(run, width) {
    const axes = run.probes[this.probe][this.kind],
      S = axes.keys.length;
    const rows = this.rowsOf(axes),
      T = rows.length;
    const aligned = new Set(axes.ghost.map(([i]) => i));
    // A row of a decoder alone says what it is to write; with an encoder it is called so already.
    const writes = (i) =>
      !run.probes[this.probe].cross && this.kind === "decoder" && aligned.has(i) && axes.keys[i + 1];
    const queries = rows.map((i) => axes.queries[i] + (writes(i) ? ` ▸ ${writes(i)}` : ""));
    const ghost = axes.ghost.map(([i, j]) => [rows.indexOf(i), j]).filter(([i]) => i >= 0);
    const picture = { T, S, queries, keys: axes.keys, arrays: {} };
    const full = axes.queries.length;
    let mask = null;
    if (axes.masked) {
      mask = Uint8Array.from({ length: full * S }, (_, n) => (n % S <= Math.floor(n / S) ? 1 : 0));
      picture.arrays.mask = this.only(mask, rows, S);
    }
    const layout = heatLayout(picture, width, Math.min(this.tall, T * 38), this.colours.font);
    return { picture, rows, ghost, mask, layout };
  }

  /** The cells of the large map of a picture: its patches. */
  patchesOf(run, width) {
    const { across } = run.sight;
    const size = Math.floor(Math.min(width, this.tall + 20));
    const layout = { left: 0, top: 0, cell: size / across, width: size, height: size };
    return { picture: { T: across, S: across, arrays: {} }, rows: [], ghost: [], mask: null, layout };
  }

  /** The rows of the large map: all, or where they would be too thin to be named, those of the answer and the last. */
  rowsOf({ queries, ghost }) {
    const all = queries.map((_, i) => i),
      room = Math.max(4, Math.floor(this.tall / LINE));
    if (all.length <= room) return all;
    const aligned = [...new Set(ghost.map(([i]) => i))].slice(-room);
    const others = all.filter((i) => !aligned.includes(i));
    return [...aligned, ...others.slice(others.length - (room - aligned.length))].sort((a, b) => a - b);
  }

  /** These rows of a matrix with S columns. */
  only(matrix, rows, S) {
    if (rows.length * S === matrix.length) return matrix;
    const part = new matrix.constructor(rows.length * S);
    rows.forEach((i, n) => part.set(matrix.subarray(i * S, (i + 1) * S), n * S));
    return part;
  }

  paint() {
    if (!this.runs.length || !this.width || !this.views) return;
    const frames = this.runs.map((run) => run.frame(this.step));
    this.frames = frames;
    this.paintThumbs();
    this.paintSaid();
    this.paintMaps();
    this.paintCurves();
    this.paintTiles();
    this.paintLoop();
    this.status();
    const [view] = this.views,
      [layer, head] = view.run.chosen(this.probe, this.kind);
    const mass = view.run.mass[`${this.probe}.${this.kind}`][frames[0]];
    Object.assign(this.root.dataset, {
      step: this.step,
      kind: this.kind,
      head: `${layer} ${head}`,
      mass: Math.max(...mass),
      painted: ++this.painted,
    });
  }

  mapOf(run, frame, l, h) {
    const { heads, queries, keys } = run.probes[this.probe][this.kind],
      size = queries.length * keys.length;
    const at = (l * heads[1] + h) * size;
    return run.maps[`${this.probe}.${this.kind}`][frame].subarray(at, at + size);
  }

  /** The weight on each patch of the picture, of 255, in a head at a frame. */
  sharesOf(run, frame, l, h) {
    return onPatches(this.mapOf(run, frame, l, h), run.sight.rows, run.sight.across ** 2);
  }

  /** The patches that hold a thing, if they are to be outlined. */
  things(run) {
    return new Set(this.ghosts ? run.probes[this.probe][this.kind].ghost.map(([, j]) => j - 1) : []);
  }

  /** The picture, what it shows, and what the model says of it: what is wrong is struck through. */
  paintSeen(said) {
    const n = this.nodes,
      [run] = this.runs,
      { asked, separator } = run.script,
      { right } = asked[this.probe];
    const picture = el("canvas", { role: "img", "aria-label": "The picture that it is asked about" });
    show(picture, run.pixels[this.probe]);
    n.reads.replaceChildren(picture);
    const line = (verb, words) => el("p", {}, el("span", { class: "verb" }, verb), words);
    const truth = right.map((id) => run.script.words[id]);
    n.writes.replaceChildren(
      ...said.map((tokens, at) => {
        const { name } = this.runs[at];
        const verb = el("span", {}, name ? el("b", { class: at ? "b" : "a" }, `${name} `) : null, "says");
        return line(verb, spokenTokens(tokens ?? [], separator));
      }),
      ...(truth.length ? [el("p", { class: "truth" }, el("span", { class: "verb" }, "it shows"), spoken(truth))] : []),
    );
    n.remark.textContent = "";
  }

  /** "reads f g d, writes d g f": what is wrong is struck through, and what is unsure is faint. */
  paintSaid() {
    const n = this.nodes,
      [run] = this.runs;
    n.about.replaceChildren(
      ...this.runs
        .flatMap((r, at) => [
          at ? el("span", { class: "quiet" }, "  |  ") : null,
          r.name ? el("b", { class: at ? "b" : "a" }, `${r.name} `) : null,
          r.about || r.label,
        ])
        .filter(Boolean),
    );
    const said = this.runs.map((r, at) => r.says(this.probe, this.frames[at]));
    n.reads.parentElement.hidden = !said[0];
    delete this.root.dataset.says;
    if (!said[0]) return;
    this.root.dataset.says = said[0]
      .filter(({ id }) => id !== END)
      .map(({ word }) => word)
      .join(" ");
    if (run.sight) return this.paintSeen(said);
    const { asked, separator } = run.script,
      { reads, remark } = asked[this.probe];
    const goesOn = !asked[this.probe].right.length && this.runs[0].probes[this.probe].decoder;
    n.reads.replaceChildren(el("span", { class: "verb" }, goesOn ? "begins" : "reads"), spoken(reads, separator));
    n.writes.replaceChildren(
      ...said.map((tokens, at) =>
        el(
          "p",
          {},
          el(
            "span",
            { class: "verb" },
            this.runs.length > 1 ? el("b", { class: at ? "b" : "a" }, this.runs[at].name) : null,
            goesOn ? " goes on" : " writes",
          ),
          spokenTokens(tokens ?? [], separator),
        ),
      ),
    );
    n.remark.textContent = remark;
  }

  paintThumbs() {
    for (const thumb of this.thumbs) {
      const { run, r, l, h, canvas, width } = thumb;
      const axes = run.probes[this.probe][this.kind],
        T = axes.queries.length,
        S = axes.keys.length;
      if (run.sight) this.paintPatches(canvas, width, run, r, l, h);
      else this.paintThumb(thumb, axes, T, S);
      const [layer, head] = run.chosen(this.probe, this.kind),
        on = layer === l && head === h;
      thumb.button.setAttribute("aria-pressed", String(on));
      thumb.button.tabIndex = on ? 0 : -1;
      const mass = run.mass[`${this.probe}.${this.kind}`][this.frames[r]][l * axes.heads[1] + h];
      const told = !Number.isNaN(mass);
      thumb.bar.parentElement.hidden = !told;
      thumb.bar.style.width = told ? `${100 * mass}%` : "0";
      thumb.tick.style.left = `${100 * (axes.chance ?? 0)}%`;
      thumb.number.textContent = told && width >= 34 ? mass.toFixed(2) : "";
      const aligned = told ? `: ${mass.toFixed(2)} of its attention weight on the outlined ${cells(run)}` : "";
      const name = `${run.name ? run.name + ", " : ""}layer ${l}, head ${h}${aligned}`;
      thumb.button.setAttribute("aria-label", name);
      thumb.button.title = name;
    }
    const { [this.kind]: kind, cross: hasCross } = this.runs[0].probes[this.probe];
    const { chance } = kind;
    const [run] = this.runs;
    const through = hasCross ? ": the answer comes through cross-attention" : "";
    this.nodes.note.textContent =
      chance === null
        ? `Here no ${run.sight ? "patch" : "cell"} is the right one${through}.`
        : `Under each head: its attention weight on the outlined ${cells(run)}. ` +
          `The tick is chance, ${chance.toFixed(2)}.`;
  }

  /** The picture under the weights of a head. */
  paintPatches(canvas, size, run, r, l, h) {
    const shares = this.sharesOf(run, this.frames[r], l, h).map((w) => w / (run.largest[this.probe] || 1));
    paintPicture(canvas, size, run.picture(this.probe), shares, this.things(run), this.colours);
  }

  /** A map in small, with its outlined cells where there is room. */
  paintThumb({ run, r, l, h, canvas, width, height }, axes, T, S) {
    const context = surface(canvas, width, height);
    context.imageSmoothingEnabled = width < S;
    context.drawImage(
      image(this.mapOf(run, this.frames[r], l, h), T, S, 255, this.colours, this.views[r].mask),
      0,
      0,
      width,
      height,
    );
    const [x, y] = [width / S, height / T];
    if (this.ghosts && x >= 5) {
      context.strokeStyle = this.colours.ink;
      context.globalAlpha = 0.4;
      context.lineWidth = 1;
      for (const [i, j] of axes.ghost) context.strokeRect(j * x + 0.5, i * y + 0.5, x - 1, y - 1);
      context.globalAlpha = 1;
    }
  }

  paintMaps() {
    this.nodes.high.textContent = this.runs[0].sight ? (this.runs[0].largest[this.probe] / 255).toFixed(2) : "1";
    this.views.forEach((view, r) => {
      const { run, picture, layout, heat } = view;
      const [l, h] = run.chosen(this.probe, this.kind);
      const axes = run.probes[this.probe][this.kind];
      if (run.sight) {
        view.matrix = this.sharesOf(run, this.frames[r], l, h);
        this.paintPatches(heat, layout.width, run, r, l, h);
      } else {
        view.matrix = this.only(this.mapOf(run, this.frames[r], l, h), view.rows, picture.S);
        paintHeat(heat, picture, { matrix: view.matrix, largest: 255, stage: "weights" }, layout, this.colours);
      }
      if (this.ghosts && !run.sight) {
        const context = heat.getContext("2d"),
          { left, top, cell } = layout;
        context.strokeStyle = this.colours.ink;
        context.globalAlpha = 0.55;
        context.lineWidth = cell > 14 ? 1.5 : 1;
        context.beginPath();
        for (const [i, j] of view.ghost)
          context.roundRect(left + j * cell + 1, top + i * cell + 1, cell - 2, cell - 2, Math.min(4, cell / 5));
        context.stroke();
        context.globalAlpha = 1;
      }
      const mass = run.mass[`${this.probe}.${this.kind}`][this.frames[r]][l * axes.heads[1] + h];
      view.title.replaceChildren(
        ...(run.name ? [el("b", { class: r ? "b" : "a" }, run.name), " "] : []),
        `Layer ${l}, head ${h}`,
        ...(Number.isNaN(mass)
          ? []
          : [
              el("span", { class: "quiet" }, this.runs.length > 1 ? " " : ` on the outlined ${cells(run)} `),
              el("b", { class: "weight" }, mass.toFixed(2)),
            ]),
      );
      const name = `${view.title.textContent}, at step ${this.step}`;
      view.grid.setAttribute(
        "aria-label",
        run.sight
          ? `${name}: the patches that ${asker(run)} looks at. Arrow keys move.`
          : `${name}: rows are queries, columns the keys they look at. Arrow keys move.`,
      );
    });
    this.nodes.ghost.hidden = !this.views.some(({ run }) => run.probes[this.probe][this.kind].ghost.length);
    this.nodes.ghost.setAttribute("aria-pressed", String(this.ghosts));
    this.paintCell();
  }

  point(r, event) {
    const { layout, picture, heat } = this.views[r];
    const [x, y] = pointIn(event, heat);
    const j = Math.floor((x - layout.left) / layout.cell);
    const i = Math.floor((y - layout.top) / layout.cell);
    const cell = i >= 0 && j >= 0 && i < picture.T && j < picture.S ? [r, i, j] : null;
    if (String(cell) === String(this.cell)) return;
    this.cell = cell;
    this.paintCell();
  }

  gridKey(r, event) {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!by) return;
    event.preventDefault();
    const { T, S } = this.views[r].picture,
      [, i, j] = this.cell?.[0] === r ? this.cell : [r, 0, 0];
    this.cell = [r, Math.max(0, Math.min(T - 1, i + by[0])), Math.max(0, Math.min(S - 1, j + by[1]))];
    this.paintCell();
  }

  /** What follows the pointer: the same cell in both films. */
  paintCell() {
    const n = this.nodes;
    this.views.forEach((view, r) => {
      const { layout, picture, cross } = view;
      const context = surface(cross, layout.width, layout.height);
      if (!this.cell) return;
      const [, i, j] = this.cell;
      if (i < picture.T && j < picture.S && (r === this.cell[0] || picture.T === this.views[0].picture.T))
        if (view.run.sight) this.paintPatchFrame(context, layout, i, j);
        else paintCross(context, picture, layout, this.colours, i, j);
    });
    if (!this.cell) {
      n.readout.textContent = "";
      delete this.root.dataset.value;
      return;
    }
    const [r, i, j] = this.cell,
      view = this.views[r];
    const blocked = view.picture.arrays.mask && !view.picture.arrays.mask[i * view.picture.S + j];
    const weight = view.matrix[i * view.picture.S + j] / 255;
    const { sight } = view.run;
    const [query, key] = sight
      ? [asker(view.run), placeOf(i * sight.across + j, sight.across)]
      : [view.picture.queries[i], view.picture.keys[j]];
    n.readout.replaceChildren(
      el("b", { class: "query" }, sight ? query : shorten(query)),
      " → ",
      el("b", { class: "key" }, sight ? key : shorten(key)),
      " ",
      el("b", { class: blocked ? "quiet" : "weight" }, blocked ? "blocked" : weight.toFixed(2)),
    );
    view.spoken.textContent = `${query} looks at ${key}: ${blocked ? "blocked by the mask" : weight.toFixed(2)}`;
    this.root.dataset.value = weight;
  }

  /** The patch under the pointer. */
  paintPatchFrame(context, { cell }, i, j) {
    context.strokeStyle = this.colours.key;
    context.lineWidth = 2;
    context.strokeRect(j * cell + 1, i * cell + 1, cell - 2, cell - 2);
  }

  colour(r) {
    return r ? this.colours.other : this.colours.ink;
  }

  paintCurves() {
    const { curve, curveNote, charts } = this.nodes;
    const last = Math.max(...this.runs.map((run) => Math.max(run.planned, run.steps.at(-1))));
    const { key, ...spec } = this.curves(this.chart);
    const names = this.runs.flatMap((run, r) => [el("b", { class: r ? "b" : "a" }, `${run.name} ${run.label}`), "  "]);
    this.mark(charts);
    curveNote.replaceChildren(...(this.runs.length > 1 ? names : []), ...key);
    const told = this.runs.some((run) => run.probes[this.probe][this.kind].ghost.length);
    curve.place = chartPlace(this.curveRoom, told ? Math.round(this.tall * 0.52) : this.tall, last);
    paintChart(curve, curve.place, { ...spec, at: this.step }, this.colours);
    const losses = this.runs.map((run, r) => `${run.name} ${figure(run.curves.val_loss[this.frames[r]])}`);
    curve.setAttribute(
      "aria-label",
      `${CHARTS[this.chart]} over ${last} steps; at step ${this.step}: ${losses.join(", ")} validation loss`,
    );
    this.paintMass(told, last);
  }

  /** What a chart shows: lines, guides and dots for paintChart(), and the words under it. */
  curves(chart) {
    const spec = { lines: [], guides: [], dots: [], marks: this.turns() };
    this.runs.forEach((run, r) => {
      const [colour, c] = [this.colour(r), run.curves];
      const line = (values, more = {}) => spec.lines.push({ steps: run.steps, values, colour, width: 2, ...more });
      const main = (values) => {
        line(values);
        spec.dots.push({ step: run.steps[this.frames[r]], value: values[this.frames[r]], colour });
      };
      const guide = (value, text) => r === 0 && spec.guides.push({ value, text });
      const draw = {
        loss: () => {
          line(c.loss, { width: 1, alpha: 0.45 });
          const [best, least] = [run.best(), c.val_loss[run.best()]];
          if (run.steps.length > 2)
            spec.dots.push({ step: run.steps[best], value: least, text: `best ${figure(least)}`, colour });
          main(c.val_loss);
          guide(run.guess, `guessing: ${figure(run.guess)}`);
        },
        perplexity: () => {
          main(c.val_loss.map((v) => Math.exp(Math.min(v, 700))));
          guide(Math.exp(run.guess), `guessing among all ${Math.round(Math.exp(run.guess))}`);
        },
        accuracy: () => {
          if (run.sight) return this.byQuestion(run, line, main, guide);
          main(c.accuracy);
          line(c.exact, { width: 1.6, dash: [5, 3] });
        },
        lr: () => main(c.lr),
        weights: () => main(c.weight_norm),
        grads: () => {
          main(c.grad_norm);
          if (this.runs.length > 1) return;
          for (const p of run.parts.keys())
            line(
              run.grads.map((row) => row[p]),
              { colour: this.part(p), width: 1.4 },
            );
        },
      };
      draw[chart]();
    });
    const scale = {
      perplexity: { log: true },
      accuracy: { percent: true, high: 1.02 },
      grads: { log: true },
    }[chart];
    return { ...spec, ...scale, key: this.curveKey(chart) };
  }

  /** How often each question about a picture is answered right, and how often all of them at once. */
  byQuestion(run, line, main, guide) {
    main(run.curves.exact);
    guide(1 / Math.round(Math.exp(run.guess)), "guessing one answer");
    if (this.runs.length > 1) return;
    for (const [n, name] of run.more.entries()) line(run.curves[name], { colour: QUESTION_COLOURS[n], width: 1.6 });
  }

  /** Where knobs were turned, for paintChart(). */
  turns() {
    return this.runs.flatMap((run, r) => run.turns.map(([step, text]) => ({ step, text, colour: this.colour(r) })));
  }

  /** The words under a chart. */
  curveKey(chart) {
    if (chart === "grads" && this.runs.length === 1) {
      const parts = this.runs[0].parts.flatMap((part, p) => [
        el("span", { style: `color:${this.part(p)}` }, part),
        " ",
      ]);
      return ["bold: all. ", ...parts];
    }
    if (chart === "accuracy" && this.runs[0].sight) {
      const [{ more }] = this.runs;
      const names = more.flatMap((name, n) => [
        el("i", { class: "swatch", style: `background:${QUESTION_COLOURS[n]}` }),
        `${name} `,
      ]);
      return ["bold: all questions right. ", ...(this.runs.length > 1 ? [] : names)];
    }
    const texts = {
      loss: "bold: validation (held-out examples); thin: training",
      perplexity: "among how many equally likely tokens it hesitates",
      accuracy: "line: tokens right; dashes: whole answers right",
      lr: "how far a step goes: up in the warm-up, then down",
      weights: "length of all parameters together",
      grads: "length of the gradient, before clipping",
    };
    return [texts[chart], ...(chart === "loss" ? this.memorising() : [])];
  }

  /** A sentence where the validation loss rises while the training loss falls. */
  memorising() {
    return this.runs.flatMap((run, r) => {
      const { loss, val_loss } = run.curves,
        best = run.best(),
        now = this.frames[r];
      if (best < 1 || now <= best || !(val_loss[now] > 1.1 * val_loss[best] + 0.02) || !(loss[now] < loss[best]))
        return [];
      const who = run.name ? `${run.name} is` : "It is";
      return [el("b", {}, ` ${who} memorising: validation was best at step ${run.steps[best]}.`)];
    });
  }

  /** Every head's weight on the true alignment, if there is one. */
  paintMass(told, last) {
    const n = this.nodes;
    n.massTitle.hidden = n.mass.hidden = n.massNote.hidden = !told;
    if (!told) return;
    const marks = this.turns().map((mark) => ({ ...mark, text: "" }));
    const spec = { lines: [], guides: [], dots: [], marks, at: this.step, high: 1.02 };
    const score = this.runs.every((run) => run.score === this.runs[0].score) ? this.runs[0].score : "";
    const since = [];
    this.runs.forEach((run, r) => {
      const axes = run.probes[this.probe][this.kind];
      const all = run.mass[`${this.probe}.${this.kind}`];
      const [layer, head] = run.chosen(this.probe, this.kind);
      const chosen = layer * axes.heads[1] + head;
      const colour = this.runs.length > 1 ? this.colour(r) : this.colours.weight;
      for (let h = 0; h < axes.heads[0] * axes.heads[1]; h++) {
        const values = all.map((row) => row[h]);
        const bold = h === chosen;
        spec.lines.push({ steps: run.steps, values, colour, width: bold ? 2.2 : 1, alpha: bold ? 1 : 0.35 });
        if (bold) spec.dots.push({ step: run.steps[this.frames[r]], value: values[this.frames[r]], colour });
      }
      since.push(sinceWhen(run, run.since(`${this.probe}.${this.kind}`, chosen)));
      if (r === 0) spec.guides.push({ value: axes.chance, text: `chance ${axes.chance.toFixed(2)}` });
    });
    n.mass.place = chartPlace(this.curveRoom, Math.round(this.tall * 0.42), last);
    paintChart(n.mass, n.mass.place, spec, this.colours);
    n.massTitle.textContent = score || `Attention weight on the outlined ${cells(this.runs[0])}`;
    const meant = "its attention weight on what came next in earlier blocks, and after the first block on its start.";
    const bold = "One line per head; the selected head is bold";
    n.massNote.textContent = score ? `${bold}: ${meant} ${since.join(" ")}` : `${bold}.`;
    const highest = Math.max(...this.runs[0].mass[`${this.probe}.${this.kind}`][this.frames[0]]).toFixed(2);
    const chance = this.runs[0].probes[this.probe][this.kind].chance.toFixed(2);
    n.mass.setAttribute(
      "aria-label",
      `${n.massTitle.textContent}, a line per head; at step ${this.step} the best is ${highest}, chance is ${chance}`,
    );
  }

  part(p) {
    return this.colours.heads[1 + (p % (this.colours.heads.length - 1))];
  }

  paintTiles() {
    const share = (v) => (Number.isFinite(v) ? `${(100 * v).toFixed(v > 0.995 && v < 1 ? 1 : 0)}%` : "–");
    const tokens = Math.round(Math.exp(this.runs[0].guess));
    const shown = {
      val_loss: ["val_loss", figure, "surprise per token, on held-out examples"],
      perplexity: [
        "val_loss",
        (v) => figure(Math.exp(Math.min(v, 700))),
        `as unsure as among that many of ${tokens} tokens`,
      ],
      accuracy: ["accuracy", share, "held-out, given the right ones before"],
      exact: ["exact", share, "every token of it, given the right ones before"],
    };
    const rows = Object.entries(this.runs[0].tiles).map(([curve, name]) => [
      name,
      ...(shown[curve] ?? [curve, share, "share of held-out pictures with the right answer"]),
    ]);
    this.nodes.tiles.style.setProperty("--tiles", rows.length);
    this.nodes.tiles.replaceChildren(
      ...rows.map(([name, curve, show, help]) =>
        el(
          "div",
          { title: help, "data-tile": name },
          el("dt", {}, name),
          el(
            "dd",
            {},
            ...this.runs.flatMap((run, r) => [
              el(
                "span",
                { class: this.runs.length > 1 ? (r ? "b" : "a") : "" },
                show(run.curves[curve][this.frames[r]]),
              ),
            ]),
          ),
        ),
      ),
    );
  }

  /** The lines of the loop, each with what it made at this step. */
  paintLoop() {
    if (!this.nodes.loop.open) return;
    for (const output of this.nodes.lines.querySelectorAll("output")) {
      const { name } = output.dataset;
      output.textContent = !name
        ? ""
        : this.runs
            .map((run, r) => {
              const value =
                name === "step"
                  ? String(run.steps[this.frames[r]])
                  : name in run.curves
                    ? figure(run.curves[name][this.frames[r]])
                    : run.values[name];
              return `${run.name ? run.name + " " : ""}${value ?? "–"}`;
            })
            .join("   ");
    }
  }

  /** The track, the play button, and how the training stands. */
  status() {
    const n = this.nodes;
    const sides = this.sides ?? [];
    n.state.replaceChildren(
      ...sides.map((side) =>
        el(
          "span",
          { class: `said ${side.state}` },
          side.name ? el("b", { class: side.name === "B" ? "b" : "a" }, `${side.name} `) : null,
          side.said,
        ),
      ),
    );
    this.root.dataset.state = sides.map((side) => side.state).join(" ");
    const shown = this.runs.length && this.timeline;
    n.play.disabled = n.track.disabled = !shown;
    const moving = this.playing || this.following;
    n.play.setAttribute("aria-label", moving ? "Pause the film" : "Play the film");
    n.play.textContent = moving ? "❚❚" : "▶";
    this.root.dataset.playing = String(moving);
    if (!shown) return;
    const last = Math.max(...this.runs.map((run) => Math.max(run.planned, run.steps.at(-1)))),
      newest = this.timeline.at(-1);
    n.track.max = last;
    n.track.value = this.step;
    n.track.setAttribute("aria-valuetext", `step ${this.step} of ${last}`);
    n.fill.style.setProperty("--known", `${(100 * newest) / last}%`);
    n.fill.style.setProperty("--now", `${(100 * this.step) / last}%`);
    n.step.replaceChildren("step ", el("b", {}, String(this.step)), ` of ${last}`);
    const before = sides.length > 0 && !sides.some((side) => this.runs.some((run) => run.id === side.id));
    this.root.classList.toggle("before", before); // the new training has no frame yet: this is not its film
    n.play.disabled = n.track.disabled = before;
    if (before) n.step.replaceChildren("no step yet");
    n.live.hidden = before || !this.alive || this.following || this.step === newest;
  }

  destroy() {
    this.halt();
    this.observer.disconnect();
    window.removeEventListener("attention-lab-film", this.hear);
    document.removeEventListener("click", this.stopFilm, true);
    this.link.end();
  }
}

/** Who looks at the patches: where the answers are read. */
const asker = (run) => (run.sight.reads === "class" ? "class token" : "mean of all patches");

/** What is outlined in a run's maps. */
const cells = (run) => (run.sight ? "patches" : "cells");

/** How far the page around an element is scrolled. */
function scrollTop(node) {
  return (
    node.getRootNode().host?.closest?.("[data-testid=stMain]")?.scrollTop ??
    node.closest("[data-testid=stMain]")?.scrollTop ??
    0
  );
}

const isLetter = (text) => [...text].length === 1;

/** Tokens as text: single signs stand a little apart, words as words do, pieces of a text side by side. */
function spoken(words, separator) {
  const line = el("span", { class: separator === "" ? "pieces" : words.every(isLetter) ? "signs" : "words" });
  line.append(...words.map((word) => el("span", {}, plain(word, separator))));
  return line;
}

function spokenTokens(tokens, separator) {
  const words = tokens.filter(({ id }) => id !== END).map(({ word }) => word);
  const line = spoken([], separator);
  line.className = separator === "" ? "pieces" : words.every(isLetter) ? "signs" : "words";
  for (const { id, word, chance, right } of tokens) {
    const title = `${word}: ${percent(chance, 0)} sure`;
    const end = id === END;
    const style = `--sure: ${(0.64 + 0.36 * chance).toFixed(2)}`;
    const name = end ? "■" : plain(word, separator);
    line.append(
      el(
        right === false ? "s" : "span",
        { title: end ? `the end: ${percent(chance, 0)} sure` : title, class: end ? "end" : "", style },
        name,
      ),
    );
  }
  return line;
}

/** The step since which the chosen head of a run is over one half, as a sentence. */
export function sinceWhen({ name }, step) {
  const said = step === null ? "not over one half" : `over one half since step ${step}`;
  return name ? `${name}: ${said}.` : `${said[0].toUpperCase()}${said.slice(1)}.`;
}

const plain = (word, separator) => (separator === "" ? word.replaceAll("␣", "\u00a0") : word);

export default mount(".film", Film);
