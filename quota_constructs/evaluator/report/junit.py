"""JUnit XML, which build servers show as tests."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from quota_constructs.printable import printable

TIME = "0"
"""How long a test took: said because readers expect it, and always the same because the same input makes the same."""


def encode_suite(cases: Iterable[ET.Element], *, run: str) -> bytes:
    """Return *cases* as the one suite of the command *run*; all of it is ASCII."""
    suite = ET.Element("testsuite")
    suite.extend(cases)
    totals = {
        "name": f"quota-constructs {run}",
        "tests": str(len(suite)),
        "failures": str(len(suite.findall("testcase/failure"))),
        "errors": "0",
        "skipped": str(len(suite.findall("testcase/skipped"))),
        "time": TIME,
    }
    suites = ET.Element("testsuites", totals)
    suite.attrib.update(totals)
    suites.append(suite)
    ET.indent(suites)
    encoded: bytes = ET.tostring(suites, encoding="us-ascii", xml_declaration=True)
    return encoded + b"\n"


def new_case(group: str, name: str) -> ET.Element:
    """Return a test that passes."""
    return ET.Element("testcase", {"classname": f"quota-constructs.{group}", "name": printable(name), "time": TIME})


def add_text(case: ET.Element, tag: str, lines: Iterable[str], **attributes: str) -> None:
    """Add to *case* what is to be said, without a character that XML does not allow."""
    safe = {name: printable(value) for name, value in attributes.items()}
    ET.SubElement(case, tag, safe).text = "\n".join(map(printable, lines))
