"""One word being written: the attention that runs into it from the sentence, what was written before, and the chances
of the words that could have come instead. The data are those of alignment_threads, with frames; and "steered", for each
word and each of the sentence, what is written, and how likely, if only that one is looked at."""

from pathlib import Path

from lab.kit.components import component

_mount = component("written_word", Path(__file__).parent)


def written_word(data: dict, *, key: str) -> None:
    """Puts a payload with frames on the page. Its state is in the link: its settings begin with tr_thread_."""
    _mount(data=data, key=key)
