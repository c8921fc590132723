"""Why attention: how far words are from each other, what it costs, and what this machine says. One view at a time."""

from collections.abc import Callable

import streamlit as st

from pages.shared import catalogue, display, teaching
from pages.shared.controls import choose
from pages.why import data
from pages.why import figures as figures

WORDS = (2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32)  # of the drawn networks
WIDTHS = (2, 3, 4, 5, 7, 9)  # of a convolution, or a window
LENGTHS = tuple(2**n for n in range(1, 18))  # of the charts: 2 to 131,072 words
D_MODELS = (16, 32, 64, 128, 256, 512, 1024)
HEADS = (1, 2, 4, 8, 16)
MEASURED_AT = (32, 64, 128, 256)  # widths that can be measured in about a second
TOO_WIDE = "it is measured at the widths here, not at {}"
WIDE = "d_model: how many numbers stand for a word."
HEAD = "Attention is done several times side by side, on a part of the width each. Each time is a head."
SEES = {"every word": "attention", "what came before": "causal", "a window": "window"}


def views() -> None:
    """The choice of a view, and the one that is open."""
    say: list[str] = []
    name = choose(st.segmented_control, "View", "why_view", VIEWS, next(iter(VIEWS)), say, label_visibility="collapsed")
    display.notice(*say)
    VIEWS[name]()


def _row(n: int):
    return st.grid(n, min_column_width=150, gap="small", vertical_alignment="bottom", key="why-row")


# ---- how far? --------------------------------------------------------------------------------------------------


def _far() -> None:
    say: list[str] = []
    with _row(3):
        n = choose(st.select_slider, "Words n", "why_n", WORDS, 12, say, help="How long the text is.")
        k = choose(
            st.select_slider, "Width k", "why_k", WIDTHS, 3, say,
            help="How many neighbouring words a convolution, or a window, sees at once.",
        )  # fmt: skip
        sees = choose(
            st.segmented_control, "Attention sees", "why_sees", SEES, next(iter(SEES)), say,
            help="A mask says who may look at whom. A window sees fewer than k words away.",
        )  # fmt: skip
    display.notice(*say)
    names = {"recurrent": "Recurrent", "convolution": "Convolution", "dilated": "Dilated", SEES[sees]: "Attention"}
    ways = {name: data.way(network, n, k) for network, name in names.items()}
    tallest = max(made.n_layers for made in ways.values())
    for column, (name, made) in zip(st.columns(4, gap="medium"), ways.items(), strict=True):
        with column:
            st.markdown(f"**{name}**: :green[**{_steps(made.n_steps)}**]")
            display.figure(
                figures.network(n, made.edges, made.path, made.n_layers, tallest),
                key=f"why_{name}",
                alt=f"{name}, {made.n_layers} layers: from word 1 to the output at word {n} in {made.n_steps} steps.",
            )
            st.caption(f"{_layers(made.n_layers)}; a single one connects {made.connected:,} of {n * n:,} pairs.")
    chart, words = st.columns([6, 5], gap="large")
    with chart:
        lengths, lines = data.steps_by_length(LENGTHS, k, SEES[sees])
        display.figure(
            figures.steps_by_length(lengths, lines, n),
            key="why_steps",
            alt="The longest way by the number of words: " + ", ".join(f"{a} {b[-1]:,}" for a, b in lines.items()),
        )
    with words:
        st.markdown(
            "How does the :green[**last**] output hear of the **first** word? Words stand at the bottom, outputs at the"
            " top; the green line is the way, and its **steps** are counted. A recurrent network hands the word on from"
            " place to place. A convolution sees k words at once, so it takes a stack of layers; if each layer leaves"
            " wider gaps (*dilated*), a lower one. With attention, every word looks at every word, in one step. Each"
            " way is the shortest there is, searched in the network as drawn. In the formulas ⌈ ⌉ is rounding up."
        )
        teaching.formula(
            r"\begin{array}{ll}\text{recurrent} & n \\ \text{convolution} & \lceil (n-1) / (k-1) \rceil \\"
            r"\text{dilated} & \lceil \log_k n \rceil \\ \w{\text{attention}} & "
            + (r"\lceil (n-1) / (k-1) \rceil" if SEES[sees] == "window" else "1")
            + r"\end{array}"
        )
        _pairs(SEES[sees], ways["Attention"], n)
        teaching.check(
            "The text gets ten times longer (follow the lines of the chart). How much longer is the way from the first"
            " word to the last?",
            [
                "Ten times, in all of them",
                "About ten times if recurrent or convolution; as before with attention",
                "As before, in all of them",
            ],
            1,
            "Only a stack of dilated convolutions comes close: each further layer reaches k times as far.",
            key="why-far",
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/paths.py", "shortest")


def _pairs(network: str, made, n: int) -> None:
    """Whether every output is connected to every input."""
    if network == "attention":
        st.markdown(
            f"So **every output is connected to every input**: all {made.connected:,} pairs, in one layer. That holds "
            "without a mask only; choose another under “Attention sees”."
        )
    elif network == "causal":
        st.markdown(
            f"Still one step, but no longer every pair: only {made.connected:,} of {n * n:,}, for nobody may look "
            "ahead. More layers do not change that."
        )
    else:
        st.markdown(
            f"With a window, attention is like a convolution: one layer connects {made.connected:,} of {n * n:,} pairs,"
            f" and the ends meet after {_layers(made.n_layers)}."
        )
    st.page_link(
        catalogue.page("masks").script, label="What masks let through, layer by layer", icon=":material/arrow_forward:"
    )


# ---- what does it cost? ----------------------------------------------------------------------------------------


def _cost() -> None:
    say: list[str] = []
    with _row(4):
        n = choose(st.select_slider, "Words n", "why_length", LENGTHS, 1024, say)
        d = choose(st.select_slider, "Width d", "why_d", D_MODELS, 512, say, help=WIDE)
        n_heads = choose(st.select_slider, "Heads H", "why_heads", HEADS, 8, say, help=HEAD)
        k = choose(st.select_slider, "Width k", "why_k", WIDTHS, 3, say, help="Of the convolution, and of the window.")
    display.notice(*say)
    costs = data.costs(LENGTHS, d, n_heads, k)
    at = LENGTHS.index(n)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("##### Attention, as a multiple of a recurrent layer")
        display.figure(
            figures.compared(LENGTHS, costs.compared, n, d),
            key="why_compared",
            alt=f"At {n:,} words, as a multiple of a recurrent layer: "
            + ", ".join(f"{name} {values[at]:.3g}" for name, values in costs.compared.items()),
        )
    with right:
        st.markdown(f"##### The weights of one layer, for one text: {figures.in_bytes(costs.weights[at])}")
        display.figure(
            figures.memory(LENGTHS, costs.weights, costs.states, n),
            key="why_memory",
            alt=f"{n:,} words: attention weights {figures.in_bytes(costs.weights[at])}, states of a recurrent layer "
            f"{figures.in_bytes(costs.states[at])}.",
        )
    table, words = st.columns([6, 5], gap="large")
    with table:
        st.markdown(_table(costs.lines[at]))
        st.caption(
            "**Steps that wait**: each needs what the one before has found. The formulas are those of “Attention Is "
            "All You Need”, Table 1, with your numbers put in. They leave out the linear maps, the learned matrices "
            "before and after: with W_q, W_k, W_v and W_o an attention layer really multiplies "
            f"{_count(costs.real['attention'][at])} times, and a recurrent one, which has two maps, "
            f"{_count(costs.real['recurrent'][at])} times."
        )
    with words:
        st.markdown(
            "Does attention **scale to longer texts**? Both answers are true. The :green[steps that wait for each "
            "other] do not grow at all, so nothing has to be handed on a thousand times. But every word is compared "
            "with every word: operations and :violet[memory] grow with **n²**. Twice the text, four times the weights "
            "(the shares of attention that each word gives to each). A recurrent layer keeps one state a word: what it "
            "hands on."
        )
        teaching.formula(r"\text{bytes} = H \cdot n \cdot n \cdot 4 \quad \text{(4 bytes a number)}")
        st.markdown(
            f"By Table 1, attention is the cheaper one while the text is shorter than the width: n < d = {d}. "
            + (f"Yours is: {n:,} words." if n < d else f"Yours is not: {n:,} words.")
        )
        teaching.check(
            "A text becomes three times as long. What happens to the attention weights in memory?",
            ["Three times as many", "Nine times as many", "As many, in more steps"],
            1,
            "Each of 3n words looks at 3n words: 9 n².",
            key="why-cost",
        )


def _table(lines) -> str:
    names = {
        "attention": ("attention", "n² · d", "1", "1"),
        "recurrent": ("recurrent", "n · d²", "n", "n"),
        "convolution": ("convolution", "k · n · d²", "1", "(n−1) / (k−1)"),
        "window": ("attention, window k", "k · n · d", "1", "(n−1) / (k−1)"),
    }
    rows = []
    for network, cost in lines.items():
        name, operations, waiting, way = names[network]
        shown = (f"**{name}**", _valued(operations, cost.operations))
        rows.append(f"| {' | '.join((*shown, _valued(waiting, cost.waiting), _valued(way, cost.path)))} |")
    return "| one layer | operations | steps that wait | longest way |\n|---|---|---|---|\n" + "\n".join(rows)


def _valued(formula: str, x: int) -> str:
    return formula if formula == str(x) else f"{formula} = {_count(x)}"


# ---- how long does it take? ------------------------------------------------------------------------------------


def _long() -> None:
    say: list[str] = []
    with _row(3):
        d = choose(st.select_slider, "Width d", "why_d", MEASURED_AT, 64, say, why=TOO_WIDE, help=WIDE)
        n_heads = choose(st.select_slider, "Heads H", "why_heads", HEADS, 4, say, help=HEAD)
    display.notice(*say)
    left, right = st.columns(2, gap="large")
    lengths, lines = data.operations(d)
    with left:
        st.markdown("##### Counted")
        display.figure(
            figures.operations(lengths, lines, d),
            key="why_operations",
            alt=f"Multiplications at {lengths[-1]:,} words: " + ", ".join(f"{a} {b[-1]:.3g}" for a, b in lines.items()),
        )
    with right:
        st.markdown("##### Measured")
        asked = _asked("why_measure_lengths")
        if asked:
            with st.spinner("Measuring, about a second"):
                timed = data.time_lengths(d, n_heads, asked)
            display.figure(
                figures.measured(timed.at, {"attention": timed.first, "torch.nn.RNN": timed.second}, "words n"),
                key="why_lengths",
                alt=f"Milliseconds on this machine at {timed.at[-1]:,} words: attention {timed.first[-1]:.3g}, "
                f"recurrent {timed.second[-1]:.3g}.",
            )
    words, more = st.columns(2, gap="large")
    with words:
        st.markdown(
            "A recurrent layer reads word by word, so it has to wait: word 512 cannot begin before word 511 is done. "
            "Attention has nothing to wait for, so it may be done sooner although it multiplies more. (“Table 1” "
            "counts as the paper does; “really” adds the learned matrices before and after.) But what attention "
            "multiplies grows with n², and "
            "on a long text that outweighs everything."
            + ("" if asked else " Where? That depends on the machine: measure it.")
        )
        if asked:
            st.markdown(_crossing(timed))
            st.caption(
                f"Median of {min(timed.rounds)} to {max(timed.rounds)} runs each, one text, one thread of this "
                "machine, float32. Recurrent: torch.nn.RNN with tanh, torch's own loop in C++. Attention: ours. "
                "Another machine gives other numbers; the more it can multiply at once, the more attention gains."
            )
    with more:
        teaching.check(
            "With more processors side by side, which of the two gains more?",
            ["The recurrent layer", "Attention", "Both alike"],
            1,
            "All rows of attention can be worked on at once. The steps of a recurrent layer have to wait, however many "
            "processors there are.",
            key="why-long",
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/timing.py", "time_lengths")


def _crossing(timed) -> str:
    at = timed.crossing()
    if at is None:
        return f"Measured here: attention takes less time up to the longest text, {timed.at[-1]:,} words."
    if at == timed.at[0]:
        return "Measured here: attention takes longer at every length."
    before = timed.at[timed.at.index(at) - 1]
    return f"Measured here: attention is done sooner up to **{before:,}** words, and takes longer from **{at:,}** on."


# ---- all heads at once -----------------------------------------------------------------------------------------


def _heads() -> None:
    say: list[str] = []
    with _row(3):
        d = choose(st.select_slider, "Width d", "why_d", MEASURED_AT, 64, say, why=TOO_WIDE, help=WIDE)
        n_heads = choose(st.select_slider, "Heads H", "why_heads", HEADS, 4, say, help=HEAD)
    display.notice(*say)
    gap, n_words = data.heads_apart(d, n_heads)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("##### The same numbers, two ways")
        st.markdown(
            "Attention is done several times side by side; each time is a **head**. Heads do not wait for each other, "
            f"so nobody has to take them one by one. All {n_heads} of them are one multiplication of larger arrays, "
            "(B, H, T, d_k): texts, heads, words, width of a head. A loop over heads comes to the same: on "
            f"{n_words} random words the two outputs differ by at most **{_small(gap)}**."
        )
        one, other = st.tabs(["All at once", "Head by head"])
        with one:
            teaching.code("transformer/attention.py", "split_heads")
        with other:
            teaching.code("transformer/inspection/timing.py", "head_by_head")
    with right:
        st.markdown("##### Measured")
        asked = _asked("why_measure_heads")
        if asked:
            with st.spinner("Measuring, less than a second"):
                timed = data.time_heads(d, HEADS, asked)
            at = HEADS.index(n_heads)
            display.figure(
                figures.measured(
                    HEADS, {"all at once": timed.first, "head by head": timed.second}, "heads H", chosen=n_heads
                ),
                key="why_heads_figure",
                alt=f"{n_heads} heads: {timed.first[at]:.3g} ms at once, {timed.second[at]:.3g} ms head by head.",
            )
            st.markdown(
                f"With **{n_heads}** heads: {timed.first[at]:.2f} ms at once, {timed.second[at]:.2f} ms head by head, "
                f"{timed.second[at] / timed.first[at]:.1f} times as long."
            )
            st.caption(
                f"Median of {min(timed.rounds)} to {max(timed.rounds)} runs each, {n_words} words, one thread of this "
                "machine. What is saved here is the loop; with many processors the heads also run side by side."
            )
        teaching.check(
            "Why can heads be computed at the same time?",
            ["They share their weights", "None of them needs what another has found", "They look at different words"],
            1,
            "They meet only afterwards, when W_o mixes what they found.",
            key="why-heads",
        )


def _small(gap: float) -> str:
    """A difference: 0, or 1.2e-07 as a person writes it."""
    if gap == 0:
        return "0"
    mantissa, power = f"{gap:.0e}".split("e")
    return f"{mantissa} × 10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def _asked(key: str) -> int:
    """A button to measure with; how often it was pressed, so 0 until then."""

    def press() -> None:
        st.session_state[f"_{key}"] = st.session_state.get(f"_{key}", 0) + 1

    asked = st.session_state.get(f"_{key}", 0)
    label = "Measure again" if asked else "Measure on this machine"
    st.button(label, icon=":material/timer:", key=key, on_click=press, type="secondary" if asked else "primary")
    return asked


def _count(x: int) -> str:
    """A large number as a person writes it: 16,384, 1.57 million, 537 billion."""
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if x >= size:
            return f"{x / size:.3g} {name}" if x < 1000 * size else f"{x / size:,.0f} {name}"
    return f"{x:,}"


def _steps(n: int) -> str:
    return f"{n} step{'' if n == 1 else 's'}"


def _layers(n: int) -> str:
    return f"{n} layer{'' if n == 1 else 's'}"


VIEWS: dict[str, Callable[[], None]] = {
    "How far apart are words?": _far,
    "What does it cost?": _cost,
    "How long does it take?": _long,
    "All heads at once": _heads,
}
