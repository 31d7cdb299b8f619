// Clients with declarations of their own look up every function of the driver API before they call one.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "cuda.h"

namespace {

constexpr const char* names[] = {
#define NAME(function) #function,
#include "runtime/driver-names.def"
#undef NAME
};

TEST(DriverNames, AllAreThere) {
    for (const char* name : names) EXPECT_NE(dlsym(RTLD_DEFAULT, name), nullptr) << name;
}

TEST(DriverNames, WhatIsMissingSaysSo) {
    const auto function = reinterpret_cast<CUresult (*)()>(dlsym(RTLD_DEFAULT, "cuCoredumpGetAttribute"));
    ASSERT_NE(function, nullptr);
    testing::internal::CaptureStderr();
    EXPECT_EQ(function(), CUDA_ERROR_NOT_SUPPORTED);
    const std::string printed = testing::internal::GetCapturedStderr();
    EXPECT_NE(printed.find("cuCoredumpGetAttribute is not implemented"), std::string::npos) << printed;
}

}  // namespace
