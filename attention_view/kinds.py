"""Several kinds of attention of one run in one view: encoder, decoder, and cross between them, switched in the browser.

The bytes are a payload whose header lists the `kinds`, and whose arrays `kind:<name>` are each a whole payload.
"""

from collections.abc import Mapping

import numpy as np

from attention_view.payload import FRAME_HEIGHT, Packed, Picture, as_bytes, extent, to_html


class Kinds:
    """Pictures by the kind of attention that they show, ready to be sent as one; used as a `Packed` is.

    pictures  by name, at least one, such as "encoder", "decoder", "cross"; their sizes may differ
    opens     the kind that is shown first, by default the first
    """

    def __init__(self, pictures: Mapping[str, Picture | Packed], opens: str | None = None):
        if not pictures:
            raise ValueError("there is no kind of attention to draw")
        self.pictures = {
            kind: Packed(picture) if isinstance(picture, Picture) else picture for kind, picture in pictures.items()
        }
        self.names = tuple(self.pictures)
        if opens is not None and opens not in self.pictures:
            raise ValueError(f"{opens!r} is not among {', '.join(self.names)}")
        self.opens_at = self.names.index(opens) if opens is not None else 0

    def __call__(self, layer: int = 0, head: int = 0, kind: int | None = None, **options: object) -> bytes:
        """The bytes to send while (layer, head) of a kind, by its number, is in view; options as of `Packed`."""
        chosen = self.opens_at if kind is None else min(max(kind, 0), len(self.names) - 1)
        other = {name: option for name, option in options.items() if name != "open"}
        inner = {
            name: packed(layer, head, **options) if n == chosen else packed(*packed.opens, **other)
            for n, (name, packed) in enumerate(self.pictures.items())
        }
        return self._as_bytes(inner, chosen)

    def alone(self, layer: int | None = None, head: int | None = None, **options: object) -> bytes:
        """The bytes for a place that cannot ask for more; layer and head are of the kind that is shown first."""
        inner = {
            name: packed.alone(*((layer, head) if n == self.opens_at else (None, None)), **options)
            for n, (name, packed) in enumerate(self.pictures.items())
        }
        return self._as_bytes(inner, self.opens_at)

    @property
    def first(self) -> Packed:
        """The picture that is shown first."""
        return self.pictures[self.names[self.opens_at]]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """(L, H, T, S) of the picture that is shown first."""
        return self.first.shape

    @property
    def opens(self) -> tuple[int, int]:
        """The layer and head that it opens with."""
        return self.first.opens

    def opened(self, layer: int | None, head: int | None) -> tuple[int, int]:
        """As of `Packed`, in the kind that is shown first."""
        return self.first.opened(layer, head)

    def _as_bytes(self, inner: Mapping[str, bytes], chosen: int) -> bytes:
        arrays = {f"kind:{name}": np.frombuffer(data, "u1") for name, data in inner.items()}
        return as_bytes({"kinds": list(self.names), "kind": chosen}, arrays)

    def __repr__(self) -> str:
        return "Kinds: " + "; ".join(f"{kind}, {extent(packed.shape)}" for kind, packed in self.pictures.items())

    def _repr_html_(self) -> str:
        """What a notebook shows when it is the last line of a cell."""
        return to_html(self, height=FRAME_HEIGHT)
