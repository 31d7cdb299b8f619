// A device: one simulated GPU and everything that a program has made on it. The host APIs are thin layers
// over this class; it knows CUDA's rules, not its function names.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "exec/memory.h"
#include "exec/texture.h"
#include "gpu/model.h"
#include "session/arrays.h"
#include "session/command.h"
#include "session/device-limits.h"
#include "session/errors.h"
#include "session/launch-check.h"
#include "session/modules.h"
#include "session/process.h"
#include "session/streams.h"
#include "session/transfers.h"

namespace lockstep::session {

class HostChecks;

// Thread-safe.
class Device {
  public:
    // `process` must outlive it, and gets it next.
    Device(Process& process, gpu::GpuModel gpu);
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    Process& process() { return process_; }
    int number() const { return memory_.number(); }  // its place among the process's devices
    const gpu::GpuModel& gpu() const { return gpu_; }
    exec::DeviceMemory& memory() { return memory_; }
    DeviceLimits& limits() { return limits_; }
    Modules& modules() { return modules_; }
    DeviceErrors& errors() { return errors_; }
    std::atomic<CacheConfig> cache_config{};  // for kernels that have none of their own

    // Memory. Freeing the null pointer is legal; it waits for the device. What another device has given out
    // can be freed here, too.
    Found<std::uint64_t> allocate(std::uint64_t size, exec::MemoryKind kind);
    Outcome release(std::uint64_t address, bool host_memory);
    // … or is done in a stream.
    Outcome release(std::uint64_t address, const Stream& stream);
    // For who does commands: it is checked already.
    void forget_memory(std::uint64_t address);
    Outcome back_memory(const GraphMemory& memory);
    // `waits`: the call returns when the copy is done, and reports what went wrong before it.
    // `reads_at_once`: it returns when the copy's source was read.
    Outcome copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                 const Stream& stream, bool waits, bool reads_at_once = false);
    Outcome fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes,
                 const Stream& stream);
    Outcome prefetch(std::uint64_t address, std::uint64_t bytes, int device, const Stream& stream);
    // What managed memory holds is not needed any more.
    Outcome discard(std::uint64_t address, std::uint64_t bytes, const Stream& stream);

    Arrays& arrays() { return arrays_; }
    exec::ObjectTable& objects() { return objects_; }  // textures and surfaces

    // Streams (device-streams.cc). Those given to functions of a device are its own.
    std::shared_ptr<Stream> legacy_default_stream() const { return legacy_; }
    std::shared_ptr<Stream> default_stream_of_thread();
    Handles<Stream>& streams() { return streams_; }  // that the program made
    Stream* create_stream(unsigned flags, int priority);
    // Of what is submitted from now on; one that there is not becomes the nearest.
    void set_priority(Stream& stream, int priority);
    bool destroy_stream(const void* handle);
    Outcome synchronize(const Stream& stream);
    Outcome synchronize();
    // Status::not_ready: there is work to do.
    Outcome query(const Stream& stream);
    // Runs on a thread of its own.
    Outcome host_function(const Stream& stream, HostFunction function);

    // Events. A stream may wait for another device's.
    Handles<Event>& events() { return events_; }
    Event* create_event(unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr);
    bool destroy_event(const void* handle);
    // `external`: a stream that is captured does it when the graph runs.
    Outcome record(const std::shared_ptr<Event>& event, const Stream& stream, bool external = false,
                   EdgeKind kind = {});
    Outcome wait_event(const Stream& stream, const std::shared_ptr<Event>& event, bool external = false);
    Outcome synchronize(const Event& event);
    Outcome query(const Event& event);
    Found<float> milliseconds(const Event& start, const Event& end);

    // Of a thread of the kernel, as ptxas would allocate them: an estimate.
    machine::ThreadResources resources(Function& function);

    // Runs the kernel, mostly before it returns. The outcome is of the launch itself; a fault of the kernel
    // is kept in errors().
    Outcome launch(Function& function, const LaunchShape& asked, void** arguments, const Stream& stream);

    // A kernel's launch as a value, or why it cannot be.
    Found<KernelLaunch> prepare(Function& function, const LaunchShape& asked, void** arguments);
    // `later`: when there may be memory where there is only the address of a graph's allocation now.
    Found<Copy> prepare(const Box& to, const Box& from, const BoxSize& size, Direction direction, bool later);
    Found<Fill> prepare(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes, bool later);

    Outcome launch(const GraphExec& graph, const Stream& stream);

    // Has a command of this device done in its stream's order, and puts it on the simulated clock where there
    // is one. All work comes through here, and once: what happens never depends on when it happens. The
    // outcome is the call's.
    Outcome submit(Command command);
    // For the process, of commands that were put off: there is a simulated clock.
    Outcome tell_clock(const Command& command, const Done& done);

    // The address of such a text in device memory, for kernels; 0: there is no room for it.
    std::uint64_t text(const std::string& content);

    // Destroys everything that was made on the device; kernels load again when they are next used.
    void reset();

  private:
    void host_goes_on();   // it has waited
    HostChecks* checks();  // null: nobody looks for bugs
    // … or recorded, where the stream is capturing.
    template <class Work>
    Outcome submit(const Stream& stream, Work work, bool stops_host = false);
    StreamWork::Wait patience(const Command& command) const;
    void add(const Stream& stream, bool of_thread);
    void forget(const Stream& stream);
    void forget(const Event& event);

    Process& process_;
    gpu::GpuModel gpu_;
    exec::DeviceMemory memory_;
    DeviceLimits limits_;
    Modules modules_;
    DeviceErrors errors_;
    Arrays arrays_{*this};
    exec::ObjectTable objects_;
    Handles<Stream> streams_;
    Handles<Event> events_;
    std::shared_ptr<Stream> legacy_;
    std::mutex thread_streams_mutex_;
    std::map<std::thread::id, std::shared_ptr<Stream>> thread_streams_;
    std::mutex resources_mutex_;
    std::mutex texts_mutex_;
    std::map<std::string, std::uint64_t> texts_;
};

template <class Work>
Outcome Device::submit(const Stream& stream, Work work, bool stops_host) {
    if (process_.captures().any())
        if (auto captured = process_.captures().take(stream, *this, work)) return *captured;
    return submit({this, stream.id, std::move(work), stops_host});
}

}  // namespace lockstep::session
