#include "base/elf-symbols.h"

#include <elf.h>

#include <cstring>
#include <optional>

namespace lockstep::base {
namespace {

template <class T>
std::optional<T> at(std::string_view file, std::uint64_t offset) {
    T value;
    if (offset > file.size() || file.size() - offset < sizeof value) return {};
    std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
}

std::string_view part(std::string_view file, std::uint64_t offset, std::uint64_t size) {
    if (offset > file.size()) return {};
    return file.substr(offset, size);
}

}  // namespace

std::vector<ElfSymbol> elf_symbols(std::string_view file) {
    std::vector<ElfSymbol> symbols;
    const auto header = at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64)
        return symbols;
    const auto section = [&](std::uint64_t index) {
        return at<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
    };
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const auto table = section(i);
        if (!table || table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum) continue;
        const auto strings = section(table->sh_link);
        if (!strings) continue;
        const std::string_view names = part(file, strings->sh_offset, strings->sh_size);
        const std::string_view entries = part(file, table->sh_offset, table->sh_size);
        for (std::uint64_t offset = 0; const auto entry = at<Elf64_Sym>(entries, offset);
             offset += sizeof *entry) {
            if (entry->st_name >= names.size()) continue;
            const std::string_view rest = names.substr(entry->st_name);
            symbols.push_back({rest.substr(0, rest.find('\0')), entry->st_value, entry->st_size,
                               entry->st_shndx != SHN_UNDEF, ELF64_ST_TYPE(entry->st_info) == STT_FUNC});
        }
    }
    return symbols;
}

}  // namespace lockstep::base
