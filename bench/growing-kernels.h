// Kernels whose length is a parameter: what the compile time of a kernel depends on, one kind at a time.
#pragma once
#include <string>
#include <vector>

namespace bench {

struct GrowingKernel {
    std::string name;
    int size;                  // where a benchmark starts
    std::string (*make)(int);  // PTX of `kernel`, as long as its argument says
};

const std::vector<GrowingKernel>& growing_kernels();

}  // namespace bench
