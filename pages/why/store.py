"""Measures on this machine what `measure` shows before a visitor has measured, and writes it to stored.py:

python -m pages.why.store "a virtual machine with two cores of ..., torch 2.9, November 2026"
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pages.why.controls import HEADS, MEASURED_WIDTHS
from transformer import inspection

PASSES = 4  # of which the fastest counts: a busy machine can only make a time longer
SECONDS = 0.5  # of a pass
_FILE = Path(__file__).with_name("stored.py")
_TEXT = '''"""Milliseconds, measured when the project was made: `python -m pages.why.store` writes this file."""

MACHINE = {machine}
# attention and torch.nn.RNN by the number of words, by (width, heads)
BY_LENGTH: dict[tuple[int, int], tuple[tuple[float, ...], tuple[float, ...]]] = {{
{lengths}
}}
# all heads at once and head by head by the number of heads, by width
BY_HEADS: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = {{
{heads}
}}
'''


def fastest(measure: "Callable[[], inspection.timing.Timings]") -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The smallest of PASSES medians, point by point, of both."""
    passes = [measure() for _ in range(PASSES)]
    first, second = ([getattr(one, name) for one in passes] for name in ("first", "second"))
    return tuple(map(_best, zip(*first, strict=True))), tuple(map(_best, zip(*second, strict=True)))


def _best(times: tuple[float, ...]) -> float:
    return float(f"{min(times):.3g}")


def main(machine: str) -> None:
    import torch

    from transformer.inspection import timing

    torch.set_num_threads(1)
    timing.perf_counter = time.thread_time  # the processor's time for this: what else the machine does takes no part
    sizes = [(d, n_heads) for d in MEASURED_WIDTHS for n_heads in HEADS]
    lengths = [
        f"    {size}: {fastest(lambda size=size: timing.time_lengths(*size, timing.LENGTHS, SECONDS))},"
        for size in sizes
    ]
    heads = [f"    {d}: {fastest(lambda d=d: timing.time_heads(d, HEADS, seconds=SECONDS))}," for d in MEASURED_WIDTHS]
    text = _TEXT.format(machine=json.dumps(machine), lengths="\n".join(lengths), heads="\n".join(heads))
    _FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
