#!/bin/sh
# Records what nvcc makes of the programs and probes: PTX for compute capability 9.0, with line numbers. No
# GPU is needed. The recordings are tests' input, so that the tests need no nvcc.
set -eu
cd "$(dirname "$0")"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
mkdir -p ptx
for source in programs/*.cu probes/*.cu; do
    out=ptx/$(basename "$source" .cu).ptx
    target=compute_90
    case $source in programs/warpgroup*) target=compute_90a ;; esac
    "$nvcc" -std=c++17 -O3 -arch=$target -lineinfo -w -ptx "$source" -o "$out"
    # No path of the machine that recorded it.
    sed -i -E 's|^(\s*\.file\s+[0-9]+ )"/.*/include/|\1"include/|; s|^(\s*\.file\s+[0-9]+ )"/.*/(tests/validation/)|\1"\2|' "$out"
    if grep -n '^\s*\.file.*"/' "$out"; then
        echo "$out: an absolute path is left" >&2
        exit 1
    fi
done
