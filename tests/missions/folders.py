"""Copies of the real books that a test may break."""

import shutil
from pathlib import Path

from missions.catalogue import SEEDS
from missions.problems import folder_problems
from missions.problems.problem import Problem
from missions.seedfile import BASE, BOOKS, RULES


def copied_books(target: Path) -> Path:
    """A folder below ``target`` with the six real files."""
    folder = target / SEEDS.name
    folder.mkdir()
    for stem in (*BOOKS, BASE, RULES):
        shutil.copy(SEEDS / f"{stem}.toml", folder)
    return folder


def change(folder: Path, stem: str, old: str, new: str, mission: str = "") -> None:
    """Replace the first ``old`` of a file, or the first after a mission's slug."""
    path = folder / f"{stem}.toml"
    text = path.read_text(encoding="utf-8")
    start = text.index(f'slug = "{mission}"') if mission else 0
    at = text.index(old, start)
    path.write_text(text[:at] + new + text[at + len(old) :], encoding="utf-8")


def found(folder: Path, id: str) -> list[Problem]:
    """The problems with this id."""
    return [problem for problem in folder_problems(folder) if problem.id == id]


def where(problem: Problem) -> tuple[str, str, str]:
    """The file, the mission and the key that a problem names."""
    return problem.file, problem.mission, problem.key
