"""Small Vision Transformers, trained on the pictures of tasks/shapes: how, how well, and as files.

python -m transformer.training shapes                  trains the first of them
python -m transformer.training shapes-no-positions     one of the others

Each is an EncoderModel of ours with patches in place of tokens. Its logits are those of all answers, four to a
question; the loss is the sum of four cross-entropies. Other trainings read ids, which a picture has none of, so this
one has a loop of its own: pictures are drawn by the thousand, as arrays.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Generator, Tensor

from transformer.core.config import TransformerConfig
from transformer.core.images import answer_logits, patchify, scaled, unpatchify
from transformer.core.model import EncoderModel
from transformer.core.positions import LearnedPositions
from transformer.training.schedules import make_schedule
from transformer.training.shipped import FOLDER
from transformer.training.tasks import shapes

_KEY = "attention_lab_vision"
_FRESH = 20_261  # the seed of the pictures that a card is measured on; the training draws from others
N_ANSWERS = [len(options) for options in shapes.QUESTIONS.values()]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A model of pictures to ship.

    reads  where the answers are read: at the class token, or "mean": from the mean of all patches
    """

    title: str
    patch_size: int = 4
    positions: str = "learned"
    reads: str = "class"
    steps: int = 1200
    batch_size: int = 64
    n_pictures: int = 16_000
    lr: float = 2e-3
    seed: int = 0

    @property
    def config(self) -> TransformerConfig:
        return TransformerConfig(
            vocab_size=sum(N_ANSWERS),
            d_model=48,
            n_heads=4,
            n_encoder_layers=3,
            n_decoder_layers=0,
            image_size=shapes.SIDE,
            patch_size=self.patch_size,
            positions=self.positions,
            max_len=(shapes.SIDE // self.patch_size) ** 2 + 1,
            activation="gelu",
            scale_embeddings=False,
            tie_output=False,
        )


PLANS = {
    "shapes": Plan(title="Shapes"),
    "shapes-no-positions": Plan(title="Shapes without positions", positions="none"),
    "shapes-mean": Plan(title="Shapes, read from the mean of all patches", reads="mean"),
    "shapes-large-patches": Plan(title="Shapes in patches of 8", patch_size=8),
}  # by the name of the file


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained model of pictures, in evaluation mode, with what was measured on it."""

    name: str
    model: EncoderModel
    reads: str
    card: dict[str, float | str]


def train(name: str, *, report: Callable[[str], None] = print) -> Trained:
    """Train the model of this name and measure it. `report` takes a line per hundred steps."""
    plan = PLANS[name]
    model = _untrained(plan)
    pictures = shapes.draw(plan.n_pictures, np.random.default_rng(plan.seed))
    images, answers = scaled(pictures.pixels), torch.from_numpy(pictures.answers)
    schedule = make_schedule("one-cycle", lr=plan.lr, steps=plan.steps, warmup=plan.steps // 10, d_model=48)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1.0, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    chosen = Generator().manual_seed(plan.seed)
    losses: list[float] = []
    model.train()
    for step in range(1, plan.steps + 1):
        batch = torch.randint(len(images), (plan.batch_size,), generator=chosen)
        logits = answer_logits(model(images[batch]).logits, plan.reads)
        loss = loss_of(logits, answers[batch])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimiser.param_groups:
            group["lr"] = schedule(step)
        optimiser.step()
        losses.append(loss.item())
        if step % 100 == 0:
            report(f"  step {step:5d}  loss {np.mean(losses[-100:]):.4f}")
    # The card describes the weights in the file, which have 16 bits.
    rounded = loaded(saved(Trained(name, model.eval(), plan.reads, {})), name)
    facts: dict[str, float | str] = {
        "parameters": sum(p.numel() for p in model.parameters()),
        "training pictures": plan.n_pictures,
        "training steps": plan.steps,
    }
    return Trained(name, rounded.model, plan.reads, facts | measured(rounded))


def _untrained(plan: Plan) -> EncoderModel:
    """The model before its first step. Rows of the position table begin small, as in ViT (N(0, 0.02²)): so what can be
    seen in them afterwards is learned."""
    model = EncoderModel(plan.config, Generator().manual_seed(plan.seed))
    if isinstance(positions := model.encoder.positions, LearnedPositions):
        with torch.no_grad():
            positions.weight.mul_(0.02 / 0.5**0.5)
    return model


def loss_of(logits: Tensor, answers: Tensor) -> Tensor:
    """The sum of the questions' cross-entropies: logits (B, V), answers (B, questions)."""
    parts = logits.split(N_ANSWERS, dim=1)
    return torch.stack([F.cross_entropy(part, answers[:, n]) for n, part in enumerate(parts)]).sum()


def chosen_answers(logits: Tensor) -> Tensor:
    """The likeliest answer to each question: (B, V) -> (B, questions)."""
    return torch.stack([part.argmax(-1) for part in logits.split(N_ANSWERS, dim=1)], dim=1)


@torch.inference_mode()
def accuracies(trained: Trained, pictures: shapes.Pictures, shuffled_by: int | None = None) -> dict[str, float]:
    """The share of right answers by question, and "all four"; with a seed, the patches of each picture are shuffled."""
    images, p = scaled(pictures.pixels), trained.model.config.patch_size
    if shuffled_by is not None:
        rows = patchify(images, p)
        keys = torch.rand(rows.shape[:2], generator=Generator().manual_seed(shuffled_by))
        images = unpatchify(rows.gather(1, keys.argsort(1)[..., None].expand_as(rows)), p)
    logits = torch.cat([trained.model(part).logits for part in images.split(250)])
    right = chosen_answers(answer_logits(logits, trained.reads)) == torch.from_numpy(pictures.answers)
    shares = dict(zip(shapes.QUESTIONS, right.double().mean(0).tolist(), strict=True))
    return shares | {"all four": right.all(1).double().mean().item()}


def measured(trained: Trained, n: int = 2000) -> dict[str, float | str]:
    """Accuracies on n fresh pictures, as they are and with their patches shuffled."""
    pictures = shapes.draw(n, np.random.default_rng(_FRESH))
    result: dict[str, float | str] = {"fresh pictures": n}
    for condition, seed in (("", None), (", patches shuffled", 0)):
        shares = accuracies(trained, pictures, seed)
        result |= {f"{name} right{condition}": round(share, 4) for name, share in shares.items()}
    return result


# ---- files ---------------------------------------------------------------------------------------------------------


def file_of(name: str) -> Path:
    """Where the file of the model of this name is, or would be."""
    return FOLDER / f"{name}.safetensors"


def saved(trained: Trained) -> bytes:
    """The bytes of a file: weights of 16 bits, and in its header the config and the card."""
    tensors = {name: p.detach().half().contiguous() for name, p in trained.model.named_parameters()}
    facts = {"config": asdict(trained.model.config), "reads": trained.reads, "card": trained.card}
    return write_tensors(tensors, {_KEY: json.dumps(facts)})


def loaded(data: bytes, name: str) -> Trained:
    """The model in the bytes of a file of this project's own."""
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    facts = json.loads(header["__metadata__"][_KEY])
    model = EncoderModel(TransformerConfig(**facts["config"]), Generator().manual_seed(0))
    model.load_state_dict({name: tensor.float() for name, tensor in read_tensors(data).items()})
    return Trained(name, model.eval(), facts["reads"], facts["card"])


def load(name: str) -> Trained:
    """The shipped model of this name. Raises KeyError for another name."""
    PLANS[name]
    return loaded(file_of(name).read_bytes(), name)


def cards() -> str:
    """All cards as one Markdown text."""
    lines: list[str] = []
    for name, plan in PLANS.items():
        if file_of(name).exists():
            lines.append(f"## {name}: {plan.title}\n")
            lines.append(f"Answer four questions about a picture. `{file_of(name).name}`,")
            lines[-1] += f" {file_of(name).stat().st_size / 1000:.0f} kB.\n"
            lines += ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in load(name).card.items()), ""]
    return "\n".join(lines)
