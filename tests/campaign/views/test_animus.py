"""The Allegiance divider on the table, on the map and on its own page."""

import uuid

import pytest

from campaign.actions import animus as actions
from campaign.actions.cards import card_add
from campaign.models import Card, TallyMark
from campaign.panels.animus import sides_of, strokes
from rules.allegiance import Tally
from tests.campaign.factories import (
    PREPARATIONS,
    add_saints,
    open_night,
    remember,
    start,
    unknown,
    won,
)
from tests.campaign.people import ask_for, post, text_of, went_to
from tests.campaign.views.pages import MOST_QUERIES, counted, url

MISSION = "night-things"
TABLE = "the-bargaining-table"


@pytest.fixture
def saints(choir):
    made = add_saints(choir, 3)
    open_night(choir, made)
    return made


def under(choir):
    return Card.objects.filter(choir=choir, place="divider").count()


def put_under(choir, number):
    for _each in range(number):
        actions.threats_correct(ask_for(choir), by=1)


def mark(choir, appease, oppose):
    for side, number in (("appease", appease), ("oppose", oppose)):
        for _each in range(number):
            actions.tally_mark(ask_for(choir), side=side)


FIVE = (
    "M5 4q-1 14 -1 28M17 4q-2 14 -2 28M26 4q0 14 0 28M38 4q-1 14 -1 28"
    "M3 29q22 -9 44 -22"
)


@pytest.mark.parametrize(
    ("marks", "path"),
    [
        (0, ""),
        (1, "M5 4q-1 14 -1 28"),
        (5, FIVE),
        (6, f"{FIVE}M61 4q-1 14 -1 28"),
    ],
)
def test_strokes_come_in_fives(marks, path):
    assert strokes(marks) == path
    appease, oppose = sides_of(Tally(appease=marks))
    assert (appease.marks, oppose.marks) == (marks, 0)
    assert appease.width == (116 if marks == 6 else 60)


def test_tap_adds_a_threat_while_appeasing(choir, saints, member, htmx):
    attempt = start(choir, MISSION, saints)
    page = text_of(member.get(url("table", choir)))
    assert "A threat goes under allegiance" in page
    assert "revision" not in page.split('id="threat-add"')[0].rsplit("<form", 1)[1]
    answer = post(member, url("threat_add", choir), htmx=htmx, attempt=attempt.id)
    if htmx:
        text = text_of(answer)
        assert text.lstrip().startswith('<section id="allegiance"')
        assert 'aria-label="Threats under allegiance">1</output>' in text
        assert "Put a threat under allegiance" in text
    else:
        assert went_to(answer) == url("allegiance", choir) + "#allegiance"
    assert under(choir) == 1


def test_23rd_threat_is_refused_on_the_page(choir, saints, member, htmx):
    attempt = start(choir, MISSION, saints)
    put_under(choir, 22)
    answer = post(member, url("threat_add", choir), htmx=htmx, attempt=attempt.id)
    assert answer.status_code == 422
    assert "Animus has 22 threats that are not true threats" in text_of(answer)
    assert "All 22 Animus threats are accounted for" in text_of(answer)
    assert under(choir) == 22


def test_true_threat_is_refused_on_the_page(choir, saints, member, htmx):
    attempt = start(choir, MISSION, saints)
    answer = post(
        member, url("threat_add", choir), htmx=htmx, attempt=attempt.id, name="Kudzu"
    )
    assert answer.status_code == 422
    assert "Kudzu is a true threat" in text_of(answer)
    assert under(choir) == 0


@pytest.mark.parametrize("mission", [MISSION, TABLE])
def test_omens_of_both_sides_are_told_but_at_the_table(choir, saints, member, mission):
    if mission == TABLE:
        bargain(choir, 2, 1)
    start(choir, mission, saints)
    page = text_of(member.get(url("table", choir)))
    for omen in ("displays Natural Beauty.", "displays Natural Disaster."):
        assert (omen in page) == (mission == MISSION)


@pytest.mark.parametrize("attempt", ["", "x", "unknown"])
def test_threat_for_no_attempt_is_refused(choir, member, htmx, attempt):
    attempt = unknown() if attempt == "unknown" else attempt
    answer = post(member, url("threat_add", choir), htmx=htmx, attempt=attempt)
    assert answer.status_code in (409, 422)
    assert 'role="alert"' in text_of(answer)
    assert under(choir) == 0


def test_opposing_offers_no_threat_to_add(choir, saints, member):
    start(choir, MISSION, saints, allegiance="oppose")
    page = text_of(member.get(url("table", choir)))
    assert 'id="allegiance"' in page
    assert "A threat goes under allegiance" not in page


def test_marks_and_threats_are_corrected(choir, member, htmx):
    def send(name, **data):
        assert post(member, url(name, choir), htmx=htmx, **data).status_code < 400

    send("tally_mark", side="oppose")
    send("tally_mark", side="oppose")
    send("tally_unmark", side="oppose")
    send("threats_correct", by="1")
    send("threats_correct", by="1")
    send("threats_correct", by="-1")
    assert TallyMark.objects.get(choir=choir).side == "oppose"
    assert under(choir) == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("tally_mark", {"side": "damned"}),
        ("tally_mark", {}),
        ("tally_mark", {"side": "appease", "attempt": "x"}),
        ("tally_unmark", {"side": "oppose"}),
        ("threats_correct", {"by": "2"}),
        ("threats_correct", {"by": "x"}),
        ("threats_correct", {"by": "-1"}),
        ("trophies_correct", {"by": "1"}),
        ("trophies_correct", {"by": "1", "saint": "x"}),
    ],
)
def test_bad_corrections_are_refused(choir, member, htmx, name, data):
    answer = post(member, url(name, choir), htmx=htmx, **data)
    assert answer.status_code in (409, 422)
    assert 'role="alert"' in text_of(answer)
    assert not TallyMark.objects.exists()
    assert not Card.objects.filter(choir=choir).exists()


def test_tally_for_a_mission_of_another_book_is_refused(choir, saints, member, htmx):
    attempt = start(choir, "red-flowers", saints)
    answer = post(
        member, url("tally_mark", choir), htmx=htmx, side="appease", attempt=attempt.id
    )
    assert answer.status_code == 422
    assert "Red Flowers marks no tally." in text_of(answer)
    assert not TallyMark.objects.exists()


@pytest.mark.parametrize(
    ("mission", "where"),
    [
        ("build-that-wall", "leave the divider and are shuffled into the clock."),
        (MISSION, "leave the divider, each for a random nexus."),
        ("the-battle-of-new-orleans", "leave the divider, each for a random nexus."),
    ],
)
def test_start_shows_what_opposing_takes(choir, saints, member, mission, where):
    put_under(choir, 4)
    page = text_of(member.get(url("mission", choir, mission) + "?allegiance=oppose"))
    assert f"<b>3</b> of 4 threats {where}" in page
    appeased = text_of(
        member.get(url("mission", choir, mission) + "?allegiance=appease")
    )
    assert "leave the divider" not in appeased


def test_start_shows_the_names_and_an_empty_divider(choir, saints, member):
    page = url("mission", choir, MISSION) + "?allegiance=oppose"
    assert "No threat is under allegiance, so none comes back." in text_of(
        member.get(page)
    )
    card_add(
        ask_for(choir), name="Mantrap", kind="threat", chapter="animus", place="divider"
    )
    assert "Among them Mantrap." in text_of(member.get(page))


def bargain(choir, appease, oppose):
    remember(choir, won(PREPARATIONS))
    put_under(choir, 7)
    mark(choir, appease, oppose)


def test_table_goes_by_the_majority_and_shows_its_numbers(choir, saints, member):
    bargain(choir, 4, 3)
    page = text_of(member.get(url("mission", choir, TABLE)))
    assert "Mother Gaia begins with <b>3</b> new threats." in page
    assert "<b>15</b> Animus threats are left for her." in page
    dealt = "<b>7</b> threats under allegiance are dealt to the trophy piles:"
    assert dealt in page
    assert 'Saint 1 <b class="n">3</b>, Saint 2 <b class="n">2</b>' in page


def test_table_asks_on_a_tie(choir, saints, member):
    bargain(choir, 2, 2)
    page = text_of(member.get(url("mission", choir, TABLE)))
    assert "It is a tie: the choir decides." in page
    assert "dealt to the trophy piles" not in page
    assert "Mother Gaia begins with <b>2</b> new threats." in page
    asked = text_of(member.get(url("mission", choir, TABLE) + "?allegiance=appease"))
    assert "are dealt to the trophy piles" in asked


def test_table_shows_each_result_before_it_is_saved(choir, saints, member):
    bargain(choir, 4, 3)
    attempt = start(choir, TABLE, saints)
    page = url("attempt_result", choir, attempt.id)
    kept = "7 Animus threats of the saints’ trophy piles are stashed"
    lost = "7 Animus threats of the saints’ trophy piles are sacrificed"
    assert kept in text_of(member.get(f"{page}?outcome=won"))
    for outcome in ("lost", "timed-out", "abandoned"):
        shown = text_of(member.get(f"{page}?outcome={outcome}"))
        assert lost in shown
        assert kept not in shown
    assert "Saint 1 3, Saint 2 2, Saint 3 2." in shown


def test_trophies_are_counted_at_the_table(choir, saints, member, htmx):
    bargain(choir, 4, 3)
    start(choir, TABLE, saints)
    page = text_of(member.get(url("table", choir)))
    assert "Animus threats in the trophy piles" in page
    answer = post(
        member,
        url("trophies_correct", choir),
        htmx=htmx,
        saint=str(saints[0].id),
        by="-1",
    )
    assert answer.status_code < 400
    page = text_of(member.get(url("allegiance", choir)))
    assert 'aria-label="Saint 1’s trophies">2</output>' in page
    assert "<strong>appease</strong>" in page


def test_powers_follow_the_side(choir, saints, member):
    start(choir, MISSION, saints, allegiance="oppose")
    page = text_of(member.get(url("table", choir)))
    assert "Reload it into your nexus." in page
    assert "Recycle it into your nexus." not in page
    assert "It costs 1 less." in page
    assert "It costs 1 more." not in page


def test_plain_tap_goes_back_to_the_page_it_was_made_on(choir, member):
    def sent_from(address):
        answer = member.post(
            url("tally_mark", choir),
            {"key": str(uuid.uuid4()), "side": "appease"},
            headers={"Referer": address},
        )
        return went_to(answer)

    here = "http://localhost"
    table, book = url("table", choir), f"{url('table', choir)}map/animus/"
    own = url("allegiance", choir) + "#allegiance"
    assert sent_from(f"{here}{table}?x=1") == f"{table}#allegiance"
    assert sent_from(f"{here}{book}") == f"{book}#allegiance"
    strange = f"/choirs/{uuid.uuid4()}/"
    for other in ("", here + url("tally_mark", choir), here + strange, "http://[", "x"):
        assert sent_from(other) == own


@pytest.mark.parametrize("name", ["allegiance", "map_book"])
def test_spectator_looks_and_may_not_tap(choir, spectator, name):
    put_under(choir, 2)
    mark(choir, 1, 0)
    page = text_of(
        spectator.get(url(name, choir, *(["animus"] if name == "map_book" else [])))
    )
    assert '<b class="num">2</b>' in page
    assert url("tally_mark", choir) not in page
    for action in ("tally_mark", "tally_unmark", "threats_correct", "threat_add"):
        answer = post(spectator, url(action, choir), side="appease", by="1")
        assert answer.status_code == 403
    assert under(choir) == 2


def test_stranger_finds_no_divider(choir, stranger):
    assert stranger.get(url("allegiance", choir)).status_code == 404
    assert post(stranger, url("tally_mark", choir), side="appease").status_code == 404


def test_divider_asks_as_many_queries_for_many_threats(
    choir, owner, django_assert_max_num_queries
):
    def queries():
        return django_assert_max_num_queries(MOST_QUERIES)

    def counts():
        return [
            counted(owner, page, queries)
            for page in (
                url("allegiance", choir),
                url("map_book", choir, "animus"),
                url("mission", choir, TABLE),
                url("table", choir),
            )
        ]

    saints = add_saints(choir, 1)
    open_night(choir, saints)
    remember(choir, won(PREPARATIONS))
    start(choir, MISSION, saints)
    few = counts()
    put_under(choir, 20)
    mark(choir, 12, 9)
    assert counts() == few


def test_result_of_another_mission_tells_nothing_of_trophies(choir, saints, member):
    attempt = start(choir, MISSION, saints)
    page = text_of(
        member.get(url("attempt_result", choir, attempt.id) + "?outcome=lost")
    )
    assert "trophy piles" not in page
