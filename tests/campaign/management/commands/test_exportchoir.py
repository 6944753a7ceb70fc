import pytest
from django.core.management import CommandError, call_command

from campaign.exports import export_text
from tests.campaign import people


def run(*arguments, capsys):
    call_command("exportchoir", *arguments)
    return capsys.readouterr()


def test_exportchoir_prints_by_name_and_by_id(choir, capsys):
    for name in (choir.name, str(choir.id), choir.id.hex):
        assert run(name, capsys=capsys).out == export_text(choir.id)


def test_exportchoir_writes_a_file(choir, capsys, tmp_path):
    file = tmp_path / "choir.json"
    printed = run(choir.name, "--output", str(file), capsys=capsys)
    assert printed.out == ""
    assert printed.err == f"Wrote {file}.\n"
    assert file.read_text(encoding="utf-8") == export_text(choir.id)


def test_exportchoir_unknown_name_lists_the_known(choir):
    with pytest.raises(CommandError, match="Known are: The Candlemas Choir"):
        call_command("exportchoir", "Nobody")


def test_exportchoir_of_a_name_twice_asks_for_the_id(choir):
    other = people.found(choir.name)
    with pytest.raises(CommandError, match="Several") as refused:
        call_command("exportchoir", choir.name)
    assert str(choir.id) in str(refused.value)
    assert str(other.id) in str(refused.value)


def test_exportchoir_into_nowhere_says_so(choir, tmp_path):
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("exportchoir", choir.name, output=tmp_path / "no" / "choir.json")
