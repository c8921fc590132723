"""What the masks page chooses and shows: the mask that was asked for, named or painted, and its panels.

The painted mask stands in the link as a short string; whatever comes from a link or from the browser is read by
components/mask_brush/code.py, which takes nothing but a mask of booleans of a size that is allowed.
"""

import streamlit as st

from pages.masks import data
from pages.masks import figures as figures
from pages.masks.components.mask_brush import MOST, Panel, fitted, mask_brush, pack, painted, unpack
from pages.shared import controls, display, readers, settings, teaching
from pages.shared.components.attention_view import attention_view

NAMES = ("none", "causal", "window", "causal window", "causal prefix", "padding", "painted")
SPANS = {"window": "window", "causal window": "window", "causal prefix": "prefix", "padding": "padding"}
MADE_BY = {  # the function of transformer/masks.py behind a name
    "causal": "causal", "window": "sliding_window", "causal window": "sliding_window", "causal prefix": "prefix",
    "padding": "padding",
}  # fmt: skip
THREE = {"Encoder self": "encoder", "Decoder self": "decoder", "Cross": "cross"}
MOST_IN_ROW = 6  # so that every weight of a blocked row can be read on a phone
_BRUSH = "mask_brush"


def tokens_of(sentence: controls.Sentence) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """As many tokens as a mask can be painted for, and what is to be said of the rest."""
    left_out = len(sentence.tokens) + sentence.left_out - MOST
    if left_out <= 0:
        return sentence.tokens, sentence.notices
    said = f"The first {MOST} tokens are shown; {left_out:,} more are left out, so that every cell can be painted."
    return sentence.tokens[:MOST], (*(note for note in sentence.notices if "letters" in note), said)


def choose_mask(T: int, say: list[str]) -> tuple[str, str]:
    """The mask for T tokens, by name or as painted: (name, short string). The widgets go where the page stands."""
    name = controls.choose(
        st.segmented_control,
        "Mask",
        "mask",
        NAMES,
        "causal",
        say,
        help="Who may look at whom. Causal: itself and what came before. Window: near words only. Causal window: "
        "itself and a few before. Causal prefix: as causal, but the first few are open to all. Padding: the last few "
        "are filling, closed to all. Paint on any of them, and it becomes your own.",
    )
    span = 0
    if name in SPANS:
        label, help = controls.SPANS[SPANS[name]]
        span = controls.choose(st.select_slider, label, "span", range(1, 33), 3, say, help=help, width=190)
    pinned = settings.replaying()
    if pinned:
        return name, data.mask_named(name, T, span) if name != "painted" else _pinned_mask(T, pinned)
    code = data.mask_named(name, T, span) if name != "painted" else _painted_mask(T, say)
    if name == "painted":
        settings.note("painted", "painted mask", code, "", long=True)
    st.session_state["_mask_shown"] = code
    if name != "painted":
        st.query_params.pop("painted", None)
    elif st.query_params.get("painted") != code:
        st.query_params["painted"] = code
    return name, code


def _pinned_mask(T: int, pinned: settings.Answers) -> str:
    usual = data.mask_named("causal", T, 0)
    code = pinned.take_text("painted", "painted mask", usual, lambda text: text if unpack(text) is not None else None)
    return pack(fitted(unpack(code), T))


def _painted_mask(T: int, say: list[str]) -> str:
    kept, asked = st.session_state.get("_mask_painted"), st.query_params.get("painted")
    mask = unpack(kept if kept is not None else asked)
    if mask is None and asked is not None and kept is None:
        say.append("You see the causal mask: the painted one in the link cannot be read.")
        mask = unpack(data.mask_named("causal", T, 0))
    if mask is None:  # nothing was painted yet: begin with what was on screen
        mask = unpack(st.session_state.get("_mask_shown") or data.mask_named("causal", T, 0))
    st.session_state["_mask_painted"] = pack(mask)
    if len(mask) != T:
        say.append(f"This mask was painted for {len(mask)} tokens. What fits is kept; new tokens look back only.")
    return pack(fitted(mask, T))


def _keep_painted() -> None:
    mask = painted(_BRUSH)
    if mask is not None:
        st.session_state["_mask_painted"] = pack(mask)
        st.session_state["mask"] = "painted"


def brush(tokens: tuple[str, ...], code: str, *, upside_down: bool) -> None:
    """The mask to paint on, and what it makes of one head's scores."""
    with display.loading(400):
        seen = data.mask_stages(tokens, code, upside_down)
    mask = unpack(code)
    applied = ~mask if upside_down else mask
    panels = [
        Panel("Mask", "mask", tokens, tokens, mask=mask),
        Panel("Scores", "scores", tokens, tokens, seen.scores),
        Panel("Masked scores", "scores", tokens, tokens, seen.masked, applied, "−∞"),
        Panel("Weights", "weights", tokens, tokens, seen.weights, applied, "exactly 0"),
    ]
    open = int(mask.sum())
    alt = f"A mask for {len(tokens)} tokens, {open} of {mask.size} cells open, and the scores and weights under it."
    mask_brush(panels, key=_BRUSH, paint=True, alt=alt, on_paint=_keep_painted)


def leak_brush(tokens: tuple[str, ...], code: str, position: int) -> None:
    """The mask to paint holes into, and after how many layers each token can have heard of each."""
    with display.loading(400):
        needed = data.mask_layers_needed(code)
    panels = [
        Panel("Mask", "mask", tokens, tokens, mask=unpack(code)),
        Panel("Layers until it is heard", "steps", tokens, tokens, needed, needed >= 0, "never"),
    ]
    alt = f"The mask, and after how many layers each of {len(tokens)} tokens can have heard of each other."
    mask_brush(panels, key=_BRUSH, paint=True, marked=position, alt=alt, on_paint=_keep_painted)


def leak(tokens: tuple[str, ...], code: str, position: int, word: str, n_layers: int) -> None:
    """What an edit really moved in the model, beside what the mask predicts."""
    with display.loading(400):
        seen = data.mask_leak(tokens, code, position, word, n_layers)
    T, predicted, moved = len(tokens), int(seen.predicted[-1].sum()), int(seen.output.sum())
    verdict = "They agree." if seen.agree else "They do **not** agree: look for a dot without a ring."
    old, new = (display.plain(token if len(token) <= 24 else token[:23] + "…") for token in (tokens[position], word))
    st.markdown(
        f":orange[**{old}**] becomes :orange[**{new}**]. Of {T} outputs, the mask predicts that **{predicted}** move."
        f" In the model :blue[**{moved}**] did. {verdict}"
    )
    listed = ", ".join(token for token, moves in zip(tokens, seen.output, strict=True) if moves)
    display.figure(
        figures.ladder(seen.moved, seen.change, seen.predicted, unpack(code), tokens, position),
        key="mask_ladder",
        alt=f"Which tokens moved at every height of {n_layers} layers after an edit of {tokens[position]}. Outputs that"
        f" moved: {listed or 'none'}. {'As predicted.' if seen.agree else 'Not as predicted.'}",
    )


def reached(code: str) -> str:
    """How much of the text can hear of how much, once there are layers enough, in a sentence."""
    needed = data.mask_layers_needed(code)
    heard, pairs, most = int((needed >= 0).sum()), needed.size, int(needed.max())
    layers = "1 layer" if most <= 1 else f"{most} layers"
    if heard < pairs:
        return (
            f"With this mask {heard} of the {pairs} pairs are ever connected, in {layers} at most; the others never"
            " are, however deep the model."
        )
    if most <= 1:
        return "With this mask every output is connected to every input, in one layer."
    return f"With this mask every output is connected to every input, but it takes {most} layers."


def blocked_row(tokens: tuple[str, ...], n_allowed: int, dtype: str) -> list[tuple[str, str, str, str]]:
    """Three ways of blocking the same row; returns (way, sum of the weights, output, gradient or error) of each."""
    tokens = tokens[:MOST_IN_ROW]
    with display.loading(300):
        fills = data.mask_fills(tokens, n_allowed, dtype)
    said = []
    for fill in fills:
        if fill.error:
            said.append((fill.name, "–", "–", fill.error))
            continue
        finite = bool(abs(fill.gradient).max() < float("inf"))
        said.append((fill.name, _number(fill.weights.sum()), _number(fill.output), "finite" if finite else "NaN"))
    display.figure(
        figures.blocked_rows(
            [fill.name for fill in fills],
            [fill.weights for fill in fills],
            [n < n_allowed for n in range(len(tokens))],
            tokens,
        ),
        key="mask_fills",
        alt=f"One row of weights with {n_allowed} keys allowed, in {dtype}: "
        + "; ".join(f"{way} sums to {total}" if total != "–" else f"{way} fails" for way, total, _, _ in said),
    )
    return said


def three(source: tuple[str, ...], target: tuple[str, ...], n_pads: int, which: str) -> dict[str, tuple[int, ...]]:
    """The attentions of an encoder-decoder, all three or one; returns the shape of each one's weights (H, T, S)."""
    with display.loading(400):
        seen = data.mask_three(source, target, n_pads)
    if which in THREE:
        attention_view(seen.packed[THREE[which]], key=f"masks_{THREE[which]}", url="masks_")
    else:
        blocked = {"encoder": "padding, 0", "decoder": "the future, 0", "cross": "padding, 0"}
        panels = [
            Panel(title, "weights", m.queries, m.keys, m.weights[0, 0], m.mask, blocked[kind])
            for title, kind in (("Encoder self", "encoder"), ("Decoder self", "decoder"), ("Cross", "cross"))
            for m in [seen.maps[kind]]
        ]
        alt = f"Three attentions of an encoder-decoder that reads {len(source)} words and has written {len(target)}."
        mask_brush(panels, key="mask_three", alt=alt)
    return {kind: m.weights.shape[1:] for kind, m in seen.maps.items()}


def batch(kind: readers.Kind, sentences: tuple[tuple[str, ...], ...], masked: bool) -> None:
    """Each sentence of a padded batch in its own panel, and how far it is from the sentence alone."""
    with display.loading(400):
        seen = data.mask_batch(kind, sentences, masked)
    T = seen.weights.shape[-1]
    panels = []
    for b, words in enumerate(sentences):
        names = words + ("⟨pad⟩",) * (T - len(words))
        mask = None if seen.allowed[b].all() else seen.allowed[b]
        panels.append(Panel(f"Sentence {b + 1}", "weights", names, names, seen.weights[b, 0], mask, "blocked, 0"))
    apart = ", ".join(f"**{_number(d)}**" for d in seen.apart)
    equal = bool((seen.apart < 1e-4 * seen.largest).all())
    verdict = "the same but for rounding" if equal else "**not** the same: the padding got into the sentences"
    st.markdown(
        "Sentences that go through a model together, as a **batch**, must be equally long, so the shorter ones are "
        "filled up with ⟨pad⟩, the padding. Does that change them? Each sentence in the batch, beside the same "
        f"sentence alone: the model's answers (logits) of up to {_number(seen.largest)} differ by at most {apart}. "
        f"That is {verdict}."
    )
    mask_brush(panels, key="mask_batch", alt=f"{len(sentences)} sentences in one batch, padded to {T} tokens.")


def broadcast(kind: readers.Kind, sentences: tuple[tuple[str, ...], ...], masked: bool) -> None:
    """How the masks' shapes meet those of the weights, as a formula."""
    shapes = data.mask_batch(kind, sentences, masked).shapes
    names = {"padding": "padding", "causal": "causal", "weights": "weights"}
    parts = {
        name: rf"\underbrace{{{shapes[name]}}}_{{\text{{{text}}}}}" for name, text in names.items() if name in shapes
    }
    weights = parts.pop("weights").replace(str(shapes["weights"]), rf"\w{{{shapes['weights']}}}")
    st.markdown(
        "A mask is as small as it can be, and stretches to the weights where it has a 1, or nothing at all: the same "
        "for every head, and padding the same for every query. Sizes are (batch, heads, queries, keys)."
        if parts
        else "No mask at all: every query sees every key of its row of the batch, padding included."
    )
    teaching.formula(r" \;\&\; ".join(parts.values()) + (r" \;\to\; " if parts else "") + weights)


def middle(tokens: tuple[str, ...]) -> int:
    """The number of the token that is edited at first, counted from 1: one with tokens on both sides."""
    return len(tokens) // 2 + 1


def new_word(old: str, say: list[str]) -> str:
    """A box for the word that takes the place of `old`; of several the first counts."""
    pinned = settings.replaying()
    if pinned:
        typed = pinned.take_text("masks_word", "new word", "dragon", str)
    else:
        typed = st.text_input("becomes", "dragon", key="masks_word", bind="query-params", width=150)
        settings.note("masks_word", "new word", typed, "dragon", long=True)
    words = controls.cut((typed or "")[:200]).tokens
    if not words:
        say.append("There is no new word, so nothing is edited.")
        return old
    if len(words) > 1:
        say.append(f"One token becomes one token: “{words[0][:24]}”.")
    if words[0] == old:
        say.append("The new word is the old one, so nothing can move.")
    return words[0]


def target(usual: str, say: list[str]) -> tuple[str, ...]:
    """A box for what the decoder has written so far, as tokens."""
    pinned = settings.replaying()
    if pinned:
        typed = pinned.take_text("target", "target", usual, str)
    else:
        typed = st.text_input("Target so far", usual, key="target", bind="query-params", width=360)
        settings.note("target", "target", typed, usual, long=True)
    words = controls.cut((typed or "")[: controls.MAX_LETTERS]).tokens
    if len(words) > MOST - 1:
        say.append(f"The first {MOST - 1} tokens of the target are shown; {len(words) - MOST + 1:,} are left out.")
    return words[: MOST - 1]


def _number(value: float) -> str:
    return "NaN" if value != value else f"{value:.2g}" if abs(value) < 1e-3 else f"{value:.3g}"


def wiring(fed: dict[str, str], lengths: dict[str, int], made, home: str) -> None:
    """The three ports as they are fed, and what came of it."""
    if made.n_outputs is None:
        verdict = (
            f"**Nothing comes out.** There is a weight for each of {lengths[fed['keys']]} keys, but there are "
            f"{lengths[fed['values']]} values."
        )
    elif made.name:
        verdict = f"This is **{made.name}**: {made.n_outputs} vectors ask, and {made.n_outputs} come back."
    elif home in made.fits:
        verdict = (
            f"**It runs, and is wrong.** Both texts have {made.n_outputs} words, so every shape fits; but this is none of "
            "the three attentions of a Transformer."
        )
    else:
        verdict = f"**{made.n_outputs} vectors come out, and the {home} has {lengths[home]}**: they cannot be added to its stream."
    out = "nothing" if made.n_outputs is None else f"{made.n_outputs} vectors"
    display.figure(
        figures.ports(fed, lengths, made.n_outputs, home),
        key="masks_ports",
        alt="; ".join(f"{name} from the {stream}" for name, stream in fed.items()) + f". Out: {out}.",
    )
    heard = " and ".join(sorted(made.depends_on))
    st.markdown(verdict + (f" The output depends on: {heard}, by its gradient." if heard else ""))
