// What a scene is drawn with: boxes, texts and images on a canvas, placed by the camera.

import { palette, pixelsOf } from "./colours.js";
import { project } from "./scene_camera.js";

export const SMALL = 12.5; // pixels of the smallest text

export class Pen {
  constructor(canvas) {
    Object.assign(this, { canvas, pen: canvas.getContext("2d"), images: new Map() });
  }

  /** An empty canvas, as sharp as the screen; images of other numbers or colours are forgotten. In flight colours stay:
   * to read them makes the browser work out its styles. */
  clear(numbers, { width, height }, isFlying) {
    const { canvas, pen } = this;
    const colours = isFlying && this.colours ? this.colours : palette(canvas, this.colours);
    if (this.colours !== colours || this.numbers !== numbers) this.images.clear();
    Object.assign(this, { colours, numbers });
    const sharp = Math.min(3, globalThis.devicePixelRatio || 1) * (canvas.currentCSSZoom ?? 1);
    const [w, h] = [Math.round(width * sharp), Math.round(height * sharp)];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.textBaseline = "middle";
  }

  /** Where a box of the world is on the screen, or null if it is out of sight. */
  seen(box) {
    const on = project(box, this.camera, this.geometry);
    const { width, height } = this.geometry;
    return on.x > width || on.y > height || on.x + on.w < 0 || on.y + on.h < 0 ? null : on;
  }

  /** A point of the world on the screen. */
  point(x, y) {
    const on = project({ x, y, w: 0, h: 0 }, this.camera, this.geometry);
    return [on.x, on.y];
  }

  write(text, x, y, { colour = "ink", size = SMALL, weight = 400, align = "left", turn = 0 } = {}) {
    const { pen } = this;
    pen.font = `${weight} ${size}px ${this.colours.font}`;
    pen.fillStyle = this.colours[colour] ?? colour;
    pen.textAlign = align;
    if (!turn) {
      pen.fillText(text, x, y);
      return;
    }
    pen.save();
    pen.translate(x, y);
    pen.rotate(turn);
    pen.fillText(text, 0, 0);
    pen.restore();
  }

  /** A text over what is drawn below it, which it hides. */
  writeOver(text, x, y, style) {
    const { size = SMALL, weight = 400 } = style;
    this.pen.font = `${weight} ${size}px ${this.colours.font}`;
    const box = { x: x - 3, y: y - 0.65 * size, w: this.pen.measureText(text).width + 6, h: 1.3 * size };
    this.box(box, { fill: this.colours.ground, round: 4 });
    this.write(text, x, y, style);
  }

  /** Where a text begins that should begin at x, and must not end beyond the right edge. */
  kept(text, x, { size = SMALL, weight = 400 } = {}) {
    this.pen.font = `${weight} ${size}px ${this.colours.font}`;
    return Math.min(x, this.geometry.width - this.pen.measureText(text).width - 12);
  }

  box({ x, y, w, h }, { fill = null, line = null, thick = 1, round = 0 }) {
    const { pen } = this;
    if (!round) {
      if (fill) Object.assign(pen, { fillStyle: fill }).fillRect(x, y, w, h);
      if (line) Object.assign(pen, { strokeStyle: line, lineWidth: thick }).strokeRect(x, y, w, h);
      return;
    }
    pen.beginPath();
    pen.roundRect(x, y, w, h, Math.min(round, w / 2, h / 2));
    if (fill) {
      pen.fillStyle = fill;
      pen.fill();
    }
    if (line) {
      pen.lineWidth = thick;
      pen.strokeStyle = line;
      pen.stroke();
    }
  }

  /** An image of so many numbers, made once: pixels() gives its bytes. */
  image(key, across, down, pixels) {
    if (!this.images.has(key)) {
      const made = document.createElement("canvas");
      Object.assign(made, { width: across, height: down });
      made.getContext("2d").putImageData(new ImageData(pixels(), across, down), 0, 0);
      this.images.set(key, made);
    }
    return this.images.get(key);
  }

  /** A patch of the picture that is read, where token t is one; returns whether it is. */
  drawPatch(t, x, y, side) {
    const { patches, T } = this.numbers;
    const n = patches ? t - (T - patches.shape[0]) : -1;
    if (n < 0) return false;
    const p = patches.shape[1];
    const image = this.image(`patch ${n}`, p, p, () => {
      const pixels = new Uint8ClampedArray(4 * p * p).fill(255);
      for (let at = 0; at < p * p; at++)
        pixels.set(patches.subarray(3 * (n * p * p + at), 3 * (n * p * p + at) + 3), 4 * at);
      return pixels;
    });
    this.picture(image, [0, 0, p, p], { x, y, w: side, h: side });
    return true;
  }

  picture(image, from, on) {
    this.pen.imageSmoothingEnabled = false;
    this.pen.drawImage(image, ...from, on.x, on.y, on.w, on.h);
  }

  largest(matrix) {
    return matrix.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  }

  hatch({ x, y, w, h }) {
    const { pen } = this;
    pen.strokeStyle = this.colours.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, y + h);
    pen.lineTo(x + w, y);
    pen.stroke();
  }

  /** A vector of a head as bands, from left to right or from top to bottom. All n vectors of this name are one image,
   * made once: each of them by its own largest number. */
  drawFeatures(name, { l, h, t, n }, { x, y, w, h: tall }, isDown = false) {
    const { numbers } = this;
    const { d } = numbers;
    const image = this.image(`${name} ${l} ${h} ${isDown}`, isDown ? n : d, isDown ? d : n, () => {
      const shares = new Float32Array(n * d);
      for (let one = 0; one < n; one++) {
        const vector = name === "output" ? numbers.output(l, h, one) : numbers.vector(name, l, h, one);
        const largest = this.largest(vector) || 1;
        vector.forEach((value, c) => (shares[isDown ? c * n + one : one * d + c] = value / largest));
      }
      return pixelsOf(shares, n * d, 1, this.colours, null, true);
    });
    this.picture(image, isDown ? [t, 0, 1, d] : [0, t, d, 1], { x, y, w, h: tall });
    this.box({ x, y, w, h: tall }, { line: this.colours.line, round: 2 });
  }
}
