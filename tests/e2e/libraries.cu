// Device code that a program loads itself through the runtime API: kernels, variables, settings, wrong names and handles.
// RUN: lockstep run --devices 2 %s -- %t/code.ptx
// OUT: ^kernels: 2, scale and add$
// OUT: ^scaled 2 4 6 8$
// OUT: ^on device 1: added 8 9 10 11$
// OUT: ^variable of 16 bytes, managed 7$
// OUT: ^shared memory: 65536$
// OUT: ^from a file: 1 kernel$
// OUT: ^errors: 500 500 500 301 200 218 101 1 400 400$
#include <cstdio>
#include <cstring>
#include <fstream>

#define REQUIRE(call)                                                   \
    if (const int error = (call)) {                                     \
        std::printf("line %d: %s: error %d\n", __LINE__, #call, error); \
        return 1;                                                       \
    }

static const char* const code = R"(.version 7.8
.target sm_50
.address_size 64
.visible .global .align 4 .b8 table[16];
.visible .global .attribute(.managed) .align 4 .u32 seven = 7;
.visible .entry scale(.param .u64 p, .param .u32 factor) {
    .reg .b64 %rd<5>; .reg .b32 %r<4>;
    ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4]; ld.param.u32 %r3, [factor]; mul.lo.u32 %r2, %r2, %r3; st.global.u32 [%rd4], %r2; ret;
}
.visible .entry add(.param .u64 p, .param .u32 number) {
    .reg .b64 %rd<5>; .reg .b32 %r<4>;
    ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4]; ld.param.u32 %r3, [number]; add.u32 %r2, %r2, %r3; st.global.u32 [%rd4], %r2; ret;
}
)";

int main(int, char** argument) {
    cudaLibrary_t library;
    REQUIRE(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    cudaKernel_t kernels[4], scale, add;
    const char *first = "", *second = "";
    REQUIRE(cudaLibraryGetKernelCount(&count, library));
    REQUIRE(cudaLibraryEnumerateKernels(kernels, 4, library));
    REQUIRE(cudaFuncGetName(&first, kernels[0]));
    REQUIRE(cudaFuncGetName(&second, kernels[1]));
    std::printf("kernels: %u, %s and %s\n", count, first, second);
    REQUIRE(cudaLibraryGetKernel(&scale, library, "scale"));
    REQUIRE(cudaLibraryGetKernel(&add, library, "add"));
    int *numbers, two = 2, seven = 7;
    REQUIRE(cudaMallocManaged(&numbers, 16));
    for (int i = 0; i < 4; ++i) numbers[i] = i + 1;
    void *twice[] = {&numbers, &two}, *more[] = {&numbers, &seven};
    REQUIRE(cudaLaunchKernel((void*)scale, dim3(1), dim3(4), twice, 0, nullptr));
    REQUIRE(cudaDeviceSynchronize());
    std::printf("scaled %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    for (int i = 0; i < 4; ++i) numbers[i] = i + 1;
    REQUIRE(cudaSetDevice(1));
    REQUIRE(cudaLaunchKernel((void*)add, dim3(1), dim3(4), more, 0, nullptr));
    REQUIRE(cudaDeviceSynchronize());
    REQUIRE(cudaSetDevice(0));
    std::printf("on device 1: added %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    void *table, *managed;
    size_t bytes = 0;
    REQUIRE(cudaLibraryGetGlobal(&table, &bytes, library, "table"));
    REQUIRE(cudaLibraryGetManaged(&managed, nullptr, library, "seven"));
    std::printf("variable of %zu bytes, managed %d\n", bytes, *(int*)managed);
    REQUIRE(cudaKernelSetAttributeForDevice(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0));
    cudaFuncAttributes attributes;
    REQUIRE(cudaFuncGetAttributes(&attributes, scale));
    std::printf("shared memory: %d\n", attributes.maxDynamicSharedSizeBytes);
    std::ofstream(argument[1]) << std::string(code, std::strstr(code, ".visible .entry add"));
    cudaLibrary_t from_file;
    REQUIRE(cudaLibraryLoadFromFile(&from_file, argument[1], nullptr, nullptr, 0, nullptr, nullptr, 0));
    REQUIRE(cudaLibraryGetKernelCount(&count, from_file));
    std::printf("from a file: %u kernel\n", count);

    std::printf("errors:");
    const auto error = [](int result) { std::printf(" %d", result); };
    cudaLibrary_t bad;
    error(cudaLibraryGetKernel(&scale, library, "nobody"));
    error(cudaLibraryGetGlobal(&table, &bytes, library, "nobody"));
    error(cudaLibraryGetManaged(&table, &bytes, library, "table"));
    error(cudaLibraryLoadFromFile(&bad, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
    error(cudaLibraryLoadData(&bad, "no code at all", nullptr, nullptr, 0, nullptr, nullptr, 0));
    error(cudaLibraryLoadData(&bad, ".version 7.8\n.target sm_50\n.address_size 64\nrubbish", nullptr, nullptr, 0, nullptr, nullptr, 0));
    error(cudaKernelSetAttributeForDevice(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 9));
    error(cudaKernelSetAttributeForDevice(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30, 0));
    REQUIRE(cudaLibraryUnload(library));
    error(cudaLibraryUnload(library));
    error(cudaLibraryGetKernel(&scale, library, "scale"));
    std::printf("\n");
    return 0;
}
