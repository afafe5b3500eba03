#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the rooms of src, the folders of the program and the arrows between them, from the includes, into
docs/architecture.md.

usage: docs/draw_rooms.py [--check] [ROOT]

An arrow says: a source of this room includes a header of that one. An arrow from a lower room to a higher one, a circle, or one between
folders that must not know one another, ends with exit code 1 and the include that makes it. With --check nothing is
written; exit code 1 also where the picture is not the one that would be drawn.
"""

import argparse
import pathlib
import re
import sys

# From the top down. An arrow may lead only from a room to one that stands later.
ROOMS = ["apps", "report", "campaign", "formats", "foreign", "survey", "analysis", "suites", "measure", "machine", "mpi", "record",
         "stats", "fourier", "units"]

# Folders of apps/steelyard, in the same way; `main` are the sources beside them.
FOLDERS = ["main", "commands", "docs", "run", "screening", "imb", "beff", "beffio", "ftio", "hpcc", "measuring", "acceptance",
           "history", "exports", "input", "launch", "options", "process"]
PROGRAM = "apps/steelyard"

# Folders that do not know one another, but for those named behind them.
STRANGERS = {"src/suites": set(), "src/suites/hpcc": {"foundation", "blas", "input"}}

# A folder that stands on others: screening measures nodes with kernels that other suites have.
STANDS_ON = {"src/suites/screen": {"hpcc", "imb"}}

PAGE = "docs/architecture.md"
BEGIN = "<!-- drawn by docs/draw_rooms.py -->"
END = "<!-- end of what is drawn -->"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def sources(folder):
    return sorted(path for ending in ("hpp", "cpp", "h", "c") for path in folder.rglob(f"*.{ending}"))


def includes(root, path):
    """The files of the tree that a source includes, relative to the root."""
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for start in (path.parent, root / "src", root / PROGRAM):
            if (start / name).is_file():
                yield (start / name).resolve().relative_to(root)
                break


def room_of(path):
    return path.parts[1] if path.parts[0] == "src" else "apps"


def folder_of(path):
    """The folder of the program that a source is in; None for a source of src."""
    if not path.is_relative_to(PROGRAM):
        return None
    inside = path.relative_to(PROGRAM).parts
    return inside[0] if len(inside) > 1 else "main"


def find_arrows(root, start, place_of):
    """(from, to) -> one include that makes the arrow, as "FILE includes FILE"."""
    arrows = {}
    for path in (path for folder in start for path in sources(root / folder)):
        own = path.relative_to(root)
        for other in includes(root, path):
            here, there = place_of(own), place_of(other)
            if there is not None and here != there:
                arrows.setdefault((here, there), f"{own} includes {other}")
    return arrows


def upward(arrows, order):
    """What the arrows that lead up, from or to places that are not in the order say."""
    place = {room: i for i, room in enumerate(order)}
    for (here, there), include in sorted(arrows.items()):
        if here not in place or there not in place:
            yield f"{here} -> {there}: a room or folder that docs/draw_rooms.py does not list: {include}"
        elif place[here] >= place[there]:
            yield f"{here} -> {there} leads up: {include}"


def acquaintances(root):
    """The includes between folders that must not know one another."""
    for folder, open_to_all in STRANGERS.items():
        for path in sources(root / folder):
            own = path.relative_to(root / folder)
            for other in includes(root, path):
                if not other.is_relative_to(folder) or len(own.parts) < 2:
                    continue
                other = other.relative_to(folder)
                known = {own.parts[0], *open_to_all, *STANDS_ON.get(f"{folder}/{own.parts[0]}", ())}
                if len(other.parts) > 1 and other.parts[0] not in known:
                    yield f"{folder}/{own} includes {other}: folders of {folder} do not know one another"


def reachable(start, arrows):
    found, waiting = set(), [start]
    while waiting:
        here = waiting.pop()
        for there in (b for a, b in arrows if a == here and b not in found):
            found.add(there)
            waiting.append(there)
    return found


def needed(arrows):
    """The arrows that no way over other rooms replaces."""
    return [(a, b) for a, b in arrows
            if not any(b in reachable(c, arrows) for x, c in arrows if x == a and c != b)]


def picture(arrows, order, kind):
    """Mermaid text of the arrows that are needed, and a table of all of them."""
    ordered = sorted(arrows, key=lambda arrow: tuple(map(order.index, arrow)))
    lines = ["```mermaid", "flowchart TD"]
    lines += [f"  {a} --> {b}" for a, b in needed(ordered)]
    lines += ["```", "", f"| {kind} | includes headers of |", "|---|---|"]
    for room in order:
        lines.append(f"| `{room}` | {', '.join(b for a, b in ordered if a == room) or 'none'} |")
    return "\n".join(lines)


def drawn_into(page, text):
    before, rest = page.split(BEGIN + "\n", 1)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END, 1)[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; tell whether the picture is current")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    words = parser.parse_args()
    root = words.root.resolve()
    rooms = find_arrows(root, ["src", "apps"], room_of)
    folders = find_arrows(root, [PROGRAM], folder_of)
    faults = [*upward(rooms, ROOMS), *upward(folders, FOLDERS), *acquaintances(root)]
    if not faults:
        page = (root / PAGE).read_text(encoding="utf-8")
        text = picture(rooms, ROOMS, "room")
        if folders:
            text += f"\n\nThe folders of `{PROGRAM}`, in the same way:\n\n" + picture(folders, FOLDERS, "folder")
        drawn = drawn_into(page, text)
        if words.check and drawn != page:
            faults.append(f"{PAGE}: the picture of the rooms is not the one of today's includes: run docs/draw_rooms.py")
        elif drawn != page:
            (root / PAGE).write_text(drawn, encoding="utf-8")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
