// A kernel changes a tensor map (tensormap.replace), in global and in shared memory, publishes it
// (tensormap.cp_fenceproxy) and copies by it: each changed map brings what the one brings that the driver
// makes with the same arguments. (On an H200 the 128 bytes are the same, but for two words that the driver
// computes.)
// RUN: lockstep run --gpu h200 %s
// OUT: ^19 changes, 0 differ$
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Tensor {
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
    int rank = 3;
    char* address = nullptr;
    cuuint64_t size[3] = {64, 12, 7}, pitch[2] = {128, 2048};
    cuuint32_t box[3] = {32, 4, 3}, step[3] = {1, 1, 1};
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};

#define VALUE(field, type, constraint)                                                               \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], %1;" ::"r"(map), \
                 constraint(value)                                                                   \
                 : "memory")
#define ORDINAL(field, type, constraint, n)                                                                  \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], " #n ", %1;" ::"r"(map), \
                 constraint(value)                                                                           \
                 : "memory")
#define CONSTANT(field, n)                                                                                   \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024.b32 [%0], " #n ";" ::"r"(map) : "memor" \
                                                                                                     "y")

__device__ void change(unsigned map, int what, unsigned long long wide) {
    const unsigned value = (unsigned)wide;
    switch (what) {
        case 0:
            asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(map),
                         "l"(wide)
                         : "memory");
            break;
        case 1: ORDINAL("box_dim", "b32", "r", 0); break;
        case 2: ORDINAL("box_dim", "b32", "r", 1); break;
        case 3: ORDINAL("box_dim", "b32", "r", 2); break;
        case 4: ORDINAL("global_dim", "b32", "r", 0); break;
        case 5: ORDINAL("global_dim", "b32", "r", 1); break;
        case 6: ORDINAL("global_dim", "b32", "r", 2); break;
        case 7: ORDINAL("element_stride", "b32", "r", 1); break;
        case 8: ORDINAL("element_stride", "b32", "r", 2); break;
        case 9:
            asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(map),
                         "l"(wide)
                         : "memory");
            break;
        case 10:
            asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 1, %1;" ::"r"(map),
                         "l"(wide)
                         : "memory");
            break;
        case 11: CONSTANT("elemtype", 6); break;
        case 12: CONSTANT("elemtype", 10); break;
        case 13: CONSTANT("elemtype", 7); break;
        case 14: CONSTANT("swizzle_mode", 2); break;
        case 15: CONSTANT("swizzle_mode", 3); break;
        case 16: CONSTANT("fill_mode", 1); break;
        case 17: CONSTANT("interleave_layout", 0); break;
        case 18: VALUE("rank", "b32", "r"); break;
    }
}

__global__ void alter(const __grid_constant__ CUtensorMap from, CUtensorMap* to, int what,
                      unsigned long long value) {
    __shared__ __align__(128) CUtensorMap own;
    if (threadIdx.x == 0) own = from;
    __syncwarp();
    const unsigned map = (unsigned)__cvta_generic_to_shared(&own);
    if (threadIdx.x == 0) change(map, what, value);
    __syncwarp();
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
        "128;" ::"l"(to),
        "r"(map)
        : "memory");
}

// In global memory: the address back and forth.
__global__ void alter_twice(CUtensorMap* map, unsigned long long other, unsigned long long own) {
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(other)
                 : "memory");
    asm volatile("tensormap.replace.tile.global_address.b1024.b64 [%0], %1;" ::"l"(map), "l"(own) : "memory");
}

__global__ void copy(const CUtensorMap* map, int rank, unsigned* out) {
    __shared__ __align__(1024) unsigned data[4096];
    __shared__ __align__(8) unsigned long long barrier;
    const unsigned to = (unsigned)__cvta_generic_to_shared(data),
                   b = (unsigned)__cvta_generic_to_shared(&barrier);
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) data[i] = 0xabababab;
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 65536;" ::"r"(b) : "memory");
        if (rank == 3)
            asm volatile(
                "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
                "%4, %5}], [%2];" ::"r"(to),
                "l"(map), "r"(b), "r"(32), "r"(9), "r"(1)
                : "memory");
        else
            asm volatile(
                "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
                "%4}], [%2];" ::"r"(to),
                "l"(map), "r"(b), "r"(32), "r"(9)
                : "memory");
        for (int i = 0; i < 20; ++i) __nanosleep(1000);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) out[i] = data[i];
}

static CUresult (*encode)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                          const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                          CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static CUtensorMap made(const Tensor& t) {
    CUtensorMap map;
    if (encode(&map, t.type, t.rank, t.address, t.size, t.pitch, t.box, t.step, CU_TENSOR_MAP_INTERLEAVE_NONE,
               t.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, t.fill)) {
        std::printf("a tensor map could not be made\n");
        std::exit(1);
    }
    return map;
}

static std::vector<unsigned> copied(const CUtensorMap* map, int rank) {
    unsigned* out;
    cudaMalloc(&out, 16384);
    copy<<<1, 128>>>(map, rank, out);
    std::vector<unsigned> words(4096);
    cudaMemcpy(words.data(), out, 16384, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return words;
}

int main() {
    void* found = nullptr;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, nullptr);
    encode = reinterpret_cast<decltype(encode)>(found);
    std::vector<unsigned short> numbers(65536);
    for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = (unsigned short)(i * 3 + 1);
    Tensor base;
    CUtensorMap* maps;
    cudaMalloc(&base.address, 131072);
    cudaMalloc(&maps, 2 * sizeof *maps);
    cudaMemcpy(base.address, numbers.data(), 131072, cudaMemcpyHostToDevice);
    int differ = 0, count = 0;
    for (int what = 0; what < 19; ++what, ++count) {
        Tensor from = base, to = base;
        unsigned long long value = 5;
        if (what >= 13 && what <= 15) from.box[0] = to.box[0] = 16;
        if (what == 16) from.type = to.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        if (what == 0) to.address += 4096, value = (unsigned long long)to.address;
        if (what == 1) to.box[0] = value = 16;
        if (what == 2 || what == 3) to.box[what - 1] = (cuuint32_t)value;
        if (what >= 4 && what <= 6) to.size[what - 4] = value = 3 + (what == 4) * 45;
        if (what == 7 || what == 8) to.step[what - 6] = value = 2;
        if (what == 9 || what == 10) to.pitch[what - 9] = value = from.pitch[what - 9] * 2;
        if (what == 11) to.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        if (what == 12) to.type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        if (what == 13) to.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
        if (what == 14) to.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        if (what == 15) to.swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        if (what == 16) to.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
        if (what == 18) to.rank = 2, value = 1;
        const CUtensorMap before = made(from), wanted = made(to);
        alter<<<1, 32>>>(before, maps, what, value);
        alter_twice<<<1, 1>>>(maps, (unsigned long long)base.address + 32, (unsigned long long)to.address);
        cudaMemcpy(maps + 1, &wanted, sizeof wanted, cudaMemcpyHostToDevice);
        const std::vector<unsigned> one = copied(maps, to.rank), other = copied(maps + 1, to.rank);
        cudaMemcpy(maps, &before, sizeof before, cudaMemcpyHostToDevice);
        const bool same = one == other,
                   new_one = what == 17 || from.rank != to.rank || one != copied(maps, from.rank);
        // Types of the same size bring the same.
        if (same && (new_one || what == 11 || what == 12) && cudaDeviceSynchronize() == cudaSuccess) continue;
        ++differ;
        std::printf("change %d: %s, %s\n", what, same ? "as made" : "not as made",
                    new_one ? "something new" : "nothing new");
    }
    std::printf("%d changes, %d differ\n", count, differ);
    return differ != 0;
}
