import { watch } from "../hooks/watch.js";

// Questions to check oneself: what a card replies is read out when it comes, and "Try it" brings the figure into sight.
if (!window.attentionLabReplies) {
  window.attentionLabReplies = true;
  watch(() => {
    for (const card of document.querySelectorAll('[class*="st-key-check-"]:not([aria-live])')) {
      card.setAttribute("aria-live", "polite");
    }
  });

  document.addEventListener("click", ({ target }) => {
    if (!target.closest?.('[class*="st-key-try-"]')) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    const top = document.querySelector('[class*="st-key-switch-"], .st-key-heading');
    top?.scrollIntoView({ behavior, block: "start" });
  });
}
