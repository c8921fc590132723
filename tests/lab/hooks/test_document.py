"""What lab/hooks/document.py knows of Streamlit's HTML document is still so."""

import re

from lab.hooks import document


def test_the_document_has_what_we_put_our_own_in():
    for place in ("<title>Streamlit</title>", 'href="./favicon.png"', "</head>", "<body>", '<div id="root">'):
        assert document.markup().count(place) == 1, place


def test_each_thing_that_a_page_begins_with_has_a_script_and_all_that_it_imports():
    scripts = document.first_scripts()
    for name in document.FIRST:
        assert sum(bool(re.fullmatch(rf"\./static/js/{name}\.[\w-]+\.js", one)) for one in scripts) == 1, name
    assert len(set(scripts)) == len(scripts)
    named = {*scripts, *re.findall(r'"(\./static/js/[^"]+)"', document.markup())}
    for one in scripts:
        assert one not in document.markup(), "the document asks for it itself"
        text = (document.STATIC / one).read_text()
        imported = {f"./static/js/{name}" for name in re.findall(r'\bfrom"\./([^"]+)"', text)}
        assert imported <= named, "a browser would ask for these late"


def test_what_only_some_pages_need_is_not_asked_for_first():
    size = sum((document.STATIC / one).stat().st_size for one in document.first_scripts())
    assert size < 700_000
    assert not [one for one in document.first_scripts() if re.search("Highlighter|katex|Plotly", one)]


def test_of_what_waits_everything_is_known_that_others_import():
    """Streamlit imports these by name, and everything else that it takes from them is default."""
    scripts = document.last_scripts()
    assert [name.partition(".")[0] for name in scripts] == list(document.LAST)
    for name, exports in scripts.items():
        assert "default" in exports
        assert all(one.isidentifier() for one in exports)
        assert f"{document.SCRIPTS}/{name}" not in document.markup()
        users = [file.read_text() for file in (document.STATIC / document.SCRIPTS).glob("*.js") if file.name != name]
        imported = [text for text in users if f"`./{name}`" in text]
        assert imported
        assert not [text for text in users if re.search(rf'from"\./{re.escape(name)}"', text)], "it would wait with it"
