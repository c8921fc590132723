"""A visitor's own input as one more probe of a task: what the model is asked while it is trained."""

from dataclasses import replace

from transformer.core.checks import InputError
from transformer.training.tasks.task import Example, Task
from transformer.training.text import SPECIALS, UNKNOWN

MAX_TYPED = 500  # characters


def with_probe(task: Task, text: str) -> Task:
    """The task with this input as its last probe; as it was where the text is blank.

    Raises InputError, with a sentence, for an input that the task cannot read or has no right answer to.
    """
    if not text.strip():
        return task
    return replace(task, probes=(*task.probes, _example(task, text)), own_probe=text)


def _example(task: Task, text: str) -> Example:
    if len(text) > MAX_TYPED:
        raise InputError(f"what the model is asked may have at most {MAX_TYPED} characters")
    if task.typed:
        return task.typed(text)
    ids = _ids(task, text)
    if not ids or (len(ids) < 2 and not any(probe.source for probe in task.probes)):
        raise InputError("type a little more for the model to read")
    if len(ids) > task.longest:
        raise InputError(f"this model reads at most {task.longest} tokens, and these are {len(ids)}")
    if task.kind == "encoder":
        return Example(ids, ())
    if not any(probe.source for probe in task.probes):  # it goes on with any text
        return Example((), ids)
    example = task.answer([task.source.decode([id]) for id in ids])
    if example is None:
        raise InputError(f"this is no question of the task; try {task.example_texts[0]}")
    return example


def _ids(task: Task, text: str) -> tuple[int, ...]:
    spaced = " ".join("".join(text.split())) if task.reads_letters and task.separator else text
    ids = tuple(task.source.encode(spaced))
    if UNKNOWN in ids:
        unknown = getattr(task.source, "unknown", None)
        names = unknown(text) if unknown else [c for c in dict.fromkeys(text) if not c.isspace() and _is_new(task, c)]
        few = len(task.source) - len(SPECIALS) <= 30
        known = " ".join(task.source.label(id) for id in range(len(SPECIALS), len(task.source)))
        raise InputError(
            f"this task does not know {', '.join(names[:3]) or 'a sign of this'}"
            + (f"; it knows {known}" if few else "")
        )
    return ids


def _is_new(task: Task, letter: str) -> bool:
    return UNKNOWN in task.source.encode(letter)
