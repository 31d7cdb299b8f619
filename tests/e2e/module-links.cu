// Modules that lack what they use, or are too new, and what the linker says of parts that do not fit: as an
// H200's driver (CUDA 13.0) answers.
// RUN: lockstep run %s -lcuda
// OUT: ^unresolved function: 218, log ptxas fatal   : Unresolved extern function 'missing'$
// OUT: ^undefined variable: 0, value 1$
// OUT: ^unused function: 0$
// OUT: ^newer version: 222$
// OUT: ^no image: 200, log yes$
// OUT: ^link both: 0 0 0, value 42$
// OUT: ^link alone: 0 999$
// OUT: ^link twice: 0 0 999 999, log error   : Multiple definition of 'missing' in 'third', first defined in 'second'$
// OUT: ^link nothing: 0, load 0$
#include <cuda.h>

#include <cstdio>
#include <cstring>
#define HEAD ".version 7.0\n.target sm_52\n.address_size 64\n"
#define CALLER                                                                                 \
    HEAD ".extern .func (.param .u32 r) missing(.param .u32 a);\n"                             \
         ".visible .entry k(.param .u64 p) { .reg .u32 x; .reg .u64 q; ld.param.u64 q, [p];\n" \
         "{ .param .u32 a; .param .u32 r; st.param.u32 [a], 3; call.uni (r), missing, (a);\n"  \
         "ld.param.u32 x, [r]; } st.global.u32 [q], x; ret; }\n"
#define CALLED                                                                                         \
    HEAD ".visible .func (.param .u32 r) missing(.param .u32 a) { .reg .u32 x; ld.param.u32 x, [a];\n" \
         "mul.lo.u32 x, x, 14; st.param.u32 [r], x; ret; }\n"

static CUdeviceptr data;
static char log_text[512];

static int load(const char* ptx, CUmodule* module) {
    std::memset(log_text, 0, sizeof log_text);
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log_text, reinterpret_cast<void*>(sizeof log_text)};
    return cuModuleLoadDataEx(module, ptx, 2, options, values);
}
static unsigned run(CUmodule module) {
    CUfunction kernel;
    unsigned value = 0;
    void* arguments[] = {&data};
    if (cuModuleGetFunction(&kernel, module, "k") ||
        cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ||
        cuMemcpyDtoH(&value, data, 4))
        return 0;
    return value;
}
struct Link {
    CUlinkState state;
    Link() {
        std::memset(log_text, 0, sizeof log_text);
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        values[0] = log_text;
        values[1] = reinterpret_cast<void*>(sizeof log_text);
        cuLinkCreate(2, options, values, &state);
    }
    ~Link() { cuLinkDestroy(state); }
    int add(const char* ptx, const char* name) {
        return cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(ptx), std::strlen(ptx) + 1, name, 0,
                             nullptr, nullptr);
    }
    int complete(void** code) {
        size_t size;
        return cuLinkComplete(state, code, &size);
    }
    void* values[2];
};

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cuMemAlloc(&data, 64);
    int result = load(CALLER, &module);
    std::printf("unresolved function: %d, log %s\n", result, log_text);
    // A variable that nobody defines is the module's own, and zero.
    result =
        load(HEAD
             ".extern .global .u32 nowhere;\n.visible .entry k(.param .u64 p) { .reg .u32 x; .reg .u64 q;\n"
             "ld.param.u64 q, [p]; ld.global.u32 x, [nowhere]; add.u32 x, x, 1;\n"
             "st.global.u32 [q], x; ret; }\n",
             &module);
    std::printf("undefined variable: %d, value %u\n", result, run(module));
    std::printf("unused function: %d\n",
                load(HEAD ".extern .func never();\n.visible .entry k() { ret; }\n", &module));
    std::printf(
        "newer version: %d\n",
        load(".version 99.0\n.target sm_52\n.address_size 64\n.visible .entry k() { ret; }\n", &module));
    result = load("hello", &module);
    std::printf("no image: %d, log %s\n", result, log_text[0] ? "yes" : "no");
    void* code;
    {
        Link link;
        const int first = link.add(CALLER, "first"), second = link.add(CALLED, "second"),
                  done = link.complete(&code);
        cuModuleLoadData(&module, code);
        std::printf("link both: %d %d %d, value %u\n", first, second, done, run(module));
    }
    {
        Link link;
        const int first = link.add(CALLER, "first");
        std::printf("link alone: %d %d\n", first, link.complete(&code));
    }
    {
        Link link;
        const int first = link.add(CALLER, "first"), second = link.add(CALLED, "second"),
                  third = link.add(CALLED, "third");
        std::printf("link twice: %d %d %d %d, log %s\n", first, second, third, link.complete(&code),
                    log_text);
    }
    {
        Link link;
        const int done = link.complete(&code);
        std::printf("link nothing: %d, load %d\n", done, cuModuleLoadData(&module, code));
    }
}
