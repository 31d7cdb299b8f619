#include "exec/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

namespace lockstep::exec {
namespace {

constexpr std::uint64_t gib = 1ull << 30;

std::uint64_t must_allocate(DeviceMemory& memory, std::uint64_t size, MemoryKind kind = MemoryKind::device) {
    auto address = memory.allocate(size, kind);
    EXPECT_TRUE(address) << address.error().to_string();
    return address ? *address : 0;
}

TEST(DeviceMemory, AllocationsAreUsableAlignedAndApart) {
    DeviceMemory memory(gib);
    const std::uint64_t a = must_allocate(memory, 100), b = must_allocate(memory, 100);
    EXPECT_EQ(a % 512, 0u);
    EXPECT_EQ(b % 512, 0u);
    EXPECT_GE(b, a + 100 + 512);
    std::memset(reinterpret_cast<void*>(a), 7, 100);
    EXPECT_EQ(reinterpret_cast<unsigned char*>(a)[99], 7);
    EXPECT_EQ(reinterpret_cast<unsigned char*>(b)[0], 0);
    EXPECT_EQ(memory.used(), 1024u);
    EXPECT_GE(a, memory.range_begin());
    EXPECT_LT(b, memory.range_end());
}

// Arrays of the same size that a kernel goes through side by side must not all meet in the same sets of the
// host's cache.
TEST(DeviceMemory, LargeAllocationsBeginAtDifferentPlaces) {
    for (std::uint64_t size = 2 << 20; size <= 64 << 20; size *= 2) {
        DeviceMemory memory(gib);
        std::set<std::uint64_t> places;
        for (int i = 0; i < 4; ++i) {
            const std::uint64_t a = must_allocate(memory, size);
            EXPECT_EQ(a % 512, 0u);
            places.insert(a % 4096);
            EXPECT_TRUE(memory.find(a, size));
            EXPECT_FALSE(memory.find(a - 1));
            EXPECT_FALSE(memory.find(a + size));
        }
        EXPECT_EQ(places.size(), 4u) << size;
    }
}

TEST(DeviceMemory, LargeAllocationsBeginAtPagesWhereThatIsAskedFor) {
    AddressMap map;
    DeviceMemory memory(map, gib, false);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(must_allocate(memory, 4 << 20) % (2 << 20), 0u);
}

TEST(DeviceMemory, BoundsAreExact) {
    DeviceMemory memory(gib);
    const std::uint64_t a = must_allocate(memory, 100);
    EXPECT_TRUE(memory.find(a, 100));
    EXPECT_TRUE(memory.find(a + 99));
    EXPECT_FALSE(memory.find(a + 100));
    EXPECT_FALSE(memory.find(a + 97, 4));
    EXPECT_FALSE(memory.find(a - 1));
    EXPECT_FALSE(memory.find(a, ~0ull));
    EXPECT_EQ(memory.find(a + 50)->address, a);
}

TEST(DeviceMemory, CapacityIsALimit) {
    DeviceMemory memory(8 << 20);
    const std::uint64_t a = must_allocate(memory, 6 << 20);
    auto second = memory.allocate(4 << 20, MemoryKind::device);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("out of device memory"), std::string::npos);
    EXPECT_TRUE(memory.allocate(4 << 20, MemoryKind::pinned)) << "pinned memory is the host's";
    EXPECT_TRUE(memory.release(a));
    EXPECT_TRUE(memory.allocate(8 << 20, MemoryKind::device));
    EXPECT_EQ(memory.used(), memory.capacity());
    EXPECT_FALSE(memory.allocate(~0ull, MemoryKind::device));
    EXPECT_FALSE(memory.allocate(~0ull - 100, MemoryKind::managed));
}

TEST(DeviceMemory, MoreThanTheHostHasIsRefusedWithTheReason) {
    DeviceMemory memory(1ull << 42);
    auto huge = memory.allocate(1ull << 41, MemoryKind::device);
    ASSERT_FALSE(huge);
    EXPECT_NE(huge.error().message.find("this machine"), std::string::npos) << huge.error().message;
    EXPECT_LT(memory.available(), 1ull << 41);
    EXPECT_GT(memory.available(), 0u);
}

TEST(DeviceMemory, FreedAddressesComeBackLate) {
    DeviceMemory memory(gib);
    const std::uint64_t a = must_allocate(memory, 4096);
    EXPECT_TRUE(memory.release(a));
    EXPECT_FALSE(memory.release(a)) << "a second free";
    EXPECT_NE(must_allocate(memory, 4096), a);
    EXPECT_FALSE(memory.find(a));
    // But they do come back: far more is allocated in all than there are addresses.
    for (int i = 0; i < 200; ++i) EXPECT_TRUE(memory.release(must_allocate(memory, 100 << 20)));
}

TEST(DeviceMemory, FreedLargeMemoryIsZeroAgainAndReturned) {
    DeviceMemory memory(gib);
    for (int i = 0; i < 64; ++i) {
        const std::uint64_t a = must_allocate(memory, 64 << 20);
        EXPECT_EQ(*reinterpret_cast<int*>(a), 0);
        *reinterpret_cast<int*>(a) = 1;
        memory.release(a);
    }
}

TEST(DeviceMemory, ManySmallAllocations) {
    DeviceMemory memory(gib);
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 200'000; ++i) {
        all.push_back(must_allocate(memory, 16));
        *reinterpret_cast<int*>(all.back()) = i;
    }
    for (int i = 0; i < 200'000; ++i) ASSERT_EQ(*reinterpret_cast<int*>(all[i]), i);
    for (std::uint64_t address : all) ASSERT_TRUE(memory.release(address));
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_TRUE(memory.map().allocations().empty());
}

TEST(DeviceMemory, RegisteredHostMemory) {
    DeviceMemory memory(gib);
    std::vector<char> host(1000);
    const auto address = reinterpret_cast<std::uint64_t>(host.data());
    EXPECT_TRUE(memory.register_host(address, 1000));
    EXPECT_FALSE(memory.register_host(address + 500, 1000));
    EXPECT_FALSE(memory.register_host(address - 500, 501));
    EXPECT_EQ(memory.find(address + 999)->kind, MemoryKind::host);
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_TRUE(memory.release(address));
    EXPECT_FALSE(memory.find(address));
    EXPECT_FALSE(memory.register_host(0, 10));
    EXPECT_FALSE(memory.register_host(must_allocate(memory, 10), 10));
}

TEST(DeviceMemory, Describes) {
    DeviceMemory memory(gib);
    const std::uint64_t a = must_allocate(memory, 4096);
    EXPECT_EQ(memory.describe(0), "the null pointer");
    EXPECT_EQ(memory.describe(16), "16 bytes after the null pointer");
    const auto ends = [&](std::uint64_t address, const std::string& start) {
        const std::string text = memory.describe(address);
        EXPECT_TRUE(text.starts_with(start)) << text;
    };
    ends(a + 4096, "just after the end of the 4096-byte allocation at 0x");
    ends(a + 4128, "32 bytes after the end of the 4096-byte allocation at 0x");
    ends(a + 8, "8 bytes inside the 4096-byte allocation at 0x");
    const std::uint64_t b = must_allocate(memory, 64);
    ends(b - 4, "4 bytes before the 64-byte allocation at 0x");
    memory.release(a);
    ends(a + 12, "12 bytes inside the 4096-byte allocation at 0x");
    EXPECT_TRUE(memory.describe(a).ends_with("which was freed"));
    int local = 0;
    ends(reinterpret_cast<std::uint64_t>(&local), "host memory, which kernels cannot access");
    EXPECT_EQ(memory.describe(0x10000), "no memory at all");
    auto variable = memory.allocate(8, MemoryKind::variable, "counter");
    ASSERT_TRUE(variable);
    ends(*variable + 8, "just after the end of the 8-byte variable 'counter' at 0x");
}

TEST(DeviceMemory, ReadOnly) {
    DeviceMemory memory(gib);
    const std::uint64_t a = must_allocate(memory, 8, MemoryKind::variable);
    EXPECT_FALSE(memory.find(a)->read_only);
    memory.set_read_only(a);
    EXPECT_TRUE(memory.find(a)->read_only);
}

TEST(DeviceMemory, ReleaseAll) {
    DeviceMemory memory(gib);
    for (int i = 0; i < 10; ++i) must_allocate(memory, 1 << 20);
    memory.release_all();
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_EQ(memory.map().allocations().size(), 0u);
}

TEST(DeviceMemory, TheHeapHasALimit) {
    DeviceMemory memory(gib);
    EXPECT_FALSE(memory.allocate(8 << 20, MemoryKind::heap));  // something is taken for keeping books
    EXPECT_FALSE(memory.set_heap_limit(16 << 20));             // it has been used
    const std::uint64_t a = must_allocate(memory, 7 << 20, MemoryKind::heap);
    const auto full = memory.allocate(2 << 20, MemoryKind::heap);
    ASSERT_FALSE(full);
    EXPECT_NE(full.error().message.find("the kernels' heap is full"), std::string::npos);
    EXPECT_FALSE(memory.allocate(~std::uint64_t{0}, MemoryKind::heap));
    must_allocate(memory, 64 << 20);  // device memory is another matter
    EXPECT_TRUE(memory.release(a));
    must_allocate(memory, 7 << 20, MemoryKind::heap);
    memory.release_all();
    EXPECT_TRUE(memory.set_heap_limit(64 << 20));
    must_allocate(memory, 60 << 20, MemoryKind::heap);
}

// As recorded on an H200: rows of four allocations of a size, and how far each is behind the one before.
TEST(DeviceMemory, AGpusPlacesAndRounding) {
    DeviceMemory memory(gib, MemoryRules::gpu);
    constexpr std::uint64_t page = 2 << 20;
    const auto step = [&](std::uint64_t size) {
        const std::uint64_t first = must_allocate(memory, size), second = must_allocate(memory, size);
        memory.release(first);
        memory.release(second);
        return second - first;
    };
    for (const std::uint64_t size : {1, 4, 100, 512}) EXPECT_EQ(step(size), 512u);
    for (const std::uint64_t size : {513, 1000}) EXPECT_EQ(step(size), 1024u);
    EXPECT_EQ(step(5000), 5120u);
    EXPECT_EQ(step(100000), 100352u);
    EXPECT_EQ(step(1 << 20), 1u << 20);
    EXPECT_EQ(step((1 << 20) + 4), page);
    EXPECT_EQ(step(page), page);
    EXPECT_EQ(step(page + 4), 2 * page);
    EXPECT_EQ(step((10 << 20) + 4), 6 * page);
    // Small ones stay inside a page.
    const std::uint64_t a = must_allocate(memory, 512), b = must_allocate(memory, 1 << 20),
                        c = must_allocate(memory, 1 << 20);
    EXPECT_EQ(b, a + 512);
    EXPECT_EQ(c, a + page);
}

TEST(DeviceMemory, AGpuLetsPassWhatLiesInAPage) {
    DeviceMemory memory(gib, MemoryRules::gpu);
    const std::uint64_t a = must_allocate(memory, 100), b = must_allocate(memory, 100);
    EXPECT_EQ(b, a + 512);
    EXPECT_FALSE(memory.find(b, 104));  // copies are checked to the byte
    EXPECT_TRUE(memory.lets_pass(b + 100, 4));
    EXPECT_TRUE(memory.lets_pass(b - 4, 4));
    EXPECT_TRUE(memory.lets_pass(a + (2 << 20) - 4, 4));
    EXPECT_FALSE(memory.lets_pass(a + (2 << 20) - 2, 4));
    EXPECT_FALSE(memory.lets_pass(a - 4, 4));
    EXPECT_FALSE(memory.lets_pass(0, 4));
    EXPECT_FALSE(memory.lets_pass(~std::uint64_t{0} - 1, 4));
    memory.release(a);
    memory.release(b);
    *reinterpret_cast<int*>(b) = 1;  // it is still there
    EXPECT_TRUE(memory.lets_pass(b, 4));
    const std::uint64_t c = must_allocate(memory, 64, MemoryKind::variable);
    memory.set_read_only(c);
    EXPECT_FALSE(memory.lets_pass(c + 62, 4));
    EXPECT_TRUE(memory.lets_pass(c + 64, 4));

    DeviceMemory exact(gib);
    const std::uint64_t d = must_allocate(exact, 4000);
    EXPECT_FALSE(exact.lets_pass(d + 4000, 4));
    EXPECT_EQ(exact.what_a_gpu_does(d + 4000, 4), "; a GPU lets this pass, as --memory gpu does");
    EXPECT_EQ(exact.what_a_gpu_does(d + 5000, 4), "; a GPU may let this pass, as --memory gpu does");
    EXPECT_EQ(exact.what_a_gpu_does(d + (8 << 20), 4), "");
    EXPECT_EQ(exact.what_a_gpu_does(16, 4), "");
}

TEST(AddressMap, TellsWhoOwnsAnAddress) {
    AddressMap map;
    DeviceMemory first(map, gib), second(map, 8 << 20);
    EXPECT_EQ(first.number(), 0);
    EXPECT_EQ(second.number(), 1);
    const std::uint64_t a = must_allocate(first, 4096), b = must_allocate(second, 4096),
                        pinned = must_allocate(second, 4096, MemoryKind::pinned);
    EXPECT_EQ(map.find(a)->owner, 0);
    EXPECT_EQ(map.find(b)->owner, 1);
    EXPECT_TRUE(map.in_device_range(a));
    EXPECT_TRUE(map.in_device_range(b));
    EXPECT_FALSE(map.in_device_range(reinterpret_cast<std::uint64_t>(&map)));
    // A kernel reaches its own device's memory, and the host's.
    EXPECT_TRUE(first.find(a));
    EXPECT_FALSE(first.find(b));
    EXPECT_FALSE(second.find(a));
    EXPECT_TRUE(first.find(pinned));
    EXPECT_NE(first.describe(b + 8).find("8 bytes inside the 4096-byte allocation at"), std::string::npos);
    EXPECT_NE(first.describe(b + 8).find("(device memory of device 1)"), std::string::npos)
        << first.describe(b + 8);
    // Limits are each device's own, and so is what it frees.
    EXPECT_FALSE(second.allocate(16 << 20, MemoryKind::device));
    EXPECT_TRUE(first.allocate(16 << 20, MemoryKind::device));
    EXPECT_EQ(second.used(), 4096u);
    EXPECT_FALSE(first.release(b));
    EXPECT_TRUE(map.release(b));
    EXPECT_EQ(second.used(), 0u);
}

TEST(AddressMap, WhatOneDeviceReleasesStaysForTheOthers) {
    AddressMap map;
    std::vector<char> shared(100), registered(100);
    const auto address = [](const std::vector<char>& of) {
        return reinterpret_cast<std::uint64_t>(of.data());
    };
    auto first = std::make_unique<DeviceMemory>(map, gib);
    DeviceMemory second(map, gib);
    const std::uint64_t a = must_allocate(*first, 64), b = must_allocate(second, 64);
    ASSERT_TRUE(map.register_host(address(shared), 100));
    ASSERT_TRUE(first->register_host(address(registered), 100));
    EXPECT_TRUE(second.find(address(registered)));
    first->release_all();
    EXPECT_FALSE(map.find(a));
    EXPECT_FALSE(map.find(address(registered)));
    EXPECT_TRUE(map.find(address(shared)));
    EXPECT_TRUE(second.find(b));
    must_allocate(*first, 64);
    first.reset();
    ASSERT_EQ(map.allocations().size(), 2u);
}

TEST(AddressMap, PagesAreNotSharedByDevices) {
    AddressMap map(MemoryRules::gpu);
    DeviceMemory first(map, gib), second(map, gib);
    const std::uint64_t a = must_allocate(first, 64), b = must_allocate(second, 64);
    EXPECT_TRUE(first.lets_pass(a + 4096, 4));
    EXPECT_FALSE(first.lets_pass(b + 4096, 4));
    EXPECT_TRUE(second.lets_pass(b + 4096, 4));
}

TEST(DeviceMemory, Threads) {
    DeviceMemory memory(gib);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&memory, t] {
            for (int i = 0; i < 500; ++i) {
                const std::uint64_t a = must_allocate(memory, 1000 + 997 * i);
                *reinterpret_cast<int*>(a + 900) = t;
                EXPECT_TRUE(memory.find(a, 1000));
                EXPECT_EQ(*reinterpret_cast<int*>(a + 900), t);
                EXPECT_TRUE(memory.release(a));
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace lockstep::exec
