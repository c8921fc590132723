// Draws pages/overview/model_map.py. Every block can be pointed at and reached with Tab; blocks with a page open it.

import { el, mix, mount, shorten, strength, svg, tint } from "../../../../attention_view/lab.js";

const NARROW = 860; // pixels; below, the map is drawn in columns, as for a phone
const PAD = 12; // between the frame of a box and its picture
const TEXT = 15; // from line to line
const RING = 10.5; // radius of the circle around a page's number

class ModelMap {
  constructor(root) {
    this.root = root;
    this.say = el("p.say");
    this.scroll = el("div.scroll");
    root.replaceChildren(this.scroll, this.say);
    this.resized = () => {
      const narrow = root.clientWidth < NARROW;
      if (root.clientWidth && narrow !== this.narrow) this.draw();
    };
    this.fill = () => this.data && this.fillRings();
    window.addEventListener("attention-lab-progress", this.fill);
  }

  destroy() {
    window.removeEventListener("attention-lab-progress", this.fill);
  }

  update(data, { setTriggerValue }) {
    this.data = data;
    this.say.textContent = data.hint;
    this.open = (page) => setTriggerValue("open", page);
    this.draw();
  }

  draw() {
    const { blocks, alt, narrow } = this.data;
    this.narrow = this.root.clientWidth < NARROW;
    const layout = (this.narrow && narrow) || this.data;
    const boxes = layout.boxes
      ? blocks.map((block, n) => {
          const [x, y, width, height] = layout.boxes[n];
          return { ...block, x, y, width, height };
        })
      : blocks;
    this.root.classList.toggle("fits", Boolean(layout.boxes));
    this.root.classList.toggle("corner", this.data.corner);
    const tip = svg("path.head", { d: "M0 0 L6 3 L0 6 z" });
    const marker = {
      id: "head",
      viewBox: "0 0 6 6",
      refX: 5,
      refY: 3,
      markerWidth: 6,
      markerHeight: 6,
      orient: "auto",
    };
    const hatch = { id: "masked", width: 4, height: 4, patternUnits: "userSpaceOnUse" };
    this.scroll.replaceChildren(
      svg(
        "svg",
        { viewBox: `-3 0 ${layout.width + 6} ${layout.height}`, role: "group", "aria-label": alt },
        svg("defs", svg("marker", marker, tip), svg("pattern", hatch, svg("path.hatch", { d: "M0 4 L4 0" }))),
        ...layout.frames.flatMap(({ x, y, width: w, height: h, label }) => [
          svg("rect.frame", { x, y, width: w, height: h, rx: 14 }),
          svg("text.small", { x: x + 16, y: y + 15 }, label),
        ]),
        ...layout.arrows.map((d) => svg("path.arrow", { d, "marker-end": "url(#head)" })),
        ...boxes.map((block) => this.block(block)),
      ),
    );
    this.fillRings();
  }

  /** The ring around a page's number closes as its questions are solved. */
  fillRings() {
    for (const ring of this.scroll.querySelectorAll(".ring")) {
      const { solved, total } = window.attentionLabProgress?.of(ring.dataset.page) ?? { solved: 0, total: 0 };
      const share = total ? solved / total : 0;
      ring.querySelector(".arc").setAttribute("stroke-dasharray", `${100 * share} 100`);
      ring.dataset.solved = `${solved}/${total}`;
      ring.classList.toggle("all", share === 1);
    }
  }

  /** A page's number on the upper edge of a box. */
  ring(page, x, y) {
    const at = { cx: x, cy: y, r: RING };
    return svg(
      "g.ring",
      { "data-page": page },
      svg("circle.ground", { ...at }),
      svg("circle.arc", { ...at, pathLength: 100, transform: `rotate(-90 ${x} ${y})` }),
      svg("text", { x, y: y + 4.5 }, String(this.data.numbers[page])),
    );
  }

  block({ x, y, width, height, label, shape, help, colour, page, picture, wide }) {
    const say = (text) => (this.say.textContent = text);
    const door = page && {
      onclick: () => this.open(page),
      onkeydown: (event) => event.key === "Enter" && this.open(page),
    };
    const drawn = wide
      ? beside(x, y, width, height, label, shape, picture)
      : between(x, y, width, height, label, shape, picture);
    const texts = drawn.flatMap((part) => part && (part.matches("text") ? [part] : [...part.querySelectorAll("text")]));
    return svg(
      "g",
      {
        tabindex: 0,
        role: page ? "link" : "img",
        "aria-label": `${texts.flatMap((text) => text?.textContent ?? []).join(" ")}. ${help}`,
        class: `block ${colour} ${page ? "door" : ""}`,
        onpointerenter: () => say(help),
        onfocus: () => say(help),
        onpointerleave: () => say(this.data.hint),
        onblur: () => say(this.data.hint),
        ...door,
      },
      svg("rect.box", { x, y, width, height, rx: 9 }),
      ...drawn,
      this.data.numbers[page] ? this.ring(page, x + width - 18, y) : null,
    );
  }
}

/** The words of a box, centred, and its picture between them. */
function between(x, y, width, height, label, shape, picture) {
  const middle = x + width / 2;
  const room = { x: x + PAD, y: y + 34, width: width - 2 * PAD, height: height - 34 - 28 };
  return [
    svg("text.label", { x: middle, y: y + (picture ? 23 : height / 2 - 4) }, label),
    picture && svg("g.picture", ...PICTURES[picture.kind](picture, room)),
    svg("text.small", { x: middle, y: y + height - (picture ? 11 : 14) }, shape),
  ];
}

/** A box whose picture stands at the left, and its words beside it. */
function beside(x, y, width, height, label, shape, picture) {
  const side = Math.min(150, 0.36 * width);
  const left = x + side + 2 * PAD;
  const room = { x: x + PAD, y: y + PAD, width: side, height: height - 2 * PAD };
  const lines = wrapped(shape, Math.floor((width - side - 3 * PAD) / 6.8));
  const top = y + (height - TEXT * (lines.length + 1)) / 2 + 11;
  return [
    svg("g.picture", ...PICTURES[picture.kind](picture, room)),
    svg("text.label.left", { x: left, y: top }, label),
    ...lines.map((line, n) => svg("text.small.left", { x: left, y: top + 3 + TEXT * 1.15 * (n + 1) }, line)),
  ];
}

/** A text in lines of at most n letters. */
function wrapped(text, n) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > n && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

// ---- pictures: each fills the room it is given --------------------------------------------------------------

const PICTURES = { words, heads, cells, curves, bars, steps };

function words({ labels }, { x, y, width, height }) {
  const n = Math.floor(height / TEXT);
  const lines = wrapped(labels.map((label) => shorten(label, 12)).join(" "), Math.floor(width / 6.6));
  const shown = lines.length > n ? [...lines.slice(0, n - 1), `${lines[n - 1]} …`] : lines;
  const top = y + (height - TEXT * shown.length) / 2 + 12;
  return shown.map((line, i) => svg("text.small", { x: x + width / 2, y: top + TEXT * i }, line));
}

function heads({ rows: maps, columns }, { x, y, width, height }) {
  const gap = 5;
  const down = Math.ceil(maps.length / columns);
  const side = Math.min((width - gap * (columns - 1)) / columns, (height - gap * (down - 1)) / down);
  const left = x + (width - columns * side - (columns - 1) * gap) / 2;
  const top = y + (height - down * side - (down - 1) * gap) / 2;
  return maps.flatMap((map, n) => {
    const at = { x: left + (n % columns) * (side + gap), y: top + Math.floor(n / columns) * (side + gap) };
    const largest = Math.max(...map.flat().map((weight) => weight ?? 0));
    const colour = (weight) =>
      weight === null ? "url(#masked)" : mix("weight", Math.round(100 * strength(weight / largest)));
    return [
      svg("rect.map", { ...at, width: side, height: side }),
      ...grid(map, { ...at, width: side, height: side }, colour, 0.5),
    ];
  });
}

function cells({ rows, labels }, room) {
  const largest = Math.max(...rows.flat().map(Math.abs));
  const colour = (value, row) =>
    labels[row] ? mix(labels[row], Math.round(100 * Math.min(1, Math.abs(value) / largest))) : tint(value, largest);
  const taken = labels.length ? { ...room, height: Math.min(room.height, 16 * rows.length) } : room;
  return grid(rows, { ...taken, y: room.y + (room.height - taken.height) / 2 }, colour, labels.length ? 2 : 0.5);
}

function grid(rows, { x, y, width, height }, colour, gap) {
  const w = width / rows[0].length;
  const h = height / rows.length;
  return rows.flatMap((row, i) =>
    row.map((value, j) =>
      svg("rect", { x: x + j * w, y: y + i * h, width: w - gap, height: h - gap, style: `fill: ${colour(value, i)}` }),
    ),
  );
}

function curves({ rows, labels }, { x, y, width, height }) {
  const all = rows.flat();
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const point = (value, n, of) =>
    [x + (n / (of - 1)) * width, y + height - 2 - ((value - low) / (high - low)) * (height - 4)]
      .map((each) => each.toFixed(1))
      .join(" ");
  return [
    ...rows.map((row, n) =>
      svg("path", { d: `M${row.map((value, i) => point(value, i, row.length)).join(" L")}`, class: `curve c${n}` }),
    ),
    ...labels.map((label, n) => svg("text.small.right", { x: x + width, y: y + 13 + TEXT * n }, label)),
  ];
}

function bars({ rows: [values], labels }, { x, y, width, height }) {
  const room = labels.length ? height - 2 * TEXT : height;
  const top = y + height - room;
  const largest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const zero = top + (largest / (largest - lowest)) * room;
  const w = width / values.length;
  return [
    ...labels.map((label, n) =>
      svg("text", { x: x + width / 2, y: y + 11 + TEXT * n, class: n ? "small" : "word" }, label),
    ),
    ...values.map((value, n) => {
      const size = (Math.abs(value) / (largest - lowest)) * room;
      return svg("rect", {
        x: x + n * w,
        y: value < 0 ? zero : zero - size,
        width: w - 2,
        height: Math.max(size, 0.6),
        style: `fill: ${lowest < 0 ? tint(value, largest) : "var(--ink)"}`,
      });
    }),
    svg("path.zero", { d: `M${x} ${zero} H${x + width - 2}` }),
  ];
}

function steps({ rows: [, [n]], labels }, { x, y, width, height }) {
  const middle = y + height / 2;
  const at = (i) => x + 5 + (i / (n - 1)) * (width - 10);
  const hops = Array.from(
    { length: n - 1 },
    (_, i) => `M${at(i)} ${middle} Q${(at(i) + at(i + 1)) / 2} ${middle + 15} ${at(i + 1)} ${middle}`,
  );
  return [
    svg("path.curve", { d: `M${at(0)} ${middle} Q${x + width / 2} ${y - height / 3} ${at(n - 1)} ${middle}` }),
    svg("path.curve.c1", { d: hops.join(" ") }),
    ...Array.from({ length: n }, (_, i) => svg("circle.dot", { cx: at(i), cy: middle, r: 3.2 })),
    svg("text.small", { x: x + width / 2, y: middle - 6 }, labels[1]),
    svg("text.small", { x: x + width / 2, y: middle + 26 }, labels[0]),
  ];
}

export default mount(".model-map", ModelMap);
