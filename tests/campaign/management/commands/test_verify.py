"""The journal is checked on demand, and each time a night opens."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from campaign import triggers
from campaign.access import Role
from campaign.actions.saints import saint_add
from campaign.models import GameNight, Saint
from tests.campaign import people

pytestmark = pytest.mark.django_db


def behind_the_journal(choir):
    """Change a row while the triggers are away."""
    triggers.drop(connection)
    Saint.objects.filter(choir=choir).update(mind=6)
    triggers.make(connection)


def told() -> str:
    output = io.StringIO()
    call_command("verify", stdout=output)
    return output.getvalue()


def open_night(choir) -> list[str]:
    member = people.join(people.device(), choir, Role.PLAYER)
    response = people.post(
        member,
        reverse("night_open", args=[choir.id]),
        date=choir.founded_at.date().isoformat(),
    )
    people.went_to(response)
    page = people.text_of(member.get(reverse("table", args=[choir.id])))
    return [line for line in page.splitlines() if "behind the journal" in line]


def test_verify_says_that_all_is_right(choir):
    saint_add(people.ask_for(choir), name="Ophelia")
    assert told() == f"{choir.name} ({choir.id}): right\n"
    assert not open_night(choir)


def test_verify_names_what_was_changed_behind_the_journal(choir):
    saint_add(people.ask_for(choir), name="Ophelia")
    behind_the_journal(choir)
    output = io.StringIO()
    with pytest.raises(CommandError, match="1 of the choirs differ"):
        call_command("verify", stdout=output)
    saint = Saint.objects.get(choir=choir)
    assert output.getvalue().splitlines() == [
        f"{choir.name} ({choir.id}): 1 differences",
        f"  campaign_saint {saint.id.hex}: the journal says {{'mind': 1}}, "
        "found {'mind': 6}",
    ]


def test_night_opens_with_a_warning_when_rows_were_changed(choir):
    saint_add(people.ask_for(choir), name="Ophelia")
    behind_the_journal(choir)
    assert len(open_night(choir)) == 1
    assert GameNight.objects.get(choir=choir).is_open
