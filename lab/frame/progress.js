import { DOM } from "../hooks/dom.js";
import { watch } from "../hooks/watch.js";

// Which questions a reader has solved: kept in the reader's own browser, and sent nowhere.
//
// A question tells its state by a marker, an element with data-check="why-path" and data-state="open", "right" or
// "wrong"; its key begins with the url of its page. Without storage, as in some private windows, what was solved lasts
// until the tab is closed.
if (!window.attentionLabProgress) {
  const KEPT = "attention-lab-solved";
  const SHAPE = /^[a-z]+-[\w-]{1,80}$/;
  const MOST = 500; // keys; more than that nobody has solved
  const read = () => {
    try {
      const keys = JSON.parse(localStorage.getItem(KEPT));
      return new Set(Array.isArray(keys) ? keys.filter((key) => SHAPE.test(key)).slice(0, MOST) : []);
    } catch {
      return new Set(); // no storage, or something else in it
    }
  };
  const counted = new Set(); // markers are counted once a visit, so that what is forgotten stays forgotten
  let solved = read();

  const keep = () => {
    try {
      if (solved.size) localStorage.setItem(KEPT, JSON.stringify([...solved]));
      else localStorage.removeItem(KEPT);
    } catch {
      // It lasts as long as this tab.
    }
  };
  const totals = () => JSON.parse(document.querySelector("[data-checks]")?.dataset.checks ?? "{}");
  /** {solved, total} of one page by its url, or of all pages together. */
  const of = (page) => {
    const all = totals();
    const pages = page === undefined ? Object.keys(all) : [page];
    const sum = (number) => pages.reduce((n, each) => n + number(each), 0);
    const total = (each) => all[each] ?? 0;
    const keys = (each) => [...solved].filter((key) => key.startsWith(`${each}-`)).length;
    return { solved: sum((each) => Math.min(keys(each), total(each))), total: sum(total) };
  };
  const words = ({ solved: n, total }, where) => `${n} of ${total}${where} solved`;
  const write = (node, text) => node.textContent !== text && (node.textContent = text);

  const paint = () => {
    const keys = [...solved].join(" "); // for style sheets
    if (document.documentElement.dataset.solved !== keys) document.documentElement.dataset.solved = keys;
    for (const node of document.querySelectorAll(".progress[data-page]")) {
      const state = of(node.dataset.page);
      node.querySelectorAll("i").forEach((dot, n) => dot.classList.toggle("on", n < state.solved));
      const noun = node.dataset.noun;
      write(node.lastElementChild, words(state, ` ${noun}${state.total === 1 ? "" : "s"} on this page`));
    }
    for (const node of document.querySelectorAll("[data-solved-of]")) {
      const { solvedOf, total } = node.dataset;
      const n = Math.min(total, [...solved].filter((key) => key.startsWith(`${solvedOf}-`)).length);
      write(node, n ? words({ solved: n, total }, " questions") : "");
    }
    for (const node of document.querySelectorAll(".progress-of-all")) write(node, words(of(), ""));
    for (const link of document.querySelectorAll(`${DOM.menuLink}, ${DOM.sideLink}, .st-key-contents ${DOM.door}`)) {
      const { solved: n, total } = of(new URL(link.href).pathname.split("/").pop());
      const mark = n ? (n === total ? "✓" : `${n}/${total}`) : "";
      if ((link.dataset.solved ?? "") !== mark) link.dataset.solved = mark;
    }
  };
  const tell = () => {
    paint();
    window.dispatchEvent(new Event("attention-lab-progress"));
  };
  const look = () => {
    const before = solved.size;
    for (const { dataset } of document.querySelectorAll('[data-check][data-state="right"]')) {
      if (counted.has(dataset.check) || !SHAPE.test(dataset.check) || solved.size >= MOST) continue;
      counted.add(dataset.check);
      solved.add(dataset.check);
    }
    if (solved.size === before) return paint();
    keep();
    tell();
  };

  window.attentionLabProgress = { of };
  window.addEventListener("storage", ({ key }) => {
    if (key !== KEPT && key !== null) return;
    solved = read();
    tell();
  });
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.(".forget-progress");
    if (!button) return;
    solved = new Set();
    keep();
    tell();
  });
  watch(look, "attributes");
  look();
}
