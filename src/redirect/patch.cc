#include "redirect/patch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "redirect/jump.h"

namespace lockstep::redirect {
namespace {

std::uint64_t page_bytes() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

// Code of our own, so near to the functions that the shortest jump reaches it.
class Islands {
  public:
    // Near `low` … `high`, `bytes` in all.
    static std::optional<Islands> create(std::uint64_t low, std::uint64_t high, std::uint64_t bytes) {
        const std::uint64_t page = page_bytes(), size = (bytes + page - 1) / page * page;
        const std::uint64_t reach = near_reach(this_cpu) - size - page, step = std::uint64_t{1} << 18;
        low = low / page * page;
        high = (high + page) / page * page;
        // Below first: the heap grows above.
        for (std::uint64_t away = size; away < reach; away += step)
            for (const bool below : {true, false}) {
                if (below && (low <= away || high - (low - away) > reach)) continue;
                if (!below && high + away - low > reach) continue;
                void* const wanted = reinterpret_cast<void*>(below ? low - away : high + away);
                void* const got = mmap(wanted, size, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
                if (got == wanted) return Islands(static_cast<char*>(got), size);
                if (got != MAP_FAILED) munmap(got, size);
            }
        return {};
    }

    std::uint64_t add(const std::string& code) {
        char* const at = begin_ + used_;
        std::memcpy(at, code.data(), code.size());
        used_ += (code.size() + 15) / 16 * 16;
        return reinterpret_cast<std::uint64_t>(at);
    }

    bool finish() {
        __builtin___clear_cache(begin_, begin_ + size_);
        return mprotect(begin_, size_, PROT_READ | PROT_EXEC) == 0;
    }

  private:
    Islands(char* begin, std::uint64_t size) : begin_(begin), size_(size) {}
    char* begin_ = nullptr;
    std::uint64_t size_ = 0, used_ = 0;
};

constexpr std::uint64_t island_bytes = 48;

// The pages of a range, writable as long as it lives.
Result<void> write_code(std::uint64_t address, const std::string& code) {
    const std::uint64_t page = page_bytes(), begin = address / page * page;
    const std::uint64_t bytes = (address + code.size() - begin + page - 1) / page * page;
    void* const pages = reinterpret_cast<void*>(begin);
    if (mprotect(pages, bytes, PROT_READ | PROT_WRITE) != 0)
        return Error{std::string("the program's code cannot be changed: ") + strerror(errno), {}};
    char* const at = reinterpret_cast<char*>(address);
    std::memcpy(at, code.data(), code.size());
    __builtin___clear_cache(at, at + code.size());
    if (mprotect(pages, bytes, PROT_READ | PROT_EXEC) != 0)
        return Error{std::string("the program's code cannot be made executable again: ") + strerror(errno),
                     {}};
    return {};
}

}  // namespace

Result<void> redirect(std::span<const Redirection> redirections) {
    if (redirections.empty()) return {};
    const auto by_address = [](const Redirection& a, const Redirection& b) { return a.address < b.address; };
    const auto [first, last] = std::minmax_element(redirections.begin(), redirections.end(), by_address);
    std::optional<Islands> islands;
    std::vector<std::pair<std::uint64_t, std::string>> patches;
    for (const Redirection& wanted : redirections) {
        std::optional<std::string> code;
        if (!wanted.argument) code = far_jump(this_cpu, wanted.target, wanted.room);
        if (!code) {
            if (!islands)
                islands = Islands::create(first->address, last->address + last->room,
                                          redirections.size() * island_bytes);
            if (!islands) return Error{"no memory near the program's code", {}};
            const std::uint64_t island =
                islands->add(wanted.argument ? jump_with_argument(this_cpu, wanted.target, wanted.argument)
                                             : *far_jump(this_cpu, wanted.target, island_bytes));
            code = near_jump(this_cpu, wanted.address, island, wanted.room);
        }
        if (!code) return Error{wanted.name + " is too short to be replaced", {}};
        patches.emplace_back(wanted.address, std::move(*code));
    }
    if (islands && !islands->finish())
        return Error{std::string("no memory for code: ") + strerror(errno), {}};
    for (const auto& [address, code] : patches)
        if (auto written = write_code(address, code); !written) return written;
    return {};
}

}  // namespace lockstep::redirect
