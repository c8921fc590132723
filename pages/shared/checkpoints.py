"""The models that come with the project, and the one that a visitor hands over."""

from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    pass


HAND_OVER = "trained_model"  # in st.session_state: the Checkpoint that the other pages may use


@st.cache_resource(max_entries=8, show_spinner=False)
def shipped(name: str):
    """A model that comes with the project: transformer.training.checkpoints.Checkpoint."""
    from transformer.training import shipped

    return shipped.load(name)


@st.cache_resource(max_entries=8, show_spinner=False)
def shipped_model(name: str):
    """The same, ready to run, in evaluation mode."""
    import torch

    torch.set_num_threads(1)
    return shipped(name).model()


def films() -> dict[str, str]:
    """The stored films: title -> name of the shipped model, of those whose files are there."""
    from transformer.training.shipped import FOLDER, SHIPPED

    return {plan.title: name for name, plan in SHIPPED.items() if (FOLDER / f"{name}.safetensors").exists()}


def one_thread() -> None:
    import torch

    torch.set_num_threads(1)  # many trainings share few cores: one thread each is faster for all
