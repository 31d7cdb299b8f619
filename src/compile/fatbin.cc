#include "compile/fatbin.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace lockstep::compile {
namespace {

constexpr std::uint32_t container_magic = 0xBA55ED50;

struct ContainerHeader {
    std::uint32_t magic = container_magic;
    std::uint16_t version = 1;
    std::uint16_t header_bytes = 16;
    std::uint64_t body_bytes = 0;
};
static_assert(sizeof(ContainerHeader) == 16);

enum EntryKind : std::uint16_t { entry_ptx = 1, entry_machine_code = 2 };

constexpr std::uint64_t flag_64_bit = 0x1, flag_linux = 0x10, flag_lz4 = 0x2000, flag_zstd = 0x8000;
// Ours; no compiler of NVIDIA's sets it.
constexpr std::uint64_t flag_relocatable = std::uint64_t{1} << 62;

struct EntryHeader {
    std::uint16_t kind = entry_ptx;
    std::uint16_t version = 0x101;
    std::uint32_t header_bytes = 64;
    std::uint64_t payload_bytes = 0;  // with padding
    std::uint32_t compressed_bytes = 0;
    std::uint32_t options_offset = 0;
    std::uint16_t minor = 0, major = 0;  // of the PTX ISA
    std::uint32_t sm = 0;
    std::uint32_t name_offset = 0, name_bytes = 0;
    std::uint64_t flags = flag_64_bit | flag_linux;
    std::uint64_t reserved = 0;
    std::uint64_t uncompressed_bytes = 0;
};
static_assert(sizeof(EntryHeader) == 64);

// Where an entry has options for ptxas, behind its header.
struct OptionsHeader {
    std::uint32_t offset = 0, bytes = 0;  // of the words, from the entry's first byte
};

// PTX compresses a few times, not thousands: a larger claim is a damaged header.
constexpr std::uint64_t largest_text = std::uint64_t{1} << 32;

template <class T>
T read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

Result<std::string> entry_text(const EntryHeader& header, const std::byte* payload) {
    const bool compressed = header.flags & (flag_lz4 | flag_zstd);
    std::string text;
    if (!compressed) {
        text.assign(reinterpret_cast<const char*>(payload), header.payload_bytes);
    } else {
        if (header.uncompressed_bytes > largest_text || header.compressed_bytes > header.payload_bytes)
            return Error{"fat binary: the sizes of a compressed entry make no sense", {}};
        text.resize(header.uncompressed_bytes);
        const char* from = reinterpret_cast<const char*>(payload);
        if (header.flags & flag_zstd) {
            const std::size_t size = ZSTD_decompress(text.data(), text.size(), from, header.compressed_bytes);
            if (ZSTD_isError(size))
                return Error{
                    fmt::format("fat binary: zstd cannot unpack its PTX: {}", ZSTD_getErrorName(size)), {}};
            text.resize(size);
        } else {
            const int size = LZ4_decompress_safe(from, text.data(), static_cast<int>(header.compressed_bytes),
                                                 static_cast<int>(text.size()));
            if (size < 0) return Error{"fat binary: LZ4 cannot unpack its PTX", {}};
            text.resize(static_cast<std::size_t>(size));
        }
    }
    // A terminating zero and padding follow the text.
    text.resize(std::min(text.size(), text.find('\0')));
    return text;
}

// The words for ptxas; they are no part of the code, so what makes no sense is as if there were none.
std::string entry_options(const EntryHeader& header, const std::byte* entry) {
    if (!header.options_offset || header.header_bytes < sizeof(OptionsHeader) ||
        header.options_offset > header.header_bytes - sizeof(OptionsHeader))
        return {};
    const auto options = read<OptionsHeader>(entry + header.options_offset);
    if (options.offset > header.header_bytes || options.bytes > header.header_bytes - options.offset)
        return {};
    const std::string words(reinterpret_cast<const char*>(entry) + options.offset, options.bytes);
    return words.substr(0, words.find('\0'));
}

}  // namespace

Result<Fatbin> read_fatbin(const void* image, std::size_t limit) {
    const auto* begin = static_cast<const std::byte*>(image);
    if (limit < sizeof(ContainerHeader) || read<std::uint32_t>(begin) != container_magic)
        return Error{"this is no fat binary: its first bytes are not those of NVIDIA's container", {}};
    const auto container = read<ContainerHeader>(begin);
    if (container.header_bytes < sizeof(ContainerHeader) || container.header_bytes > limit ||
        container.body_bytes > limit - container.header_bytes)
        return Error{"fat binary: it is longer than the data it stands in", {}};

    Fatbin result;
    result.bytes = container.header_bytes + container.body_bytes;
    std::uint64_t at = container.header_bytes;
    while (result.bytes - at >= sizeof(EntryHeader)) {
        const auto entry = read<EntryHeader>(begin + at);
        const std::uint64_t left = result.bytes - at;
        if (entry.header_bytes < sizeof(EntryHeader) || entry.header_bytes > left ||
            entry.payload_bytes > left - entry.header_bytes)
            return Error{"fat binary: an entry reaches beyond its end", {}};
        if (entry.kind == entry_ptx) {
            auto text = entry_text(entry, begin + at + entry.header_bytes);
            if (!text) return text.error();
            result.ptx.push_back({std::move(*text), static_cast<int>(entry.sm),
                                  (entry.flags & flag_relocatable) != 0, entry_options(entry, begin + at)});
        } else if (entry.kind == entry_machine_code) {
            result.machine_code.push_back(static_cast<int>(entry.sm));
        }
        at += entry.header_bytes + entry.payload_bytes;
    }
    return result;
}

std::string machine_code_only_message(const std::vector<int>& machine_code) {
    std::string list;
    for (int sm : machine_code) list += fmt::format("{}sm_{}", list.empty() ? "" : ", ", sm);
    const int sm = machine_code.empty() ? 90 : machine_code.back();
    return fmt::format(
        "this program holds machine code only (for {}), and lockstep runs PTX; build it again with PTX in "
        "it:\n"
        "    nvcc -gencode arch=compute_{},code=compute_{} -cudart shared …\n"
        "or let lockstep compile the sources: lockstep run PROG.cu",
        list, sm, sm);
}

Result<std::vector<FatbinPtx>> ptx_entries(const void* image, std::size_t limit) {
    auto fatbin = read_fatbin(image, limit);
    if (!fatbin) return fatbin.error();
    if (fatbin->ptx.empty() && !fatbin->machine_code.empty())
        return Error{machine_code_only_message(fatbin->machine_code), {}};
    return std::move(fatbin->ptx);
}

Result<std::vector<Fatbin>> read_fatbin_section(std::span<const std::byte> section) {
    std::vector<Fatbin> result;
    for (std::size_t at = 0; section.size() - at >= sizeof(ContainerHeader);) {
        if (read<std::uint32_t>(section.data() + at) != container_magic) {
            at += 8;
            continue;
        }
        auto fatbin = read_fatbin(section.data() + at, section.size() - at);
        if (!fatbin) return fatbin.error();
        at += (fatbin->bytes + 7) / 8 * 8;
        result.push_back(std::move(*fatbin));
    }
    return result;
}

std::string write_fatbin(std::span<const FatbinPtx> entries) {
    std::string body;
    for (const FatbinPtx& ptx : entries) {
        EntryHeader entry;
        entry.payload_bytes = (ptx.text.size() + 1 + 7) / 8 * 8;
        entry.sm = static_cast<std::uint32_t>(ptx.sm);
        if (ptx.relocatable) entry.flags |= flag_relocatable;
        std::string words = ptx.options;
        if (!words.empty()) {
            OptionsHeader options;
            options.offset = sizeof entry + sizeof options;
            options.bytes = static_cast<std::uint32_t>(words.size());
            words.append(8 - words.size() % 8, '\0');
            words.insert(0, reinterpret_cast<const char*>(&options), sizeof options);
            entry.options_offset = sizeof entry;
            entry.header_bytes += static_cast<std::uint32_t>(words.size());
        }
        body.append(reinterpret_cast<const char*>(&entry), sizeof entry);
        body.append(words);
        body.append(ptx.text);
        body.append(entry.payload_bytes - ptx.text.size(), '\0');
    }
    ContainerHeader container;
    container.body_bytes = body.size();
    return std::string(reinterpret_cast<const char*>(&container), sizeof container) + body;
}

}  // namespace lockstep::compile
