#include "report/run-reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include <algorithm>
#include <cstdlib>

#include "base/demangle.h"
#include "base/pattern.h"
#include "report/file-limit.h"
#include "report/pending.h"
#include "report/run-schema.h"
#include "report/run-writer.h"

namespace lockstep::report {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// "9 (Killed)"
std::string signal_text(int number) { return fmt::format("{} ({})", number, strsignal(number)); }

// Writing is tried first: only a writer can clean up after a program that was killed.
Result<Database> open_database(const fs::path& file) {
    auto database = Database::open(file, Database::Mode::write);
    if (!database) database = Database::open(file, Database::Mode::read);
    if (!database) return database.error();
    // SQLite opens anything, and notices at the first question what it is.
    auto application = database->number("PRAGMA application_id");
    auto version = database->number("PRAGMA user_version");
    if (!application || !version || *application != run_file_application)
        return Error{"this is no run file of lockstep", {file.string()}};
    if (*version != run_file_version)
        return Error{fmt::format("this run file has version {}; this lockstep reads version {}: profile the "
                                 "program again, or use the lockstep that wrote it",
                                 version->value_or(0), run_file_version),
                     {file.string()}};
    auto pending = database->number("SELECT count(*) FROM pending");
    if (!pending) return pending.error();
    if (*pending == 0 || fold_pending(*database, 0)) return database;
    // The disk is full, or the file read-only: what it holds can be shown all the same.
    auto copy = Database::copy(*database);
    if (!copy) return copy.error();
    if (auto folded = fold_pending(*copy, 0); !folded) return folded.error();
    return copy;
}

}  // namespace

Result<RunFile> RunFile::open(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return Error{"no such run file", {file.string()}};
    if (fs::is_directory(file, ignored)) return Error{"is a directory", {file.string()}};
    const FileLimitIsAnError guard;
    auto database = open_database(file);
    if (!database) return database.error();
    RunFile run;
    run.database_ = std::make_unique<Database>(std::move(*database));
    run.launches_missing = fs::exists(incomplete_mark(file), ignored);
    if (auto loaded = run.load(); !loaded) return loaded.error();
    return run;
}

Result<void> RunFile::load() {
    if (auto done = load_info(); !done) return done;
    if (auto done = load_metrics(); !done) return done;
    if (auto done = load_kernels(); !done) return done;
    if (auto done = load_left_out(); !done) return done;
    if (auto done = load_failures(); !done) return done;
    return load_gaps();
}

Result<void> RunFile::load_info() {
    Statement run(*database_, "SELECT lockstep_version, command, started, measured_by FROM run");
    auto row = run.step();
    if (!row) return row.error();
    if (!*row) return Error{"this run file has no run", {file().string()}};
    info = {run.text(0), run.text(1), run.text(2), {}, run.text(3)};
    Statement devices(*database_,
                      "SELECT gpu, gpu_name, compute_capability, validated FROM device ORDER BY number");
    for (;;) {
        auto device = devices.step();
        if (!device) return device.error();
        if (!*device) break;
        info.devices.push_back({devices.text(0), devices.text(1), devices.text(2), devices.number(3) != 0});
    }
    if (info.devices.empty()) return damaged("no device");
    return {};
}

Result<void> RunFile::load_metrics() {
    Statement rows(*database_, "SELECT name, aliases FROM metric ORDER BY id");
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return {};
        metrics.push_back({rows.text(0), split(rows.text(1))});
    }
}

Result<void> RunFile::load_kernels() {
    Statement rows(
        *database_,
        "SELECT kernel.id, name, launches, kept, faults, compiler, optimised, validated, device FROM kernel "
        "JOIN module ON module.id = module WHERE launches > 0 ORDER BY kernel.id");
    Statement values(*database_, "SELECT metric, count, min, max, sum FROM aggregate WHERE kernel = ?1");
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return {};
        const auto count = [&](int column) { return static_cast<std::uint64_t>(rows.number(column)); };
        KernelResult kernel;
        kernel.id = rows.number(0);
        kernel.name = rows.text(1);
        kernel.launches = count(2);
        kernel.kept = count(3);
        kernel.faults = count(4);
        kernel.code = {rows.text(5), rows.number(6) != 0, rows.text(7)};
        kernel.device = static_cast<int>(rows.number(8));
        if (kernel.device < 0 || static_cast<std::size_t>(kernel.device) >= info.devices.size())
            return damaged(fmt::format("the device {}", kernel.device));
        kernel.metrics.resize(metrics.size());
        values.bind(kernel.id);
        for (;;) {
            auto value = values.step();
            if (!value) return value.error();
            if (!*value) break;
            if (const auto metric = static_cast<std::size_t>(values.number(0)); metric < metrics.size())
                kernel.metrics[metric] = {static_cast<std::uint64_t>(values.number(1)), values.real(2),
                                          values.real(3), values.real(4)};
        }
        if (auto done = load_bounds(kernel); !done) return done;
        if (auto done = load_sampled(kernel); !done) return done;
        if (auto done = load_warp_cycles(kernel); !done) return done;
        kernels.push_back(std::move(kernel));
    }
}

Result<void> RunFile::load_bounds(KernelResult& kernel) {
    Statement rows(*database_,
                   "SELECT bound, count(*) FROM launch LEFT JOIN value ON value.launch = launch.id AND "
                   "value.metric = ?2 WHERE kernel = ?1 AND bound IS NOT NULL GROUP BY bound "
                   "ORDER BY total(value) DESC, count(*) DESC, bound");
    const auto time = metric(time_metric);
    rows.bind(kernel.id).bind(time ? static_cast<std::int64_t>(*time) : -1);
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return {};
        const auto bound = timing::find_bound(rows.text(0));
        if (!bound) return damaged(fmt::format("the bound '{}'", rows.text(0)));
        kernel.bounds.push_back({*bound, static_cast<std::uint64_t>(rows.number(1))});
    }
}

Result<void> RunFile::load_sampled(KernelResult& kernel) {
    Statement rows(*database_,
                   "SELECT count(*), sum(grid_x * grid_y * grid_z), sum(executed_blocks) FROM launch WHERE "
                   "kernel = ?1 AND executed_blocks IS NOT NULL");
    rows.bind(kernel.id);
    auto row = rows.step();
    if (!row) return row.error();
    const auto count = [&](int column) { return static_cast<std::uint64_t>(rows.number(column)); };
    if (*row) kernel.sampled = {count(0), count(1), count(2)};
    return {};
}

Result<void> RunFile::load_warp_cycles(KernelResult& kernel) {
    Statement rows(*database_, "SELECT state, sum(cycles) FROM warp_cycles WHERE kernel = ?1 GROUP BY state");
    rows.bind(kernel.id);
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return {};
        const auto state = timing::find_state(rows.text(0));
        if (!state) return damaged(fmt::format("the warp state '{}'", rows.text(0)));
        kernel.warp_cycles[static_cast<std::size_t>(*state)] = static_cast<std::uint64_t>(rows.number(1));
    }
}

Error RunFile::damaged(const std::string& what) const {
    return {fmt::format("this run file is damaged: it has {}, which does not exist", what),
            {file().string()}};
}

Result<void> RunFile::load_left_out() {
    Statement rows(*database_, "SELECT kernel, launches FROM left_out ORDER BY kernel");
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return {};
        left_out.push_back({rows.text(0), static_cast<std::uint64_t>(rows.number(1))});
    }
}

Result<void> RunFile::load_failures() {
    Statement rows(*database_, "SELECT kernel, kind, reason, launches FROM failure");
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return {};
        const auto kind = find_failure(rows.text(1));
        if (!kind) return damaged(fmt::format("the kind of failure '{}'", rows.text(1)));
        failures.push_back({rows.text(0), *kind, rows.text(2), static_cast<std::uint64_t>(rows.number(3))});
    }
}

Result<void> RunFile::load_gaps() {
    if (launches_missing)
        gaps.push_back(
            fmt::format("launches are missing: {} could not be written to the end", file().string()));
    Statement rows(*database_, "SELECT pid, ended FROM process GROUP BY pid, ended ORDER BY min(id)");
    bool any = false;
    std::vector<std::int64_t> unseen;
    for (;; any = true) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) break;
        const std::string ended = rows.text(1);
        const std::string_view signal = ended_by_signal;
        if (rows.is_null(1))
            unseen.push_back(rows.number(0));
        else if (ended.starts_with(signal))
            gaps.push_back(fmt::format("process {} was ended by signal {}", rows.number(0),
                                       signal_text(std::atoi(ended.c_str() + signal.size()))));
    }
    if (!any) gaps.emplace_back("nobody has seen the program end");
    if (!unseen.empty())
        gaps.push_back(fmt::format(
            "process{} {} {} not seen to end (killed, ended by _exit, or still running)",
            unseen.size() == 1 ? "" : "es", fmt::join(unseen, ", "), unseen.size() == 1 ? "was" : "were"));
    return {};
}

std::optional<std::size_t> RunFile::metric(std::string_view name) const {
    for (std::size_t m = 0; m < metrics.size(); ++m)
        if (metrics[m].name == name ||
            std::find(metrics[m].aliases.begin(), metrics[m].aliases.end(), name) != metrics[m].aliases.end())
            return m;
    return {};
}

void RunFile::keep_devices(const std::set<int>& devices) {
    std::erase_if(kernels, [&](const KernelResult& kernel) { return !devices.contains(kernel.device); });
    devices_ = devices;
}

void RunFile::keep_kernels(const std::string& regex, base::KernelNames names) {
    const base::Pattern pattern = *base::Pattern::create(regex);
    std::erase_if(kernels, [&](const KernelResult& kernel) {
        return !pattern.found_in(base::chosen_name(kernel.name, names));
    });
}

Result<void> RunFile::each_launch(const std::function<void(const StoredLaunch&)>& use) const {
    Statement rows(*database_,
                   "SELECT launch.id, process, name, grid_x, grid_y, grid_z, block_x, block_y, block_z, "
                   "dynamic_shared, bound, fault, kernel.id, stream, depth, parent, device, executed_blocks "
                   "FROM launch JOIN kernel ON "
                   "kernel.id = launch.kernel "
                   "ORDER BY launch.id");
    Statement values(*database_, "SELECT metric, value FROM value WHERE launch = ?1");
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return {};
        const bool kept = std::any_of(kernels.begin(), kernels.end(), [&](const KernelResult& kernel) {
            return kernel.id == rows.number(12);
        });
        if (!kept) continue;
        StoredLaunch stored{rows.number(0), rows.number(1), rows.number(12), {}};
        Launch& launch = stored.launch;
        launch.kernel = rows.text(2);
        for (int d = 0; d < 3; ++d) {
            launch.grid[d] = static_cast<std::uint32_t>(rows.number(3 + d));
            launch.block[d] = static_cast<std::uint32_t>(rows.number(6 + d));
        }
        launch.dynamic_shared_bytes = static_cast<std::uint32_t>(rows.number(9));
        launch.stream = static_cast<std::uint64_t>(rows.number(13));
        launch.bound = rows.text(10);
        launch.fault = rows.text(11);
        launch.depth = static_cast<std::uint32_t>(rows.number(14));
        launch.parent = rows.text(15);
        launch.device = static_cast<int>(rows.number(16));
        launch.executed_blocks = static_cast<std::uint64_t>(rows.number(17));
        launch.values.resize(metrics.size());
        values.bind(stored.id);
        for (;;) {
            auto value = values.step();
            if (!value) return value.error();
            if (!*value) break;
            if (const auto metric = static_cast<std::size_t>(values.number(0)); metric < metrics.size())
                launch.values[metric] = values.real(1);
        }
        use(stored);
    }
}

Result<std::vector<TimeTotal>> RunFile::totals(std::string_view what) const {
    Statement rows(
        *database_,
        "SELECT name, count, min, max, sum, kept FROM total WHERE what = ?1 ORDER BY sum DESC, name");
    rows.bind(what);
    std::vector<TimeTotal> result;
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return result;
        result.push_back(
            {rows.text(0),
             {static_cast<std::uint64_t>(rows.number(1)), rows.real(2), rows.real(3), rows.real(4)},
             static_cast<std::uint64_t>(rows.number(5))});
    }
}

Result<std::vector<TimeTotal>> RunFile::activity_totals() const { return totals(report::activity_totals); }
Result<std::vector<TimeTotal>> RunFile::call_totals() const { return totals(report::call_totals); }

Result<std::vector<Activity>> RunFile::activities() const {
    Statement rows(
        *database_,
        "SELECT name, \"begin\", \"end\", stream, bytes, source, target, call, grid_x, grid_y, grid_z, "
        "block_x, block_y, block_z, registers, static_shared, dynamic_shared, device FROM activity "
        "ORDER BY \"begin\", id");
    std::vector<Activity> result;
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return result;
        const auto small = [&](int column) { return static_cast<std::uint32_t>(rows.number(column)); };
        Activity& one = result.emplace_back();
        one.name = rows.text(0);
        one.begin = rows.real(1);
        one.end = rows.real(2);
        one.stream = static_cast<std::uint64_t>(rows.number(3));
        one.bytes = static_cast<std::uint64_t>(rows.number(4));
        one.source = rows.text(5);
        one.target = rows.text(6);
        one.trace.call = static_cast<std::uint64_t>(rows.number(7));
        for (int d = 0; d < 3; ++d) {
            one.trace.grid[d] = small(8 + d);
            one.trace.block[d] = small(11 + d);
        }
        one.trace.registers = small(14);
        one.trace.static_shared = small(15);
        one.trace.dynamic_shared = small(16);
        one.device = static_cast<int>(rows.number(17));
        if (one.device < 0 || static_cast<std::size_t>(one.device) >= info.devices.size())
            return damaged(fmt::format("the device {}", one.device));
        if (!devices_.empty() && !devices_.contains(one.device)) result.pop_back();
    }
}

Result<std::vector<ApiCall>> RunFile::calls() const {
    Statement rows(*database_,
                   "SELECT function, number, \"begin\", \"end\" FROM call ORDER BY \"begin\", id");
    std::vector<ApiCall> result;
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return result;
        result.push_back(
            {rows.text(0), static_cast<std::uint64_t>(rows.number(1)), rows.real(2), rows.real(3)});
    }
}

Result<std::vector<InstructionCounts>> RunFile::instruction_counts(std::int64_t kernel) const {
    Statement rows(
        *database_,
        "SELECT file, line, ptx_line, ptx, machine, executed, active, predicated_on, branches, "
        "divergent_branches, requests, sectors, ideal_sectors, wavefronts, ideal_wavefronts, unsynchronised, "
        "pattern, pattern_stride, pattern_run, pattern_requests, pattern_surplus FROM instruction "
        "WHERE kernel = ?1 ORDER BY position");
    rows.bind(kernel);
    std::vector<InstructionCounts> result;
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return result;
        const auto count = [&](int column) { return static_cast<std::uint64_t>(rows.number(column)); };
        const auto kind = counters::find_pattern(rows.text(16));
        if (!kind) return damaged(fmt::format("the access pattern '{}'", rows.text(16)));
        result.push_back(
            {rows.text(0),
             static_cast<int>(rows.number(1)),
             static_cast<int>(rows.number(2)),
             rows.text(3),
             rows.text(4),
             count(5),
             count(6),
             count(7),
             count(8),
             count(9),
             count(10),
             count(11),
             count(12),
             count(13),
             count(14),
             count(15),
             {{*kind, rows.number(17), static_cast<std::uint32_t>(rows.number(18))}, count(19), count(20)},
             {}});
    }
}

Result<std::vector<InstructionCounts>> RunFile::instructions(std::int64_t kernel) const {
    auto result = instruction_counts(kernel);
    if (!result) return result;
    Statement rows(*database_, "SELECT position, state, cycles FROM warp_cycles WHERE kernel = ?1");
    rows.bind(kernel);
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) return result;
        const auto position = static_cast<std::size_t>(rows.number(0));
        const auto state = timing::find_state(rows.text(1));
        if (!state) return damaged(fmt::format("the warp state '{}'", rows.text(1)));
        if (position >= result->size()) return damaged(fmt::format("the instruction {}", position));
        (*result)[position].warp_cycles[static_cast<std::size_t>(*state)] =
            static_cast<std::uint64_t>(rows.number(2));
    }
}

Result<std::optional<std::string>> RunFile::source(const std::string& file) const {
    Statement text(*database_, "SELECT text FROM source WHERE file = ?1");
    auto row = text.bind(std::string_view(file)).step();
    if (!row) return row.error();
    return *row ? std::optional(text.text(0)) : std::nullopt;
}

Result<std::optional<std::string>> RunFile::close_up(std::int64_t kernel) const {
    Statement picture(*database_, "SELECT picture FROM close_up WHERE kernel = ?1");
    auto row = picture.bind(kernel).step();
    if (!row) return row.error();
    return *row ? std::optional(picture.text(0)) : std::nullopt;
}

std::optional<std::uint64_t> launches_so_far(const fs::path& file) {
    auto database = Database::open(file, Database::Mode::read);
    if (!database) return {};
    // The writer is not kept waiting, and we do not wait for it.
    sqlite3_busy_timeout(database->handle(), 0);
    auto count = database->number(
        "SELECT (SELECT coalesce(sum(launches), 0) FROM kernel) + (SELECT count(*) FROM pending)");
    if (!count || !*count) return {};
    return static_cast<std::uint64_t>(**count);
}

}  // namespace lockstep::report
