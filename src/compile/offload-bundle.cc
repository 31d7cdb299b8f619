#include "compile/offload-bundle.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace lockstep::compile {
namespace {

constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view compressed_magic = "CCOB";
constexpr std::string_view kind = "hip-amdgcn-amd-amdhsa--", older_kind = "hipv4-amdgcn-amd-amdhsa--";
constexpr std::string_view host = "host-unknown---";
// hipcc aligns the code of each target so.
constexpr std::size_t alignment = 4096;

std::uint64_t number_at(const char* from) {
    std::uint64_t value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
}

void append_number(std::string& to, std::uint64_t value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

bool begins_with(const void* image, std::string_view text) {
    return std::strncmp(static_cast<const char*>(image), text.data(), text.size()) == 0;
}

bool is_machine_code(std::string_view code) {
    return code.starts_with(
        "\x7f"
        "ELF");
}

}  // namespace

bool is_offload_bundle(const void* image) {
    return begins_with(image, magic) || begins_with(image, compressed_magic);
}

std::string_view base_target(std::string_view target) { return target.substr(0, target.find(':')); }

Result<std::vector<BundleEntry>> read_offload_bundle(const void* image, std::size_t limit) {
    if (begins_with(image, compressed_magic))
        return Error{"the program's device code is compressed: build it with --no-offload-compress", {}};
    const char* const begin = static_cast<const char*>(image);
    const Error damaged{"offload bundle: an entry reaches beyond its end", {}};
    std::size_t at = magic.size();
    if (limit < at + 8) return damaged;
    std::vector<BundleEntry> entries;
    const std::uint64_t count = number_at(begin + at);
    at += 8;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (limit - at < 24) return damaged;
        const std::uint64_t offset = number_at(begin + at), size = number_at(begin + at + 8),
                            id_bytes = number_at(begin + at + 16);
        at += 24;
        if (id_bytes > limit - at || offset > limit || size > limit - offset) return damaged;
        const std::string_view id(begin + at, id_bytes);
        at += id_bytes;
        for (const std::string_view prefix : {kind, older_kind})
            if (id.starts_with(prefix))
                entries.push_back({std::string(id.substr(prefix.size())), std::string(begin + offset, size)});
    }
    return entries;
}

std::string write_offload_bundle(std::span<const BundleEntry> entries) {
    std::vector<std::string> ids = {std::string(host)};
    for (const BundleEntry& entry : entries) ids.push_back(std::string(kind) + entry.target);
    std::size_t at = magic.size() + 8;
    for (const std::string& id : ids) at += 24 + id.size();
    const auto aligned = [](std::size_t size) { return (size + alignment - 1) / alignment * alignment; };

    std::string bundle(magic);
    append_number(bundle, ids.size());
    at = aligned(at);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::size_t size = i == 0 ? 0 : entries[i - 1].code.size();
        append_number(bundle, at);
        append_number(bundle, size);
        append_number(bundle, ids[i].size());
        bundle += ids[i];
        at = aligned(at + size);
    }
    for (const BundleEntry& entry : entries) {
        bundle.resize(aligned(bundle.size()), '\0');
        bundle += entry.code;
    }
    return bundle;
}

Result<std::string> code_for(const std::vector<BundleEntry>& entries, std::string_view target,
                             std::string_view gpu) {
    std::string there;
    for (const BundleEntry& entry : entries) {
        const bool right = base_target(entry.target) == base_target(target);
        if (right && !is_machine_code(entry.code)) return entry.code;
        if (right)
            return Error{
                "this program was built by AMD's compiler and holds machine code, and lockstep runs what it "
                "compiles itself: build it with lockstep hipcc, or run the sources (lockstep run PROG.hip)",
                {}};
        there += (there.empty() ? "" : ", ") + entry.target;
    }
    return Error{
        fmt::format(
            "the program's device code is for {}, and not for {}: compile it with --offload-arch={}, or "
            "choose another GPU with --gpu or LOCKSTEP_GPU",
            there.empty() ? "no GPU" : there, gpu, target),
        {}};
}

}  // namespace lockstep::compile
