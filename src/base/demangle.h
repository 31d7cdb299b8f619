// Names of C++ functions for people.
#pragma once
#include <string>

namespace lockstep::base {

// As the C++ library writes it: "scale(float const*, int)". A name that is not mangled stays as it is.
std::string demangle(const std::string& mangled);

// As CUDA's profilers write a kernel: "scale(const float *, int)", "void unroll<8>(int *)". Expectations and
// filters that were written for their tables then work with ours.
std::string kernel_name(const std::string& mangled);

// The name alone, without return type and parameter list: "ns::unroll<8>".
std::string short_kernel_name(const std::string& kernel);

}  // namespace lockstep::base
