#include "measure/rocprof-csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "base/demangle.h"
#include "measure/rocprof-metrics.h"

namespace lockstep::measure {
namespace {

using Names = ColumnNames;

constexpr Names kernel_column = {"Kernel_Name", "KernelName"},
                agent_column = {"Agent_Id", "GPU_ID", "gpu-id"},
                process_column = {"Process_Id", "PID", "pid"},
                dispatch_column = {"Dispatch_Id", "Dispatch_ID", "Index"}, stream_column = {"Stream_Id"},
                begin_column = {"Start_Timestamp", "BeginNs"}, end_column = {"End_Timestamp", "EndNs"},
                grid_column = {"Grid_Size", "grd"}, group_column = {"Workgroup_Size", "wgr"},
                counter_column = {"Counter_Name"}, value_column = {"Counter_Value"};

// What a launch has beside counters, by lockstep's names for it.
struct Resource {
    const char* metric;
    Names columns;
};
constexpr std::array resources = {
    Resource{"LDS_Per_Workgroup", {"LDS_Block_Size", "LDS_Per_Workgroup", "lds", "Group_Segment_Size"}},
    Resource{"Scratch_Per_Workitem", {"Scratch_Size", "Scratch_Per_Workitem", "scr", "Private_Segment_Size"}},
    Resource{"Arch_VGPR", {"VGPR_Count", "Arch_VGPR", "arch_vgpr"}},
    Resource{"Accum_VGPR", {"Accum_VGPR_Count", "Accum_VGPR", "accum_vgpr"}},
    Resource{"SGPR", {"SGPR_Count", "SGPR", "sgpr"}},
    Resource{"wave_size", {"wave_size", "Wave_Size"}},
};

bool is_one_of(std::string_view name, Names names) { return std::ranges::find(names, name) != names.end(); }

// What is told of a launch in its own words, and not counted.
bool describes_launch(std::string_view name) {
    for (const Names& names : {kernel_column, agent_column, process_column, dispatch_column, stream_column,
                               begin_column, end_column, grid_column, group_column})
        if (is_one_of(name, names)) return true;
    return std::ranges::any_of(resources, [&](const Resource& one) { return is_one_of(name, one.columns); });
}

// These are kilobytes there, and bytes here.
struct Kilobytes {
    std::string_view column;
    const char* metric;
};
constexpr std::array in_kilobytes = {
    Kilobytes{"FetchSize", "FetchSize"}, Kilobytes{"FETCH_SIZE", "FetchSize"},
    Kilobytes{"WriteSize", "WriteSize"}, Kilobytes{"WRITE_SIZE", "WriteSize"}};

// Parts of a counter, one for each of a block's copies, add up.
void add_value(MeasuredLaunch& launch, const std::string& name, double value) {
    const auto scaled = std::ranges::find(in_kilobytes, name, &Kilobytes::column);
    if (scaled != in_kilobytes.end())
        launch.values[scaled->metric] += 1024 * value;
    else
        launch.values[name] += value;
}

// An address, 0x…, is none.
std::optional<double> parsed_number(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && text.find_first_of("xX") == std::string::npos && *end == '\0' &&
                   std::isfinite(value)
               ? std::optional(value)
               : std::nullopt;
}

class LaunchReader {
  public:
    explicit LaunchReader(const RocprofTable& table) : table_(table) {}

    Result<RocprofLaunches> read() {
        result_.has_shapes = table_.has_shapes();
        const bool a_row_a_counter = table_.has(counter_column);
        for (const Names& names : {kernel_column, dispatch_column, agent_column})
            if (auto there = table_.needs(names); !there) return there.error();
        if (a_row_a_counter)
            if (auto there = table_.needs(value_column); !there) return there.error();
        if (!result_.has_shapes)
            for (const Names& names : {grid_column, group_column})
                if (auto there = table_.needs(names); !there) return there.error();
        for (std::size_t row = 0; row < table_.rows(); ++row) {
            auto launch = launch_at(row);
            if (!launch) return launch.error();
            auto counted = a_row_a_counter ? add_counter(row, **launch) : add_columns(row, **launch);
            if (!counted) return counted.error();
        }
        for (auto& [place, launch] : launches_)
            if (!is_runtime_kernel(launch.kernel)) result_.all.push_back(std::move(launch));
        return std::move(result_);
    }

  private:
    using Place = std::tuple<std::uint64_t, std::uint64_t>;  // process and dispatch

    // The launch of that row, which others may have told of already.
    Result<MeasuredLaunch*> launch_at(std::size_t row) {
        auto dispatch = table_.whole(row, dispatch_column), process = optional_whole(row, process_column);
        if (!dispatch) return dispatch.error();
        if (!process) return process.error();
        auto [known, added] = launches_.try_emplace(Place{*process, *dispatch});
        MeasuredLaunch& launch = known->second;
        if (!added) return &launch;
        launch.kernel = rocprof_kernel_name(table_.text(row, kernel_column));
        if (launch.kernel.empty()) return table_.error_in(row, "this launch has no kernel");
        launch.process = *process;
        auto agent = table_.whole(row, agent_column), stream = optional_whole(row, stream_column);
        if (!agent) return agent.error();
        if (!stream) return stream.error();
        launch.device = static_cast<int>(*agent);
        launch.stream = *stream + 1;  // 0 is the default stream there
        auto shape = table_.shape(row);
        if (!shape) return shape.error();
        launch.grid = shape->grid;
        launch.block = shape->block;
        for (const Resource& resource : resources) {
            auto value = table_.number(row, resource.columns);
            if (!value) return value.error();
            if (*value) launch.values[resource.metric] = **value;
        }
        if (auto timed = read_times(row, launch); !timed) return timed.error();
        return &launch;
    }

    Result<std::uint64_t> optional_whole(std::size_t row, Names names) const {
        return table_.has(names) ? table_.whole(row, names) : std::uint64_t{0};
    }

    // Some tools write times that a spreadsheet has rounded: then there is none.
    Result<void> read_times(std::size_t row, MeasuredLaunch& launch) const {
        if (!table_.has(begin_column) || !table_.has(end_column)) return {};
        auto begin = table_.whole(row, begin_column), end = table_.whole(row, end_column);
        if (!begin) return begin.error();
        if (!end) return end.error();
        if (*end > *begin) launch.values[duration_name] = static_cast<double>(*end - *begin);
        return {};
    }

    Result<void> add_counter(std::size_t row, MeasuredLaunch& launch) const {
        auto value = table_.number(row, value_column);
        if (!value) return value.error();
        if (!*value) return table_.error_in(row, "this counter has no value");
        add_value(launch, table_.text(row, counter_column), **value);
        return {};
    }

    Result<void> add_columns(std::size_t row, MeasuredLaunch& launch) const {
        for (const std::string& name : table_.names()) {
            if (describes_launch(name)) continue;
            auto value = table_.number(row, {name});
            // Of what is no counter, a signal's handle or a kind, nothing is wanted.
            if (!value && is_rocprof_counter(name)) return value.error();
            if (value && *value) add_value(launch, name, **value);
        }
        return {};
    }

    const RocprofTable& table_;
    RocprofLaunches result_;
    std::map<Place, MeasuredLaunch> launches_;
};

}  // namespace

Result<RocprofTable> RocprofTable::parse(std::string_view text, std::string file) {
    auto parsed = report::parse_csv(text, file);
    if (!parsed) return parsed.error();
    RocprofTable table;
    table.table_ = std::move(*parsed);
    table.file_ = std::move(file);
    return table;
}

std::optional<std::size_t> RocprofTable::find(Names names) const {
    for (const std::string_view name : names)
        if (const auto found = table_.column(name)) return found;
    return {};
}

Error RocprofTable::error_in(std::size_t row, const std::string& message) const {
    return {message, {file_, static_cast<int>(row) + 2}};  // below the names
}

Result<void> RocprofTable::needs(Names names) const {
    if (has(names)) return {};
    return Error{fmt::format("this table has no column {}", fmt::join(names, " or ")), {file_, 1}};
}

std::string RocprofTable::text(std::size_t row, Names names) const {
    const auto column = find(names);
    return column ? table_.rows[row][*column] : "";
}

Result<std::optional<double>> RocprofTable::number(std::size_t row, Names names) const {
    const std::string cell = text(row, names);
    if (cell.empty()) return std::optional<double>();
    if (const auto value = parsed_number(cell)) return value;
    return error_in(row, fmt::format("{}: '{}' is no number", table_.names[*find(names)], cell));
}

Result<std::uint64_t> RocprofTable::whole(std::size_t row, Names names) const {
    if (auto there = needs(names); !there) return there.error();
    std::string_view cell = table_.rows[row][*find(names)];
    constexpr std::string_view agent = "Agent ";
    if (cell.starts_with(agent)) cell.remove_prefix(agent.size());
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error == std::errc() && end == cell.data() + cell.size()) return value;
    constexpr double most = 1e18;
    if (const auto rounded = parsed_number(std::string(cell)); rounded && *rounded >= 0 && *rounded < most)
        return static_cast<std::uint64_t>(*rounded);
    return error_in(row, fmt::format("{}: '{}' is no whole number", table_.names[*find(names)], cell));
}

Result<RocprofTable::Shape> RocprofTable::shape(std::size_t row) const {
    Shape result;
    const auto read = [&](std::size_t axis, Names grid, Names group) -> Result<void> {
        auto items = whole(row, grid), size = whole(row, group);
        if (!items) return items.error();
        if (!size) return size.error();
        const std::uint64_t blocks = *size ? (*items + *size - 1) / *size : 0;
        if (blocks == 0 || blocks > UINT32_MAX || *size > UINT32_MAX)
            return error_in(row, fmt::format("a grid of {} work-items in groups of {}", *items, *size));
        result.grid[axis] = static_cast<std::uint32_t>(blocks);
        result.block[axis] = static_cast<std::uint32_t>(*size);
        return {};
    };
    constexpr std::array<std::array<Names, 2>, 3> axes = {
        {{Names{"Grid_Size_X"}, Names{"Workgroup_Size_X"}},
         {Names{"Grid_Size_Y"}, Names{"Workgroup_Size_Y"}},
         {Names{"Grid_Size_Z"}, Names{"Workgroup_Size_Z"}}}};
    if (!has_shapes()) {
        if (auto done = read(0, grid_column, group_column); !done) return done.error();
        return result;
    }
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        if (auto done = read(axis, axes[axis][0], axes[axis][1]); !done) return done.error();
    return result;
}

bool is_rocprof_csv(std::string_view text) {
    const std::string_view first = text.substr(0, text.find('\n'));
    const auto has = [&](std::string_view name) { return first.find(name) != std::string_view::npos; };
    return (has("Kernel_Name") || has("KernelName")) &&
           (has("Workgroup_Size") || has("wgr") || has("Dispatch_I"));
}

Result<RocprofLaunches> read_rocprof_csv(std::string_view text, const std::string& file) {
    auto table = RocprofTable::parse(text, file);
    if (!table) return table.error();
    return LaunchReader(*table).read();
}

Result<std::vector<RocprofAgent>> read_rocprof_agents(std::string_view text, const std::string& file) {
    auto table = RocprofTable::parse(text, file);
    if (!table) return table.error();
    const Names node = {"Node_Id"}, type = {"Agent_Type"}, code = {"Name"}, product = {"Product_Name"};
    for (const Names& names : {node, type, code})
        if (auto there = table->needs(names); !there) return there.error();
    std::vector<RocprofAgent> agents;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        if (table->text(row, type) != "GPU") continue;
        auto number = table->whole(row, node);
        if (!number) return number.error();
        const std::string name = table->text(row, product);
        agents.push_back({*number, {name.empty() ? "AMD GPU" : name, "", table->text(row, code)}});
    }
    std::ranges::sort(agents, {}, &RocprofAgent::number);
    return agents;
}

std::string rocprof_kernel_name(std::string name) {
    for (const std::string_view mark : {" [clone .kd]", " (.kd)", ".kd"})
        if (name.ends_with(mark)) name.resize(name.size() - mark.size());
    return base::kernel_name(name);
}

bool is_runtime_kernel(std::string_view name) { return name.starts_with("__amd_rocclr_"); }

}  // namespace lockstep::measure
