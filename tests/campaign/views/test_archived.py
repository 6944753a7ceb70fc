"""What players archive they find again within two taps of the table, and restore."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from campaign.actions.cards import card_add, card_archive
from campaign.actions.choirs import choir_archive
from campaign.actions.keyforge.decks import archon_deck_archive
from campaign.actions.players import player_archive
from campaign.actions.saints import saint_archive
from campaign.models import Card, Player
from tests.campaign.factories import add_deck, add_saint
from tests.campaign.people import ask_for, found, join, text_of
from tests.campaign.rendered import forms_of, links_of

SUMMARY = re.compile(r"<summary>.*?</summary>", re.S)


def archive_saint(choir):
    saint = add_saint(choir, "Quentin")
    saint_archive(ask_for(choir), saint=saint.id)
    return "saint_restore", saint.id


def archive_player(choir):
    add_saint(choir, "Quentin", new_player="Olga")
    player = Player.objects.get(choir=choir)
    player_archive(ask_for(choir), player=player.id)
    return "player_restore", player.id


def archive_card(choir):
    card_add(ask_for(choir), name="Old Lamp", kind="gift", gift_type="mind")
    card = Card.objects.get(choir=choir)
    card_archive(ask_for(choir), card=card.id)
    return "card_restore", card.id


def archive_deck(choir):
    deck = add_deck(choir)
    archon_deck_archive(ask_for(choir), deck=deck.id)
    return "archon_deck_restore", deck.id


@pytest.mark.parametrize(
    ("archive", "named"),
    [
        (archive_saint, "1 archived saint"),
        (archive_player, "1 archived player"),
        (archive_card, "1 archived card"),
        (archive_deck, "1 archived deck"),
    ],
)
def test_archived_row_is_two_taps_from_the_table(choir, member, archive, named):
    name, row = archive(choir)
    restore = reverse(name, args=[choir.id, row])
    table = text_of(member.get(reverse("table", args=[choir.id])))
    found_at = [
        link
        for link in set(links_of(table))
        if link.startswith(f"/choirs/{choir.id}/")
        if (answer := member.get(link)).status_code == 200 and not answer.streaming
        if any(named in words for words in SUMMARY.findall(text_of(answer)))
        if restore in {form.action for form in forms_of(text_of(answer))}
    ]
    assert found_at


def test_archived_choir_is_two_taps_from_the_table(choir, owner):
    other = found("Another")
    join(owner, other, "host")
    choir_archive(ask_for(other))
    table = text_of(owner.get(reverse("table", args=[choir.id])))
    assert reverse("home") in links_of(table)
    home = text_of(owner.get(reverse("home")))
    assert "1 archived choir" in home
    (link,) = {link for link in links_of(home) if "archived" in link}
    shown = forms_of(text_of(owner.get(link)))
    restore = reverse("choir_restore", args=[other.id])
    assert restore in {form.action for form in shown}
