"""Published models in our own classes: BERT, GPT-2, Llama and others, from a folder, a package or the hub.

    model = transformer.load("sentence-transformers/all-MiniLM-L6-v2")

Files come from strangers. What they say of themselves is checked before memory is taken for it, nothing in them is ever
run, and whatever is wrong with them is one sentence, an InputError.

    files       what a model's folder holds, checked: settings, headers of the weights, an estimate of the memory
    hub         the same on the hub, before and after a download; transport is the way there
    offers      which of them visitors may have
    places      the same in an installed package, or in a folder that the operator named
    tokenizer   from a text to tokens and ids
    rules       what a tokenizer may ask for
    family      which families there are, and what each of them calls its tensors
    convert     their tensors as the parameters of our model
    loading     all of this together

The public names below are imported when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformer.pretrained.files import Estimate, Folder
    from transformer.pretrained.loading import Pretrained, load, load_from
    from transformer.pretrained.tokenizer import Encoding, Tokenizer

_HOME = {
    "load": "loading",
    "load_from": "loading",
    "Pretrained": "loading",
    "Tokenizer": "tokenizer",
    "Encoding": "tokenizer",
    "Folder": "files",
    "Estimate": "files",
}

__all__ = ["Encoding", "Estimate", "Folder", "Pretrained", "Tokenizer", "load", "load_from"]


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(f"transformer.pretrained.{_HOME[name]}"), name)
    raise AttributeError(f"module 'transformer.pretrained' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
