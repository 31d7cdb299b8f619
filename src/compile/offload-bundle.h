// clang's offload bundles, which HIP programs hold their device code in: an entry a target. hipcc's have ELF
// files with machine code; ours have the assembler's text of the same code, which says what it is for.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lockstep::compile {

struct BundleEntry {
    std::string target;  // "gfx908", with the features it was compiled for, if any: "gfx90a:xnack+"
    std::string code;
};

bool is_offload_bundle(const void* image);

// The entries for AMD's GPUs. A bundle that reaches beyond `limit` bytes is an error.
Result<std::vector<BundleEntry>> read_offload_bundle(const void* image,
                                                     std::size_t limit = std::size_t{1} << 40);

std::string write_offload_bundle(std::span<const BundleEntry> entries);

// "gfx908" of "gfx908:sramecc+:xnack-".
std::string_view base_target(std::string_view target);

// An entry that is for this GPU and holds what lockstep runs; else an error that says what is there, and what
// to do. `gpu` names the GPU in it.
Result<std::string> code_for(const std::vector<BundleEntry>& entries, std::string_view target,
                             std::string_view gpu);

}  // namespace lockstep::compile
