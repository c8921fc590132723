"""What tokens are called: a name per query and per key, as given to `show` or as a file holds them."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_view.tensor_checks import label

Tokens = Sequence[str] | np.ndarray


def text_of(text: Any, name: str) -> Any:
    """What a file says under a name: an array of texts as it is, or what JSON says."""
    if np.ndim(text) and name != "scale":
        return np.asarray(text).tolist()
    try:
        return json.loads(str(text))
    except ValueError:
        raise ValueError(f"its {name} cannot be read; save them with json.dumps") from None


def names_of(tokens: Tokens | None, n: int, side: str, kind: str) -> tuple[str, ...]:
    """A name for each of n queries or keys: the tokens, or numbers where there are none."""
    if tokens is None:
        return tuple(map(str, range(n)))
    if isinstance(tokens, str):
        raise ValueError("tokens are a list with a name per row; split the text as the model's tokenizer does")
    names = tuple(tokens)
    if not all(isinstance(name, str) for name in names):
        raise ValueError("tokens are texts; tokenizer.convert_ids_to_tokens(ids) makes them of the numbers")
    names = tuple(map(str, names))  # an array's texts are numpy's own
    if len(names) != n:
        raise ValueError(
            f"{kind}: the weights have {n} {side}, and {len(names)} tokens were given. A model's own tokens, "
            "special ones included, are tokenizer.convert_ids_to_tokens(inputs.input_ids[0])"
        )
    return tuple(map(_drawable, names))


def _drawable(name: str) -> str:
    """A token as it can be seen, and turns no text around it: "∅" where there is nothing, signs for blanks."""
    return name if name.isprintable() and name.strip() else label(name) or "∅"
