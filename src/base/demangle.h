// Names of C++ functions for people.
#pragma once
#include <string>
#include <string_view>

namespace lockstep::base {

// As the C++ library writes it: "scale(float const*, int)". A name that is not mangled stays as it is.
std::string demangle(const std::string& mangled);

// As Nsight Compute writes a kernel: "scale(const float *, int)", "void unroll<8>(int *)",
// "void scale<float>(T1 *)". What was written for its tables then works with ours.
std::string kernel_name(const std::string& mangled);

// The name alone, without return type and parameter list: "ns::unroll<8>".
std::string short_kernel_name(const std::string& kernel);

// The same of any function: "Owner::take" of "Owner::take(int) const", "main::{lambda(int)#1}::operator()".
std::string short_function_name(std::string_view function);

// The function alone, without namespaces and template arguments: "unroll".
std::string function_name(const std::string& kernel);

// Whether a mangled name belongs to the file that defines it: static, const or in an unnamed namespace. Other
// files may have the same name for something else.
bool is_internal_name(std::string_view mangled);

}  // namespace lockstep::base
