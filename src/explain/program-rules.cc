// Reasons that lie between the kernels: copies, streams, and the time in which the GPU has nothing to do.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "explain/rules.h"
#include "report/metric-text.h"

namespace lockstep::explain {
namespace {

using report::Activity;
using report::duration_text;

constexpr const char *pageable_id = "pageable-copies", *overlap_id = "missed-overlap", *copies_id = "copies",
                     *gaps_id = "idle-gpu", *streams_id = "serial-streams";

struct Interval {
    double begin = 0, end = 0;
};

// The time in which at least one of them lasts.
double covered(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    double sum = 0, until = -1;
    for (const Interval& one : intervals) {
        sum += std::max(0.0, one.end - std::max(one.begin, until));
        until = std::max(until, one.end);
    }
    return sum;
}

// What the GPU of a device did, as far as the run kept rows of it.
struct Work {
    std::vector<const Activity*> all;  // by their begin
    double begin = 0, end = 0;
    // Time covered: by what computes or stays on the GPU (kernels, fills, copies inside of it), by copies
    // from and to the host, by any.
    double kernels = 0, copies = 0, busy = 0;
    double to_device = 0, to_host = 0;  // sums
    double span() const { return end - begin; }
    double both() const { return std::max(0.0, kernels + copies - busy); }
};

bool to_device(const Activity& one) {
    return one.target == "Device" && !one.source.empty() && one.source != "Device";
}
bool to_host(const Activity& one) {
    return one.source == "Device" && !one.target.empty() && one.target != "Device";
}
bool is_copy(const Activity& one) { return to_device(one) || to_host(one); }

std::map<int, Work> work_of(const std::vector<Activity>& activities) {
    std::map<int, Work> devices;
    for (const Activity& activity : activities) devices[activity.device].all.push_back(&activity);
    for (auto& [number, work] : devices) {
        std::vector<Interval> kernels, copies, busy;
        work.begin = work.all.front()->begin;
        for (const Activity* one : work.all) {
            work.begin = std::min(work.begin, one->begin);
            work.end = std::max(work.end, one->end);
            const Interval interval{one->begin, one->end};
            busy.push_back(interval);
            (is_copy(*one) ? copies : kernels).push_back(interval);
            if (to_device(*one)) work.to_device += one->nanoseconds();
            if (to_host(*one)) work.to_host += one->nanoseconds();
        }
        work.kernels = covered(kernels);
        work.copies = covered(copies);
        work.busy = covered(busy);
    }
    return devices;
}

// What copies from and to ordinary memory would save if that memory were pinned.
void pageable(const Work& work, const gpu::GpuModel& gpu, std::vector<Finding>& findings) {
    double saved = 0, bytes = 0, time = 0;
    for (const Activity* one : work.all) {
        const bool up = one->source == "Pageable" && one->target == "Device";
        const bool down = one->source == "Device" && one->target == "Pageable";
        if (!up && !down) continue;
        const double rate = up ? gpu.timing.pinned_to_device_gbs : gpu.timing.device_to_pinned_gbs;
        if (rate <= 0) continue;
        const double pinned = gpu.timing.copy_latency_us * 1000 + static_cast<double>(one->bytes) / rate;
        saved += std::max(0.0, one->nanoseconds() - pinned);
        bytes += static_cast<double>(one->bytes);
        time += one->nanoseconds();
    }
    if (time <= 0) return;
    Finding finding;
    finding.id = pageable_id;
    finding.title = "Copies from and to memory that is not pinned";
    finding.cost = saved / work.span();
    finding.cost_from = "the same bytes at the rate of pinned memory";
    finding.evidence = {
        {"gigabytes_per_second", bytes / time,
         fmt::format(
             "{:.1f} MB in {}: {:.1f} GB/s, where pinned memory has {:.1f} to the GPU and {:.1f} back",
             bytes / 1e6, duration_text(time), bytes / time, gpu.timing.pinned_to_device_gbs,
             gpu.timing.device_to_pinned_gbs)}};
    finding.advice =
        "Allocate what is copied with cudaMallocHost, or pin it with cudaHostRegister (which takes time, "
        "too: "
        "it pays for memory that is copied more than once).";
    finding.gain = finding.cost;
    add_if_worth(findings, std::move(finding));
}

// The longest of the three (to the GPU, kernels, back) is what is left where everything overlaps.
void overlap(const Work& work, std::vector<Finding>& findings) {
    if (work.kernels <= 0 || work.copies <= 0) return;
    Finding finding;
    finding.id = overlap_id;
    finding.title = "Copies and kernels wait for each other";
    finding.cost =
        std::max(0.0, work.busy - std::max({work.kernels, work.to_device, work.to_host})) / work.span();
    finding.cost_from =
        "what would be left if only the longest of copies to the GPU, kernels and copies "
        "back took time: the most that overlap can save";
    finding.evidence = {
        {"copies_ns", work.copies, fmt::format("copies take {}", duration_text(work.copies))},
        {"kernels_ns", work.kernels, fmt::format("kernels take {}", duration_text(work.kernels))},
        {"both_ns", work.both(), fmt::format("both at the same time: {}", duration_text(work.both()))}};
    finding.advice =
        "Cut the data into pieces, each with its own stream: pinned memory, cudaMemcpyAsync to the GPU, "
        "kernel, "
        "cudaMemcpyAsync back. While one piece computes, the next one is copied.";
    add_if_worth(findings, std::move(finding));
}

void copies_dominate(const Work& work, std::vector<Finding>& findings) {
    const double alone = work.copies - work.both();
    if (work.kernels <= 0 || alone <= work.kernels) return;
    Finding finding;
    finding.id = copies_id;
    finding.title = "Copies take longer than what they are for";
    finding.cost = alone / work.span();
    finding.cost_from = "the time in which copies run and no kernel does";
    double bytes = 0;
    for (const Activity* one : work.all)
        if (is_copy(*one)) bytes += static_cast<double>(one->bytes);
    finding.evidence = {{"copied_bytes", bytes,
                         fmt::format("{:.1f} MB are copied in {}; the kernels take {}", bytes / 1e6,
                                     duration_text(work.copies), duration_text(work.kernels))}};
    finding.advice =
        "Keep data on the GPU from one kernel to the next, copy only what is needed, do more of the work "
        "there; "
        "for data that are used once, the CPU may be quicker.";
    add_if_worth(findings, std::move(finding));
}

// Between kernels, while the host gets ready for the next launch.
void gaps(const Work& work, const gpu::GpuModel& gpu, std::vector<Finding>& findings) {
    double idle = 0, time = 0, until = work.begin;
    std::size_t between = 0, kernels = 0;
    bool kernel_before = false;
    for (const Activity* one : work.all) {
        if (one->is_kernel()) {
            ++kernels;
            time += one->nanoseconds();
            if (kernel_before && one->begin > until) {
                idle += one->begin - until;
                ++between;
            }
        }
        if (one->end >= until) {
            until = one->end;
            kernel_before = one->is_kernel();
        }
    }
    if (between == 0) return;
    Finding finding;
    finding.id = gaps_id;
    finding.title = "The GPU waits for the next launch";
    finding.cost = idle / work.span();
    finding.cost_from = "the time between one kernel's end and the next one's begin";
    finding.evidence = {
        {"gap_ns", idle / static_cast<double>(between),
         fmt::format("{} between two kernels on average, {} times",
                     duration_text(idle / static_cast<double>(between)), between)},
        {"kernel_ns", time / static_cast<double>(kernels),
         fmt::format(
             "a kernel takes {} on average; a launch takes the host {:.1f} us, and arrives {:.1f} us later",
             duration_text(time / static_cast<double>(kernels)), gpu.timing.launch_call_us,
             gpu.timing.launch_latency_us)}};
    finding.advice =
        "Launch ahead, without waiting in between (cudaDeviceSynchronize, or cudaMemcpy, after every "
        "kernel); make "
        "one launch of many small ones, or record them as a graph (cudaGraphLaunch).";
    finding.gain = finding.cost;
    add_if_worth(findings, std::move(finding));
}

// Kernels of several streams that would fit on the GPU together, and run one after the other.
void streams(const Work& work, const gpu::GpuModel& gpu, std::vector<Finding>& findings) {
    std::map<std::uint64_t, double> by_stream;
    std::vector<Interval> intervals;
    double sum = 0;
    bool default_between = false;
    for (const Activity* one : work.all) {
        const std::uint64_t stream = report::tool_stream(one->stream);
        default_between |= !by_stream.empty() && stream == report::tool_stream(0);
        if (!one->is_kernel()) continue;
        const auto& grid = one->trace.grid;
        if (std::uint64_t{grid[0]} * grid[1] * grid[2] >= static_cast<std::uint64_t>(gpu.sms)) continue;
        by_stream[stream] += one->nanoseconds();
        intervals.push_back({one->begin, one->end});
        sum += one->nanoseconds();
    }
    if (by_stream.size() < 2) return;
    double longest = 0;
    for (const auto& [stream, time] : by_stream) longest = std::max(longest, time);
    const double together = covered(intervals);
    if (sum - together > 0.5 * (sum - longest)) return;  // most of what can overlap does
    Finding finding;
    finding.id = streams_id;
    finding.title = "Small kernels of different streams run one after the other";
    finding.cost = std::max(0.0, together - longest) / work.span();
    finding.cost_from = "what would be left if only the stream with the longest kernels took time";
    finding.evidence = {
        {"overlap", sum > 0 ? 1 - together / sum : 0,
         fmt::format(
             "{} streams, whose kernels of fewer blocks than SMs take {} together; {:.0f} % of that overlaps",
             by_stream.size(), duration_text(sum), sum > 0 ? 100 * (1 - together / sum) : 0)}};
    if (gpu.timing.hardware_queues == 1)
        finding.evidence.push_back(
            {"hardware_queues", 1,
             "this GPU has one work queue: what is issued later waits for what was issued "
             "before, even of another stream"});
    if (default_between)
        finding.evidence.push_back(
            {"default_stream", 1,
             "work of the default stream lies in between, which waits for all other streams, "
             "and they for it"});
    finding.advice =
        gpu.timing.hardware_queues == 1
            ? "Issue breadth first: the first kernel of every stream, then the second of every stream."
            : "Give nothing to the default stream in between (or compile with --default-stream per-thread, "
              "or make "
              "streams with cudaStreamNonBlocking), and do not wait for one stream before the next one's "
              "launch.";
    add_if_worth(findings, std::move(finding));
}

}  // namespace

std::vector<std::string> program_names() { return {pageable_id, overlap_id, copies_id, gaps_id, streams_id}; }

Result<ProgramFindings> program_findings(const report::RunFile& run,
                                         const std::function<const gpu::GpuModel*(int device)>& gpu) {
    const auto activities = run.activities();
    if (!activities) return activities.error();
    ProgramFindings result;
    const Work* longest = nullptr;
    int device = 0;
    const std::map<int, Work> devices = work_of(*activities);
    for (const auto& [number, work] : devices)
        if (!longest || work.span() > longest->span()) longest = &work, device = number;
    if (!longest || longest->span() <= 0) return result;
    result.nanoseconds = longest->span();
    const auto share = [&](double time) { return 100 * time / longest->span(); };
    result.state.push_back(
        fmt::format("{} from the first copy or kernel to the last: kernels {:.0f} %, copies {:.0f} %, "
                    "both at once {:.0f} %, nothing "
                    "{:.0f} %{}",
                    duration_text(longest->span()), share(longest->kernels), share(longest->copies),
                    share(longest->both()), share(longest->span() - longest->busy),
                    devices.size() > 1 ? fmt::format(" (device {}, of {})", device, devices.size()) : ""));
    const gpu::GpuModel* model = gpu(device);
    overlap(*longest, result.findings);
    copies_dominate(*longest, result.findings);
    if (model) {
        pageable(*longest, *model, result.findings);
        gaps(*longest, *model, result.findings);
        streams(*longest, *model, result.findings);
    }
    // HIP's functions have CUDA's names.
    if (model && !model->target.empty())
        for (Finding& finding : result.findings)
            for (std::size_t at; (at = finding.advice.find("cuda")) != std::string::npos;)
                finding.advice.replace(at, 4, amd_words.api);
    std::stable_sort(result.findings.begin(), result.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.cost > b.cost; });
    return result;
}

}  // namespace lockstep::explain
