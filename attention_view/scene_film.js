// A film of the tour: the scene flies from stop to stop, each with its sentence below, and the browser records it.

import { el, saveFile, write } from "./lab.js";

const STAY = 2400; // ms at a stop, after the flight to it
const FLIGHT_ENDS = 1250; // ms: no flight takes longer
const BELOW = 74; // pixels for the sentence
const [LETTERS, LINE] = [17, 23]; // pixels of its letters, and from line to line
const RATE = 6_000_000; // bits per second: text stays sharp
const FORMATS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** The format in which this browser records, or null. */
const formatHere = () =>
  typeof MediaRecorder === "undefined" ? null : (FORMATS.find((one) => MediaRecorder.isTypeSupported(one)) ?? null);

/** A text in lines that are no wider than so many pixels; widthOf(text) measures. */
export function linesOf(text, most, widthOf) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (widthOf(longer) > most && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

export class Film {
  /** The button that makes a film of a scene's tour, seen while one is on tour. */
  constructor(scene) {
    Object.assign(this, { scene, format: formatHere(), recorder: null });
    this.node = el("button.tour.film", { onclick: () => (this.recorder ? this.stop() : this.start()) });
    this.show();
  }

  show() {
    const { tour } = this.scene;
    const total = tour.isOn ? tour.stops.length : 0;
    this.node.hidden = !this.format || (!tour.isOn && !this.recorder);
    write(this.node, this.recorder ? `Stop filming: ${this.nth + 1} of ${total}` : "Save as a film");
  }

  start() {
    const { canvas } = this.scene;
    this.sheet = el("canvas");
    this.resize();
    const stream = this.sheet.captureStream(30);
    const chunks = [];
    this.recorder = new MediaRecorder(stream, { mimeType: this.format, videoBitsPerSecond: RATE });
    this.recorder.ondataavailable = ({ data }) => data.size && chunks.push(data);
    this.recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      if (this.isWhole) this.save(chunks);
    };
    this.isWhole = false;
    this.recorder.start(1000);
    canvas.focus({ preventScroll: true });
    this.go(0);
    this.draw();
  }

  /** To the nth stop, and after a while to the one after it; behind the last one the film is done. */
  go(nth) {
    const { tour } = this.scene;
    if (nth >= tour.stops.length) {
      this.isWhole = true;
      this.stop();
      return;
    }
    this.nth = nth;
    tour.go(nth);
    this.show();
    this.timer = setTimeout(() => this.go(nth + 1), STAY + (nth ? FLIGHT_ENDS : 0));
  }

  /** Ends the film; one that is not whole is thrown away. */
  stop() {
    const { recorder } = this;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.request);
    this.recorder = null;
    if (recorder && recorder.state !== "inactive") recorder.stop();
    this.show();
  }

  resize() {
    const { width, height } = this.scene.geometry;
    const even = (x) => 2 * Math.round(x / 2); // which some codecs want
    Object.assign(this.sheet, { width: even(width), height: even(height + BELOW) });
  }

  /** One frame: the scene as it is, and the sentence of the stop. */
  draw() {
    if (!this.recorder) return;
    const { scene, sheet } = this;
    if (!scene.tour.isOn || scene.tour.at !== this.nth) {
      this.stop(); // somebody has gone elsewhere
      return;
    }
    const pen = sheet.getContext("2d");
    const { colours } = scene.painter;
    const { height } = scene.geometry;
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, sheet.width, sheet.height);
    pen.drawImage(scene.canvas, 0, 0, sheet.width, height);
    pen.fillStyle = colours.ink;
    pen.font = `${LETTERS}px ${colours.font}`;
    const { text } = scene.tour.stops[this.nth];
    linesOf(text, sheet.width - 32, (words) => pen.measureText(words).width).forEach((line, n) =>
      pen.fillText(line, 16, height + 28 + n * LINE),
    );
    this.request = requestAnimationFrame(() => this.draw());
  }

  save(chunks) {
    const ends = this.format.startsWith("video/mp4") ? "mp4" : "webm";
    saveFile(new Blob(chunks, { type: this.format }), `attention-tour.${ends}`);
  }
}
