"""What a refusal looks like: one sentence or two for people, of an InputError and of nothing else."""

import re
from collections.abc import Callable

import pytest

from transformer.core.checks import InputError


def refusal(call: Callable[[], object]) -> str:
    """The sentence with which a call is refused."""
    with pytest.raises(InputError) as error:
        call()
    sentence = str(error.value)
    assert re.fullmatch(r"[\w“_.\-][^\n]{15,420}\.?", sentence), sentence
    sentence.encode()  # it can be sent: a file may hold half a surrogate pair
    for jargon in ("object", "Error", "0x", "NoneType", "subscript", "torch.", "<class", "Traceback"):
        assert jargon not in sentence.replace("JSON object", ""), sentence
    return sentence
