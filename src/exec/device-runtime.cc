#include "exec/device-runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "exec/block-slot.h"
#include "exec/callbacks.h"
#include "exec/fault-message.h"
#include "exec/run-state.h"

namespace lockstep::exec {

enum class RuntimeCall : std::uint32_t {
#define LOCKSTEP_RUNTIME_FUNCTION(name, ...) name,
#include "exec/device-runtime.def"
};

namespace {

#define LOCKSTEP_RUNTIME_FUNCTION(name, result, ...) \
    constexpr std::array name##_bytes = std::to_array<std::uint32_t>({__VA_ARGS__});
#include "exec/device-runtime.def"

constexpr std::array runtime_functions = {
#define LOCKSTEP_RUNTIME_FUNCTION(name, result, ...)                    \
    RuntimeFunction{"cuda" #name, result,                               \
                    std::span<const std::uint32_t>(name##_bytes.data(), \
                                                   name##_bytes[0] == 0 ? 0 : name##_bytes.size())},
#include "exec/device-runtime.def"
};

constexpr std::uint64_t to_device = 1, to_host = 2;  // cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost

bool is_without_events(std::uint64_t stream) {
    return stream == static_cast<std::uint64_t>(NestedStream::tail) ||
           stream == static_cast<std::uint64_t>(NestedStream::fire_and_forget);
}

std::uint64_t aligned_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

const RuntimeFunction* find_runtime_function(std::string_view name) {
    constexpr std::string_view both = "__cuda", second = "__cudaCDP2", of_thread = "_ptsz";
    if (name.ends_with(of_thread)) name.remove_suffix(of_thread.size());
    const auto find = [](const std::string& plain) -> const RuntimeFunction* {
        const auto found = std::find_if(runtime_functions.begin(), runtime_functions.end(),
                                        [&](const RuntimeFunction& one) { return one.name == plain; });
        return found == runtime_functions.end() ? nullptr : &*found;
    };
    if (!name.starts_with(second)) return find(std::string(name));
    if (const RuntimeFunction* own = find("cuda" + std::string(name.substr(both.size())))) return own;
    return find("cuda" + std::string(name.substr(second.size())));
}

std::uint32_t runtime_function_number(const RuntimeFunction& function) {
    return static_cast<std::uint32_t>(&function - runtime_functions.data());
}

struct BlockRequests::Call {
    WarpContext& warp;
    std::uint32_t site;
    std::uint32_t lane;
    RuntimeCall function;
    const std::byte* arguments;

    const RuntimeFunction& described() const { return runtime_functions[static_cast<std::size_t>(function)]; }
    template <class T>
    T argument(std::size_t number) const {
        std::size_t offset = 0;
        for (std::size_t i = 0; i < number; ++i)
            offset += aligned_up(std::uint64_t{described().argument_bytes[i]} * warp_lanes, 64);
        T value{};
        std::memcpy(&value, arguments + offset + std::size_t{described().argument_bytes[number]} * lane,
                    sizeof value);
        return value;
    }
    std::uint64_t pointer(std::size_t number) const { return argument<std::uint64_t>(number); }
    std::uint32_t thread() const { return warp.warp * warp_lanes + lane; }
    std::string who() const {
        return fmt::format("block ({},{},{}), thread ({},{},{})", warp.block[0], warp.block[1], warp.block[2],
                           warp.thread[0][lane], warp.thread[1][lane], warp.thread[2][lane]);
    }
    const std::byte* memory(std::uint64_t address, std::uint64_t bytes) const {
        return bytes == 0 ? nullptr : accessible_memory(warp, site, address, bytes, lane);
    }
    // Where the program wants an answer.
    template <class T>
    void give(std::size_t number, T value) const {
        std::memcpy(accessible_memory(warp, site, pointer(number), sizeof value, lane), &value, sizeof value);
    }
};

BlockRequests::~BlockRequests() {
    for (const Chunk& chunk : chunks_) slot_.run.grid.memory->release(chunk.begin);
}

void BlockRequests::begin_block() {
    work_.clear();
    buffers_.clear();
    last_errors_.clear();
    streams_.clear();
    events_.clear();
    chunk_ = 0;
    used_ = 0;
}

// Memory for a launch's arguments. It is used again by later blocks, and never freed before the launch ends:
// compiled code remembers where it has found memory.
std::uint64_t BlockRequests::reserve(std::uint64_t bytes) {
    constexpr std::uint64_t chunk_bytes = 64 << 10, alignment = 64;
    bytes = aligned_up(std::max<std::uint64_t>(bytes, 1), alignment);
    for (; chunk_ < chunks_.size(); ++chunk_, used_ = 0)
        if (used_ + bytes <= chunks_[chunk_].size) break;
    if (chunk_ == chunks_.size()) {
        const std::uint64_t size = std::max(bytes, chunk_bytes);
        const auto made =
            slot_.run.grid.memory->allocate(size, MemoryKind::runtime, "arguments of nested launches");
        if (!made) return 0;
        chunks_.push_back({*made, size});
        used_ = 0;
    }
    const std::uint64_t address = chunks_[chunk_].begin + used_;
    used_ += bytes;
    return address;
}

bool BlockRequests::is_stream(std::uint64_t stream) const {
    return stream <= static_cast<std::uint64_t>(NestedStream::fire_and_forget) || streams_.contains(stream);
}

NestedError BlockRequests::refuse(const Call& call, NestedError error, const std::string& reason) {
    const auto name = call.described().name;
    if (Warnings* const warnings = slot_.run.grid.warnings)
        warnings->once(fmt::format("{} {} {}", slot_.run.grid.kernel, name, reason),
                       fault_message(slot_.run.grid, call.warp, call.site, static_cast<int>(call.lane),
                                     fmt::format("{}: {} (error {} in the kernel)", name, reason,
                                                 static_cast<int>(error))));
    return error;
}

NestedError BlockRequests::no_stream(const Call& call, std::uint64_t stream) {
    return refuse(call, NestedError::invalid_value,
                  fmt::format("{:#x} is no stream that this block has made", stream));
}

NestedError BlockRequests::no_event(const Call& call, std::uint64_t event) {
    return refuse(call, NestedError::invalid_value,
                  events_.contains(event) ? "the tail stream, and what is fired and forgotten, has no events"
                                          : fmt::format("{:#x} is no event that this block has made", event));
}

NestedError BlockRequests::enqueue(Call& call, std::uint64_t stream, decltype(NestedWork::what) what) {
    if (!is_stream(stream)) return no_stream(call, stream);
    work_.push_back(
        {std::move(what), static_cast<NestedStream>(stream), slot_.number(), call.thread(), call.who()});
    return NestedError::none;
}

std::uint64_t BlockRequests::parameter_buffer(Call& call) {
    using Extent = std::array<std::uint32_t, 3>;
    NestedKernel kernel{slot_.run.grid.kernel_at(call.pointer(0)),
                        call.argument<Extent>(1),
                        call.argument<Extent>(2),
                        call.argument<std::uint32_t>(3),
                        {}};
    Nesting* const nesting = slot_.run.grid.launch.nesting;
    NestedError error = NestedError::none;
    if (!nesting)
        error = NestedError::not_supported;
    else if (!kernel.kernel)
        error = NestedError::invalid_device_function;
    else
        error = nesting->admit(kernel);
    std::uint64_t address = 0;
    if (error == NestedError::none) {
        const std::uint64_t bytes = kernel_info(*kernel.kernel).param_bytes;
        address = reserve(bytes);
        if (address)
            buffers_[address] = {std::move(kernel), bytes};
        else
            error = NestedError::memory_allocation;
    }
    if (error != NestedError::none) last_errors_[call.thread()] = error;
    return address;
}

NestedError BlockRequests::launch(Call& call) {
    const auto found = buffers_.find(call.pointer(0));
    if (found == buffers_.end()) return NestedError::invalid_value;
    if (!is_stream(call.pointer(1))) return no_stream(call, call.pointer(1));
    const bool tail = call.pointer(1) == static_cast<std::uint64_t>(NestedStream::tail);
    found->second.kernel.first_runtime = call.function == RuntimeCall::LaunchDeviceV2;
    if (const NestedError error = slot_.run.grid.launch.nesting->pend(found->second.kernel, tail);
        error != NestedError::none)
        return error;
    NestedKernel kernel = std::move(found->second.kernel);
    const auto* bytes = reinterpret_cast<const std::byte*>(found->first);
    kernel.params.assign(bytes, bytes + found->second.bytes);
    buffers_.erase(found);
    const auto address = [](const std::byte* p) { return reinterpret_cast<std::uint64_t>(p); };
    const Grid& grid = slot_.run.grid;
    const WarpContext& first = slot_.warps.front();
    kernel.of_launchers = {
        {address(first.shared), first.shared_bytes},
        {address(first.local), std::uint64_t{first.local_bytes} * first.wave_lanes * first.warps}};
    // Of a long chain of launches the nearest are enough.
    constexpr std::size_t most = 16;
    for (const MemoryRange& one : grid.launch.of_launchers)
        if (kernel.of_launchers.size() < most) kernel.of_launchers.push_back(one);
    return enqueue(call, call.pointer(1), std::move(kernel));
}

// What a GPU reads as an address, and faults at.
void BlockRequests::bad_handle(const Call& call, std::uint64_t handle, const char* what) {
    Fault fault{FaultKind::illegal_address, {}};
    fault.message = fault_message(slot_.run.grid, call.warp, call.site, static_cast<int>(call.lane),
                                  fmt::format("{}: {:#x} is no {}", call.described().name, handle, what));
    slot_.fault(std::move(fault));
}

NestedError BlockRequests::launch_graph(Call& call) {
    const NestedGraph graph{call.pointer(0), static_cast<GraphStream>(call.pointer(1))};
    if (graph.graph == 0) return NestedError::invalid_value;
    if (graph.stream != GraphStream::tail && graph.stream != GraphStream::fire_and_forget &&
        graph.stream != GraphStream::sibling)
        return NestedError::invalid_value;
    const auto error = slot_.run.grid.launch.nesting->pend(graph);
    if (!error)
        bad_handle(call, graph.graph, "executable graph that was instantiated for launches by kernels");
    return *error == NestedError::none ? enqueue(call, 0, graph) : *error;
}

NestedError BlockRequests::change_node(const Call& call, std::uint64_t node, const NodeChange& change) {
    if (node == 0) return NestedError::invalid_value;
    const auto error = slot_.run.grid.launch.nesting->change(node, change);
    if (!error) bad_handle(call, node, "node of a graph that kernels may change");
    return *error;
}

NestedError BlockRequests::change_nodes(const Call& call) {
    struct Parameter {
        std::uint64_t value, offset, size;
    };
    struct Update {  // cudaGraphKernelNodeUpdate
        std::uint64_t node;
        std::uint32_t field, padding;
        union {
            std::uint32_t grid[3];
            Parameter parameter;
            std::uint32_t enabled;
        };
    };
    enum Field : std::uint32_t { grid = 1, parameter, enabled };
    for (std::uint64_t i = 0; i < call.pointer(1); ++i) {
        Update update{};
        std::memcpy(&update, call.memory(call.pointer(0) + i * sizeof update, sizeof update), sizeof update);
        NodeChange change;
        switch (update.field) {
            case Field::grid: change = NodeGrid{{update.grid[0], update.grid[1], update.grid[2]}}; break;
            case Field::parameter:
                change = parameter_at(call, update.parameter.offset, update.parameter.value,
                                      update.parameter.size);
                break;
            case Field::enabled: change = NodeEnabled{update.enabled != 0}; break;
            default: return NestedError::invalid_value;
        }
        if (const NestedError error = change_node(call, update.node, change); error != NestedError::none)
            return error;
    }
    return NestedError::none;
}

NodeParameter BlockRequests::parameter_at(const Call& call, std::uint64_t offset, std::uint64_t value,
                                          std::uint64_t size) {
    const std::byte* const bytes = call.memory(value, size);
    return {offset, {bytes, bytes + size}};
}

std::uint64_t BlockRequests::answer(Call& call) {
    using F = RuntimeCall;
    Nesting* const nesting = slot_.run.grid.launch.nesting;
    if (call.function == F::GetParameterBufferV2) return parameter_buffer(call);
    if (call.function == F::GetErrorString || call.function == F::GetErrorName)
        return nesting
                   ? nesting->error_text(call.argument<std::uint32_t>(0), call.function == F::GetErrorName)
                   : 0;
    if (call.function == F::GetLastError || call.function == F::PeekAtLastError) {
        const auto last = last_errors_.find(call.thread());
        if (last == last_errors_.end()) return 0;
        const NestedError error = last->second;
        if (call.function == F::GetLastError) last_errors_.erase(last);
        return static_cast<std::uint64_t>(error);
    }
    const auto finish = [&](NestedError error) {
        if (error != NestedError::none) last_errors_[call.thread()] = error;
        return static_cast<std::uint64_t>(error);
    };
    if (!nesting) return finish(NestedError::not_supported);
    const auto kernel_at = [&](std::size_t number) { return slot_.run.grid.kernel_at(call.pointer(number)); };
    const auto reachable = [&](std::uint64_t address, std::uint64_t bytes) {
        return bytes == 0 || slot_.run.grid.memory->find(address, bytes).has_value();
    };
    const auto fill = [&](const NestedFill& what, std::uint64_t stream) {
        if (what.height && what.width && !reachable(what.to, what.pitch * (what.height - 1) + what.width))
            return refuse(call, NestedError::invalid_value,
                          "the memory is not the device's, or not all of it");
        return enqueue(call, stream, what);
    };
    const auto copy = [&](const NestedCopy& what, std::uint32_t kind, std::uint64_t stream) {
        if (kind == to_device || kind == to_host)
            return refuse(call, NestedError::invalid_memcpy_direction,
                          "kernels copy inside the device, not from or to the host");
        if (what.height && what.width &&
            (!reachable(what.to, what.to_pitch * (what.height - 1) + what.width) ||
             !reachable(what.from, what.from_pitch * (what.height - 1) + what.width)))
            return refuse(call, NestedError::invalid_value,
                          "the memory is not the device's, or not all of it");
        return enqueue(call, stream, what);
    };
    switch (call.function) {
        case F::LaunchDeviceV2:
        case F::CDP2LaunchDeviceV2: return finish(launch(call));
        case F::DeviceSynchronize:
        case F::StreamSynchronize: {
            const NestedError error = nesting->may_wait();
            if (error != NestedError::none) return finish(error);
            if (!work_.empty()) slot_.wait_for(call.warp, take());
            return finish(NestedError::none);
        }
        case F::StreamCreateWithFlags: {
            constexpr std::uint32_t non_blocking = 1;  // or 0, which an H200 takes as well
            if (const auto flags = call.argument<std::uint32_t>(1); flags > non_blocking)
                return finish(refuse(call, NestedError::invalid_value,
                                     fmt::format("flags {}: there is cudaStreamNonBlocking", flags)));
            const std::uint64_t handle = 0x100 + next_handle_++ * 0x10;
            streams_.insert(handle);
            call.give(0, handle);
            return 0;
        }
        case F::StreamDestroy:
            return finish(streams_.contains(call.pointer(0)) ? NestedError::none
                                                             : no_stream(call, call.pointer(0)));
        case F::EventCreateWithFlags: {
            constexpr std::uint32_t disable_timing = 2;
            if (const auto flags = call.argument<std::uint32_t>(1); flags != disable_timing)
                return finish(refuse(
                    call, NestedError::invalid_value,
                    fmt::format("flags {}: kernels have events with cudaEventDisableTiming only", flags)));
            const std::uint64_t handle = 0x100 + next_handle_++ * 0x10;
            events_.insert(handle);
            call.give(0, handle);
            return 0;
        }
        case F::EventDestroy:
            return finish(events_.erase(call.pointer(0)) ? NestedError::none
                                                         : no_event(call, call.pointer(0)));
        case F::EventRecord:
        case F::EventRecordWithFlags:
            if (!events_.contains(call.pointer(0)) || is_without_events(call.pointer(1)))
                return finish(no_event(call, call.pointer(0)));
            return finish(enqueue(call, call.pointer(1), NestedRecord{call.pointer(0)}));
        case F::StreamWaitEvent:
            if (!events_.contains(call.pointer(1)) || is_without_events(call.pointer(0)))
                return finish(no_event(call, call.pointer(1)));
            return finish(enqueue(call, call.pointer(0), NestedWait{call.pointer(1)}));
        case F::Malloc: {
            const auto made = slot_.run.grid.memory->allocate(std::max<std::uint64_t>(call.pointer(1), 1),
                                                              MemoryKind::heap);
            if (made) call.give(0, *made);
            return finish(
                made ? NestedError::none
                     : refuse(call, NestedError::memory_allocation,
                              fmt::format("the kernels' heap has no {} bytes left", call.pointer(1))));
        }
        case F::Free: {
            const std::uint64_t address = call.pointer(0);
            if (address == 0) return 0;
            const auto freed = slot_.run.grid.memory->release_heap(address);
            if (freed) slot_.run.forget(freed->address, freed->end());
            // An H200 says nothing of what is not its heap's, and leaves it alone.
            if (Warnings* const warnings = slot_.run.grid.warnings; warnings && !freed)
                warnings->once(
                    fmt::format("cudaFree {}", slot_.run.grid.kernel),
                    fault_message(
                        slot_.run.grid, call.warp, call.site, static_cast<int>(call.lane),
                        fmt::format("cudaFree of {:#x}, which was not allocated in a kernel, has no "
                                    "effect: it points to {}",
                                    address, slot_.run.grid.memory->describe(address))));
            return 0;
        }
        case F::MemcpyAsync: {
            const std::uint64_t bytes = call.pointer(2);
            return finish(copy({call.pointer(0), bytes, call.pointer(1), bytes, bytes, 1},
                               call.argument<std::uint32_t>(3), call.pointer(4)));
        }
        case F::Memcpy2DAsync:
            return finish(copy({call.pointer(0), call.pointer(1), call.pointer(2), call.pointer(3),
                                call.pointer(4), call.pointer(5)},
                               call.argument<std::uint32_t>(6), call.pointer(7)));
        case F::MemsetAsync:
            return finish(fill({call.pointer(0), 0, call.pointer(2), 1,
                                static_cast<std::uint8_t>(call.argument<std::uint32_t>(1))},
                               call.pointer(3)));
        case F::Memset2DAsync:
            return finish(fill({call.pointer(0), call.pointer(1), call.pointer(3), call.pointer(4),
                                static_cast<std::uint8_t>(call.argument<std::uint32_t>(2))},
                               call.pointer(5)));
        case F::GetDevice: call.give(0, nesting->device_number()); return 0;
        case F::GetDeviceCount: call.give(0, nesting->device_count()); return 0;
        case F::RuntimeGetVersion: {
            constexpr std::int32_t version = 6000;  // as an H200 answers, with CUDA 12 and 13
            call.give(0, version);
            return 0;
        }
        case F::DeviceGetAttribute: {
            std::int32_t value = 0;
            const NestedError error =
                nesting->attribute(value, call.argument<std::uint32_t>(1), call.argument<std::int32_t>(2));
            if (error == NestedError::none) call.give(0, value);
            return finish(error);
        }
        case F::DeviceGetLimit: {
            std::uint64_t value = 0;
            const NestedError error = nesting->limit(value, call.argument<std::uint32_t>(1));
            if (error == NestedError::none) call.give(0, value);
            return finish(error);
        }
        case F::FuncGetAttributes: {
            const Kernel* const kernel = kernel_at(1);
            if (!kernel) return finish(NestedError::invalid_device_function);
            const std::vector<std::byte> attributes = nesting->function_attributes(*kernel);
            std::memcpy(
                accessible_memory(call.warp, call.site, call.pointer(0), attributes.size(), call.lane),
                attributes.data(), attributes.size());
            return 0;
        }
        case F::OccupancyMaxActiveBlocksPerMultiprocessor:
        case F::OccupancyMaxActiveBlocksPerMultiprocessorWithFlags: {
            const Kernel* const kernel = kernel_at(1);
            if (!kernel) return finish(NestedError::invalid_device_function);
            std::int32_t blocks = 0;
            const NestedError error =
                nesting->active_blocks(blocks, *kernel, call.argument<std::int32_t>(2), call.pointer(3));
            if (error == NestedError::none) call.give(0, blocks);
            return finish(error);
        }
        // Of graphs, cudaGetLastError knows nothing.
        case F::GraphLaunch: return static_cast<std::uint64_t>(launch_graph(call));
        case F::GraphSetConditional: call.give(0, call.argument<std::uint32_t>(1)); return 0;
        case F::GraphKernelNodeSetParam:
            return static_cast<std::uint64_t>(
                change_node(call, call.pointer(0),
                            parameter_at(call, call.pointer(1), call.pointer(2), call.pointer(3))));
        case F::GraphKernelNodeSetEnabled:
            return static_cast<std::uint64_t>(
                change_node(call, call.pointer(0), NodeEnabled{call.argument<std::uint32_t>(1) != 0}));
        case F::GraphKernelNodeSetGridDim:
            return static_cast<std::uint64_t>(
                change_node(call, call.pointer(0), NodeGrid{call.argument<std::array<std::uint32_t, 3>>(1)}));
        case F::GraphKernelNodeUpdatesApply: return static_cast<std::uint64_t>(change_nodes(call));
        default: break;
    }
    return finish(NestedError::not_supported);
}

void BlockRequests::call(WarpContext& warp, std::uint32_t site, std::uint32_t mask, std::uint32_t function,
                         std::byte* results, const std::byte* arguments) {
    const std::size_t bytes = runtime_functions[function].result_bytes;
    for (; mask; mask &= mask - 1) {
        Call one{warp, site, static_cast<std::uint32_t>(std::countr_zero(mask)),
                 static_cast<RuntimeCall>(function), arguments};
        const std::uint64_t result = answer(one);
        std::memcpy(results + bytes * one.lane, &result, bytes);
    }
}

}  // namespace lockstep::exec
