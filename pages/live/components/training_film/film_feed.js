// Hands new frames to the film, which hears of them by an event of the window. It shows nothing itself.

export default ({ data }) => {
  if (data) window.dispatchEvent(new CustomEvent("attention-lab-film", { detail: data }));
};
