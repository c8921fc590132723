"""Texts that are longer than those of the training."""

from dataclasses import replace

from lab.kit.models.references import Shipped
from pages.live import data
from pages.live.values import plan_of, usual
from tests.pages.live.live_page import visit
from transformer.training import tasks
from transformer.training.checkpoints import checkpoint_of
from transformer.training.plan import make_trainer


def test_a_model_of_the_longest_texts_is_asked_no_further_than_the_task_goes():
    assert data.max_length(tasks.make("copy", longest=8)) == 16
    far = data.max_length(tasks.make("copy", longest=40))
    assert tasks.make("copy", shortest=far, longest=far).longest == far == 64


def test_longer_texts_are_measured_on_the_model():
    at = visit(live_learned="true")
    (chart,) = at.get("plotly_chart")
    assert "16 letters" in chart.proto.alt
    rows = data.score_by_length("shipped reverse", Shipped("reverse").resolve().checkpoint, 16)
    assert [row.length for row in rows] == list(range(1, 17))
    known, beyond = rows[7], rows[15]
    assert known.exact > 0.9  # as its card says of the lengths it was trained on
    assert beyond.exact < 0.5  # places that were never trained
    assert all(0 <= row.exact <= row.tokens <= 1 for row in rows)


def test_learned_positions_end_with_their_table():
    plan = plan_of(
        usual(tasks.TASKS["copy"])._replace(d_model=8, heads=1, d_ff=16, positions="learned", longest=6, examples=50)
    )
    trainer = make_trainer(replace_steps(plan, 5))
    assert trainer.config.max_len == 8
    list(trainer.run())
    rows = data.score_by_length("learned", checkpoint_of(trainer), 12, n=5)
    assert all(row.n for row in rows[1:6])
    assert rows[-1].n == 0
    assert "12" in rows[-1].error or "8" in rows[-1].error


def replace_steps(plan, steps):
    return plan._replace(settings=replace(plan.settings, steps=steps, warmup=1, every=1))
