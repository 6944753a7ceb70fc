from django.conf import settings
from django.utils.translation import override

from missions import LANGUAGES, wording


def test_the_interface_and_the_books_have_the_same_languages():
    assert {code for code, _name in settings.LANGUAGES} == set(LANGUAGES)


def test_text_follows_the_language_and_falls_back_to_english():
    words = {"en": "Yes.", "de": "Ja."}
    with override("de"):
        assert wording.text(words) == "Ja."
    with override("de-at"):
        assert wording.text(words) == "Ja."
    with override("fr"):
        assert wording.text(words) == "Yes."
    with override(None):
        assert wording.text(words) == "Yes."
    assert wording.text({}) == ""
