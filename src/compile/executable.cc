#include "compile/executable.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <span>

#include "compile/fatbin.h"
#include "compile/files.h"
#include "redirect/static-runtime.h"

namespace lockstep::compile {
namespace {

// Bounds-checked views into the file's bytes; a damaged file gives less, never a crash.
class Image {
  public:
    explicit Image(const std::string& bytes) : bytes_(bytes) {}

    template <class T>
    std::optional<T> at(std::uint64_t offset) const {
        T value;
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof value) return {};
        std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }
    std::string_view part(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size()) return {};
        return std::string_view(bytes_).substr(offset, size);
    }
    std::string text(std::uint64_t offset) const {
        const std::string_view rest = part(offset, std::string::npos);
        return std::string(rest.substr(0, rest.find('\0')));
    }

  private:
    const std::string& bytes_;
};

std::vector<std::string> needed_libraries(const Image& image, const std::vector<Elf64_Shdr>& sections) {
    std::vector<std::string> libraries;
    for (const Elf64_Shdr& section : sections) {
        if (section.sh_type != SHT_DYNAMIC || section.sh_link >= sections.size()) continue;
        for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section.sh_size; at += sizeof(Elf64_Dyn)) {
            const auto entry = image.at<Elf64_Dyn>(section.sh_offset + at);
            if (!entry || entry->d_tag == DT_NULL) break;
            if (entry->d_tag == DT_NEEDED)
                libraries.push_back(image.text(sections[section.sh_link].sh_offset + entry->d_un.d_val));
        }
    }
    return libraries;
}

struct Contents {
    std::vector<std::string> libraries;
    std::vector<Fatbin> fatbins;
    bool has_device_code = false;
    std::optional<int> static_runtime;
};

Result<Contents> read_elf(const std::filesystem::path& file) {
    const auto bytes = read_file(file);
    if (!bytes) return Error{file.string() + ": cannot be read", {}};
    const Image image(*bytes);
    const auto header = image.at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, 4) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return Error{file.string() + ": not a 64-bit ELF program", {}};

    std::vector<Elf64_Shdr> sections;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const auto section = image.at<Elf64_Shdr>(header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
        if (!section) break;
        sections.push_back(*section);
    }
    Contents contents;
    contents.libraries = needed_libraries(image, sections);
    contents.static_runtime = redirect::static_runtime_version(base::elf_symbols(*bytes));
    if (header->e_shstrndx >= sections.size()) return contents;
    for (const Elf64_Shdr& section : sections) {
        const std::string name = image.text(sections[header->e_shstrndx].sh_offset + section.sh_name);
        if (name != ".nv_fatbin" && name != "__nv_relfatbin") continue;
        contents.has_device_code = true;
        auto fatbins =
            read_fatbin_section(std::as_bytes(std::span(image.part(section.sh_offset, section.sh_size))));
        if (!fatbins) return Error{file.string() + ": " + fatbins.error().message, {}};
        std::move(fatbins->begin(), fatbins->end(), std::back_inserter(contents.fatbins));
    }
    return contents;
}

}  // namespace

bool is_elf(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return false;
    FILE* in = std::fopen(file.c_str(), "rb");
    if (!in) return false;
    char magic[4] = {};
    const bool read = std::fread(magic, 1, 4, in) == 4;
    std::fclose(in);
    return read && std::memcmp(magic, ELFMAG, 4) == 0;
}

Result<Executable> inspect_executable(const std::filesystem::path& file) {
    auto contents = read_elf(file);
    if (!contents) return contents.error();
    Executable result;
    result.libraries = std::move(contents->libraries);
    result.has_device_code = contents->has_device_code;
    result.static_runtime = contents->static_runtime;
    for (const Fatbin& fatbin : contents->fatbins) {
        result.has_ptx |= !fatbin.ptx.empty();
        result.machine_code.insert(result.machine_code.end(), fatbin.machine_code.begin(),
                                   fatbin.machine_code.end());
    }
    return result;
}

Result<std::vector<Fatbin>> fatbins_of(const std::filesystem::path& file) {
    auto contents = read_elf(file);
    if (!contents) return contents.error();
    return std::move(contents->fatbins);
}

namespace {

// Libraries may be named with their folder.
bool needs_library(const Executable& executable, std::string_view beginning) {
    return std::any_of(executable.libraries.begin(), executable.libraries.end(),
                       [&](const std::string& library) {
                           return std::filesystem::path(library).filename().string().starts_with(beginning);
                       });
}

}  // namespace

bool may_need_redirection(const Executable& executable) {
    return executable.static_runtime ||
           (!executable.has_device_code && !needs_library(executable, "libcudart.so"));
}

bool has_runtime_13(const Executable& executable) {
    return executable.static_runtime == 13 || needs_library(executable, "libcudart.so.13");
}

bool is_hip(const Executable& executable) { return needs_library(executable, "libamdhip64.so"); }

std::optional<std::string> obstacle(const Executable& executable) {
    if (!executable.has_device_code) return {};
    if (!executable.has_ptx && !executable.machine_code.empty())
        return machine_code_only_message({executable.machine_code.back()});
    if (executable.static_runtime >= 12) return {};
    // A program may get the runtime from a library of its own that is linked to it: only one with none at all
    // is hopeless.
    if (needs_library(executable, "libcu")) return {};
    const char* const why = executable.static_runtime ? "this program has a runtime older than CUDA 12 "
                                                        "linked into it, which lockstep does not stand in for"
                                                      : "this program has NVIDIA's runtime linked into it, "
                                                        "and no symbols by which lockstep could find its "
                                                        "functions (it was stripped)";
    return fmt::format("{}; build it again with the shared runtime:\n    nvcc -cudart shared …", why);
}

}  // namespace lockstep::compile
