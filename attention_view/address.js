// Shared by the components: what is chosen stands in the address bar, so that a link brings it back.

/** Let `change` set and delete its own parameters of the address; what it leaves alone stays. */
function mirror(change) {
  const params = new URLSearchParams(location.search);
  change(params);
  const search = params.toString();
  if (search === location.search.slice(1)) return;
  history.replaceState(history.state, "", location.pathname + (search && "?" + search) + location.hash);
  // Hosted apps live in a frame; the page around it keeps the address that people copy.
  if (window.parent !== window)
    window.parent.postMessage(
      { stCommVersion: 1, type: "SET_QUERY_PARAM", queryParams: search && "?" + search },
      location.origin,
    );
}
