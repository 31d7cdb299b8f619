#include "session/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

#include "base/pattern.h"
#include "gpu/model-settings.h"

namespace lockstep::session {
namespace {

constexpr std::uint64_t draft_threads = 8192;  // exec::Options

template <class Number>
Result<Number> number(const char* variable, std::string_view text, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
        return Error{fmt::format("{}={}: expected a number from {} to {}", variable, text, least, most), {}};
    return value;
}

Result<void> read_profile(const std::function<const char*(const char*)>& value, ProfileOptions& profile) {
    if (const char* text = value("LOCKSTEP_PROFILE")) {
        // The program may go to another directory before it launches anything.
        std::error_code ignored;
        profile.file = std::filesystem::absolute(text, ignored);
    }
    if (const char* text = value("LOCKSTEP_KERNELS")) {
        profile.kernels = text;
        if (!base::Pattern::create(profile.kernels))
            return Error{fmt::format("LOCKSTEP_KERNELS={}: expected a regular expression", text), {}};
    }
    if (const char* text = value("LOCKSTEP_KERNEL_NAMES")) {
        const auto names = base::kernel_names(text);
        if (!names)
            return Error{
                fmt::format("LOCKSTEP_KERNEL_NAMES={}: expected demangled, qualified, function or mangled",
                            text),
                {}};
        profile.names = *names;
    }
    for (const auto& [variable, pattern] : {std::pair{"LOCKSTEP_STREAMS", &profile.streams},
                                            std::pair{"LOCKSTEP_INVOCATIONS", &profile.invocations}})
        if (const char* text = value(variable)) {
            *pattern = text;
            if (!base::Pattern::create(text))
                return Error{fmt::format("{}={}: expected a regular expression", variable, text), {}};
        }
    if (const char* text = value("LOCKSTEP_NVTX_INCLUDE")) profile.nvtx_include = text;
    if (const char* text = value("LOCKSTEP_NVTX_EXCLUDE")) profile.nvtx_exclude = text;
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    for (const auto& [variable, skipped] : {std::pair{"LOCKSTEP_LAUNCH_SKIP", &profile.skip},
                                            std::pair{"LOCKSTEP_LAUNCH_SKIP_ALL", &profile.skip_before}})
        if (const char* text = value(variable)) {
            const auto skip = number<std::uint64_t>(variable, text, 0, most);
            if (!skip) return skip.error();
            *skipped = *skip;
        }
    if (const char* text = value("LOCKSTEP_PROFILE_FROM_START")) {
        const std::string_view when = text;
        if (when != "0" && when != "1" && when != "always")
            return Error{fmt::format("LOCKSTEP_PROFILE_FROM_START={}: expected 0, 1 or always", text), {}};
        profile.from_start = when != "0";
        profile.heeds_calls = when != "always";
    }
    if (const char* text = value("LOCKSTEP_LAUNCH_COUNT")) {
        const auto count = number<std::uint64_t>("LOCKSTEP_LAUNCH_COUNT", text, 0, most);
        if (!count) return count.error();
        profile.count = *count;
    }
    return {};
}

Result<bool> choice(const char* variable, std::string_view text, std::string_view no, std::string_view yes) {
    if (text == yes) return true;
    if (text == no) return false;
    return Error{fmt::format("{}={}: expected {} or {}", variable, text, no, yes), {}};
}

// What is empty is not set.
auto non_empty(const std::function<const char*(const char*)>& get) {
    return [&get](const char* name) -> const char* {
        const char* text = get(name);
        return text && *text ? text : nullptr;
    };
}

Result<void> read_clock(const std::function<const char*(const char*)>& value, ClockOptions& clock) {
    clock.simulated = true;
    if (const char* text = value("LOCKSTEP_CLOCK")) {
        const auto simulated = choice("LOCKSTEP_CLOCK", text, "wall", "simulated");
        if (!simulated) return simulated.error();
        clock.simulated = *simulated;
    }
    if (const char* text = value("LOCKSTEP_HOST")) {
        const auto measured = choice("LOCKSTEP_HOST", text, "free", "measured");
        if (!measured) return measured.error();
        clock.host_measured = *measured;
    }
    if (const char* text = value("LOCKSTEP_TIMELINE")) {
        std::error_code ignored;
        clock.timeline = std::filesystem::absolute(text, ignored);
        if (!clock.simulated)
            return Error{"LOCKSTEP_TIMELINE: a timeline needs the simulated clock, not LOCKSTEP_CLOCK=wall",
                         {}};
    }
    // The variable is CUDA's, and programs set it themselves: what makes no sense is taken as the driver
    // takes it.
    if (const char* text = value("CUDA_DEVICE_MAX_CONNECTIONS")) {
        const int connections = std::atoi(text);
        if (connections > 0) clock.connections = std::min(connections, timing::most_connections);
    }
    return {};
}

Result<bool> flag(const char* variable, std::string_view text) {
    if (text == "1") return true;
    if (text.empty() || text == "0") return false;
    return Error{fmt::format("{}={}: expected 0 or 1", variable, text), {}};
}

Result<void> read_watch(const std::function<const char*(const char*)>& value, WatchOptions& watch) {
    for (const auto& [variable, option] :
         {std::pair{"LOCKSTEP_DETAILED", &watch.detailed}, std::pair{"LOCKSTEP_WHAT_IF", &watch.what_if},
          std::pair{"LOCKSTEP_SAMPLE", &watch.sample}, std::pair{"LOCKSTEP_REPEATS", &watch.repeats}})
        if (const char* text = value(variable)) {
            const auto on = flag(variable, text);
            if (!on) return on.error();
            *option = *on;
        }
    if (watch.sample && watch.detailed)
        return Error{
            "LOCKSTEP_SAMPLE=1 executes a part of the blocks, LOCKSTEP_DETAILED=1 replays all: only "
            "one of them",
            {}};
    return {};
}

Result<void> read_check(const std::function<const char*(const char*)>& value, CheckOptions& check) {
    if (const char* text = value("LOCKSTEP_CHECK")) {
        std::error_code ignored;
        check.file = std::filesystem::absolute(text, ignored);
    }
    if (const char* text = value("LOCKSTEP_CHECK_SCHEDULES")) {
        const auto count = number("LOCKSTEP_CHECK_SCHEDULES", text, 0, 1000);
        if (!count) return count.error();
        check.schedules = *count;
    }
    if (const char* text = value("LOCKSTEP_CHECK_SEED")) {
        const auto seed =
            number("LOCKSTEP_CHECK_SEED", text, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
        if (!seed) return seed.error();
        check.seed = *seed;
    }
    const char* tools = value("LOCKSTEP_CHECK_TOOLS");
    if (!tools) return {};
    check.memory = check.races = check.synchronisation = check.initialisation = check.leaks = check.host =
        check.undefined = false;
    const std::string_view given = tools;
    for (std::size_t begin = 0; begin <= given.size();) {
        const std::size_t end = std::min(given.find(',', begin), given.size());
        const std::string_view tool = given.substr(begin, end - begin);
        begin = end + 1;
        if (tool == "memcheck")
            check.memory = true;
        else if (tool == "racecheck")
            check.races = true;
        else if (tool == "synccheck")
            check.synchronisation = true;
        else if (tool == "initcheck")
            check.initialisation = true;
        else if (tool == "leak")
            check.leaks = true;
        else if (tool == "host")
            check.host = true;
        else if (tool == "undefined")
            check.undefined = true;
        else if (tool == "nan")
            check.nans = true;
        else if (tool == "overflow")
            check.overflow = true;
        else if (tool == "fragile")
            check.fragile = true;
        else
            return Error{fmt::format("LOCKSTEP_CHECK_TOOLS: '{}' is none of memcheck, racecheck, synccheck, "
                                     "initcheck, leak, host, undefined, nan, overflow, fragile",
                                     tool),
                         {}};
    }
    return {};
}

}  // namespace

Result<ClockOptions> read_clock_options(const std::function<const char*(const char*)>& get) {
    ClockOptions clock;
    if (auto read = read_clock(non_empty(get), clock); !read) return read.error();
    return clock;
}

Result<Options> read_options(const std::function<const char*(const char*)>& get,
                             const std::filesystem::path& default_models, Dialect dialect) {
    Options options;
    options.models = default_models;
    options.dialect = dialect;
    if (dialect == Dialect::hip) options.gpu = gpu::default_hip_model;
    const auto value = non_empty(get);
    if (const char* text = value("LOCKSTEP_GPU")) options.gpu = text;
    if (const char* text = value("LOCKSTEP_DEVICES")) {
        const std::string_view given = text;
        if (given.find_first_not_of("0123456789") == given.npos) {
            const auto count = number("LOCKSTEP_DEVICES", given, 1, most_devices);
            if (!count) return count.error();
            options.devices = *count;
        } else {
            for (std::size_t begin = 0; begin <= given.size();) {
                const std::size_t end = std::min(given.find(',', begin), given.size());
                options.gpus.emplace_back(given.substr(begin, end - begin));
                begin = end + 1;
            }
            if (options.gpus.size() > most_devices)
                return Error{fmt::format("LOCKSTEP_DEVICES has {} devices; {} are possible",
                                         options.gpus.size(), most_devices),
                             {}};
        }
    }
    if (const char* text = value("LOCKSTEP_SET")) options.settings = gpu::split_settings(text);
    if (const char* text = value("LOCKSTEP_GPUS_DIR")) options.models = text;
    if (const char* text = value("LOCKSTEP_PTX")) options.ptx = text;
    if (const char* text = value("LOCKSTEP_CPU")) options.exec.cpu = text;
    options.exec.draft_threads = draft_threads;
    if (const char* text = value("LOCKSTEP_DRAFTS")) {
        const auto on = flag("LOCKSTEP_DRAFTS", text);
        if (!on) return on.error();
        if (!*on) options.exec.draft_threads = 0;
    }
    if (const char* text = value("LOCKSTEP_THREADS")) {
        const auto threads = number<int>("LOCKSTEP_THREADS", text, 0, 4096);
        if (!threads) return threads.error();
        options.exec.threads = *threads;
    }
    if (const char* text = value("LOCKSTEP_TIMEOUT")) {
        const auto seconds = number<double>("LOCKSTEP_TIMEOUT", text, 0.0, 1e9);
        if (!seconds) return seconds.error();
        options.exec.timeout_seconds = *seconds;
    }
    if (const char* text = value("LOCKSTEP_STATS")) {
        const auto on = flag("LOCKSTEP_STATS", text);
        if (!on) return on.error();
        options.stats = options.exec.count_instructions = *on;
    }
    if (const char* text = value("LOCKSTEP_VERBOSE")) {
        const auto on = flag("LOCKSTEP_VERBOSE", text);
        if (!on) return on.error();
        options.verbosity = *on ? Verbosity::all : Verbosity::quiet;
    }
    if (const char* text = value("LOCKSTEP_MEMORY")) {
        const auto as_gpu = choice("LOCKSTEP_MEMORY", text, "exact", "gpu");
        if (!as_gpu) return as_gpu.error();
        if (*as_gpu) options.memory = exec::MemoryRules::gpu;
    }
    if (const char* text = value("LOCKSTEP_BLOCK")) {
        options.block = gpu::parse_dimensions(text);
        if (!options.block || gpu::count(*options.block) == 0)
            return Error{
                fmt::format("LOCKSTEP_BLOCK={}: expected threads of a block, as 256, 32x8 or 8x8x4", text),
                {}};
    }
    auto cache = base::cache_settings(value);
    if (!cache) return cache.error();
    options.exec.cache = base::FileCache(*cache);
    if (auto read = read_profile(value, options.profile); !read) return read.error();
    if (auto read = read_clock(value, options.clock); !read) return read.error();
    if (auto read = read_watch(value, options.watch); !read) return read.error();
    if (const char* text = value("LOCKSTEP_PROGRESS")) {
        const auto on = flag("LOCKSTEP_PROGRESS", text);
        if (!on) return on.error();
        options.progress = *on;
    }
    if (auto read = read_check(value, options.check); !read) return read.error();
    if (options.watch.sample && options.profile.file.empty() && !options.clock.simulated)
        return Error{
            "LOCKSTEP_SAMPLE=1 predicts times: it needs the simulated clock, not LOCKSTEP_CLOCK=wall", {}};
    if (options.watch.sample && !options.check.file.empty())
        return Error{"LOCKSTEP_SAMPLE=1 leaves blocks out, which LOCKSTEP_CHECK has to see", {}};
    // What checks are told has to come in the order in which it happened.
    if (!options.check.file.empty()) {
        options.exec.threads = 1;
        options.exec.exact_variables = options.check.memory;
    }
    return options;
}

}  // namespace lockstep::session
