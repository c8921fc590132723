"""Models that anyone may bring: whatever load() takes, every page that uses it can show."""

from functools import cache
from random import Random
from typing import Any

import pytest

from lab.kit.models.references import HAND_OVER, Own, TrainedSource
from tests.pages import driver
from transformer.core.config import TransformerConfig
from transformer.training import tasks
from transformer.training.checkpoints import Checkpoint, checkpoint_of, load, save
from transformer.training.settings import Settings
from transformer.training.trainer import Trainer

LOOK_ALIKE = "".join(Random(0).choices("ab ␣\n⏎\t⇥", k=400))
NOTES = "C3 E2 and A9 C3 E2 " * 30
MODELS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {  # name -> task, its settings, sizes of the model
    "look-alike characters": ("text", {"text": LOOK_ALIKE, "length": 8}, {}),
    "bytes that look like words": (
        "text",
        {"text": NOTES, "level": "byte pairs", "length": 8},
        {"n_decoder_layers": 2},
    ),
    "one example to show": ("brackets", {"shortest": 1, "longest": 3, "kinds": 1}, {}),
    "one example of two letters": ("copy", {"shortest": 1, "longest": 2, "symbols": 2}, {}),
    "the shortest texts": ("repeat", {"shortest": 1, "longest": 1, "length": 2, "symbols": 20}, {}),
    "no layers": ("reverse", {}, {"n_encoder_layers": 0, "n_decoder_layers": 0}),
    "no layers to read with": ("copy", {}, {"n_encoder_layers": 0}),
    "an encoder of one feature": ("sentiment", {}, {"d_model": 1, "n_heads": 1, "n_kv_heads": 1, "d_ff": 1}),
}
KINDS = {
    "text": "decoder",
    "brackets": "decoder",
    "repeat": "decoder",
    "sentiment": "encoder",
    "copy": "encoder-decoder",
    "reverse": "encoder-decoder",
}
VISITS = (
    *(
        ("heads", {"weights": "your own", "closer": name})
        for name in ("unplug", "edges", "output", "subspace", "likeness", "rollout")
    ),
    *(
        ("blocks", {"weights": "your own", "blocks_part": name})
        for name in ("One layer", "Layer norm", "Feed-forward", "Residual stream", "Pull a plug")
    ),
    ("blocks", {"weights": "your own", "blocks_part": "Residual stream", "blocks_stream": "Read-out"}),
    ("embeddings", {"weights": "your own", "emb_part": "Similarity"}),
    *(
        ("generation", {"gen_model": "the one you trained", "gen_view": name})
        for name in ("Choose the next word", "The cache", "From vector to logits")
    ),
    *(
        ("translation", {"translation_view": name})
        for name in ("Threads", "Padding", "All heads", "In context", "Ablation", "Beam search")
    ),
)


@cache
def brought(name: str) -> Checkpoint:
    """The model as load() gives it back."""
    task, task_settings, sizes = MODELS[name]
    config: dict[str, Any] = {
        "d_model": 8,
        "n_heads": 2,
        "n_kv_heads": 2,
        "d_ff": 8,
        "n_encoder_layers": 1,
        "n_decoder_layers": 1,
    }
    made = tasks.make(task, **task_settings)
    trainer = Trainer(
        made,
        TransformerConfig(vocab_size=len(made.source), tgt_vocab_size=len(made.target), **(config | sizes)),
        Settings(steps=1, batch_size=2, n_examples=4, n_tests=2),
    )
    return load(save(checkpoint_of(trainer)))


def is_used_on(page: str, kind: str) -> bool:
    """Whether this page has a place for models of this kind."""
    kinds = {"generation": ("decoder",), "translation": ("encoder-decoder",)}
    return kind in kinds.get(page, ("encoder", "decoder"))


@pytest.mark.parametrize(
    ("name", "page", "link"),
    [
        pytest.param(
            name,
            page,
            link,
            id=f"{name}, /{page} {list(link.values())[-1]}",
            marks=() if (n + m) % 5 == 0 else pytest.mark.wide,  # every model and every page, but not all pairs
        )
        for n, (name, (task, _, _)) in enumerate(MODELS.items())
        for m, (page, link) in enumerate(VISITS)
        if is_used_on(page, KINDS[task])
    ],
)
def test_every_page_shows_it(name: str, page: str, link: dict[str, Any]):
    at = driver.visit(page, session={HAND_OVER: brought(name)}, **link)
    assert "there is no such model" not in driver.notices(at)


@pytest.mark.parametrize("name", ["look-alike characters", "bytes that look like words"])
def test_tokens_that_look_the_same_are_told_apart(name: str):
    source = TrainedSource(Own("x"), brought(name))
    plain = [source.task.source.label(id) for id in range(len(source.labels))]
    assert len(set(plain)) < len(plain) == len(set(source.labels))
    ids = source.task.source.encode(source.task.settings["text"])[:40]
    assert source.ids(source.cut(source.task.settings["text"])[1:41]) == ids
