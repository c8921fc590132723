"""A payload as a page of its own: script, style and numbers in one text, and nothing that a network would bring.

Labels come from anywhere, so none is written into the HTML: they travel in the payload, and the script shows them as
text. The page's own policy forbids it to load or to send anything.
"""

import base64
import html

from attention_view.bundle import HERE, script, style

THEMES = ("auto", "light", "dark")
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
_PAGE = """<!doctype html>
<html lang="en" data-choice="{theme}" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Attention</title>
<style>
{style}
</style>
</head>
<body>
<div class="lab attention-view"></div>
<script type="text/plain" id="payload">{payload}</script>
<script type="module">
{script}
</script>
</body>
</html>
"""


def page(payload: bytes, theme: str = "auto") -> str:
    """A whole HTML page that draws the payload; theme: "light", "dark", or "auto", as the visitor's system is."""
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is not known; try {', '.join(THEMES)}")
    return _PAGE.format(
        theme=theme,
        policy=_POLICY,
        style=style(HERE / "theme.css", HERE / "view.css"),
        payload=base64.b64encode(payload).decode(),
        script=script(HERE / "standalone.js"),
    )


def frame(text: str, height: int) -> str:
    """A page as a frame of so many pixels, to stand inside another page; it can reach nothing of that page."""
    return (
        f'<iframe srcdoc="{html.escape(text)}" title="Attention" sandbox="allow-scripts allow-downloads" '
        f'style="width: 100%; height: {int(height)}px; border: 0"></iframe>'
    )
