// The browser's history, to which Streamlit listens: it opens what the address names when one goes Back or Forward, as
// the browser's own popstate tells it. So a link within the app is opened by writing the address, and telling it.

const tell = () => window.dispatchEvent(new PopStateEvent("popstate"));

/** Opens an address of the app as a page of its own in the history. */
export function openPage(address) {
  History.prototype.pushState.call(history, null, "", address); // not as Streamlit's own pushes: see onPush
  tell();
}

/** Keeps the address that is open as an entry of its own: what is written next is the one after it. */
export function keepEntry() {
  History.prototype.pushState.call(history, history.state, "", location.href);
}

/** Opens an address of the app in place of the one that is open. */
export function openInstead(address) {
  History.prototype.replaceState.call(history, history.state, "", address); // not as a write: see onReplace
  tell();
}

/** Opens a link into the app without loading it anew; embedded, it stays so. */
export function go(link) {
  const to = new URL(link, location.href);
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name.startsWith("embed")) to.searchParams.append(name, value);
  }
  history.pushState(null, "", to.href);
  tell();
}

/** Has Streamlit's own pushes decided by write(push, state, title, address). */
export function onPush(write) {
  const push = history.pushState.bind(history);
  history.pushState = (state, title, address) => write(push, state, title, address);
}

/** Has what is written into the entry that is open decided by write(replace, state, title, address). */
export function onReplace(write) {
  const replace = history.replaceState.bind(history);
  history.replaceState = (state, title, address) => write(replace, state, title, address);
}
