"""The page on translation as the server runs it: its sentence, its models, its links, and its card."""

import re
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any

import numpy as np
import pytest

from lab.kit.models.word_choices import NEAR
from pages.translation import data
from tests.pages import driver
from tests.pages.driver import choose, control, notices, offered, payload
from tests.pages.translation.expected import (
    EVERYTHING,
    FRENCH,
    HEADS,
    SHIPPED,
    VIEWS,
    checkpoint,
    heads,
    model,
    open_view,
    text,
    translated,
    visit,
)
from transformer.core.config import TransformerConfig
from transformer.core.model import Transformer
from transformer.inspection import translation
from transformer.inspection.translation import MAX_SOURCE_TOKENS
from transformer.training import shipped, tasks
from transformer.training.checkpoints import checkpoint_of
from transformer.training.tasks import french
from transformer.training.tasks.french import EXAMPLES
from transformer.training.tasks.task import Example, SpacedTokeniser, Task, probes
from transformer.training.trainer import Settings, Trainer

# ---- the sentence ----------------------------------------------------------------------------------------------


def test_it_opens_on_a_finished_example() -> None:
    at = visit()
    assert "**Exactly right.**" in text(at)
    assert not notices(at)
    sent, expected = payload(at), translated()
    assert sent["source"] == list(expected.source.words)
    assert sent["target"] == FRENCH
    np.testing.assert_allclose(sent["weights"], expected.maps["cross"].weights.ravel(), atol=1e-4)
    known = french.alignment_of(EXAMPLES[0])
    assert known is not None
    assert sent["ghost"] == [list(pair) for pair in known[1]]
    assert any(i != j for i, j in sent["ghost"])  # something crosses


def test_every_example_is_translated() -> None:
    for english in EXAMPLES:
        at = visit(tr_english=english)
        known = french.alignment_of(english)
        assert ("**Exactly right.**" in text(at)) == (known is not None)
        assert bool(payload(at)["ghost"]) == (known is not None)


def test_unknown_words_keep_their_letters_and_known_ones_are_offered() -> None:
    at = visit(tr_english="the dragon and the wizard sing")
    assert notices(at) == "", "nothing pushes the figure down"
    assert "Its grammar has no such sentence" in text(at)
    assert "Nobody knows the right alignment" in text(at)
    sent, words = payload(at), offered(at)
    assert sent["source"] == words["words"] == ["the", "dragon", "and", "the", "wizard", "sing"]
    assert sent["unread"] == words["unread"] == [False, True, False, False, True, False]
    assert {kind: list(members) for kind, members in french.KINDS.items()}.items() <= dict(words["kinds"]).items()
    nouns = french.KINDS["nouns"]
    assert len(words["near"][1]) == NEAR
    assert set(words["near"][1]) <= set(nouns), "an article stands in front of it"
    assert words["near"][0] == []
    assert words["same"] == words["next"] == [], "it does not write what it reads"


def test_unknown_words_are_marked_in_every_head_of_the_encoder() -> None:
    pictures = data.translated(data.SHIPPED, ("the", "dragon", "sings")).pictures
    marks = {kind: packed._header.get("marks", {}) for kind, packed in pictures.items()}
    read = {"unknown": [False, True, False]}
    assert marks == {"cross": {"key": read}, "encoder": {"query": read, "key": read}, "decoder": {}}


def test_empty_long_and_odd_texts() -> None:
    assert "There is no word to translate yet" in notices(visit(tr_english=""))
    limit = f"The first {MAX_SOURCE_TOKENS} words are read; {80 - MAX_SOURCE_TOKENS} more are left out."
    assert limit in notices(visit(tr_english="the cat " * 40))
    assert "The first 400 letters are read; 4,600 more are left out." in notices(visit(tr_english="x" * 5000))
    visit(tr_english="<b>*the* $cat$ [sings](http://x) `\U0001f600 \x07`")
    at = visit(tr_english=" and ".join(["the cat"] * 6) + " sing")
    assert "one as long as this is new to it" in notices(at)


FULL = " ".join(["the black cat and the white dog and the red bird"] * 2 + ["the"])  # one word less than is read


@pytest.mark.parametrize(("link", "sign"), zip(EVERYTHING, cycle(".!?")))
def test_a_text_is_cut_once_where_its_last_word_is_a_sign(link: dict[str, Any], sign: str) -> None:
    at = visit(tr_english=f"{FULL}{sign} the dog is big", **link)
    assert "The first 24 words are read; 4 more are left out." in notices(at)
    assert not [line for line in notices(at).splitlines() if sign in line[:-1] and "24 words" not in line]


@pytest.mark.parametrize(
    ("link", "opened"),
    [
        ({"translation_view": "Try", "try": "In context"}, "Change a word"),
        ({"watch": "All heads"}, "Threads"),  # behind the first door, which links did not name
        ({"translation_view": "Choose"}, "Step by step"),  # the first behind its door
        ({"translation_view": "Padding", "watch": "Step by step"}, "Threads"),
        ({"watch": "Padding"}, "Threads"),
    ],
)
def test_a_link_from_when_views_stood_behind_doors_opens_its_view(link: dict[str, Any], opened: str) -> None:
    at = visit(**link)
    assert control(at, "translation_view").value == opened
    assert not notices(at)
    assert not {"watch", "try", "choose"} & set(at.query_params)


# ---- models ----------------------------------------------------------------------------------------------------


def test_the_card_says_what_was_measured_and_counts_both_tables() -> None:
    at = visit()
    for name, value in checkpoint().card.items():
        assert f"| {name} | {f'{value:,}' if isinstance(value, int) else value} |" in text(at)
    source, target = model().encoder.embedding.weight, model().decoder.embedding.weight
    assert source.data_ptr() != target.data_ptr()
    assert f"**{len(source)}** source tokens and **{len(target)}** target tokens" in text(at)
    n_parameters = sum(weight.numel() for weight in model().parameters())
    assert f"That is {source.numel() + target.numel():,} of {n_parameters:,} parameters" in text(at)


@pytest.mark.wide
def test_a_visitor_s_model_that_reverses() -> None:
    own = shipped.load("reverse")
    at = visit(own)
    assert payload(at)["target"][:6] == list("fedcba")  # one's own first, and named
    assert f"Yours: {own.task.title}, {own.step:,} steps. :material/check: **Exactly right.**" in text(at)
    assert payload(choose(at, translator=SHIPPED))["target"] == FRENCH
    at = visit(own, translator="mine")
    assert not notices(at)
    assert payload(at)["ghost"] == [[n, 5 - n] for n in range(6)]
    at = choose(at, tr_letters="abz")
    assert "This model does not know “z”" in notices(at)
    for view in VIEWS:
        at = open_view(at, view)
        assert "French" not in text(at)
        assert "adjective" not in text(at)


def unsorted_words() -> Task:
    """A task that reads words, of which nobody has sorted the vocabulary."""
    words = SpacedTokeniser(("red", "green", "blue", "light"))
    ids = words.encode("red green blue light")

    def draw(rng: Random) -> Example:
        source = tuple(rng.choices(ids, k=rng.randint(2, 5)))
        return Example(source, source)

    return Task(
        name="colours",
        title="Colours",
        about="Repeat the words.",
        kind="encoder-decoder",
        source=words,
        target=words,
        draw=draw,
        probes=probes(draw, 3),
        longest=5,
    )


def test_a_task_without_kinds_is_read_as_words_if_its_tokens_are_words() -> None:
    config = TransformerConfig(d_model=8, n_heads=1, n_encoder_layers=1, n_decoder_layers=1)
    own = checkpoint_of(Trainer(unsorted_words(), config, Settings(steps=1)))
    at = visit(own, tr_english="red light pink")
    assert offered(at)["unread"] == [False, False, True]
    assert offered(at)["kinds"] == [["other words", ["red", "green", "blue", "light"]]]
    assert "somebody" not in text(at), "the grammar of another task"


def test_a_task_without_kinds_is_read_as_letters_if_its_tokens_are_letters() -> None:
    reverse = shipped.load("reverse")
    at = visit(replace(reverse, task=replace(reverse.task, kinds={})), tr_letters="abz")
    assert "This model does not know “z”" in notices(at)
    assert offered(at) is None
    assert control(at, "tr_letters").value == "abz"


@pytest.mark.wide
def test_a_visitor_s_model_that_has_learned_nothing() -> None:
    recipe = tasks.recipe("french")
    at = visit(checkpoint_of(Trainer(tasks.make("french"), recipe.config, recipe.settings)))
    for view in ("Threads", "Step by step"):
        at = open_view(at, view)
        assert "**Not quite**, from word 1 on." in text(at)
        assert "Right: *mia a trouvé un chapeau rouge*" in text(at)


@pytest.mark.wide
def test_the_model_can_be_seen_as_it_was_before_training() -> None:
    at = choose(visit(), translator_step=0)
    before = checkpoint().model_before()
    assert isinstance(before, Transformer)
    expected = translation.translate(before, translated().source.ids)
    assert payload(at)["target"] == list(translation.token_labels(checkpoint().task.target, expected.written))
    np.testing.assert_allclose(
        np.reshape(payload(at)["weights"], (2, 4, len(expected.written), len(translated().source.ids))),
        np.stack([frame.cross for frame in expected.frames], axis=2),
        atol=1e-4,
    )
    assert "Written before its first training step. **Not quite**, from word 1 on." in text(at)
    assert "before its first step of training" in at.expander[-1].label
    for view in VIEWS:
        at = open_view(at, view)


@pytest.mark.parametrize("at_stage", [1, 4])
def test_the_model_can_be_seen_at_a_step_of_its_training(at_stage: int) -> None:
    step = checkpoint().stops[at_stage]
    model = checkpoint().model_at(step)
    assert isinstance(model, Transformer)
    expected = translation.translate(model, translated().source.ids)
    for at in (visit(translator_step=str(step)), choose(visit(), translator_step=step)):
        assert payload(at)["target"] == list(translation.token_labels(checkpoint().task.target, expected.written))
        assert f"Written after {step:,} training steps." in text(at)
        assert f"after {step:,} steps of training" in at.expander[-1].label


def test_a_link_from_before_there_were_steps_opens_before_training() -> None:
    at = visit(translator_before="true")
    assert control(at, "translator_step").value == 0
    assert "Written before its first training step." in text(at)
    assert "You see" not in notices(visit(translator_step="77"))


def test_all_heads_open_on_the_one_that_looks_at_the_right_words() -> None:
    at = visit(**HEADS)
    weights, pairs = translated().maps["cross"].weights, french.alignment_of(EXAMPLES[0])
    assert pairs is not None
    mass = sum(weights[:, :, i, j] for i, j in pairs[1])
    best = [int(n) for n in np.unravel_index(np.argmax(mass), mass.shape)]
    assert best != [0, 0]
    assert heads(at).header["open"] == best


def test_an_uploaded_model_has_the_last_score_of_its_film() -> None:
    own = replace(shipped.load("reverse"), card={})
    assert own.film is not None
    share = own.film.curves["exact"][-1]
    assert f"{share:.1%} of held-out sentences exactly right" in visit(own).expander[-1].label


def test_letters_are_not_called_words() -> None:
    """What reads and writes letters goes wrong at one of them."""
    own = replace(shipped.load("reverse"), card={})
    at = visit(own, tr_letters="zzzzzz yyyyyy", translator_step=0)
    found = f"{payload(at)['fault']} {text(at)}"
    assert re.search(r"goes wrong at letter \d+|after \d+ letters|from letter \d+ on", found)
    assert not re.search(r"at word|\d words|from word|No word", found)


def test_only_a_model_that_translates_is_offered() -> None:
    said = "your model writes; this page translates. See it on Generation."
    for own, why in ((None, "there is no model of yours here"), (shipped.load("stories"), said)):
        at = visit(own, translator="mine")
        assert why in notices(at)
        assert payload(at)["target"] == FRENCH


# ---- links -----------------------------------------------------------------------------------------------------


def test_a_link_restores_everything() -> None:
    at = visit(
        tr_english="she sees the red apples",
        translation_view="Change a word",
        tr_edit_place=5,
        tr_edit_word="cakes",
        tr_edit_layer=0,
        tr_edit_head=3,
    )
    assert not notices(at)
    (shown,) = (data for data in driver.payloads(at) if "cosines" in data)
    assert (shown["source"][shown["place"]], shown["word"]) == ("apples", "cakes")
    assert shown["head"] == "layer 0, head 3"
    written, now = shown["sides"][1]["words"], shown["sides"][1]["changed"]
    assert "gâteaux" in [written[n] for n in now]


@pytest.mark.wide
def test_sentences_at_random_break_nothing() -> None:
    rng, known = Random(3), [word for kind in french.KINDS.values() for word in kind]
    at = visit()
    for n in range(12):
        english = " ".join(rng.choices([*known, "xyz"], k=rng.randint(1, 9)))
        at = choose(open_view(at, list(VIEWS)[n % len(VIEWS)]), tr_english=english)


@pytest.mark.parametrize(("link", "letters"), zip(EVERYTHING, cycle(["a b c d e f g h", "abcdefghij" * 3])))
@pytest.mark.wide
def test_a_learned_table_of_positions_has_an_end(link: dict[str, Any], letters: str) -> None:
    task = tasks.make("copy")
    config = TransformerConfig(
        d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, positions="learned", max_len=task.longest + 2
    )
    own = checkpoint_of(Trainer(task, config, Settings(steps=1, n_examples=50, n_tests=5)))
    at = visit(own, tr_letters=letters, translation_pads="8", **link)
    n = len(letters.replace(" ", ""))
    assert (f"The first {task.longest + 2} letters are read" in notices(at)) == (n > task.longest + 2)
