"""A lesson as a package: the manifest names all that is in it, and the views are those of this host."""

import io
import json
from xml.etree import ElementTree as xml
from zipfile import ZipFile

import pytest

from lab.kit.lessons import shelf
from pages.lessons.scorm import ADL, IMS, scorm

HOST = "https://lab.example/base/"


def files(package: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(package)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize("name", shelf.ORDER)
def test_the_manifest_names_what_is_in_the_package_and_the_views_are_of_this_host(name: str):
    lesson = shelf.shipped()[name]
    found = files(scorm(lesson, HOST))
    root = xml.fromstring(found["imsmanifest.xml"])
    named = {node.get("href") for node in root.iter(f"{{{IMS}}}file")}
    assert named == set(found) - {"imsmanifest.xml"}
    (resource,) = root.iter(f"{{{IMS}}}resource")
    assert (resource.get(f"{{{ADL}}}scormtype"), resource.get("href")) == ("sco", "index.html")
    (item,) = root.iter(f"{{{IMS}}}item")
    assert item.get("identifierref") == resource.get("identifier")
    facts = json.loads(found["lesson.js"].decode().removeprefix("globalThis.LESSON = ").removesuffix(";\n"))
    assert len(facts["stops"]) == len(lesson.stops)
    for stop, shown in zip(lesson.stops, facts["stops"], strict=True):
        assert shown["view"].startswith(f"{HOST}{stop.link.page}?")
        assert shown["view"].endswith("embed=true")
    assert scorm(lesson, HOST) == scorm(lesson, HOST)
    assert scorm(lesson, "https://other.example/") != scorm(lesson, HOST)
