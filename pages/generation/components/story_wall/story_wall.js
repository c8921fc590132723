// A hundred texts, a line each and a cell for every word: slate as long as it is right, amber where it goes wrong,
// faint from there on. The text of a line is read beside the wall.

import { el, mount, pointIn, svg, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";

const words = (text) => text.split(/\s+/).filter(Boolean);

/** Lines with their words counted, those that are right the longest first: whole ones, then by the first wrong word. */
export function sorted(lines) {
  const counted = lines.map((line, number) => {
    const [good, rest] = [words(line.right), words(line.rest)];
    return { ...line, number, good: good.length, all: good.length + rest.length, wrong: rest[0] ?? "" };
  });
  const isWhole = ({ wrong }) => (wrong ? 0 : 1);
  return counted.sort((a, b) => isWhole(b) - isWhole(a) || b.good - a.good || a.number - b.number);
}

class StoryWall {
  constructor(root) {
    this.root = root;
    this.title = el("p.title");
    this.wall = svg("svg.wall", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.frame = el(
      "div.frame",
      {
        tabindex: "0",
        role: "slider",
        "aria-label": "Text that is read",
        "aria-valuemin": "1",
        onpointermove: (event) => this.point(event),
        onpointerdown: (event) => this.point(event),
        onkeydown: (event) => this.walk(event),
      },
      this.wall,
    );
    this.story = el("p.story", { role: "status" });
    const axis = el("p.axis", el("span", "first word"), el("span", "words →"));
    root.replaceChildren(el("div.sheet", el("div", this.title, this.frame, axis), this.story));
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.data = data;
    this.lines = sorted(data.lines);
    write(this.title, `Temperature ${data.temperature}: ${data.said}`);
    this.build();
    const wrong = this.lines.findIndex((line) => line.wrong);
    this.read(wrong < 0 ? 0 : wrong);
    this.root.dataset.lines = String(this.lines.length);
  }

  build() {
    const longest = Math.max(1, ...this.lines.map(({ all }) => all));
    const n = this.lines.length;
    this.wall.setAttribute("viewBox", `0 0 ${longest} ${n}`);
    this.frame.setAttribute("aria-valuemax", n);
    const cells = this.lines.flatMap(({ good, all, wrong }, y) => {
      const bar = (kind, x, width) => (width > 0 ? [svg(`rect.${kind}`, { x, y: y + 0.12, width, height: 0.76 })] : []);
      const kind = this.data.graded ? "good" : "ended";
      return [
        ...bar(kind, 0, good),
        ...(wrong ? [...bar("wrong", good, 1), ...bar("after", good + 1, all - good - 1)] : []),
      ];
    });
    this.at = svg("rect.at", { x: 0, width: longest, height: 1.5 });
    this.wall.replaceChildren(...cells, this.at);
  }

  point(event) {
    const y = pointIn(event, this.frame)[1] / this.frame.clientHeight;
    this.read(Math.max(0, Math.min(this.lines.length - 1, Math.floor(y * this.lines.length))));
  }

  walk(event) {
    const next = inRow(event, this.line, this.lines.length);
    if (next === null) return;
    event.preventDefault();
    this.read(next);
  }

  /** Show the text of a line. */
  read(line) {
    this.line = line;
    this.at.setAttribute("y", line - 0.25);
    const { right, rest, wrong, fate, good } = this.lines[line];
    const after = rest.slice(rest.indexOf(wrong) + wrong.length);
    const said = wrong ? `wrong from word ${good + 1} on` : fate;
    this.frame.setAttribute("aria-valuenow", line + 1);
    this.frame.setAttribute("aria-valuetext", `Text ${line + 1}: ${said}`);
    const glue = /^[.,?!]/.test(wrong) || !right ? "" : " ";
    this.story.replaceChildren(
      el("small", said),
      right,
      ...(wrong ? [glue, el("b", wrong), el("span.after", after)] : []),
    );
  }
}

export default mount(".story-wall", StoryWall);
