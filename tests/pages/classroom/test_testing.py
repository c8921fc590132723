"""The test before and after: its questions, what they claim, and the sheet on the teacher's desk."""

import pytest
import torch

from lab.kit.lessons import shelf
from lab.kit.texts.inline import plain
from lab.server.rooms import rooms
from lab.server.rooms.plan import MAX_STEPS, PARTS, unpacked
from pages.classroom import desk, plans, testing
from tests.pages.driver import notices, press, visit, words
from transformer.core.attention import scaled_dot_product_attention
from transformer.core.masks import causal

STUDENTS = [f"{n:043}" for n in range(8)]


def answer(key: str) -> str:
    right = testing.questions()[key].answer
    assert right is not None
    return right.text


def test_each_idea_has_two_forms_that_are_alike():
    assert set(testing.questions()) == {f"{key}-{form}" for key in testing.IDEAS for form in "ab"}
    for key in testing.IDEAS:
        a, b = (testing.questions()[f"{key}-{form}"] for form in "ab")
        assert len(a.options) == len(b.options)
        assert a.text != b.text


@pytest.mark.parametrize("name", shelf.ORDER)
def test_a_lesson_with_its_test_fits_a_room(name: str):
    plan = plans.plan(name)
    tested = testing.with_test(plan)
    assert unpacked(tested.packed()) == tested
    n = len(testing.IDEAS)
    assert tested.steps[n:-n] == plan.steps[: MAX_STEPS - 2 * n]
    assert [step.part for step in (*tested.steps[:n], *tested.steps[-n:])] == [part for part in PARTS for _ in range(n)]


STOP = """
## Stop {n}

[A head](/heads)

Say: It looks back.

### Predict

Where does it look, in line {n}?

- [x] back
  Yes.
- [ ] ahead
  No.
"""


def test_of_a_long_lesson_as_much_is_announced_as_is_asked():
    """30 questions and two tests of eight: a room takes 40, so 24 are asked, and it is said which are not."""
    rooms.cache_clear()
    n_tests = 2 * len(testing.IDEAS)
    n_fit = MAX_STEPS - n_tests
    text = "---\ntitle: Long\nminutes: 60\nfor: a class\n---\nMuch.\n" + "".join(STOP.format(n=n) for n in range(30))
    code = shelf.packed(text)
    at = visit("classroom", class_of=code)
    assert "left out" not in notices(at)
    at.toggle(key="class_tested").set_value(True).run()
    (label,) = [one for one in at.selectbox(key="class_chosen").options if one.startswith("Long")]
    assert label == f"Long · {plans.length(n_fit, n_tests, 10)}"
    assert label.startswith(f"Long · {MAX_STEPS} questions · about {2 * n_fit + 10} minutes")
    assert desk.too_long(n_tests, 6) in notices(at)
    for box in [box for box in at.checkbox if str(box.key).startswith("class_asks_")][:6]:
        box.uncheck()
    at.run()
    assert "left out" not in notices(at)
    at = press(at, "class-start")
    (line,) = [one.proto.body for one in at.get("html") if 'class="class-code"' in one.proto.body]
    room = rooms().look(line.partition("<b>")[2][:4])
    assert room is not None
    assert len(room.plan.steps) == MAX_STEPS
    asked = [step.ask for step in room.plan.steps if step.kind != "test"]
    assert asked == [f"Where does it look, in line {n}?" for n in range(6, 30)]
    rooms.cache_clear()


def test_what_does_not_fit_is_said_of_one_question_and_of_more():
    whole = "A class is asked at most 40 questions, and 16 of them are the two tests. Of the questions chosen here, "
    assert desk.too_long(16, 1) == f"{whole}the last one is left out. To keep it, leave out another."
    assert desk.too_long(16, 6) == f"{whole}the last 6 are left out. To keep them, leave out others."


# ---- what the questions claim ----------------------------------------------------------------------------------------


def test_a_row_of_weights_adds_up_to_1():
    assert float(answer("weights-a")) == pytest.approx(1 - 0.2 - 0.5)
    assert float(answer("weights-b")) == pytest.approx(1 - 0.1 - 0.1 - 0.6)


@pytest.mark.parametrize(
    ("key", "text", "word"), [("mask-a", "the dog saw the cat", "saw"), ("mask-b", "a bird ate one worm", "bird")]
)
def test_a_word_sees_itself_and_what_came_before(key: str, text: str, word: str):
    tokens = text.split()
    seen = causal(len(tokens)).reshape(len(tokens), -1)[tokens.index(word)]
    assert answer(key) == ", ".join(token for token, is_seen in zip(tokens, seen, strict=True) if is_seen)
    assert text in testing.questions()[key].text


def test_larger_scores_make_a_row_sharper_and_smaller_ones_flatter():
    scores = torch.tensor([1.0, 0.2, -0.5])
    plain, sharp, flat = (torch.softmax(factor * scores, -1) for factor in (1, 10, 0.1))
    assert sharp.max() > 0.99 > plain.max()
    assert flat.max() - flat.min() < (plain.max() - plain.min()) / 5
    assert flat.sum() == pytest.approx(1) == sharp.sum()


def test_without_positions_a_word_gets_the_same_vector_in_any_order():
    x = torch.randn(1, 1, 3, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    order = torch.tensor([2, 1, 0])
    out, shuffled = (scaled_dot_product_attention(one, one, one)[0] for one in (x, x[:, :, order]))
    torch.testing.assert_close(shuffled, out[:, :, order])


# ---- the desk --------------------------------------------------------------------------------------------------------


def test_a_class_is_tested_before_and_after_and_its_sheet_stands_on_the_desk():
    rooms.cache_clear()
    at = visit("classroom", class_of="heads")
    at.toggle(key="class_tested").set_value(True).run()
    at.button(key="class-start").click().run()
    (line,) = [one.proto.body for one in at.get("html") if 'class="class-code"' in one.proto.body]
    code = line.partition("<b>")[2][:4]
    assert "Nobody has answered both tests yet" in words(at)

    def room():
        found = rooms().look(code)
        assert found is not None
        return found

    for key in STUDENTS:
        assert rooms().sit(room(), key)
    for n, step in enumerate(room().plan.steps):
        if step.kind == "test" and step.heading == testing.IDEAS["mask"]:
            rooms().turn(room(), {"at": n})
            for key in STUDENTS:
                asked = rooms().handed(room(), key)["step"]
                question = next(one for one in testing.questions().values() if plain(one.text) == asked["ask"])
                place = asked["labels"].index(question.answer.text)
                knows = step.part == PARTS[1] or key == STUDENTS[0]
                assert rooms().answer(room(), key, n, 0, place if knows else (place + 1) % 4) == ""
    at.run()
    assert "| What a word can see | 8 | " in words(at)
    (row,) = [row for row in words(at).splitlines() if row.startswith("| What a word can see")]
    assert row.split("|")[4].strip() == "100%"
    assert any(button.label == "CSV" for button in at.get("download_button"))
    rooms.cache_clear()
