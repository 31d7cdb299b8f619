// Texture references in HIP, as CUDA has them: linear memory, pitched memory, arrays; elements and floats
// from 0 to 1; linear filtering; bound anew and unbound.
// RUN: lockstep run %s
// OUT: ^linear 0 3 6 9$
// OUT: ^pitched 10 11 20 21$
// OUT: ^array 0\.00 1\.50 4\.00$
// OUT: ^bytes 0\.000 0\.200 1\.000$
// OUT: ^other 100 103$
// OUT: ^by name 1$
// OUT: ^nothing is bound 1$
// RUN: lockstep run --gpu mi300x %s
// OUT: ^array 0\.00 1\.50 4\.00$
// RUN: lockstep run -fgpu-rdc %s
// OUT: ^linear 0 3 6 9$
#include <hip/hip_runtime.h>

#include <cstdio>

#define CHECK(call)                                                                   \
    do {                                                                              \
        const hipError_t error = (call);                                              \
        if (error != hipSuccess) printf("%s: %s\n", #call, hipGetErrorString(error)); \
    } while (0)

texture<int, 1, hipReadModeElementType> line;
texture<float, hipTextureType2D, hipReadModeElementType> plane;
texture<uchar4, 1, hipReadModeNormalizedFloat> bytes;
static texture<int2> pairs;

__global__ void from_line(int* out) { out[threadIdx.x] = tex1Dfetch(line, threadIdx.x); }
__global__ void from_plane(float* out, const float2* at) {
    out[threadIdx.x] = tex2D(plane, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void from_bytes(float* out) {
    const float4 v = tex1Dfetch(bytes, threadIdx.x);
    out[threadIdx.x] = v.x;
}
__global__ void from_pairs(int* out) { out[threadIdx.x] = tex1Dfetch(pairs, threadIdx.x).y; }

template <class T, int n>
T* device(const T (&values)[n]) {
    T* p;
    CHECK(hipMalloc(&p, sizeof values));
    CHECK(hipMemcpy(p, values, sizeof values, hipMemcpyHostToDevice));
    return p;
}

int main() {
    int* out;
    CHECK(hipMalloc(&out, 256));
    auto* floats = (float*)out;
    int host[4];
    float result[4];
    const int numbers[] = {0, 3, 6, 9}, others[] = {100, 103, 106, 109};
    int *first = device(numbers), *second = device(others);
    CHECK(hipBindTexture(nullptr, line, first, sizeof numbers));
    from_line<<<1, 4>>>(out);
    CHECK(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
    printf("linear %d %d %d %d\n", host[0], host[1], host[2], host[3]);

    float* pitched;
    size_t pitch;
    CHECK(hipMallocPitch((void**)&pitched, &pitch, 2 * sizeof(float), 2));
    const float rows[] = {10, 11, 20, 21};
    CHECK(hipMemcpy2D(pitched, pitch, rows, 2 * sizeof(float), 2 * sizeof(float), 2, hipMemcpyHostToDevice));
    CHECK(hipBindTexture2D(nullptr, plane, pitched, plane.channelDesc, 2, 2, pitch));
    const float2 places[] = {{0.5f, 0.5f}, {1.5f, 0.5f}, {0.5f, 1.5f}, {1.5f, 1.5f}};
    float2* at = device(places);
    from_plane<<<1, 4>>>(floats, at);
    CHECK(hipMemcpy(result, floats, sizeof result, hipMemcpyDeviceToHost));
    printf("pitched %g %g %g %g\n", result[0], result[1], result[2], result[3]);

    hipArray_t array;
    const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    CHECK(hipMallocArray(&array, &format, 3, 2));
    const float texels[] = {0, 1, 2, 3, 4, 5};
    CHECK(hipMemcpy2DToArray(array, 0, 0, texels, 12, 12, 2, hipMemcpyHostToDevice));
    plane.filterMode = hipFilterModeLinear;
    plane.addressMode[0] = plane.addressMode[1] = hipAddressModeClamp;
    CHECK(hipBindTextureToArray(plane, array));
    const float2 spots[] = {{0, 0}, {1, 0.8333333f}, {1.5f, 1.5f}};
    at = device(spots);
    from_plane<<<1, 3>>>(floats, at);
    CHECK(hipMemcpy(result, floats, 12, hipMemcpyDeviceToHost));
    printf("array %.2f %.2f %.2f\n", result[0], result[1], result[2]);

    const uchar4 colours[] = {{0, 1, 1, 1}, {51, 0, 0, 0}, {255, 0, 0, 0}};
    CHECK(hipBindTexture(nullptr, bytes, device(colours), sizeof colours));
    from_bytes<<<1, 3>>>(floats);
    CHECK(hipMemcpy(result, floats, 12, hipMemcpyDeviceToHost));
    printf("bytes %.3f %.3f %.3f\n", result[0], result[1], result[2]);

    CHECK(hipBindTexture(nullptr, line, second, sizeof others));
    from_line<<<1, 2>>>(out);
    CHECK(hipMemcpy(host, out, 8, hipMemcpyDeviceToHost));
    printf("other %d %d\n", host[0], host[1]);

    const textureReference* found;
    CHECK(hipGetTextureReference(&found, &line));
    printf("by name %d\n", found == &line);

    const int2 two[] = {{1, 2}, {3, 4}};
    size_t offset = 7;
    CHECK(hipBindTexture(&offset, pairs, device(two), sizeof two));
    from_pairs<<<1, 2>>>(out);
    CHECK(hipMemcpy(host, out, 8, hipMemcpyDeviceToHost));
    if (host[0] != 2 || host[1] != 4 || offset != 0) printf("wrong pairs\n");
    CHECK(hipUnbindTexture(line));
    size_t none;
    printf("nothing is bound %d\n", hipGetTextureAlignmentOffset(&none, line) != hipSuccess);
}
