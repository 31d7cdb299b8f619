#include "redirect/static-runtime.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace lockstep::redirect {
namespace {

base::ElfSymbol function(std::string_view name, std::uint64_t value, std::uint64_t size) {
    return {name, value, size, true, true};
}

TEST(StaticRuntime, WhichVersion) {
    std::vector<base::ElfSymbol> symbols = {function("main", 0x100, 16)};
    EXPECT_FALSE(static_runtime_version(symbols));
    // A program that is linked to the shared one names its functions, and has none.
    symbols.push_back({"cudaMalloc", 0, 0, false, true});
    symbols.push_back({"__cudaRegisterFatBinary", 0, 0, false, true});
    EXPECT_FALSE(static_runtime_version(symbols));
    symbols = {function("cudaMalloc", 0x100, 16), function("__cudaRegisterFatBinary", 0x200, 16),
               function("cudaGetDeviceProperties", 0x300, 16)};
    EXPECT_EQ(static_runtime_version(symbols), 13);
    symbols.push_back(function("cudaBindTexture", 0x400, 16));
    EXPECT_EQ(static_runtime_version(symbols), 11);
    symbols.back() = function("cudaGetDeviceProperties_v2", 0x400, 16);
    EXPECT_EQ(static_runtime_version(symbols), 12);
}

TEST(StaticRuntime, EveryFunctionOfTheRuntimeAndNoneOfTheProgram) {
    const std::vector<base::ElfSymbol> symbols = {
        function("main", 0x100, 64),
        function("__cudaUnregisterBinaryUtil", 0x140, 36),  // nvcc makes it for each file
        function("cudaOfTheUser", 0x180, 36),
        function("cudaMalloc", 0x1000, 0x100),
        function("libcudart_static_0123", 0x1108, 8),
        function("cudaOfTomorrow", 0x1110, 8),
        function("__cudart77", 0x1120, 8),
        function("cudaSameThing", 0x1200, 0x20),
        function("cudaFree", 0x1200, 0x20),
        {"cudaNotAFunction", 0x1210, 8, true, false},
        function("__cudaRegisterFatBinary", 0x1300, 0x20),
    };
    const std::map<std::string_view, std::uint64_t> ours = {
        {"cudaMalloc", 1}, {"cudaFree", 2}, {"__cudaRegisterFatBinary", 3}};
    const auto entries = entries_of(symbols, [&](std::string_view name) -> std::uint64_t {
        const auto found = ours.find(name);
        return found == ours.end() ? 0 : found->second;
    });
    ASSERT_EQ(entries.size(), 4u);
    EXPECT_EQ(entries[0].name, "cudaMalloc");
    EXPECT_EQ(entries[0].target, 1u);
    EXPECT_EQ(entries[0].room, 0x108u);
    EXPECT_EQ(entries[1].name, "cudaOfTomorrow");
    EXPECT_EQ(entries[1].target, 0u);
    EXPECT_EQ(entries[1].room, 0x10u);
    EXPECT_EQ(entries[2].name, "cudaFree");
    EXPECT_EQ(entries[3].room, 0x20u);
}

TEST(StaticRuntime, SymbolsOfThisProgram) {
    std::ifstream in("/proc/self/exe", std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    bool found = false;
    for (const base::ElfSymbol& symbol : base::elf_symbols(bytes))
        found |= symbol.name == "main" && symbol.function && symbol.defined;
    EXPECT_TRUE(found);
    // Damaged files give less, and do no harm.
    for (std::size_t length = 0; length < bytes.size(); length = length * 2 + 61)
        base::elf_symbols(std::string_view(bytes).substr(0, length));
    std::string damaged = bytes;
    for (std::size_t at = 0; at < 4096 && at < damaged.size(); at += 3)
        damaged[at] = static_cast<char>(at * 7);
    std::memcpy(damaged.data(), bytes.data(), 20);
    base::elf_symbols(damaged);
}

}  // namespace
}  // namespace lockstep::redirect
