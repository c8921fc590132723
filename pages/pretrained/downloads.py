"""Downloads from the hub, one per model for all visitors: how far each is, a way to stop it, and what went wrong.

A download runs in a thread of its own and needs no page: whoever comes to the page sees how far it is. It ends early if
everybody who asked for it has stopped it; files that have arrived whole stay on disk, and the next begins after them.
"""

import threading
from collections.abc import Callable
from typing import Literal

from transformer import pretrained
from transformer.core.checks import InputError
from transformer.core.interruption import interruptible

MAX_AT_ONCE = 2
State = Literal["running", "done", "stopped", "failed"]
Progress = Callable[[int, int], None]
Fetch = Callable[[str, Progress], None]


class _Stopped(Exception):
    """Nobody waits for this download any more."""


class Download:
    """One model on its way: bytes that have arrived, all bytes (0 before that is known), and why it failed."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.state: State = "running"
        self.arrived = self.total = 0
        self.error = ""
        self.askers: set[str] = set()  # keys of the visitors who want it

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return min(1.0, self.arrived / self.total) if self.total else 0.0


class Downloads:
    """All downloads of this process. fetch(id, progress) brings a model onto the disk, and can be interrupted."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._lock = threading.Lock()
        self._all: dict[str, Download] = {}

    def begin(self, id: str, asker: str) -> Download:
        """Download a model, or join who does that already. Raises InputError while too many are under way."""
        with self._lock:
            download = self._all.get(id)
            if download is None or download.state != "running":
                if sum(one.state == "running" for one in self._all.values()) >= MAX_AT_ONCE:
                    raise InputError(
                        f"{MAX_AT_ONCE} models are being downloaded already. Try again when one of them has arrived."
                    )
                download = self._all[id] = Download(id)
                download.askers.add(asker)
                threading.Thread(target=self._run, args=[download], name=f"download {id}", daemon=True).start()
            download.askers.add(asker)
            return download

    def stop(self, id: str, asker: str) -> None:
        """This visitor wants it no longer; it ends if nobody else does."""
        with self._lock:
            if id in self._all:
                self._all[id].askers.discard(asker)

    def of(self, id: str) -> Download | None:
        """The last download of this model, if there was one."""
        with self._lock:
            return self._all.get(id)

    @property
    def running(self) -> list[Download]:
        with self._lock:
            return [one for one in self._all.values() if one.state == "running"]

    def _run(self, download: Download) -> None:
        def tell(arrived: int, total: int) -> None:
            download.arrived, download.total = arrived, total
            stay()

        def stay() -> None:
            if not download.askers:
                raise _Stopped

        try:
            with interruptible(stay):
                self._fetch(download.id, tell)
            download.state = "done"
        except _Stopped:
            download.state = "stopped"
        except InputError as error:
            download.error, download.state = str(error), "failed"
        except Exception:
            download.error, download.state = "The download broke off because of a fault in this program.", "failed"
            raise


def _from_hub(id: str, progress: Progress) -> None:
    """Bring a model of the hub onto the disk, if there would be memory for it. Raises InputError."""
    from lab.kit.models import published

    plan = pretrained.hub.shared().look(id)
    published.check_fits(plan.checked)
    pretrained.hub.shared().download(plan, progress)


DOWNLOADS = Downloads(_from_hub)
