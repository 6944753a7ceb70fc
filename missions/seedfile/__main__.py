"""``python -m missions.seedfile FILE``: whether files read well."""

from __future__ import annotations

import sys
from pathlib import Path

from missions.seedfile.errors import SeedFileError
from missions.seedfile.reading import READERS, read_chapter


def main(arguments: list[str]) -> int:
    """Print ``ok`` or each error of the named files; 1 when there is an error."""
    status = 0
    for argument in arguments:
        path = Path(argument).absolute()
        read = READERS.get(path.stem, read_chapter)
        try:
            read(path)
        except SeedFileError as error:
            sys.stdout.write(f"{error}\n")
            status = 1
        else:
            sys.stdout.write(f"{path.name}: ok\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
