// Compiling and linking at run time by the driver API: messages, libraries, entry points.
#include <cuda.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "compile/fatbin.h"

namespace {

constexpr const char* jit_good = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .global .align 4 .u32 var = 9;
.visible .entry k(.param .u64 p, .param .u32 v)
{
    .reg .u64 %a;
    .reg .u32 %b;
    ld.param.u64 %a, [p];
    ld.param.u32 %b, [v];
    st.global.u32 [%a], %b;
    ret;
}
)";
// Line 8 has a name that nobody declared.
constexpr const char* jit_bad = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .entry k()
{
    .reg .u32 %b;
    add.u32 %b, %b, %c;
    ret;
}
)";
// Both have a variable of their own with the same name.
constexpr const char* jit_caller = R"(
.version 7.0
.target sm_50
.address_size 64
.extern .func (.param .b32 r) f (.param .b32 x);
.global .align 4 .u32 text = 20;
.visible .entry k(.param .u64 p)
{
    .reg .u64 %a;
    .reg .u32 %b;
    ld.param.u64 %a, [p];
    {
    .param .b32 x;
    .param .b32 r;
    ld.global.u32 %b, [text];
    st.param.b32 [x+0], %b;
    call.uni (r), f, (x);
    ld.param.b32 %b, [r+0];
    }
    st.global.u32 [%a], %b;
    ret;
}
)";
constexpr const char* jit_callee = R"(
.version 7.0
.target sm_50
.address_size 64
.global .align 4 .u32 text = 1;
.visible .func (.param .b32 r) f (.param .b32 x)
{
    .reg .u32 %b, %c;
    ld.param.u32 %b, [x];
    ld.global.u32 %c, [text];
    add.u32 %b, %b, %c;
    st.param.b32 [r+0], %b;
    ret;
}
)";

class DriverJit : public testing::Test {
  protected:
    DriverJit() {
        EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
        EXPECT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
        EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
        EXPECT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
        EXPECT_EQ(cuMemAlloc(&word, 4), CUDA_SUCCESS);
    }
    ~DriverJit() override { cuMemFree(word); }
    unsigned result() {
        unsigned value = 0;
        EXPECT_EQ(cuMemcpyDtoH(&value, word, 4), CUDA_SUCCESS);
        return value;
    }
    CUdevice device = 0;
    CUcontext context = nullptr;
    CUdeviceptr word = 0;
};

TEST_F(DriverJit, MessagesGoIntoTheProgramsBuffers) {
    char info[512] = "", errors[512] = "";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {info, reinterpret_cast<void*>(512), errors, reinterpret_cast<void*>(512)};
    CUmodule module = nullptr;
    EXPECT_EQ(cuModuleLoadDataEx(&module, jit_bad, 4, options, values), CUDA_ERROR_INVALID_PTX);
    EXPECT_NE(std::string(errors).find("ptxas application ptx input, line 8; error   : "), std::string::npos)
        << errors;
    EXPECT_EQ(reinterpret_cast<std::size_t>(values[3]), std::strlen(errors) + 1);
    // As much as there is room for.
    values[3] = reinterpret_cast<void*>(20);
    EXPECT_EQ(cuModuleLoadDataEx(&module, jit_bad, 4, options, values), CUDA_ERROR_INVALID_PTX);
    EXPECT_EQ(std::string(errors), "ptxas application p");
    values[3] = reinterpret_cast<void*>(512);
    EXPECT_EQ(cuModuleLoadDataEx(&module, jit_good, 4, options, values), CUDA_SUCCESS);
    EXPECT_EQ(values[3], nullptr);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleLoadData(&module, "hello"), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuModuleLoad(&module, "/nonexistent"), CUDA_ERROR_FILE_NOT_FOUND);
}

TEST_F(DriverJit, AVerboseLogTellsWhatKernelsTake) {
    const char* const text =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.shared .b8 "
        "s[256];\n"
        ".reg .b64 %a;\nld.param.u64 %a, [p];\nst.shared.u64 [s], %a;\nst.global.u64 [%a], %a;\nret;\n}\n";
    char information[512] = "";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
    void* values[] = {information, reinterpret_cast<void*>(sizeof information), nullptr};
    CUmodule module = nullptr;
    ASSERT_EQ(cuModuleLoadDataEx(&module, text, 3, options, values), CUDA_SUCCESS);
    EXPECT_STREQ(information, "");
    values[1] = reinterpret_cast<void*>(sizeof information), values[2] = reinterpret_cast<void*>(1);
    ASSERT_EQ(cuModuleLoadDataEx(&module, text, 3, options, values), CUDA_SUCCESS);
    EXPECT_NE(std::strstr(information, "ptxas info    : Compiling entry function 'k' for 'sm_"), nullptr)
        << information;
    EXPECT_NE(std::strstr(information, " registers, 256 bytes smem"), nullptr) << information;
    EXPECT_EQ(reinterpret_cast<std::size_t>(values[1]), std::strlen(information) + 1);
}

TEST_F(DriverJit, TextsAreLinked) {
    CUlinkState link = nullptr;
    char errors[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(512)};
    ASSERT_EQ(cuLinkCreate(2, options, values, &link), CUDA_SUCCESS);
    const auto add = [&](const char* text) {
        return cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(text), std::strlen(text), "text", 0,
                             nullptr, nullptr);
    };
    EXPECT_EQ(add(jit_caller), CUDA_SUCCESS);
    void* image = nullptr;
    std::size_t size = 0;
    EXPECT_EQ(cuLinkComplete(link, &image, &size), CUDA_ERROR_UNKNOWN);
    EXPECT_NE(std::string(errors).find("Undefined reference to 'f'"), std::string::npos) << errors;
    values[1] = reinterpret_cast<void*>(512);
    EXPECT_EQ(add(jit_bad), CUDA_ERROR_INVALID_PTX);
    EXPECT_NE(std::string(errors).find("line 8"), std::string::npos) << errors;
    EXPECT_EQ(add(jit_callee), CUDA_SUCCESS);
    EXPECT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent", 0, nullptr, nullptr),
              CUDA_ERROR_FILE_NOT_FOUND);
    ASSERT_EQ(cuLinkComplete(link, &image, &size), CUDA_SUCCESS) << errors;
    CUmodule module = nullptr;
    ASSERT_EQ(cuModuleLoadData(&module, image), CUDA_SUCCESS);
    EXPECT_EQ(cuLinkDestroy(link), CUDA_SUCCESS);
    EXPECT_EQ(cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE);
    CUfunction function = nullptr;
    ASSERT_EQ(cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
    void* arguments[] = {&word};
    EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(result(), 21u);
}

// Objects and archives hold fat binaries somewhere; launches as they were before CUDA 4.
TEST_F(DriverJit, ObjectsAreLinkedAndLaunchedTheOldWay) {
    const lockstep::compile::FatbinPtx entry{jit_callee, 50, true};
    std::string object =
        "\x7f"
        "ELF and more!" +
        lockstep::compile::write_fatbin({&entry, 1}) + "the end";
    std::string archive = "!<arch>\n", empty = "an object without";
    CUlinkState link = nullptr;
    ASSERT_EQ(cuLinkCreate(0, nullptr, nullptr, &link), CUDA_SUCCESS);
    const auto add = [&](CUjitInputType type, std::string text) {
        return cuLinkAddData(link, type, text.data(), text.size(), nullptr, 0, nullptr, nullptr);
    };
    EXPECT_EQ(add(CU_JIT_INPUT_PTX, jit_caller), CUDA_SUCCESS);
    EXPECT_EQ(add(CU_JIT_INPUT_LIBRARY, archive), CUDA_SUCCESS);
    EXPECT_EQ(add(CU_JIT_INPUT_OBJECT, empty), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(add(CU_JIT_INPUT_OBJECT, object), CUDA_SUCCESS);
    void* image = nullptr;
    ASSERT_EQ(cuLinkComplete(link, &image, nullptr), CUDA_SUCCESS);
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    ASSERT_EQ(cuModuleLoadData(&module, image), CUDA_SUCCESS);
    EXPECT_EQ(cuLinkDestroy(link), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);

    EXPECT_EQ(cuLaunch(function), CUDA_ERROR_INVALID_VALUE);  // of what shape?
    EXPECT_EQ(cuFuncSetBlockShape(function, 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncSetBlockShape(function, 1, 1, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunch(function), CUDA_ERROR_INVALID_VALUE);  // with which arguments?
    EXPECT_EQ(cuParamSetv(function, 0, &word, sizeof word), CUDA_SUCCESS);
    EXPECT_EQ(cuParamSetv(function, -1, &word, sizeof word), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuParamSeti(function, 1 << 20, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuParamSetSize(function, sizeof word), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunchGrid(function, 0, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLaunchGrid(function, 2, 1), CUDA_SUCCESS);
    EXPECT_EQ(result(), 21u);
}

TEST_F(DriverJit, LibrariesHaveKernelsAndVariables) {
    CUlibrary library = nullptr;
    ASSERT_EQ(cuLibraryLoadData(&library, jit_good, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
    CUkernel kernel = nullptr;
    EXPECT_EQ(cuLibraryGetKernel(&kernel, library, "nope"), CUDA_ERROR_NOT_FOUND);
    ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "k"), CUDA_SUCCESS);
    unsigned count = 0, value = 5;
    EXPECT_EQ(cuLibraryGetKernelCount(&count, library), CUDA_SUCCESS);
    EXPECT_EQ(count, 1u);
    std::size_t offset = 0, size = 0;
    EXPECT_EQ(cuKernelGetParamInfo(kernel, 1, &offset, &size), CUDA_SUCCESS);
    EXPECT_TRUE(offset == 8 && size == 4);
    EXPECT_EQ(cuKernelGetParamInfo(kernel, 2, &offset, &size), CUDA_ERROR_INVALID_VALUE);
    CUdeviceptr variable = 0;
    EXPECT_EQ(cuLibraryGetGlobal(&variable, &size, library, "var"), CUDA_SUCCESS);
    EXPECT_EQ(size, 4u);
    CUfunction function = nullptr;
    EXPECT_EQ(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
    void* arguments[] = {&word, &value};
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    EXPECT_EQ(cuLaunchKernelEx(&config, function, arguments, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(result(), 5u);
    int grid = 0, block = 0;
    EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 96), CUDA_SUCCESS);
    EXPECT_EQ(block % 32, 0);
    EXPECT_LE(block, 96);
    EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
    EXPECT_EQ(cuLibraryGetKernelCount(&count, library), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverJit, EntryPointsAreFoundByName) {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status{};
    EXPECT_EQ(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &status), CUDA_SUCCESS);
    EXPECT_EQ(function, reinterpret_cast<void*>(&cuMemAlloc));
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
    EXPECT_EQ(cuGetProcAddress("cuNope", &function, 12000, 0, &status), CUDA_SUCCESS);
    EXPECT_TRUE(!function && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT_EQ(cuGetProcAddress("cuGraphCreate", &function, 9000, 0, &status), CUDA_SUCCESS);
    EXPECT_TRUE(!function && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

TEST_F(DriverJit, MemoryIsMappedWhereTheProgramWants) {
    CUmemAllocationProp props = {};
    props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    std::size_t page = 0;
    ASSERT_EQ(cuMemGetAllocationGranularity(&page, &props, CU_MEM_ALLOC_GRANULARITY_MINIMUM), CUDA_SUCCESS);
    EXPECT_EQ(page, 2u << 20);
    CUdeviceptr both = 0, again = 0;
    CUmemGenericAllocationHandle first = 0, second = 0, wrong = 0;
    EXPECT_EQ(cuMemAddressReserve(&both, 1000, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuMemAddressReserve(&both, 2 * page, 0, 0, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAddressReserve(&again, page, 0, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemCreate(&wrong, 1000, &props, 0), CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuMemCreate(&first, page, &props, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemCreate(&second, page, &props, 0), CUDA_SUCCESS);
    const CUmemAccessDesc access = {props.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    EXPECT_EQ(cuMemSetAccess(both, page, &access, 1), CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuMemMap(both, page, 0, first, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(both, page, 0, second, 0), CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuMemMap(both + page, page, 0, second, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemMap(again, page, 0, first, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32(both, 1, 4), CUDA_ERROR_INVALID_VALUE);  // nobody may use it yet
    ASSERT_EQ(cuMemSetAccess(both, 2 * page, &access, 1), CUDA_SUCCESS);
    ASSERT_EQ(cuMemSetAccess(again, page, &access, 1), CUDA_SUCCESS);
    // One range for the program, over both parts; the same memory at another address.
    EXPECT_EQ(cuMemsetD32(both, 7, 2 * page / 4), CUDA_SUCCESS);
    unsigned value = 0;
    EXPECT_EQ(cuMemcpyDtoH(&value, again + page - 4, 4), CUDA_SUCCESS);
    EXPECT_EQ(value, 7u);
    EXPECT_EQ(cuMemRelease(first), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(&value, again, 4), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAddressFree(again, page), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemUnmap(again, page), CUDA_SUCCESS);
    EXPECT_EQ(cuMemUnmap(both, page / 2), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyDtoH(&value, again, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(again, page), CUDA_SUCCESS);
    EXPECT_EQ(cuMemUnmap(both, 2 * page), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAddressFree(both, 2 * page), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(second), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(second), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
