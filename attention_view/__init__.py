"""The picture of attention heads: numbers in, one run of bytes for the browser out; numpy only.

    packed = Packed(Picture(queries=..., keys=..., weights=...))

`payload` packs the numbers; picture.js, paint.js and view.js draw them, view.css and palette.css dress them.
"""

from attention_view.payload import Packed, Picture

__all__ = ["Packed", "Picture"]
