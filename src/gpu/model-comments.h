// The comments of a GPU model's file: where each number comes from.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::gpu {

struct Source {
    std::string tag;   // "G"
    std::string text;  // "CUDA C++ Programming Guide, …"
};

struct ModelComments {
    std::vector<Source> sources;  // what the tags mean, as the head of the file says
    std::vector<std::string> remarks;
    // What stands behind a key: "[M] arithmetic.csv: 4 cycles".
    std::map<std::string, std::string, std::less<>> of_key;
};

// Where a line's comment begins: at the first # that is not inside quotes; the line's length where it has
// none.
std::size_t comment_begin(const std::string& line);

// For a file that load_model takes.
Result<ModelComments> read_comments(const std::filesystem::path& file);

}  // namespace lockstep::gpu
