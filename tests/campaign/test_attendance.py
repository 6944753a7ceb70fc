"""Who was there, night by night and attempt by attempt."""

from campaign.attendance import attendance_of
from campaign.models import Attempt
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import FOUNDATION, add_saint, open_night, play


def test_attendance_names_by_seat_who_was_there(choir, django_assert_max_num_queries):
    standing = add_saint(choir, "Ada")
    second = add_saint(choir, "Bo", seat=2)
    first = add_saint(choir, "Cy", seat=1)
    night = open_night(choir, [standing, second, first])
    play(choir, FOUNDATION, Outcome.LOST, [second, first])
    with django_assert_max_num_queries(1):
        there = attendance_of(choir)
    assert there == {
        night.id: ("Cy", "Bo", "Ada"),
        Attempt.objects.get(choir=choir).id: ("Cy", "Bo"),
    }


def test_attendance_leaves_other_choirs_and_empty_nights_out(choir):
    other = people.found("Another")
    open_night(other, [add_saint(other)])
    open_night(choir)
    assert attendance_of(choir) == {}
