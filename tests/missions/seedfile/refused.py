"""The errors of a file that cannot be used."""

from pathlib import Path

import pytest

from missions.seedfile import (
    SeedFileError,
    read_chapter,
)


def errors_of(folder: Path, stem: str = "animus") -> list[str]:
    """Each error of a book, as it is shown."""
    with pytest.raises(SeedFileError) as caught:
        read_chapter(folder / f"{stem}.toml")
    return [str(error) for error in caught.value.errors]
