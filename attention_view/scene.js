// A scene: the whole model on one canvas, and every number in it one continuous zoom away. This part holds what one
// does there: wheel, hand, keys, the path; where things are is in scene_places.js, what they look like in scene_draw.js.

import { choice, inGrid, tween } from "./controls.js";
import { el, pointIn, queryOf, rewrite, still, write } from "./lab.js";
import { eased, flight, project, unproject, zoomed } from "./scene_camera.js";
import { Painter } from "./scene_draw.js";
import { SCENE_STAGES } from "./scene_numbers.js";
import { beside, Geometry, inward, isSame, levelOf, named, placeTold, valueOf, wayTo } from "./scene_places.js";

const FLIGHT = 420; // ms for each time that the picture changes, and no more than
const LONGEST = 1200;
const PASS = 2000; // ms in which a pass runs up through the layers
const WHOLE = 1.02; // enlarged no more than so, the model is whole
const STEADY = 4; // pixels that a hand may move while it presses
const ENTERS = 26; // pixels from which on what is pressed is entered

export class Scene {
  /** moved(place) hears of each place that is reached, turned(isNear) of whether the model is whole or one is inside. */
  constructor({ moved = () => {}, turned = () => {} } = {}) {
    Object.assign(this, { moved, turned });
    this.canvas = el("canvas.world", {
      tabindex: "0",
      role: "application",
      "aria-label": "The model, drawn. Enter goes in, Escape out; arrow keys go to what is beside.",
      onkeydown: (event) => this.press(event),
      onpointerdown: (event) => this.take(event),
      onpointermove: (event) => this.point(event),
      onpointerleave: () => this.point(null),
    });
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.path = el("nav.path", { "aria-label": "Where you are in the model" });
    this.stages = choice("div.stages", "Stage of the heads", (stage) => this.setStage(stage));
    this.stages.offer(SCENE_STAGES.map((stage) => [stage, stage]));
    this.door = el("a.door", { target: "_self" });
    this.out = el("button.zoom", { "aria-label": "Zoom out", title: "Zoom out (−)", onclick: () => this.leave() }, "−");
    this.in = el("button.zoom", { "aria-label": "Zoom in", title: "Zoom in (+)", onclick: () => this.enter() }, "+");
    this.say = el("p.say", { role: "status" });
    const tools = el("div.tools", this.path, this.stages.node, this.door, el("span.zooms", this.out, this.in));
    this.bar = el("div.bar", tools, this.say);
    this.painter = new Painter(this.canvas);
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.canvas);
    Object.assign(this, { place: [], hover: null, stage: "weights", wave: 1, pointers: new Map(), changes: 0 });
  }

  destroy() {
    this.sizes.disconnect();
    this.halt?.();
    this.stopWave?.();
    cancelAnimationFrame(this.request);
  }

  /** What is shown, each time it changes: the numbers, and what is said of them.
   *
   * opens   [layer, head]: whose threads are drawn, and what is entered first
   * isTold  whether threads of the last token are drawn
   * doors   by the length of a path, or null: {page, label, params, names}: `names` are parameters for the steps of the path */
  show({ numbers, opens, isTold = true, looksAt = null, doors = [] }) {
    Object.assign(this, { numbers, opens, isTold, looksAt, doors });
    this.canvas.dataset.opens = opens;
    this.place = this.fitting(this.place);
    this.laid();
  }

  /** A path as far as it exists in these numbers. */
  fitting(place) {
    const { L, H, T, d, isCausal } = this.numbers;
    const most = [L, Infinity, H, T, isCausal ? (place[3] ?? 0) + 1 : T, d];
    const isThere = (step, n) =>
      n === 1 ? step === "attention" : Number.isInteger(step) && step >= 0 && step < most[n];
    const wrong = place.findIndex((step, n) => !isThere(step, n));
    return wrong < 0 ? place : place.slice(0, wrong);
  }

  /** Lays the world out anew: in a canvas of another size, or below and above other things.
   *
   * top, foot  pixels that others take; feet: where each word stands, from the left, or null; words: of `foot`, the pixels of
   * the words themselves */
  laid({ top = this.top ?? 0, foot = this.foot ?? 0, feet = this.feet ?? null, words = this.words ?? 0 } = {}) {
    Object.assign(this, { top, foot, feet, words });
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.numbers || width < 50 || height < 50) return;
    const { L, H, T } = this.numbers;
    this.geometry = new Geometry({ width, height, top, foot, L, H, T });
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
    return this.geometry.camera(place, this.numbers.d);
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
    const { numbers, geometry, camera, place, hover, stage, opens, isTold, looksAt, wave, feet, words } = this;
    this.look(camera.k > WHOLE);
    const began = performance.now();
    this.painter.paint({ numbers, geometry, camera, place, hover, stage, opens, isTold, looksAt, wave, feet, words });
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
    this.go(inward(place, this.numbers, this.opens));
  }

  leave() {
    this.go(this.place.slice(0, -1));
  }

  /** The place is another one: what says so follows. */
  arrived(place) {
    const isNew = !isSame(place, this.place);
    this.place = place;
    if (!isNew) return;
    this.told();
    this.moved(place);
  }

  /** Takes the place from the camera, which a hand has moved, and from where that hand is. */
  followed(pointer) {
    const { camera, geometry, numbers } = this;
    this.arrived(geometry.placeAt(unproject(pointer, camera, geometry), camera.k, numbers.d));
    this.draw();
  }

  told() {
    const { place, numbers, canvas } = this;
    const { tokens } = numbers;
    const way = wayTo(place);
    rewriteButtons(this.path, way, tokens, (n) => this.go(way[n]));
    const value = valueOf(place, numbers);
    Object.assign(canvas.dataset, { level: levelOf(place), path: way.map((one) => named(one, tokens)).join(" › ") });
    canvas.dataset.place = place.join(".");
    canvas.dataset.value = value === null ? "" : value;
    write(this.say, placeTold(place, numbers));
    this.stages.node.hidden = place.length < 2 || place.length > 4 || !numbers.q;
    this.stages.show(this.stage);
    this.out.disabled = !place.length;
    this.in.disabled = isSame(inward(place, numbers, this.opens), place);
    this.setDoor();
  }

  setDoor() {
    const door = this.doors[this.place.length];
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

  // ---- hands --------------------------------------------------------------------------------------------------------

  wheel(event) {
    if (!this.geometry) return;
    const by = 1.0018 ** -Math.max(-240, Math.min(240, event.deltaY * (event.deltaMode ? 30 : 1)));
    // Where there is nothing to leave, the page scrolls; and it scrolls back before the scene takes the wheel.
    const isOut = by < 1 && this.camera.k <= WHOLE;
    if (isOut || (!event.ctrlKey && this.canvas.getBoundingClientRect().top < 0)) return;
    event.preventDefault();
    this.stop();
    const pointer = pointIn(event, this.canvas);
    this.camera = zoomed(this.camera, event.ctrlKey ? by ** 3 : by, pointer, this.geometry);
    this.followed(pointer);
  }

  /** The places under the pointer, the outermost first. */
  under(event) {
    const { camera, geometry, numbers } = this;
    const at = unproject(pointIn(event, this.canvas), camera, geometry);
    return geometry.within(at, camera.k, numbers.q ? numbers.d : 0);
  }

  /** What a press enters: from the model a head or a layer, else the place one step further in, or one beside. */
  target(event) {
    const chain = this.under(event);
    const { place } = this;
    if (place.length < 2) {
      const head = chain[3] && project(this.geometry.head(chain[3][0], chain[3][2]), this.camera, this.geometry);
      return head && head.w >= ENTERS ? chain[3] : (chain[1] ?? []);
    }
    const isWithin = chain[place.length] && isSame(chain[place.length], place);
    return chain[Math.min(chain.length - 1, place.length + (isWithin || place.length === 2 ? 1 : 0))];
  }

  take(event) {
    if (!this.geometry || event.button > 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const at = pointIn(event, this.canvas);
    this.pointers.set(event.pointerId, at);
    this.began = this.pointers.size > 1 ? null : at; // two fingers press nothing
    const lift = ({ type, pointerId, detail }) => {
      if (pointerId !== event.pointerId) return;
      for (const kind of ["pointerup", "pointercancel"]) this.canvas.removeEventListener(kind, lift);
      this.pointers.delete(pointerId);
      if (type === "pointerup" && this.began) this.tapped(event, detail);
    };
    for (const kind of ["pointerup", "pointercancel"]) this.canvas.addEventListener(kind, lift);
  }

  /** A press enters what it is on; a second one right after it goes a step further. */
  tapped(event) {
    const now = performance.now();
    const isDouble = now - (this.tappedAt ?? -Infinity) < 350;
    this.tappedAt = now;
    if (isDouble) this.enter();
    else this.go(this.target(event));
  }

  point(event) {
    if (!this.geometry) return;
    const held = event && this.pointers.get(event.pointerId);
    if (held) {
      const now = pointIn(event, this.canvas);
      this.drag(event.pointerId, held, now);
      return;
    }
    const hover = event ? this.target(event) : null;
    if (String(hover) === String(this.hover)) return;
    this.hover = hover;
    this.canvas.style.cursor = hover?.length && !isSame(hover, this.place) ? "zoom-in" : "default";
    this.draw();
  }

  /** One finger moves the world, two enlarge it. */
  drag(id, before, now) {
    const { camera, geometry, pointers } = this;
    const moved = this.began ? Math.hypot(now[0] - this.began[0], now[1] - this.began[1]) : Infinity;
    if (moved < STEADY) return;
    if (this.began && camera.k <= 1) return; // nothing to move: the page scrolls
    this.began = null;
    this.stop();
    const others = [...pointers].filter(([other]) => other !== id).map(([, at]) => at);
    if (others.length) {
      const far = ([x, y]) => Math.max(8, Math.hypot(x - others[0][0], y - others[0][1]));
      this.camera = zoomed(camera, far(now) / far(before), others[0], geometry);
    } else {
      const { k } = camera;
      this.camera = { ...camera, x: camera.x - (now[0] - before[0]) / k, y: camera.y - (now[1] - before[1]) / k };
      this.camera = zoomed(this.camera, 1, now, geometry);
    }
    pointers.set(id, now);
    this.followed(others[0] ?? [geometry.width / 2, geometry.height / 2]);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { place } = this;
    const act = {
      Enter: () => this.enter(),
      "+": () => this.enter(),
      "=": () => this.enter(),
      "-": () => this.leave(),
      Escape: () => this.leave(),
      Backspace: () => this.leave(),
      Home: () => this.go([]),
    }[event.key];
    const arrow = place.length ? inGrid(event, [1, 1], [3, 3]) : null; // a step from the middle of nine
    if (!act && !arrow) return;
    event.preventDefault();
    event.stopPropagation();
    if (act) act();
    else this.go(walked(place, [arrow[0] - 1, arrow[1] - 1], this.numbers));
  }
}

/** Where an arrow leads: layers lie above each other, heads beside each other, and cells both ways. */
export function walked(place, [down, right], numbers) {
  const replaced = (n, by) => {
    const other = beside(place.slice(0, n + 1), by, numbers);
    const further = place.slice(n + 1);
    // A row further up has fewer cells that can be looked at.
    if (n === 3 && further.length && numbers.isCausal) further[0] = Math.min(further[0], other[3]);
    return [...other, ...further];
  };
  if (place.length <= 3) {
    if (down) return replaced(0, -down); // layer 0 is the lowest
    return place.length === 3 ? replaced(2, right) : place;
  }
  if (down) return replaced(3, down);
  return place.length > 4 ? replaced(place.length - 1, right) : replaced(2, right);
}

/** The path as buttons, the last of which is where one is. */
function rewriteButtons(nav, way, tokens, go) {
  const hadFocus = nav.getRootNode().activeElement?.parentElement === nav;
  nav.replaceChildren(
    ...way.flatMap((place, n) => {
      const isLast = n === way.length - 1;
      const button = el(
        "button",
        { "aria-current": isLast ? "location" : null, onclick: () => go(n) },
        named(place, tokens),
      );
      return n ? [el("span.sign", { "aria-hidden": "true" }, "›"), button] : [button];
    }),
  );
  if (hadFocus) nav.lastElementChild.focus({ preventScroll: true });
}
