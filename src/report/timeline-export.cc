#include "report/timeline-export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace lockstep::report {
namespace {

using nlohmann::json;
using timing::Engine;
using timing::OperationKind;
using timing::Placement;

double microseconds(double nanoseconds) { return nanoseconds / 1000; }

// One program's part of a trace.
class Trace {
  public:
    Trace(const Timeline& timeline, int first_process, json& events)
        : timeline_(timeline), host_(first_process), events_(events) {}

    static constexpr int processes = 5;

    void write() {
        for (const Placement& p : timeline_.operations) operations_.push_back(&p);
        std::stable_sort(operations_.begin(), operations_.end(),
                         [](const Placement* a, const Placement* b) { return a->begin < b->begin; });
        for (const Placement* p : operations_) by_id_[p->id] = p;
        name_process(host_, fmt::format("host: {}", timeline_.info.command));
        name_process(streams(), "streams");
        name_process(engines(), timeline_.info.devices.size() > 1
                                    ? fmt::format("engines of {}", fmt::join(timeline_.info.devices, ", "))
                                    : fmt::format("engines of {}", timeline_.info.gpu_name));
        name_process(queues(), "hardware queues");
        write_host();
        write_streams();
        write_tracks(engines(),
                     [&](const Placement& p) { return device_of(p) + std::string(engine_name(p.engine)); });
        write_tracks(queues(), [&](const Placement& p) {
            return p.queue < 0 ? std::string()
                               : fmt::format("{}queue {} ({})", device_of(p), p.queue, engine_name(p.engine));
        });
        write_arrows();
        write_nested();
    }

  private:
    // Each device has engines and queues of its own.
    std::string device_of(const Placement& p) const {
        return timeline_.info.devices.size() > 1 ? fmt::format("device {}, ", p.device) : "";
    }
    int streams() const { return host_ + 1; }
    int engines() const { return host_ + 2; }
    int queues() const { return host_ + 3; }
    int nested() const { return host_ + 4; }

    void name_process(int process, const std::string& name) {
        events_.push_back({{"ph", "M"},
                           {"name", "process_name"},
                           {"pid", process},
                           {"tid", 0},
                           {"args", {{"name", name}}}});
    }
    void name_track(int process, std::uint64_t track, const std::string& name) {
        events_.push_back({{"ph", "M"},
                           {"name", "thread_name"},
                           {"pid", process},
                           {"tid", track},
                           {"args", {{"name", name}}}});
        events_.push_back({{"ph", "M"},
                           {"name", "thread_sort_index"},
                           {"pid", process},
                           {"tid", track},
                           {"args", {{"sort_index", track}}}});
    }
    void slice(int process, std::uint64_t track, const std::string& name, const char* category, Span span,
               json args) {
        events_.push_back({{"ph", "X"},
                           {"name", name},
                           {"cat", category},
                           {"pid", process},
                           {"tid", track},
                           {"ts", microseconds(span.first)},
                           {"dur", microseconds(span.second - span.first)},
                           {"args", std::move(args)}});
    }
    json details(const Placement& p) const {
        json args = {{"operation", p.id}, {"stream", stream_name(timeline_, p.operation.stream)}};
        if (p.operation.kind == OperationKind::kernel) {
            args["blocks"] = p.operation.kernel.blocks;
            args["resident_blocks_an_sm"] = p.operation.kernel.resident_blocks;
            args["alone_us"] = microseconds(p.operation.kernel.nanoseconds);
        } else if (p.operation.bytes > 0) {
            args["bytes"] = p.operation.bytes;
            args["pageable"] = p.operation.pageable;
            if (p.operation.pages != timing::Pages::none)
                args["managed"] = p.operation.pages == timing::Pages::on_demand ? "on demand" : "prefetch";
        }
        if (!p.operation.launched_by.empty()) args["launched_by"] = p.operation.launched_by;
        if (p.queue >= 0) args["hardware_queue"] = p.queue;
        if (p.queue_blocked > 0) {
            args["held_up_us"] = microseconds(p.queue_blocked);
            args["behind_operation"] = p.behind;
        }
        return args;
    }

    void write_host() {
        name_track(host_, 1, "calls");
        std::vector<const Placement*> calls = operations_;
        std::stable_sort(calls.begin(), calls.end(),
                         [](const Placement* a, const Placement* b) { return a->submitted < b->submitted; });
        for (const Placement* p : calls)
            if (!p->operation.graph)
                slice(host_, 1, operation_text(p->operation), "call", {p->submitted, p->returned},
                      {{"operation", p->id}, {"waits", p->operation.stops_host}});
        for (const timing::HostCall& call : timeline_.host_calls)
            slice(host_, 1, call.what, "wait", {call.begin, call.end}, json::object());
        write_ranges();
    }

    // Those that a thread pushes and pops nest on a track of its own; those that are started and ended may
    // overlap.
    void write_ranges() {
        std::uint64_t tracks = 1;
        std::map<int, std::uint64_t> of_thread;
        std::vector<std::pair<std::uint64_t, double>> started;  // tracks, and when each is free
        std::vector<const HostRange*> ranges;
        for (auto range = timeline_.ranges.rbegin(); range != timeline_.ranges.rend(); ++range)
            ranges.push_back(&*range);
        std::stable_sort(ranges.begin(), ranges.end(), [](const HostRange* a, const HostRange* b) {
            return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
        });
        for (const HostRange* range : ranges) {
            std::uint64_t track = 0;
            if (range->nested) {
                const auto [at, is_new] = of_thread.try_emplace(range->thread, tracks + 1);
                if (is_new) name_track(host_, ++tracks, fmt::format("ranges of thread {}", range->thread));
                track = at->second;
            } else {
                auto at = std::find_if(started.begin(), started.end(),
                                       [&](const auto& one) { return one.second <= range->begin; });
                if (at == started.end()) {
                    name_track(host_, ++tracks, "ranges, started and ended");
                    at = started.insert(at, {tracks, 0.0});
                }
                track = at->first;
                at->second = range->end;
            }
            json args = json::object();
            for (const auto& [key, value] : {std::pair{"domain", &range->domain},
                                             {"category", &range->category},
                                             {"color", &range->color},
                                             {"payload", &range->payload}})
                if (!value->empty()) args[key] = *value;
            if (!range->moment) {
                slice(host_, track, range->name, "nvtx", {range->begin, range->end}, std::move(args));
                continue;
            }
            events_.push_back({{"ph", "i"},
                               {"s", "t"},
                               {"name", range->name},
                               {"cat", "nvtx"},
                               {"pid", host_},
                               {"tid", track},
                               {"ts", microseconds(range->begin)},
                               {"args", std::move(args)}});
        }
    }

    void write_streams() {
        std::set<timing::StreamId> named;
        for (const Placement* p : operations_) {
            // A graph is one in its stream; its nodes are on the engines' tracks.
            if (p->operation.kind == OperationKind::graph_begin ||
                (p->operation.graph && p->operation.kind != OperationKind::graph))
                continue;
            const timing::StreamId stream = p->operation.stream;
            if (named.insert(stream).second) name_track(streams(), stream, stream_name(timeline_, stream));
            slice(streams(), stream, operation_text(p->operation), kind_name(p->operation.kind),
                  {p->begin, p->end}, details(*p));
        }
    }

    // Slices of one track must not overlap: work that runs together gets tracks side by side.
    template <class Name>
    void write_tracks(int process, Name&& name) {
        std::map<std::string, std::vector<double>> ends;  // of the last slice of each of its tracks
        std::map<std::pair<std::string, std::size_t>, std::uint64_t> numbers;
        for (const Placement* p : operations_) {
            if (p->engine == Engine::none) continue;
            const std::string track = name(*p);
            if (track.empty()) continue;
            std::vector<double>& lanes = ends[track];
            std::size_t lane = 0;
            while (lane < lanes.size() && lanes[lane] > p->begin) ++lane;
            if (lane == lanes.size()) lanes.push_back(0);
            lanes[lane] = p->end;
            const auto [number, is_new] = numbers.try_emplace({track, lane}, numbers.size() + 1);
            if (is_new) name_track(process, number->second, track);
            slice(process, number->second, operation_text(p->operation), kind_name(p->operation.kind),
                  {p->begin, p->end}, details(*p));
        }
    }

    // What kernels have launched, as far as it ran beside each other on tracks side by side.
    void write_nested() {
        std::vector<double> ends;
        for (const Placement* p : operations_) {
            const auto& all = p->operation.nested;
            // The root stands in its stream. On a GPU that it shares with others it takes longer than alone.
            const double stretch = all.empty() ? 1 : (p->end - p->begin) / all.front().end;
            for (std::size_t i = 1; i < all.size(); ++i) {
                const Span span{p->begin + all[i].begin * stretch, p->begin + all[i].end * stretch};
                std::size_t track = 0;
                while (track < ends.size() && ends[track] > span.first) ++track;
                if (track == ends.size()) {
                    if (ends.empty()) name_process(nested(), "kernels launched by kernels");
                    ends.push_back(0);
                    name_track(nested(), track + 1, "nested kernels");
                }
                ends[track] = span.second;
                slice(nested(), track + 1, "kernel " + all[i].name, "nested kernel", span,
                      {{"operation", p->id}, {"parent", all[all[i].parent].name}, {"depth", all[i].depth}});
            }
        }
    }

    const Placement* find(timing::OperationId id) const {
        const auto it = by_id_.find(id);
        return it == by_id_.end() ? nullptr : it->second;
    }

    // From the end of what an event recorded to the begin of what waited for it. Where either had no work
    // before or after it, there is nothing to draw.
    void write_arrows() {
        std::map<timing::OperationId, std::vector<const Placement*>> after;
        for (const Placement* p : operations_)
            for (const timing::OperationId id : p->waits_for) after[id].push_back(p);
        for (const Placement* wait : operations_) {
            if (wait->operation.kind != OperationKind::event_wait) continue;
            for (const timing::OperationId id : wait->waits_for) {
                const Placement* record = find(id);
                if (!record || record->operation.kind != OperationKind::event_record ||
                    record->operation.stream == wait->operation.stream)
                    continue;
                const Placement* from = nullptr;
                for (const timing::OperationId earlier : record->waits_for)
                    if (const Placement* p = find(earlier);
                        p && p->operation.stream == record->operation.stream)
                        from = p;
                for (const Placement* to : after[wait->id])
                    if (from && to->operation.stream == wait->operation.stream) arrow(*from, *to);
            }
        }
    }
    void arrow(const Placement& from, const Placement& to) {
        const std::uint64_t id = (static_cast<std::uint64_t>(host_) << 48) + ++arrows_;
        const auto end = [&](const char* phase, const Placement& p, double time) {
            json event = {
                {"ph", phase},      {"name", "waits for"},       {"cat", "event"},          {"id", id},
                {"pid", streams()}, {"tid", p.operation.stream}, {"ts", microseconds(time)}};
            if (phase[0] == 'f') event["bp"] = "e";
            events_.push_back(std::move(event));
        };
        end("s", from, from.begin);  // a flow belongs to the slice that it begins in
        end("f", to, to.begin);
    }

    const Timeline& timeline_;
    int host_;
    json& events_;
    std::vector<const Placement*> operations_;
    std::map<timing::OperationId, const Placement*> by_id_;
    std::uint64_t arrows_ = 0;
};

json operation_json(const Timeline& timeline, const Placement& p) {
    json one = {{"id", p.id},
                {"kind", kind_name(p.operation.kind)},
                {"device", p.device},
                {"stream", p.operation.stream},
                {"stream_name", stream_name(timeline, p.operation.stream)},
                {"submitted", p.submitted},
                {"returned", p.returned},
                {"ready", p.ready},
                {"begin", p.begin},
                {"end", p.end},
                {"engine", engine_name(p.engine)},
                {"queue", p.queue < 0 ? json() : json(p.queue)},
                {"held_up", p.queue_blocked},
                {"behind", p.queue_blocked > 0 ? json(p.behind) : json()},
                {"waits_for", p.waits_for}};
    if (p.operation.kind == OperationKind::kernel) {
        one["kernel"] = p.operation.name;
        one["blocks"] = p.operation.kernel.blocks;
        one["alone"] = p.operation.kernel.nanoseconds;
        for (const timing::NestedPlacement& nested : p.operation.nested)
            one["nested"].push_back({{"kernel", nested.name},
                                     {"parent", nested.depth ? json(nested.parent) : json()},
                                     {"depth", nested.depth},
                                     {"begin", nested.begin},
                                     {"end", nested.end}});
    }
    if (p.operation.graph) one["graph"] = p.operation.graph;
    if (!p.operation.launched_by.empty()) one["launched_by"] = p.operation.launched_by;
    if (p.operation.nodes) one["nodes"] = p.operation.nodes;
    if (p.operation.bytes > 0) {
        one["bytes"] = p.operation.bytes;
        one["pageable"] = p.operation.pageable;
        if (p.operation.pages != timing::Pages::none)
            one["managed"] = p.operation.pages == timing::Pages::on_demand ? "on demand" : "prefetch";
    }
    return one;
}

json range_json(const HostRange& range) {
    json one = {{"name", range.name}, {"thread", range.thread}, {"begin", range.begin}};
    if (!range.moment) one["end"] = range.end;
    one["kind"] = range.moment ? "mark" : range.nested ? "nested" : "started";
    if (!range.domain.empty()) one["domain"] = range.domain;
    if (!range.category.empty()) one["category"] = range.category;
    if (!range.color.empty()) one["color"] = range.color;
    if (!range.payload.empty()) one["payload"] = range.payload;
    return one;
}

json program_json(const Timeline& timeline) {
    const TimelineSummary summary = summarise(timeline);
    json engines = json::object();
    for (const auto& [engine, operations, busy] : summary.engines)
        engines[engine_name(engine)] = {{"operations", operations}, {"busy", busy}};
    json operations = json::array();
    for (const Placement& p : timeline.operations) operations.push_back(operation_json(timeline, p));
    std::sort(operations.begin(), operations.end(),
              [](const json& a, const json& b) { return a.at("id") < b.at("id"); });
    json ranges = json::array();
    for (const HostRange& range : timeline.ranges) ranges.push_back(range_json(range));
    json failures = json::array();
    for (const Failure& failure : timeline.failures)
        failures.push_back(
            {{"kernel", failure.kernel}, {"kind", failure_name(failure.kind)}, {"reason", failure.reason}});
    const TimelineInfo& info = timeline.info;
    return {{"complete", !timeline.incomplete},
            {"failures", failures},
            {"program",
             {{"command", info.command},
              {"gpu", info.gpu},
              {"gpu_name", info.gpu_name},
              {"devices", info.devices.empty() ? std::vector{info.gpu_name} : info.devices},
              {"sms", info.sms},
              {"copy_engines", info.copy_engines},
              {"hardware_queues", info.hardware_queues}}},
            {"summary",
             {{"total", summary.length()},
              {"engines", engines},
              {"several_engines", summary.several},
              {"host_waits", summary.host_waits},
              {"kernels", summary.kernels},
              {"kernels_at_once", summary.kernels_at_once},
              {"kernels_together", summary.kernels_together},
              {"copying", summary.copying},
              {"copying_beside_kernels", summary.copying_beside_kernels},
              {"pageable_copies", summary.pageable},
              {"held_up_operations", summary.held_up.size()},
              {"held_up", summary.held_up_time}}},
            {"ranges", ranges},
            {"operations", operations}};
}

std::string text_of(const json& value, int indent) {
    return value.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string trace_json(const std::vector<Timeline>& timelines) {
    json events = json::array();
    int process = 1;
    bool complete = true;
    for (const Timeline& timeline : timelines) {
        complete &= !timeline.incomplete;
        Trace(timeline, process, events).write();
        process += Trace::processes;
    }
    return text_of({{"displayTimeUnit", "ns"},
                    {"otherData", {{"complete", complete}}},
                    {"traceEvents", std::move(events)}},
                   -1);
}

std::string timelines_json(const std::vector<Timeline>& timelines) {
    json programs = json::array();
    for (const Timeline& timeline : timelines) programs.push_back(program_json(timeline));
    return text_of({{"programs", std::move(programs)}}, 1);
}

}  // namespace lockstep::report
