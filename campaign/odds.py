"""Chances in words."""

from __future__ import annotations

from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def percent(chance: Fraction) -> str:
    """A chance in percent with one decimal: never 0 or 100 unless it is just that."""
    rounded = round(chance * 100, 1)
    if 0 < chance < 1 and rounded in (0, 100):
        return _("under 0.1 %") if chance < Fraction(1, 2) else _("over 99.9 %")
    return _("%(number)s %%") % {"number": number_format(float(rounded), 1)}
