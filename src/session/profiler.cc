#include "session/profiler.h"

#include <fmt/format.h>

#include "base/demangle.h"
#include "compile/version.h"
#include "report/run-info.h"
#include "session/code-origin.h"
#include "session/own-command-line.h"
#include "session/profiled-kernel.h"

namespace lockstep::session {

Profiler::Profiler(const ProfileOptions& options, const gpu::GpuModel& gpu, Report report)
    : options_(options), gpu_(gpu), report_(std::move(report)), selection_(options.kernels) {}

Result<std::unique_ptr<Profiler>> Profiler::create(const ProfileOptions& options, const gpu::GpuModel& gpu,
                                                   Report report) {
    std::unique_ptr<Profiler> profiler(new Profiler(options, gpu, std::move(report)));
    const report::RunInfo info = report::describe_run(gpu, compile::version(), own_command_line());
    auto writer = report::RunWriter::open(options.file, info, metrics::metrics());
    if (!writer) return writer.error();
    profiler->writer_ = std::move(*writer);
    return profiler;
}

bool Profiler::wants(const std::string& kernel) {
    if (stopped_) return false;
    if (!selection_.matches(kernel)) {
        leave_out(kernel);
        return false;
    }
    const std::uint64_t number = matching_++;
    return number >= options_.skip && (!options_.count || number - options_.skip < *options_.count);
}

void Profiler::failed(const std::string& kernel, report::FailureKind kind, const std::string& reason) {
    if (stopped_) return;
    // What the program was told by an error code is its own affair where nobody asked for this kernel; after
    // a fault nothing runs any more, and what lockstep lacks may make all results wrong.
    if (kind == report::FailureKind::refused && !selection_.matches(kernel)) return leave_out(kernel);
    if (auto kept = writer_->add_failure(base::kernel_name(kernel), kind, reason); !kept) stop(kept.error());
}

void Profiler::leave_out(const std::string& kernel) {
    if (stopped_ || !left_out_.insert(kernel).second) return;
    if (auto kept = writer_->leave_out(base::kernel_name(kernel)); !kept) stop(kept.error());
}

void Profiler::keep(Function& function, const metrics::Launch& counts,
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
    result.dynamic_shared_bytes = counts.config.dynamic_shared_bytes;
    if (counts.prediction) result.bound = timing::bound_name(counts.prediction->bound);
    if (fault) result.fault = fault->message;
    for (const metrics::Metric& metric : metrics::metrics()) result.values.push_back(metric.value(counts));

    if (!profiled.id) {
        const std::string ptx = function.ptx ? *function.ptx : "";
        auto id = writer_->add_kernel(result.kernel, ptx, code_origin(ptx, gpu_), profiled.instructions);
        if (!id) return stop(id.error());
        profiled.id = *id;
    }
    if (auto kept = writer_->append(*profiled.id, result, place_counts(profiled, counts)); !kept)
        stop(kept.error());
}

void Profiler::stop(const Error& error) {
    stopped_ = true;
    report_(
        fmt::format("{}; launches from here on are not profiled, the program goes on", error.to_string()));
}

void Profiler::finish() {
    if (stopped_) return;
    if (auto finished = writer_->finish(); !finished) stop(finished.error());
}

}  // namespace lockstep::session
