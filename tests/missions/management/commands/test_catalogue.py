import json
from io import StringIO

import pytest
from django.core.management import call_command


@pytest.fixture(scope="module")
def listing():
    out = StringIO()
    call_command("catalogue", "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture(scope="module")
def missions(listing):
    return {mission["slug"]: mission for mission in listing["missions"]}


def test_listing_has_the_whole_box(listing):
    assert list(listing) == ["chapters", "missions", "supplement", "rules"]
    assert len(listing["missions"]) == 36
    assert [chapter["slug"] for chapter in listing["chapters"]] == [
        "animus",
        "damned",
        "dreamers",
        "serpents",
    ]
    assert listing["supplement"]["components"]["base-gift"] == 16


def test_chapter_is_listed_with_its_components(listing):
    serpents = listing["chapters"][3]
    assert serpents["title"] == "The Book of the Serpents"
    assert (serpents["border"], serpents["unstash"]) == ("gold", "The Hookup")
    assert serpents["total"] == sum(serpents["components"].values()) == 100
    assert serpents["sin_city"] is None
    assert len(serpents["missions"]) == 9


def test_rule_at_hand_is_listed_with_the_missions_that_use_it(listing):
    rules = {rule["id"]: rule for rule in listing["rules"]}
    travel = rules["time-travel"]
    assert travel["uses"] == [
        "time-travel-is-a-lonely-business",
        "face-your-fear-fear-your-face",
        "the-sleeper-wakes",
    ]
    assert (travel["book"], travel["lines"]) == ("dreamers", [96, 624])
    assert len(rules["gambling"]["uses"]) == 9
    assert sum(rule["question"] for rule in rules.values()) == 21


def test_sin_city_is_listed_with_damned(listing):
    city = listing["chapters"][1]["sin_city"]
    assert [row["face"] for row in city["sins"]] == [1, 2, 3, 4, 5, 6]
    assert city["regions"][3]["name"] == "The Mojave"
    assert city["clock"][0]["totals"] == [2, 3, 12]


def test_every_mission_has_the_same_keys(missions):
    assert {tuple(mission) for mission in missions.values()} == {
        (
            "slug",
            "title",
            "chapter",
            "group",
            "requires",
            "structures",
            "nexuses",
            "nexus_count",
            "region",
            "masters",
            "minions",
            "ordeal",
            "novem_contract",
            "novem",
            "allegiance",
            "roll",
            "time_travel",
            "setup",
            "cues",
            "consequences",
            "place",
            "lines",
        )
    }


def test_staircase_mission_is_listed_as_printed(missions):
    stone = missions["serpent-of-stone"]
    assert stone["group"] == "staircase"
    (requirement,) = stone["requires"]
    assert requirement["kind"] == "won"
    assert set(requirement["missions"]) == {"a-bit-of-a-long-shift", "market-forces"}
    (structure,) = stone["structures"]
    assert structure["cards"] == [
        "Corner",
        "Wherever There's Trouble",
        "As Things Get Strange",
    ]
    assert structure["target"] == "Chamiabac and Chamiaholom"
    assert structure["when"] is None
    first = stone["nexuses"][0]
    assert (first["name"], first["location"]) == ("Cemetery", "Birthplace of Gods")
    assert (first["min_saints"], first["act"]) == (1, 1)
    assert stone["nexus_count"] == {"1": 3, "2": 3, "3": 4, "4": 5, "5": 6, "6": 6}
    assert stone["masters"][0] == {
        "name": "Chamiabac",
        "archetypes": [1],
        "source": "mission",
        "kind": "true threat",
        "act": None,
    }
    assert list(stone["minions"]) == ["A"]
    assert stone["ordeal"] == "Ordeal of Stone"
    assert (stone["novem_contract"], stone["novem"]) == (None, None)


def test_condition_of_a_structure_is_listed(missions):
    lightning = missions["smokestack-lightning"]["structures"]
    assert [variant["when"] for variant in lightning] == [
        {"allegiance": "appease"},
        {"allegiance": "oppose"},
    ]
    acts = missions["the-lighthouse"]["structures"]
    assert [variant["when"] for variant in acts] == [{"act": 1}, {"act": 2}, {"act": 3}]


def test_foe_from_the_sin_has_no_name(missions):
    averages = missions["the-law-of-averages"]
    assert averages["masters"] == [
        {
            "name": None,
            "archetypes": [],
            "source": "sin",
            "kind": "true threat",
            "act": None,
        }
    ]
    assert averages["region"] == {
        "count": {"1": 3, "2": 3, "3": 4, "4": 4, "5": 5, "6": 5},
        "ordered": False,
    }


def test_names_joined_by_a_slash_are_one_object_each(missions):
    cult = missions["la-maquiladora"]["minions"]["C"]
    assert [foe["name"] for foe in cult] == ["Cult Member", "Pananggal", "Serpent Cult"]
    assert {tuple(foe["archetypes"]) for foe in cult} == {tuple(range(1, 13))}


def test_step_counts_for_each_number_of_saints(missions):
    counts = [step["count"] for step in missions["build-that-wall"]["setup"]]
    by_saints = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}
    assert counts[:3] == [by_saints, by_saints, dict.fromkeys(by_saints, 4)]


def test_table_has_a_line_for_each_mission():
    out = StringIO()
    call_command("catalogue", stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 4 + 36 + 1
    assert lines[0] == "The Book of the Animus (100 cards)"
    assert lines[1].split()[-7:] == ["preparation", "1", "2", "3", "4", "5", "6"]
