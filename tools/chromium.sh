#!/bin/sh
# Print the path of a Chromium, or install Debian's where that is possible.
# CHROMIUM names another one. Without any, this fails and says what to install.
set -eu

# The one without windows needs a fifth less CPU for the same tests.
find_chromium() {
    for name in "${CHROMIUM:-chromium-headless-shell}" chromium chromium-browser \
        google-chrome; do
        if command -v "$name" 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

find_chromium && exit 0
echo "No Chromium found (chromium-headless-shell, chromium, google-chrome)." >&2

if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" -eq 0 ]; then
        root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        root=sudo
    else
        echo "Install it as root, then repeat: apt-get install chromium" >&2
        exit 1
    fi
    install() {
        echo "Installing Debian's $1." >&2
        $root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends "$1" >&2 </dev/null
    }
    $root apt-get update -q >&2 </dev/null
    install chromium-headless-shell || install chromium
    find_chromium && exit 0
fi
echo "The browser tests need Chromium. Install it, or name it in CHROMIUM." >&2
exit 1
