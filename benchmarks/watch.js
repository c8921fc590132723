// Runs in a page before the page's own scripts. It notes what goes over the websocket, and takes the time from one
// event to the picture that follows from it.
(() => {
  const sizeOf = (data) => data.byteLength ?? data.size ?? data.length;
  const traffic = { sent: [], received: [] };

  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) =>
        traffic.received.push({ at: performance.now(), bytes: sizeOf(data) }),
      );
    }

    send(data) {
      traffic.sent.push({ at: performance.now(), bytes: sizeOf(data) });
      super.send(data);
    }
  };

  /** The root of the first attention view, inside the shadow tree in which Streamlit keeps a component. */
  const findView = () => {
    for (const host of document.querySelectorAll('[data-testid^="stBidi"]')) {
      const view = host.shadowRoot?.querySelector(".attention-view[data-painted]");
      if (view) return view;
    }
    return null;
  };

  /** Calls back when the next frame is drawn: a task that starts inside a frame's callback runs after its drawing. */
  const afterPaint = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });

  // What is watched, and what tells a new state from the one before. A view repaints for other reasons too (a theme,
  // a width), so new numbers are told by the value of its strongest cell, which is given to the last digit.
  const WATCHED = {
    text: {
      root: () => document.body,
      state: () => document.querySelector('[data-testid="stMarkdown"] p')?.textContent,
    },
    view: { root: findView, state: (view) => view.dataset.painted },
    numbers: {
      root: findView,
      state: (view) => `${view.dataset.value} ${view.querySelectorAll("[data-head]").length}`,
    },
  };

  let pending = null;

  /** From the next `event` until what `watched` names has changed and is painted. */
  function arm(event, watched, patience) {
    const { root, state } = WATCHED[watched];
    const target = root();
    let before = null;
    const sentBefore = traffic.sent.length;
    const receivedBefore = traffic.received.length;
    pending = new Promise((resolve, reject) => {
      let start = null;
      const observer = new MutationObserver(() => {
        if (start === null || state(target) === before) return;
        const changed = performance.now();
        observer.disconnect();
        clearTimeout(alarm);
        afterPaint(() => {
          const painted = performance.now();
          const sent = traffic.sent[sentBefore];
          const answers = traffic.received.slice(receivedBefore).filter(({ at }) => at <= changed);
          const last = answers.at(-1)?.at ?? changed;
          resolve({
            total: painted - start,
            script: changed - start,
            server: sent ? last - sent.at : null,
            browser: sent ? painted - last : null,
            payload: answers.reduce((most, { bytes }) => Math.max(most, bytes), 0),
          });
        });
      });
      const alarm = setTimeout(() => {
        observer.disconnect();
        reject(new Error(`nothing new was painted within ${patience} ms of ${event}`));
      }, patience);
      observer.observe(target, { subtree: true, childList: true, characterData: true, attributes: watched !== "text" });
      const begin = () => {
        before = state(target);
        start = performance.now();
      };
      window.addEventListener(event, begin, { capture: true, once: true });
    });
    pending.catch(() => {}); // it is asked for later
  }

  /** A number that stands for every pixel of the view. Reads copies, so that its canvases stay as they are. */
  function pixels() {
    const copy = document.createElement("canvas");
    const context = copy.getContext("2d", { willReadFrequently: true });
    let hash = 0;
    for (const canvas of findView().querySelectorAll("canvas")) {
      if (!canvas.width || !canvas.height) continue;
      [copy.width, copy.height] = [canvas.width, canvas.height];
      context.drawImage(canvas, 0, 0);
      const words = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      for (const word of words) hash = (Math.imul(hash, 31) + word) | 0;
    }
    return hash;
  }

  // When a heading, a text, and a view were first on screen, from the start of the navigation.
  const first = { heading: null, text: null, view: null };
  const look = () => {
    if (document.querySelector("h1")?.offsetHeight) first.heading ??= performance.now();
    if (WATCHED.text.state()) first.text ??= performance.now();
    if (findView()) first.view ??= performance.now();
    else afterPaint(look);
  };
  afterPaint(look);

  window.bench = {
    arm,
    result: () => pending,
    pixels,
    first,
    painted: () => Number(findView()?.dataset.painted),
  };
})();
