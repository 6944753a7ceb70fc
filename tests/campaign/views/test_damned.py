"""Mind dice, contracts, acts and the calculators of the Damned."""

import pytest
from django.urls import reverse

from campaign.actions import damned as actions
from campaign.forms.damned import faces_of
from campaign.models import Attempt, Card
from campaign.views.damned import roll_mind
from missions import catalogue
from rules.book import Outcome
from tests.campaign.factories import (
    LAW,
    add_saint,
    add_saints,
    finish,
    open_night,
    slot_fragment,
    start,
)
from tests.campaign.people import ask_for, post, text_of, went_to
from tests.campaign.views.test_nights import MOST_QUERIES, counted

LIGHTHOUSE = "the-lighthouse"
NOVEM = [m.slug for m in catalogue.chapter("damned").missions]


@pytest.fixture
def saints(choir):
    made = [add_saint(choir, f"Saint {i}", seat=i, rage=i + 1) for i in (1, 2, 3)]
    open_night(choir, made)
    return made


def url(name, choir, *arguments):
    return reverse(name, args=[choir.id, *arguments])


def get(client, page, *, htmx=False, **data):
    return client.get(page, data, headers={"HX-Request": "true"} if htmx else {})


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("3 1 5", (3, 1, 5)),
        ("3,1, 5", (3, 1, 5)),
        ("3315", (3, 3, 1, 5)),
        ("", ()),
        ("6", (6,)),
        ("7", (7,)),
        ("10 2", (10, 2)),
        ("three", None),
        ("1_0", None),
    ],
)
def test_faces_are_read_as_people_write_them(text, faces):
    assert faces_of(text) == faces


def test_rolled_mind_dice_draw_as_many_nexuses():
    for nexuses in range(7):
        assert len(set(roll_mind(nexuses))) == nexuses


def test_start_shows_the_nexuses_that_mind_dice_draw(choir, saints, member):
    page = url("mission", choir, LAW)
    typed = {"soul_die": "3", "body_die": "5", "mind_dice": "3 3 1 5"}
    text = text_of(get(member, page, **typed))
    assert "Drawn by Mind dice: <b>Vieux Carré, Chapel, Motel</b>." in text
    assert "3 came up before and was rolled again." in text
    assert "1 nexus is still to be drawn." in text
    whole = text_of(get(member, page, **typed | {"mind_dice": "3156"}))
    assert "Downtown Vegas: Vieux Carré, Chapel, Motel, Lot" in whole
    assert "still to be drawn" not in whole


@pytest.mark.parametrize(
    "mission", ["the-law-of-the-jungle", LIGHTHOUSE, "red-flowers"]
)
def test_mind_dice_are_asked_only_where_they_draw(choir, saints, member, mission):
    assert 'name="mind_dice"' not in text_of(member.get(url("mission", choir, mission)))


def test_all_dice_are_rolled_on_screen(choir, saints, member):
    page = url("mission_prepare", choir, LAW)
    saints = [str(saint.id) for saint in saints]
    for _each in range(8):
        answer = get(member, page, htmx=True, roll="1", prepared="1", saints=saints)
        text = text_of(answer)
        drawn = "Drawn by Mind dice" in text
        assert drawn is ("decks around one Desert" not in text)
        assert "still to be drawn" not in text


@pytest.mark.parametrize("mind", ["0 1 2 3", "7", "1 2", "x"])
def test_wrong_mind_dice_come_back(choir, saints, member, htmx, mind):
    answer = post(
        member,
        url("attempt_start", choir, LAW),
        htmx=htmx,
        saints=[str(saint.id) for saint in saints],
        soul_die="1",
        body_die="5",
        mind_dice=mind,
    )
    assert answer.status_code == 422
    assert f'value="{mind}"' in text_of(answer)
    assert 'class="fault"' in text_of(answer)
    assert not Attempt.objects.exists()


def test_mind_dice_are_entered_while_in_play(choir, saints, member, htmx):
    attempt = start(choir, LAW, saints, body_die=5)
    page = text_of(member.get(url("table", choir)))
    assert "4 nexuses are drawn by Mind dice" in page
    there = url("mind_dice", choir, attempt.id)
    wrong = post(member, there, htmx=htmx, mind_dice="1 1 2 7")
    assert wrong.status_code == 422
    assert "A die shows 1 to 6." in text_of(wrong)
    few = post(member, there, htmx=htmx, mind_dice="1 1 2")
    assert "2 nexuses are still missing." in text_of(few)
    assert post(member, there, htmx=htmx, mind_dice="1 1 2 3 4").status_code < 400
    page = text_of(member.get(url("table", choir)))
    assert "drawn by Mind dice" not in page
    assert "Downtown Vegas: Chapel, Star Walk, Vieux Carré, China Gate" in page


def test_mind_dice_are_rolled_while_in_play(choir, saints, member, htmx):
    attempt = start(choir, LAW, saints, body_die=5)
    there = url("mind_dice", choir, attempt.id)
    assert post(member, there, htmx=htmx, roll="1").status_code < 400
    attempt.refresh_from_db()
    assert len(set(attempt.mind_dice.split(","))) == 4


def test_card_is_contracted_and_sacrificed(choir, saints, member, htmx):
    attempt = start(choir, LAW, saints)
    given = {"name": "Drone", "kind": "threat", "saint": str(saints[0].id)}
    there = url("contract_slot", choir, attempt.id)
    answer = post(member, there, htmx=htmx, **given)
    if htmx:
        assert text_of(answer).lstrip().startswith('<section id="contracts"')
        assert "Threat, slot 1 of Saint 1’s halo" in text_of(answer)
    else:
        assert went_to(answer) == url("damned", choir) + "#contracts"
    taken = post(member, there, htmx=htmx, slot="1", **given)
    assert taken.status_code == 422
    assert "nothing may be slotted on a contract" in text_of(taken)
    card = Card.objects.get(is_contract=True)
    sacrifice = url("contract_sacrifice", choir, card.id)
    assert post(member, sacrifice, htmx=htmx).status_code < 400
    assert not Card.objects.filter(is_contract=True).exists()
    again = post(member, sacrifice, htmx=htmx)
    assert again.status_code == 409
    assert "That contract is not in a halo any more." in text_of(again)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"kind": "omen"},
        {"saint": "x"},
        {"slot": "0"},
        {"slot": "9"},
        {"slot": "x"},
    ],
)
def test_wrong_contract_comes_back(choir, saints, member, htmx, wrong):
    attempt = start(choir, LAW, saints)
    given = {"name": "Drone", "kind": "threat", "saint": str(saints[0].id)}
    there = url("contract_slot", choir, attempt.id)
    answer = post(member, there, htmx=htmx, **given | wrong)
    assert answer.status_code == 422
    assert 'class="fault"' in text_of(answer)
    assert not Card.objects.exists()


def test_result_lists_the_contracts_that_go(choir, saints, member):
    attempt = start(choir, LAW, saints)
    page = url("attempt_result", choir, attempt.id) + "?outcome=lost"
    assert "contract is sacrificed" not in text_of(member.get(page))
    for saint, name in zip(saints, ("Drone", "Johnny Esquire"), strict=False):
        actions.contract_slot(
            ask_for(choir), attempt=attempt.id, saint=saint, name=name, kind="gift"
        )
    text = text_of(member.get(page))
    assert "2 contracts are sacrificed" in text
    assert "Drone (Saint 1), Johnny Esquire (Saint 2)." in text


def test_result_says_when_the_lighthouse_opens(choir, saints, member):
    slot_fragment(saints[0], NOVEM[0])
    slot_fragment(saints[1], NOVEM[1])
    attempt = start(choir, LAW, saints)
    page = url("attempt_result", choir, attempt.id)
    won = text_of(get(member, page, outcome="won"))
    assert "The Lighthouse opens" in won
    nobody = get(member, page, outcome="won", fragment_to="")
    assert "The Lighthouse opens" not in text_of(nobody)
    other = get(member, page, outcome="won", fragment_to=str(saints[0].id))
    assert "The Lighthouse opens" not in text_of(other)
    lost = get(member, page, outcome="lost", fragment_to=str(saints[2].id))
    assert "The Lighthouse opens" in text_of(lost)


@pytest.mark.parametrize("name", ["damned", "map_book"])
def test_nine_novem_contracts_are_listed(choir, saints, member, name):
    slot_fragment(saints[0], NOVEM[0])
    actions.novem_move(
        ask_for(choir), mission=NOVEM[1], place="buried", saint=saints[1]
    )
    arguments = ["damned"] if name == "map_book" else []
    page = text_of(member.get(url(name, choir, *arguments)))
    for slug in NOVEM:
        assert f'id="where-{slug}"' in page
    assert "Held by Saint 1" in page
    assert "Buried by Saint 2" in page
    assert page.count("In the box") == 7
    assert page.count("Missing: no novem contract in the halo.") == 2


def test_novem_contract_is_moved(choir, saints, member, htmx):
    there = url("novem_move", choir, LAW)
    for to, words in (
        (f"halo:{saints[0].id}", "Held by Saint 1"),
        (f"halo:{saints[1].id}", "Held by Saint 2"),
        (f"buried:{saints[2].id}", "Buried by Saint 3"),
        ("box", "In the box"),
    ):
        answer = post(member, there, htmx=htmx, to=to)
        assert answer.status_code < 400
        page = text_of(member.get(url("damned", choir)))
        place = page.split(f'id="where-{LAW}">')[1].split("</small>")[0]
        assert place == words
    assert Card.objects.filter(mission=LAW).count() == 1


@pytest.mark.parametrize("to", ["", "stash", "halo:x", "halo:", "box"])
def test_novem_contract_that_goes_nowhere_is_refused(choir, saints, member, htmx, to):
    answer = post(member, url("novem_move", choir, LAW), htmx=htmx, to=to)
    assert answer.status_code in (409, 422)
    assert 'role="alert"' in text_of(answer)
    assert not Card.objects.exists()


def test_vice_target_is_each_saints_own(choir, saints, spectator, htmx):
    page = text_of(
        get(spectator, url("vice", choir), htmx=htmx, target="11", vice="rage")
    )
    assert [f"11 + {rage}" in page for rage in (2, 3, 4)] == [True] * 3
    for target in (13, 14, 15):
        assert f'<b class="num">{target}</b>' in page


@pytest.mark.parametrize(
    "asked",
    [
        {"target": "", "vice": ""},
        {"target": "-1", "vice": "rage"},
        {"target": "x", "vice": "rage"},
        {"target": "11", "vice": "envy"},
    ],
)
def test_wrong_vice_is_refused(choir, saints, spectator, htmx, asked):
    answer = get(spectator, url("vice", choir), htmx=htmx, **asked)
    assert answer.status_code == 422
    assert 'class="fault"' in text_of(answer)


def test_gamble_shows_the_best_dice_and_exact_odds(choir, spectator, htmx):
    answer = get(
        spectator,
        url("gamble", choir),
        htmx=htmx,
        pool="6 5 3 1",
        gambled="2",
        target="14",
    )
    page = text_of(answer)
    assert answer.status_code == 200
    assert "Gamble <b>1, 3</b>." in page
    assert "Keep 5, 6." in page
    assert "14 or more comes with <b>58.3 %</b> (7/12)." in page
    assert "Without a gamble these dice meet the target." in page


def test_gamble_counts_the_highest_dice_only(choir, spectator):
    asked = {"pool": "6 6 6 1", "gambled": "1", "target": "18", "keep": "3"}
    page = text_of(get(spectator, url("gamble", choir), **asked))
    assert "<b>100.0 %</b> (1)" in page


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"pool": ""}, "Write what the dice show"),
        ({"pool": "1 2 0"}, "A die shows 1 to 6."),
        ({"pool": "1 2 7"}, "A die shows 1 to 6."),
        ({"pool": "abc"}, "Write what the dice show"),
        ({"pool": "1" * 13}, "Write at most 12 dice."),
        ({"gambled": "3"}, "The pool holds 2 dice. Gamble 0 to 2 of them."),
        ({"gambled": "-1"}, "from 0 to 12"),
        ({"target": "x"}, "from 0 to 99"),
        ({"keep": "0"}, "from 1 to 12"),
    ],
)
def test_wrong_gamble_is_refused(choir, spectator, htmx, asked, told):
    given = {"pool": "5 4", "gambled": "1", "target": "6"} | asked
    answer = get(spectator, url("gamble", choir), htmx=htmx, **given)
    assert answer.status_code == 422
    assert told in text_of(answer)


@pytest.mark.parametrize("name", ["vice", "gamble"])
def test_calculator_is_shown_empty_before_anything_is_asked(
    choir, saints, spectator, htmx, name
):
    answer = get(spectator, url(name, choir), htmx=htmx)
    assert answer.status_code == 200
    assert 'class="fault"' not in text_of(answer)


def test_calculators_change_nothing(choir, spectator):
    before = choir.entries.count()
    get(spectator, url("gamble", choir), pool="5 4", gambled="1", target="6")
    get(spectator, url("vice", choir), target="11", vice="mind")
    assert choir.entries.count() == before


def test_lighthouse_shows_the_act_that_is_played(choir, saints, member, htmx):
    for saint, mission in zip(saints, NOVEM, strict=False):
        slot_fragment(saint, mission)
    attempt = start(choir, LIGHTHOUSE, saints)
    page = text_of(member.get(url("table", choir)))
    assert "Act 1 of 3" in page
    assert "Bindery" in page
    assert "Casino" not in page
    assert "begin act 2" in page
    assert "begin act 3" not in page
    for act in (2, 3):
        answer = post(member, url("act_begin", choir, attempt.id, act), htmx=htmx)
        assert answer.status_code < 400
    page = text_of(member.get(url("table", choir)))
    assert "Act 3 of 3" in page
    assert "Casino" in page
    assert "Bindery" not in page
    assert "Back to act 2" in page
    again = post(member, url("act_begin", choir, attempt.id, 4), htmx=htmx)
    assert again.status_code == 422
    assert "The Lighthouse has acts 1 to 3." in text_of(again)


def test_beetle_and_list_show_the_regions_visited(choir, saints, spectator):
    for body in (4, 6, 6, 5):
        finish(start(choir, LAW, saints, body_die=body), Outcome.ABANDONED)
    page = text_of(spectator.get(url("map_book", choir, "damned")))
    assert "Visited 2 times" in page
    assert "Visited once, last" in page
    assert page.count("Not yet") == 3
    assert page.count('class="g tint"') >= 2
    assert "Last roll: the head" in page


def test_spectator_looks_and_may_not_change(choir, saints, spectator):
    attempt = start(choir, LAW, saints, body_die=5)
    page = text_of(spectator.get(url("damned", choir)))
    for action in (
        url("contract_slot", choir, attempt.id),
        url("mind_dice", choir, attempt.id),
        url("act_begin", choir, attempt.id, 2),
        url("novem_move", choir, LAW),
    ):
        assert f'action="{action}"' not in page
        assert post(spectator, action, to="box").status_code == 403


def test_stranger_finds_nothing(choir, saints, stranger):
    for name in ("damned", "vice", "gamble"):
        assert stranger.get(url(name, choir)).status_code == 404


def test_pages_ask_as_many_queries_for_many_contracts(
    choir, owner, django_assert_max_num_queries
):
    def queries():
        return django_assert_max_num_queries(MOST_QUERIES)

    def counts():
        return [
            counted(owner, page, queries)
            for page in (
                url("damned", choir),
                url("map_book", choir, "damned"),
                url("table", choir),
                url("attempt_result", choir, attempt.id) + "?outcome=won",
            )
        ]

    saints = add_saints(choir, 6)
    open_night(choir, saints)
    attempt = start(choir, LAW, saints, body_die=5)
    few = counts()
    for number, saint in enumerate(saints * 2):
        actions.contract_slot(
            ask_for(choir),
            attempt=attempt.id,
            saint=saint,
            name=f"Drone {number}",
            kind="threat",
        )
    for saint, mission in zip(saints, NOVEM, strict=False):
        slot_fragment(saint, mission)
    assert counts() == few
