import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from missions.catalogue import library
from missions.listing import library_listing
from rules.book import SAINTS
from rules.setup import nexus_count


class Command(BaseCommand):
    help = "Print the four books: a short table, or everything as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="print the whole content as JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        books = library()
        if options["json"]:
            listing = library_listing(books)
            self.stdout.write(json.dumps(listing, ensure_ascii=False, indent=2))
            return
        for chapter in books.chapters:
            self.stdout.write(
                _("%(title)s (%(total)d cards)")
                % {"title": chapter.title, "total": chapter.total}
            )
            for mission in chapter.missions:
                counts = " ".join(f"{nexus_count(mission, n):>2}" for n in SAINTS)
                self.stdout.write(f"  {mission.title:<34} {mission.group:<12} {counts}")
        self.stdout.write(
            _("The last columns: nexuses at the start for 1 to 6 saints.")
        )
