"""What was trained: the models that are shipped, and the trainings of the visitors. Caches, as in session.py.

The queue is one for the whole process; a session has its own `Bench` of trainings, which end when it ends.
"""

import os
import uuid
from dataclasses import dataclass, field

import streamlit as st

from pages.kit.jobs import Job, Queue

SLOTS = "ATTENTION_LAB_TRAININGS"  # environment: how many trainings run at a time (usual: one a core)


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


@st.cache_resource(show_spinner=False)
def queue() -> Queue:
    """The one queue of this process."""
    asked = os.environ.get(SLOTS, "")
    return Queue(int(asked) if asked.isdecimal() and int(asked) > 0 else None)


@dataclass(eq=False)
class Bench:
    """The trainings of one session, by the name of the place where they are seen ("A" and "B")."""

    owner: str = field(default_factory=lambda: uuid.uuid4().hex)
    jobs: dict[str, Job] = field(default_factory=dict)


@st.cache_resource(scope="session", show_spinner=False, on_release=lambda bench: queue().leave(bench.owner))
def bench() -> Bench:
    """This session's trainings; they are stopped when the session ends."""
    return Bench()
