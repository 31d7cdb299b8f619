#!/usr/bin/env bash
# Makes packages of what BUILD holds in BUILD/packages: package.sh BUILD [deb|tarball]. A tarball can be of a build for another CPU
# (scripts/test-cross.sh), whose libraries are in BUILD/sysroot; a .deb is made on a machine of its own kind.
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
    case $(readelf -h "$build/lockstep" | sed -n 's/^ *Machine: *//p') in
    *X86-64) machine=x86_64 ;;
    AArch64) machine=aarch64 ;;
    *) echo "package: $build/lockstep is for a CPU that is not known here" >&2 && exit 1 ;;
    esac
    system= strip=strip
    if [ $machine != "$(uname -m)" ]; then system=$build/sysroot strip=$machine-linux-gnu-strip; fi
    name=lockstep-$version-$machine
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    root=$stage/$name
    cmake --install "$build" --prefix "$root" >/dev/null
    bundled=$root/lib/lockstep/bundled
    mkdir "$bundled"
    is_elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }
    ours() { find "$root/bin" "$root/lib" -type f ! -path "$bundled/*" ! -name 'liblockstep-mpi.so'; }
    # Libraries that FILE needs are copied, and then those that these need.
    bundle() {
        local library found
        for library in $(patchelf --print-needed "$1" 2>/dev/null); do
            case $library in
            libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux* | libstdc++.so.* | libgcc_s.so.*) continue ;;
            esac
            if [ -e "$bundled/$library" ] || [ -e "$root/lib/lockstep/$library" ]; then continue; fi
            found=$(find "$system"/usr/lib/$machine-linux-gnu "$system"/lib/$machine-linux-gnu "$system"/usr/lib/llvm-19/lib -maxdepth 1 -name "$library" 2>/dev/null | head -1)
            if [ -z "$found" ]; then echo "package: $library, which $(basename "$1") needs, is not installed" >&2 && exit 1; fi
            cp -L "$found" "$bundled/$library"
            bundle "$bundled/$library"
        done
    }
    ours | while read -r file; do
        if is_elf "$file"; then
            case $(basename "$file") in *.o | *.a) ;; *) $strip --strip-unneeded "$file" ;; esac
            bundle "$file"
        fi
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
