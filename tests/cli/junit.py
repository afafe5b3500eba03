# SPDX-License-Identifier: Apache-2.0
"""JUnit XML as servers read it: which elements hold which, what they must say, counts that are true."""

import re
import xml.etree.ElementTree as xml

TIME = re.compile(r"\d+(\.\d+)?")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?")
COUNTS = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
OUTCOMES = ("skipped", "error", "failure")
# Of each element: what it must say, what it may say, and what it may hold in this order.
RULES = {
    "testsuites": (["tests", "failures", "errors"], ["name", "time", "skipped", "disabled", "assertions", "timestamp"], ["testsuite"]),
    "testsuite": (
        ["name", "tests", "failures", "errors", "skipped", "time"],
        ["timestamp", "hostname", "id", "package", "disabled", "assertions", "file"],
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "properties": ([], [], ["property"]),
    "property": (["name", "value"], [], []),
    "testcase": (
        ["classname", "name", "time"],
        ["assertions", "status", "file", "line"],
        ["properties", *OUTCOMES, "system-out", "system-err"],
    ),
    "skipped": ([], ["message"], []),
    "failure": (["message", "type"], [], []),
    "error": (["message", "type"], [], []),
    "system-out": ([], [], []),
    "system-err": ([], [], []),
}
ONCE = ("properties", *OUTCOMES, "system-out", "system-err")


def faults_of_attributes(element):
    must, may, _ = RULES[element.tag]
    yield from (f"{element.tag} lacks {name}" for name in must if not element.get(name))
    yield from (f"{element.tag} has {name}" for name in element.keys() if name not in must + may)
    for name, form in (("time", TIME), ("timestamp", STAMP)):
        if element.get(name) and not form.fullmatch(element.get(name)):
            yield f"{name} of {element.tag} is {element.get(name)}"


def faults_of_children(element):
    order = RULES[element.tag][2]
    tags = [child.tag for child in element]
    strange = [tag for tag in tags if tag not in order]
    yield from (f"{element.tag} holds {tag}" for tag in strange)
    if not strange and [order.index(tag) for tag in tags] != sorted(order.index(tag) for tag in tags):
        yield f"{element.tag} holds {', '.join(tags)} in that order"
    yield from (f"{element.tag} holds several {tag}" for tag in ONCE if tags.count(tag) > 1)
    if sum(tag in OUTCOMES for tag in tags) > 1:
        yield f"{element.tag} holds several outcomes"


def faults_of_counts(element):
    for name, tag in COUNTS.items():
        held = sum(1 for _ in element.iter(tag))
        if element.get(name) is not None and element.get(name) != str(held):
            yield f"{element.tag} says {name} {element.get(name)} and holds {held}"


def faults(text):
    """What is not as it should be, a sentence each."""
    root = xml.fromstring(text)
    if root.tag != "testsuites":
        return [f"the root is {root.tag}"]
    found = []
    for element in root.iter():
        if element.tag not in RULES:
            continue  # whoever holds it has a fault
        found += [*faults_of_attributes(element), *faults_of_children(element)]
        if element.tag in ("testsuites", "testsuite"):
            found += faults_of_counts(element)
    return found
