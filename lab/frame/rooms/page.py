"""The two pages of a room as files: markup without any text of a visitor's, a style sheet, and a script."""

from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from attention_view import bundle
from lab.hooks import runtime

HERE = Path(__file__).parent
THEME = HERE.parents[2] / "attention_view/theme.css"
NAMES = {"phone": "Attention Lab: join", "projector": "Attention Lab: class"}
# Stricter than the app's own: no script stands in these pages, and nobody else frames them. A projector frames views.
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "connect-src": "'self'",
    "frame-src": "'self'",
    "img-src": "data:",
    "font-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
}
HEADERS = {
    "content-security-policy": "; ".join(f"{name} {sources}" for name, sources in POLICY.items()),
    "cache-control": "no-cache",
}
MARKUP = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="./rooms/{name}.css"><script type="module" src="./rooms/{name}.js"></script></head>
<body><main class="lab {name}"></main></body></html>
"""


async def phone(_: Request) -> Response:
    return _page("phone")


async def projector(_: Request) -> Response:
    return _page("projector")


def _page(name: str) -> Response:
    return HTMLResponse(MARKUP.format(name=name, title=NAMES[name]), headers=HEADERS)


async def sheet(request: Request) -> Response:
    return _file(request.path_params["file"], "css")


async def script(request: Request) -> Response:
    return _file(request.path_params["file"], "js")


def _file(name: str, kind: str) -> Response:
    if name not in NAMES:
        return Response(status_code=404)
    media = {"css": "text/css", "js": "text/javascript"}[kind]
    return Response(text_of(name, kind), media_type=media, headers={"cache-control": "no-cache"})


@cache
def text_of(name: str, kind: str) -> str:
    """The style sheet or the script of one of the two pages, with all that it imports."""
    return _face() + bundle.style(THEME, HERE / f"{name}.css") if kind == "css" else bundle.script(HERE / f"{name}.js")


def _face() -> str:
    """The letters of the app, which it loads from beside these pages."""
    place = runtime.typeface()
    if place is None:
        return ""
    return (
        f'@font-face {{ font-family: "Source Sans"; font-weight: 200 900; src: url("..{place}") format("woff2"); '
        "font-display: swap; }\n"
    )
