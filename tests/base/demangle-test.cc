// The spellings are those that Nsight Compute printed for the programs whose counters we compare with.
#include "base/demangle.h"

#include <gtest/gtest.h>

namespace lockstep::base {
namespace {

TEST(Demangle, KernelNamesAreTheProfilers) {
    EXPECT_EQ(kernel_name("_Z10neighboredPiS_j"), "neighbored(int *, int *, unsigned int)");
    EXPECT_EQ(kernel_name("_Z9unrollingILi2EEvPiS0_j"), "void unrolling<2>(int *, int *, unsigned int)");
    EXPECT_EQ(kernel_name("_Z14completeUnrollILj512EEvPiS0_j"),
              "void completeUnroll<512>(int *, int *, unsigned int)");
    EXPECT_EQ(kernel_name("_Z5naivePKfS0_Pfi"), "naive(const float *, const float *, float *, int)");
    EXPECT_EQ(kernel_name("_Z5math1Pf"), "math1(float *)");
}

TEST(Demangle, AFilesOwnNamesOfHip) {
    EXPECT_EQ(demangle("_ZL6kernelPi.intern.602290a64223c779"), "kernel(int*)");
    EXPECT_EQ(demangle("_ZL3own.static.a8b6f1c0b975c10c"), "own");
}

TEST(Demangle, PointersReferencesAndQualifiers) {
    EXPECT_EQ(kernel_name("_Z1fPPKf"), "f(const float **)");
    EXPECT_EQ(kernel_name("_Z1fPKPKf"), "f(const float *const *)");
    EXPECT_EQ(kernel_name("_Z1fRKf"), "f(const float &)");
    EXPECT_EQ(kernel_name("_Z1fPVi"), "f(volatile int *)");
    EXPECT_EQ(kernel_name("_Z1fPVKi"), "f(const volatile int *)");
    EXPECT_EQ(kernel_name("_Z1fIP5constEvT_"), "void f<const *>(T1)");
    EXPECT_EQ(kernel_name("_Z1fPA3_A3_KfPA3_A3_fii"), "f(const float (*)[3][3], float (*)[3][3], int, int)");
}

TEST(Demangle, TemplatesAndNamespaces) {
    EXPECT_EQ(kernel_name("_ZN12_GLOBAL__N_11kEv"), "<unnamed>::k()");
    EXPECT_EQ(kernel_name("_Z1fI1AIS0_IiEEEvT_"), "void f<A<A<int>>>(T1)");
    // As Nsight Compute writes them.
    EXPECT_EQ(kernel_name("_Z1fILb1ELi2ELb0EEvPf"), "void f<1, 2, 0>(float *)");
    EXPECT_EQ(kernel_name("_Z1fILi3ELm4EEvv"), "void f<3, 4>()");
    EXPECT_EQ(kernel_name("_Z3f4uILi3EEvv"), "void f4u<3>()");
}

// Nsight Compute leaves a template's own parameters in the list.
TEST(Demangle, TemplateParametersHaveNumbers) {
    EXPECT_EQ(kernel_name("_Z5scaleIfEvPT_S0_"), "void scale<float>(T1 *, T1)");
    EXPECT_EQ(kernel_name("_Z5scaleIfdLi3EEvPT_PKT0_A10_i"),
              "void scale<float, double, 3>(T1 *, const T2 *, int [10])");
    EXPECT_EQ(kernel_name("_ZN3cub1kINS_1pIfE1qEPfjEEvT0_NS_4evenIT1_EE"),
              "void cub::k<cub::p<float>::q, float *, unsigned int>(T2, cub::even<T3>)");
    EXPECT_EQ(kernel_name("_Z4T_T_IiEvT_"), "void T_T_<int>(T1)");
    EXPECT_EQ(kernel_name("_Z4packIJifEEvDpT_"), "void pack<int, float>(T1...)");
}

TEST(Demangle, WhatIsNotMangledStays) {
    EXPECT_EQ(kernel_name("scale"), "scale");
    EXPECT_EQ(kernel_name("i"), "i");
    EXPECT_EQ(demangle("f"), "f");
    EXPECT_EQ(demangle("_Z5scalePKfi"), "scale(float const*, int)");
}

TEST(Demangle, NamesThatAreOneFilesOwn) {
    for (const char* name :
         {"_ZL1x", "_ZN5spaceL1xE", "_ZN12_GLOBAL__N_11xE", "_ZN5space12_GLOBAL__N_11xE", "_ZL4kernPi"})
        EXPECT_TRUE(is_internal_name(name)) << name;
    for (const char* name : {"x", "_Z1x", "_ZN5space1xE", "_ZN4Pool1LE", "_ZN4PoolIiE5valueE", "_Z1fILi3EEvv",
                             "_Z", "_ZN", "_ZN99999999999999999999x", "_ZZ1fvE1L", "L"})
        EXPECT_FALSE(is_internal_name(name)) << name;
}

TEST(Demangle, ShortNames) {
    EXPECT_EQ(short_kernel_name("neighbored(int *, int *, unsigned int)"), "neighbored");
    EXPECT_EQ(short_kernel_name("void unrolling<2>(int *)"), "unrolling<2>");
    EXPECT_EQ(short_kernel_name("void ns::f<A<int, int>, 3>(B<int (*)(int)>)"), "ns::f<A<int, int>, 3>");
    EXPECT_EQ(short_kernel_name("scale"), "scale");
}

TEST(Demangle, ShortFunctionNames) {
    EXPECT_EQ(short_function_name("main"), "main");
    EXPECT_EQ(short_function_name("Download::from(int const*, std::vector<int>&) const"), "Download::from");
    EXPECT_EQ(short_function_name("void ns::copy<int, 3>(A<int (*)(int)>) const &"), "ns::copy<int, 3>");
    EXPECT_EQ(short_function_name("(anonymous namespace)::Buffer::~Buffer()"),
              "(anonymous namespace)::Buffer::~Buffer");
    EXPECT_EQ(short_function_name("main::{lambda(int, int)#1}::operator()(int, int) const"),
              "main::{lambda(int, int)#1}::operator()");
    EXPECT_EQ(short_function_name("A<int>* ns::operator<< <int>(A<int>*, int)"), "ns::operator<< <int>");
    EXPECT_EQ(short_function_name("stage(float (&)[16][16], int)"), "stage");
}

}  // namespace
}  // namespace lockstep::base
