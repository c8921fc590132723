"""What the page on generation computes once and shares."""

import streamlit as st

from pages.shared.checkpoints import films, one_thread, shipped_model
from pages.shared.training_queue import Job, Refused, queue


@st.cache_resource(show_spinner=False)
def decoders() -> dict[str, str]:
    """The shipped models that write alone: title -> name, of those whose files are there."""
    from transformer.training import tasks
    from transformer.training.shipped import SHIPPED

    return {title: name for title, name in films().items() if tasks.make(SHIPPED[name].task).kind == "decoder"}


@st.cache_resource(max_entries=64, show_spinner=False)
def next_of(name: str, ids: tuple[int, ...]):
    """What stands behind the next token of this text: inspection.writing.Next."""
    from transformer.inspection import writing

    return writing.next_of(shipped_model(name), ids)


@st.cache_resource(max_entries=64, show_spinner=False)
def weighed(name: str, given: tuple[int, ...], nodes: tuple[tuple[int, int], ...]):
    """What the model thinks of every node of a tree of texts: inspection.writing.Weighed."""
    from transformer.inspection import writing

    return writing.weigh(shipped_model(name), given, nodes)


@st.cache_resource(max_entries=32, show_spinner=False)
def held(name: str, ids: tuple[int, ...]):
    """What a KV cache holds after each token of this text: inspection.writing.Held."""
    from transformer.inspection import writing

    return writing.held(shipped_model(name), ids)


@st.cache_resource(show_spinner=False)
def with_and_without_mask() -> dict[str, Job]:
    """Two small trainings, the same for everybody: started when the first visitor asks. Raises jobs.Refused."""
    from transformer.inspection import look_ahead

    def start(open_eyes: bool) -> Job:
        def make():
            one_thread()
            return look_ahead.trainer(look_ahead=open_eyes)

        return queue().submit("with and without mask", make, look_ahead.STEPS)

    first = start(False)
    try:
        return {"with the mask": first, "without the mask": start(True)}
    except Refused:
        first.stop()
        raise


@st.cache_resource(show_spinner=False)
def written_by_both():
    """What the two write by themselves, once they are trained: name -> inspection.look_ahead.Outcome."""
    from transformer.inspection import look_ahead

    return {name: look_ahead.outcome(job.trainer) for name, job in with_and_without_mask().items()}
