// Wrong bulk and tensor copies: the errors that an H200 gives, and a sentence each. (To a size that is no
// multiple of 16 it says nothing, and never ends.)
// RUN: lockstep run --gpu h200 %s -- from size to barrier nowhere beyond
// OUT: ^from: cudaErrorMisalignedAddress$
// OUT: ^size: cudaErrorMisalignedAddress$
// OUT: ^to: cudaErrorMisalignedAddress$
// OUT: ^barrier: cudaErrorMisalignedAddress$
// OUT: ^nowhere: cudaErrorIllegalAddress$
// OUT: ^beyond: cudaErrorIllegalAddress$
// ERR: ^lockstep: kernel plain.*misaligned read of 64 bytes
// ERR: ^lockstep: kernel plain.*a bulk copy of 24 bytes: they must be a multiple of 16
// RUN: lockstep run --gpu h200 %s -- box zeros rank map tensor-nowhere tensor-beyond reduction
// OUT: ^box: cudaErrorMisalignedAddress$
// OUT: ^zeros: cudaErrorIllegalInstruction$
// OUT: ^rank: cudaErrorIllegalInstruction$
// OUT: ^map: cudaErrorMisalignedAddress$
// OUT: ^tensor-nowhere: cudaErrorIllegalAddress$
// OUT: ^tensor-beyond: cudaErrorIllegalAddress$
// OUT: ^reduction: cudaErrorIllegalInstruction$
// ERR: ^lockstep: kernel tensor.*is no tensor map
// ERR: ^lockstep: kernel tensor.*2-dimensional tensor copy with a map of a 3-dimensional tensor
// ERR: ^lockstep: kernel tensor.*reaches to byte
// RUN: lockstep run --gpu h200 %s -- askew written-askew written-before
// OUT: ^askew: cudaErrorIllegalInstruction$
// OUT: ^written-askew: cudaErrorIllegalInstruction$
// OUT: ^written-before: cudaErrorIllegalInstruction$
// ERR: ^lockstep: kernel tensor.*a tensor copy from coordinate 3 on, byte 12 of a row: it must be a multiple of 16
// ERR: ^lockstep: kernel tensor.*a tensor copy writes from coordinate -4 of dimension 0 on: writes begin inside the tensor
// RUN: lockstep run --gpu h200 %s -- encode
// OUT: ^box 1, interleaved with 2 dimensions 1, on its own 0$
// ERR: ^lockstep: .*cuTensorMapEncodeTiled: the box has 257 elements along dimension 1; it can have 1 to 256
// ERR: ^lockstep: .*cuTensorMapEncodeTiled: an interleaved tensor has at least 3 dimensions, not 2
// RUN: lockstep run --gpu a100 %s -- encode
// OUT: ^box 801, interleaved with 2 dimensions 801, on its own 801$
#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define FROM_HOPPER_ON 1
#endif

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void begin(unsigned barrier) {
#ifdef FROM_HOPPER_ON
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
#endif
}

__global__ void plain(const char* from, unsigned to, unsigned bytes, unsigned barrier) {
    extern __shared__ __align__(1024) char memory[];
    begin(shared_address(memory) + 8192);
#ifdef FROM_HOPPER_ON
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(memory) + to),
        "l"(from), "r"(bytes), "r"(shared_address(memory) + 8192 + barrier)
        : "memory");
#endif
}

__global__ void tensor(const char* map, unsigned to, bool reduces, int at = 0) {
    extern __shared__ __align__(1024) char memory[];
    begin(shared_address(memory) + 8192);
#ifdef FROM_HOPPER_ON
    if (reduces)
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %1}], [%2];" ::
                "l"(map),
            "r"(at), "r"(shared_address(memory) + to)
            : "memory");
    else
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
            "{%2, %2}], [%3];" ::"r"(shared_address(memory) + to),
            "l"(map), "r"(at), "r"(shared_address(memory) + 8192)
            : "memory");
#endif
}

CUresult encode(CUtensorMap& map, void* address, int type, unsigned rank, unsigned rows, int interleave = 0) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult status;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &status);
    const cuuint64_t size[3] = {64, 256, 4}, strides[2] = {256, 65536};
    const cuuint32_t box[3] = {16, rows, 1}, steps[3] = {1, 1, 1};
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
        &map, (CUtensorMapDataType)type, rank, address, size, strides, box, steps,
        (CUtensorMapInterleave)interleave, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

void run(const std::string& which) {
    char *data = nullptr, *maps = nullptr;
    cudaMalloc(&data, 1 << 20);
    cudaMalloc(&maps, 4096);
    CUtensorMap map;
    if (which == "encode") {
        const int box = encode(map, data, 7, 2, 257), interleaved = encode(map, data, 7, 2, 4, 1);
        std::printf("box %d, interleaved with 2 dimensions %d, on its own %d\n", box, interleaved,
                    (int)encode(map, data, 7, 2, 4));
        return;
    }
    encode(map, which == "tensor-nowhere" ? (void*)0x7000 : data, which == "reduction" ? 0 : 7,
           which == "rank" ? 3 : 2, which == "tensor-beyond" ? 256 : 4);
    if (which == "zeros") std::memset(&map, 0, sizeof map);
    const unsigned place = which == "map" ? 16 : 0;
    cudaMemcpy(maps + place, &map, sizeof map, cudaMemcpyHostToDevice);
    const unsigned shared = 8192 + 64;
    if (which == "from") plain<<<1, 1, shared>>>(data + 8, 0, 64, 0);
    if (which == "size") plain<<<1, 1, shared>>>(data, 0, 24, 0);
    if (which == "to") plain<<<1, 1, shared>>>(data, 8, 64, 0);
    if (which == "barrier") plain<<<1, 1, shared>>>(data, 0, 64, 4);
    if (which == "nowhere") plain<<<1, 1, shared>>>((const char*)0x7000, 0, 64, 0);
    if (which == "beyond") plain<<<1, 1, shared>>>(data, 4096, 65536, 0);
    if (which == "box") tensor<<<1, 1, shared>>>(maps, 64, false);
    if (which == "zeros" || which == "rank" || which == "tensor-nowhere")
        tensor<<<1, 1, shared>>>(maps, 0, false);
    if (which == "map") tensor<<<1, 1, shared>>>(maps + place, 0, false);
    if (which == "tensor-beyond") tensor<<<1, 1, shared>>>(maps, 0, false);
    if (which == "askew") tensor<<<1, 1, shared>>>(maps, 0, false, 3);
    if (which == "written-askew") tensor<<<1, 1, shared>>>(maps, 0, true, 3);
    if (which == "written-before") tensor<<<1, 1, shared>>>(maps, 0, true, -4);
    if (which == "reduction") tensor<<<1, 1, shared>>>(maps, 0, true);
    std::printf("%s: %s\n", which.c_str(), cudaGetErrorName(cudaDeviceSynchronize()));
}

// Each in a process of its own: a fault is the end of a context.
int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        std::fflush(stdout);
        if (fork() == 0) {
            run(argv[i]);
            std::fflush(stdout);
            _exit(0);
        }
        wait(nullptr);
    }
}
