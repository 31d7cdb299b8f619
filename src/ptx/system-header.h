// Which files a user has not written.
#pragma once
#include <string_view>

namespace lockstep::ptx {

// A file that comes with the compiler or with CUDA.
inline bool is_system_header(std::string_view file) {
    for (const char* mark :
         {"__clang_cuda", "include/lockstep/", "include/cuda_", "include/cuda/", "include/cooperative_groups",
          "include/mma.h", "include/curand", "/cuda_wrappers/", "targets/", "include/c++/"})
        if (file.find(mark) != file.npos) return true;
    return false;
}

}  // namespace lockstep::ptx
