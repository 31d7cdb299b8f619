// How close a count of ours must come to a GPU's, and whether it does.
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recording.h"

namespace lockstep::validation {

enum class Closeness {
    equal,       // to as many digits as were recorded
    wavefronts,  // equal but for what arbitration between warps adds on a GPU, to wavefronts and conflicts
                 // alike
    near,        // within 10 %, in most rows
    registers,   // within 4 of ptxas', in most rows
};

struct Requirement {
    std::string metric;
    Closeness closeness{};
    bool scales = true;  // with the number of blocks
    bool branch = false;
};

// In the order of the report's columns.
std::span<const Requirement> requirements();

std::vector<std::string> required_metrics();

// A recorded launch and ours that stands for it: the same kernel and block, and where a kernel was launched
// several times with one block, the same place among those launches.
struct Pair {
    const Row* recorded = nullptr;
    const Row* ours = nullptr;

    // Ours may have a part of the blocks.
    double scale() const { return double(recorded->blocks()) / double(ours->blocks()); }
};

// One pair for each row of `recorded`, or an error that names the row without a launch.
Result<std::vector<Pair>> pair_rows(std::span<const Row> recorded, std::span<const Row> ours);

struct Comparison {
    Pair pair;
    const Requirement* requirement = nullptr;
    double recorded = 0, ours = 0;  // ours scaled to the recorded number of blocks
    bool close = false;

    double relative_error() const;
};

// Nothing where the GPU or lockstep gave no number.
std::optional<Comparison> compare(const Pair& pair, const Requirement& requirement);

// A launch whose counts differ for a reason that we know: exceptions/*.md.
struct Exception {
    std::string title;
    std::string text;  // the reason, in Markdown, with the machine code that shows it
    std::vector<std::pair<std::string, std::string>> launches;  // program and kernel's short name
};

Result<std::vector<Exception>> read_exceptions(const std::filesystem::path& folder);
const Exception* find_exception(std::span<const Exception> exceptions, const Row& row);

std::string short_name(const std::string& kernel);  // "unrolling<2>"

double median(std::vector<double> values);

}  // namespace lockstep::validation
