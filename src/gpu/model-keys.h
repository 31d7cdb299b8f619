// The keys of a GPU model: what its file may and must hold, what each number may be, and its unit. The
// loader,
// --set and `lockstep gpus NAME` all go by this one list.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/model.h"

namespace lockstep::gpu {

using Triple = std::uint32_t[3];
using Member = std::variant<std::string*, bool*, SchedulerPolicy*, int*, std::uint32_t*, std::uint64_t*,
                            double*, Triple*, std::vector<std::uint32_t>*>;

struct Key {
    std::string_view path;  // "pipes.fma.latency"
    Member member;
    double least = 0, most = 0;  // of a number
    std::string_view unit;       // "cycles"; empty: none
    bool optional = false;
};

// All keys, in the order of the files; `model` must outlive them.
std::vector<Key> keys_of(GpuModel& model);

// What the key's model has there; none where that is no number.
std::optional<double> number_of(const Key& key);

// Names of the values that scheduler.policy takes, in the order of SchedulerPolicy.
inline constexpr std::string_view policy_names[] = {"greedy-then-oldest", "loose-round-robin"};

}  // namespace lockstep::gpu
