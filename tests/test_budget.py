"""What the first look at the table costs a phone, from the files as they are built."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse

from campaign.access import Role
from tests.campaign import people
from tests.campaign.factories import add_saints, open_night, start
from tools.findings import ROOT

pytestmark = pytest.mark.once

ALL, FONTS, OWN_SCRIPT = 40_000, 90_000, 4_000
"""Bytes of the first load: page, styles and scripts compressed; fonts; own scripts."""


KIND = "servestatic.storage.CompressedManifestStaticFilesStorage"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Iterator[Path]:
    """A folder of static files as a start makes it."""
    folder = tmp_path_factory.mktemp("static")
    storages = settings.STORAGES | {"staticfiles": {"BACKEND": KIND}}
    with override_settings(STORAGES=storages, STATIC_ROOT=folder):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield folder


def table_of_a_fair_night() -> str:
    """The table with six saints, a night open and a mission in play."""
    choir = people.found()
    host = people.join(people.device(), choir, Role.HOST)
    saints = add_saints(choir, 6)
    open_night(choir, saints)
    start(choir, "night-things", saints)
    return people.text_of(host.get(reverse("table", args=[choir.id])))


@pytest.mark.django_db
def test_first_load_of_the_table_stays_within_its_budget(built):
    page = table_of_a_fair_night()
    sheets = re.findall(r'<link rel="stylesheet" href="/static/([^"]+)"', page)
    scripts = re.findall(r'<script src="/static/([^"]+)"', page)
    assert len(sheets) >= 2
    assert len(scripts) >= 4

    def compressed(names: list[str]) -> int:
        return sum((built / f"{name}.gz").stat().st_size for name in names)

    own = [name for name in scripts if name.startswith("js/")]
    whole = compressed(sheets) + compressed(scripts) + len(gzip.compress(page.encode()))
    assert whole <= ALL
    assert compressed(own) <= OWN_SCRIPT

    styles = "".join((built / n).read_text(encoding="utf-8") for n in sheets)
    fonts = {built / "fonts" / n for n in re.findall(r'fonts/([^")]+\.woff2)', styles)}
    assert len(fonts) == 2
    assert sum(font.stat().st_size for font in fonts) <= FONTS


def test_every_script_of_our_own_together_is_small(built):
    """Compressed one by one, as they travel; and few enough to be read in one go."""
    scripts = [
        script
        for script in (built / "js").glob("*.js")
        if not re.search(r"\.[0-9a-f]{12}\.", script.name)
    ]
    assert len(scripts) >= 5
    assert sum(Path(f"{script}.gz").stat().st_size for script in scripts) <= OWN_SCRIPT
    assert sum(script.stat().st_size for script in scripts) <= 8_000


def test_budget_measures_the_storage_that_serves(built):
    """The tests of pages use a plain one; this file builds what a start builds."""
    text = (ROOT / "campaign/settings.py").read_text(encoding="utf-8")
    assert f'"BACKEND": "{KIND}"' in text
    assert (built / "staticfiles.json").exists()
