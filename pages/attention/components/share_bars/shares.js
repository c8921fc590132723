// Shares that add up to 1, one bar each: moving one makes room by shrinking or growing the others alike.

import { el, mount, svg, trimmed } from "../../../../attention_view/lab.js";

/** The shares once share i has become x: the others keep their proportions, or share alike if they had nothing. */
export function moved(shares, i, x) {
  const rest = shares.reduce((sum, share, j) => (j === i ? sum : sum + share), 0);
  return shares.map((share, j) => (j === i ? x : rest > 0 ? (share / rest) * (1 - x) : (1 - x) / (shares.length - 1)));
}

class Shares {
  constructor(root) {
    this.root = root;
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = data;
    const n = (data.points ?? data.keys).length;
    this.shares = data.shares ?? data.start ?? Array(n).fill(1 / n);
    if (data.points) this.buildMix();
    else this.buildGuess();
    this.refresh();
  }

  bar(i, name, locked) {
    const mark = el("span", { class: "ghost", hidden: true, "aria-hidden": "true" });
    const range = el("input", {
      class: "share-bar",
      type: "range",
      min: 0,
      max: 1,
      step: 0.01,
      "aria-label": `Share of ${name}`,
      disabled: locked,
      oninput: () => {
        this.shares = moved(this.shares, i, Number(range.value));
        this.refresh();
      },
    });
    const value = el("output", {});
    this.bars[i] = { range, value, mark };
    return [el("span", { class: "track" }, range, mark), value];
  }

  refresh() {
    this.shares.forEach((share, i) => {
      const { range, value } = this.bars[i];
      range.value = String(share);
      range.style.setProperty("--w", `${100 * share}%`);
      range.setAttribute("aria-valuetext", `${Math.round(100 * share)} percent`);
      value.textContent = share.toFixed(2);
    });
    if (this.data.points) this.draw();
    else this.whole.parts.forEach((part, i) => (part.style.flexGrow = this.shares[i]));
    this.root.dataset.shares = JSON.stringify(this.shares);
  }

  // ---- guess the row ----------------------------------------------------------------------------------------

  buildGuess() {
    const { query, keys, columns, truth } = this.data;
    this.bars = [];
    const vector = (role, numbers) =>
      el("span", { class: `vector ${role}` }, ...numbers.map((x) => el("i", {}, String(x))));
    const names = Object.keys(columns ?? {});
    const body = el("div", { class: "guess", style: `--more: ${"auto ".repeat(names.length)}` });
    body.append(
      el("span", { class: "query name" }, "q"),
      vector("query", query),
      el(
        "span",
        { class: "quiet head" },
        truth ? "your guess; the dashed bar is the truth" : "drag: how is the attention shared?",
      ),
      el("span", {}),
      ...names.map((name) => el("span", { class: "quiet head" }, name)),
    );
    keys.forEach((key, i) => {
      body.append(
        el("span", { class: "key name" }, `k${i + 1}`),
        vector("key", key),
        ...this.bar(i, `key ${i + 1}`, Boolean(truth)),
      );
      names.forEach((name, c) =>
        body.append(el("span", { class: `step ${c === names.length - 1 ? "weight" : ""}` }, columns[name][i])),
      );
      if (truth) {
        this.bars[i].mark.hidden = false;
        this.bars[i].mark.style.width = `${100 * truth[i]}%`;
      }
    });
    // All shares side by side: together they are one whole, whatever is dragged.
    const strip = (name) => {
      const parts = keys.map((_, i) => el("i", {}, `k${i + 1}`));
      return {
        parts,
        node: el(
          "div",
          { class: "whole" },
          el("span", { class: "quiet" }, name),
          el("span", { class: "parts" }, ...parts),
        ),
      };
    };
    this.whole = strip("yours");
    const right = truth ? strip("true") : null;
    right?.parts.forEach((part, i) => (part.style.flexGrow = truth[i]));
    const button = truth
      ? null
      : el("button", { type: "button", class: "reveal", onclick: () => this.send("reveal", this.shares) }, "Reveal");
    this.root.replaceChildren(
      el("div", { class: "scroll" }, body),
      el(
        "div",
        { class: "wholes", "aria-hidden": "true" },
        el("span", { class: "quiet head" }, "together they are 1"),
        this.whole.node,
        ...(right ? [right.node] : []),
      ),
      ...(button ? [button] : []),
    );
  }

  // ---- mix values -------------------------------------------------------------------------------------------

  buildMix() {
    const { points } = this.data;
    this.bars = [];
    const list = el("div", { class: "mixer" });
    points.forEach((_, j) =>
      list.append(el("span", { class: "value name" }, `v${j + 1}`), ...this.bar(j, `value ${j + 1}`, false)),
    );
    const back = el(
      "button",
      {
        type: "button",
        class: "back",
        onclick: () => {
          this.shares = [...this.data.start];
          this.refresh();
        },
      },
      "Back to the weights of this row",
    );
    this.svg = svg("svg", { viewBox: "0 0 460 340", role: "img" });
    this.readout = el("p", { class: "readout", role: "status" });
    this.root.replaceChildren(
      el("div", { class: "mix" }, el("div", {}, list, back, this.readout), el("figure", {}, this.svg)),
    );
  }

  draw() {
    const { points, axes } = this.data;
    const mix = [0, 1].map((d) => points.reduce((sum, p, j) => sum + this.shares[j] * p[d], 0));
    const all = [...points, [0, 0]];
    // One scale for both axes, so that directions are true.
    const low = [0, 1].map((d) => Math.min(...all.map((p) => p[d]))),
      high = [0, 1].map((d) => Math.max(...all.map((p) => p[d])));
    const span = Math.max((high[0] - low[0]) / 250, (high[1] - low[1]) / 230) || 0.01;
    const centre = [0, 1].map((d) => (low[d] + high[d]) / 2);
    const at = (p) => [235 + (p[0] - centre[0]) / span, 160 - (p[1] - centre[1]) / span];
    const middle = at([0, 1].map((d) => points.reduce((sum, p) => sum + p[d], 0) / points.length));
    const [ox, oy] = at([0, 0]),
      [mx, my] = at(mix);
    const nodes = [
      svg("line", { x1: 20, x2: 450, y1: oy, y2: oy, class: "axis" }),
      svg("line", { x1: ox, x2: ox, y1: 12, y2: 312, class: "axis" }),
      svg("text", { x: 450, y: 334, class: "small end" }, `${axes[0]} →`),
      svg("text", { x: 14, y: 16, class: "small" }, `${axes[1]} ↑`),
      svg("polygon", {
        points: hull(points)
          .map((p) => at(p).join(","))
          .join(" "),
        class: "hull",
      }),
    ];
    points.forEach((p, j) => {
      const [x, y] = at(p);
      nodes.push(
        svg("line", {
          x1: mx,
          y1: my,
          x2: x,
          y2: y,
          class: "pull",
          "stroke-width": 0.5 + 11 * this.shares[j],
          opacity: this.shares[j] > 0 ? 0.55 : 0.12,
        }),
      );
    });
    points.forEach((p, j) => {
      const [x, y] = at(p);
      const left = x < middle[0],
        above = y < middle[1]; // labels stand outside
      nodes.push(
        svg("circle", { cx: x, cy: y, r: 6, class: "value" }),
        svg(
          "text",
          { x: x + (left ? -10 : 10), y: y + (above ? -9 : 21), class: `label ${left ? "end" : ""}` },
          `v${j + 1} (${trimmed(p[0])}, ${trimmed(p[1])})`,
        ),
      );
    });
    nodes.push(svg("circle", { cx: mx, cy: my, r: 9, class: "mixed" }));
    this.svg.replaceChildren(...nodes);
    this.svg.setAttribute(
      "aria-label",
      `The mix lies at ${trimmed(mix[0])}, ${trimmed(mix[1])}, inside the area between the values.`,
    );
    const digits = digitsOf(this.shares, points, mix);
    this.readout.replaceChildren(
      ...points.flatMap((p, j) => [
        j ? " + " : "",
        el("b", { class: "weight" }, this.shares[j].toFixed(digits)),
        " × ",
        el("b", { class: "value" }, `v${j + 1}`),
      ]),
      " = ",
      el("b", { class: "value" }, `(${mix.map((x) => trimmed(x)).join(", ")})`),
    );
    this.root.dataset.mix = JSON.stringify(mix);
  }
}

/** How many digits of the shares it takes for the printed sum to give the printed mix, which has two: from 2 to 6. */
export function digitsOf(shares, points, mix) {
  const adds = (digits) =>
    mix.every((x, d) => {
      const sum = shares.reduce((all, share, j) => all + Number(share.toFixed(digits)) * points[j][d], 0);
      return Math.abs(sum - Number(x.toFixed(2))) <= 0.005 + 1e-9;
    });
  return [2, 3, 4, 5].find(adds) ?? 6;
}

/** The corners of the convex hull of points in a plane, in order (Andrew's monotone chain). */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out.at(-2), out.at(-1), p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export default mount(".shares", Shares);
