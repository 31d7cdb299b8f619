// Replays the conformance cases and compares with what a real GPU computed (tests/golden). To look at a few
// cases only, set LOCKSTEP_GOLDEN_CASE to a part of their names; LOCKSTEP_CPU is as for programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "exec/engine.h"
#include "golden/compare.h"
#include "golden/golden-file.h"
#include "golden/inputs.h"
#include "golden/programs.h"
#include "gpu/model.h"

namespace {

using namespace lockstep;
using namespace lockstep::golden;

const std::string directory = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/golden";

bool selected(const std::string& name) {
    const char* filter = std::getenv("LOCKSTEP_GOLDEN_CASE");
    return !filter || name.find(filter) != std::string::npos;
}

// The simulated GPU that cases run on.
class Engine {
  public:
    Engine() : memory_(std::uint64_t{1} << 30) {
        auto model = gpu::load_model(std::string(LOCKSTEP_SOURCE_DIR) + "/gpus/h200.toml");
        if (!model) throw std::runtime_error(model.error().to_string());
        model_ = *model;
    }

    Result<std::unique_ptr<exec::Module>> load(const std::string& ptx, const std::string& name) {
        const char* cpu = std::getenv("LOCKSTEP_CPU");
        return exec::Module::load(ptx, name, memory_, model_,
                                  exec::Options{.threads = 1, .timeout_seconds = 60, .cpu = cpu ? cpu : ""});
    }

    // Runs kernel(out, inputs…) and returns `out`, or the fault's message in `fault`.
    std::vector<std::uint8_t> run(const exec::Kernel& kernel, std::uint32_t grid, std::uint32_t block,
                                  const std::vector<std::pair<const void*, std::size_t>>& inputs,
                                  std::size_t out_bytes, std::string& fault) {
        std::vector<std::uint64_t> pointers = {allocate(out_bytes)};
        std::memset(reinterpret_cast<void*>(pointers[0]), 0, out_bytes);
        for (const auto& [data, size] : inputs) {
            pointers.push_back(allocate(size));
            std::memcpy(reinterpret_cast<void*>(pointers.back()), data, size);
        }
        exec::Launch launch{.grid = {grid}, .block = {block}, .params = std::as_bytes(std::span(pointers))};
        if (auto failed = exec::run(kernel, launch)) fault = failed->message;
        std::vector<std::uint8_t> results(out_bytes);
        std::memcpy(results.data(), reinterpret_cast<const void*>(pointers[0]), out_bytes);
        for (std::uint64_t pointer : pointers) memory_.release(pointer);
        return results;
    }

  private:
    std::uint64_t allocate(std::size_t size) {
        auto address = memory_.allocate(size, exec::MemoryKind::device);
        if (!address) throw std::runtime_error(address.error().to_string());
        return *address;
    }

    exec::DeviceMemory memory_;
    gpu::GpuModel model_;
};

// What is wrong with a case, or nothing.
std::optional<std::string> replay(Engine& engine, const exec::Module& module, const Case& c,
                                  const Recording& recording) {
    auto entry = recording.entries.find(c.name);
    if (entry == recording.entries.end()) return c.name + ": not recorded";
    Inputs inputs = make_inputs(c);
    if (inputs.hash != entry->second.input_hash) return c.name + ": recorded with other inputs; record again";
    const exec::Kernel* kernel = module.find_kernel(c.kernel);
    if (!kernel) return c.name + ": no such kernel";
    std::vector<std::pair<const void*, std::size_t>> buffers;
    for (const auto& operand : inputs.operands) buffers.emplace_back(operand.data(), operand.size());
    std::string fault;
    auto got =
        engine.run(*kernel, elements / block_size, block_size, buffers, entry->second.results.size(), fault);
    if (!fault.empty()) return c.name + ": " + fault;
    return first_difference(c, inputs, entry->second.results, got.data());
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, InstructionsComputeWhatTheGpuDid) {
    Family family = read_list(directory + "/lists/" + GetParam() + ".txt");
    Recording recording = read_recording(directory + "/recorded/" + GetParam() + ".golden");
    Engine engine;
    std::vector<const Case*> cases;
    for (const Case& c : family.cases)
        if (selected(c.name)) cases.push_back(&c);
    // All cases in one module; where one of them does not load, a module each, so that the others still
    // count.
    auto together = engine.load(ptx_module(cases), GetParam() + ".ptx");
    std::size_t failed = 0;
    for (const Case* c : cases) {
        std::optional<std::string> problem;
        if (together) {
            problem = replay(engine, **together, *c, recording);
        } else if (auto alone = engine.load(ptx_module({c}), c->name + ".ptx")) {
            problem = replay(engine, **alone, *c, recording);
        } else {
            problem = c->name + ": " + alone.error().to_string();
        }
        if (problem) ADD_FAILURE() << *problem, ++failed;
    }
    std::printf("%s: %zu of %zu cases agree with %s\n", GetParam().c_str(), cases.size() - failed,
                cases.size(), recording.header["gpu"].c_str());
}

INSTANTIATE_TEST_SUITE_P(Families, Golden, testing::ValuesIn(list_names(directory + "/lists")),
                         [](const auto& info) { return info.param; });

class GoldenPrograms : public testing::TestWithParam<Program> {};

TEST_P(GoldenPrograms, ThreadsActTogetherAsOnTheGpu) {
    const Program& program = GetParam();
    Recording recording = read_recording(directory + "/recorded/programs.golden");
    auto entry = recording.entries.find(program.kernel);
    ASSERT_NE(entry, recording.entries.end()) << "not recorded";
    std::ifstream file(directory + "/programs/" + program.file + ".ptx");
    std::stringstream ptx;
    ptx << file.rdbuf();
    Engine engine;
    auto module = engine.load(ptx.str(), program.file + ".ptx");
    ASSERT_TRUE(module) << module.error().to_string();
    const exec::Kernel* kernel = (*module)->find_kernel(program.kernel);
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

INSTANTIATE_TEST_SUITE_P(Programs, GoldenPrograms,
                         testing::ValuesIn(read_programs(directory + "/programs/list.txt")),
                         [](const auto& info) { return info.param.kernel; });

}  // namespace
