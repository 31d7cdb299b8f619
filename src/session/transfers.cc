#include "session/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>

#include "base/fill-memory.h"

namespace lockstep::session {
namespace {

__extension__ using Wide = unsigned __int128;

// The bytes from a box's first to its last, or nothing where that overflows.
std::optional<std::uint64_t> span_of(const Box& box, const BoxSize& size) {
    const Wide rows = static_cast<Wide>(size.depth - 1) * box.rows_per_slice + size.height - 1;
    const Wide bytes = rows * box.pitch + size.width;
    if (bytes + box.address > ~std::uint64_t{0}) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
}

Outcome check_array(const Box& box, const BoxSize& size, const char* role) {
    const exec::ImageLevel& level = box.image->levels[box.level];
    const std::uint64_t texel = box.image->format.bytes();
    const std::array<std::uint64_t, 3> whole{level.extent.width * texel, level.extent.height,
                                             level.extent.depth};
    const std::array<std::uint64_t, 3> part{size.width, size.height, size.depth};
    for (std::size_t a = 0; a < 3; ++a)
        if (box.at[a] > whole[a] || part[a] > whole[a] - box.at[a])
            return Outcome(
                Status::invalid_value,
                fmt::format(
                    "{} bytes by {} rows by {} slices at byte {}, row {}, slice {} of the {}: the array "
                    "has {} by {} by {}",
                    part[0], part[1], part[2], box.at[0], box.at[1], box.at[2], role, whole[0], whole[1],
                    whole[2]));
    return {};
}

Outcome check_device(const exec::AddressMap& memory, const Box& box, const BoxSize& size, const char* role,
                     MemoryIs when) {
    if (box.image) return check_array(box, size, role);
    const auto bytes = span_of(box, size);
    if (when == MemoryIs::coming && bytes && memory.is_reserved(box.address, *bytes)) return {};
    if (const auto found = bytes ? memory.find(box.address, *bytes) : std::nullopt) {
        if (std::string_view(role) == "destination" && found->access.read && !found->access.write)
            return Outcome(Status::invalid_value,
                           fmt::format("the {} at {:#x} can only be read: cuMemSetAccess gave no more", role,
                                       box.address));
        if (found->kind != exec::MemoryKind::heap) return {};
        return Outcome(
            Status::invalid_value,
            fmt::format("the {} at {:#x} is {}: memory that a kernel's malloc gave belongs to kernels "
                        "alone",
                        role, box.address, memory.describe(box.address)));
    }
    if (bytes && *bytes > 1 && memory.find(box.address))
        return Outcome(Status::invalid_value,
                       fmt::format("the {} of {} bytes at {:#x} goes beyond its allocation: it starts {}",
                                   role, *bytes, box.address, memory.describe(box.address)));
    return Outcome(Status::invalid_value, fmt::format("the {} at {:#x} is not device memory: it is {}", role,
                                                      box.address, memory.describe(box.address)));
}

// Host memory is the program's own business, except where it is device memory that was confused with it.
Outcome check_host(const exec::AddressMap& memory, const Box& box, const BoxSize& size, const char* role) {
    if (box.address == 0)
        return Outcome(Status::invalid_value, fmt::format("the {} is the null pointer", role));
    if (!memory.in_device_range(box.address)) return {};
    if (Outcome inside = check_device(memory, box, size, role, MemoryIs::there); !inside) return inside;
    const auto kind = memory.find(box.address)->kind;
    if (kind == exec::MemoryKind::managed || kind == exec::MemoryKind::pinned ||
        kind == exec::MemoryKind::located)
        return {};
    return Outcome(Status::invalid_value,
                   fmt::format("the {} at {:#x} should be host memory by the copy's direction, but is {}",
                               role, box.address, memory.describe(box.address)));
}

bool is_device(const exec::AddressMap& memory, const Box& box) {
    if (box.image) return true;
    const std::uint64_t address = box.address;
    if (!memory.in_device_range(address)) return false;
    const auto found = memory.find(address);
    return !found || (found->kind != exec::MemoryKind::pinned && found->kind != exec::MemoryKind::located);
}

// Where the addresses tell of another direction than was given: the mistake that is made most.
std::string direction_hint(const exec::AddressMap& memory, const Box& to, const Box& from, bool to_device,
                           bool from_device) {
    const bool goes_to_device = is_device(memory, to), from_is_device = is_device(memory, from);
    if (goes_to_device == to_device && from_is_device == from_device) return "";
    // Between two places on the host it is the address that is wrong.
    if ((to.address == 0 && !to.image) || (from.address == 0 && !from.image) ||
        !(goes_to_device || from_is_device))
        return "";
    const auto name = [](bool source, bool destination) {
        return fmt::format("cudaMemcpy{}To{}", source ? "Device" : "Host", destination ? "Device" : "Host");
    };
    return fmt::format("; the direction given is {}, by the addresses it would be {}",
                       name(from_device, to_device), name(from_is_device, goes_to_device));
}

template <class RowAction>
void for_each_row(const BoxSize& size, RowAction&& action) {
    for (std::uint64_t z = 0; z < size.depth; ++z)
        for (std::uint64_t y = 0; y < size.height; ++y) action(z, y);
}

std::uint64_t row_address(const Box& box, std::uint64_t z, std::uint64_t y) {
    return box.address + (z * box.rows_per_slice + y) * box.pitch;
}

// A tile's rows are short pieces.
void copy_texels(const Transfer& transfer) {
    const auto place = [](const Box& box, std::uint64_t z, std::uint64_t y, std::uint64_t x) {
        return box.image ? box.image->byte(box.image->levels[box.level], box.at[0] + x, box.at[1] + y,
                                           box.at[2] + z)
                         : row_address(box, z, y) + x;
    };
    constexpr std::uint64_t piece = exec::Image::piece_bytes;
    const auto until_next = [](const Box& box, std::uint64_t x) {
        return box.image ? piece - (box.at[0] + x) % piece : ~std::uint64_t{0};
    };
    for_each_row(transfer.size, [&](std::uint64_t z, std::uint64_t y) {
        for (std::uint64_t x = 0; x < transfer.size.width;) {
            const std::uint64_t bytes =
                std::min({transfer.size.width - x, until_next(transfer.to, x), until_next(transfer.from, x)});
            std::memmove(reinterpret_cast<void*>(place(transfer.to, z, y, x)),
                         reinterpret_cast<const void*>(place(transfer.from, z, y, x)), bytes);
            x += bytes;
        }
    });
}

}  // namespace

Found<Transfer> check_copy(const exec::AddressMap& memory, const Box& to, const Box& from,
                           const BoxSize& size, Direction direction, MemoryIs when) {
    const int kind = static_cast<int>(direction);
    if (kind < 0 || kind > 4)
        return Outcome(Status::invalid_memcpy_direction, fmt::format("{} is no copy direction", kind));
    if (size.empty()) return Transfer{to, from, size};
    for (const Box* box : {&to, &from})
        if (box->image)
            if (Outcome bad = check_array(*box, size, box == &to ? "destination" : "source"); !bad)
                return bad;
    const bool many_rows = size.height > 1 || size.depth > 1;
    if (many_rows && ((!to.image && to.pitch < size.width) || (!from.image && from.pitch < size.width)))
        return Outcome(Status::invalid_pitch_value,
                       fmt::format("rows of {} bytes do not fit in pitches of {} and {}", size.width,
                                   to.pitch, from.pitch));
    if (size.depth > 1 && ((!to.image && to.rows_per_slice < size.height) ||
                           (!from.image && from.rows_per_slice < size.height)))
        return Outcome(Status::invalid_value, "slices are smaller than the copied height");

    const bool to_device = direction == Direction::by_address ? is_device(memory, to)
                                                              : direction == Direction::host_to_device ||
                                                                    direction == Direction::device_to_device;
    const bool from_device =
        direction == Direction::by_address
            ? is_device(memory, from)
            : direction == Direction::device_to_host || direction == Direction::device_to_device;
    for (const auto& [device, box] : {std::pair(to_device, &to), std::pair(from_device, &from)})
        if (box->image && !device)
            return Outcome(Status::invalid_memcpy_direction,
                           "an array is on the device, and the direction says that it is not");
    const auto check = [&](bool device, const Box& box, const char* role) {
        return device ? check_device(memory, box, size, role, when) : check_host(memory, box, size, role);
    };
    for (const auto& [device, box, role] :
         {std::tuple(to_device, &to, "destination"), std::tuple(from_device, &from, "source")})
        if (Outcome bad = check(device, *box, role); !bad) {
            bad.reason += direction_hint(memory, to, from, to_device, from_device);
            return bad;
        }

    Transfer transfer{to, from, size, to_device ? Route::to_device : Route::to_host};
    if (to_device == from_device) transfer.route = to_device ? Route::on_device : Route::on_host;
    // Memory that the device knows of is pinned, or moves page by page.
    transfer.pageable = to_device != from_device && !memory.find(to_device ? from.address : to.address);
    if (to_device && from_device) {
        const auto owner = [&](std::uint64_t address) {
            const auto found = memory.find(address);
            return found ? found->owner : exec::no_device;
        };
        const int a = owner(to.address), b = owner(from.address);
        transfer.between_devices = a != b && a != exec::no_device && b != exec::no_device;
    }
    return transfer;
}

void copy(const Transfer& transfer) {
    const auto& [to, from, size, route, pageable, between] = transfer;
    if (size.empty()) return;
    if (to.image || from.image) return copy_texels(transfer);
    if (to.pitch == size.width && from.pitch == size.width &&
        (size.depth == 1 || (to.rows_per_slice == size.height && from.rows_per_slice == size.height))) {
        std::memmove(reinterpret_cast<void*>(to.address), reinterpret_cast<const void*>(from.address),
                     transfer.bytes());
        return;
    }
    for_each_row(size, [&](std::uint64_t z, std::uint64_t y) {
        std::memmove(reinterpret_cast<void*>(row_address(transfer.to, z, y)),
                     reinterpret_cast<const void*>(row_address(transfer.from, z, y)), transfer.size.width);
    });
}

Outcome check_fill(const exec::AddressMap& memory, const Box& to, const BoxSize& size, int value_bytes,
                   MemoryIs when) {
    if (size.empty()) return {};
    if ((size.height > 1 || size.depth > 1) && to.pitch < size.width)
        return Outcome(Status::invalid_value,
                       fmt::format("rows of {} bytes do not fit in a pitch of {}", size.width, to.pitch));
    if (to.address % value_bytes != 0)
        return Outcome(Status::invalid_value,
                       fmt::format("{:#x} is not a multiple of {}", to.address, value_bytes));
    return check_device(memory, to, size, "destination", when);
}

void fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes) {
    if (size.empty()) return;
    for_each_row(size, [&](std::uint64_t z, std::uint64_t y) {
        base::fill_memory(reinterpret_cast<void*>(row_address(to, z, y)), size.width, value, value_bytes);
    });
}

}  // namespace lockstep::session
