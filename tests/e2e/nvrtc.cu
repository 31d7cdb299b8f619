// CUDA C++ compiled while the program runs, and launched through the driver API.
// RUN: lockstep run %s -lnvrtc -lcuda
// OUT: ^NVRTC 12\.5, 14 architectures$
// OUT: ^saxpy ok$
// OUT: ^ptx for a GPU, image of [0-9]+ bytes: 7 10 13$
// OUT: ^--maxrregcount=32: heeded$
// OUT: ^scale<float> is _Z5scaleIfLi3EEvPT_$
// OUT: ^&names::table is _ZN5names5tableE$
// OUT: ^scaled 3 6 9 12$
// OUT: ^_Z6hiddenPf set 7$
// OUT: ^headers 42$
// OUT: ^default-device 11$
// OUT: ^default-device: alone\.cu:1:31: error: use of undeclared identifier 'y'$
// NOT: preamble
// OUT: ^NVRTC_ERROR_COMPILATION$
// OUT: ^broken\.cu:2:.*use of undeclared identifier 'y'$
// OUT: ^inner\.h:1:1: error: a type specifier is required for all declarations$
// OUT: ^name expression:1:.*undeclared identifier 'nobody'$
// OUT: ^NVRTC_ERROR_INVALID_OPTION: nvrtc: error: unrecognized option --frobnicate found$
// OUT: ^NVRTC_ERROR_INVALID_OPTION: nvrtc: error: --dlink-time-opt \(-dlto\): .*no link-time optimisation$
// OUT: ^NVRTC_ERROR_INVALID_PROGRAM NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID$
// OUT: ^library [0-9.]+ 1 -1 4 8$
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define REQUIRE(call)                                                   \
    if (const int error = (call)) {                                     \
        std::printf("line %d: %s: error %d\n", __LINE__, #call, error); \
        return 1;                                                       \
    }

static std::string log_of(nvrtcProgram program) {
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, '?');
    nvrtcGetProgramLog(program, log.data());
    log.pop_back();
    return log;
}

static nvrtcProgram create(const char* source, const char* name = nullptr) {
    nvrtcProgram program = nullptr;
    nvrtcCreateProgram(&program, source, name, 0, nullptr, nullptr);
    return program;
}

static nvrtcResult compile(nvrtcProgram program, std::vector<const char*> options = {}) {
    return nvrtcCompileProgram(program, (int)options.size(), options.data());
}

static CUmodule load(nvrtcProgram program) {
    size_t size = 0;
    nvrtcGetPTXSize(program, &size);
    std::vector<char> ptx(size);
    nvrtcGetPTX(program, ptx.data());
    CUmodule module = nullptr;
    if (cuModuleLoadData(&module, ptx.data()) != CUDA_SUCCESS) std::printf("no module: %s\n", ptx.data());
    return module;
}

template <class... Arguments>
static CUresult launch(CUmodule module, const char* name, int threads, Arguments... arguments) {
    CUfunction function;
    if (const CUresult error = cuModuleGetFunction(&function, module, name)) return error;
    void* pointers[] = {&arguments...};
    if (const CUresult error =
            cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, pointers, nullptr))
        return error;
    return cuCtxSynchronize();
}

// The first line of a log that says what is wrong.
static void print_error(nvrtcProgram program) {
    const std::string log = log_of(program);
    const size_t error = log.find("error: ");
    const size_t begin = error == std::string::npos ? 0 : log.rfind('\n', error) + 1;
    std::printf("%s\n", log.substr(begin, log.find('\n', begin) - begin).c_str());
}

int main() {
    int major, minor, count;
    REQUIRE(nvrtcVersion(&major, &minor));
    REQUIRE(nvrtcGetNumSupportedArchs(&count));
    std::vector<int> architectures(count);
    REQUIRE(nvrtcGetSupportedArchs(architectures.data()));
    if (architectures.back() != 90) return 1;
    std::printf("NVRTC %d.%d, %d architectures\n", major, minor, count);
    CUdevice device;
    CUcontext context;
    REQUIRE(cuInit(0));
    REQUIRE(cuDeviceGet(&device, 0));
    REQUIRE(cuCtxCreate(&context, 0, device));
    CUdeviceptr memory;
    REQUIRE(cuMemAlloc(&memory, 4096));
    float* const x = (float*)memory;

    {
        nvrtcProgram program = create(
            "extern \"C\" __global__ void saxpy(float a, float* x, int n) {\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i < n) x[i] = fmaf(a, x[i], 1.0f) + DX;\n"
            "}\n",
            "saxpy.cu");
        for (int i = 0; i < 3; ++i) x[i] = (float)i;
        REQUIRE(compile(program, {"--gpu-architecture=compute_80", "-D", "DX=3", "-lineinfo"}));
        if (!log_of(program).empty()) std::printf("log: %s\n", log_of(program).c_str());
        REQUIRE(launch(load(program), "saxpy", 32, 3.0f, x, 3));
        std::printf("saxpy %s\n", x[0] == 4 && x[1] == 7 && x[2] == 10 ? "ok" : "wrong");
        size_t image_size = 1;
        REQUIRE(nvrtcGetCUBINSize(program, &image_size));
        if (image_size != 0) return 1;
        REQUIRE(compile(program, {"-arch=sm_90", "-DDX = 6"}));
        REQUIRE(nvrtcGetCUBINSize(program, &image_size));
        std::vector<char> image(image_size);
        REQUIRE(nvrtcGetCUBIN(program, image.data()));
        CUmodule module;
        REQUIRE(cuModuleLoadData(&module, image.data()));
        for (int i = 0; i < 3; ++i) x[i] = (float)i;
        REQUIRE(launch(module, "saxpy", 32, 3.0f, x, 3));
        std::printf("ptx for a GPU, image of %zu bytes: %g %g %g\n", image_size, x[0], x[1], x[2]);
        REQUIRE(nvrtcDestroyProgram(&program));
        if (program) return 1;
    }
    {
        nvrtcProgram program = create(
            "extern \"C\" __global__ void wide(float* x) {\n"
            "    float v[48], sum = 0;\n"
            "    for (int i = 0; i < 48; ++i) v[i] = x[i * 32 + threadIdx.x];\n"
            "    __syncthreads();\n"
            "    for (int i = 0; i < 48; ++i) sum += v[i] * v[47 - i];\n"
            "    x[threadIdx.x] = sum;\n"
            "}\n");
        int registers[2] = {};
        for (int limited = 0; limited < 2; ++limited) {
            REQUIRE(compile(program, {"-arch=sm_90", limited ? "--maxrregcount=32" : "-w"}));
            size_t size = 0;
            REQUIRE(nvrtcGetCUBINSize(program, &size));
            std::vector<char> image(size);
            REQUIRE(nvrtcGetCUBIN(program, image.data()));
            CUmodule module;
            CUfunction function;
            REQUIRE(cuModuleLoadData(&module, image.data()));
            REQUIRE(cuModuleGetFunction(&function, module, "wide"));
            REQUIRE(cuFuncGetAttribute(&registers[limited], CU_FUNC_ATTRIBUTE_NUM_REGS, function));
        }
        std::printf("--maxrregcount=32: %s\n", registers[0] > 48 && registers[1] <= 32 ? "heeded" : "WRONG");
        REQUIRE(nvrtcDestroyProgram(&program));
    }
    {
        nvrtcProgram program = create(
            "namespace names { __constant__ int table = 1; }\n"
            "static __constant__ int set_from_outside; static __global__ void hidden(float* x) { *x = "
            "set_from_outside; }\n"
            "template <class T, int factor> __global__ void scale(T* x) { x[threadIdx.x] *= factor * "
            "names::table; }\n");
        REQUIRE(nvrtcAddNameExpression(program, "scale<float, 3>"));
        REQUIRE(nvrtcAddNameExpression(program, "&names::table"));
        REQUIRE(nvrtcAddNameExpression(program, "hidden"));
        REQUIRE(compile(program, {"--std=c++14"}));
        const char *kernel, *table;
        REQUIRE(nvrtcGetLoweredName(program, "scale<float, 3>", &kernel));
        REQUIRE(nvrtcGetLoweredName(program, "&names::table", &table));
        std::printf("scale<float> is %s\n&names::table is %s\n", kernel, table);
        const CUmodule module = load(program);
        CUdeviceptr address;
        size_t bytes;
        REQUIRE(cuModuleGetGlobal(&address, &bytes, module, table));
        for (int i = 0; i < 4; ++i) x[i] = (float)(i + 1);
        REQUIRE(launch(module, kernel, 4, x));
        std::printf("scaled %g %g %g %g\n", x[0], x[1], x[2], x[3]);
        // What is static has its plain name, and is the driver's to set.
        const int seven = 7;
        REQUIRE(cuModuleGetGlobal(&address, &bytes, module, "set_from_outside"));
        REQUIRE(cuMemcpyHtoD(address, &seven, sizeof seven));
        REQUIRE(nvrtcGetLoweredName(program, "hidden", &kernel));
        REQUIRE(launch(module, kernel, 1, x));
        std::printf("%s set %g\n", kernel, x[0]);
    }
    {
        const char* headers[] = {"#include \"parts/inner.h\"\n#define ANSWER (INNER * 2)\n",
                                 "#define INNER 21\n"};
        const char* names[] = {"outer.h", "parts/inner.h"};
        nvrtcProgram program;
        REQUIRE(nvrtcCreateProgram(
            &program, "#include <outer.h>\nextern \"C\" __global__ void k(float* x) { *x = ANSWER; }\n", "k",
            2, headers, names));
        REQUIRE(compile(program));
        REQUIRE(launch(load(program), "k", 1, x));
        std::printf("headers %g\n", x[0]);
    }
    {
        nvrtcProgram program = create(
            "int counter = 4; struct S { int twice(int n) { return 2 * n; } };\n"
            "int next() { return counter++; }\n"
            "extern \"C\" __global__ void k(float* x) { next(); *x = S().twice(3) + next(); }\n");
        REQUIRE(compile(program, {"-default-device"}));
        REQUIRE(launch(load(program), "k", 1, x));
        std::printf("default-device %g\n", x[0]);
    }
    {
        nvrtcProgram program = create("__global__ void k() { int x = y; }\n", "alone.cu");
        if (compile(program, {"-default-device"}) != NVRTC_ERROR_COMPILATION) return 1;
        std::printf("default-device: %s\n", log_of(program).c_str());
    }
    {
        nvrtcProgram program = create("// first line\n__global__ void k() { int x = y; }\n", "broken.cu");
        std::printf("%s\n", nvrtcGetErrorString(compile(program)));
        print_error(program);
        const char *text = "nonsense;\n", *name = "inner.h";
        REQUIRE(nvrtcCreateProgram(&program, "#include \"inner.h\"\n", "a.cu", 1, &text, &name));
        if (compile(program) != NVRTC_ERROR_COMPILATION) return 1;
        print_error(program);
        program = create("__global__ void k() {}\n");
        nvrtcAddNameExpression(program, "nobody");
        if (compile(program) != NVRTC_ERROR_COMPILATION) return 1;
        print_error(program);
    }
    for (const char* option : {"--frobnicate", "-dlto"}) {
        nvrtcProgram program = create("__global__ void k() {}\n");
        std::printf("%s: ", nvrtcGetErrorString(compile(program, {option})));
        print_error(program);
    }
    {
        nvrtcProgram program = create("__global__ void k() {}\n");
        REQUIRE(compile(program));
        const char* name;
        std::printf("%s %s %s\n", nvrtcGetErrorString(compile(nullptr)),
                    nvrtcGetErrorString(nvrtcAddNameExpression(program, "k")),
                    nvrtcGetErrorString(nvrtcGetLoweredName(program, "other", &name)));
    }
    {
        // Without any header of the host's, and with names that are the host's elsewhere; then with CUDA's
        // own.
        nvrtcProgram program = create(
            "typedef long long int64_t; namespace std { template <class T> struct is_same {}; }\n"
            "__device__ int64_t f(int64_t n) { return std::move(n); }\n"
            "extern \"C\" __global__ void k(float* x) {\n"
            "    clock_t begin = clock(); size_t n = sizeof(int64_t); int3 v = make_int3(1, 2, 3); float sum "
            "= 0;\n"
            "    for (int i : {1, 2, 3}) sum += i; assert(sum == 6); memset(x, 0, 16);\n"
            "    x[0] = sinf(v.x) + rsqrtf(4.0f) + max(1.0, 2.0f) + f(1) + (clock() < begin); x[1] = n; \n"
            "}\n");
        REQUIRE(compile(program));
        REQUIRE(launch(load(program), "k", 1, x));
        std::printf("library %.3f ", x[0]);
        program = create(
            "#include <cuda_fp16.h>\n#include <cuda/std/limits>\n#include <cuda/std/cstdint>\n#include "
            "<cooperative_groups.h>\n"
            "extern \"C\" __global__ void k(float* x) {\n"
            "    cooperative_groups::this_thread_block().sync();\n"
            "    x[0] = __half2float(__float2half(1.0f) * __float2half(1.0f)); x[1] = "
            "cuda::std::numeric_limits<int8_t>::max() - 128;\n"
            "    x[2] = sizeof(uint32_t); x[3] = sizeof(int64_t); \n"
            "}\n");
        if (compile(program)) std::printf("%s", log_of(program).c_str());
        REQUIRE(launch(load(program), "k", 1, x));
        std::printf("%g %g %g %g\n", x[0], x[1], x[2], x[3]);
    }
}
