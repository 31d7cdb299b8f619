// Grids on several worker threads: what they share, how they end, and launches from several host threads at
// once. `make tsan` runs these under ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "exec/engine.h"

namespace lockstep::exec {
namespace {

constexpr const char* kernels = R"(
.version 8.0
.target sm_90
.address_size 64

// p[block] = sum of the threads' numbers, by shared memory and barriers
.visible .entry sums(.param .u64 p)
{
    .shared .align 4 .b8 tile[1024];
    .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<4>;
    mov.u32 %r0, %tid.x;
    shl.b32 %r1, %r0, 2;
    mov.u32 %r2, tile;
    add.u32 %r1, %r1, %r2;
    st.shared.u32 [%r1], %r0;
    mov.u32 %r3, 128;
TURN:
    bar.sync 0;
    setp.ge.u32 %p, %r0, %r3;
    @%p bra NEXT;
    shl.b32 %r4, %r3, 2;
    add.u32 %r4, %r4, %r1;
    ld.shared.u32 %r5, [%r4];
    ld.shared.u32 %r6, [%r1];
    add.u32 %r6, %r6, %r5;
    st.shared.u32 [%r1], %r6;
NEXT:
    shr.u32 %r3, %r3, 1;
    setp.ne.u32 %p, %r3, 0;
    @%p bra TURN;
    setp.ne.u32 %p, %r0, 0;
    @%p ret;
    ld.param.u64 %rd0, [p];
    mov.u32 %r7, %ctaid.x;
    mul.wide.u32 %rd1, %r7, 4;
    add.s64 %rd0, %rd0, %rd1;
    ld.shared.u32 %r6, [%r1];
    st.global.u32 [%rd0], %r6;
    ret;
}

// every thread adds one to p[0]
.visible .entry counts(.param .u64 p)
{
    .reg .b64 %rd;
    ld.param.u64 %rd, [p];
    red.global.add.u32 [%rd], 1;
    ret;
}

// blocks wait until all have come: p[0]
.visible .entry meets(.param .u64 p)
{
    .reg .pred %p; .reg .b32 %r<2>; .reg .b64 %rd;
    ld.param.u64 %rd, [p];
    red.global.add.u32 [%rd], 1;
    mov.u32 %r0, %nctaid.x;
WAIT:
    ld.volatile.global.u32 %r1, [%rd];
    setp.lt.u32 %p, %r1, %r0;
    @%p bra WAIT;
    ret;
}

// every block traps, with warps that wait at a barrier
.visible .entry fails(.param .u64 p)
{
    .reg .pred %p; .reg .b32 %r;
    mov.u32 %r, %tid.x;
    setp.ge.u32 %p, %r, 64;
    @%p trap;
    bar.sync 0;
    ret;
}

.visible .entry endless(.param .u64 p)
{
    .reg .pred %p; .reg .b32 %r; .reg .b64 %rd;
    ld.param.u64 %rd, [p];
AGAIN:
    ld.volatile.global.u32 %r, [%rd];
    setp.eq.u32 %p, %r, 0;
    @%p bra AGAIN;
    ret;
}

// keeps 64 bytes of the heap for a while
.extern .func (.param .b64 back) malloc(.param .b64 size);
.extern .func free(.param .b64 address);
.visible .entry allocates(.param .u64 p)
{
    .reg .b32 %r; .reg .b64 %rd;
    { .param .b64 size; .param .b64 back;
      st.param.b64 [size], 64;
      call (back), malloc, (size);
      ld.param.b64 %rd, [back]; }
    mov.u32 %r, 7;
    st.global.u32 [%rd], %r;
    { .param .b64 address;
      st.param.b64 [address], %rd;
      call free, (address); }
    ret;
}
)";

class Scheduler : public testing::Test {
  protected:
    static constexpr int threads = 4;

    void SetUp() override {
        model.sms = 16;
        model.max_blocks_per_sm = 32;
        model.max_threads_per_sm = 2048;
        model.clock_mhz = 1000;
        auto loaded =
            Module::load(kernels, "test", memory, model, {.threads = threads, .timeout_seconds = timeout});
        ASSERT_TRUE(loaded) << loaded.error().to_string();
        module = std::move(*loaded);
        address = *memory.allocate(bytes, MemoryKind::device);
        std::memset(reinterpret_cast<void*>(address), 0, bytes);
    }
    std::optional<Fault> launch(const char* kernel, std::uint32_t blocks, std::uint32_t block_threads) {
        const std::uint64_t params[] = {address};
        return run(*module->find_kernel(kernel),
                   {.grid = {blocks}, .block = {block_threads}, .params = std::as_bytes(std::span(params))});
    }
    std::uint32_t word(std::size_t index) const {
        return reinterpret_cast<const std::uint32_t*>(address)[index];
    }

    static constexpr std::size_t bytes = 4096;
    double timeout = 30;
    gpu::GpuModel model;
    DeviceMemory memory{64 << 20};
    std::unique_ptr<Module> module;
    std::uint64_t address = 0;
};

class ShortScheduler : public Scheduler {
  protected:
    ShortScheduler() { timeout = 0.2; }
};

TEST_F(Scheduler, BlocksWithBarriersOnManyWorkers) {
    ASSERT_FALSE(launch("sums", 500, 256));
    for (std::size_t block = 0; block < 500; ++block) ASSERT_EQ(word(block), 255u * 256 / 2) << block;
}

TEST_F(Scheduler, AtomicsOfManyWorkersAddUp) {
    ASSERT_FALSE(launch("counts", 2000, 64));
    EXPECT_EQ(word(0), 2000u * 64);
}

TEST_F(Scheduler, BlocksThatWaitForEachOther) {
    ASSERT_FALSE(launch("meets", 40, 1));
    EXPECT_EQ(word(0), 40u);
}

TEST_F(Scheduler, OneFaultIsReportedOfMany) {
    const auto fault = launch("fails", 200, 128);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::trap);
    EXPECT_NE(fault->message.find("kernel fails"), std::string::npos) << fault->message;
    // Nothing is left of it.
    ASSERT_FALSE(launch("sums", 100, 256));
    EXPECT_EQ(word(99), 255u * 256 / 2);
}

TEST_F(ShortScheduler, TheWatchdogStopsAllWorkers) {
    const auto fault = launch("endless", 64, 64);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::timeout);
}

TEST_F(Scheduler, WorkersUseTheHeapAtOnce) {
    ASSERT_FALSE(launch("allocates", 50, 33));
    for (const Allocation& one : memory.map().allocations()) EXPECT_NE(one.kind, MemoryKind::heap);
}

// One observer a worker, all of them told of everything.
TEST_F(Scheduler, EveryWorkerHasItsObserver) {
    struct Counter : events::Observer {
        std::uint64_t batches = 0, ended = 0;
        bool failed = false;
        events::Wants wants() const override { return events::profile_wants; }
        void records(const events::Batch&) override { ++batches; }
        void block_ended(std::uint64_t) override { ++ended; }
        void launch_failed() override { failed = true; }
    };
    const std::uint64_t params[] = {address};
    Launch launch{.grid = {300}, .block = {128}, .params = std::as_bytes(std::span(params))};
    auto watch = [&](const char* name, std::vector<Counter>& counters) {
        std::vector<events::Observers> observers;
        for (Counter& counter : counters) observers.push_back({&counter});
        return run(*module->find_kernel(name), launch, observers);
    };
    std::vector<Counter> counters(threads);
    EXPECT_FALSE(watch("counts", counters));
    std::uint64_t ended = 0, batches = 0;
    for (const Counter& counter : counters) {
        ended += counter.ended, batches += counter.batches;
        EXPECT_FALSE(counter.failed);
    }
    EXPECT_EQ(ended, 300u);
    EXPECT_EQ(batches, 300u * 4);

    std::vector<Counter> of_failure(threads);
    EXPECT_TRUE(watch("fails", of_failure));
    for (const Counter& counter : of_failure) EXPECT_TRUE(counter.failed);
}

// A kernel's code is compiled by whoever comes first.
TEST_F(Scheduler, LaunchesFromManyHostThreads) {
    std::vector<std::thread> hosts;
    std::atomic<int> faults{0};
    for (int host = 0; host < 4; ++host)
        hosts.emplace_back([&] {
            for (int turn = 0; turn < 5; ++turn)
                if (launch("counts", 20, 32)) ++faults;
        });
    for (std::thread& host : hosts) host.join();
    EXPECT_EQ(faults, 0);
    EXPECT_EQ(word(0), 4u * 5 * 20 * 32);
}

}  // namespace
}  // namespace lockstep::exec
