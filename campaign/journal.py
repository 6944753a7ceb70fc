"""The one door through which a choir's rows are written.

An action is a function decorated with ``action``. Calling it opens one transaction,
locks the choir, runs the function and stores what changed as one ``Entry``::

    @action(_("added the saint {saint}"))
    def saint_add(change: Change, *, name: str) -> None:
        Saint.objects.create(choir=change.choir, name=name)
        change.say(saint=name)

    entry = saint_add(ask, name="Ophelia")

Who asks for what, and whether for the first time, is ``campaign.asking``; what happened
since a form was shown ``campaign.collisions``. The database records the rows itself,
while an entry is open (``campaign.triggers``).
The cost of a change, and of its undo, grows with the rows that it touches and not with
what the choir owns.

An action that finds everything as it should be writes no entry and raises
``Unchanged``: an entry without changes could not be undone and would tell nothing,
and the newest entry is somebody else's deed, not an answer to offer Undo for. A save
point is the one entry that is meant to change no row.
"""

from __future__ import annotations

import functools
import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign import adoption, recording, soundness, takeback
from campaign.asking import Actor, Ask, Repeated, body_digest
from campaign.asking import done_before as done_before
from campaign.collisions import check_not_ahead, check_not_too_late, refusals_told
from campaign.collisions import overtaken as overtaken
from campaign.errors import OutOfStep, Refused, Unchanged, Unsound
from campaign.labels import LABELS, SHOWN
from campaign.labels import sentence as sentence_of
from campaign.locking import digest_before, lock, newest_number
from campaign.models import Choir, Entry, GameNight, RowChange
from campaign.models.rows import NameField
from campaign.takeback import is_own_last as is_own_last
from campaign.takeback import undo_refusal as undo_refusal
from campaign.tracked import schema_id
from campaign.verification import ADOPT, digest_of, first_edited, told
from campaign.verification import verify as verify

OF_ARCHIVED = frozenset({"choir_archive", "choir_restore", "undo", "rewind", ADOPT})
"""What may be asked of an archived choir; all but the adoption must end that state."""

LISTENERS: list[Callable[[uuid.UUID], None]] = []
"""Called with the choir's id in the transaction of a change, when it is stored."""

MENDED: dict[uuid.UUID, list[dict[str, Any]]] = {}
"""What a migration that runs did to a choir's rows, until an entry tells it."""

LABELS |= {
    "undo": gettext_lazy("took back: {taken}"),
    "redo": gettext_lazy("did again: {taken}"),
    "rewind": gettext_lazy("went back to entry {back_to}"),
    "save_point": gettext_lazy("set the save point {save_point}"),
    "migration": gettext_lazy("moved to a new version of Choirbook"),
    "migration_mended": gettext_lazy(
        "moved to a new version of Choirbook, which mended: {mended}"
    ),
    ADOPT: gettext_lazy("adopted what was changed behind the journal: {adopted}"),
}
SHOWN["adopted"] = lambda rows: (
    ngettext("%(number)d row", "%(number)d rows", rows) % {"number": rows}
    if isinstance(rows, int)
    else str(rows)
)
SHOWN["taken"] = lambda entry: sentence_of(entry["action"], entry["details"])


@dataclass
class Change:
    """An open change: what an action works with."""

    choir: Choir
    entry: Entry
    at: datetime
    ask: Ask
    details: dict[str, Any] = field(default_factory=dict)

    def say(self, **details: Any) -> None:
        """Keep what the entry's sentence needs: names, slugs, numbers."""
        self.details.update(details)


def action(label: Any, *, founds: bool = False) -> Callable:
    """Make a function an action: it runs inside one journal entry.

    The function takes the open ``Change`` and keyword arguments; callers pass an
    ``Ask`` and get the ``Entry``. ``founds``: the choir is made by the action; the
    entry's own ``choir_id`` counts then, which the same key made the first time.
    An action cannot call another. Raises what ``change`` raises.
    """

    def decorate(run: Callable[..., None]) -> Callable[..., Entry]:
        LABELS[run.__name__] = label

        @functools.wraps(run)
        def call(ask: Ask, /, **arguments: Any) -> Entry:
            return _perform(
                ask,
                run.__name__,
                functools.partial(run, **arguments),
                body=body_digest(run.__name__, arguments),
                founds=founds,
            )

        return call

    return decorate


def undo(ask: Ask, entry_id: uuid.UUID, *, note: str = "") -> Entry:
    """Take an entry back by a new one. The undo of an undo does it again.

    With a ``note`` it is done although it adds what the rules do not allow, and the
    entry keeps the note. Raises ``Unsound`` for that without a note; ``Blocked``,
    naming the entries, while later standing ones touched the same rows or lean on them;
    ``OutOfStep`` when it was taken back already; ``Refused`` for a choir's founding, an
    entry of an older version and one that changed nothing.
    Source: docs/rules.md, Undo.
    """

    def run(opened: Change) -> None:
        entry = Entry.objects.filter(choir=opened.choir, id=entry_id).first()
        if entry is None:
            raise OutOfStep(_("That entry is not in this choir's journal."))
        recorded = list(entry.row_changes.order_by("id"))
        if refusal := takeback.obstacle(entry, recorded):
            raise refusal
        opened.entry.undoes = entry
        opened.entry.action = "redo" if entry.action == "undo" else "undo"
        opened.say(taken=takeback.deed(entry))
        is_newest = entry.number == opened.choir.revision
        _put_back(opened, recorded, note, since=entry.number, whole=not is_newest)

    body = body_digest("undo", {"entry": entry_id, "note": note})
    return _perform(ask, "undo", run, body=body, kind=Entry.Kind.UNDO)


def rewind(ask: Ask, to_number: int, *, note: str = "") -> Entry:
    """Take everything after entry ``to_number`` back, by one entry that can be undone.

    ``to_number`` is 1 up to the number before the newest; ``note`` as for ``undo``.
    Raises ``Unsound`` without one for what another choir of the box holds by now,
    ``Refused`` outside that range and across a new version of Choirbook.
    Source: docs/rules.md, Undo.
    """

    def run(opened: Change) -> None:
        if not 1 <= to_number < opened.choir.revision:
            raise Refused(_("Choose an entry that others follow."))
        later = Entry.objects.filter(choir=opened.choir, number__gt=to_number)
        if later.exclude(schema=schema_id()).exists() or (
            later.filter(kind=Entry.Kind.MIGRATION).exists()
        ):
            raise Refused(
                _("That was before a new version of Choirbook; going back ends there.")
            )
        entries = list(told(opened.choir.id, after=to_number))
        if edited := first_edited(entries):
            raise takeback.edited(edited)
        opened.entry.back_to = to_number
        opened.say(back_to=to_number)
        recorded = [change for _entry, made in entries for change in made]
        _put_back(opened, recorded, note, since=to_number, whole=False)

    body = body_digest("rewind", {"to": to_number, "note": note})
    return _perform(ask, "rewind", run, body=body, kind=Entry.Kind.REWIND)


def save_point(ask: Ask, name: str) -> Entry:
    """Name this moment, to come back to.

    ``name`` is a name as a saint's is. Raises ``Refused`` for another.

    Source: docs/rules.md, Undo.
    """

    def run(opened: Change) -> None:
        try:
            NameField().clean(name, None)
        except ValidationError as error:
            sentence = " ".join(error.messages)
            raise Refused(sentence, fields={"name": sentence}) from error
        opened.say(save_point=name)

    return _perform(
        ask,
        "save_point",
        run,
        body=body_digest("save_point", {"name": name}),
        kind=Entry.Kind.SAVE_POINT,
        may_be_empty=True,
    )


def adopt(ask: Ask, *, shown: str) -> Entry:
    """Take over what was changed behind the journal, as it is.

    ``shown`` is ``adoption.shown_as`` of the differences that were looked at. From then
    on the journal says what the rows say, and its chain holds; the undo of the adoption
    puts back what the journal had. Raises ``Unchanged`` when nothing differs,
    ``OutOfStep`` when something else does than what was shown.
    Source: docs/rules.md, Undo.
    """

    def run(opened: Change) -> None:
        found, named = adoption.take_over(opened.choir, opened.entry)
        if not found:
            raise Unchanged(
                _("Every row is as the journal says: there is nothing to adopt."),
                entry=opened.choir.entries.order_by("number").last(),
            )
        if adoption.shown_as(found) != shown:
            raise OutOfStep(
                _("Something else differs by now. Look at it again, then adopt it.")
            )
        opened.say(adopted=sum(each.is_row for each in found), named=named)

    return _perform(
        ask,
        ADOPT,
        run,
        body=body_digest(ADOPT, {"shown": shown}),
        kind=Entry.Kind.KEEPER,
        may_be_empty=True,
        mends=True,
    )


def note_migrations() -> None:
    """Write an entry into each choir whose newest one was made under other columns.

    And into each of which a migration mended rows. What a migration did to rows is not
    recorded: nothing before this entry can be undone any more, and the journal is
    checked from here on.
    """
    mended = dict(MENDED)
    MENDED.clear()
    newest = Entry.objects.filter(
        choir_id=models.OuterRef("id"), number=models.OuterRef("revision")
    )
    behind = Choir.objects.annotate(
        schema=models.Subquery(newest.values("schema")[:1])
    ).exclude(schema=schema_id())
    for choir_id in {*behind.values_list("id", flat=True), *mended}:
        note_migration(choir_id, mended.get(choir_id, ()))


def note_migration(choir_id: uuid.UUID, mended: Sequence[dict[str, Any]] = ()) -> None:
    """Write an entry that holds every row of a choir in the columns of today.

    ``mended`` says what the migration did to rows that were not as they have to be.
    """
    with change(
        Ask(choir_id, Actor(name=""), key=uuid.uuid4()),
        "migration_mended" if mended else "migration",
        kind=Entry.Kind.MIGRATION,
        may_be_empty=True,
    ) as opened:
        if mended:
            opened.say(mended=list(mended))
        recording.record_as_they_are(connection, opened.entry.id, choir_id)


@contextmanager
def change(
    ask: Ask,
    name: str,
    *,
    body: str = "",
    kind: str = Entry.Kind.ACTION,
    founds: bool = False,
    may_be_empty: bool = False,
    mends: bool = False,
) -> Iterator[Change]:
    """Open one change of a choir in a transaction and store it as an entry.

    ``mends``: it follows the newest entry there is, whatever the choir's revision says.

    Under the choir's lock: the key, then the body, then whether it came too late.
    Raises ``Repeated`` for a key that was used, ``Refused`` when it was used for
    something else or when the database's constraints refuse, ``Unchanged`` when no row
    changed, ``Collision`` when rows were touched after ``ask.seen`` (or the body
    refused and something happened since), ``Later`` when the database is busy, full or
    not there.
    """
    body = ask.body or body
    with refusals_told(ask), transaction.atomic():
        choir, at = lock(ask, founds=founds), timezone.now()
        newest = newest_number(choir) if mends else choir.revision
        previous = digest_before(ask, choir, body, newest=newest, founds=founds)
        check_not_ahead(ask, choir)
        entry = Entry(
            choir=choir,
            number=max(newest, choir.revision) + 1,
            at=at,
            kind=kind,
            action=name,
            actor=ask.actor.name,
            device=ask.actor.device,
            night=_open_night(choir),
            key=ask.key,
            body=body,
        )
        _open(entry)
        opened = Change(choir=choir, entry=entry, at=at, ask=ask)
        yield opened
        changes = list(entry.row_changes.order_by("id"))
        if not (changes or may_be_empty):
            raise Unchanged(
                _("There is nothing to change: it is so already."),
                entry=choir.entries.order_by("number").last(),
            )
        _store(opened, previous, changes)
        recording.close_entry(connection)


def _perform(
    ask: Ask, name: str, run: Callable[[Change], None], **options: Any
) -> Entry:
    try:
        with change(ask, name, **options) as opened:
            put_away = opened.choir.archived_at is not None
            if put_away and name not in OF_ARCHIVED:
                raise _is_archived()
            run(opened)
            if put_away and name != ADOPT and _still_archived(opened.choir):
                raise _is_archived()
    except Repeated as repeated:
        return repeated.entry
    return opened.entry


def _is_archived() -> OutOfStep:
    return OutOfStep(
        _("This choir is archived: nothing in it changes before its host restores it.")
    )


def _still_archived(choir: Choir) -> bool:
    return Choir.objects.filter(id=choir.id, archived_at__isnull=False).exists()


def _open(entry: Entry) -> None:
    try:
        recording.open_entry(connection, entry.id, entry.choir_id)
    except IntegrityError as error:
        raise RuntimeError(
            "An entry is open already: an action cannot call another."
        ) from error


def _open_night(choir: Choir) -> uuid.UUID | None:
    return (
        GameNight.objects.filter(choir_id=choir.id, is_open=True)
        .order_by()
        .values_list("id", flat=True)
        .first()
    )


def _store(opened: Change, previous: str, changes: list[RowChange]) -> None:
    choir, entry = opened.choir, opened.entry
    check_not_too_late(opened.ask, choir, entry)
    entry.details = json.loads(json.dumps(opened.details, cls=DjangoJSONEncoder))
    entry.schema = schema_id()
    entry.digest = digest_of(previous, entry, changes)
    entry.save(force_insert=True)
    Choir.objects.filter(id=choir.id).update(revision=entry.number)
    choir.revision = entry.number
    for listener in LISTENERS:
        listener(choir.id)


def _put_back(
    opened: Change,
    recorded: Sequence[RowChange],
    note: str,
    *,
    since: int,
    whole: bool,
) -> None:
    """Put rows back; refuse, or keep the note, where that breaks a rule anew."""
    changes = takeback.net(recorded)
    added = soundness.added_by(
        lambda: takeback.put_back(changes, opened.entry),
        opened.choir.id,
        since=since,
        whole=whole,
    )
    if not added:
        return
    if not note.strip():
        raise Unsound(
            _("What was done since leans on it, so the rules do not allow this."),
            violations=[each.words for each in added],
        )
    opened.say(against=note.strip())
