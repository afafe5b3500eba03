#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a text has the shape that its readers know: text_shape.py SHAPE TEXT.

A shape has a line for each line of the text, with what may repeat in front: '1' one such line, '?' one or none, '*' any
number, '+' at least one. The rest is a regular expression for the whole line, in which {int}, {fixed}, {real}, {word} and
{date} stand for themselves. '~' alone: explaining prose, up to forty lines; '>' alone: lines of our own, as many. A blank
line and one that begins with # say nothing. Trailing blanks of the text do not count.
"""

import re
import sys

PIECES = {"int": r"-?\d+", "fixed": r"-?\d+\.\d+", "real": r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?", "word": r"\S+",
          "date": r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}"}
OFTEN = {"1": "", "?": "?", "*": "*", "+": "+"}
FREE = r"(?:[^\n]*\n){0,40}?"


def shapes(text):
    """(line of the shape, its regular expression) for each of its lines."""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.strip() in "~>":
            yield line, FREE
            continue
        often, pattern = line.split(" ", 1) if " " in line else (line, "")
        for name, piece in PIECES.items():
            pattern = pattern.replace("{" + name + "}", piece)
        yield line, f"(?:{pattern} *\n){OFTEN[often]}"


def longest(parts, text):
    """How many shapes from the first on the text can begin with."""
    least, most = 0, len(parts)
    while least < most:
        middle = (least + most + 1) // 2
        if re.match("".join(pattern for _, pattern in parts[:middle]), text):
            least = middle
        else:
            most = middle - 1
    return least


def complaint(shape, text):
    """Empty if the text has that shape; else the first shape that is missed, and the line where it was looked for."""
    parts = list(shapes(shape))
    if re.fullmatch("".join(pattern for _, pattern in parts), text):
        return ""
    met = longest(parts, text)
    begin = re.match("".join(pattern for _, pattern in parts[:met]), text).end()
    number = text.count("\n", 0, begin) + 1
    found = text[begin:].split("\n", 1)[0]
    missed = parts[met][0] if met < len(parts) else "the end"
    return f"line {number}: expected '{missed}', found '{found}'"


def main():
    with open(sys.argv[1], encoding="utf-8") as shape, open(sys.argv[2], encoding="utf-8") as text:
        said = complaint(shape.read(), text.read())
    if said:
        sys.exit(f"{sys.argv[2]}: {said}")


if __name__ == "__main__":
    main()
