#!/usr/bin/env bash
# Fuzzes one target: fuzz.sh parse|assembly|run|watch SECONDS [libFuzzer's options]. `parse` is the PTX parser, `assembly` that of AMD's code, `run` a kernel from its
# text to its results, `watch` the whole way: counted and predicted too. What is found is left in build-asan/; fuzz_run and
# fuzz_watch print the kernel of an input with LOCKSTEP_FUZZ_PRINT=1.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1
seconds=$2
shift 2

cmake --preset asan >/dev/null
cmake --build build-asan --parallel --target "fuzz_$target"
corpus=(build-asan/corpus-"$target" fuzz/corpus/parse tests/ptx/data)
options=(-dict=fuzz/ptx.dict)
[ "$target" != assembly ] || corpus=(build-asan/corpus-assembly fuzz/corpus/assembly)
[ "$target" = parse ] || options=(-timeout=60 -max_len=8192)
mkdir -p "${corpus[0]}"
build-asan/fuzz/fuzz_"$target" -max_total_time="$seconds" -rss_limit_mb=3000 -artifact_prefix=build-asan/ \
    "${options[@]}" "$@" "${corpus[@]}"
