// What does a kernel do that launches itself? Each grid greets, and its first thread launches one of half the threads.
//
//     nested-hello [THREADS] [BLOCKS]
#include "lab.h"

__device__ unsigned greetings;

__global__ void hello(int threads, int depth) {
    std::printf("depth %d: hello from thread %d of block %d\n", depth, static_cast<int>(threadIdx.x),
                static_cast<int>(blockIdx.x));
    atomicAdd(&greetings, 1);
    if (threads == 1 || threadIdx.x != 0) return;
    hello<<<1, threads / 2>>>(threads / 2, depth + 1);
    std::printf("depth %d: launched a grid of %d threads\n", depth, threads / 2);
}

int main(int argc, char** argv) {
    const long threads = lab::argument(argc, argv, 1, 8, 1, 1024, "THREADS");
    const long blocks = lab::argument(argc, argv, 2, 1, 1, 64, "BLOCKS");
    if (!lab::is_power_of_two(threads)) {
        std::fprintf(stderr, "%s: THREADS must be a power of two\n", argv[0]);
        return 2;
    }
    std::printf("%s: <<<%ld, %ld>>>\n\n", lab::device_name().c_str(), blocks, threads);
    hello<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(static_cast<int>(threads), 0);
    CHECK(cudaGetLastError());
    // It returns when the last of all grids has ended, whoever launched it.
    CHECK(cudaDeviceSynchronize());
    unsigned heard = 0;
    CHECK(cudaMemcpyFromSymbol(&heard, greetings, sizeof heard));
    const long expected = blocks * (2 * threads - 1);
    std::printf("%u greetings, %ld expected\n", heard, expected);
    return lab::verdict("nested-hello", heard == static_cast<unsigned>(expected));
}
