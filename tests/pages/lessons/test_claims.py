"""What stops of the first lesson say of their pictures, each with its counterfactual."""

import uuid
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from lab.kit.lessons import shelf
from lab.kit.words import as_chance
from lab.server.snapshots import Snapshots
from pages.live import register, trainings
from pages.vision import data as vision
from pages.vision import subject
from tests.pages import driver
from tests.pages.driver import charts, payload, payloads
from tests.pages.live import live_page
from tests.payloads import unpack
from transformer.training.tasks import drawings, shapes


def visit(heading: str, **link: str) -> AppTest:
    """The view of the stop with this heading, with these settings changed."""
    (stop,) = [stop for stop in shelf.lesson("attention").stops if stop.heading == heading]
    query: dict[str, Any] = {**dict(stop.link.settings), **link}
    return driver.visit(stop.link.page, **query)


def test_the_next_word_is_a_lot_where_the_story_leaves_it_open_and_none_where_it_does_not() -> None:
    def chances(at: AppTest) -> dict[str, float]:
        (sent,) = payloads(at)
        return dict(zip(sent["labels"], torch.tensor(sent["logits"]).softmax(-1).tolist(), strict=True))

    heading = "The next word"
    open_ = chances(visit(heading))
    assert 0.05 < max(open_.values()) < 0.1  # "a chance of 0.07 gets about seven of a hundred draws"
    named = "mia found a red hat. tom found a blue ball. mia took the red"
    assert f"*{named}*" in " ".join(shelf.lesson("attention").stops[1].before.split()), "and there it reads on"
    told = chances(visit(heading, gen_text=named))
    assert max(told, key=lambda word: told[word]) == "hat"
    assert told["hat"] > 0.9 > 100 * open_["hat"]


def test_of_the_words_to_guess_from_the_girls_name_is_nearest_to_agnes() -> None:
    def map_of(**link: str) -> dict:
        (sent,) = [data for data in payloads(visit("Words become numbers", **link)) if "bounds" in data]
        return sent

    (stop,) = [stop for stop in shelf.lesson("attention").stops if stop.heading == "Words become numbers"]
    assert stop.predict
    assert stop.predict.answer
    sent = map_of()
    labels = [word["label"] for word in sent["words"]]
    cosine = dict(zip(labels, sent["cosines"][labels.index("agnes")], strict=True))
    options = [option.text for option in stop.predict.options]
    assert max(options, key=lambda word: cosine[word]) == stop.predict.answer.text == "mia"
    assert "All six words nearest to *agnes* are girls’ names" in stop.predict.answer.reply
    (near,) = [word["nearest"] for word in sent["words"] if word["label"] == "agnes"]
    kind = sent["words"][labels.index("agnes")]["kind"]
    assert [one[3] for one in near].count(kind) == 6 == len(near)


def test_the_mask_hides_something_in_the_row_that_is_held_and_in_the_last_nothing() -> None:
    at = visit("One row, step by step")
    (steps,) = [data for data in payloads(at) if isinstance(data, dict) and "stages" in data]
    assert len(steps["matrices"]["q"][0]) == 32
    held = int(at.query_params["att_from"]) - 1
    assert steps["labels"][held] == "red"
    masked = {stage["name"]: stage["rows"] for stage in steps["stages"]}["masked"]
    assert masked[held].count(None) == len(masked) - 1 - held == 1
    assert None not in masked[-1], "the row by which nothing is seen of the mask"
    assert masked[held][int(at.query_params["att_to"]) - 1] is not None
    scores, scaled = (stage["rows"] for stage in steps["stages"][:2])
    np.testing.assert_allclose(np.array(scores) / 32**0.5, scaled, rtol=1e-5)


def test_a_model_that_sees_all_does_not_notice_the_order_and_one_with_a_mask_does() -> None:
    seen = {}
    n = len(payload(visit("Does order matter?"))["words"])
    order = "-".join(map(str, reversed(range(n))))
    for model in ("Encoder", "Decoder"):
        for positions in ("none", "sinusoidal"):
            at = visit("Does order matter?", model=model, positions=positions, pos_order=order)
            seen[model, positions] = max(payload(at)["moved"])
    assert seen.pop(("Encoder", "none")) < 1e-5
    assert min(seen.values()) > 0.1
    says = [payload(visit("Does order matter?", model=m, pos_order=order))["says"] for m in ("Encoder", "Decoder")]
    assert says[0].endswith("so the order is lost.")
    assert says[1].endswith("a decoder sees only what came before.")


def titles(at: AppTest) -> list[str]:
    return [drawn["layout"].get("title", {}).get("text", "") for drawn in charts(at)]


def test_two_heads_keep_apart_what_one_blends() -> None:
    at = visit("Why several heads")
    assert "<b>One head</b>: the two mixes come out <b>0</b> apart" in titles(at)
    assert "<b>Two heads</b>: the two mixes come out <b>1</b> apart" in titles(at)
    uneven = titles(visit("Why several heads", att_share="70"))
    assert "<b>One head</b>: the two mixes come out <b>0</b> apart" not in uneven


# ---- Where am I? Positions -------------------------------------------------------------------------------------------


def test_positions_that_count_the_distance_notice_no_move_and_make_stripes() -> None:
    at = driver.visit("positions", pos_view="Other ways")
    words, ways = [unpack(data) for data in payloads(at) if isinstance(data, bytes)]
    changes = np.abs(words.arrays["weights"][:, 10] - words.arrays["weights"][:, 0]).max(axis=(1, 2))
    assert {way for way, by in zip(words.header["ways"], changes, strict=True) if by > 1e-5} == {"sinusoidal"}
    header, arrays = ways
    varies = {}
    for way, weights in zip(header["ways"], arrays["maps"].astype(float), strict=True):
        # The weight at each distance beside that on the word itself, which leaves out what a row adds up to.
        ratios = [[np.log(weights[i, i + k] / weights[i, i]) for k in range(-6, 7)] for i in range(7, 17)]
        varies[way["name"]] = np.std(ratios, axis=0).max()
    assert max(varies[name] for name in ("rotary", "T5 relative", "ALiBi")) < 1e-3
    assert min(varies["learned"], varies["sinusoidal"]) > 0.1


# ---- What heads do and do not tell you -------------------------------------------------------------------------------


def test_no_weight_of_the_untrained_head_is_large_and_one_of_the_trained_is() -> None:
    """The scale of its map begins anew, and the stop says both of its ends."""
    stop = shelf.lesson("heads").stops[-1]
    assert "0.27 here, 1.00 there" in " ".join(stop.do.split())
    link: dict[str, Any] = dict(stop.link.settings)
    largest = []
    for state in (link["state"], "trained"):
        seen: dict[str, Any] = {**link, "state": state}
        sent = payloads(driver.visit(stop.link.page, **seen))
        (weights,) = [unpack(data).arrays["weights"] for data in sent if isinstance(data, bytes)]
        largest.append(float(weights[int(link["layer"]), int(link["head"])].max()))
    assert largest == pytest.approx([0.27, 1], abs=0.005)


# ---- How it learns ---------------------------------------------------------------------------------------------------


def trained(**link: Any) -> dict[str, float]:
    """The last numbers of the training that the page offers with this link."""
    at = live_page.until(live_page.press(driver.visit("live", **link), "train"), "done")
    packed = live_page.packet(at)
    return dict(zip(packed.header["curves"], packed.arrays["0.curves"][-1].tolist(), strict=True))


@pytest.fixture
def on_its_own(monkeypatch, tmp_path):
    mine = register.Trainings(uuid.uuid4().hex, Snapshots(tmp_path))
    monkeypatch.setattr(trainings, "trainings", lambda: mine)
    yield
    mine.stop(mine.jobs)


@pytest.mark.wide
def test_twenty_examples_are_memorised_and_steps_that_are_too_long_learn_nothing(on_its_own) -> None:
    few = trained(live_task="Reverse", live_examples="20")
    assert few["loss"] < 0.1
    assert few["val_loss"] > 1 > 10 * few["loss"]
    fast = trained(live_task="Reverse", live_lr="10.0")
    assert fast["val_loss"] > 2
    assert fast["loss"] > 2


@pytest.mark.wide  # tests/training/test_trainer.py: test_reverse_is_learned_and_seen_in_a_head
def test_twenty_thousand_examples_are_learned_from(on_its_own) -> None:
    assert trained(live_task="Reverse", live_examples="20000")["val_loss"] < 0.2


def test_before_its_first_step_a_model_is_worse_than_one_that_guesses() -> None:
    packed = live_page.packet(driver.visit("live", live_film="Copy, recorded", live_film_step="0"))
    first = dict(zip(packed.header["curves"], packed.arrays["0.curves"][0].tolist(), strict=True))
    assert first["val_loss"] == pytest.approx(3.19, abs=0.01)
    assert first["val_loss"] > np.log(14) == pytest.approx(2.64, abs=0.01)
    assert first["accuracy"] < 0.05


# ---- Pictures are texts ----------------------------------------------------------------------------------------------


def answers(seen: vision.Seen, reader: vision.Reader) -> dict[str, tuple[str, float]]:
    """What the model says of a picture, by question: its answer, and how sure it is."""
    questions = vision.facts(reader).questions.items()
    return {q: (names[s.argmax()], s.max()) for (q, names), s in zip(questions, seen.shares, strict=True)}


def test_an_answer_does_not_need_the_patch_that_a_head_looks_at_most() -> None:
    """The button of the stop, pressed three times, in the head that the view opens on."""
    reader = vision.Reader(vision.OURS["trained on shapes"])
    layer, head = vision.on_things(reader).best
    under = vision.drawn(tuple(subject.DEFAULTS.items()), shapes.SIZES[2], subject.SEEDS[0])
    blue = 1 + list(shapes.COLOURS).index("blue")
    cells = np.zeros((shapes.SIDE, shapes.SIDE), int)
    said, places, weights = [], [], []
    for _ in range(4):
        pairs = cells.reshape(-1, 2) @ [6, 1]
        code = "".join(drawings.LAYER_LETTERS[pair] for pair in pairs)
        seen = vision.look(reader, vision.painted(under, code))
        row = seen.weights[layer, head, 0, 1:]
        said.append(answers(seen, reader))
        places.append(divmod(int(row.argmax()), 6))
        weights.append(row.max())
        y, x = places[-1]
        cells[4 * y : 4 * y + 4, 4 * x : 4 * x + 4] = blue
    assert [answer for answer, _ in said[0].values()] == ["triangle", "red", "two", "upper left"]
    assert said[0]["place"][1] > 0.985
    assert (places[0], places[1]) == ((1, 1), (3, 2)), "the upper triangle, then the other one"
    assert weights[:2] == pytest.approx([0.64, 0.99], abs=0.005)
    assert [answer for answer, _ in said[1].values()] == [answer for answer, _ in said[0].values()]
    assert min(sure for _, sure in said[1].values()) >= 0.97
    assert as_chance(said[1]["colour"][1]) == ">99.9%", "not all: 0.9996"
    assert [said[n]["count"][0] for n in (2, 3)] == ["one", "one"], "the second press changes answers"
    assert said[3]["colour"][0] == "blue"
