"""Training as a generator of snapshots: the caller's loop decides when it goes on, and when it ends.

trainer = Trainer(make("reverse"), TransformerConfig(d_model=32, n_heads=2), Settings(steps=150))
for snapshot in trainer.run():
    print(snapshot.step, snapshot.val_loss, snapshot.accuracy)
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from time import perf_counter

import numpy as np
import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.embeddings import PatchEmbedding
from transformer.core.model import DecoderModel, Model
from transformer.core.positions import LearnedPositions
from transformer.core.taps import no_tap
from transformer.training.batches import Batch, batch_of, build, drilled, forward_batch, stressed
from transformer.training.losses import Routed, cross_entropy
from transformer.training.optimiser import AdamW, Muon, moments_of, suits_muon
from transformer.training.schedules import Schedule, make_schedule
from transformer.training.settings import Settings, Turn, in_force, knobs_of
from transformer.training.tasks.task import Example, Task
from transformer.training.text import PAD
from transformer.training.writing import Written, question, write

MAX_TABLE_SIZE = 16_384  # numbers in a table that every snapshot keeps


class Diverged(InputError, ArithmeticError):
    """The loss is no longer a number; the message says which setting to change."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot:
    """Measurements of a training at one step. Step 0 is the untrained model.

    loss         the minimised loss, in nats per token: the mean over the steps since the last snapshot (NaN at step 0)
    val_loss     the plain cross-entropy on the held-out examples, in evaluation mode; perplexity is exp of it
    accuracy     share of target tokens that are ranked first, given all true tokens before them
    exact        share of held-out examples with every token right, measured in the same way
    lr           the learning rate of the last step; grad_norm: length of its gradient before clipping
    grad_norms   the same for each part of the model, in the order of Trainer.parts; None at step 0
    attention    a dict for every probe: kind ("encoder", "decoder", "cross") -> (L, H, T, S) float32
                 (or uint8, as a film keeps it: film.shrunk)
    seconds      spent on training so far
    written      what the model writes by itself on every probe; () where nobody looked
    right        share of held-out examples with the right answer, by question; {} where there are no such questions
    """

    step: int
    loss: float
    val_loss: float
    accuracy: float
    exact: float
    lr: float
    grad_norm: float
    grad_norms: tuple[float, ...] | None
    weight_norm: float
    attention: tuple[dict[str, np.ndarray], ...]
    seconds: float
    written: tuple[Written, ...] = ()
    right: dict[str, float] = field(default_factory=dict)

    @property
    def perplexity(self) -> float:
        """exp(val_loss): the number of equally likely tokens that would be as uncertain."""
        return math.exp(min(self.val_loss, 700.0))


class Trainer:
    """The training of one model on one task, step by step.

    Every step draws from a generator seeded by (seed, step), so that the same seed gives the same film, also if the
    training is interrupted and resumed.

    model  to go on with, of this config with the sizes of the task; None for one with fresh weights. Parameters that
           need no gradient stay as they are
    turns  of the knobs, in the order of their steps; those to come may be changed at any time
    """

    def __init__(
        self,
        task: Task,
        config: TransformerConfig,
        settings: Settings | None = None,
        *,
        model: Model | None = None,
        device: str = "cpu",
    ) -> None:
        self.task = task
        self.settings = settings = settings or Settings()
        if task.sight and settings.label_smoothing:
            raise InputError("label smoothing would give a share to answers of other questions; set it to 0")
        if task.kind == "encoder" and settings.stress > 1:
            raise InputError("an encoder writes no text in which answers could be stressed; set stress to 1")
        self.config = replace(config, **task.sizes)
        self.device = device
        if model is None:
            model = build(task.kind, self.config, Generator().manual_seed(settings.seed))
        self.model = model.to(device)
        self.step = 0
        self.seconds = 0.0
        self._has_begun = False  # whether the snapshot of the untrained model was taken
        self.losses: list[float] = []  # since the last snapshot
        rng = Random(settings.seed)
        self.examples = task.examples(settings.n_examples, rng, held_out=False)
        self.drills: frozenset[Example] = frozenset()
        if settings.drill and task.drill:
            n = int(settings.drill * len(self.examples))
            self.examples[:n] = replace(task, draw=task.drill, draw_many=None).examples(n, rng, held_out=False)
            self.drills = frozenset(self.examples[:n])
        tests = task.examples(settings.n_tests, rng, held_out=True)
        if not self.examples or not tests:
            raise InputError(task.too_few)
        self.tests = _by_length(task, tests, device)
        self.probes = [batch_of(task, [probe], device) for probe in task.probes]
        self.questions = [question(task, probe) for probe in task.probes]
        self.turns: tuple[Turn, ...] = ()
        self.knobs = knobs_of(settings, self.config)
        self.schedule = self._make_schedule()
        self.optimiser = self._make_optimiser()
        self.parts = parts(self.model)
        self._parameters = list(self.model.parameters())

    def _make_schedule(self) -> Schedule:
        settings = self.settings
        return make_schedule(
            settings.schedule,
            lr=self.knobs.lr,
            steps=settings.steps,
            warmup=settings.warmup,
            d_model=self.config.d_model,
        )

    def _set_knobs(self, step: int) -> None:
        """Set the knobs as they are at this step. The schedule keeps its shape; its height is the learning rate."""
        knobs = in_force(self.turns, step, knobs_of(self.settings, self.config))
        if knobs == self.knobs:
            return
        self.knobs = knobs
        self.schedule = self._make_schedule()
        for module in self.model.modules():
            if "dropout" in vars(module):
                vars(module)["dropout"] = knobs.dropout

    def _make_optimiser(self) -> AdamW:
        """Norms and biases, which are vectors, do not decay."""
        named, decay = dict(self.model.named_parameters()), self.settings.weight_decay
        vectors = [p for p in named.values() if p.dim() <= 1]
        matrices = {name: p for name, p in named.items() if p.dim() > 1}
        if self.settings.optimiser == "AdamW":
            return AdamW((matrices.values(), decay), (vectors, 0.0), eps=1e-9, fused=True)
        of_layers = {name: p for name, p in matrices.items() if suits_muon(name, p)}
        others = [p for name, p in matrices.items() if name not in of_layers]
        return Muon((of_layers.values(), decay), (others, decay), (vectors, 0.0), eps=1e-9, fused=True)

    def run(self, go_on: Callable[[], bool] = lambda: True) -> Iterator[Snapshot]:
        """Train until settings.steps, with a snapshot every settings.every steps, before the first and after the last.

        go_on is called before every step: False ends the run there, and another run() resumes it as if uninterrupted.
        Raises Diverged when the loss or the gradient is no longer a number; the weights stay as before that step.
        """
        settings = self.settings
        if self.step == 0 and not self._has_begun:
            self._has_begun = True
            yield self.snapshot(math.nan, math.nan, None)
        try:
            while self.step < settings.steps and go_on():
                start = perf_counter()
                loss, grad_norm, by_part = self._learn()
                self.losses.append(loss)
                self.seconds += perf_counter() - start
                if self._takes_snapshot(self.step):
                    loss = math.fsum(self.losses) / len(self.losses)
                    self.losses.clear()
                    yield self.snapshot(loss, grad_norm, by_part)
        finally:
            self.model.eval()

    def _learn(self) -> tuple[float, float, list[float]]:
        """Take one step: forward, backward, update. -> loss, norm of the gradient, the same per part"""
        settings, model = self.settings, self.model
        step = self.step + 1
        self._set_knobs(step)
        generator = Generator(self.device).manual_seed(settings.seed * 1_000_003 + step)
        batch = self._batch(step)
        if not model.training:  # going through all modules takes a while
            model.train()
        routed = Routed() if self.config.n_experts > 1 else no_tap
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            output = forward_batch(model, batch, is_causal=not settings.look_ahead, tap=routed, generator=generator)
        smoothing = settings.label_smoothing
        loss = cross_entropy(output.logits, batch.wanted, smoothing, batch.weights, batch.expected)
        if isinstance(routed, Routed):
            loss = loss + self.config.balance * routed.balance_loss(batch, self.config.top_k)
        self.optimiser.zero_grad()
        loss.backward()
        norm = torch.nn.utils.get_total_norm([p.grad for p in self._parameters if p.grad is not None])
        if not math.isfinite(loss.item()) or not math.isfinite(norm.item()):
            raise Diverged(
                f"The loss is no longer a number at step {step}. The learning rate ({self.schedule(step):.3g} at this"
                " step) is too high for this model: try a third of it, a longer warm-up, or clipping."
            )
        by_part = gradient_norms(self.parts) if self._takes_snapshot(step) else []
        if settings.clip:
            torch.nn.utils.clip_grads_with_norm_(self._parameters, settings.clip, norm)
        for group in self.optimiser.param_groups:
            group["lr"] = self.schedule(step)
        self.optimiser.step()
        self.step = step
        return loss.item(), norm.item(), by_part

    def _takes_snapshot(self, step: int) -> bool:
        """At regular steps, at the last one, and at a few early ones, at which much happens: powers of two."""
        is_early = step & (step - 1) == 0 and step <= self.settings.every // 4
        return step % self.settings.every == 0 or step == self.settings.steps or is_early

    def _batch(self, step: int) -> Batch:
        rng = Random(self.settings.seed * 1_000_003 + step)
        chosen = rng.choices(self.examples, k=self.knobs.batch_size)
        if self.settings.augment and self.task.augment:
            chosen = [self.task.augment(e, rng) if rng.random() < self.settings.augment else e for e in chosen]
        batch = batch_of(self.task, chosen, self.device)
        if self.settings.stress > 1 and step <= self.settings.stressed * self.settings.steps:
            batch = batch._replace(weights=stressed(batch, chosen, self.settings.stress))
        if self.settings.drilled and self.drills:
            batch = batch._replace(weights=drilled(batch, chosen, self.drills, self.settings.drilled))
        return batch._replace(expected=self._expected(batch, chosen)) if self.settings.expected else batch

    def _expected(self, batch: Batch, chosen: Sequence[Example]) -> Tensor | None:
        """What the task expects at every position; of drills, which are not drawn as often, what they say."""
        if not self.task.expected:
            return None
        rows = [row for row, example in enumerate(chosen) if example not in self.drills]
        table = torch.zeros(*batch.wanted.shape, self.config.tgt_vocab_size, device=self.device)
        table.scatter_(2, batch.wanted[..., None], (batch.wanted != PAD)[..., None].float())
        if rows:
            known = self.task.expected([chosen[row] for row in rows]).to(self.device)
            table[rows, : known.shape[1]] = known
        return table

    def snapshot(self, loss: float, grad_norm: float, grad_norms: list[float] | None) -> Snapshot:
        """Measure the model in evaluation mode, on the held-out examples and on the probes."""
        with torch.inference_mode():
            is_causal = not self.settings.look_ahead
            scores = evaluate(self.model.eval(), self.tests, is_causal=is_causal)
            right = {
                question: scores.pop(question) for question in (self.task.sight.questions if self.task.sight else ())
            }
            attention = tuple(probe_attention(self.model, probe, is_causal=is_causal) for probe in self.probes)
            weight_norm = torch.nn.utils.get_total_norm([p.detach() for p in self.model.parameters()]).item()
            written = write(self.model, self.task.kind, self.questions, ends=self.task.ends, sight=self.task.sight)
        return Snapshot(
            step=self.step,
            loss=loss,
            **scores,
            lr=self.schedule(self.step) if self.step else 0.0,
            grad_norm=grad_norm,
            grad_norms=None if grad_norms is None else tuple(grad_norms),
            weight_norm=weight_norm,
            attention=attention,
            seconds=self.seconds,
            written=written,
            right=right,
        )

    def moments(self) -> dict[str, Tensor]:
        """The optimiser's moments by parameter: `exp_avg.NAME` and `exp_avg_sq.NAME`; empty before the first step.

        Of a matrix that Muon steps `momentum_buffer.NAME` in place of both.
        Parameters that the loss does not depend on, as those of an encoder without a decoder, have none.
        """
        names: dict[Tensor, str] = {p: name for name, p in self.model.named_parameters()}
        return {
            f"{moment}.{names[p]}": state[moment]
            for p, state in self.optimiser.state.items()
            for moment in moments_of(self.settings.optimiser, names[p], p)
        }

    def resume(
        self,
        weights: dict[str, Tensor],
        moments: dict[str, Tensor],
        step: int,
        seconds: float = 0.0,
        losses: Sequence[float] = (),
    ) -> None:
        """Continue a training of the same task, config and settings after its first `step` steps.

        losses   those since its last snapshot, for the mean in the next one
        """
        self.model.load_state_dict(weights)
        for name, p in self.model.named_parameters():
            kept = [moment for moment in moments_of(self.settings.optimiser, name, p) if f"{moment}.{name}" in moments]
            if kept:
                self.optimiser.state[p] = {"step": torch.tensor(float(step), device=p.device)}
                self.optimiser.state[p] |= {moment: moments[f"{moment}.{name}"].to(p, copy=True) for moment in kept}
        self.step, self.seconds, self.losses = step, seconds, list(losses)


def evaluate(model: Model, batches: list[Batch], *, is_causal: bool = True) -> dict[str, float]:
    """val_loss, accuracy and exact over all batches together; every wanted token counts the same.

    Of pictures also the share of right answers to each question, by its name.
    """
    nats = tokens = right = whole = examples = 0
    answered: dict[str, float] = {}
    for batch in batches:
        logits = forward_batch(model, batch, is_causal=is_causal).logits
        is_target = batch.wanted != PAD  # (B, T)
        nats += F.cross_entropy(logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=PAD, reduction="sum").item()
        hits = (logits.argmax(-1) == batch.wanted) & is_target
        tokens, right = tokens + is_target.sum().item(), right + hits.sum().item()
        for n, name in enumerate(batch.sight.questions if batch.sight else ()):
            answered[name] = answered.get(name, 0) + hits[:, n].sum().item()
        whole, examples = whole + (hits | ~is_target).all(1).sum().item(), examples + len(is_target)
    by_question = {name: n / examples for name, n in answered.items()}
    return {"val_loss": nats / tokens, "accuracy": right / tokens, "exact": whole / examples} | by_question


def probe_attention(model: Model, batch: Batch, *, is_causal: bool = True) -> dict[str, np.ndarray]:
    """The attention of a batch of one example: kind -> (L, H, T, S), before dropout."""
    attention = forward_batch(model, batch, is_causal=is_causal).attention
    return {
        kind: np.stack([weights[0].float().cpu().numpy() for weights in layers])
        for kind, layers in attention._asdict().items()
        if layers
    }


def tables(model: Model) -> dict[str, np.ndarray]:
    """The embedding tables of the model's input, of tokens and learned positions: float16 copies.

    A model of pictures has no table of tokens.
    """
    stack = model.decoder if isinstance(model, DecoderModel) else model.encoder
    result = {} if isinstance(stack.embedding, PatchEmbedding) else {"tokens": stack.embedding.weight}
    if isinstance(stack.positions, LearnedPositions):
        result["positions"] = stack.positions.weight
    return {
        name: table.detach().cpu().half().numpy() for name, table in result.items() if table.numel() <= MAX_TABLE_SIZE
    }


def parts(model: nn.Module) -> dict[str, list[nn.Parameter]]:
    """The parameters by part, from the bottom up: embeddings and positions, every layer, the end."""
    result: dict[str, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        words = name.split(".")
        is_read = not {"embedding", "positions"}.isdisjoint(words)
        part = f"{words[0]} {words[2]}" if "layers" in words else "embeddings" if is_read else "end"
        result.setdefault(part, []).append(parameter)
    ends = {name: result.pop(name) for name in ("embeddings", "end") if name in result}
    first = {"embeddings": ends["embeddings"]} if "embeddings" in ends else {}
    return first | result | ({"end": ends["end"]} if "end" in ends else {})


def gradient_norms(parts: dict[str, list[nn.Parameter]]) -> list[float]:
    """The length of the gradient of each part."""
    return [
        torch.nn.utils.get_total_norm([p.grad for p in parameters if p.grad is not None]).item()
        for parameters in parts.values()
    ]


def _by_length(task: Task, examples: list[Example], device: str, size: int = 128) -> list[Batch]:
    """The examples as batches with little padding."""
    ordered = sorted(examples, key=lambda e: (len(e.source), len(e.target)))
    parts = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    return [batch_of(task, part, device) for part in parts]
