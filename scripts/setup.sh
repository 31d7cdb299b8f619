#!/usr/bin/env bash
# Installs the Debian packages that lockstep is built from, and any named as arguments; only those that are missing.
set -euo pipefail

packages=(
    g++ cmake ninja-build         # to build
    clang-19                      # compiles users' programs
    llvm-19-dev                   # the JIT
    libboost-context-dev          # stacks that can be left and gone on with
    libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
    libsqlite3-dev                # run files
    libzstd-dev liblz4-dev        # device code in executables is compressed
    libopenmpi-dev openmpi-bin    # lockstep sweep under mpirun
    pkg-config libcpp-httplib-dev libmd4c-html0-dev libmd4c-dev   # lockstep lab serve: pages, made of Markdown
    libgtest-dev                  # tests
    "$@"
)
# For users' programs alone: a release that has none of the names (name|name) does without, and programs that need it
# are told when they are compiled.
extras=(
    libomp-19-dev                             # OpenMP on the host
    libcub-dev libthrust-dev                  # headers
    "rocm-device-libs|rocm-device-libs-17"    # mathematics of AMD GPUs, for HIP programs
)

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian; make sure that you have what these packages hold: ${packages[*]} ${extras[*]}" >&2
    exit 0
fi

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null)" = "ii " ]; }
any_installed() { local name; for name in ${1//|/ }; do is_installed "$name" && return; done; return 1; }

missing=()
for package in "${packages[@]}" "${extras[@]}"; do
    any_installed "$package" || missing+=("$package")
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
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q)
"${apt[@]}" update

# The first of a package's names that this release has.
available() { local name; for name in ${1//|/ }; do apt-cache show "$name" >/dev/null 2>&1 && echo "$name" && return; done; }

to_install=()
for package in "${missing[@]}"; do
    name=$(available "$package")
    if [ -n "$name" ]; then
        to_install+=("$name")
    elif [[ " ${extras[*]} " == *" $package "* ]]; then
        echo "setup: this release has no $package: programs that need it will be told" >&2
    else
        echo "setup: this release has no package $package (Debian 12 and 13 and Ubuntu 24.04 have all)" >&2
        exit 1
    fi
done
[ ${#to_install[@]} -eq 0 ] && exit 0
echo "setup: installing ${to_install[*]}"
"${apt[@]}" install -y --no-install-recommends "${to_install[@]}"
