"""What every row of a choir has in common."""

import unicodedata
import uuid

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 40
NOTE_LENGTH = 2000
INVISIBLE = _("A name cannot hold control or invisible characters.")
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and a symbol that are drawn as nothing."""
JOINER = "\u200d"
PAINT = "\ufe0f" + "".join(map(chr, range(0x1F3FB, 0x1F400)))
"""What stands between a picture and its joiner: how it is drawn."""


def validate_name(name: str) -> None:
    """A name is NFC, 1 to 40 characters, without control or invisible characters.

    The joiner within a picture is none of them: phones write it in 🧙‍♀️.
    PostgreSQL refuses some of them where SQLite keeps them: a choir that held one
    could never be moved.
    """
    if unicodedata.normalize("NFC", name) != name:
        raise ValidationError(_("Write the name in composed letters."), code="name")
    if any(
        unicodedata.category(c) in {"Cc", "Cf", "Co", "Cs", "Cn"}
        and not _joins(name, at)
        for at, c in enumerate(name)
    ):
        raise ValidationError(INVISIBLE, code="name")
    if not name.strip():
        raise ValidationError(_("A name needs at least one letter."), code="name")


def _joins(name: str, at: int) -> bool:
    """Whether a joiner makes one picture of two there, such as a mage and a woman."""
    ends = name[:at].rstrip(PAINT)[-1:], name[at + 1 : at + 2]
    return name[at] == JOINER and all(
        c and unicodedata.category(c) == "So" for c in ends
    )


def validate_seen(name: str) -> None:
    """A new name holds no letter that is drawn as nothing, and more than marks.

    Names that a choir has already are not asked: its files stay readable.
    """
    if any(c in BLANK for c in name):
        raise ValidationError(INVISIBLE, code="name")
    if name and all(unicodedata.category(c)[0] in "MZ" for c in name):
        raise ValidationError(_("A name needs at least one letter."), code="name")


def validate_note(text: str) -> None:
    """A note may hold line breaks and tabs, but no other control characters."""
    if any(unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" for c in text):
        raise ValidationError(_("A note cannot hold control characters."), code="note")


class NameField(models.CharField):
    """A name as ``validate_name`` wants it."""

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("max_length", NAME_LENGTH)
        super().__init__(*args, **kwargs)
        self.validators = [*self.validators, validate_name]

    def formfield(self, **kwargs):
        return super().formfield(validators=[validate_seen], **kwargs)


class NoteField(models.TextField):
    """A note in free words, at most 2,000 characters."""

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("max_length", NOTE_LENGTH)
        kwargs.setdefault("blank", True)
        kwargs.setdefault("default", "")
        super().__init__(*args, **kwargs)
        self.validators = [*self.validators, validate_note]


class ChoirRow(models.Model):
    """A row that belongs to a choir and is written through the journal alone.

    Its identity is a UUID that never changes and outlives the database.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    choir = models.ForeignKey("Choir", models.PROTECT, related_name="+")

    class Meta:
        abstract = True


class ArchivableRow(ChoirRow):
    """A row that players can archive and restore. It is never deleted by them."""

    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)

    class Meta:
        abstract = True
