"""Questions as Canvas imports them: QTI 1.2 (IMS ASI XML binding 1.2) in a zip with a manifest.

An assessment has one section, and in it an <item> for each question: its text and options in <presentation>, in
<resprocessing> 100 points for the right one and a reply for each, and the replies in <itemfeedback>.
"""

from collections.abc import Iterable
from hashlib import sha256
from xml.etree import ElementTree as xml

from lab.kit.lessons.exports.packed import packed, xml_bytes
from lab.kit.texts.inline import plain
from lab.kit.texts.questions import Option, Question

ASI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
RESPONSE = "response1"


def qti(title: str, questions: Iterable[Question]) -> bytes:
    """The questions that have one right option, as a zip; the same questions give the same bytes."""
    asked = [question for question in questions if question.answer]
    root = xml.Element("questestinterop", xmlns=ASI)
    name = _name(title, *(question.text for question in asked))
    assessment = xml.SubElement(root, "assessment", ident=name, title=_line(title))
    _fields(assessment, {"cc_maxattempts": "1"})
    section = xml.SubElement(assessment, "section", ident="root_section")
    for number, question in enumerate(asked, 1):
        _item(section, f"{_line(title)} {number}", question)
    file = f"{name}/{name}.xml"
    return packed({"imsmanifest.xml": xml_bytes(_manifest(name, file)), file: xml_bytes(root)})


def _manifest(name: str, file: str) -> xml.Element:
    root = xml.Element("manifest", identifier=f"{name}_manifest", xmlns=PACKAGE)
    metadata = xml.SubElement(root, "metadata")
    xml.SubElement(metadata, "schema").text = "IMS Content"
    xml.SubElement(metadata, "schemaversion").text = "1.1.3"
    xml.SubElement(root, "organizations")
    resource = xml.SubElement(xml.SubElement(root, "resources"), "resource", identifier=name, type="imsqti_xmlv1p2")
    xml.SubElement(resource, "file", href=file)
    return root


def _item(section: xml.Element, title: str, question: Question) -> None:
    options = {_name(title, option.text): option for option in question.shuffled}
    item = xml.SubElement(section, "item", ident=_name(title, question.text), title=title)
    of_canvas = {
        "question_type": "multiple_choice_question",
        "points_possible": "1",
        "original_answer_ids": ",".join(options),
        "assessment_question_identifierref": _name("reference", title, question.text),
    }
    _fields(xml.SubElement(item, "itemmetadata"), of_canvas)
    presentation = xml.SubElement(item, "presentation")
    _material(presentation, question.text)
    response = xml.SubElement(presentation, "response_lid", ident=RESPONSE, rcardinality="Single")
    choices = xml.SubElement(response, "render_choice")
    for name, option in options.items():
        _material(xml.SubElement(choices, "response_label", ident=name), option.text)
    _processing(item, options)
    for name, option in options.items():
        feedback = xml.SubElement(item, "itemfeedback", ident=f"{name}_fb")
        _material(xml.SubElement(feedback, "flow_mat"), option.reply)


def _processing(item: xml.Element, options: dict[str, Option]) -> None:
    """The reply to each option, and then the points for the right one."""
    processing = xml.SubElement(item, "resprocessing")
    outcomes = xml.SubElement(processing, "outcomes")
    xml.SubElement(outcomes, "decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
    for name in options:
        reply = _condition(processing, name, goes_on="Yes")
        xml.SubElement(reply, "displayfeedback", feedbacktype="Response", linkrefid=f"{name}_fb")
    for name, option in options.items():
        if option.right:
            points = _condition(processing, name, goes_on="No")
            xml.SubElement(points, "setvar", action="Set", varname="SCORE").text = "100"


def _condition(processing: xml.Element, name: str, goes_on: str) -> xml.Element:
    condition = xml.SubElement(processing, "respcondition", {"continue": goes_on})
    chosen = xml.SubElement(condition, "conditionvar")
    xml.SubElement(chosen, "varequal", respident=RESPONSE).text = name
    return condition


def _fields(parent: xml.Element, entries: dict[str, str]) -> None:
    metadata = xml.SubElement(parent, "qtimetadata")
    for label, entry in entries.items():
        field = xml.SubElement(metadata, "qtimetadatafield")
        xml.SubElement(field, "fieldlabel").text = label
        xml.SubElement(field, "fieldentry").text = entry


def _material(parent: xml.Element, text: str) -> None:
    xml.SubElement(xml.SubElement(parent, "material"), "mattext", texttype="text/plain").text = _line(text)


def _line(text: str) -> str:
    return " ".join(plain(text).split())


def _name(*texts: str) -> str:
    """A name that XML allows, the same for the same texts."""
    return f"lab_{sha256(chr(0).join(texts).encode()).hexdigest()[:24]}"
