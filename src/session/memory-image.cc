#include "session/memory-image.h"

#include <algorithm>
#include <cstring>

namespace lockstep::session {
namespace {

using exec::MemoryKind;

// What lockstep keeps there for kernels is made anew for each launch; constants stay.
bool can_change(const exec::Allocation& allocation) {
    return allocation.kind != MemoryKind::runtime && !allocation.read_only && allocation.size > 0;
}

bool is_of_host(MemoryKind kind) {
    return kind == MemoryKind::managed || kind == MemoryKind::pinned || kind == MemoryKind::host;
}

const std::byte* bytes_at(std::uint64_t address) { return reinterpret_cast<const std::byte*>(address); }

}  // namespace

MemoryImage::MemoryImage(const exec::AddressMap& map) {
    static const std::byte zeros[chunk_bytes] = {};
    for (const exec::Allocation& allocation : map.allocations()) {
        if (!can_change(allocation)) continue;
        Part& part = parts_.emplace_back();
        part.of = allocation;
        part.counts.add(allocation.address, allocation.end());
        for (std::uint64_t at = allocation.address; at < allocation.end(); at += chunk_bytes) {
            const std::uint64_t bytes = std::min(chunk_bytes, allocation.end() - at);
            auto& chunk = part.chunks.emplace_back();
            if (std::memcmp(bytes_at(at), zeros, bytes) == 0) continue;
            chunk.reset(new std::byte[bytes]);
            std::memcpy(chunk.get(), bytes_at(at), bytes);
        }
    }
}

void MemoryImage::limit_host_memory(const check::ByteSet& written) {
    for (Part& part : parts_) {
        if (!is_of_host(part.of.kind)) continue;
        part.counts = {};
        for (const auto& [begin, end] : written.ranges()) {
            const std::uint64_t first = std::max(begin, part.of.address), last = std::min(end, part.of.end());
            if (first < last) part.counts.add(first, last);
        }
    }
}

template <class F>
void MemoryImage::each_piece(F f) const {
    static const std::byte zeros[chunk_bytes] = {};
    for (const Part& part : parts_)
        for (const auto& [begin, end] : part.counts.ranges())
            for (std::uint64_t at = begin; at < end;) {
                const std::uint64_t in = at - part.of.address, inside = in % chunk_bytes;
                const std::uint64_t length = std::min(chunk_bytes - inside, end - at);
                const std::byte* const chunk = part.chunks[in / chunk_bytes].get();
                f(at, chunk ? chunk + inside : zeros, length);
                at += length;
            }
}

void MemoryImage::put_back() const {
    each_piece([](std::uint64_t address, const std::byte* had, std::uint64_t length) {
        if (std::memcmp(bytes_at(address), had, length) != 0)
            std::memcpy(reinterpret_cast<std::byte*>(address), had, length);
    });
}

check::ByteSet MemoryImage::differences() const {
    check::ByteSet different;
    each_piece([&](std::uint64_t address, const std::byte* had, std::uint64_t length) {
        const std::byte* const has = bytes_at(address);
        if (std::memcmp(has, had, length) == 0) return;
        for (std::uint64_t i = 0; i < length; ++i)
            if (has[i] != had[i]) different.add(address + i, address + i + 1);
    });
    return different;
}

void MemoryImage::read(std::uint64_t address, void* to, std::size_t bytes) const {
    std::memset(to, 0, bytes);
    for (const Part& part : parts_) {
        if (address < part.of.address || address + bytes > part.of.end()) continue;
        for (std::size_t i = 0; i < bytes; ++i) {
            const std::uint64_t in = address + i - part.of.address;
            if (const std::byte* const chunk = part.chunks[in / chunk_bytes].get())
                static_cast<std::byte*>(to)[i] = chunk[in % chunk_bytes];
        }
    }
}

bool MemoryImage::has_same_allocations(const exec::AddressMap& map) const {
    std::vector<exec::Allocation> now = map.allocations();
    std::erase_if(now, [](const exec::Allocation& one) { return !can_change(one); });
    return std::equal(now.begin(), now.end(), parts_.begin(), parts_.end(),
                      [](const exec::Allocation& one, const Part& part) {
                          return one.address == part.of.address && one.size == part.of.size;
                      });
}

}  // namespace lockstep::session
