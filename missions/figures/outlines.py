"""The outline of a mission: its corners tell its book."""

from __future__ import annotations

from missions.figures.geometry import bottom_of, right_of
from rules.book import Group, Mission


def outline(mission: Mission, inset: float) -> str:
    """The outline of a mission, or its inner line ``inset`` units inside.

    Corners tell the books apart without colour: leaf, cut, round, stepped.
    """
    place = mission.place
    left, top = place.x + inset, place.y + inset
    right, bottom = right_of(place) - inset, bottom_of(place) - inset
    if mission.group is Group.LIGHTHOUSE:
        return _wing_case(left, top, right, bottom)
    match mission.chapter:
        case "animus":
            return _leaf(left, top, right, bottom, 20 - inset)
        case "damned":
            return _cut(left, top, right, bottom, 8 - inset * 0.4)
        case "dreamers":
            return _round(left, top, right, bottom, 24 - inset)
        case _:
            return _stepped(left, top, right, bottom)


def _leaf(left: float, top: float, right: float, bottom: float, by: float) -> str:
    return (
        f"M{left + by:g} {top:g}H{right:g}V{bottom - by:g}"
        f"Q{right:g} {bottom:g} {right - by:g} {bottom:g}"
        f"H{left:g}V{top + by:g}Q{left:g} {top:g} {left + by:g} {top:g}z"
    )


def _cut(left: float, top: float, right: float, bottom: float, by: float) -> str:
    corners = (
        (left + by, top),
        (right - by, top),
        (right, top + by),
        (right, bottom - by),
        (right - by, bottom),
        (left + by, bottom),
        (left, bottom - by),
        (left, top + by),
    )
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in corners) + "z"


def _round(left: float, top: float, right: float, bottom: float, by: float) -> str:
    arc = f"A{by:g} {by:g} 0 0 1"
    return (
        f"M{left + by:g} {top:g}H{right - by:g}{arc} {right:g} {top + by:g}"
        f"V{bottom - by:g}{arc} {right - by:g} {bottom:g}H{left + by:g}"
        f"{arc} {left:g} {bottom - by:g}V{top + by:g}{arc} {left + by:g} {top:g}z"
    )


def _stepped(left: float, top: float, right: float, bottom: float) -> str:
    return (
        f"M{left + 10:g} {top:g}H{right - 10:g}v5h5v5h5V{bottom - 10:g}h-5v5h-5v5"
        f"H{left + 10:g}v-5h-5v-5h-5V{top + 10:g}h5v-5h5z"
    )


def _wing_case(left: float, top: float, right: float, bottom: float) -> str:
    """The body of the beetle: widest above its middle, pointed below."""
    x, half, tall = (left + right) / 2, (right - left) / 2, bottom - top
    waist = top + tall * 0.384
    ease = half * 0.66
    return (
        f"M{x:g} {top:g}C{x + ease:g} {top:g} {right:g} {top + tall * 0.14:g} "
        f"{right:g} {waist:g}C{right:g} {top + tall * 0.7:g} {x + half / 2:g} "
        f"{bottom - tall * 0.035:g} {x:g} {bottom:g}C{x - half / 2:g} "
        f"{bottom - tall * 0.035:g} {left:g} {top + tall * 0.7:g} {left:g} {waist:g}"
        f"C{left:g} {top + tall * 0.14:g} {x - ease:g} {top:g} {x:g} {top:g}z"
    )
