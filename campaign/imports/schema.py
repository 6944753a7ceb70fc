"""The published JSON Schema of an export, made from the models that check it."""

from __future__ import annotations

import json

from pydantic import create_model

from campaign.exports import Export
from campaign.imports.columns import rows_model

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    """The schema as JSON text, the same on every database.

    It says what single values may be. That digests, links and constraints hold it
    cannot say.
    """
    export = create_model(
        "ChoirbookExport",
        __base__=Export,
        __doc__="A choir: who it is, its rows by table, its journal by number.",
        rows=(rows_model(), ...),
    )
    schema = {"$schema": DRAFT, **export.model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
