"""A forward pass with all attention weights: a published model in our own classes, in turn with `transformers` eager.

    python -m benchmarks --only forward

The same random weights in both, one thread, and the time that this thread worked, which is what is left where the
machine does other things as well.
"""

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import thread_time
from typing import Any

import torch
import transformers as hf
from safetensors.torch import load_file

from benchmarks.size import Size
from benchmarks.table import Line
from transformer.pretrained import convert

V = 2000
MODELS: dict[str, Callable[[], Any]] = {  # six layers of MiniLM, DistilGPT-2 and SmolLM2, with a small vocabulary
    "BERT, 12 heads of 32": lambda: hf.BertForMaskedLM(
        hf.BertConfig(vocab_size=V, hidden_size=384, num_hidden_layers=6, intermediate_size=1536)
    ),
    "GPT-2, 12 heads of 64": lambda: hf.GPT2LMHeadModel(hf.GPT2Config(vocab_size=V, n_layer=6)),
    "Llama, 9 heads of 64": lambda: hf.LlamaForCausalLM(
        hf.LlamaConfig(
            vocab_size=V,
            hidden_size=576,
            intermediate_size=1536,
            num_hidden_layers=6,
            num_attention_heads=9,
            num_key_value_heads=3,
        )
    ),
}


def forward(size: Size) -> list[Line]:
    """Two lines for each model and length; the note gives the ratio of the medians."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as the app has it
    try:
        n, names = size.of(9, 3, 1), list(MODELS)
        return [line for name in size.of(names, names, names[:1]) for line in _lines(name, n)]
    finally:
        torch.set_num_threads(threads)


def _lines(name: str, n: int) -> list[Line]:
    theirs = MODELS[name]().eval()
    theirs.set_attn_implementation("eager")
    with TemporaryDirectory() as folder:
        theirs.save_pretrained(folder)
        settings = json.loads((Path(folder) / "config.json").read_text())
        ours = convert.to_model(settings, load_file(Path(folder) / "model.safetensors"))
    return [line for T in (128, 512) for line in _pair(f"{name}, {T} tokens", ours, theirs, T, n)]


@torch.inference_mode()
def _pair(what: str, ours: Any, theirs: Any, T: int, n: int) -> list[Line]:
    ids = torch.randint(V, (1, T), generator=torch.Generator().manual_seed(0))
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(n + 1):
        for run, taken in zip((lambda: ours(ids), lambda: theirs(ids, output_attentions=True)), times, strict=True):
            start = thread_time()
            run()
            if turn:
                taken.append(1000 * (thread_time() - start))
    note = f"{median(times[0]) / median(times[1]):.2f} x transformers"
    return [
        Line(f"forward, {what}", times[0], note, budget=median(times[1]), comparable=False),
        Line("  the same with transformers, eager", times[1], comparable=False),
    ]
