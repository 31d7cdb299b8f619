// Arrays that are read, written, copied, changed in place and added, once, by how large they are and how they
// are handed out: what a short launch reaches of the bandwidths. For ncu, which empties the caches or leaves
// them as they are.
#include <cuda_runtime.h>

#include <cstdio>

enum Way { read_one, read_three, write_one, copy_one, change_one, add_two };
constexpr const char* names[] = {"read", "read three", "write", "copy", "change", "add"};
constexpr int arrays[] = {1, 3, 1, 2, 1, 3};  // of the way

__device__ float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ float sum_of(float a) { return a; }
__device__ float sum_of(float4 a) { return a.x + a.y + a.z + a.w; }
__device__ void set(float& a, float value) { a = value; }
__device__ void set(float4& a, float value) { a = {value, value, value, value}; }

template <Way way, class T>
__global__ void stream(T* a, T* b, T* c, int count) {
    const int step = gridDim.x * blockDim.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        T value;
        set(value, 1);
        if constexpr (way == read_one) sum += sum_of(a[i]);
        if constexpr (way == read_three) sum += sum_of(a[i] + b[i] + c[i]);
        if constexpr (way == write_one) a[i] = value;
        if constexpr (way == copy_one) b[i] = a[i];
        if constexpr (way == change_one) a[i] = a[i] + value;
        if constexpr (way == add_two) c[i] = a[i] + b[i];
    }
    if (sum == 7) set(a[0], sum);
}

// As many threads as elements, or two blocks for each SM.
template <Way way, class T>
void launch(T* a, T* b, T* c, long bytes, bool all) {
    const int count = static_cast<int>(bytes / arrays[way] / sizeof(T));
    const int blocks = all ? (count + 255) / 256 : 264;
    std::printf("%s,%d,%s,%ld\n", names[way], int(sizeof(T)), all ? "one" : "several", bytes);
    stream<way, T><<<blocks, 256>>>(a, b, c, count);
}

template <class T>
void launch_all(void* a, void* b, void* c, long bytes, bool all) {
    T *x = static_cast<T*>(a), *y = static_cast<T*>(b), *z = static_cast<T*>(c);
    launch<read_one>(x, y, z, bytes, all);
    launch<read_three>(x, y, z, bytes, all);
    launch<write_one>(x, y, z, bytes, all);
    launch<copy_one>(x, y, z, bytes, all);
    launch<change_one>(x, y, z, bytes, all);
    launch<add_two>(x, y, z, bytes, all);
}

int main() {
    constexpr long most = 192l << 20;
    void *a, *b, *c;
    if (cudaMalloc(&a, most) || cudaMalloc(&b, most) || cudaMalloc(&c, most)) return 1;
    cudaMemset(a, 0, most);
    cudaMemset(b, 0, most);
    cudaMemset(c, 0, most);
    std::printf("way,element_bytes,a_thread,bytes\n");
    for (long megabytes : {1, 3, 6, 12, 24, 48, 96, 192})
        for (bool all : {true, false}) {
            launch_all<float>(a, b, c, megabytes << 20, all);
            launch_all<float4>(a, b, c, megabytes << 20, all);
        }
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
}
