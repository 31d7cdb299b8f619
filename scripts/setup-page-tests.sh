#!/usr/bin/env bash
# Installs what the tests of the report page take: Chromium, node, and the two packages that tests/page/package-lock.json
# names, with their checksums. Only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=()
command -v chromium >/dev/null || packages+=(chromium)
command -v node >/dev/null || packages+=(nodejs)
cd tests/page
if ! cmp -s package-lock.json node_modules/.installed; then
    command -v npm >/dev/null || packages+=(npm)
fi
[ ${#packages[@]} -eq 0 ] || ../../scripts/setup.sh "${packages[@]}"
cmp -s package-lock.json node_modules/.installed && exit 0
if npm ci --no-audit --no-fund --ignore-scripts; then
    cp package-lock.json node_modules/.installed
else
    echo "setup: npm could not install the packages of tests/page: the tests of the report page will fail" >&2
fi
