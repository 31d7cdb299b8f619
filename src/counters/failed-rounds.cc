#include "counters/failed-rounds.h"

#include <algorithm>
#include <cmath>

#include "counters/machine-access.h"
#include "counters/raw-counts.h"
#include "kernel/kernel.h"
#include "machine/swap-loops.h"

namespace lockstep::counters {
namespace {

std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::llround(number)); }

AccessCounts scaled(const AccessCounts& counts, double times) {
    const auto of = [&](std::uint64_t count) { return whole(static_cast<double>(count) * times); };
    return {of(counts.requests),   of(counts.lanes),         of(counts.bytes),
            of(counts.sectors),    of(counts.ideal_sectors), of(counts.transactions),
            of(counts.wavefronts), of(counts.conflicts),     of(counts.ideal_wavefronts)};
}

// Accesses of the block are in a round what they are on average.
void enter_again(RawCounts& counts, const kernel::Kernel& kernel, std::uint32_t function,
                 kernel::BlockId block, const Rounds& rounds) {
    BlockCounts& entered = counts.blocks[kernel.first_block(function) + block];
    if (entered.entries == 0) return;
    const double times = rounds.warps / static_cast<double>(entered.entries);
    entered.entries += whole(rounds.warps);
    entered.lanes += whole(rounds.lanes);
    for (std::size_t s = 0; s < kernel.sites.size(); ++s)
        if (kernel.sites[s].function == function && kernel.sites[s].block == block)
            for (AccessCounts& access : counts.sites[s]) access += scaled(access, times);
}

}  // namespace

void add_failed_rounds(RawCounts& counts, const FailedRounds& failed, const kernel::Kernel& kernel,
                       std::span<const MachineAccess> accesses) {
    if (failed.empty()) return;
    counts.spins.resize(kernel.sites.size());
    std::vector<std::vector<machine::SwapLoop>> loops;
    for (const kernel::Function& function : kernel.functions) loops.push_back(machine::swap_loops(function));
    for (const auto& [number, rounds] : failed) {
        const kernel::Site& site = kernel.sites[number];
        if (accesses[number].spin_instructions) {
            counts.spins[number].rounds += whole(rounds.warps);
            counts.spins[number].splits += whole(rounds.splits);
        }
        for (const machine::SwapLoop& loop : loops[site.function])
            if (loop.block == site.block && loop.instruction == site.instruction)
                for (const kernel::BlockId block : loop.round)
                    enter_again(counts, kernel, site.function, block, rounds);
    }
}

}  // namespace lockstep::counters
