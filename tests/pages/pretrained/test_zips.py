"""A zip of a model is loaded for the visitor who brought it, and for nobody else; a bad one is one sentence."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.pretrained import door
from pages.shared import pretrained
from pages.shared.pretrained import BROUGHT
from tests.pages import driver, published
from tests.pretrained import makers
from tests.pretrained.test_archive import zipped
from transformer.pretrained import archive


@pytest.fixture(autouse=True)
def nothing(tmp_path: Path) -> Iterator[None]:
    with published.only({}, tmp_path):
        yield


def _bring(data: bytes) -> None:
    import streamlit as st

    from pages.pretrained import zips
    from pages.shared import gate
    from pages.shared.pretrained import there

    def say(sentence: str) -> None:
        st.text(sentence)

    with gate.refusals_to(say):
        zips.bring(data, "mine")
    st.text(", ".join(there("encoder", "decoder")))


def brought(data: bytes) -> AppTest:
    return driver.checked(AppTest.from_function(_bring, args=(data,), default_timeout=driver.TIMEOUT).run())


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


def test_a_zip_that_is_too_large_is_told_of_the_other_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    at = driver.visit("pretrained", pretrained_view="Models")
    place = next(n for n, caption in enumerate(at.caption) if "At most 64 MB, because" in caption.value)
    assert "through the two doors below" in at.caption[place].value
    assert "ATTENTION_LAB_MODELS" in " ".join(code.value for code in at.code)
    with open(".streamlit/config.toml", "rb") as file:
        assert tomllib.load(file)["server"]["maxUploadSize"] == door.MAX_UPLOAD == archive.MAX_UPLOAD / 2**20
    monkeypatch.setattr(archive, "MAX_UPLOAD", 100)
    assert "ATTENTION_LAB_MODELS names may be larger" in brought(packed(makers.bert_folder())).text[0].value


def test_there_is_a_bound_for_the_models_of_all_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    first = brought(packed(makers.bert_folder()))
    source = first.session_state[BROUGHT]
    n_bytes = sum(p.nbytes for p in source.model.parameters())
    monkeypatch.setattr(pretrained.BUDGET, "max_bytes", 2 * n_bytes)
    assert "Other visitors' models fill the memory" in brought(packed(makers.bert_folder())).text[0].value
