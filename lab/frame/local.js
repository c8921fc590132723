// Whether an address is one that no other device can open.

export const LOCAL_ONLY =
  "Phones cannot open this address: it is this computer’s own. " +
  "Open the app by the name or number that it has in your network.";

/** Whether a host, with or without its port, is this computer's own name for itself. */
export const isLocal = (host) => /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])(:|$)/.test(host);
