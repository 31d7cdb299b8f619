#include "measure/rocprof-trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "compile/files.h"
#include "measure/rocprof-csv.h"
#include "measure/trace-timeline.h"

namespace lockstep::measure {
namespace {

namespace fs = std::filesystem;
using timing::OperationKind;

// One process's tables; those of which there was nothing to tell are missing.
struct Tables {
    std::optional<RocprofTable> kernels, copies, calls;
    std::vector<RocprofAgent> agents;
};

constexpr ColumnNames begin_time = {"Start_Timestamp"}, end_time = {"End_Timestamp"},
                      call_number = {"Correlation_Id"};

Result<TraceTimeline::Times> times_at(const RocprofTable& table, std::size_t row) {
    auto begin = table.whole(row, begin_time), end = table.whole(row, end_time);
    if (!begin) return begin.error();
    if (!end) return end.error();
    if (*end < *begin) return table.error_in(row, "it ends before it begins");
    return TraceTimeline::Times{*begin, *end};
}

class TraceReader {
  public:
    explicit TraceReader(const Tables& tables) : tables_(tables) {}

    Result<report::Timeline> read(const report::TimelineInfo& info) {
        std::uint64_t start = UINT64_MAX;
        for (const auto* table : {&tables_.kernels, &tables_.copies, &tables_.calls})
            for (std::size_t row = 0; *table && row < (*table)->rows(); ++row) {
                auto times = times_at(**table, row);
                if (!times) return times.error();
                start = std::min(start, times->begin);
            }
        TraceTimeline timeline(info, start, "hip");
        if (auto done = each_row(tables_.kernels, timeline, &TraceReader::kernel); !done) return done.error();
        if (auto done = each_row(tables_.copies, timeline, &TraceReader::copy); !done) return done.error();
        if (auto done = each_row(tables_.calls, timeline, &TraceReader::call); !done) return done.error();
        return timeline.finish(false);
    }

  private:
    using Read = Result<void> (TraceReader::*)(const RocprofTable&, std::size_t, TraceTimeline&) const;
    Result<void> each_row(const std::optional<RocprofTable>& table, TraceTimeline& timeline,
                          Read read) const {
        for (std::size_t row = 0; table && row < table->rows(); ++row)
            if (auto done = (this->*read)(*table, row, timeline); !done) return done;
        return {};
    }

    // A GPU's number among the GPUs; a CPU is none.
    std::optional<int> device_of(std::uint64_t agent) const {
        const auto found = std::ranges::find(tables_.agents, agent, &RocprofAgent::number);
        if (found == tables_.agents.end()) return {};
        return static_cast<int>(found - tables_.agents.begin());
    }

    // Where there is no column for streams, as in older versions, queues of the hardware take their place.
    static Result<timing::StreamId> stream_at(const RocprofTable& table, std::size_t row) {
        const bool streams = table.has({"Stream_Id"});
        if (!streams && !table.has({"Queue_Id"})) return timing::legacy_stream;
        auto number = table.whole(row, {streams ? "Stream_Id" : "Queue_Id"});
        if (!number) return number.error();
        return streams ? *number + timing::legacy_stream : std::max(*number, timing::legacy_stream);
    }

    Result<void> kernel(const RocprofTable& table, std::size_t row, TraceTimeline& timeline) const {
        auto times = times_at(table, row);
        auto agent = table.whole(row, {"Agent_Id"}), call = table.whole(row, call_number);
        auto stream = stream_at(table, row);
        for (const auto* one : {&agent, &call, &stream})
            if (!*one) return one->error();
        const std::string name = rocprof_kernel_name(table.text(row, {"Kernel_Name"}));
        // The runtime does some fills and copies by kernels of its own.
        const OperationKind kind = !is_runtime_kernel(name)                 ? OperationKind::kernel
                                   : name.find("fill") != std::string::npos ? OperationKind::fill
                                                                            : OperationKind::copy_on_device;
        timing::Placement& one = timeline.add(kind, *times, device_of(*agent).value_or(0), *stream, *call);
        if (kind != OperationKind::kernel) return {};
        auto shape = table.shape(row);
        if (!shape) return shape.error();
        timing::OperationTrace& trace = *one.operation.trace;
        trace.grid = shape->grid;
        trace.block = shape->block;
        const auto figure = [&](ColumnNames names) {
            const auto value = table.number(row, names);
            return value && *value ? static_cast<std::uint32_t>(**value) : 0;
        };
        trace.registers = figure({"VGPR_Count"});
        trace.static_shared = figure({"LDS_Block_Size", "Group_Segment_Size"});
        TraceTimeline::describe_kernel(one, name);
        return {};
    }

    Result<void> copy(const RocprofTable& table, std::size_t row, TraceTimeline& timeline) const {
        auto times = times_at(table, row);
        auto from = table.whole(row, {"Source_Agent_Id"}), to = table.whole(row, {"Destination_Agent_Id"}),
             call = table.whole(row, call_number);
        auto stream = stream_at(table, row);
        for (const auto* one : {&from, &to, &call, &stream})
            if (!*one) return one->error();
        const std::string direction = table.text(row, {"Direction"});
        OperationKind kind = OperationKind::copy_on_device;
        if (direction.ends_with("HOST_TO_DEVICE")) kind = OperationKind::copy_to_device;
        if (direction.ends_with("DEVICE_TO_HOST")) kind = OperationKind::copy_to_host;
        if (direction.ends_with("HOST_TO_HOST")) kind = OperationKind::copy_on_host;
        if (kind == OperationKind::copy_on_device && *from != *to) kind = OperationKind::copy_to_peer;
        const std::uint64_t gpu = kind == OperationKind::copy_to_device ? *to : *from;
        timeline.add(kind, *times, device_of(gpu).value_or(0), *stream, *call);
        return {};
    }

    Result<void> call(const RocprofTable& table, std::size_t row, TraceTimeline& timeline) const {
        auto times = times_at(table, row);
        auto number = table.whole(row, call_number);
        if (!number) return number.error();
        timeline.add_call(*number, *times, table.text(row, {"Function"}));
        return {};
    }

    const Tables& tables_;
};

}  // namespace

Result<std::vector<report::Timeline>> read_rocprof_traces(const fs::path& folder,
                                                          const report::TimelineInfo& info) {
    std::map<std::string, Tables> processes;  // by how their files' names begin
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string name = file.string();
        // The process whose file it is, if it is of that kind.
        const auto process_of = [&](std::string_view kind) -> Tables* {
            return name.ends_with(kind) ? &processes[name.substr(0, name.size() - kind.size())] : nullptr;
        };
        std::optional<RocprofTable>* to = nullptr;
        if (Tables* const one = process_of("kernel_trace.csv")) to = &one->kernels;
        if (Tables* const one = process_of("memory_copy_trace.csv")) to = &one->copies;
        if (Tables* const one = process_of("hip_api_trace.csv")) to = &one->calls;
        Tables* const of_agents = process_of("agent_info.csv");
        if (!to && !of_agents) continue;
        const auto text = compile::read_file(file);
        if (!text) return Error{"cannot read this file", {name}};
        if (of_agents) {
            auto read = read_rocprof_agents(*text, name);
            if (!read) return read.error();
            of_agents->agents = std::move(*read);
            continue;
        }
        auto table = RocprofTable::parse(*text, name);
        if (!table) return table.error();
        *to = std::move(*table);
    }
    std::vector<report::Timeline> timelines;
    for (const auto& [prefix, tables] : processes) {
        auto timeline = TraceReader(tables).read(info);
        if (!timeline) return timeline.error();
        timelines.push_back(std::move(*timeline));
    }
    return timelines;
}

}  // namespace lockstep::measure
