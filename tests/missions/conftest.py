from pathlib import Path

import pytest

from tests.missions.folders import copied_books


@pytest.fixture
def books(tmp_path: Path) -> Path:
    """A folder with copies of the six real files."""
    return copied_books(tmp_path)
