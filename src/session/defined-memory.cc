#include "session/defined-memory.h"

namespace lockstep::session {
namespace {

using check::Byte;
using check::Finding;

bool starts_undefined(exec::MemoryKind kind) {
    return kind == exec::MemoryKind::device || kind == exec::MemoryKind::mapped;
}

}  // namespace

void DefinedMemory::allocated(const exec::Allocation& allocation) {
    if (starts_undefined(allocation.kind))
        memory_.defined.set(allocation.address, allocation.size, Byte::unwritten);
}

void DefinedMemory::released(const exec::Allocation& allocation) {
    memory_.defined.set(allocation.address, allocation.size, Byte::defined);
}

void DefinedMemory::copied(const Transfer& transfer) {
    check::Definedness& defined = memory_.defined;
    const BoxSize& size = transfer.size;
    const bool to_host = transfer.route == Route::to_host;
    if (!to_host) {
        // What goes to an array, or comes from one, counts as whole.
        if (transfer.to.image || transfer.from.image || transfer.route != Route::on_device)
            return each_piece(transfer.to, size, [&](std::uint64_t to, std::uint64_t bytes) {
                defined.set(to, bytes, Byte::defined);
            });
        return each_row(transfer.to, size, [&](std::uint64_t z, std::uint64_t y, std::uint64_t to) {
            defined.copy(to,
                         transfer.from.address + (z * transfer.from.rows_per_slice + y) * transfer.from.pitch,
                         size.width);
        });
    }
    // What the host gets: results computed from nothing, or whole elements that were copied from there.
    // Copied padding is short.
    constexpr std::uint64_t longest_padding = 15;
    each_row(transfer.from, size, [&](std::uint64_t, std::uint64_t, std::uint64_t from) {
        std::uint64_t begin = 0, end = 0;
        defined.each_undefined(from, size.width, [&](std::uint64_t at, Byte state) {
            if (state == Byte::unwritten) return;
            if (at != end || state == Byte::derived) begin = at;
            end = at + 1;
            if (state != Byte::derived && end - begin <= longest_padding) return;
            const std::uint32_t origin = defined.origin(at);
            if (origin == 0 || memory_.origins.dropped(origin)) return;
            Finding finding = memory_.origins.finding(origin);
            finding.message += ", and what was made of it is copied to the host";
            findings_.add(std::move(finding));
        });
    });
}

void DefinedMemory::done(const Command& command) {
    if (const Copy* const copy = command.as<Copy>()) copied(copy->transfer);
    if (const Fill* const fill = command.as<Fill>())
        each_row(fill->to, fill->size, [&](std::uint64_t, std::uint64_t, std::uint64_t to) {
            memory_.defined.set(to, fill->size.width, Byte::defined);
        });
}

}  // namespace lockstep::session
