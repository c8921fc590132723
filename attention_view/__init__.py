"""The picture of attention heads: numbers in, one run of bytes for the browser out; numpy only.

    show(attention, tokens)                              # weights as a model returned them
    picture = Picture(queries=..., keys=..., weights=...)
    picture                                              # as the last line of a notebook's cell: it is shown
    Path("attention.html").write_text(to_html(picture))  # a page of its own
    scene(tokens, q, k, v).save("scene.html")            # the whole model, to be entered down to a product

`payload` packs the numbers, `kinds` several pictures as one; view.js and its parts draw them, view.css and palette.css
dress them; `scenes` packs those of a scene, and the scripts called scene_*.js draw it. lab.js and lab.css have what all
components share. `standalone` and its script make a page of it, in the colours of theme.css. `show` takes what models
of any framework return; the scripts called export_*.js make files of what is shown.
"""

from attention_view.kinds import Kinds
from attention_view.payload import Marks, Packed, Picture, Sent, to_html
from attention_view.scenes import scene
from attention_view.show import Shown, show

__all__ = ["Kinds", "Marks", "Packed", "Picture", "Sent", "Shown", "scene", "show", "to_html"]
