// “Where am I?”: the page that was left had a cell in view that only its address knows. Its doors lead there; read
// backwards, they lead back to the place in the scene.

import { ATTENTION_PART } from "./scene_places.js";

const STEP = /^\d{1,4}$/;

/** The address of the page that was left for its place in the scene, as lab/frame/carry has noted it; once. */
export function takeLeft() {
  const href = window.attentionLabLeft ?? null;
  delete window.attentionLabLeft;
  return href;
}

/** The place that a link names, and in it the row, cell and product that were in view on the page that was left.
 *
 * place  from the link; left: the address of that page, or null
 * doors  as Scene.show has them: the deepest door to that page all of whose steps the address names leads back; `back`
 *        names steps that the page has in its address but takes from no door */
export function returned(place, left, doors) {
  if (!left) return place;
  const { pathname, searchParams } = new URL(left, "http://here");
  for (let n = doors.length - 1; n > 2; n--) {
    const door = doors[n];
    if (!door || !pathname.endsWith(`/${door.page}`)) continue;
    for (const names of [door.back, door.names]) {
      const steps = names && stepsOf(names, place, searchParams);
      if (steps) return steps;
    }
  }
  return place;
}

/** The steps that these names have in an address; layer and head may be those of the link. Null where one lacks. */
function stepsOf(names, place, params) {
  const steps = [null, ATTENTION_PART, null];
  if (place[1] === ATTENTION_PART) [steps[0], steps[2]] = [place[0], place[2] ?? null];
  for (const [name, at] of Object.entries(names)) {
    const text = params.get(name) ?? "";
    if (STEP.test(text)) steps[at] = Number(text);
    else steps[at] ??= null;
  }
  return steps.includes(null) ? null : steps;
}
