"""What each column of a tracked row may hold, made from the models.

The same models check an import and make the published JSON Schema.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cache
from typing import Annotated, Any, Literal

from django.core import validators
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model
from pydantic_core import PydanticCustomError

from campaign.exports import Id
from campaign.imports.faults import OWN
from campaign.models import TRACKED
from campaign.tracked import fields_of, table_of
from missions import catalogue

YEARS = range(2, 9999)
"""A time zone moves a moment by a day at most, and there is none before the year 1."""

_INTEGERS = {
    "SmallIntegerField": (-(2**15), 2**15 - 1),
    "PositiveSmallIntegerField": (0, 2**15 - 1),
    "IntegerField": (-(2**31), 2**31 - 1),
    "PositiveIntegerField": (0, 2**31 - 1),
}
_MOMENT = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$"
_DATE = r"^\d{4}-\d{2}-\d{2}$"
_SAID_ELSEWHERE = (
    validators.MinValueValidator,
    validators.MaxValueValidator,
    validators.MaxLengthValidator,
    validators.RegexValidator,
    validators.ProhibitNullCharactersValidator,
)


@cache
def row_model(model: type[models.Model]) -> type[BaseModel]:
    """The pydantic model of a row: every column, and nothing else."""
    columns = {field.column: (_column(field), ...) for field in fields_of(model)}
    return create_model(
        model.__name__,
        __config__=ConfigDict(strict=True, extra="forbid"),
        __doc__=f"A row of {table_of(model)}.",
        **columns,
    )


@cache
def rows_model() -> type[BaseModel]:
    """The pydantic model of every row of a choir, by table."""
    return create_model(
        "Rows",
        __config__=ConfigDict(strict=True, extra="forbid"),
        __doc__="Every row of the choir by table, parents before children.",
        **{table_of(model): (list[row_model(model)], ...) for model in TRACKED},
    )


def _column(field: models.Field) -> Any:
    kind = _kind(field)
    return kind | None if field.null else kind


def _kind(field: models.Field) -> Any:
    match field.target_field if isinstance(field, models.ForeignKey) else field:
        case models.UUIDField():
            return Id
        case models.DateTimeField():
            return _text(_moment, pattern=_MOMENT, format="date-time")
        case models.DateField():
            return _text(_day, pattern=_DATE, format="date")
        case models.BooleanField():
            return bool
        case models.IntegerField():
            return _integer(field)
        case models.CharField() | models.TextField():
            return _words(field)
    raise TypeError(f"{field}: an import cannot check this kind of field.")


def _text(check: Callable[[str], str], *, pattern: str, format: str) -> Any:
    extra = {"format": format}
    return Annotated[
        str, Field(pattern=pattern, json_schema_extra=extra), AfterValidator(check)
    ]


def _integer(field: models.Field) -> Any:
    least, most = _INTEGERS[field.get_internal_type()]
    for check in field.validators:
        # What the database at hand can hold is among them, and is wider.
        if isinstance(check, validators.MinValueValidator):
            least = max(least, check.limit_value)
        elif isinstance(check, validators.MaxValueValidator):
            most = min(most, check.limit_value)
    if field.choices:
        values = sorted(value for value, _label in field.flatchoices)
        least, most = values[0], values[-1]
        if values != list(range(least, most + 1)):
            raise TypeError(f"{field}: an import needs choices without a gap.")
    return Annotated[int, Field(ge=least, le=most)]


def _words(field: models.Field) -> Any:
    told: dict[str, Any] = {"max_length": field.max_length}
    if not field.blank:
        told["min_length"] = 1
    checks = [_django(each) for each in _own_validators(field)]
    for each in field.validators:
        if isinstance(each, validators.RegexValidator):
            told["pattern"] = each.regex.pattern
    if field.choices:
        values = {value for value, _label in field.flatchoices}
        values |= {""} if field.blank else set()
        return Literal[tuple(sorted(values))]
    if field.name == "mission":
        checks.append(_mission)
    elif field.name == "time_zone":
        checks.append(_zone)
    return Annotated[str, Field(**told), *map(AfterValidator, checks)]


def _own_validators(field: models.Field) -> list[Callable[[Any], None]]:
    return [each for each in field.validators if not isinstance(each, _SAID_ELSEWHERE)]


def _django(check: Callable[[Any], None]) -> Callable[[str], str]:
    def run(text: str) -> str:
        if text:
            try:
                check(text)
            except ValidationError as error:
                raise _own(" ".join(error.messages)) from None
        return text

    return run


def _own(sentence: str) -> PydanticCustomError:
    return PydanticCustomError(OWN, "{sentence}", {"sentence": sentence})


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise _own(_("There is no such moment.")) from None
    if moment.year not in YEARS or moment.tzinfo is not UTC:
        raise _own(_("There is no such moment."))
    return text


def _day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise _own(_("There is no such day.")) from None
    if day.year not in YEARS:
        raise _own(_("There is no such day."))
    return text


def _mission(slug: str) -> str:
    if slug:
        try:
            catalogue.mission(slug)
        except catalogue.UnknownMission:
            raise _own(_("The books have no mission of this name.")) from None
    return slug


def _zone(name: str) -> str:
    if name not in _zones():
        raise _own(_("This computer knows no time zone of this name."))
    return name


@cache
def _zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
