#include "compile/missing-features.h"

#include <gtest/gtest.h>

namespace lockstep::compile {
namespace {

TEST(MissingFeatures, AreNamed) {
    EXPECT_EQ(
        explain_missing_name("cuGreenCtxCreate").rfind("cuGreenCtxCreate: contexts that have a part", 0), 0u);
    EXPECT_NE(explain_missing_name("cudaGraphNew_t").find("headers do not have it yet"), std::string::npos);
    EXPECT_NE(explain_missing_name("cudaSomethingNew").find("headers do not have it yet"), std::string::npos);
    EXPECT_NE(explain_missing_name("CUmemAllocationProp").find("headers do not have it yet"),
              std::string::npos);
    EXPECT_NE(explain_missing_name("CU_MEM_LOCATION_TYPE_DEVICE").find("headers do not have it yet"),
              std::string::npos);
}

TEST(MissingFeatures, NamesOfTheOtherVendor) {
    EXPECT_EQ(explain_missing_name("cudaMalloc", Vendor::amd),
              "cudaMalloc: this is a HIP program, and the name is CUDA's: HIP's is hipMalloc");
    for (const char* name :
         {"__nanosleep", "__reduce_add_sync", "__ldcg", "__builtin_nvvm_barrier0", "texture"})
        EXPECT_TRUE(explain_missing_name(name, Vendor::amd).starts_with(name)) << name;
    for (const char* name : {"hipMalloc", "__builtin_amdgcn_readlane", "__shfl", "__ballot", "__lane_id"})
        EXPECT_TRUE(explain_missing_name(name, Vendor::nvidia).starts_with(name)) << name;
    for (const char* name : {"hip", "hippo", "__popc", "mine", "current"})
        for (const Vendor vendor : {Vendor::nvidia, Vendor::amd})
            EXPECT_EQ(explain_missing_name(name, vendor), "") << name;
}

TEST(MissingFeatures, WhatIsTheProgramsOwnIsNot) {
    for (const char* name :
         {"mine", "textures", "cudamalloc", "cube", "current", "CUBE", "cuda", "cu", "CU", "", "tex"})
        EXPECT_EQ(explain_missing_name(name), "") << name;
}

TEST(MissingFeatures, AreFoundAmongMessages) {
    const std::string text = explain_missing_features(
        "a.cu:1:2: error: use of undeclared identifier 'cudaGraphicsMapResources'\n"
        "a.cu:2:2: \x1b[0;1;31merror: \x1b[0m\x1b[1muse of undeclared identifier "
        "'cudaGraphicsMapResources'\x1b[0m\n"
        "a.cu:3:2: error: unknown type name 'cudaGraph'\n"
        "a.cu:4:5: error: reference to __global__ function 'child' in __global__ function\n"
        "a.cu:5:5: error: reference to __global__ function 'child' in __device__ function\n");
    EXPECT_EQ(
        text,
        "lockstep: cudaGraphicsMapResources: resources of graphics libraries are not there yet: leave that "
        "part "
        "out, or do it in "
        "another way\n"
        "lockstep: cudaGraph: if this is a name of CUDA's API, lockstep's headers do not have it yet\n"
        "lockstep: addresses of kernels in device code, other than in a launch, are not there yet: leave "
        "that part out, or do it in another way\n");
    EXPECT_EQ(explain_missing_features("a.cu:1:2: error: use of undeclared identifier 'x'\n"), "");
    EXPECT_EQ(explain_missing_features("use of undeclared identifier '"), "");
    EXPECT_EQ(explain_missing_features(""), "");
}

}  // namespace
}  // namespace lockstep::compile
