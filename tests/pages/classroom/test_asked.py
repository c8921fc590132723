"""Predictions of lessons that a model answers in a class: its own numbers, worked out another way."""

import numpy as np
import pytest
import torch

from lab.kit.controls.reader import REVIEWS
from lab.kit.lessons import shelf
from lab.kit.lessons.lesson import Asked, Link, Stop
from lab.kit.lessons.reader import read
from lab.kit.models.references import Shipped
from lab.kit.texts.markdown import TextError
from lab.kit.texts.questions import Option, Question
from lab.server.rooms.plan import MASKED, Plan
from pages.classroom import plans
from pages.classroom.asked import answered

STORY = "mia found a red hat. tom found a blue ball. mia took the red"
ASKED = Question("Where?", (Option("hat", "Yes.", True), Option("red, the first", "No."), Option("At *ball*", "Near.")))
OF_SHIPPED = [
    (f"{name}: {stop.heading}", stop) for name, lesson in shelf.shipped().items() for stop in lesson.stops if stop.model
]


def stop(page: str, asked: Asked, **link: str) -> Stop:
    return Stop("A stop", Link(page, tuple(link.items())), "Said.", predict=ASKED, model=asked)


def looks(**link: str) -> Stop:
    shown = {"weights": "trained on stories", "text": STORY, "layer": "2", "head": "0"}
    return stop("heads", Asked("attention"), **{**shown, **link})


def twice() -> Stop:
    asked = Question("Which?", (Option("red, the first one", "No."), Option("red, the second one", "Yes.", True)))
    return looks()._replace(predict=asked)


@pytest.mark.parametrize("stop", [one for _, one in OF_SHIPPED], ids=[name for name, _ in OF_SHIPPED])
def test_what_a_lesson_marks_as_right_is_what_the_model_answers(stop: Stop):
    step = answered(stop)
    assert step
    assert stop.predict
    assert stop.predict.answer
    best = int(np.argmax(step.truth))
    assert step.replies[best] == plans.quoted(stop.predict.answer.reply)
    assert step.labels[best] in stop.predict.answer.text
    assert step.truth[best] > 0.5


def test_more_than_one_shipped_lesson_asks_a_model():
    assert {stop.model.what for _, stop in OF_SHIPPED if stop.model} == {"attention", "next word"}


def test_attention_is_the_row_of_the_head_in_the_link():
    source = Shipped("stories").resolve()
    tokens = source.cut(STORY)
    with torch.inference_mode():
        maps = source.single_stack(torch.tensor([source.ids(tokens)])).attention.decoder
    step = answered(looks(query="5", head="3"))
    assert step
    assert step.labels == tokens[:6], "later words are hidden"
    assert step.truth == pytest.approx(maps[2][0, 3, 5, :6].tolist(), abs=2e-5)
    assert step.truth != pytest.approx(maps[2][0, 2, 5, :6].tolist(), abs=1e-3)
    every = answered(looks(head="3"))
    seen = [maps[2][0, 3, n:, n].mean().item() for n in range(len(tokens))]
    assert every
    assert every.truth == pytest.approx(seen, abs=2e-5), "without a query: the mean of those that see it"


def test_a_map_is_every_row_of_the_head_in_the_link_and_its_reply_is_of_the_whole():
    source = Shipped("stories").resolve()
    tokens = source.cut(STORY)
    with torch.inference_mode():
        maps = source.single_stack(torch.tensor([source.ids(tokens)])).attention.decoder
    step = answered(looks(head="3")._replace(model=Asked("map")))
    assert step
    assert (step.kind, step.labels, step.replies) == ("map", tokens, ("Yes.",))
    truth = np.reshape(step.truth, (len(tokens), len(tokens)))
    seen = np.tri(len(tokens), dtype=bool)
    assert truth[seen] == pytest.approx(maps[2][0, 3].numpy()[seen], abs=2e-5)
    assert (truth[~seen] == MASKED).all()
    assert truth[seen] != pytest.approx(maps[2][0, 2].numpy()[seen], abs=1e-3)
    assert len(Plan("A map", (step,)).packed()) > 0, "a room takes it"
    there = looks(weights=REVIEWS, text="the film was boring", layer="0")
    of_encoder = answered(there._replace(model=Asked("map")))
    assert of_encoder
    assert np.reshape(of_encoder.truth, (len(of_encoder.labels), -1)).sum(-1) == pytest.approx(1, abs=1e-3)


def test_each_word_has_the_reply_of_the_option_that_names_it():
    step = answered(looks(query="16"))
    assert step
    said = {n: reply for n, reply in enumerate(step.replies) if reply}
    assert said == {
        step.labels.index("red"): "No.",
        step.labels.index("hat"): "Yes.",
        step.labels.index("ball"): "Near.",
    }


def test_the_next_word_is_that_of_the_text_which_is_named():
    def best(step) -> str:
        return step.labels[int(np.argmax(step.truth))]

    there = answered(stop("generation", Asked("next word"), gen_text=STORY))
    other = answered(
        stop("blocks", Asked("next word", STORY.replace("red hat", "blue hat").replace("blue ball", "red ball")))
    )
    assert there
    assert other
    assert (best(there), best(other)) == ("hat", "ball")
    assert 0.9 < sum(there.truth) <= 1.001
    assert "red+ball" in other.view


@pytest.mark.parametrize(
    ("stop", "sentence"),
    [
        (looks(layer="9"), "no such layer or head"),
        (looks(head="99"), "no such layer or head"),
        (looks(query="40"), "no such query"),
        (looks(query="0"), "no such query"),
        (looks(weights="GPT-2"), "and not “GPT-2”"),
        (looks(text="mia " * 40), "can touch 2 to 24 tokens"),
        (looks(text="mia " * 20)._replace(model=Asked("map")), "can touch 2 to 18 tokens"),
        (stop("generation", Asked("next word"), gen_text=" "), "reads no word"),
        # Such a link opens the view with another model than the class would be held against.
        (stop("heads", Asked("attention"), text="the film was boring", layer="0", head="3"), "which model reads"),
        (stop("heads", Asked("attention"), layer="0", head="3", d_model="64"), "which model reads"),
        (stop("generation", Asked("next word"), gen_text=STORY, gen_step="0"), "at the end of its training"),
        (stop("generation", Asked("next word"), gen_text=STORY, gen_model="Short tales"), "only “Stories” answers"),
        (twice(), "two of the options begin with “red”"),
    ],
)
def test_what_no_model_can_answer_is_one_sentence_with_the_stop(stop: Stop, sentence: str):
    with pytest.raises(TextError, match=sentence) as raised:
        answered(stop)
    assert "“A stop”" in raised.value.faults[0].sentence


def test_the_example_of_the_readme_says_what_the_model_writes():
    text = (shelf.FOLDER / "README.md").read_text(encoding="utf-8").partition("```markdown\n")[2].partition("```")[0]
    (first,) = read(text).stops
    step = answered(first)
    assert step
    best = int(np.argmax(step.truth))
    assert (step.labels[best], step.replies[best]) == ("hat", "Yes: that is the red thing.")
