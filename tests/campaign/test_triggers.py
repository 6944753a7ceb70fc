"""What the database records by itself, and what it refuses."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import (
    DatabaseError,
    IntegrityError,
    connection,
    connections,
    models,
    transaction,
)
from django.test.utils import isolate_apps

from campaign import checks, journal, recording, triggers
from campaign.apps import _drop_triggers
from campaign.models import (
    TRACKED,
    Choir,
    Device,
    Entry,
    Flag,
    Player,
    RowChange,
    Saint,
)
from campaign.snapshot import row_of, snapshot
from campaign.tracked import model_of, schema_id
from campaign.verification import digest_of
from tests.campaign import around, people, strategies

SQLITE = connections["default"].vendor == "sqlite"
AT = "2026-10-31 20:15:00+00:00"


def write(choir: Choir, *writes: Callable[[], Any]) -> Entry:
    with journal.change(people.ask_for(choir), "test") as opened:
        for each in writes:
            each()
    return opened.entry


def told(entry: Entry) -> list[tuple[str, Any, Any]]:
    """Table, name before and name after of each recorded change."""
    return [
        (
            change.table.removeprefix("campaign_"),
            change.old and json.loads(change.old)["name"],
            change.new and json.loads(change.new)["name"],
        )
        for change in entry.row_changes.order_by("id")
    ]


def player(choir: Choir, name: str = "Ann") -> Player:
    row = Player(choir=choir, name=name)
    write(choir, row.save)
    return row


def sql(statement: str, *arguments: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)


def key(value: uuid.UUID) -> str:
    return value.hex if SQLITE else str(value)


def test_triggers_are_those_of_the_models(db):
    assert triggers.differences(connection) == []
    assert checks.guard_problems(connection) == []


def test_every_tracked_model_is_recorded_whole(choir):
    writes = strategies.beginning(choir)
    entry = write(choir, *writes)
    tables = {change.table for change in entry.row_changes.all()}
    assert tables == {m._meta.db_table for m in TRACKED} - {Choir._meta.db_table}
    state = snapshot(choir.id)
    for change in entry.row_changes.all():
        assert change.old is None
        row = row_of(model_of(change.table), change.new)
        assert row == state[change.table][change.row]


def test_save_update_and_delete_are_recorded(choir):
    ann = Player(choir=choir, name="Ann")
    assert told(write(choir, ann.save)) == [("player", None, "Ann")]
    ann.name = "Bea"
    assert told(write(choir, ann.save)) == [("player", "Ann", "Bea")]
    assert told(write(choir, ann.delete)) == [("player", "Bea", None)]


def test_bulk_writes_are_recorded(choir):
    rows = [Player(choir=choir, name=name) for name in ("Ann", "Bea")]
    made = write(choir, lambda: Player.objects.bulk_create(rows))
    assert told(made) == [("player", None, "Ann"), ("player", None, "Bea")]
    for row in rows:
        row.name += "!"
    changed = write(choir, lambda: Player.objects.bulk_update(rows, ["name"]))
    assert sorted(told(changed)) == [
        ("player", "Ann", "Ann!"),
        ("player", "Bea", "Bea!"),
    ]
    gone = write(choir, Player.objects.all().delete)
    assert sorted(told(gone)) == [("player", "Ann!", None), ("player", "Bea!", None)]


def test_update_of_a_queryset_is_recorded_row_by_row(choir):
    player(choir, "Ann")
    player(choir, "Bea")
    rows = Player.objects.filter(choir=choir)
    entry = write(choir, lambda: rows.update(archived_at=AT))
    assert {(t, old) for t, old, _new in told(entry)} == {
        ("player", "Ann"),
        ("player", "Bea"),
    }


def test_raw_sql_is_recorded(choir):
    row = player(choir)
    entry = write(
        choir,
        lambda: sql(
            "UPDATE campaign_player SET name = %s WHERE id = %s", "Zoe", key(row.id)
        ),
    )
    assert told(entry) == [("player", "Ann", "Zoe")]


def test_upsert_is_recorded(choir):
    flags = [Flag(choir=choir, slug="the-shell", is_set=is_set) for is_set in (0, 1)]
    flags[1].id = flags[0].id

    def upsert(flag: Flag) -> Callable[[], Any]:
        return lambda: Flag.objects.bulk_create(
            [flag],
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["is_set"],
        )

    write(choir, upsert(flags[0]))
    entry = write(choir, upsert(flags[1]))
    (change,) = entry.row_changes.all()
    old, new = row_of(Flag, change.old), row_of(Flag, change.new)
    assert (old["is_set"], new["is_set"]) == (False, True)


def test_write_that_changes_nothing_is_not_recorded(choir):
    row = player(choir)
    entry = write(choir, row.save, lambda: Player.objects.create(choir=choir, name="B"))
    assert told(entry) == [("player", None, "B")]


def test_revision_is_not_part_of_a_choir(choir):
    Choir.objects.filter(id=choir.id).update(revision=1)
    row = snapshot(choir.id)["campaign_choir"][choir.id.hex]
    assert "revision" not in row
    assert row["name"] == choir.name


@pytest.mark.parametrize(
    "go_round",
    [
        lambda choir: Player.objects.create(choir=choir, name="B"),
        lambda choir: Player.objects.bulk_create([Player(choir=choir, name="B")]),
        lambda choir: Player.objects.update(name="B"),
        lambda choir: Player.objects.all().delete(),
        lambda choir: Choir.objects.update(name="B"),
        lambda choir: sql("DELETE FROM campaign_player"),
        lambda choir: sql("UPDATE campaign_player SET name = 'B'"),
    ],
)
def test_write_without_an_open_entry_is_refused(choir, go_round):
    player(choir)
    before = snapshot(choir.id)
    with (
        pytest.raises(IntegrityError, match="without an open entry"),
        transaction.atomic(),
    ):
        go_round(choir)
    assert snapshot(choir.id) == before


def test_row_of_another_choir_is_refused(choir):
    stranger = player(people.found("Another"))
    before = snapshot(stranger.choir_id)
    for go_wrong in (
        lambda: Player.objects.create(choir_id=stranger.choir_id, name="B"),
        lambda: Player.objects.filter(id=stranger.id).update(name="B"),
        lambda: Player.objects.filter(id=stranger.id).update(choir=choir),
        stranger.delete,
        lambda: Choir.objects.filter(id=stranger.choir_id).update(name="B"),
    ):
        with pytest.raises(journal.Refused, match="belongs to another choir"):
            write(choir, go_wrong)
    assert snapshot(stranger.choir_id) == before


def test_row_cannot_be_given_to_another_choir(choir):
    mine, other = player(choir), people.found("Another")
    with pytest.raises(journal.Refused, match="belongs to another choir"):
        write(choir, lambda: Player.objects.filter(id=mine.id).update(choir=other))


def test_primary_key_cannot_change(choir):
    row = player(choir)
    with pytest.raises(IntegrityError, match=r"primary key of (\S+ )?changed|primary"):
        write(
            choir,
            lambda: Player.objects.filter(id=row.id).update(id=uuid.uuid4()),
        )


def test_way_that_only_one_database_has_is_seen_too(choir):
    """REPLACE throws a row out unasked on SQLite; TRUNCATE is PostgreSQL's."""
    first, other = Flag(choir=choir, slug="the-shell"), uuid.uuid4().hex
    write(choir, first.save)
    if not SQLITE:
        connection.check_constraints()  # else TRUNCATE waits for what is pending
        with pytest.raises(IntegrityError, match="goes round the journal"):
            sql_in_entry(choir, "TRUNCATE campaign_flag")
        return
    entry = write(
        choir,
        lambda: sql(
            "REPLACE INTO campaign_flag (id, choir_id, slug, is_set) "
            "VALUES (%s, %s, 'the-shell', 1)",
            other,
            choir.id.hex,
        ),
    )
    changes = {(c.row, c.old is None, c.new is None) for c in entry.row_changes.all()}
    assert changes == {(first.id.hex, False, True), (other, True, False)}


def sql_in_entry(choir: Choir, statement: str) -> None:
    with transaction.atomic():
        recording.open_entry(connection, uuid.uuid4(), choir.id)
        sql(statement)


def test_entry_cannot_be_opened_in_an_entry(choir):
    with pytest.raises(RuntimeError, match="open already"):
        write(choir, lambda: write(choir, lambda: None))


@pytest.mark.django_db(transaction=True)
def test_entry_cannot_leak_into_the_next_transaction():
    choir = people.found()
    if SQLITE:
        with pytest.raises(IntegrityError), transaction.atomic():
            recording.open_entry(connection, uuid.uuid4(), choir.id)
    else:
        with transaction.atomic():
            recording.open_entry(connection, uuid.uuid4(), choir.id)
    with pytest.raises(IntegrityError, match="without an open entry"):
        Player.objects.create(choir=choir, name="B")
    player(choir)


def test_entry_is_closed_when_the_change_fails(choir):
    with pytest.raises(ZeroDivisionError):
        write(choir, lambda: 1 / 0)
    with (
        pytest.raises(IntegrityError, match="without an open entry"),
        transaction.atomic(),
    ):
        Player.objects.create(choir=choir, name="B")


def test_devices_are_no_part_of_the_history(choir):
    before = RowChange.objects.count()
    Device.objects.create(token_digest="a" * 64, created_at=AT)
    assert RowChange.objects.count() == before


def test_unicode_and_awkward_words_are_kept_exactly(choir):
    texts = [*strategies.AWKWARD, "Ω🕯️ ŵ", '"quoted"\n\tand a backslash \\']
    rows = [Saint(choir=choir, name=f"S{n}", note=text) for n, text in enumerate(texts)]
    write(choir, lambda: Saint.objects.bulk_create(rows))
    before = snapshot(choir.id)
    gone = write(choir, Saint.objects.filter(choir=choir).delete)
    journal.undo(people.ask_for(choir), gone.id)
    assert snapshot(choir.id) == before
    assert {s.note for s in Saint.objects.filter(choir=choir)} == set(texts)


def test_schema_id_follows_the_columns():
    assert schema_id() == schema_id(TRACKED)
    assert schema_id(TRACKED[:-1]) != schema_id()


@pytest.mark.django_db(transaction=True)
def test_missing_and_changed_triggers_are_noticed():
    choir = people.found()
    try:
        triggers.drop(connection)
        missing = triggers.differences(connection)
        assert f"{triggers.PREFIX}campaign_saint" in " ".join(missing)
        with pytest.raises(ImproperlyConfigured, match=r"manage\.py migrate"):
            checks.refuse_unguarded()
        with pytest.raises(CommandError, match="is missing"):
            call_command("check", databases=["default"], stderr=io.StringIO())
        with pytest.raises(DatabaseError):
            player(choir)
        Player.objects.create(choir=choir, name="Round the door")
        triggers.make(connection)
        _disable_one()
        assert len(triggers.differences(connection)) == 1
    finally:
        triggers.make(connection)
    assert triggers.differences(connection) == []
    assert [d.table for d in journal.verify(choir.id)] == ["campaign_player"]


def _disable_one() -> None:
    if SQLITE:
        sql("DROP TRIGGER journal_campaign_saint_update")
        sql(
            "CREATE TRIGGER journal_campaign_saint_update "
            "AFTER UPDATE ON campaign_saint BEGIN SELECT 1; END"
        )
    else:
        sql("ALTER TABLE campaign_saint DISABLE TRIGGER journal_row")


@pytest.mark.parametrize("model", [Entry, RowChange])
@pytest.mark.parametrize("how", ["update", "delete"])
def test_what_the_journal_wrote_is_never_changed(choir, model, how):
    player(choir)
    before = list(model.objects.order_by("id").values())
    rows = model.objects.filter(**{"number" if model is Entry else "entry__number": 2})
    write = {
        "update": lambda: rows.update(**{"actor" if model is Entry else "new": "Eve"}),
        "delete": lambda: rows._raw_delete(rows.db),
    }
    with pytest.raises(IntegrityError, match="only added to"), transaction.atomic():
        write[how]()
    assert list(model.objects.order_by("id").values()) == before


@pytest.mark.django_db(transaction=True)
def test_rebuilt_table_is_noticed_and_mended_by_migrate():
    choir = people.found()
    note = Saint._meta.get_field("note")
    shorter = models.TextField(max_length=100)
    shorter.set_attributes_from_name("note")
    shorter.model = Saint
    _drop_triggers(using="default", plan=[True])
    with connection.schema_editor() as editor:
        editor.alter_field(Saint, note, shorter, strict=True)
        editor.alter_field(Saint, shorter, note, strict=True)
    assert triggers.differences(connection) != []
    call_command("migrate", verbosity=0)
    assert triggers.differences(connection) == []
    player(choir)


@pytest.mark.django_db(transaction=True)
def test_migrate_to_nothing_and_back_makes_the_triggers_anew():
    call_command("migrate", "campaign", "zero", verbosity=0)
    assert Entry._meta.db_table not in connection.introspection.table_names()
    call_command("migrate", verbosity=0)
    assert triggers.differences(connection) == []
    assert journal.verify(people.found().id) == []


def test_migrated_choir_gets_an_entry_that_ends_undoing(choir):
    row = player(choir)
    _make_older(choir)
    old = Entry.objects.get(choir=choir, number=2)
    journal.note_migrations()
    journal.note_migrations()
    entry = Entry.objects.get(choir=choir, number=3)
    assert (entry.kind, entry.schema) == (Entry.Kind.MIGRATION, schema_id())
    assert not Entry.objects.filter(choir=choir, number=4).exists()
    kept = {change.row for change in entry.row_changes.all()}
    assert kept == {choir.id.hex, row.id.hex}
    with pytest.raises(journal.Refused, match="older version"):
        journal.undo(people.ask_for(choir), old.id)
    with pytest.raises(journal.Refused, match="new version"):
        journal.rewind(people.ask_for(choir), 2)
    assert journal.verify(choir.id) == []


def _make_older(choir: Choir) -> None:
    """Let the entries look as if other columns had been there."""
    digest = ""
    for entry in Entry.objects.filter(choir=choir).order_by("number"):
        entry.schema = "0" * 64
        digest = digest_of(digest, entry, list(entry.row_changes.order_by("id")))
        with around.the_door(Entry):
            Entry.objects.filter(id=entry.id).update(schema=entry.schema, digest=digest)


def test_tracked_models_are_ones_that_the_journal_keeps_exactly():
    assert checks.check_tracked_models() == []


@isolate_apps("campaign")
def test_model_that_cannot_be_kept_exactly_is_an_error():
    class Weather(models.Model):
        half = models.FloatField()
        seen = models.DateTimeField(auto_now=True)

        class Meta:
            app_label = "campaign"

        def __str__(self) -> str:
            return str(self.half)

        def delete(self, *args: Any, **kwargs: Any) -> Any:
            return super().delete(*args, **kwargs)

    problems = " ".join(checks._model_problems(Weather))
    for word in ("UUID", "its choir", "own delete()", "half", "auto_now"):
        assert word in problems
