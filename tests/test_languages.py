"""Each language is complete: every text, its places and tags, and the compiled file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import polib
import pytest
from django.conf import settings

from tools.messages import catalogue_of, extracted

pytestmark = pytest.mark.once

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
PLACE = re.compile(r"%\(\w+\)[.\d]*[a-z]|%%|\{\w*\}|<[^>]+>")
"""What a translation has to take over: places for values, and tags."""

ENGLISH = re.compile(r"[\"”’']|\.\.\.|(?<=\w) - (?=\w)")
"""Quotation marks, dots and dashes that German does not write."""


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(catalogue_of(language)))


def forms(entry: polib.POEntry) -> Iterator[tuple[str, str, str]]:
    """Each translation of an entry, the text it stands for, and the other form."""
    if not entry.msgid_plural:
        yield entry.msgstr, entry.msgid, entry.msgid
    for number, text in entry.msgstr_plural.items():
        pair = (entry.msgid, entry.msgid_plural)
        yield text, *(pair if number == 0 else pair[::-1])


def test_every_text_is_in_the_catalogue_and_no_other(catalogue):
    wanted = {(*key, entry.msgid_plural) for key, entry in extracted().items()}
    found = {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in catalogue}
    assert sorted(map(str, wanted - found)) == [], "new texts: run `make messages`"
    assert sorted(map(str, found - wanted)) == [], "texts gone: run `make messages`"


def test_every_text_is_translated(catalogue):
    assert [entry.msgid for entry in catalogue if not entry.translated()] == []
    assert [entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete] == []
    for entry in catalogue:
        assert all(text for text, _own, _other in forms(entry)), entry.msgid


def test_translations_keep_places_and_tags(catalogue):
    for entry in catalogue:
        for text, own, other in forms(entry):
            kept = Counter(PLACE.findall(text))
            allowed = [Counter(PLACE.findall(each)) for each in (own, other)]
            assert kept in allowed, f"{own!r}: {text!r}"


def test_translations_keep_the_space_around_them(catalogue):
    for entry in catalogue:
        for text, own, _other in forms(entry):
            for edge in (r"^\s*", r"\s*$"):
                assert re.search(edge, text)[0] == re.search(edge, own)[0], own


def test_german_is_set_as_german():
    for entry in polib.pofile(str(catalogue_of("de"))):
        for text, _own, _other in forms(entry):
            assert not ENGLISH.search(PLACE.sub("", text)), text
            assert text.count("„") == text.count("“"), text


def test_compiled_file_is_that_of_the_catalogue(language, catalogue):
    compiled = polib.mofile(str(catalogue_of(language).with_suffix(".mo")))
    told = [
        {
            (entry.msgctxt, entry.msgid, entry.msgid_plural): (
                entry.msgstr,
                tuple(entry.msgstr_plural.items()),
            )
            for entry in file
        }
        for file in (compiled, catalogue)
    ]
    assert told[0] == told[1], "run `make messages`"
    assert compiled.metadata["Plural-Forms"] == catalogue.metadata["Plural-Forms"]
