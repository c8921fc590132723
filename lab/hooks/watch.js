// What Streamlit draws comes and goes without a word, so the page is watched: by one observer, for all who ask.

/** Calls `look` after elements of the page have come or gone, and after changes of these kinds: "characterData", or
 * "attributes", of data-state alone. Returns what ends that. */
export function watch(look, ...kinds) {
  const watchers = (window.attentionLabWatchers ??= observed(new Map()));
  watchers.set(look, ["childList", ...kinds]);
  return () => watchers.delete(look);
}

function observed(watchers) {
  const notice = (changes) => {
    const seen = new Set(changes.map(({ type }) => type));
    for (const [look, kinds] of watchers) {
      try {
        if (kinds.some((kind) => seen.has(kind))) look();
      } catch (error) {
        reportError(error); // the others look all the same
      }
    }
  };
  const changes = { childList: true, characterData: true, attributes: true, attributeFilter: ["data-state"] };
  new MutationObserver(notice).observe(document.body, { subtree: true, ...changes });
  return watchers;
}
