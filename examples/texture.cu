// What does texture memory give? A picture read along rows and along columns, from global memory and through a texture,
// whose texels lie in tiles; and the picture enlarged by the texture's own filter.
//
//     texture [SIZE]
#include <vector>

#include "lab.h"

__global__ void copy_global(const float* in, float* out, int size, bool columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size) out[y * size + x] = columns ? in[x * size + y] : in[y * size + x];
}

__global__ void copy_texture(cudaTextureObject_t in, float* out, int size, bool columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size)
        out[y * size + x] = columns ? tex2D<float>(in, y + 0.5f, x + 0.5f) : tex2D<float>(in, x + 0.5f, y + 0.5f);
}

// Half way between texels the filter gives their mean.
__global__ void between(cudaTextureObject_t in, float* out, int size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size) out[y * size + x] = tex2D<float>(in, x + 1.0f, y + 0.5f);
}

int main(int argc, char** argv) {
    const int size = static_cast<int>(lab::argument(argc, argv, 1, 512, 1, 8192, "SIZE"));
    const size_t count = static_cast<size_t>(size) * size, bytes = count * sizeof(float);
    std::vector<float> picture(count), turned(count), means(count), host(count);
    for (size_t i = 0; i < count; ++i) picture[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 0xFF);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const float* row = &picture[static_cast<size_t>(y) * size];
            turned[static_cast<size_t>(x) * size + y] = row[x];
            means[static_cast<size_t>(y) * size + x] = (row[x] + row[x + 1 < size ? x + 1 : x]) / 2;
        }

    float *in = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(in, picture.data(), bytes, cudaMemcpyHostToDevice));
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &channels, size, size));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, picture.data(), size * sizeof(float), size * sizeof(float), size,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texels = 0, filtered = 0;
    CHECK(cudaCreateTextureObject(&texels, &resource, &desc, nullptr));
    desc.filterMode = cudaFilterModeLinear;
    CHECK(cudaCreateTextureObject(&filtered, &resource, &desc, nullptr));

    std::printf("%s: %d x %d floats\n\n", lab::device_name().c_str(), size, size);
    std::printf("%-22s %10s  %s\n", "read", "ms", "values");
    bool all_right = true;
    const auto row = [&](const char* name, const std::vector<float>& expected, auto launch) {
        launch();  // once before: its translation is no part of the time
        CHECK(cudaMemset(out, 0xFF, bytes));
        const double ms = lab::time_ms(launch);
        CHECK(cudaMemcpy(host.data(), out, bytes, cudaMemcpyDeviceToHost));
        const bool right = host == expected;
        all_right = all_right && right;
        std::printf("%-22s %10.4f  %s\n", name, ms, right ? "right" : "WRONG");
    };
    const dim3 block(32, 8), grid((size + 31) / 32, (size + 7) / 8);
    row("global, rows", picture, [&] { copy_global<<<grid, block>>>(in, out, size, false); });
    row("global, columns", turned, [&] { copy_global<<<grid, block>>>(in, out, size, true); });
    row("texture, rows", picture, [&] { copy_texture<<<grid, block>>>(texels, out, size, false); });
    row("texture, columns", turned, [&] { copy_texture<<<grid, block>>>(texels, out, size, true); });
    row("texture, filtered", means, [&] { between<<<grid, block>>>(filtered, out, size); });

    CHECK(cudaDestroyTextureObject(texels));
    CHECK(cudaDestroyTextureObject(filtered));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return lab::verdict("texture", all_right);
}
