// Playing a film: where it stands, the track to scrub along, and the buttons beside it.

import { el, still } from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";
import { Trace } from "./trace.js";

const SECONDS = 7; // a whole film
const KEYS = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -1e6,
  End: 1e6,
};

export class Playback {
  /** film: has the `timeline`, whether it is `alive`, and paint() and keep() for a new step */
  constructor(film) {
    Object.assign(this, { film, at: 0, reached: 0, playing: false, following: false });
    this.button = el("button.play", { onclick: () => this.toggle() });
    const onkeydown = (event) => this.key(event);
    this.track = slider("Step of the training", { class: "range", onkeydown }, (step) => this.scrub(step));
    this.fill = el("span.fill");
    this.trace = new Trace(film);
    this.knob = el("b.knob", { "aria-hidden": "true" });
    this.told = el("span.step");
    this.live = el("button.live", { onclick: () => this.follow() }, "to the newest");
    const track = el("div.track", this.trace.node, this.fill, el("span.hint", "drag ⟶"), this.track, this.knob);
    this.node = el("div.bar", this.button, track, this.told, this.live);
  }

  get isMoving() {
    return this.playing || this.following;
  }

  /** Whether a recorded film waits to be moved for the first time. */
  get isAsked() {
    const { runs, timeline, isLesson } = this.film;
    return !isLesson && runs[0]?.state === "recorded" && !this.isMoving && this.reached === timeline[0];
  }

  /** The number of the frame that is shown: the last one at or before the step. */
  get frame() {
    const { timeline } = this.film;
    let low = 0;
    while (low + 1 < timeline.length && timeline[low + 1] <= this.at) low++;
    return low;
  }

  /** The step so many frames on. */
  beside(n) {
    const { timeline } = this.film;
    return timeline[Math.max(0, Math.min(timeline.length - 1, this.frame + n))];
  }

  /** Let the film run from where it is; following: on and on, as frames come. */
  start(wait = 0) {
    if (this.request) return;
    let place = this.frame,
      last = null;
    const newest = () => this.film.timeline.length - 1;
    const tick = (now) => {
      this.request = null;
      if (!this.isMoving) return;
      last ??= now + wait;
      const rate = this.following
        ? Math.max(12, (newest() - place) / 0.35)
        : Math.max(5, Math.min(24, this.film.timeline.length / SECONDS));
      place = still() ? newest() : Math.min(newest(), place + (Math.max(0, now - last) / 1000) * rate);
      last = Math.max(last, now);
      const step = this.film.timeline[Math.floor(place)];
      if (step !== this.at) {
        this.at = step;
        this.film.paint();
      }
      if (place < newest()) this.request = requestAnimationFrame(tick);
      else if (this.playing || !this.film.alive) {
        this.playing = this.following = false;
        this.film.status();
        this.film.link.later();
      }
    };
    this.request = requestAnimationFrame(tick);
  }

  halt() {
    cancelAnimationFrame(this.request);
    this.request = null;
    this.playing = this.following = false;
  }

  toggle() {
    if (!this.isMoving) return this.play();
    this.halt();
    this.film.status();
    this.film.link.later();
  }

  /** Plays on; from the beginning, where it stands at the end. */
  play() {
    if (this.at === this.film.timeline.at(-1)) this.at = this.film.timeline[0];
    this.playing = true;
    this.film.paint();
    this.start();
  }

  follow() {
    this.halt();
    this.following = true;
    this.start();
    this.film.status();
  }

  scrub(step) {
    this.halt();
    this.at = step;
    this.at = this.beside(0);
    this.film.paint();
    this.film.link.later();
  }

  key(event) {
    const by = KEYS[event.key];
    if (event.key === " ") this.toggle();
    else if (!by) return;
    else this.scrub(this.beside(by));
    event.preventDefault();
  }

  /** How a film begins that was not on screen before: a recorded one at its first step, until it is asked for.
   * linked: the step of a link, or null; plays: whether it plays by itself */
  open(recorded, linked, plays) {
    const { timeline, alive } = this.film;
    this.at = timeline.at(-1);
    this.reached = timeline[0];
    this.playing = this.following = false;
    if (linked !== null && recorded) this.at = linked;
    else if (alive) {
      this.at = timeline[0];
      this.following = true;
    } else if (recorded && !(plays && still())) {
      this.at = timeline[0];
      this.playing = plays;
      if (plays) this.start(600);
    }
  }

  /** The button and the track as they stand; shown: the film has frames; before: of the training before this one. */
  paint(shown, before) {
    this.button.disabled = this.track.disabled = !shown || before;
    this.button.setAttribute("aria-label", this.isMoving ? "Pause the film" : "Play the film");
    this.button.textContent = this.isMoving ? "❚❚" : "▶";
    if (!shown) return;
    const { last, timeline, alive, runs, threads } = this.film;
    const newest = timeline.at(-1);
    this.reached = runs[0].state === "recorded" ? Math.max(this.reached, this.at) : newest;
    if (threads.isShown && !before) this.trace.paint(this.reached);
    this.track.max = last;
    this.track.value = this.at;
    this.track.setAttribute("aria-valuetext", `step ${this.at} of ${last}`);
    this.fill.style.setProperty("--known", `${(100 * newest) / last}%`);
    for (const node of [this.fill, this.knob]) node.style.setProperty("--now", `${(100 * this.at) / last}%`);
    const knob = before ? "" : String(this.at);
    if (this.knob.textContent !== knob) this.knob.textContent = knob;
    this.told.textContent = before ? "no step yet" : `of ${last} steps`;
    this.live.hidden = before || !alive || this.following || this.at === newest;
  }
}
