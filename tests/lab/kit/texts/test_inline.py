"""One line of a text as HTML: its marks are read, and it brings no markup of its own."""

import re
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from lab.kit.texts.inline import html, plain, quoted


@given(st.text(max_size=60))
def test_no_text_brings_markup_of_its_own(text: str):
    tags = re.findall(r"<[^>]*>?", html(text))
    own = {"<b>", "</b>", "<i>", "</i>", "<code>", "</code>", "</span>"}
    assert all(tag in own or re.fullmatch(r'<span class="lesson-(blue|orange|green|violet)">', tag) for tag in tags)


def test_marks_are_read():
    assert html("a **b** *c* `d<` :blue[e]") == (
        'a <b>b</b> <i>c</i> <code>d&lt;</code> <span class="lesson-blue">e</span>'
    )


def test_without_its_marks_a_text_is_plain():
    assert plain("a **b** *c* `d<` :blue[*e*] 2 < 3") == "a b c d< e 2 < 3"


def test_where_nothing_leans_a_word_that_is_spoken_of_has_quotes_and_one_that_is_stressed_has_none():
    assert quoted("To *red*, W_q gives the _other_ **keys** `*0*`") == "To “red”, W_q gives the other keys *0*"


def test_threads_read_side_by_side():
    with ThreadPoolExecutor(8) as threads:
        read = set(threads.map(html, ["**a** :blue[b]"] * 200))
    assert read == {'<b>a</b> <span class="lesson-blue">b</span>'}
