// From placed operations to what people and programs see of them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "compile/files.h"
#include "report/text-printer.h"
#include "report/timeline-drawing.h"
#include "report/timeline-export.h"
#include "timing/stream-machine.h"

namespace lockstep::report {
namespace {

using timing::OperationKind;
using timing::Program;
using timing::StreamId;

// Two kernels in each of two streams, issued depth first, a copy, and an event that is waited for.
Timeline example(gpu::GpuModel gpu) {
    Program program(std::move(gpu));
    const StreamId a = program.stream(), b = program.stream(true, -1);
    program.copy(OperationKind::copy_to_device, a, 1 << 20, true);
    program.kernel(a, 100);
    program.kernel(a, 100);
    program.record(1, a);
    program.copy(OperationKind::copy_to_host, b, 4 << 20);
    program.wait(1, b);
    program.kernel(b, 50);
    program.kernel(b, 50);
    program.finish();
    Timeline timeline;
    timeline.info = {"./a.out", "h200", "NVIDIA H200", 132, 3, {}, program.timeline.hardware_queues()};
    timeline.streams = {{a, false, false, 0}, {b, true, false, -1}};
    for (const auto& [id, placement] : program.placed) timeline.operations.push_back(placement);
    timeline.host_calls = program.calls;
    HostRange outer{"outer range", "math", "loops", "#76b900", "42", 1, true, false, 0, 400'000};
    HostRange moment{"here", "", "", "", "", 1, true, true, 1000, 1000};
    timeline.ranges = {moment, outer};
    return timeline;
}

TEST(Timeline, FileKeepsEverything) {
    const Timeline before = example(timing::fermi());
    auto folder = compile::TempDir::create();
    ASSERT_TRUE(folder);
    const auto file = folder->path() / "1.timeline";
    {
        auto writer = TimelineWriter::create(file, before.info);
        ASSERT_TRUE(writer);
        for (const auto& stream : before.streams) (*writer)->add(stream);
        for (const auto& placement : before.operations) (*writer)->add(placement);
        for (const auto& call : before.host_calls) (*writer)->add(call);
        for (const auto& range : before.ranges) (*writer)->add(range);
        (*writer)->add(Failure{"k(int *)", FailureKind::fault, "out of bounds"});
        EXPECT_TRUE((*writer)->flush());
        auto killed = read_timeline(file);
        ASSERT_TRUE(killed);
        EXPECT_TRUE(killed->incomplete);
        (*writer)->end();
        EXPECT_TRUE((*writer)->flush());
    }
    auto after = read_timeline(file);
    ASSERT_TRUE(after) << after.error().to_string();
    EXPECT_FALSE(after->incomplete);
    ASSERT_EQ(after->failures.size(), 1u);
    EXPECT_EQ(after->failures[0].reason, "out of bounds");
    after->failures.clear();
    EXPECT_EQ(timelines_json({before}), timelines_json({*after}));
    EXPECT_EQ(trace_json({before}), trace_json({*after}));

    // A program that is killed leaves a line that is cut off; anything else is no timeline.
    std::string text = *compile::read_file(file);
    ASSERT_TRUE(compile::write_file(file, text.substr(0, text.size() - 5)));
    after = read_timeline(file);
    ASSERT_TRUE(after);
    EXPECT_TRUE(after->incomplete);
    EXPECT_EQ(after->operations.size(), before.operations.size());
    ASSERT_TRUE(compile::write_file(file, "{}\n" + text));
    EXPECT_FALSE(read_timeline(file));
    EXPECT_FALSE(read_timeline(folder->path() / "missing"));
}

TEST(Timeline, WriterReportsAFullDisk) {
    auto writer = TimelineWriter::create("/dev/full", {});
    ASSERT_TRUE(writer);
    EXPECT_FALSE((*writer)->flush());
    EXPECT_FALSE(TimelineWriter::create("/nowhere/1.timeline", {}));
}

TEST(Timeline, SummaryCountsTimes) {
    EXPECT_EQ(covered({{0, 10}, {5, 20}, {30, 40}}), 30);
    EXPECT_EQ(covered({{0, 10}, {5, 20}, {30, 40}}, 2), 5);
    EXPECT_EQ(merged({{5, 20}, {0, 5}, {7, 7}, {30, 31}}), (std::vector<Span>{{0, 20}, {30, 31}}));

    const Timeline timeline = example(timing::h200());
    const TimelineSummary summary = summarise(timeline);
    EXPECT_EQ(summary.kernels, 4u);
    EXPECT_EQ(summary.kernels_at_once, 1) << "the event holds the second stream's kernels back";
    EXPECT_EQ(summary.host_copies, 2u);
    EXPECT_EQ(summary.pageable, 1u);
    const gpu::TimingFigures figures = timing::h200().timing;
    EXPECT_NEAR(summary.pageable_time,
                1000 * (figures.launch_latency_us + figures.copy_latency_us) +
                    (1 << 20) / figures.pageable_to_device_gbs,
                1);
    EXPECT_TRUE(summary.held_up.empty());
    // The copy back is as long as it takes, and all of it lies beside the first stream's kernels.
    const double back = 1000 * figures.copy_latency_us + (4 << 20) / figures.device_to_pinned_gbs;
    EXPECT_NEAR(summary.copying_beside_kernels, back, 1e-3 * back);
    EXPECT_NEAR(summary.several, back, 1e-3 * back);
}

TEST(Timeline, HeldUpWorkIsNamed) {
    Program program(timing::fermi());
    const StreamId a = program.stream(), b = program.stream();
    program.kernel(a, 100);
    program.kernel(a, 100);
    program.kernel(b, 100);
    program.finish();
    Timeline timeline;
    timeline.info.hardware_queues = 1;
    for (const auto& [id, placement] : program.placed) timeline.operations.push_back(placement);
    const TimelineSummary summary = summarise(timeline);
    ASSERT_EQ(summary.held_up.size(), 1u);
    const std::string text = to_text(Section{"", summary_parts(timeline, summary)});
    const std::string time = time_text(program.placed[3].queue_blocked);
    EXPECT_NE(text.find("falsely serialised: 1 operation was held up for " + time), std::string::npos)
        << text;
    EXPECT_NE(text.find("kernel k of stream 11 was ready " + time +
                        " earlier, behind kernel k of stream 10 in queue 0"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("breadth first"), std::string::npos);
    EXPECT_NE(draw_timeline(timeline, summary, 80).text.find("!!!!"), std::string::npos);
}

TEST(Timeline, DrawingFitsTheWidth) {
    const Timeline timeline = example(timing::h200());
    for (const std::size_t width : {60u, 100u, 200u}) {
        const std::string text = draw_timeline(timeline, summarise(timeline), width).text;
        std::istringstream lines(text);
        std::string line;
        for (int i = 0; i < 6 && std::getline(lines, line); ++i) EXPECT_EQ(line.size(), width) << line;
        EXPECT_NE(text.find("stream 10 (non-blocking)"), std::string::npos);
        EXPECT_NE(text.find("stream 11 (priority -1)"), std::string::npos);
        EXPECT_NE(text.find("A k\n"), std::string::npos);
        EXPECT_NE(text.find("[outer range="), std::string::npos) << text;
        EXPECT_NE(text.find("\n" + std::string(text.find('|'), ' ') + "|^"), std::string::npos)
            << "a mark below it";
    }
    const std::string words = to_text(Section{"", summary_parts(timeline, summarise(timeline))});
    EXPECT_NE(words.find("math: outer range: 400 us"), std::string::npos) << words;
    EXPECT_NE(words.find("here: marked 1 time\n"), std::string::npos) << words;
}

// What Perfetto needs: complete slices with numbers, names for every track, no overlaps within one, and both
// ends of every arrow inside a slice.
TEST(Timeline, TraceIsWellFormed) {
    const auto trace = nlohmann::json::parse(trace_json({example(timing::h200()), example(timing::fermi())}));
    EXPECT_EQ(trace.at("displayTimeUnit"), "ns");
    using Track = std::pair<int, std::uint64_t>;
    std::set<Track> named;
    std::map<Track, std::vector<Span>> slices;
    std::map<std::uint64_t, std::string> arrows;
    for (const auto& event : trace.at("traceEvents")) {
        const std::string phase = event.at("ph");
        const Track track{event.at("pid"), event.at("tid")};
        ASSERT_TRUE(phase == "M" || phase == "X" || phase == "i" || phase == "s" || phase == "f") << phase;
        EXPECT_TRUE(event.at("name").is_string());
        if (phase == "M" && event.at("name") == "thread_name") named.insert(track);
        if (phase == "X") {
            const double begin = event.at("ts"), length = event.at("dur");
            EXPECT_GE(begin, 0);
            EXPECT_GE(length, 0);
            slices[track].emplace_back(begin, begin + length);
        }
        if (phase == "s" || phase == "f") arrows[event.at("id")] += phase;
    }
    EXPECT_EQ(arrows.size(), 2u);
    for (const auto& [id, phases] : arrows) EXPECT_EQ(phases, "sf");
    std::set<int> processes;
    for (auto& [track, spans] : slices) {
        EXPECT_TRUE(named.contains(track)) << track.first << " " << track.second;
        processes.insert(track.first);
        std::sort(spans.begin(), spans.end());
        for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_GE(spans[i].first, spans[i - 1].second - 1e-9);
    }
    EXPECT_EQ(processes, (std::set<int>{1, 2, 3, 4, 6, 7, 8, 9})) << "5 is of graphs";
}

TEST(Timeline, TimesAreReadable) {
    EXPECT_EQ(time_text(0), "0 ns");
    EXPECT_EQ(time_text(999.4), "999 ns");
    EXPECT_EQ(time_text(1234), "1.23 us");
    EXPECT_EQ(time_text(99'960), "100 us");
    EXPECT_EQ(time_text(12'345'678), "12.3 ms");
    EXPECT_EQ(time_text(5e9), "5.00 s");
}

}  // namespace
}  // namespace lockstep::report
