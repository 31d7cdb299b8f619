#include "base/loaded-module.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

namespace lockstep::base {
namespace {

struct Search {
    std::uintptr_t address = 0;
    std::optional<LoadedModule> found;
};

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

// A note is three words (sizes of name and content, type), the name and the content, each padded.
std::string build_id_in(const char* notes, std::size_t size) {
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes, sizeof note);
        const std::size_t content = sizeof note + padded(note.n_namesz);
        const std::size_t all = content + padded(note.n_descsz);
        if (all > size) break;
        if (note.n_type == NT_GNU_BUILD_ID && std::string_view(notes + sizeof note, note.n_namesz) ==
                                                  std::string_view(ELF_NOTE_GNU, sizeof ELF_NOTE_GNU))
            return {notes + content, note.n_descsz};
        notes += all;
        size -= all;
    }
    return "";
}

int look(dl_phdr_info* info, std::size_t, void* data) {
    Search& search = *static_cast<Search*>(data);
    LoadedModule module;
    module.base = std::numeric_limits<std::uintptr_t>::max();
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = info->dlpi_phdr[i];
        const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD) {
            module.base = std::min(module.base, begin);
            module.end = std::max(module.end, begin + part.p_memsz);
        }
        if (part.p_type == PT_NOTE && module.build_id.empty())
            module.build_id = build_id_in(reinterpret_cast<const char*>(begin), part.p_memsz);
    }
    if (!module.contains(reinterpret_cast<const void*>(search.address))) return 0;
    if (!module.build_id.empty()) search.found = std::move(module);
    return 1;
}

}  // namespace

std::optional<LoadedModule> loaded_module(const void* address) {
    Search search{reinterpret_cast<std::uintptr_t>(address), {}};
    dl_iterate_phdr(&look, &search);
    return std::move(search.found);
}

}  // namespace lockstep::base
