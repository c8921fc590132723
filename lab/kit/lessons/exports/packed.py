"""What packages for schools are made of: XML, and a zip that is the same for the same content."""

import io
from collections.abc import Mapping
from xml.etree import ElementTree as xml
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files by path, without the time of its making."""
    zipped = io.BytesIO()
    with ZipFile(zipped, "w") as package:
        for path, content in files.items():
            package.writestr(ZipInfo(path), content, ZIP_DEFLATED)
    return zipped.getvalue()


def xml_bytes(root: xml.Element) -> bytes:
    """A document as it stands in a file."""
    xml.indent(root)
    return xml.tostring(root, encoding="utf-8", xml_declaration=True)
