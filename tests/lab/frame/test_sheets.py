"""The door of the sheets: a lesson on paper, with the way to each stop, and nothing of a stranger's lesson runs."""

import base64
import hashlib
import re
from html import unescape

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lab.frame.lessons import sheets
from lab.frame.lessons.worksheet import way_to
from lab.kit import qr
from lab.kit.lessons import shelf

HOST = "https://lab.example/"
HEADS = shelf.lesson("heads")


@pytest.fixture
def ask() -> TestClient:
    return TestClient(Starlette(routes=sheets.routes()), base_url="http://lab.example")  # behind a proxy


def test_each_stop_has_its_address_and_its_code_for_a_phone(ask: TestClient):
    sheet = ask.get("/sheet", params={"lesson": "heads", "from": HOST})
    assert "content-disposition" not in sheet.headers, "it opens, and is not saved"
    for number in range(1, len(HEADS.stops) + 1):
        address = way_to(HOST, "heads", number)
        assert address == f"https://lab.example/lessons?lesson=heads&stop={number}"
        assert address.removeprefix("https://") in unescape(sheet.text.replace("<wbr>", ""))
        assert qr.drawn(address) in sheet.text
    assert "<button>Print</button>" in sheet.text


@pytest.mark.parametrize("told", ["https://evil.example/", "javascript:alert(1)", "//evil.example/", "http://[", ""])
def test_the_addresses_are_those_of_this_very_host(ask: TestClient, told: str):
    sheet = ask.get("/sheet", params={"lesson": "heads", "from": told})
    assert qr.drawn(way_to("http://lab.example/", "heads", 1)) in sheet.text
    assert "evil" not in sheet.text


def test_a_path_below_which_the_app_is_served_is_part_of_the_address(ask: TestClient):
    sheet = ask.get("/sheet", params={"lesson": "heads", "from": f"{HOST}lab/"})
    assert qr.drawn(way_to(f"{HOST}lab/", "heads", 1)) in sheet.text


def test_a_lesson_that_its_link_holds_is_too_long_to_type_and_has_none(ask: TestClient):
    code = shelf.packed(shelf.source("heads"))
    sheet = ask.get("/sheet", params={"lesson": code, "from": HOST})
    assert "<svg" not in sheet.text
    assert sheet.text.count("<section") == len(HEADS.stops)


def test_only_the_letters_that_print_it_run(ask: TestClient):
    sheet = ask.get("/sheet", params={"lesson": "heads"})
    (script,) = re.findall("<script>(.*?)</script>", sheet.text)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = sheet.headers["content-security-policy"]
    assert f"script-src 'sha256-{digest}';" in policy
    assert "default-src 'none'" in policy


def test_the_teachers_has_the_answers_and_what_is_no_lesson_is_a_sentence(ask: TestClient):
    blank, solved = (ask.get("/sheet", params={"lesson": "heads", "of": of}).text for of in ("class", "teacher"))
    assert ('class="right"' in solved) > ('class="right"' in blank)
    for wrong in ("", "nothing", "<b>", ".BBBBBBBB", "~AAAA"):
        answer = ask.get("/sheet", params={"lesson": wrong})
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/plain")
