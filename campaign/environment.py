"""Typed reading of environment variables. Nonsense stops the start."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def switch(name: str, default: bool = False) -> bool:
    """``0`` or ``1`` from the environment; anything else is refused."""
    text = os.environ.get(name, "1" if default else "0")
    if text not in {"0", "1"}:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be 0 or 1.")
    return text == "1"


def words(name: str) -> list[str]:
    """A comma separated list from the environment; empty when it is not set."""
    return [w.strip() for w in os.environ.get(name, "").split(",") if w.strip()]


def path(name: str, default: Path) -> Path:
    """A path from the environment. Nothing is made, and it need not be there."""
    return Path(os.environ.get(name) or default).absolute()


def folder(name: str, default: Path) -> Path:
    """A folder from the environment, made when it is not there."""
    path = Path(os.environ.get(name) or default)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: cannot use {path}: {error}") from error
    return path


def secret_key(file: Path) -> str:
    """The secret key from the environment, or from ``file``, made at first start.

    The file is readable by its owner alone. Two processes that start together agree
    on the key of the one that came first.
    """
    if key := os.environ.get("SECRET_KEY"):
        return key
    new = secrets.token_urlsafe(50)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(new, encoding="utf-8")
    try:
        os.link(draft, file)
    except FileExistsError:
        return file.read_text(encoding="utf-8").strip()
    finally:
        draft.unlink()
    return new
