// Draws figures/model_map.py. Every block can be pointed at and reached with Tab; blocks with a page open it.

const SVG = "http://www.w3.org/2000/svg";
const BOX = 58;

function shape(tag, props, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".model-map");
  const { width, height, blocks, frames, arrows, alt, hint } = data;
  const say = document.createElement("p");
  say.className = "say";
  say.textContent = hint;

  const svg = shape("svg", { viewBox: `-3 0 ${width + 6} ${height}`, role: "group", "aria-label": alt });
  svg.append(
    shape(
      "defs",
      {},
      shape(
        "marker",
        { id: "head", viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 6, markerHeight: 6, orient: "auto" },
        shape("path", { d: "M0 0 L6 3 L0 6 z", class: "head" }),
      ),
    ),
  );
  for (const f of frames) {
    svg.append(shape("rect", { x: f.x, y: f.y, width: f.width, height: f.height, rx: 14, class: "frame" }));
    const label = shape("text", { x: f.x + 16, y: f.y + 21, class: "small" });
    label.textContent = f.label;
    svg.append(label);
  }
  for (const d of arrows) svg.append(shape("path", { d, class: "arrow", "marker-end": "url(#head)" }));
  for (const b of blocks) {
    const text = `${b.label}, ${b.shape}. ${b.help}`;
    const name = shape("text", { x: b.x + b.width / 2, y: b.y + 25, class: "label" });
    name.textContent = b.label;
    const size = shape("text", { x: b.x + b.width / 2, y: b.y + 44, class: "small" });
    size.textContent = b.shape;
    const block = shape(
      "g",
      {
        tabindex: 0,
        role: b.page ? "link" : "img",
        "aria-label": text,
        class: `block ${b.colour} ${b.page ? "door" : ""}`,
      },
      shape("rect", { x: b.x, y: b.y, width: b.width, height: BOX, rx: 9 }),
      name,
      size,
    );
    block.onpointerenter = block.onfocus = () => (say.textContent = b.help);
    block.onpointerleave = block.onblur = () => (say.textContent = hint);
    if (b.page) {
      block.onclick = () => setTriggerValue("open", b.page);
      block.onkeydown = (e) => e.key === "Enter" && setTriggerValue("open", b.page);
    }
    svg.append(block);
  }
  const scroll = document.createElement("div");
  scroll.className = "scroll";
  scroll.append(svg);
  root.replaceChildren(scroll, say);
}
