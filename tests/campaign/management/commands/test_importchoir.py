import gzip
import io
import json

import pytest
from django.core.management import CommandError, call_command

from campaign.exports import export_text
from campaign.journal import verify
from campaign.models import Choir
from tests.campaign.factories import add_saint


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    call_command("importchoir", *map(str, arguments), stdout=out, stderr=err)
    return out.getvalue()


@pytest.fixture
def file(choir, tmp_path):
    add_saint(choir, "Ophelia")
    path = tmp_path / "choir.json"
    path.write_text(export_text(choir.id), encoding="utf-8")
    return path


def test_file_becomes_a_new_choir(choir, file):
    told = run(file)
    made = Choir.objects.exclude(id=choir.id).get()
    assert f"Imported The Candlemas Choir as choir {made.id}." in told
    assert "saints: Ophelia" in told
    assert "journal: 2 entries" in told
    assert verify(made.id) == []


def test_preview_imports_nothing(choir, file):
    told = run(file, "--preview")
    assert "saints: Ophelia" in told
    assert "Nothing was imported" in told
    assert Choir.objects.count() == 1


def test_packed_export_is_written_and_read(choir, file, tmp_path):
    packed = tmp_path / "choir.json.gz"
    call_command("exportchoir", choir.id.hex, "--output", str(packed))
    assert gzip.decompress(packed.read_bytes()).decode() == export_text(choir.id)
    assert "Imported" in run(packed)


def test_broken_journal_is_refused_unless_it_is_left_behind(choir, file):
    document = json.loads(file.read_text(encoding="utf-8"))
    document["journal"][1]["digest"] = "0" * 64
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CommandError, match="--without-journal"):
        run(file)
    assert Choir.objects.count() == 1
    run(file, "--without-journal")
    made = Choir.objects.exclude(id=choir.id).get()
    assert made.revision == 1
    assert verify(made.id) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "line 1, column 2: This is not JSON."),
        ('{"format": "choirbook"}', "journal: This is missing."),
    ],
)
def test_what_is_no_export_is_refused_with_its_faults(choir, file, text, told):
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=told):
        run(file)
    assert Choir.objects.count() == 1


def test_missing_file_is_told(db, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        run(tmp_path / "nothing.json")
