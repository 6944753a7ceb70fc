#!/usr/bin/env bash
# Run all tests: rules without Django, everything on SQLite and on PostgreSQL, then
# the browser tests against a real server. Every step runs; any failure fails all.
#   tools/test.sh          everything
#   tools/test.sh fast     the rules, and everything on SQLite
#   tools/test.sh long     every browser test on both databases, and longer random walks
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
given_url=${DATABASE_URL-}
work=$(mktemp -d "${TMPDIR:-/tmp}/choirbook-test-XXXXXX")
postgres_folder=
summary=()
failed=0

finish() {
    if [[ -n $postgres_folder ]]; then
        "$python" -m tools.postgres stop --folder "$postgres_folder" || true
    fi
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() {
    local title=$1 began=$SECONDS
    shift
    printf '\n== %s\n' "$title"
    if "$@"; then
        summary+=("passed  $((SECONDS - began)) s  $title")
    else
        summary+=("FAILED  $((SECONDS - began)) s  $title")
        failed=1
    fi
}

pytest() { "$python" -m pytest "$@"; }

export CHOIRBOOK_DATA=$work/data
unset DATABASE_URL

once=(-m "not once")
browser=(-m "not long") essential=(tests/browser/test_live.py tests/browser/test_play.py)
if [[ ${1-} == long ]]; then
    once=() browser=() essential=(tests/browser)
    export CHOIRBOOK_WALKS=${CHOIRBOOK_WALKS-20}
fi

step "Rules, without Django" pytest tests/rules -p no:django
# The rules have just been tested, and neither they nor the books nor the tools touch a
# database: they are not run again for each, nor what is marked so.
step "Everything on SQLite" pytest -n 2 --ignore tests/rules

if [[ ${1-} != fast ]]; then
    CHROMIUM=$(tools/chromium.sh)
    export CHROMIUM
    printf '\nChromium: %s (%s)\n' "$CHROMIUM" "$("$CHROMIUM" --version)"

    if [[ $given_url == postgres* ]]; then
        postgres=$given_url
        printf 'PostgreSQL: the one that DATABASE_URL names\n'
    else
        # Not inside $work, which nobody else may enter: see tools/postgres.py.
        postgres_folder=$(mktemp -d "${TMPDIR:-/tmp}/choirbook-postgres-XXXXXX")
        postgres=$("$python" -m tools.postgres start --folder "$postgres_folder")
        printf 'PostgreSQL: started for these tests\n'
    fi

    step "Everything on PostgreSQL" env DATABASE_URL="$postgres" \
        "$python" -m pytest -n 2 --ignore tests/rules --ignore tests/missions \
        --ignore tests/tools "${once[@]}"
    step "Browser tests, server on SQLite" pytest tests/browser "${browser[@]}" -n 2
    step "Browser tests, server on PostgreSQL" env DATABASE_URL="$postgres" \
        "$python" -m pytest "${essential[@]}" -m essential -n 2
fi

printf '\n== Summary\n'
printf '%s\n' "${summary[@]}"
exit $failed
