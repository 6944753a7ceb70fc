"""The ziggurat on its page and on the card of the mission in play."""

import re

import pytest
from django.urls import reverse

from campaign.access import Role
from campaign.actions.serpents import ziggurat_place
from campaign.models import Entry, ZigguratDie
from missions import catalogue
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    CAPSTONE,
    FOUNDATION,
    LAW,
    add_saint,
    finish,
    open_night,
    remember,
    start,
    tick,
    won,
)
from tests.campaign.people import ask_for, post, text_of, went_to

STAIRS = "serpent-of-blood"
MOST_QUERIES = 10
ROLL = {"virtue": "soul", "faces": "1 3 4"}


@pytest.fixture
def attempt(choir):
    remember(choir, won(["la-maquiladora", "red-flowers"]))
    saint = add_saint(choir, "Zeez", seat=1, mind=2, body=2, soul=3, rage=6)
    open_night(choir, [saint])
    return start(choir, STAIRS, [saint])


def url(name, attempt, *more):
    return reverse(name, args=[attempt.choir_id, attempt.id, *more])


def build(attempt, value, codes, virtue="mind"):
    for code in codes:
        ziggurat_place(
            ask_for(attempt.choir),
            attempt=attempt.id,
            virtue=virtue,
            value=value,
            place=code,
        )


def foundation(attempt):
    build(attempt, 1, [f"0-{index}" for index in range(9)])


def standing():
    return {
        (f"{d.layer}-{d.index}", d.virtue, d.value) for d in ZigguratDie.objects.all()
    }


def places(page, css):
    return re.findall(
        rf'<button class="[^"]* {css}" name="place" value="([^"]+)"', page
    )


def test_legal_places_are_lit_for_the_chosen_die(member, attempt):
    foundation(attempt)
    build(attempt, 3, ["1-0"], "body")
    page = text_of(member.get(url("ziggurat", attempt), {**ROLL, "die": "2"}))
    assert "Soul rolled: 1 3 4." in page
    assert places(page, "can") == ["1-1", "1-2", "1-3"]
    page = text_of(member.get(url("ziggurat", attempt), {**ROLL, "die": "0"}))
    assert places(page, "can") == []
    assert places(page, "cannot") == ["1-1", "1-2", "1-3"]
    assert "The 1 fits nowhere." in page
    assert "Staircase, upper right: the 1 does not fit. Takes 2 or more" in page


def test_fragment_is_the_one_that_the_page_holds(member, attempt):
    query = {**ROLL, "die": "1"}
    fragment = member.get(
        url("ziggurat_build", attempt), query, headers={"HX-Request": "true"}
    )
    assert text_of(fragment).lstrip().startswith('<div id="ziggurat-build"')
    assert len(places(text_of(fragment), "can")) == 9
    plain = member.get(url("ziggurat_build", attempt), query)
    assert plain["Location"].startswith(url("ziggurat", attempt) + "?virtue=soul")


def test_placed_die_leaves_the_tray_and_comes_back_by_undo(owner, choir, attempt, htmx):
    sent = {**ROLL, "die": "1", "place": "0-4"}
    answer = post(owner, url("ziggurat_place", attempt), htmx=htmx, **sent)
    to = went_to(answer)
    assert standing() == {("0-4", "soul", 3)}
    page = text_of(owner.get(to))
    assert [*re.findall(r'<input type="radio" name="die"[^>]*><b>(\d)', page)] == [
        "1",
        "4",
    ]
    assert "Placed Soul 3 on the ziggurat: foundation, row 2, place 2" in page
    entry = Entry.objects.latest("number")
    post(owner, reverse("entry_undo", args=[choir.id, entry.id]), next=to)
    page = text_of(owner.get(to))
    assert [*re.findall(r'<input type="radio" name="die"[^>]*><b>(\d)', page)] == list(
        "134"
    )


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"place": "1-0"}, "The foundation must be whole"),
        ({"place": "0-0"}, "The Mind 1 stands there already"),
        ({"place": "9-9"}, "The ziggurat has no such place."),
        ({"faces": "1 7 4"}, "A die shows 1 to 6, not 7."),
        ({"faces": "0"}, "A die shows 1 to 6, not 0."),
        ({"faces": "x"}, "Write digits from 1 to 6"),
        ({"die": "3"}, "That die is placed already."),
        ({"die": ""}, "Choose a die first."),
        ({"place": ""}, "Choose a place."),
        ({"virtue": "luck"}, "Choose Mind, Body, Soul or Rage."),
    ],
)
def test_illegal_die_is_refused_with_the_rule(member, attempt, htmx, changed, sentence):
    build(attempt, 1, ["0-0"])
    sent = {**ROLL, "die": "1", "place": "0-4", **changed}
    answer = post(member, url("ziggurat_place", attempt), htmx=htmx, **sent)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert standing() == {("0-0", "mind", 1)}


def test_equal_die_is_refused_and_the_tray_stays(member, attempt, htmx):
    foundation(attempt)
    sent = {**ROLL, "die": "0", "place": "1-0"}
    answer = post(member, url("ziggurat_place", attempt), htmx=htmx, **sent)
    page = text_of(answer)
    assert answer.status_code == 422
    assert "A 1 is too low there" in page
    assert page.count('name="die"') == 3
    assert len(standing()) == 9


def test_roll_throws_the_virtue_number_and_shows_it(member, attempt):
    saint = attempt.present.get()
    answer = member.get(url("ziggurat", attempt), {"roll": f"{saint.id}.soul"})
    assert answer.status_code == 302
    page = text_of(member.get(answer["Location"]))
    assert re.search(r"Zeez rolled Soul: [1-6] [1-6] [1-6]\.", page)
    assert not ZigguratDie.objects.exists()


def test_roll_is_limited_by_the_supply(member, choir, attempt):
    saint = attempt.present.get()
    build(attempt, 1, [f"0-{index}" for index in range(8)], "rage")
    answer = member.get(url("ziggurat", attempt), {"roll": f"{saint.id}.rage"})
    assert re.search(r"faces=[1-6]\+[1-6]&", answer["Location"])
    page = text_of(member.get(url("ziggurat", attempt)))
    assert "2 left" in page


@pytest.mark.parametrize("roll", ["", "x.y", "1", ".soul"])
def test_roll_of_nobody_rolls_nothing(member, attempt, roll):
    answer = member.get(url("ziggurat", attempt), {"roll": roll})
    assert answer["Location"] == url("ziggurat", attempt)


def test_more_dice_than_the_supply_warn_and_can_be_placed(member, attempt):
    build(attempt, 1, [f"0-{index}" for index in range(8)], "soul")
    page = text_of(member.get(url("ziggurat", attempt), ROLL))
    assert "More dice than the supply holds" in page
    assert "2 Soul dice are left beside the ziggurat" in page
    post(member, url("ziggurat_place", attempt), **ROLL, die="0", place="0-8")
    assert len(standing()) == 9


def test_entered_faces_out_of_range_are_refused(member, attempt):
    answer = member.get(url("ziggurat", attempt), {"virtue": "soul", "faces": "1 7"})
    assert answer.status_code == 422
    assert "A die shows 1 to 6, not 7." in text_of(answer)


def test_removal_is_shown_before_it_happens(member, attempt):
    foundation(attempt)
    build(attempt, 2, ["1-0"], "body")
    query = {"of": "mind", "take": "0-4"}
    fragment = text_of(
        member.get(
            url("ziggurat_falls", attempt), query, headers={"HX-Request": "true"}
        )
    )
    assert fragment.lstrip().startswith('<form id="ziggurat-remove"')
    assert "Carries Body 2 (staircase, upper left)" in fragment
    assert "One die rests on them and comes down too:" in fragment
    assert fragment.count("comes down</span>") == 2
    assert "Take down 2 dice" in fragment
    plain = member.get(url("ziggurat_falls", attempt), query)
    assert plain["Location"].startswith(url("ziggurat", attempt) + "?of=mind")
    assert "Take down 2 dice" in text_of(member.get(plain["Location"]))
    assert len(standing()) == 10


def test_confirmed_removal_takes_all_that_was_shown(member, attempt, htmx):
    foundation(attempt)
    build(attempt, 2, ["1-0"], "body")
    sent = {"of": "mind", "take": ["0-4"], "seen": ["0-4", "1-0"]}
    answer = post(member, url("ziggurat_remove", attempt), htmx=htmx, **sent)
    assert went_to(answer) == url("ziggurat", attempt)
    assert len(standing()) == 8
    page = text_of(member.get(url("ziggurat", attempt)))
    assert "Took 2 dice off the ziggurat" in page
    assert "Foundation 8 of 9." in page


def test_removal_that_was_not_shown_is_refused_and_shown(member, attempt, htmx):
    foundation(attempt)
    build(attempt, 2, ["1-0"], "body")
    sent = {"of": "mind", "take": ["0-4"], "seen": ["0-4"]}
    answer = post(member, url("ziggurat_remove", attempt), htmx=htmx, **sent)
    assert answer.status_code == 422
    assert "Look at what comes down, then confirm." in text_of(answer)
    assert "Take down 2 dice" in text_of(answer)
    assert len(standing()) == 10


def test_card_in_play_shows_ziggurat_supply_and_exact_odds(member, choir, attempt):
    foundation(attempt)
    build(attempt, 2, ["1-0", "1-1", "1-2", "1-3"], "body")
    page = text_of(member.get(reverse("table", args=[choir.id])))
    assert "foundation 9 of 9, staircase 4 of 4, capstone 0 of 1" in page
    assert "Foundation and staircase whole. The capstone is missing." in page
    assert "1 left" in page
    assert "6 left" in page
    assert "<b>66.7 %</b><small>2/3</small>" in page  # Mind: one die is left
    assert "<b>96.3 %</b><small>26/27</small>" in page  # three Soul dice
    assert "<b>99.9 %</b><small>728/729</small>" in page  # six Rage dice
    assert reverse("ziggurat", args=[choir.id, attempt.id]) in page


def test_card_warns_when_it_cannot_be_finished(member, choir, attempt):
    build(attempt, 5, ["0-4"], "soul")
    page = text_of(member.get(reverse("table", args=[choir.id])))
    assert "It cannot be finished like this" in page
    assert "Soul 5, foundation, row 2, place 2." in page


def test_ordeals_and_their_bonus_follow_the_ticks(member, choir, attempt):
    for page in ("table", "mission"):
        more = [STAIRS] if page == "mission" else []
        text = text_of(member.get(reverse(page, args=[choir.id, *more])))
        assert "Once Ordeal of Stone is stashed" in text
        assert text.count("<b>the white side</b>") == 4
    tick(choir, "ordeal-of-stone")
    for page in ("table", "mission"):
        more = [STAIRS] if page == "mission" else []
        text = text_of(member.get(reverse(page, args=[choir.id, *more])))
        assert "Ordeal of Stone is stashed" in text
        assert text.count("<b>the white side</b>") == 3
        assert "Ordeal of Stone: <b>the other side</b>" in text


def test_foundation_mission_has_ordeals_and_no_ziggurat(member, choir):
    saint = add_saint(choir)
    open_night(choir, [saint])
    attempt = start(choir, FOUNDATION, [saint])
    page = text_of(member.get(reverse("table", args=[choir.id])))
    assert "Ordeals and mutations" in page
    assert 'class="zig"' not in page
    assert member.get(url("ziggurat", attempt)).status_code == 404


def test_page_of_an_ended_mission_goes_to_the_table(member, choir, attempt):
    finish(attempt, Outcome.LOST)
    answer = member.get(url("ziggurat", attempt))
    assert answer["Location"] == reverse("table", args=[choir.id])
    sent = {**ROLL, "die": "1", "place": "0-4"}
    refused = post(member, url("ziggurat_place", attempt), **sent)
    assert refused.status_code == 409
    assert "Serpent of Blood is not in play any more" in text_of(refused)


@pytest.mark.parametrize("name", ["ziggurat_place", "ziggurat_remove"])
def test_spectator_and_stranger_build_nothing(spectator, stranger, attempt, name):
    assert post(spectator, url(name, attempt), **ROLL).status_code == 403
    assert post(stranger, url(name, attempt), **ROLL).status_code == 404
    assert spectator.get(url("ziggurat", attempt)).status_code == 403
    assert standing() == set()


def test_spectator_sees_the_ziggurat_without_its_buttons(spectator, choir, attempt):
    foundation(attempt)
    page = text_of(spectator.get(reverse("table", args=[choir.id])))
    assert "foundation 9 of 9" in page
    assert reverse("ziggurat", args=[choir.id, attempt.id]) not in page


def test_attempt_of_another_choir_is_not_there(member, attempt):
    other = people.found("Another choir")
    people.join(member, other, Role.PLAYER)
    page = reverse("ziggurat", args=[other.id, attempt.id])
    assert member.get(page).status_code == 404


def test_pages_ask_few_queries_whatever_stands(
    owner, choir, attempt, django_assert_max_num_queries
):
    def counted(page, query=None):
        with django_assert_max_num_queries(MOST_QUERIES) as made:
            assert owner.get(page, query).status_code == 200
        return len(made)

    table, page = reverse("table", args=[choir.id]), url("ziggurat", attempt)
    before = [counted(table), counted(page), counted(page, ROLL)]
    foundation(attempt)
    build(attempt, 2, ["1-0", "1-1"], "body")
    assert [counted(table), counted(page), counted(page, ROLL)] == before


def test_freed_dragon_shows_its_divider_on_every_mission_of_every_book(member, choir):
    remember(choir, won(["serpent-of-smoke", "serpent-of-blood"]))
    saint = add_saint(choir)
    open_night(choir, [saint])
    words = "Set out Morningstar&#x27;s divider at Mission Start."

    def shown():
        return {
            mission.slug: words
            in text_of(member.get(reverse("mission", args=[choir.id, mission.slug])))
            for mission in catalogue.missions()
        }

    assert set(shown().values()) == {False}
    finish(start(choir, CAPSTONE, [saint]), Outcome.LOST)
    assert len(shown()) == 36
    assert set(shown().values()) == {True}
    start(choir, LAW, [saint])
    assert words in text_of(member.get(reverse("table", args=[choir.id])))
