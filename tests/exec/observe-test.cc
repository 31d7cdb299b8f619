// What a launch tells its observers.
#include <gtest/gtest.h>

#include <cstring>
#include <variant>

#include "events/visit.h"
#include "exec/engine.h"

namespace lockstep::exec {
namespace {

using kernel::SiteKind;

struct Access {
    std::uint32_t site, mask;
    std::vector<std::uint64_t> addresses;  // of the lanes in the mask
    bool linear;
};

// Keeps everything.
struct Recorder : events::Observer {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;  // number, mask
    std::vector<Access> accesses;
    std::vector<events::SplitRecord> splits;
    struct Arrival {
        std::uint32_t site, warp, mask, barrier, threads;
    };
    std::vector<Arrival> arrivals;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> fences;  // site, mask
    std::vector<events::AllocationRecord> allocations;
    std::vector<events::ReleaseRecord> releases;
    struct SlowWay {
        std::uint32_t site;
        std::vector<std::pair<kernel::SlowPath, std::uint32_t>> lanes;
    };
    std::vector<SlowWay> slow_ways;
    std::vector<events::MatchRecord> matches;
    std::string order;  // of accesses (s for a store, l), barriers (b) and fences (f): with the warp's number
    events::Window shared, local;
    events::Wants wanted = events::profile_wants;
    const kernel::Kernel* kernel = nullptr;

    events::Wants wants() const override { return wanted; }
    void records(const events::Batch& batch) override {
        shared = batch.windows.shared, local = batch.windows.local;
        const auto happened = [&](char what) { order += what + std::to_string(batch.warp) + " "; };
        const auto access = [&](std::uint32_t site, std::uint32_t mask, const std::uint64_t* addresses,
                                bool linear) {
            Access& one = accesses.emplace_back(Access{site, mask, {}, linear});
            kernel::LaneMask(mask).for_each([&](int lane) { one.addresses.push_back(addresses[lane]); });
            if (kernel) happened(kernel->sites[site].writes() ? 's' : 'l');
        };
        events::visit(
            batch.records,
            events::Visitor{
                [&](std::uint32_t block, const events::BlockRecord& record) {
                    blocks.emplace_back(block, record.mask);
                },
                [&](std::uint32_t site, const events::LinearAccess& record) {
                    std::uint64_t addresses[kernel::warp_lanes];
                    events::lane_addresses(record, addresses);
                    access(site, record.mask, addresses, true);
                },
                [&](std::uint32_t site, const events::ScatteredAccess& record) {
                    access(site, record.mask, record.addresses, false);
                },
                [&](std::uint32_t, const events::SplitRecord& record) { splits.push_back(record); },
                [&](std::uint32_t site, const events::BarrierRecord& record) {
                    arrivals.push_back({site, batch.warp, record.mask, record.barrier, record.threads});
                    happened('b');
                },
                [&](std::uint32_t site, const events::FenceRecord& record) {
                    fences.emplace_back(site, record.mask);
                    happened('f');
                },
                [&](std::uint32_t, const events::AllocationRecord& record) { allocations.push_back(record); },
                [&](std::uint32_t, const events::ReleaseRecord& record) { releases.push_back(record); },
                [&](std::uint32_t, const events::MatchRecord& record) { matches.push_back(record); },
                [&](std::uint32_t site, const events::SlowWayRecord& record) {
                    SlowWay& one = slow_ways.emplace_back(SlowWay{site, {}});
                    for (std::uint32_t i = 0; i < record.count; ++i)
                        one.lanes.emplace_back(static_cast<kernel::SlowPath>(record.lanes[i].path),
                                               record.lanes[i].mask);
                },
            });
    }
};

// One warp, or several, of a kernel k(out) whose body is given.
class Observe : public testing::Test {
  protected:
    void run(const std::string& body, std::uint32_t threads = 32, std::uint32_t grid = 1,
             const std::string& before = "") {
        auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
        ASSERT_TRUE(model);
        std::string ptx = ".version 8.0\n.target sm_90\n.address_size 64\n" + before +
                          ".visible .entry k(.param .u64 out)\n{\n"
                          ".reg .pred %p<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>; .reg .f32 %f<9>;\n"
                          ".shared .align 4 .b8 tile[4096];\n.local .align 4 .b8 mine[64];\n"
                          "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n" +
                          body + "\n}\n";
        auto loaded = Module::load(ptx, "test", memory, *model, Options{.threads = 1});
        ASSERT_TRUE(loaded) << loaded.error().to_string();
        module = std::move(*loaded);
        out = *memory.allocate(1 << 16, MemoryKind::device);
        std::vector<std::byte> params(8);
        std::memcpy(params.data(), &out, 8);
        Launch launch{.grid = {grid, 1, 1}, .block = {threads, 1, 1}, .params = params};
        const Kernel* kernel = module->find_kernel("k");
        ASSERT_TRUE(kernel);
        auto observed = exec::observe(*kernel, launch, seen.wanted);
        ASSERT_FALSE(observed.fault) << observed.fault->message;
        this->kernel = observed.kernel;
        seen.kernel = observed.kernel.get();
        auto fault = exec::run(*kernel, launch, watched_by({&seen}));
        ASSERT_FALSE(fault) << fault->message;
    }
    static std::vector<events::Observers> watched_by(events::Observers observers) { return {observers}; }
    const kernel::Site& site(const Access& access) { return kernel->sites[access.site]; }
    const ptx::Instruction& instruction(const kernel::Site& site) {
        return kernel->functions[site.function].blocks[site.block].instructions[site.instruction];
    }

    DeviceMemory memory{1 << 24};
    std::unique_ptr<Module> module;
    std::uint64_t out = 0;
    std::shared_ptr<const kernel::Kernel> kernel;
    Recorder seen;
};

TEST_F(Observe, AnAccessLeadsBackToItsInstruction) {
    run("mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
        "ld.global.v2.u32 {%r2, %r3}, [%rd1+8];\nst.global.u32 [%rd3+16], %r2;\nret;");
    ASSERT_EQ(seen.accesses.size(), 2u);
    const kernel::Site& load = site(seen.accesses[0]);
    EXPECT_EQ(load.kind, SiteKind::load);
    EXPECT_EQ(load.bytes, 8);
    EXPECT_EQ(load.space, ptx::Space::global);
    EXPECT_EQ(instruction(load).opcode, ptx::Opcode::ld);
    EXPECT_EQ(seen.accesses[0].addresses, std::vector<std::uint64_t>(32, out + 8));
    const kernel::Site& store = site(seen.accesses[1]);
    EXPECT_EQ(store.kind, SiteKind::store);
    EXPECT_EQ(store.bytes, 4);
    EXPECT_EQ(instruction(store).opcode, ptx::Opcode::st);
    EXPECT_TRUE(seen.accesses[1].linear) << "a 32-bit index does not make 32 addresses of it";
    EXPECT_EQ(seen.accesses[1].addresses[31], out + 16 + 31 * 4);
}

TEST_F(Observe, AtomicsAndReductionsAreAccesses) {
    run("atom.global.add.u32 %r2, [%rd1], 1;\nred.global.add.u64 [%rd1+8], 1;\n"
        "mov.u64 %rd2, tile; cvta.shared.u64 %rd2, %rd2; atom.add.u32 %r3, [%rd2], 1;\nret;");
    ASSERT_EQ(seen.accesses.size(), 3u);
    EXPECT_EQ(site(seen.accesses[0]).kind, SiteKind::atomic);
    EXPECT_EQ(site(seen.accesses[1]).kind, SiteKind::reduction);
    EXPECT_EQ(site(seen.accesses[1]).bytes, 8);
    EXPECT_EQ(site(seen.accesses[2]).space, ptx::Space::none);
    EXPECT_TRUE(seen.shared.contains(seen.accesses[2].addresses[0]));
}

TEST_F(Observe, ALaneHasLocalMemoryOfItsOwn) {
    run("mov.u64 %rd2, mine; st.local.u32 [mine+4], %r1;\nret;");
    ASSERT_EQ(seen.accesses.size(), 1u);
    EXPECT_EQ(site(seen.accesses[0]).space, ptx::Space::local);
    for (std::size_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(seen.accesses[0].addresses[lane], seen.local.begin + lane * seen.local.size / 32 + 4);
}

TEST_F(Observe, AGuardThatNoLanePassesLeavesNoAccess) {
    run("setp.gt.u32 %p1, %r1, 99;\nsetp.lt.u32 %p2, %r1, 3;\nsetp.eq.u64 %p3, %rd1, 0;\n"
        "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
        "@%p1 st.global.u32 [%rd3], %r1;\n@%p3 st.global.u32 [%rd1], %r1;\n"
        "@%p1 red.global.add.u32 [%rd1], 1;\n@%p2 st.global.u32 [%rd3], %r1;\nret;");
    ASSERT_EQ(seen.accesses.size(), 1u);
    EXPECT_EQ(seen.accesses[0].mask, 7u);
}

TEST_F(Observe, ABranchThatSplitsTheWarpSaysSo) {
    run("setp.lt.u32 %p1, %r1, 40;\n@%p1 bra LOW;\nmov.u32 %r2, 1; mov.u32 %r3, 5;\nbra END;\n"
        "LOW: mov.u32 %r2, 2;\nEND: mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
        "st.global.u32 [%rd3], %r2;\nret;",
        96);
    // The first warp takes one side, the last the other, the middle one both.
    ASSERT_EQ(seen.splits.size(), 1u);
    EXPECT_EQ(seen.splits[0].mask, 0xffffffffu);
    EXPECT_EQ(seen.splits[0].taken, 0xffu);
    EXPECT_EQ(kernel->blocks[events::number_of(seen.splits[0].word)].block, 0u);
    EXPECT_EQ(seen.accesses.size(), 3u) << "the lanes met again";
}

TEST_F(Observe, LanesThatLeaveEnterTheBlockThatEndsThem) {
    run("setp.ge.u32 %p1, %r1, 40;\n@%p1 bra END;\nmul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
        "st.global.u32 [%rd3], %r1;\nEND: ret;",
        96);
    ASSERT_EQ(seen.splits.size(), 1u);
    EXPECT_EQ(seen.splits[0].taken, 0xffffff00u);
    std::uint32_t last = static_cast<std::uint32_t>(kernel->functions[0].blocks.size() - 1);
    ASSERT_TRUE(kernel->functions[0].blocks[last].instructions.empty());
    std::uint64_t ended = 0;
    for (auto [block, mask] : seen.blocks)
        if (block == last) ended += static_cast<unsigned>(std::popcount(mask));
    EXPECT_EQ(ended, 96u) << "every lane ends there once";
}

TEST_F(Observe, ABranchTableSplitsToo) {
    run("and.b32 %r2, %r1, 1;\nT: .branchtargets A, B;\nbrx.idx %r2, T;\nA: mov.u32 %r3, 1; bra END;\n"
        "B: mov.u32 %r3, 2;\nEND: mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
        "st.global.u32 [%rd3], %r3;\nret;");
    ASSERT_EQ(seen.splits.size(), 1u);
    EXPECT_EQ(seen.splits[0].taken, 0x55555555u);
}

TEST_F(Observe, LanesThatMeetAtABarrierOfEachSideAreCounted) {
    run("and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;\n@%p1 bra A;\nbar.sync 0;\nbra END;\n"
        "A: bar.sync 0;\nEND: mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
        "st.global.u32 [%rd3], %r1;\nret;");
    std::uint32_t lanes = 0;
    for (auto [block, mask] : seen.blocks) {
        const auto& observed = kernel->blocks[block];
        const auto& instructions = kernel->functions[0].blocks[observed.block].instructions;
        if (!instructions.empty() && instructions[0].opcode == ptx::Opcode::bar)
            lanes += static_cast<std::uint32_t>(std::popcount(mask));
    }
    EXPECT_EQ(lanes, 32u);
}

TEST_F(Observe, EveryRecordArrivesHoweverManyThereAre) {
    // Scattered addresses and a loop: more than any buffer holds.
    run("mov.u32 %r3, 0;\nmul.lo.u32 %r4, %r1, %r1; and.b32 %r4, %r4, 1023; mul.wide.u32 %rd2, %r4, 4;\n"
        "add.s64 %rd3, %rd1, %rd2;\nLOOP: st.global.u32 [%rd3], %r3;\nst.global.u32 [%rd3+4], %r3;\n"
        "st.global.u32 [%rd3+8], %r3;\nst.global.u32 [%rd3+12], %r3;\nst.global.u32 [%rd3+16], %r3;\n"
        "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 1000; @%p1 bra LOOP;\nret;",
        64, 3);
    EXPECT_EQ(seen.accesses.size(), 5u * 1000 * 2 * 3);
    std::uint64_t loops = 0;
    for (auto [block, mask] : seen.blocks)
        loops += kernel->functions[0].blocks[kernel->blocks[block].block].instructions.size() > 5 &&
                 kernel->blocks[block].block > 0;
    EXPECT_EQ(loops, 1000u * 2 * 3);
    for (const Access& access : seen.accesses) {
        ASSERT_FALSE(access.linear);
        std::uint64_t apart = access.addresses[3] - access.addresses[0];
        ASSERT_TRUE(apart == 4 * 9 || apart == 4 * (35 * 35 - 32 * 32)) << apart;
    }
}

TEST_F(Observe, RecordsOfACalledFunctionStandInItsCaller) {
    auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
    std::string ptx =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".func (.param .b32 r) down(.param .b64 p, .param .b32 n)\n{\n.reg .pred %p<3>; .reg .b32 %r<5>;\n"
        ".reg .b64 %rd<3>;\nld.param.b64 %rd1, [p]; ld.param.b32 %r1, [n]; mov.u32 %r2, 0;\n"
        "st.global.u32 [%rd1], %r1;\nsetp.eq.u32 %p1, %r1, 0; @%p1 bra END;\nsub.u32 %r3, %r1, 1;\n"
        "{ .param .b64 a0; .param .b32 a1; .param .b32 b0; st.param.b64 [a0], %rd1;\n"
        "st.param.b32 [a1], %r3; call (b0), down, (a0, a1); ld.param.b32 %r2, [b0]; }\n"
        "END: add.u32 %r4, %r2, 1; st.param.b32 [r], %r4; ret;\n}\n"
        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
        "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1+4], 1;\n"
        "{ .param .b64 a0; .param .b32 a1; .param .b32 b0; st.param.b64 [a0], %rd1;\n"
        "st.param.b32 [a1], 5; call (b0), down, (a0, a1); ld.param.b32 %r1, [b0]; }\n"
        "st.global.u32 [%rd1+8], %r1;\nret;\n}\n";
    auto loaded = Module::load(ptx, "test", memory, *model, Options{.threads = 1});
    ASSERT_TRUE(loaded) << loaded.error().to_string();
    out = *memory.allocate(64, MemoryKind::device);
    std::vector<std::byte> params(8);
    std::memcpy(params.data(), &out, 8);
    Launch launch{.grid = {}, .block = {32, 1, 1}, .params = params};
    const Kernel* k = (*loaded)->find_kernel("k");
    auto observed = exec::observe(*k, launch, seen.wanted);
    ASSERT_FALSE(observed.fault) << observed.fault->message;
    ASSERT_EQ(observed.kernel->functions.size(), 2u);
    EXPECT_TRUE(observed.kernel->functions[0].entry);
    EXPECT_EQ(observed.kernel->first_block(1), observed.kernel->functions[0].blocks.size());
    auto fault = exec::run(*k, launch, watched_by({&seen}));
    ASSERT_FALSE(fault) << fault->message;
    ASSERT_EQ(seen.accesses.size(), 8u);
    std::string where;  // the first call is inlined
    for (const Access& access : seen.accesses)
        where += std::to_string(observed.kernel->sites[access.site].function);
    EXPECT_EQ(where, "00111110");
}

TEST_F(Observe, AFaultKeepsWhatRanBefore) {
    auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
    std::string ptx =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %p<3>;\nld.param.u64 %rd1, [out];\n"
        "mov.u32 %r1, %tid.x;\nst.global.u32 [%rd1], 1;\nbar.sync 0;\nmov.u64 %rd2, 64;\n"
        "st.global.u32 [%rd2], %r1;\nret;\n}\n";
    auto loaded = Module::load(ptx, "test", memory, *model, Options{.threads = 1});
    ASSERT_TRUE(loaded);
    out = *memory.allocate(64, MemoryKind::device);
    std::vector<std::byte> params(8);
    std::memcpy(params.data(), &out, 8);
    Launch launch{.grid = {}, .block = {64, 1, 1}, .params = params};
    auto fault = exec::run(*(*loaded)->find_kernel("k"), launch, watched_by({&seen}));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::illegal_address);
    EXPECT_EQ(seen.accesses.size(), 2u);
}

// Barriers, fences and allocations are told of where somebody wants it, in an order that they justify.

constexpr events::Wants synchronisation =
    events::Wants::accesses | events::Wants::barriers | events::Wants::fences | events::Wants::allocations;

TEST_F(Observe, ABarrierPartsWhatIsBeforeFromWhatIsBehind) {
    seen.wanted = synchronisation;
    run("shl.b32 %r2, %r1, 2;\nmov.u32 %r3, tile;\nadd.u32 %r3, %r3, %r2;\nst.shared.u32 [%r3], %r1;\n"
        "bar.sync 0;\nld.shared.u32 %r4, [%r3];\nbarrier.sync 3, 96;\nst.shared.u32 [%r3], %r4;\nret;",
        96);
    EXPECT_EQ(seen.order, "s0 b0 s1 b1 s2 b2 l0 b0 l1 b1 l2 b2 s0 s1 s2 ");
    ASSERT_EQ(seen.arrivals.size(), 6u);
    EXPECT_EQ(kernel->sites[seen.arrivals[0].site].kind, SiteKind::barrier);
    EXPECT_EQ(seen.arrivals[0].mask, ~0u);
    EXPECT_EQ(seen.arrivals[0].barrier, 0u);
    EXPECT_EQ(seen.arrivals[0].threads, 0u);
    EXPECT_EQ(seen.arrivals[4].barrier, 3u);
    EXPECT_EQ(seen.arrivals[4].threads, 96u);
}

// Each lane arrives once, at the barrier where it is.
TEST_F(Observe, LanesArriveAtTheirOwnBarriers) {
    seen.wanted = events::Wants::barriers;
    run("setp.lt.u32 %p1, %r1, 10;\n@%p1 bra LOW;\nbar.sync 0;\nbra END;\nLOW:\nbar.sync 0;\nEND:\n"
        "bar.sync 0;\nret;");
    ASSERT_EQ(seen.arrivals.size(), 3u);
    EXPECT_EQ(seen.arrivals[0].mask | seen.arrivals[1].mask, ~0u);
    EXPECT_EQ(seen.arrivals[0].mask & seen.arrivals[1].mask, 0u);
    EXPECT_NE(seen.arrivals[0].site, seen.arrivals[1].site);
    EXPECT_EQ(seen.arrivals[2].mask, ~0u);
    EXPECT_TRUE(seen.blocks.empty() && seen.accesses.empty());  // nobody wants them
}

TEST_F(Observe, LanesOfAWarpMeet) {
    seen.wanted = events::Wants::barriers;
    run("setp.lt.u32 %p1, %r1, 10;\n@%p1 bra LOW;\nbar.warp.sync 0xfffffc00;\nbra END;\nLOW:\n"
        "bar.warp.sync 0x3ff;\nEND:\nbar.warp.sync -1;\nret;");
    ASSERT_EQ(seen.arrivals.size(), 3u);
    for (const auto& arrival : seen.arrivals)
        EXPECT_EQ(kernel->sites[arrival.site].kind, SiteKind::warp_sync);
    EXPECT_EQ(seen.arrivals[0].mask | seen.arrivals[1].mask, ~0u);
    EXPECT_EQ(seen.arrivals[2].mask, ~0u);
}

TEST_F(Observe, ExchangesBetweenLanesAreMeetings) {
    seen.wanted = events::Wants::barriers;
    run("shfl.sync.down.b32 %r2, %r1, 1, 31, -1;\nvote.sync.ballot.b32 %r3, %p1, -1;\nret;");
    EXPECT_EQ(seen.arrivals.size(), 2u);
}

// A spin lock between warps: who waits for a value acts behind the fence of who wrote it.
TEST_F(Observe, WhatIsBeforeAFenceIsToldBeforeOthersActOnIt) {
    seen.wanted = synchronisation;
    run("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra WAIT;\nst.global.u32 [%rd1+4], 7;\nmembar.gl;\n"
        "st.volatile.global.u32 [%rd1], 1;\nret;\nWAIT:\nld.volatile.global.u32 %r2, [%rd1];\n"
        "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\nld.global.u32 %r3, [%rd1+4];\n"
        "st.global.u32 [%rd1+8], %r3;\nret;",
        64);
    ASSERT_EQ(seen.fences.size(), 1u);
    EXPECT_EQ(kernel->sites[seen.fences[0].first].kind, SiteKind::fence);
    EXPECT_LT(seen.order.find("s1 f1"), seen.order.find("s0"));
}

TEST_F(Observe, ThreadsAllocateAndFree) {
    const std::string before =
        ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
        ".extern .func free(.param .b64 p);\n";
    seen.wanted = synchronisation;
    run("setp.gt.u32 %p1, %r1, 1;\n@%p1 ret;\n"
        "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 24; call (r), malloc, (n); ld.param.b64 %rd2, "
        "[r]; }\n"
        "{ .param .b64 p; st.param.b64 [p], %rd2; call free, (p); }\nret;",
        32, 1, before);
    ASSERT_EQ(seen.allocations.size(), 2u);
    ASSERT_EQ(seen.releases.size(), 2u);
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(seen.allocations[i].lane, static_cast<std::uint32_t>(i));
        EXPECT_EQ(seen.allocations[i].bytes, 24u);
        EXPECT_NE(seen.allocations[i].address, 0u);
        EXPECT_EQ(seen.releases[i].address, seen.allocations[i].address);
        EXPECT_EQ(kernel->sites[events::number_of(seen.allocations[i].word)].kind, SiteKind::allocation);
        EXPECT_EQ(kernel->sites[events::number_of(seen.releases[i].word)].kind, SiteKind::release);
    }
}

// Observers do not know of each other; the code records what all of them want together.
TEST_F(Observe, AnyNumberOfObservers) {
    run("shl.b32 %r2, %r1, 2;\ncvt.u64.u32 %rd2, %r2;\nadd.u64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], "
        "%r1;\n"
        "bar.sync 0;\nld.global.u32 %r3, [%rd1];\nret;",
        64);
    Recorder blocks, barriers, everything;
    blocks.wanted = events::Wants::blocks;
    barriers.wanted = events::Wants::barriers;
    everything.wanted = events::profile_wants | synchronisation;
    std::vector<std::byte> params(8);
    std::memcpy(params.data(), &out, 8);
    Launch launch{.grid = {}, .block = {64, 1, 1}, .params = params};
    const auto fault =
        exec::run(*module->find_kernel("k"), launch, watched_by({&blocks, &barriers, &everything}));
    ASSERT_FALSE(fault) << fault->message;
    for (const Recorder* one : {&blocks, &barriers, &everything}) {
        EXPECT_EQ(one->blocks.size(), seen.blocks.size());
        EXPECT_EQ(one->accesses.size(), 4u);
        EXPECT_EQ(one->arrivals.size(), 2u);
    }
}

// Values among the lanes that take part.
TEST_F(Observe, ValuesOfLanesThatLookForTheSame) {
    run("and.b32 %r2, %r1, 3;\n"
        "match.any.sync.b32 %r3, %r2, -1;\n"
        "setp.lt.u32 %p1, %r1, 3;\n"
        "@%p1 match.any.sync.b32 %r3, %r2, 7;\n"
        "match.all.sync.b32 %r3, %r2, -1;\n"
        "st.global.u32 [%rd1], %r3;\n"
        "ret;");
    ASSERT_EQ(seen.matches.size(), 2u);
    EXPECT_EQ(seen.matches[0].values, 4u);
    EXPECT_EQ(seen.matches[0].mask, ~0u);
    EXPECT_EQ(seen.matches[1].values, 3u);
    EXPECT_EQ(seen.matches[1].mask, 7u);
}

// Lane 0 divides zero, lane 1 by zero; lane 2 does not take part.
TEST_F(Observe, SlowWaysOfDivisions) {
    run("setp.ne.u32 %p1, %r1, 2;\n"
        "add.u32 %r2, %r1, -1;\n"
        "cvt.rn.f32.u32 %f1, %r1;\n"
        "cvt.rn.f32.u32 %f2, %r2;\n"
        "@%p1 div.rn.f32 %f3, %f1, %f2;\n"
        "sqrt.rn.f32 %f4, %f1;\n"
        "div.rn.f32 %f5, %f2, 0f40400000;\n"
        "div.full.f32 %f5, %f1, %f2;\n"
        "add.f32 %f3, %f3, %f4;\n"
        "add.f32 %f3, %f3, %f5;\n"
        "st.global.f32 [%rd1], %f3;\n"
        "ret;");
    using Lanes = std::vector<std::pair<kernel::SlowPath, std::uint32_t>>;
    ASSERT_EQ(seen.slow_ways.size(), 3u);
    EXPECT_EQ(seen.slow_ways[0].lanes, (Lanes{{kernel::SlowPath::usual, ~7u},
                                              {kernel::SlowPath::zero, 1},
                                              {kernel::SlowPath::infinite, 2}}));
    EXPECT_EQ(seen.slow_ways[1].lanes, (Lanes{{kernel::SlowPath::usual, ~1u}, {kernel::SlowPath::zero, 1}}));
    EXPECT_EQ(seen.slow_ways[2].lanes, (Lanes{{kernel::SlowPath::usual, ~2u}, {kernel::SlowPath::zero, 2}}));
    for (const Recorder::SlowWay& one : seen.slow_ways)
        EXPECT_EQ(kernel->sites[one.site].kind, SiteKind::slow_way);
    EXPECT_EQ(kernel->slow_way(kernel->sites[seen.slow_ways[1].site]), kernel::SlowWay::sqrt_f32);
}

// The same for the whole warp, of doubles; where no lane needs it there is no record.
TEST_F(Observe, SlowWaysOfAWholeWarp) {
    run("mov.u32 %r2, %nctaid.x;\n"
        "add.u32 %r2, %r2, -1;\n"
        ".reg .f64 %d<5>;\n"
        "cvt.rn.f64.u32 %d1, %r2;\n"
        "add.f64 %d2, %d1, 0d4008000000000000;\n"
        "div.rn.f64 %d3, %d1, %d2;\n"
        "div.rn.f64 %d4, %d2, 0d4014000000000000;\n"
        "add.f64 %d3, %d3, %d4;\n"
        "st.global.f64 [%rd1], %d3;\n"
        "ret;");
    ASSERT_EQ(seen.slow_ways.size(), 1u);
    using Lanes = std::vector<std::pair<kernel::SlowPath, std::uint32_t>>;
    EXPECT_EQ(seen.slow_ways[0].lanes, (Lanes{{kernel::SlowPath::zero, ~0u}}));
}

}  // namespace
}  // namespace lockstep::exec
