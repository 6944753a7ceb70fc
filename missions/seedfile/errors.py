"""What is wrong in a file, with the file, the mission and the key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails


@dataclass(frozen=True)
class SeedError:
    """One thing wrong in a file. ``mission`` is empty where none is concerned."""

    file: str
    mission: str
    key: str
    message: str

    def __str__(self) -> str:
        parts = [self.file]
        if self.mission:
            parts.append(f"mission {self.mission}")
        if self.key:
            parts.append(f"key {self.key}")
        return f"{', '.join(parts)}: {self.message}"


class SeedFileError(ValueError):
    """A file that cannot be used, with everything that is wrong in it."""

    def __init__(self, errors: Iterable[SeedError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in self.errors))


def syntax_error(file: str, text: str, message: str) -> SeedError:
    """Name the mission and the key around the line that is not TOML."""
    lines = text.splitlines()
    found = re.search(r"at line (\d+)", message)
    number = int(found[1]) if found else len(lines)
    mission = key = ""
    for line in lines[:number]:
        if re.match(r"\[\[missions\]\]", line):
            mission = ""
        slug = re.match(r"\s*slug\s*=\s*\"([^\"]*)\"", line)
        if slug:
            mission = slug[1]
        named = re.match(r"\s*(?:\[+([^\]]+)\]+|([\w.-]+)\s*=)", line)
        if named:
            key = named[1] or named[2]
    in_missions = any(line.startswith("[[missions]]") for line in lines[:number])
    return SeedError(file, mission if in_missions else "", key, f"not TOML: {message}")


def seed_error(
    file: str, model: type[BaseModel], data: Mapping[str, Any], detail: ErrorDetails
) -> SeedError:
    """An error of pydantic in the words of the file: its mission, its key."""
    path = list(_steps(model, detail["loc"]))
    mission = ""
    if len(path) > 1 and path[0][0] == "missions" and isinstance(path[1][0], int):
        mission = _mission_name(data, path[1][0])
        path = path[2:]
    key = "".join(
        f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part, _ in path
    ).lstrip(".")
    return SeedError(file, mission, key, _message(detail, model))


def _mission_name(data: Mapping[str, Any], index: int) -> str:
    mission = data["missions"][index]
    slug = mission.get("slug") if isinstance(mission, dict) else None
    return slug if isinstance(slug, str) and slug else f"number {index + 1}"


def _message(detail: ErrorDetails, model: type[BaseModel]) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "missing":
        return "missing"
    if kind == "extra_forbidden":
        allowed = _allowed_keys(model, detail["loc"][:-1])
        return f"unknown key; allowed are {', '.join(allowed)}"
    if kind == "union_tag_not_found":
        return "kind is missing"
    return (
        f"found {_shown(detail['input'])}, allowed is {_allowed(kind, context, detail)}"
    )


def _allowed(kind: str, context: Mapping[str, Any], detail: ErrorDetails) -> str:
    match kind:
        case "int_type" | "int_from_float":
            return "a whole number"
        case "string_type":
            return "a text"
        case "bool_type":
            return "true or false"
        case "list_type":
            return "a list"
        case "dict_type" | "model_type" | "model_attributes_type":
            return "a table"
        case "literal_error":
            return str(context["expected"])
        case "union_tag_invalid":
            return f"a kind of {context['expected_tags']}"
        case "greater_than_equal":
            return f"{context['ge']} or more"
        case "less_than_equal":
            return f"{context['le']} or less"
        case "too_short" | "string_too_short":
            return f"a length of {context['min_length']} or more"
        case "too_long" | "string_too_long":
            return f"a length of {context['max_length']} or less"
        case _:
            return detail["msg"]


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _steps(
    model: type[BaseModel], location: Iterable[int | str]
) -> Iterator[tuple[int | str, list[type[BaseModel]]]]:
    """The keys on the way to an error, each with the tables that may stand there.

    pydantic also names the kind that it chose for a requirement; that is no key.
    """
    tables = [model]
    for part in location:
        if part == "[key]":
            continue
        if isinstance(part, str) and len(tables) > 1:
            chosen = [table for table in tables if part in _kinds(table)]
            if chosen:
                tables = chosen
                continue
        if isinstance(part, str):
            fields = [
                field
                for table in tables
                for name, field in table.model_fields.items()
                if (field.alias or name) == part
            ]
            tables = [table for field in fields for table in _tables(field.annotation)]
        yield part, tables


def _allowed_keys(
    model: type[BaseModel], location: Iterable[int | str]
) -> tuple[str, ...]:
    location = tuple(location)
    tables = [[model], *(tables for _, tables in _steps(model, location))][-1]
    if len(tables) > 1:
        tables = [table for table in tables if location[-1] in _kinds(table)]
    return tuple(
        field.alias or name
        for table in tables
        for name, field in table.model_fields.items()
    )


def _kinds(table: type[BaseModel]) -> tuple[Any, ...]:
    field = table.model_fields.get("kind")
    return get_args(field.annotation) if field else ()


def _tables(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [table for part in get_args(annotation) for table in _tables(part)]
