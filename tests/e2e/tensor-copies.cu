// Tensor copies of every rank, swizzle, fill and step, inside a tensor and over its edges: what shared memory
// and the tensor hold afterwards, as on an H200.
// RUN: lockstep run --gpu h200 %s
// OUT: ^tensor copies: [0-9]+ cases, 0 differ$
// ALSO: nvcc
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Case {
    CUtensorMapDataType type;
    int bytes;  // of an element
    int rank;
    CUtensorMapSwizzle swizzle;
    CUtensorMapFloatOOBfill fill;
    int size[5], box[5], step[5], at[5];
    bool faults;  // the store, which ends the program: tests/bad-input has it
};

struct Result {
    unsigned long long loaded, stored;
};

// Recorded on an H200 (CUDA 13.0): this program, run with a number, prints the results of the cases from that
// one on.
static const Result recorded[] = {
#include "support/tensor-copies.inc"
};

constexpr unsigned long long faulted = cudaErrorIllegalInstruction;
constexpr unsigned shared_bytes = 32 << 10, tensor_bytes = 64 << 10;

// A copy that never comes is told, not waited for.
__device__ bool wait_for(unsigned barrier) {
    for (int i = 0; i < 5000; ++i) {
        unsigned done;
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(barrier)
            : "memory");
        if (done) return true;
    }
    return false;
}

struct At {
    int c[5];
};

__global__ void copy(const __grid_constant__ CUtensorMap map, int rank, At at, unsigned expected, bool store,
                     unsigned char* out, int* arrived) {
    extern __shared__ __align__(1024) unsigned char data[];
    __shared__ __align__(8) unsigned long long barrier;
    const unsigned to = (unsigned)__cvta_generic_to_shared(data),
                   b = (unsigned)__cvta_generic_to_shared(&barrier);
    const void* m = &map;
    for (unsigned i = threadIdx.x; i < shared_bytes; i += blockDim.x)
        data[i] = store ? (unsigned char)(i * 7 + i / 256) : (unsigned char)0xab;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (store) {
            switch (rank) {
                case 1:
                    asm volatile(
                        "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(m),
                        "r"(at.c[0]), "r"(to)
                        : "memory");
                    break;
                case 2:
                    asm volatile(
                        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                            m),
                        "r"(at.c[0]), "r"(at.c[1]), "r"(to)
                        : "memory");
                    break;
                case 3:
                    asm volatile(
                        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::
                            "l"(m),
                        "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(to)
                        : "memory");
                    break;
                case 4:
                    asm volatile(
                        "cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%1, %2, %3, %4}], "
                        "[%5];" ::"l"(m),
                        "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(to)
                        : "memory");
                    break;
                default:
                    asm volatile(
                        "cp.async.bulk.tensor.5d.global.shared::cta.bulk_group [%0, {%1, %2, %3, %4, %5}], "
                        "[%6];" ::"l"(m),
                        "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]), "r"(to)
                        : "memory");
            }
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
            *arrived = 1;
        } else {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(expected)
                         : "memory");
            switch (rank) {
                case 1:
                    asm volatile(
                        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                        "[%1, {%2}], [%3];" ::"r"(to),
                        "l"(m), "r"(at.c[0]), "r"(b)
                        : "memory");
                    break;
                case 2:
                    asm volatile(
                        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                        "[%1, {%2, %3}], [%4];" ::"r"(to),
                        "l"(m), "r"(at.c[0]), "r"(at.c[1]), "r"(b)
                        : "memory");
                    break;
                case 3:
                    asm volatile(
                        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                        "[%1, {%2, %3, %4}], [%5];" ::"r"(to),
                        "l"(m), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(b)
                        : "memory");
                    break;
                case 4:
                    asm volatile(
                        "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                        "[%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
                        "l"(m), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(b)
                        : "memory");
                    break;
                default:
                    asm volatile(
                        "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                        "[%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(to),
                        "l"(m), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]), "r"(b)
                        : "memory");
            }
            *arrived = wait_for(b);
        }
    }
    __syncthreads();
    if (!store)
        for (unsigned i = threadIdx.x; i < shared_bytes; i += blockDim.x) out[i] = data[i];
}

static std::vector<Case> all_cases() {
    struct Type {
        CUtensorMapDataType type;
        int bytes;
        bool real;
    };
    const Type types[] = {
        {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, false},  {CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, false},
        {CU_TENSOR_MAP_DATA_TYPE_INT32, 4, false},  {CU_TENSOR_MAP_DATA_TYPE_UINT64, 8, false},
        {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, true}, {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, true},
        {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, true}, {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, true},
    };
    const CUtensorMapSwizzle swizzles[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                           CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B};
    const int sizes[5][5] = {{200}, {100, 24}, {40, 12, 6}, {40, 6, 5, 4}, {40, 5, 4, 3, 3}};
    std::vector<Case> cases;
    unsigned turn = 0;
    for (int rank = 1; rank <= 5; ++rank)
        for (const CUtensorMapSwizzle swizzle : swizzles)
            for (int place = 0; place < 3; ++place)
                for (int stepped = 0; stepped < 2; ++stepped) {
                    const Type type = types[turn++ % 8];
                    Case one{type.type,
                             type.bytes,
                             rank,
                             swizzle,
                             type.real && turn % 3 ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                                   : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
                             {},
                             {},
                             {},
                             {},
                             place == 1};
                    const int boxes[5] = {32 / type.bytes, 4, 3, 2, 2};
                    for (int d = 0; d < rank; ++d) {
                        one.size[d] = sizes[rank - 1][d];
                        one.box[d] = boxes[d];
                        one.step[d] = stepped && d > 0 ? 1 + (d + turn) % 3 : 1;
                        // Inside, before the first, beyond the last; whole groups of 16 bytes in the first
                        // dimension.
                        const int unit = d == 0 ? 16 / type.bytes : 1;
                        one.at[d] = place == 0 ? unit : place == 1 ? -unit : one.size[d] / unit * unit - unit;
                    }
                    cases.push_back(one);
                }
    return cases;
}

static unsigned long long hash(const std::vector<unsigned char>& bytes) {
    unsigned long long h = 0xcbf29ce484222325;
    for (const unsigned char b : bytes) h = (h ^ b) * 0x100000001b3;
    return h;
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static void must(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    std::exit(1);
}

int main(int argc, char** argv) {
    Encode encode = nullptr;
    must(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", reinterpret_cast<void**>(&encode), 12000,
                                          cudaEnableDefault, nullptr),
         "the entry point");
    unsigned char *tensor, *out;
    int* arrived;
    must(cudaMalloc(&tensor, tensor_bytes), "memory");
    must(cudaMalloc(&out, shared_bytes), "memory");
    must(cudaMalloc(&arrived, 4), "memory");
    must(cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
         "shared memory");
    std::vector<unsigned char> before(tensor_bytes), after(tensor_bytes), loaded(shared_bytes);
    for (unsigned i = 0; i < tensor_bytes; ++i) before[i] = (unsigned char)(i * 13 + i / 251);
    const std::vector<Case> cases = all_cases();
    int differ = 0;
    for (std::size_t i = argc > 1 ? std::atoi(argv[1]) : 0; i < cases.size(); ++i) {
        const Case& one = cases[i];
        cuuint64_t size[5], pitch[5];
        cuuint32_t box[5], step[5];
        unsigned expected = one.bytes;
        At at{};
        cuuint64_t row = 1;
        for (int d = 0; d < one.rank; ++d) {
            size[d] = one.size[d];
            box[d] = one.box[d];
            step[d] = one.step[d];
            at.c[d] = one.at[d];
            expected *= (one.box[d] + one.step[d] - 1) / one.step[d];
            row = d == 0 ? (one.size[0] * one.bytes + 15) / 16 * 16 + 16 : row * one.size[d];
            pitch[d] = row;
        }
        CUtensorMap map;
        const CUresult made =
            encode(&map, one.type, one.rank, tensor, size, pitch, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                   one.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, one.fill);
        Result result{(unsigned long long)made, (unsigned long long)made};
        if (made == CUDA_SUCCESS) {
            for (const bool store : {false, true}) {
                unsigned long long& told = store ? result.stored : result.loaded;
                if (store && one.faults && argc == 1) {
                    told = faulted;
                    continue;
                }
                must(cudaMemcpy(tensor, before.data(), tensor_bytes, cudaMemcpyHostToDevice), "the tensor");
                copy<<<1, 128, shared_bytes>>>(map, one.rank, at, expected, store, out, arrived);
                const cudaError_t error = cudaDeviceSynchronize();
                if (error != cudaSuccess && argc > 1)
                    std::printf("    {0x%llx, %d},\n", result.loaded, (int)error);
                must(error, store ? "a store" : "a load");
                int came = 0;
                cudaMemcpy(&came, arrived, 4, cudaMemcpyDeviceToHost);
                std::vector<unsigned char>& bytes = store ? after : loaded;
                cudaMemcpy(bytes.data(), store ? tensor : out, bytes.size(), cudaMemcpyDeviceToHost);
                told = came ? hash(bytes) : 1;
            }
        }
        if (argc > 1) {
            std::printf("    {0x%llx, 0x%llx},\n", result.loaded, result.stored);
            continue;
        }
        const bool known = i < sizeof recorded / sizeof *recorded;
        const bool load = known && result.loaded == recorded[i].loaded,
                   stored = known && result.stored == recorded[i].stored;
        if (load && stored) continue;
        ++differ;
        std::printf("case %zu: type %d rank %d swizzle %d fill %d box %d,%d step %d,%d,%d at %d,%d:%s%s\n", i,
                    (int)one.type, one.rank, (int)one.swizzle, (int)one.fill, one.box[0], one.box[1],
                    one.step[1], one.step[2], one.step[3], one.at[0], one.at[1], load ? "" : " the load",
                    stored ? "" : " the store");
    }
    if (argc == 1) std::printf("tensor copies: %zu cases, %d differ\n", cases.size(), differ);
    return differ != 0;
}
