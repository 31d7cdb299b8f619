#include "session/transfers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "exec/memory.h"

namespace lockstep::session {
namespace {

class Transfers : public testing::Test {
  protected:
    Transfers() : memory(1 << 30), device(*memory.allocate(4096, exec::MemoryKind::device)) {}
    Outcome move(std::uint64_t to, std::uint64_t from, std::uint64_t bytes, Direction direction) {
        const auto checked =
            check_copy(memory.map(), {to, bytes, 1}, {from, bytes, 1}, {bytes, 1, 1}, direction);
        if (!checked) return checked.outcome;
        copy(*checked);
        last = *checked;
        return {};
    }
    static std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

    exec::DeviceMemory memory;
    std::uint64_t device;
    Transfer last;
    std::vector<char> host = std::vector<char>(8192, 'a');
};

TEST_F(Transfers, WhatKernelsAllocatedIsTheirs) {
    const std::uint64_t heap = *memory.allocate(64, exec::MemoryKind::heap);
    const Outcome refused = move(address(host.data()), heap, 64, Direction::device_to_host);
    EXPECT_EQ(refused.status, Status::invalid_value);
    EXPECT_NE(refused.reason.find("a kernel's malloc"), std::string::npos);
}

TEST_F(Transfers, DirectionsAreChecked) {
    EXPECT_TRUE(move(device, address(host.data()), 4096, Direction::host_to_device));
    EXPECT_EQ(last.route, Route::to_device);
    EXPECT_EQ(last.bytes(), 4096u);
    EXPECT_TRUE(move(address(host.data()), device, 4096, Direction::device_to_host));
    EXPECT_EQ(last.route, Route::to_host);
    EXPECT_TRUE(move(device + 2048, device, 2048, Direction::device_to_device));
    EXPECT_EQ(last.route, Route::on_device);
    EXPECT_TRUE(move(address(host.data()), address(host.data()) + 4096, 4096, Direction::host_to_host));
    EXPECT_EQ(last.route, Route::on_host);
    EXPECT_TRUE(move(device, address(host.data()), 4096, Direction::by_address));
    EXPECT_EQ(last.route, Route::to_device);
    EXPECT_EQ(move(device, address(host.data()), 4096, Direction::device_to_host).status,
              Status::invalid_value);
    EXPECT_EQ(move(device, device, 8, Direction::host_to_device).status, Status::invalid_value);
    EXPECT_EQ(move(device, device, 8, static_cast<Direction>(-1)).status, Status::invalid_memcpy_direction);
}

TEST_F(Transfers, ReasonsAreSaid) {
    const Outcome beyond = move(device, address(host.data()), 4097, Direction::host_to_device);
    EXPECT_EQ(beyond.status, Status::invalid_value);
    EXPECT_NE(beyond.reason.find("goes beyond its allocation"), std::string::npos) << beyond.reason;
    const Outcome null = move(0, address(host.data()), 8, Direction::host_to_device);
    EXPECT_NE(null.reason.find("the null pointer"), std::string::npos) << null.reason;
    EXPECT_FALSE(move(device, address(host.data()), ~0ull, Direction::host_to_device));
}

TEST_F(Transfers, OverlapIsAMove) {
    char* bytes = reinterpret_cast<char*>(device);
    for (int i = 0; i < 100; ++i) bytes[i] = static_cast<char>(i);
    EXPECT_TRUE(move(device + 10, device, 90, Direction::device_to_device));
    EXPECT_EQ(bytes[99], 89);
    EXPECT_EQ(bytes[10], 0);
}

TEST_F(Transfers, BoxesThatOverflowAreRefused) {
    const BoxSize size{16, ~0ull, 1};
    EXPECT_FALSE(check_copy(memory.map(), {device, 16, 1}, {address(host.data()), 16, 1}, size,
                            Direction::host_to_device));
    EXPECT_FALSE(check_fill(memory.map(), {device, 512, 1}, {16, 1ull << 60, 1ull << 60}, 1));
}

TEST_F(Transfers, FillWidths) {
    EXPECT_TRUE(check_fill(memory.map(), {device, 64, 1}, {64, 1, 1}, 4));
    fill({device, 64, 1}, {64, 1, 1}, 0x12345678, 4);
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<void*>(device + 60), 4);
    EXPECT_EQ(value, 0x12345678u);
    fill({device, 64, 1}, {64, 1, 1}, 0xABCD, 2);
    std::memcpy(&value, reinterpret_cast<void*>(device), 4);
    EXPECT_EQ(value, 0xABCDABCDu);
    EXPECT_EQ(check_fill(memory.map(), {device + 2, 64, 1}, {64, 1, 1}, 4).status, Status::invalid_value);
    EXPECT_EQ(check_fill(memory.map(), {address(host.data()), 64, 1}, {64, 1, 1}, 1).status,
              Status::invalid_value);
}

TEST_F(Transfers, PageableIsWhatTheDeviceDoesNotKnow) {
    EXPECT_TRUE(move(device, address(host.data()), 64, Direction::host_to_device));
    EXPECT_TRUE(last.pageable);
    EXPECT_TRUE(move(address(host.data()), device, 64, Direction::by_address));
    EXPECT_TRUE(last.pageable);
    EXPECT_TRUE(move(device + 64, device, 64, Direction::by_address));
    EXPECT_FALSE(last.pageable);
    const std::uint64_t pinned = *memory.allocate(64, exec::MemoryKind::pinned);
    EXPECT_TRUE(move(device, pinned, 64, Direction::host_to_device));
    EXPECT_FALSE(last.pageable);
    ASSERT_TRUE(memory.register_host(address(host.data()), 4096));
    EXPECT_TRUE(move(device, address(host.data()), 64, Direction::host_to_device));
    EXPECT_FALSE(last.pageable);
}

}  // namespace
}  // namespace lockstep::session
