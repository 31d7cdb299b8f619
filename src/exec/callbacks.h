// What compiled code calls: slow paths of memory accesses, barriers, printf, malloc, faults.
#pragma once
#include <cstddef>

#include "exec/jit/program-types.h"

namespace lockstep::exec {

jit::Callbacks make_callbacks();

// texture-access.cc
extern "C" void callback_texture(WarpContext* ctx, std::uint32_t site, std::uint64_t form, std::uint32_t mask,
                                 const std::uint64_t* objects, const std::uint32_t* numbers,
                                 std::uint64_t* values);
// barrier-phases.cc
extern "C" void callback_barrier_event(WarpContext* ctx, std::uint32_t site, std::uint32_t kind,
                                       std::uint32_t mask, const std::uint64_t* addresses);
// bulk-copy.cc
extern "C" void callback_bulk_copy(WarpContext* ctx, std::uint32_t site, std::uint32_t checks,
                                   std::uint64_t form, std::uint32_t mask, const std::uint64_t* operands);
// map-change.cc
extern "C" void callback_change_tensor_map(WarpContext* ctx, std::uint32_t site, std::uint64_t form,
                                           std::uint32_t mask, const std::uint64_t* maps,
                                           const std::uint64_t* values);
extern "C" void callback_publish_tensor_map(WarpContext* ctx, std::uint32_t site, std::uint32_t bytes,
                                            const std::uint64_t* to, const std::uint64_t* from);
// Memory that an instruction of this lane may access; does not return where it may not.
std::byte* accessible_memory(WarpContext& warp, std::uint32_t site, std::uint64_t address,
                             std::uint64_t bytes, std::uint32_t lane);

}  // namespace lockstep::exec
