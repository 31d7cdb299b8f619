#include "report/run-writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>

#include "counters/metrics-doc.h"
#include "report/file-limit.h"
#include "report/pending.h"
#include "report/run-schema.h"

namespace lockstep::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_pending = 256, most_pending_bytes = 4u << 20;
constexpr std::uintmax_t largest_source = 4u << 20;

}  // namespace

fs::path incomplete_mark(const fs::path& file) { return file.string() + "-incomplete"; }

Result<void> remove_run_file(const fs::path& file) {
    std::error_code error;
    const bool exists = fs::exists(file, error);
    if (exists && !fs::is_regular_file(file, error))
        return Error{"this is no file that a run could be kept in", {file.string()}};
    if (exists && fs::file_size(file, error) != 0) {
        auto database = Database::open(file, Database::Mode::read);
        if (!database) return database.error();
        auto application = database->number("PRAGMA application_id");
        if (!application || *application != run_file_application)
            return Error{"this file is no run file of lockstep, and stays as it is", {file.string()}};
    }
    for (const fs::path& old : {file, fs::path(file.string() + "-journal"), incomplete_mark(file)}) {
        fs::remove(old, error);
        if (error) return Error{error.message(), {old.string()}};
    }
    return {};
}

Result<std::unique_ptr<RunWriter>> RunWriter::open(const fs::path& file, const RunInfo& info,
                                                   std::span<const counters::Metric> metrics) {
    const FileLimitIsAnError guard;
    std::error_code ignored;
    std::unique_ptr<RunWriter> writer(new RunWriter(fs::absolute(file, ignored)));
    if (auto connected = writer->connect(); !connected) return connected.error();
    if (auto prepared = writer->prepare(info, metrics); !prepared) return prepared.error();
    return writer;
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

template <class Value, class Body>
Result<Value> RunWriter::atomically(Body body) {
    if (auto begun = database_.execute("BEGIN IMMEDIATE"); !begun) return begun.error();
    Result<Value> result = body();
    if (result)
        if (auto committed = database_.execute("COMMIT"); !committed) result = committed.error();
    if (!result && database_.in_transaction()) (void)database_.execute("ROLLBACK");
    return result;
}

Result<void> RunWriter::prepare(const RunInfo& info, std::span<const counters::Metric> metrics) {
    return atomically<void>([&]() -> Result<void> {
        auto tables = database_.number("SELECT count(*) FROM sqlite_master");
        if (!tables) return tables.error();
        return *tables == 0 ? make_tables(info, metrics) : check(info);
    });
}

Result<void> RunWriter::make_tables(const RunInfo& info, std::span<const counters::Metric> metrics) {
    const std::string marks = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                          run_file_application, run_file_version);
    if (auto done = database_.execute((marks + run_file_schema).c_str()); !done) return done;
    Statement run(database_, "INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (const std::string* text : {&info.lockstep_version, &info.command, &info.gpu, &info.gpu_name,
                                    &info.compute_capability, &info.validated, &info.started})
        run.bind(std::string_view(*text));
    if (auto done = run.run(); !done) return done;
    Statement insert(database_, "INSERT INTO metric VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        const counters::Metric& metric = metrics[m];
        const std::string aliases =
            fmt::format("{}", fmt::join(metric.names.begin() + 1, metric.names.end(), ","));
        insert.bind(m).bind(std::string_view(metric.names[0])).bind(std::string_view(aliases));
        insert.bind(counters::unit_name(metric.unit)).bind(counters::kind_name(metric.kind));
        insert.bind(std::string_view(metric.title)).bind(std::string_view(metric.definition));
        if (auto done = insert.run(); !done) return done;
    }
    return {};
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
    Statement run(database_, "SELECT lockstep_version, gpu FROM run");
    auto row = run.step();
    if (!row) return row.error();
    if (!*row || run.text(0) != info.lockstep_version || run.text(1) != info.gpu)
        return Error{
            fmt::format("this run file is of another GPU ({}) or lockstep ({}); remove it, or choose another",
                        run.text(1), run.text(0)),
            place};
    return {};
}

Result<std::int64_t> RunWriter::add_kernel(const std::string& name, const std::string& ptx,
                                           std::span<const InstructionCounts> instructions) {
    if (failed_) return *failed_;
    const FileLimitIsAnError guard;
    if (process_ != getpid())
        if (auto connected = connect(); !connected) return fail(connected.error());
    auto id = atomically<std::int64_t>([&] { return insert_kernel(name, ptx, instructions); });
    if (!id) return fail(id.error());
    return id;
}

Result<void> RunWriter::leave_out(const std::string& kernel, const std::string& reason) {
    if (failed_) return *failed_;
    const FileLimitIsAnError guard;
    if (process_ != getpid())
        if (auto connected = connect(); !connected) return fail(connected.error());
    Statement insert(database_,
                     "INSERT INTO left_out VALUES (?1, ?2) ON CONFLICT (kernel) DO UPDATE SET "
                     "reason = excluded.reason WHERE reason = ''");
    auto done = insert.bind(std::string_view(kernel)).bind(std::string_view(reason)).run();
    if (!done) return fail(done.error());
    return {};
}

Result<std::int64_t> RunWriter::insert_kernel(const std::string& name, const std::string& ptx,
                                              std::span<const InstructionCounts> instructions) {
    auto module = module_id(ptx);
    if (!module) return module;
    Statement known(database_, "SELECT id FROM kernel WHERE name = ?1 AND module = ?2");
    auto row = known.bind(std::string_view(name)).bind(*module).step();
    if (!row) return row.error();
    if (*row) return known.number(0);

    Statement insert(database_, "INSERT INTO kernel (name, module) VALUES (?1, ?2)");
    if (auto done = insert.bind(std::string_view(name)).bind(*module).run(); !done) return done.error();
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

Result<std::int64_t> RunWriter::module_id(const std::string& ptx) {
    Statement known(database_, "SELECT id FROM module WHERE ptx = ?1");
    auto row = known.bind(std::string_view(ptx)).step();
    if (!row) return row.error();
    if (*row) return known.number(0);
    auto done =
        Statement(database_, "INSERT INTO module (ptx) VALUES (?1)").bind(std::string_view(ptx)).run();
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
    if (failed_) return *failed_;
    const FileLimitIsAnError guard;
    if (process_ != getpid())
        if (auto connected = connect(); !connected) return fail(connected.error());
    if (pending_ == 0)
        insert_pending_ =
            Statement(database_, "INSERT INTO pending (process, kernel, record) VALUES (?1, ?2, ?3)");
    const std::vector<std::byte> record = encode(launch, instructions);
    auto done = insert_pending_.bind(process_).bind(kernel).bind(record).run();
    if (!done) return fail(done.error());
    ++pending_;
    pending_bytes_ += record.size();
    return pending_ >= most_pending || pending_bytes_ >= most_pending_bytes ? finish() : Result<void>();
}

Result<void> RunWriter::finish() {
    if (failed_) return *failed_;
    if (process_ != getpid() || pending_ == 0) return {};
    const FileLimitIsAnError guard;
    pending_ = pending_bytes_ = 0;
    if (auto folded = fold_pending(database_, process_); !folded) return fail(folded.error());
    return {};
}

Error RunWriter::fail(Error error) {
    std::ofstream(incomplete_mark(file_)).put('\n');
    failed_ = error;
    return error;
}

}  // namespace lockstep::report
