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
