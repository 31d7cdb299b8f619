// The files that a command writes because an option names them. They are checked before anything runs, so
// that hours of work do not end in a file that cannot be written, or in the place of a source; and written
// beside their place first, so that a failure leaves what was there.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lockstep::compile {

struct Output {
    enum class Kind {
        report,       // a text for programs or people: what holds anything else is not its place
        run_file,     // one of lockstep's own may be replaced
        binary,       // a compiler's: what it made before may be replaced, but no source
        translation,  // a compiler's, too: PTX, or a preprocessed source
    };
    std::string option;          // "--csv"
    std::filesystem::path file;  // empty: not asked for; "-": stdout
    Kind kind = Kind::report;
};

// An error where an output is one of the inputs (by whatever name), another output, or an existing file that
// somebody has written by hand or built; or where its folder is missing or cannot be written to.
Result<void> check_outputs(std::span<const Output> outputs, std::span<const std::filesystem::path> inputs);

// A new file on its way to the place of an old one.
class Replacement {
  public:
    // `file` may be a link: what it leads to is replaced. A device or a pipe is written to as it is.
    static Result<Replacement> create(const std::filesystem::path& file);
    Replacement(Replacement&& other) noexcept;
    Replacement& operator=(Replacement&&) = delete;
    // Removes what was not committed.
    ~Replacement();

    // Where to write; the file exists, and is empty.
    const std::filesystem::path& path() const { return path_; }
    Result<void> commit();

  private:
    Replacement(std::filesystem::path path, std::filesystem::path target)
        : path_(std::move(path)), target_(std::move(target)) {}
    std::filesystem::path path_, target_;  // the same: written to directly
};

// All at once.
Result<void> replace_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace lockstep::compile
