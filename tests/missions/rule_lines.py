"""The lines of the rulebook transcript that bear a rule, from ``rule_lines.txt``."""

from pathlib import Path

RULE_LINES = Path(__file__).with_suffix(".txt")


def rule_lines() -> set[int]:
    """Each line of the file, its ranges counted out."""
    lines = set()
    for entry in RULE_LINES.read_text(encoding="utf-8").split():
        first, _, last = entry.partition("-")
        lines.update(range(int(first), int(last or first) + 1))
    return lines
