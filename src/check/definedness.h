// Which bytes of memory hold a value that somebody gave them.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lockstep::check {

enum class Byte : std::uint8_t {
    defined = 0,  // what is faster to look for
    unwritten,    // since it was allocated
    copied,       // a copy of bytes that were not defined
    derived,      // computed from such
};

// Memory that nobody has told of counts as defined.
class Definedness {
  public:
    void set(std::uint64_t address, std::uint64_t size, Byte state);
    void copy(std::uint64_t to, std::uint64_t from, std::uint64_t size);
    Byte at(std::uint64_t address) const;
    [[gnu::always_inline]] bool all_defined(std::uint64_t address, std::uint64_t size) const {
        const std::uint64_t number = address / page_bytes;
        const Recent& recent = recent_[number % recent_.size()];
        const bool whole = recent.number == number && (!recent.page || recent.page->is_whole());
        return (whole && address % page_bytes + size <= page_bytes) || all_defined_in_pages(address, size);
    }
    // Nothing but what was never written.
    bool all_unwritten(std::uint64_t address, std::uint64_t size) const;
    // Of bytes that are not defined: which instruction read what was not, for derived and copied ones.
    void set_origin(std::uint64_t address, std::uint64_t size, std::uint32_t origin);
    std::uint32_t origin(std::uint64_t address) const;  // 0: not known
    // Calls f(address, state) for each byte that is not defined.
    template <class F>
    void each_undefined(std::uint64_t address, std::uint64_t size, F f) const {
        for (std::uint64_t at = address; at < address + size;) {
            const std::uint64_t end = std::min(address + size, (at | (page_bytes - 1)) + 1);
            if (const Page* const page = find(at); !page || (!page->bytes && page->all == Byte::defined))
                at = end;
            else
                for (; at < end; ++at)
                    if (const Byte state = page->bytes ? (*page->bytes)[at % page_bytes] : page->all;
                        state != Byte::defined)
                        f(at, state);
        }
    }
    std::size_t bytes() const;

  private:
    static constexpr std::uint64_t page_bytes = 4096;
    using PageBytes = std::unique_ptr<std::array<Byte, page_bytes>>;
    struct Page {
        Byte all = Byte::defined;
        std::uint32_t looked = 0;  // at so many bytes, since the page was looked at as a whole
        PageBytes bytes;           // where they differ
        bool is_whole() const { return !bytes && all == Byte::defined; }
    };
    static bool all_defined(const Byte* bytes, std::uint64_t size);
    bool all_defined(Page& page, std::uint64_t offset, std::uint64_t size) const;
    bool all_defined_in_pages(std::uint64_t address, std::uint64_t size) const;
    Page* find(std::uint64_t address) const {
        const std::uint64_t number = address / page_bytes;
        Recent& recent = recent_[number % recent_.size()];
        if (recent.number != number) {
            const auto found = pages_.find(number);
            recent = {number, found == pages_.end() ? nullptr : &found->second};
        }
        return recent.page;
    }
    struct Recent {
        std::uint64_t number = ~std::uint64_t{0};
        Page* page = nullptr;
    };

    mutable std::unordered_map<std::uint64_t, Page> pages_;     // by number
    std::unordered_map<std::uint64_t, std::uint32_t> origins_;  // by word
    mutable std::array<Recent, 1024> recent_{};
    mutable PageBytes spare_;  // of a page that has become whole: the next one is at hand
};

}  // namespace lockstep::check
