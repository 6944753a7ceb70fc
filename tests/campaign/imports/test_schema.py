from campaign.imports.schema import schema_text
from tools.findings import ROOT


def test_published_schema_is_current():
    published = (ROOT / "docs" / "export.schema.json").read_text(encoding="utf-8")
    assert published == schema_text(), (
        "manage.py exportschema > docs/export.schema.json"
    )
