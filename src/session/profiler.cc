#include "session/profiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/demangle.h"
#include "compile/version.h"
#include "report/run-info.h"
#include "session/code-origin.h"
#include "session/command.h"
#include "session/own-command-line.h"
#include "session/profiled-kernel.h"
#include "timing/close-up-json.h"

namespace lockstep::session {

Profiler::Profiler(const ProfileOptions& options, Report report)
    : report_(std::move(report)), selection_(options), active_(options.from_start) {}

Result<std::unique_ptr<Profiler>> Profiler::create(const ProfileOptions& options,
                                                   std::span<const gpu::GpuModel* const> gpus,
                                                   Report report) {
    std::unique_ptr<Profiler> profiler(new Profiler(options, std::move(report)));
    const report::RunInfo info = report::describe_run(gpus, compile::version(), own_command_line());
    auto writer = report::RunWriter::open(options.file, info, metrics::metrics());
    if (!writer) return writer.error();
    profiler->writer_ = std::move(*writer);
    return profiler;
}

bool Profiler::wants(const std::string& kernel, StreamId stream, bool in_ranges) {
    if (stopped_) return false;
    const bool wanted = active_ && in_ranges && selection_.wants(kernel, stream);
    if (!wanted) leave_out(kernel);
    return wanted;
}

void Profiler::failed(const std::string& kernel, report::FailureKind kind, const std::string& reason) {
    if (stopped_) return;
    // What the program was told by an error code is its own affair where nobody asked for this kernel; after
    // a fault nothing runs any more, and what lockstep lacks may make all results wrong.
    if (kind == report::FailureKind::refused && !selection_.names(kernel)) return leave_out(kernel);
    if (auto kept = writer_->add_failure(base::kernel_name(kernel), kind, reason); !kept) stop(kept.error());
}

void Profiler::leave_out(const std::string& kernel) {
    if (stopped_) return;
    if (std::exchange(process_, getpid()) != getpid()) left_out_.clear();
    LeftOut& out = left_out_[kernel];
    if (out.launches++ != 0) return;
    out.written = 1;
    if (auto kept = writer_->leave_out(base::kernel_name(kernel), 1); !kept) stop(kept.error());
}

void Profiler::keep(Function& function, int device, StreamId stream, const metrics::Launch& counts,
                    const std::optional<exec::Fault>& fault, const NestedParent* parent) {
    ProfiledKernel& profiled = *function.profile;
    report::Launch result;
    result.kernel = base::kernel_name(function.name);
    if (parent) {
        result.parent = parent->kernel;
        result.depth = static_cast<std::uint32_t>(parent->depth);
    }
    result.grid = counts.config.grid;
    result.block = counts.config.block;
    result.stream = stream;
    result.executed_blocks = counts.executed_blocks;
    result.dynamic_shared_bytes = counts.config.dynamic_shared_bytes;
    if (counts.prediction) result.bound = timing::bound_name(counts.prediction->bound);
    if (fault) result.fault = fault->message;
    for (const metrics::Metric& metric : metrics::metrics())
        result.values.push_back(metrics::value_of(metric, counts));

    if (!profiled.id) {
        if (counts.waves)
            list_wave_instructions(profiled, *function.kernel);
        else
            list_instructions(profiled);
        const std::string ptx = function.ptx ? *function.ptx : "";
        auto id = writer_->add_kernel(result.kernel, device, ptx, code_origin(ptx, *counts.gpu),
                                      profiled.instructions);
        if (!id) return stop(id.error());
        profiled.id = *id;
        if (counts.prediction && counts.prediction->close_up)
            if (auto kept = writer_->add_close_up(
                    *id, timing::close_up_json(*counts.prediction->close_up, counts.config.grid,
                                               counts.config.block,
                                               [&](const auto& place) { return profiled.position(place); }));
                !kept)
                return stop(kept.error());
    }
    if (auto kept = writer_->append(
            *profiled.id, result,
            counts.waves ? place_wave_counts(*function.kernel, counts) : place_counts(profiled, counts));
        !kept)
        stop(kept.error());
}

void Profiler::keep(const report::TimeRecords& records) {
    if (stopped_) return;
    if (auto kept = writer_->add_times(records); !kept) stop(kept.error());
}

void Profiler::stop(const Error& error) {
    stopped_ = true;
    report_(
        fmt::format("{}; launches from here on are not profiled, the program goes on", error.to_string()));
}

void Profiler::finish() {
    if (process_ == getpid())
        for (auto& [kernel, out] : left_out_) {
            const std::uint64_t more = out.launches - std::exchange(out.written, out.launches);
            if (stopped_ || more == 0) continue;
            if (auto kept = writer_->leave_out(base::kernel_name(kernel), more); !kept) stop(kept.error());
        }
    if (stopped_) return;
    if (auto finished = writer_->finish(); !finished) stop(finished.error());
}

}  // namespace lockstep::session
