#include "report/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/demangle.h"
#include "report/kernel-filter.h"
#include "report/metric-text.h"

namespace lockstep::report {
namespace {

using Op = Expectation::Op;

constexpr std::array<std::pair<std::string_view, Op>, 7> operators = {{{"==", Op::equal},
                                                                       {"!=", Op::unequal},
                                                                       {"<=", Op::at_most},
                                                                       {">=", Op::at_least},
                                                                       {"<", Op::less},
                                                                       {">", Op::greater},
                                                                       {"~", Op::about}}};

std::string_view trim(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

struct WrittenUnit {
    std::string_view name;
    double scale;
    std::optional<metrics::Unit> unit;
};
constexpr std::array<WrittenUnit, 19> written_units = {{
    {"", 1, {}},
    {"%", 1, {}},
    {"ns", 1, metrics::Unit::nanoseconds},
    {"us", 1e3, metrics::Unit::nanoseconds},
    {"ms", 1e6, metrics::Unit::nanoseconds},
    {"s", 1e9, metrics::Unit::nanoseconds},
    {"B", 1, metrics::Unit::bytes},
    {"KB", 1e3, metrics::Unit::bytes},
    {"MB", 1e6, metrics::Unit::bytes},
    {"GB", 1e9, metrics::Unit::bytes},
    {"KiB", 1024, metrics::Unit::bytes},
    {"MiB", 1024. * 1024, metrics::Unit::bytes},
    {"GiB", 1024. * 1024 * 1024, metrics::Unit::bytes},
    {"KB/s", 1e3, metrics::Unit::bytes_per_second},
    {"MB/s", 1e6, metrics::Unit::bytes_per_second},
    {"GB/s", 1e9, metrics::Unit::bytes_per_second},
    {"TB/s", 1e12, metrics::Unit::bytes_per_second},
    {"K", 1e3, metrics::Unit::count},
    {"M", 1e6, metrics::Unit::count},
}};

struct WrittenNumber {
    double value = 0;
    const WrittenUnit* unit = nullptr;
    double scaled() const { return value * unit->scale; }
};

// A number, perhaps with a unit; a % says nothing more than the metric's own does.
std::optional<WrittenNumber> number(std::string_view text) {
    text = trim(text);
    WrittenNumber result;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.value);
    if (text.empty() || error != std::errc()) return {};
    const std::string_view unit = trim(text.substr(static_cast<std::size_t>(end - text.data())));
    const auto* found = std::find_if(written_units.begin(), written_units.end(),
                                     [&](const WrittenUnit& one) { return one.name == unit; });
    if (found == written_units.end()) return {};
    result.unit = found;
    return result;
}

// Half of the last digit's worth.
double half_digit(std::string_view text) {
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos) return 0.5;
    const std::size_t digits = text.find_first_not_of("0123456789", point + 1);
    const std::size_t count = (digits == std::string_view::npos ? text.size() : digits) - point - 1;
    return 0.5 * std::pow(10.0, -static_cast<double>(count));
}

}  // namespace

Result<Expectation> parse_expectation(std::string_view text, const Place& place) {
    Expectation result;
    result.text = trim(text);
    result.place = place;
    const auto fail = [&](const std::string& why) {
        return Error{fmt::format("expectation '{}': {}; write 'KERNEL: METRIC OP VALUE', for example "
                                 "'reduce: gld_efficiency >= 90'",
                                 result.text, why),
                     place};
    };
    const std::string_view all = result.text;
    // A kernel's name may hold colons and operators, a metric's name neither: so read from the back.
    const std::size_t colon = all.rfind(':');
    if (colon == std::string_view::npos) return fail("there is no colon after the kernel");
    result.kernel = trim(all.substr(0, colon));
    if (result.kernel.empty()) return fail("there is no kernel before the colon (* means all)");
    const std::string_view condition = trim(all.substr(colon + 1));
    const std::size_t at = condition.find_first_of("=!<>~");
    if (at == std::string_view::npos) return fail("there is no operator (== != < <= > >= ~)");
    result.metric = trim(condition.substr(0, at));
    if (result.metric.empty()) return fail("there is no metric before the operator");
    if (result.metric == "time") result.metric = time_metric;
    std::string_view rest = condition.substr(at);
    const auto* found = std::find_if(operators.begin(), operators.end(), [&](const auto& entry) {
        return rest.substr(0, entry.first.size()) == entry.first;
    });
    if (found == operators.end()) return fail("the operators are == != < <= > >= ~");
    result.op = found->second;
    rest = trim(rest.substr(found->first.size()));

    const std::size_t plus = rest.find("+-");
    const std::string_view value = trim(rest.substr(0, plus));
    const auto parsed = number(value);
    if (!parsed)
        return fail(
            fmt::format("'{}' is no number, alone or with a unit (ns us ms s, B KB MB GB, GB/s …)", value));
    result.value = parsed->scaled();
    result.unit = parsed->unit->unit;
    if (plus != std::string_view::npos) {
        const auto tolerance = number(rest.substr(plus + 2));
        if (!tolerance || tolerance->value < 0) return fail("what follows +- is no number from 0 on");
        // "100us +- 5" is of microseconds, too.
        const bool bare = !tolerance->unit->unit;
        if (!bare && tolerance->unit->unit != result.unit)
            return fail("what follows +- has another unit than the value");
        if (result.op != Op::equal && result.op != Op::unequal && result.op != Op::about)
            return fail("+- goes with ==, != and ~ only");
        result.tolerance = bare ? tolerance->value * parsed->unit->scale : tolerance->scaled();
    } else if (result.op == Op::about) {
        result.tolerance = half_digit(value) * parsed->unit->scale;
    }
    if (auto named = check_kernel_pattern(result.kernel); !named) return fail(named.error().message);
    return result;
}

Result<std::vector<Expectation>> parse_expectations(std::string_view text, const std::string& file) {
    std::vector<Expectation> result;
    std::string errors;
    int line = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view one = text.substr(begin, end - begin);
        begin = end + 1;
        ++line;
        one = trim(one.substr(0, one.find('#')));
        if (one.empty()) continue;
        auto parsed = parse_expectation(one, {file, line});
        if (parsed)
            result.push_back(std::move(*parsed));
        else
            errors += (errors.empty() ? "" : "\n") + parsed.error().to_string();
    }
    if (!errors.empty()) return Error{errors, {}};
    return result;
}

bool Expectation::holds(double actual) const {
    // What the metrics' own arithmetic may round.
    const double slack = std::max(tolerance, 1e-9 * std::abs(value)) * (1 + 1e-12);
    switch (op) {
        case Op::equal:
        case Op::about: return std::abs(actual - value) <= slack;
        case Op::unequal: return std::abs(actual - value) > slack;
        case Op::less: return actual < value;
        case Op::at_most: return actual <= value;
        case Op::greater: return actual > value;
        case Op::at_least: return actual >= value;
    }
    return false;
}

std::vector<std::string> check(const Expectation& expectation, const std::string& metric,
                               const RunFile& run) {
    std::vector<std::string> failures;
    const std::string where = expectation.place.to_string();
    const auto fail = [&](const std::string& what) {
        failures.push_back(fmt::format("{}{} (expected {})", where.empty() ? "" : where + ": ", what,
                                       expectation.text.substr(expectation.text.rfind(':') + 2)));
    };
    bool any = false;
    for (const KernelResult& kernel : run.kernels) {
        if (!names_kernel(expectation.kernel, kernel.name)) continue;
        any = true;
        const auto index = run.metric(metric);
        const Aggregate* value = index ? &kernel.metrics[*index] : nullptr;
        if (!value || value->count == 0) {
            fail(fmt::format("{}: {} has no value", kernel.name, expectation.metric));
            continue;
        }
        // Between the smallest and the largest only != could fail, and only without them.
        bool holds = expectation.holds(value->min) && expectation.holds(value->max);
        if (expectation.op == Expectation::Op::unequal && value->min < expectation.value &&
            value->max > expectation.value)
            (void)run.each_launch([&](const StoredLaunch& stored) {
                if (stored.launch.kernel == kernel.name && stored.launch.values[*index])
                    holds &= expectation.holds(*stored.launch.values[*index]);
            });
        if (holds) continue;
        const auto shown = [&](double number) {
            return expectation.unit ? value_text(number, *expectation.unit) : exact_text(number);
        };
        const std::string range = value->min == value->max
                                      ? shown(value->min)
                                      : fmt::format("{} to {} in {}", shown(value->min), shown(value->max),
                                                    plural(value->count, "launch", "launches"));
        fail(fmt::format("{}: {} is {}", kernel.name, expectation.metric, range));
    }
    if (!any) {
        std::string names;
        for (const KernelResult& kernel : run.kernels)
            names += (names.empty() ? "" : ", ") + base::short_kernel_name(kernel.name);
        failures.push_back(fmt::format("{}expectation '{}': no kernel matches '{}'; {}",
                                       where.empty() ? "" : where + ": ", expectation.text,
                                       expectation.kernel,
                                       names.empty() ? "none was launched" : "launched were " + names));
    }
    return failures;
}

}  // namespace lockstep::report
