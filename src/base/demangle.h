// Names of C++ functions for people.
#pragma once
#include <optional>
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

// Which of a kernel's names is meant: "void ns::scale<8>(int *)", "ns::scale<8>", "scale", or the mangled
// one.
enum class KernelNames { demangled, qualified, function, mangled };
// Nothing: there is no such word. The empty one means the whole demangled name.
std::optional<KernelNames> kernel_names(std::string_view word);
// Of one as kernel_name writes it; the mangled one is not known from that, and is taken to be the whole.
std::string chosen_name(const std::string& kernel, KernelNames names);

// Whether a mangled name belongs to the file that defines it: static, const or in an unnamed namespace. Other
// files may have the same name for something else.
bool is_internal_name(std::string_view mangled);

}  // namespace lockstep::base
