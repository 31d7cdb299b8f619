// Arguments of a launch: the kernel says how many there are and how large, the host program only where they
// lie.
#include "session/loading.h"

#include <gtest/gtest.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <numeric>

namespace lockstep::session {
namespace {

exec::KernelInfo kernel_with(const std::vector<std::uint32_t>& sizes) {
    exec::KernelInfo kernel;
    kernel.name = "k";
    for (std::uint32_t size : sizes) {
        kernel.params.push_back({kernel.param_bytes, size, size});
        kernel.param_bytes += size;
    }
    return kernel;
}

// A page that can be read in front of one that cannot.
class Edge {
  public:
    Edge() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        void* both = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (both == MAP_FAILED) throw std::bad_alloc();
        memory_ = static_cast<std::byte*>(both);
        mprotect(memory_ + page_, page_, PROT_NONE);
    }
    ~Edge() { munmap(memory_, 2 * page_); }
    Edge(const Edge&) = delete;
    Edge& operator=(const Edge&) = delete;
    std::byte* before(std::size_t bytes) const { return memory_ + page_ - bytes; }

  private:
    std::size_t page_;
    std::byte* memory_ = nullptr;
};

// Emulators and sandboxes may lack the call; then arguments are copied on trust.
bool system_copies() {
    int from = 1, to = 0;
    const iovec there{&from, sizeof from}, here{&to, sizeof to};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == sizeof from;
}

void expect_missing(const Found<std::vector<std::byte>>& packed, const std::string& which) {
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.outcome.status, Status::invalid_value);
    EXPECT_NE(packed.outcome.reason.find("kernel 'k' was not launched: its argument " + which),
              std::string::npos)
        << packed.outcome.reason;
}

TEST(Arguments, ArePackedAsTheKernelHasThem) {
    std::uint64_t first = 0x1122334455667788;
    std::uint32_t second = 0xaabbccdd;
    void* arguments[] = {&first, &second};
    const auto packed = pack_arguments(kernel_with({8, 4}), arguments);
    ASSERT_TRUE(packed);
    ASSERT_EQ(packed->size(), 12u);
    EXPECT_EQ(std::memcmp(packed->data(), &first, 8), 0);
    EXPECT_EQ(std::memcmp(packed->data() + 8, &second, 4), 0);
    EXPECT_TRUE(pack_arguments(kernel_with({}), nullptr));
}

TEST(Arguments, ThatTheProgramDoesNotHaveAreNamed) {
    if (!system_copies()) GTEST_SKIP() << "process_vm_readv is not allowed here";
    const Edge edge;
    std::uint64_t there = 1;
    void* null[] = {&there, nullptr};
    expect_missing(pack_arguments(kernel_with({8, 4}), null), "2 has 4 bytes");
    void* unreadable[] = {edge.before(0), &there};
    expect_missing(pack_arguments(kernel_with({8, 8}), unreadable), "1 has 8 bytes");
    // The kernel's parameter is larger than what the program has there.
    void* partly[] = {&there, edge.before(4)};
    expect_missing(pack_arguments(kernel_with({8, 16}), partly), "2 has 16 bytes");
    EXPECT_TRUE(pack_arguments(kernel_with({8, 4}), partly));
}

TEST(Arguments, MoreThanTheSystemCopiesAtOnce) {
    std::vector<std::uint32_t> values(IOV_MAX + 10);
    std::iota(values.begin(), values.end(), 7);
    std::vector<void*> arguments;
    for (std::uint32_t& value : values) arguments.push_back(&value);
    const exec::KernelInfo kernel = kernel_with(std::vector<std::uint32_t>(values.size(), 4));
    const auto packed = pack_arguments(kernel, arguments.data());
    ASSERT_TRUE(packed);
    EXPECT_EQ(std::memcmp(packed->data(), values.data(), 4 * values.size()), 0);
    if (!system_copies()) return;
    arguments[IOV_MAX + 3] = nullptr;
    expect_missing(pack_arguments(kernel, arguments.data()), std::to_string(IOV_MAX + 4));
}

}  // namespace
}  // namespace lockstep::session
