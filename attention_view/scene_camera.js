// The camera of a scene: what part of the world the screen shows. Pure functions of numbers.
//
// The world has the pixels of the screen at the start. A camera is {x, y, k}: the point of the world in the middle of
// the screen, and how many pixels of the screen a pixel of the world has. A box is {x, y, w, h}, from its upper left.

const CURVE = 1.3; // how far a flight rises on its way: the rho of van Wijk and Nuij (2003), who found about 1.4

const FARTHEST = 1e5; // enlarged further, numbers of double precision would begin to tremble

export const WHOLE = 1.02; // enlarged no more than so, the model is whole

/** The camera that shows the whole world as it is. */
export const home = ({ width, height }) => ({ x: width / 2, y: height / 2, k: 1 });

/** The camera that shows a box as large as it goes; `covers`: its width alone counts. */
export function fit(box, { width, height }, { room = 0.94, covers = false } = {}) {
  const across = (width * room) / box.w;
  const k = covers ? across : Math.min(across, (height * room) / box.h);
  return { x: box.x + box.w / 2, y: box.y + box.h / 2, k: Math.min(k, FARTHEST) };
}

/** Where a box of the world is on the screen. */
export function project(box, { x, y, k }, { width, height }) {
  return { x: (box.x - x) * k + width / 2, y: (box.y - y) * k + height / 2, w: box.w * k, h: box.h * k };
}

/** The point of the world that is seen at a point of the screen. */
export const unproject = ([px, py], { x, y, k }, { width, height }) => [
  x + (px - width / 2) / k,
  y + (py - height / 2) / k,
];

/** The camera after zooming `by` times, where the point of the world under the pointer stays under it. */
export function zoomed(camera, by, pointer, size) {
  const k = Math.min(FARTHEST, Math.max(1, camera.k * by));
  const [x, y] = unproject(pointer, camera, size);
  const [dx, dy] = [pointer[0] - size.width / 2, pointer[1] - size.height / 2];
  return kept({ x: x - dx / k, y: y - dy / k, k }, size);
}

/** A camera that shows nothing beyond the edges of the world, as far as it can. */
export function kept({ x, y, k }, { width, height }) {
  const [w, h] = [width / 2 / k, height / 2 / k];
  return { x: Math.min(width - w, Math.max(w, x)), y: Math.min(height - h, Math.max(h, y)), k };
}

/** The way from one camera to another that seems to move evenly: {at(share), long}; `long` is its length, about the
 * number of times that the picture changes. */
export function flight(from, to, { width }) {
  const [w0, w1] = [width / from.k, width / to.k];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const d = Math.hypot(dx, dy);
  if (d < 1e-9 * Math.max(w0, w1)) {
    const long = Math.abs(Math.log(w1 / w0)) / CURVE;
    return { long, at: (share) => (share >= 1 ? to : { x: from.x, y: from.y, k: from.k * (to.k / from.k) ** share }) };
  }
  const square = CURVE * CURVE;
  const rate = (sign, w) => (w1 * w1 - w0 * w0 + sign * square * square * d * d) / (2 * w * square * d);
  // asinh(-b): the same as log(sqrt(b b + 1) - b), which loses its digits where b is large
  const [r0, r1] = [Math.asinh(-rate(1, w0)), Math.asinh(-rate(-1, w1))];
  const long = (r1 - r0) / CURVE;
  const at = (share) => {
    if (share >= 1) return to;
    const r = CURVE * share * long + r0;
    const way = (w0 * (Math.cosh(r0) * Math.tanh(r) - Math.sinh(r0))) / (square * d);
    return { x: from.x + dx * way, y: from.y + dy * way, k: (from.k * Math.cosh(r)) / Math.cosh(r0) };
  };
  return { long, at };
}

/** From 0 to 1, slow at both ends. */
export const eased = (share) => (share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share));

/** 0 below `low`, 1 above `high`, and between them evenly from the one to the other. */
export const ramp = (x, low, high) => Math.min(1, Math.max(0, (x - low) / (high - low)));

/** In how many columns so many squares are largest; in as many as `least`, where there are so many. */
export function bestColumns(n, wide, tall, least = 0) {
  const side = (columns) => Math.min(wide / columns, tall / Math.ceil(n / columns));
  const from = Math.max(0, Math.min(n, least) - 1);
  return Array.from({ length: n - from }, (_, m) => from + m + 1).reduce((best, m) =>
    side(m) > side(best) ? m : best,
  );
}
