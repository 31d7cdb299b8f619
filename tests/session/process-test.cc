// A process with two devices: one map of addresses, one order of streams, and everything else each its own.
#include "session/process.h"

#include <gtest/gtest.h>

#include <cstring>
#include <future>

#include "session/device.h"

namespace lockstep::session {
namespace {

// data[thread] += what
constexpr const char* ptx = R"(
.version 8.0
.target sm_60
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 what)
{
    .reg .b32 %r<4>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [data];
    ld.param.u32 %r1, [what];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %d2, %r2, 4;
    add.s64 %d1, %d1, %d2;
    ld.global.u32 %r3, [%d1];
    add.u32 %r3, %r3, %r1;
    st.global.u32 [%d1], %r3;
    ret;
}
)";

constexpr std::uint64_t threads = 128, bytes = 4 * threads;

class TwoDevices : public testing::Test {
  protected:
    TwoDevices() {
        auto made = create({});
        EXPECT_TRUE(made) << made.error().to_string();
        process = std::move(*made);
    }
    Result<std::unique_ptr<Process>> create(Options options) {
        const std::filesystem::path models = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus";
        return Process::create(std::move(options),
                               {*gpu::find_model("h200", models), *gpu::find_model("v100", models)}, registry,
                               nullptr, [this](const std::string& message) { told += message + "\n"; });
    }
    Device& first() { return process->device(0); }
    Device& second() { return process->device(1); }
    static const Stream& legacy(Device& device) { return *device.legacy_default_stream(); }
    // Zeros.
    static std::uint64_t allocate(Device& device) {
        return device.allocate(bytes, exec::MemoryKind::device).value;
    }
    static Function& add(Device& device) {
        const auto module = device.modules().load(ptx);
        EXPECT_TRUE(module) << module.outcome.reason;
        return **device.modules().function(*module, "add");
    }
    static Outcome launch(Device& device, std::uint64_t data, std::uint32_t what) {
        void* arguments[] = {&data, &what};
        return device.launch(add(device), {{}, {threads}}, arguments, legacy(device));
    }
    static std::uint32_t at(std::uint64_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, reinterpret_cast<const void*>(address), 4);
        return value;
    }
    static Outcome copy(Device& by, std::uint64_t to, std::uint64_t from) {
        return by.copy({to, bytes, 1}, {from, bytes, 1}, {bytes}, Direction::by_address, legacy(by), true);
    }

    Registry registry;
    std::string told;
    std::unique_ptr<Process> process;
};

TEST_F(TwoDevices, AreOfTheirModels) {
    ASSERT_EQ(process->device_count(), 2u);
    EXPECT_EQ(first().number(), 0);
    EXPECT_EQ(second().number(), 1);
    EXPECT_EQ(first().gpu().id, "h200");
    EXPECT_EQ(second().gpu().id, "v100");
    EXPECT_NE(legacy(first()).id, legacy(second()).id);
    EXPECT_EQ(second().memory().capacity(), second().gpu().memory_bytes);
}

TEST_F(TwoDevices, AnAddressHasOneOwner) {
    const std::uint64_t a = allocate(first()), b = allocate(second());
    EXPECT_EQ(process->addresses().find(a)->owner, 0);
    EXPECT_EQ(process->addresses().find(b)->owner, 1);
    EXPECT_EQ(first().memory().used(), bytes);
    EXPECT_EQ(second().memory().used(), bytes);
    EXPECT_EQ(process->stats().peak_bytes, 2 * bytes);
    // As cudaFree of any device's memory.
    EXPECT_TRUE(first().release(b, false));
    EXPECT_EQ(second().memory().used(), 0u);
    EXPECT_FALSE(process->addresses().find(b));
    EXPECT_TRUE(process->addresses().find(a));
}

TEST_F(TwoDevices, KernelsRunOnEachAndCopiesGoBetweenThem) {
    const std::uint64_t a = allocate(first()), b = allocate(second());
    EXPECT_TRUE(launch(first(), a, 5));
    EXPECT_TRUE(copy(second(), b, a));
    EXPECT_TRUE(launch(second(), b, 2));
    EXPECT_EQ(at(a), 5u);
    EXPECT_EQ(at(b + bytes - 4), 7u);
    EXPECT_EQ(process->stats().launches, 2u);
    EXPECT_EQ(process->stats().copied.on_device, bytes);
}

TEST_F(TwoDevices, AKernelDoesNotReachAnotherDevicesMemory) {
    const std::uint64_t b = allocate(second());
    EXPECT_TRUE(launch(first(), b, 1));
    EXPECT_EQ(first().synchronize().status, Status::illegal_address);
    EXPECT_NE(told.find("(device memory of device 1)"), std::string::npos) << told;
    EXPECT_EQ(at(b), 0u);
    // The fault is the first device's own.
    EXPECT_TRUE(second().synchronize());
    EXPECT_TRUE(launch(second(), b, 1));
    EXPECT_EQ(at(b), 1u);
}

TEST_F(TwoDevices, PinnedMemoryIsEverybodys) {
    const std::uint64_t pinned = first().allocate(bytes, exec::MemoryKind::pinned).value;
    EXPECT_TRUE(launch(first(), pinned, 1));
    EXPECT_TRUE(launch(second(), pinned, 2));
    EXPECT_TRUE(first().synchronize());
    EXPECT_TRUE(second().synchronize());
    EXPECT_EQ(at(pinned), 3u);
}

TEST_F(TwoDevices, ResetLeavesTheOtherAlone) {
    const std::uint64_t a = allocate(first()), b = allocate(second());
    Stream* stream = second().create_stream(0, 0);
    Function& function = add(second());
    first().reset();
    EXPECT_FALSE(process->addresses().find(a));
    EXPECT_TRUE(process->addresses().find(b));
    EXPECT_EQ(second().modules().as_function(&function), &function);
    EXPECT_EQ(process->find_stream(stream)->device, &second());
    EXPECT_TRUE(second().destroy_stream(stream));
    EXPECT_FALSE(process->find_stream(stream));
}

TEST_F(TwoDevices, StreamsBelongToADeviceAndEventsCross) {
    std::uint64_t data = allocate(second());
    std::uint32_t what = 1;
    void* arguments[] = {&data, &what};
    EXPECT_EQ(second().launch(add(second()), {{}, {threads}}, arguments, legacy(first())).status,
              Status::invalid_handle);

    const auto event = process->find_event(first().create_event(0));
    ASSERT_TRUE(event);
    EXPECT_EQ(second().record(event, legacy(second())).status, Status::invalid_handle);
    std::promise<void> gate;
    const HostFunction waits{[&](Device& device) {
        EXPECT_EQ(device.number(), 0);
        gate.get_future().wait();
    }};
    EXPECT_TRUE(first().host_function(legacy(first()), waits));
    EXPECT_TRUE(first().record(event, legacy(first())));
    EXPECT_TRUE(launch(second(), data, 1));
    EXPECT_EQ(at(data), 1u) << "nothing of the second device waits yet";
    EXPECT_TRUE(second().wait_event(legacy(second()), event));
    EXPECT_TRUE(launch(second(), data, 1));
    EXPECT_EQ(at(data), 1u);
    EXPECT_EQ(second().query(legacy(second())).status, Status::not_ready);
    gate.set_value();
    EXPECT_TRUE(second().synchronize());
    EXPECT_EQ(at(data), 2u);
    EXPECT_TRUE(first().synchronize());
}

// What a graph does with its nodes.
TEST_F(TwoDevices, ACommandCanBeKeptAndSubmittedAgain) {
    const std::uint64_t data = allocate(second());
    const std::uint32_t what = 3;
    KernelLaunch kernel{&add(second()), {{}, {threads}}, threads, std::vector<std::byte>(12)};
    std::memcpy(kernel.params.data(), &data, 8);
    std::memcpy(kernel.params.data() + 8, &what, 4);
    Command command{&second(), legacy(second()).id, std::move(kernel)};
    EXPECT_TRUE(second().submit(command));
    EXPECT_TRUE(second().submit(command));
    command.stream = second().create_stream(0, 0)->id;
    EXPECT_TRUE(second().submit(command));
    EXPECT_EQ(at(data), 9u);
}

// A run file is of one GPU.
TEST_F(TwoDevices, KernelsReachAPeersMemoryWhenTheyMay) {
    const std::uint64_t data = allocate(second());
    EXPECT_TRUE(launch(first(), data, 1));
    EXPECT_TRUE(first().errors().faulted());
    first().errors().clear();
    first().memory().reach_peer(1, true);
    EXPECT_TRUE(launch(first(), data, 1));
    EXPECT_FALSE(first().errors().faulted());
    EXPECT_EQ(at(data), 1u);
}

// What watches a process is told of everything that its devices do, in the order in which it is done.
TEST_F(TwoDevices, ObserversAreToldOfCommandsAndMemory) {
    struct Watcher : Observer {
        std::string seen;
        std::uint64_t freed = 0;
        void done(const Command& command, const Done& done) override {
            seen += command.as<KernelLaunch>() ? 'k'
                    : command.as<Copy>()       ? 'c'
                    : command.as<Fill>()       ? 'f'
                                               : '?';
            seen += std::to_string(command.device->number());
            if (!done.complete) seen += '!';
        }
        void allocated(const exec::Allocation& one) override {
            seen += 'a';
            seen += std::to_string(one.owner);
        }
        void released(const exec::Allocation& one) override {
            seen += 'r';
            freed = one.address;
        }
    } one, other;
    process->watch(one);
    process->watch(other);
    const std::uint64_t here = allocate(first()), there = allocate(second());
    ASSERT_TRUE(first().fill({here}, {bytes, 1, 1}, 0, 1, legacy(first())));
    ASSERT_TRUE(launch(first(), here, 5));
    ASSERT_TRUE(
        second().copy({there}, {here}, {bytes, 1, 1}, Direction::device_to_device, legacy(second()), true));
    ASSERT_TRUE(first().release(here, false));
    EXPECT_EQ(one.seen, "a0a1f0k0c1r");
    EXPECT_EQ(other.seen, one.seen);
    EXPECT_EQ(one.freed, here);
    second().reset();
    EXPECT_EQ(one.seen, "a0a1f0k0c1rr");
    EXPECT_EQ(one.freed, there);
    EXPECT_EQ(process->stats().launches, 1u);
    EXPECT_EQ(process->stats().allocations, 2u);
}

}  // namespace
}  // namespace lockstep::session
