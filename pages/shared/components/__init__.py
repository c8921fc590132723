"""Components that run in the browser. Each brings its own style and script; what all share is put before them here."""

from pathlib import Path

HERE = Path(__file__).parents[3] / "attention_view"  # what all pictures share lies there: it stands alone


def style(*files: Path) -> str:
    """The house's palette, for what has the class "lab", and then these style sheets, as one."""
    return _joined(HERE / "palette.css", *files)


def script(*files: Path) -> str:
    """What writes the address bar, and then these scripts, as one module: the last has the component."""
    return _joined(HERE / "address.js", *files)


def _joined(*files: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
