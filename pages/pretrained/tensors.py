"""A file with the attention of any model: an example, or the visitor's own, as small maps and at full size."""

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
from pages.pretrained.components.from_file import Came, Takes, from_file
from pages.pretrained.own_tensors import data
from pages.pretrained.own_tensors.data import Read

OPEN = "pretrained_bring_file"  # the key of the fold that this stands in
UPLOADER = "pretrained_own_file"
TAKEN = "an .npz, .npy or .safetensors"
TYPES = ("npz", "npy", "safetensors")
TRIED = "pretrained_example"  # the example that is open, in links; "" for the visitor's own file
FIRST = next(iter(data.EXAMPLES))
SCRIPTS = {"Hugging Face": "hugging_face", "PyTorch": "anything", "This project": "ours"}
IN_FIGURE = ("Hugging Face", "PyTorch")
LIMITS = f".npz, .npy or .safetensors, up to {MAX_FILE >> 20} MB"
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
    """A file: its name, and what was read of it; own: the visitor's file, if there is one, open or not; and whether the
    rollout is asked for."""

    name: str
    file: Read
    own: "Own | None" = None
    wants_rollout: bool = False

    @property
    def is_own(self) -> bool:
        return self.own is not None and self.file is self.own.file


class Own(NamedTuple):
    """A visitor's file."""

    name: str
    n_bytes: int
    file: Read


_ONE_TEXT = "rollout multiplies maps from a text to itself, and cross-attention leads from one text to another"
# In st.session_state: the visitor's last file that could be shown. It stays when it leaves the uploader, which is empty
# for a moment while another file takes its place.
_LAST = "_kept_own_tensors"
# In st.session_state: a file has been chosen, and is on its way; it stays so where the file is lost.
_WANTED = "_pretrained_wanted"
_CAME = "_pretrained_came"  # in st.session_state: of the visitor's files so far, see `Came`


def ask() -> Settings:
    """The file that is open; one that cannot be shown leaves what was there, and the figure says why.

    The uploader stands in the place "upload", unseen: the picture's button opens the browser's own chooser with it.
    """
    with settings.place_named("upload"):
        file = ask_file(
            f"Attention weights of any model: {TAKEN} file",
            TYPES,
            MAX_FILE >> 20,
            key=UPLOADER,
            on_change=_open_own,
            width=560,
            help="It is read on this server and shown to you alone. Nothing of it is run or stored.",
        )
    own = _own(file)
    name = st.session_state.get(TRIED, st.query_params.get(TRIED, FIRST))
    if own is not None and name not in data.EXAMPLES:
        opened = Settings(own.name, own.file, own)
    else:
        name = name if name in data.EXAMPLES else FIRST
        opened = Settings(name, data.example_read(name), own)
    if not st.session_state.get(OPEN):
        return opened
    with settings.place_named("file"):
        return opened._replace(wants_rollout=flows.is_asked_for())


def _open_own() -> None:
    """A file that was chosen is seen; where it cannot be read, what was there stays."""
    st.session_state[_WANTED] = True


def _open(name: str) -> None:
    st.session_state[TRIED] = name


def _own(file: UploadedFile | None) -> Own | None:
    """The visitor's file; where it cannot be shown, the one before."""
    if file is not None:
        refused = ""
        try:
            st.session_state[_LAST] = Own(file.name, file.size, data.read(file.getvalue()))
        except (BadTensors, TooMuch) as refusal:
            refused = _refused(file.name, str(refusal))
        release(file)  # what was read of it is all that is held
        if st.session_state.pop(_WANTED, False):
            st.session_state[_CAME] = Came(_came().n + 1, refused)
            if not refused:
                _open("")
    elif not is_released(UPLOADER) and not st.session_state.get(_WANTED):
        return None
    return st.session_state.get(_LAST)


def _came() -> Came:
    return st.session_state.get(_CAME, Came(0, ""))


def _refused(name: str, why: str) -> str:
    """Why a file cannot be shown, in a sentence that names it."""
    name = name if len(name) <= 40 else f"{name[:24]}…{name[-14:]}"
    fault = why.removeprefix("This file ")
    return f"“{name}” {fault}" if fault != why else f"“{name}” cannot be shown. {why}"


def compute(s: Settings) -> Kinds | None:
    """The pictures of the file, or their rollouts; None where the file holds none that can be multiplied."""
    return data.rollouts(s.file.digest, s.file.pictures) if s.wants_rollout else s.file.kinds


def draw_steps(s: Settings) -> None:
    """The lines of Python, the file, and the small maps of what is in it."""
    own = data.shown(s.own.name[:60], s.own.n_bytes, s.own.file) if s.own else None
    scripts = {name: data.script(SCRIPTS[name]) for name in IN_FIGURE}
    examples = [data.example_shown(name) for name in data.EXAMPLES]
    from_file(
        examples,
        own,
        scripts,
        LIMITS,
        opened="" if s.is_own else s.name,
        takes=Takes(TYPES, MAX_FILE),
        came=_came(),
        key="pretrained-from-file",
        on_try=_open,
    )


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
            data.example(data.OURS),
            data.OURS,
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
    if not s.is_own:
        return f"This is an example, {s.name}: it came through the same reader as yours will. It holds {sizes}."
    return f"**{display.plain(s.name[:60])}** holds {sizes}. Only you see it, and it is gone when you leave."


def _size(packed: Packed) -> str:
    L, H, T, S = packed.shape
    return f"{L} × {H} heads of {T} × {S}"
