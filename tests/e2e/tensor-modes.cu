// Tensor copies that are no plain boxes: pixels for a convolution (im2col) and interleaved layouts, loads and stores
// with every rank and swizzle, inside a tensor and over its edges: what shared memory and the tensor hold
// afterwards, and how many bytes came, as on an H200.
// RUN: lockstep run --gpu h200 %s
// OUT: ^tensor modes: 300 cases, 0 differ$
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Case {
    bool im2col, store;
    CUtensorMapDataType type;
    int bytes;  // of an element
    int rank, interleave, swizzle, fill;
    cuuint64_t size[5], pitch[5];
    cuuint32_t box[5], step[5];                // a plain box
    int lower[3], upper[3], channels, pixels;  // im2col
    int at[5], offset[3];
};

struct Result {
    unsigned error, bytes;
    unsigned long long hash;
};

// Recorded on an H200 (CUDA 13.0): this program, run with a folder and a number, writes the results of the cases from
// that one on, until one ends the program.
static const Result recorded[] = {
#include "support/tensor-modes.inc"
};

constexpr unsigned shared_bytes = 32 << 10, tensor_bytes = 64 << 10, most_bytes = 64 << 10;

struct At {
    int c[5];
    unsigned short offset[3];
};

#define TO_SHARED(dim, mode) "cp.async.bulk.tensor." dim ".shared::cluster.global" mode ".mbarrier::complete_tx::bytes "
#define FROM_SHARED(dim, mode) "cp.async.bulk.tensor." dim ".global.shared::cta" mode ".bulk_group "
#define C3 "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2])
#define C4 C3, "r"(at.c[3])
#define C5 C4, "r"(at.c[4])
#define O1 "h"(at.offset[0])
#define O2 O1, "h"(at.offset[1])
#define O3 O2, "h"(at.offset[2])

__device__ void load(const void* m, int rank, bool im2col, const At& at, unsigned to, unsigned b) {
    if (im2col) {
        if (rank == 3)
            asm volatile(TO_SHARED("3d", ".im2col") "[%0], [%1, {%3, %4, %5}], [%2], {%6};" ::"r"(to), "l"(m), "r"(b), C3, O1 : "memory");
        if (rank == 4)
            asm volatile(TO_SHARED("4d", ".im2col") "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(to), "l"(m), "r"(b), C4, O2 : "memory");
        if (rank == 5)
            asm volatile(TO_SHARED("5d", ".im2col") "[%0], [%1, {%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};" ::"r"(to), "l"(m), "r"(b), C5, O3 : "memory");
        return;
    }
    if (rank == 3) asm volatile(TO_SHARED("3d", ".tile") "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to), "l"(m), "r"(b), C3 : "memory");
    if (rank == 4) asm volatile(TO_SHARED("4d", ".tile") "[%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(to), "l"(m), "r"(b), C4 : "memory");
    if (rank == 5) asm volatile(TO_SHARED("5d", ".tile") "[%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(to), "l"(m), "r"(b), C5 : "memory");
}

__device__ void save(const void* m, int rank, bool im2col, const At& at, unsigned from) {
    if (im2col) {
        if (rank == 3) asm volatile(FROM_SHARED("3d", ".im2col_no_offs") "[%1, {%2, %3, %4}], [%0];" ::"r"(from), "l"(m), C3 : "memory");
        if (rank == 4) asm volatile(FROM_SHARED("4d", ".im2col_no_offs") "[%1, {%2, %3, %4, %5}], [%0];" ::"r"(from), "l"(m), C4 : "memory");
        if (rank == 5) asm volatile(FROM_SHARED("5d", ".im2col_no_offs") "[%1, {%2, %3, %4, %5, %6}], [%0];" ::"r"(from), "l"(m), C5 : "memory");
    } else {
        if (rank == 3) asm volatile(FROM_SHARED("3d", ".tile") "[%1, {%2, %3, %4}], [%0];" ::"r"(from), "l"(m), C3 : "memory");
        if (rank == 4) asm volatile(FROM_SHARED("4d", ".tile") "[%1, {%2, %3, %4, %5}], [%0];" ::"r"(from), "l"(m), C4 : "memory");
        if (rank == 5) asm volatile(FROM_SHARED("5d", ".tile") "[%1, {%2, %3, %4, %5, %6}], [%0];" ::"r"(from), "l"(m), C5 : "memory");
    }
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

__device__ bool turned(unsigned barrier) {
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(barrier) : "memory");
    return done;
}

// The barrier expects more bytes than come; those that are missing afterwards are counted.
__global__ void copy(const __grid_constant__ CUtensorMap map, int rank, bool im2col, At at, bool store, unsigned short* out,
                     unsigned* came) {
    extern __shared__ __align__(1024) unsigned short data[];
    __shared__ __align__(8) unsigned long long barrier;
    const unsigned to = (unsigned)__cvta_generic_to_shared(data), b = (unsigned)__cvta_generic_to_shared(&barrier);
    for (unsigned i = threadIdx.x; i < shared_bytes / 2; i += blockDim.x) data[i] = store ? i + 1 : 0xabab;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (store) {
            save(&map, rank, im2col, at, to);
        } else {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(most_bytes) : "memory");
            load(&map, rank, im2col, at, to, b);
            for (int i = 0; i < 20; ++i) __nanosleep(1000);
            unsigned missing = 0;
            for (; missing < most_bytes && !turned(b); missing += 16)
                asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(b) : "memory");
            *came = most_bytes - missing;
        }
    }
    __syncthreads();
    if (!store)
        for (unsigned i = threadIdx.x; i < shared_bytes / 2; i += blockDim.x) out[i] = data[i];
}

static unsigned state;
static int below(int n) {
    state = state * 1664525 + 1013904223;
    return (int)((state >> 16) % (unsigned)n);
}
static int between(int a, int b) { return a + below(b - a + 1); }

static Case made(int number) {
    Case one{};
    state = 12345u + 7919u * (unsigned)number;
    for (int i = 0; i < 4; ++i) below(2);
    one.im2col = number % 3 != 2;
    one.rank = between(3, 5);
    one.store = below(4) == 0;
    const int type = below(4);
    const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                                         CU_TENSOR_MAP_DATA_TYPE_FLOAT16};
    one.type = types[type];
    one.bytes = type == 1 ? 1 : type == 2 ? 4 : 2;
    one.fill = type >= 2 && below(2);
    one.interleave = one.im2col && below(4) ? 0 : between(1, 2);
    one.swizzle = one.interleave == 2 ? 1 : below(2) ? 0 : between(1, 3);
    const int piece = 16 / one.bytes;  // elements
    const bool stepped = below(4) == 0;
    // Of an interleaved tensor the first dimensions are those of pixels, in slices of 16 or 32 bytes, and the last but one
    // that of channels.
    const int spatial = one.rank - 2, first = one.interleave ? 0 : 1;
    cuuint64_t row = one.interleave * 16;
    for (int d = 0; d < one.rank; ++d) {
        one.size[d] = d == 0 && !one.interleave ? piece * between(1, 4) : between(3, one.rank == 5 ? 4 : 5);
        one.step[d] = stepped ? between(1, 3) : 1;
        one.box[d] = d == 0 ? piece : between(1, 7 - one.rank);
        row = d == 0 ? (one.interleave ? row * one.size[0] : one.size[0] * one.bytes + 16 * below(2)) : row * one.size[d];
        one.pitch[d] = row;
    }
    for (int i = 0; i < spatial; ++i) {
        one.lower[i] = between(-2, 1);
        one.upper[i] = between(-1, 1);
        one.offset[i] = below(2) ? 0 : between(0, 3);
    }
    const int span = one.swizzle ? 16 << one.swizzle : 64;
    one.channels = piece * between(1, span / 16);
    one.pixels = between(1, 70);
    for (int d = 0; d < one.rank; ++d) {
        one.at[d] = between(one.store ? 0 : -1, (int)one.size[d] - 1);
        if (d == 0 && !one.interleave) one.at[0] = piece * between(one.store ? 0 : -1, 2);
        const int i = d - first;
        if (one.im2col && i >= 0 && i < spatial) one.at[d] = between(one.lower[i], (int)one.size[d] - 1 + one.upper[i]);
        if (one.store && one.at[d] < 0) one.at[d] = one.lower[i] = 0;
    }
    return one;
}

constexpr int cases = 300;

static unsigned long long hash(const std::vector<unsigned short>& words) {
    unsigned long long h = 0xcbf29ce484222325;
    for (const unsigned short w : words) h = (h ^ w) * 0x100000001b3;
    return h;
}

template <class Function>
static Function entry(const char* name) {
    void* found = nullptr;
    if (cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, nullptr) != cudaSuccess || !found) {
        std::printf("no %s\n", name);
        std::exit(1);
    }
    return reinterpret_cast<Function>(found);
}

static void must(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    std::exit(1);
}

static void tell(std::FILE* file, int i, const Case& c, const Result& r) {
    std::fprintf(file, "case %d error %u bytes %u hash %llx im2col %d store %d type %d size %d rank %d interleave %d swizzle %d fill %d", i, r.error, r.bytes,
                 r.hash, c.im2col, c.store, (int)c.type, c.bytes, c.rank, c.interleave, c.swizzle, c.fill);
    for (int d = 0; d < c.rank; ++d)
        std::fprintf(file, " dim%d %d pitch %d box %d step %d at %d", d, (int)c.size[d], (int)c.pitch[d], (int)c.box[d], (int)c.step[d], c.at[d]);
    for (int d = 0; d < c.rank - 2; ++d) std::fprintf(file, " lower %d upper %d offset %d", c.lower[d], c.upper[d], c.offset[d]);
    std::fprintf(file, " channels %d pixels %d\n", c.channels, c.pixels);
}

int main(int argc, char** argv) {
    const auto tiled = entry<decltype(&cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
    const auto im2col = entry<decltype(&cuTensorMapEncodeIm2col)>("cuTensorMapEncodeIm2col");
    unsigned short *tensor, *out;
    unsigned* came;
    must(cudaMalloc(&tensor, tensor_bytes), "memory");
    must(cudaMalloc(&out, shared_bytes), "memory");
    must(cudaMalloc(&came, 4), "memory");
    must(cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes), "shared memory");
    std::vector<unsigned short> before(tensor_bytes / 2), after(tensor_bytes / 2), loaded(shared_bytes / 2);
    int differ = 0;
    for (int i = argc > 2 ? std::atoi(argv[2]) : 0; i < cases; ++i) {
        Case one = made(i);
        CUtensorMap map;
        const auto interleave = static_cast<CUtensorMapInterleave>(one.interleave);
        const auto swizzle = static_cast<CUtensorMapSwizzle>(one.swizzle);
        const auto fill = static_cast<CUtensorMapFloatOOBfill>(one.fill);
        const CUresult encoded = one.im2col ? im2col(&map, one.type, one.rank, tensor, one.size, one.pitch, one.lower, one.upper, one.channels, one.pixels, one.step,
                                                     interleave, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill)
                                            : tiled(&map, one.type, one.rank, tensor, one.size, one.pitch, one.box, one.step, interleave, swizzle,
                                                    CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
        Result result{10000u + encoded, 0, 0};
        bool broken = false;
        if (encoded == CUDA_SUCCESS && (argc > 2 || recorded[i].error == 0)) {
            for (unsigned w = 0; w < tensor_bytes / 2; ++w) before[w] = one.store ? 0xcdcd : w + 1;
            must(cudaMemcpy(tensor, before.data(), tensor_bytes, cudaMemcpyHostToDevice), "the tensor");
            must(cudaMemset(came, 0, 4), "the count");
            At at{};
            for (int d = 0; d < 5; ++d) at.c[d] = one.at[d];
            for (int d = 0; d < 3; ++d) at.offset[d] = (unsigned short)one.offset[d];
            copy<<<1, 128, shared_bytes>>>(map, one.rank, one.im2col, at, one.store, out, came);
            const cudaError_t error = cudaDeviceSynchronize();
            result = {(unsigned)error, 0, 0};
            broken = error != cudaSuccess;
            if (!broken) {
                cudaMemcpy(&result.bytes, came, 4, cudaMemcpyDeviceToHost);
                std::vector<unsigned short>& words = one.store ? after : loaded;
                cudaMemcpy(words.data(), one.store ? tensor : out, words.size() * 2, cudaMemcpyDeviceToHost);
                result.hash = hash(words);
                if (argc > 2) {
                    std::FILE* dump = std::fopen((std::string(argv[1]) + "/" + std::to_string(i) + ".bin").c_str(), "wb");
                    for (unsigned w = 0; w < words.size(); ++w) {
                        if (words[w] == (one.store ? 0xcdcd : 0xabab)) continue;
                        const unsigned short pair[2] = {(unsigned short)w, words[w]};
                        std::fwrite(pair, 2, 2, dump);
                    }
                    std::fclose(dump);
                }
            }
        } else if (encoded == CUDA_SUCCESS) {
            result = recorded[i];  // ends the program: tests/bad-input
        }
        if (argc > 2) {
            std::FILE* list = std::fopen((std::string(argv[1]) + "/list.txt").c_str(), "a");
            tell(list, i, one, result);
            std::fclose(list);
            if (broken) return 3;
            continue;
        }
        if (result.error == recorded[i].error && result.bytes == recorded[i].bytes && result.hash == recorded[i].hash) continue;
        ++differ;
        tell(stdout, i, one, result);
    }
    if (argc <= 2) std::printf("tensor modes: %d cases, %d differ\n", cases, differ);
    return differ != 0;
}
