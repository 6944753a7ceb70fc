"""Read a TOML file of ``seeds/`` into the frozen values of ``rules.book``.

``docs/seeds.md`` describes every key. Nothing is coerced and no unknown key is let
through; all errors of a file are collected, each with the file, the mission and the
key. ``python -m missions.seedfile seeds/animus.toml`` prints them, or ``ok``.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from rules import book

BOOKS = ("animus", "damned", "dreamers", "serpents")
"""The four books, in the order of the box."""

BASE = "base"
RULES = "rules"


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


def _amount_table(value: object) -> object:
    """A plain number stands for a table with ``plus``."""
    if isinstance(value, bool) or not isinstance(value, int | dict):
        raise PydanticCustomError("amount", "a whole number or a table")
    return {"plus": value} if isinstance(value, int) else value


def _numbers(value: object) -> object:
    """A text such as ``1-6`` stands for the numbers from 1 to 6."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"([1-9]\d?)-([1-9]\d?)", value)
    if found is None or int(found[1]) >= int(found[2]):
        raise PydanticCustomError(
            "range", "a list of numbers or a rising range such as 1-6"
        )
    return list(range(int(found[1]), int(found[2]) + 1))


class _Seed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=False)


Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[list[Text], Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]
Act = Annotated[int, Field(ge=1, le=3)]
Lines = list[int]
Words = dict[str, str]
AllegianceName = Literal["appease", "oppose"]


class _Amount(_Seed):
    plus: Count = 0
    per_saint: Count = 0
    per_nexus: Count = 0
    divide: Annotated[int, Field(ge=1)] = 1
    by_saints: Annotated[list[Count], Field(min_length=6, max_length=6)] | None = None

    def built(self) -> book.Amount:
        return book.Amount(
            plus=self.plus,
            per_saint=self.per_saint,
            per_nexus=self.per_nexus,
            divide=self.divide,
            by_saints=tuple(self.by_saints or ()),
        )


AmountSeed = Annotated[_Amount, BeforeValidator(_amount_table)]


class _Conditional(_Seed):
    allegiance: AllegianceName | None = None
    act: Act | None = None

    def when(self) -> book.When:
        if self.allegiance is None and self.act is None:
            return book.ALWAYS
        allegiance = self.allegiance and book.Allegiance(self.allegiance)
        return book.When(allegiance=allegiance or None, act=self.act)


class _Structure(_Conditional):
    cards: Texts
    target: Text
    goal: Text
    source: Lines

    def built(self) -> book.Structure:
        return book.Structure(
            cards=tuple(self.cards),
            target=self.target,
            goal=self.goal,
            when=self.when(),
            source=tuple(self.source),
        )


class _Nexus(_Seed):
    name: Text
    location: Text
    min_saints: int = Field(alias="from")
    act: Act = 1
    copies: AmountSeed = _Amount(plus=1)

    def built(self) -> book.Nexus:
        return book.Nexus(
            name=self.name,
            location=self.location,
            min_saints=self.min_saints,
            act=self.act,
            copies=self.copies.built(),
        )


class _RegionDraw(_Seed):
    count: AmountSeed
    ordered: bool

    def built(self) -> book.RegionDraw:
        return book.RegionDraw(count=self.count.built(), ordered=self.ordered)


class _Foe(_Seed):
    name: str = ""
    archetypes: Annotated[list[int], BeforeValidator(_numbers)] = []
    source: Literal["mission", "sin"] = "mission"
    kind: Literal["true threat", "omen"] = "true threat"
    act: Act | None = None

    def built(self) -> book.Foe:
        return book.Foe(
            name=self.name,
            archetypes=tuple(self.archetypes),
            source=self.source,
            kind=self.kind,
            act=self.act,
        )


class _Minions(_Seed):
    A: list[_Foe] = []
    B: list[_Foe] = []
    C: list[_Foe] = []

    def built(self) -> Mapping[str, tuple[book.Foe, ...]]:
        lists = {"A": self.A, "B": self.B, "C": self.C}
        return MappingProxyType(
            {letter: _all(foes) for letter, foes in lists.items() if foes}
        )


class _Step(_Conditional):
    kind: Literal[tuple(kind.value for kind in book.StepKind)]
    cards: Text
    into: str = ""
    count: AmountSeed | None = None
    words: Words
    source: Lines

    def built(self) -> book.Step:
        return book.Step(
            kind=book.StepKind(self.kind),
            cards=self.cards,
            into=self.into,
            count=self.count and self.count.built(),
            words=_frozen(self.words),
            when=self.when(),
            source=tuple(self.source),
        )


class _Cue(_Conditional):
    kind: Literal[tuple(kind.value for kind in book.CueKind)]
    trigger: Words = {}
    who: Words = {}
    what: Words
    ordeal: str = ""
    source: Lines

    def built(self) -> book.Cue:
        return book.Cue(
            kind=book.CueKind(self.kind),
            trigger=_frozen(self.trigger),
            who=_frozen(self.who),
            what=_frozen(self.what),
            when=self.when(),
            source=tuple(self.source),
            topic=getattr(self, "topic", ""),
            ordeal=self.ordeal,
        )


class _ChapterCue(_Cue):
    topic: Text


class _Consequence(_Conditional):
    on: Literal[tuple(on.value for on in book.On)]
    kind: Literal[tuple(kind.value for kind in book.ConsequenceKind)]
    card: str = ""
    words: Words
    source: Lines

    def built(self) -> book.Consequence:
        return book.Consequence(
            kind=book.ConsequenceKind(self.kind),
            on=book.On(self.on),
            card=self.card,
            words=_frozen(self.words),
            when=self.when(),
            source=tuple(self.source),
        )


class _Completed(_Seed):
    kind: Literal["completed"]
    missions: Texts

    def built(self) -> book.Completed:
        return book.Completed(missions=tuple(self.missions))


class _Won(_Seed):
    kind: Literal["won"]
    missions: Texts

    def built(self) -> book.Won:
        return book.Won(missions=tuple(self.missions))


class _IrlTonight(_Seed):
    kind: Literal["irl-tonight"]

    def built(self) -> book.IrlTonight:
        return book.IrlTonight()


class _Secret(_Seed):
    kind: Literal["secret"]
    name: Text

    def built(self) -> book.Secret:
        return book.Secret(name=self.name)


class _NovemEachSaint(_Seed):
    kind: Literal["novem-each-saint"]

    def built(self) -> book.NovemEachSaint:
        return book.NovemEachSaint()


class _AdjacentWins(_Seed):
    kind: Literal["adjacent-wins"]
    ring: Annotated[list[Text], Field(min_length=3)]

    def built(self) -> book.AdjacentWins:
        return book.AdjacentWins(ring=tuple(self.ring))


RequirementSeed = Annotated[
    _Completed | _Won | _IrlTonight | _Secret | _NovemEachSaint | _AdjacentWins,
    Field(discriminator="kind"),
]


class _Place(_Seed):
    x: int
    y: int
    width: int
    height: int
    title: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=16)]], Field(min_length=1)
    ]
    over: str = ""

    def built(self) -> book.Place:
        return book.Place(
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            title=tuple(self.title),
            over=self.over,
        )


class _Mission(_Seed):
    slug: Text
    title: Text
    group: Literal[tuple(group.value for group in book.Group)]
    source: Lines
    allegiance: Literal["chosen", "majority", ""] = ""
    roll: bool = False
    time_travel: bool = False
    ordeal: str = ""
    novem_contract: str = ""
    novem: str = ""
    requires: list[RequirementSeed] = []
    requires_source: Lines = []
    structures: Annotated[list[_Structure], Field(min_length=1)]
    nexuses: list[_Nexus] = []
    nexus_source: Lines
    region: _RegionDraw | None = None
    nexus_count: AmountSeed | None = None
    masters: list[_Foe] = []
    minions: _Minions = _Minions()
    foe_source: Lines
    setup: list[_Step] = []
    cues: list[_Cue] = []
    consequences: list[_Consequence] = []
    place: _Place

    def built(self, chapter: str) -> book.Mission:
        return book.Mission(
            slug=self.slug,
            title=self.title,
            chapter=chapter,
            group=book.Group(self.group),
            requires=_all(self.requires),
            requires_source=tuple(self.requires_source),
            structures=_all(self.structures),
            nexuses=_all(self.nexuses),
            region=self.region and self.region.built(),
            nexus_count=self.nexus_count and self.nexus_count.built(),
            nexus_source=tuple(self.nexus_source),
            setup=_all(self.setup),
            masters=_all(self.masters),
            minions=self.minions.built(),
            foe_source=tuple(self.foe_source),
            ordeal=self.ordeal,
            novem_contract=self.novem_contract,
            novem=self.novem,
            allegiance=self.allegiance,
            time_travel=self.time_travel,
            roll=self.roll,
            consequences=_all(self.consequences),
            cues=_all(self.cues),
            place=self.place.built(),
            source=tuple(self.source),
        )


class _Sin(_Seed):
    face: int
    name: Text
    master: Text
    minion: Text
    source: Lines

    def built(self) -> book.Sin:
        return book.Sin(
            face=self.face,
            name=self.name,
            master=self.master,
            minion=self.minion,
            source=tuple(self.source),
        )


class _Region(_Seed):
    face: int
    part: Text
    name: Text
    nexuses: Texts
    source: Lines

    def built(self) -> book.Region:
        return book.Region(
            face=self.face,
            part=self.part,
            name=self.name,
            nexuses=tuple(self.nexuses),
            source=tuple(self.source),
        )


class _ClockRule(_Seed):
    totals: Annotated[list[Annotated[int, Field(ge=2, le=12)]], Field(min_length=1)]
    hope: Count
    doom: Count
    source: Lines

    def built(self) -> book.ClockRule:
        return book.ClockRule(
            totals=tuple(self.totals),
            hope=self.hope,
            doom=self.doom,
            source=tuple(self.source),
        )


class _Chapter(_Seed):
    slug: Literal[BOOKS]
    title: Text
    border: Text
    unstash: Text
    total: Count
    summary: Words
    source: Lines
    components: dict[str, Count]
    cues: list[_ChapterCue] = []
    consequences: list[_Consequence] = []
    sins: list[_Sin] = []
    regions: list[_Region] = []
    clock: list[_ClockRule] = []

    def sin_city(self) -> book.SinCity | None:
        if not (self.sins or self.regions or self.clock):
            return None
        return book.SinCity(
            sins=_all(self.sins), regions=_all(self.regions), clock=_all(self.clock)
        )


class _Book(_Seed):
    chapter: _Chapter
    missions: list[_Mission]

    def built(self) -> book.Chapter:
        chapter = self.chapter
        return book.Chapter(
            slug=chapter.slug,
            title=chapter.title,
            border=chapter.border,
            unstash=chapter.unstash,
            components=MappingProxyType(dict(chapter.components)),
            total=chapter.total,
            summary=_frozen(chapter.summary),
            cues=_all(chapter.cues),
            consequences=_all(chapter.consequences),
            missions=tuple(mission.built(chapter.slug) for mission in self.missions),
            sin_city=chapter.sin_city(),
            source=tuple(chapter.source),
        )


class _Supplement(_Seed):
    components: dict[str, Count]
    source: Lines

    def built(self) -> book.Supplement:
        return book.Supplement(
            components=MappingProxyType(dict(self.components)),
            source=tuple(self.source),
        )


class _Base(_Seed):
    supplement: _Supplement

    def built(self) -> book.Supplement:
        return self.supplement.built()


class _Rule(_Seed):
    id: Text
    book: Literal[(*BOOKS, "all", "keyforge")]
    topic: Text
    question: bool = False
    title: Words
    text: Words
    points: list[Words] = []
    every: bool = False
    groups: list[Literal[tuple(group.value for group in book.Group)]] = []
    missions: list[Text] = []
    see: list[Text] = []
    source: Lines = []
    sections: list[Text] = []

    def built(self) -> book.Rule:
        return book.Rule(
            id=self.id,
            book=self.book,
            topic=self.topic,
            question=self.question,
            title=_frozen(self.title),
            text=_frozen(self.text),
            points=tuple(_frozen(point) for point in self.points),
            every=self.every,
            groups=tuple(book.Group(group) for group in self.groups),
            missions=tuple(self.missions),
            see=tuple(self.see),
            source=tuple(self.source),
            sections=tuple(self.sections),
        )


class _Rules(_Seed):
    rules: Annotated[list[_Rule], Field(min_length=1)]

    def built(self) -> tuple[book.Rule, ...]:
        return _all(self.rules)


def read_chapter(path: Path) -> book.Chapter:
    """The book that a file describes.

    Raises ``SeedFileError`` with every error of the file (``docs/seeds.md``).
    """
    return _read(path, _Book)


def read_supplement(path: Path) -> book.Supplement:
    """What the box adds to the base set, from ``base.toml``.

    Raises ``SeedFileError`` with every error of the file (``docs/seeds.md``).
    """
    return _read(path, _Base)


def read_rules(path: Path) -> tuple[book.Rule, ...]:
    """The rules that are looked up at the table, from ``rules.toml``.

    Raises ``SeedFileError`` with every error of the file (``docs/seeds.md``).
    """
    return _read(path, _Rules)


READERS = {BASE: read_supplement, RULES: read_rules}
"""How the files that are no book are read, by the name of the file."""


def _read(path: Path, model: type[_Book | _Base | _Rules]) -> Any:
    name = f"{path.parent.name}/{path.name}"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SeedFileError(
            [SeedError(name, "", "", f"cannot be read as UTF-8 text: {error}")]
        ) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SeedFileError([_syntax_error(name, text, str(error))]) from error
    try:
        return model.model_validate(data).built()
    except ValidationError as error:
        raise SeedFileError(
            _seed_error(name, model, data, detail) for detail in error.errors()
        ) from error


def _syntax_error(file: str, text: str, message: str) -> SeedError:
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


def _seed_error(
    file: str, model: type[BaseModel], data: Mapping[str, Any], detail: ErrorDetails
) -> SeedError:
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


def _all(seeds: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(seed.built() for seed in seeds)


def _frozen(words: Mapping[str, str]) -> book.Words:
    return MappingProxyType(dict(words))


def main(arguments: list[str]) -> int:
    """Print ``ok`` or each error of the named files; 1 when there is an error."""
    status = 0
    for argument in arguments:
        path = Path(argument).absolute()
        read = READERS.get(path.stem, read_chapter)
        try:
            read(path)
        except SeedFileError as error:
            sys.stdout.write(f"{error}\n")
            status = 1
        else:
            sys.stdout.write(f"{path.name}: ok\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
