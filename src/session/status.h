// How something that a device was asked for ended. The numbers are those that CUDA gives its errors
// (cudaError_t and CUresult agree on nearly all of them), so that the host APIs only cast.
#pragma once
#include <string>
#include <utility>

namespace lockstep::session {

enum class Status : int {
    success = 0,
    invalid_value = 1,
    memory_allocation = 2,
    initialization_error = 3,
    invalid_configuration = 9,
    invalid_pitch_value = 12,
    invalid_symbol = 13,
    invalid_memcpy_direction = 21,
    invalid_device_function = 98,
    no_device = 100,
    invalid_device = 101,
    invalid_kernel_image = 200,
    map_failed = 205,
    no_kernel_image = 209,
    unsupported_limit = 215,
    peer_access_unsupported = 217,
    invalid_ptx = 218,
    invalid_handle = 400,
    illegal_state = 401,
    operating_system = 304,
    symbol_not_found = 500,
    not_ready = 600,
    illegal_address = 700,
    launch_out_of_resources = 701,
    launch_timeout = 702,
    peer_access_already_enabled = 704,
    peer_access_not_enabled = 705,
    device_assert = 710,
    host_memory_already_registered = 712,
    host_memory_not_registered = 713,
    hardware_stack_error = 714,
    illegal_instruction = 715,
    misaligned_address = 716,
    invalid_address_space = 717,
    invalid_pc = 718,
    launch_failure = 719,
    cooperative_launch_too_large = 720,
    not_permitted = 800,
    not_supported = 801,
    stream_capture_unsupported = 900,
    stream_capture_invalidated = 901,
    stream_capture_merge = 902,
    stream_capture_unmatched = 903,
    stream_capture_unjoined = 904,
    stream_capture_isolation = 905,
    stream_capture_implicit = 906,
    captured_event = 907,
    stream_capture_wrong_thread = 908,
    graph_exec_update_failure = 910,
    invalid_cluster_size = 912,
    unknown = 999,
};

// A status and, where it is an error, the reason in words; without one there is nothing to tell (the stream
// is not ready; a fault that was told before). `notable`: the reason is shown even to who wants it quiet, and
// every time, because a program that ignores the error code would fail silently. `lacks`: the reason is
// something that lockstep does not have.
struct [[nodiscard]] Outcome {
    Status status = Status::success;
    std::string reason;
    bool notable = false, lacks = false;

    Outcome() = default;
    Outcome(Status s) : status(s) {}
    Outcome(Status s, std::string why, bool show = false)
        : status(s), reason(std::move(why)), notable(show) {}
    static Outcome lacking(Status s, std::string why) {
        Outcome outcome(s, std::move(why), true);
        outcome.lacks = true;
        return outcome;
    }
    explicit operator bool() const { return status == Status::success; }
};

// Either a value or the outcome that explains why there is none.
template <class T>
struct [[nodiscard]] Found {
    T value{};
    Outcome outcome;

    Found(T found) : value(std::move(found)) {}
    Found(Outcome why) : outcome(std::move(why)) {}
    explicit operator bool() const { return static_cast<bool>(outcome); }
    const T& operator*() const { return value; }
    const T* operator->() const { return &value; }
};

}  // namespace lockstep::session
