// The film: what a training looked like, step by step. Frames come in packets while it runs; all the rest, playing,
// scrubbing, choosing a head, is done here without a message.

import {
  el,
  enlarged,
  mirror,
  mount,
  param,
  rgb,
  roomOf,
  theme,
  unpack,
  wholeParam,
  windowHeight,
} from "../../../../attention_view/lab.js";
import { choice } from "../../../../attention_view/controls.js";
import { css, palette } from "../../../../attention_view/colours.js";
import { DOM } from "../../../../lab/hooks/dom.js";
import { Columns } from "./columns.js";
import { CHARTS, Curves } from "./curves.js";
import { Headline } from "./headline.js";
import { Heads } from "./heads.js";
import { Maps } from "./maps.js";
import { Playback } from "./playback.js";
import { Run } from "./run.js";
import { Said } from "./said.js";
import { sideName } from "./sides.js";
import { Threads } from "./threads.js";

const KINDS = { cross: "Cross", decoder: "Decoder", encoder: "Encoder" };

export class Film {
  constructor(root) {
    this.root = root;
    this.runs = []; // on screen
    this.seen = new WeakSet();
    Object.assign(this, { kind: null, probe: 0, chart: "loss", painted: 0, asked: "", sides: [] });
    this.link = mirror((put) => this.write(put), 300);
    this.build();
    this.readUrl();
    this.resized = () => {
      const width = Math.round(this.root.clientWidth);
      if (width && roomOf(this.root) !== this.room && this.runs.length) this.layOut();
    };
    this.hear = (event) => this.update(event.detail, { setTriggerValue: this.send });
    window.addEventListener("attention-lab-film", this.hear);
    // A recorded film stops as soon as a training is asked for, not when its first word arrives.
    this.stopFilm = (event) => {
      if (!event.target.closest?.(".st-key-train button") || !this.playback.playing) return;
      this.playback.halt();
      this.status();
    };
    document.addEventListener("click", this.stopFilm, true);
  }

  build() {
    const stages = (label, choose) => choice("div.stages", label, choose);
    this.kinds = stages("Kind of attention", (kind) => this.set({ kind, chosenKind: kind }));
    this.probes = stages("Example that is watched", (probe) => this.set({ probe: Number(probe) }));
    this.charts = choice("div.stages.charts", "Curve", (chart) => {
      this.chart = chart;
      this.paint();
      this.link.later();
    });
    this.charts.offer(Object.entries(CHARTS));
    this.playback = new Playback(this);
    this.said = new Said(this);
    this.heads = new Heads(this, this.kinds.node, this.probes.node);
    this.maps = new Maps(this);
    this.curves = new Curves(this, this.charts.node);
    this.threads = new Threads(this);
    this.headline = new Headline(this);
    this.state = el("span.state", { role: "status" });
    this.playback.node.append(this.state);
    const first = [this.headline, this.threads, this.playback].map(({ node }) => node);
    this.columns = new Columns([this.heads, this.maps, this.curves]);
    const below = [this.said.node, this.columns.node, this.said.loop];
    this.root.replaceChildren(el("div.first", this.said.talk, ...first), ...below);
  }

  // ---- what is shown, for its parts ---------------------------------------------------------------------------

  /** The step that is shown. */
  get step() {
    return this.playback.at;
  }

  /** The last step of the longest training, as far as it is planned. */
  get last() {
    return Math.max(...this.runs.map((run) => Math.max(run.planned, run.steps.at(-1))));
  }

  /** What a run calls the example and the kind of attention that are shown. */
  get key() {
    return `${this.probe}.${this.kind}`;
  }

  /** Heads, queries, keys and true alignment of what is shown of a run. */
  axes(run) {
    return run.probes[this.probe][this.kind];
  }

  /** Of every frame, each head's weight on the true alignment. */
  mass(run) {
    return run.mass[this.key];
  }

  /** [layer, head] that is shown large. */
  chosen(run) {
    return run.chosen(this.probe, this.kind);
  }

  // ---- what comes from the server -----------------------------------------------------------------------------

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    this.isLesson = theme(this.root)("lesson") === "1"; // which speaks of what is to be seen and done
    if (data && !this.seen.has(data)) {
      this.seen.add(data); // the same packet comes again with a new theme
      this.take(unpack(data), data.length);
    }
    const before = this.colours;
    this.colours = palette(this.root, this.colours);
    this.colours.other ??= css(rgb(theme(this.root)("other")));
    if (this.runs.length && (this.fresh || before !== this.colours)) this.layOut();
    else this.status();
  }

  take(packet, bytes) {
    const { sides, code, place, alive, to_train: toTrain, trains = this.trains } = packet.header;
    const { dataset } = this.root;
    dataset.packets = Number(dataset.packets ?? 0) + 1;
    dataset.bytes = Number(dataset.bytes ?? 0) + bytes;
    Object.assign(this, { alive, sides, trains, toTrain: toTrain || this.toTrain });
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
    this.askFor(whole ? "" : sides.map((side) => side.id).join(), runs.length > 0);
    if (!runs.length) return this.playback.halt(); // nothing of the new ones yet: what was there stays, and is still
    this.show(runs, known, resumed);
  }

  /** Asks once for the whole of trainings of which frames are missing; "" if there are none. */
  askFor(missing, isShown) {
    if (missing && missing !== this.asked) this.send("missing", (this.asked = missing));
    if (!missing && isShown) this.asked = "";
  }

  /** Takes these trainings on screen; known: those that were there, by id. */
  show(runs, known, resumed) {
    const same = runs.length === this.runs.length && runs.every((run, at) => run === this.runs[at]);
    this.runs = runs;
    this.timeline = [...new Set(runs.flatMap((run) => run.steps))].sort((a, b) => a - b);
    if (!same) {
      const before = this.task;
      this.furnish();
      this.curves.guess.opened(before === this.task);
    }
    if (!runs.some((run) => known.has(run.id))) {
      const areRecorded = runs.every((run) => run.state === "recorded");
      this.playback.open(areRecorded, this.linked, this.isLesson);
      this.linked = null;
      this.link.later(); // the step of the film before is not that of this one
    } else if (resumed) {
      this.playback.halt();
      this.playback.following = true; // who goes on training wants to see it
    }
    this.fresh = true;
    if (this.playback.following) this.playback.start();
    this.root.dataset.frames = runs.map((run) => run.steps.length).join(" ");
  }

  /** What depends on the runs alone: kinds, examples, the lines of the loop. */
  furnish() {
    const { runs, root } = this;
    const [run] = runs;
    const kinds = Object.keys(KINDS).filter((kind) => runs.every((r) => r.probes[0][kind]));
    this.kind = this.kindAmong(kinds);
    this.task = this.taskOf(run);
    const longest = Math.max(...runs.map((r) => r.probes[0][this.kind].keys.length));
    root.classList.toggle("long", longest > 16 && !run.sight);
    root.classList.toggle("sight", Boolean(run.sight));
    root.classList.toggle("two", runs.length > 1);
    const asked = Math.min(...runs.map((r) => r.probes.length));
    const own = asked > 2 ? ownOf(run, asked - 1) : "";
    if (own && own !== this.own) this.probe = asked - 1; // it has just been typed
    this.own = own;
    this.probe = Math.min(this.probe, asked - 1);
    this.kinds.offer(kinds.map((kind) => [kind, KINDS[kind]]));
    const names = [run.sight ? "picture 1" : "example 1", "2", "yours"];
    this.probes.offer(Array.from({ length: asked }, (_, p) => [p, names[p] ?? String(p + 1)]));
    this.probes.node.hidden = run.probes.length < 2;
    this.mark();
    this.said.furnish(this.code ?? [], this.place ?? "");
  }

  /** The kind to show: one that was chosen is kept, unless the answer cannot be seen in it. */
  kindAmong(kinds) {
    const [run] = this.runs;
    const isTold = (kind) => run.probes[0][kind].ghost.length;
    const isThere = kinds.includes(this.kind);
    const isKept = isThere && this.chosenKind === this.kind && this.task === this.taskOf(run);
    return (isThere && isTold(this.kind)) || isKept ? this.kind : (kinds.find(isTold) ?? kinds[0]);
  }

  /** What tells the tasks of runs apart. */
  taskOf(run) {
    return (run.about ?? "").split(" · ")[0];
  }

  set(change) {
    for (const run of this.runs) run.head = null;
    this.maps.cell = null;
    Object.assign(this, change);
    this.mark();
    this.layOut();
    this.link.later();
  }

  /** Which buttons are on. */
  mark() {
    this.kinds.show(this.kind);
    this.probes.show(this.probe);
    this.charts.show(this.chart);
  }

  // ---- the link -----------------------------------------------------------------------------------------------

  readUrl() {
    if (param("live_film_kind") in KINDS) this.kind = this.chosenKind = param("live_film_kind");
    if (param("live_film_curve") in CHARTS) this.chart = param("live_film_curve");
    this.probe = [2, 3].indexOf(wholeParam("live_film_example")) + 1;
    this.linked = wholeParam("live_film_step");
    this.wasMoved = ["live_film", "live_task"].some((name) => param(name) !== null); // by the link
    this.isBare = wholeParam("live_film_bare") === 1; // the heads alone, and nothing that says where they should look
    if (this.isBare) this.maps.ghosts = false;
    this.root.classList.toggle("bare", this.isBare);
    this.mark();
  }

  write(put) {
    const recorded = this.runs[0]?.state === "recorded";
    put("live_film_kind", this.kind, this.kinds.node.querySelector("input")?.value);
    put("live_film_curve", this.chart, "loss");
    put("live_film_bare", this.isBare ? 1 : 0, 0);
    put("live_film_example", this.probe + 1, 1);
    put("live_film_step", recorded ? this.step : null, this.timeline?.[0]);
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  /** Sizes and canvases; then everything on them. */
  layOut() {
    this.width = Math.round(this.root.clientWidth);
    if (!this.width) return;
    this.room = roomOf(this.root);
    this.fresh = false;
    const shape = this.runs.map((run) => `${run.id} ${this.axes(run).heads}`).join();
    const [room, mapRoom] = [this.heads.groups.clientWidth, this.maps.box.clientWidth];
    const by = enlarged(this.root);
    const above = Math.min(320, this.root.getBoundingClientRect().top + scrollTop(this.root)); // of the page
    const others = this.runs[0].sight ? 284 : 262; // pixels of what stands above and below: a picture, or lines of text
    const screen = windowHeight(this.root) - above / by;
    this.tall = Math.max(by > 1 ? 110 : 210, Math.min(430, screen - others)); // of a map's cells: all fits a screen
    const stamp = `${shape} ${this.key} ${room} ${mapRoom} ${this.tall} ${this.colours.name}`;
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.heads.build(room);
      this.maps.build(mapRoom);
      this.threads.build(this.width, screen);
      this.root.classList.toggle("woven", this.threads.writes);
    }
    this.curves.measure();
    this.paint();
  }

  paint() {
    if (!this.runs.length || !this.width || !this.maps.views) return;
    this.frames = this.runs.map((run) => run.frame(this.step));
    this.charts.show(this.chart);
    for (const part of [this.said, this.threads]) part.paint();
    this.status();
    this.columns.paint();
    const [run] = this.runs;
    Object.assign(this.root.dataset, {
      step: this.step,
      kind: this.kind,
      head: this.chosen(run).join(" "),
      mass: Math.max(...this.mass(run)[this.frames[0]]),
      painted: ++this.painted,
    });
  }

  /** How the training stands, and the track. */
  status() {
    const { runs, sides, root } = this;
    const said = (side) => {
      const name = side.name ? sideName(`${side.name} `, side.name === "B") : null;
      return el("span", { class: `said ${side.state}` }, name, side.said);
    };
    this.state.replaceChildren(...sides.filter(({ state }) => state !== "recorded").map(said)); // that is told below
    root.dataset.state = sides.map((side) => side.state).join(" ");
    root.dataset.playing = String(this.playback.isMoving);
    const shown = Boolean(runs.length && this.timeline);
    const before = shown && sides.length > 0 && !sides.some((side) => runs.some((run) => run.id === side.id));
    if (shown) root.classList.toggle("before", before); // the new training has no frame yet: this is not its film
    this.playback.paint(shown, before);
    if (shown) this.headline.paint();
    const isAsked = shown && this.playback.isAsked;
    root.classList.toggle("asked", isAsked);
    this.wasMoved ||= shown && !isAsked; // the page's tools wait with the first film, and stay
    document.documentElement.dataset.film = isAsked && !this.wasMoved ? "asked" : "moved";
  }

  destroy() {
    this.playback.halt();
    this.columns.destroy();
    delete document.documentElement.dataset.film;
    window.removeEventListener("attention-lab-film", this.hear);
    document.removeEventListener("click", this.stopFilm, true);
  }
}

/** What tells a visitor's own example from another one: the text, or the picture. */
function ownOf(run, p) {
  return String(run.pixels[p] ?? run.script?.asked[p].reads ?? p);
}

/** How far the page around an element is scrolled. */
function scrollTop(node) {
  return node.getRootNode().host?.closest?.(DOM.main)?.scrollTop ?? node.closest(DOM.main)?.scrollTop ?? 0;
}

export default mount(".film", Film);
