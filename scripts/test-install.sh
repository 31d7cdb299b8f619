#!/usr/bin/env bash
# Installs from BUILD into a new directory, moves that away, and uses it from yet another one: test-install.sh BUILD
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LOCKSTEP_CACHE="$scratch/cache"

cmake --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
if find "$scratch/moved" -type l -lname '/*' | grep .; then
    echo "an installation must not link to other places" >&2
    exit 1
fi
mkdir "$scratch/work"
cp "$source"/examples/{vector-add.cu,lab.h} "$scratch/work"
cd "$scratch/work"
PATH="$scratch/moved/bin:$PATH"
lockstep --version
lockstep gpus | grep -q h200
lockstep run vector-add.cu -- 10000 | tail -1
lockstep lab start divergence
(lockstep lab check divergence divergence.cu || test $? = 1) | grep -x "2 of 3 are missing."
lockstep lab latency-hiding --run | grep "18,500 threads"
lockstep sweep vector-add.cu --arg 1=1000,2000 --sort inst_executed | tail -1
if command -v mpirun >/dev/null && [ -e "$scratch/moved/lib/lockstep/liblockstep-mpi.so" ]; then
    mpirun --oversubscribe --allow-run-as-root -n 2 lockstep sweep vector-add.cu --arg 1=1000,2000 --sort inst_executed | tail -1
fi
lockstep nvcc -O2 -o vector-add vector-add.cu
./vector-add 10000 | tail -1
if [ -e "$scratch/moved/lib/lockstep/libcublas.so" ]; then
    cat >norm.cu <<'END'
#include <cublas_v2.h>
#include <cstdio>
int main() {
    const float values[] = {3, 4};
    float *x, norm = 0;
    cublasHandle_t handle;
    cudaMalloc(&x, sizeof values);
    if (cublasCreate(&handle) || cublasSetVector(2, 4, values, 1, x, 1) || cublasSnrm2(handle, 2, x, 1, &norm)) return 1;
    std::printf("norm %g\n", norm);
}
END
    lockstep nvcc -o norm norm.cu
    ./norm | grep -x "norm 5"
fi

# NVIDIA's names, and the root that is laid out as a toolkit.
(
    eval "$(lockstep shims)"
    nvidia-smi -L
    nvcc -O2 -c vector-add.cu -o vector-add.o
    g++ vector-add.o -L"$CUDA_HOME/lib64" -lcudart -o shared && ./shared 10000 | tail -1
    g++ vector-add.o -L"$CUDA_PATH/lib64" -lcudadevrt -lcudart_static -lrt -lpthread -ldl -o static
    echo '#include <cuda_runtime.h>' | g++ -I"$CUDA_HOME/include" -x c++ -fsyntax-only -
)
env -u LD_LIBRARY_PATH ./static 10000 | tail -1
