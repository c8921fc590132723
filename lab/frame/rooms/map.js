// The map of a head as both pages of a room draw it: a row for each word that asks, a column for each that it can look
// at. Cells that are masked are hatched.

import { el, mix, strength, svg } from "../../../attention_view/lab.js";

const CELL = 20; // in the units of the picture
const LETTER = 7.5; // of the names
const MOST_LETTERS = 8;

/** The room that the names take: of short words, less. */
export const edgeOf = ({ labels }) =>
  14 + LETTER * Math.min(MOST_LETTERS, Math.max(...labels.map((label) => [...label].length)));

const short = (text) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);
const at = (n, edge) => edge + n * CELL;

/** Whether a cell is masked: a word that is not yet written. */
export const isMasked = (step, [row, column]) => step.masked && column > row;

/** The cell at a place of the picture, x and y from 0 to 1; null beside the map. */
export function cellAt({ labels }, [x, y]) {
  const edge = edgeOf({ labels });
  const size = at(labels.length, edge) + 2;
  const [column, row] = [x, y].map((part) => Math.floor((part * size - edge) / CELL));
  const isOn = (n) => n >= 0 && n < labels.length;
  return isOn(row) && isOn(column) ? [row, column] : null;
}

/** The map as a picture: look(row, column) says what a cell is like: {fill, text, ink, name}. */
export function mapOf(step, label, look = () => ({})) {
  const { labels } = step;
  const edge = edgeOf(step);
  const to = (n) => at(n, edge);
  const size = to(labels.length) + 2;
  const cells = labels.flatMap((_, row) =>
    labels.flatMap((_label, column) => {
      const { fill, text, ink, name } = look(row, column);
      const place = { x: to(column), y: to(row), width: CELL - 1, height: CELL - 1 };
      if (isMasked(step, [row, column])) return [svg("rect.masked", place)];
      const square = svg(`rect.cell${name ? `.${name}` : ""}`, { ...place, style: fill && `fill: ${fill}` });
      if (!text) return [square];
      const middle = { x: to(column) + CELL / 2, y: to(row) + 14.5, style: `fill: ${ink}` };
      return [square, svg("text.many", middle, text)];
    }),
  );
  const rows = labels.map((text, n) => svg("text.asks", { x: edge - 5, y: to(n) + 15 }, short(text)));
  const columns = labels.map((text, n) =>
    svg("text.found", { transform: `translate(${to(n) + 14} ${edge - 5}) rotate(-60)` }, short(text)),
  );
  const hatch = svg("pattern", { id: "masked", width: 5, height: 5, patternUnits: "userSpaceOnUse" });
  hatch.append(svg("path.hatch", { d: "M-1 1L1 -1M0 5L5 0M4 6L6 4" }));
  const props = { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label };
  return svg("svg.map", props, hatch, ...rows, ...columns, ...cells);
}

/** The model's own map; the cells of `marked`, [row, column] each, are framed. */
export function mapOfModel(step, marked = []) {
  const { labels, truth } = step;
  const largest = Math.max(...truth);
  const isMarked = (row, column) => marked.some((one) => one[0] === row && one[1] === column);
  return mapOf(step, "The model’s attention weights", (row, column) => ({
    fill: mix("weight", Math.round(100 * strength(Math.max(0, truth[row * labels.length + column]) / largest))),
    name: isMarked(row, column) ? "marked" : "",
  }));
}

/** How many touched each cell; the cell with the model's largest weight is framed. */
export function mapOfClass(step, counts, best) {
  const of = new Map(counts.map(([row, column, n]) => [`${row} ${column}`, n]));
  const most = Math.max(1, ...of.values());
  const total = counts.reduce((sum, [, , n]) => sum + n, 0);
  return mapOf(step, `${total} cells that the class has touched`, (row, column) => {
    const n = of.get(`${row} ${column}`) ?? 0;
    const share = Math.round(100 * strength(n / most));
    const name = best[0] === row && best[1] === column ? "marked" : "";
    return { fill: mix("ink", share), text: n ? `${n}` : "", ink: share > 50 ? "var(--ground)" : "var(--ink)", name };
  });
}

/** How a phone asks for a cell: touched and drawn to its place, or named. */
export function touched(step, mine, changed, place) {
  let cell = mine ?? null;
  const { labels } = step;
  const said = el("p.cell-said");
  const bands = ["rect.asks", "rect.found"].map((name) => svg(name));
  const dot = svg("rect.chosen");
  const map = mapOf(step, step.ask);
  map.append(...bands, dot);
  const edge = edgeOf(step);
  const to = (n) => at(n, edge);
  const whole = labels.length * CELL;
  const names = ["It asks", "It looks at"].map((label, which) =>
    el(
      "select.box",
      {
        "aria-label": label,
        onchange: (event) => choose(cell?.with(which, Number(event.target.value)) ?? first(which, event)),
      },
      ...labels.map((text, n) => el("option", { value: n }, `${n} ${text}`)),
    ),
  );
  const first = (which, event) => [labels.length - 1, 0].with(which, Number(event.target.value));
  const draw = () => {
    said.replaceChildren(...(cell ? [el("b.query", labels[cell[0]]), " looks at ", el("b.key", labels[cell[1]])] : []));
    names[0].value = labels.length - 1; // the word that asks at first
    if (!cell) return;
    const [row, column] = cell;
    const put = (node, x, y, width, height) =>
      Object.entries({ x, y, width, height }).forEach(([name, value]) => node.setAttribute(name, value));
    put(bands[0], edge, to(row), whole, CELL - 1);
    put(bands[1], to(column), edge, CELL - 1, whole);
    put(dot, to(column), to(row), CELL - 1, CELL - 1);
    names.forEach((name, which) => (name.value = cell[which]));
  };
  const choose = (wanted) => {
    if (!wanted || isMasked(step, wanted)) {
      draw(); // the boxes show what there is
      return;
    }
    cell = wanted;
    draw();
    changed(cell, cell.map((n) => labels[n]).join(" → "));
  };
  const touch = (event) => choose(cellAt(step, place(event, map)));
  draw();
  const fold = el(
    "details",
    el("summary", "Choose by name"),
    ...names.map((box, n) => el("label.knob", ["asks", "looks at"][n], box)),
  );
  return { picture: map, node: el("div.touch-map", said, map, fold), touch };
}
