"""Whatever bytes a stranger brings: a model, or one sentence. What they cost in memory is tested beside each reader."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from tests.further import examples
from tests.pretrained import makers
from tests.pretrained.stores import Memory
from transformer.core.checks import InputError
from transformer.pretrained import load_from
from transformer.pretrained.files import CONFIG, INDEX, WEIGHTS, header

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from([0, 2**64, -1, ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@contextmanager
def one_sentence_at_most() -> Iterator[None]:
    """Within the block no other error is raised than an InputError, and that one can be shown."""
    said = ""
    try:
        yield
    except InputError as error:
        said = str(error)
    assert not said or len(said.encode()) > 15


@cache
def whole_model() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in makers.bert_folder().iterdir()}


def read(files: dict[str, bytes]) -> None:
    with one_sentence_at_most():
        load_from(Memory(files, "model"))


@given(st.binary(max_size=200), st.integers(0, 300))
def test_bytes_as_weights(data: bytes, length: int):
    for whole in (data, length.to_bytes(8, "little") + data):
        with one_sentence_at_most():
            header(Memory({WEIGHTS: whole}, ""), WEIGHTS, len(whole))


@given(st.data())
@examples(30)
def test_settings(data: st.DataObject):
    config = json.loads(whole_model()[CONFIG])
    name = data.draw(st.sampled_from([*sorted(config), "head_dim", "rope_scaling", "quantization_config", "n_embd"]))
    read({**whole_model(), CONFIG: json.dumps(config | {name: data.draw(JSON)}).encode()})


@given(JSON)
@examples(20)
def test_an_index(places: object):
    files = {name: data for name, data in whole_model().items() if name != WEIGHTS}
    read({**files, INDEX: json.dumps({"weight_map": places}).encode(), "a.safetensors": makers.small_weights()})


@given(st.data())
def test_a_tokenizer(data: st.DataObject):
    """Any part of tokenizer.json, at any depth, is exchanged for something else."""
    plan = json.loads(whole_model()["tokenizer.json"])
    part, path = plan, []
    while isinstance(part, dict) and part and (not path or data.draw(st.booleans())):
        path.append(data.draw(st.sampled_from(sorted(part))))
        part = part[path[-1]]
    owner = plan
    for name in path[:-1]:
        owner = owner[name]
    owner[path[-1]] = data.draw(JSON)
    read({**whole_model(), "tokenizer.json": json.dumps(plan).encode()})


@given(st.sampled_from(["tokenizer_config.json", "special_tokens_map.json", "vocab.txt", "config.json"]), st.binary())
@examples(20)
def test_small_files(name: str, data: bytes):
    read({**whole_model(), name: data})
