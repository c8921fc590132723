// A scene: the whole model on one canvas, and every number in it one continuous zoom away. This part holds where one
// is, and flies; where things are is in scene_places.js, what they look like in scene_draw.js, hands in scene_hands.js.

import { choice, tween } from "./controls.js";
import { brief, el, put, queryOf, rewrite, still, write } from "./lab.js";
import { eased, fit, flight, unproject, WHOLE } from "./scene_camera.js";
import { Painter } from "./scene_draw.js";
import { Film } from "./scene_film.js";
import { Hands } from "./scene_hands.js";
import { SCENE_STAGES } from "./scene_numbers.js";
import { geometryOf } from "./scene_towers.js";
import { Tour } from "./scene_tour.js";
import { forwardFitting, isForward } from "./scene_units.js";
import { hidesHeads, inward, isSame, levelOf, named, placeTold, valueOf, wayTo } from "./scene_places.js";

const FLIGHT = 420; // ms for each time that the picture changes, and no more than
const LONGEST = 1200;
const HOW = "Enter goes in, Escape out; arrow keys go to what is beside.";
const PASS = 2000; // ms in which a pass runs up through the layers

export class Scene {
  /** moved(place) hears of each place that is reached, turned(isNear) of whether one is inside of the model. */
  constructor({ moved = () => {}, turned = () => {} } = {}) {
    Object.assign(this, { moved, turned, seen: () => {} }); // seen: of each picture, for what stands over it
    this.canvas = el("canvas.world", {
      tabindex: "0",
      role: "application",
    });
    this.path = el("nav.path", { "aria-label": "Where you are in the model" });
    this.stages = choice("div.stages", "Stage of the heads", (stage) => this.setStage(stage));
    this.door = el("a.door", { target: "_self" });
    this.out = el("button.zoom", { "aria-label": "Zoom out", title: "Zoom out (−)", onclick: () => this.leave() }, "−");
    this.in = el("button.zoom", { "aria-label": "Zoom in", title: "Zoom in (+)", onclick: () => this.enter() }, "+");
    this.say = el("p.say", { role: "status" });
    this.tour = new Tour(this);
    this.film = new Film(this);
    const { tour, film } = this;
    const zooms = el("span.zooms", tour.back, tour.next, tour.node, film.node, this.out, this.in);
    const tools = el("div.tools", this.path, this.stages.node, this.door, zooms);
    this.bar = el("div.bar", tools, this.say);
    tour.show();
    this.painter = new Painter(this.canvas);
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.canvas);
    Object.assign(this, { place: [], hover: null, stage: "weights", wave: 1 });
    this.hands = new Hands(this);
  }

  destroy() {
    this.sizes.disconnect();
    this.film.stop();
    this.halt?.();
    this.stopWave?.();
    cancelAnimationFrame(this.request);
  }

  /** What is shown, each time it changes: the numbers, and what is said of them.
   *
   * opens   [layer, head]: whose threads are drawn, and what is entered first
   * isTold  whether it may be seen where the token looks that decides: else its row is covered in every head
   * doors   by the length of a path, {page, label, params, names} or null: `names` are parameters for its steps
   * isWhole whether no q and k will come, where there are none among the numbers
   * pale    how much of the stream and threads is there, from afar, beside those that decide
   * isLone  whether no head stands beside the model */
  show({ numbers, opens, isTold = true, looksAt = null, doors = [], isWhole = true, pale = 1, isLone = false }) {
    Object.assign(this, { numbers, opens, isTold, looksAt, doors, isWhole, pale, isLone });
    this.stages.offer(SCENE_STAGES.filter((one) => one !== "output" || numbers.v).map((stage) => [stage, stage]));
    this.covered = isTold ? null : numbers.part(opens[0]).decisive;
    Object.assign(this.canvas.dataset, { scene: "", opens, units: [...numbers.units.keys()] });
    this.place = this.fitting(this.place);
    this.laid();
  }

  /** There are more units among the numbers. */
  added() {
    this.canvas.dataset.units = [...this.numbers.units.keys()];
    this.told();
    this.draw();
  }

  /** A path as far as it exists in these numbers, and may be seen. */
  fitting(place) {
    const { L, H, d } = this.numbers;
    const { T, S, isCausal } = this.numbers.part(place[0] < L ? place[0] : 0);
    const most = [L, Infinity, H, T, isCausal ? (place[3] ?? 0) + 1 : S, d];
    if (isForward(place)) return forwardFitting(place, this.numbers);
    const isThere = (step, n) =>
      n === 1 ? step === "attention" : Number.isInteger(step) && step >= 0 && step < most[n];
    const wrong = place.findIndex((step, n) => !isThere(step, n) || (n === 3 && step === this.covered));
    return wrong < 0 ? place : place.slice(0, wrong);
  }

  /** Lays the world out anew: in a canvas of another size, or below and above other things.
   *
   * top, foot     pixels that others take; words: the pixels of `foot` that words take
   * feet, beside  of words that stand on one line: where each has its middle, and where the line ends; else null */
  laid(room = {}) {
    const { top = 0, foot = 0, words = 0, feet = null, beside = 0 } = { ...this.room, ...room };
    this.room = { top, foot, words, feet, beside };
    this.words = words;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.numbers || width < 50 || height < 50) return;
    this.geometry = geometryOf(this.numbers, { width, height, ...this.room });
    if (this.isFlying) this.go(this.place); // on to where it stands now
    else this.camera = this.goal();
    this.told();
    this.paint(); // at once: a canvas of another size would show the old picture stretched
  }

  /** The canvas has another size. Who has things above or below it lays the world out with them. */
  resized() {
    this.laid();
  }

  goal(place = this.place) {
    const { geometry, numbers } = this;
    const isRow = place.length === 4 && !isForward(place);
    const isAlone = this.tour.isOn && place.length === 3 && !isForward(place);
    if (isAlone) return fit(geometry.head(place[0], place[2]), geometry.size, { room: 1 }); // and so in the middle
    return geometry.camera(place, numbers.d, isRow ? numbers.topKey(place[0], place[2], place[3]) : 0);
  }

  /** On tour, the head that is spoken of, as [layer, head], and between which enlargements others go; else null. */
  get alone() {
    const { place, tour, geometry } = this;
    if (!tour.isOn || place.length < 3 || isForward(place)) return null;
    const [from, to] = [2, 3].map((n) => geometry.camera(place.slice(0, n)).k);
    return { l: place[0], h: place[2], from, to: 0.95 * to };
  }

  // ---- drawing ----------------------------------------------------------------------------------------------------

  draw() {
    this.request ??= requestAnimationFrame(() => {
      this.request = null;
      this.paint();
    });
  }

  paint() {
    if (!this.geometry || !this.canvas.isConnected) return;
    const { numbers, geometry, camera } = this;
    this.look(camera.k > WHOLE || (this.isFlying && this.place.length > 0)); // on the way in: once, not back and forth
    const began = performance.now();
    this.painter.paint(this);
    this.seen({ geometry, camera, numbers });
    this.canvas.dataset.painted = (performance.now() - began).toFixed(1);
  }

  /** Tells whether the model is not whole any more: what stands over it makes way. */
  look(isNear) {
    if (isNear === this.isNear) return;
    this.isNear = isNear;
    this.turned(isNear);
  }

  /** A pass runs up through the layers; then() hears of its end. */
  run(then) {
    this.stopWave?.();
    if (still() || this.place.length) {
      this.wave = 1;
      this.draw();
      then();
      return;
    }
    this.stopWave = tween(PASS, (share) => {
      this.wave = share;
      this.draw();
      if (share === 1) then();
    });
  }

  // ---- where one is -------------------------------------------------------------------------------------------------

  /** Goes to a place: flies, or jumps for who asked for less motion. */
  go(place, { isFast = false } = {}) {
    place = this.fitting(place);
    this.arrived(place);
    this.halt?.();
    this.isFlying = false;
    if (!this.geometry) return;
    const to = this.goal(place);
    const way = flight(this.camera, to, this.geometry);
    if (isFast || still() || way.long < 1e-3) {
      this.camera = to;
      this.draw();
      return;
    }
    this.isFlying = true;
    this.halt = tween(Math.min(LONGEST, 240 + FLIGHT * Math.sqrt(way.long)), (share) => {
      this.isFlying = share < 1;
      this.camera = way.at(eased(share));
      this.draw();
    });
  }

  stop() {
    this.halt?.();
    this.isFlying = false;
  }

  enter(place = this.place) {
    this.go(this.inward(place));
  }

  /** The place to enter from here. */
  inward(place = this.place) {
    return inward(place, this.numbers, this.opens, this.covered);
  }

  leave() {
    this.go(this.place.slice(0, -1));
  }

  /** The place is another one: what says so follows. */
  arrived(place) {
    const isNew = !isSame(place, this.place);
    this.place = place;
    this.tour.arrived(place);
    if (!isNew) return;
    this.told();
    this.moved(place);
  }

  /** A hand has moved the camera; the place follows from it and from where that hand is. */
  moveTo(camera, pointer) {
    const { geometry, numbers } = this;
    this.stop();
    this.camera = camera;
    this.arrived(this.fitting(geometry.placeAt(unproject(pointer, camera, geometry), camera.k, numbers.d)));
    this.draw();
  }

  told() {
    const { place, numbers, canvas } = this;
    const way = wayTo(place);
    rewriteButtons(this.path, way, numbers, (n) => this.go(way[n]));
    const value = valueOf(place, numbers);
    Object.assign(canvas.dataset, { level: levelOf(place), path: way.map((one) => named(one, numbers)).join(" › ") });
    canvas.dataset.place = place.join(".");
    canvas.dataset.value = value === null ? "" : value;
    const here = `${canvas.dataset.path}${value === null ? "" : `, ${brief(value)}`}`;
    put(canvas, { "aria-label": `The model, drawn; here: ${here}. ${HOW}` });
    const presses = hidesHeads(this, this.geometry) ? "layer" : "head";
    write(this.say, this.tour.text ?? placeTold(place, numbers, this.covered, presses));
    this.tour.node.hidden = !numbers.q && this.isWhole;
    this.stages.node.hidden = place.length < 2 || place.length > 4 || isForward(place) || !numbers.q;
    this.stages.show(this.stage);
    this.out.disabled = !place.length;
    this.in.disabled = isSame(this.inward(), place);
    this.setDoor();
  }

  setDoor() {
    const door = this.doors[isForward(this.place) ? 1 : this.place.length];
    this.door.hidden = !door;
    if (!door) return;
    const { page, label, params, names } = door;
    const own = Object.entries(names).map(([name, n]) => [name, this.place[n]]);
    const all = { ...params, ...Object.fromEntries(own) };
    this.door.href = `${page}?${queryOf(all)}`;
    rewrite(this.door, `${label} ↗`);
  }

  setStage(stage) {
    this.stage = stage;
    this.stages.show(stage);
    this.draw();
  }
}

/** The path as buttons, the last of which is where one is. */
function rewriteButtons(nav, way, numbers, go) {
  const hadFocus = nav.getRootNode().activeElement?.parentElement === nav;
  nav.replaceChildren(
    ...way.flatMap((place, n) => {
      const isLast = n === way.length - 1;
      const button = el(
        "button",
        { "aria-current": isLast ? "location" : null, onclick: () => go(n) },
        named(place, numbers),
      );
      return n ? [el("span.sign", { "aria-hidden": "true" }, "›"), button] : [button];
    }),
  );
  if (hadFocus) nav.lastElementChild.focus({ preventScroll: true });
}
