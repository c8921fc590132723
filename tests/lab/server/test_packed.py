"""Scripts and style sheets travel compressed, once compressed, and as they were."""

import gzip

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient

from lab.server import packed

TEXT = "const attention = 1;\n" * 500


class Forever(StaticFiles):
    """As Streamlit serves its files."""

    async def get_response(self, path, scope):
        answer = await super().get_response(path, scope)
        answer.headers["cache-control"] = "public, immutable"
        return answer


@pytest.fixture
def browser(tmp_path):
    (tmp_path / "a.js").write_text(TEXT)
    (tmp_path / "b.js").write_text("1;")
    (tmp_path / "c.woff2").write_bytes(bytes(5000))
    routes = [
        Mount("/static", app=Forever(directory=tmp_path)),
        Route("/changing.js", lambda _: Response(TEXT, media_type="text/javascript", headers={"etag": '"1"'})),
        Route("/words", lambda _: PlainTextResponse(TEXT)),
    ]
    return TestClient(Starlette(routes=routes, middleware=list(packed.MIDDLEWARE)))


def encoding(answer) -> str | None:
    return answer.headers.get("content-encoding")


def test_a_script_arrives_as_it_was_in_a_tenth_of_the_bytes(browser):
    answer = browser.get("/static/a.js")
    assert answer.text == TEXT
    assert encoding(answer) == "gzip"
    assert int(answer.headers["content-length"]) < len(TEXT) / 10
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "immutable" in answer.headers["cache-control"]
    again = browser.get("/static/a.js", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("headers", [{"accept-encoding": "identity"}, {"range": "bytes=0-9"}])
def test_who_cannot_unpack_or_asks_for_a_part_gets_it_as_it_is(browser, headers):
    answer = browser.get("/static/a.js", headers=headers)
    assert encoding(answer) is None
    assert TEXT.startswith(answer.text)


@pytest.mark.parametrize("path", ["/static/b.js", "/static/c.woff2", "/static/none.js", "/changing.js", "/words"])
def test_what_is_small_or_packed_or_may_change_is_let_through(browser, path):
    assert encoding(browser.get(path)) is None


def test_each_file_is_compressed_once_by_whatever_path_it_is_asked_for(browser, monkeypatch):
    counted: list[int] = []
    compress = gzip.compress
    monkeypatch.setattr(packed.gzip, "compress", lambda body, **how: counted.append(1) or compress(body, **how))
    for path in ("/static/a.js", "/static/a.js?1", "/static/./a.js", "/static/a.js"):
        assert browser.get(path).text == TEXT
    assert counted == [1]
    assert browser.head("/static/a.js").headers["content-length"] == str(len(TEXT))
