"""The guide: the same parts and pictures in each language, in the pages' words."""

import re
from collections import Counter

import pytest
from django.conf import settings
from django.utils.translation import gettext, override
from markdown_it import MarkdownIt

from campaign import guide
from tools.guide_pictures import LARGEST
from tools.messages import extracted

pytestmark = pytest.mark.once

ENGLISH, *OTHERS = [code for code, _name in settings.LANGUAGES]
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
SOURCES = {
    code: guide.source_of(code).read_text(encoding="utf-8")
    for code, _name in settings.LANGUAGES
}


def kinds(language: str) -> list[str]:
    """The outline: headings, lists, items, pictures and commands, in their order."""
    kept = {"heading_open", "list_item_open", "fence"}
    tokens = MarkdownIt("commonmark").parse(SOURCES[language])
    return [
        f"{each.type} {each.tag} {each.info}" for each in tokens if each.type in kept
    ]


def labels(text: str) -> list[str]:
    """What a text sets in bold: the words on buttons, tabs and headings."""
    return re.findall(r"\*\*([^*]+)\*\*", " ".join(text.split()))


def parts(language: str) -> list[str]:
    return re.split(r"^## ", SOURCES[language], flags=re.M)


@pytest.mark.parametrize("language", OTHERS)
def test_guides_of_all_languages_have_the_same_outline(language):
    assert kinds(language) == kinds(ENGLISH)
    spans = [re.findall(r"`[^`\n]+`", SOURCES[code]) for code in (language, ENGLISH)]
    assert spans[0] == spans[1]


@pytest.mark.parametrize("language", OTHERS)
def test_parts_have_the_same_anchors_in_all_languages(language):
    english, other = guide.guide_in(ENGLISH), guide.guide_in(language)
    assert [part.anchor for part in other.parts] == [p.anchor for p in english.parts]
    assert [part.anchor for part in english.parts] == [
        guide.anchor(part.title) for part in english.parts
    ]
    assert all(
        a.title != b.title for a, b in zip(english.parts, other.parts, strict=True)
    )


@pytest.mark.parametrize("language", OTHERS)
def test_guide_names_what_the_pages_call_it(language):
    for english, other in zip(parts(ENGLISH), parts(language), strict=True):
        with override(language):
            translated = {label: gettext(label) for label in labels(english)}
        expected = Counter(translated[label] for label in labels(english))
        # What is not translated yet may have a name here already.
        for label in (each for each in translated if translated[each] == each):
            del expected[label]
        found = Counter(labels(other))
        assert found >= expected
        assert found.total() == len(labels(english))


def test_labels_of_the_guide_are_texts_of_the_pages():
    known = {text for _context, text in extracted()}
    assert set(labels(SOURCES[ENGLISH])) <= known


@pytest.mark.parametrize("language", SOURCES)
def test_pictures_are_there_small_and_told_in_words(language):
    pictures = PICTURE.findall(SOURCES[language])
    assert len(pictures) == 11
    for words, source in pictures:
        assert source.startswith(f"../static/guide/{language}/")
        picture = (guide.FOLDER / source).read_bytes()
        assert len(picture) <= LARGEST
        assert guide.size_of(picture) in {(585, 1140), (1100, 620)}
        assert len(words.split()) > 5
    folder = settings.BASE_DIR / "static" / "guide" / language
    assert {file.name for file in folder.iterdir()} == {
        source.rpartition("/")[2] for _words, source in pictures
    }


def test_guide_escapes_what_it_tells(tmp_path, monkeypatch):
    text = "# <b>\n\nA & **b** `<c>`\n\n## D\n\n- <script>e</script>\n\n## F\n\n1. g\n"
    (tmp_path / "guide.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(guide, "FOLDER", tmp_path)
    guide.guide_in.cache_clear()
    try:
        told = guide.guide_in(ENGLISH)
    finally:
        guide.guide_in.cache_clear()
    assert told.intro == "<p>A &amp; <b>b</b> <code>&lt;c&gt;</code></p>"
    assert [part.title for part in told.parts] == ["D", "F"]
    assert told.parts[1].body == "<ol><li>g</li></ol>"


def test_guide_refuses_what_it_cannot_draw(tmp_path, monkeypatch):
    monkeypatch.setattr(guide, "FOLDER", tmp_path)
    guide.guide_in.cache_clear()
    for text in ("## A\n\n> b\n", "## A\n\n---\n", "## A\n\nb  \nc\n"):
        (tmp_path / "guide.md").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match="The guide holds"):
            guide.guide_in(ENGLISH)
    guide.guide_in.cache_clear()
