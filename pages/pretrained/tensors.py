"""One's own tensors: a file with the attention of any model, in the same picture as all others."""

from typing import NamedTuple

import streamlit as st

from attention_view import Kinds, Packed
from attention_view.stored import MAX_BYTES, MAX_FILE, BadTensors
from lab.hooks.runtime import UploadedFile
from lab.kit import questions, settings
from lab.kit.components.attention_view import attention_view
from lab.kit.figures import display
from lab.server.gate import TooMuch
from lab.server.incoming import ask_file, is_released, release
from pages.pretrained import flows
from pages.pretrained.own_tensors import data
from pages.pretrained.own_tensors.data import Read

OPEN = "pretrained_bring_file"  # the key of the fold that this stands in
UPLOADER = "pretrained_own_file"
TAKEN = "an .npz, .npy or .safetensors"
EXAMPLE = "example.npz"
SCRIPTS = {"Hugging Face": "hugging_face", "This project": "ours", "Anything else": "anything"}
NAMES = f"""
| name in the file | what it is |
|---|---|
| `attention` | (layers, heads, queries, keys), or (heads, queries, keys), or one array per layer: `attention.0`, … |
| `tokens` | a list of texts, as JSON; `queries` and `keys` where these differ |
| `q`, `k`, `v` | (layers, heads, tokens, width), if you have them: they explain every number |
| `mask` | (queries, keys), True = may attend; causal masks and padding are recognised without it |

Write `encoder.`, `decoder.` or `cross.` in front where a file has several kinds. Half precision is enough. Limits:
{MAX_FILE >> 20} MB, or {MAX_BYTES >> 20} MB unpacked.
"""


class Settings(NamedTuple):
    """A file: its name on screen, "" for the example, and what was read of it; and whether its rollout is asked for."""

    name: str
    file: Read
    wants_rollout: bool = False


_ONE_TEXT = "rollout multiplies maps from a text to itself, and cross-attention leads from one text to another"
# In st.session_state: the visitor's last file that could be shown. It stays when it leaves the uploader, which is empty
# for a moment while another file takes its place.
_LAST = "_kept_own_tensors"


def ask() -> Settings:
    """The visitor's file; one that cannot be shown leaves what was there, and a notice says why.

    The uploader stands in the place "upload" all the time, unseen while the fold is closed: so one press on "Open a
    file" opens the browser's own chooser.
    """
    with settings.place_named("upload"):
        file = ask_file(
            f"Attention weights of any model: {TAKEN} file",
            ("npz", "npy", "safetensors"),
            MAX_FILE >> 20,
            key=UPLOADER,
            on_change=_unfold,
            width=560,
            help="It is read on this server and shown to you alone. Nothing of it is run or stored.",
        )
    mine = _read(file)
    if not st.session_state.get(OPEN):
        return mine
    with settings.place_named("file"):
        return mine._replace(wants_rollout=flows.is_asked_for())


def _unfold() -> None:
    """A file that was chosen is seen."""
    st.session_state[OPEN] = True


def _read(file: UploadedFile | None) -> Settings:
    """What the file holds; without one, and where it cannot be shown, what was there before."""
    example = Settings("", data.example_read())
    if file is not None:
        try:
            st.session_state[_LAST] = Settings(file.name, data.read(file.getvalue()))
        except (BadTensors, TooMuch) as refusal:
            settings.notify(str(refusal))
        else:
            release(file)  # what was read of it is all that is held
    elif not is_released(UPLOADER):
        return example
    return st.session_state.get(_LAST, example)


def compute(s: Settings) -> Kinds | None:
    """The pictures of the file, or their rollouts; None where the file holds none that can be multiplied."""
    return data.rollouts(s.file.digest, s.file.pictures) if s.wants_rollout else s.file.kinds


def draw(s: Settings, kinds: Kinds | None) -> None:
    if kinds is None:
        display.notice(f"There is no rollout here: {_ONE_TEXT}. You see the attention weights.")
        s = s._replace(wants_rollout=False)
        kinds = compute(s)
        assert kinds is not None
    if s.wants_rollout:
        attention_view(kinds, key="pretrained_own_rollout", url="pretrained_own_rollout_")
        flows.explain()
    else:
        attention_view(kinds, key="pretrained_own_view", url="pretrained_own_")
    st.markdown(_about(s, kinds))
    _ask_back()
    with st.expander("The lines of Python that write such a file", icon=":material/code:"):
        for tab, script in zip(st.tabs(list(SCRIPTS)), SCRIPTS.values(), strict=True):
            tab.code(data.script(script), language="python")
        st.markdown(NAMES)
        st.download_button(
            "Download the example",
            data.example(),
            EXAMPLE,
            icon=":material/download:",
            on_click="ignore",
            key="pretrained_own_example",
        )


def _ask_back() -> None:
    questions.ask("pretrained-values")


def _about(s: Settings, shown: Kinds) -> str:
    """What is shown, and where it comes from, in Markdown."""
    kinds = s.file.kinds
    sizes = ", ".join(f"{name} {_size(packed)}" for name, packed in kinds.pictures.items())
    missing = " and ".join(f"{name} attention" for name in kinds.names if name not in shown.names)
    said = [_told(s, sizes)]
    if missing:
        said.append(f"There is no rollout of {missing}: {_ONE_TEXT}.")
    if s.wants_rollout and {"decoder", "cross"} <= {*kinds.names}:
        said.append("What the decoder takes from the other text, through cross-attention, is left out of its rollout.")
    return " ".join(said)


def _told(s: Settings, sizes: str) -> str:
    if not s.name:
        return (
            "This is an example: our own translator on one sentence, written to a file by the lines below and read "
            f"back. It holds {sizes}. Open a file of your own in its place."
        )
    return f"**{display.plain(s.name[:60])}** holds {sizes}. Only you see it, and it is gone when you leave."


def _size(packed: Packed) -> str:
    L, H, T, S = packed.shape
    return f"{L} × {H} heads of {T} × {S}"
