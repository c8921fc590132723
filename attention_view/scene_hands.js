// What hands do on a scene: the wheel, a mouse, one finger or two, and keys.

import { inGrid, inRow } from "./controls.js";
import { pointIn } from "./lab.js";
import { kept, project, unproject, WHOLE, zoomed } from "./scene_camera.js";
import { beside, isSame } from "./scene_places.js";
import { isForward } from "./scene_units.js";

const STEADY = 4; // pixels that a hand may move while it presses
const ENTERS = 26; // pixels of a head from which on it is entered by a press
const TWICE = 350; // ms between two presses that are one double press

export class Hands {
  /** Hands on the canvas of a scene. */
  constructor(scene) {
    Object.assign(this, { scene, pointers: new Map() });
    const { canvas } = scene;
    canvas.onkeydown = (event) => this.press(event);
    canvas.onpointerdown = (event) => this.take(event);
    canvas.onpointermove = (event) => this.point(event);
    canvas.onpointerleave = () => this.point(null);
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  wheel(event) {
    const { canvas, camera, geometry } = this.scene;
    if (!geometry) return;
    const by = 1.0018 ** -Math.max(-240, Math.min(240, event.deltaY * (event.deltaMode ? 30 : 1)));
    // Where there is nothing to leave, the page scrolls; and it scrolls back before the scene takes the wheel.
    const isOut = by < 1 && camera.k <= WHOLE;
    if (isOut || (!event.ctrlKey && canvas.getBoundingClientRect().top < 0)) return;
    event.preventDefault();
    const pointer = pointIn(event, canvas);
    this.scene.moveTo(zoomed(camera, event.ctrlKey ? by ** 3 : by, pointer, geometry), pointer);
  }

  /** The places under the pointer, the outermost first. */
  under(event) {
    const { camera, canvas, geometry, numbers } = this.scene;
    const at = unproject(pointIn(event, canvas), camera, geometry);
    return geometry.within(at, camera.k, numbers.q ? numbers.d : 0);
  }

  /** What a press enters: from the model a head or a layer, else the place one step further in, or one beside. */
  target(event) {
    const chain = this.under(event);
    const { place, geometry, camera } = this.scene;
    if (place.length < 2) {
      if (chain[2] && isForward(chain[2])) return chain[3] ?? chain[2];
      const head = chain[3] && project(geometry.head(chain[3][0], chain[3][2]), camera, geometry);
      return head && head.w >= ENTERS ? chain[3] : (chain[1] ?? []);
    }
    const isWithin = chain[place.length] && isSame(chain[place.length], place);
    return chain[Math.min(chain.length - 1, place.length + (isWithin || place.length === 2 ? 1 : 0))];
  }

  take(event) {
    if (!this.scene.geometry || event.button > 0) return;
    this.scene.canvas.setPointerCapture(event.pointerId);
    const at = pointIn(event, this.scene.canvas);
    this.pointers.set(event.pointerId, at);
    this.began = this.pointers.size > 1 ? null : at; // two fingers press nothing
    const lift = ({ type, pointerId }) => {
      if (pointerId !== event.pointerId) return;
      for (const kind of ["pointerup", "pointercancel"]) this.scene.canvas.removeEventListener(kind, lift);
      this.pointers.delete(pointerId);
      if (type === "pointerup" && this.began) this.tapped(event);
    };
    for (const kind of ["pointerup", "pointercancel"]) this.scene.canvas.addEventListener(kind, lift);
  }

  /** A press enters what it is on; a second one right after it goes a step further; on tour, to the next stop. */
  tapped(event) {
    if (this.scene.tour.isOn) {
      this.scene.tour.press();
      return;
    }
    const now = performance.now();
    const isDouble = now - (this.tappedAt ?? -Infinity) < TWICE;
    this.tappedAt = now;
    if (isDouble) this.scene.enter();
    else this.scene.go(this.target(event));
  }

  point(event) {
    if (!this.scene.geometry) return;
    const held = event && this.pointers.get(event.pointerId);
    if (held) {
      const now = pointIn(event, this.scene.canvas);
      this.drag(event.pointerId, held, now);
      return;
    }
    const isOnTour = this.scene.tour.isOn;
    const hover = event && !isOnTour ? this.target(event) : null;
    const leads = hover?.length && !isSame(hover, this.scene.place);
    this.scene.canvas.style.cursor = isOnTour ? "pointer" : leads ? "zoom-in" : "default";
    if (String(hover) === String(this.scene.hover)) return;
    this.scene.hover = hover;
    this.scene.draw();
  }

  /** One finger moves the world, two enlarge it. */
  drag(id, before, now) {
    const { scene, pointers } = this;
    const { camera, geometry } = scene;
    const way = this.began ? Math.hypot(now[0] - this.began[0], now[1] - this.began[1]) : Infinity;
    if (way < STEADY) return;
    this.began = null;
    if (camera.k <= 1 && pointers.size < 2) return; // nothing to move
    const others = [...pointers].filter(([other]) => other !== id).map(([, at]) => at);
    if (others.length) {
      const far = ([x, y]) => Math.max(8, Math.hypot(x - others[0][0], y - others[0][1]));
      scene.moveTo(zoomed(camera, far(now) / far(before), others[0], geometry), others[0]);
    } else {
      const { x, y, k } = camera;
      const moved = { x: x - (now[0] - before[0]) / k, y: y - (now[1] - before[1]) / k, k };
      scene.moveTo(kept(moved, geometry), [geometry.width / 2, geometry.height / 2]);
    }
    pointers.set(id, now);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { scene } = this;
    const { place } = scene;
    const act = {
      Enter: () => (scene.tour.isOn ? scene.tour.press() : scene.enter()),
      "+": () => scene.enter(),
      "=": () => scene.enter(),
      "-": () => scene.leave(),
      Escape: () => scene.leave(),
      Backspace: () => scene.leave(),
      Home: () => scene.go([]),
    }[event.key];
    const arrow = this.arrow(event, place);
    if (!act && !arrow) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape" && scene.tour.isOn) scene.tour.end();
    else (act ?? arrow)();
  }

  /** What an arrow key does: on tour it leads to the next stop or the last one, else to the place beside. */
  arrow(event, place) {
    const { scene } = this;
    if (scene.tour.isOn) {
      const turn = inRow(event, 1, 3); // a step from the middle of three
      return turn === null ? null : () => scene.tour.turn(turn - 1);
    }
    const to = place.length ? inGrid(event, [1, 1], [3, 3]) : null; // a step from the middle of nine
    return to && (() => scene.go(walked(place, [to[0] - 1, to[1] - 1], scene.numbers)));
  }
}

/** Where an arrow leads: layers lie above each other, heads beside each other, and cells both ways. */
export function walked(place, [down, right], numbers) {
  const replaced = (n, by) => {
    const other = beside(place.slice(0, n + 1), by, numbers);
    const further = place.slice(n + 1);
    // A row further up has fewer cells that can be looked at.
    if (n === 3 && further.length && numbers.part(place[0]).isCausal) further[0] = Math.min(further[0], other[3]);
    return [...other, ...further];
  };
  if (place.length <= 3) {
    if (down) return replaced(0, -down); // layer 0 is the lowest
    return place.length > 1 ? replaced(place.length - 1, right) : place;
  }
  if (isForward(place)) return replaced(down ? 2 : place.length - 1, down || right);
  if (down) return replaced(3, down);
  return place.length > 4 ? replaced(place.length - 1, right) : replaced(2, right);
}
