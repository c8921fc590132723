"""The trainer against formulas and steps written out, and that it can be stopped, taken up and repeated."""

import math
import threading
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Generator

from tests.further import further
from tests.training.toys import FIRST, V, config, toy
from transformer.core.config import Kind
from transformer.training import tasks
from transformer.training.batches import build, collate, forward_batch
from transformer.training.checkpoints import checkpoint_of, load, save
from transformer.training.film import alignment_mass, axes
from transformer.training.losses import cross_entropy
from transformer.training.settings import Knobs, Settings, Turn, in_force, settings_from
from transformer.training.tasks.task import Example, is_held_out
from transformer.training.text import PAD
from transformer.training.trainer import Diverged, Trainer, evaluate, gradient_norms, parts

KINDS: tuple[Kind, ...] = ("encoder-decoder", "decoder", "encoder")
# What does not depend on the kind is tried with the one that has all the parts.
ALL_PARTS = further(KINDS)
ASKED = ((0, 0), (0, 1), (1, 0))  # cells of two rows in which a token is wanted
QUICK = Settings(steps=12, batch_size=8, n_examples=60, n_tests=10, every=3, lr=3e-3)


def quick(kind: Kind = "encoder-decoder", *, dropout=0.0, task=None, **changes) -> Trainer:
    more = {
        name: changes.pop(name)
        for name in list(changes)
        if name in ("positions", "norm", "tie_output", "scale_embeddings")
    }
    return Trainer(task or toy(kind), config(dropout=dropout, **more), replace(QUICK, **changes))


def assert_same(first, second):
    """Snapshots that agree in every bit but the time they took."""
    assert [s.step for s in first] == [s.step for s in second]
    for a, b in zip(first, second, strict=True):
        for name in ("loss", "val_loss", "accuracy", "exact", "lr", "grad_norm", "weight_norm", "grad_norms"):
            assert repr(getattr(a, name)) == repr(getattr(b, name)), (a.step, name)
        for one, other in zip(a.attention, b.attention, strict=True):
            assert one.keys() == other.keys()
            for kind in one:
                np.testing.assert_array_equal(one[kind], other[kind])


# ---- loss and scores -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_label_smoothing_in_closed_form(smoothing):
    """(1 - e) of the wanted distribution on the token, and e / V on every token."""
    logits = torch.randn(2, 3, 7, generator=Generator().manual_seed(0), dtype=torch.float64)
    wanted = torch.tensor([[3, 1, PAD], [6, PAD, PAD]])
    by_hand = []
    for row, tokens in zip(logits.tolist(), wanted.tolist(), strict=True):
        for scores, token in zip(row, tokens, strict=True):
            if token != PAD:
                total = math.log(math.fsum(map(math.exp, scores)))
                nats = [total - s for s in scores]
                by_hand.append((1 - smoothing) * nats[token] + smoothing * sum(nats) / len(nats))
    expected = sum(by_hand) / len(by_hand)
    assert cross_entropy(logits, wanted, smoothing).item() == pytest.approx(expected, rel=1e-6)


def test_what_is_expected_counts_where_its_place_has_a_weight_and_nowhere_else():
    """-sum w sum_v p_v log q_v / sum w; and what is said and expected at a place of weight 0 changes nothing."""
    generator = Generator().manual_seed(0)
    logits = torch.randn(2, 3, 7, generator=generator, dtype=torch.float64)
    expected = torch.rand(2, 3, 7, generator=generator, dtype=torch.float64).softmax(-1)
    wanted = torch.tensor([[3, 1, PAD], [6, 2, PAD]])
    weights = torch.tensor([[5.0, 0.0, 0.0], [2.5, 1.0, 0.0]], dtype=torch.float64)
    log_q = logits - logits.exp().sum(-1, keepdim=True).log()
    each = -(expected * log_q).sum(-1)
    by_hand = (5 * each[0, 0] + 2.5 * each[1, 0] + each[1, 1]) / 8.5
    loss = partial(cross_entropy, wanted=wanted, weights=weights)
    assert loss(logits, expected=expected).item() == pytest.approx(by_hand.item(), rel=1e-5)
    for n, t, matters in ((0, 1, False), (0, 2, False), (1, 1, True)):
        other_logits, other_expected = logits.clone(), expected.clone()
        other_logits[n, t, 0] += 3.0
        other_expected[n, t] = other_expected[n, t].flip(0)
        changed = loss(other_logits, expected=other_expected).item()
        assert (abs(changed - by_hand.item()) > 1e-3) == matters


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_weighted_loss_in_closed_form(smoothing):
    logits = torch.randn(2, 3, 7, generator=Generator().manual_seed(0))
    wanted = torch.tensor([[3, 1, PAD], [6, PAD, PAD]])
    weights = torch.tensor([[5.0, 1.0, 0.0], [2.5, 0.0, 0.0]])
    each = [
        cross_entropy(logits[n : n + 1, t : t + 1], wanted[n : n + 1, t : t + 1], smoothing).item() for n, t in ASKED
    ]
    expected = (5 * each[0] + 1 * each[1] + 2.5 * each[2]) / 8.5
    assert cross_entropy(logits, wanted, smoothing, weights).item() == pytest.approx(expected, rel=1e-6)
    same = cross_entropy(logits, wanted, smoothing, (wanted != PAD).float())
    assert same.item() == pytest.approx(cross_entropy(logits, wanted, smoothing).item(), rel=1e-6)
    plain = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=PAD, label_smoothing=smoothing)
    assert torch.equal(cross_entropy(logits, wanted, smoothing), plain)  # to the last bit


@pytest.mark.parametrize("kind", KINDS)
def test_a_uniform_model_is_as_perplexed_as_its_vocabulary_is_large(kind):
    trainer = quick(kind)
    with torch.no_grad():
        for parameter in trainer.model.parameters():
            parameter.zero_()
    snapshot = trainer.snapshot(math.nan, math.nan, None)
    assert snapshot.perplexity == pytest.approx(V, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_fresh_model_knows_about_nothing(kind):
    first = next(quick(kind).run())
    assert first.step == 0
    assert math.isnan(first.loss)
    assert first.lr == 0
    assert first.grad_norms is None
    assert first.exact < 0.3
    losses = [next(quick(kind, seed=seed, scale_embeddings=False).run()).val_loss for seed in range(8)]
    # Scores of variance 1 cost half a nat more than even ones, and a fresh model favours what it has just read.
    assert math.log(V) < np.mean(losses) < math.log(V) + 1.3


def test_scores_by_hand():
    """Every wanted token counts the same, in whichever batch it stands; exact counts whole examples."""
    task = toy()
    examples = [task.draw(Random(n)) for n in range(7)]
    model = build(task.kind, config(), Generator().manual_seed(3)).eval()
    nats, right, whole = [], [], []
    for example in examples:
        batch = collate(task.kind, [example])
        p = forward_batch(model, batch).logits[0].double().log_softmax(-1)
        wanted = batch.wanted[0]
        nats += [-p[i, token].item() for i, token in enumerate(wanted)]
        hits = (p.argmax(-1) == wanted).tolist()
        right += hits
        whole.append(all(hits))
    model_scores = evaluate(model, [collate(task.kind, examples[:2]), collate(task.kind, examples[2:])])
    assert model_scores["val_loss"] == pytest.approx(np.mean(nats), rel=1e-5)
    assert model_scores["accuracy"] == pytest.approx(np.mean(right))
    assert model_scores["exact"] == pytest.approx(np.mean(whole))


def test_exact_counts_whole_examples_only():
    """A model that always says one token: right where that token is wanted, exact where nothing else is."""
    task = toy("encoder")
    model = build("encoder", config(tie_output=False), Generator().manual_seed(0)).eval()
    with torch.no_grad():
        model.output.linear.weight.zero_()
        model.output.linear.bias.copy_(F.one_hot(torch.tensor(5), V) * 10.0)
    examples = [task.draw(Random(n)) for n in range(40)]
    share = np.mean([e.target == (5,) for e in examples])
    found = evaluate(model, [collate("encoder", examples)])
    assert 0 < share < 1
    assert found["exact"] == found["accuracy"] == pytest.approx(share)
    mixed = [e._replace(target=(5, *e.source)) for e in examples]
    as_decoder = build("decoder", config(tie_output=False), Generator().manual_seed(0)).eval()
    as_decoder.load_state_dict({k.replace("encoder", "decoder"): v for k, v in model.state_dict().items()})
    found = evaluate(as_decoder, [collate("decoder", mixed)])
    assert found["exact"] == 0
    assert found["accuracy"] > 0


def test_validation_is_without_dropout_and_leaves_no_trace():
    trainer = quick(dropout=0.5)
    next(trainer.run())
    before = {name: p.clone() for name, p in trainer.model.named_parameters()}
    looks = [trainer.snapshot(1.0, 1.0, None) for _ in range(2)]
    assert_same(looks[:1], looks[1:])
    assert all(torch.equal(before[name], p) for name, p in trainer.model.named_parameters())
    assert all(p.grad is None for p in trainer.model.parameters())
    assert not trainer.optimiser.state
    without = Trainer(trainer.task, replace(trainer.config, dropout=0.0), trainer.settings)
    assert without.snapshot(1.0, 1.0, None).val_loss == looks[0].val_loss


def test_training_and_test_never_share_an_example():
    trainer = quick(n_examples=200)
    assert not any(map(is_held_out, trainer.examples))
    tests = trainer.task.examples(10, Random(9), held_out=True)
    assert tests
    assert all(map(is_held_out, tests))
    assert not {e.source for e in tests} & {e.source for e in trainer.examples}


def test_a_task_with_too_few_examples_is_refused():
    task = replace(toy(), held_out=lambda example: False)
    with pytest.raises(ValueError, match="too few different examples"):
        quick(task=task)


# ---- steps -----------------------------------------------------------------------------------------------------


def gradients(model, batch, smoothing=0.0):
    model.zero_grad()
    cross_entropy(forward_batch(model, batch).logits, batch.wanted, smoothing).backward()
    return {name: p.grad.clone() for name, p in model.named_parameters()}


@pytest.mark.parametrize("clip", [0.0, 0.05])
@pytest.mark.parametrize("kind", KINDS)
def test_three_steps_of_adamw_by_hand(kind, clip):
    """Decoupled decay on matrices only, bias correction, and the clipped gradient; in float64 beside the trainer."""
    decay, b1, b2, eps = 0.3, 0.9, 0.98, 1e-9
    trainer = quick(kind, clip=clip, weight_decay=decay, lr=0.01, label_smoothing=0.1, schedule="constant", warmup=2)
    weights = {name: p.detach().double() for name, p in trainer.model.named_parameters()}
    m = {name: torch.zeros_like(p) for name, p in weights.items()}
    v = {name: torch.zeros_like(p) for name, p in weights.items()}
    for step in (1, 2, 3):
        lr = 0.01 * min(1, step / 2)
        found = gradients(trainer.model, trainer._batch(step), 0.1)
        length = math.sqrt(sum((g.double() ** 2).sum().item() for g in found.values()))
        assert length > 0.05  # or nothing would be clipped
        _, norm, _ = trainer._learn()
        assert norm == pytest.approx(length, rel=1e-5)
        for name, parameter in trainer.model.named_parameters():
            g = found[name].double() * (min(1, clip / length) if clip else 1)
            m[name] = b1 * m[name] + (1 - b1) * g
            v[name] = b2 * v[name] + (1 - b2) * g**2
            if parameter.dim() > 1:
                weights[name] = weights[name] * (1 - lr * decay)
            weights[name] = weights[name] - lr * (m[name] / (1 - b1**step)) / ((v[name] / (1 - b2**step)).sqrt() + eps)
            big = v[name].sqrt() > 1e-6  # where the gradient is rounding alone, so is the direction of the step
            torch.testing.assert_close(
                parameter.detach().double()[big], weights[name][big], rtol=2e-4, atol=2e-5, msg=f"{name}, step {step}"
            )
            weights[name] = parameter.detach().double().clone()  # so that rounding does not add up


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
def test_answers_are_stressed_in_the_first_half_of_a_training(kind):
    """Beside a plain loop over the tokens of each example; of every second token is known where it comes from."""
    task = toy(kind)

    def draw(rng: Random) -> Example:
        example = task.draw(rng)
        return example._replace(alignment=example.alignment[::2])

    trainer = quick(task=replace(task, draw=draw), stress=7.0, steps=5)
    for step in range(1, 6):
        rng = Random(trainer.settings.seed * 1_000_003 + step)
        total = weight = 0.0
        for example in rng.choices(trainer.examples, k=trainer.knobs.batch_size):
            batch = collate(kind, [example])
            p = forward_batch(trainer.model, batch).logits[0].detach().double().log_softmax(-1)
            answers, first = {i for i, _ in example.alignment}, len(example.source) * (kind == "decoder")
            for i, token in enumerate(batch.wanted[0, first:].tolist()):
                w = 7 if i in answers and step <= 2 else 1
                total, weight = total - w * p[first + i, token].item(), weight + w
        assert trainer._learn()[0] == pytest.approx(total / weight, rel=1e-5)


def test_without_stress_nothing_is_weighted():
    trainer = quick(stress=1.0)
    assert all(trainer._batch(step).weights is None for step in range(1, 13))
    for stressed, n in ((0.5, 6), (0.25, 3), (1.0, 12), (0.0, 0)):
        trainer = quick(stress=3, stressed=stressed)
        assert [trainer._batch(step).weights is None for step in range(1, 13)] == [False] * n + [True] * (12 - n)


def unasked():
    """A task whose examples have no source: what was one begins the target."""
    task = toy("decoder")

    def draw(rng):
        example = task.draw(rng)
        return Example((), (*example.source, *example.target))

    return replace(task, draw=draw)


def test_what_is_expected_is_learned_in_place_of_what_was_drawn():
    """The loss by hand; with the whole probability on what was drawn, it is the loss on that."""
    task = unasked()

    def drawn(examples):
        batch = collate("decoder", examples)
        return torch.nn.functional.one_hot(batch.wanted, len(task.target)).float() * (batch.wanted != PAD)[..., None]

    def spread(examples):
        return 0.75 * drawn(examples) + 0.25 / len(task.target) * (drawn(examples).sum(-1, keepdim=True))

    hard = quick(task=task, expected=False)
    assert hard._batch(1).expected is None
    same, soft = (quick(task=replace(task, expected=known), expected=True) for known in (drawn, spread))
    for trainer in (same, soft):
        batch = trainer._batch(1)
        log_p = forward_batch(trainer.model, batch).logits.detach().double().log_softmax(-1)
        real = batch.wanted != PAD
        loss = -(batch.expected * log_p).sum(-1)[real].mean().item()
        assert trainer._learn()[0] == pytest.approx(loss, rel=1e-5)
    first = quick(task=task, expected=False)._learn()[0]
    assert quick(task=replace(task, expected=drawn), expected=True)._learn()[0] == pytest.approx(first, rel=1e-5)
    assert quick(task=replace(task, expected=spread), expected=True)._learn()[0] != pytest.approx(first, rel=1e-3)
    assert quick(task=task, expected=True)._batch(1).expected is None, "nobody knows what this task expects"


def test_of_drills_the_answers_are_learned_as_they_are_told():
    """Of a drill nothing but the answers counts, and what the task expects of its own draws is not asked for them."""
    task, asked = unasked(), []

    def known(examples):
        asked.extend(examples)
        batch = collate("decoder", examples)
        return torch.full((*batch.wanted.shape, len(task.target)), 1 / len(task.target))

    def drill(rng):
        return task.draw(rng)._replace(alignment=((1, 0),))

    trainer = quick(
        task=replace(task, drill=drill, expected=known), expected=True, drill=0.5, drilled=20.0, n_examples=40
    )
    assert 0 < len(trainer.drills) < 40
    for step in (1, 2, 3):
        chosen = Random(trainer.settings.seed * 1_000_003 + step).choices(trainer.examples, k=trainer.knobs.batch_size)
        batch = trainer._batch(step)
        for row, example in enumerate(chosen):
            n = len(example.target)
            if example in trainer.drills:
                assert batch.weights[row, : n + 1].tolist() == [0, 20, *[0] * (n - 1)]
                assert batch.expected[row, 1].argmax() == example.target[1]
            else:
                assert batch.weights[row, : n + 1].tolist() == [1] * (n + 1)
                assert batch.expected[row, 0].tolist() == pytest.approx([1 / len(task.target)] * len(task.target))
    assert asked
    assert not trainer.drills.intersection(asked)


def test_an_encoder_has_no_answers_to_stress():
    with pytest.raises(ValueError, match="set stress to 1"):
        quick("encoder", stress=2.0)


def test_muon_steps_the_matrices_of_the_layers_and_adamw_the_rest():
    trainer = quick(optimiser="Muon", weight_decay=0.5, lr=0.1, schedule="constant", warmup=1, tie_output=False)
    muon, *rest = trainer.optimiser.param_groups
    assert muon["params"] == [p for n, p in trainer.model.named_parameters() if "layers" in n and p.dim() > 1]
    decays = {id(p): g["weight_decay"] for g in (muon, *rest) for p in g["params"]}
    assert decays == {id(p): 0.5 if p.dim() > 1 else 0.0 for p in trainer.model.parameters()}
    before = {name: p.detach().clone() for name, p in trainer.model.named_parameters()}
    trainer._learn()
    for name, p in trainer.model.named_parameters():
        moments = {key.removesuffix(f".{name}") for key in trainer.moments() if key.endswith(f".{name}")}
        if "layers" in name and p.dim() > 1:
            assert moments == {"momentum_buffer"}
            step = (before[name] * (1 - 0.1 * 0.5) - p.detach()) / (0.1 * 0.2 * max(p.shape) ** 0.5)
            lengths = torch.linalg.svdvals(step)
            assert lengths[0] < 1.4, name  # each singular value about 1, of the values and outputs above all
            assert lengths[0] > 0.5, name
        else:
            assert moments == {"exp_avg", "exp_avg_sq"}


def test_weight_decay_shrinks_matrices_and_nothing_else():
    trainer = quick(weight_decay=0.5, lr=0.1, schedule="constant", warmup=1, tie_output=False)
    decays = {id(p): g["weight_decay"] for g in trainer.optimiser.param_groups for p in g["params"]}
    for name, p in trainer.model.named_parameters():
        is_vector = name.endswith("bias") or "norm" in name
        assert decays[id(p)] == (0.0 if is_vector else 0.5), name


def test_two_halves_of_a_batch_are_the_whole():
    """The mean over tokens: halves weigh as many tokens as they have."""
    trainer = quick()
    batch = trainer._batch(1)
    assert batch.source is not None
    parts = [(batch.source[i : i + 4], batch.text[i : i + 4], batch.wanted[i : i + 4]) for i in (0, 4)]
    halves = [type(batch)(*part) for part in parts]
    tokens = [(half.wanted != PAD).sum().item() for half in halves]
    whole = gradients(trainer.model, batch)
    first, second = (gradients(trainer.model, half) for half in halves)
    for name, g in whole.items():
        mean = (first[name] * tokens[0] + second[name] * tokens[1]) / sum(tokens)
        torch.testing.assert_close(mean, g, rtol=1e-4, atol=1e-6)


@pytest.mark.wide
@pytest.mark.parametrize("kind", ALL_PARTS)
def test_a_model_can_learn_few_examples_by_heart(kind):
    trainer = quick(kind, steps=200, n_examples=8, batch_size=16, lr=0.02, every=200)
    list(trainer.run())
    assert evaluate(trainer.model, [collate(kind, trainer.examples)])["val_loss"] < 0.05


@pytest.mark.slow
def test_the_loss_of_a_snapshot_is_the_mean_since_the_last():
    each, third = quick(every=1), quick(every=3)
    losses = [s.loss for s in each.run()][1:]
    assert [s.loss for s in third.run()][1:] == pytest.approx([np.mean(losses[i : i + 3]) for i in (0, 3, 6, 9)])


@pytest.mark.slow
def test_snapshots_come_at_the_start_every_few_steps_and_at_the_end():
    assert [s.step for s in quick(steps=8, every=3).run()] == [0, 3, 6, 8]
    trainer = quick(steps=5, every=10)
    assert [s.step for s in trainer.run()] == [0, 1, 2, 5]  # and at a few early ones, where much happens
    assert list(trainer.run()) == []
    assert trainer.seconds > 0


@pytest.mark.slow
def test_the_learning_rate_is_that_of_the_schedule():
    trainer = quick(schedule="Noam", lr=0.5, warmup=4, every=1)
    rates = [s.lr for s in trainer.run()]
    assert rates[1:] == [0.5 * 16**-0.5 * min(s**-0.5, s * 4**-1.5) for s in range(1, 13)]
    assert {g["lr"] for g in trainer.optimiser.param_groups} == {rates[-1]}


@pytest.mark.slow
@pytest.mark.grid(1)
@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "relative"])
@pytest.mark.parametrize("kind", KINDS)
def test_parts_hold_every_parameter_once_and_their_norms_make_the_whole(kind, positions):
    trainer = quick(kind, every=1, positions=positions)
    held = [p for parameters in parts(trainer.model).values() for p in parameters]
    assert sorted(map(id, held)) == sorted(map(id, trainer.model.parameters()))
    layers = {"encoder-decoder": ["encoder 0", "decoder 0"]}.get(kind, [f"{kind} 0"])
    assert list(trainer.parts) == ["embeddings", *layers, "end"]
    places = sum("positions" in name for name, _ in trainer.model.named_parameters())
    assert len(trainer.parts["embeddings"]) == (2 if kind == "encoder-decoder" else 1) + places
    _, snapshot, *_ = trainer.run()
    assert math.hypot(*snapshot.grad_norms) == pytest.approx(snapshot.grad_norm, rel=1e-5)
    assert snapshot.grad_norm > 0
    assert snapshot.grad_norms is not None
    assert len(snapshot.grad_norms) == len(trainer.parts)


def test_gradient_norms_skip_what_has_none():
    assert gradient_norms({"none": [torch.nn.Parameter(torch.ones(2))]}) == [0.0]


def test_augmented_examples_are_as_many_as_asked_and_keep_the_answer():
    seen = []

    def swap(example, rng):
        seen.append(example)
        return example._replace(source=tuple(reversed(example.source)))

    task = replace(toy("encoder"), augment=swap)
    for share, expected in ((0.0, 0), (0.5, 0.5), (1.0, 1)):
        seen.clear()
        trainer = quick(task=task, augment=share, batch_size=400)
        trainer._batch(1)
        assert len(seen) / 400 == pytest.approx(expected, abs=0.1)
        assert all(not is_held_out(e) for e in seen)


# ---- again, and in pieces --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL_PARTS)
def test_the_same_seed_gives_the_same_film_and_another_another(kind):
    first, second, other = (list(quick(kind, dropout=0.2, seed=s).run()) for s in (5, 5, 6))
    assert_same(first, second)
    assert first[0].val_loss != other[0].val_loss
    assert first[-1].loss != other[-1].loss


def test_dropout_is_on_while_training_and_other_at_every_step():
    with_it, without = (quick(dropout=p, every=1) for p in (0.5, 0.0))
    assert next(with_it.run()).val_loss == next(without.run()).val_loss
    assert next(with_it.run()).loss != next(without.run()).loss
    # The same batch at two steps: other elements are dropped.
    trainer = quick(dropout=0.5, lr=1e-12, weight_decay=0.0)
    batch = trainer._batch(1)
    trainer._batch = lambda step: batch
    assert trainer._learn()[0] != trainer._learn()[0]


@pytest.mark.slow
def test_stopped_at_any_step_and_taken_up_again_it_is_the_same_film():
    whole = list(quick(dropout=0.2).run())
    for stop in (0, 1, 2, 3, 5, 11):
        trainer = quick(dropout=0.2)
        pieces = list(trainer.run(lambda stop=stop, trainer=trainer: trainer.step < stop))
        assert trainer.step == stop
        assert_same(whole, pieces + list(trainer.run()))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL_PARTS)
def test_taken_up_from_a_file_it_is_the_same_film(kind):
    make = {"encoder-decoder": "reverse", "decoder": "brackets", "encoder": "sentiment"}[kind]
    task = tasks.make(make)
    small = config(dropout=0.2, positions="learned")
    whole = list(Trainer(task, small, QUICK).run())
    for stop in (1, 6):
        trainer = Trainer(task, small, QUICK)
        pieces = list(trainer.run(lambda stop=stop, trainer=trainer: trainer.step < stop))
        data = save(checkpoint_of(trainer))
        list(trainer.run())  # what goes on afterwards is not in the file
        again = load(data).trainer()
        assert again.seconds > 0
        assert_same(whole, pieces + list(again.run()))


@pytest.mark.slow
def test_muon_and_stress_are_taken_up_from_a_file_as_if_uninterrupted():
    task, small = tasks.make("reverse"), config(dropout=0.2)
    settings = replace(QUICK, optimiser="Muon", stress=4.0)
    whole = Trainer(task, small, settings)
    truth = list(whole.run())
    for stop in (1, 5, 8):
        trainer = Trainer(task, small, settings)
        pieces = list(trainer.run(lambda stop=stop, trainer=trainer: trainer.step < stop))
        again = load(save(checkpoint_of(trainer))).trainer()
        assert_same(truth, pieces + list(again.run()))
        for kept, other in ((whole.moments(), again.moments()), (whole.model.state_dict(), again.model.state_dict())):
            assert kept.keys() == other.keys()
            assert all(torch.equal(kept[name], other[name]) for name in kept)


# ---- knobs -----------------------------------------------------------------------------------------------------

KNOBS = Knobs(0.02, 3, 0.4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_from_its_step_on_a_turned_knob_is_as_if_it_had_been_so_at_first(kind):
    """A training that took its first five steps with other knobs is the oracle."""
    trainer = quick(kind, dropout=0.1, schedule="cosine")
    trainer.turns = (Turn(5, KNOBS),)
    turned = list(trainer.run())
    plain = quick(kind, dropout=0.1, schedule="cosine")
    before = list(plain.run(lambda: plain.step < 5))
    other = quick(kind, dropout=KNOBS.dropout, lr=KNOBS.lr, batch_size=KNOBS.batch_size, schedule="cosine")
    other.resume(plain.model.state_dict(), plain.moments(), 5, losses=plain.losses)
    assert_same(turned, before + list(other.run()))
    assert len(trainer._batch(6).text) == KNOBS.batch_size


def test_the_last_turn_before_a_step_is_in_force():
    first, turns = Knobs(1.0, 1, 0.0), [Turn(0, Knobs(2.0, 1, 0.0)), Turn(4, Knobs(3.0, 1, 0.0))]
    assert [in_force(turns, step, first).lr for step in (1, 4, 5, 99)] == [2.0, 2.0, 3.0, 3.0]
    assert in_force(turns[1:], 4, first) == first
    assert in_force((), 1, first) == first


@pytest.mark.slow
def test_turned_back_it_goes_on_as_it_began():
    trainer, settings = quick(dropout=0.1, lr=0.01, every=1, schedule="constant", warmup=1), quick().settings
    trainer.turns = (Turn(2, Knobs(0.5, settings.batch_size, 0.9)), Turn(3, Knobs(0.01, settings.batch_size, 0.1)))
    assert [s.lr for s in trainer.run()][1:] == [0.01, 0.01, 0.5, *[0.01] * 9]
    assert {module.dropout for module in trainer.model.modules() if "dropout" in vars(module)} == {0.1}


@pytest.mark.slow
def test_turns_are_in_the_file_and_in_force_when_it_goes_on():
    whole, cut = (Trainer(tasks.make("reverse"), config(dropout=0.2), replace(QUICK, n_examples=40)) for _ in range(2))
    whole.turns = cut.turns = (Turn(3, KNOBS), Turn(9, KNOBS._replace(lr=0.001)))
    truth = list(whole.run())
    start = list(cut.run(lambda: cut.step < 7))
    state = load(save(checkpoint_of(cut)))
    assert state.turns == (Turn(3, KNOBS),)  # nobody knows what is to come
    again = state.trainer()
    again.turns = cut.turns
    assert_same(truth, start + list(again.run()))


@pytest.mark.slow
def test_a_planned_end_can_be_moved():
    trainer = quick(task=tasks.make("reverse"))
    list(trainer.run())
    longer = load(save(checkpoint_of(trainer))).trainer(steps=18)
    assert [s.step for s in longer.run()] == [15, 18]


@pytest.mark.slow
def test_a_step_at_a_time_is_the_same_film():
    trainer, found = quick(dropout=0.1), []
    while trainer.step < 12:
        asked = iter([True, False])
        found += trainer.run(lambda asked=asked: next(asked))
    assert_same(list(quick(dropout=0.1).run()), found)


@pytest.mark.wide
def test_two_trainings_at_once_do_not_touch_each_other():
    alone = {seed: list(quick(dropout=0.2, seed=seed, steps=30).run()) for seed in (1, 2)}
    together = {}
    threads = [
        threading.Thread(
            target=lambda seed=seed: together.update({seed: list(quick(dropout=0.2, seed=seed, steps=30).run())})
        )
        for seed in (1, 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    for seed in (1, 2):
        assert_same(alone[seed], together[seed])


@pytest.mark.slow
def test_global_generators_stay_as_they_were():
    import random

    before = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()
    list(quick(dropout=0.2).run())
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1:] == (random.getstate(), np.random.get_state()[1].tolist())


# ---- what goes wrong -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["loss", "gradient"])
def test_divergence_is_reported_and_keeps_the_weights_of_the_step_before(broken):
    trainer = quick(dropout=0.2)
    seen = list(trainer.run(lambda: trainer.step < 4))
    before = {name: p.clone() for name, p in trainer.model.named_parameters()}
    weight = next(trainer.model.parameters())
    if broken == "loss":
        batch = trainer._batch
        trainer._batch = lambda step: batch(step)._replace(wanted=torch.full_like(batch(step).wanted, PAD))  # 0 / 0
    else:
        weight.register_hook(lambda g: g * math.inf)
    with pytest.raises(Diverged, match=r"^The loss is no longer a number at step 5\. The learning rate \(0\.00"):
        list(trainer.run())
    assert trainer.step == 4
    assert len(seen) == 2
    assert not trainer.model.training
    assert all(torch.equal(before[name], p) for name, p in trainer.model.named_parameters())


@pytest.mark.wide
def test_far_too_high_a_rate_diverges_or_stays_finite():
    trainer = quick("decoder", lr=100, clip=0, steps=100, norm="post", schedule="constant", warmup=1)
    trainer.schedule = lambda step: 1e30
    with pytest.raises(Diverged):
        list(trainer.run())
    rates: list[dict[str, Any]] = [{"lr": 100.0}, {"lr": 100.0, "clip": 0.0}, {"lr": 5.0, "weight_decay": 0.2}]
    for rate in rates:
        trainer = quick(**rate, steps=30, schedule="constant", warmup=1)
        with suppress(Diverged):
            list(trainer.run())
        assert all(torch.isfinite(p).all() for p in trainer.model.parameters())


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": 0},
        {"steps": 1.5},
        {"steps": True},
        {"steps": 10**400},
        {"steps": "9"},
        {"batch_size": 1025},
        {"n_examples": 0},
        {"n_tests": 0},
        {"lr": 0},
        {"lr": -1},
        {"lr": math.nan},
        {"lr": 10**400},
        {"lr": 1e6},
        {"warmup": 0},
        {"warmup": 2.0},
        {"every": 0},
        {"clip": -1},
        {"clip": math.inf},
        {"weight_decay": -0.1},
        {"label_smoothing": 1},
        {"stress": 0.5},
        {"stress": 1001},
        {"stress": True},
        {"optimiser": "SGD"},
        {"optimiser": []},
        {"n_examples": 500_001},
        {"augment": 1.1},
        {"look_ahead": 1},
        {"seed": -1},
        {"seed": 2**31},
        {"seed": None},
        {"schedule": "linear"},
        {"schedule": []},
        {"lr": 1.0, "weight_decay": 1.5},
    ],
)
def test_settings_refuse_with_a_sentence(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)


def test_settings_fill_in_what_follows_from_the_rest():
    assert (Settings(steps=300).warmup, Settings(steps=300).every) == (30, 3)
    assert (Settings(steps=5).warmup, Settings(steps=5).every) == (1, 1)
    assert Settings(steps=300, schedule="Noam").warmup == 60
    assert Settings(steps=300, warmup=7, every=100).warmup == 7
    with pytest.raises(ValueError, match="no setting 'momentum'"):
        settings_from({"momentum": 0.9})
    assert settings_from({"lr": 0.5}) == Settings(lr=0.5)


# ---- what is learned -------------------------------------------------------------------------------------------


def learned(name: str, changes: dict | None = None, **settings):
    recipe = tasks.recipe(name)
    task = tasks.make(name)
    settings: dict[str, Any] = {"every": 1000} | settings
    *_, last = Trainer(task, replace(recipe.config, **changes or {}), replace(recipe.settings, **settings)).run()
    cross = axes(task, task.probes[0])["cross"]
    return last, alignment_mass(last.attention[0]["cross"], cross.alignment).max()


@pytest.mark.wide
@pytest.mark.slow
def test_reverse_is_learned_and_seen_in_a_head():
    last, on_the_alignment = learned("reverse")
    assert last.exact >= 0.97
    assert last.accuracy > 0.99
    assert last.perplexity < 1.1
    assert on_the_alignment > 0.6


@pytest.mark.slow
@pytest.mark.wide
def test_without_positions_nothing_can_be_reversed():
    last, on_the_alignment = learned("reverse", {"positions": "none"})
    assert last.exact < 0.3
    assert on_the_alignment < 0.6


@pytest.mark.slow
@pytest.mark.wide
def test_whoever_looks_ahead_reads_the_answer():
    """Random letters cannot be foretold; without the causal mask the next one stands there to be read."""
    task = replace(toy("decoder"), draw=lambda rng: Example((), tuple(rng.choices(range(FIRST, V), k=6))))
    right = {}
    for look_ahead in (True, False):
        settings = Settings(steps=250, lr=1e-2, n_examples=2000, n_tests=100, every=1000, look_ahead=look_ahead)
        *_, last = Trainer(task, tasks.recipe("copy").config, settings).run()
        right[look_ahead] = last.accuracy
    assert right[True] > 0.97
    assert right[False] < 0.35


@pytest.mark.parametrize("name", tasks.TASKS)
def test_recipes_fit_their_tasks(name):
    recipe = tasks.recipe(name)
    settings = {"text": " ".join(map(str, range(900)))} if tasks.TASKS[name].needs_text else {}
    trainer = Trainer(tasks.make(name, **settings), recipe.config, replace(recipe.settings, n_examples=50, n_tests=5))
    assert next(trainer.run()).val_loss > 1


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_share_of_the_training_set_is_drawn_by_the_drill(share):
    task = toy("decoder")
    drilled = set()

    def drill(rng: Random) -> Example:
        drilled.add(example := task.draw(rng))
        return example

    trainer = quick(task=replace(task, drill=drill), drill=share)
    n = len(trainer.examples)
    assert bool(drilled) == bool(share)
    assert [example in drilled for example in trainer.examples].count(True) >= int(share * n)
    assert all(example in drilled for example in trainer.examples[: int(share * n)])
