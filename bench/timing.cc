// How fast the timing model replays: warp instructions a second of one core. Code and traces are made here,
// so that nothing else is measured.
#include <benchmark/benchmark.h>

#include "gpu/model.h"
#include "timing/replay.h"

namespace {

using namespace lockstep;
using namespace lockstep::timing;

constexpr std::uint32_t sms = 8, resident = 8, warps = 8, turns = 100;  // a full H200 SM has 64 warps
constexpr std::size_t blocks = std::size_t{2} * sms * resident;

gpu::GpuModel h200() { return *gpu::find_model("h200", LOCKSTEP_SOURCE_DIR "/gpus"); }

Op op(Unit unit, int latency, std::uint16_t target, std::uint16_t source) {
    Op made;
    made.unit = unit;
    made.latency = static_cast<std::uint16_t>(latency);
    made.target_count = made.source_count = 1;
    made.targets[0] = target;
    made.sources[0] = source;
    return made;
}

// A loop of one region, and blocks that run it.
class Workload {
  public:
    void add(Op made) {
        made.place = static_cast<std::uint32_t>(code.places.size());
        code.places.push_back({});
        section().instructions += made.issues;
        section().ops.push_back(made);
    }
    void add_access(bool reads, bool shared, std::uint16_t target, std::uint16_t source) {
        Op made = op(Unit::memory, 0, target, source);
        made.reads_memory = reads;
        if (!reads) made.target_count = 0;
        made.access = static_cast<std::uint16_t>(section().sites.size());
        section().sites.push_back(static_cast<std::uint32_t>(section().sites.size()));
        section().shared.push_back(shared);
        add(made);
    }
    // Every access of every turn is of its own line, in order, as a kernel does that streams.
    void make_traces() {
        std::uint64_t address = 0;
        for (std::size_t b = 0; b < blocks; ++b) {
            BlockTrace& block = traces.emplace_back();
            block.block = b;
            block.record_bytes = 1;
            block.warps.resize(warps);
            for (WarpTrace& warp : block.warps)
                for (std::uint32_t turn = 0; turn < turns; ++turn) {
                    warp.steps.push_back({0, static_cast<std::uint32_t>(warp.accesses.size()), false, false});
                    for (std::size_t a = 0; a < section().sites.size(); ++a) {
                        warp.accesses.push_back(static_cast<std::uint32_t>(block.accesses.size()));
                        block.accesses.push_back(access(a, block, address));
                    }
                }
        }
    }

    gpu::GpuModel gpu = h200();
    Code code{.regions = std::vector<Region>(1), .slots = 16};
    std::vector<BlockTrace> traces;

    Section& section() { return code.regions[0].once; }

  private:
    Access access(std::size_t number, BlockTrace& block, std::uint64_t& address) {
        Access made;
        made.site = static_cast<std::uint32_t>(number);
        made.lanes = 32;
        made.lane_bytes = 4;
        made.kind = kernel::SiteKind::store;
        for (const Op& one : section().ops)
            if (one.unit == Unit::memory && one.access == number && one.reads_memory)
                made.kind = kernel::SiteKind::load;
        if (section().shared[number]) {
            made.memory = counters::Memory::shared;
            made.wavefronts = 1;
            return made;
        }
        made.memory = counters::Memory::global;
        made.first_line = static_cast<std::uint32_t>(block.lines.size());
        made.lines = 1;
        made.sectors = 4;
        block.lines.push_back({address, 0xf});
        address += line_bytes;
        return made;
    }
};

void run(benchmark::State& state, Workload& work) {
    work.make_traces();
    L2Outcome l2;
    l2.miss_share.assign(work.section().sites.size(), 1);
    l2.read_bytes = 1;
    ReplaySetup setup;
    setup.gpu = &work.gpu;
    setup.code = &work.code;
    setup.sms = sms;
    setup.sms_used = static_cast<std::uint32_t>(work.gpu.sms);
    setup.resident = resident;
    setup.l1_bytes = work.gpu.timing.l1_bytes;
    setup.l2 = &l2;
    setup.sites = work.section().sites.size();
    setup.blocks = blocks;
    double instructions = 0;
    for (auto _ : state) {
        std::size_t at = 0;
        const ReplayResult result = replay(
            setup, [&] { return at < blocks ? &work.traces[at++] : nullptr; }, [](const BlockTrace*) {});
        instructions += result.all.sm.instructions;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

// Multiply-adds and additions, some of which wait for each other.
void arithmetic(benchmark::State& state) {
    Workload work;
    for (std::uint16_t i = 0; i < 8; ++i) {
        work.add(op(Unit::fma, 4, i, i));
        work.add(op(Unit::alu, 4, static_cast<std::uint16_t>(8 + i % 4), i));
    }
    work.add(op(Unit::branch, 7, 15, 15));
    run(state, work);
}
BENCHMARK(arithmetic)->Unit(benchmark::kMillisecond);

// Two loads, a sum, a store: bound by device memory.
void streaming(benchmark::State& state) {
    Workload work;
    work.add(op(Unit::imad, 4, 0, 0));
    work.add_access(true, false, 1, 0);
    work.add_access(true, false, 2, 0);
    work.add(op(Unit::fma, 4, 3, 1));
    work.add(op(Unit::fma, 4, 3, 2));
    work.add_access(false, false, 0, 3);
    work.add(op(Unit::branch, 7, 15, 15));
    run(state, work);
}
BENCHMARK(streaming)->Unit(benchmark::kMillisecond);

// A tile through shared memory: barriers, loads, multiply-adds.
void tiled(benchmark::State& state) {
    Workload work;
    work.add_access(true, false, 1, 0);
    work.add_access(false, true, 0, 1);
    work.add(op(Unit::barrier, 0, 14, 14));
    for (std::uint16_t i = 0; i < 8; ++i) {
        work.add_access(true, true, static_cast<std::uint16_t>(2 + i), 0);
        work.add(op(Unit::fma, 4, 12, static_cast<std::uint16_t>(2 + i)));
    }
    work.add(op(Unit::barrier, 0, 14, 14));
    work.add(op(Unit::branch, 7, 15, 15));
    run(state, work);
}
BENCHMARK(tiled)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
