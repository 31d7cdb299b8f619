// When does constant memory help? A filter whose weights lie in constant memory, or in global memory; and
// constant memory read at a different place by every lane, which is what it is bad at.
//
//     constant-memory [N] [BLOCK]
#include <vector>

#include "lab.h"

constexpr int radius = 8, taps = 2 * radius + 1;
__constant__ float weights[taps];
__constant__ float table[256];

__global__ void filter_constant(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k) {
        int j = i + k - radius;
        if (j >= 0 && j < n) sum += weights[k] * in[j];
    }
    out[i] = sum;
}

__global__ void filter_global(const float* in, float* out, int n, const float* global_weights) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k) {
        int j = i + k - radius;
        if (j >= 0 && j < n) sum += global_weights[k] * in[j];
    }
    out[i] = sum;
}

__global__ void look_up(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[static_cast<int>(in[i]) & 0xFF];
}

int main(int argc, char** argv) {
    int n = static_cast<int>(lab::argument(argc, argv, 1, 1L << 18, 1, 1L << 26, "N"));
    int block = static_cast<int>(lab::argument(argc, argv, 2, 256, 1, 1024, "BLOCK"));
    int grid = (n + block - 1) / block;

    float host_weights[taps], host_table[256];
    for (int k = 0; k < taps; ++k) host_weights[k] = static_cast<float>(radius + 1 - std::abs(k - radius));
    for (int k = 0; k < 256; ++k) host_table[k] = static_cast<float>(k * k);
    std::vector<float> in_host(n), filtered(n), looked_up(n), host(n);
    for (int i = 0; i < n; ++i) in_host[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 0xFF);
    for (int i = 0; i < n; ++i) {
        float sum = 0.0f;  // whole numbers below 2^24: exact
        for (int k = 0; k < taps; ++k)
            if (int j = i + k - radius; j >= 0 && j < n) sum += host_weights[k] * in_host[j];
        filtered[i] = sum;
        looked_up[i] = host_table[static_cast<int>(in_host[i])];
    }

    CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));
    CHECK(cudaMemcpyToSymbol(table, host_table, sizeof host_table));
    float back[taps];
    CHECK(cudaMemcpyFromSymbol(back, weights, sizeof back));
    bool all_right = true;
    for (int k = 0; k < taps; ++k) all_right = all_right && back[k] == host_weights[k];

    float *in = nullptr, *out = nullptr, *global_weights = nullptr;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMalloc(&global_weights, sizeof host_weights));
    CHECK(cudaMemcpy(in, in_host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(global_weights, host_weights, sizeof host_weights, cudaMemcpyHostToDevice));

    std::printf("%s: %d floats, %d weights, block %d\n\n", lab::device_name().c_str(), n, taps, block);
    std::printf("%-26s %10s  %s\n", "weights in", "ms", "values");
    auto row = [&](const char* name, const std::vector<float>& expected, auto launch) {
        launch();  // once before: its translation is no part of the time
        CHECK(cudaMemset(out, 0xFF, n * sizeof(float)));
        double ms = lab::time_ms(launch);
        CHECK(cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
        bool right = host == expected;
        all_right = all_right && right;
        std::printf("%-26s %10.3f  %s\n", name, ms, right ? "right" : "WRONG");
    };
    row("constant, all lanes alike", filtered, [&] { filter_constant<<<grid, block>>>(in, out, n); });
    row("global", filtered, [&] { filter_global<<<grid, block>>>(in, out, n, global_weights); });
    row("constant, lanes differ", looked_up, [&] { look_up<<<grid, block>>>(in, out, n); });
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(global_weights));
    return lab::verdict("constant-memory", all_right);
}
