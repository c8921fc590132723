"""Pictures as a task: examples, what is asked, and a training whose numbers are worked out a second way."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest
import torch

from tests.work import lines_run
from transformer.core.checks import InputError
from transformer.core.images import scaled
from transformer.core.model import EncoderModel
from transformer.training import checkpoints, tasks, vision
from transformer.training.batches import batch_of, build, forward_batch
from transformer.training.checkpoints import BadCheckpoint, checkpoint_of, load, save
from transformer.training.film import axes, film_of
from transformer.training.losses import cross_entropy
from transformer.training.plan import Plan, check_size, make_trainer, max_positions
from transformer.training.scores import answers, exactly_right
from transformer.training.settings import Settings
from transformer.training.tasks import drawings, pictures, shapes
from transformer.training.tasks.asking import with_probe
from transformer.training.tasks.task import is_held_out
from transformer.training.trainer import Trainer, evaluate
from transformer.training.writing import question, write

TASK = tasks.make("pictures")
SMALL = replace(tasks.recipe("pictures").config, d_model=16, n_heads=2, n_kv_heads=2, n_encoder_layers=2)
FEW = Settings(steps=4, batch_size=8, n_examples=60, n_tests=20, every=2, warmup=1)


def drawn(n: int, seed: int = 0) -> list:
    return TASK.examples(n, Random(seed), held_out=False)


def pixels_of(example) -> np.ndarray:
    return np.frombuffer(example.source, np.uint8).reshape(shapes.SIDE, shapes.SIDE, 3)


# ---- examples ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_example_is_a_picture_its_answers_and_the_patches_that_hold_a_thing():
    """The generator is asked once per 500 pictures, and those are pictures of shapes.draw."""
    made = shapes.draw(500, np.random.default_rng(Random(3).getrandbits(64)))
    examples = [example for example, _ in zip(TASK.draw_many(Random(3)), range(500), strict=False)]
    for example, pixels, numbers in zip(examples, made.pixels, made.answers, strict=True):
        assert example.source == pixels.tobytes()
        words = [TASK.target.label(id) for id in example.target]
        assert words == [options[n] for options, n in zip(shapes.QUESTIONS.values(), numbers, strict=True)]
        things = {patch for _, patch in example.alignment}
        assert {question for question, _ in example.alignment} == {0, 1, 2, 3}
        spread = pixels.max(-1).astype(int) - pixels.min(-1)
        for patch in range(36):
            y, x = divmod(patch, 6)
            coloured = (spread[4 * y : 4 * y + 4, 4 * x : 4 * x + 4] > shapes.COLOURED).sum()
            assert (patch in things) == (coloured >= 2)  # an eighth of 16
    first = TASK.draw(Random(4))
    assert first.source == shapes.draw(1, np.random.default_rng(Random(4).getrandbits(64))).pixels.tobytes()


@pytest.mark.slow
def test_training_and_test_share_no_picture():
    training, test = drawn(300, 1), TASK.examples(40, Random(2), held_out=True)
    assert (len(training), len(test)) == (300, 40)
    assert not {e.source for e in training} & {e.source for e in (*test, *TASK.probes)}
    assert all(is_held_out(e) for e in (*test, *TASK.probes))
    assert drawn(50, 1) == training[:50] != drawn(50, 2)
    assert lines_run(lambda: drawn(500)) / 500 < 200


def test_patches_of_any_size_and_both_ways_to_read_make_the_same_pictures():
    for patch_size in pictures.PATCH_SIZES:
        task = tasks.make("pictures", patch_size=patch_size, reads="mean")
        assert [p.source for p in task.probes] == [p.source for p in TASK.probes]
        assert task.longest == (24 // patch_size) ** 2 == max_positions(task) - 1
        assert all(0 <= patch < task.longest for p in task.probes for _, patch in p.alignment)
    for wrong in (5, 24, 4.0, True, "4", None, [4]):
        with pytest.raises(InputError, match=r"^patch_size must be one of 3, 4, 6"):
            tasks.make("pictures", patch_size=wrong)
    for wrong in ("", "token", None, ["class"], 1):
        with pytest.raises(InputError, match=r"^reads must be one of class, mean"):
            tasks.make("pictures", reads=wrong)


# ---- what a visitor asks -------------------------------------------------------------------------------------------


def test_a_picture_can_be_asked_for_by_its_answers():
    task = with_probe(TASK, "cross, green, four, lower left, 7")
    given = {"shape": "cross", "colour": "green", "count": "four", "place": "lower left"}
    assert task.probes[:2] == TASK.probes
    assert task.own_probe
    assert task.probes[2].source == shapes.draw(1, np.random.default_rng(7), given).pixels.tobytes()
    assert [TASK.target.label(id) for id in task.probes[2].target] == list(given.values())
    assert with_probe(TASK, "cross, green, four, lower left").probes[2] != task.probes[2]


def test_a_drawing_is_asked_about_without_an_answer():
    task = with_probe(TASK, drawings.first_drawing())
    assert task.probes[2].target == ()
    assert pixels_of(task.probes[2])[8, 16].tolist() == list(shapes.COLOURS["blue"])
    assert {patch for _, patch in task.probes[2].alignment} >= {10}  # row 8, column 16 of the pixels


@pytest.mark.parametrize(
    "text",
    [
        "x",
        ",",
        ",,,,",
        "circle",
        "circle, red, three",
        "circle, red, three, middle",
        "circle, red, three, upper left, 0",
        "circle, red, three, upper left, 101",
        "circle, red, three, upper left, ١٢٣٤",
        "red, circle, three, upper left",
        "a" * 287,
        "a" * 289,
        "circle, red, three, upper left, 1, 1",
        "<script>" * 30,
    ],
)
def test_what_asks_for_no_picture_gets_a_sentence(text: str):
    with pytest.raises(InputError) as caught:
        with_probe(TASK, text)
    assert len(str(caught.value)) < 600


def test_a_drawing_and_its_code():
    cells = np.random.default_rng(0).integers(5, size=(shapes.SIDE, shapes.SIDE))
    pixels = drawings.drawing(drawings.code_of(cells))
    np.testing.assert_array_equal(pixels, np.array(drawings.PAINTS, np.uint8)[cells])
    first = drawings.drawing(drawings.first_drawing())
    assert first[8, 16].tolist() == list(drawings.PAINTS[4])
    assert first[20, 3].tolist() == list(drawings.PAPER)
    assert all(a < b for a, b in pairwise(drawings.LETTERS))


def test_paint_lies_on_a_picture_of_any_size():
    under = np.arange(48 * 48 * 3, dtype=np.uint32).astype(np.uint8).reshape(48, 48, 3)
    np.testing.assert_array_equal(drawings.painted_over(under, drawings.BARE), under)
    code = (
        drawings.LAYER_LETTERS[1] + drawings.BARE[2:] + drawings.LAYER_LETTERS[5 * 6 + 5]
    )  # the 2nd cell, the last two
    over = drawings.painted_over(under, code)
    assert over is not None
    assert np.all(over[:2, 2:4] == drawings.LAYER_PAINTS[0])  # a cell is two pixels wide here
    assert np.all(over[-2:, -4:] == drawings.PAPER)
    assert (over != under).any(-1).sum() <= 3 * 4
    np.testing.assert_array_equal(over[2:-2], under[2:-2])


@pytest.mark.parametrize("code", [None, 3, "", "a", "z" * 288, "a" * 287 + "A", "a" * 289, ["a"] * 288])
def test_what_is_no_drawing_is_none(code: object):
    assert drawings.drawing(code) is None
    of_paint = code.replace("z", "Z") if isinstance(code, str) else code  # z is a letter of a layer of paint
    assert drawings.painted_over(np.zeros((24, 24, 3), np.uint8), of_paint) is None


# ---- a model and its training --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("reads", ["class", "mean"])
def test_what_is_read_of_a_picture_is_the_models_own_answer(reads: str):
    """The loss is the mean of four cross-entropies, each among four answers, worked out of the plain logits."""
    task = tasks.make("pictures", reads=reads)
    model = build("encoder", replace(SMALL, **task.sizes), torch.Generator().manual_seed(1)).eval()
    examples = drawn(6)
    batch = batch_of(task, examples)
    with torch.inference_mode():
        plain = model(scaled(np.stack([pixels_of(e) for e in examples]))).logits
        read = plain[:, 0] if reads == "class" else plain[:, 1:].mean(1)
        logits = forward_batch(model, batch).logits
        scores = evaluate(model, [batch])
    assert logits.shape == (6, 4, len(task.target))
    shares = logits.softmax(-1)
    nats, right = [], np.zeros((6, 4))
    for b, example in enumerate(examples):
        for q, ids in enumerate(pictures.OPTIONS):
            among = read[b, list(ids)].softmax(-1)
            torch.testing.assert_close(shares[b, q, list(ids)], among)
            assert shares[b, q].sum() - shares[b, q, list(ids)].sum() == 0
            nats.append(-among[ids.index(example.target[q])].log().item())
            right[b, q] = ids[int(among.argmax())] == example.target[q]
    assert cross_entropy(logits, batch.wanted).item() == pytest.approx(np.mean(nats), abs=1e-5)
    assert scores["val_loss"] == pytest.approx(np.mean(nats), abs=1e-5)
    assert [scores[question] for question in shapes.QUESTIONS] == pytest.approx(right.mean(0))
    assert (scores["accuracy"], scores["exact"]) == pytest.approx((right.mean(), right.all(1).mean()))
    (said,) = write(model, "encoder", [question(task, examples[0])], sight=task.sight)
    best = [ids[int(read[0, list(ids)].argmax())] for ids in pictures.OPTIONS]
    assert said.ids.tolist() == best == list(answers(model, task, examples[:1])[0])
    assert exactly_right(model, task, examples) == scores["exact"]


@pytest.mark.slow
def test_a_film_of_a_training_says_where_it_looks_what_it_says_and_what_is_right():
    task = with_probe(tasks.make("pictures", reads="mean"), drawings.first_drawing())
    trainer = Trainer(task, SMALL, FEW)
    film = film_of(task, list(trainer.parts), list(trainer.run()))
    assert film.steps.tolist() == [0, 2, 4]
    assert film.script.n_choices == 4
    assert film.script.curves == tuple(shapes.QUESTIONS)
    means = np.mean([film.curves[question] for question in shapes.QUESTIONS], axis=0)
    np.testing.assert_allclose(film.curves["accuracy"], means)
    for p, probe in enumerate(task.probes):
        axes = film.axes[p]["encoder"]
        assert axes.keys == axes.queries
        assert (axes.keys[0], axes.keys[8], len(axes.keys)) == ("class token", "row 2, column 2", 37)
        assert {row for row, _ in axes.alignment} == set(range(1, 37))  # where the mean is read from
        assert {key - 1 for _, key in axes.alignment} == {patch for _, patch in probe.alignment}
        assert film.frames[p]["encoder"].shape == (3, 2, 2, 37, 37)
        assert film.written[p].ids.shape == (3, 4)
    assert [q.reads for q in film.script.questions] == [p.source for p in task.probes]


def test_the_class_token_is_asked_where_it_is_read():
    (kind,) = axes(TASK, TASK.probes[0]).values()
    assert {row for row, _ in kind.alignment} == {0}


@pytest.mark.slow
def test_a_training_goes_on_from_its_file_and_is_the_same():
    trainer = make_trainer(Plan("pictures", {"patch_size": 8}, SMALL, FEW, probe=drawings.first_drawing()))
    assert trainer.config.max_len == 10  # a row of positions for each of 9 patches and the class token
    whole = list(trainer.run())
    half = make_trainer(Plan("pictures", {"patch_size": 8}, SMALL, FEW, probe=drawings.first_drawing()))
    steps = half.run(lambda: half.step < 2)
    film = film_of(half.task, list(half.parts), list(steps))
    again = load(save(checkpoint_of(half, film)))
    assert again.film.curves.keys() == film.curves.keys()
    assert again.task.settings == {"patch_size": 8, "reads": "class"}
    on = again.trainer()
    *_, last = on.run()
    assert (last.step, last.val_loss, last.right) == (4, whole[-1].val_loss, whole[-1].right)
    for name, weights in trainer.model.state_dict().items():
        torch.testing.assert_close(weights, on.model.state_dict()[name], rtol=0, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "config",
    [
        {"patch_size": 8},
        {"image_size": 4800},
        {"image_size": 10**9, "patch_size": 1},
        {"distilled": True},
        {"n_channels": 1},
        {"image_size": None, "tie_output": True},
    ],
)
def test_a_file_whose_model_does_not_fit_the_pictures_is_refused(config: dict, monkeypatch):
    checkpoint = checkpoint_of(Trainer(TASK, SMALL, FEW))
    data = save(checkpoint)
    facts = checkpoints._header(data)
    facts["config"] |= config
    built: list[int] = []
    monkeypatch.setattr(checkpoints, "_header", lambda _: facts)
    monkeypatch.setattr(checkpoints, "build", lambda *_: built.append(1))
    with pytest.raises(BadCheckpoint, match="its patches are not those of its task"):
        load(data)
    assert not built


@pytest.mark.slow
def test_a_text_task_does_not_take_a_model_of_pictures(monkeypatch):
    data = save(checkpoint_of(Trainer(TASK, SMALL, FEW)))
    facts = checkpoints._header(data)
    facts["task"] = {"name": "sentiment", "settings": {}}
    monkeypatch.setattr(checkpoints, "_header", lambda _: facts)
    with pytest.raises(BadCheckpoint, match="it reads pictures, its task texts"):
        load(data)


def test_sizes_of_pictures_are_checked_before_memory_is_taken():
    recipe = tasks.recipe("pictures")
    assert check_size(TASK, recipe.config, recipe.settings) >= 50
    assert check_size(TASK, recipe.config, replace(recipe.settings, n_examples=40_000)) >= 50
    fine = tasks.make("pictures", patch_size=3)
    wide = replace(recipe.config, n_heads=8, n_kv_heads=8, n_encoder_layers=4, d_model=128, d_ff=512)
    with pytest.raises(InputError, match="too much memory"):
        check_size(with_probe(fine, drawings.first_drawing()), wide, Settings(batch_size=128))
    with pytest.raises(InputError, match="label smoothing"):
        Trainer(TASK, SMALL, replace(FEW, label_smoothing=0.1))


@pytest.mark.wide
def test_the_shipped_models_and_a_visitors_read_alike():
    """The same weights in a model of the task answer as the shipped one does: its logits, after four special ids."""
    shipped = vision.load("shapes")
    config = replace(shipped.model.config, **TASK.sizes)
    model = EncoderModel(config, torch.Generator().manual_seed(0)).eval()
    weights = shipped.model.state_dict()
    for name in [name for name in weights if name.startswith("output.")]:
        rows = torch.zeros_like(model.state_dict()[name])
        rows[-16:] = weights[name]
        weights[name] = rows
    model.load_state_dict(weights)
    tests = TASK.examples(300, Random(0), held_out=True)
    scores = evaluate(model, [batch_of(TASK, tests)])
    for name in shapes.QUESTIONS:
        assert scores[name] == pytest.approx(shipped.card[f"{name} right"], abs=0.04)
