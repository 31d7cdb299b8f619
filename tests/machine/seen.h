// A kernel in PTX and what the machine would issue for it.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "machine/view.h"
#include "ptx/parser.h"

namespace lockstep::machine {

struct Seen {
    ptx::Module module;
    kernel::Function function;
    View view;

    // Mnemonics in order, an expansion as NAMExN, the code of predicated blocks in brackets.
    std::string code() const {
        std::string text;
        for (kernel::BlockId b = 0; b < view.blocks.size(); ++b) {
            const bool predicated = view.blocks[b].issued_with != b;
            if (predicated) text += "[ ";
            for (const Instruction& instruction : view.blocks[b].code) {
                text += instruction.row().mnemonic;
                if (instruction.issues > 1) text += "x" + std::to_string(instruction.issues);
                if (instruction.on_divergence) text += "?";
                text += ' ';
            }
            if (predicated) text += "] ";
        }
        return text;
    }
    bool has(const std::string& mnemonic) const { return code().find(mnemonic) != std::string::npos; }
    int issues() const {
        int sum = 0;
        for (const Block& block : view.blocks)
            for (const Instruction& instruction : block.code)
                sum += instruction.on_divergence ? 0 : instruction.issues;
        return sum;
    }
    int branches() const {
        int sum = 0;
        for (const Block& block : view.blocks)
            for (const Instruction& instruction : block.code) sum += instruction.branches;
        return sum;
    }
};

inline gpu::GpuModel model(int major, int minor = 0) {
    gpu::GpuModel gpu;
    gpu.compute_major = major;
    gpu.compute_minor = minor;
    return gpu;
}

inline std::unique_ptr<Seen> look_at(const std::string& body, const gpu::GpuModel& gpu = model(9),
                                     Options options = {}) {
    std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 tile[1024];\n"
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".extern .func (.param .b64 result) __nv_exp(.param .b64 x);\n"
        ".entry k(.param .u64 p, .param .u32 n, .param .u32 m)\n{\n"
        ".reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<64>; .reg .f64 %fd<8>;\n" +
        body + "\n}\n";
    auto parsed = ptx::parse(text, "test.ptx");
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().to_string());
    if (!parsed) return nullptr;
    auto seen = std::make_unique<Seen>();
    seen->module = std::move(*parsed);
    auto function = kernel::build(seen->module, seen->module.functions.size() - 1,
                                  [](const std::string&) { return true; });
    EXPECT_TRUE(function) << (function ? "" : function.error().to_string());
    if (!function) return nullptr;
    seen->function = std::move(*function);
    seen->view = look(seen->function, gpu, options);
    return seen;
}

// tid.x in %r1, %p1 where it is odd, p in %rd1.
inline const std::string head =
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 1;\n";

inline std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

}  // namespace lockstep::machine
