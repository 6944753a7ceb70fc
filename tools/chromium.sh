#!/bin/sh
# Print the path of a Chromium, or install Debian's where that is possible.
# CHROMIUM names another one. Without any, this fails and says what to install.
set -eu

find_chromium() {
    for name in "${CHROMIUM:-chromium}" chromium-browser google-chrome; do
        if command -v "$name" 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

find_chromium && exit 0
echo "No Chromium found (chromium, chromium-browser, google-chrome)." >&2

if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" -eq 0 ]; then
        root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        root=sudo
    else
        echo "Install it as root, then repeat: apt-get install chromium" >&2
        exit 1
    fi
    echo "Installing Debian's chromium." >&2
    {
        $root apt-get update -q
        $root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends chromium
    } >&2 </dev/null
    find_chromium && exit 0
fi
echo "The browser tests need Chromium. Install it, or name it in CHROMIUM." >&2
exit 1
