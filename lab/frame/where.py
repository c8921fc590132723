"""Where am I? The way from a page to its place in the whole model, which the front page draws."""

from typing import Any

from lab.kit import carried, catalogue


def link_in(place: Any, url: str) -> None:
    """The link, among the tools of the top bar, where the page at this path reads with the model of the front page.

    What the page reads goes along by itself, as to every page. The cell that is in view is known to the browser alone,
    which adds it: see attention_view/scene_return.js.
    """
    stands = carried.stands()
    if not url or stands is None:
        return
    place.container(key="where", width="content").page_link(
        catalogue.page("").script,
        label="Where am I?",
        icon=":material/my_location:",
        help="This place in the whole model",
        query_params={"front_place": written(stands)} if stands else None,
    )


def written(stands: tuple[int, ...]) -> str:
    """A place as a link of the front page has it: 2.a.3.16.5 is layer 2, attention, head 3, row 16, cell 5."""
    layer, *inside = stands
    return ".".join([str(layer), *(["a"] if inside else []), *map(str, inside)])
