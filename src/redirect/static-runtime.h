// NVIDIA's runtime inside a program: what `nvcc` links by default (libcudart_static.a). Its functions are
// found by their symbols, which is why a stripped program cannot be served.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/elf-symbols.h"

namespace lockstep::redirect {

// The major version of CUDA that the runtime in a program is of, as far as its binary interface goes: 12
// or 13. 11: that or older, which no library of ours stands in for. Nothing: there is none in it.
std::optional<int> static_runtime_version(const std::vector<base::ElfSymbol>& symbols);

struct Entry {
    std::string_view name;
    std::uint64_t address = 0;  // as the file has it
    std::uint64_t room = 0;     // bytes that may be written there
    std::uint64_t target = 0;   // our function; 0: lockstep has none of that name
};

// Every function that a program can call in the runtime that is linked into it. `find`: our function of a
// name, or 0.
std::vector<Entry> entries_of(const std::vector<base::ElfSymbol>& symbols,
                              const std::function<std::uint64_t(std::string_view)>& find);

}  // namespace lockstep::redirect
