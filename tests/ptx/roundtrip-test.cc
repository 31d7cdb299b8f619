// parse → print → parse gives the same tree, on what clang and nvcc really write; and fast enough.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ptx/compare.h"
#include "ptx/parser.h"
#include "ptx/printer.h"
#include "ptx/support-doc.h"

namespace lockstep::ptx {
namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> data_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(LOCKSTEP_SOURCE_DIR "/tests/ptx/data"))
        if (entry.path().extension() == ".ptx") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

TEST(RoundTrip, CompilersOutput) {
    EXPECT_GE(data_files().size(), 10u);
    for (const auto& path : data_files()) {
        ParseOutcome first = parse_all(read(path), path.filename().string());
        for (const Error& error : first.errors) ADD_FAILURE() << error.to_string();
        std::string text = print(first.module);
        ParseOutcome second = parse_all(text, "printed " + path.filename().string());
        for (const Error& error : second.errors) ADD_FAILURE() << error.to_string();
        EXPECT_EQ(difference(first.module, second.module), "") << path;
        EXPECT_EQ(print(second.module), text) << path;
        for (const Function& function : first.module.functions)
            for (const Error& error : unsupported(first.module, function)) ADD_FAILURE() << error.to_string();
    }
}

TEST(RoundTrip, DifferencesAreSeen) {
    std::string head = ".version 8.5 .target sm_90 .global .b32 g; .entry k() { .reg .b32 %r<4>; ";
    auto difference_of = [&](std::string_view a, std::string_view b) {
        ParseOutcome x = parse_all(head + std::string(a) + " }", "a");
        ParseOutcome y = parse_all(head + std::string(b) + " }", "b");
        EXPECT_TRUE(x.errors.empty() && y.errors.empty());
        return difference(x.module, y.module);
    };
    EXPECT_EQ(difference_of("ret;", "\n ret;"), "");
    EXPECT_EQ(difference_of("mov.u32 %r1, 1;", "mov.u32 %r1, 2;"),
              "k: mov.u32 %r1, 1; differs from mov.u32 %r1, 2;");
    EXPECT_EQ(difference_of("a: ret;", "b: ret;"), "registers, labels or tables of k differ");
    EXPECT_EQ(difference_of(".loc 1 2 3 ret;", ".loc 1 2 4 ret;"), "k: ret; has another source line");
}

TEST(RoundTrip, InlinedPlacesKeepTheirCallers) {
    // The same line inlined by two ways, and a caller that has no instruction of its own.
    std::string text =
        ".version 8.5 .target sm_90 .file 1 \"a.cu\" .entry k() {\n"
        ".loc 1 5 1, function_name s1, inlined_at 1 20 3\n"
        ".loc 1 2 1, function_name s0, inlined_at 1 5 1\nret;\n"
        ".loc 1 5 1, function_name s1, inlined_at 1 30 3\n"
        ".loc 1 2 1, function_name s0, inlined_at 1 5 1\nret;\n"
        "ret; .loc 1 30 3 ret;\n}\n.section .debug_str { s0: .b8 97,0 s1: .b8 98,0 }\n";
    ParseOutcome first = parse_all(text, "a");
    ASSERT_TRUE(first.errors.empty());
    const Function& k = first.module.functions[0];
    auto caller = [&](const Module& m, int source, int steps) {
        for (; steps > 0; --steps) source = m.lines[static_cast<std::size_t>(source)].inlined_at;
        return m.lines[static_cast<std::size_t>(source)];
    };
    EXPECT_EQ(caller(first.module, k.instructions[0].source, 2).line, 20);
    EXPECT_EQ(caller(first.module, k.instructions[1].source, 2).line, 30);
    EXPECT_EQ(caller(first.module, k.instructions[1].source, 1).function, "b");
    ParseOutcome second = parse_all(print(first.module), "b");
    ASSERT_TRUE(second.errors.empty());
    EXPECT_EQ(difference(first.module, second.module), "");
}

TEST(RoundTrip, ANameEndsAtAByteOfZero) {
    // Also where it is the low byte of a number that is none of a byte.
    for (const char* zero : {"0", "256", "9.0"}) {
        const std::string text =
            std::string(".version 8.5 .target sm_90 .file 1 \"a.cu\" .entry k() {\n"
                        ".loc 1 2 1, function_name s, inlined_at 1 20 3\nret;\n}\n"
                        ".section .debug_str { s: .b8 97,") +
            zero + ",98,0 }\n";
        const ParseOutcome first = parse_all(text, "a");
        ASSERT_TRUE(first.errors.empty());
        const int source = first.module.functions[0].instructions[0].source;
        EXPECT_EQ(first.module.lines[static_cast<std::size_t>(source)].function, "a") << zero;
        const ParseOutcome second = parse_all(print(first.module), "b");
        ASSERT_TRUE(second.errors.empty());
        EXPECT_EQ(difference(first.module, second.module), "");
    }
}

TEST(Speed, AMegabyteInAFractionOfASecond) {
    std::string text = ".version 8.5 .target sm_90 .address_size 64\n";
    for (int f = 0; text.size() < 1u << 20; ++f) {
        text += ".visible .entry kernel" + std::to_string(f) +
                "(.param .u64 p) {\n.reg .pred %p<99>; .reg .b32 %r<999>; .reg .b64 %rd<99>;\n";
        for (int i = 0; i < 300; ++i) {
            std::string n = std::to_string(i);
            text += "$L" + n + ":\n\tld.global.u32 \t%r" + n + ", [%rd5+" + n + "];\n\tmad.lo.s32 \t%r" + n +
                    ", %r1, %r2, 12;\n" + "\tsetp.ne.and.s32 \t%p1, %r" + n + ", 0, %p2;\n\t@%p1 bra \t$L" +
                    n + ";\n" + "{ .param .b64 q; st.param.b64 [q+0], %rd1; }\n";
        }
        text += "ret;\n}\n";
    }
    auto start = std::chrono::steady_clock::now();
    ParseOutcome outcome = parse_all(text, "big");
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_TRUE(outcome.errors.empty()) << outcome.errors.front().to_string();
    EXPECT_LT(taken.count(), 1.0);  // about 0.04 s without sanitizers
}

// Inputs that a careless parser takes quadratic time for.
TEST(Speed, RepetitionStaysLinear) {
    std::string head = ".version 8.5 .target sm_90 .entry k() { .reg .pred %p<4>; ";
    std::string same_names, scopes, locations, words, registers;
    for (int i = 0; i < 50000; ++i) {
        same_names += "{ .reg .b32 x; mov.u32 x, 1; l: bra l; }";
        locations += ".loc 1 " + std::to_string(i % 100) + " 1, function_name f, inlined_at 1 " +
                     std::to_string((i + 1) % 100) + " 1 ret;";
        words += ".u32";
        registers += ".reg .b32 %a" + std::to_string(i) + "<10>; ";
    }
    for (const std::string& middle : {same_names, locations, "add" + words + " %p1;", registers}) {
        auto start = std::chrono::steady_clock::now();
        ParseOutcome outcome = parse_all(head + middle + "ret; }", "x");
        if (outcome.errors.empty()) (void)print(outcome.module);
        std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        EXPECT_LT(taken.count(), 5.0) << middle.substr(0, 40);
    }
}

TEST(SupportDocument, IsUpToDate) {
    EXPECT_EQ(read(LOCKSTEP_SOURCE_DIR "/docs/ptx-support.md"), support_document())
        << "the table has changed: write docs/ptx-support.md anew";
}

}  // namespace
}  // namespace lockstep::ptx
