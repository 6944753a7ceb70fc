"""The one door through which a choir's rows are written.

An action is a function decorated with ``action``. Calling it opens one transaction,
locks the choir, runs the function and stores what changed as one ``Entry``::

    @action(_("added the saint {saint}"))
    def saint_add(change: Change, *, name: str) -> None:
        Saint.objects.create(choir=change.choir, name=name)
        change.say(saint=name)

    entry = saint_add(ask, name="Ophelia")

The database records the rows itself, while an entry is open (``campaign.triggers``).
The cost of a change, and of its undo, grows with the rows that it touches and not with
what the choir owns.

An action that finds everything as it should be writes no entry and raises
``Unchanged``: an entry without changes could not be undone and would tell nothing,
and the newest entry is somebody else's deed, not an answer to offer Undo for. A save
point is the one entry that is meant to change no row.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import json
import uuid
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import Error, IntegrityError, connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign import adoption, recording, soundness, takeback
from campaign.errors import Collision, OutOfStep, Refused, Unchanged, Unsound
from campaign.labels import LABELS, SHOWN
from campaign.labels import sentence as sentence_of
from campaign.models import Choir, Entry, GameNight, RowChange
from campaign.models.rows import NameField
from campaign.tracked import schema_id
from campaign.verification import ADOPT, digest_of, first_edited, told
from campaign.verification import verify as verify
from campaign.violations import refusal_of

SINCE_SHOWN = 20
"""The most entries that a collision names."""

OF_ARCHIVED = frozenset({"choir_archive", "choir_restore", "undo", "rewind", ADOPT})
"""What may be asked of an archived choir; all but the adoption must end that state."""

LISTENERS: list[Callable[[uuid.UUID], None]] = []
"""Called with the choir's id in the transaction of a change, when it is stored."""

LABELS |= {
    "undo": gettext_lazy("took back: {taken}"),
    "redo": gettext_lazy("did again: {taken}"),
    "rewind": gettext_lazy("went back to entry {back_to}"),
    "save_point": gettext_lazy("set the save point {save_point}"),
    "migration": gettext_lazy("moved to a new version of Choirbook"),
    ADOPT: gettext_lazy("adopted what was changed behind the journal: {adopted}"),
}
SHOWN["adopted"] = lambda rows: (
    ngettext("%(number)d row", "%(number)d rows", rows) % {"number": rows}
    if isinstance(rows, int)
    else str(rows)
)
SHOWN["taken"] = lambda entry: sentence_of(entry["action"], entry["details"])


@dataclass(frozen=True)
class Actor:
    """Who acts, as the journal shows it, and on which device."""

    name: str
    device: uuid.UUID | None = None


@dataclass(frozen=True)
class Ask:
    """A request to change a choir.

    ``key`` was made by the server for the form; the same key again answers as the
    first time. ``seen`` is the revision that the form showed, or None for a change
    that commutes with any other. ``body`` is a digest of what the form sent, which
    tells a repeat from another request; "" where the arguments of the action do.
    """

    choir_id: uuid.UUID
    actor: Actor
    key: uuid.UUID
    seen: int | None = None
    body: str = ""


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


class Repeated(Exception):
    """The key was used before, for the same request: ``entry`` is what it made."""

    def __init__(self, entry: Entry):
        super().__init__(str(entry))
        self.entry = entry


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
        opened.say(taken=_taken(entry))
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


def undo_refusal(entry: Entry) -> Refused | None:
    """Why the entry cannot be undone as things stand, or None. A few queries."""
    return takeback.obstacle(entry, list(entry.row_changes.order_by("id")))


def done_before(ask: Ask) -> Entry | None:
    """The entry that this very request made before; None when it is a new one.

    Raises ``Refused`` when its key was used for something else.
    """
    entry = Entry.objects.filter(key=ask.key, choir_id=ask.choir_id).first()
    if entry is not None and entry.body != ask.body:
        raise _used()
    return entry


def overtaken(ask: Ask) -> Collision | None:
    """The refusal of a form that does not fit any more; None without later entries.

    For what was there to choose when the form was shown and is not any more.
    """
    if ask.seen is None or not (since := _since(ask)[:SINCE_SHOWN]):
        return None
    return Collision(
        _("What you chose from is not as it was when you opened this."), entries=since
    )


def is_own_last(entry: Entry, device: uuid.UUID) -> bool:
    """Whether this is the device's last deed that stands: a player may undo that.

    What the device did later and took back does not count, nor does a save point.
    """
    if entry.device != device:
        return False
    since = takeback.taken_back(entry.choir_id, after=entry.number)
    later = Entry.objects.filter(
        choir_id=entry.choir_id, number__gt=entry.number, device=device
    ).exclude(kind=Entry.Kind.SAVE_POINT)
    return since.by(entry) is None and not any(
        takeback.stands_over(entry, other, since)
        for other in later.select_related("undoes")
    )


def note_migrations() -> None:
    """Write an entry into each choir whose newest one was made under other columns.

    What a migration did to rows is not recorded: nothing before this entry can be
    undone any more, and the journal is checked from here on.
    """
    newest = Entry.objects.filter(
        choir_id=models.OuterRef("id"), number=models.OuterRef("revision")
    )
    behind = Choir.objects.annotate(
        schema=models.Subquery(newest.values("schema")[:1])
    ).exclude(schema=schema_id())
    for choir_id in behind.values_list("id", flat=True):
        note_migration(choir_id)


def note_migration(choir_id: uuid.UUID) -> None:
    """Write an entry that holds every row of a choir in the columns of today."""
    with change(
        Ask(choir_id, Actor(name=""), key=uuid.uuid4()),
        "migration",
        kind=Entry.Kind.MIGRATION,
        may_be_empty=True,
    ) as opened:
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
    with _refusals(ask), transaction.atomic():
        choir, at = _locked(ask, founds=founds), timezone.now()
        newest = _newest_number(choir) if mends else choir.revision
        previous = _previous(ask, choir, body, newest=newest, founds=founds)
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


def body_digest(name: str, arguments: dict[str, Any]) -> str:
    """A digest of what was asked for, to tell a repeat from another request."""

    def plain(value: Any) -> Any:
        match value:
            case models.Model():
                return str(value.pk)
            case models.QuerySet():
                return [str(row.pk) for row in value]
            case enum.Enum():
                return value.value
            case Set():
                return sorted(map(str, value))
        if dataclasses.is_dataclass(value):
            return dataclasses.asdict(value)
        return DjangoJSONEncoder().default(value)

    text = json.dumps([name, arguments], default=plain, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


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


@contextmanager
def _refusals(ask: Ask) -> Iterator[None]:
    """Turn what the database refuses into sentences; say what happened since."""
    try:
        yield
    except Error as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise _with_what_happened(ask, refusal) from error
    except Refused as refusal:
        told = _with_what_happened(ask, refusal)
        if told is refusal:
            raise
        raise told from refusal


def _with_what_happened(ask: Ask, refusal: Refused) -> Refused:
    """A refusal of a stale form says who did what since, in the same words."""
    if ask.seen is None or refusal.status not in {409, 422}:
        return refusal
    if isinstance(refusal, Unchanged) or hasattr(refusal, "entries"):
        return refusal
    since = _since(ask)[:SINCE_SHOWN]
    if not since:
        return refusal
    return Collision(refusal.message, entries=since, fields=refusal.fields)


def _since(ask: Ask) -> models.QuerySet[Entry]:
    """What happened after the form was shown, the newest first."""
    return Entry.objects.filter(
        choir_id=ask.choir_id, number__gt=ask.seen or 0
    ).order_by("-number")


def _locked(ask: Ask, *, founds: bool) -> Choir:
    """The choir, locked until the transaction ends; a new one when it is founded."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{settings.LOCK_SECONDS}s'")
            if founds:
                # There is no row as yet to lock: the same form sent twice waits here.
                cursor.execute(
                    "SELECT pg_advisory_xact_lock(%s)", [ask.key.int % 2**63]
                )
    if founds:
        return Choir(id=ask.choir_id, founded_at=timezone.now())
    # References to the choir, such as a new membership's, need not wait.
    choir = Choir.objects.select_for_update(no_key=True).filter(id=ask.choir_id).first()
    if choir is None:
        raise OutOfStep(_("That choir is not here any more."))
    return choir


def _previous(ask: Ask, choir: Choir, body: str, *, newest: int, founds: bool) -> str:
    """The digest of the choir's newest entry, "" without one.

    Raises ``Repeated`` when the key made an entry already, ``Refused`` when it asked
    for something else then.
    """
    previous = ""
    mine = models.Q(key=ask.key)
    if not founds:
        mine = models.Q(mine | models.Q(number=newest), choir=choir)
    for entry in Entry.objects.filter(mine).order_by():
        if entry.key == ask.key:
            if entry.body != body:
                raise _used()
            raise Repeated(entry)
        previous = entry.digest
    return previous


def _used() -> Refused:
    return Refused(
        _("This form was used already, for something else. Load the page again.")
    )


def _newest_number(choir: Choir) -> int:
    newest = Entry.objects.filter(choir_id=choir.id).aggregate(n=models.Max("number"))
    return newest["n"] or 0


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
    _check_not_too_late(opened)
    entry.details = json.loads(json.dumps(opened.details, cls=DjangoJSONEncoder))
    entry.schema = schema_id()
    entry.digest = digest_of(previous, entry, changes)
    entry.save(force_insert=True)
    Choir.objects.filter(id=choir.id).update(revision=entry.number)
    choir.revision = entry.number
    for listener in LISTENERS:
        listener(choir.id)


def _check_not_too_late(opened: Change) -> None:
    """Refuse when somebody touched one of these rows after the form was shown."""
    seen = opened.ask.seen
    if seen is None or seen >= opened.choir.revision:
        return
    mine = RowChange.objects.filter(entry_id=opened.entry.id)
    touching = _since(opened.ask).filter(
        id__in=RowChange.objects.filter(row__in=mine.values("row"))
        .exclude(entry_id=opened.entry.id)
        .values("entry_id")
    )
    if entries := touching[:SINCE_SHOWN]:
        raise Collision(
            _("Somebody changed this after you opened it. Yours was not saved."),
            entries=entries,
        )


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


def _taken(entry: Entry) -> dict[str, Any]:
    """What an undo says about what it takes back: the deed at the root of it all."""
    if entry.kind == Entry.Kind.UNDO:
        return entry.details["taken"]
    return {
        "number": entry.number,
        "action": entry.action,
        "details": entry.details,
    }
