"""How the server of the browser tests is hosted: alone, behind a proxy of deploy/, or as Community Cloud runs it.

pytest tests/browser --host proxy       nginx
pytest tests/browser --host traefik
"""

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from benchmarks import server
from benchmarks.proxied import Proxied
from benchmarks.server import ROOT

OWN, PROXY, TRAEFIK, CLOUD = "own", "proxy", "traefik", "cloud"  # --host of tests/conftest.py
# What Streamlit Community Cloud sets, whatever .streamlit/config.toml says.
AS_CLOUD = {
    "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "false",
    "STREAMLIT_RUNNER_FAST_RERUNS": "true",
    "STREAMLIT_SERVER_RUN_ON_SAVE": "true",
    "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "true",
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "true",
}

# Community Cloud has pages send statistics to Streamlit. Our policy keeps them from it, and the console says so.
STATISTICS = re.compile(r"https://data\.streamlit\.io/|Failed to fetch metrics|Undefined metrics config")

Wait = Callable[["subprocess.Popen[bytes]", str], None]


@contextmanager
def serve(wait: Wait, script: str = "app.py", **more: str) -> Iterator[str]:
    """A server in a process of its own, on a port that was free; its address.

    wait  returns once the server answers;  more: of its environment
    """
    with server.serve(script, {"PYTHONPATH": str(ROOT), **more}, wait) as started:
        yield started.url


@contextmanager
def proxied(proxy: str) -> Iterator[str]:
    """Two servers behind nginx or Traefik; the proxy's address. Raises Missing where there is none."""
    with tempfile.TemporaryDirectory() as folder, Proxied(Path(folder), proxy=proxy) as lab:
        yield lab.url


def hosted(host: str, wait: Wait) -> AbstractContextManager[str]:
    """The app, hosted so; its address."""
    if host in (PROXY, TRAEFIK):
        return proxied("traefik" if host == TRAEFIK else "nginx")
    return serve(wait, **(AS_CLOUD if host == CLOUD else {}))
