#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every line of the given files against the schema and against a strict copy of it that knows no other members.

usage: check_schema.py SCHEMA FILE...      exit 77 where the validator is not installed
"""
import copy
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: no Draft 2020-12 validator for Python; on Debian or Ubuntu: apt-get install python3-jsonschema")
    sys.exit(77)


def strict(schema):
    """The copy for our own tests: no stray member in a record or in the parts that have a fixed set of members."""
    closed = copy.deepcopy(schema)
    closed["unevaluatedProperties"] = False
    for name in ("statistics", "reason", "state"):
        closed["$defs"][name]["unevaluatedProperties"] = False
    point = closed["$defs"]["point_record"]["properties"]
    for name in ("schedule", "ranks", "check"):
        point[name]["unevaluatedProperties"] = False
    closed["$defs"]["run_record"]["properties"]["plan"]["unevaluatedProperties"] = False
    closed["$defs"]["summary_record"]["properties"]["inputs"]["unevaluatedProperties"] = False
    return closed


def distinct(lines):
    """One line of each shape: the same members with values of the same kind need no second look."""
    seen = {}
    for place, text in lines:
        seen.setdefault(shape(json.loads(text)), (place, text))
    return list(seen.values())


def shape(value):
    if isinstance(value, dict):
        return tuple((name, shape(member)) for name, member in value.items())
    if isinstance(value, list):
        return "list", len(value), shape(value[0]) if value else None
    return value if isinstance(value, str) and len(value) < 40 else type(value).__name__


def planted(line):
    """Wrong copies of a good point; each must be refused by the validator named."""
    def changed(change):
        record = copy.deepcopy(line)
        change(record)
        return record
    return [
        ("plain", changed(lambda r: r.pop("key"))),
        ("plain", changed(lambda r: r.update(status="great"))),
        ("plain", changed(lambda r: r["params"].update({"Bad Name": 1}))),
        ("plain", changed(lambda r: r["metrics"]["time_s"].update(ci=[1]))),
        ("plain", changed(lambda r: r["schedule"].update(sync="hope"))),
        ("plain", changed(lambda r: r.update(states=[{"visits": -1, "share": 2, "median": 0}]))),
        ("plain", changed(lambda r: r.update(seq=2**53))),
        ("strict", changed(lambda r: r.update(stray=1))),
        ("strict", changed(lambda r: r["metrics"]["time_s"].update(stray=1))),
        ("strict", changed(lambda r: r["schedule"].update(stray=1))),
    ]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validators = {"plain": Draft202012Validator(schema), "strict": Draft202012Validator(strict(schema))}
    lines = []
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            lines += [(f"{name}:{number}", text) for number, text in enumerate(file, 1)]
    chosen = distinct(lines)
    faults = 0
    measured = None
    for place, text in chosen:
        record = json.loads(text)
        if record["type"] == "point" and isinstance(record.get("metrics", {}).get("time_s"), dict):
            measured = record
        for kind, validator in validators.items():
            for error in validator.iter_errors(record):
                faults += 1
                print(f"{place}: {kind}: {error.json_path}: {error.message[:200]}")
    if measured is None:
        sys.exit("no measured point among the lines: nothing to plant faults in")
    for kind, record in planted(measured):
        if validators[kind].is_valid(record):
            faults += 1
            print(f"a planted fault was not found by the {kind} schema: {json.dumps(record)[:200]}")
    print(f"{len(chosen)} shapes of {len(lines)} lines checked, {faults} faults")
    return 1 if faults or not lines else 0


sys.exit(main())
