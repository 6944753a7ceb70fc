"""The files that every page loads: licences, sizes, exact versions, contrast."""

import gzip
import hashlib
import json
import re
import struct
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

pytestmark = pytest.mark.once

STATIC = Path(__file__).resolve().parent.parent / "static"
HTMX_SHA256 = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
THEMES = ("candlelight", "daylight")
SURFACES = ("ground", "page", "raised")
WORDS = ("ink", "quiet", "rubric", "good", "animus", "damned", "dreamers", "serpents")
NAMES = "Lukøje Zócalo Teotihuacán Morrígan Vieux Carré äöüÄÖÜß “’–…” 0123456789"


def test_htmx_is_the_published_file():
    content = (STATIC / "vendor/htmx.min.js").read_bytes()
    assert hashlib.sha256(content).hexdigest() == HTMX_SHA256


@pytest.mark.parametrize(
    ("licence", "words"),
    [
        ("vendor/htmx-LICENSE.txt", "Zero-Clause BSD"),
        ("icons/lucide-LICENSE.txt", "ISC License"),
        ("fonts/texturina-OFL.txt", "SIL OPEN FONT LICENSE"),
        ("fonts/atkinson-OFL.txt", "SIL OPEN FONT LICENSE"),
    ],
)
def test_licence_lies_beside_what_it_covers(licence, words):
    assert words in (STATIC / licence).read_text(encoding="utf-8")


def test_fonts_together_are_at_most_90_kb():
    sizes = [font.stat().st_size for font in (STATIC / "fonts").glob("*.woff2")]
    assert len(sizes) == 2
    assert sum(sizes) <= 90_000


@pytest.mark.parametrize("font", ["texturina", "atkinson"])
def test_font_holds_every_letter_of_the_books_and_of_german(font):
    letters = TTFont(STATIC / f"fonts/{font}.woff2").getBestCmap()
    assert [letter for letter in NAMES if ord(letter) not in letters] == []


def test_text_font_has_tabular_numerals():
    features = TTFont(STATIC / "fonts/atkinson.woff2")["GSUB"].table.FeatureList
    assert "tnum" in {record.FeatureTag for record in features.FeatureRecord}


def test_own_script_and_style_sheets_stay_small():
    scripts = [script.read_bytes() for script in (STATIC / "js").glob("*.js")]
    assert sum(len(gzip.compress(script)) for script in scripts) < 4_000
    assert (STATIC / "js/choirbook.js").stat().st_size < 2_300
    assert len(gzip.compress((STATIC / "js/live.js").read_bytes())) < 1_250
    of_every_page = [STATIC / f"css/{name}.css" for name in ("tokens", "look")]
    sheets = b"".join(sheet.read_bytes() for sheet in of_every_page)
    assert len(gzip.compress(sheets)) < 11_000
    assert len(gzip.compress((STATIC / "css/paper.css").read_bytes())) < 1_500


def test_style_sheets_load_nothing_from_elsewhere():
    for sheet in (STATIC / "css").glob("*.css"):
        addresses = re.findall(r"url\(\"?([^\")]+)", sheet.read_text(encoding="utf-8"))
        assert all(address.startswith("../fonts/") for address in addresses)


def test_manifest_names_pictures_of_the_size_that_it_says():
    manifest = json.loads((STATIC / "manifest.webmanifest").read_bytes())
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    pictures = [each for each in manifest["icons"] if each["type"] == "image/png"]
    assert {each["sizes"] for each in pictures} == {"192x192", "512x512"}
    for each in pictures:
        header = (STATIC / each["src"]).read_bytes()[:24]
        assert header.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", header[16:])
        assert each["sizes"] == f"{width}x{height}"


def test_manifest_has_the_colours_of_candlelight():
    manifest = json.loads((STATIC / "manifest.webmanifest").read_bytes())
    colours = palette("candlelight")
    assert manifest["theme_color"] == colours["page"]
    assert manifest["background_color"] == colours["ground"]


def palette(theme: str) -> dict[str, str]:
    """The colours of a theme: daylight overrides candlelight."""
    text = (STATIC / "css/tokens.css").read_text(encoding="utf-8")
    candle, day = text.split(':root[data-theme="daylight"]', 1)
    day = day.split("}", 1)[0]
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", candle))
    if theme == "daylight":
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", day))
    return found


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours as WCAG 2 defines it, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("surface", SURFACES)
def test_words_stand_at_seven_to_one(theme, surface):
    colours = palette(theme)
    weak = [w for w in WORDS if contrast(colours[w], colours[surface]) < 7]
    assert weak == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("surface", SURFACES)
def test_lines_of_controls_stand_at_three_to_one(theme, surface):
    colours = palette(theme)
    tones = [colours.get(f"{book}-tone", colours[book]) for book in WORDS[4:]]
    lines = [colours["line"], colours["focus"], *tones]
    assert [line for line in lines if contrast(line, colours[surface]) < 3] == []


@pytest.mark.parametrize("theme", THEMES)
def test_the_filled_button_stands_at_seven_to_one(theme):
    colours = palette(theme)
    assert contrast(colours["slip"], colours["on-slip"]) >= 7


def percent(theme: str, name: str) -> int:
    """A share that a theme sets, such as how full the plate in play is."""
    text = (STATIC / "css/tokens.css").read_text(encoding="utf-8")
    candle, day = text.split(':root[data-theme="daylight"]', 1)
    found = dict(re.findall(r"--([\w-]+): (\d+)%;", candle))
    if theme == "daylight":
        found |= dict(re.findall(r"--([\w-]+): (\d+)%;", day.split("}", 1)[0]))
    return int(found[name])


def mixed(one: str, share: int, other: str) -> str:
    """What `color-mix(in srgb, one share%, other)` gives."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    parts = (round((a * share + b * (100 - share)) / 100) for a, b in pairs)
    return "#" + "".join(f"{part:02x}" for part in parts)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("book", WORDS[4:])
def test_words_stand_out_on_what_a_book_tints(theme, book):
    """Plates of a figure, dice and what lies under them: 7:1, a book's word 4.5:1."""
    colours = palette(theme)
    tone = colours.get(f"{book}-tone", colours[book])
    wash = colours["page"] if theme == "candlelight" else "#ffffff"
    face = percent(theme, "face-2")
    tints = {
        "won": mixed(tone, 12, wash),
        "bed": mixed(tone, 6, colours["page"]),
        "lit": mixed(tone, face, colours["raised"]),
    }
    for name, tint in tints.items():
        assert contrast(colours["ink"], tint) >= 7, name
        assert contrast(colours["quiet"], tint) >= 4.5, name
    assert contrast(colours[book], tints["won"]) >= 4.5
    lamp = mixed(tone, percent(theme, "lamp"), wash)
    on_lamp = colours["page"] if theme == "candlelight" else colours["ink"]
    assert contrast(on_lamp, lamp) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_of_a_theme_is_measured(theme):
    """A new token is given its pairs here: those that stand on nothing are named."""
    tones = {f"{book}-tone" for book in WORDS[4:]}
    fills = {"hair", "wash", "glow", "shade"}
    measured = {*WORDS, *SURFACES, *tones, "line", "focus", "slip", "on-slip"}
    assert set(palette(theme)) <= measured | fills


def test_every_icon_of_the_templates_is_in_the_sprite():
    sprite = (STATIC / "icons/icons.svg").read_text(encoding="utf-8")
    symbols = set(re.findall(r'<symbol id="([\w-]+)"', sprite))
    templates = STATIC.parent / "templates"
    asked = {
        name
        for page in templates.rglob("*.html")
        for name in re.findall(r'\{% icon "([\w-]+)"', page.read_text(encoding="utf-8"))
    }
    assert asked - symbols == set()
