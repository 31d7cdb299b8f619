// Copies of boxes of tensors: what an H200 leaves in shared and in global memory, for every element type,
// swizzle, rank and step, inside the tensor and over its edges; what it says to good and bad arguments of
// cuTensorMapEncodeTiled. A line for each case, the same on a GPU.
// RUN: lockstep run --gpu h200 %s > %t/out && diff %S/support/tensor-copies.txt %t/out
// ALSO: nvcc
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static Encode encode;
static FILE* dumps;

struct Coordinates {
    int at[5];
};

constexpr unsigned most_shared = 64 << 10;

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ bool wait(unsigned barrier) {
    for (int i = 0; i < 200000; ++i) {
        unsigned done;
        asm volatile(
            "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(barrier)
            : "memory");
        if (done) return true;
    }
    return false;
}

// `shared` bytes of it are looked at; the barrier is behind them.
template <int Rank>
__global__ void load(const __grid_constant__ CUtensorMap map, Coordinates c, unsigned offset, unsigned bytes,
                     unsigned shared, unsigned char* out, int* late) {
    extern __shared__ __align__(1024) unsigned char memory[];
    for (unsigned i = threadIdx.x; i < shared; i += blockDim.x) memory[i] = 0xcd;
    const unsigned to = shared_address(memory) + offset, barrier = shared_address(memory) + shared;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::"r"(barrier),
                     "r"(bytes)
                     : "memory");
        if constexpr (Rank == 1)
            asm volatile(
                "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%3}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(c.at[0])
                : "memory");
        if constexpr (Rank == 2)
            asm volatile(
                "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%3, %4}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(c.at[0]), "r"(c.at[1])
                : "memory");
        if constexpr (Rank == 3)
            asm volatile(
                "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%3, %4, %5}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2])
                : "memory");
        if constexpr (Rank == 4)
            asm volatile(
                "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%3, %4, %5, %6}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3])
                : "memory");
        if constexpr (Rank == 5)
            asm volatile(
                "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4])
                : "memory");
    }
    if (!wait(barrier) && threadIdx.x == 0) *late = 1;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < shared; i += blockDim.x) out[i] = memory[i];
}

enum Operation { store, add, min_, max_, inc, dec, and_, or_, xor_ };
const char* const operation_names[] = {"store", "add", "min", "max", "inc", "dec", "and", "or", "xor"};

#define WRITE_2D(words) \
    asm volatile("cp." words ".2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), \
                 "r"(from), "r"(c.at[0]), "r"(c.at[1])                                                     \
                 : "memory")
#define REDUCE_2D(op) \
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." op ".tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), \
                 "r"(from), "r"(c.at[0]), "r"(c.at[1])                                                     \
                 : "memory")

template <int Rank>
__global__ void write(const __grid_constant__ CUtensorMap map, Coordinates c, unsigned offset, unsigned shared,
                      const unsigned char* in, int operation) {
    extern __shared__ __align__(1024) unsigned char memory[];
    for (unsigned i = threadIdx.x; i < shared; i += blockDim.x) memory[i] = in[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned from = shared_address(memory) + offset;
    if (threadIdx.x != 0) return;
    if constexpr (Rank == 1)
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" ::"l"(&map),
                     "r"(from), "r"(c.at[0])
                     : "memory");
    if constexpr (Rank == 2) {
        switch (operation) {
            case store: WRITE_2D("async.bulk.tensor"); break;
            case add: REDUCE_2D("add"); break;
            case min_: REDUCE_2D("min"); break;
            case max_: REDUCE_2D("max"); break;
            case inc: REDUCE_2D("inc"); break;
            case dec: REDUCE_2D("dec"); break;
            case and_: REDUCE_2D("and"); break;
            case or_: REDUCE_2D("or"); break;
            case xor_: REDUCE_2D("xor"); break;
        }
    }
    if constexpr (Rank == 3)
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(
                         &map),
                     "r"(from), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2])
                     : "memory");
    if constexpr (Rank == 4)
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(
                         &map),
                     "r"(from), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3])
                     : "memory");
    if constexpr (Rank == 5)
        asm volatile(
            "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(&map),
            "r"(from), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4])
            : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

struct Case {
    int type = 7, rank = 2, swizzle = 0, fill = 0, interleave = 0;
    cuuint64_t dims[5] = {1, 1, 1, 1, 1};
    cuuint32_t box[5] = {1, 1, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
    Coordinates at{};
    unsigned offset = 0;  // in shared memory
};

static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 1, 1, 1};

static std::uint64_t hash(const std::vector<unsigned char>& bytes) {
    std::uint64_t h = 0xcbf29ce484222325u;
    for (unsigned char byte : bytes) h = (h ^ byte) * 0x100000001b3u;
    return h;
}

// Words of all kinds: integers, and floats that are large, small, subnormal, infinite and NaN.
static void fill(std::vector<unsigned char>& bytes, std::uint32_t seed) {
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
        std::uint32_t word = (std::uint32_t(i / 4) + seed) * 2654435761u;
        word ^= word >> 15;
        if (i / 4 % 11 == 3) word &= 0x807fffffu;
        if (i / 4 % 37 == 5) word |= 0x7f800000u;
        if (i / 4 % 41 == 7) word = 0x7f800000u;
        std::memcpy(&bytes[i], &word, 4);
    }
}

// Numbers whose sums and order are of interest, in the type's own format.
static void fill_numbers(std::vector<unsigned char>& bytes, int type, std::uint32_t seed) {
    for (std::size_t i = 0; i * sizes[type] < bytes.size(); ++i) {
        std::uint32_t random = (std::uint32_t(i) + seed) * 2654435761u;
        random ^= random >> 13;
        const float small = float(int(random % 4001) - 2000) / 64.0f * (random % 3 == 0 ? 1e-3f : 1.0f);
        unsigned char* to = &bytes[i * sizes[type]];
        std::uint32_t word;
        std::memcpy(&word, &small, 4);
        switch (type) {
            case 6: {  // f16, made of what fits
                const int e = int(word >> 23 & 255) - 127 + 15;
                const std::uint16_t half = e <= 0 ? std::uint16_t(word >> 16 & 0x8000)
                                                  : std::uint16_t((word >> 16 & 0x8000) | e << 10 | (word >> 13 & 0x3ff));
                std::memcpy(to, &half, 2);
                break;
            }
            case 9: {
                const std::uint16_t half = std::uint16_t(word >> 16);
                std::memcpy(to, &half, 2);
                break;
            }
            case 8: {
                const double wide = small + random * 1e-12;
                std::memcpy(to, &wide, 8);
                break;
            }
            case 4:
            case 5: {
                const std::uint64_t wide = std::uint64_t(random) << 32 | (random * 77u);
                std::memcpy(to, &wide, 8);
                break;
            }
            case 7:
            case 10:
            case 11:
            case 12: {
                if (random % 29 == 0) word = (word & 0x80000000u) | (random & 0x7fffff);  // subnormal
                std::memcpy(to, &word, 4);
                break;
            }
            default: {
                if (random % 5 == 0) random %= 7;
                std::memcpy(to, &random, sizes[type]);
            }
        }
    }
}

struct Tensor {
    CUtensorMap map;
    std::uint64_t strides[5];
    std::size_t bytes = 0;
};

static std::string words(const Case& c) {
    char text[400];
    std::string all;
    std::snprintf(text, sizeof text, "type %d rank %d swizzle %d fill %d offset %u", c.type, c.rank, c.swizzle, c.fill,
                  c.offset);
    all = text;
    const auto list = [&](const char* name, const auto* values) {
        all += std::string(" ") + name;
        for (int i = 0; i < c.rank; ++i) all += (i ? "," : " ") + std::to_string(values[i]);
    };
    list("dims", c.dims), list("box", c.box), list("steps", c.steps), list("at", c.at.at);
    return all;
}

static std::size_t box_bytes(const Case& c) {
    std::size_t bytes = sizes[c.type];
    for (int i = 0; i < c.rank; ++i) bytes *= (c.box[i] + (i ? c.steps[i] : 1) - 1) / (i ? c.steps[i] : 1);
    return bytes;
}

// With gaps between rows.
static CUresult make(Tensor& tensor, const Case& c, void* memory, std::size_t& bytes) {
    std::uint64_t stride = (c.dims[0] * sizes[c.type] + 15) / 16 * 16 + 16;
    for (int i = 0; i + 1 < c.rank; ++i) {
        tensor.strides[i] = stride;
        stride *= c.dims[i + 1];
        stride += 32;
    }
    bytes = stride;
    return encode(&tensor.map, (CUtensorMapDataType)c.type, c.rank, memory, c.dims, tensor.strides, c.box, c.steps,
                  (CUtensorMapInterleave)c.interleave, (CUtensorMapSwizzle)c.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  (CUtensorMapFloatOOBfill)c.fill);
}

static unsigned char *device, *other;
static int* late;
constexpr std::size_t device_bytes = 1 << 20;

static void allocate() {
    cudaMalloc(&device, device_bytes), cudaMalloc(&other, device_bytes), cudaMalloc(&late, 4);
    cudaMemset(late, 0, 4);
}

static void dump(const std::string& name, const std::vector<unsigned char>& bytes) {
    if (!dumps) return;
    std::fprintf(dumps, "%s: %zu\n", name.c_str(), bytes.size());
    std::fwrite(bytes.data(), 1, bytes.size(), dumps);
    std::fprintf(dumps, "\n");
}

static void report(const std::string& name, const std::vector<unsigned char>& bytes, cudaError_t status) {
    int is_late = 0;
    cudaMemcpy(&is_late, late, 4, cudaMemcpyDeviceToHost);
    if (status != cudaSuccess)
        std::printf("%s: %s\n", name.c_str(), cudaGetErrorName(status));
    else
        std::printf("%s: %016llx%s\n", name.c_str(), (unsigned long long)hash(bytes), is_late ? " late" : "");
    std::fflush(stdout);
    dump(name, bytes);
    if (status != cudaSuccess) cudaDeviceReset(), allocate();
    cudaMemset(late, 0, 4);
}

static void run_load(const Case& c) {
    const std::string name = "load " + words(c);
    Tensor tensor;
    std::size_t bytes = 0;
    const CUresult encoded = make(tensor, c, device, bytes);
    if (encoded != CUDA_SUCCESS) {
        std::printf("%s: encode gives %d\n", name.c_str(), (int)encoded);
        return;
    }
    std::vector<unsigned char> data((bytes + 15) / 16 * 16);
    if (data.size() > device_bytes) {
        std::printf("%s: too large\n", name.c_str());
        return;
    }
    fill(data, 1);
    cudaMemcpy(device, data.data(), data.size(), cudaMemcpyHostToDevice);
    const unsigned box = (unsigned)box_bytes(c), shared = (c.offset + box * (c.swizzle ? 8 : 1) + 2047) / 1024 * 1024;
    if (shared + 64 > most_shared) {
        std::printf("%s: too much shared memory\n", name.c_str());
        return;
    }
    const auto go = [&](auto kernel) {
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared);
        kernel<<<1, 128, shared + 64>>>(tensor.map, c.at, c.offset, box, shared, other, late);
    };
    switch (c.rank) {
        case 1: go(load<1>); break;
        case 2: go(load<2>); break;
        case 3: go(load<3>); break;
        case 4: go(load<4>); break;
        case 5: go(load<5>); break;
    }
    const cudaError_t status = cudaDeviceSynchronize();
    std::vector<unsigned char> out(shared);
    cudaMemcpy(out.data(), other, shared, cudaMemcpyDeviceToHost);
    report(name, out, status);
}

static void run_write(const Case& c, Operation operation = store) {
    const std::string name = std::string(operation_names[operation]) + " " + words(c);
    Tensor tensor;
    std::size_t bytes = 0;
    const CUresult encoded = make(tensor, c, device, bytes);
    if (encoded != CUDA_SUCCESS) {
        std::printf("%s: encode gives %d\n", name.c_str(), (int)encoded);
        return;
    }
    std::vector<unsigned char> data((bytes + 15) / 16 * 16, 0xee);
    if (operation != store) fill_numbers(data, c.type, 1);
    cudaMemcpy(device, data.data(), data.size(), cudaMemcpyHostToDevice);
    const unsigned box = (unsigned)box_bytes(c), shared = (c.offset + box * (c.swizzle ? 8 : 1) + 2047) / 1024 * 1024;
    std::vector<unsigned char> in(shared);
    if (operation == store)
        fill(in, 2);
    else
        fill_numbers(in, c.type, 12345);
    cudaMemcpy(other, in.data(), in.size(), cudaMemcpyHostToDevice);
    const auto go = [&](auto kernel) {
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared);
        kernel<<<1, 128, shared>>>(tensor.map, c.at, c.offset, shared, other, operation);
    };
    switch (c.rank) {
        case 1: go(write<1>); break;
        case 2: go(write<2>); break;
        case 3: go(write<3>); break;
        case 4: go(write<4>); break;
        case 5: go(write<5>); break;
    }
    const cudaError_t status = cudaDeviceSynchronize();
    std::vector<unsigned char> out(data.size());
    cudaMemcpy(out.data(), device, out.size(), cudaMemcpyDeviceToHost);
    report(name, out, status);
}

static Case plane(int type, int swizzle, unsigned inner_bytes, unsigned rows, int x, int y) {
    Case c;
    c.type = type, c.swizzle = swizzle;
    c.dims[0] = 100, c.dims[1] = 24;
    c.box[0] = inner_bytes / sizes[type], c.box[1] = rows;
    c.at = {{x, y}};
    return c;
}

static void loads_and_stores() {
    // Every element type, inside and over the edges.
    for (int type = 0; type < 16; ++type) {
        const int unit = 16 / sizes[type];
        Case c = plane(type, 0, 32, 8, 3 * unit, 2);
        if (type == 14 || type == 15) c.box[0] = 128, c.dims[0] = 128;
        run_load(c);
        if (type >= 13) continue;
        run_write(c);
        c.at = {{-unit, -2}};
        run_load(c);
        run_write(c);
        c.at = {{96, 20}};
        run_load(c);
        run_write(c);
        c.fill = 1;
        run_load(c);
    }
    // Swizzles: full and narrower boxes, places in the pattern.
    for (int swizzle = 0; swizzle < 7; ++swizzle)
        for (unsigned inner : {16u, 32u, 48u, 64u, 96u, 128u}) {
            for (unsigned offset : {0u, 128u, 384u, 512u}) {
                Case c = plane(6, swizzle, inner, 10, 8, 1);
                c.offset = offset;
                if (offset && inner != 32 && inner != 128) continue;
                run_load(c);
                run_write(c);
            }
        }
    for (int swizzle : {1, 2, 3})
        for (int type : {0, 4, 7}) {
            run_load(plane(type, swizzle, 16u << swizzle, 17, 80, 12));
            run_write(plane(type, swizzle, 16u << swizzle, 17, 80, 12));
        }
    // Ranks, edges and steps.
    for (int rank = 1; rank <= 5; ++rank)
        for (int variant = 0; variant < 5; ++variant) {
            Case c;
            c.type = variant % 2 ? 6 : 7;
            c.rank = rank;
            const cuuint64_t dims[5] = {37, 11, 7, 5, 3};
            const cuuint32_t box[5] = {16, 4, 3, 2, 2};
            for (int i = 0; i < rank; ++i) {
                c.dims[i] = dims[i], c.box[i] = box[i];
                c.at.at[i] = variant == 0 ? i + 1 : variant == 1 ? -1 - i : variant == 2 ? int(dims[i]) - 1 : 0;
                if (i == 0) c.at.at[0] = variant == 0 ? 8 : variant == 1 ? -8 : variant == 2 ? 32 : 0;
            }
            if (variant >= 3)
                for (int i = 0; i < rank; ++i) c.steps[i] = variant == 3 ? 1 + (i + 1) % 3 : (i ? 2 : 1);
            if (variant >= 3)
                for (int i = 1; i < rank; ++i) c.box[i] = box[i] + 3, c.at.at[i] = variant == 4 ? -3 : 1;
            if (rank >= 2 && variant == 4) c.swizzle = 1;
            run_load(c);
            run_write(c);
        }
    // Far outside.
    {
        Case c = plane(7, 0, 64, 4, 1000, 5);
        run_load(c), run_write(c);
        c.at = {{-2147483632, 2147483647}};
        run_load(c);
    }
    // A large box.
    {
        Case c;
        c.type = 0, c.rank = 2;
        c.dims[0] = 300, c.dims[1] = 200;
        c.box[0] = 256, c.box[1] = 150;
        c.at = {{16, 30}};
        run_load(c), run_write(c);
    }
    // Rows that do not begin at a multiple of 16 bytes.
    for (int x : {1, 2, -3}) run_load(plane(7, 0, 64, 4, x, 5));
    run_load(plane(0, 0, 64, 4, 8, 5));
    run_write(plane(7, 0, 64, 4, 1, 5));
}

static void encodings() {
    const auto line = [](const char* name, CUresult result) { std::printf("encode %s: %d\n", name, (int)result); };
    alignas(64) CUtensorMap map;
    struct Arguments {
        CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
        cuuint32_t rank = 2;
        std::uintptr_t address = 0;
        cuuint64_t dims[5] = {64, 64, 8, 8, 8};
        cuuint64_t strides[4] = {256, 16384, 131072, 1048576};
        cuuint32_t box[5] = {16, 8, 2, 2, 2}, steps[5] = {1, 1, 1, 1, 1};
        int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
    };
    const auto give = [&](const Arguments& a) {
        return encode(&map, a.type, a.rank, (void*)a.address, a.dims, a.strides, a.box, a.steps,
                      (CUtensorMapInterleave)a.interleave, (CUtensorMapSwizzle)a.swizzle,
                      (CUtensorMapL2promotion)a.promotion, (CUtensorMapFloatOOBfill)a.fill);
    };
    Arguments good;
    good.address = (std::uintptr_t)device;
    const auto with = [&](const char* name, auto change) {
        Arguments a = good;
        change(a);
        line(name, give(a));
    };
    with("good", [](Arguments&) {});
    with("rank 5", [](Arguments& a) { a.rank = 5; });
    with("rank 0", [](Arguments& a) { a.rank = 0; });
    with("rank 6", [](Arguments& a) { a.rank = 6; });
    with("rank 1", [](Arguments& a) { a.rank = 1; });
    with("address 0", [](Arguments& a) { a.address = 0; });
    with("address + 8", [](Arguments& a) { a.address += 8; });
    with("address + 16", [](Arguments& a) { a.address += 16; });
    with("address of nothing", [](Arguments& a) { a.address = 0x7000; });
    with("dim 0", [](Arguments& a) { a.dims[0] = 0; });
    with("dim 2^32", [](Arguments& a) { a.dims[1] = 1ull << 32; });
    with("dim 2^32 + 1", [](Arguments& a) { a.dims[1] = (1ull << 32) + 1; });
    with("stride 0", [](Arguments& a) { a.strides[0] = 0; });
    with("stride 24", [](Arguments& a) { a.strides[0] = 24; });
    with("stride 16", [](Arguments& a) { a.strides[0] = 16; });
    with("stride 2^40", [](Arguments& a) { a.strides[0] = 1ull << 40; });
    with("stride 2^40 - 16", [](Arguments& a) { a.strides[0] = (1ull << 40) - 16; });
    with("stride smaller than the one before", [](Arguments& a) { a.rank = 3, a.strides[1] = 128; });
    with("box 0", [](Arguments& a) { a.box[1] = 0; });
    with("box 256", [](Arguments& a) { a.box[1] = 256; });
    with("box 257", [](Arguments& a) { a.box[1] = 257; });
    with("box 256 x 256 x 256", [](Arguments& a) { a.rank = 3, a.box[0] = a.box[1] = a.box[2] = 256; });
    with("box larger than the tensor", [](Arguments& a) { a.box[0] = 128; });
    with("inner box 8 bytes", [](Arguments& a) { a.box[0] = 2; });
    with("inner box 20 bytes", [](Arguments& a) { a.box[0] = 5; });
    with("step 0", [](Arguments& a) { a.steps[1] = 0; });
    with("step 8", [](Arguments& a) { a.steps[1] = 8; });
    with("step 9", [](Arguments& a) { a.steps[1] = 9; });
    with("inner step 2", [](Arguments& a) { a.steps[0] = 2; });
    with("inner step 0", [](Arguments& a) { a.steps[0] = 0; });
    with("inner step 9", [](Arguments& a) { a.steps[0] = 9; });
    with("swizzle 32 of 64 bytes", [](Arguments& a) { a.swizzle = 1; });
    with("swizzle 64 of 64 bytes", [](Arguments& a) { a.swizzle = 2; });
    with("swizzle 64 of 128 bytes", [](Arguments& a) { a.swizzle = 2, a.box[0] = 32; });
    with("swizzle 128 of 128 bytes", [](Arguments& a) { a.swizzle = 3, a.box[0] = 32; });
    with("swizzle 128 of 256 bytes", [](Arguments& a) { a.swizzle = 3, a.box[0] = 64; });
    with("swizzle 4", [](Arguments& a) { a.swizzle = 4; });
    with("swizzle 5", [](Arguments& a) { a.swizzle = 5; });
    with("swizzle 6", [](Arguments& a) { a.swizzle = 6; });
    with("swizzle 7", [](Arguments& a) { a.swizzle = 7; });
    with("interleave 1 rank 2", [](Arguments& a) { a.interleave = 1; });
    with("interleave 1 rank 3", [](Arguments& a) { a.interleave = 1, a.rank = 3; });
    with("interleave 2 rank 3", [](Arguments& a) { a.interleave = 2, a.rank = 3; });
    with("interleave 2 rank 3 swizzle 1", [](Arguments& a) { a.interleave = 2, a.rank = 3, a.swizzle = 1; });
    with("interleave 3", [](Arguments& a) { a.interleave = 3; });
    for (int promotion = 0; promotion <= 4; ++promotion)
        with(("promotion " + std::to_string(promotion)).c_str(), [&](Arguments& a) { a.promotion = promotion; });
    for (int type = 0; type <= 16; ++type) {
        with(("type " + std::to_string(type)).c_str(), [&](Arguments& a) {
            a.type = (CUtensorMapDataType)type;
            if (type == 14 || type == 15) a.dims[0] = a.box[0] = 128;
        });
        with(("type " + std::to_string(type) + " fill 1").c_str(), [&](Arguments& a) {
            a.type = (CUtensorMapDataType)type, a.fill = 1;
            if (type == 14 || type == 15) a.dims[0] = a.box[0] = 128;
        });
    }
    with("fill 2", [](Arguments& a) { a.fill = 2; });
    with("type -1", [](Arguments& a) { a.type = (CUtensorMapDataType)-1; });
    line("no map", encode(nullptr, good.type, 2, device, good.dims, good.strides, good.box, good.steps, (CUtensorMapInterleave)0, (CUtensorMapSwizzle)0, (CUtensorMapL2promotion)0, (CUtensorMapFloatOOBfill)0));
    line("no dims", encode(&map, good.type, 2, device, nullptr, good.strides, good.box, good.steps, (CUtensorMapInterleave)0, (CUtensorMapSwizzle)0, (CUtensorMapL2promotion)0, (CUtensorMapFloatOOBfill)0));
    line("no strides", encode(&map, good.type, 2, device, good.dims, nullptr, good.box, good.steps, (CUtensorMapInterleave)0, (CUtensorMapSwizzle)0, (CUtensorMapL2promotion)0, (CUtensorMapFloatOOBfill)0));
    line("no strides rank 1", encode(&map, good.type, 1, device, good.dims, nullptr, good.box, good.steps, (CUtensorMapInterleave)0, (CUtensorMapSwizzle)0, (CUtensorMapL2promotion)0, (CUtensorMapFloatOOBfill)0));
    line("no box", encode(&map, good.type, 2, device, good.dims, good.strides, nullptr, good.steps, (CUtensorMapInterleave)0, (CUtensorMapSwizzle)0, (CUtensorMapL2promotion)0, (CUtensorMapFloatOOBfill)0));
    line("no steps", encode(&map, good.type, 2, device, good.dims, good.strides, good.box, nullptr, (CUtensorMapInterleave)0, (CUtensorMapSwizzle)0, (CUtensorMapL2promotion)0, (CUtensorMapFloatOOBfill)0));
    line("map at 8", encode((CUtensorMap*)((char*)&map + 8), good.type, 2, device, good.dims, good.strides, good.box, good.steps, (CUtensorMapInterleave)0, (CUtensorMapSwizzle)0, (CUtensorMapL2promotion)0, (CUtensorMapFloatOOBfill)0));
}

int main(int argc, char** argv) {
    // golden [what [type operation] [dump]]
    const std::string what = argc > 1 ? argv[1] : "all";
    if (argc > 2 && what != "reduce") dumps = std::fopen(argv[2], "wb");
    if (argc > 4) dumps = std::fopen(argv[4], "ab");
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status);
    encode = (Encode)found;
    if (!encode || status != cudaDriverEntryPointSuccess) return std::printf("no cuTensorMapEncodeTiled\n"), 1;
    allocate();
    if (what == "encode" || what == "all") encodings();
    if (what == "copies" || what == "all") loads_and_stores();
    if (what == "reduce" && argc > 3) {
        Case c = plane(std::atoi(argv[2]), std::atoi(argv[2]) % 2 ? 3 : 0, 64, 8, 80, 18);
        run_write(c, (Operation)std::atoi(argv[3]));
    }
}
