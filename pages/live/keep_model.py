"""In a fold below the film, the model to take away: save it, use it on the other pages, train it further, or bring one
saved before."""

import streamlit as st

from lab.kit import catalogue, questions
from lab.kit.figures import display
from lab.kit.models.references import HAND_OVER
from lab.server.incoming import ask_file, is_released
from pages.live import trainings
from pages.live.models import LearnedModel, own_models
from pages.live.stage import begin, door_of
from transformer import training

MORE_STEPS = (50, 100, 200, 400, 800)
STAYS = (
    "This model stays on this page: it has parts the others cannot read. They need full softmax attention, one"
    " feed-forward layer and norms."
)


OPEN = "live_keep"  # in links: whether the fold is open
TITLE = "Keep the model: save it, use it on other pages, train it further"


def draw() -> None:
    models = own_models()
    own, upload = st.columns([1, 1], gap="large")
    with own:
        if not models:
            st.markdown("What you train can be saved here, used on the other pages, or trained further.")
        for model in models:
            _own(model)
    with upload:
        st.markdown("**Bring a model** that you saved here before.")
        file = ask_file("A checkpoint", ("safetensors",), 64, key="live_checkpoint")
        if file is not None or is_released("live_checkpoint"):
            _uploaded(trainings.uploaded(file))
    in_use = st.session_state.get(HAND_OVER)
    if in_use is not None:
        st.caption(
            f"In use on the other pages: {display.plain(in_use.task.title)}, {in_use.step} steps. {_use_of(in_use)}"
        )
        url, label = door_of(in_use.task)
        st.page_link(catalogue.page(url).script, label=label, icon=":material/arrow_forward:")
    _ask_back()


def _ask_back() -> None:
    questions.ask("live-file")


def _own(model: LearnedModel) -> None:
    checkpoint, place = model.checkpoint, model.place
    st.markdown(f"**{display.plain(model.title)}**, {checkpoint.step} steps")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.download_button(
            "Download",
            data=lambda: saved(checkpoint),
            file_name=f"{checkpoint.task.name}-{checkpoint.step}.safetensors",
            icon=":material/download:",
            key=f"download-{place}",
            on_click="ignore",
        )
        _use_button("Use this model on the other pages", f"use-{place}", checkpoint)
        n_steps = st.selectbox("More steps", MORE_STEPS, 1, key=f"more-{place}", width=110)
        st.button("Train further", key=f"on-{place}", on_click=begin, args=(trainings.train_on, place, n_steps))


def _uploaded(checkpoint: "training.checkpoints.Checkpoint | str") -> None:
    if isinstance(checkpoint, str):
        display.notice(checkpoint)
        return
    st.markdown(f"{display.plain(checkpoint.task.title)}, {checkpoint.step} steps. {checkpoint.task.about}")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _use_button("Use it on the other pages", "use-brought", checkpoint)
        n_steps = st.selectbox("More steps", MORE_STEPS, 1, key="more-brought", width=110)
        st.button(
            "Train further", key="on-brought", on_click=begin, args=(trainings.train_on_upload, checkpoint, n_steps)
        )


def _use_button(label: str, key: str, checkpoint: "training.checkpoints.Checkpoint") -> None:
    """The way to the other pages, closed for a model that they could not explain."""
    is_usual = checkpoint.config.has_usual_parts
    st.button(
        label,
        icon=":material/share:",
        key=key,
        on_click=_hand_over,
        args=(checkpoint,),
        disabled=not is_usual,
        help=None if is_usual else STAYS,
    )


def saved(checkpoint: "training.checkpoints.Checkpoint") -> bytes:
    """The file of a model, with all that is needed to train it on."""
    return training.checkpoints.save(checkpoint)


def _hand_over(checkpoint: "training.checkpoints.Checkpoint") -> None:
    st.session_state[HAND_OVER] = checkpoint


def _use_of(checkpoint: "training.checkpoints.Checkpoint") -> str:
    """Which page shows what this model does."""
    if checkpoint.task.sight:
        return "The page on vision shows how it reads other pictures."
    if checkpoint.task.kind == "encoder-decoder":
        return "The page on translation shows how it writes."
    reads = "The pages on heads and blocks show how it reads"
    if checkpoint.task.kind == "encoder":
        return f"{reads}."
    return f"{reads}, and the page on generation how it writes."
