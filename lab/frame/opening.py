"""The document that a browser loads first: Streamlit's own, with our name, our looks, and what every page needs next.

Otherwise a browser would hear of our looks only when the first run of a page has come, and draw it twice: as Streamlit
has it, with what stands below the figure above the fold, and then as it is. And it would ask for the scripts of buttons
and figures only then, and for what those import after that.

    GET  /heads, and so on       the document of each page
    GET  /opening/<hash>.css     the looks of the frame, and how the page is covered until its first screen is complete
    GET  /opening/<hash>.js      what takes the cover off

What draws charts and colours code is megabytes of script, which a browser would read before it draws the figure. Where
Streamlit asks for them, it is given a few lines that wait until the first screen is there.
"""

from collections.abc import Awaitable, Callable
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from attention_view.bundle import script
from lab.frame import shell
from lab.hooks import document
from lab.hooks.dom import sheet
from lab.kit.catalogue import PAGES
from lab.kit.page import Page

HERE = Path(__file__).parent
HEAD = """<title>Attention Lab</title>
<meta name="description" content="{help}"><meta property="og:title" content="{title}">
<meta property="og:description" content="{help}"><meta property="og:site_name" content="Attention Lab">
<script type="module" src="./opening/{js}.js"></script>
{preloads}
</head>"""
# Below the head, so that they come after Streamlit's own, which are put in there one by one.
LOOKS = '<body>\n<link rel="stylesheet" href="./opening/{css}.css">'
WAITING = """await window.attentionLabLater;
const all = await import("./{}?now");
{}
"""
PRELOAD = '<link rel="modulepreload" crossorigin href="{}">'
FOR_A_MINUTE = {"cache-control": "public, max-age=60"}  # so that a proxy need not ask for it for each of a class
FOR_GOOD = {"cache-control": "public, immutable, max-age=31536000"}  # another text has another address


def routes() -> list[Route]:
    """All of them, below the path that the app is served under."""
    base = config.get_option("server.baseUrlPath").strip("/")
    base = f"/{base}" if base else ""
    pages = [Route(f"{base}/{page.url}", _document_of(page)) for page in PAGES]
    return [*pages, Route(f"{base}/opening/{{name}}.{{kind}}", _file)]


def markup(page: Page) -> str:
    """The document of this page."""
    head = HEAD.format(
        title=escape(f"{page.title} · Attention Lab" if page.url else "Attention Lab"),
        help=escape(page.help),
        js=name("js"),
        preloads="\n".join(map(PRELOAD.format, document.first_scripts())),
    )
    return (
        document.markup()
        .replace("<title>Streamlit</title>", "")
        .replace('href="./favicon.png"', f'href="{shell.BRAND}"')
        .replace("</head>", head)
        .replace("<body>", LOOKS.format(css=name("css")))
    )


@cache
def text(kind: str) -> str:
    """The style sheet or the script."""
    if kind == "js":
        return script(HERE / "opening.js")
    looks = (*shell.STYLES, HERE / "opening.css")
    return sheet("".join(file.read_text(encoding="utf-8") for file in looks)).replace("BRAND", shell.BRAND)


@cache
def name(kind: str) -> str:
    """What the file is called, as long as it says the same."""
    return sha256(text(kind).encode()).hexdigest()[:16]


def _document_of(page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return HTMLResponse(markup(page), headers={"cache-control": "no-cache"})

    return answer


async def _file(request: Request) -> Response:
    kind = request.path_params["kind"]
    media = {"css": "text/css", "js": "text/javascript"}.get(kind)
    if media is None:
        return Response(status_code=404)
    # Whoever holds an old document is given what there is now, and is not to keep it under the old name.
    headers = FOR_GOOD if request.path_params["name"] == name(kind) else {"cache-control": "no-cache"}
    return Response(text(kind), media_type=media, headers=headers)


def later(name: str) -> str | None:
    """What is answered in place of the script of this name, if the first screen does without it."""
    names = document.last_scripts().get(name)
    if names is None:
        return None
    exports = (f"export {'default' if one == 'default' else f'const {one} ='} all.{one};" for one in names)
    return WAITING.format(name, "\n".join(exports))


class Later:
    """Around an ASGI app: answers for the scripts that wait."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self.app
        if scope["type"] == "http" and not scope["query_string"]:
            folder, _, file = scope["path"].rpartition("/")
            if folder.endswith(document.SCRIPTS) and (text := later(file)):
                answer = Response(text, media_type="text/javascript", headers=FOR_A_MINUTE)
        await answer(scope, receive, send)


MIDDLEWARE = (Middleware(Later),)
