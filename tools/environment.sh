#!/bin/sh
# Make .venv what a requirements file says. Does nothing when it already is.
#   tools/environment.sh requirements.txt | requirements-dev.txt
set -eu
cd "$(dirname "$0")/.."
wanted=$1
python=.venv/bin/python

say() { printf '%s\n' "$*"; }
fail() {
    printf '\n%s\n' "$@" >&2
    exit 1
}

suitable() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for name in python3.13 python3.12 python3.11 python3; do
        if command -v "$name" >/dev/null 2>&1 && suitable "$name"; then
            say "$name"
            return
        fi
    done
    fail "Choirbook needs Python 3.11 or later, and none was found." \
        "On Debian 12 or Ubuntu 24.04 and later: apt install python3 python3-venv"
}

# A stamp is the requirements file as it was when it was installed.
stamp=.venv/installed-$wanted
if suitable "$python" && cmp -s "$wanted" "$stamp"; then
    exit 0
fi

# Without pip, making it was interrupted.
if ! suitable "$python" || ! "$python" -m pip --version >/dev/null 2>&1; then
    base=$(find_python)
    if ! "$base" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        version=$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        fail "$base cannot make virtual environments: its venv module is not complete." \
            "On Debian or Ubuntu: apt install python3-venv  (or python$version-venv)"
    fi
    say "Making the virtual environment .venv with $("$base" --version)."
    "$base" -m venv --clear .venv
fi

say "Installing the packages of $wanted. The first time this takes about a minute."
"$python" -m pip install --quiet --quiet --disable-pip-version-check --no-input \
    --require-hashes -r "$wanted"
cp "$wanted" "$stamp"
# The development packages hold those that the app runs on.
if [ "$wanted" = requirements-dev.txt ]; then
    cp requirements.txt .venv/installed-requirements.txt
fi
