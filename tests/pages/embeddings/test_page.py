"""The embeddings page as the server runs it: every part, every control, every link, any text."""

import base64
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from lab.kit import catalogue, story
from lab.kit.controls.reader import UNTRAINED
from lab.kit.controls.text_input import EXAMPLES
from lab.kit.models.references import BeforeTraining, Shipped
from lab.kit.words import NOTHING
from lab.server import caching
from pages.embeddings import alike, cut, lines, lookup
from pages.embeddings.text import LEARN_FROM, MAX_LETTERS_CUT, TOKENISERS
from tests.further import further
from tests.pages import driver
from tests.pages.driver import choose, notices, payloads, press, words
from transformer.core.embeddings import TokenEmbedding
from transformer.inspection.embeddings import neighbours, parting_axes, plane
from transformer.training.byte_pairs import BytePairTokeniser, pieces
from transformer.training.tasks import TASKS, make
from transformer.training.text import NAMES, CharacterTokeniser, WordTokeniser, clean

FIRST = EXAMPLES[0]
CUT, HOT, LIKE = PARTS = ("Cut", "Look up", "Alike")


def visit(part: str = CUT, **link: Any) -> AppTest:
    link = {"emb_part": part, "weights": UNTRAINED, **link}
    return driver.visit("embeddings", **link)


def machines(at: AppTest) -> list[dict]:
    """What the components of this page were sent; the bar has one, too."""
    return [data for data in payloads(at) if {"url", "token_url", "step_url"} & data.keys()]


def payload(at: AppTest) -> dict:
    (data,) = machines(at)
    return data


def chips(at: AppTest) -> list[str]:
    strip = payload(at)
    return [strip["labels"][str(id)] for id in strip["ids"]]


def pairs(n: int = 100) -> BytePairTokeniser:
    return BytePairTokeniser.learn(LEARN_FROM, n)


# ---- tokens ----------------------------------------------------------------------------------------------------


def test_the_first_visit_shows_byte_pairs_and_their_history() -> None:
    at = visit()
    tokeniser, shown = pairs(), payload(at)
    assert shown["ids"] == tokeniser.first(0).encode(FIRST)
    assert [tuple(merge) for merge in shown["merges"]] == [tuple(merge) for merge in tokeniser.merges]
    assert [tuple(join) for join in shown["joins"]] == [tuple(join) for join in tokeniser.joins(FIRST)]
    assert all(shown["labels"][str(id)] == tokeniser.label(id) for id in tokeniser.encode(FIRST))
    assert shown["at"] == 0, "it opens on its question"


def test_each_merge_has_the_counts_of_the_pairs_that_this_text_has_then() -> None:
    shown, tokeniser = payload(visit()), pairs()
    known: dict[tuple[int, int], int] = {}
    for n, (merge, counts) in enumerate(BytePairTokeniser.learning(LEARN_FROM)):
        known |= {(left, right): count for left, right, count in shown["counts"][n]}
        here = tokeniser.first(n).adjacent(FIRST)
        assert {pair: known[pair] for pair in here} == {pair: counts[pair] for pair in here}
        assert max(known[pair] for pair in here) <= merge.count
    assert len(shown["counts"]) == len(tokeniser.merges)


def test_characters_and_words() -> None:
    at = choose(visit(), emb_tokeniser="characters")
    tokeniser = CharacterTokeniser.learn(LEARN_FROM)
    assert payload(at)["ids"] == tokeniser.encode(FIRST)
    assert payload(at)["merges"] == []
    at = choose(at, emb_tokeniser="words")
    assert payload(at)["ids"] == WordTokeniser.learn(LEARN_FROM).encode(FIRST)
    learned = LEARN_FROM.replace(".", " ").replace(",", " ").split()
    unknown = [word for word in FIRST.replace(".", "").split() if word not in learned]
    assert 0 < chips(at).count("⟨unknown⟩") == len(unknown)
    assert (payload(at)["unknown"], payload(at)["glue"]) == (3, "##")


@pytest.mark.parametrize("shown", ["byte pairs", "words"])  # which of them is seen changes no number
def test_the_three_ways_are_counted(shown: str) -> None:
    at = choose(visit(), emb_tokeniser=shown)
    table = next(m.value for m in at.markdown if m.value.startswith("| cut into | tokens"))
    tokenisers = {
        "characters": CharacterTokeniser.learn(LEARN_FROM),
        "words": WordTokeniser.learn(LEARN_FROM),
        "byte pairs": pairs(),
    }
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    for (name, *counts), (expected, tokeniser) in zip(rows, tokenisers.items(), strict=True):
        ids = tokeniser.encode(FIRST)
        assert (name, *map(int, counts)) == (expected, len(ids), len(tokeniser), ids.count(3))


def test_the_page_says_that_its_vocabulary_is_its_own_and_the_storyteller_has_another() -> None:
    (tab,) = [tab for tab in catalogue.page("embeddings").views if tab.name == CUT]
    assert "This page learns its own small vocabulary; every model has another." in tab.lede
    writer, shown = Shipped(story.WRITER).resolve(), pairs()
    assert len(shown) < len(writer.labels) / 4, "small"
    assert len(shown.encode(story.TEXT)) > len(writer.cut(story.TEXT)), "and it cuts the same text into more"


def test_merges_and_what_is_learned_from() -> None:
    at = choose(visit(), emb_merges=20)
    assert len(payload(at)["merges"]) == 20
    at = choose(at, emb_learn="low lower lowest", text="slowest")
    assert len(payload(at)["merges"]) == 4
    assert "Learning stopped after 4 merges: no pair occurs twice" in words(at)
    at = choose(at, emb_merges=0)
    assert payload(at)["merges"] == payload(at)["joins"] == []
    assert chips(at) == list("slowest")


def test_half_letters_are_marked() -> None:
    shown = payload(visit(text="é"))
    assert [shown["labels"][str(id)] for id in shown["raw"]] == ["A9", "C3"]


@pytest.mark.parametrize("asked", ["3", "0", "99999", "x", "-1", "٣", ""])
def test_a_link_to_a_merge(asked: str) -> None:
    expected = {"3": 3, "99999": len(pairs().merges)}.get(asked, 0)
    assert payload(visit(emb_step=asked))["at"] == expected


@pytest.mark.parametrize("text", [EXAMPLES[0], "déjà vu, it's", "a  b", "x"])
def test_the_cut_knows_where_words_begin_that_no_merge_goes_beyond(text: str) -> None:
    shown = payload(visit(text=text))
    assert "rows" not in shown, "what an id picks is looked up in another view"
    raw = [pairs().bytes(id) for id in shown["ids"]]
    ends = [*shown["words"][1:], len(raw)]
    words = [b"".join(raw[start:end]).decode() for start, end in zip(shown["words"], ends, strict=True)]
    assert words == pieces(text)
    for start, _, end, _ in shown["joins"]:
        assert any(first <= start < end <= last for first, last in zip(shown["words"], ends, strict=True))
    assert payload(visit(text=text, emb_tokeniser="characters"))["words"] == []


# ---- one-hot ---------------------------------------------------------------------------------------------------


def rows(at: AppTest) -> dict[int, np.ndarray]:
    """The rows that the text takes, by id, as the browser gets them."""
    shown = payload(at)
    taken = np.frombuffer(base64.b64decode(shown["rows"]), "<f4").reshape(-1, shown["d"])
    return dict(zip(shown["own"], taken, strict=True))


def picture(at: AppTest) -> np.ndarray:
    """The numbers of the lines that the browser draws."""
    shown = payload(at)
    return np.frombuffer(base64.b64decode(shown["picture"]), "i1").reshape(-1, shown["across"]) * shown["step"]


def weight(V: int, d: int, seed: int = 0) -> np.ndarray:
    return TokenEmbedding(V, d, generator=torch.Generator().manual_seed(seed)).weight.detach().numpy()


@pytest.mark.parametrize(("d", "seed"), [(64, 0), (9, 0), (16, 5)])
def test_the_table_is_that_of_the_model(d: int, seed: int) -> None:
    at = visit(HOT, d_model=str(d), seed=str(seed))
    tokeniser, shown = pairs(), payload(at)
    assert shown["ids"] == tokeniser.encode(FIRST)
    assert list(shown["labels"].values()) == [tokeniser.label(id) for id in range(len(tokeniser))]
    table = weight(len(tokeniser), d, seed)
    assert (shown["V"], shown["lines"]) == (len(tokeniser), None), "every row is drawn"
    assert np.abs(picture(at) - table).max() <= 0.51 * shown["step"]
    assert sorted(rows(at)) == sorted(set(shown["ids"]))
    assert all(np.array_equal(row, table[id]) for id, row in rows(at).items())
    assert f"the copied rows differ by {NOTHING}" in words(at)


def test_shuffled_ids_pick_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a row left behind, the page would say how much of the scores changes."""
    at = visit(HOT)
    assert payload(at)["about"] == "untrained"
    assert f"change by {NOTHING}" in words(at)
    genuine = lookup.data.shuffled_ids
    monkeypatch.setattr(lookup.data, "shuffled_ids", lambda *asked: replace(genuine(*asked), change=0.5))
    assert "change by at most 0.50" in words(visit(HOT))


def test_of_a_large_table_only_rows_near_those_of_the_text_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "MAX_TABLE", 100)
    monkeypatch.setattr(lines, "MAX_LINES", 100)
    caching.clear()
    at = visit(HOT, d_model="256")
    shown, taken = payload(at), rows(at)
    assert shown["V"] == len(pairs())
    assert len(shown["lines"]) == 100 < shown["V"]
    assert set(shown["ids"]) <= set(shown["lines"])
    assert picture(at).shape == (100, 128), "the first 128 numbers of each"
    assert all(row.shape == (256,) for row in taken.values()), "but the rows of the text are whole"
    assert set(shown["labels"]) == {str(id) for id in shown["lines"]}
    assert "too many to check the product and to shuffle the ids" in words(at)
    assert notices(at) == ""
    caching.clear()


def test_what_is_sent_does_not_grow_with_the_table() -> None:
    table = np.random.default_rng(0).standard_normal((60_000, 300)).astype("f4")
    drawn = lines.lines_of(table, [7, 30_000, 7, 59_999])
    assert drawn.size == (60_000, 300)
    assert drawn.picture.nbytes == 4096 * 128
    assert drawn.own.tolist() == [7, 30_000, 59_999]
    assert np.array_equal(drawn.rows, table[drawn.own])
    away = np.abs(drawn.ids[:, None] - drawn.own).min(1)
    left_out = np.setdiff1d(np.arange(60_000), drawn.ids)
    assert away.max() <= np.abs(left_out[:, None] - drawn.own).min(), "none of the others is nearer"
    assert np.abs(drawn.picture * drawn.step - table[drawn.ids, :128]).max() <= 0.51 * drawn.step


def test_the_first_look_up_is_in_a_trained_table() -> None:
    at = driver.visit("embeddings", emb_part=HOT)
    source, shown = Shipped("stories").resolve(), payload(at)
    assert shown["ids"] == source.ids(source.cut(FIRST)[1:])
    assert (shown["V"], shown["d"]) == (2000, 128)
    table = source.model.stack.embedding.weight.detach().numpy()
    assert all(np.array_equal(row, table[id]) for id, row in rows(at).items())
    assert shown["about"] == "learned"
    assert len(shown["picture"]) < 350_000
    assert "untrained" not in words(at)
    at = choose(at, state="before training")
    assert payload(at)["about"] == "untrained"
    untrained = BeforeTraining(Shipped("stories")).resolve().model.stack.embedding.weight.detach().numpy()
    assert all(np.array_equal(row, untrained[id]) for id, row in rows(at).items())


def test_the_two_names_are_told_apart() -> None:
    text = words(visit(HOT, d_model="16"))
    assert f"W_e ({len(pairs())} × 16) is the embedding matrix" in text
    assert f"E = X W_e ({len(pairs().encode(FIRST))} × 16) is your text" in text


# ---- similarity ------------------------------------------------------------------------------------------------


def test_the_map_has_the_cosines_of_the_tokens() -> None:
    at = visit(LIKE, text="a king saw a queen", emb_tokeniser="words", d_model="16")
    ids = list(dict.fromkeys(WordTokeniser.learn(LEARN_FROM).encode("a king saw a queen")))
    rows = weight(len(WordTokeniser.learn(LEARN_FROM)), 16).astype("f8")[ids]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert np.allclose(payload(at)["cosines"], rows @ rows.T, atol=1e-4)


def test_the_measured_spread_stands_beside_the_expected() -> None:
    for d in (16, 64, 256):
        at = visit(LIKE, d_model=str(d))
        W = weight(len(pairs()), d).astype("f8")
        W /= np.linalg.norm(W, axis=1, keepdims=True)
        std = (W @ W.T)[np.triu_indices(len(W), 1)].std()
        assert f"**{std:.3f}**" in words(at)
        assert f"1/√{d} = **{1 / math.sqrt(d):.3f}**" in words(at)
        assert "untrained" in words(at)


def test_the_first_visit_shows_the_map_of_trained_words_by_kind() -> None:
    at = driver.visit("embeddings", emb_part=LIKE)
    shown, source = payload(at), Shipped("stories").resolve()
    whole = {kind: [word for word in words if word in source.labels] for kind, words in source.kinds.items()}
    large = {kind: words for kind, words in whole.items() if len(words) >= 16}
    assert shown["kinds"] == list(large)
    by_kind = [[word["label"] for word in shown["words"] if word["kind"] == n] for n in range(len(large))]
    assert by_kind == [words[:8] for words in large.values()]
    assert driver.notices(at) == ""
    table = source.model.stack.embedding.weight.detach().numpy().astype("f8")
    rows = table[[word["id"] for word in shown["words"]]]
    axes = parting_axes([table[source.ids(words[8:])] for words in large.values()])
    assert np.allclose(shown["places"], (rows - rows.mean(0)) @ axes, atol=1e-3), "turned by other words than these"
    assert f"{sum(len(words) - 8 for words in large.values())} other words decided" in shown["caption"]
    tom = shown["words"][0]
    assert [(id, pytest.approx(value)) for _, id, value, *_ in tom["nearest"]] == neighbours(table, tom["id"], 6)
    opens = shown["words"][shown["at"]]
    assert [kind for *_, kind, _ in opens["nearest"]] == [opens["kind"]] * 6, "it opens on a word among its own kind"
    # Near words that are not on the map have their place on the same plane.
    there = {word["id"] for word in shown["words"]}
    near = [one for word in shown["words"] for one in word["nearest"]]
    assert all((place is None) == (id in there) for _, id, _, _, place in near)
    guests = {id: place for _, id, _, _, place in near if place}
    assert len(guests) > 20
    assert np.allclose(list(guests.values()), (table[list(guests)] - rows.mean(0)) @ axes, atol=1e-3)


def test_a_sentence_calls_the_words_of_each_kind_by_a_noun_in_the_plural() -> None:
    kinds = {kind for name in TASKS.keys() - {"text"} for kind in make(name).kinds}
    assert alike.NOUNS.keys() <= kinds
    assert {"boys", "good", "subjects"} <= kinds
    assert all(alike.NOUNS.get(kind, kind).split()[0].endswith("s") for kind in kinds - {"other words"})
    shown = payload(visit(LIKE, weights="trained on reviews"))
    assert dict(zip(shown["kinds"], shown["nouns"], strict=True))["good"] == "words of praise"


def test_kinds_part_and_lie_on_one_another_before_training() -> None:
    """The nearest middle of a kind, on the map, is a word's own: after training only."""
    shown = payload(driver.visit("embeddings", emb_part=LIKE))
    kinds = np.array([word["kind"] for word in shown["words"]])

    def at_home(places: list) -> float:
        at = np.array(places)
        middles = np.stack([at[kinds == kind].mean(0) for kind in range(len(shown["kinds"]))])
        return float((np.linalg.norm(at[:, None] - middles, axis=-1).argmin(1) == kinds).mean())

    assert at_home(shown["places"]) > 0.85
    assert at_home(shown["before"]) < 0.6


def test_names_are_told_apart_by_names_that_are_not_among_them() -> None:
    at = driver.visit("embeddings", emb_part=LIKE)
    said = re.search(r"\*\*(\d+) of (\d+)\*\* others apart; before training, (\d+)", words(at))
    assert said
    right, n, chance = map(int, said.groups())
    assert right > 0.95 * n
    assert 0.3 * n < chance < 0.7 * n


def test_before_training_the_words_are_on_the_same_plane() -> None:
    after = driver.visit("embeddings", emb_part=LIKE)
    opens_at = payload(after)["before"]
    shown = payload(choose(after, state="before training"))
    assert np.allclose(opens_at, shown["places"], atol=1e-3), "the trained map opens there"
    assert shown["before"] is None
    assert shown["caption"].startswith("Before training, on the same plane")
    assert shown["bounds"] == payload(after)["bounds"]


def test_words_of_a_sentence_lie_on_the_plane_that_keeps_most_of_them() -> None:
    shown = payload(driver.visit("embeddings", emb_part=LIKE, emb_words="of the sentence"))
    table = Shipped("stories").resolve().model.stack.embedding.weight.detach().numpy()
    expected = plane(table[[word["id"] for word in shown["words"]]])
    assert np.allclose(shown["places"], expected.places, atol=1e-3)
    assert f"keeps {expected.shares.sum():.0%} of the variance of these words" in shown["caption"]


def test_a_link_to_a_word_and_links_to_figures_that_there_were() -> None:
    near = visit(LIKE, emb_near="␣animal", text=EXAMPLES[1])
    assert payload(near)["words"][payload(near)["at"]]["label"] == "␣animal"
    for part, link in (("Similarity", {}), (LIKE, {"emb_figure": "spread"}), (HOT, {"emb_ids": "shuffled"})):
        at = visit(part, **link)
        assert machines(at)
        assert notices(at) == ""


def test_king_queen_and_table_by_a_button() -> None:
    at = visit(LIKE)
    at = press(at, "emb-king")
    assert at.text_input(key="text").value == "The king and the queen sat at the table"
    assert "king–queen" in words(at)
    assert "only after training" in words(at)


def test_a_link_to_the_scale_of_the_vectors_opens_where_it_is_now() -> None:
    at = visit("Scale", emb_init="N(0, 1)", emb_scale="as they are", d_model=128)
    assert at.title[0].value == "How does a model know the order of words?"
    there = {"pos_view": "Why needed", "d_model": 128}
    assert there.items() <= driver.values(at).items()
    assert "How loud are tokens beside their positions?" in words(at)
    assert notices(at) == ""


# ---- what learns -----------------------------------------------------------------------------------------------


def test_rows_that_learn() -> None:
    at = visit("What learns")
    assert at.segmented_control(key="emb_part").value == HOT
    V, read = len(pairs()), len(set(pairs().encode(FIRST)))
    three, shared, one = (line for line in words(at).splitlines() if line.startswith(("| Three", "| Source", "| One")))
    assert f"| source: {read} of {V}; target: {read + 1} of {V}; output: {V} of {V} |" in three
    assert f"| source = target: {read + 1} of {V}; output: {V} of {V} |" in shared
    assert f"| source = target = output: {V} of {V} |" in one
    numbers = [int(line.split("| ")[-1].split(" of")[0].replace(",", "")) for line in (three, shared, one)]
    assert numbers == [V * 64 * n_tables for n_tables in (3, 2, 1)]
    assert "| Three" not in words(visit(HOT))


def test_rows_that_learn_belong_to_the_table_that_is_shown() -> None:
    at = driver.visit("embeddings", emb_part=HOT, emb_learns="true")
    source = Shipped("stories").resolve()
    ids = source.ids(source.cut(FIRST)[1:])
    assert f"| source: {len(set(ids))} of {len(source.labels):,};" in words(at)


# ---- any text, any link ----------------------------------------------------------------------------------------


TEXTS = [
    "a",
    "word " * 600,
    "<b>bold</b> <script>alert(1)</script> &amp;",
    "$x^2$ `code` **b** :red[no] | a | b |",
    "שָׁלוֹם 你好 👩\u200d🚀 🇫🇷",
    "\u202e \ufeff \x07",
    "same same same",
]


@pytest.mark.parametrize(
    ("part", "text"),
    further([(CUT, text) for text in TEXTS], 3)
    + further([(part, TEXTS[n % 7]) for n, part in enumerate(PARTS * 2) if part != CUT], len(PARTS) - 1),
)
def test_any_text(part: str, text: str) -> None:
    for tokeniser in TOKENISERS if part == CUT else ["words"]:
        at = visit(part, emb_tokeniser=tokeniser, text=text)
        if part == CUT:
            cut = clean(text)[:MAX_LETTERS_CUT]
            assert (
                len(payload(at)["ids"])
                == {"characters": len(cut), "words": len(WordTokeniser.cut(cut)), "byte pairs": len(cut.encode())}[
                    tokeniser
                ]
            )


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("learned_from", ["", "\n", "<b>\u202e😀"])
@pytest.mark.wide
def test_hardly_anything_to_learn_from(part: str, learned_from: str) -> None:
    for tokeniser in ("words", "byte pairs"):
        visit(part, emb_learn=learned_from, emb_tokeniser=tokeniser, text="a b a")


def test_a_long_text_is_cut_with_a_notice() -> None:
    at = visit(text="ab " * 500)
    assert "The first 1,000 letters are cut into tokens; 500 are left out." in notices(at)
    assert len(payload(at)["ids"]) == 1000
    signs = "".join(map(chr, range(33, 127)))
    at = visit(LIKE, text=signs, emb_learn=signs, emb_tokeniser="characters")
    assert "The first 48 different tokens are compared; 46 are left out." in notices(at)


def test_the_specials_have_the_first_ids() -> None:
    assert list(payload(visit(HOT))["labels"].values())[:4] == list(NAMES)


def test_a_long_text_is_cut_with_a_notice_where_each_id_costs() -> None:
    at = visit(HOT, emb_tokeniser="characters", text="ab " * 200)
    assert "The first 512 tokens are used here; 88 more are left out." in notices(at)
    assert "left out" not in notices(visit(HOT, emb_tokeniser="characters", text="ab " * 100))


def test_a_cut_without_merges_has_a_finding_and_leads_back_to_byte_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(**link: str) -> str:
        return payload(visit(**link))["finding"]

    words = {"emb_tokeniser": "words", "emb_learn": "tom saw the big dog"}
    assert said(**words, text="tom saw a cat") == (
        "A table of words has no row for “a” and “cat”: each becomes ⟨unknown⟩."
    )
    assert said(**words, text="tom saw a dog") == "A table of words has no row for “a”: it becomes ⟨unknown⟩."
    assert "“a”, “cat” and 2 more" in said(**words, text="a cat eats fish")
    assert said(**words, text="the dog saw the dog").startswith("All 3 different words have rows of their own")
    one = said(emb_tokeniser="characters", emb_learn="tom saw", text="mat")
    assert one == "A text of 1 word is 3 tokens now, and a single letter says little."
    assert said(emb_tokeniser="characters", emb_learn="tom saw", text="hat").endswith("“h”: it becomes ⟨unknown⟩.")
    assert said(**words, text="dog").startswith("The one word here has a row of its own;")
    signs = {"emb_learn": "The king sat. The king sat . . ."}
    assert said(emb_tokeniser="words", **signs, text="The king sat.").startswith("All 3 different words have rows")
    assert said(emb_tokeniser="words", **signs, text=". . .").startswith("Each sign here has a row of its own;")
    assert said(emb_tokeniser="characters", **signs, text="The king.").startswith("A text of 2 words is 9 tokens now")
    assert said(emb_tokeniser="characters", **signs, text=". . .").startswith("A text without words is 5 tokens now")
    shown = payload(visit(**words, text="tom saw a cat"))
    assert shown["n_entries"] == len(shown["vocabulary"])
    assert [label for _, label in shown["vocabulary"]][-5:] == ["tom", "saw", "the", "big", "dog"]
    assert said() == ""
    assert payload(visit())["vocabulary"] == []
    state: dict[str, Any] = {}
    monkeypatch.setattr(cut.st, "session_state", state)
    cut._to_pairs()
    assert state["emb_tokeniser"] in TOKENISERS
    assert TOKENISERS[state["emb_tokeniser"]] == "pairs"


def test_of_a_long_table_the_rows_of_the_text_are_listed_whatever_their_ids() -> None:
    learned = " ".join(f"word{n}" for n in range(600))
    shown = payload(visit(emb_tokeniser="words", emb_learn=learned, text="word3 word555"))
    listed = [id for id, _ in shown["vocabulary"]]
    assert shown["n_entries"] == len(NAMES) + 600
    assert listed[:400] == list(range(400))
    assert set(shown["ids"]) <= set(listed)
    assert len(listed) == 401, "the first 400, and one word of the text further down"


def test_where_further_words_lie_is_worked_out_once_for_a_map() -> None:
    caching.clear()
    driver.visit("embeddings", emb_part=LIKE, state="before training")
    assert caching.usage()["pages.embeddings.data.placed"][0] == 1
