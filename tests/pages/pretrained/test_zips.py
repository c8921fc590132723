"""A zip of a model is loaded for the visitor who brought it, and for nobody else; a bad one is one sentence."""

import gc
import random
import weakref
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.pretrained import zips
from pages.shared import pretrained, visitor
from pages.shared.pretrained import BROUGHT
from pages.shared.uploads import PATIENCE, UPLOADS, Uploads
from tests.pages import driver, published
from tests.pages.published import handed
from tests.pretrained import makers
from tests.pretrained.test_archive import zipped


@pytest.fixture(autouse=True)
def nothing(tmp_path: Path) -> Iterator[None]:
    with published.only({}, tmp_path):
        yield


def _bring(data: bytes, name: str) -> None:
    import streamlit as st

    from pages.pretrained import zips
    from pages.shared import gate
    from pages.shared.pretrained import there
    from pages.shared.uploads import UPLOADS
    from tests.pages.published import handed

    def say(sentence: str) -> None:
        st.text(sentence)

    upload = zips.upload()
    answer = handed(UPLOADS, upload.ticket, data, name)
    if upload.is_here:
        with gate.refusals_to(say):
            zips.bring(upload)
        assert zips.upload() is not upload
    else:
        say(answer["refused"])
    st.text(", ".join(there("encoder", "decoder")))


def brought(data: bytes, name: str = "mine.zip") -> AppTest:
    return driver.checked(AppTest.from_function(_bring, args=(data, name), default_timeout=driver.TIMEOUT).run())


def packed(folder: Path) -> bytes:
    return zipped({file.name: file.read_bytes() for file in folder.iterdir()})


def test_a_zip_can_be_chosen_by_who_brought_it() -> None:
    at = brought(packed(makers.bert_folder()))
    assert at.text[0].value == "mine, yours"
    source = at.session_state[BROUGHT]
    page = driver.visit("heads", session={BROUGHT: source}, weights="mine, yours", text="cross the street")
    assert driver.notices(page) == ""
    assert "[CLS]" in str(driver.payloads(page)[0])
    stranger = driver.visit("heads", weights="mine, yours")
    assert "there is no such model here" in driver.notices(stranger)


def _resolve(key: str) -> None:
    import streamlit as st

    from pages.shared.pretrained import Brought

    try:
        st.text(Brought(key).resolve().title)
    except LookupError as error:
        st.text(error.args[0])


def test_even_the_right_key_opens_nothing_elsewhere() -> None:
    key = brought(packed(makers.bert_folder())).session_state[BROUGHT].ref.key
    assert len(key) == 32
    at = AppTest.from_function(_resolve, args=(key,)).run()
    assert at.text[0].value == "there is no such model in this session; bring it on the page Pretrained"


@pytest.mark.parametrize("data", [b"", b"no zip", zipped({"readme.md": b"hello"}), zipped({"../config.json": b"{}"})])
def test_a_bad_zip_is_one_sentence_and_leaves_no_model(data: bytes) -> None:
    at = brought(data)
    sentence, models = (text.value for text in at.text)
    assert sentence.endswith(".")
    assert models == ""
    assert BROUGHT not in at.session_state


class Monitor:
    """Uploads, and how many bytes came."""

    def __init__(self, uploads: Uploads) -> None:
        self.begin, self.uploads, self.n_bytes = uploads.begin, uploads, 0

    def take(self, ticket: str, at: int, data: bytes) -> dict[str, Any]:
        self.n_bytes += len(data)
        return self.uploads.take(ticket, at, data)


def test_a_wrong_model_costs_little() -> None:
    """What cannot be used is known before its weights are asked for, in the words that a folder would get."""
    noise = random.Random(0).randbytes(5_000_000)
    whole = {file.name: file.read_bytes() for file in makers.bert_folder().iterdir()}
    cases = {
        "a pickle, which could run any code": {"config.json": b"{}", "pytorch_model.bin": noise},
        "no config.json": {"model.safetensors": noise},
        "no file of safetensors": whole | {"model.safetensors": noise},
        "mamba": whole | {"config.json": b'{"model_type": "mamba"}', "model.safetensors": noise},
        "tokenizer.json": whole | {"tokenizer.json": b'{"model": {"type": "Odd"}}', "more": noise},
    }
    for sentence, files in cases.items():
        uploads, data = Uploads(), zipped(files, zipfile.ZIP_STORED)
        upload, monitor = uploads.add(zips.plan), Monitor(uploads)
        assert sentence in handed(monitor, upload.ticket, data)["refused"]
        assert monitor.n_bytes < 2.2 * 2**20 < len(data) / 2
        assert upload.arriving is None


def test_a_name_is_only_a_name() -> None:
    at = brought(packed(makers.bert_folder()), "../../etc/<b>" + "x" * 100 + ".zip")
    (name,) = (line.value for line in at.text)
    assert name == f"../../etc/<b>{'x' * 27}, yours"


def test_who_is_led_elsewhere_finds_the_zip_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere(BaseException):
        """As Streamlit ends the run of a page."""

    upload = UPLOADS.add(zips.plan)
    handed(UPLOADS, upload.ticket, packed(makers.bert_folder()))

    def led(*_: object) -> None:
        raise Elsewhere

    monkeypatch.setattr(zips, "_check_room", led)
    with pytest.raises(Elsewhere):
        zips.bring(upload)
    assert upload.is_here
    assert upload.lock.acquire(blocking=False)


def test_there_is_a_bound_for_the_models_of_all_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    first = brought(packed(makers.bert_folder()))
    source = first.session_state[BROUGHT]
    n_bytes = sum(p.nbytes for p in source.model.parameters())
    monkeypatch.setattr(pretrained.BUDGET, "max_bytes", 2 * n_bytes)
    assert "Other visitors' models fill the memory" in brought(packed(makers.bert_folder())).text[0].value


def test_a_model_is_let_go_of_when_its_visitor_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever still holds its session."""
    at = brought(packed(makers.bert_folder()))
    source = at.session_state[BROUGHT]
    model = weakref.ref(source.model)
    assert zips.let_go()
    assert not source.is_gone
    clock = visitor.PRESENCE.clock
    monkeypatch.setattr(visitor.PRESENCE, "clock", lambda: clock() + 2 * PATIENCE)
    zips.let_go()
    gc.collect()
    assert source.is_gone
    assert model() is None
    page = driver.visit("heads", session={BROUGHT: source}, weights="mine, yours")
    assert "there is no such model here" in driver.notices(page)
