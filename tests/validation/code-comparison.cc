#include "code-comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace lockstep::validation {
namespace {

double relative(double from, double to) {
    if (from == to) return 0;
    return from == 0 ? INFINITY : to / from - 1;
}

// The launches of one kernel, added up.
class Total {
  public:
    void add(const Row& row, double scale = 1) {
        ++launches_;
        for (std::size_t m = 0; m < code_metrics.size(); ++m) {
            const auto value = row.values.find(code_metrics[m].metric);
            if (value == row.values.end() || (m == KernelCode::time && scale != 1)) continue;
            sums_[m] += value->second * (code_metrics[m].is_mean ? 1 : scale);
            ++counts_[m];
        }
    }
    CodeCounts counts() const {
        CodeCounts result;
        for (std::size_t m = 0; m < code_metrics.size(); ++m)
            if (launches_ > 0 && counts_[m] == launches_)
                result[m] = code_metrics[m].is_mean ? sums_[m] / launches_ : sums_[m];
        return result;
    }

  private:
    int launches_ = 0;
    std::array<double, code_metrics.size()> sums_{};
    std::array<int, code_metrics.size()> counts_{};
};

// Kernels in the order of their first launch.
struct Totals {
    KernelCode kernel;
    Total nvcc, ours, gpu;
};
Totals& totals_of(std::vector<Totals>& list, const Row& row) {
    const auto known = std::ranges::find_if(list, [&](const Totals& one) {
        return one.kernel.program == row.program && one.kernel.kernel == row.kernel;
    });
    if (known != list.end()) return *known;
    list.push_back({{.program = row.program, .kernel = row.kernel}, {}, {}, {}});
    return list.back();
}

std::vector<KernelCode> finish(const std::vector<Totals>& list) {
    std::vector<KernelCode> kernels;
    for (const Totals& one : list) {
        KernelCode& kernel = kernels.emplace_back(one.kernel);
        kernel.nvcc = one.nvcc.counts();
        kernel.ours = one.ours.counts();
        kernel.gpu = one.gpu.counts();
    }
    return kernels;
}

constexpr const char* sides[] = {"nvcc", "lockstep", "gpu"};
CodeCounts KernelCode::* const counts_of[] = {&KernelCode::nvcc, &KernelCode::ours, &KernelCode::gpu};

}  // namespace

double KernelCode::difference(std::size_t metric) const {
    return nvcc[metric] && ours[metric] ? relative(*nvcc[metric], *ours[metric]) : 0;
}

bool KernelCode::memory_is_equal() const {
    for (std::size_t m = 0; m < code_metrics.size(); ++m)
        if (code_metrics[m].is_memory && nvcc[m] != ours[m]) return false;
    return true;
}

std::vector<KernelCode> compare_code(const Suite& nvcc, const Suite& ours) {
    std::vector<Totals> list;
    for (std::size_t i = 0; i < std::min(nvcc.pairs.size(), ours.pairs.size()); ++i) {
        Totals& totals = totals_of(list, *nvcc.pairs[i].recorded);
        ++totals.kernel.launches;
        totals.nvcc.add(*nvcc.pairs[i].ours, nvcc.pairs[i].scale());
        totals.ours.add(*ours.pairs[i].ours, ours.pairs[i].scale());
        totals.gpu.add(*nvcc.pairs[i].recorded);
    }
    return finish(list);
}

std::vector<KernelCode> compare_code(std::span<const Row> nvcc, std::span<const Row> ours) {
    std::vector<Totals> list;
    for (const Row& row : nvcc) {
        Totals& totals = totals_of(list, row);
        ++totals.kernel.launches;
        totals.nvcc.add(row);
    }
    for (const Row& row : ours) totals_of(list, row).ours.add(row);
    // A kernel that only one of the two has launched cannot be compared.
    std::vector<KernelCode> kernels = finish(list);
    std::erase_if(kernels, [](const KernelCode& kernel) {
        return !kernel.nvcc[KernelCode::instructions] || !kernel.ours[KernelCode::instructions];
    });
    return kernels;
}

Result<std::vector<KernelCode>> read_code_file(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return Error{"cannot be read", {file.string()}};
    const auto lines = parse_csv(std::string(std::istreambuf_iterator<char>(in), {}));
    if (lines.empty() || code_file_header() != fmt::format("{}\n", fmt::join(lines[0], ",")))
        return Error{"expected the columns " + code_file_header(), {file.string(), 1}};
    std::vector<KernelCode> kernels;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].size() != lines[0].size())
            return Error{fmt::format("{} cells, expected {}", lines[i].size(), lines[0].size()),
                         {file.string(), static_cast<int>(i + 1)}};
        KernelCode& kernel = kernels.emplace_back();
        auto cell = lines[i].begin();
        kernel.program = *cell++;
        kernel.kernel = *cell++;
        kernel.launches = std::atoi((cell++)->c_str());
        for (const auto counts : counts_of)
            for (std::size_t m = 0; m < code_metrics.size(); ++m, ++cell)
                if (!cell->empty()) (kernel.*counts)[m] = std::atof(cell->c_str());
    }
    return kernels;
}

std::string code_file_header() {
    std::string line = "program,kernel,launches";
    for (const char* side : sides)
        for (const CodeMetric& metric : code_metrics) line += fmt::format(",{}_{}", metric.name, side);
    return line + "\n";
}

std::string code_file_line(const KernelCode& kernel) {
    std::string line = fmt::format("{},\"{}\",{}", kernel.program, kernel.kernel, kernel.launches);
    for (const auto counts : counts_of)
        for (const std::optional<double>& value : kernel.*counts)
            line += value ? fmt::format(",{:.10g}", *value) : ",";
    return line + "\n";
}

CodeSummary summarize(std::span<const KernelCode> kernels) {
    CodeSummary summary;
    summary.kernels = kernels.size();
    const auto all = static_cast<double>(kernels.size());
    std::vector<double> differences;
    int near = 0, equal = 0;
    for (const KernelCode& kernel : kernels) {
        const double instructions = std::fabs(kernel.difference(KernelCode::instructions));
        const double time = std::fabs(kernel.difference(KernelCode::time));
        differences.push_back(instructions);
        near += instructions <= 0.10;
        equal += kernel.memory_is_equal();
        summary.mean_time += time / all;
        summary.most_time = std::max(summary.most_time, time);
    }
    summary.near = near / all;
    summary.equal_memory = equal / all;
    summary.median = median(differences);
    return summary;
}

}  // namespace lockstep::validation
