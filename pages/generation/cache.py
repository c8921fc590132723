"""The KV cache: what it holds, what it saves, and how long writing takes with it and without."""

import streamlit as st

from pages.generation import figures as figures
from pages.generation import text
from pages.generation.text import Subject
from pages.shared import display, teaching
from pages.shared.controls import choose


def cache() -> None:
    from transformer.inspection import writing

    say: list[str] = []
    with display.loading(420):
        opened = text.opened()
    if opened is None:
        return
    subject, given, place = opened
    ids = text.text_of(subject, given, say)
    config, V = subject.checkpoint.config, len(subject.task.target)
    with place:
        upto = choose(
            st.select_slider, "Tokens read", "gen_read", range(1, len(ids) + 1), len(ids), say, follows=True,
            why="the text has no token {}",
        ) if len(ids) > 1 else 1  # fmt: skip
    display.notice(*say)
    held = subject.held(ids)
    labels = tuple(subject.label(id) for id in ids)
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.markdown(f"##### What is kept of {upto} tokens: {held.n_bytes[upto - 1]:,} bytes")
        display.figure(
            figures.cache_blocks(labels, held.keys, held.values, upto),
            key="gen-cache",
            alt=f"Keys and values of {config.n_decoder_layers} layers, a column a token; {upto} tokens are filled.",
        )
        each = held.n_bytes[upto - 1] // config.n_decoder_layers
        st.caption(
            f"Each layer holds {each:,} bytes. A column is a token: what every head of the layer made of it as a key "
            "and as a value. The darker, the larger the number. A new token adds one column everywhere, and none of "
            "the old ones changes. The text is the branch that you stand on in the first view."
        )
    with right:
        st.markdown(
            "A new token needs the :orange[**keys**] and :green[**values**] of all the tokens before it. Under the "
            "causal mask those never change, so they are kept, and only the new token goes through the layers. Its "
            ":blue[query] is used once and not kept."
        )
        teaching.formula(r"\text{bytes} = 2\,L\,H_{kv}\,T\,d_k \cdot 4")
        st.markdown(
            f"2 · {config.n_decoder_layers} · {config.n_kv_heads} · {upto} · {config.d_k} · 4 = "
            f"**{held.formula[upto - 1]:,}**; counted on the tensors: **{held.n_bytes[upto - 1]:,}**."
        )
        display.figure(
            figures.cache_growth(held.n_bytes, held.formula, upto),
            key="gen-bytes",
            alt=f"Bytes by tokens read: a straight line up to {held.n_bytes[-1]:,} bytes at {len(ids)} tokens.",
        )
    saved, timed = st.columns([6, 5], gap="large")
    steps = range(1, max(len(ids), 2) + 1)
    cached, plain = (
        [writing.multiplications(config, V, T, cached=is_cached) for T in steps] for is_cached in (True, False)
    )
    with saved:
        st.markdown("##### Multiplications of one step")
        display.figure(
            figures.two_lines(steps, cached, plain, "tokens read", "multiplications", upto),
            key="gen-saved",
            alt=f"Token {upto}: {cached[upto - 1]:,} multiplications with a cache, {plain[upto - 1]:,} without.",
        )
        st.markdown(
            f"To read token {upto}: **{cached[upto - 1]:,}** with the cache, {plain[upto - 1]:,} without, "
            f"{plain[upto - 1] / cached[upto - 1]:.1f} times as many."
        )
    with timed:
        _pace(subject, given)
    teaching.check(
        "A layer has 8 query heads that share 2 key/value heads. How large is its cache, beside one with 8?",
        ["As large", "A quarter", "A half"],
        1,
        "Only keys and values are kept, and there are 2 of them instead of 8. That is why large models share them.",
        key="gen-cache-check",
    )


def _pace(subject: Subject, given: tuple[int, ...]) -> None:
    from transformer.inspection import writing

    st.markdown("##### Milliseconds, on this machine")
    paces = st.session_state.setdefault("_gen_pace", {})
    name = (subject.name or id(subject.checkpoint), len(given))
    if st.button("Measure", icon=":material/timer:", key="gen-measure", help="Takes a few seconds."):
        with st.spinner("Writing the same text again and again"):
            try:
                paces[name] = writing.pace(subject.model, given)
            except ValueError as error:
                display.notice(f"{error}.")
    pace = paces.get(name)
    if pace is None:
        st.markdown(
            "Fewer multiplications need not mean less time: a small model spends much of a step on being called at "
            "all. Measure it."
        )
        return
    display.figure(
        figures.two_lines(pace.at, pace.cached, pace.plain, "tokens written", "milliseconds"),
        key="gen-pace",
        alt=f"Writing {pace.at[-1]} tokens took {pace.cached[-1]:.0f} ms with a cache, {pace.plain[-1]:.0f} without.",
    )
    st.caption(
        f"Median of {pace.rounds} runs each, greedy, one thread of this machine, whatever else it does. Writing "
        f"{pace.at[-1]} tokens took {pace.cached[-1]:.0f} ms with the cache, {pace.plain[-1]:.0f} ms without."
    )
