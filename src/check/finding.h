// A bug that was seen in a program, as a value. Who sees one makes it, Findings collects them, and reports
// are made of them.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::check {

// As reports and their readers name them.
enum class Class : std::uint8_t { memory, race, sync, init, leak, host, undefined };
std::string_view name(Class of);
std::optional<Class> class_named(std::string_view name);

// How sure it is that the program does something wrong because of it. Reports come in this order.
enum class Rank : std::uint8_t {
    error,
    warning,  // wrong by CUDA's rules, but with the same result on the GPUs that there are
    note,     // fragile
};
std::string_view name(Rank of);

// A line of the source, and what happened there.
struct Place {
    std::string file;  // empty: the code says no lines
    int line = 0;
    std::string function;  // demangled; empty: not known
    std::string role;      // "write", "read", "allocated", "freed", "called from", "launched from"
    std::string who;       // "block (1,0,0), thread (3,0,0)"; empty: the host
    bool operator==(const Place&) const = default;
};

// What became of the memory at an address: where it was allocated and freed.
using History = std::function<std::vector<Place>(std::uint64_t address)>;

struct Finding {
    Class kind_of = Class::memory;
    std::string kind;    // "out-of-bounds-read": a word for programs
    std::string kernel;  // demangled; empty: none is involved
    Rank rank = Rank::error;
    std::string message;  // what happened, in a sentence or two, without its places
    std::string advice;   // what would mend it, in a sentence
    std::uint64_t count = 1;
    // The accesses or calls themselves first, so many of them; then callers, allocations, frees.
    std::vector<Place> places;
    std::uint32_t own_places = 1;
    // Pieces of the message, for reports that have words of their own; each may be missing:
    //     space         global, shared, local, constant, texture, heap
    //     size          bytes of the access or the copy; of leaks, of all that are counted together
    //     address       0x…, of the access or the allocation
    //     function      the API's: cudaFree
    //     error         what it returned: cudaErrorInvalidValue
    //     error_number  … 1
    //     error_text    … invalid argument
    std::map<std::string, std::string> details{};
};

// Two findings with one key are one: class, kind, kernel and the lines of the accesses themselves.
std::string key(const Finding& finding);

// A line of JSON each, without a newline: how a program's process tells the command.
std::string to_line(const Finding& finding);
std::optional<Finding> from_line(std::string_view line);

}  // namespace lockstep::check
