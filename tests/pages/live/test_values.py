"""From the controls to a plan, and from a plan to a trainer."""

from dataclasses import replace
from typing import Any

import pytest

from pages.live.controls import CONTROLS, PARTS, WINDOW
from pages.live.pairs import PAIRS, pair
from pages.live.values import BY_LABEL, Values, kv_options, plan_of, usual, values_of
from pages.live.wording import turns_in_words
from tests.pages import driver
from tests.pages.live.live_page import STORY
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.training import tasks
from transformer.training.plan import MAX_FRAMES, MIN_FRAMES, Plan, check_size, make_trainer, max_positions
from transformer.training.settings import Knobs, Settings, Turn
from transformer.training.trainer import Trainer


@pytest.mark.parametrize("name", PAIRS)
def test_a_and_b_differ_in_what_is_named_and_in_nothing_else(name):
    first = {n: next(iter(CONTROLS[n].options)) for n in CONTROLS} | {
        "task": "Reverse",
        "d_model": 32,
        "heads": 2,
        "d_ff": 128,
        "steps": 100,
        "warmup": 10,
        "positions": "learned",
        "layers": 1,
        "lr": 0.01,
        "batch": 64,
        "examples": 8000,
        "norm": "before (pre)",
        "dropout": 0.1,
        "decay": 0.01,
    }
    sides = pair(name, Values(**first))
    (a, _), (b, _) = sides["A"], sides["B"]
    different = {n for n, one, other in zip(a._fields, a, b, strict=True) if one != other}
    assert different == set(PAIRS[name].a) | set(PAIRS[name].b)
    sizes = set()
    for side, label in sides.values():
        plan = plan_of(side, label=label)
        task = tasks.make(plan.task, **plan.task_settings)
        trainer = Trainer(task, plan.config, replace(plan.settings, n_examples=20, n_tests=20))
        sizes.add(sum(p.numel() for p in trainer.model.parameters()))
    # More heads are no more parameters; more layers are, and other parts; and pre-norm ends in one norm more.
    assert len(sizes) == (2 if different & {"layers", "norm", "norm_kind", "activation", "experts"} else 1)


def test_the_tasks_that_take_long_are_not_offered():
    assert any(task.takes_long for task in tasks.TASKS.values())
    assert list(driver.control(driver.visit("live"), "live_task").options) == list(BY_LABEL)


def test_every_setting_reaches_the_training():
    """The last option of each control, which is nobody's default, is what the model and the trainer are given."""
    last = {name: list(CONTROLS[name].options)[-1] for name in CONTROLS}
    plan = plan_of(Values(**last | {"task": "Reverse", "heads": 8, "lr": 0.3, "activation": "SwiGLU"}))
    c, s = plan.config, plan.settings
    assert (c.d_model, c.n_heads, c.d_ff, c.n_encoder_layers, c.n_decoder_layers) == (128, 8, 512, 4, 4)
    assert (c.positions, c.norm, c.activation, c.scaled, c.dropout) == ("alibi", "post", "silu", False, 0.5)
    assert (c.tie_output, c.scale_embeddings) == (False, False)
    assert (c.gated, c.norm_kind, c.n_kv_heads, c.n_experts, c.top_k) == (True, "none", 1, 4, 2)
    assert (c.window, c.pattern, c.attention) == (WINDOW, "blocks", "softmax")
    assert (s.steps, s.batch_size, s.n_examples, s.lr, s.schedule) == (3000, 128, 40_000, 0.3, "constant")
    assert (s.warmup, s.weight_decay, s.clip, s.label_smoothing, s.augment) == (600, 1.0, 3.0, 0.3, 1.0)
    assert (s.look_ahead, s.seed, plan.task_settings["longest"]) == (True, 19, 16)


@pytest.mark.wide
def test_a_training_with_each_modern_part_runs_and_is_called_what_it_is():
    """Every option of every part, six trainings in all; an encoder-decoder, which has every kind of attention."""
    small = usual(tasks.TASKS["copy"])._replace(d_model=8, heads=4, layers=1, d_ff=16, steps=2)
    tables = {name: list(table) for name, table in PARTS.items()} | {"kv_heads": kv_options(4)}
    for n in range(max(map(len, tables.values()))):
        chosen: dict[str, Any] = {name: labels[n % len(labels)] for name, labels in tables.items()}
        if chosen["activation"] == "none":
            chosen["experts"] = "one"
        plan = plan_of(small._replace(**chosen))
        few = replace(plan.settings, n_examples=40, n_tests=10, batch_size=4, every=1, warmup=1)
        trainer = make_trainer(plan._replace(settings=few))
        losses = [snapshot.val_loss for snapshot in trainer.run()]
        assert len(losses) == 3
        assert losses[0] != losses[2] < 10
        back = values_of(plan)
        assert {name: getattr(back, name) for name in chosen} == chosen
    assert kv_options(1) == ("one each",)
    assert kv_options(3) == ("one each", "one for all")
    plan = plan_of(small)
    unknown = replace(plan.config, window=7)  # as an uploaded model may have it
    assert values_of(plan._replace(config=unknown)).attention == "every pair"


def test_linear_attention_asks_for_positions_that_it_can_use():
    values = usual(tasks.TASKS["copy"])._replace(attention="linear", positions="rotary")
    with pytest.raises(InputError, match="no scores that rotary positions could act on"):
        plan_of(values)


@pytest.mark.few(5)
@pytest.mark.grid(1)
@pytest.mark.parametrize("name", tasks.TASKS)
@pytest.mark.parametrize("positions", ["learned", "none"])
def test_every_task_can_be_trained(name, positions):
    made = {"text": STORY, "length": 16} if tasks.TASKS[name].needs_text else {}
    config = TransformerConfig(d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, positions=positions)
    training = Settings(steps=3, batch_size=16, n_examples=300, n_tests=100, warmup=1, every=1)
    trainer = make_trainer(Plan(name, made, config, training))
    assert [snapshot.step for snapshot in trainer.run()] == [0, 1, 2, 3]
    longest = max(batch.text.shape[1] for batch in trainer.tests)
    assert longest <= max_positions(trainer.task)


def test_sizes_are_checked_before_memory_is_taken():
    task = tasks.make("text", text=STORY, length=256)
    big = TransformerConfig(d_model=128, n_heads=8, n_decoder_layers=4)
    with pytest.raises(ValueError, match="too much memory"):
        check_size(task, big, Settings(batch_size=128))
    few = check_size(tasks.make("text", text=STORY, length=64), big, Settings(batch_size=64))
    assert MIN_FRAMES <= few < MAX_FRAMES
    assert check_size(tasks.make("reverse"), TransformerConfig(), Settings()) == MAX_FRAMES


def test_what_a_layer_keeps_is_counted_too():
    """Few cells of attention, but wide vectors and many tokens to choose from."""
    task = tasks.make("copy", longest=64)
    wide = TransformerConfig(d_model=64, n_heads=1, n_encoder_layers=1, n_decoder_layers=1, d_ff=8192)
    with pytest.raises(ValueError, match="too much memory"):
        check_size(task, wide, Settings(batch_size=1024))
    # The largest that can be chosen on the page has room.
    big = TransformerConfig(d_model=128, n_heads=4, n_encoder_layers=4, n_decoder_layers=4, d_ff=512)
    check_size(tasks.make("french"), big, Settings(batch_size=128))
    check_size(tasks.make("text", text=STORY, length=64), big, Settings(batch_size=128))


def test_examples_are_counted_before_they_are_drawn():
    """100,000 of 200 tokens each, with where each came from, would take 1.4 GB."""
    task, small = tasks.make("repeat", length=200), TransformerConfig(d_model=8, n_heads=1, n_decoder_layers=1)
    with pytest.raises(ValueError, match="too much memory"):
        check_size(task, small, Settings(batch_size=8, n_examples=100_000))
    check_size(task, small, Settings(batch_size=8, n_examples=1200))
    short = tasks.make("copy", shortest=1, longest=2)
    check_size(short, small, Settings(n_examples=100_000))
    with pytest.raises(ValueError, match="too much memory"):
        check_size(short, small, Settings(n_examples=100_001))  # more than that are for trainings at a desk
    for name in ("copy", "repeat", "brackets", "french", "tales", "sentiment"):
        check_size(tasks.make(name), TransformerConfig(), Settings(n_examples=40_000))
    window = tasks.make("text", text=STORY, length=64)
    check_size(window, small, Settings(batch_size=8, n_examples=40_000))


def test_turns_of_knobs_in_words():
    first, a, b = Knobs(0.01, 64, 0.0), Knobs(0.02, 64, 0.0), Knobs(0.03, 64, 0.1)
    turns = (Turn(10, a), Turn(12, b), Turn(40, b._replace(batch_size=8)), Turn(90, b._replace(batch_size=8)))
    each = [(10, "learning rate 0.02"), (12, "learning rate 0.03, dropout 0.1"), (40, "batch size 8")]
    assert turns_in_words(turns, first) == each
    assert turns_in_words(turns, first, near=5) == each[1:]
    assert turns_in_words((Turn(10, a), Turn(11, first)), first, near=5) == []
