"""A released version is never made anew."""

import subprocess
import sys

from campaign import VERSION
from tools.findings import ROOT
from tools.release import RELEASES


def test_release_that_exists_is_left_as_it_is():
    folder = RELEASES / ".".join(VERSION.split(".")[:2])
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    done = subprocess.run(
        [sys.executable, "-m", "tools.release"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "is there already. Nothing was made." in done.stdout
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before
