"""Checks a spec by job.schema.json: the part of JSON Schema that zod writes for it, and the rules beside it."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import Any, Iterator

from .failure import USAGE, Failure

SCHEMA_FILE = Path(__file__).with_name("job.schema.json")

# A schema that uses another word must not pass unread.
KNOWN = {
    "$schema", "x-rules", "type", "const", "pattern", "anyOf", "oneOf", "maxLength", "minLength", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum", "prefixItems", "items", "minItems", "maxItems",
    "required", "additionalProperties", "properties",
}  # fmt: skip


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": is_number,
    # JSON knows one kind of number: 1.0 is an integer too.
    "integer": lambda value: is_number(value) and float(value).is_integer(),
}


def same(a: Any, b: Any) -> bool:
    """Equal as JSON is: true is not 1, but 1.0 is."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def faults(value: Any, schema: dict[str, Any], at: str = "") -> Iterator[str]:
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"job.schema.json uses {sorted(unknown)}, which this checker does not know")
    where = at or "the spec"
    kind = schema.get("type")
    if kind and not TYPES[kind](value):
        yield f"{where} must be of type {kind}"
        return
    if "const" in schema and not same(value, schema["const"]):
        yield f"{where} must be {json.dumps(schema['const'])}"
    if "enum" in schema and not any(same(value, one) for one in schema["enum"]):
        yield f"{where} must be one of {', '.join(map(str, schema['enum']))}"
    if is_number(value):
        yield from number_faults(value, schema, where)
    if isinstance(value, str):
        yield from text_faults(value, schema, where)
    if isinstance(value, list):
        yield from list_faults(value, schema, at, where)
    if isinstance(value, dict):
        yield from object_faults(value, schema, at, where)
    for word in ("anyOf", "oneOf"):
        if word in schema:
            yield from choice_faults(value, schema[word], at, where)


def number_faults(value: float, schema: dict[str, Any], where: str) -> Iterator[str]:
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where} must be at least {schema['minimum']}"
    if "maximum" in schema and value > schema["maximum"]:
        yield f"{where} must be at most {schema['maximum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        yield f"{where} must be more than {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        yield f"{where} must be less than {schema['exclusiveMaximum']}"
    if "multipleOf" in schema and value % schema["multipleOf"]:
        yield f"{where} must be a multiple of {schema['multipleOf']}"


def text_faults(value: str, schema: dict[str, Any], where: str) -> Iterator[str]:
    # `$` of Python also stands before a last newline; that of JavaScript does not.
    if "pattern" in schema and not re.search(re.sub(r"\$$", r"\\Z", schema["pattern"]), value):
        yield f"{where} must match {schema['pattern']}"
    # Zod counts as JavaScript does, in units of UTF-16.
    length = len(value.encode("utf-16-le", "surrogatepass")) // 2
    if length < schema.get("minLength", 0):
        yield f"{where} must have at least {schema['minLength']} characters"
    if length > schema.get("maxLength", length):
        yield f"{where} must have at most {schema['maxLength']} characters"


def list_faults(value: list[Any], schema: dict[str, Any], at: str, where: str) -> Iterator[str]:
    first = schema.get("prefixItems", [])
    if len(value) < schema.get("minItems", len(first)):
        yield f"{where} must have at least {schema.get('minItems', len(first))} entries"
    if len(value) > schema.get("maxItems", len(first) if first else len(value)):
        yield f"{where} must have at most {schema.get('maxItems', len(first))} entries"
    for index, entry in enumerate(value):
        part = first[index] if index < len(first) else schema.get("items")
        if isinstance(part, dict):
            yield from faults(entry, part, f"{at}[{index}]")


def object_faults(value: dict[str, Any], schema: dict[str, Any], at: str, where: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{where} has no field {name}"
    for name, entry in value.items():
        inner = f"{at}.{name}" if at else name
        if name in known:
            yield from faults(entry, known[name], inner)
        elif schema.get("additionalProperties") is False:
            yield f"{inner} is not a field of the spec"


def choice_faults(value: Any, choices: list[dict[str, Any]], at: str, where: str) -> Iterator[str]:
    found = [list(faults(value, choice, at)) for choice in choices]
    if any(not one for one in found):
        return
    # The choice whose name (method, attack, kind) was meant says what is wrong with it.
    meant = [one for one, choice in zip(found, choices) if names(choice) and all(
        isinstance(value, dict) and same(value.get(key), const) for key, const in names(choice).items()
    )]  # fmt: skip
    if meant:
        yield from meant[0]
    else:
        yield f"{where} is none of the kinds it may be"


def names(choice: dict[str, Any]) -> dict[str, Any]:
    return {key: part["const"] for key, part in choice.get("properties", {}).items() if "const" in part}


def meet(value: Any, pattern: list[str], at: str = "") -> Iterator[tuple[str, Any]]:
    if not pattern:
        yield at, value
    elif pattern[0] == "*":
        for index, entry in enumerate(value if isinstance(value, list) else []):
            yield from meet(entry, pattern[1:], f"{at}[{index}]")
    elif isinstance(value, dict) and pattern[0] in value:
        yield from meet(value[pattern[0]], pattern[1:], f"{at}.{pattern[0]}" if at else pattern[0])


def broken_rules(spec: Any, rules: list[dict[str, Any]]) -> Iterator[str]:
    def has(values: list[Any], value: Any) -> bool:
        return any(same(one, value) for one in values)

    for rule in rules:
        applies = all(
            any(has(values, value) for _, value in meet(spec, pattern.split(".")))
            for pattern, values in rule["when"].items()
        )
        if not applies:
            continue
        for at, value in meet(spec, rule["path"].split(".")):
            if not has(rule["is"], value) if "is" in rule else has(rule["not"], value):
                yield f"{at}: {rule['message']}"


def spec_faults(spec: Any) -> list[str]:
    schema = json.loads(SCHEMA_FILE.read_text("utf-8"))
    found = list(faults(spec, schema))
    # Rules are about values that have the right type.
    return found or list(broken_rules(spec, schema["x-rules"]))


def refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def read_spec(path: Path) -> dict[str, Any]:
    try:
        spec = json.loads(path.read_text("utf-8"), parse_constant=refuse_constant)
    except FileNotFoundError:
        raise Failure(USAGE, "spec-missing", "There is no job.json in the job directory.") from None
    except ValueError as error:
        raise Failure(USAGE, "spec-invalid", f"job.json is not JSON: {error}") from None
    found = spec_faults(spec)
    if found:
        raise Failure(USAGE, "spec-invalid", "job.json is not usable: " + "; ".join(found[:10]) + ".", faults=found)
    return spec


if __name__ == "__main__":
    # A list of specs in, a list of their faults out: how the tests hold this checker against the platform's.
    print(json.dumps([spec_faults(spec) for spec in json.load(sys.stdin)]))
