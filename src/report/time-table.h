// Where the time goes: the kernels by their share of it, and what bounds each.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/document.h"
#include "report/run-reader.h"

namespace lockstep::report {

// A kernel with its predicted times.
struct KernelTime {
    const KernelResult* kernel = nullptr;
    Aggregate time;      // ns
    double percent = 0;  // of all kernels' time
};

// Those that have a predicted time, the longest first.
std::vector<KernelTime> kernel_times(const RunFile& run);

// What bounds a kernel and what its warps do, in words: a line each, none where nothing is known.
std::vector<std::string> bound_lines(const KernelResult& kernel);

// In nvprof's columns, with these lines below each kernel. Nothing where no kernel has a time.
std::optional<Table> time_table(const RunFile& run);

}  // namespace lockstep::report
