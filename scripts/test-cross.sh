#!/usr/bin/env bash
# Builds lockstep for the other CPU family (x86-64 on arm64, arm64 on x86-64) and runs a part of the tests under QEMU's user
# emulation: test-cross.sh BUILD. The code is what the other family's machines run; only its speed is not theirs.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
build=$(cd "$1" && pwd)
jobs=${JOBS:-$(nproc)}
case $(uname -m) in
    aarch64) machine=x86_64 architecture=amd64 plain_cpu=x86-64 ;;
    x86_64) machine=aarch64 architecture=arm64 plain_cpu=generic ;;
    *) echo "test-cross: no other CPU family is known for $(uname -m)" >&2 && exit 1 ;;
esac
sysroot=$build/sysroot
emulator=(qemu-$machine -L "$sysroot")

scripts/setup.sh mmdebstrap qemu-user g++-${machine/_/-}-linux-gnu
scripts/cross-sysroot.sh $architecture "$sysroot"
cmake --preset release -B "$build" --toolchain cmake/cross.cmake -DLOCKSTEP_SYSROOT="$sysroot"
folders=(base gpu ptx kernel events machine)
cmake --build "$build" --parallel "$jobs" --target product test_exec "${folders[@]/#/test_}"

# Compiles for the other family: this machine's clang, which has all of them, with the other's headers and libraries.
cat >"$build/clang" <<END
#!/bin/sh
exec clang++-19 --target=$machine-linux-gnu --sysroot="$sysroot" -Wno-unused-command-line-argument "\$@"
END
chmod +x "$build/clang"

results=$build/test-cross
rm -rf "$results"
mkdir "$results"
export LOCKSTEP_CACHE=$results/cache
export build results plain_cpu

# A task is a line: the name of its log, then a command.
{
    # The kernels' results, with all that the emulated CPU can do and with what every CPU of its family can. Some families
    # of instructions are enough for the latter.
    for ((share = 0; share < 8; ++share)); do
        echo "golden-$share env GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX=$share ${emulator[*]} $build/tests/test_exec \
--gtest_filter=Families/Golden.*:Programs/*:-*/math*:*/video*:*/convert*"
    done
    echo "golden-plain env LOCKSTEP_CPU=$plain_cpu ${emulator[*]} $build/tests/test_exec \
--gtest_filter=Families/Golden.*/compare*:Families/Golden.*/half*:Families/Golden.*/float*"
    for folder in "${folders[@]}"; do
        echo "$folder ${emulator[*]} $build/tests/test_$folder --gtest_brief=1"
    done
    for example in vector-add reduce-integer matmul divergence atomics; do
        echo "example-$example ${emulator[*]} $build/lockstep nvcc -O3 -o $results/$example examples/$example.cu && ${emulator[*]} $results/$example"
    done
} >"$results/tasks"

run_task() {
    read -r name command <<<"$1"
    begin=$SECONDS
    if LOCKSTEP_CLANG=$build/clang timeout 600 bash -c "$command" >"$results/$name.log" 2>&1; then
        echo "passed  $name ($((SECONDS - begin)) s)"
    else
        echo "FAILED  $name (status $?)"
        tail -30 "$results/$name.log"
        return 1
    fi
}
export -f run_task
tr '\n' '\0' <"$results/tasks" | xargs -0 -P "$jobs" -I{} bash -c 'run_task "{}"'
echo "test-cross: all tests passed for $machine"
