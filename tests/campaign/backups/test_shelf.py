"""What is kept, and what is not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from campaign.backups import shelf
from campaign.backups.shelf import Note, Reason

NOW = datetime(2026, 3, 6, 20, 15, tzinfo=UTC)


def note(made_at: datetime, reason: Reason = Reason.HOURLY, *, good: bool = True):
    stamp = made_at.strftime("%Y%m%d-%H%M%S%f")
    return Note(
        file=f"choirbook-{stamp}-{reason}.sqlite3",
        made_at=made_at,
        reason=reason,
        database="sqlite",
        app="0.3.0",
        size=1,
        sha256="",
        choirs={},
        problems=() if good else ("a row differs",),
    )


def kept(found: list[Note]) -> list[Note]:
    gone = {each.file for each in shelf.superfluous(found)}
    return [each for each in found if each.file not in gone]


def test_hours_days_and_months_are_kept():
    other_hours = [
        note(NOW - timedelta(hours=number)) for number in range(0, 24 * 400, 2)
    ]
    left = kept(other_hours)
    assert left[:24] == other_hours[:24]
    days = {each.made_at.date() for each in left}
    assert {(NOW - timedelta(days=number)).date() for number in range(30)} <= days
    months = {each.made_at.strftime("%Y-%m") for each in left}
    assert len(months) == 12
    assert len(left) <= 24 + 30 + 12


def test_hours_without_a_copy_count_for_nothing():
    """A group plays once a week: 24 hours of use are more than one evening."""
    evenings = [
        note(NOW - timedelta(weeks=week, hours=hour))
        for week in range(6)
        for hour in range(4)
    ]
    assert len(kept(evenings)) == 24


def test_copies_before_something_stay_beside_the_hourly_ones():
    of_one_hour = [
        note(NOW - timedelta(minutes=number), reason)
        for number, reason in enumerate(Reason)
    ]
    left = kept(of_one_hour)
    assert {each.reason for each in left} == set(Reason)
    many = [
        note(NOW - timedelta(minutes=number), Reason.REWIND) for number in range(15)
    ]
    assert kept(many) == many[: shelf.KEPT_OF_EACH_REASON]


def test_hourly_copy_stays_for_a_newer_one_of_the_same_hour_before_going_back():
    hourly = note(NOW - timedelta(minutes=10))
    before = [note(NOW - timedelta(minutes=m), Reason.RESTORE) for m in range(3)]
    assert kept([*before, hourly]) == [*before, hourly]


def test_good_copy_of_an_hour_stays_for_a_newer_one_with_problems():
    good = note(NOW - timedelta(minutes=30))
    bad = note(NOW - timedelta(minutes=10), good=False)
    newest = note(NOW, good=False)
    assert kept([newest, bad, good]) == [newest, good]


MOMENTS = st.integers(0, 24 * 60 * 1000).map(lambda m: NOW - timedelta(minutes=m))


@given(
    st.lists(
        st.builds(note, MOMENTS, st.sampled_from(Reason), good=st.booleans()),
        unique_by=lambda each: each.file,
        max_size=40,
    )
)
def test_newest_and_newest_good_one_always_stay(found):
    found.sort(key=lambda each: (each.made_at, each.file), reverse=True)
    left = kept(found)
    assert left[:1] == found[:1]
    good = [each for each in found if each.is_good]
    assert all(each in left for each in good[:1])
    assert kept(left) == left


def test_garbage_beside_the_copies_is_passed_over(settings, tmp_path):
    settings.BACKUP_DIR = tmp_path
    (tmp_path / "choirbook-1-hourly.sqlite3").write_text("x", encoding="utf-8")
    (tmp_path / "choirbook-1-hourly.sqlite3.json").write_text("{", encoding="utf-8")
    (tmp_path / "holiday.jpg").touch()
    assert shelf.notes() == []
    assert shelf.newest() is None
    assert [path.name for path in shelf.without_note()] == [
        "choirbook-1-hourly.sqlite3"
    ]
