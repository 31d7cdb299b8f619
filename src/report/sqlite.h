// SQLite with errors as values: a database, and statements that are prepared once and run often.
#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lockstep::report {

class Database {
  public:
    enum class Mode { create, write, read };

    Database() = default;
    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;
    ~Database();

    // Waits up to ten seconds for other processes that write.
    static Result<Database> open(const std::filesystem::path& file, Mode mode);
    // A copy in memory, for changes that the file has no room or no right for.
    static Result<Database> copy(const Database& from);
    // For a process that was forked: its parent's connection must not be touched, not even to close it.
    void abandon() { handle_ = nullptr; }

    Result<void> execute(const char* sql);
    // The first column of the first row, if there is one.
    Result<std::optional<std::int64_t>> number(const char* sql);
    std::int64_t last_id() const { return sqlite3_last_insert_rowid(handle_); }
    bool in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }
    Error error() const;

    sqlite3* handle() const { return handle_; }
    const std::filesystem::path& file() const { return file_; }

  private:
    sqlite3* handle_ = nullptr;
    std::filesystem::path file_;
};

// Parameters are bound by `bind`, in order; `step` gives rows; `run` is for statements without rows. Errors
// are kept until `step` or `run`.
class Statement {
  public:
    Statement() = default;
    Statement(Database& database, std::string_view sql);
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    Statement& bind(std::int64_t value);
    Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
    Statement& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
    Statement& bind(std::uint32_t value) { return bind(static_cast<std::int64_t>(value)); }
    Statement& bind(double value);
    Statement& bind(std::string_view text);
    Statement& bind(std::span<const std::byte> blob);
    Statement& bind_null();

    // True: a row can be read. False: there are no more, and the statement may be bound anew.
    Result<bool> step();
    Result<void> run();

    std::int64_t number(int column) const { return sqlite3_column_int64(handle_, column); }
    double real(int column) const { return sqlite3_column_double(handle_, column); }
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const;
    bool is_null(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }

  private:
    Database* database_ = nullptr;
    sqlite3_stmt* handle_ = nullptr;
    int next_ = 1;
    bool failed_ = false;
};

}  // namespace lockstep::report
