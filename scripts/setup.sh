#!/usr/bin/env bash
# Installs the Debian packages that lockstep is built from, and any named as arguments; only those that are missing.
set -euo pipefail

packages=(
    g++ cmake ninja-build         # to build
    clang-19                      # compiles users' programs
    libomp-19-dev                 # for those of them that use OpenMP on the host
    rocm-device-libs              # mathematics of AMD GPUs, for HIP programs
    libcub-dev libthrust-dev      # headers only, for those of them that use CUB and Thrust
    llvm-19-dev                   # the JIT
    libboost-context-dev          # stacks that can be left and gone on with
    libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
    libsqlite3-dev                # run files
    libzstd-dev liblz4-dev        # device code in executables is compressed
    libopenmpi-dev openmpi-bin    # lockstep sweep under mpirun
    libgtest-dev                  # tests
    "$@"
)

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian; make sure that you have what these packages hold: ${packages[*]}" >&2
    exit 0
fi

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null)" = "ii " ]; }

missing=()
for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=(env)
elif command -v sudo >/dev/null; then
    as_root=(sudo env)
else
    echo "setup: needs root (or sudo) for: apt-get install ${missing[*]}" >&2
    exit 1
fi

echo "setup: installing ${missing[*]}"
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
