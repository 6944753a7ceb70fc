from missions.catalogue import SEEDS
from missions.seedfile import (
    BOOKS,
)
from missions.seedfile.__main__ import main
from tests.missions.folders import change


def test_command_says_ok_for_each_file(capsys):
    assert main([str(SEEDS / f"{stem}.toml") for stem in (*BOOKS, "base")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{stem}.toml: ok" for stem in (*BOOKS, "base")
    ]


def test_command_prints_errors_and_fails(books, capsys):
    change(books, "animus", "total = 100", 'total = "100"')
    assert main([str(books / "animus.toml")]) == 1
    assert capsys.readouterr().out == (
        'seeds/animus.toml, key chapter.total: found "100", allowed is a whole number\n'
    )


def test_command_reads_the_rules_too(capsys):
    assert main([str(SEEDS / "rules.toml")]) == 0
    assert capsys.readouterr().out == "rules.toml: ok\n"
