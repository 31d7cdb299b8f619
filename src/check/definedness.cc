#include "check/definedness.h"

#include <algorithm>
#include <cstring>

namespace lockstep::check {

void Definedness::set(std::uint64_t address, std::uint64_t size, Byte state) {
    for (std::uint64_t at = address, end = address + size; at < end;) {
        const std::uint64_t offset = at % page_bytes, here = std::min(end - at, page_bytes - offset);
        Page* known = find(at);
        if (!known && state == Byte::defined) {
            at += here;
            continue;
        }
        if (!known) {
            known = &pages_[at / page_bytes];
            recent_[at / page_bytes % recent_.size()] = {};
        }
        Page& page = *known;
        if (here == page_bytes) {
            page.all = state;
            page.bytes.reset();
        } else if (page.bytes || page.all != state) {
            if (!page.bytes) {
                page.bytes = spare_ ? std::move(spare_) : std::make_unique<std::array<Byte, page_bytes>>();
                page.bytes->fill(page.all);
            }
            std::memset(page.bytes->data() + offset, static_cast<int>(state), here);
        }
        at += here;
    }
}

void Definedness::copy(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
    if (all_defined(from, size)) return set(to, size, Byte::defined);
    std::vector<Byte> states(size, Byte::defined);
    each_undefined(from, size, [&](std::uint64_t at, Byte state) {
        states[at - from] = state == Byte::unwritten ? Byte::copied : state;
    });
    for (std::uint64_t i = 0; i < size;) {
        std::uint64_t end = i + 1;
        while (end < size && states[end] == states[i]) ++end;
        set(to + i, end - i, states[i]);
        if (states[i] != Byte::defined)
            for (std::uint64_t at = i; at < end; at += 4) set_origin(to + at, 4, origin(from + at));
        i = end;
    }
}

Byte Definedness::at(std::uint64_t address) const {
    const Page* const page = find(address);
    if (!page) return Byte::defined;
    return page->bytes ? (*page->bytes)[address % page_bytes] : page->all;
}

bool Definedness::all_defined(const Byte* bytes, std::uint64_t size) {
    // Many at a time: what a warp reads has a multiple of 32, mostly.
    std::uint64_t i = 0, all = 0;
    for (; i + 32 <= size; i += 32) {
        std::uint64_t four[4];
        std::memcpy(four, bytes + i, sizeof four);
        all |= (four[0] | four[1]) | (four[2] | four[3]);
    }
    for (; i < size; ++i) all |= static_cast<std::uint8_t>(bytes[i]);
    return all == 0;
}

// A page that is written piece by piece is whole in the end, and then needs no bytes. Whoever has looked at
// as many as a page has may look for that.
bool Definedness::all_defined(Page& page, std::uint64_t offset, std::uint64_t size) const {
    if (!all_defined(page.bytes->data() + offset, size)) return false;
    page.looked += static_cast<std::uint32_t>(size);
    if (page.looked < page_bytes) return true;
    page.looked = 0;
    if (all_defined(page.bytes->data(), page_bytes)) {
        page.all = Byte::defined;
        spare_ = std::move(page.bytes);
    }
    return true;
}

bool Definedness::all_defined_in_pages(std::uint64_t address, std::uint64_t size) const {
    for (std::uint64_t at = address, end = address + size; at < end;) {
        const std::uint64_t here = std::min(end - at, page_bytes - at % page_bytes);
        Page* const page = find(at);
        if (page && !(page->bytes ? all_defined(*page, at % page_bytes, here) : page->is_whole()))
            return false;
        at += here;
    }
    return true;
}

bool Definedness::all_unwritten(std::uint64_t address, std::uint64_t size) const {
    std::uint64_t unwritten = 0;
    each_undefined(address, size, [&](std::uint64_t, Byte state) { unwritten += state == Byte::unwritten; });
    return unwritten == size;
}

void Definedness::set_origin(std::uint64_t address, std::uint64_t size, std::uint32_t origin) {
    if (origin == 0) return;
    for (std::uint64_t word = address / 4; word * 4 < address + size; ++word) origins_[word] = origin;
}

std::uint32_t Definedness::origin(std::uint64_t address) const {
    const auto found = origins_.find(address / 4);
    return found == origins_.end() ? 0 : found->second;
}

std::size_t Definedness::bytes() const {
    std::size_t sum = origins_.size() * 16;
    for (const auto& [_, page] : pages_) sum += sizeof(Page) + (page.bytes ? page_bytes : 0);
    return sum;
}

}  // namespace lockstep::check
