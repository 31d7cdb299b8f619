#include "measure/gpu-trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/demangle.h"
#include "base/paths.h"
#include "compile/files.h"
#include "compile/process.h"
#include "measure/trace-timeline.h"
#include "report/activity.h"

namespace lockstep::measure {
namespace {

namespace fs = std::filesystem;
using timing::OperationKind;

// A line's cells, between tabs.
class Line {
  public:
    explicit Line(std::string_view text) {
        for (;;) {
            const std::size_t tab = text.find('\t');
            cells_.push_back(text.substr(0, tab));
            if (tab == std::string_view::npos) break;
            text.remove_prefix(tab + 1);
        }
    }
    std::string_view kind() const { return cells_.front(); }
    // With a begin and an end.
    bool is_timed() const { return cells_.size() >= 6; }
    bool has(std::size_t cells) const { return cells_.size() == cells; }
    std::string text(std::size_t cell) const { return std::string(cells_[cell]); }
    std::uint64_t number(std::size_t cell) const {
        std::uint64_t value = 0;
        std::from_chars(cells_[cell].data(), cells_[cell].data() + cells_[cell].size(), value);
        return value;
    }

  private:
    std::vector<std::string_view> cells_;
};

// "cudaLaunchKernel_v7000" is cudaLaunchKernel of that version.
std::string plain_function(std::string name) {
    const std::size_t version = name.rfind("_v");
    if (version != std::string::npos &&
        name.find_first_not_of("0123456789", version + 2) == std::string::npos && version + 2 < name.size())
        name.resize(version);
    return name;
}

// CUPTI's numbers for the two ends of a copy.
enum class CopyKind : std::uint8_t {
    to_device = 1,
    to_host,
    to_array,
    array_to_host,
    on_host = 9,
    to_peer = 10
};
constexpr std::uint64_t pageable_memory = 1;

OperationKind kind_of(std::uint64_t copy) {
    switch (static_cast<CopyKind>(copy)) {
        case CopyKind::to_device:
        case CopyKind::to_array: return OperationKind::copy_to_device;
        case CopyKind::to_host:
        case CopyKind::array_to_host: return OperationKind::copy_to_host;
        case CopyKind::on_host: return OperationKind::copy_on_host;
        case CopyKind::to_peer: return OperationKind::copy_to_peer;
    }
    return OperationKind::copy_on_device;
}

class Reader {
  public:
    // `start`: of the first record.
    Reader(report::TimelineInfo info, std::uint64_t start) : timeline_(std::move(info), start, "cuda") {}

    // False: it is none of ours.
    bool read(const Line& line) {
        if (line.kind() == "kernel" && line.has(16)) return kernel(line);
        if (line.kind() == "copy" && line.has(10)) return copy(line);
        if (line.kind() == "fill" && line.has(7)) {
            add(line, OperationKind::fill).operation.bytes = line.number(6);
            return true;
        }
        if (line.kind() == "call" && line.has(6)) {
            timeline_.add_call(line.number(4), times_of(line), plain_function(line.text(5)));
            return true;
        }
        if (line.kind() == "end") ended_ = true;
        if (line.kind() == "lost" && line.has(2)) lost_ = std::max(lost_, line.number(1));
        return line.kind() == "end" || line.kind() == "lost" || line.kind() == "refused";
    }

    report::Timeline finish() { return timeline_.finish(!ended_ || lost_ != 0); }

  private:
    static TraceTimeline::Times times_of(const Line& line) { return {line.number(1), line.number(2)}; }

    timing::Placement& add(const Line& line, OperationKind kind) {
        return timeline_.add(kind, times_of(line), static_cast<int>(line.number(3)),
                             report::stream_of_tool(line.number(4)), line.number(5));
    }

    bool kernel(const Line& line) {
        timing::Placement& one = add(line, OperationKind::kernel);
        const auto figure = [&](std::size_t cell) { return static_cast<std::uint32_t>(line.number(cell)); };
        timing::OperationTrace& trace = *one.operation.trace;
        trace.grid = {figure(6), figure(7), figure(8)};
        trace.block = {figure(9), figure(10), figure(11)};
        trace.registers = figure(12);
        trace.static_shared = figure(13);
        trace.dynamic_shared = figure(14);
        TraceTimeline::describe_kernel(one, base::kernel_name(line.text(15)));
        return true;
    }

    bool copy(const Line& line) {
        timing::Placement& one = add(line, kind_of(line.number(7)));
        one.operation.bytes = line.number(6);
        one.operation.pageable = line.number(8) == pageable_memory || line.number(9) == pageable_memory;
        return true;
    }

    TraceTimeline timeline_;
    bool ended_ = false;
    std::uint64_t lost_ = 0;
};

}  // namespace

Result<void> build_trace_library(const fs::path& nvcc, const fs::path& library) {
    auto sources = base::find_resource("measure");
    if (!sources) return sources.error();
    std::error_code ignored;
    const fs::path root = fs::canonical(nvcc, ignored).parent_path().parent_path(),
                   cupti = root / "extras" / "CUPTI";
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    const compile::Arguments command = {
        nvcc.string(),
        "-std=c++17",
        "-shared",
        "-Xcompiler",
        "-fPIC",
        "-I" + (cupti / "include").string(),
        "-L" + (cupti / "lib64").string(),
        "-Xlinker",
        fmt::format("-rpath={}:{}", (cupti / "lib64").string(), (root / "lib64").string()),
        (*sources / "trace.cpp").string(),
        "-lcupti",
        "-o",
        library.string()};
    auto built = compile::run(command, scratch->path());
    if (!built) return built.error();
    if (!built->status.ok())
        return Error{
            fmt::format(
                "times need CUPTI, which comes with the CUDA toolkit, and it could not be used:\n{}{}",
                built->output, built->errors),
            {}};
    return {};
}

Result<report::Timeline> read_trace(std::string_view text, const std::string& file,
                                    report::TimelineInfo info) {
    std::uint64_t start = UINT64_MAX;
    // The last line of a killed program may be cut.
    const auto each_line = [text](const auto& use) -> Result<void> {
        std::string_view rest = text;
        for (int number = 1; !rest.empty(); ++number) {
            const std::size_t end = rest.find('\n');
            if (end == std::string_view::npos) break;
            if (auto good = use(Line(rest.substr(0, end)), number); !good) return good;
            rest.remove_prefix(end + 1);
        }
        return {};
    };
    (void)each_line([&](const Line& line, int) -> Result<void> {
        if (line.is_timed()) start = std::min(start, line.number(1));
        return {};
    });
    Reader reader(std::move(info), start);
    auto good = each_line([&](const Line& line, int number) -> Result<void> {
        if (reader.read(line)) return {};
        return Error{"this line is none of a trace", {file, number}};
    });
    if (!good) return good.error();
    return reader.finish();
}

}  // namespace lockstep::measure
