#include "session/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

namespace lockstep::session {
namespace {

template <class Number>
Result<Number> number(const char* variable, std::string_view text, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
        return Error{fmt::format("{}={}: expected a number from {} to {}", variable, text, least, most), {}};
    return value;
}

Result<bool> flag(const char* variable, std::string_view text) {
    if (text == "1") return true;
    if (text.empty() || text == "0") return false;
    return Error{fmt::format("{}={}: expected 0 or 1", variable, text), {}};
}

}  // namespace

Result<Options> read_options(const std::function<const char*(const char*)>& get,
                             const std::filesystem::path& default_models) {
    Options options;
    options.models = default_models;
    const auto value = [&](const char* name) -> const char* {
        const char* text = get(name);
        return text && *text ? text : nullptr;
    };
    if (const char* text = value("LOCKSTEP_GPU")) options.gpu = text;
    if (const char* text = value("LOCKSTEP_GPUS_DIR")) options.models = text;
    if (const char* text = value("LOCKSTEP_PTX")) options.ptx = text;
    if (const char* text = value("LOCKSTEP_CPU")) options.exec.cpu = text;
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
        options.verbose = *on;
    }
    return options;
}

}  // namespace lockstep::session
