// A GPU model made of another one's file: figures that are known better are put in their places, with where
// they come from; the others are marked as the other model's.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/model.h"

namespace lockstep::gpu {

struct NewFigure {
    std::string key;  // "pipes.fma.latency"
    double value = 0;
    std::string comment;  // "[M] arithmetic.csv: a chain of FADD"
};

struct NewModel {
    std::string name, architecture;      // in the file's first keys
    std::vector<std::string> head;       // lines of comment, the meaning of the tags among them
    std::vector<std::string> validated;  // whole lines of the table [validated]; empty: no table
    std::vector<NewFigure> figures;
    std::string rest_tag;  // before the comments of all other figures: "[B] h200.toml:"
};

struct RewrittenModel {
    std::string text;
    std::vector<std::string>
        refused;  // "l2.latency = 9e9: a model takes 1 to 100000"; the base's stand there
};

// `base` is the file of a model that load_model takes.
Result<RewrittenModel> rewrite_model(const std::filesystem::path& base, const NewModel& changes);

}  // namespace lockstep::gpu
