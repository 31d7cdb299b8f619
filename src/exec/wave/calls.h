// What compiled wavefront code calls: memory by lane, and the scheduler. Arrays have a number for each lane,
// those of several words one array of lanes behind the other.
#pragma once
#include <cstdint>
#include <string_view>

#include "exec/warp-context.h"
#include "gcn/module.h"

namespace lockstep::exec::wave {

extern "C" {
// `form`: a MemoryForm's number. `lanes`: that take part.
void wave_load(WarpContext* ctx, std::uint32_t site, std::uint32_t form, std::uint64_t lanes,
               const std::uint64_t* addresses, std::uint32_t* data);
void wave_store(WarpContext* ctx, std::uint32_t site, std::uint32_t form, std::uint64_t lanes,
                const std::uint64_t* addresses, const std::uint32_t* data);
// `data`: the operand's words, for compare-and-swap the new value's and then the old one's; gets what was
// there.
void wave_atomic(WarpContext* ctx, std::uint32_t site, std::uint32_t form, std::uint64_t lanes,
                 const std::uint64_t* addresses, std::uint32_t* data);
void wave_scalar_load(WarpContext* ctx, std::uint32_t site, std::uint64_t address, std::uint32_t words,
                      std::uint32_t* data);
void wave_bpermute(std::uint64_t lanes, const std::uint32_t* from, const std::uint32_t* data,
                   std::uint32_t* result, std::uint32_t count);
void wave_permute(std::uint64_t lanes, const std::uint32_t* to, const std::uint32_t* data,
                  std::uint32_t* result, std::uint32_t count);
void wave_barrier(WarpContext* ctx, std::uint32_t site);
void wave_slice(WarpContext* ctx, std::uint32_t site);
void wave_yield(WarpContext* ctx);
std::uint64_t wave_clock(WarpContext* ctx, std::uint32_t real_time);
void wave_trap(WarpContext* ctx, std::uint32_t site, std::uint64_t lanes);
// Code went on at an address where there is none.
void wave_bad_call(WarpContext* ctx, std::uint32_t site, std::uint64_t address);
// A call of lockstep's own (service.h): the words of the vector registers from v0 on that it may read, and
// gets its result in.
void wave_service(WarpContext* ctx, std::uint32_t site, std::uint32_t number, std::uint64_t lanes,
                  std::uint32_t* registers);
}

// Where the packet that describes a launch lies behind the kernel's arguments.
std::uint64_t dispatch_packet_offset(const gcn::Kernel& kernel);
constexpr std::uint64_t dispatch_packet_bytes = 64;
// Whether a wavefront's thread numbers come in one register.
bool packs_thread_numbers(std::string_view target);

}  // namespace lockstep::exec::wave
