// Replays the conformance cases and compares with what a real GPU computed (tests/golden). To look at a few
// cases only, set LOCKSTEP_GOLDEN_CASE to a part of their names; LOCKSTEP_CPU is as for programs;
// with LOCKSTEP_DRAFTS set, the kernels' drafts are run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "compile/files.h"
#include "exec/engine.h"
#include "golden-directory.h"
#include "golden/compare.h"
#include "golden/golden-file.h"
#include "golden/inputs.h"
#include "golden/programs.h"
#include "gpu/model.h"

namespace {

using namespace lockstep;
using namespace lockstep::golden;

bool selected(const std::string& name) {
    const char* filter = std::getenv("LOCKSTEP_GOLDEN_CASE");
    return !filter || name.find(filter) != std::string::npos;
}

// The simulated GPU that cases run on.
class Engine {
  public:
    Engine() : memory_(std::uint64_t{1} << 30), cache_(std::move(*compile::TempDir::create())) {
        auto model = gpu::load_model(std::string(LOCKSTEP_SOURCE_DIR) + "/gpus/h200.toml");
        if (!model) throw std::runtime_error(model.error().to_string());
        model_ = *model;
    }

    Result<std::unique_ptr<exec::Module>> load(const std::string& ptx, const std::string& name) {
        const char* cpu = std::getenv("LOCKSTEP_CPU");
        exec::Options options{.threads = 1, .timeout_seconds = 60, .cpu = cpu ? cpu : ""};
        if (std::getenv("LOCKSTEP_DRAFTS")) options.draft_threads = ~std::uint64_t{0};
        // Whatever a kernel calls, its code can be kept for the next run.
        options.cache = base::FileCache(cache_.path(), 1 << 30);
        options.warnings = &warnings_;
        return exec::Module::load(ptx, name, memory_, model_, options);
    }

    using Buffers = std::vector<std::pair<const void*, std::size_t>>;

    // Runs kernel(out, inputs…) and returns `out`, or the fault's message in `fault`.
    std::vector<std::uint8_t> run(const exec::Kernel& kernel, std::uint32_t grid, std::uint32_t block,
                                  const Buffers& inputs, std::size_t out_bytes, std::string& fault) {
        std::vector<std::uint64_t> pointers = place(inputs, out_bytes);
        launch(kernel, grid, block, pointers, fault);
        std::vector<std::uint8_t> results = read(pointers[0], out_bytes);
        for (std::uint64_t pointer : pointers) memory_.release(pointer);
        return results;
    }

    // Runs a group_module()'s kernel; what each of its cases computed.
    std::vector<std::vector<std::uint8_t>> run_group(const exec::Kernel& kernel,
                                                     const std::vector<Buffers>& inputs,
                                                     const std::vector<std::size_t>& out_bytes,
                                                     std::string& fault) {
        std::vector<std::uint64_t> table(inputs.size() * group_slots);
        for (std::size_t n = 0; n < inputs.size(); ++n)
            std::ranges::copy(place(inputs[n], out_bytes[n]),
                              table.begin() + static_cast<std::ptrdiff_t>(n * group_slots));
        std::uint64_t place_of_table = allocate(table.size() * 8);
        std::memcpy(reinterpret_cast<void*>(place_of_table), table.data(), table.size() * 8);
        launch(kernel, elements / block_size, block_size, {place_of_table}, fault);
        std::vector<std::vector<std::uint8_t>> results;
        for (std::size_t n = 0; n < inputs.size(); ++n)
            results.push_back(read(table[n * group_slots], out_bytes[n]));
        for (std::uint64_t pointer : table)
            if (pointer) memory_.release(pointer);
        memory_.release(place_of_table);
        return results;
    }

  private:
    std::uint64_t allocate(std::size_t size) {
        auto address = memory_.allocate(size, exec::MemoryKind::device);
        if (!address) throw std::runtime_error(address.error().to_string());
        return *address;
    }

    // The results' array, zero, and the inputs.
    std::vector<std::uint64_t> place(const Buffers& inputs, std::size_t out_bytes) {
        std::vector<std::uint64_t> pointers = {allocate(out_bytes)};
        std::memset(reinterpret_cast<void*>(pointers[0]), 0, out_bytes);
        for (const auto& [data, size] : inputs) {
            pointers.push_back(allocate(size));
            std::memcpy(reinterpret_cast<void*>(pointers.back()), data, size);
        }
        return pointers;
    }

    static std::vector<std::uint8_t> read(std::uint64_t from, std::size_t bytes) {
        std::vector<std::uint8_t> results(bytes);
        std::memcpy(results.data(), reinterpret_cast<const void*>(from), bytes);
        return results;
    }

    static void launch(const exec::Kernel& kernel, std::uint32_t grid, std::uint32_t block,
                       const std::vector<std::uint64_t>& parameters, std::string& fault) {
        exec::Launch launch{.grid = {grid}, .block = {block}, .params = std::as_bytes(std::span(parameters))};
        if (auto failed = exec::run(kernel, launch)) fault = failed->message;
    }

    exec::DeviceMemory memory_;
    gpu::GpuModel model_;
    compile::TempDir cache_;
    exec::Warnings warnings_{[](const std::string& text) { ADD_FAILURE() << text; }};
};

using Cases = std::vector<const Case*>;

struct Problem {
    std::string message;
    bool of_group = false;  // the module or its kernel failed as a whole: try its cases each by itself
};

// What is wrong with some cases, run in one kernel.
std::vector<Problem> replay(Engine& engine, const Cases& cases, const Recording& recording) {
    std::vector<Problem> problems;
    std::vector<Inputs> inputs;
    std::vector<Engine::Buffers> buffers;
    std::vector<std::size_t> bytes;
    for (const Case* c : cases) {
        inputs.push_back(make_inputs(*c));
        auto entry = recording.entries.find(c->name);
        bytes.push_back(entry == recording.entries.end() ? 0 : entry->second.results.size());
        if (bytes.back() == 0) return {{c->name + ": not recorded", true}};
        if (inputs.back().hash != entry->second.input_hash)
            return {{c->name + ": recorded with other inputs; record again", true}};
    }
    for (const Inputs& in : inputs) {
        Engine::Buffers& list = buffers.emplace_back();
        for (const auto& operand : in.operands) list.emplace_back(operand.data(), operand.size());
    }
    auto module = engine.load(group_module(cases), cases[0]->name + ".ptx");
    if (!module) return {{cases[0]->name + ": " + module.error().to_string(), true}};
    std::string fault;
    auto got = engine.run_group(*(*module)->find_kernel("group"), buffers, bytes, fault);
    if (!fault.empty()) return {{cases[0]->name + ": " + fault, true}};
    for (std::size_t n = 0; n < cases.size(); ++n) {
        const auto& expected = recording.entries.at(cases[n]->name).results;
        if (auto difference = first_difference(*cases[n], inputs[n], expected, got[n].data()))
            problems.push_back({*difference});
    }
    return problems;
}

// A family, in parts of about the same size, so that ctest can spread them over the cores.
struct Share {
    std::string family;
    std::size_t part = 0, parts = 1;
};

constexpr std::size_t cases_a_share = 128, cases_a_kernel = 16;

std::vector<Share> shares() {
    std::vector<Share> all;
    for (const std::string& name : list_names(golden_directory + "/lists")) {
        std::size_t count = read_list(golden_directory + "/lists/" + name + ".txt").cases.size();
        std::size_t parts = (count + cases_a_share - 1) / cases_a_share;
        for (std::size_t part = 0; part < parts; ++part) all.push_back({name, part, parts});
    }
    return all;
}

void PrintTo(const Share& share, std::ostream* out) { *out << share.family << " " << share.part; }

class Golden : public testing::TestWithParam<Share> {};

TEST_P(Golden, InstructionsComputeWhatTheGpuDid) {
    const auto& [name, part, parts] = GetParam();
    Family family = read_list(golden_directory + "/lists/" + name + ".txt");
    Recording recording = read_recording(golden_directory + "/recorded/" + name + ".golden");
    Engine engine;
    Cases cases;
    std::size_t count = family.cases.size();
    for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i)
        if (selected(family.cases[i].name)) cases.push_back(&family.cases[i]);
    std::size_t failed = 0;
    auto report = [&](const std::vector<Problem>& problems) {
        for (const Problem& problem : problems) ADD_FAILURE() << problem.message, ++failed;
    };
    for (std::size_t at = 0; at < cases.size(); at += cases_a_kernel) {
        Cases group(cases.begin() + static_cast<std::ptrdiff_t>(at),
                    cases.begin() + static_cast<std::ptrdiff_t>(std::min(at + cases_a_kernel, cases.size())));
        std::vector<Problem> problems = replay(engine, group, recording);
        if (!problems.empty() && problems[0].of_group)
            for (const Case* c : group) report(replay(engine, {c}, recording));
        else
            report(problems);
    }
    std::printf("%s: %zu of %zu cases agree with %s\n", name.c_str(), cases.size() - failed, cases.size(),
                recording.header["gpu"].c_str());
}

INSTANTIATE_TEST_SUITE_P(Families, Golden, testing::ValuesIn(shares()), [](const auto& info) {
    return info.param.family + (info.param.parts > 1 ? std::to_string(info.param.part) : "");
});

class GoldenPrograms : public testing::TestWithParam<Program> {};

std::string program_text(const std::string& name) {
    std::ifstream file(golden_directory + "/programs/" + name + ".ptx");
    std::stringstream ptx;
    ptx << file.rdbuf();
    return ptx.str();
}

void replay_program(Engine& engine, const exec::Kernel* kernel, const Program& program,
                    const Recording& recording) {
    auto entry = recording.entries.find(program.kernel);
    ASSERT_NE(entry, recording.entries.end()) << "not recorded";
    ASSERT_NE(kernel, nullptr);
    std::vector<std::uint32_t> input = program_input(program);
    ASSERT_EQ(hash_bytes(input.data(), input.size() * 4), entry->second.input_hash) << "record again";
    std::string fault;
    auto got = engine.run(*kernel, program.grid, program.block, {{input.data(), input.size() * 4}},
                          program.out_words * std::size_t{4}, fault);
    ASSERT_EQ(fault, "");
    ASSERT_EQ(got.size(), entry->second.results.size());
    for (std::size_t i = 0; i < program.out_words; ++i) {
        std::uint32_t expected, actual;
        std::memcpy(&expected, entry->second.results.data() + i * 4, 4);
        std::memcpy(&actual, got.data() + i * 4, 4);
        ASSERT_EQ(actual, expected) << "word " << i << " (thread " << i % program.block << " of block "
                                    << i / program.block << " where threads write one word each)";
    }
}

TEST_P(GoldenPrograms, ThreadsActTogetherAsOnTheGpu) {
    const Program& program = GetParam();
    Engine engine;
    auto module = engine.load(program_text(program.file), program.file + ".ptx");
    ASSERT_TRUE(module) << module.error().to_string();
    replay_program(engine, (*module)->find_kernel(program.kernel), program,
                   read_recording(golden_directory + "/recorded/programs.golden"));
}

// One test a file: its kernels are many, and share its module.
class GoldenMatrices : public testing::TestWithParam<const char*> {};

TEST_P(GoldenMatrices, HaveTheGpusBits) {
    Engine engine;
    auto module = engine.load(program_text(GetParam()), GetParam());
    ASSERT_TRUE(module) << module.error().to_string();
    const Recording recording = read_recording(golden_directory + "/recorded/matrix.golden");
    for (const Program& program : read_programs(golden_directory + "/programs/matrix.txt")) {
        if (program.file != GetParam()) continue;
        SCOPED_TRACE(program.kernel);
        replay_program(engine, (*module)->find_kernel(program.kernel), program, recording);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenMatrices,
                         testing::Values("matrix", "matrix-memory", "matrix-wmma", "matrix-wgmma",
                                         "matrix-wgmma-sparse"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

INSTANTIATE_TEST_SUITE_P(Programs, GoldenPrograms,
                         testing::ValuesIn(read_programs(golden_directory + "/programs/list.txt")),
                         [](const auto& info) { return info.param.kernel; });

}  // namespace
