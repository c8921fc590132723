// Words on a plane, or as a matrix of cosines; the one that is hovered over or chosen shows its neighbours.

import {
  el,
  fixed,
  mirror,
  mix,
  mount,
  param,
  pointIn,
  rgb,
  still,
  svg,
  theme,
} from "../../../../attention_view/lab.js";

const TURNS = Array.from({ length: 16 }, (_, n) => (n * Math.PI) / 8);
const FAR = [8, 15, 24, 36, 50, 66, 84, 104];

/** Where labels fit so that none covers another or a foreign dot: [{x, y, far}], and null where there is no room.
 *
 * points [x, y]; sizes [width, height] of the labels; out [x, y] directions that each label would rather go to;
 * order: the first gets the best room. x, y is the upper left corner. */
export function placeLabels(points, sizes, out, order, [width, height]) {
  const boxes = [];
  const free = (x, y, w, h, own) =>
    x >= 2 &&
    y >= 2 &&
    x + w <= width - 2 &&
    y + h <= height - 2 &&
    boxes.every((b) => x + w < b.x || b.x + b.w < x || y + h < b.y || b.y + b.h < y) &&
    points.every(([px, py], n) => n === own || px + 4 < x || px - 4 > x + w || py + 4 < y || py - 4 > y + h);
  const places = points.map(() => null);
  for (const n of order) {
    const [px, py] = points[n];
    const [w, h] = sizes[n];
    const wish = Math.atan2(out[n][1], out[n][0]);
    const turns = [...TURNS].sort((a, b) => Math.cos(b - wish) - Math.cos(a - wish));
    search: for (const far of FAR)
      for (const turn of turns) {
        const [c, s] = [Math.cos(turn), Math.sin(turn)];
        const x = px + c * (far + w / 2) - w / 2;
        const y = py + s * (far + h / 2) - h / 2;
        if (!free(x, y, w, h, n)) continue;
        boxes.push({ x, y, w, h });
        places[n] = { x, y, far };
        break search;
      }
  }
  return places;
}

/** The corners of the smallest polygon without dents around points. */
export function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Neighbours of the same kind as [first, behind the last, kind]; [] where no word has a kind. */
export function runsOf(kinds) {
  const runs = [];
  kinds.forEach((kind, n) => {
    const last = runs.at(-1);
    if (last && last[2] === kind) last[1] = n + 1;
    else runs.push([n, n + 1, kind]);
  });
  return runs.filter(([, , kind]) => kind >= 0);
}

const colourOf = (kind) => (kind < 0 ? "var(--quiet)" : `var(--kind-${kind % 6})`);
const DOTS = ["M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0", "M-4.5,-4.5h9v9h-9z", "M0,-6L6,0L0,6L-6,0z", "M0,-6L6,4.5H-6z"];

class WordMapView {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put(this.data.url, this.data.words[this.at].label, this.data.words[0].label));
    const n = (this.nodes = {});
    n.svg = svg("svg", { "aria-hidden": "true" });
    n.canvas = el("canvas", { "aria-hidden": "true" });
    n.labels = el("div", { role: "radiogroup", "aria-label": "Words: choose one to see its neighbours" });
    n.names = el("div", { "aria-hidden": "true" });
    n.stage = el("div.stage", n.svg, n.canvas, n.names, n.labels);
    n.stage.onpointermove = (e) => this.onMove(e);
    n.stage.onpointerleave = () => this.look(null);
    n.stage.onclick = (e) => this.onClick(e);
    n.labels.onkeydown = (e) => this.onKey(e);
    n.word = el("h2");
    n.from = el("p");
    n.nearest = el("ol.nearest");
    n.pair = el("p.pair");
    n.scale = el("div.scale", "−1", el("i"), "1");
    n.side = el("section.side", n.word, n.from, n.nearest, n.pair, n.scale);
    n.caption = el("p.caption");
    root.replaceChildren(el("div.both", n.stage, n.side, n.caption));
    this.watch = new ResizeObserver(() => this.data && this.width !== n.stage.clientWidth && this.layOut(false));
    this.watch.observe(n.stage);
  }

  update(data) {
    const before = this.data;
    const same =
      before &&
      before.show === data.show &&
      String(before.words.map((w) => w.id)) === String(data.words.map((w) => w.id));
    this.data = data;
    if (!same) {
      this.at = data.at;
      const asked = param(data.url);
      const found = data.words.findIndex((word) => word.label === asked);
      if (found >= 0) this.at = found;
      this.buttons = data.words.map((word, n) =>
        el(
          "button",
          {
            role: "radio",
            dir: "auto",
            style: `color:${colourOf(word.kind)}`,
            onpointerenter: () => this.look(n),
            onfocus: () => this.look(n),
            onblur: () => this.look(null),
            onclick: (e) => {
              e.stopPropagation();
              this.choose(n);
            },
          },
          word.label,
        ),
      );
      this.nodes.labels.replaceChildren(...this.buttons);
      this.shown = null;
    }
    const { nodes: n } = this;
    const isMap = data.show === "map";
    n.stage.className = `stage ${data.show}`;
    n.svg.toggleAttribute("hidden", !isMap);
    n.canvas.hidden = isMap;
    n.caption.textContent = data.caption;
    n.scale.hidden = isMap;
    this.near = data.words.map((word) => word.nearest.map(([, id]) => data.words.findIndex((w) => w.id === id)));
    this.hovered = null;
    this.layOut(same && isMap);
  }

  layOut(moving) {
    this.width = this.nodes.stage.clientWidth;
    this.height = this.nodes.stage.clientHeight;
    if (!this.width) return;
    this.nodes.stage.style.height = "";
    if (this.data.show === "map") this.layOutMap(moving);
    else this.layOutMatrix();
    this.mark();
  }

  // ---- the map --------------------------------------------------------------------------------------------------

  layOutMap(moving) {
    const { data, width: w, height: h } = this;
    const [x0, y0, x1, y1] = data.bounds;
    // One scale for both directions, and the longer one goes across if it fits better so.
    const fit = (across, down) => Math.min((w - 130) / (across || 1), (h - 76) / (down || 1));
    const turned = fit(y1 - y0, x1 - x0) > fit(x1 - x0, y1 - y0);
    const scale = turned ? fit(y1 - y0, x1 - x0) : fit(x1 - x0, y1 - y0);
    const points = data.places.map(([x, y]) => {
      const [right, up] = [(x - (x0 + x1) / 2) * scale, (y - (y0 + y1) / 2) * scale];
      return turned ? [w / 2 + up, h / 2 + right] : [w / 2 + right, h / 2 - up];
    });
    const sizes = this.buttons.map((button) => {
      button.classList.remove("out", "on");
      button.classList.add("near"); // in bold, as it can be: the widest that it gets
      button.style.transform = "";
      return [button.offsetWidth, 17];
    });
    const middles = new Map();
    data.words.forEach((word, n) => {
      const group = middles.get(word.kind) ?? middles.set(word.kind, []).get(word.kind);
      group.push(points[n]);
    });
    const mean = (list) => [0, 1].map((k) => list.reduce((sum, p) => sum + p[k], 0) / list.length);
    const out = points.map(([x, y], n) => {
      const [mx, my] = mean(middles.get(data.words[n].kind));
      return Math.hypot(x - mx, y - my) > 1 ? [x - mx, y - my] : [1, 0];
    });
    const far = (n) => Math.hypot(points[n][0] - w / 2, points[n][1] - h / 2);
    const order = points.map((_, n) => n).sort((a, b) => far(b) - far(a));
    const labels = placeLabels(points, sizes, out, order, [w, h]);
    const to = { points, labels, sizes };
    const from = this.shown;
    cancelAnimationFrame(this.frame);
    this.shown = to;
    this.placeKinds(to);
    if (!moving || !from || still()) return this.drawMap(to);
    const begun = performance.now();
    const step = (now) => {
      const t = Math.min(1, (now - begun) / 200);
      const s = t * t * (3 - 2 * t);
      const between = (a, b) => a + (b - a) * s;
      const at = points.map((p, n) => [between(from.points[n][0], p[0]), between(from.points[n][1], p[1])]);
      const moved = labels.map((label, n) => {
        const a = from.labels[n] ?? label;
        return label && { x: between(a.x, label.x), y: between(a.y, label.y), far: label.far };
      });
      this.drawMap({ points: at, labels: moved, sizes });
      if (t < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  /** The name of a kind stands outside of all its labels, where there is room. */
  placeKinds({ points, labels, sizes }) {
    const { data, width: w, height: h } = this;
    const boxes = labels.flatMap((l, n) => (l ? [[l.x, l.y, l.x + sizes[n][0], l.y + 17]] : []));
    const dots = points.map(([x, y]) => [x - 6, y - 6, x + 6, y + 6]);
    const taken = [...boxes, ...dots];
    const names = data.kinds.map((name, kind) => {
      const node = el("span.kind", { style: `color:${colourOf(kind)}` }, name.toUpperCase());
      this.nodes.names.append(node);
      return node;
    });
    this.nodes.names.replaceChildren(...names);
    names.forEach((node, kind) => {
      const own = data.words.flatMap((word, n) =>
        word.kind !== kind
          ? []
          : [dots[n], ...(labels[n] ? [[labels[n].x, labels[n].y, labels[n].x + sizes[n][0], labels[n].y + 17]] : [])],
      );
      if (!own.length) return (node.hidden = true);
      const [x0, y0] = [0, 1].map((k) => Math.min(...own.map((b) => b[k])));
      const [x1, y1] = [2, 3].map((k) => Math.max(...own.map((b) => b[k])));
      const nw = node.offsetWidth;
      const cx = (x0 + x1 - nw) / 2,
        cy = (y0 + y1 - 17) / 2;
      const tries = [4, 14, 26, 40].flatMap((d) => [
        [cx, y0 - 17 - d],
        [cx, y1 + d],
        [x1 + d + 4, cy],
        [x0 - nw - d - 4, cy],
        [x0, y0 - 17 - d],
        [x1 - nw, y0 - 17 - d],
      ]);
      const fits = tries.find(
        ([x, y]) =>
          x > 4 &&
          y > 4 &&
          x + nw < w - 4 &&
          y + 17 < h - 4 &&
          taken.every((b) => x + nw < b[0] || b[2] < x || y + 17 < b[1] || b[3] < y),
      );
      node.hidden = !fits;
      if (!fits) return;
      node.style.transform = `translate(${fits[0]}px,${fits[1]}px)`;
      taken.push([fits[0], fits[1], fits[0] + nw, fits[1] + 17]);
    });
  }

  drawMap({ points, labels, sizes }) {
    const { data, nodes: n, width: w, height: h } = this;
    const at = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
    const hulls = data.kinds.map((_, kind) => {
      const own = hullOf(points.filter((_, i) => data.words[i].kind === kind));
      const path = own.length ? `M${own.map(at).join("L")}Z` : "";
      return svg("path.hull", { d: path, fill: colourOf(kind), stroke: colourOf(kind) });
    });
    const leaders = labels.flatMap((label, i) => {
      if (!label || label.far < 16) return [];
      const [x, y] = points[i];
      const to = [
        Math.max(label.x, Math.min(x, label.x + sizes[i][0])),
        Math.max(label.y + 2, Math.min(y, label.y + 15)),
      ];
      return svg("line.leader", { x1: x, y1: y, x2: to[0], y2: to[1], stroke: colourOf(data.words[i].kind) });
    });
    this.links = svg("g");
    this.dots = points.map((p, i) =>
      svg("path", {
        d: DOTS[Math.max(0, data.words[i].kind) % 4],
        transform: `translate(${at(p)})`,
        fill: colourOf(data.words[i].kind),
      }),
    );
    n.svg.setAttribute("width", w);
    n.svg.setAttribute("height", h);
    n.svg.replaceChildren(...hulls, ...leaders, this.links, ...this.dots);
    this.buttons.forEach((button, i) => {
      const label = labels[i];
      const [x, y] = label ? [label.x, label.y] : [points[i][0] + 9, points[i][1] - 8];
      button.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`;
      button.classList.toggle("out", !label);
    });
    this.drawn = points;
    this.mark();
  }

  // ---- the matrix -----------------------------------------------------------------------------------------------

  layOutMatrix() {
    const { data, nodes: n, width: w } = this;
    const N = data.words.length;
    const runs = runsOf(data.words.map((word) => word.kind));
    const wide = w > 460;
    const widest = Math.max(...this.buttons.map((button) => button.offsetWidth));
    const word = Math.min(110, widest);
    const bracket = runs.length && wide ? 78 : runs.length ? 12 : 0;
    let cell = Math.floor(Math.min((w - bracket - word - 14) / N, (this.height - (runs.length ? 26 : 8)) / N, 34));
    const columns = Math.ceil(15 / cell); // of words: staggered where a row is lower than a line of text
    if (columns > 1) cell = Math.floor(Math.min((w - bracket - columns * word - 14) / N, (this.height - 26) / N));
    const showsAll = columns <= 2 && wide;
    if (!showsAll) cell = Math.max(3, Math.floor(Math.min((w - bracket - 8) / N, (this.height - 26) / N, 34)));
    const across = cell >= 15; // words at the columns, too
    if (across) {
      const down = Math.min(110, widest) * 0.87 + 12;
      cell = Math.floor(Math.min(cell, (this.height - down) / N));
    }
    const left = bracket + (showsAll ? columns * word + 14 : 8);
    const size = cell * N;
    Object.assign(this, { cell, left, size });
    n.stage.style.height = `${size + (across ? Math.min(110, widest) * 0.87 + 14 : runs.length ? 26 : 8)}px`;
    const ratio = Math.min(2, devicePixelRatio || 1);
    Object.assign(n.canvas, { width: size * ratio, height: size * ratio });
    n.canvas.style.cssText = `left:${left}px;width:${size}px;height:${size}px`;
    const context = n.canvas.getContext("2d");
    context.scale(ratio, ratio);
    const [negative, zero, positive] = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    const gap = cell > 6 ? 1 : 0;
    data.cosines.forEach((row, i) =>
      row.forEach((value, j) => {
        const to = value < 0 ? negative : positive;
        const share = Math.min(1, Math.abs(value));
        context.fillStyle = `rgb(${[0, 1, 2].map((k) => Math.round(zero[k] + (to[k] - zero[k]) * share))})`;
        context.fillRect(j * cell, i * cell, cell - gap, cell - gap);
      }),
    );
    this.buttons.forEach((button, i) => {
      button.classList.remove("near", "on");
      const column = columns > 1 ? i % columns : 0;
      const x = (showsAll ? left - 6 - column * (word + 6) : left + 60) - button.offsetWidth;
      button.style.transform = `translate(${x}px,${i * cell + cell / 2 - 8.5}px)`;
      button.classList.toggle("out", !showsAll);
    });
    const parts = [];
    for (const [from, to, kind] of runs) {
      const name = data.kinds[kind];
      const colour = `color:${colourOf(kind)};`;
      const [start, length] = [from * cell, (to - from) * cell - 2];
      parts.push(el("i.rule", { style: `${colour}left:${bracket - 8}px;top:${start}px;width:3px;height:${length}px` }));
      parts.push(
        el("i.rule", { style: `${colour}left:${left + start}px;top:${size + 4}px;width:${length}px;height:3px` }),
      );
      if (wide) {
        parts.push(
          el(
            "span.kind.down",
            { style: `${colour}width:${bracket - 14}px;transform:translate(0,${start + length / 2 - 8.5}px)` },
            name,
          ),
        );
      }
      if (!across) parts.push(el("span.kind.foot", { style: colour, "data-at": left + start + length / 2 }, name));
    }
    if (across)
      data.words.forEach((each, i) =>
        parts.push(
          el(
            "span.column",
            { style: `right:${w - (left + (i + 0.5) * cell)}px;top:${size}px;transform:rotate(-60deg)` },
            each.label,
          ),
        ),
      );
    n.names.replaceChildren(...parts);
    // A name wider than its bracket gives way to its neighbours.
    let end = -Infinity;
    for (const name of n.names.querySelectorAll(".foot")) {
      const from = Math.min(w - name.offsetWidth, Number(name.dataset.at) - name.offsetWidth / 2);
      name.hidden = from < end + 6;
      if (name.hidden) continue;
      name.style.transform = `translate(${from}px,${size + 9}px)`;
      end = from + name.offsetWidth;
    }
    this.frames = ["row", "down"].map(() => el("i.frame"));
    n.names.append(...this.frames);
  }

  // ---- what is looked at ------------------------------------------------------------------------------------------

  place(event) {
    return pointIn(event, this.nodes.stage);
  }

  /** [row, column] of the matrix, or the nearest word of the map, or null. */
  find(event) {
    const [x, y] = this.place(event);
    if (this.data.show === "matrix") {
      const [i, j] = [Math.floor(y / this.cell), Math.floor((x - this.left) / this.cell)];
      const N = this.data.words.length;
      return i >= 0 && j >= 0 && i < N && j < N ? [i, j] : null;
    }
    let best = null,
      least = 24;
    (this.drawn ?? []).forEach((p, n) => {
      const d = Math.hypot(p[0] - x, p[1] - y);
      if (d < least) [best, least] = [n, d];
    });
    return best === null ? null : [best];
  }

  onMove(event) {
    if (event.target.closest("button")) return;
    const found = this.find(event);
    this.look(found && found[0], found?.[1]);
  }

  onClick(event) {
    const found = this.find(event);
    if (found) this.choose(found[0]);
  }

  look(n, column) {
    if (n === this.hovered && column === this.column) return;
    this.hovered = n;
    this.column = column;
    this.mark();
  }

  choose(n) {
    this.at = n;
    this.hovered = null;
    this.mark();
    this.link.later();
  }

  onKey(event) {
    const last = this.data.words.length - 1;
    const to = {
      ArrowRight: this.at + 1,
      ArrowDown: this.at + 1,
      ArrowLeft: this.at - 1,
      ArrowUp: this.at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(last, to)));
    this.buttons[this.at].focus({ preventScroll: true });
  }

  mark() {
    const { data } = this;
    const at = this.hovered ?? this.at;
    const near = this.near[at];
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-checked", String(i === this.at));
      button.tabIndex = i === this.at ? 0 : -1;
      button.classList.toggle("on", i === at);
      button.classList.toggle("near", data.show === "map" && i !== at && near.includes(i));
    });
    if (data.show === "map" && this.dots) this.linkUp(at, near);
    if (data.show === "matrix" && this.frames) this.frameCells(at);
    this.describe(at);
    this.root.dataset.at = at;
    this.root.dataset.word = data.words[at].label;
    this.root.dataset.show = data.show;
  }

  linkUp(at, near) {
    const points = this.drawn;
    this.links.replaceChildren(
      ...near.flatMap((i, rank) => {
        const cosine = this.data.words[at].nearest[rank][2];
        if (i < 0 || cosine <= 0) return [];
        const [[x1, y1], [x2, y2]] = [points[at], points[i]];
        return svg("line.link", { x1, y1, x2, y2, "stroke-width": 0.5 + 2.5 * cosine });
      }),
    );
    this.dots.forEach((dot, i) => {
      dot.setAttribute("stroke", i === at ? "var(--ink)" : "none");
      dot.setAttribute("stroke-width", 3);
      dot.setAttribute("opacity", i === at || near.includes(i) ? 1 : 0.75);
    });
  }

  frameCells(at) {
    const { left, size, cell, column, frames } = this;
    const box = (x, y, w, h) => `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
    frames[0].style.cssText = box(left, at * cell, size - 1, cell - 1);
    frames[1].style.cssText =
      column === undefined || this.hovered === null ? "display:none" : box(left + column * cell, 0, cell - 1, size - 1);
  }

  describe(at) {
    const { data, nodes: n, column } = this;
    const word = data.words[at];
    const kind = data.kinds[word.kind];
    n.word.replaceChildren(word.label, kind ? el("small", { style: `color:${colourOf(word.kind)}` }, kind) : "");
    n.from.textContent = word.nearest.length ? `Nearest in ${data.table}, by cosine` : "No other row in this table.";
    const zero = word.nearest.some(([, , cosine]) => cosine < 0) ? 25 : 0; // where the bars begin, in percent
    n.nearest.style.setProperty("--zero", `${zero}%`);
    n.nearest.replaceChildren(
      ...word.nearest.map(([label, id, cosine]) => {
        const on = data.words.findIndex((w) => w.id === id);
        const name =
          on < 0
            ? el("span.label", { dir: "auto", title: `id ${id}` }, label)
            : el(
                "button.label",
                {
                  dir: "auto",
                  title: `id ${id}`,
                  style: `color:${colourOf(data.words[on].kind)}`,
                  onclick: () => this.choose(on),
                },
                label,
              );
        const share = (100 - zero) * Math.min(1, Math.abs(cosine));
        const side =
          cosine < 0 ? `right:${100 - zero}%;width:${Math.min(zero, share)}%` : `left:${zero}%;width:${share}%`;
        return el(
          "li",
          name,
          el("span.bar", el("i", { style: `${side};background:${mix(cosine < 0 ? "negative" : "positive", 80)}` })),
          el("span.number", fixed(cosine, 2)),
        );
      }),
    );
    const other = this.hovered !== null && column !== undefined ? data.words[column] : null;
    n.pair.hidden = data.show === "map";
    n.pair.replaceChildren(
      ...(other
        ? [el("b", word.label), " and ", el("b", other.label), `: cosine ${fixed(data.cosines[at][column], 2)}`]
        : ["Hover over a cell to read its pair. Rows and columns have the same order."]),
    );
  }

  destroy() {
    this.link.end();
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

export default mount(".word-map", WordMapView);
