// What does a warp fetch when its lanes read elements that lie apart? One copy, with distances from 1 to 32
// elements between lanes, and one that begins in the middle of a sector.
//
//     strides [N]
#include <cstdio>
#include <cstdlib>
#include <vector>

template <int Stride>
__global__ void apart(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * Stride];
}

__global__ void shifted(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];
}

int main(int argc, char** argv) {
    const int n = (argc > 1 ? std::atoi(argv[1]) : 1 << 18) / 256 * 256, most = 32;
    std::vector<float> host(static_cast<size_t>(n) * most), result(n);
    for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i % 4093);
    float *in, *out;
    cudaMalloc(&in, host.size() * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);

    struct Row {
        void (*kernel)(const float*, float*);
        int stride, shift;
    };
    const Row rows[] = {{apart<1>, 1, 0}, {shifted, 1, 1},    {apart<2>, 2, 0},  {apart<4>, 4, 0},
                        {apart<8>, 8, 0}, {apart<16>, 16, 0}, {apart<32>, 32, 0}};
    bool right = true;
    for (const Row& row : rows) {
        row.kernel<<<n / 256, 256>>>(in, out);
        cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; ++i)
            right = right && result[i] == host[static_cast<size_t>(i) * row.stride + row.shift];
    }
    std::printf("strides %s\n", right ? "ok" : "WRONG");
    cudaFree(in);
    cudaFree(out);
    return !right;
}
