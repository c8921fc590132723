"""The KV cache: its contents, its savings, and how long writing takes with it and without."""

from typing import NamedTuple

import streamlit as st

from lab.kit import questions, teaching
from lab.kit.figures import display
from lab.kit.view import View
from lab.kit.words import at_most, counted
from pages.generation import data, figures, text
from pages.generation.components.kv_cache import kv_cache, pack
from pages.generation.text import Writing
from transformer import inspection
from transformer.core.checks import InputError


class Settings(NamedTuple):
    writing: Writing


class Result(NamedTuple):
    """What a cache holds and saves; multiplications of every step, with a cache and without."""

    run: data.CacheRun
    cached: list[int]
    uncached: list[int]


def ask() -> Settings | None:
    with display.loading(420):
        answer = text.ask_writing()
    return answer and Settings(answer[0])


def compute(s: Settings) -> Result:
    ref, ids = s.writing.ref, s.writing.ids
    multiplications = data.multiplications(ref, max(len(ids), 2))
    run = data.cache_run(ref, ids, s.writing.max_tokens)
    return Result(run, multiplications[True], multiplications[False])


def draw(s: Settings, result: Result) -> None:
    _steps(s, result.run)
    with display.prose():
        _size(s, result.run)
        _savings(s, result)
        _speed(s.writing)
        questions.ask("generation-cache")
        questions.ask("generation-shared")
    with st.expander("All layers and heads"):
        _contents(s, result.run)


def _labels(s: Settings, ids: tuple[int, ...]) -> tuple[str, ...]:
    names = data.token_names(s.writing.ref)
    return tuple(names[id] for id in ids)


def _steps(s: Settings, run: data.CacheRun) -> None:
    """One head of the last layer, token by token, with a cache and without."""
    config, contents, columns = s.writing.source.config, run.contents, run.columns
    memory = (config.n_decoder_layers, config.n_kv_heads, config.d_k, int(contents.n_bytes[0]))
    sides = (side[-1, :, : config.d_k] for side in (contents.keys, contents.values))
    packed = pack(_labels(s, run.ids), run.n_read, memory, (columns.anew, columns.kept), *sides)
    kv_cache(packed, key="gen_cache")


def _contents(s: Settings, run: data.CacheRun) -> None:
    """Keys and values of every layer."""
    n, n_layers = run.n_read, s.writing.source.config.n_decoder_layers
    display.figure(
        figures.cache_blocks(_labels(s, run.ids[:n]), run.contents.keys[:, :n], run.contents.values[:, :n]),
        key="gen-cache",
        alt=f"Keys and values of {n_layers} layers, one column for each of {n} tokens.",
    )


def _size(s: Settings, run: data.CacheRun) -> None:
    """What is kept and why; bytes, counted and by the formula."""
    config, contents, n = s.writing.source.config, run.contents, run.n_read
    n_layers, n_bytes = config.n_decoder_layers, contents.n_bytes[n - 1]
    each = contents.n_bytes[0]  # the picture goes on to further tokens by itself: no total stands below it
    st.markdown(
        f"**{each:,} bytes** are kept for each token: its keys and values in every head of"
        f" {counted(n_layers, 'layer')}."
    )
    st.markdown(
        "A new token needs the :orange[**keys**] and :green[**values**] of all tokens before it. Under the causal mask"
        " these never change, so they are kept: a new token adds one key and one value in every head, and only it goes"
        " through the layers. Its :blue[query] is used once and not kept. What is computed again comes out the same:"
        f" here it differs by {at_most(run.columns.apart)}."
    )
    teaching.formula(r"\text{bytes} = 2\,L\,H_{kv}\,T\,d_k \cdot 4")
    st.markdown(
        f"For {n} tokens: 2 · {n_layers} · {config.n_kv_heads} · {n} · {config.d_k} · 4 = "
        f"**{contents.formula[n - 1]:,}**; counted on the tensors: **{n_bytes:,}**."
    )


def _savings(s: Settings, result: Result) -> None:
    """Multiplications of every step."""
    n, steps = result.run.n_read, range(1, len(result.cached) + 1)
    cached, uncached = result.cached[n - 1], result.uncached[n - 1]
    st.markdown("**Multiplications of one step**")
    display.figure(
        figures.two_lines(steps, result.cached, result.uncached, "tokens read", "multiplications"),
        key="gen-saved",
        alt=f"Token {n}: {cached:,} multiplications with a cache, {uncached:,} without.",
    )
    st.markdown(
        f"To read token {n}: **{cached:,}** with the cache, {uncached:,} without, which is "
        f"{uncached / cached:.1f} times as many."
    )


def _speed(writing: Writing) -> None:
    """Milliseconds, measured when the visitor asks."""
    st.markdown("**Milliseconds, on this machine**")
    speeds: dict[tuple, inspection.writing.WritingSpeed] = st.session_state.setdefault("_generation_pace", {})
    key = (writing.ref, len(writing.given))
    if st.button("Measure", icon=":material/timer:", key="gen-measure", help="This takes a few seconds."):
        with st.spinner("Writing the same text again and again"):
            try:
                speeds[key] = data.measure_speed(writing.ref, writing.given)
            except InputError as error:
                display.notice(f"{error}.")
    speed = speeds.get(key)
    if speed is None:
        st.markdown(
            "Fewer multiplications need not mean less time: in a small model, most of a step is overhead. Measure it."
        )
        return
    n, cached, uncached = speed.n_tokens[-1], speed.cached[-1], speed.uncached[-1]
    display.figure(
        figures.two_lines(speed.n_tokens, speed.cached, speed.uncached, "tokens written", "milliseconds"),
        key="gen-pace",
        alt=f"Writing {n} tokens took {cached:.0f} ms with a cache, {uncached:.0f} without.",
    )
    st.markdown(
        f"Writing {n} tokens took {cached:.0f} ms with the cache, {uncached:.0f} ms without: median of {speed.rounds} "
        "runs each, greedy, on one thread of this machine, which may be busy."
    )


VIEW = View(ask, compute, draw)
