"""Texts are found in code and templates, and catalogues keep what was translated."""

from __future__ import annotations

import polib
import pytest

from tools.messages import (
    Message,
    NotLiteral,
    begin,
    extracted,
    python_messages,
    renewed,
    template_messages,
)

PYTHON = """
from django.utils.translation import gettext as _, gettext_lazy
from django.utils.translation import ngettext_lazy as many, pgettext
from elsewhere import ngettext

_("One %(saint)s" " more.")
LABEL = gettext_lazy("Halo")
many("%(n)d card", "%(n)d cards", 3)
pgettext("place of cards", "Stash")
ngettext("not ours", "none of ours", 1)
translate("nor this")
"""


def test_python_texts_are_found_under_any_name():
    assert sorted(python_messages(PYTHON)) == sorted(
        [
            Message("One %(saint)s more."),
            Message("Halo"),
            Message("%(n)d card", "%(n)d cards"),
            Message("Stash", msgctxt="place of cards"),
        ]
    )


@pytest.mark.parametrize("call", ["_(label)", '_(f"{a}")', '_("a" + b)', "_()"])
def test_python_text_that_is_no_literal_is_refused(call):
    source = f"from django.utils.translation import gettext as _\n\n{call}\n"
    with pytest.raises(NotLiteral, match="line 3"):
        list(python_messages(source))


def test_template_texts_are_found():
    source = """{% load i18n %}{# _("not this") #}
    {% translate "It's open" %}{% translate "Stash" context "place of cards" %}
    {% include "a.html" with title=_("No “choir” yet") %}
    {% blocktranslate count n=cards|length with who=name trimmed %}
      <b>{{ n }}</b> card of {{ who }}
    {% plural %}
      {{ n }} cards of {{ who }}
    {% endblocktranslate %}"""
    assert list(template_messages(source)) == [
        Message("It's open"),
        Message("Stash", msgctxt="place of cards"),
        Message("No “choir” yet"),
        Message("<b>%(n)s</b> card of %(who)s", "%(n)s cards of %(who)s"),
    ]


def entry(msgid: str, **given: object) -> polib.POEntry:
    return polib.POEntry(msgid=msgid, **given)


def by_key(*entries: polib.POEntry) -> dict:
    return {(each.msgctxt, each.msgid): each for each in entries}


def test_catalogue_keeps_translations_and_follows_the_texts():
    old = begin("de")
    old.extend(
        [
            entry("Halo", msgstr="Heiligenschein", flags=["fuzzy"]),
            entry("gone", msgstr="fort"),
            entry(
                "card", msgid_plural="cards", msgstr_plural={0: "Karte", 1: "Karten"}
            ),
            entry("saint", msgstr="Heiliger"),
        ]
    )
    new = renewed(
        old,
        by_key(
            entry("Halo"),
            entry("card", msgid_plural="cards"),
            entry("saint", msgid_plural="saints"),
            entry("new"),
        ),
    )
    assert {each.msgid: each.msgstr_plural or each.msgstr for each in new} == {
        "Halo": "Heiligenschein",
        "card": {0: "Karte", 1: "Karten"},
        "saint": {0: "", 1: ""},
        "new": "",
    }
    assert [each.msgid for each in new if each.fuzzy] == ["Halo"]


def test_text_with_and_without_plural_is_one_entry(tmp_path):
    (tmp_path / "campaign").mkdir()
    (tmp_path / "campaign" / "a.py").write_text(
        "from django.utils.translation import gettext, ngettext\n"
        'gettext("saint")\nngettext("saint", "saints", 2)\n'
    )
    ((key, found),) = extracted(tmp_path).items()
    assert key == (None, "saint")
    assert found.msgid_plural == "saints"
