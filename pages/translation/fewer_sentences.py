"""How many sentences does it need? Stored trainings on more and more of them, measured on sentences that are new."""

from typing import NamedTuple

import streamlit as st

from pages.shared import catalogue, display, settings, teaching
from pages.shared.teaching import Answer
from pages.shared.view import View
from pages.translation import data, figures


class Settings(NamedTuple):
    """n: different sentences in training."""

    n: int


def ask() -> Settings:
    sizes = data.sizes().n
    with settings.place_named("row"):
        st.markdown("sentences in training:", width="content")
        return Settings(
            settings.choose(
                st.segmented_control, "Different sentences in training", "sentences", sizes, sizes[len(sizes) // 2],
                label_visibility="collapsed", format_func=lambda n: f"{n:,}",
            )
        )  # fmt: skip


def draw(s: Settings, sizes: data.Sizes) -> None:
    place = sizes.n.index(s.n)
    seen, unseen = sizes.seen[place], sizes.unseen[place]
    chart, words = st.columns([7, 5], gap="large")
    with chart:
        display.figure(
            figures.by_size(sizes.n, sizes.seen, sizes.unseen, place),
            key="sizes",
            alt="Share of sentences exactly right, by different sentences in training: "
            + ", ".join(
                f"{n:,}: new {_mean(new):.0%}, trained on {_mean(old):.0%}"
                for n, new, old in zip(sizes.n, sizes.unseen, sizes.seen, strict=True)
            ),
        )
        st.caption(
            f"{len(unseen)} trainings per size, with different first weights and sentences: every dot is one of "
            f"them, the"
            f" line is their mean. {sizes.steps} steps of {sizes.batch_size} sentences each, {sizes.n_tests} "
            f"sentences to "
            "measure on. Stored; `python -m transformer.training.grammar_size` trains them all again."
        )
    with words:
        st.markdown(
            f"After training on **{s.n:,}** different sentences, it translates **{_mean(unseen):.0%}** of *new* ones "
            f"without a wrong word ({_spread(unseen)}), and {_mean(seen):.0%} of those that it was trained on "
            f"({_spread(seen)}). The gap between the two is what it has only memorised: here "
            f"**{100 * (_mean(seen) - _mean(unseen)):.0f} points**."
        )
        st.markdown(_how_often(s.n, sizes.steps * sizes.batch_size))
        st.markdown(
            "| it should write | it writes |\n|---|---|\n"
            + "\n".join(
                f"| {display.plain(right)} | "
                f"{display.plain(written)}{'' if right != written else ' :material/check:'} |"
                for right, written in zip(sizes.right, sizes.written[place], strict=True)
            )
        )
        st.page_link(
            catalogue.page("live").script, label=f"Train with {s.n:,} sentences yourself",
            icon=":material/arrow_forward:",
            query_params={"live_task": "English to French", "live_examples": str(s.n)},
        )  # fmt: skip
        st.markdown(
            "The grammar has far more sentences than any training saw. To be right on a new one, the model has to have "
            "found the rules, or something that does as well on such sentences. How many it takes holds for this "
            "grammar "
            "and these sizes; a language needs very many more."
        )
    teaching.check(
        "A translator is perfect on its training sentences, and wrong on half of the new ones. What has it learned?",
        Answer(
            "Part of the rules, and the rest by memorising",
            "What it memorised helps only with sentences that it has seen. More different sentences leave it no choice "
            "but the rules.",
            right=True,
        ),
        Answer(
            "Nothing: it only looks the sentences up",
            "Then it would be wrong on nearly all new ones. Half is much more than chance.",
        ),
        Answer(
            "All rules, but it makes slips",
            "Then it would slip on its training sentences as well.",
        ),
        Answer(
            "It needs more steps on the same sentences",
            "It has nothing left to learn from them: it is perfect there. It needs other sentences.",
        ),
        key="translation-sentences",
    )


def _how_often(n: int, read: int) -> str:
    """How often a sentence was read in a training that reads so many altogether."""
    what = f"Every training read {read:,} sentences in all, "
    if n > read:
        return what + f"so of these {n:,} it has not even read all: more of them cannot help without more steps."
    return what + f"so each of these {n:,} about {read / n:.0f} times."


def _mean(shares: tuple[float, ...]) -> float:
    return sum(shares) / len(shares)


def _spread(shares: tuple[float, ...]) -> str:
    low, high = f"{min(shares):.0%}", f"{max(shares):.0%}"
    return f"each time {low}" if low == high else f"from {low} to {high}"


VIEW = View(
    "Fewer sentences", ask, lambda s: data.sizes(), draw, asks="How many sentences does it need to learn?",
    lede="The same model after training on few sentences or many: it learns few by heart, and new ones go wrong.",
)  # fmt: skip
