// lockstep omniperf: the command line, workloads and tables of omniperf 2, which is rocprof-compute since.
#include "report/omniperf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "cli/command.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/profiled-run.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/version.h"
#include "gpu/block-limits.h"

namespace lockstep::cli {
namespace omniperf_command {

constexpr const char* help =
    "lockstep omniperf profile -n NAME [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
    "lockstep omniperf analyze -p workloads/NAME/MI100 [OPTIONS]\n\n"
    "Takes omniperf's options, writes its workloads and prints its tables, for the simulated GPU.\n\n"
    "profile:\n"
    "  -n, --name X                 the workload's name\n"
    "  -p, --path X                 where workloads lie (default: workloads/NAME)\n"
    "  -k, --kernel X …             kernels whose names have one of these in them\n"
    "  --gpu X                      lockstep's own: an AMD GPU (see lockstep gpus; default: mi100)\n"
    "  --set X                      lockstep's own: one figure of the GPU, for example sms=8\n"
    "analyze:\n"
    "  -p, --path X …               the workload; others are compared with the first\n"
    "  -b, --block X …              panels, tables or rows: 2 10.3 15.1.4\n"
    "  -k, --kernel N …             kernels, as table 0.1 numbers them\n"
    "  -d, --dispatch N …           dispatches by number\n"
    "  -n, --normal-unit X          per_wave (default), per_cycle, per_second, per_kernel\n"
    "  -t, --time-unit X            s, ms, us, ns (default)\n"
    "  --decimal N                  digits behind the point (default: 2)\n"
    "  --max-stat-num N             rows of tables 0.1 and 0.2 (default: 10)\n"
    "  --list-stats                 kernels and dispatches alone\n"
    "  -o, --output X               into a file\n";

// An option, and the words up to the next one.
struct Word {
    std::string option;
    std::vector<std::string> values;
};

std::vector<Word> words_of(const std::vector<std::string>& arguments, std::vector<std::string>& program) {
    std::vector<Word> words;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& one = arguments[i];
        if (one == "--") {
            program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
            break;
        }
        if (one.size() > 1 && one[0] == '-') {
            const std::size_t equals = one.starts_with("--") ? one.find('=') : std::string::npos;
            words.push_back({one.substr(0, equals), {}});
            if (equals != std::string::npos) words.back().values.push_back(one.substr(equals + 1));
        } else if (words.empty()) {
            words.push_back({"", {one}});
        } else {
            words.back().values.push_back(one);
        }
    }
    return words;
}

int wrong(const std::string& message) {
    return fail("omniperf: " + message + " (see lockstep omniperf --help)", 2);
}

std::optional<std::size_t> whole(const std::string& text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
    return value;
}

int profile(const std::vector<std::string>& arguments) {
    std::vector<std::string> program;
    std::string name, path;
    ProfileRequest request;
    for (const Word& word : words_of(arguments, program)) {
        const auto is = [&](const char* letter, const char* full) {
            return word.option == letter || word.option == full;
        };
        const bool one = word.values.size() == 1 && !word.values[0].empty();
        if (is("-n", "--name")) {
            if (!one) return wrong(word.option + " needs a name");
            name = word.values[0];
        } else if (is("-p", "--path")) {
            if (!one) return wrong(word.option + " needs a folder");
            path = word.values[0];
        } else if (is("-k", "--kernel")) {
            std::string any;
            for (const std::string& part : word.values) {
                std::string escaped;
                for (const char c : part) {
                    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos)
                        escaped += '\\';
                    escaped += c;
                }
                any += (any.empty() ? "" : "|") + escaped;
            }
            request.selection.kernels = any;
        } else if (is("--gpu", "--gpu")) {
            if (!one) return wrong(word.option + " needs a GPU");
            request.program.gpu = word.values[0];
        } else if (is("--set", "--set")) {
            if (!one) return wrong(word.option + " needs a value");
            request.program.settings.push_back(word.values[0]);
        } else if (is("--no-roof", "--no-roof") || is("-b", "--block") || is("-V", "--verbose")) {
            continue;  // there is no roofline plot, and all counters are taken in one run
        } else if (is("--roof-only", "--roof-only")) {
            return wrong("--roof-only is not supported: there is no roofline plot");
        } else if (is("-d", "--dispatch")) {
            return wrong("--dispatch is not supported here: take analyze's");
        } else {
            return wrong(fmt::format("profile: unknown option {}",
                                     word.option.empty() ? word.values.front() : word.option));
        }
    }
    if (name.empty()) return wrong("profile needs -n NAME");
    if (name.find('/') != std::string::npos)
        return wrong("a workload's name has no '/': -p names its folder");
    if (program.empty()) return wrong("profile needs -- and a program");
    if (request.program.gpu.empty() && !getenv("LOCKSTEP_GPU")) request.program.gpu = gpu::default_hip_model;
    auto model = chosen_model(request.program.gpu, request.program.settings);
    if (!model) return fail("omniperf: " + model.error().to_string(), 2);
    const std::string soc = report::omniperf_soc(*model);
    if (soc.empty())
        return fail(
            fmt::format("omniperf: {} is none of the GPUs that omniperf knows (gfx908, gfx90a, gfx942); "
                        "take lockstep profile or lockstep rocprof",
                        model->name),
            2);
    request.command = "omniperf";
    request.rest = {program.front()};
    Context context;
    context.after_dashes.assign(program.begin() + 1, program.end());
    const compile::BlockedSignals signals;
    ProfiledRun profiled = run_profiled(request, context);
    if (!profiled.run || profiled.run->kernels.empty()) return profiled.status;
    auto workload = report::make_workload(*profiled.run, *model, name);
    if (!workload) return fail("omniperf: " + workload.error().to_string());
    const std::filesystem::path folder =
        (path.empty() ? std::filesystem::path("workloads") / name : std::filesystem::path(path)) / soc;
    if (auto written = report::write_workload(*workload, folder); !written)
        return fail("omniperf: " + written.error().to_string());
    fmt::print("[profiling] {} dispatches of {} kernels in {}\n", workload->dispatches.rows.size(),
               profiled.run->kernels.size(), folder.string());
    return profiled.status;
}

int analyze(const std::vector<std::string>& arguments) {
    std::vector<std::string> program;
    report::OmniperfView view;
    std::vector<std::string> paths;
    std::string output;
    for (const Word& word : words_of(arguments, program)) {
        const auto is = [&](const char* letter, const char* full) {
            return word.option == letter || word.option == full;
        };
        const std::string value = word.values.empty() ? "" : word.values.front();
        const auto one_of = [&](std::initializer_list<const char*> choices) {
            return std::ranges::find(choices, value) != choices.end();
        };
        if (is("-p", "--path")) {
            if (word.values.empty()) return wrong("-p needs a folder");
            paths.insert(paths.end(), word.values.begin(), word.values.end());
        } else if (is("-b", "--block")) {
            for (const std::string& block : word.values) {
                if (!report::is_omniperf_block(block))
                    return wrong(fmt::format("-b {}: there is no such block", block));
                view.blocks.insert(block);
            }
        } else if (is("-k", "--kernel") || is("-d", "--dispatch")) {
            for (const std::string& text : word.values) {
                const auto number = whole(text);
                if (!number) return wrong(fmt::format("{} {}: expected a number", word.option, text));
                (is("-k", "--kernel") ? view.kernels : view.dispatches).insert(*number);
            }
        } else if (is("-n", "--normal-unit")) {
            if (!one_of({"per_wave", "per_cycle", "per_second", "per_kernel"}))
                return wrong(
                    fmt::format("-n {}: there are per_wave, per_cycle, per_second, per_kernel", value));
            view.normal = value;
        } else if (is("-t", "--time-unit")) {
            if (!one_of({"s", "ms", "us", "ns"}))
                return wrong(fmt::format("-t {}: there are s, ms, us, ns", value));
            view.time_unit = value;
        } else if (is("--decimal", "--decimal") || is("--max-stat-num", "--max-stat-num")) {
            const auto number = whole(value);
            if (!number || *number > 1000)
                return wrong(fmt::format("{} {}: expected a number", word.option, value));
            if (word.option == "--decimal")
                view.decimal = static_cast<int>(std::min<std::size_t>(*number, 15));
            else
                view.most_stats = *number;
        } else if (is("--list-stats", "--list-kernels")) {
            view.list_stats = true;
        } else if (is("-o", "--output")) {
            if (const std::string bad = file_name(value); !bad.empty())
                return wrong(word.option + ": " + bad);
            output = value;
        } else if (is("-V", "--verbose")) {
            continue;
        } else if (is("--gui", "--gui")) {
            return wrong("--gui is not supported");
        } else {
            return wrong(
                fmt::format("analyze: unknown option {}", word.option.empty() ? value : word.option));
        }
    }
    if (paths.empty()) return wrong("analyze needs -p WORKLOAD");
    std::vector<report::OmniperfWorkload> workloads;
    for (const std::string& path : paths) {
        auto workload = report::read_workload(path);
        if (!workload) return fail("omniperf: " + workload.error().to_string());
        workloads.push_back(std::move(*workload));
    }
    auto text = report::analyze(workloads, view);
    if (!text) return fail("omniperf: " + text.error().to_string());
    return write_output(output.empty() ? "-" : output, *text);
}

}  // namespace omniperf_command

int omniperf_main(const std::vector<std::string>& arguments) {
    using namespace omniperf_command;
    const std::string mode = arguments.empty() ? "" : arguments[0];
    if (mode.empty() || mode == "-h" || mode == "--help") return write_output("-", help);
    if (mode == "-v" || mode == "--version")
        return write_output("-", fmt::format("omniperf: lockstep {}\n", compile::version()));
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (!rest.empty() && (rest[0] == "-h" || rest[0] == "--help")) return write_output("-", help);
    if (mode == "profile") return profile(rest);
    if (mode == "analyze") return analyze(rest);
    return wrong(fmt::format("there is no mode '{}': profile and analyze are there", mode));
}

void add_omniperf(CommandLine& line) {
    line.add_command("omniperf", "Profile HIP programs as omniperf does: its workloads and tables");
}

}  // namespace lockstep::cli
