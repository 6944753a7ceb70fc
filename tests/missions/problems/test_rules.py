import pytest

from tests.missions.folders import change, found, where


@pytest.mark.parametrize(
    ("old", "new", "id", "key"),
    [
        ('id = "throwback"', 'id = "Throw Back"', "E020", "rules[5].id"),
        ('id = "throwback"', 'id = "allegiance"', "E020", "rules[5].id"),
        ('topic = "finales"', 'topic = "ends"', "E020", "rules[6].topic"),
        ('see = ["gambling"]', 'see = ["gamble"]', "E021", "rules[9].see"),
        ('see = ["gambling"]', 'see = ["staking"]', "E021", "rules[9].see"),
        (
            'missions = ["the-bargaining-table"]',
            'missions = ["red-flowers"]',
            "E021",
            "rules[7].missions",
        ),
        ('groups = ["finale"]', 'groups = ["law"]', "E021", "rules[6].groups"),
        ("every = true", 'every = true\ngroups = ["law"]', "E021", "rules[1].groups"),
        ("every = true", 'every = true\ngroups = ["finale"]', "E021", "rules[1].every"),
        (
            "source = [101]",
            "source = [101]\nevery = true",
            "E021",
            "rules[44].every",
        ),
        ('topic = "throwback"', 'topic = "finales"', "E022", "rules"),
        ("source = [101]", "source = [77]", "E017", "rules[44].source"),
        ('sections = ["The ravens\' secret"]', "", "E017", "rules[22].source"),
        (
            'sections = ["Organised play"]',
            'sections = ["Organised play"]\nsource = [101]',
            "E017",
            "rules[82].source",
        ),
        ('title.en = "Gambling"', "", "E011", "rules[10].title.en"),
        ('title.de = "Zocken"', "", "E011", "rules[10].title.de"),
        (
            'title.en = "Gambling"',
            'title.en = "Gambling"\ntitle.xx = "?"',
            "E011",
            "rules[10].title.xx",
        ),
        (
            '{ en = "Opposing: reloaded',
            '{ en = " " }, { en = "Opposing: reloaded',
            "E011",
            "rules[5].points[2].en",
        ),
    ],
)
def test_fault_of_a_rule_at_hand_is_refused(books, old, new, id, key):
    change(books, "rules", old, new)
    problems = found(books, f"missions.{id}")
    assert where(problems[0]) == ("seeds/rules.toml", "", key)
    assert problems[0].message
