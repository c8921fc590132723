// A curve is drawn, point by point or in one stroke; then the true one appears over it, and one sentence says how far
// apart they are.

import { el, mount, pointIn, still, svg, trimmed } from "../../../../attention_view/lab.js";
import { STEPS, stroke, told } from "../../../../lab/kit/components/drawn_curve.js";

const ROOM = { left: 74, right: 70, top: 16, bottom: 50 };

/** Round numbers from low to high, about five of them. */
export function ticks([low, high]) {
  const raw = (high - low) / 5;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((by) => by * size >= raw) * size;
  const from = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - from + 1 }, (_, n) => (from + n) * step);
}

const line = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

class CurveGuess {
  constructor(root) {
    this.plot = svg("svg.plot", { role: "group" });
    this.frame = svg("g");
    this.curves = svg("g");
    this.area = svg("rect.area", {
      onpointerdown: (event) => this.hold(event),
      onpointermove: (event) => this.held && this.drag(event),
      onpointerup: () => (this.held = null),
      onpointercancel: () => (this.held = null),
    });
    this.points = svg("g");
    this.plot.append(this.frame, this.curves, this.area, this.points);
    this.show = el("button.primary", { onclick: () => this.reveal() }, "Show the true curve");
    this.again = el("button", { onclick: () => this.begin() }, "Draw again");
    this.numbers = el("div.numbers");
    this.said = el("p.said", { role: "status" });
    this.moral = el("p.after");
    root.replaceChildren(
      this.said,
      this.plot,
      this.moral,
      el("div.row", this.show, this.again),
      el("details", el("summary", "Type numbers instead"), this.numbers),
    );
    this.sizes = new ResizeObserver(([{ contentRect }]) => this.resize(contentRect));
    this.sizes.observe(this.plot);
  }

  update(data) {
    const id = JSON.stringify(data);
    if (id === this.id) return;
    this.id = id;
    Object.assign(this, data);
    this.last = this.truth.length - 1;
    this.plot.setAttribute("aria-label", `${this.axes[1]} by ${this.axes[0]}: draw the curve`);
    this.begin();
  }

  begin() {
    this.drawn = this.truth.map((value, n) => (n < this.given ? value : null));
    this.at = this.given; // the point that the keyboard moves
    this.isShown = false;
    this.held = null;
    this.numbers.replaceChildren(
      ...this.names.slice(this.given).map((name, n) =>
        el(
          "label",
          name,
          el("input", {
            type: "number",
            min: this.ends[0],
            max: this.ends[1],
            step: "any",
            oninput: ({ target }) => target.value !== "" && this.set({ [n + this.given]: Number(target.value) }, true),
          }),
        ),
      ),
    );
    this.draw();
  }

  resize({ width, height }) {
    if (Math.abs(width - (this.width ?? 0)) < 1 && Math.abs(height - (this.height ?? 0)) < 1) return;
    Object.assign(this, { width, height });
    if (this.id) this.draw();
  }

  // ---- places and values --------------------------------------------------------------------------------------

  x(place) {
    return ROOM.left + (place / this.last) * (this.width - ROOM.left - ROOM.right);
  }

  y(value) {
    const [low, high] = this.ends;
    return this.height - ROOM.bottom - ((value - low) / (high - low)) * (this.height - ROOM.top - ROOM.bottom);
  }

  /** The place and the value under a pointer. */
  under(event) {
    const [px, py] = pointIn(event, this.plot);
    const [low, high] = this.ends;
    const share = (this.height - ROOM.bottom - py) / (this.height - ROOM.top - ROOM.bottom);
    return [((px - ROOM.left) / (this.width - ROOM.left - ROOM.right)) * this.last, low + share * (high - low)];
  }

  write = (value) => `${trimmed(value, this.digits)}${this.unit}`;

  set(values, isTyped = false) {
    if (this.isShown) return;
    const [low, high] = this.ends;
    for (const [n, value] of Object.entries(values)) {
      this.drawn[n] = Math.min(high, Math.max(low, value));
      const field = this.numbers.children[n - this.given].lastElementChild;
      if (!isTyped) field.value = Number(this.drawn[n].toFixed(this.digits));
    }
    this.draw();
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  hold(event) {
    if (this.isShown || event.button) return;
    this.area.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.held = this.under(event);
    this.drag(event);
  }

  drag(event) {
    const to = this.under(event);
    this.set(stroke(this.held, to, this.given, this.last));
    this.held = to;
  }

  press(event, n) {
    const [low, high] = this.ends;
    const before = this.drawn[n] ?? this.drawn.slice(0, n).findLast((value) => value !== null);
    if (event.key in STEPS) this.set({ [n]: before + STEPS[event.key] * (high - low) });
    else if (event.key === "Home" || event.key === "End") this.set({ [n]: event.key === "Home" ? low : high });
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const to = n + (event.key === "ArrowRight" ? 1 : -1);
      this.set({ [n]: before });
      if (to < this.given || to > this.last) return;
      this.at = to;
      this.draw();
      this.points.querySelector("[tabindex='0']").focus();
    } else if (event.key === "Enter" && this.isWhole()) this.reveal();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  isWhole() {
    return this.drawn.every((value) => value !== null);
  }

  reveal() {
    this.isShown = true;
    this.draw();
    this.again.focus({ preventScroll: true });
  }

  // ---- the picture --------------------------------------------------------------------------------------------

  draw() {
    if (!this.width) return;
    const { width, isShown } = this;
    this.plot.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.axesOf(width);
    for (const [name, value] of Object.entries({
      x: this.x(0) - 24, // whoever begins at the first point may begin beside it
      y: 0,
      width: this.x(this.last) - this.x(0) + 48,
      height: this.height - ROOM.bottom + 12,
    }))
      this.area.setAttribute(name, value);
    this.area.classList.toggle("open", !isShown);
    const mine = this.drawn.flatMap((value, n) => (value === null ? [] : [[this.x(n), this.y(value)]]));
    const truth = this.path.map(([place, value]) => [this.x(place), this.y(value)]);
    const curves = [svg("path.mine", { d: line(mine) })];
    if (isShown) {
      const gap = [...mine, ...[...truth].reverse()];
      curves.unshift(svg("path.gap", { d: `${line(gap)}Z` }));
      for (const [, values] of this.others)
        curves.push(svg("path.other", { d: line(values.map((value, n) => [this.x(n), this.y(value)])) }));
      curves.push(svg("path", { class: still() ? "true" : "true moving", d: line(truth), pathLength: 1 }));
      curves.push(...this.namesOfCurves(mine, truth));
    }
    this.curves.replaceChildren(...curves);
    this.drawPoints();
    const n = this.last + 1 - this.given;
    const left = this.drawn.filter((value) => value === null).length;
    this.show.disabled = left > 0;
    this.show.hidden = isShown;
    this.again.hidden = !isShown && left === n;
    if (isShown) this.said.textContent = told({ ...this, write: this.write });
    else if (left)
      this.said.textContent =
        "Draw the curve: drag across the picture, or move its points with the arrow keys." +
        ` ${left} of ${n} points to go.`;
    else this.said.textContent = "Correct it where you like, then show the true curve.";
    this.moral.textContent = isShown ? this.after : "";
    for (const field of this.numbers.querySelectorAll("input")) field.disabled = isShown;
  }

  axesOf(width) {
    const floor = this.height - ROOM.bottom;
    const few = this.names.length > 6 && width < 560 ? 2 : 1; // names that have room
    this.frame.replaceChildren(
      ...ticks(this.ends).flatMap((value) => [
        svg("path.grid", { d: `M${this.x(0)} ${this.y(value)}H${this.x(this.last)}` }),
        svg("text.tick.end", { x: this.x(0) - 8, y: this.y(value) + 4.5 }, this.write(value)),
      ]),
      ...this.names.map((name, n) => (n % few ? "" : svg("text.tick.middle", { x: this.x(n), y: floor + 19 }, name))),
      svg("text.title.middle", { x: (this.x(0) + this.x(this.last)) / 2, y: this.height - 8 }, this.axes[0]),
      svg("text.title.middle", { transform: `translate(14 ${(ROOM.top + floor) / 2}) rotate(-90)` }, this.axes[1]),
    );
  }

  /** The names at the right ends, none upon another. */
  namesOfCurves(mine, truth) {
    const labels = [
      ["yours", mine.at(-1)[1], "mine"],
      ["true", truth.at(-1)[1], "true"],
      ...this.others.map(([name, values]) => [name, this.y(values[this.last]), "other"]),
    ].sort((a, b) => a[1] - b[1]);
    let above = -Infinity;
    return labels.map(([name, y, kind]) => {
      above = Math.max(y, above + 18);
      return svg("text", { class: `name ${kind}`, x: this.x(this.last) + 8, y: above + 4.5 }, name);
    });
  }

  drawPoints() {
    const [low, high] = this.ends;
    const known = (n) => this.drawn[n] ?? this.drawn.slice(0, n).findLast((value) => value !== null);
    const nodes = this.drawn.map((value, n) => {
      const place = { cx: this.x(n), cy: this.y(known(n)) };
      if (n < this.given || this.isShown) return svg("circle.set", { ...place, r: n < this.given ? 6 : 4 });
      return svg("circle", {
        ...place,
        r: 7,
        class: value === null ? "open" : "set",
        role: "slider",
        tabindex: n === this.at ? 0 : -1,
        "aria-label": `${this.axes[1]} at ${this.names[n]}`,
        "aria-orientation": "vertical",
        "aria-valuemin": low,
        "aria-valuemax": high,
        "aria-valuenow": known(n),
        "aria-valuetext": value === null ? "not drawn yet" : this.write(value),
        onkeydown: (event) => this.press(event, n),
        onfocus: () => (this.at = n),
      });
    });
    const hadFocus = this.points.contains(this.points.getRootNode().activeElement);
    this.points.replaceChildren(...nodes);
    if (hadFocus && !this.isShown) nodes[this.at].focus();
  }

  destroy() {
    this.sizes.disconnect();
  }
}

export default mount(".curve-guess", CurveGuess);
