// Adds up what two compilers' code of a program did: `collect_code PROGRAM NVCC.json LOCKSTEP.json …` reads
// what `lockstep profile --launches --json` wrote for each, and prints the lines of public.csv.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "code-comparison.h"

int main(int argc, char** argv) {
    using namespace lockstep::validation;
    if (argc == 2 && std::strcmp(argv[1], "--metrics") == 0) {
        for (const CodeMetric& metric : code_metrics)
            fmt::print("{}{}", &metric == code_metrics.data() ? "" : ",", metric.metric);
        fmt::print("\n");
        return 0;
    }
    if (argc < 4 || argc % 3 != 1) {
        fmt::print(stderr,
                   "usage: collect_code PROGRAM NVCC.json LOCKSTEP.json …\n"
                   "       collect_code --metrics   what `lockstep profile` has to be asked for\n");
        return 2;
    }
    fmt::print("{}", code_file_header());
    for (int i = 1; i < argc; i += 3) {
        const auto nvcc = read_launches(argv[i], argv[i + 1]), ours = read_launches(argv[i], argv[i + 2]);
        if (!nvcc || !ours) {
            fmt::print(stderr, "{}\n", (nvcc ? ours : nvcc).error().to_string());
            return 1;
        }
        for (const KernelCode& kernel : compare_code(*nvcc, *ours)) fmt::print("{}", code_file_line(kernel));
    }
}
