// Runs in a page before its own scripts: when the document last changed, and how long an event takes to the end of the
// frame that shows its effect.
(() => {
  const painted = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });

  let last = 0;
  let waits = false;
  new MutationObserver(() => {
    if (waits) return;
    waits = true;
    painted(() => {
      waits = false;
      last = performance.now();
    });
  }).observe(document, { subtree: true, childList: true, attributes: true });

  const fire = (target, event) =>
    new Promise((done) => {
      const start = performance.now();
      target.dispatchEvent(event);
      painted(() => done(performance.now() - start));
    });
  const all = (selector) => [...document.querySelectorAll(selector)];
  const mouse = (type) => new MouseEvent(type, { bubbles: true });

  // What is there once a page is drawn; another layer or head; the pointer on another token or cell. n counts.
  const PAGES = {
    ours: {
      drawn: () => all(".attention-view[data-painted]").length,
      change: (n) => fire(all(".thumbs button")[(13 * n + 1) % 144], mouse("click")),
      hover: (n) => {
        const grid = document.querySelector(".grid");
        const box = grid.querySelector("canvas").getBoundingClientRect();
        const at = {
          clientX: box.left + box.width * (0.4 + 0.05 * n),
          clientY: box.top + box.height * (0.5 + 0.04 * n),
        };
        return fire(grid, new PointerEvent("pointermove", { bubbles: true, ...at }));
      },
    },
    head_view: {
      drawn: () => all("svg line").length,
      change: (n) => {
        const select = document.querySelector("#layer");
        select.value = String(n % 12);
        return fire(select, new Event("change", { bubbles: true }));
      },
      hover: (n) => fire(all("svg text")[n], mouse("mouseover")),
    },
    model_view: {
      drawn: () => all("svg line").length > 1000,
      change: (n) => {
        const heads = all("svg rect").filter((rect) => rect.style.opacity === "0");
        return fire(heads[(13 * n + 1) % 144], mouse("click"));
      },
    },
    circuitsvis: {
      drawn: () => all("canvas").length > 10,
      change: (n) => fire(all("canvas")[(13 * n + 1) % 144], mouse("mouseover")),
    },
  };

  let taken;

  window.bench = {
    last: () => last,
    atRest: (name) => Boolean(PAGES[name].drawn()) && performance.now() - last > 1000,
    // Answers at once, and does it then: who asks can leave off waiting, whatever the page is busy with.
    begin: (name, what, n) => {
      taken = undefined;
      setTimeout(async () => (taken = (await PAGES[name][what]?.(n)) ?? null));
    },
    taken: () => taken,
  };
})();
