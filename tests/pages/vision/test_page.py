"""The page on vision as the server runs it: what is sent to the browser is what the models computed."""

import io
from unittest.mock import patch

import numpy as np
import pytest
import torch
from PIL import Image

from attention_view.layout import parts
from lab.kit import pictures
from lab.kit.words import NOTHING
from lab.server import caching, gate
from pages.vision import cut, data, figures, shuffle, subject
from pages.vision.data import Reader
from tests.pages import driver, published_models
from tests.pages.driver import chart, charts, choose, control, notices, payloads, pin, words
from tests.pretrained import makers
from transformer.core.images import scaled
from transformer.inspection.head_effects import rollout
from transformer.training import vision
from transformer.training.tasks import drawings, shapes


def test_a_picture_its_heads_and_its_answers():
    at = driver.visit("vision", vision_colour="blue", vision_count="three")
    assert at.title[0].value == "How does it read a picture?"
    assert notices(at) == ""
    header, arrays = parts(payloads(at)[0])
    trained = vision.load("shapes")
    with torch.inference_mode():
        output = trained.model(scaled(arrays["pixels"][None]))
    weights = np.stack([layer[0].numpy() for layer in output.attention.encoder])
    np.testing.assert_allclose(arrays["weights"], weights, atol=1e-6)
    np.testing.assert_allclose(arrays["rollout"], rollout(weights), atol=1e-6)
    for n, group in enumerate(header["groups"]):
        assert tuple(group["answers"]) == shapes.QUESTIONS[group["question"]]
        expected = output.logits[0, 0, 4 * n : 4 * n + 4].softmax(-1)
        np.testing.assert_allclose(group["shares"], expected, atol=1e-6)
    assert [group["was"] for group in header["groups"]] == [None] * 4, "nothing is painted"
    truth = {group["question"]: group["answers"][group["right"]] for group in header["groups"]}
    assert truth == {"shape": "triangle", "colour": "blue", "count": "three", "place": "upper left"}
    assert f"{trained.card['shape right']:.1%}" in words(at)
    at = choose(at, vision_model="shapes, read from the mean")
    header, arrays = parts(payloads(at)[0])
    with torch.inference_mode():
        logits = vision.load("shapes-mean").model(scaled(arrays["pixels"][None])).logits[0, 1:].mean(0)
    np.testing.assert_allclose(header["groups"][0]["shares"], logits[:4].softmax(-1), atol=1e-6)


def test_rows_vectors_and_the_table_of_positions():
    at = driver.visit("vision", vision_view="Cut into patches", vision_model="shapes, patches of 8")
    assert notices(at) == ""
    _, arrays = parts(payloads(at)[0])
    assert arrays["vectors"].shape == (9, 48)
    table = vision.load("shapes-large-patches").model.encoder.positions.weight.detach().numpy()[1:]
    units = table / np.linalg.norm(table, axis=1, keepdims=True)
    cells = chart(at)["data"][0]["z"]
    np.testing.assert_allclose(cells[:3, 4:7].astype(float).ravel(), units @ units[1], atol=1e-6)  # of patch 2
    at = choose(at, vision_model="shapes, no positions")
    assert "there is no table" in words(at)
    assert not charts(at)
    at = pin(at)
    at = choose(at, vision_model="shapes, patches of 8")
    assert "A has 36 × 48 numbers, B 9 × 48" in words(at)


def test_two_pictures_side_by_side_and_how_a_published_model_is_brought():
    at = pin(driver.visit("vision"))
    at = choose(at, vision_colour="blue")
    (a, b), change = ((chart(at, n)["data"][0]["z"] for n in (0, 1)), chart(at, 2)["data"][0]["z"])
    _, arrays = parts(payloads(at)[0])
    np.testing.assert_allclose(b.ravel(), arrays["weights"][-1, :, 0, 1:].mean(0), atol=1e-6)
    np.testing.assert_allclose(b - a, change, atol=1e-6)
    assert np.abs(change).max() > 0
    assert ("No published model of pictures is on this machine yet" in words(at)) == (not subject.published())


def test_shuffled_patches_change_nothing_without_positions():
    at = driver.visit("vision", vision_view="Cut into patches", vision_moved=36)
    assert notices(at) == ""
    (header, figure), (table, arrays) = (parts(payload) for payload in payloads(at)[:2])
    before, after = arrays["before"], arrays["after"]
    np.testing.assert_array_equal(figure["pixels"], after)
    assert header["finding"] == ["Shuffled, it still says two red triangles.", "Only the place changes: lower right."]
    assert sorted(before.ravel()) == sorted(after.ravel())
    assert np.any(before != after)
    told, untold = (row["questions"] for row in table["models"])
    for question in untold:
        np.testing.assert_allclose(question["before"], question["shares"], atol=1e-4)
    assert np.argmax(told[3]["shares"]) != np.argmax(told[3]["before"]) == told[3]["right"] == 0
    card = vision.load("shapes").card
    cells = [f"{card[f'{question} right, patches shuffled']:.1%}" for question in shapes.QUESTIONS]
    assert f"| with positions, shuffled | {' | '.join(cells)} |" in words(at)
    both = (Reader("shapes"), Reader("shapes-no-positions"))
    result = data.shuffled(both, data.drawn(tuple(subject.DEFAULTS.items()), "large", 1), 36, 1)
    assert result.changes["shapes-no-positions"] < 1e-4 < 0.5 < result.changes["shapes"]
    assert f"of the second by {NOTHING}, those of the first by up to **{result.changes['shapes']:.1f}**" in words(at)
    at = choose(at, vision_moved=0)
    assert "vision_order" not in driver.values(at)
    assert parts(payloads(at)[0])[1]["vectors"].shape[0] == 36
    assert f"Here the two differ by {NOTHING}." in words(at)


def test_two_answers_that_change_are_two_pairs():
    def shares(*best):
        return tuple(np.where(np.eye(4)[n], 0.9997, 1e-4) for n in best)

    result = data.Shuffled(np.zeros((2, 2, 3)), {"shapes": (shares(0, 0, 3, 3), shares(0, 0, 2, 2))}, {"shapes": 9.0})
    assert shuffle.finding(Reader("shapes"), result)[1] == (
        "It says three (>99.9%) and no longer four; lower left (>99.9%) and no longer lower right."
    )


def test_a_press_shuffles_the_patches_another_puts_them_back_and_any_other_does_nothing():
    moved = "vision_moved"
    for act, n in (("Shuffle", 36), ("Undo", 0), ("Explode", None), (36, None), (None, None)):
        with patch("streamlit.session_state", {cut.PICTURE: {"press": act}}) as state:
            cut._press()
            assert state.get(moved) == n
    at = driver.visit("vision", vision_view="Cut into patches")
    assert parts(payloads(at)[0])[0]["act"] == "Shuffle"
    at = choose(at, vision_moved=36)
    header = parts(payloads(at)[0])[0]
    assert (header["act"], header["finding"][0]) == ("Undo", "Shuffled, it still says two red triangles.")
    assert set(parts(payloads(at)[1])[1]) == {"before", "after"}
    at = choose(at, vision_moved=0)
    assert parts(payloads(at)[0])[0]["finding"] == []


def test_patches_that_a_hand_exchanges_are_what_the_model_reads():
    """The picture of a link, its vectors and its answers; an exchange that is taken back leaves the model's own."""
    at = driver.visit("vision", vision_view="Cut into patches", vision_swaps="7-22")
    header, arrays = parts(payloads(at)[0])
    assert (header["swaps"], header["act"]) == ("7-22", "Undo")
    whole = data.drawn(tuple(subject.DEFAULTS.items()), "large", 1)
    expected = whole.array.copy()
    expected[4:8, 4:8], expected[12:16, 16:20] = whole.array[12:16, 16:20], whole.array[4:8, 4:8]
    np.testing.assert_array_equal(arrays["pixels"], expected)
    seen = data.look(Reader("shapes"), data.picture(expected))
    for group, shares in zip(header["groups"], seen.shares, strict=True):
        np.testing.assert_allclose(group["shares"], shares, atol=1e-5)
    back = data.shuffled((Reader("shapes"),), whole, 0, 1, ((7, 22), (22, 7), (7, 99)))
    np.testing.assert_array_equal(back.pixels, whole.array)
    assert shuffle.finding(Reader("shapes"), back, whole.answers)[0] == "It is the same picture."
    assert cut.pairs("7-22.3-4") == ((7, 22), (3, 4))
    at = driver.visit("vision", vision_view="Cut into patches", vision_swaps="7-x")
    assert "cannot be read" in notices(at)
    answers = [group["answers"][int(np.argmax(group["shares"]))] for group in parts(payloads(at)[0])[0]["groups"]]
    assert answers == ["triangle", "red", "two", "upper left"], "what is seen of the picture as it is"


def test_a_place_is_lost_only_where_the_colour_is_elsewhere():
    """The same answers, lower right instead of upper left, before two pictures."""
    pixels = in_quarter(0)
    assert shuffle.place_of(pixels) == 0
    assert shuffle.place_of(np.full((24, 24, 3), 230, np.uint8)) is None

    shares = {"shapes": (best(0, 0, 0, 0), best(0, 0, 0, 3))}
    for here, said, more in (
        (pixels, "lost", "It says lower right (90%) and no longer upper left."),
        (
            pixels[:, ::-1],
            "lost",
            "lower right (90%) and no longer upper left, but the colour’s middle is upper right.",
        ),
    ):
        told = shuffle.finding(Reader("shapes"), data.Shuffled(here, shares, {"shapes": 9.0}), (0, 0, 0, 0))
        assert f"The place is {said}." in told[0]
        assert told[1].endswith(more)
    told = shuffle.finding(Reader("shapes"), data.Shuffled(pixels[::-1, ::-1], shares, {"shapes": 9.0}), (0, 0, 0, 0))
    assert told == ("Shuffled, it still says one red circle.", "Only the place changes: lower right.")
    assert shuffle.phrase("three", "blue", "cross") == "three blue crosses"


def in_quarter(place: int) -> np.ndarray:
    """Paper with a red square in one quarter."""
    pixels = np.full((24, 24, 3), 230, np.uint8)
    pixels[2:8, 2:8] = shapes.COLOURS["red"]
    return pixels[:: 1 - 2 * (place // 2), :: 1 - 2 * (place % 2)]


def best(*answers: int) -> tuple[np.ndarray, ...]:
    return tuple(np.where(np.eye(4)[n], 0.9, 1 / 30) for n in answers)


def test_a_place_near_the_middle_is_in_doubt_and_is_neither_lost_nor_moved_along():
    """The models have seen no picture whose middle is so near: which answer is right then, nobody can say."""
    for shift, place in ((0, 0), (3, 0), (6, None), (7, None), (8, None), (11, 1)):
        assert shuffle.place_of(np.roll(in_quarter(0), shift, axis=1)) == place
    changed = {"shapes": (best(0, 0, 0, 0), best(0, 0, 0, 3))}
    near = np.roll(in_quarter(3), -6, axis=0)  # its middle is a little below the picture's, and far to the right
    told = shuffle.finding(Reader("shapes"), data.Shuffled(near, changed, {"shapes": 9.0}), (0, 0, 0, 0))
    assert told[0] == "Shape, colour and count stay. The place changes."
    assert told[1] == "It says lower right (90%) and no longer upper left."


def test_an_answer_that_stays_while_the_colour_is_elsewhere_is_said():
    stays = {"shapes": (best(0, 0, 0, 0), best(0, 0, 1, 0))}
    result = data.Shuffled(in_quarter(3), stays, {"shapes": 9.0})
    _, told = shuffle.finding(Reader("shapes"), result, (0, 0, 0, 0))
    assert told.endswith("The colour’s middle is now lower right, but it still says upper left.")
    for right, pixels in (((0, 0, 0, 0), in_quarter(0)), ((), in_quarter(3))):
        told = shuffle.finding(Reader("shapes"), result._replace(pixels=pixels), right)[1]
        assert "still says" not in told, "nothing is elsewhere, or nobody knows the answer"
    nothing = result._replace(shares={"shapes": (best(0, 0, 0, 0),) * 2})
    said, more = shuffle.finding(Reader("shapes"), nothing, (0, 0, 0, 0))
    assert said == "All four answers stay."
    assert more.endswith(
        "how sure it is changes. The colour’s middle is now lower right, but it still says upper left."
    )


def test_the_finding_of_a_shuffle_says_what_this_model_answers():
    """A model without positions cannot notice; patches of 8, of which there are nine, are shuffled all; and of every
    question the finding says truly whether its answer is another."""
    at = driver.visit("vision", vision_view="Cut into patches", vision_moved=36, vision_model="shapes, no positions")
    assert parts(payloads(at)[0])[0]["finding"][0] == "All four answers stay."
    at = choose(at, vision_model="shapes, patches of 8")
    assert parts(payloads(at)[0])[1]["vectors"].shape[0] == 9
    reader, names = Reader("shapes"), list(shapes.QUESTIONS)

    def said(shift: tuple[int, ...], right: tuple[int, ...] = (0, 0, 0, 0)) -> str:
        before = tuple(np.array([0.7, 0.1, 0.1, 0.1]) for _ in names)
        after = tuple(np.roll(shares, n) for shares, n in zip(before, shift, strict=True))
        result = data.Shuffled(in_quarter(0), {"shapes": (before, after)}, {"shapes": 2.0})
        return shuffle.finding(reader, result, right)[0]

    assert said((0, 0, 0, 0)) == "All four answers stay."
    assert said((0, 0, 1, 2)) == "Shape and colour stay. The count and place are lost."
    assert said((0, 0, 1, 0), right=()) == "Shape, colour and place stay. The count changes."
    assert said((0, 0, 1, 0), right=(0, 0, 1, 0)) == "Shape, colour and place stay. The count changes."
    assert said((1, 1, 0, 1)) == "The count stays. The shape, colour and place are lost."
    assert said((1, 1, 1, 1)) == "All four answers change."


def test_drawn_dropped_and_nonsense_in_links():
    code = "a" * 200 + "y" * 88
    at = driver.visit("vision", vision_picture="draw one", vision_drawing=code)
    header, arrays = parts(payloads(at)[-1] if isinstance(payloads(at)[-1], bytes) else payloads(at)[0])
    assert arrays["pixels"][0, 0].tolist() == [244, 244, 244]
    assert arrays["pixels"][-1, -1].tolist() == list(shapes.COLOURS["blue"])
    assert [group["right"] for group in header["groups"]] == [None] * 4
    at = driver.visit(
        "vision", vision_picture="draw one", vision_drawing="<script>", vision_model="<b>", vision_seed="x"
    )
    assert control(at, "vision_model").value == "trained on shapes"
    assert "there is no model “<b>” here" in notices(at)
    assert "What is painted in this link cannot be read" in notices(at)
    assert parts(payloads(at)[0])[0]["paint"]["code"] == drawings.first_drawing()
    at = driver.visit("vision", vision_picture="bring one")
    assert "There is no picture yet" in notices(at)


def test_paint_lies_on_the_picture_that_the_model_reads():
    code = "aa" * 100 + "h" * 88  # h: both cells of the first colour
    at = driver.visit("vision", vision_paint=code)
    assert notices(at) == ""
    header, arrays = parts(payloads(at)[0])
    bare = data.drawn(tuple(subject.DEFAULTS.items()), "large", 1).array
    np.testing.assert_array_equal(arrays["under"], bare)
    flat = arrays["pixels"].reshape(-1, 3)
    np.testing.assert_array_equal(flat[:400], bare.reshape(-1, 3)[:400])
    assert np.all(flat[400:] == shapes.COLOURS["red"])
    with torch.inference_mode():
        logits = vision.load("shapes").model(scaled(arrays["pixels"][None])).logits
    np.testing.assert_allclose(header["groups"][0]["shares"], logits[0, 0, :4].softmax(-1), atol=1e-6)
    assert [group["right"] for group in header["groups"]] == [None] * 4
    bare_logits = vision.load("shapes").model(scaled(bare[None])).logits[0, 0].detach()
    for n, group in enumerate(header["groups"]):
        share, answer = bare_logits[4 * n : 4 * n + 4].softmax(-1).max(0)
        assert group["was"] == [group["answers"][int(answer)], pytest.approx(float(share), abs=1e-6)]
    at = choose(at, vision_view="Cut into patches")
    assert np.all(parts(payloads(at)[0])[1]["pixels"].reshape(-1, 3)[400:] == shapes.COLOURS["red"])
    at = driver.visit("vision", vision_paint="<b>" * 500)
    assert "What is painted in this link cannot be read" in notices(at)
    np.testing.assert_array_equal(parts(payloads(at)[0])[1]["pixels"], bare)


def test_a_brought_picture_is_read_and_a_bad_one_is_named():
    at = driver.visit("vision", vision_picture="bring one")
    out = io.BytesIO()
    Image.new("RGB", (50, 40), (0, 160, 0)).save(out, "PNG")
    at = driver.checked(at.file_uploader(key="vision_file").upload("a.png", out.getvalue(), "image/png").run())
    assert notices(at) == ""
    _, arrays = parts(payloads(at)[0])
    assert arrays["pixels"].shape == (24, 24, 3)
    assert np.all(arrays["pixels"] == [0, 160, 0])
    at = driver.checked(at.file_uploader(key="vision_file").upload("b.png", b"hello", "image/png").run())
    assert notices(at) == "The file is neither a PNG nor a JPEG picture."


def test_a_brought_picture_is_decoded_once_and_in_its_turn(monkeypatch: pytest.MonkeyPatch):
    turns, decoded = [], []
    turn, opened = gate.turn, pictures.opened

    def counting_turn(work, until):
        turns.append(work)
        return turn(work, until)

    def counting(data: bytes) -> np.ndarray:
        assert gate._is_inside.get()
        decoded.append(data)
        return opened(data)

    monkeypatch.setattr(gate, "turn", counting_turn)
    monkeypatch.setattr(pictures, "opened", counting)
    at = driver.visit("vision", vision_picture="bring one")
    out = io.BytesIO()
    Image.new("RGB", (1900, 1800), (0, 160, 7)).save(out, "PNG")
    at = driver.checked(at.file_uploader(key="vision_file").upload("a.png", out.getvalue(), "image/png").run())
    at = choose(at, vision_model="shapes, patches of 8")
    assert notices(at) == ""
    assert len(decoded) == 1
    assert pictures.work(out.getvalue()) in turns


@pytest.mark.slow
def test_a_published_model_of_pictures_through_the_same_view(tmp_path):
    transformers = pytest.importorskip("transformers")
    with published_models.only({"eyes": makers.vit_folder(), "reader": makers.bert_folder()}, tmp_path):
        assert "eyes, pretrained" in subject.readers()
        assert "reader, pretrained" not in subject.readers()
        at = driver.visit("vision", vision_model="eyes, pretrained", vision_picture="draw one")
        assert notices(at) == ""
        header, arrays = parts(next(p for p in payloads(at) if isinstance(p, bytes)))
        theirs = transformers.ViTForImageClassification.from_pretrained(
            makers.vit_folder(), attn_implementation="eager"
        ).eval()
        with torch.inference_mode():
            expected = theirs(scaled(arrays["pixels"][None]), output_attentions=True)
        np.testing.assert_allclose(arrays["weights"], torch.cat(list(expected.attentions)).numpy(), atol=1e-5)
        (group,) = header["groups"]
        assert group["answers"][0] == "cat"
        np.testing.assert_allclose(group["shares"], expected.logits[0].softmax(-1), atol=1e-5)
        at = driver.visit("vision", vision_view="Cut into patches", vision_model="eyes, pretrained")
        assert notices(at) == ""
        at = driver.visit("pretrained", pretrained_view="Bring a model")
        assert "eyes" in words(at)
    caching.clear()


def test_a_grey_model_sees_grey():
    seen = data.picture(np.full((2, 2, 3), (10, 200, 30), np.uint8))
    known = data.facts(Reader("shapes"))._replace(image_size=2, mean=(0.5,), std=(0.5,))
    image = data.as_input(seen, known)
    assert image.shape == (1, 2, 2)
    assert image[0, 0, 0].item() == pytest.approx(round(0.299 * 10 + 0.587 * 200 + 0.114 * 30) / 127.5 - 1, abs=1e-6)


def test_each_map_of_the_positions_is_laid_out_as_the_picture():
    similarity = np.arange(16.0).reshape(4, 4) / 100
    cells = figures.position_maps(similarity).data[0].z
    assert cells.shape == (5, 5)
    np.testing.assert_allclose(cells[:2, 3:], [[0.04, 0.05], [0.06, 0.07]])
    assert np.isnan(cells[2]).all()


def test_another_size_keeps_cells_or_averages_them():
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0, 1] = 200
    larger = data.fitted(pixels, 6)
    assert larger[:3, 3:].min() == 200
    assert larger[3:].max() == larger[:, :3].max() == 0
    np.testing.assert_array_equal(data.fitted(larger, 2), pixels)
    assert data.fitted(pixels, 1)[0, 0, 0] == 50
    assert data.fitted(pixels, 2) is pixels
