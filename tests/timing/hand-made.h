// Code and traces made by hand, and their replay: the smallest that show one thing.
#pragma once
#include <gtest/gtest.h>

#include <numeric>

#include "timing/models.h"
#include "timing/replay.h"
#include "timing/stalls.h"

namespace lockstep::timing {

using Slots = std::vector<std::uint16_t>;

class HandMade {
  public:
    explicit HandMade(gpu::GpuModel model = h200()) : gpu(std::move(model)) {
        setup.gpu = &gpu;
        gpu.timing.first_code_cycles = 0;  // once a launch, and so beside the point of most tests
        setup.code = &code;
        setup.l1_bytes = gpu.timing.l1_bytes;
        code.slots = 16;
    }
    HandMade(const HandMade&) = delete;

    gpu::GpuModel gpu;
    Code code;
    ReplaySetup setup;

    // Operations.
    static Op op(Unit unit, int latency, const Slots& targets = {}, const Slots& sources = {}) {
        Op made;
        made.unit = unit;
        made.latency = static_cast<std::uint16_t>(latency);
        for (std::uint16_t slot : targets) made.targets[made.target_count++] = slot;
        for (std::uint16_t slot : sources) made.sources[made.source_count++] = slot;
        return made;
    }
    Op fma(const Slots& targets = {}, const Slots& sources = {}) const {
        return op(Unit::fma, gpu.timing.fma.latency, targets, sources);
    }
    Op alu(const Slots& targets = {}, const Slots& sources = {}) const {
        return op(Unit::alu, gpu.timing.alu.latency, targets, sources);
    }
    Op branch() const { return op(Unit::branch, gpu.timing.branch_latency); }
    Op barrier() const { return op(Unit::barrier, 0); }
    // Of the region's next access.
    Op memory(bool reads, const Slots& targets = {}, const Slots& sources = {}) const {
        Op made = op(Unit::memory, 0, targets, sources);
        made.reads_memory = reads;
        made.access = 0;
        return made;
    }

    // A region; its memory operations are numbered in their order, its places one for each operation.
    std::uint32_t region(std::vector<Op> ops, bool shared = false) {
        Region& made = code.regions.emplace_back();
        for (Op& one : ops) {
            if (one.unit == Unit::memory) {
                one.access = static_cast<std::uint16_t>(made.once.sites.size());
                made.once.sites.push_back(static_cast<std::uint32_t>(setup.sites++));
                made.once.shared.push_back(shared);
            }
            one.place = static_cast<std::uint32_t>(code.places.size());
            code.places.push_back({0, static_cast<std::uint32_t>(code.regions.size()), 0});
            made.once.instructions += one.issues;
        }
        made.once.cycles = write_stalls(ops, gpu.timing);
        made.once.ops = std::move(ops);
        return static_cast<std::uint32_t>(code.regions.size() - 1);
    }

    // A warp that runs regions one after the other; accesses that are not given have no lanes.
    void step(WarpTrace& warp, std::uint32_t region, const std::vector<std::uint32_t>& accesses = {},
              std::uint8_t lanes = 32) const {
        const events::WarpBits mask = lanes >= 32 ? ~0u : (1u << lanes) - 1;
        warp.steps.push_back(
            {region, static_cast<std::uint32_t>(warp.accesses.size()), lanes, mask, false, false});
        warp.accesses.insert(warp.accesses.end(), accesses.begin(), accesses.end());
        for (std::size_t i = accesses.size(); i < code.regions[region].once.sites.size(); ++i)
            warp.accesses.push_back(WarpTrace::no_access);
    }
    WarpTrace warp(const std::vector<std::uint32_t>& regions) const {
        WarpTrace made;
        for (std::uint32_t region : regions) step(made, region);
        return made;
    }
    WarpTrace repeat(std::uint32_t region, std::size_t times) const {
        return warp(std::vector<std::uint32_t>(times, region));
    }
    static BlockTrace block(std::vector<WarpTrace> warps, std::uint64_t number = 0) {
        BlockTrace made;
        made.block = number;
        made.warps = std::move(warps);
        made.record_bytes = 100;
        return made;
    }
    static std::vector<BlockTrace> blocks(std::size_t count, const std::vector<WarpTrace>& warps) {
        std::vector<BlockTrace> made;
        for (std::size_t b = 0; b < count; ++b) made.push_back(block(warps, b));
        return made;
    }
    static std::uint32_t shared_access(BlockTrace& block, std::uint16_t wavefronts,
                                       kernel::SiteKind kind = kernel::SiteKind::load) {
        Access made;
        made.memory = counters::Memory::shared;
        made.kind = kind;
        made.wavefronts = wavefronts;
        made.lanes = 32;
        made.lane_bytes = 4;
        block.accesses.push_back(made);
        return static_cast<std::uint32_t>(block.accesses.size() - 1);
    }
    // Whole lines of global memory.
    static std::uint32_t global_access(BlockTrace& block, std::uint64_t address, std::uint16_t lines = 1,
                                       kernel::SiteKind kind = kernel::SiteKind::load,
                                       std::uint32_t site = 0) {
        Access made;
        made.site = site;
        made.memory = counters::Memory::global;
        made.kind = kind;
        made.lanes = 32;
        made.lane_bytes = 4;
        made.first_line = static_cast<std::uint32_t>(block.lines.size());
        made.lines = lines;
        made.sectors = static_cast<std::uint16_t>(4 * lines);
        for (std::uint16_t i = 0; i < lines; ++i) block.lines.push_back({address + i * line_bytes, 0xf});
        block.accesses.push_back(made);
        return static_cast<std::uint32_t>(block.accesses.size() - 1);
    }

    ReplayResult run(const std::vector<BlockTrace>& given) {
        setup.blocks = given.size();
        setup.sms_used = std::max(setup.sms_used, setup.sms);
        std::size_t at = 0;
        return replay(
            setup, [&] { return at < given.size() ? &given[at++] : nullptr; }, [](const BlockTrace*) {});
    }
    double cycles(const std::vector<BlockTrace>& given) { return run(given).all.cycles; }
    // What a further turn of a region takes a warp of the block, without what happens once. Traces of the
    // given number of warps that all repeat it.
    double cycles_each(std::uint32_t region, std::size_t warps = 1, std::size_t times = 100) {
        const double once = cycles({block(std::vector<WarpTrace>(warps, repeat(region, times)))});
        const double twice = cycles({block(std::vector<WarpTrace>(warps, repeat(region, 2 * times)))});
        return (twice - once) / static_cast<double>(times);
    }
};

inline double sum(const std::array<double, timing::warp_states>& states) {
    return std::accumulate(states.begin(), states.end(), 0.0);
}
inline double state(const ReplayResult& result, timing::WarpState which) {
    return result.all.sm.states[static_cast<std::size_t>(which)];
}

}  // namespace lockstep::timing
