#include "report/sqlite.h"

#include <utility>

namespace lockstep::report {

Database::Database(Database&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), file_(std::move(other.file_)) {}

Database& Database::operator=(Database&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(file_, other.file_);
    return *this;
}

Database::~Database() { sqlite3_close_v2(handle_); }

Result<Database> Database::open(const std::filesystem::path& file, Mode mode) {
    Database database;
    database.file_ = file;
    const int flags = mode == Mode::read     ? SQLITE_OPEN_READONLY
                      : mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                             : SQLITE_OPEN_READWRITE;
    const int status = sqlite3_open_v2(file.c_str(), &database.handle_, flags, nullptr);
    if (status != SQLITE_OK) return database.error();
    sqlite3_extended_result_codes(database.handle_, 1);
    sqlite3_busy_timeout(database.handle_, 10'000);
    return database;
}

Result<Database> Database::copy(const Database& from) {
    Database to;
    to.file_ = from.file_;
    if (sqlite3_open(":memory:", &to.handle_) != SQLITE_OK) return to.error();
    sqlite3_backup* backup = sqlite3_backup_init(to.handle_, "main", from.handle_, "main");
    if (!backup) return to.error();
    sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK) return to.error();
    return to;
}

Result<void> Database::execute(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error();
    return {};
}

Result<std::optional<std::int64_t>> Database::number(const char* sql) {
    Statement statement(*this, sql);
    auto row = statement.step();
    if (!row) return row.error();
    if (!*row || statement.is_null(0)) return std::optional<std::int64_t>();
    return std::optional(statement.number(0));
}

Error Database::error() const {
    const char* message = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
    return {message, {file_.string()}};
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
    failed_ = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle_,
                                 nullptr) != SQLITE_OK;
}

Statement::Statement(Statement&& other) noexcept { *this = std::move(other); }

Statement& Statement::operator=(Statement&& other) noexcept {
    std::swap(database_, other.database_);
    std::swap(handle_, other.handle_);
    std::swap(next_, other.next_);
    std::swap(failed_, other.failed_);
    return *this;
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(std::int64_t value) {
    failed_ |= sqlite3_bind_int64(handle_, next_++, value) != SQLITE_OK;
    return *this;
}

Statement& Statement::bind(double value) {
    failed_ |= sqlite3_bind_double(handle_, next_++, value) != SQLITE_OK;
    return *this;
}

Statement& Statement::bind(std::string_view text) {
    failed_ |= sqlite3_bind_text64(handle_, next_++, text.data(), text.size(), SQLITE_TRANSIENT,
                                   SQLITE_UTF8) != SQLITE_OK;
    return *this;
}

Statement& Statement::bind(std::span<const std::byte> blob) {
    failed_ |= sqlite3_bind_blob64(handle_, next_++, blob.data(), blob.size(), SQLITE_TRANSIENT) != SQLITE_OK;
    return *this;
}

Statement& Statement::bind_null() {
    failed_ |= sqlite3_bind_null(handle_, next_++) != SQLITE_OK;
    return *this;
}

Result<bool> Statement::step() {
    if (failed_) return database_->error();
    const int status = sqlite3_step(handle_);
    if (status == SQLITE_ROW) return true;
    const Error error = database_->error();
    sqlite3_reset(handle_);
    next_ = 1;
    if (status == SQLITE_DONE) return false;
    return error;
}

Result<void> Statement::run() {
    auto row = step();
    if (!row) return row.error();
    return {};
}

std::string Statement::text(int column) const {
    const unsigned char* text = sqlite3_column_text(handle_, column);
    return text ? std::string(reinterpret_cast<const char*>(text),
                              static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)))
                : std::string();
}

std::span<const std::byte> Statement::blob(int column) const {
    const void* data = sqlite3_column_blob(handle_, column);
    return {static_cast<const std::byte*>(data),
            static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

}  // namespace lockstep::report
