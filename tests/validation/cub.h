// cub::DeviceReduce: only nvcc compiles it, so its launches are compared where nvcc is installed.
#pragma once
#include "compare.h"
#include "profile.h"

namespace lockstep::validation {

struct CubRun {
    std::vector<Row> recorded, ours;
    std::vector<Pair> pairs;
};

// Every recorded size that one launch stands for, up to 2^26 numbers, run from what nvcc makes here.
Result<CubRun> run_cub();

}  // namespace lockstep::validation
