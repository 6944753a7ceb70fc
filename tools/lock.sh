#!/bin/sh
# Pin everything that pyproject.toml asks for, with the hashes of all its files.
# UPGRADE=1 takes the newest versions instead of keeping the pinned ones.
# Indexes and folders set up on this machine are left out, so that none gets in.
set -eu
cd "$(dirname "$0")/.."
unset PIP_FIND_LINKS PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CONSTRAINT
export PIP_CONFIG_FILE=/dev/null

compile() {
    .venv/bin/pip-compile --quiet --no-config --generate-hashes --strip-extras \
        --allow-unsafe --no-header --no-annotate --no-emit-index-url \
        --no-emit-trusted-host --no-emit-find-links \
        ${UPGRADE:+--upgrade} "$@" pyproject.toml
}

echo "Pinning requirements.txt"
compile --output-file requirements.txt
echo "Pinning requirements-dev.txt"
compile --extra dev --constraint requirements.txt --output-file requirements-dev.txt
