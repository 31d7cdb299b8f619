// A two-dimensional texture that is read with one coordinate: its first row, as on an H200.
// RUN: lockstep run %s
// OUT: ^height 0: 10 10 11 12 13 13 13$
// OUT: ^height 1: 10 10 11 12 13 13 13$
// OUT: ^height 2: 10 10 11 12 13 13 13$
#include <cstdio>
#include <cstdlib>
#define CHECK(...)                                                           \
    do {                                                                     \
        if (cudaError_t error = (__VA_ARGS__)) {                             \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

constexpr int points = 7;

__global__ void read_row(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex1D<float>(texture, float(threadIdx.x) - 1);
}

int main() {
    const float texels[] = {10, 11, 12, 13, 20, 21, 22, 23};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    float *out, values[points];
    CHECK(cudaMalloc(&out, sizeof(values)));
    for (int height = 0; height <= 2; ++height) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        CHECK(cudaMallocArray(&resource.res.array.array, &format, 4, height));
        CHECK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels, 16, 16, height ? height : 1,
                                  cudaMemcpyHostToDevice));
        cudaTextureDesc look = {};
        look.addressMode[0] = look.addressMode[1] = cudaAddressModeClamp;
        cudaTextureObject_t texture;
        CHECK(cudaCreateTextureObject(&texture, &resource, &look, nullptr));
        read_row<<<1, points>>>(texture, out);
        CHECK(cudaMemcpy(values, out, sizeof(values), cudaMemcpyDeviceToHost));
        std::printf("height %d:", height);
        for (float value : values) std::printf(" %g", value);
        std::printf("\n");
        CHECK(cudaDestroyTextureObject(texture));
        CHECK(cudaFreeArray(resource.res.array.array));
    }
    CHECK(cudaFree(out));
}
