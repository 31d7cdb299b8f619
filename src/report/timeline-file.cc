#include "report/timeline-file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace lockstep::report {
namespace {

using nlohmann::json;
using timing::Engine;
using timing::OperationKind;

template <class Value>
struct Named {
    Value value;
    const char* name;
};
constexpr std::array<Named<OperationKind>, 13> kinds = {{{OperationKind::kernel, "kernel"},
                                                         {OperationKind::copy_to_device, "copy to device"},
                                                         {OperationKind::copy_to_host, "copy to host"},
                                                         {OperationKind::copy_on_device, "copy on device"},
                                                         {OperationKind::copy_on_host, "copy on host"},
                                                         {OperationKind::copy_to_peer, "copy to peer"},
                                                         {OperationKind::fill, "fill"},
                                                         {OperationKind::host_function, "host function"},
                                                         {OperationKind::event_record, "event record"},
                                                         {OperationKind::event_wait, "event wait"},
                                                         {OperationKind::graph_begin, "graph begin"},
                                                         {OperationKind::graph_step, "graph step"},
                                                         {OperationKind::graph, "graph"}}};
constexpr std::array<Named<Engine>, 5> engines = {{{Engine::none, "none"},
                                                   {Engine::sms, "SMs"},
                                                   {Engine::copy_to_device, "copies to device"},
                                                   {Engine::copy_to_host, "copies to host"},
                                                   {Engine::host, "host functions"}}};

template <class Value, std::size_t count>
const char* name_of(const std::array<Named<Value>, count>& table, Value value) {
    for (const auto& one : table)
        if (one.value == value) return one.name;
    return "";
}

// Thrown within this file only.
template <class Value, std::size_t count>
Value by_name(const std::array<Named<Value>, count>& table, const std::string& name) {
    for (const auto& one : table)
        if (name == one.name) return one.value;
    throw std::invalid_argument(fmt::format("'{}' is not known", name));
}

timing::Placement read_placement(const json& line) {
    timing::Placement p;
    timing::Operation& o = p.operation;
    p.id = line.at("id");
    o.kind = by_name(kinds, line.at("kind"));
    p.engine = by_name(engines, line.at("engine"));
    o.stream = line.at("stream");
    o.name = line.at("name");
    o.bytes = line.at("bytes");
    o.pageable = line.at("pageable");
    o.pages = static_cast<timing::Pages>(line.value("pages", 0));
    o.event = line.at("event");
    o.graph = line.value("graph", timing::OperationId{0});
    o.launched_by = line.value("launched_by", std::string());
    o.nodes = line.value("nodes", std::uint64_t{0});
    o.stops_host = line.at("stops_host");
    o.kernel.blocks = line.at("blocks");
    o.kernel.resident_blocks = line.at("resident_blocks");
    o.kernel.nanoseconds = line.at("alone");
    if (line.contains("nested"))
        for (const json& one : line.at("nested"))
            o.nested.push_back({one.at(0), one.at(1), one.at(2), one.at(3), one.at(4)});
    p.waits_for = line.at("waits_for").get<std::vector<timing::OperationId>>();
    p.device = line.value("device", 0);
    p.priority = line.at("priority");
    p.submitted = line.at("submitted");
    p.returned = line.at("returned");
    p.ready = line.at("ready");
    p.begin = line.at("begin");
    p.end = line.at("end");
    p.queue = line.at("queue");
    p.queue_blocked = line.at("queue_blocked");
    p.behind = line.at("behind");
    return p;
}

void read_line(const json& line, Timeline& timeline) {
    const std::string what = line.at("line");
    if (what == "operation") {
        timeline.operations.push_back(read_placement(line));
    } else if (what == "host") {
        timeline.host_calls.push_back({line.at("what"), line.at("begin"), line.at("end")});
    } else if (what == "range") {
        timeline.ranges.push_back({line.at("name"), line.at("domain"), line.at("category"), line.at("color"),
                                   line.at("payload"), line.at("thread"), line.at("nested"),
                                   line.at("moment"), line.at("begin"), line.at("end")});
    } else if (what == "stream") {
        timeline.streams.push_back({line.at("id"), line.at("blocking"), line.at("of_thread"),
                                    line.at("priority"), line.value("device", 0),
                                    line.value("legacy", false)});
    } else if (what == "failure") {
        // A kind that nobody knows is damage, and ends the reading as any other.
        timeline.failures.push_back(
            {line.at("kernel"), find_failure(line.at("kind").get<std::string>()).value(), line.at("reason")});
    } else if (what == "end") {
        timeline.incomplete = false;
    } else {
        TimelineInfo& info = timeline.info;
        info.command = line.at("command");
        info.gpu = line.at("gpu");
        info.gpu_name = line.at("gpu_name");
        info.sms = line.at("sms");
        info.copy_engines = line.at("copy_engines");
        info.hardware_queues = line.at("hardware_queues");
        info.devices = line.value("devices", std::vector<std::string>{});
    }
}

}  // namespace

const char* kind_name(OperationKind kind) { return name_of(kinds, kind); }

const char* engine_name(Engine engine) { return name_of(engines, engine); }

std::string stream_name(const Timeline& timeline, timing::StreamId id) {
    const bool several = timeline.info.devices.size() > 1;
    if (id == timing::legacy_stream) return several ? "device 0, default stream" : "default stream";
    for (const TimelineStream& stream : timeline.streams) {
        if (stream.id != id) continue;
        std::string notes;
        if (!stream.blocking) notes += ", non-blocking";
        if (stream.priority != 0) notes += fmt::format(", priority {}", stream.priority);
        if (!notes.empty()) notes = fmt::format(" ({})", notes.substr(2));
        const std::string device = several ? fmt::format("device {}, ", stream.device) : "";
        if (stream.legacy) return device + "default stream";
        return fmt::format("{}{}stream {}{}", device, stream.of_thread ? "thread's default " : "", id, notes);
    }
    return fmt::format("stream {}", id);
}

Result<std::unique_ptr<TimelineWriter>> TimelineWriter::create(const std::filesystem::path& file,
                                                               const TimelineInfo& info) {
    std::FILE* opened = std::fopen(file.c_str(), "we");
    if (!opened) return Error{fmt::format("cannot write a timeline: {}", std::strerror(errno)), {file}};
    std::unique_ptr<TimelineWriter> writer(new TimelineWriter(opened));
    writer->line(json{{"line", "program"},
                      {"command", info.command},
                      {"gpu", info.gpu},
                      {"gpu_name", info.gpu_name},
                      {"sms", info.sms},
                      {"copy_engines", info.copy_engines},
                      {"hardware_queues", info.hardware_queues},
                      {"devices", info.devices}}
                     .dump(-1, ' ', false, json::error_handler_t::replace));
    return writer;
}

void TimelineWriter::line(const std::string& text) {
    if (std::fputs(text.c_str(), file_.get()) < 0 || std::fputc('\n', file_.get()) == EOF) failed_ = true;
}

void TimelineWriter::add(const TimelineStream& stream) {
    line(json{{"line", "stream"},
              {"id", stream.id},
              {"blocking", stream.blocking},
              {"of_thread", stream.of_thread},
              {"priority", stream.priority},
              {"device", stream.device},
              {"legacy", stream.legacy}}
             .dump());
}

void TimelineWriter::add(const timing::Placement& p) {
    const timing::Operation& o = p.operation;
    json text{{"line", "operation"},
              {"id", p.id},
              {"kind", kind_name(o.kind)},
              {"stream", o.stream},
              {"name", o.name},
              {"bytes", o.bytes},
              {"pageable", o.pageable},
              {"pages", static_cast<int>(o.pages)},
              {"event", o.event},
              {"graph", o.graph},
              {"nodes", o.nodes},
              {"stops_host", o.stops_host},
              {"blocks", o.kernel.blocks},
              {"resident_blocks", o.kernel.resident_blocks},
              {"alone", o.kernel.nanoseconds},
              {"waits_for", p.waits_for},
              {"device", p.device},
              {"priority", p.priority},
              {"submitted", p.submitted},
              {"returned", p.returned},
              {"ready", p.ready},
              {"begin", p.begin},
              {"end", p.end},
              {"engine", engine_name(p.engine)},
              {"queue", p.queue},
              {"queue_blocked", p.queue_blocked},
              {"behind", p.behind}};
    if (!o.launched_by.empty()) text["launched_by"] = o.launched_by;
    for (const timing::NestedPlacement& one : o.nested)
        text["nested"].push_back({one.name, one.depth, one.parent, one.begin, one.end});
    line(text.dump(-1, ' ', false, json::error_handler_t::replace));
}

void TimelineWriter::add(const timing::HostCall& call) {
    line(json{{"line", "host"}, {"what", call.what}, {"begin", call.begin}, {"end", call.end}}.dump());
}

void TimelineWriter::add(const HostRange& range) {
    line(json{{"line", "range"},
              {"name", range.name},
              {"domain", range.domain},
              {"category", range.category},
              {"color", range.color},
              {"payload", range.payload},
              {"thread", range.thread},
              {"nested", range.nested},
              {"moment", range.moment},
              {"begin", range.begin},
              {"end", range.end}}
             .dump(-1, ' ', false, json::error_handler_t::replace));
}

void TimelineWriter::add(const Failure& failure) {
    line(json{{"line", "failure"},
              {"kernel", failure.kernel},
              {"kind", failure_name(failure.kind)},
              {"reason", failure.reason}}
             .dump(-1, ' ', false, json::error_handler_t::replace));
}

void TimelineWriter::end() { line(json{{"line", "end"}}.dump()); }

bool TimelineWriter::flush() {
    if (std::fflush(file_.get()) != 0) failed_ = true;
    return !failed_;
}

Result<Timeline> read_timeline(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return Error{"cannot read this timeline", {file}};
    Timeline timeline;
    timeline.incomplete = true;
    int number = 0;
    for (std::string text; std::getline(in, text);) {
        ++number;
        try {
            read_line(json::parse(text), timeline);
        } catch (const std::exception& error) {
            // Only the end may be missing.
            if (in.peek() == std::ifstream::traits_type::eof() && in.eof()) break;
            return Error{fmt::format("this is no timeline: {}", error.what()), {file, number}};
        }
    }
    if (number == 0) return Error{"this timeline is empty", {file}};
    return timeline;
}

}  // namespace lockstep::report
