"""The variables of the environment that the app reads, each declared once: those of the server and of the library.

    SNAPSHOTS.read()        what the operator set, or the usual
    faults()                a sentence for each that is set to what cannot be read, or that nobody reads

deploy/README.md has a table of them all, which `python -m lab.server.environment` writes.
"""

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path

from transformer import environment as library
from transformer.environment import Setting, count, megabytes, names, one_of

PREFIX = "ATTENTION_LAB_"

CACHE_MB = Setting(
    "ATTENTION_LAB_CACHE_MB",
    megabytes,
    150_000_000,
    "150",
    "megabytes of results that are kept in memory for all visitors",
)
MODELS_MB = Setting(
    "ATTENTION_LAB_MODELS_MB",
    megabytes,
    None,
    "a third of the memory",
    "megabytes of published models in memory, once for all visitors",
)
TRAININGS = Setting(
    "ATTENTION_LAB_TRAININGS",
    count,
    None,
    "as many as cores; one where there is less than 1.5 GB of memory",
    "trainings at a time; others wait",
)
SNAPSHOTS = Setting(
    "ATTENTION_LAB_SNAPSHOTS",
    Path,
    None,
    "below the temporary directory",
    "the folder where trainings are kept for a day; servers that share it find each other's",
)
SCHEDULER = Setting(
    "ATTENTION_LAB_SCHEDULER",
    str,
    "",
    "",
    "the address of a Dask scheduler, whose workers train instead of this machine",
)
SCHEDULER_TLS = Setting(
    "ATTENTION_LAB_SCHEDULER_TLS",
    Path,
    None,
    "",
    "the folder with `ca.pem`, `cert.pem` and `key.pem`, for a scheduler whose address begins with `tls://`",
)
ROOMS = Setting(
    "ATTENTION_LAB_ROOMS",
    str,
    "",
    "",
    "the address of a Redis or Valkey (`redis://…`) that keeps the rooms of several servers; needs `pip install "
    "redis`. Without it, rooms are in the memory of one process",
)
LESSON_DAYS = Setting(
    "ATTENTION_LAB_LESSON_DAYS",
    count,
    1,
    "1",
    "days that a teacher's own lesson is kept under its short address; a term is 120",
)
LOG = Setting(
    "ATTENTION_LAB_LOG",
    one_of("text", "json", "off"),
    "text",
    "text",
    "one line per start, refusal, training and fault, on standard error; `json`: as JSON; `off`: none",
)
START = Setting(
    "ATTENTION_LAB_START",
    one_of("cold", "warm"),
    "cold",
    "cold",
    "`warm`: a server says that it is healthy once it has loaded what is heavy, a second later; for several servers, "
    "of which another answers meanwhile",
)
PEERS = Setting(
    "ATTENTION_LAB_PEERS",
    Path,
    None,
    "",
    "for `python -m benchmarks --only peers`: the folder with BertViz and CircuitsVis",
)
# Read by torch when it is first loaded. Many visitors share few cores: one thread each is faster for all.
THREADS = Setting("OMP_NUM_THREADS", str, "1", "1", "threads of one computation")

OWN: tuple[Setting, ...] = (
    CACHE_MB,
    MODELS_MB,
    TRAININGS,
    SNAPSHOTS,
    SCHEDULER,
    SCHEDULER_TLS,
    ROOMS,
    LESSON_DAYS,
    LOG,
    START,
    *library.OWN,
    PEERS,
)
ALL: tuple[Setting, ...] = (*OWN, THREADS, *library.OF_THE_HUB)

MARKS = "<!-- settings: begin -->\n", "<!-- settings: end -->\n"  # around the table in deploy/README.md


def faults(environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """What an operator should put right, a sentence each; what was set is not repeated, since it may be a secret."""
    yield from filter(None, (setting.fault(environment) for setting in OWN))
    known = [setting.name for setting in OWN]
    for name in names(PREFIX, environment):
        if name not in known:
            near = next(iter(difflib.get_close_matches(name, known, 1, 0.9)), "")
            yield f"{name} is not a setting of this version{f'; did you mean {near}?' if near else ''}"


def table() -> str:
    """All variables, as a table in Markdown."""
    rows = [f"| `{setting.name}` | {_code(setting)} | {setting.effect} |" for setting in ALL]
    return "\n".join(["| variable | usually | what it sets |", "|---|---|---|", *rows, ""])


def with_table(text: str) -> str:
    """A text in Markdown with the table of today between its two marks."""
    before, _, rest = text.partition(MARKS[0])
    _, mark, after = rest.partition(MARKS[1])
    if not mark:
        raise ValueError("the text does not have both marks of the table")
    return f"{before}{MARKS[0]}{table()}{MARKS[1]}{after}"


def _code(setting: Setting) -> str:
    """What is usual: in words, or as one would write it."""
    return f"`{setting.usually}`" if setting.usually and " " not in setting.usually else setting.usually


if __name__ == "__main__":
    page = Path(__file__).parents[2] / "deploy/README.md"
    page.write_text(with_table(page.read_text(encoding="utf-8")), encoding="utf-8")
