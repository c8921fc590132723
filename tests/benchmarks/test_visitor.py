"""What a visitor without a browser sees and sends, read from messages as the server writes them."""

import socket
from random import Random
from urllib.parse import parse_qsl

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.load import HABITS
from benchmarks.visitor import Kept, NoAnswer, Screen, Visitor, run
from tests.further import further
from tests.pages.driver import checked, visit


def message(place, fragment="", **elements):
    drawn = ForwardMsg(hash=f"hash of {place}")
    drawn.metadata.delta_path.extend(place)
    drawn.delta.fragment_id = fragment
    for kind, fields in elements.items():
        element = getattr(drawn.delta.new_element, kind)
        element.SetInParent()
        for name, value in fields.items():
            if isinstance(value, list):
                getattr(element, name).extend(value)
            else:
                setattr(element, name, value)
    return drawn


@pytest.fixture
def screen():
    screen = Screen()
    screen.draw(message([0, 0], markdown={"body": "no widget"}))
    screen.draw(message([0, 1], text_input={"id": "t", "label": "Sentence", "query_param_key": "text"}))
    screen.draw(message([0, 2], "part", slider={"id": "s", "label": "Seed", "options": ["0", "1", "2"]}))
    screen.draw(message([0, 3], button={"id": "b", "label": "Pin"}))
    return screen


def test_widgets_are_found_by_their_labels(screen):
    sentence, seed = screen.widget("Sentence"), screen.widget("Seed")
    assert (sentence.id, sentence.parameter, sentence.fragment) == ("t", "text", "")
    assert (seed.id, seed.options, seed.fragment) == ("s", ("0", "1", "2"), "part")
    with pytest.raises(KeyError, match="no widget is labelled 'Layers'"):
        screen.widget("Layers")


def test_a_widget_that_is_drawn_again_takes_the_place_of_the_old_one(screen):
    screen.draw(message([0, 1], text_input={"id": "new", "label": "Sentence"}))
    assert screen.widget("Sentence").id == "new"


def test_a_text_is_sent_as_a_text_and_a_slider_as_its_option(screen):
    assert screen.widget("Sentence").set_to("the cat").string_value == "the cat"
    assert list(screen.widget("Seed").set_to("2").string_array_value.data) == ["2"]
    for label, value in (("Seed", "3"), ("Pin", "1")):
        with pytest.raises(ValueError, match="cannot be set"):
            screen.widget(label).set_to(value)


def test_an_exception_on_screen_is_seen(screen):
    assert screen.exceptions() == []
    screen.draw(message([0, 4], exception={"message": "no such thing"}))
    assert screen.exceptions() == ["no such thing"]


def test_a_message_that_is_kept_is_drawn_where_its_reference_says():
    kept = Kept(runs=2)
    original = message([0, 1], text_input={"id": "t", "label": "Sentence"})
    original.metadata.cacheable = True
    assert kept.whole(original) is original
    reference = ForwardMsg(ref_hash=original.hash)
    reference.metadata.delta_path.extend([0, 7])
    found = kept.whole(reference)
    assert found.delta.new_element.text_input.id == "t"
    assert list(found.metadata.delta_path) == [0, 7]
    assert list(original.metadata.delta_path) == [0, 1]


def test_messages_are_kept_for_as_many_runs_as_in_a_browser():
    kept = Kept(runs=2)
    original = message([0], text_input={"id": "t"})
    original.metadata.cacheable = True
    kept.whole(original)
    for known in ([original.hash], [original.hash], []):
        kept.next_run()
        assert kept.hashes() == known


def test_a_server_that_is_not_there_is_no_answer():
    async def visit():
        async with Visitor(f"http://127.0.0.1:{port}", "heads"):
            pass

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(NoAnswer):
        run(visit())


@pytest.mark.slow
@pytest.mark.parametrize("habit", further(HABITS), ids=lambda habit: habit.page)
def test_visitors_find_on_every_page_what_they_set(habit):
    at = visit(habit.page, **dict(parse_qsl(habit.query)))
    value = habit.value(Random(0))
    if habit.words:
        (box,) = (box for box in at.text_input if box.label == habit.label)
        box.input(value)
    else:
        (slider,) = (slider for slider in at.select_slider if slider.label == habit.label)
        slider.set_value(int(value))
    checked(at.run())
