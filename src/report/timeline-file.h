// What a program leaves of its streams: a line of JSON for each stream, operation and wait of the host, in
// the order in which they became known, after one that says where they ran. Lines are written as the program
// goes on, so that memory does not grow with it and a crash leaves what was there.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/result.h"
#include "timing/stream-operation.h"

namespace lockstep::report {

struct TimelineInfo {
    std::string command;
    std::string gpu, gpu_name;
    int sms = 0;
    int copy_engines = 0;
    std::vector<std::string> devices{};  // by number, where there are several
    int hardware_queues = 0;             // that were used: the GPU's, or fewer by CUDA_DEVICE_MAX_CONNECTIONS
    std::string measured_by{};           // on a real GPU; empty: it was simulated
};

struct TimelineStream {
    timing::StreamId id = 0;
    bool blocking = true;
    bool of_thread = false;  // a thread's default stream
    int priority = 0;
    int device = 0;
    bool legacy = false;  // a device's default stream
};

// What the program itself has named (NVTX): a part of its host's time, or a moment.
struct HostRange {
    std::string name, domain, category;
    std::string color;    // "#76b900", or empty
    std::string payload;  // a number, or empty
    int thread = 0;       // in the order of their first range
    bool nested = true;   // pushed and popped, not started and ended
    bool moment = false;
    double begin = 0, end = 0;
};

struct Timeline {
    TimelineInfo info;
    std::vector<TimelineStream> streams;
    std::vector<timing::Placement> operations;
    std::vector<timing::HostCall> host_calls;
    std::vector<HostRange> ranges;  // in the order of their ends
    std::vector<Failure> failures;  // launches that are not in it
    bool incomplete = false;        // the line that ends it is missing: the program was killed
};

class TimelineWriter {
  public:
    static Result<std::unique_ptr<TimelineWriter>> create(const std::filesystem::path& file,
                                                          const TimelineInfo& info);
    void add(const TimelineStream& stream);
    void add(const timing::Placement& placement);
    void add(const timing::HostCall& call);
    void add(const HostRange& range);
    void add(const Failure& failure);
    // The program has ended by itself.
    void end();
    // What was written so far is in the file. False: it could not be written.
    bool flush();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    explicit TimelineWriter(std::FILE* file) : file_(file) {}
    void line(const std::string& text);

    std::unique_ptr<std::FILE, Close> file_;
    bool failed_ = false;
};

Result<Timeline> read_timeline(const std::filesystem::path& file);

// "kernel", "copy to device", …
const char* kind_name(timing::OperationKind kind);
const char* engine_name(timing::Engine engine);
// "default stream", "stream 4 (non-blocking)".
std::string stream_name(const Timeline& timeline, timing::StreamId stream);

}  // namespace lockstep::report
