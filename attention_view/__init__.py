"""The picture of attention heads: numbers in, one run of bytes for the browser out; numpy only.

    picture = Picture(queries=..., keys=..., weights=...)
    picture                                              # as the last line of a notebook's cell: it is shown
    Path("attention.html").write_text(to_html(picture))  # a page of its own

`payload` packs the numbers, `kinds` several pictures as one; view.js and its parts draw them, view.css and palette.css
dress them; lab.js has what all components share. `standalone` and its script make a page of it, in the colours of
theme.css.
"""

from attention_view.kinds import Kinds
from attention_view.payload import Marks, Packed, Picture, Sent, to_html

__all__ = ["Kinds", "Marks", "Packed", "Picture", "Sent", "to_html"]
