"""The hub, played by a server of our own: models are looked at, downloaded, continued, kept once and within a bound.

No test depends on the clock: what is to be slow waits for an event.
"""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import transformers

from tests.pretrained import makers
from tests.pretrained.fake_hub import COMMIT, FakeHub, serve
from tests.pretrained.sentences import refusal
from transformer.core.checks import InputError
from transformer.core.interruption import interruptible
from transformer.pretrained import hub as hubs
from transformer.pretrained import web
from transformer.pretrained.files import Folder, Tensors, check
from transformer.pretrained.hub import LISTED, Hub, check_offered, offered

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
    return Hub(tmp_path / "models", fake.address, patience=20)


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


def test_a_model_that_is_kept_needs_no_network(hub: Hub, fake: FakeHub, tmp_path: Path):
    before = download(hub)
    offline = Hub(tmp_path / "models", fake.address, is_offline=True)
    fake.asked.clear()
    assert download(offline) == before
    assert "HF_HUB_OFFLINE" in refusal(lambda: download(offline, "someone/else"))
    assert fake.asked == []


def test_a_redirect_is_followed_to_the_files(hub: Hub, fake: FakeHub):
    fake.redirect = f"{fake.address}/elsewhere"
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


@pytest.mark.parametrize("address", ["file:///etc/passwd?", "ftp://127.0.0.1/", "gopher://a", "data:,"])
def test_other_redirects_are_not(hub: Hub, fake: FakeHub, address: str):
    fake.redirect = address
    assert "not followed" in refusal(lambda: download(hub))


def test_redirects_in_a_circle(hub: Hub, fake: FakeHub):
    fake.redirect = fake.address
    refusal(lambda: download(hub))
    assert len(fake.asked) < 12


def test_what_began_encrypted_stays_so():
    request = web.Request("https://example.org/a")
    follow = web._Redirects().redirect_request
    assert follow(request, None, 302, "", {}, "https://example.com/b").full_url == "https://example.com/b"
    refusal(lambda: follow(request, None, 302, "", {}, "http://example.org/a"))


def test_a_server_without_ranges(hub: Hub, fake: FakeHub):
    fake.knows_ranges = False
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


def test_no_account_is_sent(hub: Hub, fake: FakeHub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    download(hub)
    assert {"user-agent", "range", "host"} <= fake.headers
    assert fake.headers <= {"user-agent", "range", "host", "accept-encoding", "connection"}


# ---- breaking off and going on -------------------------------------------------------------------------------------


def test_a_connection_that_breaks_off_is_taken_up_again(hub: Hub, fake: FakeHub):
    size = len(fake.files[ID][WEIGHTS])
    with_plan(hub, fake, breaks=3, after=4000)
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    starts = [int(range.removeprefix("bytes=").split("-")[0]) for range in fake.asked_for(WEIGHTS)]
    assert starts[0] == 0
    assert starts == sorted(starts)
    assert len(starts) > 2
    assert 0 < starts[1] < size


def with_plan(hub: Hub, fake: FakeHub, breaks: int, after: int) -> None:
    """The connections break only once the model has been looked at."""
    plan = hub.look(ID)

    def look(id: str) -> hubs.Plan:
        fake.asked.clear()
        fake.breaks, fake.break_after = breaks, after
        return plan

    hub.look = look  # pyrefly: ignore[bad-assignment]


def test_without_a_byte_it_is_given_up_and_continued_later(hub: Hub, fake: FakeHub):
    with_plan(hub, fake, breaks=10**6, after=0)
    assert "broke off" in refusal(lambda: download(hub))
    with_plan(hub, fake, breaks=0, after=0)
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


def test_connections_that_break_for_ever_end(hub: Hub, fake: FakeHub):
    with_plan(hub, fake, breaks=10**6, after=100)
    assert "again and again" in refusal(lambda: download(hub))
    assert len(fake.asked) < 10 * hubs.TRIES


def test_a_download_can_be_stopped_and_goes_on_where_it_was(hub: Hub, fake: FakeHub):
    fake.files[ID][WEIGHTS] = grown(fake.files[ID][WEIGHTS])

    class Stop(Exception):
        pass

    arrived = [0]

    def note(done: int, total: int) -> None:
        arrived[0] = done

    def stop() -> None:
        if arrived[0] > 500_000:
            raise Stop

    def stopped() -> None:
        with interruptible(stop), hub.kept(ID, note):
            pass

    with pytest.raises(Stop):
        stopped()
    assert not hub.has(ID)
    fake.asked.clear()
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]
    first, *rest = [int(range.removeprefix("bytes=").split("-")[0]) for range in fake.asked_for(WEIGHTS)]
    assert first == 0  # its header, when it was looked at
    assert len(rest) == 1
    assert rest[0] > 400_000


def test_other_content_is_not_taken_for_the_rest_of_it(hub: Hub, fake: FakeHub):
    """The hub has another version when it is asked again: what is half there belongs to none of its files."""
    with_plan(hub, fake, breaks=10**6, after=0)
    refusal(lambda: download(hub))
    del hub.look
    fake.breaks = 0
    fake.files[ID][WEIGHTS] = grown(fake.files[ID][WEIGHTS])
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


# ---- lies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (lambda data: data + b"more", "another file"),
        (lambda data: data[:-1], ""),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "not what the hub lists"),
        (lambda data: b"", ""),
    ],
)
def test_files_that_are_not_what_the_hub_says(hub: Hub, fake: FakeHub, sent, sentence: str):
    plan = hub.look(ID)
    hub.look = lambda id: plan  # pyrefly: ignore[bad-assignment]
    fake.sent = sent
    assert sentence in refusal(lambda: download(hub))
    assert not hub.has(ID)
    fake.sent = lambda data: data
    assert download(hub)[WEIGHTS] == fake.files[ID][WEIGHTS]


def test_a_header_that_is_shorter_than_the_hub_says(hub: Hub, fake: FakeHub):
    fake.sent = lambda data: data[:100]
    assert "shorter than the hub says" in refusal(lambda: hub.look(ID))


def each(**changes: object) -> Callable[[dict], dict]:
    """What the hub says, with this in every file's entry."""
    return lambda said: said | {"siblings": [{**entry, "lfs": None, **changes} for entry in said["siblings"]]}


@pytest.mark.parametrize("said", [
    b"<html>", b"[]", b"[" * 10**6, {}, {"sha": "main"}, {"sha": "../../etc"}, {"siblings": "a"}, {"siblings": [1, {}]},
    {"gated": "auto"}, {"private": True}, {"disabled": True}, each(size=-1), each(size=2**60), each(size=2**40),
    each(blobId="../a"), each(rfilename="../config.json"), each(rfilename=5), each(lfs={"size": 5}),
])  # fmt: skip
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
    assert not list((hub._root or Path()).glob("*/*"))


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


def test_a_hub_that_falls_silent_is_left(fake: FakeHub, tmp_path: Path):
    silence = threading.Event()
    fake.before_chunk = silence.wait
    refusal(lambda: Hub(tmp_path, fake.address, patience=0.05).look(ID))
    silence.set()


# ---- one copy, within a bound --------------------------------------------------------------------------------------


def test_two_visitors_download_it_once(hub: Hub, fake: FakeHub):
    fake.files[ID][WEIGHTS] = grown(fake.files[ID][WEIGHTS])
    go, begun, heard = threading.Event(), threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        go.wait()

    results: list[bytes] = []

    def visit(progress: hubs.Progress | None) -> None:
        with hub.kept(ID, progress) as store:
            results.append(bytes(store.read(WEIGHTS, 0, store.sizes()[WEIGHTS])))

    def first_heard(done: int, total: int) -> None:
        fake.before_chunk = hold

    first = threading.Thread(target=visit, args=(first_heard,))
    first.start()
    begun.wait()
    second = threading.Thread(target=visit, args=(lambda done, total: heard.set(),))
    second.start()
    heard.wait()  # whoever waits hears how far it is
    go.set()
    first.join()
    second.join()
    assert results == [fake.files[ID][WEIGHTS]] * 2
    assert len(fake.asked_for(WEIGHTS)) == 2  # its header, and all of it


def test_whoever_waits_can_leave(hub: Hub, fake: FakeHub):
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    def wait() -> None:
        with interruptible(stop), hub.kept(ID):
            pass

    download(hub)
    inside, go = threading.Event(), threading.Event()

    def hold() -> None:
        with hub.kept(ID):
            inside.set()
            go.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    inside.wait()
    with pytest.raises(Stop):
        wait()
    go.set()
    holder.join()


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
        os.utime(hub._place(id), (n, n))
    with hub.kept(a):
        pass  # used again
    download(hub, c)
    assert [hub.has(id) for id in (a, b, c)] == [True, False, True]
    kept = sum(
        file.stat().st_size
        for file in tmp_path.rglob("*")
        if file.is_file() and file.name not in ("size", "model.json")
    )
    assert kept == 2 * size


def test_what_is_in_use_stays(fake: FakeHub, tmp_path: Path):
    a, b, _ = three(fake)
    size = Hub(tmp_path, fake.address).look(a).bytes
    hub, other_process = (Hub(tmp_path, fake.address, max_bytes=size + 1000) for _ in range(2))
    with hub.kept(a):
        assert "in use" in refusal(lambda: download(hub, b))
        assert "in use" in refusal(lambda: download(other_process, b))
        assert hub.has(a)
    download(hub, b)
    assert [hub.has(id) for id in (a, b)] == [False, True]


def test_a_model_beyond_the_bound_is_refused(fake: FakeHub, tmp_path: Path):
    assert "all that is kept here" in refusal(lambda: download(Hub(tmp_path, fake.address, max_bytes=1000)))
    assert not list(tmp_path.iterdir()) or not list(tmp_path.glob("*/*"))


def test_a_folder_that_cannot_be_written_to(fake: FakeHub, tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refusal(lambda: download(Hub(tmp_path / "file" / "models", fake.address)))


def test_only_this_account_reads_it(hub: Hub, fake: FakeHub):
    download(hub)
    root = hub._root
    assert root is not None
    assert root.stat().st_mode & 0o077 == 0
    assert all(folder.stat().st_mode & 0o077 == 0 for folder in root.iterdir() if folder.is_dir())


def test_what_was_damaged_on_disk_is_downloaded_again(hub: Hub, fake: FakeHub):
    download(hub)
    facts = hub._place(ID) / "model.json"
    for spoilt in ("", "[]", "{}", '{"files": {"config.json": [3, "../../../etc/passwd"]}}', '{"files": {"a": [1]}}'):
        facts.write_text(spoilt)
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
        environment = {hubs.ALLOWED: mode} if mode else {}
        assert bool(offered(environment)) == bool(allowed)
        for id in (listed, other):
            if id in allowed:
                check_offered(id, environment)
            else:
                refusal(lambda id=id, environment=environment: check_offered(id, environment))


def test_the_hub_is_as_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name, value in {hubs.FOLDER: str(tmp_path), hubs.MEGABYTES: "7", "HF_ENDPOINT": "http://127.0.0.1:1/",
                        "HF_HUB_OFFLINE": "1"}.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    hubs.shared.cache_clear()
    try:
        hub = hubs.shared()
        assert (hub._root, hub._max_bytes, hub._endpoint, hub._is_offline) == (
            tmp_path, 7_000_000, "http://127.0.0.1:1", True,
        )  # fmt: skip
        with pytest.raises(InputError, match="HF_HUB_OFFLINE"), hubs.kept("a/b"):
            pass
    finally:
        hubs.shared.cache_clear()


def test_the_usual_folder_is_private(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert hubs._usual_folder() == tmp_path / "attention-lab" / "models"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    folder = hubs._usual_folder()
    assert folder.stat().st_mode & 0o077 == 0
    folder.rmdir()


# ---- the list ------------------------------------------------------------------------------------------------------

PUBLISHED = {  # the hyperparameters in the papers and model cards
    "sentence-transformers/all-MiniLM-L6-v2": lambda: transformers.BertModel(transformers.BertConfig(
        hidden_size=384, num_hidden_layers=6, intermediate_size=1536)),
    "distilbert/distilbert-base-uncased": lambda: transformers.DistilBertForMaskedLM(transformers.DistilBertConfig()),
    "distilbert/distilgpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=6)),
    "openai-community/gpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config()),
    "HuggingFaceTB/SmolLM2-135M": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(
        vocab_size=49152, hidden_size=576, num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3,
        intermediate_size=1536, tie_word_embeddings=True)),
    "EleutherAI/pythia-70m": lambda: transformers.GPTNeoXForCausalLM(transformers.GPTNeoXConfig(
        vocab_size=50304, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048)),
    "google-t5/t5-small": lambda: transformers.T5ForConditionalGeneration(transformers.T5Config(
        vocab_size=32128, d_model=512, d_ff=2048, num_layers=6, num_heads=8)),
    "facebook/deit-tiny-patch16-224": lambda: transformers.ViTForImageClassification(transformers.ViTConfig(
        hidden_size=192, num_hidden_layers=12, num_attention_heads=3, intermediate_size=768,
        id2label=dict.fromkeys(range(1000), "a kind of thing"))),
}  # fmt: skip


@pytest.mark.parametrize("listed", LISTED, ids=lambda listed: listed.title)
def test_the_list_says_how_large_they_are(listed: hubs.Listed):
    import torch

    with torch.device("meta"):
        model = PUBLISHED[listed.id]()
    count = sum(parameter.numel() for parameter in model.parameters())
    assert count == listed.parameters
    assert 2 * count < listed.bytes < 4.5 * count
    assert listed.bytes < hubs.MAX_BYTES
    assert len(listed.why) < 120
