"""Scripts that import each other, as one text."""

import re

import pytest

from attention_view.bundle import HERE, script, style


def write(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text)
    return folder / "last.js"


def test_every_file_comes_once_and_before_those_that_use_it(tmp_path):
    last = write(
        tmp_path,
        lab="export const one = 1;\n",
        paint='import { one } from "./lab.js";\nexport function two() {\n  return one + 1;\n}\n',
        last='// Why.\nimport {\n  one,\n} from "./lab.js";\nimport { two } from "./paint.js";\nexport default two;\n',
    )
    assert script(last) == "const one = 1;\nfunction two() {\nreturn one + 1;\n}\nexport default two;\n"


def test_only_the_last_one_exports_by_default(tmp_path):
    last = write(
        tmp_path,
        view="export class View {}\nexport default mount(View);\n",
        last='import { View } from "./view.js";\nnew View();\n',
    )
    assert script(last) == "class View {}\nnew View();\n"


def test_comments_do_not_travel(tmp_path):
    last = write(
        tmp_path, last='/**\n * What it is.\n */\n\nconst a = "// kept"; // kept\n  // gone\n/* gone */\nb(a);\n'
    )
    assert script(last) == 'const a = "// kept"; // kept\nb(a);\n'


@pytest.mark.parametrize(
    "text",
    [
        'import { one as two } from "./lab.js";\n',
        'import lab from "./lab.js";\n',
        'import * as lab from "./lab.js";\n',
        'import { one } from "https://example.org/lab.js";\n',
        'import "./lab.js";\n',
    ],
)
def test_an_import_that_joining_would_break_is_refused(tmp_path, text):
    last = write(tmp_path, lab="export const one = 1;\n", last=text)
    with pytest.raises(ValueError, match="import"):
        script(last)


@pytest.mark.slow
def test_no_text_of_ours_spans_lines_that_would_lose_their_indentation():
    for file in HERE.parent.glob("*/**/*.js"):
        if not any(part == "node_modules" or part.startswith(".venv") for part in file.parts):
            assert not re.search(r"`[^`]*\n[^`]*`", re.sub(r"`[^`\n]*`", "", file.read_text())), file.name


def test_what_sheets_share_comes_first_and_what_they_import_before_them(tmp_path):
    (tmp_path / "part.css").write_text("/* Why. */\n.part {\n  color: red;\n}\n")
    (tmp_path / "whole.css").write_text('@import "./part.css";\n.whole {\n  color: blue;\n}\n')
    shared = style()
    assert shared.index("--weight:") < shared.index(":where(.unseen)")
    parts = ".part {\ncolor: red;\n}\n.whole {\ncolor: blue;\n}\n"
    assert style(tmp_path / "part.css", tmp_path / "whole.css") == shared + parts, "each once"


def test_what_components_share_weighs_nothing():
    """A rule of lab.css would otherwise win over one of a component's own sheet."""
    heads = re.findall(r"^([^\s@/}].*?) \{", (HERE / "lab.css").read_text(), re.MULTILINE)
    weighty = [head for head in heads if not head.startswith(":where(") and "::" not in head]
    assert weighty == ["[hidden]"]
