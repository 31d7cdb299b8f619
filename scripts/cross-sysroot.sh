#!/usr/bin/env bash
# Unpacks the Debian packages that lockstep is built from, for another architecture: cross-sysroot.sh ARCHITECTURE DIRECTORY
# [PACKAGE…]. They come from this machine's own sources; none of their scripts run, so it needs neither root nor an emulator.
set -euo pipefail
architecture=$1
directory=$2
shift 2

# The compiler brings its own C and C++ libraries to link with; these are the ones that programs run with.
packages=(libc6 libstdc++6 libgcc-s1
    # to compile users' programs, with a compiler of this machine
    libc6-dev libstdc++-12-dev
    # as in scripts/setup.sh
    llvm-19-dev libboost-context-dev libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libcpp-httplib-dev libmd4c-html0-dev libmd4c-dev
    libsqlite3-dev libzstd-dev liblz4-dev libgtest-dev
    "$@")

stamp="$directory.packages"
[ "$(cat "$stamp" 2>/dev/null)" = "$architecture ${packages[*]}" ] && exit 0
rm -rf "$directory" "$stamp"
mkdir -p "$directory"

shopt -s nullglob
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
    grep -q '^[^#]' "$file" 2>/dev/null && sources+=("$file")
done
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
# Through tar, so that the files belong to whoever calls this.
mmdebstrap --quiet --mode=chrootless --variant=extract --architectures="$architecture" --include="${packages[*]}" "$suite" - "${sources[@]}" |
    tar -C "$directory" -x --no-same-owner --exclude='./dev/*'

# Links that start at the root of the other system's files would lead into this machine's.
find "$directory" -type l -lname '/*' | while read -r link; do
    ln -snf "$(realpath --no-symlinks --relative-to="$(dirname "$link")" "$directory$(readlink "$link")")" "$link"
done
echo "$architecture ${packages[*]}" >"$stamp"
