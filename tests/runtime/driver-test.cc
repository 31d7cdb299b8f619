// The driver API: a module from PTX text, a launch, the error codes that differ from the runtime's.
#include <cuda.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr const char* driver_ptx = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 gv = 5;
.visible .entry add7(.param .u64 data, .param .u32 count)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [data];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p, %r2, %r1;
    @%p ret;
    mul.wide.u32 %d3, %r2, 4;
    add.s64 %d2, %d1, %d3;
    ld.global.u32 %r3, [%d2];
    add.s32 %r3, %r3, 7;
    st.global.u32 [%d2], %r3;
    ret;
}
)";

TEST(Driver, ModuleToResult) {
    CUdevice device = -1;
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
    char name[64];
    EXPECT_EQ(cuDeviceGetName(name, sizeof name, device), CUDA_SUCCESS);
    EXPECT_STREQ(name, "NVIDIA H200");
    ASSERT_EQ(cuCtxCreate(&context, 0, device), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleLoadDataEx(&module, driver_ptx, 0, nullptr, nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&function, module, "add7"), CUDA_SUCCESS);
    CUfunction none = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&none, module, "nothing"), CUDA_ERROR_NOT_FOUND);

    CUdeviceptr data = 0, global = 0;
    size_t bytes = 0;
    EXPECT_EQ(cuModuleGetGlobal(&global, &bytes, module, "gv"), CUDA_SUCCESS);
    EXPECT_EQ(bytes, 4u);
    ASSERT_EQ(cuMemAlloc(&data, 16), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32(data, 5, 4), CUDA_SUCCESS);
    unsigned count = 4;
    void* arguments[] = {&data, &count};
    EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
    // The same arguments as one buffer.
    char buffer[12];
    std::memcpy(buffer, &data, 8);
    count = 2;
    std::memcpy(buffer + 8, &count, 4);
    size_t size = sizeof buffer;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), CUDA_SUCCESS);
    std::vector<int> result(4);
    EXPECT_EQ(cuMemcpyDtoH(result.data(), data, 16), CUDA_SUCCESS);
    EXPECT_EQ(result, (std::vector<int>{19, 19, 12, 12}));

    testing::internal::CaptureStderr();
    EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 2000, 1, 1, 0, nullptr, arguments, nullptr),
              CUDA_ERROR_INVALID_VALUE);
    testing::internal::GetCapturedStderr();
    int threads = 0;
    EXPECT_EQ(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function), CUDA_SUCCESS);
    EXPECT_EQ(threads, 1024);
    EXPECT_EQ(cuMemFree(data), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(data), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
    const char* text = nullptr;
    EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_HANDLE, &text), CUDA_SUCCESS);
    EXPECT_STREQ(text, "CUDA_ERROR_INVALID_HANDLE");
    EXPECT_EQ(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text), CUDA_SUCCESS);
    EXPECT_STREQ(text, "out of memory");
}

TEST(Driver, StreamsAreTheRuntimes) {
    CUcontext context = nullptr;
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
    CUstream stream = nullptr;
    ASSERT_EQ(cuStreamCreateWithPriority(&stream, 1, -99), CUDA_SUCCESS);
    int priority = 0, least = 1, greatest = 1;
    unsigned flags = 0;
    unsigned long long id = 0;
    EXPECT_EQ(cuCtxGetStreamPriorityRange(&least, &greatest), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamGetPriority(stream, &priority), CUDA_SUCCESS);
    EXPECT_EQ(priority, greatest);
    EXPECT_EQ(cuStreamGetFlags(stream, &flags), CUDA_SUCCESS);
    EXPECT_EQ(flags, 1u);
    EXPECT_EQ(cuStreamGetId(stream, &id), CUDA_SUCCESS);
    EXPECT_GT(id, 2u);

    std::atomic<bool> open{false};
    std::atomic<int> called{0};
    const auto gate = [](void* p) {
        while (!*static_cast<std::atomic<bool>*>(p)) std::this_thread::yield();
    };
    EXPECT_EQ(cuLaunchHostFunc(stream, gate, &open), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamAddCallback(
                  stream,
                  [](CUstream, CUresult status, void* p) { *static_cast<std::atomic<int>*>(p) = 1 + status; },
                  &called, 0),
              CUDA_SUCCESS);
    CUevent event = nullptr;
    ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecordWithFlags(event, stream, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY);
    open = true;
    EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
    EXPECT_EQ(called, 1);
    EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamGetFlags(stream, &flags), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuEventDestroy(event), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
}

TEST(Driver, MachineCodeIsRefusedWithAHint) {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
    testing::internal::CaptureStderr();
    EXPECT_EQ(cuModuleLoadData(&module,
                               "\x7f"
                               "ELF..."),
              CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("-ptx"), std::string::npos);
    testing::internal::CaptureStderr();
    EXPECT_EQ(cuModuleLoadData(&module, ".version 8.6\n.target sm_100\n.address_size 64\n"),
              CUDA_ERROR_INVALID_PTX);
    EXPECT_NE(
        testing::internal::GetCapturedStderr().find("this PTX is for sm_100, a newer GPU than NVIDIA H200"),
        std::string::npos);
    EXPECT_EQ(cuModuleLoad(&module, "/no/such/file.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
}

}  // namespace
