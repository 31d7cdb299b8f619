// Code for machines that this is not. One machine belongs to one CPU family and has one set of instructions;
// what code generation asks for is different on each, so every golden kernel and the examples' kernels are
// compiled (not run) for CPUs of both families. A function that generated code calls and lockstep does not
// have is an error of compile_for.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "compile/files.h"
#include "compile/unit.h"
#include "exec/engine.h"
#include "golden/cases.h"
#include "golden/programs.h"
#include "gpu/model.h"
#include "own-toolchain.h"
#include "ptx/parser.h"

namespace {

using namespace lockstep;
namespace fs = std::filesystem;

const fs::path source_directory = LOCKSTEP_SOURCE_DIR;

// Each CPU gets its share of the cases; neighbours in a list are alike, and go to different ones. For the
// plainest CPU of the other family, which lacks the most, it is every second, for those with more every
// sixth.

struct Machine {
    std::string name, triple, cpu;
    std::size_t every, first;  // cases
};

void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.triple << " " << machine.cpu; }

const Machine x86 = {"x86_64", "x86_64-linux-gnu", "x86-64", 2, 0};
const Machine avx2 = {"avx2", "x86_64-linux-gnu", "haswell", 6, 0};
const Machine avx512 = {"avx512", "x86_64-linux-gnu", "skylake-avx512", 6, 2};
const Machine avx512_half = {"avx512_half", "x86_64-linux-gnu", "sapphirerapids", 6,
                             4};  // with BF16 and FP16
const Machine arm = {"arm64", "aarch64-linux-gnu", "generic", 2, 0};
const Machine sve = {"sve", "aarch64-linux-gnu", "neoverse-v1", 6, 1};  // with BF16 and FP16

// The plainest CPU of this machine's own family is missing: plain_cpu.conformance compiles the same kernels
// for it and runs them.
#if defined(__x86_64__)
const std::vector<Machine> machines = {avx2, avx512, avx512_half, arm, sve};
#else
const std::vector<Machine> machines = {x86, avx2, avx512, avx512_half, sve};
#endif

std::string machine_name(const testing::TestParamInfo<Machine>& info) { return info.param.name; }

class OtherMachines : public testing::Test {
  protected:
    OtherMachines() : memory_(std::uint64_t{1} << 30) {
        auto model = gpu::load_model(source_directory / "gpus/h200.toml");
        if (!model) throw std::runtime_error(model.error().to_string());
        model_ = *model;
    }

    void compile_kernels(const Machine& machine, const std::string& ptx, const std::string& name,
                         events::Wants wants = {}, std::size_t every = 1) {
        auto module = exec::Module::load(ptx, name, memory_, model_, {.timeout_seconds = 1});
        ASSERT_TRUE(module) << module.error().to_string();
        auto parsed = ptx::parse(ptx, name);
        std::size_t number = 0;
        for (const ptx::Function& function : parsed->functions) {
            if (number++ % every != machine.first % every) continue;
            const exec::Kernel* kernel = (*module)->find_kernel(function.name);
            if (!kernel) continue;  // a function of the device
            auto compiled = exec::compile_for(*kernel, machine.triple, machine.cpu, wants);
            EXPECT_TRUE(compiled) << name << ", " << function.name << " for " << machine.cpu << ": "
                                  << compiled.error().to_string();
        }
    }

    exec::DeviceMemory memory_;
    gpu::GpuModel model_;
};

class GoldenKernels : public OtherMachines, public testing::WithParamInterface<Machine> {};

TEST_P(GoldenKernels, Compile) {
    constexpr std::size_t cases_a_kernel = 16;
    const std::string lists = source_directory / "tests/golden/lists";
    for (const std::string& name : golden::list_names(lists)) {
        golden::Family family = golden::read_list(lists + "/" + name + ".txt");
        std::vector<const golden::Case*> cases;
        for (std::size_t i = 0; i < family.cases.size(); ++i)
            if (i % GetParam().every == GetParam().first) cases.push_back(&family.cases[i]);
        for (std::size_t at = 0; at < cases.size(); at += cases_a_kernel) {
            const std::vector<const golden::Case*> group(
                cases.begin() + at, cases.begin() + std::min(at + cases_a_kernel, cases.size()));
            compile_kernels(GetParam(), golden::group_module(group), group[0]->name + " and those after it");
        }
    }
    for (const auto& file : fs::directory_iterator(source_directory / "tests/golden/programs"))
        if (file.path().extension() == ".ptx") {
            // Kernels of matrix instructions differ in constants: some stand for all.
            const bool alike = file.path().filename().string().starts_with("matrix");
            compile_kernels(GetParam(), compile::read_file(file).value(), file.path().filename(), {},
                            GetParam().every * (alike ? 12 : 1));
        }
}

INSTANTIATE_TEST_SUITE_P(, GoldenKernels, testing::ValuesIn(machines), machine_name);

// What clang makes of CUDA C++, as launches that are watched have it compiled: that code does more. Half of
// the examples for the CPU with the least, half for one with the most; all for all would take minutes.
class ProgramKernels : public OtherMachines {};

TEST_F(ProgramKernels, Compile) {
    std::vector<fs::path> programs;
    for (const auto& file : fs::directory_iterator(source_directory / "examples"))
        if (file.path().extension() == ".cu") programs.push_back(file);
    std::sort(programs.begin(), programs.end());
    const compile::Toolchain toolchain = own_toolchain();
    auto scratch = compile::TempDir::create();
    ASSERT_TRUE(scratch);
    const fs::path ptx = scratch->path() / "device.ptx";
    for (std::size_t i = 0; i < programs.size(); ++i) {
        auto compiled = compile::compile_to_ptx(toolchain, programs[i], {}, ptx);
        ASSERT_TRUE(compiled) << compiled.error().to_string();
        compile_kernels(i % 2 ? sve : x86, compile::read_file(ptx).value(), programs[i].filename(),
                        events::profile_wants);
    }
}

// A machine whose code needs a function that is in no list: a 32-bit one divides 64-bit numbers by a call.
class OddMachine : public OtherMachines {};

TEST_F(OddMachine, IsToldWhichFunctionIsMissing) {
    auto module = exec::Module::load(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry divide(.param .u64 p) {
    .reg .b64 %r<4>;
    ld.param.u64 %r1, [p];
    ld.global.u64 %r2, [%r1];
    div.u64 %r3, %r1, %r2;
    st.global.u64 [%r1], %r3;
    ret;
})",
                                     "divide.ptx", memory_, model_, {});
    ASSERT_TRUE(module) << module.error().to_string();
    auto compiled = exec::compile_for(*(*module)->find_kernel("divide"), "i686-linux-gnu", "i686");
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().to_string().find("__udivdi3, which lockstep does not have"), std::string::npos)
        << compiled.error().to_string();
}

}  // namespace
