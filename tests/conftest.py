"""What all tests share. Imports no Django: tests/rules run without it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

BROWSER = Path(__file__).parent / "browser"

# A slow machine is no fault of a rule.
settings.register_profile("choirbook", deadline=None, print_blob=True)
settings.load_profile("choirbook")


def pytest_configure(config: pytest.Config) -> None:
    if config.pluginmanager.hasplugin("django"):
        config.pluginmanager.import_plugin("tests.database")


def _browser_asked(config: pytest.Config) -> bool:
    paths = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    return any(path == BROWSER or BROWSER in path.parents for path in paths)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the browser tests out unless the command names them."""
    if collection_path == BROWSER and not _browser_asked(config):
        return True
    return None


def pytest_report_header(config: pytest.Config) -> str | None:
    if _browser_asked(config):
        return None
    return "browser tests: not in this run; `pytest tests/browser` runs them"
