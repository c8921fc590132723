// The heads that are chosen together, as chips above the map.

import { el } from "./lab.js";

/** The heads that are shown together, each with a way to take it away. */
export function paintChosen(view, node) {
  const all = view.chosen;
  if (all.length < 2 && node.hidden) return;
  node.hidden = all.length < 2;
  const isSolo = ([l, h]) => view.solo && view.solo[0] === l && view.solo[1] === h;
  node.replaceChildren(
    ...(all.length < 2 ? [] : all).map((head, at) => {
      const [l, h] = head;
      const solo = () => view.set({ solo: isSolo(head) ? null : head });
      return el(
        "span",
        {
          class: `chip ${view.solo && !isSolo(head) ? "out" : ""}`,
          style: `--dot:${view.colours.heads[at % view.colours.heads.length]}`,
        },
        el(
          "button",
          {
            type: "button",
            "aria-pressed": String(Boolean(isSolo(head))),
            "aria-label": `layer ${l}, head ${h}: show it alone`,
            title: "Show it alone, or all again",
            onclick: solo,
          },
          `layer ${l}, head ${h}`,
        ),
        el(
          "button",
          { type: "button", "aria-label": `Take layer ${l}, head ${h} away`, onclick: () => view.select(l, h, true) },
          "×",
        ),
      );
    }),
  );
}
