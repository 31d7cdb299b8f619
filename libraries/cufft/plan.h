// A plan: what is transformed, how it lies in memory, and where the transform works.
#pragma once
#include <cufft.h>

namespace lockstep::cufft {

// One side of a transform: where an element lies that has a place in each dimension.
struct Storage {
    long long embed[3];  // sizes of the array around it, the last dimension the fastest
    long long stride, distance;
};

struct Plan {
    bool made = false;
    cufftType type = CUFFT_C2C;
    int rank = 0;
    long long n[3] = {1, 1, 1};  // the last ones are used
    long long batch = 1;
    Storage in = {}, out = {};
    bool basic = false;  // rows of a real side are padded where both sides are one array
    cudaStream_t stream = nullptr;
    bool allocates = true;
    void* own_area = nullptr;
    void* area = nullptr;

    bool is_double() const { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
    bool from_real() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
    bool to_real() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
    long long elements() const { return n[0] * n[1] * n[2]; }
    // All of it twice, in complex numbers: passes read one half and write the other.
    std::size_t area_bytes() const {
        return 2 * static_cast<std::size_t>(elements() * batch) * (is_double() ? 16 : 8);
    }
};

cufftResult transform(const Plan& plan, const void* in, void* out, int direction);

}  // namespace lockstep::cufft
