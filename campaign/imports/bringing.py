"""Bringing a choir back to a file of its own: what differs, and making it so."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection, models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import recording, takeback
from campaign.errors import Refused
from campaign.imports.checking import ChoirFile
from campaign.imports.ids import NewIds, id_columns
from campaign.imports.writing import check_conditions
from campaign.journal import Change, action
from campaign.labels import model_word, models_word
from campaign.models import TRACKED, Choir, Entry, RowChange
from campaign.shared_box import check_box_free
from campaign.snapshot import Row, State, snapshot
from campaign.tracked import model_of, table_of

KEPT = ("box",)
"""Columns of the choir's own row that stay: they concern other choirs too."""


class Foreign(Refused):
    """The file is of another choir."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This file is of another choir. A choir goes back to its own files, to "
                "those of the choir that it was imported from, and to those of a choir "
                "that was imported from it."
            )
        )


@dataclass(frozen=True)
class Differing:
    """How many rows of one kind would come, go or change."""

    model: type[models.Model]
    come: int = 0
    go: int = 0
    change: int = 0

    @property
    def name(self) -> str:
        name = self.model._meta.model_name
        number = self.come + self.go + self.change
        return model_word(name) if number == 1 else models_word(name)


@action(gettext_lazy("brought the choir back to a file, as of entry {entry}"))
def choir_bring_back(change: Change, *, rows: State, entry: int) -> None:
    """Make every row of the choir as it is in ``rows``, which have its own ids.

    ``entry`` is the number up to which the file told. Nothing of the journal goes; the
    undo of this entry brings everything back as it was. The shared box stays, and what
    another choir of it holds is refused, as is what a constraint refuses.
    Source: docs/rules.md, Undo.
    """
    takeback.put_back(_net(change.choir.id, rows), change.entry)
    check_conditions(change.choir.id)
    if change.choir.box:
        check_box_free(change.choir, change.choir.box)
    change.say(entry=entry)


def rows_for(choir: Choir, file: ChoirFile) -> State:
    """The rows of a file by the ids of ``choir``, which it is of. A few queries.

    Raises ``Foreign`` for the file of another choir. A founding entry is named by the
    rule of imports, so it proves what was imported from what.
    """
    theirs = file.export.journal[0].id
    ours = Entry.objects.get(choir=choir, number=1).id.hex
    if file.export.choir == choir.id.hex:
        if theirs != ours:
            raise Foreign
        return _with_kept(choir, file.rows)
    of_parent = NewIds(file.export.choir, choir.id)
    if of_parent.of(theirs) == ours:
        return _with_kept(choir, _named(file.rows, of_parent))
    to_child = NewIds(choir.id.hex, uuid.UUID(file.export.choir))
    if to_child.of(ours) == theirs:
        back = {to_child.of(old): old for old in _own_ids(choir)}
        return _with_kept(choir, _named(file.rows, _Back(of_parent, back)))
    raise Foreign


def differing(choir: Choir, rows: State) -> list[Differing]:
    """What bringing the choir back to ``rows`` would do, by kind."""
    present = snapshot(choir.id)
    found = []
    for model in TRACKED:
        now, then = present[table_of(model)], rows[table_of(model)]
        each = Differing(
            model,
            come=len(then.keys() - now.keys()),
            go=len(now.keys() - then.keys()),
            change=sum(now[row] != then[row] for row in now.keys() & then.keys()),
        )
        if each.come or each.go or each.change:
            found.append(each)
    return found


class _Back(NewIds):
    """From the ids of a choir that was imported from this one to those of this one."""

    def __init__(self, others: NewIds, back: Mapping[str, str]):
        self._others, self._back = others, back

    def of(self, old: str) -> str:
        return self._back.get(old) or self._others.of(old)


def _own_ids(choir: Choir) -> set[str]:
    """Every id that the choir's rows have or had."""
    changes = RowChange.objects.filter(entry__choir=choir)
    ids = set(changes.order_by().values_list("row", flat=True).distinct())
    for table, rows in snapshot(choir.id).items():
        for row in rows.values():
            ids |= {row[column] for column in id_columns(model_of(table))}
    return ids - {None}


def _named(rows: State, ids: NewIds) -> State:
    named: State = {}
    for table, of_table in rows.items():
        made = [ids.row(model_of(table), row) for row in of_table.values()]
        named[table] = {row["id"]: row for row in made}
    return named


def _with_kept(choir: Choir, rows: State) -> State:
    present = snapshot(choir.id)[table_of(Choir)][choir.id.hex]
    own: Row = rows[table_of(Choir)][choir.id.hex]
    kept = {name: present[name] for name in KEPT}
    return {**rows, table_of(Choir): {choir.id.hex: {**own, **kept}}}


def _net(choir_id: uuid.UUID, rows: State) -> takeback.Net:
    """Each differing row as it shall be and as it is, in this database's letters."""
    present = snapshot(choir_id)
    net: takeback.Net = {}
    for model in TRACKED:
        table = table_of(model)
        now, then = present[table], rows[table]
        ids = sorted(i for i in now.keys() | then.keys() if now.get(i) != then.get(i))
        texts = [_texts(model, state, ids) for state in (then, now)]
        for row in ids:
            net[table, row] = (texts[0].get(row), texts[1].get(row))
    return net


def _texts(
    model: type[models.Model], state: Mapping[str, Row], ids: list[str]
) -> dict[str, str]:
    there = [row for row in ids if row in state]
    letters = recording.letters_of(connection, model, [state[row] for row in there])
    return dict(zip(there, letters, strict=True))
