import copy
import json
import uuid

import pytest
from jsonschema import Draft202012Validator

from campaign import journal
from campaign.actions.sample import sample_found
from campaign.exports import export_text
from campaign.imports.schema import schema_text
from campaign.tracked import schema_id
from tests.campaign import people
from tests.releases.whole import VERSIONS
from tools.findings import ROOT
from tools.release import EXPORT, RELEASES

PUBLISHED = ROOT / "docs" / "export.schema.json"


def test_published_schema_is_current():
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), (
        "manage.py exportschema > docs/export.schema.json"
    )


@pytest.fixture(scope="module")
def validator():
    """A reader of JSON Schema that is not ours, over the published file."""
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture
def document(db):
    """A fresh export of the sample choir, which has rows of nearly every table."""
    ask = journal.Ask(uuid.uuid4(), people.ACTOR, key=uuid.uuid4())
    return json.loads(export_text(sample_found(ask).choir.id))


def test_released_exports_of_todays_columns_fit_the_published_schema(validator):
    """Those of other columns are brought to these by the import, and do not fit."""
    for version in VERSIONS:
        text = (RELEASES / version / EXPORT).read_text(encoding="utf-8")
        export = json.loads(text)
        assert validator.is_valid(export) == (export["schema"] == schema_id()), version


def test_fresh_export_fits_the_published_schema(validator, document):
    assert [error.message for error in validator.iter_errors(document)] == []


def row(document, table):
    return document["rows"][f"campaign_{table}"][0]


WRONG = {
    "another format": lambda d: d.update(format="songbook"),
    "another version": lambda d: d.update(version=2),
    "a name too much": lambda d: d.update(colour="red"),
    "no journal": lambda d: d.pop("journal"),
    "no rows": lambda d: d.update(rows=None),
    "a table less": lambda d: d["rows"].pop("campaign_saint"),
    "a table too much": lambda d: d["rows"].update(campaign_song=[]),
    "a column less": lambda d: row(d, "saint").pop("mind"),
    "a column too much": lambda d: row(d, "saint").update(colour="red"),
    "a number as text": lambda d: row(d, "saint").update(mind="3"),
    "a number too large": lambda d: row(d, "saint").update(mind=7),
    "a number too small": lambda d: row(d, "saint").update(mind=0),
    "a yes as a number": lambda d: row(d, "saint").update(is_king=1),
    "nothing where it must not be": lambda d: row(d, "saint").update(name=None),
    "no name": lambda d: row(d, "saint").update(name=""),
    "a name too long": lambda d: row(d, "saint").update(name="x" * 41),
    "a status of its own": lambda d: row(d, "saint").update(status="asleep"),
    "an id that is none": lambda d: row(d, "saint").update(id="1"),
    "a moment without zone": lambda d: row(d, "choir").update(
        founded_at="2026-03-06T20:15:00"
    ),
    "a day with a time": lambda d: row(d, "gamenight").update(date="2026-03-06T20"),
    "an entry's number as text": lambda d: d["journal"][0].update(number="1"),
    "an entry without digest": lambda d: d["journal"][0].pop("digest"),
    "an entry of a kind of its own": lambda d: d["journal"][0].update(kind="song"),
    "a change without its row": lambda d: d["journal"][0]["changes"][0].pop("row"),
}


def test_wrong_documents_do_not_fit_the_published_schema(validator, document):
    taken = []
    for name, spoil in WRONG.items():
        spoiled = copy.deepcopy(document)
        spoil(spoiled)
        if validator.is_valid(spoiled):
            taken.append(name)
    assert taken == []
