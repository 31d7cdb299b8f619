// The symbol table of an object, executable or shared library (64-bit ELF).
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::base {

struct ElfSymbol {
    std::string_view name;  // in the file's bytes
    std::uint64_t value = 0, size = 0;
    bool defined = false;
    bool function = false;
};

// Of the file's .symtab; none where it was stripped. Whatever is damaged is left out.
std::vector<ElfSymbol> elf_symbols(std::string_view file);

}  // namespace lockstep::base
