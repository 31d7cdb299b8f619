// Blocks of 16 columns: a warp has two rows, which are moved as vectors where each is packed or one element,
// and lane by lane otherwise. All must be as if lane after lane did it, to the end of the allocation and not
// beyond.
// RUN: lockstep run %s
// OUT: ^narrow-blocks ok$
// The second row of the last warp ends behind the allocation.
// RUN: lockstep run %s -- beyond
// ERR: read of 4 bytes at 0x[0-9a-f]+ is out of bounds: just after the end
// OUT: ^an illegal memory access
#include <cstring>

#include "support/check.h"

template <class T>
__global__ void copy(T* to, const T* from, int pitch_to, int pitch_from, int step_to, int step_from) {
    const int x = threadIdx.x, y = threadIdx.y;
    to[y * pitch_to + x * step_to] = from[y * pitch_from + x * step_from];
}

// What lanes do one after the other; rows of stores may lie over each other.
template <class T>
void check(int pitch_to, int pitch_from, int step_to, int step_from) {
    const int n = 2048;
    std::vector<T> from(n), to(n);
    for (int i = 0; i < n; ++i) from[i] = static_cast<T>(i * 7 + 1);
    T *device_from = to_device(from), *device_to = device_zeros<T>(n);
    copy<<<1, dim3(16, 16)>>>(device_to, device_from, pitch_to, pitch_from, step_to, step_from);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) to[y * pitch_to + x * step_to] = from[y * pitch_from + x * step_from];
    const std::vector<T> got = to_host(device_to, n);
    for (int i = 0; i < n; ++i) EXPECT_AT(i, got[i], to[i]);
    cudaFree(device_from);
    cudaFree(device_to);
}

template <class T>
void check_all() {
    for (const int pitch_to : {16, 17, 100, 8, 0})
        for (const int pitch_from : {16, 100, 3, 0})
            for (const int step_to : {1, 2, 0})
                for (const int step_from : {1, 0, 3}) check<T>(pitch_to, pitch_from, step_to, step_from);
}

int main(int argc, char** argv) {
    if (argc > 1 && !std::strcmp(argv[1], "beyond")) {
        float *from = device_zeros<float>(255), *to = device_zeros<float>(256);
        copy<<<1, dim3(16, 16)>>>(to, from, 16, 16, 1, 1);
        std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        return 0;
    }
    check_all<unsigned char>();
    check_all<short>();
    check_all<float>();
    check_all<double>();
    return finish("narrow-blocks");
}
