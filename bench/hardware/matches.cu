// Lanes that look for others with the same value (`match.any`, `match.all`), by how many values there are.
#include "measure.h"

constexpr int steps = 256, samples = 5;

// Each step needs the one before; `zero` keeps the values as they are.
template <class Step>
__global__ void chain(Step step, unsigned values, unsigned zero, long long* cycles, unsigned* sink) {
    unsigned x = threadIdx.x % 32 % values;
    for (int turn = 0; turn < 2; ++turn) {  // the first one fetches the instructions
        __syncthreads();
        const long long begin = clock64();
#pragma unroll 16
        for (int i = 0; i < steps; ++i) x ^= step(x) & zero;
        __syncthreads();
        const long long end = clock64();
        if (threadIdx.x == 0) *cycles = end - begin;
    }
    sink[threadIdx.x] = x;
}

struct Any {
    __device__ unsigned operator()(unsigned x) const { return __match_any_sync(~0u, x); }
};
struct AnyLong {
    __device__ unsigned operator()(unsigned x) const { return __match_any_sync(~0u, x * 0x100000001ull); }
};
struct All {
    __device__ unsigned operator()(unsigned x) const {
        int same;
        return __match_all_sync(~0u, x, &same) + same;
    }
};

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "matches", "instruction,warps,values");
    unsigned* sink = allocate<unsigned>(1024);
    long long* cycles = allocate<long long>(1);
    const auto measure = [&](const char* name, auto step) {
        for (int warps : {1, 4, 8, 32})
            for (unsigned values : {1, 2, 3, 4, 8, 16, 32}) {
                Samples each;
                for (int i = 0; i < samples; ++i) {
                    chain<<<1, 32 * warps>>>(step, values, 0, cycles, sink);
                    long long taken = 0;
                    CHECK(cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost));
                    each.push_back(double(taken) / steps / warps);
                }
                csv.row(settings("%s,%d,%u", name, warps, values), "cycles a step of a warp", each);
            }
    };
    measure("any", Any());
    measure("any64", AnyLong());
    measure("all", All());
}
