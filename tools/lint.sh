#!/usr/bin/env bash
# Run every check of the code that is not a test. Every check runs; any failure fails all.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=.venv/bin
work=$(mktemp -d "${TMPDIR:-/tmp}/choirbook-lint-XXXXXX")
trap 'rm -rf "$work"' EXIT
export CHOIRBOOK_DATA=$work/data
unset DATABASE_URL
failed=()

check() {
    local title=$1
    shift
    printf '== %s\n' "$title"
    "$@" || failed+=("$title")
}

templates() {
    find templates -name '*.html' -print0 |
        xargs -0 --no-run-if-empty "$bin/djade" --check --target-version 5.2
}

# These modules put SQL together, from the names of our own models; values stay parameters.
sql=(campaign/{recording,takeback}.py campaign/triggers/{sqlite,postgresql}.py)
security() {
    local excluded
    excluded=$(printf ',./%s' "${sql[@]}")
    "$bin/bandit" -q -ll -r ./rules ./missions ./campaign ./tools -x "${excluded#,}" &&
        "$bin/bandit" -q -ll -s B608 "${sql[@]}"
}

check "Format (ruff)" "$bin/ruff" format --check .
check "Lint (ruff)" "$bin/ruff" check .
check "Template format (djade)" templates
check "Security (bandit)" security
check "Import direction" "$bin/python" -m tools.layers
check "Template safety" "$bin/python" -m tools.templates_check
check "Addresses and paths" "$bin/python" -m tools.addresses_check
check "Migrations are complete" "$bin/python" manage.py makemigrations --check --dry-run
check "System checks" "$bin/python" manage.py check

if ((${#failed[@]})); then
    printf '\nFAILED:\n'
    printf '  %s\n' "${failed[@]}"
    exit 1
fi
printf '\nAll checks passed.\n'
