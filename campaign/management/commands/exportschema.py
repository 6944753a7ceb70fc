"""Print the JSON Schema of exports."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from campaign.imports.schema import schema_text


class Command(BaseCommand):
    help = "Print the JSON Schema of exports, as docs/export.schema.json keeps it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(schema_text(), ending="")
