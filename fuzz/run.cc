// The whole way of a kernel: parse, link, build, shapes, machine view, code, LLVM's verifier, and a small
// launch with limits, watched or not. Input that begins like PTX is taken as it is; other input decides what
// a generated kernel does. What threads of a generated kernel compute must not depend on how it is run.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "exec/engine.h"
#include "fuzz/kernel-generator.h"
#include "fuzz/ptx-mutator.h"
#include "fuzz/ways.h"
#include "gpu/model.h"
#include "ptx/parser.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace lockstep;
using namespace lockstep::fuzz;

constexpr double timeout_seconds = 0.5;
constexpr std::size_t longest_choices = 400;   // bytes; no generated kernel uses more by much
constexpr std::size_t longest_text = 8 << 10;  // longer ones take seconds to compile

[[noreturn]] void complain(const std::string& what, const std::string& ptx) {
    std::fprintf(stderr, "%s\n---- PTX:\n%s\n", what.c_str(), ptx.c_str());
    std::abort();
}

// The simulated GPU, and the memory that kernels are given.
struct Gpu {
    gpu::GpuModel model;
    exec::DeviceMemory memory{64 << 20};
    std::uint64_t in = 0, out = 0;

    Gpu() {
        auto loaded = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
        if (!loaded) complain(loaded.error().to_string(), "");
        model = *loaded;
        in = *memory.allocate(input_bytes, exec::MemoryKind::device);
        out = *memory.allocate(output_bytes, exec::MemoryKind::device);
    }

    // Numbers that matter among any others.
    void fill() {
        static constexpr std::uint32_t numbers[] = {
            0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 31,         32,
            0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00000001,
            0x00800000, 0x7f7fffff, 0x4f000000, 0x3c003c00, 0x7fff7e00, 0x40490fdb};
        std::uint32_t state = 12345;
        for (std::size_t i = 0; i < input_bytes / 4; ++i) {
            state = state * 1664525 + 1013904223;
            std::uint32_t value = state >> 28 < 6 ? numbers[(state >> 8) % std::size(numbers)] : state;
            std::memcpy(reinterpret_cast<void*>(in + i * 4), &value, 4);
        }
        std::memset(reinterpret_cast<void*>(out), 0, output_bytes);
    }

    // What kernels left on the heap.
    void clean() {
        for (const exec::Allocation& one : memory.map().allocations())
            if (one.kind == exec::MemoryKind::heap) memory.release(one.address);
    }
};

Gpu& device() {
    static Gpu one;
    return one;
}

struct Outcome {
    bool loaded = false;
    std::optional<exec::Fault> fault;
    std::vector<std::uint8_t> memory;
};

void check(const std::optional<exec::Fault>& fault, const std::string& ptx) {
    if (fault && fault->kind == exec::FaultKind::compile_error &&
        (fault->message.find("internal error") != std::string::npos ||
         fault->message.find("cannot compile the kernel") != std::string::npos))
        complain(fault->message, ptx);
}

Outcome run(const std::string& ptx, const Way& way) {
    Gpu& gpu = device();
    Outcome outcome;
    auto module = exec::Module::load(
        ptx, "input", gpu.memory, gpu.model,
        exec::Options{.threads = way.threads, .timeout_seconds = timeout_seconds, .cpu = way.cpu});
    if (!module) return outcome;
    const exec::Kernel* kernel = (*module)->find_kernel("k");
    if (!kernel) return outcome;
    outcome.loaded = true;
    gpu.fill();
    KernelParams params{.in = gpu.in, .out = gpu.out, .n = most_threads};
    for (std::size_t i = 0; i < sizeof params.blob; ++i) params.blob[i] = static_cast<std::uint8_t>(i * 37);
    outcome.fault = launch(
        *kernel, {.grid = way.grid, .block = way.block, .params = std::as_bytes(std::span(&params, 1))}, way,
        gpu.model);
    check(outcome.fault, ptx);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(gpu.out);
    outcome.memory.assign(bytes, bytes + output_bytes);
    if (auto variable = (*module)->find_variable("glob")) {
        const auto* more = reinterpret_cast<const std::uint8_t*>(variable->address);
        outcome.memory.insert(outcome.memory.end(), more, more + variable->size);
    }
    module->reset();
    gpu.clean();
    return outcome;
}

// Takes out the lines that cannot be parsed.
std::string mended(std::string ptx) {
    for (int round = 0; round < 4; ++round) {
        const ptx::ParseOutcome parsed = ptx::parse_all(ptx, "input");
        if (parsed.errors.empty()) break;
        std::set<int> bad;
        for (const Error& error : parsed.errors) bad.insert(error.place.line);
        std::string kept;
        int number = 1;
        for (std::size_t at = 0; at < ptx.size(); ++number) {
            const std::size_t end = ptx.find('\n', at) + 1;
            if (!bad.contains(number)) kept.append(ptx, at, end - at);
            at = end;
        }
        ptx = std::move(kept);
    }
    return ptx;
}

void compare(const Outcome& one, const Way& first, const Outcome& other, const Way& second,
             const std::string& ptx) {
    auto timed_out = [](const Outcome& outcome) {
        return outcome.fault && outcome.fault->kind == exec::FaultKind::timeout;
    };
    if (timed_out(one) || timed_out(other)) return;
    auto text = [](const Outcome& outcome) {
        return outcome.fault ? outcome.fault->message : std::string("no fault");
    };
    if (one.fault.has_value() != other.fault.has_value())
        complain(fmt::format("{}: {}\n{}: {}", first.name, text(one), second.name, text(other)), ptx);
    if (one.fault) return;
    for (std::size_t i = 0; i < one.memory.size(); ++i)
        if (one.memory[i] != other.memory[i])
            complain(fmt::format("byte {} is {:#x} ({}) and {:#x} ({})", i, one.memory[i], first.name,
                                 other.memory[i], second.name),
                     ptx);
}

void run_generated(std::span<const std::uint8_t> bytes) {
    Choices choices(bytes);
    const std::uint8_t how = choices.byte();
    const GeneratedKernel kernel = generate_kernel(choices);
    const std::string ptx = mended(kernel.ptx);
    if (std::getenv("LOCKSTEP_FUZZ_PRINT")) std::fprintf(stderr, "%s", ptx.c_str());
    static constexpr std::uint32_t sizes[] = {32, 64, 48, 20};
    const std::uint32_t block = sizes[how & 3];
    Way plain{.grid = {2}, .block = {block}, .name = "plain"};
    Way other = plain;
    switch (how >> 2 & 7) {
        case 0:
            other.block = {block / 4, 4};
            other.name = "rows that are no warps";
            break;
        case 1:
            if (kernel.company == Company::alone) {
                other.grid = {2 * block}, other.block = {1};
                other.name = "one thread a block";
                break;
            }
            [[fallthrough]];
        case 2:
        case 3:
            other.watched = true, other.name = "watched";
            other.detailed = (how >> 2 & 7) == 3;
            break;
        case 4:
#if defined(__x86_64__)
            other.cpu = "x86-64";
#else
            other.cpu = "generic";
#endif
            other.name = "for a plain CPU";
            break;
        case 5: other.threads = 2, other.watched = true, other.name = "watched on two workers"; break;
        default: other.threads = 2, other.name = "on two workers"; break;
    }
    const Outcome first = run(ptx, plain);
    if (!first.loaded) return;
    if (std::getenv("LOCKSTEP_FUZZ_PRINT") && first.fault)
        std::fprintf(stderr, "%s\n", first.fault->message.c_str());
    if (first.fault && first.fault->kind == exec::FaultKind::compile_error) return;
    const Outcome second = run(ptx, other);
    // Blocks on two workers take turns in any order, and so do their barriers and atomics with results.
    const bool repeats =
        kernel.company == Company::alone || (kernel.company == Company::grouped && other.threads == 1);
    if (repeats) compare(first, plain, second, other, ptx);
}

// Every entry once, with pointers where pointers fit and a small number elsewhere.
void run_text(std::string_view text) {
    Gpu& gpu = device();
    const ptx::ParseOutcome parsed = ptx::parse_all(text, "input");
    if (!parsed.errors.empty()) return;
    std::vector<std::string> entries;
    for (const ptx::Function& function : parsed.module.functions)
        if (function.entry && !function.declaration) entries.push_back(function.name);
    Way way{.grid = {2}, .block = {64}};
    way.watched = text.size() % 2 == 1;
    auto module = exec::Module::load(text, "input", gpu.memory, gpu.model,
                                     exec::Options{.threads = 1, .timeout_seconds = timeout_seconds});
    if (!module) return;
    if (entries.size() > 2) entries.resize(2);
    for (const std::string& name : entries) {
        const exec::Kernel* kernel = (*module)->find_kernel(name);
        if (!kernel) continue;
        const exec::KernelInfo& info = exec::kernel_info(*kernel);
        if (info.param_bytes > 4096) continue;
        exec::Launch one{.grid = way.grid, .block = way.block, .dynamic_shared_bytes = 1024};
        if (!fits(info, one, gpu.model)) continue;
        std::vector<std::byte> params(info.param_bytes);
        for (const exec::ParamInfo& param : info.params) {
            const std::uint64_t value = param.size == 8 ? (param.offset % 16 ? gpu.in : gpu.out) : 64;
            if (param.size <= 8) std::memcpy(params.data() + param.offset, &value, param.size);
        }
        one.params = params;
        gpu.fill();
        check(launch(*kernel, one, way, gpu.model), std::string(text));
    }
    module->reset();
    gpu.clean();
}

bool is_text(std::span<const std::uint8_t> bytes) {
    return !bytes.empty() && (bytes[0] == '.' || bytes[0] == '/');
}

}  // namespace

// What kernels print is nobody's business here.
extern "C" int LLVMFuzzerInitialize(int*, char***) { return std::freopen("/dev/null", "w", stdout) ? 0 : 1; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(data, size);
    if (is_text(bytes) && size <= longest_text)
        run_text({reinterpret_cast<const char*>(data), size});
    else if (!is_text(bytes))
        run_generated(bytes);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    if (!is_text({data, size}))
        return LLVMFuzzerMutate(data, std::min(size, longest_choices), std::min(most, longest_choices));
    if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, most);
    const std::string changed = mutate_ptx({reinterpret_cast<const char*>(data), size}, seed);
    const std::size_t bytes = std::min(changed.size(), most);
    std::memcpy(data, changed.data(), bytes);
    return bytes;
}
