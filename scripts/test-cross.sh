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
# Compiles for the other family: this machine's clang, which has all of them, with the other's headers and libraries.
cat >"$build/clang" <<END
#!/bin/sh
exec clang++-19 --target=$machine-linux-gnu --sysroot="$sysroot" -Wno-unused-command-line-argument "\$@"
END
chmod +x "$build/clang"
export LOCKSTEP_CLANG=$build/clang
# Each file alone, not in batches, and each header: one that lacks an #include shows here.
cmake --preset release -B "$build" --toolchain cmake/cross.cmake -DLOCKSTEP_SYSROOT="$sysroot" -DCMAKE_UNITY_BUILD=OFF
folders=(base gpu ptx kernel events machine counters metrics pipeline)
cmake --build "$build" --parallel "$jobs" --target product headers test_exec "${folders[@]/#/test_}"

results=$build/test-cross
rm -rf "$results"
mkdir "$results"
export LOCKSTEP_CACHE=$results/cache
export LOCKSTEP_DEVICE_COMPILER=$build/emulated-device-compiler  # an emulated lockstep cannot start its own
export results

# A task is a line: its name, then a command.
tasks() {
    local emulate="${emulator[*]}"
    # (The emulator holds no limit on the host's memory, and takes ten times as long, more where others use the machine:
    # tests of memory limits and of time are left out.)
    # What kernels compute, with all that the emulated CPU can do. The families that are left out call exec/scalar, whose own tests are
    # in; what compiles for other machines is tested on this one.
    for ((share = 0; share < 8; ++share)); do
        echo "exec-$share GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX=$share $emulate $build/tests/test_exec" \
            "--gtest_filter='-Families/Golden.*/math*:Families/Golden.*/video*:*Kernels.*:*OddMachine.*:Box.AHostWithoutMemory*:Box.*TimeLimit:CompileTime.*'"
    done
    # … and with what every CPU of its family can.
    for part in compare0 compare3 half0 float0; do
        echo "plain-$part LOCKSTEP_CPU=$plain_cpu $emulate $build/tests/test_exec --gtest_filter='Families/Golden.*/$part'"
    done
    for folder in "${folders[@]}"; do
        echo "$folder $emulate $build/tests/test_$folder --gtest_brief=1 --gtest_filter='-Speed.*'"
    done
    # Whole programs: compiled by the command, run with the library.
    for run in "vector-add 10007" "reduce-integer 65536 512" "matmul 37" "divergence 50 1001" "atomics 1000 33"; do
        example=${run%% *}
        echo "$example $emulate $build/lockstep nvcc -O3 -o $results/$example examples/$example.cu && $emulate $results/$run"
    done
}

run_task() {
    local name=${1%% *} command=${1#* } begin=$SECONDS
    if timeout 900 bash -c "$command" >"$results/$name.log" 2>&1; then
        echo "passed  $name ($((SECONDS - begin)) s)"
    else
        echo "FAILED  $name: $command"
        tail -30 "$results/$name.log"
        return 1
    fi
}
export -f run_task
tasks | tr '\n' '\0' | xargs -0 -n 1 -P "$jobs" bash -c 'run_task "$1"' run_task
echo "test-cross: everything passed for $machine, in $SECONDS s"
