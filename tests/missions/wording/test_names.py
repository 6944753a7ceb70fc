from missions import wording
from missions.catalogue import library
from missions.problems.requirements import SECRETS
from rules.book import (
    Allegiance,
    Group,
    On,
    Outcome,
    Virtue,
)
from rules.unlocks import State


def test_every_member_has_a_word():
    assert set(wording.OUTCOMES) == set(Outcome)
    assert set(wording.STATES) == set(State)
    assert set(wording.GROUPS) == set(Group)
    assert set(wording.VIRTUES) == set(Virtue)
    assert set(wording.ALLEGIANCES) == set(Allegiance)
    assert set(wording.ON) == set(On)
    assert all(wording.secret(name) for name in SECRETS)


def test_every_component_of_the_box_has_a_name():
    counted = [found.components for found in library().chapters]
    counted.append(library().supplement.components)
    for components in counted:
        for kind, number in components.items():
            assert wording.component(kind, number).startswith(f"{number} ")
    assert wording.component("mind-gift", 9) == "9 Mind gifts"
    assert wording.component("nexus", 3) == "3 nexuses"
    assert wording.component("saint", 1) == "1 saint"
