"""The door of the sheets: a lesson on paper, in a tab of its own.

GET /sheet?lesson=heads                  to write on
GET /sheet?lesson=heads&of=teacher       with answers, notes and times

`from` is the address at which the reader sees the app: a proxy may have taken its encryption off on the way here.
"""

from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit import config

from lab.frame.lessons.worksheet import SCRIPT_HASH, worksheet
from lab.kit.lessons import shelf
from lab.kit.texts.markdown import TextError

# A sheet runs the few letters that print it, and loads nothing: a lesson may be a stranger's.
POLICY = f"default-src 'none'; script-src '{SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
HEADERS = {"content-security-policy": f"{POLICY}; form-action 'none'; frame-ancestors 'self'"}


def routes() -> list[Route]:
    """It, below the path that the app is served under."""
    base = config.get_option("server.baseUrlPath").strip("/")
    return [Route(f"/{base}/sheet" if base else "/sheet", sheet)]


async def sheet(request: Request) -> Response:
    asked = request.query_params
    code = asked.get("lesson", "")
    try:
        lesson = await run_in_threadpool(shelf.lesson, code)
    except TextError as error:
        return PlainTextResponse(error.faults[0].sentence, 404, HEADERS)
    whose, base = asked.get("of") == "teacher", base_of(request)
    content = await run_in_threadpool(worksheet, lesson, is_teachers=whose, base=base, code=code)
    return HTMLResponse(content, headers=HEADERS)


def base_of(request: Request) -> str:
    """Where the app is, with a slash at its end: as the page says, if that is this very host."""
    told = request.query_params.get("from", "")
    try:
        parts = urlsplit(told)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme in ("http", "https") and parts.netloc == request.headers.get("host"):
        path = parts.path if parts.path.endswith("/") else f"{parts.path}/"
        return f"{parts.scheme}://{parts.netloc}{path}"
    return str(request.url.replace(path=request.url.path.removesuffix("sheet"), query="", fragment=""))
