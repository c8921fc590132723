"""The hub, played by a server of our own: models are looked at, downloaded, continued, kept once and within a bound.

No test depends on the clock: what is to be slow waits for an event.
"""

import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import transformers
from huggingface_hub import constants, hf_hub_download

from tests.pretrained import makers
from tests.pretrained.fake_hub import COMMIT, FakeHub, serve
from tests.pretrained.sentences import refusal
from transformer.core.checks import InputError
from transformer.core.interruption import interruptible
from transformer.environment import HUB, HUB_MB
from transformer.pretrained import hub as hubs
from transformer.pretrained import offers, transport
from transformer.pretrained.files import Folder, Tensors, check
from transformer.pretrained.hub import Hub
from transformer.pretrained.offers import LISTED, check_offered

ID = "someone/tiny-bert"
WEIGHTS = "model.safetensors"


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with serve() as made:
        made.files[ID] = {file.name: file.read_bytes() for file in makers.bert_folder().iterdir()}
        made.files[ID] |= {"README.md": b"read me", "pytorch_model.bin": b"a pickle", "onnx/model.onnx": b"other"}
        yield made


@pytest.fixture
def hub(fake: FakeHub, tmp_path: Path) -> Hub:
    return Hub(tmp_path / "models", fake.address)


def download(hub: Hub, id: str = ID) -> dict[str, bytes]:
    with hub.kept(id) as store:
        return {name: bytes(store.read(name, 0, size)) for name, size in store.sizes().items()}


# ---- looking and downloading ---------------------------------------------------------------------------------------


def test_a_model_is_looked_at_before_it_is_downloaded(hub: Hub, fake: FakeHub):
    fake.files[ID][WEIGHTS] = grown(fake.files[ID][WEIGHTS])
    plan = hub.look(ID)
    wanted = {file.name for file in makers.bert_folder().iterdir()}
    assert plan.files.keys() == wanted
    assert plan.bytes == sum(len(fake.files[ID][name]) for name in wanted)
    assert (plan.id, plan.commit) == (ID, COMMIT)
    assert plan.checked.family == "bert"
    assert plan.checked.estimate.download == plan.bytes
    # Of a megabyte of weights the first kilobytes were asked for, and nothing of the pickle.
    assert fake.asked_for(WEIGHTS) == ["bytes=0-131071"]
    assert not fake.asked_for("pytorch_model.bin")
    assert not hub.has(ID)
    assert hub.ids() == []


def grown(data: bytes) -> bytes:
    """The same weights, with one more of a megabyte that no model asks for."""
    import safetensors.numpy

    tensors = safetensors.numpy.load(data)
    return safetensors.numpy.save(tensors | {"embeddings.position_ids": makers.np.arange(2**17)})


def test_what_is_downloaded_is_what_there_is(hub: Hub, fake: FakeHub):
    told: list[tuple[int, int]] = []
    with hub.kept(ID, lambda done, total: told.append((done, total))) as store:
        found, folder = check(store), check(Folder(makers.bert_folder()))
        assert found.settings == folder.settings
        assert all(Tensors(found)[name].equal(tensor) for name, tensor in Tensors(folder).items())
        assert store.name == ID
    assert told == sorted(told)
    assert told[-1] == (hub.look(ID).bytes,) * 2
    assert hub.has(ID)
    assert hub.ids() == [ID]
    fake.asked.clear()
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    assert fake.asked == []  # nothing is asked twice


def test_a_model_that_is_kept_needs_no_network(hub: Hub, fake: FakeHub):
    before = download(hub)
    fake.asked.clear()
    with patch.object(constants, "HF_HUB_OFFLINE", True):
        assert download(hub) == before
        assert "HF_HUB_OFFLINE" in refusal(lambda: download(hub, "someone/else"))
        assert "HF_HUB_OFFLINE" in refusal(lambda: hub.look(ID))
    assert fake.asked == []


def brought_by_another_program(fake: FakeHub, folder: Path) -> None:
    for name in hf_names(fake):
        hf_hub_download(ID, name, cache_dir=folder, endpoint=fake.address, token=False)


def hf_names(fake: FakeHub) -> list[str]:
    return [name for name in fake.files[ID] if name.endswith(("json", "safetensors"))]


def test_what_another_program_has_brought_is_not_brought_again(hub: Hub, fake: FakeHub, tmp_path: Path):
    brought_by_another_program(fake, tmp_path / "models")
    assert not hub.has(ID)
    fake.asked.clear()
    with patch.object(constants, "HF_HUB_OFFLINE", True):
        assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    assert fake.asked == []
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    assert fake.asked_for(WEIGHTS) == [f"bytes=0-{min(len(fake.files[ID][WEIGHTS]), 2**17) - 1}"]  # its header
    assert hub.has(ID)


def test_what_another_program_has_brought_is_never_deleted(fake: FakeHub, tmp_path: Path):
    a, b, c = three(fake)
    brought_by_another_program(fake, tmp_path)
    size = Hub(tmp_path, fake.address).look(a).bytes
    hub = Hub(tmp_path, fake.address, max_bytes=size + 1000)
    for id in (a, b, c):
        download(hub, id)
    assert [hub.has(id) for id in (a, b, c)] == [True, False, True]


def test_a_redirect_is_followed_to_the_files(hub: Hub, fake: FakeHub):
    fake.redirect = f"{fake.address}/elsewhere"
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


@pytest.mark.parametrize("address", ["file:///etc/passwd?", "ftp://127.0.0.1/", "gopher://a", "data:,"])
def test_other_redirects_are_not(hub: Hub, fake: FakeHub, address: str):
    fake.redirect = address
    assert "cannot be reached" in refusal(lambda: download(hub))
    plan = looked_at(hub, fake)
    fake.redirect = address
    assert "cannot be reached" in refusal(lambda: hub.download(plan))


def test_redirects_in_a_circle(hub: Hub, fake: FakeHub):
    fake.redirect = fake.address
    refusal(lambda: download(hub))
    assert len(fake.asked) < 30


def test_a_server_without_ranges(hub: Hub, fake: FakeHub):
    fake.knows_ranges = False
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


def test_no_account_is_sent(hub: Hub, fake: FakeHub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    download(hub)
    assert {"user-agent", "range", "host"} <= fake.headers
    assert not {"authorization", "cookie"} & fake.headers


# ---- breaking off and going on -------------------------------------------------------------------------------------


def looked_at(hub: Hub, fake: FakeHub) -> hubs.Plan:
    """What is about to be downloaded, from a hub that misbehaves only from then on."""
    redirect, fake.redirect = fake.redirect, ""
    plan = hub.look(ID)
    fake.asked.clear()
    fake.redirect = redirect
    return plan


def test_a_connection_that_breaks_off_is_taken_up_again(hub: Hub, fake: FakeHub):
    plan = looked_at(hub, fake)
    fake.breaks, fake.break_after = 3, 4000
    with patch.object(constants, "DOWNLOAD_CHUNK_SIZE", 1000):
        hub.download(plan)
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    assert "bytes=4000-" in [range for _, range in fake.asked]
    assert not fake.breaks


def test_without_a_byte_it_is_given_up_and_what_is_whole_stays(hub: Hub, fake: FakeHub):
    plan = looked_at(hub, fake)
    fake.breaks, fake.break_after = 10**6, len(fake.files[ID][WEIGHTS]) - 1
    assert "cannot be reached" in refusal(lambda: hub.download(plan))
    assert len(fake.asked) < 20
    assert not hub.has(ID)
    whole = list(plan.files)[: list(plan.files).index(WEIGHTS)]
    assert whole
    fake.breaks = 0
    fake.asked.clear()
    hub.download(plan)
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    assert not [name for name in whole if fake.asked_for(name)]


def test_a_download_can_be_stopped(hub: Hub, fake: FakeHub):
    """At the next part that arrives: what is here of that file is gone, and the files before it stay."""

    class Stop(Exception):
        pass

    arrived = [0]

    def note(done: int, total: int) -> None:
        arrived[0] = done

    def stop() -> None:
        if arrived[0] > 30_000:
            raise Stop

    def stopped() -> None:
        with interruptible(stop), hub.kept(ID, note):
            pass

    fake.files[ID][WEIGHTS] = grown(fake.files[ID][WEIGHTS])
    with patch.object(constants, "DOWNLOAD_CHUNK_SIZE", 10_000), pytest.raises(Stop):
        stopped()
    assert not hub.has(ID)
    assert hub.ids() == []
    assert not list((hub._root).rglob("*.incomplete"))
    assert arrived[0] < 1_000_000
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


# ---- lies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (lambda data: data + b"more", "more than it promised"),
        (lambda data: data[:-1], "another size"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "not what the hub lists"),
        (lambda data: b"", "another size"),
    ],
)
def test_files_that_are_not_what_the_hub_says(hub: Hub, fake: FakeHub, sent, sentence: str):
    plan = looked_at(hub, fake)
    fake.sent = sent
    assert sentence in refusal(lambda: hub.download(plan))
    assert not hub.has(ID)
    fake.sent = lambda data: data
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


def test_a_header_that_is_shorter_than_the_hub_says(hub: Hub, fake: FakeHub):
    fake.sent = lambda data: data[:100]
    assert "shorter than the hub says" in refusal(lambda: hub.look(ID))


def each(**changes: object) -> Callable[[dict], dict]:
    """What the hub says, with this in every file's entry."""
    return lambda said: said | {"siblings": [{**entry, "lfs": None, **changes} for entry in said["siblings"]]}


@pytest.mark.parametrize(
    "said",
    [
        b"<html>",
        b"[]",
        b"[" * 10**6,
        {},
        {"sha": "main"},
        {"sha": "../../etc"},
        {"siblings": "a"},
        {"siblings": [1, {}]},
        {"gated": "auto"},
        {"private": True},
        {"disabled": True},
        each(size=-1),
        each(size=2**60),
        each(size=2**40),
        each(blobId="../a"),
        each(rfilename="../config.json"),
        each(rfilename=5),
        each(lfs={"size": 5}),
    ],
)
def test_what_the_hub_says_is_not_believed(hub: Hub, fake: FakeHub, said):
    if said == {}:
        fake.said = lambda _: {}
    else:
        fake.said = said if callable(said) else lambda all: all | said if isinstance(said, dict) else said
    refusal(lambda: hub.look(ID))


def test_an_endless_answer_is_not_read_to_its_end(hub: Hub, fake: FakeHub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hubs, "MAX_LIST", 10_000)
    fake.said = lambda said: b'"' + b"x" * 10**6
    refusal(lambda: hub.look(ID))


def test_pickles_only(hub: Hub, fake: FakeHub):
    del fake.files[ID][WEIGHTS]
    assert "pickle" in refusal(lambda: download(hub))
    assert not fake.asked_for("pytorch_model.bin")


def test_what_cannot_be_used_is_not_downloaded(hub: Hub, fake: FakeHub):
    fake.files[ID]["config.json"] = b'{"model_type": "mamba"}'
    refusal(lambda: download(hub))
    fake.files[ID][WEIGHTS] = makers.packed_header({"a": 1})
    fake.files[ID]["config.json"] = (makers.bert_folder() / "config.json").read_bytes()
    refusal(lambda: download(hub))
    fake.files[ID] = {file.name: file.read_bytes() for file in makers.t5_folder().iterdir()}
    fake.files[ID]["spiece.model"] = fake.files[ID].pop("tokenizer.json")
    assert "cannot be made from spiece.model" in refusal(lambda: download(hub))
    assert not list(hub._root.glob("*/*"))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 416, 429, 500, 503])
def test_every_error_of_the_hub_is_a_sentence(hub: Hub, fake: FakeHub, status: int):
    fake.status = status
    refusal(lambda: hub.look(ID))
    assert len(fake.asked) == 1


def test_no_such_model(hub: Hub):
    assert "no such model" in refusal(lambda: download(hub, "someone/else"))


@pytest.mark.parametrize(
    "id", ["", "a/b/c", "../etc", "a/..", "a/b?c", "a b", "a/b\n", "http://a", "a" * 200, "a--b/c", "/a", "é/a"]
)
def test_what_is_no_id_is_not_asked_for(hub: Hub, fake: FakeHub, id: str):
    for call in (hub.look, hub.has, lambda id: download(hub, id)):
        assert "not the id of a model" in refusal(lambda call=call: call(id))
    assert fake.asked == []


# ---- without a network ---------------------------------------------------------------------------------------------


def test_nobody_answers(tmp_path: Path):
    with serve() as gone:
        address = gone.address
    assert "no network" in refusal(lambda: download(Hub(tmp_path, address)))
    assert "no network" in refusal(lambda: download(Hub(tmp_path, "http://no-such-host.invalid")))


def test_a_hub_that_falls_silent_is_left(hub: Hub, fake: FakeHub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(transport, "PATIENCE", 0.05)
    monkeypatch.setattr(constants, "HF_HUB_DOWNLOAD_TIMEOUT", 0.05)
    plan = looked_at(hub, fake)
    silence = threading.Event()
    fake.before_chunk = silence.wait
    assert "cannot be reached" in refusal(lambda: hub.look(ID))
    assert "cannot be reached" in refusal(lambda: hub.download(plan))
    silence.set()


# ---- one copy, within a bound --------------------------------------------------------------------------------------


def test_two_visitors_download_it_once(hub: Hub, fake: FakeHub):
    plan = looked_at(hub, fake)
    both = [threading.Thread(target=hub.download, args=(plan,)) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    assert len(fake.asked_for(WEIGHTS)) == 1


def three(fake: FakeHub) -> list[str]:
    for name in ("b", "c"):
        fake.files[f"someone/{name}"] = fake.files[ID]
    return [ID, "someone/b", "someone/c"]


def test_what_was_used_least_recently_goes_first(fake: FakeHub, tmp_path: Path):
    a, b, c = three(fake)
    size = Hub(tmp_path, fake.address).look(a).bytes
    hub = Hub(tmp_path, fake.address, max_bytes=2 * size + 1000)
    for n, id in enumerate((a, b)):
        download(hub, id)
        os.utime(hub._place(id) / hubs._NOTE, (n, n))
    with hub.kept(a):
        pass  # used again
    download(hub, c)
    assert [hub.has(id) for id in (a, b, c)] == [True, False, True]
    assert sum(file.stat().st_size for file in tmp_path.glob("*/blobs/*")) == 2 * size


def test_what_is_in_use_stays(fake: FakeHub, tmp_path: Path):
    a, b, _ = three(fake)
    size = Hub(tmp_path, fake.address).look(a).bytes
    hub = Hub(tmp_path, fake.address, max_bytes=size + 1000)
    with hub.kept(a):
        for _ in range(2):
            assert "in use" in refusal(lambda: download(hub, b))
        assert hub.has(a)
    download(hub, b)
    assert [hub.has(id) for id in (a, b)] == [False, True]
    download(hub, a)
    assert [hub.has(id) for id in (a, b)] == [True, False]


def test_a_model_beyond_the_bound_is_refused(fake: FakeHub, tmp_path: Path):
    assert "all that is kept here" in refusal(lambda: download(Hub(tmp_path, fake.address, max_bytes=1000)))
    assert not list(tmp_path.iterdir()) or not list(tmp_path.glob("*/*"))


def test_a_folder_that_cannot_be_written_to(fake: FakeHub, tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refusal(lambda: download(Hub(tmp_path / "file" / "models", fake.address)))


def test_another_version_that_another_program_brought_stays(fake: FakeHub, tmp_path: Path):
    a, b, _ = three(fake)
    size = Hub(tmp_path, fake.address).look(a).bytes
    hub = Hub(tmp_path, fake.address, max_bytes=size + 1000)
    download(hub, a)
    other = hub._place(a) / "snapshots" / ("f" * 40) / "config.json"
    other.parent.mkdir()
    other.write_text("{}")
    download(hub, b)
    assert not hub.has(a)
    assert other.exists()


def test_a_disk_that_is_full(hub: Hub, fake: FakeHub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=40_000_000))
    assert "too little room on the disk" in refusal(lambda: download(hub))
    assert not fake.asked_for("README.md")


def test_what_was_damaged_on_disk_is_downloaded_again(hub: Hub, fake: FakeHub):
    download(hub)
    note = hub._place(ID) / hubs._NOTE
    said = json.loads(note.read_text())
    for changes in ({"id": "a/b"}, {"commit": "../.."}, {"sizes": {"a": "1"}}, {"sizes": []}, {"more": 1}, {"id": 1}):
        note.write_text(json.dumps(said | changes))
        assert not hub.has(ID)
        assert hub.ids() == []
    for spoilt in ("", "[]", "{}"):
        note.write_text(spoilt)
        assert not hub.has(ID)
        assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


# ---- what visitors may have ----------------------------------------------------------------------------------------


def test_the_operator_says_what_visitors_may_have():
    listed, other = LISTED[0].id, "someone/else"
    for mode, allowed in (
        ("listed", [listed]),
        ("", [listed]),
        ("any", [listed, other]),
        ("off", []),
        ("nonsense", [listed]),
    ):
        environment = {HUB.name: mode} if mode else {}
        for id in (listed, other):
            if id in allowed:
                check_offered(id, environment)
            else:
                refusal(lambda id=id, environment=environment: check_offered(id, environment))


def test_the_hub_is_as_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv(HUB_MB.name, "7")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1/")
    hubs.shared.cache_clear()
    try:
        hub = hubs.shared()
        assert (hub._root, hub._max_bytes, hub._address) == (tmp_path, 7_000_000, "http://127.0.0.1:1")
        with pytest.raises(InputError, match="cannot be reached"), hub.kept("a/b"):
            pass
    finally:
        hubs.shared.cache_clear()


# ---- the list ------------------------------------------------------------------------------------------------------

PUBLISHED = {  # the hyperparameters in the papers and model cards
    "sentence-transformers/all-MiniLM-L6-v2": lambda: transformers.BertModel(
        transformers.BertConfig(hidden_size=384, num_hidden_layers=6, intermediate_size=1536)
    ),
    "distilbert/distilbert-base-uncased": lambda: transformers.DistilBertForMaskedLM(transformers.DistilBertConfig()),
    "distilbert/distilgpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=6)),
    "openai-community/gpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config()),
    "HuggingFaceTB/SmolLM2-135M": lambda: transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=49152,
            hidden_size=576,
            num_hidden_layers=30,
            num_attention_heads=9,
            num_key_value_heads=3,
            intermediate_size=1536,
            tie_word_embeddings=True,
        )
    ),
    "EleutherAI/pythia-70m": lambda: transformers.GPTNeoXForCausalLM(
        transformers.GPTNeoXConfig(
            vocab_size=50304, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048
        )
    ),
    "google-t5/t5-small": lambda: transformers.T5ForConditionalGeneration(
        transformers.T5Config(vocab_size=32128, d_model=512, d_ff=2048, num_layers=6, num_heads=8)
    ),
    "facebook/deit-tiny-patch16-224": lambda: transformers.ViTForImageClassification(
        transformers.ViTConfig(
            hidden_size=192,
            num_hidden_layers=12,
            num_attention_heads=3,
            intermediate_size=768,
            id2label=dict.fromkeys(range(1000), "a kind of thing"),
        )
    ),
}


@pytest.mark.parametrize("listed", LISTED, ids=lambda listed: listed.title)
def test_the_list_says_how_large_they_are(listed: offers.Listed):
    import torch

    with torch.device("meta"):
        model = PUBLISHED[listed.id]()
    count = sum(parameter.numel() for parameter in model.parameters())
    assert count == listed.parameters
    config = model.config
    has_encoder = config.is_encoder_decoder or not listed.family.startswith(("gpt", "llama"))
    has_decoder = config.is_encoder_decoder or not has_encoder
    assert [stack.looks_back for stack in listed.stacks] == [False] * has_encoder + [True] * has_decoder
    for stack in listed.stacks:
        assert (stack.layers, stack.heads) == (config.num_hidden_layers, config.num_attention_heads)
    assert 2 * count < listed.bytes < 4.5 * count
    assert listed.bytes < hubs.MAX_BYTES
    assert len(listed.why) < 120
