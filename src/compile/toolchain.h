// The compiler and lockstep's own headers and library.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace lockstep::compile {

struct Toolchain {
    std::filesystem::path clang;            // clang++-19
    std::filesystem::path device_compiler;  // lockstep-device (src/device)
    std::filesystem::path include;          // our cuda_runtime.h and the others
    // Where NVIDIA's libcu++ is, as clang reads it: its CUB and Thrust want no other. Empty: not installed.
    std::filesystem::path libcudacxx;
    std::filesystem::path library;       // the directory with libcudart.so.12
    std::filesystem::path wrappers;      // clang's C++ headers for GPU code; what HIP needs of clang
    std::filesystem::path rocm_library;  // the bitcode of AMD's device library; empty: it is not installed
};

// clang is $LOCKSTEP_CLANG, or clang++-19, or a clang++ that says it is version 19. `address`: what asks is a
// library, and has its code there; null: it is the command. The device compiler is ours, or
// $LOCKSTEP_DEVICE_COMPILER: a script that starts it, where an emulated lockstep cannot.
Result<Toolchain> find_toolchain(const void* address = nullptr);

// Our own headers and library alone: all that a program needs that nvcc compiles.
Result<Toolchain> find_libraries(const void* address = nullptr);

// A program of NVIDIA's own, if it is installed: in PATH, in $CUDA_HOME or in /usr/local/cuda.
std::optional<std::filesystem::path> find_cuda_program(const std::string& name);

// nvcc, likewise.
Result<std::filesystem::path> find_nvcc();

// A program of AMD's own: in PATH, in $ROCM_PATH, $HIP_PATH or /opt/rocm.
std::optional<std::filesystem::path> find_rocm_program(const std::string& name);

// hipcc, likewise.
Result<std::filesystem::path> find_hipcc();

}  // namespace lockstep::compile
