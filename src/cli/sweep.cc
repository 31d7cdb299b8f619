// lockstep sweep: a program with many launch configurations, arguments or GPUs, side by side.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>

#include "base/hash.h"
#include "cli/command.h"
#include "cli/join-ranks.h"
#include "cli/models.h"
#include "cli/native-program.h"
#include "cli/option-checks.h"
#include "cli/point-pool.h"
#include "cli/profiled-run.h"
#include "cli/run-file-lock.h"
#include "cli/work-source.h"
#include "cli/write-output.h"
#include "compile/blocked-signals.h"
#include "compile/output-file.h"
#include "compile/version.h"
#include "report/metric-text.h"
#include "report/text-printer.h"
#include "sweep/kept-points.h"
#include "sweep/printers.h"

namespace lockstep::cli {
namespace sweep_command {

namespace fs = std::filesystem;

struct Options {
    ProgramOptions program;
    LaunchSelection selection;
    std::string blocks, metrics, sort = sweep::default_sorting, json, csv, log, points;
    std::vector<std::string> arguments;
    int jobs = 0;
};

constexpr const char* synopsis =
    "lockstep sweep [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep sweep [OPTIONS] EXECUTABLE [ARGUMENTS] [-- ARGUMENTS]\n\n";
constexpr const char* examples =
    "Every combination of the values given is a point; the program is run once for each. The table has a row "
    "a "
    "point, the\n"
    "quickest first. --block changes the launch under the program: it keeps the extents (grid times block), "
    "and "
    "what the\n"
    "kernel assumes of its block is not checked. The exit status is 0 if every point succeeded.\n"
    "Examples:\n"
    "  lockstep sweep sum.cu --kernel sumMatrix --block 32x32,32x16,64x2,128x1 -- 4096\n"
    "  lockstep sweep reduce.cu --arg 1=128,256,512 --gpu h200,gtx1650\n"
    "  lockstep sweep reduce.cu --set sms=1,2,4,8,16,32    the same program on larger and larger GPUs\n"
    "  lockstep sweep sum.cu --block 64,128,256 --sort gld_efficiency:desc --csv out.csv\n"
    "  lockstep sweep sum.cu --on gpu --block 32x32,64x4    on the GPU of this machine\n"
    "  mpirun -n 4 lockstep sweep sum.cu --block 32x32,64x4    points are shared by four processes";

// What is to be run and shown; the same in every rank.
struct Plan {
    sweep::Sweep sweep;
    sweep::Shown shown;
};

Result<std::vector<gpu::GpuModel>> models_of_points(const Options& options, const sweep::Sweep& sweep) {
    std::vector<gpu::GpuModel> models;
    if (!options.program.hardware.empty()) {
        const auto folder = model_directory();
        const std::string id =
            folder ? measure::model_of(options.program.hardware.front(), *folder) : std::string();
        if (id.empty()) return models;
        auto model = gpu::find_model(id, *folder);
        if (!model) return model.error();
        models.assign(sweep.points.size(), *model);
        return models;
    }
    for (const sweep::Point& point : sweep.points) {
        auto model =
            chosen_model_for_code(sweep::gpu_at(sweep.axes, point), sweep::settings_at(sweep.axes, point));
        if (!model) return model.error();
        models.push_back(std::move(*model));
    }
    return models;
}

Result<Plan> plan_of(const Options& options) {
    Plan plan;
    const auto vary = [&](Result<sweep::Axis> axis) -> Result<void> {
        if (!axis) return axis.error();
        plan.sweep.axes.push_back(std::move(*axis));
        return {};
    };
    if (!options.program.gpu.empty())
        if (auto done = vary(sweep::parse_gpus(options.program.gpu)); !done) return done.error();
    for (const std::string& text : options.program.settings)
        if (auto done = vary(sweep::parse_figure(text)); !done) return done.error();
    for (const std::string& text : options.arguments)
        if (auto done = vary(sweep::parse_argument(text)); !done) return done.error();
    if (!options.blocks.empty())
        if (auto done = vary(sweep::parse_blocks(options.blocks)); !done) return done.error();
    if (plan.sweep.axes.empty()) return Error{"nothing to vary: give --block, --arg, --gpu or --set", {}};
    auto points = sweep::cross_product(plan.sweep.axes);
    if (!points) return points.error();
    plan.sweep.points = std::move(*points);
    if (auto models = models_of_points(options, plan.sweep); models)
        plan.sweep.models = std::move(*models);
    else
        return models.error();

    if (!options.program.hardware.empty())
        plan.shown.measured_on = fmt::format("{} (the real one)", options.program.hardware.front().name);
    auto sorting = sweep::parse_sorting(options.sort);
    if (!sorting) return sorting.error();
    plan.shown.sorting = *sorting;
    const bool adds = options.metrics.empty() || options.metrics[0] == '+';
    if (adds) {
        auto usual = sweep::default_metrics();
        if (!usual) return usual.error();
        plan.shown.metrics = std::move(*usual);
    }
    plan.shown.only_with_values = options.metrics.empty();
    if (const std::string list = options.metrics.substr(adds && !options.metrics.empty() ? 1 : 0);
        !list.empty()) {
        auto selected = metrics::select_metrics(list);
        if (!selected) return selected.error();
        plan.shown.metrics.insert(plan.shown.metrics.end(), selected->begin(), selected->end());
    }
    if (auto checked = check_regex("--kernel", options.selection.kernels); !checked) return checked.error();
    return plan;
}

// How many programs run at once in this process, with how many threads each.
struct Share {
    int jobs = 1, threads = 1;
};

Share share_of(const Options& options, std::size_t points, const RankOfProcess& process) {
    // mpirun may have given each rank its own cores; if not, the ranks of a machine share them.
    const auto machine = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    const int ours = std::max(1, std::min(static_cast<int>(std::thread::hardware_concurrency()),
                                          machine / process.on_this_machine));
    const int most =
        static_cast<int>(std::min<std::size_t>(points, (points + static_cast<std::size_t>(process.size) - 1) /
                                                           static_cast<std::size_t>(process.size)));
    // Programs side by side on one GPU would measure each other.
    if (!options.program.hardware.empty()) return {};
    Share share;
    const char* variable = getenv("LOCKSTEP_THREADS");
    const int threads = options.program.threads > 0
                            ? options.program.threads
                            : std::max(0, variable && *variable ? std::atoi(variable) : 0);
    share.jobs = options.jobs > 0 ? options.jobs : std::clamp(threads > 0 ? ours / threads : ours, 1, most);
    share.threads = threads > 0 ? threads : std::max(1, ours / share.jobs);
    return share;
}

// Files and compiler options; for an executable, what follows it is its own.
void take_executables_arguments(std::vector<std::string>& rest, Context& context) {
    const auto first =
        std::find_if(rest.begin(), rest.end(), [](const std::string& text) { return text[0] != '-'; });
    if (first == rest.end() || !is_program(*first)) return;
    std::vector<std::string> own(first + 1, rest.end());
    const auto option =
        std::find_if(own.begin(), own.end(), [](const std::string& text) { return text[0] == '-'; });
    if (option != own.end()) return;  // which nobody knows: the message says so
    own.insert(own.end(), context.after_dashes.begin(), context.after_dashes.end());
    context.after_dashes = std::move(own);
    rest.erase(first + 1, rest.end());
}

// A line on the terminal that is written over.
class Progress {
  public:
    explicit Progress(std::size_t points) : points_(points), on_(isatty(STDERR_FILENO)) { show(0); }
    ~Progress() {
        if (on_) fmt::print(stderr, "\r\033[K");
    }
    void show(std::size_t done) {
        if (!on_) return;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
        std::string left;
        if (done != 0)
            left = fmt::format(", about {:.0f} s left", passed.count() / static_cast<double>(done) *
                                                            static_cast<double>(points_ - done));
        fmt::print(stderr, "\r\033[Klockstep: {} of {} points{}\r", done, points_, left);
        std::fflush(stderr);
    }

  private:
    std::size_t points_;
    bool on_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Until nobody has work for this process. The signal that ended it before, or 0.
int work(PointPool& pool, WorkSource& source, const std::vector<sweep::Point>& points, int jobs, bool alone,
         const compile::BlockedSignals& signals, const std::function<void()>& tick) {
    for (;;) {
        while (pool.running() < static_cast<std::size_t>(jobs)) {
            const auto number = source.next();
            if (!number) break;
            if (auto started = pool.start(*number, points[*number]); !started) {
                sweep::Outcome outcome;
                outcome.failure = started.error().to_string();
                source.done(*number, std::move(outcome));
            }
        }
        source.attend();
        if (pool.running() == 0 && source.finished()) return 0;
        siginfo_t info{};
        const int number =
            signals.wait(info, alone ? std::chrono::milliseconds(1000) : std::chrono::milliseconds(10));
        if (number != 0 && number != SIGCHLD) {
            pool.kill();
            return number;
        }
        for (auto& [point, outcome] : pool.collect()) source.done(point, std::move(outcome));
        tick();
    }
}

// Failed programs have something to say.
void print_failures(const sweep::Sweep& sweep) {
    for (std::size_t p = 0; p < sweep.points.size(); ++p) {
        const sweep::Outcome& outcome = sweep.outcomes[p];
        if (outcome.failure.empty()) continue;
        fail(fmt::format("{}: {}", sweep::to_string(sweep.points[p]), outcome.failure));
        for (const std::string* text : {&outcome.output, &outcome.errors})
            if (!text->empty()) fmt::print(stderr, "{}{}", *text, text->ends_with('\n') ? "" : "\n");
    }
}

int show(const Options& options, const Plan& plan) {
    const sweep::Sweep& sweep = plan.sweep;
    const auto failures = static_cast<std::size_t>(std::count_if(
        sweep.outcomes.begin(), sweep.outcomes.end(), [](const auto& one) { return !one.failure.empty(); }));
    const bool same =
        std::all_of(sweep.outcomes.begin(), sweep.outcomes.end(), [&](const sweep::Outcome& one) {
            return !one.failure.empty() && one.failure == sweep.outcomes[0].failure;
        });
    if (same && sweep.outcomes[0].kernels.empty()) {
        // The same message in every row is no table.
        const sweep::Outcome& first = sweep.outcomes[0];
        for (const std::string* text : {&first.output, &first.errors}) fmt::print(stderr, "{}", *text);
        return fail(fmt::format("every point failed: {}", first.failure));
    }
    const auto rows = sweep::arrange(sweep, plan.shown.sorting);
    int status = failures == 0 ? 0 : 1;
    const auto write = [&](const std::string& file, const std::string& text) {
        status = std::max(status, write_output(file, text));
    };
    if (!options.json.empty()) write(options.json, sweep::json(sweep, rows, plan.shown));
    if (!options.csv.empty()) write(options.csv, sweep::csv(sweep, rows, plan.shown));
    if ((options.json != "-" && options.csv != "-") || !options.log.empty())
        write(options.log.empty() ? "-" : options.log,
              report::to_text(sweep::document(sweep, rows, plan.shown)));
    print_failures(sweep);
    if (failures != 0)
        fail(
            fmt::format("{} of {} failed", failures, report::plural(sweep.points.size(), "point", "points")));
    return status;
}

Prepared prepare(const Options& options, std::vector<std::string> rest, Context context) {
    ProgramOptions program = options.program;
    program.other_blocks = !options.blocks.empty();
    // Each point has its own, and one program serves them all.
    if (auto gpus = sweep::parse_gpus(program.gpu); gpus && !program.gpu.empty()) program.gpus = gpus->values;
    program.gpu.clear();
    program.settings.clear();
    program.threads = 0;
    take_executables_arguments(rest, context);
    return prepare_program("sweep", program, rest, context);
}

// A rank beside rank 0 says nothing itself: what it would print is kept.
class Quiet {
  public:
    explicit Quiet(const fs::path& file) : file_(file), before_(dup(STDERR_FILENO)) {
        std::fflush(stderr);
        const int target = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        dup2(target, STDERR_FILENO);
        close(target);
    }
    ~Quiet() {
        std::fflush(stderr);
        dup2(before_, STDERR_FILENO);
        close(before_);
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    std::string text() const {
        std::fflush(stderr);
        return compile::read_file(file_).value_or("");
    }

  private:
    fs::path file_;
    int before_;
};

constexpr const char* go = "go";

// A rank that works for rank 0.
int assist(const Options& options, const std::vector<std::string>& rest, const Context& context,
           const Plan& plan, sweep::Ranks& ranks, const RankOfProcess& process, const fs::path& scratch,
           const compile::BlockedSignals& signals) {
    // Rank 0 has compiled the program by then, and the cache has it.
    if (ranks.receive().text != go) return 0;
    AssignedWork source(ranks);
    std::optional<Prepared> prepared;
    {
        Quiet quiet(scratch / "messages");
        // Rank 0 is told meanwhile that this one is there.
        auto compiled = std::async(std::launch::async, [&] { return prepare(options, rest, context); });
        while (compiled.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
            source.attend();
        prepared = compiled.get();
        if (!prepared->program) {
            source.fail(quiet.text());
            return 0;
        }
    }
    const Share share = share_of(options, plan.sweep.points.size(), process);
    PointPool pool({*prepared->program, plan.sweep.axes, options.selection, share.threads, scratch,
                    !options.program.hardware.empty(), prepared->hip});
    const int signal = work(pool, source, plan.sweep.points, share.jobs, false, signals, [] {});
    if (source.lost_ranks()) ranks.abandon();
    return signal ? 128 + signal : 0;
}

Result<void> check_outputs(const Options& options, const std::vector<std::string>& rest,
                           const Context& context) {
    using compile::Output;
    const std::array outputs = {Output{"--json", options.json}, Output{"--csv", options.csv},
                                Output{"--log", options.log}};
    return compile::check_outputs(outputs, input_files(options.program, rest, context));
}

// What tells one sweep from another: points, program, how it is run, and who does it.
std::string identity_of(const Options& options, const Plan& plan, const StartableProgram& program) {
    base::Hash hash;
    for (std::size_t p = 0; p < plan.sweep.points.size(); ++p) {
        hash.add(sweep::to_string(plan.sweep.points[p])).add(plan.sweep.models[p].id);
        // A model may be a file of the user's, who changes it.
        if (p == 0 || plan.sweep.models[p].id != plan.sweep.models[p - 1].id)
            hash.add(compile::read_file(plan.sweep.models[p].id).value_or(""));
    }
    const LaunchSelection& selection = options.selection;
    hash.add(options.program.on)
        .add(selection.kernels)
        .add(fmt::format("{} {}", selection.launch_skip, selection.launch_count.value_or(0)));
    hash.add(compile::read_file(program.file).value_or(""))
        .add(fmt::format("{}", fmt::join(program.arguments, "\n")));
    return fmt::format("lockstep {}, {}, {}{}", compile::version(),
                       report::plural(plan.sweep.points.size(), "point", "points"), hash.hex(),
                       options.program.sample ? ", --sample" : "");
}

// Rank 0, or the only process.
int lead(const Options& options, const std::vector<std::string>& rest, const Context& context, Plan plan,
         sweep::Ranks* ranks, const RankOfProcess& process, const fs::path& scratch,
         const compile::BlockedSignals& signals) {
    auto checked = check_outputs(options, rest, context);
    Prepared prepared =
        checked ? prepare(options, rest, context) : Prepared{{}, fail(checked.error().to_string(), 2)};
    Result<void> fits;
    if (prepared.program)
        if (auto arguments =
                sweep::arguments_at(plan.sweep.axes, plan.sweep.points[0], prepared.program->arguments);
            !arguments)
            fits = arguments.error();
    for (int rank = 1; ranks && rank < ranks->size(); ++rank)
        ranks->send(rank, prepared.program && fits ? go : "");
    if (!prepared.program) return prepared.status;
    if (!fits) return fail(fits.error().to_string(), 2);

    const std::size_t points = plan.sweep.points.size();
    const Share share = share_of(options, points, process);
    PointPool pool({*prepared.program, plan.sweep.axes, options.selection, share.threads, scratch,
                    !options.program.hardware.empty(), prepared.hip});
    std::optional<RunFileLock> lock;
    std::optional<sweep::KeptPoints> kept;
    if (!options.points.empty()) {
        auto taken = RunFileLock::take(options.points);
        if (!taken) return fail(taken.error().to_string());
        lock.emplace(std::move(*taken));
        auto opened =
            sweep::KeptPoints::open(options.points, identity_of(options, plan, *prepared.program), points);
        if (!opened) return fail(opened.error().to_string());
        kept.emplace(std::move(*opened));
    }
    std::optional<Error> not_kept;
    OwnWork source(kept ? std::move(kept->known()) : std::vector<std::optional<sweep::Outcome>>(points),
                   ranks, [&](std::size_t number, const sweep::Outcome& outcome) {
                       if (!kept || not_kept) return;
                       if (auto done = kept->add(number, outcome); !done) not_kept = done.error();
                   });
    if (const std::size_t known = source.points_done(); known != 0)
        fmt::print(stderr, "lockstep: {} of {} are in {}, and are not run again\n", known,
                   report::plural(points, "point", "points"), options.points);
    int signal = 0;
    {
        Progress progress(points);
        signal = work(pool, source, plan.sweep.points, share.jobs, !ranks, signals,
                      [&] { progress.show(source.points_done()); });
    }
    if (signal) return 128 + signal;
    plan.sweep.outcomes = source.take();
    int status = show(options, plan);
    for (const std::string& failure : source.rank_failures()) status = std::max(status, fail(failure));
    if (not_kept) status = std::max(status, fail(not_kept->to_string()));
    if (ranks && source.lost_ranks()) ranks->abandon();
    return status;
}

int run(Options options, const std::vector<std::string>& rest, const Context& context) {
    const RankOfProcess process = rank_of_process();
    if (auto found = find_hardware(options.program, rest); !found) return fail(found.error().to_string());
    if (!options.program.hardware.empty() && options.jobs > 1)
        return fail("--on gpu: programs run one at a time, --jobs is for simulated GPUs", 2);
    auto plan = plan_of(options);
    // Every rank finds the same mistake; one tells.
    if (!plan) return process.rank == 0 ? fail(plan.error().to_string(), 2) : 2;
    const compile::BlockedSignals signals;  // before MPI's own threads begin: they must leave ours alone
    compile::TempDir::remove_abandoned();
    auto scratch = compile::TempDir::create();
    if (!scratch) return fail(scratch.error().to_string());
    std::unique_ptr<sweep::Ranks> ranks;
    if (process.size > 1) {
        auto joined = join_ranks();
        if (!joined) return process.rank == 0 ? fail(joined.error().to_string()) : 1;
        ranks = std::move(*joined);
    }
    if (ranks && ranks->rank() != 0)
        return assist(options, rest, context, *plan, *ranks, process, scratch->path(), signals);
    return lead(options, rest, context, std::move(*plan), ranks.get(), process, scratch->path(), signals);
}

}  // namespace sweep_command

void add_sweep(CommandLine& line, Context& context) {
    using namespace sweep_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command(
        "sweep",
        "Run a program with many block shapes, arguments or GPUs, and compare the time of its kernels");
    command.footer(fmt::format("{}{}{}", synopsis, compiler_options_help, examples));
    command.allow_rest();
    command.add_option("--block", options->blocks, "Blocks for the kernels: X[xY[xZ]],…");
    command
        .add_option("--arg", options->arguments,
                    "N=V1,V2,…: values for the program's Nth argument; may be repeated")
        .one_value();
    add_program_options(command, options->program);
    add_on_option(command, options->program);
    add_sample_option(command, options->program);
    command.describe("--gpu", "GPU models, separated by commas: names or .toml files");
    command.describe("--set",
                     "KEY=V1,V2,…: values for a figure of the GPU model, for example sms=1,2,4 (repeatable)");
    command.describe("--threads", "Worker threads of each program (default: cores / jobs)");
    command.add_option(
        "--kernel,--kernels", options->selection.kernels,
        "Which kernels are changed and shown: their name has a match of this REGEX (default: all)");
    command
        .add_option("--launch-skip", options->selection.launch_skip, "Leave out the first N launches of them")
        .check(count_of_launches);
    command.add_option("--launch-count", options->selection.launch_count, "Take at most N launches")
        .check(count_of_launches);
    command.add_option("--metrics", options->metrics,
                       "The table's columns, as for lockstep profile; +a,b adds to the usual ones");
    command.add_option("--sort", options->sort, "METRIC[:asc|:desc] to sort by (default: time)");
    command
        .add_option("--jobs,-j", options->jobs, "Programs at once (default: one a core, or cores / threads)")
        .between(1, 1024);
    command
        .add_option(
            "--points", options->points,
            "Keep every point that is done in FILE, and do not run again what it has: for sweeps that "
            "are killed")
        .check(file_name);
    command.add_option("--json", options->json, "Write the table as JSON to FILE (- is stdout)")
        .output_file();
    command.add_option("--csv", options->csv, "Write the table as CSV to FILE (- is stdout)").output_file();
    command.add_option("--log", options->log, "Write the table to FILE instead of stdout").output_file();
    command.callback(
        [command, options, &context] { context.status = run(*options, command.rest(), context); });
}

}  // namespace lockstep::cli
