// Runs a kernel given as PTX in this process, for tests of what execution allows and refuses.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <source_location>
#include <string>
#include <vector>

#include "exec/engine.h"

namespace lockstep::exec {

class KernelRun : public testing::Test {
  protected:
    static constexpr std::uint64_t out_bytes = 1 << 16;
    std::uint32_t rows = 1;  // of a block's threads

    struct Ending {
        std::optional<Error> refused;  // it could not be loaded
        std::optional<Fault> fault;

        std::string text() const {
            return refused ? "refused: " + refused->to_string() : fault ? fault->message : "";
        }
    };

    // A whole module whose kernel is k(out). `out` stays the same over several runs of one test.
    Ending run_module(const std::string& text, std::uint32_t threads = 32, std::uint32_t grid = 1) {
        auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
        EXPECT_TRUE(model);
        auto loaded = Module::load(".version 8.0\n.target sm_90\n.address_size 64\n" + text, "test", memory,
                                   *model, options);
        if (!loaded) return {loaded.error(), {}};
        if (out == 0) out = *memory.allocate(out_bytes, MemoryKind::device);
        std::memset(reinterpret_cast<void*>(out), 0, out_bytes);
        const Kernel* kernel = (*loaded)->find_kernel("k");
        EXPECT_TRUE(kernel);
        std::vector<std::byte> params(std::max<std::size_t>(kernel_info(*kernel).param_bytes, 8));
        std::memcpy(params.data(), &out, 8);
        params.resize(kernel_info(*kernel).param_bytes);
        Launch launch{.grid = {grid, 1, 1}, .block = {threads / rows, rows, 1}, .params = params};
        return {{}, exec::run(*kernel, launch)};
    }

    // The body of k, with `before` in front of it: %rd1 is out, %r1 the thread's number.
    Ending run(const std::string& body, std::uint32_t threads = 32, std::uint32_t grid = 1,
               const std::string& before = "") {
        return run_module(before +
                              ".visible .entry k(.param .u64 out)\n{\n"
                              ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>;\n"
                              ".reg .f32 %f<9>; .reg .f64 %fd<9>;\n"
                              "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n" +
                              body + "\n}\n",
                          threads, grid);
    }

    std::uint32_t word(std::size_t index) const {
        std::uint32_t value;
        std::memcpy(&value, reinterpret_cast<const void*>(out + 4 * index), 4);
        return value;
    }

    void expect_fault(const Ending& ending, FaultKind kind, const std::string& pattern,
                      std::source_location where = std::source_location::current()) {
        const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "");
        ASSERT_TRUE(ending.fault) << ending.text();
        EXPECT_EQ(ending.fault->kind, kind) << ending.text();
        expect_part(ending.fault->message, pattern);
    }
    void expect_refused(const Ending& ending, const std::string& pattern,
                        std::source_location where = std::source_location::current()) {
        const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "");
        std::string why = ending.refused ? ending.refused->to_string()
                          : ending.fault && ending.fault->kind == FaultKind::compile_error
                              ? ending.fault->message
                              : "";
        ASSERT_NE(why, "") << ending.text();
        expect_part(why, pattern);
    }
    static void expect_part(const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no: " << part;
    }

    Options options{.threads = 2, .timeout_seconds = 120};
    DeviceMemory memory{1ull << 28};
    std::uint64_t out = 0;
};

}  // namespace lockstep::exec
