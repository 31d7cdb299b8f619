// rocRAND's device functions, of Debian's package librocrand-dev (5.3.3): the means of what its generators
// draw.
// NEEDS: <rocrand/rocrand_kernel.h>
// RUN: lockstep run -w %s
// OUT: ^rocrand ok$
// NOT: wrong
#include <hip/hip_runtime.h>
#include <rocrand/rocrand_kernel.h>

#include <cmath>
#include <cstdio>

constexpr int threads = 64, rounds = 64, numbers = threads * rounds;

template <class State>
__global__ void draw(float* sums) {
    State state;
    rocrand_init(1234, threadIdx.x, 0, &state);
    float uniform = 0, normal = 0, counts = 0;
    for (int i = 0; i < rounds; ++i) {
        uniform += rocrand_uniform(&state);
        normal += rocrand_normal(&state);
        counts += rocrand_poisson(&state, 4.0);
    }
    atomicAdd(&sums[0], uniform);
    atomicAdd(&sums[1], normal);
    atomicAdd(&sums[2], counts);
}

template <class State>
void means(const char* name) {
    float* sums;
    (void)hipMallocManaged(&sums, 3 * sizeof(float));
    sums[0] = sums[1] = sums[2] = 0;
    draw<State><<<1, threads>>>(sums);
    (void)hipDeviceSynchronize();
    // Four times the deviation of a mean.
    const float means[] = {0.5f, 0, 4}, deviations[] = {std::sqrt(1 / 12.0f), 1, 2};
    for (int i = 0; i < 3; ++i)
        if (!(std::abs(sums[i] / numbers - means[i]) < 4 * deviations[i] / std::sqrt(float(numbers))))
            printf("wrong: %s, %g for %g\n", name, sums[i] / numbers, means[i]);
}

int main() {
    means<rocrand_state_xorwow>("XORWOW");
    means<rocrand_state_philox4x32_10>("Philox");
    means<rocrand_state_mrg32k3a>("MRG32k3a");
    printf("rocrand ok\n");
}
