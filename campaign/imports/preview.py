"""What a file holds, in numbers and words, before anybody says yes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import models
from django.utils.translation import gettext as _

from campaign.imports.checking import ChoirFile
from campaign.models import ArchonDeck, Attempt, Card, GameNight, Player, Saint
from campaign.snapshot import Row
from campaign.tracked import table_of


@dataclass(frozen=True)
class Preview:
    """A choir as its file tells it. ``warnings`` are sentences."""

    name: str
    time_zone: str
    app: str
    entries: int
    newest: datetime
    saints: tuple[str, ...]
    retired: int
    players: int
    nights: int
    last_night: date | None
    won: int
    attempts: int
    cards: int
    decks: int
    warnings: tuple[str, ...]


def preview_of(file: ChoirFile, against: Sequence[str] = ()) -> Preview:
    """What importing the file would make. Asks no query.

    ``against`` are sentences about what the rules would not have let happen, as
    ``rehearse`` finds them.
    """
    saints = _present(file, Saint)
    nights = _rows(file, GameNight)
    attempts = _rows(file, Attempt)
    dates = [date.fromisoformat(night["date"]) for night in nights]
    active = [s for s in saints if s["status"] == Saint.Status.ACTIVE]
    won = {a["mission"] for a in attempts if a["outcome"] == Attempt.Outcome.WON}
    return Preview(
        name=file.export.name,
        time_zone=file.choir["time_zone"],
        app=file.export.app,
        entries=len(file.export.journal),
        newest=_newest(file),
        saints=tuple(s["name"] for s in sorted(active, key=_seat)),
        retired=len(saints) - len(active),
        players=len(_present(file, Player)),
        nights=len(nights),
        last_night=max(dates, default=None),
        won=len(won),
        attempts=len(attempts),
        cards=sum(card["copies"] for card in _present(file, Card)),
        decks=len(_present(file, ArchonDeck)),
        warnings=(*_warnings(file), *against),
    )


def _newest(file: ChoirFile) -> datetime:
    """When the last entry was made; of a journal with faults, when it was founded."""
    at = file.choir["founded_at"] if file.faults else file.export.journal[-1].at
    return datetime.fromisoformat(at)


def _rows(file: ChoirFile, model: type[models.Model]) -> Sequence[Row]:
    return list(file.rows[table_of(model)].values())


def _present(file: ChoirFile, model: type[models.Model]) -> Sequence[Row]:
    """The rows that are not archived."""
    return [row for row in _rows(file, model) if row["archived_at"] is None]


def _seat(saint: Row) -> tuple[int, str]:
    return saint["seat"] or 7, saint["name"]


def _warnings(file: ChoirFile) -> Iterator[str]:
    if file.is_older:
        yield _(
            "Choirbook %(version)s wrote this file. Its entries can be read here, but "
            "not taken back."
        ) % {"version": file.export.app}
    if file.choir["archived_at"]:
        yield _("This choir was archived when the file was made.")
    if file.choir["is_sample"]:
        yield _("This is a sample choir.")
    if file.choir["box"]:
        yield _("It shared its box with another choir. Here it shares it with none.")
    if any(night["is_open"] for night in _rows(file, GameNight)):
        yield _("A game night is open in it.")
