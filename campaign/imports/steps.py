"""What older exports lack: one step from the columns of a version to the next.

A version whose columns differ from those of the version before adds a step, with the
values that its migration gave to rows that were there. No step is ever changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaign.imports.reading import Fault, Unreadable, path
from campaign.snapshot import Row
from campaign.tracked import schema_id

Value = str | int | bool | None
Rows = dict[str, list[Row]]


@dataclass(frozen=True)
class Step:
    """From the columns of ``schema``, which ``version`` was the first to have, onward.

    ``columns`` are new ones and what each row gets there, ``tables`` new and empty.
    """

    version: str
    schema: str
    columns: Mapping[str, Mapping[str, Value]]
    tables: tuple[str, ...]


STEPS = (
    Step(
        version="0.1",
        schema="69ab51664233081679ce0ffbd226fd6bd383a1259a87a10de8442bd0885db315",
        columns={
            "campaign_choir": {"virtue_dice": 10, "box": None},
            "campaign_saint": {"is_king": False, "exchanged_for_id": None},
            "campaign_attempt": {"act": 1, "mind_dice": ""},
            "campaign_card": {"is_contract": False},
        },
        tables=(
            "campaign_discardpile",
            "campaign_zigguratdie",
            "campaign_decksize",
            "campaign_keyforgerules",
            "campaign_archondeck",
            "campaign_archonmatch",
            "campaign_archongame",
            "campaign_gameside",
            "campaign_chainbid",
        ),
    ),
)


def upgraded(rows: Rows, schema: str) -> Rows:
    """The rows in the columns of today, from those of ``schema``.

    Raises ``Unreadable`` for columns that no version had, or that a later one has.
    """
    if schema == schema_id():
        return rows
    known = [step.schema for step in STEPS]
    if schema not in known:
        raise Unreadable(
            [
                Fault(
                    _(
                        "This was written by a version of Choirbook that is newer, or "
                        "not known here. Update Choirbook, then import it again."
                    ),
                    "schema",
                )
            ]
        )
    for step in STEPS[known.index(schema) :]:
        rows = _taken(rows, step)
    return rows


def _taken(rows: Rows, step: Step) -> Rows:
    early = [
        Fault(_("An export of this version has nothing of this name here."), where)
        for where in _too_early(rows, step)
    ]
    if early:
        raise Unreadable(early)
    return {
        table: [row | step.columns.get(table, {}) for row in of_table]
        for table, of_table in rows.items()
    } | {table: [] for table in step.tables}


def _too_early(rows: Rows, step: Step) -> list[str]:
    found = [path(("rows", table)) for table in step.tables if table in rows]
    for table, columns in step.columns.items():
        for at, row in enumerate(rows.get(table, ())):
            found += [
                path(("rows", table, at, name)) for name in columns if name in row
            ]
    return found
