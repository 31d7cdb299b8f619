// The tables that AMD's profilers write, read by the names of their columns, which differ between versions:
// rocprofv3's kernel_trace.csv (a row a launch, times alone) and counter_collection.csv (a row a launch and
// counter), and those with a row a launch and a column a counter that rocprof, rocprofv2 and omniperf write.
#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/measured-launch.h"
#include "measure/real-gpu.h"
#include "report/csv-table.h"

namespace lockstep::measure {

// What a column is called, by one version or another.
class ColumnNames {
  public:
    constexpr ColumnNames(std::initializer_list<std::string_view> names) : count_(names.size()) {
        std::ranges::copy(names, names_.begin());
    }
    constexpr auto begin() const { return names_.begin(); }
    constexpr auto end() const { return names_.begin() + count_; }

  private:
    std::array<std::string_view, 4> names_{};
    std::size_t count_;
};

// A table with what is needed to say where something is wrong in it.
class RocprofTable {
  public:
    static Result<RocprofTable> parse(std::string_view text, std::string file);

    std::size_t rows() const { return table_.rows.size(); }
    const std::vector<std::string>& names() const { return table_.names; }
    // By the first of these columns that it has; nothing where it has none, or the cell is empty.
    using Names = ColumnNames;
    bool has(Names names) const { return find(names).has_value(); }
    std::string text(std::size_t row, Names names) const;
    Result<std::optional<double>> number(std::size_t row, Names names) const;
    // A whole number, which has more digits than a double: a time. "Agent 4" is 4.
    Result<std::uint64_t> whole(std::size_t row, Names names) const;
    // An error unless it has one of these.
    Result<void> needs(Names names) const;

    // Of a launch, in blocks and threads: the table has work-items in groups.
    struct Shape {
        std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    };
    bool has_shapes() const { return has({"Workgroup_Size_X"}); }
    // Where there are only totals, they stand in the first extent.
    Result<Shape> shape(std::size_t row) const;

    Error error_in(std::size_t row, const std::string& message) const;

  private:
    std::optional<std::size_t> find(Names names) const;

    report::CsvTable table_;
    std::string file_;
};

struct RocprofLaunches {
    bool has_shapes = false;  // grids and blocks have three extents; else their totals stand in the first
    // In the order of processes and dispatches; `device` is the number of the agent. Kernels of the runtime's
    // own are left out.
    std::vector<MeasuredLaunch> all;
};

// Whether these are lines of a table with launches.
bool is_rocprof_csv(std::string_view text);
Result<RocprofLaunches> read_rocprof_csv(std::string_view text, const std::string& file);

// What agent_info.csv says: the GPUs, with the numbers by which the other tables name them.
struct RocprofAgent {
    std::uint64_t number = 0;
    RealGpu gpu;
};
Result<std::vector<RocprofAgent>> read_rocprof_agents(std::string_view text, const std::string& file);

// "vecCopy(double*, int) [clone .kd]": a kernel is known by its descriptor there.
std::string rocprof_kernel_name(std::string name);
// Which the runtime launches for copies and fills.
bool is_runtime_kernel(std::string_view name);

}  // namespace lockstep::measure
