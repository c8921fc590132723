// A beam search as a tree from left to right: a column a step, the best on top. Pointing at a node says its numbers.

const SVG = "http://www.w3.org/2000/svg";
const COLUMN = 118,
  ROW = 40,
  BOX = 100,
  LEFT = 84,
  TOP = 30;
const FATES = {
  kept: "goes on",
  finished: "finished",
  cut: "stopped: too long",
  dropped: "dropped: others were better",
};

function shape(tag, props = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  if (text != null) node.textContent = text;
  return node;
}

const shorten = (word) => (word.length > 10 ? `${word.slice(0, 9)}…` : word);
const percent = (p) =>
  p >= 0.9995 ? "100%" : p >= 0.1 ? `${(100 * p).toFixed(0)}%` : p >= 0.001 ? `${(100 * p).toFixed(1)}%` : "<0.1%";
const signed = (x) =>
  x
    .toFixed(3)
    .replace("-", "−")
    .replace(/^−(0\.0+)$/, "$1");

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".beam-tree");
  const signature = JSON.stringify(data);
  if (root.dataset.signature === signature) return;
  const { steps, best, alt } = data;
  const rows = Math.max(...steps.map((step) => step.length));
  const width = LEFT + steps.length * COLUMN,
    height = TOP + rows * ROW + 6;
  const at = (t, n) => (t < 0 ? { x: 8, y: TOP + ROW / 2 } : { x: LEFT + t * COLUMN, y: TOP + (n + 0.5) * ROW });
  const say = document.createElement("p");
  say.className = "say";
  say.setAttribute("role", "status");
  const usual = "Point at a word to see its numbers. The best of a step stands on top.";
  say.textContent = usual;
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": alt });
  steps.forEach((_, t) =>
    svg.append(shape("text", { x: at(t, 0).x + BOX / 2, y: 16, class: "quiet middle" }, `step ${t + 1}`)),
  );
  const won = (t, n) => best[t] === n;
  const edges = [],
    boxes = [];
  steps.forEach((step, t) =>
    step.forEach((node, n) => {
      const from = at(t - 1, Math.max(node.parent, 0)),
        to = at(t, n);
      const x1 = t ? from.x + BOX : from.x + 62,
        middle = (x1 + to.x) / 2;
      const state = `${node.fate} ${won(t, n) ? "won" : ""}`;
      edges.push([
        won(t, n),
        shape("path", {
          class: `edge ${state}`,
          d: `M${x1} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`,
        }),
      ]);
      const text = `${node.text}: ${percent(node.p)} for “${node.word}”, score ${signed(node.score)}, ${FATES[node.fate]}`;
      const box = shape("g", { class: `node ${state}`, tabindex: 0, role: "img", "aria-label": text });
      box.append(
        shape("rect", { x: to.x, y: to.y - 16, width: BOX, height: 32, rx: 8 }),
        shape("text", { x: to.x + 8, y: to.y + 5 }, shorten(node.word)),
        shape("text", { x: to.x + BOX - 7, y: to.y + 4, class: "small end" }, percent(node.p)),
      );
      box.onpointerenter = box.onfocus = () => (say.textContent = text);
      box.onpointerleave = box.onblur = () => (say.textContent = usual);
      boxes.push(box);
    }),
  );
  edges.sort((a, b) => a[0] - b[0]);
  const start = at(-1, 0);
  const begin = shape("g", { class: "node won" });
  begin.append(shape("text", { x: start.x, y: start.y + 5 }, "⟨start⟩"));
  svg.append(...edges.map(([, edge]) => edge), begin, ...boxes);
  const scroll = document.createElement("div");
  scroll.className = "scroll";
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "The tree, to be scrolled sideways");
  scroll.append(svg);
  root.replaceChildren(scroll, say);
  root.dataset.signature = signature;
  root.dataset.nodes = String(boxes.length);
}
