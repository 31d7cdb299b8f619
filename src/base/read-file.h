// The bytes of a file, whatever they are.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace lockstep::base {

// Nothing where it cannot be read, or is a directory.
std::optional<std::string> read_file(const std::filesystem::path& file);

// The rest of an open file.
std::optional<std::string> read_all(int descriptor);

}  // namespace lockstep::base
