#!/usr/bin/env bash
# Makes packages of what BUILD holds, for this machine's CPU, in BUILD/packages: package.sh BUILD [deb|tarball]
#   lockstep_VERSION_ARCH.deb            needs what Debian's packages hold; apt-get installs that with it
#   lockstep-VERSION-ARCH.tar.gz         runs from any folder; brings its libraries along, but not the C library and clang 19
set -euo pipefail
build=$(cd "$1" && pwd)
kind=${2:-all}
version=$(sed -n 's/^project(lockstep VERSION \([0-9.]*\).*/\1/p' "$(dirname "$0")/../CMakeLists.txt")
packages=$build/packages
mkdir -p "$packages"

if [ "$kind" != tarball ]; then
    (cd "$build" && cpack -G DEB >/dev/null)
    rm -rf "$packages/_CPack_Packages"
fi

# What a program finds by its runpath alone lies in lib/lockstep/bundled: no program that lockstep starts should get our libxml2.
if [ "$kind" != deb ]; then
    name=lockstep-$version-$(uname -m)
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    root=$stage/$name
    cmake --install "$build" --prefix "$root" --strip >/dev/null
    bundled=$root/lib/lockstep/bundled
    mkdir "$bundled"
    is_elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }
    ours() { find "$root/bin" "$root/lib" -type f ! -path "$bundled/*" ! -name 'liblockstep-mpi.so'; }
    ours | while read -r file; do
        if is_elf "$file"; then (LD_LIBRARY_PATH=$root/lib/lockstep ldd "$file" 2>/dev/null || :) | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p'; fi
    done | sort -u | while read -r library; do
        case $(basename "$library") in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux* | libstdc++.so.* | libgcc_s.so.*) ;;
        *) case $library in "$root"/*) ;; *) cp -L "$library" "$bundled/" ;; esac ;;
        esac
    done
    chmod u+w "$bundled"/*
    for library in "$bundled"/*; do patchelf --set-rpath '$ORIGIN' "$library"; done
    ours | while read -r file; do
        is_elf "$file" && patchelf --print-needed "$file" >/dev/null 2>&1 || continue
        up=$(realpath --relative-to="$(dirname "$file")" "$root/lib/lockstep")
        earlier=$(patchelf --print-rpath "$file")
        patchelf --set-rpath "${earlier:+$earlier:}\$ORIGIN/$up/bundled" "$file"
    done
    tar -C "$stage" -czf "$packages/$name.tar.gz" "$name"
fi
ls -l "$packages" | sed '1d'
