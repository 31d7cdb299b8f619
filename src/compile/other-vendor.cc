#include "compile/other-vendor.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "compile/missing-headers.h"

namespace lockstep::compile {
namespace {

struct Foreign {
    std::string_view name;  // one with a star at its end stands for all that begin so
    std::string_view advice;
};

constexpr std::string_view cache_hint = "a hint for NVIDIA's caches: leave it out";

constexpr std::array of_cuda = {
    Foreign{"__builtin_nvvm_*", "clang's for NVIDIA's GPUs; AMD's are __builtin_amdgcn_*"},
    Foreign{"__nanosleep", "CUDA's; AMD's GPUs sleep with __builtin_amdgcn_s_sleep"},
    Foreign{"__reduce_*", "an instruction of NVIDIA's GPUs: reduce with __shfl_xor over all warpSize lanes"},
    Foreign{"__ldc*", cache_hint},
    Foreign{"__ldlu", cache_hint},
    Foreign{"__stc*", cache_hint},
    Foreign{"__stwt", cache_hint},
    Foreign{"__dp4a", "CUDA's; clang's for AMD's GPUs is __builtin_amdgcn_sdot4"},
    Foreign{"__cvta_generic_to_shared", "CUDA's, for inline PTX, which no AMD GPU has"},
    Foreign{"__pipeline_*", "a copy to shared memory behind a kernel's back, which AMD's GPUs have none of"},
    Foreign{"nvcuda", "CUDA's matrix products; AMD's are __builtin_amdgcn_mfma_*"},
    Foreign{"texture",
            "a texture reference, and lockstep has none for HIP: make an object, hipCreateTextureObject"},
};

constexpr std::string_view with_mask =
    "HIP's; CUDA's takes a mask of the lanes and ends in _sync, since NVIDIA's GPUs from Volta on";

constexpr std::array of_hip = {
    Foreign{"__builtin_amdgcn_*", "clang's for AMD's GPUs"},
    Foreign{"__shfl*", with_mask},
    Foreign{"__ballot", with_mask},
    Foreign{"__any", with_mask},
    Foreign{"__all", with_mask},
    Foreign{"__lane_id", "HIP's; CUDA has threadIdx.x % 32"},
};

// "Malloc" of cudaMalloc.
std::string_view behind_prefix(std::string_view name, std::string_view prefix) {
    if (!name.starts_with(prefix) || name.size() == prefix.size() ||
        !std::isupper(static_cast<unsigned char>(name[prefix.size()])))
        return {};
    return name.substr(prefix.size());
}

template <class Table>
std::string found_in(const Table& table, std::string_view name) {
    for (const Foreign& one : table)
        if (matches_name(one.name, name)) return fmt::format("{}: this is {}", name, one.advice);
    return {};
}

}  // namespace

std::string explain_other_vendor(std::string_view name, Vendor program) {
    if (program == Vendor::amd) {
        if (const std::string_view rest = behind_prefix(name, "cuda"); !rest.empty())
            return fmt::format("{}: this is a HIP program, and the name is CUDA's: HIP's is hip{}", name,
                               rest);
        if (const std::string_view rest = behind_prefix(name, "cu"); !rest.empty())
            return fmt::format("{}: this is a HIP program, and the name is of CUDA's driver API", name);
        return found_in(of_cuda, name);
    }
    if (!behind_prefix(name, "hip").empty())
        return fmt::format(
            "{}: this is a CUDA program, and the name is HIP's: HIP programs are files named .hip, or "
            "compiled with lockstep hipcc or --hip",
            name);
    return found_in(of_hip, name);
}

}  // namespace lockstep::compile
