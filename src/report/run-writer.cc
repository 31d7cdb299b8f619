#include "report/run-writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "metrics/metrics-doc.h"
#include "report/file-limit.h"
#include "report/pending.h"
#include "report/run-schema.h"

namespace lockstep::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_pending = 256, most_pending_bytes = 4u << 20;
constexpr std::uintmax_t largest_source = 4u << 20;

template <class Value, class Body>
Result<Value> atomically(Database& database, Body body) {
    if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return begun.error();
    Result<Value> result = body();
    if (result)
        if (auto committed = database.execute("COMMIT"); !committed) result = committed.error();
    if (!result && database.in_transaction()) (void)database.execute("ROLLBACK");
    return result;
}

Result<void> make_tables(Database& database, const RunInfo& info, std::span<const metrics::Metric> metrics) {
    const std::string marks = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                          run_file_application, run_file_version);
    if (auto done = database.execute((marks + run_file_schema).c_str()); !done) return done;
    Statement run(database, "INSERT INTO run VALUES (?1, ?2, ?3, ?4)");
    for (const std::string* text : {&info.lockstep_version, &info.command, &info.started, &info.measured_by})
        run.bind(std::string_view(*text));
    if (auto done = run.run(); !done) return done;
    Statement device(database, "INSERT INTO device VALUES (?1, ?2, ?3, ?4, ?5)");
    for (std::size_t d = 0; d < info.devices.size(); ++d) {
        const DeviceInfo& one = info.devices[d];
        device.bind(d).bind(std::string_view(one.gpu)).bind(std::string_view(one.gpu_name));
        device.bind(std::string_view(one.compute_capability)).bind(int{one.validated});
        if (auto done = device.run(); !done) return done;
    }
    Statement insert(database, "INSERT INTO metric VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        const metrics::Metric& metric = metrics[m];
        const std::string aliases =
            fmt::format("{}", fmt::join(metric.names.begin() + 1, metric.names.end(), ","));
        insert.bind(m).bind(std::string_view(metric.names[0])).bind(std::string_view(aliases));
        insert.bind(metrics::unit_name(metric.unit)).bind(metrics::kind_name(metric.kind));
        insert.bind(std::string_view(metric.title)).bind(std::string_view(metric.definition));
        if (auto done = insert.run(); !done) return done;
    }
    return {};
}

// When this process began, in the clock ticks of /proc since the machine did; exec leaves it as it is.
std::int64_t own_start_time() {
    std::ifstream in("/proc/self/stat");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    // The second field is a name that may hold anything; the 22nd is the time.
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return 0;
    std::istringstream rest(text.substr(name_end + 1));
    std::string field;
    for (int number = 3; number <= 22; ++number) rest >> field;
    return std::atoll(field.c_str());
}

}  // namespace

fs::path incomplete_mark(const fs::path& file) { return file.string() + "-incomplete"; }

std::vector<fs::path> run_file_remains(const fs::path& file) {
    return {file.string() + "-journal", incomplete_mark(file)};
}

Result<void> check_run_file(const fs::path& file) {
    std::error_code error;
    const bool exists = fs::exists(file, error);
    if (exists && !fs::is_regular_file(file, error))
        return Error{"this is no file that a run could be kept in", {file.string()}};
    if (!exists || fs::file_size(file, error) == 0) return {};
    auto database = Database::open(file, Database::Mode::read);
    if (!database) return database.error();
    auto application = database->number("PRAGMA application_id");
    if (!application || *application != run_file_application)
        return Error{"this file is no run file of lockstep, and stays as it is", {file.string()}};
    return {};
}

Result<void> make_run_file(const fs::path& file, const RunInfo& info,
                           std::span<const metrics::Metric> metrics) {
    const FileLimitIsAnError guard;
    auto database = Database::open(file, Database::Mode::create);
    if (!database) return database.error();
    return atomically<void>(*database, [&] { return make_tables(*database, info, metrics); });
}

Result<void> note_end(const fs::path& file, std::int64_t process, int status, int signal) {
    const FileLimitIsAnError guard;
    auto database = Database::open(file, Database::Mode::write);
    if (!database) return database.error();
    const std::string how =
        signal ? fmt::format("{}{}", ended_by_signal, signal) : fmt::format("status {}", status);
    return atomically<void>(*database, [&]() -> Result<void> {
        Statement update(*database, "UPDATE process SET ended = ?2 WHERE pid = ?1");
        if (auto done = update.bind(process).bind(std::string_view(how)).run(); !done) return done;
        // A program that never called a function of CUDA's has not told of itself.
        Statement insert(*database,
                         "INSERT INTO process (pid, began, ended) SELECT ?1, 0, ?2 "
                         "WHERE NOT EXISTS (SELECT 1 FROM process WHERE pid = ?1)");
        return insert.bind(process).bind(std::string_view(how)).run();
    });
}

Result<std::unique_ptr<RunWriter>> RunWriter::open(const fs::path& file, const RunInfo& info,
                                                   std::span<const metrics::Metric> metrics) {
    const FileLimitIsAnError guard;
    std::error_code ignored;
    std::unique_ptr<RunWriter> writer(new RunWriter(fs::absolute(file, ignored)));
    if (auto connected = writer->connect(); !connected) return connected.error();
    auto prepared = atomically<void>(writer->database_, [&]() -> Result<void> {
        auto tables = writer->database_.number("SELECT count(*) FROM sqlite_master");
        if (!tables) return tables.error();
        auto done = *tables == 0 ? make_tables(writer->database_, info, metrics) : writer->check(info);
        return done ? writer->begin_process() : done;
    });
    if (!prepared) return prepared.error();
    return writer;
}

Result<void> RunWriter::ready() {
    if (failed_) return *failed_;
    if (process_ == getpid()) return {};
    if (auto connected = connect(); !connected) return fail(connected.error());
    auto begun = atomically<void>(database_, [&] { return begin_process(); });
    return begun ? begun : fail(begun.error());
}

Result<void> RunWriter::connect() {
    if (process_ != 0) {
        // Forked: the statement and the connection are the parent's.
        new Statement(std::move(insert_pending_));
        database_.abandon();
    }
    process_ = getpid();
    pending_ = pending_bytes_ = 0;
    auto database = Database::open(file_, Database::Mode::create);
    if (!database) return database.error();
    database_ = std::move(*database);
    // The file must outlive the process, not the machine: nothing waits for the disk. Not WAL: its readers
    // and writers hold locks between transactions, which a fork would lose.
    return database_.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE");
}

// A process may have been another program before, which could not say that it ends: exec is no end. Process
// ids come again, with another time.
Result<void> RunWriter::begin_process() {
    const std::int64_t began = own_start_time();
    Statement replaced(database_,
                       "UPDATE process SET ended = 'exec' WHERE pid = ?1 AND began = ?2 AND ended IS NULL");
    if (auto done = replaced.bind(process_).bind(began).run(); !done) return done;
    auto done = Statement(database_, "INSERT INTO process (pid, began) VALUES (?1, ?2)")
                    .bind(process_)
                    .bind(began)
                    .run();
    row_ = database_.last_id();
    return done;
}

Result<void> RunWriter::check(const RunInfo& info) {
    const auto is = [&](const char* pragma, int expected) {
        auto value = database_.number(pragma);
        return value && *value == expected;
    };
    const Place place{file_.string()};
    if (!is("PRAGMA application_id", run_file_application))
        return Error{"this file is no run file of lockstep", place};
    if (!is("PRAGMA user_version", run_file_version))
        return Error{"this run file was written by another version of lockstep; remove it", place};
    Statement run(database_,
                  "SELECT lockstep_version, (SELECT group_concat(gpu) FROM (SELECT gpu FROM device ORDER BY "
                  "number)) FROM run");
    auto row = run.step();
    if (!row) return row.error();
    std::vector<std::string> gpus;
    for (const DeviceInfo& device : info.devices) gpus.push_back(device.gpu);
    if (!*row || run.text(0) != info.lockstep_version ||
        run.text(1) != fmt::format("{}", fmt::join(gpus, ",")))
        return Error{
            fmt::format("this run file is of another GPU ({}) or lockstep ({}); remove it, or choose another",
                        run.text(1), run.text(0)),
            place};
    return {};
}

Result<std::int64_t> RunWriter::add_kernel(const std::string& name, int device, const std::string& ptx,
                                           const CodeOrigin& origin,
                                           std::span<const InstructionCounts> instructions) {
    const FileLimitIsAnError guard;
    if (auto good = ready(); !good) return good.error();
    auto id = atomically<std::int64_t>(
        database_, [&] { return insert_kernel(name, device, ptx, origin, instructions); });
    if (!id) return fail(id.error());
    return id;
}

Result<void> RunWriter::add_close_up(std::int64_t kernel, const std::string& picture) {
    const FileLimitIsAnError guard;
    if (auto good = ready(); !good) return good;
    Statement insert(
        database_, "INSERT OR IGNORE INTO close_up SELECT ?1, ?2 WHERE (SELECT count(*) FROM close_up) < ?3");
    auto done = insert.bind(kernel).bind(std::string_view(picture)).bind(most_close_ups).run();
    return done ? done : fail(done.error());
}

Result<void> RunWriter::leave_out(const std::string& kernel, std::uint64_t launches) {
    const FileLimitIsAnError guard;
    if (auto good = ready(); !good) return good;
    Statement insert(database_,
                     "INSERT INTO left_out VALUES (?1, ?2) ON CONFLICT DO UPDATE SET "
                     "launches = launches + excluded.launches");
    auto done = insert.bind(std::string_view(kernel)).bind(launches).run();
    return done ? done : fail(done.error());
}

Result<void> RunWriter::add_times(const TimeRecords& records) {
    if (records.rows() == 0 && records.activity_totals.empty() && records.call_totals.empty()) return {};
    const FileLimitIsAnError guard;
    if (auto good = ready(); !good) return good;
    auto done = atomically<void>(database_, [&] { return insert_times(records); });
    return done ? done : fail(done.error());
}

Result<void> RunWriter::insert_times(const TimeRecords& records) {
    Statement activity(
        database_,
        "INSERT INTO activity VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
        "?13, ?14, ?15, ?16, ?17, ?18, ?19)");
    for (const Activity& one : records.activities) {
        activity.bind(process_).bind(std::string_view(one.name)).bind(one.begin).bind(one.end);
        activity.bind(one.device).bind(one.stream).bind(one.bytes);
        activity.bind(std::string_view(one.source)).bind(std::string_view(one.target)).bind(one.trace.call);
        for (const auto& shape : {one.trace.grid, one.trace.block})
            for (const std::uint32_t n : shape) activity.bind(n);
        activity.bind(one.trace.registers).bind(one.trace.static_shared).bind(one.trace.dynamic_shared);
        if (auto done = activity.run(); !done) return done;
    }
    Statement call(database_, "INSERT INTO call VALUES (NULL, ?1, ?2, ?3, ?4, ?5)");
    for (const ApiCall& one : records.calls) {
        call.bind(process_).bind(one.number).bind(std::string_view(one.function));
        if (auto done = call.bind(one.begin).bind(one.end).run(); !done) return done;
    }
    Statement total(database_,
                    "INSERT INTO total VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET "
                    "count = count + excluded.count, kept = kept + excluded.kept, "
                    "min = min(min, excluded.min), max = max(max, excluded.max), sum = sum + excluded.sum");
    const auto add = [&](std::string_view what, const TimeTotal& one) {
        total.bind(what).bind(std::string_view(one.name)).bind(one.time.count).bind(one.kept);
        return total.bind(one.time.min).bind(one.time.max).bind(one.time.sum).run();
    };
    for (const auto& [name, one] : records.activity_totals)
        if (auto done = add(activity_totals, one); !done) return done;
    for (const auto& [name, one] : records.call_totals)
        if (auto done = add(call_totals, one); !done) return done;
    return {};
}

Result<void> RunWriter::add_failure(const std::string& kernel, FailureKind kind, const std::string& reason) {
    const FileLimitIsAnError guard;
    if (auto good = ready(); !good) return good;
    const std::string sql = fmt::format(
        "INSERT INTO failure SELECT ?1, ?2, ?3, 1 WHERE (SELECT count(*) FROM failure) < {} OR EXISTS "
        "(SELECT 1 FROM failure WHERE kernel = ?1 AND kind = ?2 AND reason = ?3) "
        "ON CONFLICT DO UPDATE SET launches = launches + 1",
        most_failure_rows);
    Statement insert(database_, sql);
    insert.bind(std::string_view(kernel)).bind(failure_name(kind)).bind(std::string_view(reason));
    auto done = insert.run();
    return done ? done : fail(done.error());
}

Result<std::int64_t> RunWriter::insert_kernel(const std::string& name, int device, const std::string& ptx,
                                              const CodeOrigin& origin,
                                              std::span<const InstructionCounts> instructions) {
    auto module = module_id(ptx, origin);
    if (!module) return module;
    Statement known(database_, "SELECT id FROM kernel WHERE name = ?1 AND module = ?2 AND device = ?3");
    auto row = known.bind(std::string_view(name)).bind(*module).bind(device).step();
    if (!row) return row.error();
    if (*row) return known.number(0);

    Statement insert(database_, "INSERT INTO kernel (name, module, device) VALUES (?1, ?2, ?3)");
    if (auto done = insert.bind(std::string_view(name)).bind(*module).bind(device).run(); !done)
        return done.error();
    const std::int64_t id = database_.last_id();
    Statement instruction(database_,
                          "INSERT INTO instruction (kernel, position, file, line, ptx_line, ptx, machine) "
                          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    std::set<std::string> files;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const InstructionCounts& counts = instructions[i];
        instruction.bind(id).bind(i).bind(std::string_view(counts.file)).bind(counts.line);
        instruction.bind(counts.ptx_line).bind(std::string_view(counts.ptx));
        if (auto done = instruction.bind(std::string_view(counts.machine)).run(); !done) return done.error();
        if (!counts.file.empty()) files.insert(counts.file);
    }
    for (const std::string& file : files)
        if (auto done = keep_source(file); !done) return done.error();
    return id;
}

Result<std::int64_t> RunWriter::module_id(const std::string& ptx, const CodeOrigin& origin) {
    Statement known(database_, "SELECT id FROM module WHERE ptx = ?1 AND validated = ?2");
    auto row = known.bind(std::string_view(ptx)).bind(std::string_view(origin.validated)).step();
    if (!row) return row.error();
    if (*row) return known.number(0);
    auto done = Statement(database_,
                          "INSERT INTO module (ptx, compiler, optimised, validated) VALUES (?1, ?2, ?3, ?4)")
                    .bind(std::string_view(ptx))
                    .bind(std::string_view(origin.compiler))
                    .bind(int{origin.optimised})
                    .bind(std::string_view(origin.validated))
                    .run();
    if (!done) return done.error();
    return database_.last_id();
}

// A source that is not there (any more) is left out: the line numbers alone are still worth having.
Result<void> RunWriter::keep_source(const std::string& file) {
    std::error_code failed;
    const auto size = fs::file_size(file, failed);
    if (failed || size > largest_source) return {};
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return Statement(database_, "INSERT OR IGNORE INTO source VALUES (?1, ?2)")
        .bind(std::string_view(file))
        .bind(std::string_view(text))
        .run();
}

Result<void> RunWriter::append(std::int64_t kernel, const Launch& launch,
                               std::span<const InstructionCounts> instructions) {
    const FileLimitIsAnError guard;
    if (auto good = ready(); !good) return good;
    if (pending_ == 0)
        insert_pending_ =
            Statement(database_, "INSERT INTO pending (process, kernel, record) VALUES (?1, ?2, ?3)");
    const std::vector<std::byte> record = encode(launch, instructions);
    auto done = insert_pending_.bind(process_).bind(kernel).bind(record).run();
    if (!done) return fail(done.error());
    ++pending_;
    pending_bytes_ += record.size();
    return pending_ >= most_pending || pending_bytes_ >= most_pending_bytes ? fold() : Result<void>();
}

Result<void> RunWriter::fold() {
    pending_ = pending_bytes_ = 0;
    if (auto folded = fold_pending(database_, process_); !folded) return fail(folded.error());
    return {};
}

Result<void> RunWriter::finish() {
    if (failed_) return *failed_;
    // A child that was forked and launched nothing has nothing to say.
    if (process_ != getpid()) return {};
    const FileLimitIsAnError guard;
    if (pending_ != 0)
        if (auto folded = fold(); !folded) return folded;
    // A truncated journal is quicker, and one that is deleted leaves nothing behind.
    (void)database_.execute("PRAGMA journal_mode = DELETE");
    auto done = Statement(database_, "UPDATE process SET ended = 'exit' WHERE id = ?1").bind(row_).run();
    return done ? done : fail(done.error());
}

Error RunWriter::fail(Error error) {
    std::ofstream(incomplete_mark(file_)).put('\n');
    failed_ = error;
    return error;
}

}  // namespace lockstep::report
