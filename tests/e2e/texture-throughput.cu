// How fast the texture unit is, against what an H200 took for as many fetches of the same kind
// (bench/hardware/h200/texture-rates.csv): cycles of an SM for four lanes.
// RUN: lockstep run --gpu h200 %s
// OUT: ^float4 point, side by side +2\.0 +[0-9.]+$
// OUT: ^12 of 12 within 20 %%$
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int size = 64, few = 4, many = 20, recorded_fetches = 36 - 4, threads = 256;

__device__ unsigned mixed(unsigned i) {
    i ^= i >> 16;
    i *= 0x7feb352du;
    i ^= i >> 15;
    i *= 0x846ca68bu;
    return i ^ (i >> 16);
}

__device__ float sum(float v) { return v; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

template <class Texel>
__global__ void fetch(cudaTextureObject_t texture, float* out, int fetches, bool anywhere) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float total = 0;
    for (int f = 0; f < fetches; ++f) {
        unsigned x = threadIdx.x % 32 + (f * 5 & 15), y = threadIdx.x / 32 + (f * 3 & 31);
        if (anywhere) {
            const unsigned number = mixed(thread * 977 + f);
            x = number % size, y = number / 65536 % size;
        }
        total += sum(tex2D<Texel>(texture, x + 0.25f, y + 0.25f));
    }
    if (total != 0) out[thread] = total;
}

template <class Texel>
double microseconds(cudaTextureObject_t texture, float* out, int blocks, int fetches, bool anywhere) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    fetch<Texel><<<blocks, threads>>>(texture, out, fetches, anywhere);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    return milliseconds * 1000;
}

int patterns = 0, near = 0;

// `recorded`: what 36 fetches took an H200 longer than four, in microseconds.
template <class Texel>
void compare(const char* name, bool linear, bool anywhere, double recorded) {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>();
    cudaMallocArray(&array, &format, size, size);
    const std::vector<Texel> zeros(size * size);
    cudaMemcpy2DToArray(array, 0, 0, zeros.data(), size * sizeof(Texel), size * sizeof(Texel), size,
                        cudaMemcpyHostToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how{};
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    const int sms = gpu.multiProcessorCount, blocks = sms * 8;
    float* out;
    cudaMalloc(&out, blocks * threads * sizeof(float));

    const auto cycles = [&](double time, double lanes) {
        return time * gpu.clockRate / 1e3 * sms / (lanes / 4);
    };
    const double real = cycles(recorded, 1.0 * blocks * threads * recorded_fetches);
    const double predicted = cycles(microseconds<Texel>(texture, out, blocks, many, anywhere) -
                                        microseconds<Texel>(texture, out, blocks, few, anywhere),
                                    1.0 * blocks * threads * (many - few));
    ++patterns;
    near += std::fabs(predicted / real - 1) <= 0.2;
    std::printf("%s %s, %-12s %6.1f %6.1f\n", name, linear ? "linear" : "point",
                anywhere ? "anywhere" : "side by side", real, predicted);
    cudaFree(out);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

int main() {
    std::printf("cycles for four lanes:      H200, predicted\n");
    compare<float>("float", false, false, 17.28 - 9.76);
    compare<float>("float", true, false, 17.47 - 9.60);
    compare<float2>("float2", false, false, 17.06 - 9.12);
    compare<float2>("float2", true, false, 27.14 - 10.14);
    compare<float4>("float4", false, false, 27.65 - 10.78);
    compare<float4>("float4", true, false, 46.24 - 12.80);
    compare<float>("float", false, true, 29.86 - 11.46);
    compare<float>("float", true, true, 38.88 - 12.80);
    compare<float2>("float2", false, true, 30.88 - 11.81);
    compare<float2>("float2", true, true, 42.88 - 13.63);
    compare<float4>("float4", false, true, 32.83 - 12.54);
    compare<float4>("float4", true, true, 80.26 - 16.90);
    std::printf("%d of %d within 20 %%\n", near, patterns);
    return near != patterns;
}
