#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

extern "C" cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope);

namespace {

TEST(Errors, NamesAndTexts) {
    EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
    EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST(Errors, LastErrorIsKeptUntilAskedFor) {
    cudaGetLastError();  // of a test before, if they run in one process
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Errors, MissingFunctionsSaySo) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaDeviceFlushGPUDirectRDMAWrites(0, 0), cudaErrorNotSupported);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find("cudaDeviceFlushGPUDirectRDMAWrites is not implemented"), std::string::npos) << text;
    EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

}  // namespace
