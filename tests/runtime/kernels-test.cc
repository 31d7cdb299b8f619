// Kernels as a compiler registers them: a fat binary with PTX, host stubs and host shadows.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "compile/fatbin.h"

namespace {

constexpr const char* kernels_ptx = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 gv = 5;
.visible .const .align 4 .u32 cv;
.visible .entry add7(.param .u64 data, .param .u32 count)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [data];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p ret;
    cvta.to.global.u64 %d2, %d1;
    mul.wide.u32 %d3, %r5, 4;
    add.s64 %d2, %d2, %d3;
    ld.global.u32 %r1, [%d2];
    add.s32 %r1, %r1, 7;
    st.global.u32 [%d2], %r1;
    ret;
}
)";

// What a program has for each kernel and variable: only the addresses matter.
char add7_stub, unknown_stub, other_stub;
int gv_shadow, cv_shadow;

struct Wrapper {
    int magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* unused = nullptr;
};

class Kernels : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        static const std::string container = lockstep::compile::write_fatbin(
            std::vector<lockstep::compile::FatbinPtx>{{kernels_ptx, 70, false}});
        static Wrapper wrapper;
        wrapper.data = container.data();
        handle = __cudaRegisterFatBinary(&wrapper);
        __cudaRegisterFunction(handle, &add7_stub, nullptr, "add7", -1, nullptr, nullptr, nullptr, nullptr,
                               nullptr);
        __cudaRegisterFunction(handle, &unknown_stub, nullptr, "nowhere", -1, nullptr, nullptr, nullptr,
                               nullptr, nullptr);
        __cudaRegisterVar(handle, reinterpret_cast<char*>(&gv_shadow), nullptr, "gv", 0, 4, 0, 0);
        __cudaRegisterVar(handle, reinterpret_cast<char*>(&cv_shadow), nullptr, "cv", 0, 4, 1, 0);
        __cudaRegisterFatBinaryEnd(handle);
    }
    void SetUp() override { ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data), bytes), cudaSuccess); }
    void TearDown() override { cudaDeviceReset(); }

    cudaError_t launch(dim3 grid, dim3 block, size_t shared = 0, const void* function = &add7_stub) {
        void* arguments[] = {&data, &count};
        return cudaLaunchKernel(function, grid, block, arguments, shared, nullptr);
    }

    static void** handle;
    static constexpr size_t bytes = 4000;
    int* data = nullptr;
    unsigned count = 1000;
};
void** Kernels::handle = nullptr;

TEST_F(Kernels, Run) {
    std::vector<int> values(1000), expected(1000);
    std::iota(values.begin(), values.end(), 0);
    std::iota(expected.begin(), expected.end(), 7);
    ASSERT_EQ(cudaMemcpy(data, values.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(launch(8, 128), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(values.data(), data, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(values, expected);
}

TEST_F(Kernels, ConfigurationsAreChecked) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(launch(0, 128), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(1, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(1, 1025), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(1, dim3(64, 64)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(dim3(1, 65536), 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(1, 32, 49153), cudaErrorInvalidValue);
    EXPECT_EQ(launch(1, 32, 0, &other_stub), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(launch(1, 32, 0, &unknown_stub), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "nothing has run";
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find("kernel 'add7' was not launched: the grid (0, 1, 1) has no blocks"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("cudaFuncAttributeMaxDynamicSharedMemorySize"), std::string::npos) << text;
}

TEST_F(Kernels, MoreSharedMemoryAfterOptingIn) {
    EXPECT_EQ(cudaFuncSetAttribute(&add7_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(&add7_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 100'000),
              cudaSuccess);
    EXPECT_EQ(launch(1, 32, 100'000), cudaSuccess);
    cudaFuncAttributes attributes{};
    EXPECT_EQ(cudaFuncGetAttributes(&attributes, &add7_stub), cudaSuccess);
    EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 100'000);
    EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
    EXPECT_EQ(attributes.binaryVersion, 90);
}

TEST_F(Kernels, CooperativeLaunchesMustBeResident) {
    void* arguments[] = {&data, &count};
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaLaunchCooperativeKernel(&add7_stub, 1'000'000, 128, arguments, 0, nullptr),
              cudaErrorCooperativeLaunchTooLarge);
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(cudaLaunchCooperativeKernel(&add7_stub, 8, 128, arguments, 0, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Kernels, LaunchWithConfiguration) {
    void* arguments[] = {&data, &count};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 128;
    config.attrs = &attribute;
    config.numAttrs = 1;
    EXPECT_EQ(cudaLaunchKernelExC(&config, &add7_stub, arguments), cudaSuccess);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {2, 1, 1};
    EXPECT_EQ(cudaLaunchKernelExC(&config, &add7_stub, arguments), cudaSuccess);
    attribute.val.clusterDim = {3, 1, 1};
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaLaunchKernelExC(&config, &add7_stub, arguments), cudaErrorInvalidClusterSize);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("clusters"), std::string::npos);
}

TEST_F(Kernels, Occupancy) {
    int blocks = 0;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add7_stub, 1024, 0), cudaSuccess);
    EXPECT_EQ(blocks, 2);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add7_stub, 128, 100'000), cudaSuccess);
    EXPECT_EQ(blocks, 2);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add7_stub, 0, 0),
              cudaErrorInvalidValue);
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &other_stub, 128, 0),
              cudaErrorInvalidDeviceFunction);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("not the address of a kernel"), std::string::npos);
}

TEST_F(Kernels, Symbols) {
    int value = 0;
    EXPECT_EQ(cudaMemcpyToSymbol(&gv_shadow, &count, 4), cudaSuccess);
    EXPECT_EQ(cudaMemcpyFromSymbol(&value, &gv_shadow, 4), cudaSuccess);
    EXPECT_EQ(value, 1000);
    void* address = nullptr;
    size_t size = 0;
    EXPECT_EQ(cudaGetSymbolAddress(&address, &gv_shadow), cudaSuccess);
    EXPECT_EQ(cudaGetSymbolSize(&size, &cv_shadow), cudaSuccess);
    EXPECT_EQ(size, 4u);
    EXPECT_EQ(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(value, 1000);
    EXPECT_EQ(cudaMemcpyToSymbol(&gv_shadow, &count, 4, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyToSymbol(&gv_shadow, &count, 4, 0, cudaMemcpyDeviceToHost),
              cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpyToSymbol(&value, &count, 4), cudaErrorInvalidSymbol);
    EXPECT_EQ(cudaMemcpyToSymbol(&cv_shadow, &count, 4), cudaSuccess);
}

// The launch that faults succeeds, the next call that waits fails, and so does everything after it.
TEST_F(Kernels, FaultsAreSticky) {
    int* const good = data;
    ASSERT_EQ(cudaFree(data), cudaSuccess);
    testing::internal::CaptureStderr();
    EXPECT_EQ(launch(8, 128), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find("lockstep: "), std::string::npos) << text;
    EXPECT_NE(text.find("which was freed"), std::string::npos) << text;
    void* more = nullptr;
    EXPECT_EQ(cudaMalloc(&more, 4), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress) << "sticky";
    EXPECT_EQ(launch(8, 128), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaMemcpy(&count, good, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&more, 4), cudaSuccess);
}

TEST_F(Kernels, ResetLoadsVariablesAnew) {
    int value = 0;
    EXPECT_EQ(cudaMemcpyToSymbol(&gv_shadow, &count, 4), cudaSuccess);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaMemcpyFromSymbol(&value, &gv_shadow, 4), cudaSuccess);
    EXPECT_EQ(value, 5);
    EXPECT_EQ(cudaFree(data), cudaErrorInvalidValue) << "gone with the reset";
}

TEST_F(Kernels, TheStubsOfNvcc13) {
    cudaKernel_t kernel = nullptr;
    EXPECT_EQ(cudaGetKernel(&kernel, &add7_stub), cudaSuccess);
    EXPECT_EQ(launch(8, 128, 0, kernel), cudaSuccess);
    EXPECT_EQ(__cudaPushCallConfiguration(dim3(2), dim3(3), 4, nullptr), 0u);
    EXPECT_EQ(__cudaPushCallConfiguration(dim3(5), dim3(6), 7, cudaStreamLegacy), 0u);
    dim3 grid, block;
    size_t shared = 0;
    cudaStream_t stream = nullptr;
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    EXPECT_EQ(grid.x, 5u);
    EXPECT_EQ(stream, cudaStreamLegacy);
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    EXPECT_EQ(block.x, 3u);
    EXPECT_EQ(shared, 4u);
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
}

}  // namespace
