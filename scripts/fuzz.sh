#!/usr/bin/env bash
# Fuzzes the PTX parser: fuzz.sh SECONDS [libFuzzer's options]. What it finds is left in build-fuzz/.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift

cmake -B build-fuzz -G Ninja -DLOCKSTEP_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++-19
cmake --build build-fuzz --parallel --target fuzz_parse
mkdir -p build-fuzz/corpus
build-fuzz/fuzz/fuzz_parse -max_total_time="$seconds" -dict=fuzz/ptx.dict -artifact_prefix=build-fuzz/ "$@" \
    build-fuzz/corpus fuzz/corpus/parse tests/ptx/data
