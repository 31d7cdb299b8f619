#include "redirect/patch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "redirect/jump.h"

namespace lockstep::redirect {
namespace {

int sum(int a, int b, int c, int d, int e, int f, int g, int h, double x) {
    return a + b + c + d + e + f + g + h + static_cast<int>(x);
}
int length(const char* text) { return static_cast<int>(std::strlen(text)); }

// A page of functions that return a number each, `stride` bytes apart.
class Functions {
  public:
    explicit Functions(std::size_t stride) : stride_(stride) {
        void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        begin_ = static_cast<unsigned char*>(at);
        for (std::size_t i = 0; (i + 1) * stride <= bytes; ++i) {
            const auto number = static_cast<std::uint32_t>(i);
            unsigned char* const code = begin_ + i * stride;
            if (this_cpu == Cpu::arm64) {
                const std::uint32_t words[] = {0x52800000u | (number & 0xFFFF) << 5,
                                               0xD65F03C0u};  // mov w0, #i; ret
                std::memcpy(code, words, sizeof words);
            } else {
                code[0] = 0xB8;  // mov eax, i; ret
                std::memcpy(code + 1, &number, sizeof number);
                code[5] = 0xC3;
            }
        }
        mprotect(begin_, bytes, PROT_READ | PROT_EXEC);
        __builtin___clear_cache(reinterpret_cast<char*>(begin_), reinterpret_cast<char*>(begin_) + bytes);
    }
    ~Functions() { munmap(begin_, bytes); }
    std::uint64_t address(std::size_t i) const {
        return reinterpret_cast<std::uint64_t>(begin_ + i * stride_);
    }
    template <class... T>
    int call(std::size_t i, T... arguments) const {
        return reinterpret_cast<int (*)(T...)>(address(i))(arguments...);
    }

  private:
    static constexpr std::size_t bytes = 4096;
    std::size_t stride_;
    unsigned char* begin_ = nullptr;
};

std::uint64_t address_of(auto* function) { return reinterpret_cast<std::uint64_t>(function); }

TEST(Patch, AllArgumentsArrive) {
    for (const std::size_t stride : {8, 16, 64}) {  // by way of near memory; at once, with room or just so
        const Functions functions(stride);
        ASSERT_EQ(functions.call(3), 3);
        auto done =
            redirect(std::vector<Redirection>{{"f", functions.address(3), stride, address_of(&sum), 0}});
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_EQ(functions.call(3, 1, 2, 3, 4, 5, 6, 7, 8, 9.5), 45) << stride;
        EXPECT_EQ(functions.call(2), 2);
        EXPECT_EQ(functions.call(4), 4) << "the next function was written over";
    }
}

TEST(Patch, AnArgumentInsteadOfTheCallers) {
    const Functions functions(16);
    static const char name[] = "cudaThing";
    auto done = redirect(
        std::vector<Redirection>{{"f", functions.address(1), 16, address_of(&length), address_of(name)},
                                 {"g", functions.address(2), 16, address_of(&sum), 0}});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(functions.call(1, 1, 2, 3), 9);
    EXPECT_EQ(functions.call(2, 1, 1, 1, 1, 1, 1, 1, 1, 2.0), 10);
    EXPECT_EQ(functions.call(3), 3);
}

TEST(Patch, NoRoomIsAnErrorThatNamesIt) {
    const Functions functions(16);
    auto done = redirect(std::vector<Redirection>{{"fine", functions.address(1), 16, address_of(&sum), 0},
                                                  {"tiny", functions.address(2), 2, address_of(&sum), 0}});
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("tiny"), std::string::npos);
    EXPECT_EQ(functions.call(1), 1) << "all or none";
}

}  // namespace
}  // namespace lockstep::redirect
