#include "session/execute.h"

#include <fmt/format.h>
#include <time.h>

#include <new>

#include "base/demangle.h"
#include "session/checker.h"
#include "session/device-graphs.h"
#include "session/device.h"
#include "session/graph-run.h"
#include "session/graph.h"
#include "session/launch-sample.h"
#include "session/loading.h"
#include "session/nested-launches.h"
#include "session/observer.h"
#include "session/profiler.h"
#include "session/watched-launch.h"

namespace lockstep::session {

double thread_nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

namespace {

Done not_run() {
    Done done;
    done.complete = false;
    return done;
}

// Whether some blocks may stand for all of this launch. Where they may not, that is told once for its kernel.
bool may_be_sampled(Device& device, Function& function, const exec::Launch& launch,
                    const NestedParent* parent) {
    const auto reason = needs_all_blocks(function, launch, parent != nullptr);
    if (reason && launch.grid.count() >= LaunchSample::least_grid)
        device.process().options().exec.warnings->once(
            "sample " + function.name, fmt::format("--sample: kernel {} is executed whole: {}",
                                                   base::demangle(function.info().name), *reason));
    return !reason;
}

// One kernel, without what its threads launch. With Process::launching held.
std::optional<exec::Fault> run(Device& device, const KernelLaunch& kernel, exec::Nesting& nesting,
                               const NestedParent* parent, exec::LaunchStats& counts,
                               const GraphEnvironment* graph, std::optional<timing::Prediction>& prediction) {
    Function& function = *kernel.function;
    exec::Launch launch;
    launch.grid = kernel.shape.grid;
    launch.block = kernel.shape.block;
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(kernel.shape.dynamic_shared);
    launch.cooperative = kernel.shape.cooperative;
    launch.of_launchers = kernel.of_launchers;
    if (const auto cluster = cluster_of(function.info(), kernel.shape)) {
        launch.cluster = *cluster;
        launch.clustered = true;
    }
    launch.params = kernel.params;
    launch.objects = device.objects().snapshot();
    launch.nesting = &nesting;
    launch.graph = graph ? graph->graph : 0;
    if (Checker* const checker = device.process().checker()) return checker->run(device, function, launch);
    Profiler* const profiler = device.process().profiler();
    const bool profiled = profiler && profiler->wants(function.name, kernel.stream, kernel.in_ranges);
    if (!profiled && !device.process().clock()) return exec::run(*function.kernel, launch, &counts);
    WatchOptions watch = device.process().options().watch;
    watch.sample = watch.sample && may_be_sampled(device, function, launch, parent);
    const bool only_timed = !profiled && !device.process().options().stats;
    if (only_timed && !watch.sample)
        if (const timing::Prediction* const expected = function.times.expected(kernel.shape)) {
            prediction = *expected;
            return exec::run(*function.kernel, launch, &counts);
        }
    watch.host = timing::HostRanges(device.process().addresses().host_ranges());
    if (only_timed) {
        TimedLaunch timed = run_timed(function, launch, kernel.shape.shared_carveout, device.gpu(), watch);
        if (watch.sample)
            device.process().sampled(launch.grid.count(), timed.executed_blocks);
        else if (timed.prediction)
            function.times.watched(kernel.shape, *timed.prediction);
        prediction = std::move(timed.prediction);
        return timed.fault;
    }

    WatchedLaunch watched =
        run_watched(function, launch, kernel.shape.shared_carveout, device.gpu(), watch, &counts);
    if (!watched.counts) return watched.fault;
    if (watch.sample) device.process().sampled(launch.grid.count(), watched.counts->executed_blocks);
    if (profiled) {
        watched.counts->config.added_threads = kernel.shape.threads() - kernel.asked_threads;
        profiler->keep(function, device.number(), kernel.stream, *watched.counts, watched.fault, parent);
    }
    prediction = std::move(watched.counts->prediction);
    return watched.fault;
}

Done done(Device& device, const KernelLaunch& kernel, GraphEnvironment* graph) try {
    const std::lock_guard running(device.process().launching());
    if (device.errors().faulted()) return not_run();
    Done done;
    if (ManagedPages* const pages = device.process().managed_pages()) done.pages_before = pages->before();
    const auto start = HostClock::now();
    auto nested = std::make_shared<timing::NestedKernels>();
    LaunchTree tree(device, graph,
                    [&](const KernelLaunch& one, exec::Nesting& nesting, const NestedParent* parent,
                        std::optional<timing::Prediction>& prediction) {
                        return run(device, one, nesting, parent, done.executed, graph, prediction);
                    });
    const std::optional<exec::Fault> fault = tree.run(kernel, done.prediction, *nested);
    if (!nested->empty()) done.nested = std::move(nested);
    done.kernel_seconds = std::chrono::duration<double>(HostClock::now() - start).count();
    if (ManagedPages* const pages = device.process().managed_pages()) done.pages = pages->after(device);
    done.complete = !fault;
    if (!fault) return done;
    const bool lacks = fault->kind == exec::FaultKind::compile_error;
    device.process().report(fault->message);
    device.process().keep_failure(kernel.function->name,
                                  lacks ? report::FailureKind::unsupported : report::FailureKind::fault,
                                  fault->message);
    // What lockstep cannot run is an error of the launch: nothing has happened on the device.
    if (lacks)
        done.outcome = Outcome(status_of(fault->kind));
    else
        device.errors().fault(status_of(fault->kind));
    return done;
} catch (const std::bad_alloc&) {
    const std::string reason = fmt::format("kernel '{}' was not run: the host is out of memory",
                                           base::demangle(kernel.function->info().name));
    device.process().launch_failed(kernel.function->name, report::FailureKind::unsupported, reason);
    Done failed = not_run();
    failed.outcome = Outcome::lacking(Status::memory_allocation, reason);
    return failed;
}

Done done(Device& device, const Copy& copy) {
    if (device.errors().faulted()) return not_run();
    Done done;
    ManagedPages* const pages = device.process().managed_pages();
    if (pages) done.pages_before = pages->before();
    session::copy(copy.transfer);
    // Which engine of a GPU would touch them is not known.
    if (pages) pages->ignore(copy.transfer.to.address), pages->ignore(copy.transfer.from.address);
    return done;
}

Done done(Device& device, const Fill& fill) {
    if (device.errors().faulted()) return not_run();
    Done done;
    ManagedPages* const pages = device.process().managed_pages();
    if (pages) done.pages_before = pages->before();
    session::fill(fill.to, fill.size, fill.value, fill.value_bytes);
    if (pages) pages->ignore(fill.to.address);
    return done;
}

Done done(Device& device, const Free& free) {
    device.forget_memory(free.address);
    return {};
}

Done done(Device& device, const Allocate& allocate) {
    if (device.errors().faulted()) return not_run();
    Done done;
    done.outcome = device.back_memory(*allocate.memory);
    done.complete = static_cast<bool>(done.outcome);
    return done;
}

Done done(Device& device, const Prefetch& prefetch) {
    if (device.errors().faulted()) return not_run();
    Done done;
    if (ManagedPages* const pages = device.process().managed_pages()) {
        done.pages_before = pages->before();
        done.pages = pages->prefetch(prefetch.address, prefetch.bytes, prefetch.device);
    }
    return done;
}

Done done(Device& device, const Discard& discard) {
    if (device.errors().faulted()) return not_run();
    Done done;
    if (ManagedPages* const pages = device.process().managed_pages()) {
        done.pages_before = pages->before();
        pages->discard(discard.address, discard.bytes);
    }
    return done;
}

Done done(Device& device, const GraphLaunch& launch) { return run_graph(device, launch.plan); }

Done done(Device& device, const HostFunction& function) {
    Done done;
    const double begin = thread_nanoseconds();
    function.call(device);
    done.host_nanoseconds = thread_nanoseconds() - begin;
    return done;
}

Done done(Device& device, const EventRecord& record) {
    Done done;
    // What the host fetched it did before.
    if (ManagedPages* const pages = device.process().managed_pages()) done.pages_before = pages->before();
    record.event->time = HostClock::now();
    if (SharedEvent* const shared = record.event->shared.get())
        shared->reached(record.shared_record ? record.shared_record : shared->record());
    return done;
}

// The wait is the order's affair.
Done done(Device&, const EventWait&) { return {}; }

}  // namespace

Done execute(const Command& command, GraphEnvironment* graph) {
    const auto one = [&](const auto& work) {
        if constexpr (std::is_same_v<decltype(work), const KernelLaunch&>)
            return done(*command.device, work, graph);
        else
            return done(*command.device, work);
    };
    Done result = std::visit(one, command.work);
    command.device->process().tell([&](Observer& observer) { observer.done(command, result); });
    return result;
}

}  // namespace lockstep::session
