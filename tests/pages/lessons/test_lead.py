"""A lesson leads: the prediction before the view, the bar, the question, free exploring, and every shipped lesson."""

import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from lab.frame.lessons import answered, lead
from lab.frame.lessons.worksheet import SCRIPT, worksheet
from lab.frame.old_links import name_today, translated
from lab.hooks.dom import hooks
from lab.kit.catalogue import PAGES
from lab.kit.figures import display
from lab.kit.lessons import reader, shelf
from lab.kit.lessons.lesson import Stop
from lab.kit.lessons.poster import poster
from lab.kit.lessons.reader import MAX_BYTES
from lab.kit.lessons.shelf import Place
from lab.kit.texts import inline
from lab.kit.texts.inline import plain
from lab.kit.texts.questions import Question
from pages.lessons.data import TEXT, beginning, may_follow, stored
from tests.pages.driver import checked, control, keys, notices, open_page, payloads, press, values, visit

# Settings of an address that a component reads by itself, in the browser.
OF_COMPONENTS = {
    "pos_order",
    "live_film_step",
    "live_film_bare",
    "gen_tree",
    "pos_beat",
    "att_step",
    "att_from",
    "att_to",
    "tr_thread_step",
    "layer",
    "head",
    "query",
    "key",
    "emb_near",
} | {"front_place"}
SMALL = """---
title: Small & 1 < 2
minutes: 1
for: a test
---
## Scale
[One](/attention?att_way=Guess)
Say: Say *this* & that.
### Predict
Guess it.
### Question
Which?
- [x] right one
  Because it is.
- [ ] wrong one
  Because it is not.
## Mix
[Two](/attention?att_way=Mix)
Say: Second.
Do: Look.
Controls: att_query
"""


def stops() -> Iterator[tuple[Place, Stop]]:
    for name, lesson in shelf.shipped().items():
        for number, stop in enumerate(lesson.stops, 1):
            yield Place(name, number), stop


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def test_a_stop_is_walked_from_the_guess_to_the_next():
    code = shelf.packed(SMALL)
    at = visit("attention", lesson=code, stop=1, att_way="Guess")
    assert [title.value for title in at.title][:1] == ["Scale"]
    assert ".st-key-lesson-view { visibility: hidden" in html(at), "the view waits for the guess"
    assert at.button(key="lesson-next").disabled
    assert "Say <i>this</i> &amp; that." in html(at)
    at.text_area(key="lesson-written").set_value("the <i>middle</i>").run()
    at = press(at, "lesson-guess-0")
    assert ".st-key-lesson-view { visibility: hidden" not in html(at)
    assert "You wrote: <b>the &lt;i&gt;middle&lt;/i&gt;</b>." in html(at)
    assert "Stop 1 of 2" in html(at)
    assert "Small &amp; 1 &lt; 2" in html(at)
    at = press(at, "lesson-next")
    assert "Which?" in html(at)
    labels = {at.button(key=f"lesson-answer-{n}").label: f"lesson-answer-{n}" for n in range(2)}
    at = press(at, labels["wrong one"])
    assert 'data-answer="wrong"' in html(at)
    assert "Because it is not." in html(at)
    at = press(at, labels["right one"])
    assert 'data-answer="right"' in html(at)
    (following,) = re.findall(r'<a class="lesson-move lesson-next" href="([^"]+)"', html(at))
    assert following == Place(code, 2).address.replace("&", "&amp;")
    at = press(at, "lesson-explore")
    assert "lesson" not in at.query_params
    assert "Back to the story" in html(at)
    at = press(at, "lesson-leave")
    assert "Back to the story" not in html(at)


def test_without_a_prediction_the_view_is_there_and_only_named_controls_are():
    at = visit("attention", lesson=shelf.packed(SMALL), stop="99", att_way="Mix")
    assert "Stop 2 of 2" in html(at), "a stop that does not exist is the nearest"
    assert ".st-key-lesson-view { visibility: hidden" not in html(at)
    assert ":not(.st-key-att_query)" in html(at)
    assert "Finish" in html(at)
    assert not [turn for turn in at.get("page_link") if "Heads" in turn.proto.label], "the foot of the page is gone"


def test_what_a_lesson_hides_names_no_page():
    """A container of controls says so by its key, "controls-…", whichever page it is on."""
    named = re.findall(r"st-key-([a-z]+)", lead._HIDDEN + lead._WORDS_HIDDEN)
    assert "controls" in named
    assert not {page.url for page in PAGES} & set(named)


def test_a_lesson_names_controls_as_they_were_called_when_it_was_written():
    """A lesson travels in a link, so it can be older than the names."""
    text = SMALL.replace("/attention?att_way=Mix", "/translation?translation_view=Change+a+word&edit_word=dog")
    at = visit("translation", lesson=shelf.packed(text.replace("att_query", "edit_word")), stop=2, edit_word="dog")
    assert ":not(.st-key-tr_edit_word)" in html(at.run())


def test_shipped_lessons_use_the_names_of_today():
    for place, stop in stops():
        page, link = stop.link.page, dict(stop.link.settings)
        assert translated(page, link) == (page, link), place
        assert [name for name in stop.controls if name_today(page, name) != name] == [], place


def test_settings_that_are_lost_on_the_way_are_asked_for_again_once():
    at = visit("attention", lesson=shelf.packed(SMALL), stop=2)
    assert re.findall('data-lesson-go="([^"]+)"', html(at))
    assert "att_way" not in values(at), "the page waits"
    assert "att_way" in values(at.run()), "but not for ever"


@pytest.mark.parametrize("code", ["nothing", "~AAAA", "../../etc/passwd", "<b>", "~" + "A" * 9000])
def test_a_link_to_no_lesson_says_so_and_opens_the_page(code: str):
    at = visit("attention", lesson=code, stop="<b>", att_way="Guess")
    assert "lesson" in notices(at)
    assert "att_way" in values(at)
    assert "lesson-next" not in {button.key for button in at.button}


def test_at_the_end_each_question_stands_with_its_answer_and_first_choice():
    code = shelf.packed(SMALL)
    session = {
        answered.FIRST: {(answered.ANSWERS, Place(code, 1)): "wrong one", (answered.GUESSES, Place("other", 1)): "x"}
    }
    at = visit("lessons", session=session, finished=code)
    assert "You have finished “Small &amp; 1 &lt; 2”" in html(at)
    assert "0 of 1 right at the first try" in html(at), "what is written down has no right answer"
    assert "✗ Which? <b>right one</b>" in html(at)
    at = visit("attention", session=session, lesson=code, stop=1, att_way="Guess")
    kept = at.session_state[answered.FIRST]
    assert list(kept) == [(answered.GUESSES, Place("other", 1))], "whoever begins anew has chosen nothing yet"
    assert "You have finished" not in html(visit("lessons", finished="nothing"))


def test_what_the_browser_gives_back_after_a_reload_is_known_again_and_nothing_else():
    code, question = shelf.packed(SMALL), Place(shelf.packed(SMALL), 1).stop.question
    assert question
    assert question.answer
    right = 1 + question.shuffled.index(question.answer)
    unread = html(visit("lessons", finished=code))
    assert "at the first try" not in unread, "nothing was asked"
    assert "You have finished" not in unread
    at = visit("lessons", finished=code, told=f"1q={right}-9&99p=1&<b>&2q=1")
    assert "1 of 1 right at the first try" in html(at)
    assert f'data-told="1q={right}-{right}"' in html(at)
    assert "told" not in at.query_params


def told_to_the_browser(at: AppTest) -> tuple[str, str]:
    """What was chosen, and what was written."""
    ((chosen, written),) = re.findall('data-told="([^"]*)" data-written="([^"]*)"', html(at))
    return unescape(chosen), unescape(written)


def test_after_a_reload_the_last_choice_and_what_was_written_stand_as_they_stood():
    code = shelf.packed(SMALL)
    link = {"lesson": code, "stop": 1, "att_way": "Guess"}
    at = visit("attention", **link)
    at.text_area(key="lesson-written").set_value("the “middle” & 100% of it").run()
    at = press(press(at, "lesson-guess-0"), "lesson-next")
    labels = {at.button(key=f"lesson-answer-{n}").label: f"lesson-answer-{n}" for n in range(2)}
    at = press(press(at, labels["wrong one"]), labels["right one"])
    chosen, written = told_to_the_browser(at)
    assert "1p=" in written, "what is written is told apart from what is chosen, which the browser keeps for longer"
    assert set(chosen.removeprefix("1q=")) <= set("0123456789-")
    again = visit("attention", **link, told=f"{chosen}&{written}")
    assert told_to_the_browser(again) == (chosen, written)
    assert "You wrote: <b>the “middle” &amp; 100% of it</b>." in html(again)
    again = press(again, "lesson-next")
    assert 'data-answer="right"' in html(again), "the last choice"
    first = again.session_state[answered.FIRST]
    assert first[answered.ANSWERS, Place(code, 1)] == "wrong one", "which the end counts"


def test_whoever_comes_to_earlier_answers_can_begin_without_them_at_this_very_stop():
    code = shelf.packed(SMALL)
    offer, link = "Earlier answers are still here.", {"lesson": code, "stop": 1, "att_way": "Guess"}
    assert offer not in html(visit("attention", **link)), "there are none"
    assert offer not in html(visit("attention", **link, told="7p=x")), "nor here"
    at = visit("attention", **link, told="1p=of+another&1q=1")
    assert "You wrote: <b>of another</b>" in html(at)
    (anew,) = re.findall(rf'{offer} <a class="lesson-anew" href="([^"]+)" data-forget="{code}"', html(at))
    address = dict(parse_qsl(urlsplit(unescape(anew)).query, keep_blank_values=True))
    assert (address["lesson"], address["stop"], address["told"]) == (code, "1", "")
    assert offer in html(at.run()), "as long as the stop is open"
    at.query_params["told"] = ""
    at = at.run()
    assert offer not in html(at)
    assert told_to_the_browser(at) == ("", "")
    assert ".st-key-lesson-view { visibility: hidden" in html(at), "the view waits for the new one's guess"


def led(at: AppTest, place: Place) -> AppTest:
    """The same visitor at a stop of the page that is open, come there by its link."""
    for _ in range(2):  # as the script puts the address in place once more
        at.query_params.clear()
        at.query_params.update({"lesson": place.code, "stop": str(place.number), **dict(place.stop.link.settings)})
        at = checked(at.run())
    return at


def test_each_stop_with_an_earlier_answer_says_so_until_they_are_forgotten():
    third = (
        "## Third\n[Three](/attention?att_way=Mix)\nSay: Third.\n### Question\nWhat?\n- [x] a\n  A.\n- [ ] b\n  B.\n"
    )
    code, offer = shelf.packed(SMALL + third), "Earlier answers are still here."
    first, second, last = (Place(code, n) for n in (1, 2, 3))
    at = visit("attention", lesson=code, stop=1, att_way="Guess", told="3q=1")
    assert offer in html(at), "where one has come to"
    assert offer not in html(led(at, second)), "it has none"
    assert offer in html(led(at, last)), "somebody else's, maybe"
    assert offer in html(led(at, first)), "on the way back, too"
    at = led(at, last)
    at.query_params["told"] = ""
    at = at.run()
    assert [offer in html(led(at, place)) for place in (last, second, first)] == [False] * 3
    assert told_to_the_browser(at) == ("", "")


def test_what_was_pressed_while_the_browser_gives_answers_back_stays():
    code = shelf.packed(SMALL)
    at = visit("attention", lesson=code, stop=1, att_way="Guess")
    at.text_area(key="lesson-written").set_value("quick").run()
    at = press(at, "lesson-guess-0")
    at.query_params["told"] = "1q=2-1"
    at = at.run()
    assert told_to_the_browser(at) == ("1q=2-1", "1p=quick")
    at = press(at, "lesson-next")
    at = press(at, "lesson-answer-1")
    at.query_params["told"] = "1q=1&1p=slow"
    at = at.run()
    assert told_to_the_browser(at) == ("1q=1-2", "1p=quick"), "what it gives back was chosen before"


def test_who_explores_finds_the_story_as_it_was_left_and_who_comes_from_the_list_begins_anew():
    code = shelf.packed(SMALL)
    first, second = (Place(code, n) for n in (1, 2))
    at = visit("attention", lesson=code, stop=1, att_way="Guess")
    at.text_area(key="lesson-written").set_value("mine").run()
    at = press(press(at, "lesson-guess-0"), "lesson-explore")
    assert "The story waits where you left it." in html(at)
    assert told_to_the_browser(led(at, first)) == ("", "1p=mine")
    at = press(led(led(at, second), first), "lesson-explore")  # once more, from further on
    other = Place(shelf.packed(SMALL.replace("Small", "Other")), 1)
    assert told_to_the_browser(led(at, first)) == ("", "1p=mine")
    at = press(at, "lesson-explore")
    assert told_to_the_browser(led(at, other)) == ("", ""), "that is another story"
    assert told_to_the_browser(led(at, first)) == ("", ""), "and this one begins anew after it"
    at.session_state[answered.GUESSES] = {first: "mine"}
    at.session_state[answered.FIRST] = {(answered.GUESSES, first): "mine"}
    at.query_params.clear()
    at = checked(open_page(at, "lessons").run())
    at = led(open_page(at, "attention"), first)
    assert told_to_the_browser(at) == ("", "")


def test_an_option_is_shown_as_it_is_written():
    option = "$5 or $10 :smile: :material/home: *each*"
    code = shelf.packed(
        SMALL.replace("right one", option).replace("Guess it.", f"Which?\n- [x] {option}\n  A.\n- [ ] b\n  B.")
    )
    at = visit("attention", lesson=code, stop=1, att_way="Guess")
    for key in ("guess", "answer"):
        (mine,) = [one for one in at.button if str(one.key).startswith(f"lesson-{key}-") and "5" in one.label]
        assert mine.label == display.marked(option) == r"\$5 or \$10 \:smile\: \:material\/home\: *each*"
        at = press(at, str(mine.key))
        assert inline.html(option) in html(at), "and is told by its own words"
        at = press(at, "lesson-next") if key == "guess" else at
    assert 'data-answer="right"' in html(at)


@pytest.mark.parametrize("name", shelf.ORDER)
def test_who_had_no_idea_is_told_the_answer_and_that_nothing_was_right(name: str) -> None:
    for number, stop in enumerate(shelf.lesson(name).stops, 1):
        if stop.predict and stop.predict.answer:
            told = lead._telling(Place(name, number), "", is_asked=False)
            (note,) = re.findall(r'<p class="lesson-guess">(.*?)</p>', told)
            assert note.startswith(f"<b>{inline.html(stop.predict.answer.text)}</b>. "), note
            reply = note.split("</b>. ", 1)[1]
            assert not re.match("(yes|right)\\b", reply, re.IGNORECASE)
            assert reply[0] == reply[0].upper()


def test_the_stop_that_asks_for_the_nearest_of_a_word_opens_on_that_word() -> None:
    stop = shelf.lesson("attention").stops[2]
    assert stop.predict
    assert f"*{dict(stop.link.settings)['emb_near']}*" in stop.predict.text


def test_the_end_tells_how_many_stops_were_gone_through_and_leads_to_those_left_out():
    lesson = shelf.lesson("attention")
    (first, second), n = (Place("attention", number) for number in (1, 2)), lesson.n_questions
    guesses, stops = answered.GUESSES, len(lesson.stops)
    at = visit("lessons", session={answered.FIRST: {(guesses, first): ""}}, finished="attention")
    page = html(at)
    assert f"<h2>You went through 1 of {stops} stops of “" in page
    assert "right at the first try" not in page
    assert f"1 not answered (–), {n - 1} at stops that you have not been to (○)." in page
    assert (page.count("<li>–"), page.count("<li>○")) == (1, n - 1)
    assert f'<li>– <a class="lesson-move" href="{escape(first.address)}"' in page
    assert f'<li>○ <a class="lesson-move" href="{escape(second.address)}"' in page
    assert f'href="{escape(second.address)}" target="_self">Go to stop 2</a>' in page
    assert page.index("Go to stop 2") < page.index("<li>"), "above the list"
    assert second.stop.predict
    assert second.stop.predict.answer
    chosen = {(guesses, first): "", (guesses, second): second.stop.predict.answer.text}
    page = html(visit("lessons", session={answered.FIRST: chosen}, finished="attention"))
    assert f"You went through 2 of {stops} stops" in page
    assert "1 of 1 right at the first try, 2 not answered (–), " in page, "the second stop asks twice"
    assert "Go to stop 3" in page


def test_who_has_been_to_all_stops_has_finished_and_is_led_to_the_next_lesson():
    places = [Place("attention", number) for number, _ in enumerate(shelf.lesson("attention").stops, 1)]
    known = {(answered.GUESSES, place): "" for place in places}
    page = html(visit("lessons", session={answered.FIRST: known}, finished="attention"))
    assert "<h2>You have finished “" in page
    assert "right at the first try" not in page
    assert "<li>○" not in page
    following = Place(shelf.ORDER[1], 1)
    link = f'href="{escape(following.address)}" target="_self">Next lesson: {inline.html(following.lesson.title)}</a>'
    assert link in page
    fresh = html(visit("lessons", finished=shelf.ORDER[-1]))
    assert "You" not in fresh.split("</h2>")[0].split("<h2>")[-1], "who opens the end has gone through nothing"


def test_at_the_end_there_is_a_poster_of_all_that_is_right_and_of_what_was_known() -> None:
    code = shelf.packed(SMALL)
    at = visit("lessons", finished=code)
    (button,) = [one for one in at.get("download_button") if "poster" in one.proto.id]
    assert button.proto.label == "Keep it as a poster"
    lesson = shelf.shipped()["attention"]
    asked = [q for stop in lesson.stops for q in (stop.predict, stop.question) if q and q.answer]
    text = poster(lesson, asked[:2], 5)
    assert not re.search(r"<script|src=|href=|url\(", text), "it needs nothing else"
    assert text.count('class="answer"') == lesson.n_questions == len(asked)
    assert text.count('"answer">✓ ') == 2
    assert "2 of 5" in text
    sheet = poster(shelf.lesson(code), [], 0)
    assert "Small &amp; 1 &lt; 2" in sheet
    assert "first try" not in sheet, "who opens the end has answered nothing"


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_guess_made_before_a_lesson_is_kept_and_goes_out_of_its_address(number: int) -> None:
    place = Place("attention", 1)
    assert place.stop.predict
    link: dict[str, Any] = dict(place.stop.link.settings)
    at = visit("generation", lesson="attention", stop=1, guess=number, **link)
    text = place.stop.predict.shuffled[number - 1].text if number else ""
    assert at.session_state[answered.GUESSES] == {place: text}
    assert ".st-key-lesson-view { visibility: hidden" not in html(at)
    assert (f"You guessed: <b>{inline.html(text)}</b>" in html(at)) == bool(number)
    assert "guess" not in at.query_params


@pytest.mark.parametrize("number", ["9", "-1", "x", "1.0"])
def test_a_guess_that_is_no_option_is_none(number: str) -> None:
    link: dict[str, Any] = dict(Place("attention", 1).stop.link.settings)
    at = visit("generation", lesson="attention", stop=1, guess=number, **link)
    assert ".st-key-lesson-view { visibility: hidden" in html(at)
    assert "guess" not in at.query_params


def test_a_guess_at_an_earlier_stop_goes_along_to_a_later_one_and_to_none_before() -> None:
    first, second = Place("attention", 1), Place("attention", 2)
    assert first.stop.predict
    assert "guess=1-2" in second.guessed(2, at=first)
    link: dict[str, Any] = dict(second.stop.link.settings)
    at = visit("heads", lesson="attention", stop=2, guess="1-2", **link)
    assert at.session_state[answered.GUESSES] == {first: first.stop.predict.shuffled[1].text}
    assert ".st-key-lesson-view { visibility: hidden" in html(at), "its own question is still asked"
    for wrong in ("2-1", "3-1", "x-1", "1-9"):
        at = visit("heads", lesson="attention", stop=2, guess=wrong, **link)
        assert not at.session_state[answered.GUESSES]


def test_what_is_stored_for_the_first_stop_is_what_the_model_computes():
    again = may_follow(beginning())
    assert [word for word, _ in stored()] == [word for word, _ in again]
    assert [chance for _, chance in stored()] == pytest.approx([chance for _, chance in again], abs=1e-3)


def test_the_first_stop_stands_on_the_list_with_the_chances_that_the_storyteller_gives() -> None:
    (shown,) = [data for data in payloads(visit("lessons")) if isinstance(data, dict) and "ways" in data]
    place = Place("attention", 1)
    assert place.stop.predict
    assert shown["asked"] == plain(place.stop.predict.text)
    assert shown["text"] == dict(place.stop.link.settings)[TEXT]
    words = dict(shown["words"])
    assert 0.99 < sum(words.values()) <= 1
    assert max(words.values()) < 0.1, "nobody can know which comes"
    assert list(words) == sorted(words, key=lambda word: -words[word])
    told = dict(may_follow("mia found a red hat. tom found a blue ball. mia took the red"))
    assert told["hat"] > 0.9, "after another beginning it is sure"
    assert [text for text, is_right in shown["options"] if is_right] == [plain(place.stop.predict.answer.text)]
    assert [f"guess=1-{n}" in way for n, way in enumerate(shown["ways"])] == [True] * 4


def test_the_film_leads_to_each_stop_of_the_first_lesson_by_a_picture_of_its_own() -> None:
    (film,) = re.findall(r'<ol class="[^"]*lesson-film.*?</ol>', html(visit("lessons")))
    stops = [Place("attention", number) for number in range(1, len(Place("attention", 1).lesson.stops) + 1)]
    assert re.findall(r'href="([^"]+)"', film) == [escape(place.address) for place in stops]
    assert len(set(re.findall(r'src="([^"]+)"', film))) == len(stops)


def test_words_of_the_page_and_pictures_can_be_shown_and_left_out():
    text = SMALL.replace("Controls: att_query", "Controls: att_query\nWithout: heads_view\nWords: shown")
    with_words = html(visit("attention", lesson=shelf.packed(text), stop=2, att_way="Mix"))
    without = html(visit("attention", lesson=shelf.packed(SMALL), stop=2, att_way="Mix"))
    hidden = f":has(> {hooks()['markdown'].selector}"  # of the sheet; the script names the place as well
    assert hidden in without
    assert hidden not in with_words
    assert ".st-key-heads_view { display: none" in with_words
    assert "heads_view" not in without


# ---- the page ------------------------------------------------------------------------------------------------------


def test_the_page_lists_lessons_and_takes_one():
    at = visit("lessons")
    text = html(at)
    for name, lesson in shelf.shipped().items():
        assert f"{len(lesson.stops)} stops" in text
        assert f'data-continue="{name}"' in text
    at.file_uploader(key="lesson_file").upload("mine.md", SMALL.encode()).run()
    assert "Small &amp; 1 &lt; 2" in html(at)
    assert Place(shelf.packed(SMALL), 1).address.replace("&", "&amp;") in html(at)
    at.file_uploader(key="lesson_file").upload("mine.md", SMALL.replace("- [x]", "- [ ]").encode()).run()
    assert "Line 11: No option is right." in notices(at)
    at.file_uploader(key="lesson_file").upload("large.md", b"x" * (MAX_BYTES + 1)).run()
    assert "Split it" in notices(at)


def test_the_page_shows_the_lesson_of_its_link():
    at = visit("lessons", lesson=shelf.packed(SMALL))
    assert [one.value for one in at.title] == [r"Small \& 1 \< 2"]  # the page is its own
    assert "no lesson" in notices(visit("lessons", lesson="x"))


def test_the_lesson_that_is_shown_as_an_example_is_one():
    at = visit("lessons")
    (example,) = [code.value for code in at.code]
    assert shelf.lesson(shelf.packed(example)).stops[0].predict


def test_the_page_says_what_each_part_of_a_stop_is():
    told = "".join(one.value for one in visit("lessons").markdown)
    for part in (*(f"{label}:" for label in reader._LABELS), "### Board", "### Predict", "### Question"):
        assert f"| `{part}" in told
    assert "With a test before and after" in told


def test_worksheets_hold_everything_and_only_one_gives_it_away():
    lesson = shelf.shipped()["attention"]
    blank, solved = (worksheet(lesson, is_teachers=whose) for whose in (False, True))
    for text in (blank, solved):
        assert not re.search(r"src=|href=|url\(", text), "it needs nothing else"
        assert re.findall("<script>(.*)</script>", text) == [SCRIPT], "and runs nothing but what prints it"
        for stop in lesson.stops:
            assert all(option.text.split("*")[0] in text for option in (stop.question or Question("")).options)
    assert 'class="right"' not in blank
    replies = [option.reply for stop in lesson.stops if stop.question for option in stop.question.options]
    assert not any(reply.split("*")[0] in blank for reply in replies)
    n_right = sum(bool(q and q.options) for stop in lesson.stops for q in (stop.predict, stop.question))
    assert solved.count('class="right"') == n_right
    small = shelf.lesson(shelf.packed(SMALL))
    assert "Small &amp; 1 &lt; 2" in worksheet(small, is_teachers=False)
    assert 'class="lines"' in worksheet(small, is_teachers=False), "room to write a guess down"
    for stop in blank.split("<section")[1:]:
        assert stop.count('class="lines"') >= 2, "and below each stop"
    assert 'class="lines"' not in solved
    told = shelf.lesson(shelf.packed(SMALL.replace("Say: ", "Teacher: Wait *here* & listen.\nSay: ", 1)))
    note = inline.html("Wait *here* & listen.")
    assert "&amp;" in note
    assert note in worksheet(told, is_teachers=True)
    assert note not in worksheet(told, is_teachers=False)


def test_the_teachers_sheet_says_at_which_minute_of_a_class_each_stop_begins():
    for lesson in shelf.shipped().values():
        *begins, end = lesson.begins
        asked = [(stop.predict is not None) + (stop.question is not None) for stop in lesson.stops]
        assert begins == [2 * sum(max(1, n) for n in asked[:at]) for at in range(len(asked))]
        assert end >= 2 * sum(asked)
        sheet = worksheet(lesson, is_teachers=True)
        assert all(f"From minute {minute}<" in sheet for minute in begins)
        assert f"about {end} minutes in class" in sheet
        assert "From minute" not in worksheet(lesson, is_teachers=False)


def test_what_was_solved_is_told_to_the_browser_once_per_question_and_only_of_lessons_that_ship():
    place = next(place for place, stop in stops() if stop.question and stop.question.answer)
    question = place.stop.question
    assert question
    assert question.answer
    wrong = next(option.text for option in question.options if not option.right)
    link: dict[str, Any] = dict(place.stop.link.settings)
    for answer, state in ((question.answer.text, "right"), (wrong, "wrong")):
        session = {answered.FIRST: {(answered.ANSWERS, place): answer}, answered.GUESSES: {place: ""}, lead._AT: place}
        at = visit(place.stop.link.page, session=session, lesson=place.code, stop=place.number, **link)
        (mark,) = re.findall(r'data-check="(lessons-[\w-]+)" data-state="(\w+)"', html(at))
        assert mark == (question.key(place.code), state)
    own = Place(shelf.packed(SMALL), 1)
    session = {answered.FIRST: {(answered.ANSWERS, own): "right one"}, answered.GUESSES: {own: ""}, lead._AT: own}
    assert 'data-check="lessons' not in html(
        visit("attention", session=session, lesson=own.code, stop=1, att_way="Guess")
    )


def test_the_list_of_lessons_tells_how_many_questions_each_has():
    text = html(visit("lessons"))
    for name, lesson in shelf.shipped().items():
        asked = [q for _, stop in stops() if stop in lesson.stops for q in (stop.predict, stop.question)]
        assert lesson.n_questions == sum(bool(q and q.options) for q in asked) > 5
        assert f'data-solved-of="lessons-{name}" data-total="{lesson.n_questions}"' in text


# ---- the lessons that ship -----------------------------------------------------------------------------------------


def test_right_options_stand_at_every_place():
    """Who always takes the same place is right about as often as by chance."""
    at = [q.shuffled.index(q.answer) for _, stop in stops() for q in (stop.predict, stop.question) if q and q.answer]
    assert len(at) > 30
    assert max(at.count(n) for n in range(3)) <= 0.5 * len(at)


def test_the_longest_option_is_not_the_right_one_too_often():
    asked = [q for _, stop in stops() for q in (stop.predict, stop.question) if q and q.answer]
    longest = [q.text for q in asked if max(q.options, key=lambda option: len(option.text)).right]
    assert len(longest) <= 0.4 * len(asked), longest


WORDS_PER_MINUTE, SECONDS_PER_STOP = 200, 16  # to read, and to do what a stop asks


def n_words(*texts: str) -> int:
    return sum(len(re.findall(r"\w[\w'’.,-]*", plain(text))) for text in texts)


def read_at(stop: Stop) -> int:
    """The words that a reader meets at a stop who answers right: headings, sentences, options, and the replies."""
    asked = [q for q in (stop.predict, stop.question) if q]
    replies = [q.answer.reply for q in asked if q.answer]
    return n_words(stop.heading, stop.say, stop.do, *(q.text for q in asked), *replies) + sum(
        n_words(option.text) for q in asked for option in q.options
    )


def test_a_lesson_takes_no_longer_than_it_says():
    for name, lesson in shelf.shipped().items():
        minutes = sum(read_at(stop) / WORDS_PER_MINUTE + SECONDS_PER_STOP / 60 for stop in lesson.stops)
        assert minutes <= lesson.minutes, f"{name} takes {minutes:.1f} minutes"
    first = shelf.shipped()[shelf.ORDER[0]]
    assert first.minutes <= 12, "who has never heard of a Transformer gives it no more"


@pytest.mark.few(12)
@pytest.mark.parametrize(
    ("place", "stop"), {stop.link: (place, stop) for place, stop in stops()}.values(), ids=lambda part: str(part)[:24]
)
def test_every_stop_opens_its_view_with_what_it_needs(place: Place, stop: Stop):
    """The link shows what it names, without a notice, and the controls that are to stay are there."""
    session = {answered.GUESSES: {place: ""}}
    link: dict[str, Any] = dict(stop.link.settings)
    at = visit(stop.link.page, session=session, lesson=place.code, stop=place.number, **link)
    for name, value in stop.link.settings:
        if name not in OF_COMPONENTS:
            assert str(control(at, name).value) == value
    assert set(stop.controls) <= keys(at)
    assert next(title.value for title in at.title) == display.marked(stop.heading)
    assert "You see" not in notices(at)
    assert "cannot" not in notices(at)
