"""The teacher's desk: what a room asks, and that the model has answered it."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, parse_qsl

import numpy as np
import pytest
import torch

from lab.kit import catalogue, story
from lab.kit.lessons import shelf
from lab.kit.texts.markdown import TextError
from lab.kit.texts.questions import of_page
from lab.server.rooms import rooms
from lab.server.rooms.plan import MASKED, Plan, unpacked
from pages.classroom import data, desk, plans, testing
from tests.pages.driver import notices, payload, visit, words

NAMES = (plans.WARM_UP, *shelf.ORDER, *plans.pages())


@pytest.mark.parametrize("name", NAMES)
def test_whatever_can_be_asked_fits_a_room(name: str):
    plan = plans.plan(name)
    assert unpacked(plan.packed()) == plan
    assert all(step.ask and step.heading for step in plan.steps)
    assert not any(mark in step.ask for step in plan.steps for mark in ("**", ":violet[", "{"))


@pytest.mark.parametrize("name", shelf.ORDER)
def test_a_lesson_asks_all_its_questions_with_the_answer_that_the_lesson_has(name: str):
    lesson = shelf.lesson(name)
    asked = [(q, stop) for stop in lesson.stops for q in (stop.predict, stop.question) if q]
    steps = plans.plan(name).steps
    assert len(steps) == len(asked) == plans.n_questions(lesson)
    for step, (question, stop) in zip(steps, asked, strict=True):
        if stop.model and question is stop.predict:
            assert step.kind == {"attention": "cells", "next word": "word"}[stop.model.what]
        elif question.answer:
            assert step.kind == "options"
            assert [one for one, n in zip(question.shuffled, step.truth, strict=True) if n] == [question.answer]
            assert sum(step.truth) == 1
        else:
            assert step.kind == "talk"


def test_the_warm_up_is_answered_by_the_model_itself():
    """Worked out once more, with softmax and products by hand."""
    source = data.WRITER.resolve()
    model = source.single_stack
    tokens = source.cut(story.TEXT)
    ids = source.ids(tokens)
    with torch.inference_mode():
        out = model(torch.tensor([ids]))
    odds = np.exp(out.logits[0].double().numpy())
    odds /= odds.sum(-1, keepdims=True)
    cells, cell, word, number, curve = plans.plan(plans.WARM_UP).steps
    layer, head = data.warmup().head
    weights = out.attention.decoder[layer][0, head, -1, 1:].numpy()
    assert cells.labels == curve.labels == tokens[1:]
    assert cells.truth == pytest.approx(weights, abs=1e-4)
    few = source.cut(data.SHORT)
    with torch.inference_mode():
        short = model(torch.tensor([source.ids(few)])).attention.decoder[layer][0, head, 1:, 1:].numpy()
    n = len(cell.labels)
    assert cell.labels == few[1:]
    assert 2 * n <= 20 < 2 * len(cells.labels), "few enough for a finger, and for the last row"
    rows = np.array(cell.truth).reshape(n, n)
    assert (rows[~np.tri(n, dtype=bool)] == MASKED).all(), "no word sees a later one"
    assert rows[np.tri(n, dtype=bool)] == pytest.approx(short[np.tri(n, dtype=bool)], abs=1e-4)
    assert dict(parse_qsl(cell.view.partition("?")[2]))["text"] == data.SHORT, "and its view reads the same"
    at = int(np.argmax(word.truth))
    assert word.truth[at] == pytest.approx(odds[-1, source.ids((word.labels[at],))[-1]], abs=1e-4)
    assert number.truth[0] == pytest.approx(100 * word.truth[at], abs=0.06)
    assert curve.truth == pytest.approx([odds[n, id] for n, id in enumerate(ids[1:])], abs=1e-4)


def test_beside_the_answer_the_app_says_the_same():
    """The picture on the projector is asked what the class was asked: at the end of the text."""
    for step in plans.plan(plans.WARM_UP).steps:
        if step.view.startswith("./generation?"):
            link: dict[str, Any] = dict(parse_qsl(step.view.partition("?")[2]))
            shown = payload(visit("generation", **link))
            assert (len(shown["given"]), shown["later"]) == (1 + len(data.warmup().tokens), [])
            odds = torch.tensor(shown["logits"]).double().softmax(-1).numpy()
            best = float(max(step.truth)) / (100 if step.kind == "number" else 1)
            assert odds.max() == pytest.approx(best, abs=1e-3)
            assert step.kind == "number" or shown["labels"][odds.argmax()] == step.labels[np.argmax(step.truth)]


def test_the_head_of_the_warm_up_matters():
    """Its claim by its counterfactual: without this head the answer changes more than without any other."""
    from transformer import inspection

    source = data.WRITER.resolve()
    moved = inspection.head_ablations.each_head_ablated(source.single_stack, source.ids(source.cut(story.TEXT)), -1)
    assert moved[data.warmup().head] == moved.max() > 0.1


@pytest.mark.parametrize(
    "name",
    [
        "nothing",
        "page:",
        "question:",
        "question:heads-nothing",
        "question:blocks-order",
        "question:../../etc-a",
        "page:nowhere",
        "page:../../etc",
        "~AAAA",
        "page:classroom",
        "<b>",
    ],
)
def test_what_nobody_can_be_asked_is_one_sentence(name: str):
    with pytest.raises(TextError):
        plans.plan(name)
    at = visit("classroom", class_of=name)
    assert len(notices(at).splitlines()) == 1
    assert payload(at)["title"] == "Warm-up", "what is there can be asked all the same"


def test_a_room_is_opened_found_again_and_closed():
    rooms.cache_clear()
    at = visit("classroom", class_of="heads")
    at.button(key="class-start").click().run()
    (line,) = [one.proto.body for one in at.get("html") if 'class="class-code"' in one.proto.body]
    code = line.partition("<b>")[2][:4]
    room = rooms().look(code)
    assert room is not None
    assert room.plan == plans.plan("heads")
    assert isinstance(room.plan, Plan)
    at.run()
    assert any(code in one.proto.body for one in at.get("html"))
    assert "Rehearse" not in words(at), "that was before"
    at.button(key="class-end").click().run()
    assert rooms().look(code) is None
    assert not any('class="class-code"' in one.proto.body for one in at.get("html"))
    rooms.cache_clear()


class Anew(Exception):
    """The page begins anew."""


@pytest.mark.parametrize(("name", "more"), [("_follow_seats", [""]), ("_follow_sheet", [])])
def test_where_another_tab_has_started_the_next_class_the_desk_shows_that_one(name: str, more: list, monkeypatch):
    """No part of the desk that follows its class by itself draws something of the next one under the code before."""
    rooms.cache_clear()
    plan = testing.with_test(plans.plan("heads"))
    before = rooms().open("T" * 43, plan)

    def begin_anew():
        raise Anew

    drawn: list[str] = []
    monkeypatch.setattr(desk.visitor, "key", lambda: "T" * 43)
    monkeypatch.setattr(desk.st, "rerun", begin_anew)
    monkeypatch.setattr(desk.st, "html", drawn.append)
    monkeypatch.setattr(desk.testing, "draw_sheet", lambda room, _: drawn.append(room.code))
    run = getattr(desk, name).__wrapped__  # as every few seconds, without the page around it
    run(before, *more)
    assert len(drawn) == 1
    rooms().open("T" * 43, plan)
    with pytest.raises(Anew):
        run(before, *more)
    assert len(drawn) == 1
    rooms.cache_clear()


def test_a_lesson_within_a_link_is_a_class_as_well():
    code = shelf.packed(shelf.source("heads"))
    assert plans.plan(code) == plans.plan("heads")


def test_another_choice_is_rehearsed_and_stands_in_the_address():
    at = visit("classroom")
    assert payload(at)["title"] == "Warm-up"
    at.selectbox(key="class_chosen").set_value("page:masks").run()
    assert at.query_params["class_of"] == "page:masks"
    assert [step["ask"] for step in payload(at)["steps"]] == [step.ask for step in plans.plan("page:masks").steps]


def test_the_time_is_that_of_a_class_and_what_there_is_no_time_for_is_left_out():
    rooms.cache_clear()
    at = visit("classroom", class_of="heads")
    n = len(plans.plan("heads").steps)
    label = next(one for one in at.selectbox(key="class_chosen").options if f"{n} questions" in one)
    assert label.endswith(f"{n} questions · about {2 * n} minutes")
    boxes = [box for box in at.checkbox if str(box.key).startswith("class_asks_")]
    assert len(boxes) == n
    boxes[0].uncheck()
    boxes[2].uncheck().run()
    left = [step.ask for n, step in enumerate(plans.plan("heads").steps) if n not in (0, 2)]
    assert [step["ask"] for step in payload(at)["steps"]] == left
    at.toggle(key="class_tested").set_value(True).run()
    label = next(one for one in at.selectbox(key="class_chosen").options if f"{n + 16} questions" in one)
    assert label.endswith(f"about {2 * n + 10} minutes"), "two tests of five minutes"
    at.button(key="class-start").click().run()
    (line,) = [one.proto.body for one in at.get("html") if 'class="class-code"' in one.proto.body]
    room = rooms().look(line.partition("<b>")[2][:4])
    assert room is not None
    assert [step.ask for step in room.plan.steps if step.kind != "test"] == left
    rooms.cache_clear()


@pytest.mark.wide
def test_what_is_left_out_and_the_test_are_in_the_address_and_outlive_a_class():
    rooms.cache_clear()
    at = visit("classroom", class_of="heads")
    n = len(plans.plan("heads").steps)
    boxes = [box for box in at.checkbox if str(box.key).startswith("class_asks_")]
    boxes[1].uncheck().run()
    boxes = [box for box in at.checkbox if str(box.key).startswith("class_asks_")]
    boxes[4].uncheck().run()
    at.toggle(key="class_tested").set_value(True).run()
    link = {name: at.query_params[name] for name in ("class_of", "class_without", "class_tested")}
    assert link == {"class_of": "heads", "class_without": "2-5", "class_tested": "yes"}
    asked = [step["ask"] for step in payload(at)["steps"]]
    assert len(asked) == n - 2 + 2 * len(testing.IDEAS)
    assert [step["ask"] for step in payload(visit("classroom", **link))["steps"]] == asked, "a link is the same"
    at.button(key="class-start").click().run()
    at.button(key="class-end").click().run()
    assert [step["ask"] for step in payload(at)["steps"]] == asked
    boxes = [box.value for box in at.checkbox if str(box.key).startswith("class_asks_")]
    assert [at for at, is_asked in enumerate(boxes, 1) if not is_asked] == [2, 5]
    rooms.cache_clear()


def test_what_is_left_out_of_one_plan_is_asked_in_another_and_still_left_out_on_the_way_back():
    at = visit("classroom", class_of="heads", class_without="2-5")
    at.selectbox(key="class_chosen").set_value("page:masks").run()
    assert "class_without" not in at.query_params
    assert len(payload(at)["steps"]) == len(plans.plan("page:masks").steps)
    at.selectbox(key="class_chosen").set_value("heads").run()
    assert at.query_params["class_without"] == "2-5"
    assert len(payload(at)["steps"]) == len(plans.plan("heads").steps) - 2


@pytest.mark.parametrize("numbers", ["0-99", "-", "<b>", "x" * 5000])
def test_numbers_of_no_question_leave_nothing_out(numbers: str):
    at = visit("classroom", class_of="heads", class_without=numbers)
    assert len(payload(at)["steps"]) == len(plans.plan("heads").steps)


def test_a_class_without_a_question_is_not_started():
    at = visit("classroom", class_of=f"question:{SINGLE[0]}")
    (box,) = [box for box in at.checkbox if str(box.key).startswith("class_asks_")]
    box.uncheck().run()
    assert "Choose at least one" in notices(at)
    assert at.button(key="class-start").disabled


SINGLE = [key for page in catalogue.PAGES for key, one in of_page(page.url).items() if not one.places]


@pytest.mark.parametrize("key", SINGLE)
def test_every_question_of_a_page_can_be_asked_alone(key: str):
    plan = plans.plan(f"question:{key}")
    assert unpacked(plan.packed()) == plan
    (step,) = plan.steps
    question = of_page(key.partition("-")[0])[key]
    assert question.answer is not None
    assert step.labels[step.truth.index(1)] == plans.quoted(question.answer.text)


def test_its_view_is_the_page_as_it_was_and_nothing_else():
    (step,) = plans.plan("question:heads-trained?layer=2&head=0&embed=true&present=1&<b>=1&lesson=~x").steps
    assert step.view == "./heads?layer=2&head=0"
    (step,) = plans.plan("question:heads-trained?" + "&".join(f"layer={n}" for n in range(99))).steps
    assert step.view == "./heads"


def test_a_card_leads_to_a_room_of_its_own_question():
    at = visit("heads", layer="2", head="1")
    (door,) = [one.proto.body for one in at.get("html") if 'data-check="heads-trained"' in one.proto.body]
    href = re.search(r'href="\./classroom\?([^"]*)"', door)
    assert href
    name = parse_qs(unescape(href[1]))["class_of"][0]
    (step,) = plans.plan(name).steps
    assert step.view.startswith("./heads?")
    assert {"layer=2", "head=1"} <= set(step.view.partition("?")[2].split("&"))
    at = visit("classroom", class_of=name)
    assert [one["ask"] for one in payload(at)["steps"]] == [step.ask]
