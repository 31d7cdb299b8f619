// Tensor copies of pixels (im2col), of every rank, with steps, swizzles, offsets and fills, over the tensor's
// edges: what shared memory holds afterwards, and how many bytes came, as recorded on an H200; and copied
// back (im2col_no_offs) they are where they came from.
// RUN: lockstep run --gpu h200 %s
// OUT: ^tensor pixels: 7 cases, 0 differ$
// ALSO: nvcc
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Case {
    CUtensorMapDataType type;
    int rank, swizzle, fill;
    cuuint64_t size[5], pitch[4];
    cuuint32_t step[5];
    int lower[3], upper[3];
    unsigned channels, pixels;
    int at[5], offset[3];
    // On the H200:
    unsigned bytes;
    unsigned long long hash;
};

static const Case cases[] = {
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
     4,
     1,
     0,
     {4, 6, 5, 3},
     {32, 192, 960},
     {1, 1, 1, 1},
     {1, -2},
     {0, -1},
     8,
     41,
     {0, 3, 2, -1},
     {0, 0},
     1312,
     0x33bef9d244891095},
    {CU_TENSOR_MAP_DATA_TYPE_UINT16,
     4,
     0,
     0,
     {16, 3, 3, 3},
     {48, 144, 432},
     {1, 1, 1, 1},
     {1, -1},
     {1, 1},
     24,
     52,
     {8, 1, 2, -1},
     {0, 1},
     2496,
     0x8b97652f4be46195},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
     5,
     0,
     0,
     {32, 5, 4, 3, 3},
     {64, 320, 1280, 3840},
     {1, 1, 1, 1, 1},
     {1, -1, 0},
     {-1, 1, -2},
     8,
     34,
     {16, 2, 1, 0, -1},
     {2, 0, 0},
     544,
     0xd660deb1c8fde975},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
     5,
     1,
     0,
     {16, 3, 6, 6, 5},
     {32, 96, 576, 3456},
     {3, 3, 1, 2, 1},
     {0, 1, 0},
     {-1, -1, -1},
     8,
     29,
     {0, 1, 4, 4, 0},
     {0, 3, 3},
     464,
     0xa61611efef283c9d},
    {CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
     5,
     0,
     1,
     {12, 6, 4, 4, 6},
     {64, 384, 1536, 6144},
     {1, 1, 1, 1, 1},
     {0, 1, -2},
     {0, -1, 1},
     16,
     44,
     {4, 5, 1, -2, 2},
     {0, 3, 2},
     2816,
     0x6bd30767b012ab25},
    {CU_TENSOR_MAP_DATA_TYPE_UINT8,
     5,
     0,
     0,
     {64, 6, 6, 4, 4},
     {64, 384, 2304, 9216},
     {3, 1, 2, 3, 2},
     {-2, 1, 0},
     {0, 0, 1},
     32,
     61,
     {-16, 0, 2, 3, 0},
     {0, 0, 0},
     1952,
     0x3f23bd35623663dd},
    {CU_TENSOR_MAP_DATA_TYPE_UINT16,
     3,
     1,
     0,
     {16, 6, 5},
     {48, 288},
     {3, 3, 2},
     {-2},
     {-2},
     16,
     49,
     {0, -1, 2},
     {0},
     1568,
     0xcbb1436f20329035},
};

constexpr unsigned shared_bytes = 32 << 10, tensor_bytes = 64 << 10, most_bytes = 64 << 10;

struct At {
    int c[5];
    unsigned short offset[3];
};

#define TO_SHARED(dim) \
    "cp.async.bulk.tensor." dim ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
#define FROM_SHARED(dim) "cp.async.bulk.tensor." dim ".global.shared::cta.im2col_no_offs.bulk_group "
#define C3 "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2])
#define C4 C3, "r"(at.c[3])
#define C5 C4, "r"(at.c[4])
#define O1 "h"(at.offset[0])
#define O2 O1, "h"(at.offset[1])
#define O3 O2, "h"(at.offset[2])

__device__ void load(const void* m, int rank, const At& at, unsigned to, unsigned b) {
    if (rank == 3)
        asm volatile(TO_SHARED("3d") "[%0], [%1, {%3, %4, %5}], [%2], {%6};" ::"r"(to), "l"(m), "r"(b), C3, O1
                     : "memory");
    if (rank == 4)
        asm volatile(TO_SHARED("4d") "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(to), "l"(m),
                     "r"(b), C4, O2
                     : "memory");
    if (rank == 5)
        asm volatile(TO_SHARED("5d") "[%0], [%1, {%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};" ::"r"(to),
                     "l"(m), "r"(b), C5, O3
                     : "memory");
}

__device__ void save(const void* m, int rank, const At& at, unsigned from) {
    if (rank == 3)
        asm volatile(FROM_SHARED("3d") "[%1, {%2, %3, %4}], [%0];" ::"r"(from), "l"(m), C3 : "memory");
    if (rank == 4)
        asm volatile(FROM_SHARED("4d") "[%1, {%2, %3, %4, %5}], [%0];" ::"r"(from), "l"(m), C4 : "memory");
    if (rank == 5)
        asm volatile(FROM_SHARED("5d") "[%1, {%2, %3, %4, %5, %6}], [%0];" ::"r"(from), "l"(m), C5
                     : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

__device__ bool turned(unsigned barrier) {
    unsigned done;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier)
        : "memory");
    return done;
}

// The barrier expects more bytes than come; those that are missing afterwards are counted.
__global__ void copy(const __grid_constant__ CUtensorMap map, int rank, At at, bool store,
                     unsigned short* out, unsigned* came) {
    extern __shared__ __align__(1024) unsigned short data[];
    __shared__ __align__(8) unsigned long long barrier;
    const unsigned to = (unsigned)__cvta_generic_to_shared(data),
                   b = (unsigned)__cvta_generic_to_shared(&barrier);
    for (unsigned i = threadIdx.x; i < shared_bytes / 2; i += blockDim.x) data[i] = store ? out[i] : 0xabab;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (store) {
            save(&map, rank, at, to);
        } else {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(most_bytes)
                         : "memory");
            load(&map, rank, at, to, b);
            for (int i = 0; i < 20; ++i) __nanosleep(1000);
            unsigned missing = 0;
            for (; missing < most_bytes && !turned(b); missing += 16)
                asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(b)
                             : "memory");
            *came = most_bytes - missing;
        }
    }
    __syncthreads();
    if (!store)
        for (unsigned i = threadIdx.x; i < shared_bytes / 2; i += blockDim.x) out[i] = data[i];
}

static unsigned long long hash(const std::vector<unsigned short>& words) {
    unsigned long long h = 0xcbf29ce484222325;
    for (const unsigned short w : words) h = (h ^ w) * 0x100000001b3;
    return h;
}

static void must(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    std::exit(1);
}

int main() {
    void* found = nullptr;
    must(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &found, 12000, cudaEnableDefault,
                                          nullptr),
         "the entry point");
    const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeIm2col)>(found);
    unsigned short *tensor, *out;
    unsigned* came;
    must(cudaMalloc(&tensor, tensor_bytes), "memory");
    must(cudaMalloc(&out, shared_bytes), "memory");
    must(cudaMalloc(&came, 4), "memory");
    must(cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
         "shared memory");
    std::vector<unsigned short> numbers(tensor_bytes / 2), after(tensor_bytes / 2), loaded(shared_bytes / 2);
    for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = (unsigned short)(i + 1);
    int differ = 0, number = 0;
    for (const Case& one : cases) {
        CUtensorMap map;
        const CUresult made =
            encode(&map, one.type, one.rank, tensor, one.size, one.pitch, one.lower, one.upper, one.channels,
                   one.pixels, one.step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)one.swizzle,
                   CU_TENSOR_MAP_L2_PROMOTION_NONE, (CUtensorMapFloatOOBfill)one.fill);
        At at{};
        bool inside = true;
        for (int d = 0; d < one.rank; ++d) at.c[d] = one.at[d], inside &= one.at[d] >= 0;
        for (int d = 0; d < 3; ++d) at.offset[d] = (unsigned short)one.offset[d];
        must(cudaMemcpy(tensor, numbers.data(), tensor_bytes, cudaMemcpyHostToDevice), "the tensor");
        copy<<<1, 128, shared_bytes>>>(map, one.rank, at, false, out, came);
        must(cudaDeviceSynchronize(), "a load");
        unsigned bytes = 0;
        cudaMemcpy(&bytes, came, 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(loaded.data(), out, shared_bytes, cudaMemcpyDeviceToHost);
        bool right = made == CUDA_SUCCESS && bytes == one.bytes && hash(loaded) == one.hash;
        if (inside) {
            // Without offsets: all that is stored was there before, and something is.
            at.offset[0] = at.offset[1] = at.offset[2] = 0;
            copy<<<1, 128, shared_bytes>>>(map, one.rank, at, false, out, came);
            must(cudaMemset(tensor, 0, tensor_bytes), "the tensor");
            copy<<<1, 128, shared_bytes>>>(map, one.rank, at, true, out, came);
            must(cudaDeviceSynchronize(), "a store");
            cudaMemcpy(after.data(), tensor, tensor_bytes, cudaMemcpyDeviceToHost);
            unsigned stored = 0;
            for (unsigned i = 0; i < after.size(); ++i)
                stored += after[i] != 0, right &= after[i] == 0 || after[i] == numbers[i];
            right &= stored > 0;
        }
        if (!right)
            ++differ,
                std::printf("case %d: %d, %u bytes, hash %llx\n", number, (int)made, bytes, hash(loaded));
        ++number;
    }
    std::printf("tensor pixels: %d cases, %d differ\n", number, differ);
    return differ != 0;
}
