"""A lesson as SCORM 1.2: a zip that a learning platform plays, with this app's views in it.

The package holds the lesson's texts and questions and a player; the views are this host's, each in a frame. The player
tells the platform the stop, the score of first answers and when the lesson is completed (ADL SCORM 1.2 Run-Time).
"""

import json
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree as xml

from lab.kit.lessons.board import Formula, Picture, Shown
from lab.kit.lessons.exports.packed import packed, xml_bytes
from lab.kit.lessons.lesson import Lesson
from lab.kit.texts.inline import plain, quoted
from lab.kit.texts.questions import Question

IMS, ADL = "http://www.imsproject.org/xsd/imscp_rootv1p1p2", "http://www.adlnet.org/xsd/adlcp_rootv1p2"
_PLAYER = Path(__file__).with_name("player")
_FILES = ("index.html", "player.css", "player.js")


def scorm(lesson: Lesson, host: str) -> bytes:
    """The lesson as a zip whose views come from `host` ("https://lab.example/"); the same bytes for the same lesson."""
    facts = {"title": plain(lesson.title), "stops": _stops(lesson, host)}
    files = {name: (_PLAYER / name).read_bytes() for name in _FILES}
    files["lesson.js"] = f"globalThis.LESSON = {json.dumps(facts)};\n".encode()
    return packed({"imsmanifest.xml": xml_bytes(_manifest(lesson, list(files))), **files})


def _stops(lesson: Lesson, host: str) -> list[dict[str, object]]:
    return [
        {
            "heading": quoted(stop.heading),
            "view": urljoin(host, stop.link.address(embed="true")),
            "opening": quoted(stop.opening),
            "say": quoted(stop.say),
            "board": [_shown(thing) for thing in stop.board],
            "do": quoted(stop.do),
            "predict": _asked(stop.predict),
            "question": _asked(stop.question),
        }
        for stop in lesson.stops
    ]


def _shown(thing: Shown) -> dict[str, object]:
    if isinstance(thing, Formula):
        return {"tex": thing.tex}
    if isinstance(thing, Picture):
        return {"src": thing.address, "alt": quoted(thing.says)}
    return {"rows": [[quoted(cell) for cell in row] for row in (thing.head, *thing.rows)]}


def _asked(question: Question | None) -> dict[str, object] | None:
    """A question with one right option; what is to be written down, nobody could score."""
    if question is None or not question.answer:
        return None
    options = [
        {"text": quoted(option.text), "reply": quoted(option.reply), "right": option.right}
        for option in question.shuffled
    ]
    return {"text": quoted(question.text), "options": options}


def _manifest(lesson: Lesson, files: list[str]) -> xml.Element:
    name = lesson.file_name
    root = xml.Element("manifest", {"identifier": f"lab-{name}", "version": "1.0", "xmlns": IMS, "xmlns:adlcp": ADL})
    metadata = xml.SubElement(root, "metadata")
    xml.SubElement(metadata, "schema").text = "ADL SCORM"
    xml.SubElement(metadata, "schemaversion").text = "1.2"
    organizations = xml.SubElement(root, "organizations", default="lesson")
    organization = xml.SubElement(organizations, "organization", identifier="lesson")
    xml.SubElement(organization, "title").text = plain(lesson.title)
    item = xml.SubElement(organization, "item", identifier="item", identifierref="player", isvisible="true")
    xml.SubElement(item, "title").text = plain(lesson.title)
    how = {"identifier": "player", "type": "webcontent", "adlcp:scormtype": "sco", "href": _FILES[0]}
    resource = xml.SubElement(xml.SubElement(root, "resources"), "resource", how)
    for path in files:
        xml.SubElement(resource, "file", href=path)
    return root
